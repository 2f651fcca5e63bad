extends "res://suite.gd"
## Characters that are solved in one call, in frames of the engine.

const FRAMES := 14


## A humanoid that the engine updates by itself, and the poses of its updates.
class Person:
	var rig: Skeleton3D
	var ik := SinewHumanoidIK.new()
	var number: int
	var poses: Array[PackedFloat32Array] = []

	func _init(made: Skeleton3D, under: Node, count: int) -> void:
		rig = made
		number = count
		rig.get_parent().remove_child(rig)
		under.add_child(rig)
		rig.position = Vector3(count, 0, 0)
		rig.modifier_callback_mode_process = Skeleton3D.MODIFIER_CALLBACK_MODE_PROCESS_IDLE
		rig.add_child(ik)
		rig.skeleton_updated.connect(keep)
		ik.right_hand_position_weight = 1.0

	func keep() -> void:
		var numbers := PackedFloat32Array()
		for bone in rig.get_bone_count():
			var p := rig.get_bone_pose_position(bone)
			var r := rig.get_bone_pose_rotation(bone)
			numbers.append_array([p.x, p.y, p.z, r.x, r.y, r.z, r.w])
		poses.append(numbers)

	func goal(frame: int) -> Vector3:
		return rig.position + Vector3(-0.35, 1.2 + 0.1 * sin(0.2 * frame + number), 0.3)

	## The animation and the goals of a frame.
	func play(frame: int) -> void:
		for bone: String in ["Spine", "RightUpperArm", "LeftUpperLeg"]:
			var place := rig.find_bone(bone)
			var rest := rig.get_bone_rest(place).basis.get_rotation_quaternion()
			rig.set_bone_pose_rotation(place, rest * Quaternion(Vector3.RIGHT, 0.1 * sin(0.3 * frame + number)))
		ik.right_hand_position = goal(frame)

	## Distance of the hand of the last update from a goal.
	func off(at: Vector3) -> float:
		var pose := poses[-1]
		var hand := rig.find_bone("RightHand")
		var place := Transform3D.IDENTITY
		while hand >= 0:
			var b := 7 * hand
			var rotation := Quaternion(pose[b + 3], pose[b + 4], pose[b + 5], pose[b + 6])
			place = Transform3D(Basis(rotation), Vector3(pose[b], pose[b + 1], pose[b + 2])) * place
			hand = rig.get_bone_parent(hand)
		return (rig.global_transform * place.origin).distance_to(at)


func group(count: int) -> Node3D:
	var made := Node3D.new()
	tree.root.add_child(made)
	for number in count:
		people.append(Person.new(humanoid(), made, number))
		(people[-1].rig as Skeleton3D).skeleton_updated.disconnect(read)
	return made


var people: Array[Person] = []


func crowd(under: Node) -> SinewCrowd:
	var made := SinewCrowd.new()
	under.add_child(made)
	return made


## Plays animations and goals in each frame, as players of animations do.
class Player extends Node:
	var people: Array[Person]
	var frame := 0
	var each: Callable

	func _process(_delta: float) -> void:
		for person in people:
			if is_instance_valid(person.rig):
				person.play(frame)
		if each.is_valid():
			each.call(frame)
		frame += 1


## Frames of the engine, numbered from `first`; `each` is called in each before its updates.
func run(frames: int, each := Callable(), first := 0) -> void:
	await tree.process_frame
	var player := Player.new()
	player.people = people
	player.frame = first
	player.each = each
	for person in people:
		person.poses.clear()
	tree.root.add_child(player)
	for frame in frames:
		await tree.process_frame
	player.free()


func check_same(first: Person, second: Person, what: String) -> void:
	check(first.poses.size() == FRAMES, "%s: %d updates" % [what, first.poses.size()])
	check(first.poses.size() == second.poses.size(), "%s: %d updates, alone %d" % [what, first.poses.size(), second.poses.size()])
	for frame in mini(first.poses.size(), second.poses.size()):
		if first.poses[frame].to_byte_array() != second.poses[frame].to_byte_array():
			check(false, "%s: another pose in update %d" % [what, frame])
			return


## Two groups of persons with the same settings, one of them a crowd, have the same poses.
func check_crowd(count: int, settings: Callable, threads: bool, what: String) -> SinewCrowd:
	people.clear()
	var together := group(count)
	group(count)
	var made := crowd(together)
	made.use_threads = threads
	for person in people:
		settings.call(person)
	await run(FRAMES)
	for number in count:
		check_same(people[number], people[count + number], "%s, person %d" % [what, number])
	return made


func test_the_same_bits_as_alone() -> void:
	# Limbs, gaze, transitions, whole bodies, and levels of detail, next to each other.
	var settings := func(person: Person) -> void:
		var ik := person.ik
		# Sets them up one after the other, so that those of Every Nth have their turns in the same
		# frames in both groups of twelve.
		ik.get_bone_local_rotation("Head")
		match person.number % 6:
			1:
				ik.look_at_weight = 1.0
				ik.look_at_position = person.rig.position + Vector3(0.5, 1.5, 2)
			2:
				ik.inertialization_time = 0.2
			3:
				ik.body_solver = true
			4:
				ik.detail_level = SinewHumanoidIK.DETAIL_EVERY_NTH
				ik.detail_interval = 3
			5:
				ik.body_position = person.rig.position + Vector3(0, 0.9, 0.1)
				ik.body_position_weight = 0.5
				ik.set_bone_local_rotation("Head", Quaternion(Vector3.UP, 0.3))
	for threads: bool in [false, true]:
		var made: SinewCrowd = await check_crowd(12, settings, threads, "threads %s" % threads)
		check(made.member_count == 12 and made.get_members().size() == 12, "%d members" % made.member_count)
		# Of two at every third frame, at most two are due.
		check(made.solved_count >= 10 and made.alone_count == 0 and made.cut_count == 0, "solved %d, alone %d, cut %d" % [made.solved_count, made.alone_count, made.cut_count])
		check(made.time_used > 0.0 and made.time_used < 1.0, "%s s" % made.time_used)


func test_a_budget_leaves_some_out_in_turn() -> void:
	people.clear()
	var under := group(6)
	var made := crowd(under)
	var states: Array[Array] = []
	for person in people:
		person.ik.body_solver = true
	await run(3)
	check(made.solved_count == 6 and made.cut_count == 0, "without a budget %d solved, %d cut" % [made.solved_count, made.cut_count])
	made.time_budget = 1e-9
	# The first call with a budget has nothing to show for those that it leaves out.
	await run(6, func(_frame: int) -> void: states.append([made.solved_count, made.cut_count, made.alone_count]), 3)
	states.append([made.solved_count, made.cut_count, made.alone_count])
	for frame in range(1, states.size()):
		check(states[frame] == [1, 5, 0], "frame %d: solved, cut, alone are %s" % [frame, states[frame]])
	# All had their turn: what was solved up to five frames ago is shown on the animation of now.
	for person in people:
		check(person.off(person.goal(8)) < 0.2, "person %d is %s m off" % [person.number, person.off(person.goal(8))])
	# Each is exact in the frame in which it was solved, and only then.
	var exact := [0, 0, 0, 0, 0, 0]
	await run(12, func(frame: int) -> void:
		for person in people:
			exact[person.number] += 1 if frame > 9 and person.off(person.goal(frame - 1)) < 2e-3 else 0, 9)
	check(exact.min() >= 1 and exact.max() <= 3, "they were exact in %s of 11 frames" % [exact])
	# With threads each may have begun one solve when the time is over.
	made.use_threads = true
	await run(2, Callable(), 19)
	check(made.solved_count >= 1 and made.solved_count + made.cut_count == 6, "with threads %d solved, %d cut" % [made.solved_count, made.cut_count])
	made.time_budget = 0.0
	await run(2, Callable(), 21)
	for person in people:
		check(person.off(person.goal(22)) < 2e-3, "without the budget person %d is %s m off" % [person.number, person.off(person.goal(22))])
	check(made.solved_count == 6, "%d solved" % made.solved_count)


func test_poses_that_scripts_set_before_the_frame() -> void:
	# The engine then updates twice in a frame, first without a length.
	people.clear()
	var under := group(3)
	var made := crowd(under)
	group(3)
	var turn := func() -> void:
		for person in people:
			var bone := person.rig.find_bone("Chest")
			person.rig.set_bone_pose_rotation(bone, Quaternion(Vector3.RIGHT, 0.01 * Engine.get_process_frames()))
	tree.process_frame.connect(turn)
	await run(FRAMES)
	check(made.solved_count == 3, "%d solved" % made.solved_count)
	for number in 3:
		check(people[number].poses.size() > FRAMES, "%d updates" % people[number].poses.size())
		check(people[number].poses == people[3 + number].poses, "person %d has another pose" % number)
	# The budget counts once in a frame.
	for person in people:
		person.ik.body_solver = true
	made.time_budget = 1e-9
	await run(4, Callable(), FRAMES)
	check([made.solved_count, made.cut_count, made.alone_count] == [1, 2, 0], "solved %d, cut %d, alone %d" % [made.solved_count, made.cut_count, made.alone_count])
	tree.process_frame.disconnect(turn)


func test_a_long_budget_leaves_none_out() -> void:
	var settings := func(person: Person) -> void:
		person.ik.body_solver = person.number == 1
	people.clear()
	var under := group(3)
	var made := crowd(under)
	made.time_budget = 10.0
	group(3)
	for person in people:
		settings.call(person)
	await run(FRAMES)
	check(made.solved_count == 3 and made.cut_count == 0, "%d solved, %d cut" % [made.solved_count, made.cut_count])
	for number in 3:
		check_same(people[number], people[3 + number], "person %d" % number)


class Leaning extends SkeletonModifier3D:
	func _process_modification_with_delta(_delta: float) -> void:
		var rig := get_skeleton()
		var bone := rig.find_bone("Chest")
		rig.set_bone_pose_rotation(bone, rig.get_bone_pose_rotation(bone) * Quaternion(Vector3.RIGHT, 0.3))


func test_behind_another_modifier_it_is_solved_alone() -> void:
	var settings := func(person: Person) -> void:
		if person.number == 1:
			var other := Leaning.new()
			person.rig.add_child(other)
			person.rig.move_child(other, 0)
	var made: SinewCrowd = await check_crowd(3, settings, false, "behind another")
	check(made.solved_count == 2 and made.alone_count == 1, "%d solved, %d alone" % [made.solved_count, made.alone_count])
	# One that does not act is none.
	for person in people:
		if person.number == 1:
			person.rig.get_child(0).active = false
	await run(1, Callable(), FRAMES)
	check(made.solved_count == 3 and made.alone_count == 0, "%d solved, %d alone" % [made.solved_count, made.alone_count])


func test_skeletons_of_other_times() -> void:
	var settings := func(person: Person) -> void:
		match person.number:
			1: person.rig.modifier_callback_mode_process = Skeleton3D.MODIFIER_CALLBACK_MODE_PROCESS_MANUAL
			2: person.rig.modifier_callback_mode_process = Skeleton3D.MODIFIER_CALLBACK_MODE_PROCESS_PHYSICS
	people.clear()
	var under := group(4)
	group(4)
	var made := crowd(under)
	for person in people:
		settings.call(person)
	var both := func(frame: int) -> void:
		for person in people:
			if person.number == 1:
				person.rig.advance(1.0 / 60.0)
				person.rig.notification(Skeleton3D.NOTIFICATION_UPDATE_SKELETON)
	await run(FRAMES, both)
	check(people[2].poses.size() > 0, "no update in a physics tick")
	for number in [0, 1, 3]:
		check_same(people[number], people[4 + number], "person %d" % number)
	# Physics ticks may be fewer than frames, but are the same ones for both.
	check(people[2].poses == people[6].poses, "the one of physics ticks has another pose")
	check(made.alone_count >= 1 and made.solved_count >= 2, "%d alone, %d solved" % [made.alone_count, made.solved_count])


func test_a_goal_on_the_hand_of_another() -> void:
	# It moves when the other one is updated: the call has solved for where it was.
	var settings := func(person: Person) -> void:
		if person.number == 1:
			var before: Skeleton3D = people[people.find(person) - 1].rig
			var hand := BoneAttachment3D.new()
			before.add_child(hand)
			hand.bone_name = "RightHand"
			person.ik.left_hand_target = person.ik.get_path_to(hand)
			person.ik.left_hand_position_weight = 1.0
	var made: SinewCrowd = await check_crowd(3, settings, false, "a goal on another's hand")
	check(made.alone_count == 1, "%d alone" % made.alone_count)


func test_scripts_that_act_between_the_updates() -> void:
	# In the update of the first one, others get other goals, poses and settings; transitions and
	# levels of detail go on as they do alone.
	var act := func(others: Array) -> void:
		var ik: SinewHumanoidIK = others[1].ik
		ik.right_hand_position += Vector3(0, 0.05, 0)
		ik = others[2].ik
		ik.inertialize(SinewHumanoidIK.GOAL_RIGHT_HAND)
		var bone: int = others[3].rig.find_bone("Chest")
		others[3].rig.set_bone_pose_rotation(bone, others[3].rig.get_bone_pose_rotation(bone) * Quaternion(Vector3.UP, 0.01))
		others[4].ik.get_target_pose(SinewHumanoidIK.TARGET_BODY)
		others[5].ik.right_hand_position_weight = 0.9
	var settings := func(person: Person) -> void:
		if person.number == 0:
			var first := people.find(person)
			person.rig.skeleton_updated.connect(func() -> void: act.call(people.slice(first, first + 6)))
		elif person.number == 2:
			person.ik.inertialization_time = 0.2
		elif person.number >= 4:
			person.ik.detail_level = SinewHumanoidIK.DETAIL_EVERY_NTH
			person.ik.detail_interval = 2
	await check_crowd(6, settings, false, "acted upon")


func test_a_snapshot_between_the_updates() -> void:
	var settings := func(person: Person) -> void:
		person.ik.inertialization_time = 0.2
		if person.number == 0:
			var next := people.find(person) + 1
			person.rig.skeleton_updated.connect(func() -> void:
				var other := people[next].ik
				check(other.restore_snapshot(other.get_snapshot()), "it was not restored"))
	await check_crowd(2, settings, false, "a snapshot")


func test_members_that_go_in_the_middle() -> void:
	for change: int in 7:
		people.clear()
		var under := group(4)
		var made := crowd(under)
		await run(3)
		check(made.solved_count == 4, "%d solved at first" % made.solved_count)
		var elsewhere := Node3D.new()
		tree.root.add_child(elsewhere)
		var second := people[1]
		var act := func() -> void:
			match change:
				0: second.rig.queue_free()
				1: second.rig.remove_child(second.ik)
				2: second.ik.active = false
				3: second.rig.add_bone("Another")
				4: second.rig.reparent(elsewhere)
				5: second.ik.influence = 0.0
				6: made.free()
		people[0].rig.skeleton_updated.connect(act, CONNECT_ONE_SHOT)
		await run(4, Callable(), 3)
		for person: Person in [people[0], people[2], people[3]]:
			check(person.off(person.goal(6)) < 1e-4, "change %d: person %d is %s m off" % [change, person.number, person.off(person.goal(6))])
		if change < 6:
			check(made.solved_count == (4 if change == 3 else 3), "change %d: %d solved" % [change, made.solved_count])
			check(made.alone_count == 0, "change %d: %d alone" % [change, made.alone_count])
		if change == 3 or change == 4 or change == 6:
			check(second.off(second.goal(6)) < 1e-4, "change %d: the second one is %s m off" % [change, second.off(second.goal(6))])
		if change == 1:
			second.ik.free()
		for node in tree.root.get_children():
			node.free()


func test_who_belongs_to_a_crowd() -> void:
	people.clear()
	var outer := group(2)
	var inner := group(3)
	var other := group(1)
	inner.reparent(outer)
	var first := crowd(outer)
	var second := crowd(inner)
	await run(3)
	check([first.member_count, second.member_count] == [2, 3], "members %d and %d" % [first.member_count, second.member_count])
	check([first.solved_count, second.solved_count] == [2, 3], "solved %d and %d" % [first.solved_count, second.solved_count])
	check(first.get_members() == [people[0].ik, people[1].ik], "members %s" % [first.get_members()])
	second.active = false
	await run(3, Callable(), 3)
	check(first.solved_count == 5 and second.solved_count == 0, "solved %d and %d" % [first.solved_count, second.solved_count])
	first.root_node = first.get_path_to(other)
	await run(3, Callable(), 6)
	check(first.get_members() == [people[5].ik] and first.solved_count == 1, "members %s" % [first.get_members()])
	first.root_node = ^"nothing"
	check(first.get_warnings() == PackedStringArray(["The path of root_node leads to no node."]), "warnings %s" % [first.get_warnings()])
	await run(2, Callable(), 9)
	check(first.member_count == 0, "%d members without a root" % first.member_count)
	for person in people:
		check(person.off(person.goal(10)) < 1e-4, "person %d is %s m off" % [person.number, person.off(person.goal(10))])
	# Of a paused one nothing is solved.
	second.active = true
	people[2].rig.process_mode = Node.PROCESS_MODE_DISABLED
	await run(3, Callable(), 11)
	check(second.solved_count == 2 and second.member_count >= 2, "solved %d of %d" % [second.solved_count, second.member_count])
