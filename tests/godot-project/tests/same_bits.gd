extends "res://suite.gd"
## The poses Godot ends up with are those of the core, bit for bit: `cargo xtask test` writes cases
## with the hash of the core's own poses.


class Case:
	var rig: Skeleton3D
	var file: FileAccess
	var frames: int

	func _init(path: String, made: Skeleton3D) -> void:
		file = FileAccess.open(path, FileAccess.READ)
		rig = made
		var joints := file.get_32()
		for joint in joints:
			var parent := _signed(file.get_32())
			var at := floats(10)
			var name := file.get_buffer(file.get_32()).get_string_from_utf8()
			rig.add_bone(name)
			rig.set_bone_parent(joint, parent)
			var rotation := Quaternion(at[3], at[4], at[5], at[6])
			rig.set_bone_rest(joint, Transform3D(Basis(rotation), Vector3(at[0], at[1], at[2])))
		rig.reset_bone_poses()
		frames = file.get_32()

	func _signed(number: int) -> int:
		return number - (1 << 32) if number >= (1 << 31) else number

	func floats(count: int) -> PackedFloat32Array:
		return file.get_buffer(4 * count).to_float32_array()

	func pose() -> void:
		var at := floats(10 * rig.get_bone_count())
		for bone in rig.get_bone_count():
			var b := 10 * bone
			rig.set_bone_pose_position(bone, Vector3(at[b], at[b + 1], at[b + 2]))
			rig.set_bone_pose_rotation(bone, Quaternion(at[b + 3], at[b + 4], at[b + 5], at[b + 6]))
			rig.set_bone_pose_scale(bone, Vector3(at[b + 7], at[b + 8], at[b + 9]))


var hash := 0
var held := 0


## FNV-1a, 64 bits, over ten floats per bone.
func add_to_hash(rig: Skeleton3D) -> void:
	var numbers := PackedFloat32Array()
	for bone in rig.get_bone_count():
		var p := rig.get_bone_pose_position(bone)
		var r := rig.get_bone_pose_rotation(bone)
		var s := rig.get_bone_pose_scale(bone)
		numbers.append_array([p.x, p.y, p.z, r.x, r.y, r.z, r.w, s.x, s.y, s.z])
	for byte in numbers.to_byte_array():
		hash = (hash ^ byte) * 0x100000001b3


func open(path: String) -> Case:
	var rig := Skeleton3D.new()
	rig.modifier_callback_mode_process = Skeleton3D.MODIFIER_CALLBACK_MODE_PROCESS_MANUAL
	var case := Case.new(path, rig)
	tree.root.add_child(rig)
	hash = -3750763034362895579 # 0xcbf29ce484222325
	return case


func test_a_chain() -> void:
	if not FileAccess.file_exists("res://chain.bin"):
		print("skip the cases are written by cargo xtask test")
		return
	var case := open("res://chain.bin")
	var ik := chain_ik(case.rig)
	ik.target_source = SinewChainIK.TARGET_PROPERTIES
	for frame in case.frames:
		var numbers := case.floats(11)
		case.file.get_32()
		case.pose()
		ik.position_weight = numbers[0]
		ik.target_position = Vector3(numbers[1], numbers[2], numbers[3])
		var seen := func() -> void: add_to_hash(case.rig)
		case.rig.skeleton_updated.connect(seen, CONNECT_ONE_SHOT)
		case.rig.advance(0.0)
		case.rig.notification(Skeleton3D.NOTIFICATION_UPDATE_SKELETON)
	check(hash == case.file.get_64(), "the poses are not those of the core")


func test_the_tutorial_scene() -> void:
	if not FileAccess.file_exists("res://hold_cylinder.bin"):
		print("skip the cases are written by cargo xtask test")
		return
	var case := open("res://hold_cylinder.bin")
	var rig := case.rig
	var ik := SinewHumanoidIK.new()
	rig.add_child(ik)
	var hand := rig.find_bone("RightHand")
	var head := rig.find_bone("Head")
	var feet: Array[int] = [rig.find_bone("LeftFoot"), rig.find_bone("RightFoot"), rig.find_bone("LeftHand")]
	var eyes := (rig.get_bone_global_rest(rig.find_bone("LeftEye")).origin + rig.get_bone_global_rest(rig.find_bone("RightEye")).origin) / 2.0
	var eyes_in_head := rig.get_bone_global_rest(head).affine_inverse() * eyes
	held = 0
	for frame in case.frames:
		var numbers := case.floats(11)
		var reachable := case.file.get_32() == 1
		case.pose()
		var goal := Vector3(numbers[1], numbers[2], numbers[3])
		var look_at := Vector3(numbers[8], numbers[9], numbers[10])
		ik.set_ik_position(SinewHumanoidIK.GOAL_RIGHT_HAND, goal)
		ik.set_ik_rotation(SinewHumanoidIK.GOAL_RIGHT_HAND, Quaternion(numbers[4], numbers[5], numbers[6], numbers[7]))
		ik.set_ik_position_weight(SinewHumanoidIK.GOAL_RIGHT_HAND, numbers[0])
		ik.set_ik_rotation_weight(SinewHumanoidIK.GOAL_RIGHT_HAND, numbers[0])
		ik.look_at_position = look_at
		ik.set_look_at_weights(numbers[0])
		var animated := feet.map(func(bone: int) -> Transform3D: return rig.get_bone_global_pose(bone))
		var seen := func() -> void:
			add_to_hash(rig)
			for i in feet.size():
				check(rig.get_bone_global_pose(feet[i]) == animated[i], "frame %d: %s moved" % [frame, rig.get_bone_name(feet[i])])
			if not reachable:
				return
			held += 1
			check_point(rig.get_bone_global_pose(hand).origin, goal, 1e-5, "frame %d: the hand" % frame)
			check(ik.get_ik_rotation(3).angle_to(Quaternion(numbers[4], numbers[5], numbers[6], numbers[7])) < 2e-3, "frame %d: the hand is not turned to the cylinder" % frame)
			var pose := rig.get_bone_global_pose(head)
			var off := rad_to_deg(pose.basis.z.angle_to(look_at - pose * eyes_in_head))
			check(off < 0.1, "frame %d: the head looks %s degrees past the cylinder" % [frame, off])
		rig.skeleton_updated.connect(seen, CONNECT_ONE_SHOT)
		rig.advance(0.0)
		rig.notification(Skeleton3D.NOTIFICATION_UPDATE_SKELETON)
		for connection in rig.skeleton_updated.get_connections():
			# Nothing moved in this frame, so nothing was signalled.
			seen.call()
			rig.skeleton_updated.disconnect(connection.callable)
	check(held > case.frames / 4, "the hand held the cylinder in %d of %d frames" % [held, case.frames])
	check(hash == case.file.get_64(), "the poses are not those of the core")
