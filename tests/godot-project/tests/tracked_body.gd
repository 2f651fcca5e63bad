extends "res://suite.gd"
## SinewTrackedBody with nodes and bodies of the XRServer as trackers. Every place is computed here
## from the bones.

const DT := 1.0 / 60.0
## The floor on which the soles of Godot's profile stand: its origin is at the toes' joints.
const FLOOR := -0.0225
const SIX := {
	SinewTrackedBody.ROLE_HEAD: "Head",
	SinewTrackedBody.ROLE_LEFT_HAND: "LeftHand",
	SinewTrackedBody.ROLE_RIGHT_HAND: "RightHand",
	SinewTrackedBody.ROLE_HIPS: "Hips",
	SinewTrackedBody.ROLE_LEFT_FOOT: "LeftFoot",
	SinewTrackedBody.ROLE_RIGHT_FOOT: "RightFoot",
}


## A player of another size than the figure, whose trackers are mounted anyhow.
class Room:
	var rig: Skeleton3D
	var body: SinewTrackedBody
	var nodes: Array[Node3D] = []
	var places: Array[Vector3] = []
	var size := 1.0

	func mount(number: int) -> Basis:
		return Basis.from_euler(Vector3(0.3 * number, 0.7 * number, -0.2 * number))

	## A place and turn of the player's joint, in the skeleton's space.
	func put(number: int, at: Vector3, turn := Basis()) -> void:
		nodes[number].global_transform = rig.global_transform * Transform3D(turn * mount(number), at)

	func stand() -> void:
		for number in nodes.size():
			put(number, places[number])

	## Where the avatar's joint is to be, skeleton space.
	func wanted(at: Vector3) -> Vector3:
		return at / size


func room(roles: Array, size := 1.0) -> Room:
	var made := Room.new()
	made.size = size
	made.rig = humanoid()
	made.rig.global_transform = Transform3D(Basis(Vector3.UP, 0.8), Vector3(3, 0.4, -2))
	made.body = SinewTrackedBody.new()
	made.rig.add_child(made.body)
	made.body.floor_height = FLOOR * size
	var list: Array[SinewTracker] = []
	for role: int in roles:
		var node := Node3D.new()
		tree.root.add_child(node)
		made.nodes.append(node)
		made.places.append(made.rig.get_bone_global_rest(made.rig.find_bone(SIX[role])).origin * size)
		var entry := SinewTracker.new()
		entry.role = role
		entry.source = made.body.get_path_to(node)
		list.append(entry)
	made.body.trackers = list
	made.stand()
	return made


func at(rig: Skeleton3D, bone: String) -> Vector3:
	return poses[rig.find_bone(bone)].origin


func test_calibrated_in_a_t_pose_the_bones_follow_the_trackers() -> void:
	var it := room(SIX.keys(), 1.1)
	update(it.rig, DT)
	check(not it.body.is_calibrated(), "calibrated by itself")
	check(it.body.calibrate(), "no calibration")
	check(it.body.get_warnings().is_empty(), "warnings %s" % [it.body.get_warnings()])
	var scale: float = JSON.parse_string(it.body.get_calibration_json()).scale
	check_near(scale, 1.0 / 1.1, 0.01, "the scale")
	for frame in 60:
		var t := frame * DT
		it.stand()
		var hand := Vector3(0.3, 1.1 + 0.2 * sin(t), 0.35) * 1.1
		var turn := Basis(Vector3.UP, t)
		it.put(1, hand, turn)
		var foot := it.places[4] + Vector3(0.05, 0.08 + 0.04 * sin(t), 0.1)
		it.put(4, foot)
		update(it.rig, DT)
		check_point(at(it.rig, "LeftHand"), it.wanted(hand), 3e-3, "the hand in frame %d" % frame)
		check_point(at(it.rig, "LeftFoot"), it.wanted(foot), 4e-3, "the foot in frame %d" % frame)
		check_point(at(it.rig, "Head"), it.wanted(it.places[0]), 3e-3, "the head in frame %d" % frame)
	check_near(it.body.get_presence(SinewTrackedBody.ROLE_LEFT_HAND), 1.0, 1e-6, "the part of the hand")
	check(it.body.get_residual(SinewTrackedBody.ROLE_LEFT_HAND) < 1e-3, "%s m off" % it.body.get_residual(1))


func test_influence_0_and_the_time_before_trackers_are_the_animation() -> void:
	var it := room(SIX.keys())
	it.body.calibrate()
	it.body.influence = 0.0
	update(it.rig, DT)
	for bone in it.rig.get_bone_count():
		check(rotations[bone] == it.rig.get_bone_pose_rotation(bone), "%s turned" % it.rig.get_bone_name(bone))


func test_animated_legs_have_the_feet_of_the_animation() -> void:
	var it := room([0, 1, 2])
	check(it.body.calibrate(), "no calibration")
	it.body.prior_weight = 0.0
	# A stride of the figure as an animation has it; the rig keeps it below the modifiers.
	var sides := {"Left": 0.4, "Right": -0.3}
	for side: String in sides:
		var thigh := it.rig.find_bone(side + "UpperLeg")
		var own: Quaternion = it.rig.get_bone_pose_rotation(thigh)
		var parent := it.rig.get_bone_global_pose(it.rig.get_bone_parent(thigh)).basis.get_rotation_quaternion()
		# About the skeleton's X: the figure faces +Z.
		var turn := parent.inverse() * Quaternion(Vector3.RIGHT, -float(sides[side])) * parent
		it.rig.set_bone_pose_rotation(thigh, turn * own)
	it.body.influence = 0.0
	update(it.rig, DT)
	var animated := {}
	for side: String in sides:
		animated[side] = at(it.rig, side + "Foot")
	it.body.influence = 1.0
	it.body.left_leg_weight = 0.0
	it.body.right_leg_weight = 0.0
	var low := Vector3(0, -0.12, 0)
	for frame in 30:
		for number in it.nodes.size():
			it.put(number, it.places[number] + low)
		update(it.rig, DT)
	check_point(at(it.rig, "Head"), it.wanted(it.places[0] + low), 3e-3, "the head")
	for side: String in sides:
		check_point(at(it.rig, side + "Foot"), animated[side], 8e-3, "the foot of the animation, %s" % side)
	it.body.left_leg_weight = 1.0
	it.body.right_leg_weight = 1.0
	for frame in 120:
		update(it.rig, DT)
	var home := at(it.rig, "LeftFoot")
	check(home.distance_to(animated["Left"]) > 0.05, "the foot did not step: %s" % home)


func test_a_tracker_that_is_gone_fades_out() -> void:
	var it := room(SIX.keys())
	check(it.body.calibrate(), "no calibration")
	for frame in 10:
		update(it.rig, DT)
	it.nodes[4].free()
	var last := 1.0
	for frame in 60:
		update(it.rig, DT)
		var now := it.body.get_presence(SinewTrackedBody.ROLE_LEFT_FOOT)
		check(now <= last and last - now < 0.1, "%s after %s" % [now, last])
		last = now
	check_near(last, 0.0, 0.0, "the part of a tracker that is gone")
	check(not it.body.get_warnings().is_empty(), "no warning of the missing node")


func test_calibrations_are_counted_down_saved_and_loaded() -> void:
	var it := room(SIX.keys(), 0.9)
	it.body.calibrate_after(0.5)
	for frame in 20:
		update(it.rig, DT)
	check(not it.body.is_calibrated(), "too early")
	check(it.body.get_calibration_countdown() > 0.0, "no countdown")
	for frame in 20:
		update(it.rig, DT)
	check(it.body.is_calibrated() and it.body.get_calibration_countdown() == -1.0, "too late")
	var saved := it.body.get_calibration_json()
	var other := room(SIX.keys(), 0.9)
	check(other.body.set_calibration_json(saved), "refused")
	check(other.body.get_calibration_json() == saved, "changed on the way")
	update(other.rig, DT)
	check_point(at(other.rig, "Head"), other.wanted(other.places[0]), 3e-3, "the head")
	check(not other.body.set_calibration_json("{\"scale\": 0}"), "a scale of 0 was taken")
	check(not room([SinewTrackedBody.ROLE_LEFT_HAND]).body.calibrate(), "calibrated without a head")


func test_unlabelled_trackers_find_their_roles() -> void:
	var it := room([0, 1, 2])
	update(it.rig, DT)
	var there: Array[Vector3] = []
	for bone: String in ["RightFoot", "Hips", "LeftFoot"]:
		there.append(it.rig.global_transform * it.rig.get_bone_global_rest(it.rig.find_bone(bone)).origin)
	there.append(it.rig.global_transform * Vector3(2, 1, 2))
	var roles := it.body.assign_trackers(there)
	check(Array(roles) == [6, 3, 5, -1], "roles %s" % [roles])


func test_a_remote_player_has_the_same_body() -> void:
	var it := room(SIX.keys())
	check(it.body.calibrate(), "no calibration")
	var far := room([])
	far.body.remote = true
	update(far.rig, DT)
	check(not far.body.receive_packet(PackedByteArray([1, 2, 3])), "three bytes were taken")
	far.body.set_calibration_json(it.body.get_calibration_json())
	var size := 0
	for frame in 90:
		it.stand()
		it.put(1, Vector3(0.3, 1.1 + 0.005 * mini(frame, 60), 0.3))
		update(it.rig, DT)
		var packet := it.body.pack_trackers()
		size = packet.size()
		check(size > 8 and size <= 200, "%d bytes" % size)
		check(far.body.receive_packet(packet), "refused")
		update(far.rig, DT)
	check(size <= 64, "%d bytes at rest" % size)
	update(it.rig, DT)
	var here := poses.duplicate()
	update(far.rig, DT)
	for bone: String in ["Head", "LeftHand", "Hips", "LeftFoot"]:
		var index := it.rig.find_bone(bone)
		check_point(poses[index].origin, here[index].origin, 4e-3, bone)
	check(far.body.get_network_delay() < 0.1, "%s s" % far.body.get_network_delay())


func test_a_body_of_the_xr_server_is_read_and_written() -> void:
	var it := room([])
	var body := XRBodyTracker.new()
	body.name = "/user/test_body"
	var joints := {XRBodyTracker.JOINT_HEAD: "Head", XRBodyTracker.JOINT_LEFT_HAND: "LeftHand", XRBodyTracker.JOINT_RIGHT_HAND: "RightHand", XRBodyTracker.JOINT_HIPS: "Hips"}
	var all := XRBodyTracker.JOINT_FLAG_POSITION_VALID | XRBodyTracker.JOINT_FLAG_POSITION_TRACKED | XRBodyTracker.JOINT_FLAG_ORIENTATION_VALID | XRBodyTracker.JOINT_FLAG_ORIENTATION_TRACKED
	for joint: int in joints:
		body.set_joint_transform(joint, Transform3D(Basis(), it.rig.get_bone_global_rest(it.rig.find_bone(joints[joint])).origin))
		body.set_joint_flags(joint, all)
	# A finger, and where its last joint is while it rests.
	var finger: int = XRBodyTracker.JOINT_LEFT_INDEX_FINGER_PHALANX_DISTAL
	var tip := it.rig.get_bone_global_rest(it.rig.find_bone("LeftIndexDistal"))
	body.set_joint_transform(finger, Transform3D(Basis(), tip.origin))
	body.set_joint_flags(finger, all)
	body.has_tracking_data = true
	XRServer.add_tracker(body)
	it.body.body_tracker = "/user/test_body"
	it.body.output_tracker = "/user/sinew_test"
	update(it.rig, DT)
	check(it.body.calibrate(), "no calibration")
	var head := it.rig.get_bone_global_rest(it.rig.find_bone("Head")).origin + Vector3(0.1, -0.2, 0.1)
	body.set_joint_transform(XRBodyTracker.JOINT_HEAD, Transform3D(Basis(), head))
	update(it.rig, DT)
	check_point(at(it.rig, "Head"), head, 2e-3, "the head")
	var knuckle := it.rig.get_bone_global_rest(it.rig.find_bone("LeftIndexProximal")).origin
	var bent := Basis(Vector3.BACK, -1.2)
	var along := tip.origin - knuckle
	var goal := knuckle + Basis(Vector3.BACK, -0.8) * along * 0.95
	body.set_joint_transform(finger, Transform3D(bent, goal))
	update(it.rig, DT)
	check_point(at(it.rig, "LeftIndexDistal"), goal, 1e-3, "the finger")
	var turned := poses[it.rig.find_bone("LeftIndexDistal")].basis.get_rotation_quaternion()
	var wanted := (bent * tip.basis).get_rotation_quaternion()
	check(turned.angle_to(wanted) < 0.01, "the finger's rotation is %s rad off" % turned.angle_to(wanted))
	var out: XRBodyTracker = XRServer.get_tracker("/user/sinew_test")
	check(out != null and out.has_tracking_data, "no body was written")
	for joint: int in {XRBodyTracker.JOINT_LEFT_HAND: 0, XRBodyTracker.JOINT_LEFT_FOOT: 0, XRBodyTracker.JOINT_RIGHT_LOWER_LEG: 0}:
		check(out.get_joint_flags(joint) == all, "flags %d" % out.get_joint_flags(joint))
	for pair: Array in [[XRBodyTracker.JOINT_HEAD, "Head"], [XRBodyTracker.JOINT_LEFT_FOOT, "LeftFoot"], [XRBodyTracker.JOINT_RIGHT_LOWER_ARM, "RightLowerArm"]]:
		var pose := poses[it.rig.find_bone(pair[1])]
		var given := out.get_joint_transform(pair[0])
		check_point(given.origin, pose.origin, 1e-4, "%s as written" % pair[1])
		# The figure is the profile's own reference pose: rotations are the bones'.
		check(given.basis.get_rotation_quaternion().angle_to(pose.basis.get_rotation_quaternion()) < 2e-3, "rotation of %s as written" % pair[1])
	XRServer.remove_tracker(body)
	it.rig.free()
	check(XRServer.get_tracker("/user/sinew_test") == null, "the written body stays behind")


func test_the_end_of_a_countdown_is_signalled() -> void:
	var ended := []
	for roles: Array in [SIX.keys(), [SinewTrackedBody.ROLE_LEFT_HAND]]:
		var it := room(roles)
		it.body.calibration_ended.connect(func(found: bool) -> void: ended.append(found == it.body.is_calibrated() and found))
		it.body.calibrate_after(0.1)
		for frame in 20:
			update(it.rig, DT)
	check(ended == [true, false], "ended: %s" % [ended])


func test_a_body_is_written_from_a_skeleton_of_any_scale() -> void:
	for size: float in [0.01, 100.0]:
		var it := room([])
		it.rig.scale = Vector3.ONE * size
		it.body.output_tracker = "/user/sinew_scaled"
		it.body.set_tracker(SinewTrackedBody.ROLE_HEAD, it.rig.global_transform * it.rig.get_bone_global_rest(it.rig.find_bone("Head")).orthonormalized(), 1.0)
		check(it.body.calibrate(), "no calibration")
		update(it.rig, DT)
		var out: XRBodyTracker = XRServer.get_tracker("/user/sinew_scaled")
		check(out != null and out.has_tracking_data, "nothing was written at scale %s" % size)
		if out != null:
			var pose := out.get_joint_transform(XRBodyTracker.JOINT_HEAD)
			check_point(pose.origin, at(it.rig, "Head"), 1e-3, "the head at scale %s" % size)
			check(absf(pose.basis.determinant() - 1.0) < 1e-4, "scale of the head %s" % pose.basis.determinant())
		it.rig.free()


func test_a_role_that_is_none() -> void:
	var it := room([])
	expect_error("SinewTrackedBody.set_tracker: role is 25, not 0 to 24.")
	it.body.set_tracker(25, Transform3D.IDENTITY, 1.0)
