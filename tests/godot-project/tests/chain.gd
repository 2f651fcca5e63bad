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
	var limits := SinewSkeletonLimits.new()
	for bone in 5:
		var cone := SinewJointLimits.new()
		cone.bone = "b%d" % bone
		cone.cone_angle = deg_to_rad(60.0)
		limits.add(cone)
	ik.limits = limits
	for i in 24:
		# A pose inside the cones gives a reachable target.
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
	var fixed := SinewJointLimits.new()
	fixed.bone = "b1"
	fixed.kind = SinewJointLimits.FIXED
	var limits := SinewSkeletonLimits.new()
	limits.add(fixed)
	check(ResourceSaver.save(limits, "user://limits.tres") == OK, "saving")
	var loaded: SinewSkeletonLimits = ResourceLoader.load("user://limits.tres", "", ResourceLoader.CACHE_MODE_IGNORE)
	check(loaded.joints.size() == 1 and loaded.joints[0].bone == "b1" and loaded.joints[0].kind == SinewJointLimits.FIXED, "what was saved is not what was loaded")
	var rigs: Array[Skeleton3D] = [chain(4), chain(4)]
	for rig in rigs:
		chain_ik(rig, marker(Vector3(0.2, 0.5, 0.3))).limits = loaded
	for rig in rigs:
		update(rig)
		check_near(off_rest_degrees(rig, 1), 0.0, 0.05, "the fixed bone's turn")
		check_point(poses[4].origin, Vector3(0.2, 0.5, 0.3), 1e-5, "the tip")
	loaded.joints[0].kind = SinewJointLimits.FREE
	for rig in rigs:
		update(rig)
		check(off_rest_degrees(rig, 1) > 0.5, "the freed bone does not turn")


func test_a_pole_counts_with_limits() -> void:
	var rig := chain(4, 1.0, 60.0)
	var ik := chain_ik(rig, marker(Vector3(0.0, 0.6, 0.1)))
	var limits := SinewSkeletonLimits.new()
	for bone in 4:
		var cone := SinewJointLimits.new()
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


## A trunk of two bones with two arms of two bones each.
func tree_rig() -> Skeleton3D:
	var made := skeleton()
	for bone: Array in [["trunk", -1, Vector3.ZERO], ["chest", 0, Vector3(0, 0.4, 0)], ["left", 1, Vector3(0.1, 0.3, 0)], ["left_mid", 2, Vector3(0.3, 0, 0.02)],
			["left_end", 3, Vector3(0.3, 0, 0)], ["right", 1, Vector3(-0.1, 0.3, 0)], ["right_mid", 5, Vector3(-0.3, 0, 0.02)], ["right_end", 6, Vector3(-0.3, 0, 0)]]:
		var number := made.add_bone(bone[0])
		made.set_bone_parent(number, bone[1])
		made.set_bone_rest(number, Transform3D(Basis(), bone[2]))
	made.reset_bone_poses()
	tree.root.add_child(made)
	return made


func test_several_ends() -> void:
	for source: int in [SinewChainIK.TARGET_NODES, SinewChainIK.TARGET_PROPERTIES]:
		var rig := tree_rig()
		var left := Vector3(0.5, 0.5, 0.3)
		var right := Vector3(-0.3, 0.9, 0.35)
		var ik := SinewChainIK.new()
		ik.end_bone = "left_end"
		ik.more_end_bones = PackedStringArray(["right_end"])
		add(rig, ik, marker(left))
		ik.target_source = source
		ik.target_position = left
		if source == SinewChainIK.TARGET_NODES:
			ik.more_targets = [ik.get_path_to(marker(right))] as Array[NodePath]
		else:
			ik.more_target_positions = PackedVector3Array([right])
		update(rig)
		check_point(poses[4].origin, left, 1e-4, "the left end")
		check_point(poses[7].origin, right, 1e-4, "the right end")
		check(ik.status == SinewChainIK.STATUS_REACHED and ik.get_warnings().is_empty(), "status %s, %s" % [ik.get_status_text(), ik.get_warnings()])
		# Weight 0 keeps the second end where the animation has it.
		ik.more_weights = PackedFloat32Array([0.0])
		update(rig)
		check_point(poses[4].origin, left, 1e-3, "the left end alone")
		check_point(poses[7].origin, rig.get_bone_global_pose(7).origin, 1e-3, "the right end at weight 0")


func test_more_ends_have_tips_rotations_and_importances() -> void:
	for source: int in [SinewChainIK.TARGET_NODES, SinewChainIK.TARGET_PROPERTIES]:
		var rig := tree_rig()
		var left := Vector3(0.45, 0.5, 0.3)
		var right := Transform3D(Basis(Quaternion(Vector3.BACK, 0.4)), Vector3(-0.3, 0.8, 0.3))
		var tip := Vector3(0.0, 0.1, 0.0)
		var ik := SinewChainIK.new()
		ik.end_bone = "left_end"
		ik.more_end_bones = PackedStringArray(["right_end"])
		ik.more_tip_offsets = PackedVector3Array([tip])
		ik.more_end_rotations = PackedInt32Array([SinewChainIK.END_MATCH_TARGET])
		add(rig, ik, marker(left))
		ik.target_source = source
		ik.target_position = left
		if source == SinewChainIK.TARGET_NODES:
			var target := marker(right.origin)
			target.global_transform = right
			ik.more_targets = [ik.get_path_to(target)] as Array[NodePath]
		else:
			var turn := right.basis.get_rotation_quaternion()
			ik.more_target_positions = PackedVector3Array([right.origin])
			ik.more_target_rotations = PackedVector4Array([Vector4(turn.x, turn.y, turn.z, turn.w)])
		update(rig)
		check_point(poses[4].origin, left, 1e-3, "the left end")
		check_point(poses[7] * tip, right.origin, 1e-3, "the right end's tip")
		var off := poses[7].basis.get_rotation_quaternion().angle_to(right.basis.get_rotation_quaternion())
		check(off < 1e-3, "the right end is turned by %s rad" % off)
		# Goals that pull apart: the lighter one is left farther away.
		ik.more_end_rotations = PackedInt32Array()
		var far := Vector3(-3.0, 0.7, 0.0)
		ik.target_source = SinewChainIK.TARGET_PROPERTIES
		ik.target_position = Vector3(3.0, 0.7, 0.0)
		ik.more_target_positions = PackedVector3Array([far])
		var offs := []
		for importance: float in [1.0, 0.01]:
			ik.more_importances = PackedFloat32Array([importance])
			update(rig)
			offs.append((poses[7] * tip).distance_to(far))
		check(offs[1] > offs[0] + 0.02, "importance 1 and 0.01 leave %s" % [offs])


func test_missing_ends_are_reported() -> void:
	var rig := tree_rig()
	var ik := SinewChainIK.new()
	ik.end_bone = "left_end"
	ik.more_end_bones = PackedStringArray(["nowhere"])
	add(rig, ik, marker(Vector3(0.5, 0.5, 0.3)))
	update(rig)
	check(" ".join(ik.get_warnings()).contains("nowhere"), "%s" % [ik.get_warnings()])
	ik.more_end_bones = PackedStringArray(["right_end"])
	update(rig)
	check(" ".join(ik.get_warnings()).contains("more_targets"), "%s" % [ik.get_warnings()])
	# A root bone that does not carry all ends.
	ik.root_bone = "left"
	update(rig)
	check(not ik.get_warnings().is_empty() and ik.status == 0, "%s" % [ik.get_warnings()])


func test_distances_are_kept() -> void:
	var rig := chain(6, 1.0, 57.0)
	var centre := marker(Vector3(0.1, 0.4, 0.3))
	var ik := chain_ik(rig, centre)
	ik.distance = 0.2
	for mode: int in [SinewChainIK.DISTANCE_INSIDE, SinewChainIK.DISTANCE_ON, SinewChainIK.DISTANCE_OUTSIDE]:
		ik.distance_mode = mode
		for point: Vector3 in [Vector3(0.1, 0.4, 0.3), rig.get_bone_global_pose(6).origin + Vector3(0.02, 0, 0)]:
			centre.global_position = point
			update(rig)
			var away := poses[6].origin.distance_to(point)
			var off := away - 0.2
			match mode:
				SinewChainIK.DISTANCE_INSIDE: check(off < 1e-4, "inside: %s m away" % away)
				SinewChainIK.DISTANCE_ON: check(absf(off) < 1e-4, "on: %s m away" % away)
				SinewChainIK.DISTANCE_OUTSIDE: check(off > -1e-4, "outside: %s m away" % away)
			check(ik.status == SinewChainIK.STATUS_REACHED, "status %s" % ik.get_status_text())
	ik.distance_mode = SinewChainIK.DISTANCE_NONE
	update(rig)
	check_point(poses[6].origin, centre.global_position, 1e-5, "the tip without a distance")


func test_the_bones_above_are_only_looked_at() -> void:
	# A chain of the last three bones under four that are turned, moved, scaled and mirrored.
	for scale: Vector3 in [Vector3.ONE, Vector3(1.4, 1.4, 1.4), Vector3(-1, 1, 1), Vector3(1.3, 0.8, 1.1)]:
		var rig := chain(7, 1.0, 50.0)
		rig.transform = Transform3D(Basis(Vector3(1, 1, 0).normalized(), 0.8), Vector3(2, 0, -1))
		rig.set_bone_pose_rotation(1, Quaternion(Vector3(0.3, 0.2, 0.9).normalized(), 0.7))
		rig.set_bone_pose_position(2, Vector3(0.05, 0.2, 0.0))
		rig.set_bone_pose_scale(3, scale)
		var pattern := rig.get_bone_global_pose(7).origin
		var ik := chain_ik(rig)
		ik.bone_count = 4
		# Where another pose of the same bones has the tip.
		rig.set_bone_pose_rotation(5, rig.get_bone_rest(5).basis.get_rotation_quaternion() * Quaternion(Vector3.RIGHT, -0.6))
		rig.set_bone_pose_rotation(4, rig.get_bone_rest(4).basis.get_rotation_quaternion() * Quaternion(Vector3.FORWARD, 0.4))
		var reachable := rig.global_transform * rig.get_bone_global_pose(7).origin
		rig.set_bone_pose_rotation(5, rig.get_bone_rest(5).basis.get_rotation_quaternion())
		rig.set_bone_pose_rotation(4, rig.get_bone_rest(4).basis.get_rotation_quaternion())
		check_point(rig.get_bone_global_pose(7).origin, pattern, 1e-6, "the tip before")
		ik.target = ik.get_path_to(marker(reachable))
		update(rig)
		check_point(rig.global_transform * poses[7].origin, reachable, 5e-5, "the tip under scale %s" % scale)
		for bone in 4:
			check(rotations[bone] == rig.get_bone_pose_rotation(bone), "bone %d above the chain turned" % bone)


func test_a_plane_below_a_turned_bone() -> void:
	# The plane's axis is given in the skeleton's space at rest, whatever the parent of the chain's
	# first bone.
	var rig := chain(6, 1.0, 40.0)
	var ik := chain_ik(rig, marker(Vector3(0.3, 0.5, 0.3)))
	ik.bone_count = 4
	ik.plane_axis = Vector3.RIGHT
	update(rig)
	for bone in range(3, 7):
		check_near(poses[bone].origin.x, 0.0, 1e-5, "bone %d out of the plane" % bone)
	check(rotations[3] != rig.get_bone_pose_rotation(3), "nothing moved")


func test_one_axis_of_the_end_is_aligned() -> void:
	for limb: bool in [false, true]:
		var rig := chain(2 if limb else 5, 1.0, 57.0)
		var end := rig.get_bone_count() - 1
		var turned := Quaternion(Vector3(1, 2, 0.5).normalized(), 1.1)
		var mark := marker(Vector3(0.3, 0.4, 0.2), turned)
		var ik: SkeletonModifier3D = two_bone_ik(rig, mark) if limb else chain_ik(rig, mark)
		ik.end_rotation = SinewChainIK.END_ALIGN_AXIS
		ik.end_axis = Vector3(0, 0, 2)
		ik.target_axis = Vector3(3, 0, 0)
		update(rig)
		check_point(poses[end].origin, mark.global_position, 2e-5, "the tip")
		check_near(rad_to_deg(poses[end].basis.z.angle_to(turned * Vector3.RIGHT)), 0.0, 0.05, "limb %s: degrees of the axis" % limb)
		check(poses[end].basis.get_rotation_quaternion().angle_to(turned) > 0.1, "the end is turned as the target")
		# Properties, and half the weight.
		ik.target_source = SinewChainIK.TARGET_PROPERTIES
		ik.target_position = Vector3(0.3, 0.4, 0.2)
		ik.target_rotation = Quaternion(Vector3.UP, -0.6)
		update(rig)
		check_near(rad_to_deg(poses[end].basis.z.angle_to(ik.target_rotation * Vector3.RIGHT)), 0.0, 0.05, "limb %s: degrees, with properties" % limb)
		check(ik.status == SinewChainIK.STATUS_REACHED, "status %s" % ik.get_status_text())


func test_a_bound_on_the_work_of_a_chain() -> void:
	var rig := chain(30, 1.0, 57.0)
	var ik := chain_ik(rig, marker(Vector3(0.3, 0.4, 0.2)))
	# The default solver meets this in a closed form.
	ik.solver = SinewChainIK.SOLVER_DAMPED_LEAST_SQUARES
	ik.max_work = 0
	update(rig)
	check(ik.status == SinewChainIK.STATUS_OUT_OF_ITERATIONS, "status %s without work" % ik.get_status_text())
	var left := ik.residual
	ik.max_work = 8000000
	update(rig)
	check(ik.status == SinewChainIK.STATUS_REACHED and left > 0.01, "status %s; %s m were left without work" % [ik.get_status_text(), left])


func test_damping_and_steps_of_named_methods() -> void:
	# One iteration or sweep: what a setting holds back is seen.
	var way := func(method: int, set_up: Callable) -> float:
		var rig := chain(4, 1.0, 40.0)
		var ik := chain_ik(rig, marker(Vector3(0.6, 0.1, 0.4)))
		ik.solver = method
		ik.max_iterations = 1
		ik.max_attempts = 0
		ik.finish = false
		set_up.call(ik)
		update(rig)
		# The first bone aims the chain before the sweeps.
		var most := 0.0
		for bone in range(1 if method == SinewChainIK.SOLVER_CCD else 0, 4):
			most = maxf(most, rotations[bone].angle_to(rig.get_bone_pose_rotation(bone)))
		return most
	var free := func(_ik: SinewChainIK) -> void: pass
	var least := SinewChainIK.SOLVER_DAMPED_LEAST_SQUARES
	check(way.call(least, func(ik: SinewChainIK) -> void: ik.damping = 100.0) < 0.2 * way.call(least, free), "damping holds nothing back")
	check(way.call(least, func(ik: SinewChainIK) -> void: ik.max_step_angle = 0.05) < 0.06, "a step of %s" % way.call(least, func(ik: SinewChainIK) -> void: ik.max_step_angle = 0.05))
	var ccd: float = way.call(SinewChainIK.SOLVER_CCD, func(ik: SinewChainIK) -> void: ik.sweep_step_angle = 0.02)
	check(ccd < 0.03 and way.call(SinewChainIK.SOLVER_CCD, free) > 0.1, "a sweep of %s, free %s" % [ccd, way.call(SinewChainIK.SOLVER_CCD, free)])


func hinged_chain(bones: int, warm: bool) -> SinewChainIK:
	var rig := chain(bones, 1.0, 30.0)
	var ik := chain_ik(rig, marker(Vector3.ZERO))
	ik.target_source = SinewChainIK.TARGET_PROPERTIES
	ik.warm_start = warm
	ik.limits = SinewSkeletonLimits.new()
	for bone in bones:
		var cone := SinewJointLimits.new()
		cone.bone = "b%d" % bone
		cone.cone_angle = deg_to_rad(25.0)
		cone.twist_max = deg_to_rad(10.0)
		cone.twist_min = deg_to_rad(-10.0)
		ik.limits.add(cone)
	return ik


func test_a_warm_start_searches_once_an_update_and_does_not_jump() -> void:
	# Goals that limits keep away: where a search may end elsewhere from one update to the next.
	var most: Array[int] = [0, 0]
	var turns: Array[float] = [0.0, 0.0]
	for warm in 2:
		var ik := hinged_chain(6, warm == 1)
		var rig: Skeleton3D = ik.get_skeleton()
		var last: Array[Quaternion] = []
		for step in 240:
			var angle := step * 0.02
			ik.target_position = Vector3(0.7 * sin(angle), -0.2, 0.7 * cos(angle))
			update(rig)
			most[warm] = maxi(most[warm], ik.iterations)
			for bone in 6:
				if step > 0:
					turns[warm] = maxf(turns[warm], last[bone].angle_to(rotations[bone]))
			last.clear()
			for bone in 6:
				last.append(rotations[bone])
	check(most[1] < most[0], "%d iterations with a warm start, %d without" % [most[1], most[0]])
	check(turns[1] < turns[0], "a turn of %s with a warm start, %s without" % [turns[1], turns[0]])


func test_a_warm_start_is_reset_saved_and_restored() -> void:
	var ik := hinged_chain(6, true)
	var rig: Skeleton3D = ik.get_skeleton()
	ik.target_position = Vector3(0.3, 0.6, 0.2)
	update(rig)
	var first := rotations[2]
	for step in 60:
		ik.target_position = Vector3(0.3 - 0.01 * step, 0.6, 0.2)
		update(rig)
	var saved := ik.get_snapshot()
	check(not saved.is_empty(), "no snapshot")
	ik.target_position = Vector3(0.3, 0.6, 0.2)
	update(rig)
	var after := rotations[2]
	for step in 5:
		update(rig)
	check(ik.restore_snapshot(saved), "it was not restored")
	update(rig)
	check(rotations[2] == after, "another answer after the snapshot")
	check(after.angle_to(first) > 1e-4, "nothing was remembered")
	ik.reset_warm_start()
	update(rig)
	check(rotations[2] == first, "another answer after the reset")


func test_a_transition_takes_its_time() -> void:
	var rig := chain(6, 1.0, 30.0)
	var one := marker(Vector3(0.5, 0.4, 0.2))
	var two := marker(Vector3(-0.5, 0.4, 0.2))
	var ik := chain_ik(rig, one)
	ik.inertialization_time = 0.4
	for i in 4:
		update(rig)
	check(not ik.is_inertializing(), "a transition without a cause")
	check_point(poses[6].origin, one.global_position, 1e-4, "the tip")
	# Followed without lag.
	one.global_position = Vector3(0.5, 0.45, 0.2)
	update(rig)
	check_point(poses[6].origin, one.global_position, 1e-4, "the tip at a target that moves")
	ik.target = ik.get_path_to(two)
	glide(rig, 30, 0.25, "another node")
	check(poses[6].origin.distance_to(two.global_position) < 0.05, "the tip is %s off after the time" % poses[6].origin.distance_to(two.global_position))
	glide(rig, 90, 0.02, "another node")
	check_point(poses[6].origin, two.global_position, 1e-3, "the tip at the other node")
	check(not ik.is_inertializing(), "a transition without an end")
	ik.inertialize()
	two.global_position = Vector3(0.5, 0.4, 0.2)
	glide(rig, 4, 0.25, "a call")
	check(ik.is_inertializing(), "no transition")
	glide(rig, 120, 0.25, "a call")
	check_point(poses[6].origin, two.global_position, 1e-3, "the tip at the target that jumped")
	var reached := poses[6].origin
	ik.position_weight = 0.0
	glide(rig, 120, 0.25, "off")
	check(poses[6].origin.distance_to(reached) > 0.1, "it does not go back")
	check(ik.status == SinewChainIK.STATUS_INACTIVE and not ik.is_inertializing(), "off: %s" % ik.get_status_text())
	ik.position_weight = 1.0
	glide(rig, 120, 0.25, "on")
	check_point(poses[6].origin, two.global_position, 1e-3, "the tip, on again")


func test_a_transition_is_saved_and_restored() -> void:
	var rig := chain(6, 1.0, 30.0)
	var ik := chain_ik(rig, marker(Vector3.ZERO))
	ik.target_source = SinewChainIK.TARGET_PROPERTIES
	ik.inertialization_time = 0.4
	ik.target_position = Vector3(0.5, 0.4, 0.2)
	for i in 4:
		update(rig)
	ik.inertialize()
	ik.target_position = Vector3(-0.5, 0.4, 0.2)
	for i in 4:
		update(rig)
	var saved := ik.get_snapshot()
	update(rig)
	var after := rotations[0]
	for i in 5:
		update(rig)
	check(rotations[0] != after, "it stands still")
	check(ik.restore_snapshot(saved), "it was not restored")
	update(rig)
	check(rotations[0] == after, "another way after the snapshot")


func test_a_bone_stays_in_a_polygon_and_within_three_angles() -> void:
	var rig := chain(3, 1.0, 0.0)
	var ik := chain_ik(rig, marker(Vector3.ZERO))
	ik.target_source = SinewChainIK.TARGET_PROPERTIES
	var joint := SinewJointLimits.new()
	joint.bone = "b0"
	joint.kind = SinewJointLimits.POLYGON
	# A triangle about the bone: far to +X, near on the other sides.
	joint.corners = [Vector3(2, 1, 0), Vector3(-0.2, 1, -0.3), Vector3(-0.2, 1, 0.3)]
	for bone: String in ["b1", "b2"]:
		var fixed := SinewJointLimits.new()
		fixed.bone = bone
		fixed.kind = SinewJointLimits.FIXED
		ik.limits = SinewSkeletonLimits.new() if ik.limits == null else ik.limits
		ik.limits.add(fixed)
	ik.limits.add(joint)
	var tip := func(to: Vector3) -> Vector3:
		ik.target_position = to
		update(rig)
		return poses[3].origin
	check(tip.call(Vector3(0.8, 0.6, 0)).x > 0.79, "towards the far corner: %s" % poses[3].origin)
	var near: Vector3 = tip.call(Vector3(-0.8, 0.6, 0))
	check_near(near.x / near.y, -0.2, 2e-3, "the border of the polygon")
	check(ik.get_warnings().is_empty(), "warnings %s" % ik.get_warnings())
	# A polygon that the bone at rest is not in.
	joint.corners = [Vector3(2, 1, 0), Vector3(1, 1, -1), Vector3(1, 1, 1)]
	update(rig)
	check("\n".join(ik.get_warnings()).contains("corners"), "warnings %s" % [ik.get_warnings()])
	check(poses[3].origin.x < -0.79, "limits that are none hold %s" % poses[3].origin)
	# Three angles: only that about Z is wide.
	joint.kind = SinewJointLimits.ANGLES
	joint.x_min = -0.1
	joint.x_max = 0.1
	joint.z_min = -1.4
	joint.z_max = 1.4
	check(tip.call(Vector3(0.8, 0.6, 0)).x > 0.79, "about Z: %s" % poses[3].origin)
	var aside: Vector3 = tip.call(Vector3(0, 0.6, 0.8))
	check_near(atan2(aside.z, aside.y), 0.1, 2e-3, "the border about X")
	check(ik.get_warnings().is_empty(), "warnings %s" % ik.get_warnings())
