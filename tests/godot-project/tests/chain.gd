extends "res://suite.gd"


func test_reaches_on_any_number_of_bones() -> void:
	for bones: int in [2, 3, 10, 30, 100, 300]:
		var rig := chain(bones, 1.0, 57.0)
		var target := marker(Vector3.ZERO)
		var ik := chain_ik(rig, target)
		for point in targets(6, 1.0):
			target.global_position = point
			update(rig)
			check_point(poses[bones].origin, point, 2e-5, "%d bones: the tip" % bones)
			check(ik.status == SinewChainIK.STATUS_REACHED, "%d bones: %s" % [bones, ik.get_status_text()])


func test_reaches_at_any_size() -> void:
	# Where Godot's CCDIK3D and JacobianIK3D do not move at all.
	for length: float in [0.02, 0.05, 0.3, 10.0]:
		for bones: int in [2, 4, 10]:
			var rig := chain(bones, length, 57.0)
			var target := marker(Vector3.ZERO)
			chain_ik(rig, target)
			for point in targets(8, length):
				target.global_position = point
				update(rig)
				check_point(poses[bones].origin, point, 1e-5 * length, "%d bones of %s m: the tip" % [bones, length])


func test_a_straight_chain_folds() -> void:
	for bones: int in [2, 3, 10, 30]:
		for point: Vector3 in [Vector3(0, 0.5, 0), Vector3(0, -0.5, 0)]:
			var rig := chain(bones, 1.0, 0.0)
			var ik := chain_ik(rig, marker(point))
			update(rig)
			check_point(poses[bones].origin, point, 1e-5, "%d straight bones: the tip" % bones)
			check(ik.status == SinewChainIK.STATUS_REACHED, "%d straight bones: %s" % [bones, ik.get_status_text()])


func test_bones_keep_their_length() -> void:
	var rig := chain(10)
	chain_ik(rig, marker(Vector3(0.3, 0.2, -0.4)))
	update(rig)
	for bone in range(1, 11):
		check_near(poses[bone].origin.distance_to(poses[bone - 1].origin), 0.1, 1e-6, "bone %d" % bone)


func test_cones_hold_and_the_target_is_met() -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 3
	var rig := chain(5, 1.0, 40.0)
	var target := marker(Vector3.ZERO)
	var ik := chain_ik(rig, target)
	var limits := SinewJointLimits.new()
	for bone in 5:
		var cone := SinewJointLimit.new()
		cone.bone = "b%d" % bone
		cone.cone_angle = deg_to_rad(60.0)
		limits.add(cone)
	ik.limits = limits
	for i in 24:
		# A pose inside the cones says where a reachable target is.
		for bone in 5:
			var axis := Vector3(random.randf_range(-1, 1), 0, random.randf_range(-1, 1)).normalized()
			var swing := Quaternion(axis, deg_to_rad(random.randf_range(0, 58)))
			rig.set_bone_pose_rotation(bone, rig.get_bone_rest(bone).basis.get_rotation_quaternion() * swing)
		var point := rig.get_bone_global_pose(5).origin
		rig.reset_bone_poses()
		target.global_position = point
		update(rig)
		check_point(poses[5].origin, point, 1e-5, "target %d: the tip" % i)
		for bone in 5:
			var rest := rig.get_bone_rest(bone).basis.get_rotation_quaternion()
			var swung := (rest.inverse() * rotations[bone]) * Vector3.UP
			check(rad_to_deg(swung.angle_to(Vector3.UP)) < 60.02, "bone %d leans by %s degrees" % [bone, rad_to_deg(swung.angle_to(Vector3.UP))])


func test_limits_are_shared_and_can_change() -> void:
	var fixed := SinewJointLimit.new()
	fixed.bone = "b1"
	fixed.kind = SinewJointLimit.FIXED
	var limits := SinewJointLimits.new()
	limits.add(fixed)
	check(ResourceSaver.save(limits, "user://limits.tres") == OK, "saving")
	var loaded: SinewJointLimits = ResourceLoader.load("user://limits.tres", "", ResourceLoader.CACHE_MODE_IGNORE)
	check(loaded.joints.size() == 1 and loaded.joints[0].bone == "b1" and loaded.joints[0].kind == SinewJointLimit.FIXED, "what was saved is not what was loaded")
	var rigs: Array[Skeleton3D] = [chain(4), chain(4)]
	for rig in rigs:
		chain_ik(rig, marker(Vector3(0.2, 0.5, 0.3))).limits = loaded
	for rig in rigs:
		update(rig)
		check_near(off_rest_degrees(rig, 1), 0.0, 0.05, "the fixed bone's turn")
		check_point(poses[4].origin, Vector3(0.2, 0.5, 0.3), 1e-5, "the tip")
	loaded.joints[0].kind = SinewJointLimit.FREE
	for rig in rigs:
		update(rig)
		check(off_rest_degrees(rig, 1) > 0.5, "the freed bone does not turn")


func test_a_pole_counts_with_limits() -> void:
	var rig := chain(4, 1.0, 60.0)
	var ik := chain_ik(rig, marker(Vector3(0.0, 0.6, 0.1)))
	var limits := SinewJointLimits.new()
	for bone in 4:
		var cone := SinewJointLimit.new()
		cone.bone = "b%d" % bone
		cone.cone_angle = deg_to_rad(70.0)
		limits.add(cone)
	ik.limits = limits
	for side: Vector3 in [Vector3.RIGHT, Vector3.LEFT]:
		ik.pole_direction = side
		update(rig)
		check_point(poses[4].origin, Vector3(0.0, 0.6, 0.1), 1e-5, "the tip")
		check(poses[2].origin.dot(side) > 0.1, "the middle is at %s, the pole %s" % [poses[2].origin, side])


func test_a_tip_offset_is_what_reaches() -> void:
	var rig := chain(3)
	var ik := chain_ik(rig, marker(Vector3(0.3, 0.6, 0.1)))
	ik.tip_offset = Vector3(0, 0.2, 0.05)
	update(rig)
	check_point(poses[3] * Vector3(0, 0.2, 0.05), Vector3(0.3, 0.6, 0.1), 1e-5, "the offset tip")


func test_rotation_goals_with_position() -> void:
	var rig := chain(6)
	var turned := Quaternion(Vector3(0, 1, 1).normalized(), 0.9)
	var ik := chain_ik(rig, marker(Vector3(0.3, 0.4, 0.2), turned))
	ik.end_rotation = SinewChainIK.END_MATCH_TARGET
	update(rig)
	check_point(poses[6].origin, Vector3(0.3, 0.4, 0.2), 1e-5, "the tip")
	check_near(poses[6].basis.get_rotation_quaternion().angle_to(turned), 0.0, 2e-3, "the angle left")


func test_bones_above_the_chain_stay() -> void:
	for by_name: bool in [true, false]:
		var rig := chain(6)
		var ik := chain_ik(rig, marker(rig.get_bone_global_rest(3).origin + Vector3(0.1, 0.2, 0.1)))
		if by_name:
			ik.root_bone = "b3"
		else:
			ik.bone_count = 4
		update(rig)
		for bone in 3:
			check(rotations[bone] == rig.get_bone_pose_rotation(bone), "bone %d moved" % bone)
		check_point(poses[6].origin, rig.get_bone_global_rest(3).origin + Vector3(0.1, 0.2, 0.1), 1e-5, "the tip")


func test_a_plane_is_kept() -> void:
	var rig := chain(5, 1.0, 50.0)
	var ik := chain_ik(rig, marker(Vector3(0.5, 0.5, 0.4)))
	ik.plane_axis = Vector3.RIGHT
	update(rig)
	for bone in 6:
		check_near(poses[bone].origin.x, 0.0, 1e-5, "bone %d's place across the plane" % bone)
	check_near(Vector2(poses[5].origin.y, poses[5].origin.z).distance_to(Vector2(0.5, 0.4)), 0.0, 1e-5, "the distance in the plane")


func test_every_solver_reaches() -> void:
	for solver in 7:
		var rig := chain(8)
		var ik := chain_ik(rig, marker(Vector3(0.3, 0.4, 0.2)))
		ik.solver = solver
		update(rig)
		check_point(poses[8].origin, Vector3(0.3, 0.4, 0.2), 1e-5, "solver %d: the tip" % solver)


func test_parents_before_or_after_children() -> void:
	# Godot does not demand that parents have the lower number.
	var rig := skeleton()
	for name: String in ["tip", "middle", "root"]:
		rig.add_bone(name)
	rig.set_bone_parent(0, 1)
	rig.set_bone_parent(1, 2)
	rig.set_bone_rest(0, Transform3D(Basis(), Vector3(0, 0.5, 0)))
	rig.set_bone_rest(1, Transform3D(Basis(), Vector3(0, 0.5, 0)))
	rig.reset_bone_poses()
	tree.root.add_child(rig)
	var ik := chain_ik(rig, marker(Vector3(0.3, 0.4, 0.2)))
	ik.end_bone = "tip"
	update(rig)
	check_point(poses[0].origin, Vector3(0.3, 0.4, 0.2), 1e-5, "the tip")
