extends "res://suite.gd"
## Snapshots: updates after a restore are those of the first time, bit for bit.

const DT := 1.0 / 60.0


## Plays frames, saves, plays on, restores, and plays the same again. `play` gets the number of the
## frame.
func check_rollback(node: Object, play: Callable, saved_at: int, frames: int) -> PackedByteArray:
	for frame in saved_at:
		play.call(frame)
	var saved: PackedByteArray = node.get_snapshot()
	check(saved.size() > 8, "a snapshot of %d bytes" % saved.size())
	var first: Array = []
	for frame in range(saved_at, frames):
		play.call(frame)
		first.append([poses.duplicate(), rotations.duplicate()])
	check(first[0] != first[-1], "nothing moves")
	check(node.restore_snapshot(saved), "it was not restored")
	for frame in range(saved_at, frames):
		play.call(frame)
		check([poses, rotations] == first[frame - saved_at], "frame %d is another one" % frame)
	return saved


## What no node takes, and nothing changes: bytes of others, cut and longer ones.
func check_refused(node: Object, saved: PackedByteArray) -> void:
	var name := node.get_class()
	var others := [PackedByteArray(), "not a snapshot".to_utf8_buffer(), saved.slice(0, 3)]
	for other: PackedByteArray in others:
		expect_error("%s.restore_snapshot: snapshot has %d bytes that are none of a %s of this version." % [name, other.size(), name])
		check(not node.restore_snapshot(other), "%s took %d bytes" % [name, other.size()])
	var long := saved.duplicate()
	long.append(0)
	for other: PackedByteArray in [saved.slice(0, 7), saved.slice(0, saved.size() - 4), long]:
		expect_error("%s.restore_snapshot: snapshot " % name)
		check(not node.restore_snapshot(other), "%s took %d of %d bytes" % [name, other.size(), saved.size()])
	check(node.get_snapshot() == saved, "%s: something changed" % name)


func test_transitions_of_a_humanoid() -> void:
	for solver: bool in [false, true]:
		var rig := humanoid()
		var ik := SinewHumanoidIK.new()
		check(ik.get_snapshot().is_empty(), "a snapshot without a skeleton")
		expect_error("SinewHumanoidIK.restore_snapshot: snapshot has 0 bytes")
		ik.restore_snapshot(PackedByteArray())
		rig.add_child(ik)
		ik.body_solver = solver
		ik.inertialization_time = 0.4
		ik.left_hand_position_weight = 1.0
		var marks := [ik.get_path_to(marker(Vector3(0.4, 1.3, 0.3))), ik.get_path_to(marker(Vector3(0.4, 1.0, 0.3)))]
		var play := func(frame: int) -> void:
			# A switch on the way to the snapshot, and another one after it.
			ik.left_hand_target = marks[1 if frame >= 20 and frame < 30 else 0]
			rig.set_bone_pose_rotation(rig.find_bone("Spine"), Quaternion(Vector3.RIGHT, 0.01 * frame))
			update(rig, DT)
		var saved := check_rollback(ik, play, 24, 50)
		check(ik.restore_snapshot(saved) and ik.is_inertializing(SinewHumanoidIK.GOAL_LEFT_HAND), "the transition is not there again")
		check_refused(ik, saved)
		# Of a node with other settings.
		ik.inertialization_time = 0.0
		expect_error("SinewHumanoidIK.restore_snapshot: snapshot does not fit: ")
		check(not ik.restore_snapshot(saved), "a snapshot with transitions in a node without")


func test_a_switch_that_has_not_been_solved_is_kept() -> void:
	var rig := humanoid()
	var ik := SinewHumanoidIK.new()
	rig.add_child(ik)
	ik.inertialization_time = 0.4
	ik.left_hand_position = Vector3(0.4, 1.3, 0.3)
	ik.left_hand_position_weight = 1.0
	for frame in 60:
		update(rig, DT)
	ik.inertialize(SinewHumanoidIK.GOAL_LEFT_HAND)
	var saved := ik.get_snapshot()
	update(rig, DT)
	check(ik.restore_snapshot(saved), "it was not restored")
	ik.left_hand_position = Vector3(0.4, 1.0, 0.3)
	update(rig, DT)
	check(poses[rig.find_bone("LeftHand")].origin.distance_to(ik.left_hand_position) > 0.1, "the hand jumps")


func test_a_body_that_tracks() -> void:
	var rig := humanoid()
	var hand := SinewBodyEffector.new()
	hand.bone = "LeftHand"
	var ik := SinewBodyIK.new()
	ik.root_bone = "Hips"
	rig.add_child(ik)
	ik.add_effector(hand)
	ik.mode = SinewBodyIK.MODE_TRACK
	ik.track_feedback = 5.0
	ik.track_max_acceleration = 30.0
	var play := func(frame: int) -> void:
		hand.goal_position = Vector3(0.4, 1.2 + 0.2 * sin(0.1 * frame), 0.3)
		update(rig, DT)
	var saved := check_rollback(ik, play, 20, 50)
	check(ik.restore_snapshot(saved), "it was not restored")
	check_refused(ik, saved)
	# Another node that was never updated goes on from it, as the first one did.
	play.call(20)
	var first := rotations.duplicate()
	var other_rig := humanoid()
	var other: SinewBodyIK = ik.duplicate()
	other.effectors = ik.effectors
	other_rig.add_child(other)
	check(other.restore_snapshot(saved), "another node did not take it")
	update(other_rig, DT)
	check(rotations == first, "another node goes on otherwise")
	# One with other effectors does not.
	var second := SinewBodyEffector.new()
	second.bone = "RightHand"
	second.goal_position = Vector3(-0.4, 1.2, 0.3)
	other.add_effector(second)
	expect_error("SinewBodyIK.restore_snapshot: snapshot does not fit: ")
	check(not other.restore_snapshot(saved), "a snapshot of other effectors")


func test_feet_on_the_ground() -> void:
	for steps: bool in [false, true]:
		box(Vector3(0, 0.0, -10), Vector3(10, 1, 20))
		box(Vector3(0, 0.15, 10.6), Vector3(10, 1, 20))
		var rig := humanoid()
		var node := SinewGrounder.new()
		rig.add_child(node)
		node.stepping = steps
		for frame in 4:
			await tree.physics_frame
		var planted: Array = []
		node.foot_planted.connect(func(leg: int) -> void: planted.append(leg))
		var play := func(frame: int) -> void:
			rig.position.z = 0.02 * frame
			for side: Array in [["Left", 0.0], ["Right", PI]]:
				var bone := rig.find_bone(side[0] + "UpperLeg")
				rig.set_bone_pose_rotation(bone, rig.get_bone_rest(bone).basis.get_rotation_quaternion() * Quaternion(Vector3.RIGHT, 0.4 * sin(0.15 * frame + side[1])))
			update(rig, DT)
		var saved := check_rollback(node, play, 40, 100)
		check(node.restore_snapshot(saved), "it was not restored")
		check_refused(node, saved)
		check(not planted.is_empty(), "no foot was planted")
		node.stepping = not steps
		expect_error("SinewGrounder.restore_snapshot: snapshot does not fit: ")
		check(not node.restore_snapshot(saved), "a snapshot of a node that steps otherwise")
		for child in tree.root.get_children():
			child.free()


func test_a_foot_on_a_lift_that_is_taken_back() -> void:
	var lift := box(Vector3.ZERO, Vector3(6, 1, 6))
	var rig := humanoid()
	# Bent knees, as straight legs follow no ground that goes away.
	for turn: Array in [["UpperLeg", -0.25], ["LowerLeg", 0.5], ["Foot", -0.25]]:
		for side: String in ["Left", "Right"]:
			var bone := rig.find_bone(side + turn[0])
			var above := rig.get_bone_global_pose(rig.get_bone_parent(bone)).basis.get_rotation_quaternion()
			rig.set_bone_pose_rotation(bone, above.inverse() * Quaternion(Vector3.RIGHT, turn[1]) * above * rig.get_bone_pose_rotation(bone))
	var toes := rig.find_bone("LeftToes")
	var hips := rig.find_bone("Hips")
	var lifted := rig.get_bone_global_pose(toes).origin.y - rig.get_bone_global_rest(toes).origin.y
	rig.set_bone_pose_position(hips, rig.get_bone_pose_position(hips) - Vector3(0, lifted, 0))
	var node := SinewGrounder.new()
	rig.add_child(node)
	for frame in 4:
		await tree.physics_frame
	# The ground moves below a figure that stays: its feet go along.
	var ways: Array[float] = []
	var play := func(frame: int) -> void:
		# At once: a node would hand it on at the end of the frame.
		var at := Transform3D(Basis(), Vector3(0, -0.5, 0.004 * maxi(frame - 20, 0)))
		PhysicsServer3D.body_set_state(lift.get_rid(), PhysicsServer3D.BODY_STATE_TRANSFORM, at)
		update(rig, DT)
		ways.append(poses[toes].origin.z)
	check_rollback(node, play, 30, 60)
	check(ways[59] > ways[30] + 0.05, "the foot does not go along: %s" % [ways])


func test_a_tracked_body() -> void:
	var rig := humanoid()
	var body := SinewTrackedBody.new()
	rig.add_child(body)
	body.floor_height = -0.0225
	var names := {SinewTrackedBody.ROLE_HEAD: "Head", SinewTrackedBody.ROLE_LEFT_HAND: "LeftHand", SinewTrackedBody.ROLE_RIGHT_HAND: "RightHand"}
	for role: int in names:
		body.set_tracker(role, rig.get_bone_global_rest(rig.find_bone(names[role])), 1.0)
	check(body.calibrate(), "no calibration")
	var play := func(frame: int) -> void:
		for role: int in names:
			var at := rig.get_bone_global_rest(rig.find_bone(names[role]))
			at.origin += Vector3(0.02 * frame, 0.05 * sin(0.1 * frame), 0.01 * frame)
			# The right hand is lost on the way.
			if role != SinewTrackedBody.ROLE_RIGHT_HAND or frame < 30:
				body.set_tracker(role, at, 1.0)
		update(rig, DT)
	var saved := check_rollback(body, play, 35, 70)
	check(body.restore_snapshot(saved), "it was not restored")
	check_refused(body, saved)


func test_nodes_do_not_take_snapshots_of_each_other() -> void:
	var rig := humanoid()
	var nodes: Array = [SinewHumanoidIK.new(), SinewBodyIK.new(), SinewGrounder.new(), SinewTrackedBody.new()]
	var saved: Array[PackedByteArray] = []
	for node: Node in nodes:
		rig.add_child(node)
	update(rig)
	for node: Node in nodes:
		saved.append(node.get_snapshot())
		check(saved[-1].size() > 8, "%s: %d bytes" % [node.get_class(), saved[-1].size()])
	for node: Node in nodes:
		for of in nodes.size():
			if nodes[of] != node:
				expect_error("%s.restore_snapshot: snapshot has %d bytes that are none of a %s of this version." % [node.get_class(), saved[of].size(), node.get_class()])
				check(not node.restore_snapshot(saved[of]), "%s took that of %s" % [node.get_class(), nodes[of].get_class()])
