extends "res://suite.gd"
## Recordings. The logs stay in the project: they are replayed after the run, outside of the engine
## (xtask/src/test/godot.rs).

const LOG := "res://.godot/nodes.sinewlog"
const BODIES_LOG := "res://.godot/bodies.sinewlog"


## Local rotations of all bones that 20 frames of several nodes leave.
func play(path := "") -> Array[Quaternion]:
	var all: Array[Quaternion] = []
	var rig := humanoid()
	var ik := SinewHumanoidIK.new()
	rig.add_child(ik)
	var hand := marker(Vector3(-0.4, 1.2, 0.3))
	ik.right_hand_target = ik.get_path_to(hand)
	ik.right_hand_position_weight = 1.0
	ik.look_at_target = ik.get_path_to(hand)
	ik.look_at_weight = 1.0
	var limb := chain(2, 1.0, 20.0)
	limb.position = Vector3(1, 0, 2)
	var limb_ik := two_bone_ik(limb, marker(Vector3(1.3, 0.6, 2.2)))
	limb_ik.pole_direction = Vector3.LEFT
	var tail := chain(8, 2.0, 80.0)
	var tail_target := marker(Vector3(0.3, 1.0, 0.5))
	chain_ik(tail, tail_target)
	for frame in 20:
		if frame == 5 and path != "":
			# The nodes exist already.
			check(Sinew.record_begin(path) == OK, "the recording did not begin")
		hand.position += Vector3(0.02, -0.01, 0.01)
		tail_target.position += Vector3(0.01, 0.02, -0.03)
		for each: Skeleton3D in [rig, limb, tail]:
			update(each)
			all.append_array(rotations)
	if path != "":
		check(Sinew.record_end() == OK, "the recording did not end well")
	return all


func test_recorded_frames_show_the_same() -> void:
	var usual := play()
	for node in tree.root.get_children():
		node.free()
	var recorded := play(LOG)
	check(usual.size() == recorded.size(), "%s and %s rotations" % [usual.size(), recorded.size()])
	var worst := 0.0
	for number in mini(usual.size(), recorded.size()):
		worst = maxf(worst, usual[number].angle_to(recorded[number]))
	check(worst < 1e-3, "a recording turns a bone by %s" % worst)
	var size := FileAccess.get_file_as_bytes(LOG).size()
	check(size > 20_000, "the log has %s bytes" % size)


## Local rotations of all bones that 12 frames of a body, which is dragged, a grounder, a tracked
## body and that of a remote player leave.
func play_bodies(path := "") -> Array[Quaternion]:
	var all: Array[Quaternion] = []
	var ground := StaticBody3D.new()
	var shape := CollisionShape3D.new()
	shape.shape = BoxShape3D.new()
	shape.shape.size = Vector3(20, 1, 20)
	ground.add_child(shape)
	tree.root.add_child(ground)
	# A slope under the feet of the second one.
	ground.global_transform = Transform3D(Basis(Vector3.FORWARD, 0.1), Vector3(0, -0.5, 0))
	# It is there before the first update of the grounder, which the engine makes when it likes.
	for frame in 4:
		await tree.physics_frame
	var rigs: Array[Skeleton3D] = [humanoid(), humanoid(), humanoid(), humanoid()]
	rigs[0].position.x = -2
	rigs[2].position.x = 2
	rigs[3].position.x = 4
	var body := SinewBodyIK.new()
	body.root_bone = "Hips"
	body.human_ranges = true
	body.human_masses = true
	body.mode = SinewBodyIK.MODE_TRACK
	var hand := SinewBodyEffector.new()
	hand.bone = "LeftHand"
	hand.match_rotation = true
	var foot := SinewBodyEffector.new()
	foot.bone = "LeftFoot"
	foot.pin = true
	body.effectors = [hand, foot] as Array[SinewBodyEffector]
	rigs[0].add_child(body)
	rigs[1].add_child(SinewGrounder.new())
	var tracked := SinewTrackedBody.new()
	rigs[2].add_child(tracked)
	var head := marker(rigs[2].position + Vector3(0, 1.5, 0.1))
	var tracker := SinewTracker.new()
	tracker.role = SinewTrackedBody.ROLE_HEAD
	tracker.source = tracked.get_path_to(head)
	tracked.trackers = [tracker] as Array[SinewTracker]
	var remote := SinewTrackedBody.new()
	remote.remote = true
	rigs[3].add_child(remote)
	for frame in 12:
		if frame == 4 and path != "":
			# The nodes exist already.
			check(Sinew.record_begin(path) == OK, "the recording did not begin")
		hand.goal_position = rigs[0].position + Vector3(0.4, 1.0 + 0.03 * frame, 0.3)
		head.position.y -= 0.01
		var goal := rigs[0].position + Vector3(0.5 - 0.02 * frame, 1.1, 0.2)
		body.drag_bone("LeftHand", goal, 2, PackedStringArray(["RightFoot"]), true)
		for rig in rigs:
			update(rig, 1.0 / 60.0)
			all.append_array(rotations)
		check(remote.receive_packet(tracked.pack_trackers()), "packet %s" % frame)
	if path != "":
		check(Sinew.record_end() == OK, "the recording did not end well")
	return all


func test_bodies_feet_and_trackers_show_the_same() -> void:
	var usual := await play_bodies()
	for node in tree.root.get_children():
		node.free()
	var recorded := await play_bodies(BODIES_LOG)
	check(usual.size() == recorded.size(), "%s and %s rotations" % [usual.size(), recorded.size()])
	var worst := 0.0
	for number in mini(usual.size(), recorded.size()):
		worst = maxf(worst, usual[number].angle_to(recorded[number]))
	check(worst < 1e-3, "a recording turns a bone by %s" % worst)
	var count := rotations.size()
	var turn := 0.0
	for number in count:
		turn = maxf(turn, usual[usual.size() - count + number].angle_to(usual[count * 3 + number]))
	check(turn > 0.01, "the remote player does not move")
	check(FileAccess.get_file_as_bytes(BODIES_LOG).size() > 20_000, "the log is too short")
