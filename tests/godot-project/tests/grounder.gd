extends "res://suite.gd"
## SinewGrounder on Godot's physics. Every place of a foot is computed here from the bones.

const DT := 1.0 / 60.0


## The humanoid profile with bent knees, at rest on the plane of its node.
func person() -> Skeleton3D:
	var made := humanoid()
	for side: String in ["Left", "Right"]:
		turn(made, side + "UpperLeg", -0.25)
		turn(made, side + "LowerLeg", 0.5)
		turn(made, side + "Foot", -0.25)
	# Bent legs are shorter: the feet stay where they stand at rest.
	var toe := made.find_bone("LeftToes")
	var lifted := made.get_bone_global_pose(toe).origin.y - made.get_bone_global_rest(toe).origin.y
	var hips := made.find_bone("Hips")
	made.set_bone_pose_position(hips, made.get_bone_pose_position(hips) - Vector3(0, lifted, 0))
	return made


## Turns a bone about the skeleton's X axis.
func turn(rig: Skeleton3D, name: String, angle: float) -> void:
	var bone := rig.find_bone(name)
	var above := rig.get_bone_global_pose(rig.get_bone_parent(bone)).basis.get_rotation_quaternion()
	rig.set_bone_pose_rotation(bone, above.inverse() * Quaternion(Vector3.RIGHT, angle) * above * rig.get_bone_pose_rotation(bone))


func grounder(rig: Skeleton3D) -> SinewGrounder:
	var made := SinewGrounder.new()
	rig.add_child(made)
	return made


## The bodies are where they belong in the physics world.
func ready_physics() -> void:
	for frame in 4:
		await tree.physics_frame


func settle(rig: Skeleton3D, frames := 90) -> void:
	for frame in frames:
		update(rig, DT)


func toes(rig: Skeleton3D, side: String) -> Vector3:
	return rig.global_transform * poses[rig.find_bone(side + "Toes")].origin


func animated(rig: Skeleton3D, bone: String) -> Vector3:
	return rig.global_transform * rig.get_bone_global_pose(rig.find_bone(bone)).origin


func test_a_foot_stands_on_a_step_and_the_pelvis_sinks_for_the_other() -> void:
	box(Vector3.ZERO, Vector3(10, 1, 10))
	box(Vector3(2.0, 0.2, 0), Vector3(4, 0.4, 10))
	var rig := person()
	var node := grounder(rig)
	await ready_physics()
	settle(rig)
	check(node.get_warnings().is_empty(), "warnings %s" % [node.get_warnings()])
	check(node.get_leg_count() == 2, "%d legs" % node.get_leg_count())
	check(node.query_count >= 6 and node.query_count <= 10, "%d queries" % node.query_count)
	var low := toes(rig, "Right").y - animated(rig, "RightToes").y
	var high := toes(rig, "Left").y - animated(rig, "LeftToes").y
	check_near(high - low, 0.2, 2e-3, "the height between the feet")
	check(node.is_foot_planted(0) and node.is_foot_planted(1), "a foot is not planted")
	check_point(node.get_foot_position(0), toes(rig, "Left"), 1e-3, "the left foot, as reported,")
	for frame in 20:
		var before := toes(rig, "Left")
		update(rig, DT)
		check_point(toes(rig, "Left"), before, 1e-4, "a standing foot")


func test_flat_ground_and_no_ground_are_the_animation() -> void:
	var rig := person()
	var node := grounder(rig)
	settle(rig, 5)
	for bone in rig.get_bone_count():
		check(rotations[bone] == rig.get_bone_pose_rotation(bone), "without ground %s turned" % rig.get_bone_name(bone))
	check(node.body_offset == Vector3.ZERO, "the body moved by %s" % node.body_offset)
	box(Vector3.ZERO, Vector3(10, 1, 10))
	await ready_physics()
	settle(rig, 30)
	for side: String in ["Left", "Right"]:
		check_point(toes(rig, side), animated(rig, side + "Toes"), 2e-3, "%s toes on flat ground" % side)


func test_influence_0_is_the_animation_bit_for_bit() -> void:
	box(Vector3(0, 0.1, 0), Vector3(10, 1, 10))
	var rig := person()
	var node := grounder(rig)
	node.influence = 0.0
	await ready_physics()
	settle(rig, 5)
	for bone in rig.get_bone_count():
		check(rotations[bone] == rig.get_bone_pose_rotation(bone), "%s turned" % rig.get_bone_name(bone))
	check(node.query_count == 0, "%d queries" % node.query_count)


func test_a_foot_lies_along_a_slope() -> void:
	var slope := box(Vector3.ZERO, Vector3(10, 1, 10))
	slope.rotation.x = -0.3
	slope.global_position = -slope.global_basis.y * 0.5
	var rig := person()
	var node := grounder(rig)
	await ready_physics()
	settle(rig)
	var up := slope.global_basis.y
	check(node.is_foot_planted(0) and node.is_foot_planted(1), "a foot is not planted")
	for side: String in ["Left", "Right"]:
		var foot := rig.find_bone(side + "Foot")
		var turned := poses[foot].basis.get_rotation_quaternion() * rig.get_bone_global_pose(foot).basis.get_rotation_quaternion().inverse()
		check((turned * Vector3.UP).angle_to(up) < 0.05, "%s foot is %s rad off the slope" % [side, (turned * Vector3.UP).angle_to(up)])


func test_feet_go_with_a_lift_and_events_tell_contacts() -> void:
	var lift := box(Vector3.ZERO, Vector3(3, 0.2, 3), AnimatableBody3D)
	lift.sync_to_physics = false
	var rig := person()
	var node := grounder(rig)
	var events := []
	node.foot_planted.connect(func(leg: int) -> void: events.append(leg))
	await ready_physics()
	settle(rig, 20)
	events.sort()
	check(events == [0, 1], "planted: %s" % [events])
	var start := toes(rig, "Left")
	var rest := lift.global_position
	for frame in 40:
		# The character's own node stays: only the platform moves.
		lift.global_position = rest + Vector3(0.004 * frame, 0.003 * frame, 0)
		await tree.physics_frame
		update(rig, DT)
		var server: Transform3D = PhysicsServer3D.body_get_state(lift.get_rid(), PhysicsServer3D.BODY_STATE_TRANSFORM)
		if frame > 5:
			check_point(toes(rig, "Left") - start, server.origin - rest, 6e-3, "the foot on the lift in frame %d" % frame)


func test_the_characters_own_collision_objects_are_no_ground() -> void:
	box(Vector3.ZERO, Vector3(10, 1, 10))
	var character := CharacterBody3D.new()
	var capsule := CollisionShape3D.new()
	capsule.shape = BoxShape3D.new()
	capsule.shape.size = Vector3(2, 0.3, 2)
	capsule.position.y = 0.15
	character.add_child(capsule)
	tree.root.add_child(character)
	var rig := person()
	rig.reparent(character)
	grounder(rig)
	await ready_physics()
	settle(rig, 30)
	check_point(toes(rig, "Left"), animated(rig, "LeftToes"), 2e-3, "the foot")


func test_sphere_sweeps_give_the_same_place() -> void:
	box(Vector3(0, 0.1, 0), Vector3(10, 1, 10))
	var rig := person()
	var node := grounder(rig)
	await ready_physics()
	settle(rig)
	var by_ray := toes(rig, "Left")
	node.query_radius = 0.03
	node.reset_grounding()
	settle(rig)
	check_point(toes(rig, "Left"), by_ray, 3e-3, "the foot by spheres")


## A creature of straight-down legs: hip, knee, tip each.
func creature(count: int) -> Skeleton3D:
	var made := skeleton()
	made.add_bone("body")
	made.set_bone_rest(0, Transform3D(Basis(), Vector3(0, 0.6, 0)))
	for leg in count:
		var side := -1.0 if leg % 2 == 0 else 1.0
		var along := 0.5 - float(leg / 2) / maxf(1.0, count / 2.0 - 1.0)
		var places := [Vector3(0.2 * side, 0, along), Vector3(0.3 * side, 0.2, 0), Vector3(0.2 * side, -0.8, 0)]
		for part in 3:
			var bone := made.get_bone_count()
			made.add_bone("leg%d_%d" % [leg, part])
			made.set_bone_parent(bone, 0 if part == 0 else bone - 1)
			made.set_bone_rest(bone, Transform3D(Basis(), places[part]))
	made.reset_bone_poses()
	tree.root.add_child(made)
	return made


func test_eight_legs_of_a_generic_rig() -> void:
	var ground := box(Vector3.ZERO, Vector3(10, 1, 10))
	ground.rotation.z = 0.2
	ground.global_position = -ground.global_basis.y * 0.5
	var rig := creature(8)
	var node := grounder(rig)
	var feet := PackedStringArray()
	for leg in 8:
		feet.append("leg%d_2" % leg)
	node.feet = feet
	await ready_physics()
	settle(rig, 240)
	check(node.get_leg_count() == 8, "%d legs: %s" % [node.get_leg_count(), node.get_warnings()])
	for leg in 8:
		var tip: Vector3 = poses[rig.find_bone("leg%d_2" % leg)].origin
		var over := ground.global_basis.y.dot(tip)
		check_near(over, 0.0, 5e-3, "height of tip %d over the slope" % leg)
	check(poses[0].basis.y.x < -0.05, "the body does not tilt: %s" % poses[0].basis.y)


func test_wrong_bones_are_named() -> void:
	var rig := person()
	var node := grounder(rig)
	node.feet = PackedStringArray(["LeftFoot", "NoFoot"])
	update(rig)
	check(not node.get_warnings().is_empty() and node.get_warnings()[0].contains("NoFoot"), "warnings %s" % [node.get_warnings()])
	node.feet = PackedStringArray()
	update(rig)
	check(node.get_warnings().is_empty(), "warnings %s" % [node.get_warnings()])


func test_a_skeleton_of_another_size_and_place() -> void:
	box(Vector3.ZERO, Vector3(20, 1, 20))
	box(Vector3(4.0, 0.4, 0), Vector3(8, 0.8, 20))
	var rig := person()
	rig.scale = Vector3.ONE * 2.0
	grounder(rig)
	await ready_physics()
	settle(rig)
	var low := toes(rig, "Right").y - animated(rig, "RightToes").y
	var high := toes(rig, "Left").y - animated(rig, "LeftToes").y
	check_near(high - low, 0.4, 4e-3, "the height between the feet")


func test_a_small_figure_stands_on_its_step() -> void:
	# A tenth of a person: constants of persons would lift its heels.
	box(Vector3.ZERO, Vector3(20, 1, 20))
	box(Vector3(4.0, 0.02, 0), Vector3(8, 0.02, 20))
	var rig := person()
	rig.scale = Vector3.ONE * 0.1
	var node := grounder(rig)
	await ready_physics()
	settle(rig)
	check(node.is_foot_planted(0) and node.is_foot_planted(1), "both feet stand")
	var low := toes(rig, "Right").y - animated(rig, "RightToes").y
	var high := toes(rig, "Left").y - animated(rig, "LeftToes").y
	check_near(high - low, 0.02, 4e-4, "the height between the feet")


func test_feet_without_animation_step_by_themselves() -> void:
	box(Vector3.ZERO, Vector3(30, 1, 30))
	var rig := creature(6)
	var node := grounder(rig)
	var feet := PackedStringArray()
	for leg in 6:
		feet.append("leg%d_2" % leg)
	node.feet = feet
	node.stepping = true
	await ready_physics()
	var before: Array[Vector3] = []
	var stood: Array[bool] = []
	var steps := 0
	for frame in 240:
		rig.position.z = 0.5 * frame * DT
		update(rig, DT)
		var now: Array[Vector3] = []
		var stands: Array[bool] = []
		for leg in 6:
			now.append(rig.global_transform * poses[rig.find_bone(feet[leg])].origin)
			stands.append(node.is_foot_planted(leg))
			if frame > 3 and stands[leg] and stood[leg]:
				check_point(now[leg], before[leg], 2e-3, "standing foot %d in frame %d" % [leg, frame])
			if frame > 3 and stands[leg] and not stood[leg]:
				steps += 1
		check(stands.count(false) <= 3, "%d feet in the air in frame %d" % [stands.count(false), frame])
		before = now
		stood = stands
	check(steps >= 18, "%d steps" % steps)
	for leg in 6:
		check(absf(before[leg].z - rig.position.z) < 1.2, "foot %d was left behind at %s" % [leg, before[leg]])


func test_every_setting_has_the_librarys_default() -> void:
	var node := SinewGrounder.new()
	var defaults := {
		"plant_height": 0.055, "release_height": 0.1, "release_distance": 0.25, "release_twist": 1.0,
		"release_stretch": 0.07, "plant_time": 0.05, "release_time": 0.15, "swing_time": 0.4, "tilt_time": 0.05,
		"soft_extension": 0.98, "max_extension": 0.995, "heel_lift": 0.9, "max_body_tilt": 0.6, "airborne_time": 0.2,
		"toe_length": -1.0, "heel_length": -1.0, "character_scale": 1.0,
	}
	for name: String in defaults:
		check(node.get(name) != null, "there is no %s" % name)
		if node.get(name) != null:
			check_near(node.get(name), defaults[name], 1e-6, name)
	check(node.stepping_groups.is_empty() and node.leg_landing_times.is_empty() and node.leg_landing_positions.is_empty(), "lists")
	node.free()


func test_a_foot_above_the_ground_is_planted_below_plant_height() -> void:
	# The animated feet stand 0.08 above the plane of the node.
	box(Vector3.ZERO, Vector3(10, 1, 10))
	var rig := person()
	var hips := rig.find_bone("Hips")
	rig.set_bone_pose_position(hips, rig.get_bone_pose_position(hips) + Vector3(0, 0.08, 0))
	var node := grounder(rig)
	await ready_physics()
	settle(rig, 30)
	check(not node.is_foot_planted(0), "planted at 0.08 with %s" % node.plant_height)
	node.plant_height = 0.12
	node.release_height = 0.2
	settle(rig, 30)
	check(node.is_foot_planted(0), "not planted at 0.08 with %s" % node.plant_height)


func test_airborne_time_and_the_largest_tilt() -> void:
	var ground := box(Vector3.ZERO, Vector3(10, 1, 10))
	ground.rotation.z = 0.2
	ground.global_position = -ground.global_basis.y * 0.5
	var rig := creature(8)
	var node := grounder(rig)
	for leg in 8:
		node.feet = node.feet + PackedStringArray(["leg%d_2" % leg])
	node.max_body_tilt = 0.02
	await ready_physics()
	settle(rig, 200)
	check(absf(poses[0].basis.y.x) < 0.03, "the body tilts more than 0.02 rad: %s" % poses[0].basis.y)
	var left: Array[float] = []
	for time: float in [0.1, 1.0]:
		node.airborne_time = time
		node.grounded = SinewGrounder.GROUNDED_YES
		settle(rig, 120)
		node.grounded = SinewGrounder.GROUNDED_NO
		settle(rig, 6)
		left.append(node.presence)
	check(left[1] > left[0] + 0.2, "presence after 0.1 s in the air: %s" % [left])


func test_steps_go_by_the_groups_of_the_legs() -> void:
	box(Vector3.ZERO, Vector3(30, 1, 30))
	var rig := creature(6)
	var node := grounder(rig)
	var feet := PackedStringArray()
	for leg in 6:
		feet.append("leg%d_2" % leg)
	node.feet = feet
	node.stepping = true
	# Front, middle and rear pairs: not the tripods that are found without groups.
	node.stepping_groups = PackedInt32Array([0, 0, 1, 1, 2, 2])
	await ready_physics()
	var steps := 0
	var stood: Array[bool] = [false, false, false, false, false, false]
	for frame in 300:
		rig.position.z = 0.4 * frame * DT
		update(rig, DT)
		var swinging := -1
		for leg in 6:
			var stands := node.is_foot_planted(leg)
			if frame > 3 and not stands:
				check(swinging < 0 or swinging == leg / 2, "groups %d and %d swing together in frame %d" % [swinging, leg / 2, frame])
				swinging = leg / 2
			if frame > 3 and stands and not stood[leg]:
				steps += 1
			stood[leg] = stands
	check(steps > 10, "%d steps" % steps)
	check(node.get_warnings().is_empty(), "warnings %s" % [node.get_warnings()])
	node.stepping_groups = PackedInt32Array([0, 1])
	update(rig, DT)
	check(not node.get_warnings().is_empty() and node.get_warnings()[0].contains("Stepping Groups"), "warnings %s" % [node.get_warnings()])


func test_a_landing_that_is_known_is_expected() -> void:
	box(Vector3.ZERO, Vector3(10, 1, 10))
	for size: float in [1.0, 2.0]:
		var rig := person()
		rig.scale = Vector3.ONE * size
		var node := grounder(rig)
		await ready_physics()
		settle(rig, 30)
		node.leg_contacts = PackedInt32Array([0, SinewGrounder.CONTACT_SWING])
		settle(rig, 2)
		var place := Vector3(-0.09, 0.0, 0.5)
		node.leg_landing_positions = PackedVector3Array([Vector3.ZERO, place])
		for frame in 10:
			node.leg_landing_times = PackedFloat32Array([-1.0, 0.5 - frame * DT])
			update(rig, DT)
			check_near(node.get_time_to_landing(1), 0.5 - frame * DT, 2e-3, "seconds in frame %d" % frame)
			var landing := node.get_landing_position(1)
			check_near(landing.z, place.z * size, 2e-3, "metres ahead in frame %d" % frame)
			check_near(landing.x, place.x * size, 2e-3, "metres aside in frame %d" % frame)
		node.leg_landing_times = PackedFloat32Array()
		update(rig, DT)
		check(absf(node.get_landing_position(1).z - place.z * size) > 0.05, "still expected without times")
		rig.free()


func test_sizes_of_feet() -> void:
	box(Vector3.ZERO, Vector3(10, 1, 10))
	var rig := person()
	var node := grounder(rig)
	node.ball_height = 0.06
	node.toe_length = 0.1
	node.heel_length = 0.0
	await ready_physics()
	settle(rig)
	check_near(toes(rig, "Left").y, 0.06, 3e-3, "height of the toes over the floor")


func test_contacts_are_learned_from_a_clip() -> void:
	# Half a second on the ground, a quarter in the air, three times.
	var track := PackedVector3Array()
	for frame in 135:
		var part := frame % 45
		var s := 0.0 if part < 30 else (part - 30) / 15.0
		track.append(Vector3(0, 0.03 + 0.4 * s * (1.0 - s), 0.7 * (frame / 45 + s)))
	var found := SinewGrounder.contacts_from_clip(track, DT)
	check(found.size() == 6, "stances %s" % [found])
	for i in found.size() / 2:
		check(absi(found[2 * i] - 45 * i) <= 2 and absi(found[2 * i + 1] - (45 * i + 30)) <= 2, "stance %d: %s" % [i, found])
	check(SinewGrounder.contacts_from_clip(track, DT, Vector3.UP, 0.35, 0.045, 0.6).is_empty(), "stances shorter than 0.6 s")
	check(SinewGrounder.contacts_from_clip(track, 0.0).is_empty(), "a frame time of 0")
	check(SinewGrounder.contacts_from_clip(PackedVector3Array(), DT).is_empty(), "no frames")


func test_a_mask_takes_every_bit() -> void:
	var node := SinewGrounder.new()
	node.collision_mask = ~(1 << 3)
	check(node.collision_mask == 0xfffffff7, "the mask is %s" % node.collision_mask)
	node.free()


func test_sizes_that_no_foot_has_are_not_read() -> void:
	box(Vector3.ZERO, Vector3(10, 1, 10))
	var rig := person()
	var node := grounder(rig)
	await ready_physics()
	for name: String in ["ball_height", "ankle_height", "toe_length", "heel_length"]:
		for size: float in [INF, NAN, 1e30]:
			node.set(name, size)
			settle(rig, 4)
			check(toes(rig, "Left").is_finite(), "%s = %s: toes at %s" % [name, size, toes(rig, "Left")])
			check(not node.get_warnings().is_empty(), "%s = %s: no warning" % [name, size])
			node.set(name, -1.0)
	settle(rig, 4)
	check(node.get_warnings().is_empty(), "warnings %s" % [node.get_warnings()])


func test_an_area_above_the_level_is_no_character() -> void:
	var zone := Area3D.new()
	tree.root.add_child(zone)
	box(Vector3(0, 0.1, 0), Vector3(10, 1, 10)).reparent(zone)
	var rig := person()
	rig.reparent(zone)
	grounder(rig)
	await ready_physics()
	settle(rig)
	check_near(toes(rig, "Left").y - animated(rig, "LeftToes").y, 0.1, 0.02, "the height of the floor")


func test_feet_start_anew_after_the_node_was_inactive() -> void:
	box(Vector3.ZERO, Vector3(40, 1, 40))
	var rig := person()
	rig.modifier_callback_mode_process = Skeleton3D.MODIFIER_CALLBACK_MODE_PROCESS_IDLE
	var node := grounder(rig)
	await ready_physics()
	for frame in 40:
		await tree.process_frame
	node.active = false
	for frame in 10:
		rig.position.z += 0.09
		await tree.process_frame
	node.active = true
	for frame in 4:
		await tree.process_frame
		check(absf(toes(rig, "Left").z - animated(rig, "LeftToes").z) < 0.05, "the foot is at %s, animated at %s" % [toes(rig, "Left"), animated(rig, "LeftToes")])


func test_a_scale_of_zero_passes() -> void:
	box(Vector3(0, 0.1, 0), Vector3(10, 1, 10))
	for mode: int in [Skeleton3D.MODIFIER_CALLBACK_MODE_PROCESS_PHYSICS, Skeleton3D.MODIFIER_CALLBACK_MODE_PROCESS_IDLE]:
		for small: Vector3 in [Vector3.ZERO, Vector3(1, 0, 1), Vector3(1, 1, 0)]:
			var rig := person()
			rig.modifier_callback_mode_process = mode
			var node := grounder(rig)
			for frame in 4:
				await tree.physics_frame
			for scale: Vector3 in [small, small, Vector3.ONE]:
				rig.scale = scale
				for frame in 3:
					await tree.physics_frame
			for frame in 30:
				await tree.physics_frame
			check(node.get_leg_count() == 2 and node.presence > 0.9, "after a scale of %s: %d legs, presence %s" % [small, node.get_leg_count(), node.presence])
			rig.free()


func test_a_character_below_the_body_that_it_walks_on() -> void:
	var ship := box(Vector3(0, 0.1, 0), Vector3(10, 1, 10), AnimatableBody3D)
	ship.sync_to_physics = false
	ship.global_position.y = -0.4
	var sailor := CharacterBody3D.new()
	var capsule := CollisionShape3D.new()
	capsule.shape = BoxShape3D.new()
	capsule.shape.size = Vector3(1, 0.6, 1)
	capsule.position.y = 0.4
	sailor.add_child(capsule)
	ship.add_child(sailor)
	sailor.global_position = Vector3.ZERO
	var rig := person()
	rig.reparent(sailor)
	var node := grounder(rig)
	await ready_physics()
	settle(rig)
	check_near(node.presence, 0.0, 0.0, "the ship counts as the character, and presence")
	node.character_root = node.get_path_to(sailor)
	settle(rig)
	check(node.is_foot_planted(0), "not planted on the deck")
	check_near(toes(rig, "Left").y - animated(rig, "LeftToes").y, 0.1, 0.02, "the height of the deck")
	node.character_root = ^"../nobody"
	check("\n".join(node.get_warnings()).contains("character_root"), "warnings %s" % [node.get_warnings()])


func test_a_soft_body_is_ground() -> void:
	var cloth := SoftBody3D.new()
	cloth.mesh = PlaneMesh.new()
	cloth.mesh.size = Vector2(4, 4)
	tree.root.add_child(cloth)
	box(Vector3.ZERO, Vector3(10, 1, 10))
	var rig := person()
	var node := grounder(rig)
	await ready_physics()
	settle(rig, 30)
	check(node.is_foot_planted(0), "not planted")


func test_numbers_of_legs_that_are_none() -> void:
	var rig := person()
	var node := grounder(rig)
	update(rig)
	expect_error("SinewGrounder.is_foot_planted: leg is 2, not 0 to 1.")
	check(not node.is_foot_planted(2), "leg 2")
	expect_error("SinewGrounder.get_foot_position: leg is -1, not 0 to 1.")
	check(node.get_foot_position(-1) == Vector3.ZERO, "leg -1")


func test_properties_set_in_every_frame_leave_feet_where_they_stand() -> void:
	# As the tracks of animations do. Another size counts at once, and the feet stand on.
	box(Vector3.ZERO, Vector3(10, 1, 10))
	var rig := person()
	var node := grounder(rig)
	await ready_physics()
	settle(rig)
	var events := [0]
	node.foot_planted.connect(func(_leg: int) -> void: events[0] += 1)
	node.foot_released.connect(func(_leg: int) -> void: events[0] += 1)
	var first := toes(rig, "Left")
	for frame in 10:
		for name: String in ["ball_height", "toe_length", "feet", "stepping_groups", "pelvis_bone"]:
			node.set(name, node.get(name))
		rig.position.z += 0.001
		update(rig, DT)
		check_point(toes(rig, "Left"), first, 1e-3, "the standing foot in frame %d" % frame)
	node.ball_height = 0.06
	settle(rig, 60)
	check_near(toes(rig, "Left").y, 0.06, 3e-3, "height of the toes over the floor")
	check(events[0] == 0 and node.is_foot_planted(0), "%d events" % events[0])
