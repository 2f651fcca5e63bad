extends "res://suite.gd"


func copy_rotation(rig: Skeleton3D, bone: String) -> SinewCopyRotation:
	var made := SinewCopyRotation.new()
	made.bone = bone
	add(rig, made)
	return made


func turned(bone: int) -> Quaternion:
	return poses[bone].basis.get_rotation_quaternion()


func test_a_bone_turns_as_another_one() -> void:
	var rig := chain(4, 1.0, 40.0)
	var copy := copy_rotation(rig, "b3")
	copy.source_bone = "b1"
	update(rig)
	check(turned(3).angle_to(turned(1)) < 1e-3, "%s rad off" % turned(3).angle_to(turned(1)))
	check(copy.status == SinewCopyRotation.STATUS_REACHED, "status %s" % copy.get_status_text())
	copy.offset = Quaternion(Vector3.UP, 0.7)
	update(rig)
	check((turned(1) * copy.offset).angle_to(turned(3)) < 1e-3, "with an offset")
	# Bones on other branches can be copied, too.
	var person := humanoid()
	person.set_bone_pose_rotation(person.find_bone("LeftHand"), Quaternion(Vector3(1, 2, 3).normalized(), 0.8))
	var mirror := copy_rotation(person, "RightHand")
	mirror.source_bone = "LeftHand"
	update(person)
	check(turned(person.find_bone("RightHand")).angle_to(turned(person.find_bone("LeftHand"))) < 1e-3, "hand from hand")


func test_twist_alone() -> void:
	# A twist bone takes half of its neighbour's roll and none of its swing.
	var rig := chain(2, 1.0, 0.0)
	rig.set_bone_pose_rotation(1, Quaternion(Vector3.RIGHT, 0.5) * Quaternion(Vector3.UP, 0.8))
	var copy := copy_rotation(rig, "b2")
	copy.source_bone = "b0"
	copy.swing = 0.0
	copy.twist = 0.5
	rig.set_bone_pose_rotation(0, Quaternion(Vector3.UP, 1.0))
	rig.set_bone_pose_rotation(1, Quaternion(Vector3.UP, -1.0))
	update(rig)
	# b2 stands at 0, b0 at 1 rad about the bone.
	check_near(turned(2).angle_to(Quaternion(Vector3.UP, 0.5)), 0.0, 1e-3, "half of the roll")


func test_nodes_and_properties() -> void:
	var wanted := Quaternion(Vector3(2, -1, 1).normalized(), 1.2)
	for place: Transform3D in [Transform3D.IDENTITY, Transform3D(Basis(Vector3.UP, 1.0), Vector3(3, 1, 0))]:
		var rig := chain(3, 1.0, 40.0)
		rig.transform = place
		var copy := copy_rotation(rig, "b2")
		copy.target_source = SinewCopyRotation.TARGET_NODE
		copy.target = copy.get_path_to(marker(Vector3(5, 5, 5), wanted))
		update(rig)
		check((place.basis.get_rotation_quaternion() * turned(2)).angle_to(wanted) < 1e-3, "from a node")
		var pose := turned(2)
		copy.target_source = SinewCopyRotation.TARGET_PROPERTIES
		copy.target_rotation = wanted
		update(rig)
		check(turned(2).angle_to(pose) < 1e-3, "the property and a node turned alike give different poses")
		copy.weight = 0.0
		update(rig)
		check(rotations[2] == rig.get_bone_pose_rotation(2), "weight 0 turned the bone")
		copy.weight = 1.0
		copy.target_rotation = Quaternion(0, 0, 0, 0)
		update(rig)
		check(rotations[2] == rig.get_bone_pose_rotation(2) and copy.status == 0, "a rotation that is none turned the bone")


func test_limits_hold_and_warnings_are_given() -> void:
	var rig := chain(3, 1.0, 0.0)
	var copy := copy_rotation(rig, "b1")
	update(rig)
	check(" ".join(copy.get_warnings()).contains("Source Bone"), "no source: %s" % [copy.get_warnings()])
	copy.target_source = SinewCopyRotation.TARGET_NODE
	update(rig)
	check(" ".join(copy.get_warnings()).contains("target"), "no node: %s" % [copy.get_warnings()])
	copy.target_source = SinewCopyRotation.TARGET_PROPERTIES
	copy.target_rotation = Quaternion(Vector3.RIGHT, 1.5)
	copy.limits = SinewSkeletonLimits.new()
	var cone := SinewJointLimits.new()
	cone.bone = "b1"
	cone.cone_angle = 0.5
	copy.limits.add(cone)
	update(rig)
	check(copy.get_warnings().is_empty(), "%s" % [copy.get_warnings()])
	check_near(off_rest_degrees(rig, 1), rad_to_deg(0.5), 0.1, "degrees under a cone")
	check_near(copy.residual_angle, 1.0, 1e-3, "the residual")


func test_a_transition_takes_its_time() -> void:
	var rig := chain(4, 1.0, 0.0)
	var copy := copy_rotation(rig, "b2")
	copy.target_source = SinewCopyRotation.TARGET_PROPERTIES
	copy.target_rotation = Quaternion(Vector3.RIGHT, 0.8)
	copy.inertialization_time = 0.4
	for i in 4:
		update(rig)
	check(turned(2).angle_to(copy.target_rotation) < 1e-3, "%s rad off" % turned(2).angle_to(copy.target_rotation))
	copy.weight = 0.0
	var last := turned(2)
	for i in 120:
		update(rig)
		check(turned(2).angle_to(last) < 0.12, "a step of %s rad" % turned(2).angle_to(last))
		last = turned(2)
	check(not copy.is_inertializing() and off_rest_degrees(rig, 2) < 0.01, "%s degrees are left" % off_rest_degrees(rig, 2))
