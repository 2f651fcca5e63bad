extends "res://suite.gd"
## Recordings. The log of the first test stays in the project: it is replayed after the run, outside
## of the engine (xtask/src/test/godot.rs).

const LOG := "res://.godot/nodes.sinewlog"


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
