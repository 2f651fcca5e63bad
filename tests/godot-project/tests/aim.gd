extends "res://suite.gd"


func look_at_node(rig: Skeleton3D, target: Node3D) -> SinewAim:
	var made := SinewAim.new()
	add(rig, made, target)
	return made


func test_one_bone_aims() -> void:
	var rig := chain(1, 1.0, 0.0)
	var target := marker(Vector3.ZERO)
	var look := look_at_node(rig, target)
	look.end_bone = "b0"
	for point: Vector3 in [Vector3(0, 0, 3), Vector3(1, 2, 2), Vector3(-2, -1, 1)]:
		target.global_position = point
		update(rig)
		check_near(rad_to_deg(poses[0].basis.z.angle_to(point)), 0.0, 0.05, "degrees past %s" % point)
		check(look.status == SinewAim.STATUS_REACHED, "status %s" % look.get_status_text())
	look.axis = Vector3.UP
	update(rig)
	check_near(rad_to_deg(poses[0].basis.y.angle_to(target.global_position)), 0.0, 0.05, "degrees, with another axis")


func test_several_bones_share_the_turn() -> void:
	var rig := chain(4, 1.0, 0.0)
	var target := marker(Vector3(2, 0.8, 2))
	var look := look_at_node(rig, target)
	look.end_bone = "b4"
	look.bone_count = 3
	update(rig)
	check_near(rad_to_deg(poses[4].basis.z.angle_to(target.global_position - poses[4].origin)), 0.0, 0.05, "degrees past the target")
	check(rotations[1] == rig.get_bone_pose_rotation(1), "a bone above the chain turned")
	for bone in [2, 3, 4]:
		check(off_rest_degrees(rig, bone) > 5.0, "bone %d turned by %s degrees" % [bone, off_rest_degrees(rig, bone)])


func test_weight_and_clamp() -> void:
	var rig := chain(1, 1.0, 0.0)
	var target := marker(Vector3(3, 0, 0))
	var look := look_at_node(rig, target)
	look.end_bone = "b0"
	look.weight = 0.5
	update(rig)
	check_near(off_rest_degrees(rig, 0), 45.0, 0.5, "degrees at half the weight")
	look.weight = 0.0
	update(rig)
	check(rotations[0] == rig.get_bone_pose_rotation(0), "turned at weight 0")
	look.weight = 1.0
	look.clamp_angle = deg_to_rad(30.0)
	update(rig)
	check(off_rest_degrees(rig, 0) < 30.1, "turned by %s degrees" % off_rest_degrees(rig, 0))
	check(look.status == SinewAim.STATUS_UNREACHABLE, "status %s" % look.get_status_text())


func test_a_pole_keeps_the_head_upright() -> void:
	var rig := chain(1, 1.0, 0.0)
	rig.set_bone_pose_rotation(0, Quaternion(Vector3.BACK, 0.7))
	var look := look_at_node(rig, marker(Vector3(2, 0, 2)))
	look.end_bone = "b0"
	look.pole_direction = Vector3.UP
	update(rig)
	check_near(rad_to_deg(poses[0].basis.z.angle_to(Vector3(2, 0, 2))), 0.0, 0.05, "degrees past the target")
	check_near(poses[0].basis.x.y, 0.0, 1e-3, "the tilt")


func test_a_humanoid_looks_without_bone_names() -> void:
	var rig := humanoid()
	var head := rig.find_bone("Head")
	var from: Vector3 = (rig.get_bone_global_rest(rig.find_bone("LeftEye")).origin + rig.get_bone_global_rest(rig.find_bone("RightEye")).origin) / 2.0
	var gaze := rig.get_bone_global_rest(head).basis.inverse() * Vector3(0, 0, 1)
	var eyes := rig.get_bone_global_rest(head).affine_inverse() * from
	var target := marker(Vector3(1, 1.3, 1.5))
	var look := look_at_node(rig, target)
	update(rig)
	check_near(rad_to_deg((poses[head].basis * gaze).angle_to(target.global_position - poses[head] * eyes)), 0.0, 0.1, "degrees past the target")
	look.body_weight = 0.5
	update(rig)
	check(off_rest_degrees(rig, rig.find_bone("Chest")) > 2.0, "the chest turned by %s degrees" % off_rest_degrees(rig, rig.find_bone("Chest")))
	check_near(rad_to_deg((poses[head].basis * gaze).angle_to(target.global_position - poses[head] * eyes)), 0.0, 0.1, "degrees past the target with the body")
	check(look.get_warnings().is_empty(), "warnings %s" % look.get_warnings())


func test_the_turn_fades_towards_behind() -> void:
	var rig := chain(1, 1.0, 0.0)
	var look := look_at_node(rig, marker(Vector3(0.2, 0, -2)))
	look.end_bone = "b0"
	update(rig)
	var faded := rad_to_deg(poses[0].basis.z.angle_to(Vector3.BACK))
	look.behind_angle = 0.0
	update(rig)
	var whole := rad_to_deg(poses[0].basis.z.angle_to(Vector3.BACK))
	check(whole > 170.0 and faded < 0.9 * whole, "%s degrees of %s, with the default" % [faded, whole])


func test_a_transition_takes_its_time() -> void:
	var rig := chain(4, 1.0, 0.0)
	var one := marker(Vector3(2, 0.8, 2))
	var two := marker(Vector3(-2, 0.8, 2))
	var look := look_at_node(rig, one)
	look.end_bone = "b4"
	look.bone_count = 3
	look.inertialization_time = 0.4
	for i in 4:
		update(rig)
	check_near(rad_to_deg(poses[4].basis.z.angle_to(one.global_position - poses[4].origin)), 0.0, 0.05, "degrees past the target")
	look.target = look.get_path_to(two)
	glide(rig, 4, 0.1, "another node")
	check(look.is_inertializing(), "no transition")
	glide(rig, 120, 0.1, "another node")
	check_near(rad_to_deg(poses[4].basis.z.angle_to(two.global_position - poses[4].origin)), 0.0, 0.05, "degrees past the other target")
	look.weight = 0.0
	glide(rig, 120, 0.1, "off")
	check(not look.is_inertializing() and off_rest_degrees(rig, 3) < 0.01, "%s degrees are left" % off_rest_degrees(rig, 3))
