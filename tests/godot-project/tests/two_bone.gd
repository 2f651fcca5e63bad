extends "res://suite.gd"


func test_reaches_what_it_can_and_reports_it() -> void:
	var limb := chain(2, 1.0, 20.0)
	var target := marker(Vector3.ZERO)
	var ik := two_bone_ik(limb, target)
	for point in targets(24, 1.0):
		target.global_position = point
		update(limb)
		check_point(poses[2].origin, point, 2e-6, "the tip")
		check(ik.status == SinewTwoBoneIK.STATUS_REACHED, "status %s" % ik.get_status_text())
		check(ik.residual < 2e-6, "residual %s" % ik.residual)


func test_out_of_reach_points_at_the_target() -> void:
	var limb := chain(2, 1.0, 20.0)
	var ik := two_bone_ik(limb, marker(Vector3(0, 1, 2).normalized() * 3.0))
	update(limb)
	check_point(poses[2].origin, Vector3(0, 1, 2).normalized(), 1e-5, "the tip")
	check(ik.status == SinewTwoBoneIK.STATUS_UNREACHABLE, "status %s" % ik.get_status_text())
	check_near(ik.residual, 2.0, 1e-5, "the residual")


func test_a_straight_limb_needs_no_pole() -> void:
	# A T-pose's arm: exactly straight, target on its own line.
	var limb := chain(2, 0.6, 0.0)
	two_bone_ik(limb, marker(Vector3(0, 0.4, 0)))
	update(limb)
	check_point(poses[2].origin, Vector3(0, 0.4, 0), 1e-6, "the tip")


func test_bend_direction_sets_the_side_of_a_straight_limb() -> void:
	for side: Vector3 in [Vector3.RIGHT, Vector3.LEFT, Vector3.FORWARD]:
		var limb := chain(2, 0.6, 0.0)
		var ik := two_bone_ik(limb, marker(Vector3(0, 0.4, 0)))
		ik.bend_direction = side
		update(limb)
		check(poses[1].origin.normalized().dot(side) > 0.6, "the middle went to %s, not to %s" % [poses[1].origin, side])


func test_a_pole_swivels_and_nothing_else() -> void:
	var limb := chain(2, 1.0, 20.0)
	var ik := two_bone_ik(limb, marker(Vector3(0.1, 0.5, 0.2)))
	var pole := marker(Vector3(3, 0.5, 0))
	ik.pole = ik.get_path_to(pole)
	update(limb)
	check_point(poses[2].origin, Vector3(0.1, 0.5, 0.2), 2e-6, "the tip")
	var line := Vector3(0.1, 0.5, 0.2).normalized()
	var middle := (poses[1].origin - line * line.dot(poses[1].origin)).normalized()
	var wanted := (pole.position - line * line.dot(pole.position)).normalized()
	check(middle.dot(wanted) > 0.9999, "the middle faces %s, the pole is at %s" % [middle, wanted])
	ik.pole = NodePath()
	ik.pole_direction = Vector3.LEFT
	update(limb)
	check(poses[1].origin.x < -0.2, "the direction was not followed: %s" % poses[1].origin)


func test_the_end_can_turn_as_the_target_does() -> void:
	var limb := chain(2, 1.0, 20.0)
	var turned := Quaternion(Vector3(1, 2, 3).normalized(), 1.2)
	var ik := two_bone_ik(limb, marker(Vector3(0.2, 0.5, 0.3), turned))
	update(limb)
	check(poses[2].basis.get_rotation_quaternion().angle_to(turned) > 0.1, "the end turned without being asked")
	ik.end_rotation = SinewTwoBoneIK.END_MATCH_TARGET
	update(limb)
	check_point(poses[2].origin, Vector3(0.2, 0.5, 0.3), 2e-6, "the tip")
	check_near(poses[2].basis.get_rotation_quaternion().angle_to(turned), 0.0, 2e-3, "the end's angle to the target")
	check_near(ik.residual_angle, 0.0, 1e-5, "the residual angle")
	ik.end_rotation = SinewTwoBoneIK.END_KEEP
	var rest := limb.get_bone_global_rest(2).basis.get_rotation_quaternion()
	update(limb)
	check_near(poses[2].basis.get_rotation_quaternion().angle_to(rest), 0.0, 2e-3, "the end's angle to its animated rotation")


func test_weights_go_from_the_animation_to_the_target() -> void:
	var limb := chain(2, 1.0, 20.0)
	var ik := two_bone_ik(limb, marker(Vector3(0.2, 0.5, 0.3)))
	var animated := limb.get_bone_global_pose(2).origin
	for weight: float in [0.0, 0.25, 0.5, 1.0]:
		ik.position_weight = weight
		update(limb)
		check_point(poses[2].origin, animated.lerp(Vector3(0.2, 0.5, 0.3), weight), 3e-6, "the tip at weight %s" % weight)


func test_plain_properties_do_without_nodes() -> void:
	var limb := chain(2, 1.0, 20.0)
	var ik := two_bone_ik(limb)
	update(limb)
	check(ik.status == SinewTwoBoneIK.STATUS_INACTIVE, "no target, but %s" % ik.get_status_text())
	check_point(poses[2].origin, limb.get_bone_global_pose(2).origin, 0.0, "the tip")
	ik.target_source = SinewTwoBoneIK.TARGET_PROPERTIES
	ik.target_position = Vector3(0.1, 0.4, -0.4)
	update(limb)
	check_point(poses[2].origin, Vector3(0.1, 0.4, -0.4), 2e-6, "the tip")


func test_limits_and_a_pole_together() -> void:
	var limb := chain(2, 1.0, 20.0)
	var ik := two_bone_ik(limb, marker(Vector3(0.0, 0.8, 0.35)))
	var hinge := SinewJointLimits.new()
	hinge.bone = "b1"
	hinge.kind = SinewJointLimits.HINGE
	hinge.hinge_axis = Vector3.RIGHT
	hinge.hinge_min = 0.0
	hinge.hinge_max = deg_to_rad(150.0)
	var limits := SinewSkeletonLimits.new()
	limits.add(hinge)
	ik.limits = limits
	var pole := marker(Vector3(0, 0.5, -3))
	ik.pole = ik.get_path_to(pole)
	update(limb)
	check_point(poses[2].origin, Vector3(0.0, 0.8, 0.35), 5e-6, "the tip")
	var rest := limb.get_bone_rest(1).basis.get_rotation_quaternion()
	var turn := (rest.inverse() * rotations[1]).normalized()
	check_near(absf(turn.y) + absf(turn.z), 0.0, 1e-5, "the elbow's turn off its hinge")
	check(ik.status == SinewTwoBoneIK.STATUS_REACHED, "status %s" % ik.get_status_text())


func test_a_bound_on_the_work_of_a_limb_with_limits() -> void:
	var rig := chain(2, 1.0, 57.0)
	var ik := two_bone_ik(rig, marker(Vector3(0.3, 0.4, 0.2)))
	# Without limits there is a closed form.
	ik.max_work = 0
	update(rig)
	check(ik.status == SinewTwoBoneIK.STATUS_REACHED, "without limits: status %s" % ik.get_status_text())
	var joint := SinewJointLimits.new()
	joint.bone = "b0"
	joint.cone_angle = deg_to_rad(100.0)
	ik.limits = SinewSkeletonLimits.new()
	ik.limits.add(joint)
	update(rig)
	check(ik.status == SinewTwoBoneIK.STATUS_OUT_OF_ITERATIONS, "without work: status %s" % ik.get_status_text())
	ik.max_work = 8000000
	update(rig)
	check(ik.status == SinewTwoBoneIK.STATUS_REACHED, "status %s" % ik.get_status_text())


func test_a_transition_takes_its_time() -> void:
	var rig := chain(2, 1.0, 40.0)
	var target := marker(Vector3(0.5, 0.3, 0.4))
	var ik := two_bone_ik(rig, target)
	ik.inertialization_time = 0.4
	for i in 4:
		update(rig)
	check_point(poses[2].origin, target.global_position, 1e-4, "the tip")
	ik.inertialize()
	target.global_position = Vector3(-0.5, 0.3, 0.4)
	glide(rig, 4, 0.25, "a target that jumps")
	check(ik.is_inertializing(), "no transition")
	glide(rig, 120, 0.25, "a target that jumps")
	check_point(poses[2].origin, target.global_position, 1e-3, "the tip, later")
	ik.pole_direction = Vector3(0, 0, -1)
	glide(rig, 120, 0.25, "a pole")
	ik.position_weight = 0.0
	ik.pole_weight = 0.0
	glide(rig, 120, 0.25, "off")
	check(not ik.is_inertializing() and off_rest_degrees(rig, 0) < 0.01, "%s degrees are left" % off_rest_degrees(rig, 0))
