extends "res://suite.gd"

const GOALS := ["left_foot", "right_foot", "left_hand", "right_hand"]
const ENDS := ["LeftFoot", "RightFoot", "LeftHand", "RightHand"]
const MIDDLES := ["LeftLowerLeg", "RightLowerLeg", "LeftLowerArm", "RightLowerArm"]


func humanoid_ik(rig: Skeleton3D) -> SinewHumanoidIK:
	var ik := SinewHumanoidIK.new()
	rig.add_child(ik)
	return ik


func bone(rig: Skeleton3D, name: String) -> Transform3D:
	return poses[rig.find_bone(name)]


## A place the limb can reach: from its end some way towards its root.
func place(rig: Skeleton3D, limb: int, aside := Vector3(0, 0, 0.1)) -> Vector3:
	var end := rig.get_bone_global_rest(rig.find_bone(ENDS[limb])).origin
	var middle := rig.get_bone_global_rest(rig.find_bone(MIDDLES[limb])).origin
	return end.lerp(middle, 0.35) + aside


func test_the_profile_is_found() -> void:
	var rig := humanoid()
	var ik := humanoid_ik(rig)
	update(rig)
	var mapping := ik.get_bone_mapping()
	for name: String in ["Hips", "Head", "LeftUpperArm", "RightFoot", "LeftThumbMetacarpal", "RightLittleDistal"]:
		check(mapping.get(name) == name, "%s is %s" % [name, mapping.get(name)])
	check(ik.get_warnings().is_empty(), "warnings %s" % ik.get_warnings())
	check(ik.get_human_scale() > 0.5 and ik.get_human_scale() < 1.5, "human scale %s" % ik.get_human_scale())


func test_a_weight_without_target_and_position_holds_the_animated_place() -> void:
	var rig := humanoid()
	var ik := humanoid_ik(rig)
	update(rig)
	var before: Array[Vector3] = []
	for limb in 4:
		before.append(bone(rig, ENDS[limb]).origin)
		ik.set(GOALS[limb] + "_position_weight", 1.0)
		ik.set(GOALS[limb] + "_hint_weight", 1.0)
	update(rig)
	for limb in 4:
		var moved := bone(rig, ENDS[limb]).origin.distance_to(before[limb])
		check(moved < 1e-4, "%s moved by %s m" % [ENDS[limb], moved])
	check(ik.get_warnings().size() == 4, "warnings %s" % ik.get_warnings())


func test_hands_and_feet_reach_from_the_t_pose() -> void:
	var rig := humanoid()
	var ik := humanoid_ik(rig)
	var marks: Array[Node3D] = []
	for limb in 4:
		marks.append(marker(place(rig, limb)))
		ik.set(GOALS[limb] + "_target", ik.get_path_to(marks[limb]))
		ik.set(GOALS[limb] + "_position_weight", 1.0)
	update(rig)
	for limb in 4:
		check_point(bone(rig, ENDS[limb]).origin, marks[limb].global_position, 2e-6, ENDS[limb])
		check(ik.get_ik_status(limb) == SinewHumanoidIK.STATUS_REACHED, "%s: status %d" % [ENDS[limb], ik.get_ik_status(limb)])
		check(ik.get_ik_residual(limb) < 2e-6, "%s: residual %s" % [ENDS[limb], ik.get_ik_residual(limb)])
		check_point(ik.get_ik_position(limb), marks[limb].global_position, 2e-6, "what it says of %s" % ENDS[limb])
	# Knees forward, elbows back, without a hint.
	for limb in 2:
		var hip: Vector3 = bone(rig, ["LeftUpperLeg", "RightUpperLeg"][limb]).origin
		var bend := bone(rig, MIDDLES[limb]).origin - hip.lerp(bone(rig, ENDS[limb]).origin, 0.5)
		check(bend.z > 0.0, "the knee went to %s" % bend)
	for limb in [2, 3]:
		var shoulder: Vector3 = bone(rig, ["LeftUpperArm", "RightUpperArm"][limb - 2]).origin
		var bend := bone(rig, MIDDLES[limb]).origin - shoulder.lerp(bone(rig, ENDS[limb]).origin, 0.5)
		check(bend.z < 0.0, "the elbow went to %s" % bend)


func test_weight_0_passes_through() -> void:
	var rig := humanoid()
	var ik := humanoid_ik(rig)
	for limb in 4:
		ik.set(GOALS[limb] + "_position", Vector3(1, 2, 3))
	ik.look_at_position = Vector3(1, 2, 3)
	update(rig)
	for b in rig.get_bone_count():
		check(rotations[b] == rig.get_bone_pose_rotation(b), "%s moved" % rig.get_bone_name(b))


func test_hands_stay_with_bones_that_the_same_update_moves() -> void:
	var rig := humanoid()
	var ik := humanoid_ik(rig)
	update(rig)
	var right := bone(rig, "Chest").affine_inverse() * place(rig, 3, Vector3(0, 0, 0.25))
	ik.set_ik_goal_space(SinewHumanoidIK.GOAL_RIGHT_HAND, "Chest")
	ik.set_ik_position(SinewHumanoidIK.GOAL_RIGHT_HAND, right)
	ik.set_ik_position_weight(SinewHumanoidIK.GOAL_RIGHT_HAND, 1.0)
	# Below a bone attachment, the node's own transform counts.
	var holder := BoneAttachment3D.new()
	rig.add_child(holder)
	holder.bone_name = "RightHand"
	var grip := Node3D.new()
	holder.add_child(grip)
	grip.position = Vector3(-0.05, 0.03, 0.06)
	var palm := Vector3(0.02, -0.01, 0.03)
	ik.left_hand_goal_space = "RightHand"
	ik.left_hand_effector_point = palm
	ik.left_hand_target = ik.get_path_to(grip)
	ik.left_hand_position_weight = 1.0
	ik.look_at_weight = 1.0
	ik.look_at_body_weight = 0.8
	var first := Vector3.ZERO
	for frame in 8:
		ik.look_at_position = Vector3(2.0 - 0.5 * frame, 1.2, 2.0)
		update(rig)
		check_point(bone(rig, "RightHand").origin, bone(rig, "Chest") * right, 1e-4, "the right hand, frame %d" % frame)
		var held := ik.get_ik_status(SinewHumanoidIK.GOAL_LEFT_HAND) == SinewHumanoidIK.STATUS_REACHED
		var at := bone(rig, "LeftHand") * palm
		if held:
			check_point(at, bone(rig, "RightHand") * grip.position, 1e-4, "the left palm, frame %d" % frame)
		var off := at.distance_to(bone(rig, "RightHand") * grip.position)
		check_near(ik.get_ik_residual(SinewHumanoidIK.GOAL_LEFT_HAND), off, 1e-4, "its residual")
		if frame == 0:
			first = bone(rig, "RightHand").origin
	check(first.distance_to(bone(rig, "RightHand").origin) > 0.05, "the chest did not turn")
	check(ik.get_warnings().is_empty(), "warnings %s" % ik.get_warnings())
	# Bones of the same limb, and none at all, are warnings; the goal is in world space.
	ik.right_hand_goal_space = "RightLowerArm"
	update(rig)
	check(ik.get_warnings().size() == 1 and "right_hand_goal_space" in ik.get_warnings()[0], "warnings %s" % ik.get_warnings())
	ik.right_hand_goal_space = "Nowhere"
	update(rig)
	check(ik.get_warnings().size() == 1 and "Nowhere" in ik.get_warnings()[0], "warnings %s" % ik.get_warnings())
	ik.right_hand_goal_space = ""
	ik.set_ik_position(SinewHumanoidIK.GOAL_RIGHT_HAND, place(rig, 3))
	update(rig)
	check_point(bone(rig, "RightHand").origin, place(rig, 3), 1e-4, "the right hand in the world")
	grip.free()
	holder.free()


func test_goal_rotations_in_both_frames() -> void:
	var rig := humanoid()
	var ik := humanoid_ik(rig)
	ik.set_ik_position(SinewHumanoidIK.GOAL_RIGHT_HAND, place(rig, 3))
	ik.set_ik_position_weight(SinewHumanoidIK.GOAL_RIGHT_HAND, 1.0)
	ik.set_ik_rotation_weight(SinewHumanoidIK.GOAL_RIGHT_HAND, 1.0)
	# Fingers forward (+Z), back of the hand up (+Y).
	ik.set_ik_rotation(SinewHumanoidIK.GOAL_RIGHT_HAND, Quaternion.IDENTITY)
	update(rig)
	var wrist := bone(rig, "RightHand").origin
	var knuckle := bone(rig, "RightMiddleProximal").origin
	check((knuckle - wrist).normalized().z > 0.95, "fingers point to %s" % (knuckle - wrist).normalized())
	var thumb := bone(rig, "RightThumbProximal").origin
	# The character's right hand with fingers forward and palm down has its thumb to the character's
	# left: +X, facing +Z.
	check((thumb - wrist).x > 0.0, "the thumb is at %s" % (thumb - wrist))
	var turned := Quaternion(Vector3(1, 1, 0).normalized(), 0.8)
	ik.rotation_frame = SinewHumanoidIK.ROTATION_BONE
	ik.set_ik_rotation(SinewHumanoidIK.GOAL_RIGHT_HAND, turned)
	update(rig)
	check_near(bone(rig, "RightHand").basis.get_rotation_quaternion().angle_to(turned), 0.0, 2e-3, "the hand bone's angle to its goal")


func test_hints_swivel() -> void:
	var rig := humanoid()
	var ik := humanoid_ik(rig)
	var hint := marker(Vector3(-0.6, 3.0, 0.3))
	ik.right_hand_position = place(rig, 3)
	ik.right_hand_position_weight = 1.0
	update(rig)
	var without := bone(rig, "RightLowerArm").origin
	ik.right_hand_hint_target = ik.get_path_to(hint)
	ik.right_hand_hint_weight = 1.0
	update(rig)
	check(bone(rig, "RightLowerArm").origin.y > without.y + 0.02, "the elbow stayed at %s" % without)
	check_point(bone(rig, "RightHand").origin, place(rig, 3), 2e-6, "the hand")


func test_looking() -> void:
	var rig := humanoid()
	var ik := humanoid_ik(rig)
	var head := rig.find_bone("Head")
	var from: Vector3 = (rig.get_bone_global_rest(rig.find_bone("LeftEye")).origin + rig.get_bone_global_rest(rig.find_bone("RightEye")).origin) / 2.0
	var gaze := rig.get_bone_global_rest(head).basis.inverse() * Vector3(0, 0, 1)
	var eyes := rig.get_bone_global_rest(head).affine_inverse() * from
	for point: Vector3 in [Vector3(1, 1.5, 2), Vector3(-1, 1.2, 2), Vector3(0, 2.5, 1.5)]:
		ik.look_at_position = point
		ik.set_look_at_weights(1.0)
		update(rig)
		check_near(rad_to_deg((poses[head].basis * gaze).angle_to(point - poses[head] * eyes)), 0.0, 0.1, "degrees past %s" % point)
		check(ik.get_look_at_status() == SinewHumanoidIK.STATUS_REACHED, "status %d" % ik.get_look_at_status())
	ik.look_at_position = Vector3(0.3, 1.5, -2)
	update(rig)
	check(ik.get_look_at_status() == SinewHumanoidIK.STATUS_UNREACHABLE, "behind: status %d" % ik.get_look_at_status())


func test_the_body_sinks_and_the_feet_stay() -> void:
	var rig := humanoid()
	var ik := humanoid_ik(rig)
	for limb in 2:
		ik.set(GOALS[limb] + "_position", rig.get_bone_global_rest(rig.find_bone(ENDS[limb])).origin)
		ik.set(GOALS[limb] + "_position_weight", 1.0)
	update(rig)
	ik.body_position = Vector3(0, ik.get_human_scale() - 0.15, 0)
	ik.body_position_weight = 1.0
	update(rig)
	check(bone(rig, "Hips").origin.y < rig.get_bone_global_rest(rig.find_bone("Hips")).origin.y - 0.08, "the hips are at %s" % bone(rig, "Hips").origin)
	for limb in 2:
		check_point(bone(rig, ENDS[limb]).origin, rig.get_bone_global_rest(rig.find_bone(ENDS[limb])).origin, 1e-5, ENDS[limb])
	var sunk := bone(rig, "Hips").origin
	ik.body_position_weight = 0.0
	update(rig)
	check_point(bone(rig, "Hips").origin, rig.get_bone_global_rest(rig.find_bone("Hips")).origin, 1e-6, "the hips at weight 0")
	ik.body_position_weight = 0.5
	update(rig)
	check(bone(rig, "Hips").origin.y > sunk.y + 0.02, "half the weight goes half the way: %s" % bone(rig, "Hips").origin)


func test_other_names_and_a_bone_map() -> void:
	var names := {"Hips": "mixamorig:Hips", "Spine": "mixamorig:Spine", "Chest": "mixamorig:Spine1", "UpperChest": "mixamorig:Spine2", "Neck": "mixamorig:Neck", "Head": "mixamorig:Head",
		"LeftShoulder": "mixamorig:LeftShoulder", "LeftUpperArm": "mixamorig:LeftArm", "LeftLowerArm": "mixamorig:LeftForeArm", "LeftHand": "mixamorig:LeftHand",
		"RightShoulder": "mixamorig:RightShoulder", "RightUpperArm": "mixamorig:RightArm", "RightLowerArm": "mixamorig:RightForeArm", "RightHand": "mixamorig:RightHand",
		"LeftUpperLeg": "mixamorig:LeftUpLeg", "LeftLowerLeg": "mixamorig:LeftLeg", "LeftFoot": "mixamorig:LeftFoot", "LeftToes": "mixamorig:LeftToeBase",
		"RightUpperLeg": "mixamorig:RightUpLeg", "RightLowerLeg": "mixamorig:RightLeg", "RightFoot": "mixamorig:RightFoot", "RightToes": "mixamorig:RightToeBase"}
	var rig := humanoid()
	for name: String in names:
		rig.set_bone_name(rig.find_bone(name), names[name])
	var ik := humanoid_ik(rig)
	update(rig)
	check(ik.get_bone_mapping().get("LeftLowerArm") == "mixamorig:LeftForeArm", "Mixamo's names: %s, %s" % [ik.get_bone_mapping(), ik.get_warnings()])
	# Names without meaning, and a map.
	var map := BoneMap.new()
	map.profile = SkeletonProfileHumanoid.new()
	var number := 0
	for name: String in names:
		rig.set_bone_name(rig.find_bone(names[name]), "bone_%d" % number)
		map.set_skeleton_bone_name(name, "bone_%d" % number)
		number += 1
	ik.bone_map = map
	update(rig)
	check(ik.get_warnings().is_empty(), "with a map: %s" % ik.get_warnings())
	check(ik.get_bone_mapping().get("Hips") == "bone_0", "the map: %s" % ik.get_bone_mapping())
	map.set_skeleton_bone_name("LeftHand", "nobody")
	ik.bone_map = map
	update(rig)
	check("\n".join(ik.get_warnings()).contains("nobody"), "a wrong map: %s" % ik.get_warnings())


func test_a_rig_that_is_no_humanoid_is_reported() -> void:
	var rig := chain(4)
	var ik := humanoid_ik(rig)
	update(rig)
	check("\n".join(ik.get_warnings()).contains("required human bones"), "warnings %s" % ik.get_warnings())
	check(ik.get_bone_mapping().is_empty(), "a mapping %s" % ik.get_bone_mapping())


func test_a_target_without_weight_is_pointed_out() -> void:
	var rig := humanoid()
	var ik := humanoid_ik(rig)
	ik.left_hand_target = ik.get_path_to(marker(Vector3.ONE))
	update(rig)
	check("\n".join(ik.get_warnings()).contains("left_hand_target"), "warnings %s" % ik.get_warnings())
	ik.left_hand_position_weight = 0.5
	check(ik.get_warnings().is_empty(), "warnings %s" % ik.get_warnings())
	ik.look_at_weight = 1.0
	check("\n".join(ik.get_warnings()).contains("look_at_position"), "a gaze at nothing: %s" % ik.get_warnings())
	ik.look_at_position = Vector3(0, 1, 1)
	check(ik.get_warnings().is_empty(), "warnings %s" % ik.get_warnings())


func test_signals_and_debug_lines() -> void:
	var rig := humanoid()
	var ik := humanoid_ik(rig)
	var heard: Array = []
	ik.ik_status_changed.connect(func(goal: int, status: int) -> void: heard.append([goal, status]))
	ik.look_at_status_changed.connect(func(status: int) -> void: heard.append(status))
	ik.debug_lines = true
	ik.left_hand_position = place(rig, 2)
	ik.left_hand_position_weight = 1.0
	ik.look_at_position = Vector3(0, 1.5, 3)
	ik.look_at_weight = 1.0
	update(rig)
	update(rig)
	check(heard == [[2, 1], 1], "heard %s" % [heard])


func test_200_characters() -> void:
	var rigs: Array[Skeleton3D] = []
	for i in 200:
		var rig := humanoid()
		rig.position = Vector3(i % 20, 0, i / 20)
		rig.rotation.y = 0.1 * i
		var ik := humanoid_ik(rig)
		for limb in 4:
			var mark := Node3D.new()
			rig.add_child(mark)
			mark.position = place(rig, limb)
			ik.set(GOALS[limb] + "_target", ik.get_path_to(mark))
			ik.set(GOALS[limb] + "_position_weight", 1.0)
		rigs.append(rig)
	for round in 3:
		for rig in rigs:
			update(rig)
			for limb in 4:
				check_point(bone(rig, ENDS[limb]).origin, place(rig, limb), 1e-5, ENDS[limb])


func test_the_body_compensates_when_enabled() -> void:
	var rig := humanoid()
	var ik := humanoid_ik(rig)
	var far := rig.get_bone_global_rest(rig.find_bone("RightHand")).origin + Vector3(-0.15, 0, 0.1)
	ik.right_hand_position = far
	ik.right_hand_position_weight = 1.0
	update(rig)
	check(ik.get_ik_status(3) == SinewHumanoidIK.STATUS_UNREACHABLE, "status %d" % ik.get_ik_status(3))
	var alone := ik.get_ik_residual(3)
	ik.shoulder_weight = 1.0
	ik.spine_weight = 1.0
	update(rig)
	check(ik.get_ik_residual(3) < 0.5 * alone, "residual %s, alone %s" % [ik.get_ik_residual(3), alone])


func test_switches_take_their_time() -> void:
	var rig := humanoid()
	var ik := humanoid_ik(rig)
	ik.inertialization_time = 0.3
	ik.right_hand_position = place(rig, 3)
	for i in 5:
		update(rig)
	var animated := bone(rig, "RightHand").origin
	ik.right_hand_position_weight = 1.0
	update(rig)
	check(bone(rig, "RightHand").origin.distance_to(animated) < 0.08, "the hand jumped by %s" % bone(rig, "RightHand").origin.distance_to(animated))
	for i in 60:
		update(rig)
	check_point(bone(rig, "RightHand").origin, place(rig, 3), 1e-3, "the hand, a second later")


func test_the_gaze_takes_its_time_to_another_target() -> void:
	var rig := humanoid()
	var ik := humanoid_ik(rig)
	ik.inertialization_time = 0.5
	var head := bone(rig, "Head").origin
	var one := marker(head + Vector3(1.5, 0, 1.5))
	var two := marker(head + Vector3(-1.5, 0, 1.5))
	ik.look_at_target = ik.get_path_to(one)
	ik.look_at_weight = 1.0
	for frame in 60:
		update(rig)
	check(not ik.is_look_at_inertializing(), "a transition without a switch")
	for how: String in ["node", "call"]:
		var before := bone(rig, "Head").basis.get_rotation_quaternion()
		match how:
			"node": ik.look_at_target = ik.get_path_to(two)
			"call":
				two.global_position = head + Vector3(1.5, 0, 1.5)
				ik.inertialize_look_at()
		update(rig)
		check(ik.is_look_at_inertializing(), "%s: no transition" % how)
		var now := bone(rig, "Head").basis.get_rotation_quaternion()
		check(now.angle_to(before) < 0.15, "%s: the head jumped by %s" % [how, now.angle_to(before)])
		for frame in 60:
			update(rig)
		now = bone(rig, "Head").basis.get_rotation_quaternion()
		check(now.angle_to(before) > 1.2, "%s: the head turned by %s" % [how, now.angle_to(before)])


func test_one_goal_gives_what_it_gives_among_others() -> void:
	# Updates read only the bones their goals need; what they leave must not depend on that.
	for limb in 4:
		var results: Array = []
		for lines: bool in [false, true]:
			var rig := humanoid()
			rig.set_bone_pose_rotation(rig.find_bone("Spine"), Quaternion(Vector3(1, 1, 0).normalized(), 0.3))
			rig.set_bone_pose_rotation(rig.find_bone(MIDDLES[limb]), Quaternion(Vector3(0, 1, 1).normalized(), 0.4))
			var ik := humanoid_ik(rig)
			# Lines show every bone, so every bone is read.
			ik.debug_lines = lines
			ik.set(GOALS[limb] + "_position", place(rig, limb))
			ik.set(GOALS[limb] + "_position_weight", 1.0)
			update(rig)
			check_point(bone(rig, ENDS[limb]).origin, place(rig, limb), 1e-5, ENDS[limb])
			results.append(rotations.duplicate())
		check(results[0] == results[1], "%s: another pose when all bones are read" % ENDS[limb])


func test_outcomes_of_limbs_without_goals() -> void:
	var rig := humanoid()
	var ik := humanoid_ik(rig)
	update(rig)
	ik.set_ik_position(SinewHumanoidIK.GOAL_RIGHT_HAND, place(rig, 3))
	ik.set_ik_position_weight(SinewHumanoidIK.GOAL_RIGHT_HAND, 1.0)
	for turn: float in [0.2, -0.7]:
		rig.set_bone_pose_rotation(rig.find_bone("LeftUpperArm"), Quaternion(Vector3.RIGHT, turn) * rig.get_bone_rest(rig.find_bone("LeftUpperArm")).basis.get_rotation_quaternion())
		update(rig)
		check_point(ik.get_ik_position(SinewHumanoidIK.GOAL_LEFT_HAND), rig.get_bone_global_pose(rig.find_bone("LeftHand")).origin, 1e-5, "the animated hand")
		check_point(ik.get_ik_position(SinewHumanoidIK.GOAL_RIGHT_HAND), place(rig, 3), 1e-5, "the hand with a goal")


func test_feet_keep_their_spacing() -> void:
	for spacing: float in [0.0, 0.3]:
		var rig := humanoid()
		# The animation crosses the feet.
		for side: Array in [["LeftUpperLeg", -0.15], ["RightUpperLeg", 0.15]]:
			var thigh := rig.find_bone(side[0])
			var above := rig.get_bone_global_pose(rig.get_bone_parent(thigh)).basis.get_rotation_quaternion()
			rig.set_bone_pose_rotation(thigh, above.inverse() * Quaternion(Vector3.BACK, side[1]) * above * rig.get_bone_pose_rotation(thigh))
		var ik := humanoid_ik(rig)
		ik.feet_spacing = spacing
		update(rig)
		var apart := bone(rig, "LeftFoot").origin.x - bone(rig, "RightFoot").origin.x
		var least := spacing * ik.get_human_scale()
		check(apart > least - 1e-3 if spacing > 0.0 else apart < 0.05, "spacing %s: feet %s m apart, %s wanted" % [spacing, apart, least])


func test_the_elbow_takes_its_share_of_the_roll() -> void:
	# The hand rolls by 1 rad; the lower arm takes what the wrist leaves.
	for share: float in [0.0, 1.0]:
		var rig := humanoid()
		var ik := humanoid_ik(rig)
		ik.lower_arm_twist = share
		update(rig)
		var hand := rig.find_bone("RightHand")
		ik.rotation_frame = SinewHumanoidIK.ROTATION_BONE
		var animated := rig.get_bone_global_pose(hand)
		ik.right_hand_position = animated.origin
		ik.right_hand_position_weight = 1.0
		ik.right_hand_rotation = animated.basis.get_rotation_quaternion() * Quaternion(Vector3.UP, 1.0)
		ik.right_hand_rotation_weight = 1.0
		update(rig)
		var rolled := off_rest_degrees(rig, hand)
		check((poses[hand].basis.get_rotation_quaternion()).angle_to(ik.right_hand_rotation) < 2e-3, "the hand did not turn as told")
		check(rolled < 8.0 if share == 0.0 else absf(rolled - rad_to_deg(1.0)) < 8.0, "share %s: the wrist rolled by %s degrees" % [share, rolled])


## Angle between a bone's direction and that at rest, degrees; its twist does not count.
func lean_degrees(rig: Skeleton3D, bone: int) -> float:
	var rest := rig.get_bone_rest(bone).basis.get_rotation_quaternion()
	return rad_to_deg(((rest.inverse() * rotations[bone]) * Vector3.UP).angle_to(Vector3.UP))


func test_limits_of_single_bones_come_before_human_ranges() -> void:
	var rig := humanoid()
	var ik := SinewHumanoidIK.new()
	add(rig, ik)
	ik.left_hand_position = rig.get_bone_global_rest(rig.find_bone("LeftUpperArm")).origin + Vector3(0.15, -0.1, 0.25)
	ik.left_hand_position_weight = 1.0
	ik.human_limits = true
	update(rig)
	var lower := rig.find_bone("LeftLowerArm")
	check(lean_degrees(rig, lower) > 20.0, "the elbow bends by %s degrees" % lean_degrees(rig, lower))
	var elbow := SinewJointLimits.new()
	elbow.bone = "LeftLowerArm"
	elbow.cone_angle = deg_to_rad(10.0)
	ik.limits = SinewSkeletonLimits.new()
	ik.limits.add(elbow)
	update(rig)
	check(lean_degrees(rig, lower) < 10.5, "the limited elbow bends by %s degrees" % lean_degrees(rig, lower))
	# A change of the resource counts; without human_limits it does not.
	elbow.cone_angle = deg_to_rad(15.0)
	update(rig)
	check(lean_degrees(rig, lower) > 10.5 and lean_degrees(rig, lower) < 15.5, "the elbow bends by %s of 15 degrees" % lean_degrees(rig, lower))
	ik.human_limits = false
	update(rig)
	check(lean_degrees(rig, lower) > 20.0, "limits count without human_limits")
	elbow.bone = "tail"
	update(rig)
	check("\n".join(ik.get_warnings()).contains("tail"), "limits of a bone that is not there: %s" % ik.get_warnings())


## How far out of the trunk the left elbow is; 1 on the surface.
func out_of_the_trunk(rig: Skeleton3D) -> float:
	var at := func(name: String) -> Vector3: return poses[rig.find_bone(name)].origin
	var left: Vector3 = at.call("LeftUpperArm")
	var right: Vector3 = at.call("RightUpperArm")
	var hips: Vector3 = at.call("Hips")
	var side := (left - right).normalized()
	var line := (left + right) * 0.5 - hips
	var from: Vector3 = at.call("LeftLowerArm") - hips
	var off := from - line * clampf(from.dot(line) / line.length_squared(), 0.0, 1.0)
	var sideways := off.dot(side)
	var rest := off - side * sideways
	return sqrt(sideways * sideways / 0.81 + rest.length_squared() / 0.49) / (0.5 * (left - right).length())


func test_elbows_leave_the_trunk() -> void:
	var rig := humanoid()
	var ik := humanoid_ik(rig)
	var shoulder := rig.get_bone_global_rest(rig.find_bone("LeftUpperArm")).origin
	ik.left_hand_position_weight = 1.0
	var inside := 0
	var still := 0
	for number in 64:
		ik.left_hand_position = shoulder + Vector3(0.05 - 0.05 * (number % 8), 0.09 * (number / 8) - 0.45, 0.18)
		ik.trunk_avoidance = 0.0
		update(rig)
		var without := out_of_the_trunk(rig)
		var hand := bone(rig, "LeftHand").origin
		ik.trunk_avoidance = 1.0
		update(rig)
		var with := out_of_the_trunk(rig)
		check(hand.distance_to(bone(rig, "LeftHand").origin) < 1e-4, "the hand moved")
		check(without < 1.0 or with > 0.999, "goal %d: %s to %s" % [number, without, with])
		inside += int(without < 0.99)
		still += int(with < 0.99)
	check(inside > 3 and 4 * still <= inside, "%d elbows were inside, %d are" % [inside, still])


func effector(part: int, at: Vector3) -> SinewHumanEffector:
	var made := SinewHumanEffector.new()
	made.part = part
	made.goal_position = at
	return made


func test_effectors_of_the_body_solver_are_met_while_feet_stay() -> void:
	var rig := humanoid()
	rig.global_transform = Transform3D(Basis(Vector3.UP, 0.7), Vector3(3, 0.5, -2))
	var ik := humanoid_ik(rig)
	ik.body_solver = true
	var hips := rig.get_bone_global_rest(rig.find_bone("Hips")).origin + Vector3(0.05, -0.08, 0.03)
	var elbow := rig.get_bone_global_rest(rig.find_bone("LeftLowerArm")).origin + Vector3(-0.06, -0.12, 0.12)
	var turned := rig.get_bone_global_rest(rig.find_bone("Head")).basis.get_rotation_quaternion()
	turned = Quaternion(Vector3(0, 1, 0), 0.35) * turned
	var head := SinewHumanEffector.new()
	head.part = SinewHumanEffector.PART_HEAD
	head.position_weight = 0.0
	head.rotation_weight = 1.0
	head.goal_rotation = rig.global_transform.basis.get_rotation_quaternion() * turned
	var arm := SinewHumanEffector.new()
	arm.part = SinewHumanEffector.PART_LEFT_ELBOW
	arm.target = ik.get_path_to(marker(rig.global_transform * elbow))
	ik.effectors = [effector(SinewHumanEffector.PART_HIPS, rig.global_transform * hips), head] as Array[SinewHumanEffector]
	ik.add_effector(arm)
	update(rig)
	check_point(bone(rig, "Hips").origin, hips, 3e-3, "the hips")
	check_point(bone(rig, "LeftLowerArm").origin, elbow, 3e-3, "the elbow follows its node")
	check_near(bone(rig, "Head").basis.get_rotation_quaternion().angle_to(turned), 0.0, 0.02, "the angle left of the head")
	for foot: String in ["LeftFoot", "RightFoot"]:
		check_point(bone(rig, foot).origin, rig.get_bone_global_rest(rig.find_bone(foot)).origin, 3e-3, foot)
	for number in 3:
		check(ik.get_effector_status(number) == SinewHumanoidIK.STATUS_REACHED, "effector %d: %d" % [number, ik.get_effector_status(number)])
		check(ik.get_effector_residual(number) < 3e-3 and ik.get_effector_residual_angle(number) < 0.02, "effector %d has something left" % number)
	expect_error("SinewHumanoidIK.get_effector_status: number is 3, not 0 to 2.")
	check(ik.get_effector_status(3) == SinewHumanoidIK.STATUS_INACTIVE, "an effector that is not there")
	check(ik.get_warnings().is_empty(), "warnings %s" % ik.get_warnings())


func test_effectors_pin_fade_and_are_absent_without_the_solver() -> void:
	var rig := humanoid()
	var ik := humanoid_ik(rig)
	ik.body_solver = true
	var from := rig.get_bone_global_rest(rig.find_bone("LeftLowerArm")).origin
	var elbow := effector(SinewHumanEffector.PART_LEFT_ELBOW, from + Vector3(-0.06, -0.12, 0.12))
	ik.effectors = [elbow] as Array[SinewHumanEffector]
	update(rig)
	check_point(bone(rig, "LeftLowerArm").origin, elbow.goal_position, 3e-3, "weight 1")
	elbow.position_weight = 0.5
	update(rig)
	check_point(bone(rig, "LeftLowerArm").origin, from.lerp(elbow.goal_position, 0.5), 5e-3, "weight 0.5 goes half the way")
	elbow.position_weight = 0.0
	update(rig)
	check(bone(rig, "LeftLowerArm") == rig.get_bone_global_pose(rig.find_bone("LeftLowerArm")), "weight 0 keeps every bit")
	# A hand far away pulls the hips, unless they are pinned.
	var rest := rig.get_bone_global_rest(rig.find_bone("Hips")).origin
	ik.right_hand_position = rig.get_bone_global_rest(rig.find_bone("RightHand")).origin + Vector3(-0.15, -0.2, 0.1)
	ik.right_hand_position_weight = 1.0
	update(rig)
	var free := bone(rig, "Hips").origin.distance_to(rest)
	var hips := SinewHumanEffector.new()
	hips.part = SinewHumanEffector.PART_HIPS
	hips.pin = true
	ik.add_effector(hips)
	update(rig)
	var pinned := bone(rig, "Hips").origin.distance_to(rest)
	check(free > 0.005 and pinned < 0.6 * free, "the hips give %s, pinned %s" % [free, pinned])
	ik.add_effector(effector(SinewHumanEffector.PART_HIPS, rest))
	ik.body_solver = false
	ik.right_hand_position_weight = 0.0
	update(rig)
	check_point(bone(rig, "Hips").origin, rest, 1e-6, "no effect without the solver")
	var warnings := "\n".join(ik.get_warnings())
	check("body_solver is off" in warnings and "entries 1 and 2 are of one part" in warnings, "warnings %s" % warnings)


func test_a_body_weight_without_a_position_has_no_effect() -> void:
	var rig := humanoid()
	rig.position = Vector3(5, 0, 0)
	var ik := SinewHumanoidIK.new()
	rig.add_child(ik)
	ik.body_position_weight = 1.0
	update(rig)
	var hips := rig.find_bone("Hips")
	check_point(poses[hips].origin, rig.get_bone_rest(hips).origin, 1e-4, "the hips")
	check(ik.get_warnings().size() == 1 and ik.get_warnings()[0].contains("body_position"), "warnings %s" % [ik.get_warnings()])


func test_an_effector_without_a_goal_holds_its_part() -> void:
	var rig := humanoid()
	rig.position = Vector3(5, 0, 5)
	var ik := SinewHumanoidIK.new()
	rig.add_child(ik)
	ik.body_solver = true
	var effector := SinewHumanEffector.new()
	effector.part = SinewHumanEffector.PART_HEAD
	ik.add_effector(effector)
	var before := rig.get_bone_global_pose(rig.find_bone("Head")).origin
	update(rig)
	check_point(poses[rig.find_bone("Head")].origin, before, 1e-4, "the head")
	check("\n".join(ik.get_warnings()).contains("effectors, entry 0"), "warnings %s" % [ik.get_warnings()])
	effector.goal_position = Vector3(5.1, 1.15, 5.15)
	update(rig)
	check_point(rig.global_transform * poses[rig.find_bone("Head")].origin, effector.goal_position, 1e-3, "the head with a goal")
	check(ik.get_warnings().is_empty(), "warnings %s" % [ik.get_warnings()])


func test_the_more_important_goal_ends_nearer() -> void:
	var rig := humanoid()
	var ik := humanoid_ik(rig)
	ik.body_solver = true
	var left := bone(rig, "LeftHand").origin
	var right := bone(rig, "RightHand").origin
	var target := rig.global_transform * (left + (left - right) * 1.5)
	ik.left_hand_position = target
	ik.left_hand_position_weight = 1.0
	ik.right_hand_position = rig.global_transform * (right + (right - left) * 1.5)
	ik.right_hand_position_weight = 1.0
	var missed := func() -> float:
		update(rig)
		return (rig.global_transform * bone(rig, "LeftHand").origin).distance_to(target)
	var even: float = missed.call()
	ik.left_hand_position_importance = 10.0
	var first: float = missed.call()
	ik.left_hand_position_importance = 0.1
	var second: float = missed.call()
	check(first < even - 0.01 and second > even + 0.01, "the left hand misses %f, %f and %f" % [first, even, second])
	ik.left_hand_position_importance = 1.0
	ik.left_hand_level = 2
	check(missed.call() > even + 0.01, "a hand of level 2")
	ik.left_hand_level = 1
	check_near(missed.call(), even, 1e-4, "as before")
	var head := effector(SinewHumanEffector.PART_HEAD, rig.global_transform * (bone(rig, "Head").origin + Vector3(0, 0, -0.3)))
	check(head.position_importance == 1.0 and head.rotation_importance == 1.0 and head.level == 1, "defaults of an effector")
	ik.add_effector(head)
	var off := func() -> float:
		update(rig)
		return (rig.global_transform * bone(rig, "Head").origin).distance_to(head.goal_position)
	var usual: float = off.call()
	head.position_importance = 50.0
	check(off.call() <= usual + 1e-4, "an important head")


func test_an_effectors_target_that_was_replaced_at_its_path_is_found() -> void:
	var rig := humanoid()
	var ik := SinewHumanoidIK.new()
	rig.add_child(ik)
	ik.body_solver = true
	var old := marker(Vector3(0.1, 1.15, 0.15))
	old.name = "Target"
	var effector := SinewHumanEffector.new()
	effector.part = SinewHumanEffector.PART_HEAD
	effector.target = ik.get_path_to(old)
	ik.add_effector(effector)
	update(rig)
	var new := replacement(old, Vector3(-0.1, 1.15, 0.15))
	for frame in 40:
		update(rig)
	check_point(poses[rig.find_bone("Head")].origin, new.global_position, 1e-3, "the head")


func test_other_goals_take_their_time_and_moving_ones_are_followed() -> void:
	var rig := humanoid()
	var hand := rig.find_bone("LeftHand")
	var ik := SinewHumanoidIK.new()
	rig.add_child(ik)
	ik.inertialization_time = 0.5
	var one := marker(Vector3(0.4, 1.3, 0.3))
	var two := marker(Vector3(0.4, 1.0, 0.3))
	ik.left_hand_target = ik.get_path_to(one)
	ik.left_hand_position_weight = 1.0
	for frame in 60:
		update(rig)
	one.global_position.y = 1.2
	update(rig)
	check_point(poses[hand].origin, one.global_position, 1e-4, "the hand at a target that moves")
	check(not ik.is_inertializing(SinewHumanoidIK.GOAL_LEFT_HAND), "a transition without a switch")
	for frame in 30:
		update(rig)
	for how: String in ["node", "properties", "call"]:
		var before := poses[hand].origin
		var goal := two.global_position
		match how:
			"node": ik.left_hand_target = ik.get_path_to(two)
			"properties":
				goal = Vector3(0.5, 1.3, 0.2)
				ik.left_hand_target = NodePath()
				ik.left_hand_position = goal
			"call":
				goal = Vector3(0.3, 1.1, 0.3)
				ik.set_ik_position(SinewHumanoidIK.GOAL_LEFT_HAND, goal)
				ik.inertialize(SinewHumanoidIK.GOAL_LEFT_HAND)
		update(rig)
		check(poses[hand].origin.distance_to(before) < 0.05, "%s: the hand jumps from %s to %s" % [how, before, poses[hand].origin])
		check(ik.is_inertializing(SinewHumanoidIK.GOAL_LEFT_HAND), "%s: no transition" % how)
		for frame in 60:
			update(rig)
		check_point(poses[hand].origin, goal, 3e-3, "%s: the hand after the transition" % how)


func test_a_bone_map_counts_as_it_is_edited() -> void:
	var rig := humanoid()
	var profile := SkeletonProfileHumanoid.new()
	var ik := SinewHumanoidIK.new()
	rig.add_child(ik)
	var map := BoneMap.new()
	ik.bone_map = map
	update(rig)
	check(ik.get_bone_mapping().size() > 20 and ik.get_warnings().is_empty(), "a map without a profile: %s" % [ik.get_warnings()])
	map.profile = profile
	for bone in profile.bone_size:
		map.set_skeleton_bone_name(profile.get_bone_name(bone), profile.get_bone_name(bone))
	update(rig)
	check(ik.get_bone_mapping().has("LeftToes"), "the map was filled, but: %s" % ik.get_bone_mapping())
	map.set_skeleton_bone_name("LeftToes", "")
	update(rig)
	check(ik.get_bone_mapping().size() > 20 and not ik.get_bone_mapping().has("LeftToes"), "the map was edited, but: %s" % ik.get_bone_mapping())


func test_numbers_of_goals_that_are_none() -> void:
	var ik := SinewHumanoidIK.new()
	expect_error("SinewHumanoidIK.set_ik_position: goal is 4, not 0 to 3.")
	ik.set_ik_position(4, Vector3.ONE)
	expect_error("SinewHumanoidIK.get_ik_status: goal is -1, not 0 to 3.")
	check(ik.get_ik_status(-1) == SinewHumanoidIK.STATUS_INACTIVE, "a status")
	expect_error("SinewHumanoidIK.get_effector_status: number is 0, but there are none.")
	check(ik.get_effector_status(0) == SinewHumanoidIK.STATUS_INACTIVE, "a status")
	ik.free()


func test_goals_taken_from_the_pose_change_nothing() -> void:
	for frame: int in [SinewHumanoidIK.ROTATION_GOAL, SinewHumanoidIK.ROTATION_BONE]:
		var rig := humanoid()
		rig.global_transform = Transform3D(Basis(Vector3.UP, 0.7).scaled(Vector3.ONE * 2.0), Vector3(3, 1, -2))
		for name: String in ["LeftUpperArm", "RightLowerArm", "LeftLowerLeg", "Head"]:
			var bone := rig.find_bone(name)
			rig.set_bone_pose_rotation(bone, rig.get_bone_pose_rotation(bone) * Quaternion(Vector3.RIGHT, 0.4))
		var ik := SinewHumanoidIK.new()
		check(not ik.match_goals_from_pose(), "without a skeleton")
		rig.add_child(ik)
		ik.rotation_frame = frame
		check(ik.match_goals_from_pose(), "no goals")
		for goal in 4:
			ik.set_ik_position_weight(goal, 1.0)
			ik.set_ik_rotation_weight(goal, 1.0)
			ik.set_ik_hint_position_weight(goal, 1.0)
		ik.look_at_weight = 1.0
		update(rig)
		for bone in rig.get_bone_count():
			var off := rotations[bone].angle_to(rig.get_bone_pose_rotation(bone))
			check(off < 4e-3, "frame %d: %s turned by %s rad" % [frame, rig.get_bone_name(bone), off])


func test_the_root_that_brings_a_hand_to_a_ledge() -> void:
	var rig := humanoid()
	var ledge := Vector3(0.4, 2.2, 1.0)
	var turn := Quaternion(Vector3.UP, 0.3)
	var ik := SinewHumanoidIK.new()
	rig.add_child(ik)
	var hand := rig.find_bone("LeftHand")
	var before := 0.2
	for step in 10:
		var now := 0.2 + 0.06 * (step + 1)
		var angle := 0.4 * now
		rig.set_bone_pose_rotation(rig.find_bone("LeftUpperArm"), Quaternion(Vector3.RIGHT, angle))
		rig.global_transform = ik.match_target(SinewHumanoidIK.TARGET_LEFT_HAND, ledge, turn, 0.2, 0.8, before, now, Vector3.ONE, 1.0)
		before = now
	check_point(rig.global_transform * rig.get_bone_global_pose(hand).origin, ledge, 1e-4, "the hand at the end")
	var pose := ik.get_target_pose(SinewHumanoidIK.TARGET_LEFT_HAND)
	check_point(pose.origin, ledge, 1e-4, "the hand as measured")
	check(pose.basis.get_rotation_quaternion().angle_to(turn) < 1e-3, "its rotation")
	var place := rig.global_transform
	check(ik.match_target(SinewHumanoidIK.TARGET_LEFT_HAND, Vector3.ZERO, turn, 0.2, 0.8, 0.9, 1.0) == place, "moved after the end")
	expect_error("SinewHumanoidIK.match_target: part is 6, not 0 to 5.")
	check(ik.match_target(6, Vector3.ZERO, turn, 0.2, 0.8, 0.3, 0.4) == place, "a part that is none")
