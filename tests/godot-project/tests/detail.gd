extends "res://suite.gd"
## Levels of detail of a humanoid, and of a whole body.


func reacher(rig: Skeleton3D) -> SinewHumanoidIK:
	var ik := SinewHumanoidIK.new()
	rig.add_child(ik)
	ik.right_hand_position_weight = 1.0
	return ik


## One that is solved in every n-th update.
func every_nth(rig: Skeleton3D, n: int) -> SinewHumanoidIK:
	var ik := reacher(rig)
	ik.detail_level = SinewHumanoidIK.DETAIL_EVERY_NTH
	ik.detail_interval = n
	return ik


## Updates in which the hand's goal moves.
func play(rig: Skeleton3D, ik: SinewHumanoidIK, frames: int) -> void:
	for frame in frames:
		ik.right_hand_position = goal(frame)
		update(rig)


func check_animation(rig: Skeleton3D, when: String) -> void:
	for bone in rig.get_bone_count():
		check(rotations[bone] == rig.get_bone_pose_rotation(bone), "%s: %s is not the animation" % [when, rig.get_bone_name(bone)])


func goal(frame: int) -> Vector3:
	return Vector3(-0.35, 1.2 + 0.1 * sin(0.1 * frame), 0.3)


func hand(rig: Skeleton3D) -> Vector3:
	return poses[rig.find_bone("RightHand")].origin


func test_every_nth_follows_late_and_without_a_jump() -> void:
	for n: int in [1, 4]:
		var rig := humanoid()
		var ik := every_nth(rig, n)
		var last := Vector3.ZERO
		var exact := 0
		for frame in 60:
			ik.right_hand_position = goal(frame)
			update(rig)
			var off := hand(rig).distance_to(goal(frame))
			exact += 1 if off < 1e-5 else 0
			check(off < 0.01 * 2.5 * n, "n %d: %s m off in frame %d" % [n, off, frame])
			if frame > 0:
				check(hand(rig).distance_to(last) < 0.025, "n %d: a jump of %s m in frame %d" % [n, hand(rig).distance_to(last), frame])
			last = hand(rig)
		check(exact == 60 if n == 1 else exact < 20, "n %d: %d frames are exact" % [n, exact])
		# A goal that stands is met, and a weight of 0 gives the animation back.
		for frame in 3 * n:
			update(rig)
		check_point(hand(rig), goal(59), 1e-4, "n %d: the hand at a goal that stands" % n)
		ik.right_hand_position_weight = 0.0
		for frame in 3 * n:
			update(rig)
		check_animation(rig, "n %d" % n)


func test_back_to_full_without_a_jump() -> void:
	var rig := humanoid()
	var ik := every_nth(rig, 8)
	play(rig, ik, 40)
	ik.detail_level = SinewHumanoidIK.DETAIL_FULL
	var last := hand(rig)
	for frame in range(40, 80):
		ik.right_hand_position = goal(frame)
		update(rig)
		check(hand(rig).distance_to(last) < 0.03, "a jump of %s m in frame %d" % [hand(rig).distance_to(last), frame])
		last = hand(rig)
	check_point(hand(rig), goal(79), 1e-5, "the hand")


func test_off_is_the_animation() -> void:
	var rig := humanoid()
	var ik := reacher(rig)
	ik.right_hand_position = goal(0)
	update(rig)
	check(ik.get_ik_status(SinewHumanoidIK.GOAL_RIGHT_HAND) == SinewHumanoidIK.STATUS_REACHED, "not reached")
	ik.detail_level = SinewHumanoidIK.DETAIL_OFF
	update(rig)
	check(ik.get_ik_status(SinewHumanoidIK.GOAL_RIGHT_HAND) == SinewHumanoidIK.STATUS_INACTIVE, "status %d" % ik.get_ik_status(3))
	check_animation(rig, "Off")
	ik.detail_level = SinewHumanoidIK.DETAIL_FULL
	update(rig)
	check_point(hand(rig), goal(0), 1e-5, "the hand, back from Off")


func test_fewer_iterations_of_the_body_solver() -> void:
	var residual := func(part: float) -> float:
		var rig := humanoid()
		var ik := reacher(rig)
		ik.body_solver = true
		ik.right_hand_position = Vector3(-0.3, 0.4, 0.6)
		ik.detail_level = SinewHumanoidIK.DETAIL_FEWER_ITERATIONS
		ik.detail_iterations = part
		update(rig)
		return ik.get_ik_residual(SinewHumanoidIK.GOAL_RIGHT_HAND)
	check(residual.call(1.0) < 3e-3, "%s m left with all iterations" % residual.call(1.0))
	check(residual.call(0.0) > 0.02, "%s m left with one iteration" % residual.call(0.0))


func test_levels_by_distance() -> void:
	var camera := Camera3D.new()
	tree.root.add_child(camera)
	camera.make_current()
	var rig := humanoid()
	var ik := reacher(rig)
	ik.detail_level = SinewHumanoidIK.DETAIL_OFF
	ik.detail_distance = 10.0
	ik.right_hand_position = goal(0)
	for step: Array in [[5.0, true], [15.0, false], [9.0, true]]:
		camera.global_position = Vector3(0, 0, step[0])
		update(rig)
		check((hand(rig).distance_to(goal(0)) < 1e-5) == step[1], "at %s m the hand is at %s" % [step[0], hand(rig)])
	# From another distance on it is off, whatever the level.
	ik.detail_level = SinewHumanoidIK.DETAIL_FULL
	ik.detail_distance = 0.0
	ik.detail_off_distance = 30.0
	for step: Array in [[5.0, true], [15.0, true], [40.0, false]]:
		camera.global_position = Vector3(0, 0, step[0])
		update(rig)
		check((hand(rig).distance_to(goal(0)) < 1e-5) == step[1], "off from 30 m: at %s m the hand is at %s" % [step[0], hand(rig)])


func test_a_kept_pose_is_the_result_of_now() -> void:
	var rig := humanoid()
	var ik := every_nth(rig, 10)
	play(rig, ik, 25)
	check(ik.match_pose_from_goals(), "no pose")
	check_point(rig.get_bone_global_pose(rig.find_bone("RightHand")).origin, goal(24), 1e-4, "the hand")
	for frame in 12:
		update(rig)
		check_animation(rig, "update %d" % frame)


func test_a_snapshot_at_every_nth_shows_the_next_result() -> void:
	var rig := humanoid()
	var ik := every_nth(rig, 10)
	play(rig, ik, 25)
	check(ik.restore_snapshot(ik.get_snapshot()), "it was not restored")
	ik.right_hand_position = goal(40)
	update(rig)
	check_point(hand(rig), goal(40), 1e-5, "the hand")


func test_after_influence_0_the_result_is_that_of_now() -> void:
	var rig := humanoid()
	var ik := every_nth(rig, 10)
	play(rig, ik, 25)
	ik.influence = 0.0
	update(rig)
	ik.influence = 1.0
	ik.right_hand_position = goal(40)
	update(rig)
	check_point(hand(rig), goal(40), 1e-5, "the hand")


## A person whose right hand reaches, feet pinned.
func body(rig: Skeleton3D) -> SinewBodyIK:
	var ik := SinewBodyIK.new()
	ik.root_bone = "Hips"
	for foot: String in ["LeftFoot", "RightFoot"]:
		var pin := SinewBodyEffector.new()
		pin.bone = foot
		pin.pin = true
		ik.add_effector(pin)
	var reach := SinewBodyEffector.new()
	reach.bone = "RightHand"
	ik.add_effector(reach)
	rig.add_child(ik)
	return ik


func play_body(rig: Skeleton3D, ik: SinewBodyIK, frames: int, first := 0) -> Array[Vector3]:
	var hands: Array[Vector3] = []
	for frame in range(first, first + frames):
		ik.effectors[2].goal_position = goal(frame)
		update(rig)
		hands.append(hand(rig))
	return hands


func test_a_body_at_every_nth_follows_late_and_without_a_jump() -> void:
	for mode: int in [SinewBodyIK.MODE_CONVERGE, SinewBodyIK.MODE_TRACK]:
		var rig := humanoid()
		var ik := body(rig)
		ik.mode = mode
		ik.track_max_speed = 0.0
		ik.detail_level = SinewBodyIK.DETAIL_EVERY_NTH
		ik.detail_interval = 4
		var hands := play_body(rig, ik, 60)
		var exact := 0
		for frame in 60:
			var off := hands[frame].distance_to(goal(frame))
			exact += 1 if off < 1e-3 else 0
			check(off < 0.1 or frame < 8, "mode %d: %s m off in frame %d" % [mode, off, frame])
			if frame > 8:
				check(hands[frame].distance_to(hands[frame - 1]) < 0.025, "mode %d: a jump in frame %d" % [mode, frame])
		check(exact < 40, "mode %d: %d frames are exact" % [mode, exact])
		check(ik.status != SinewBodyIK.STATUS_INACTIVE, "mode %d: inactive" % mode)
		# A goal that stands is met.
		for frame in 20:
			update(rig)
		check_point(hand(rig), goal(59), 2e-3, "mode %d: the hand at a goal that stands" % mode)


func test_levels_of_a_body() -> void:
	var rig := humanoid()
	var ik := body(rig)
	play_body(rig, ik, 1)
	var full: Array[Quaternion] = rotations.duplicate()
	check_point(hand(rig), goal(0), 1e-3, "the hand")
	ik.detail_level = SinewBodyIK.DETAIL_OFF
	update(rig)
	check(ik.status == SinewBodyIK.STATUS_INACTIVE, "status %d when it is off" % ik.status)
	check_animation(rig, "Off")
	ik.detail_level = SinewBodyIK.DETAIL_FEWER_ITERATIONS
	ik.detail_iterations = 0.0
	update(rig)
	check(ik.residual > 0.02 and ik.iterations <= 2, "%s m left after %d iterations" % [ik.residual, ik.iterations])
	ik.detail_iterations = 1.0
	update(rig)
	check(rotations == full, "all iterations give another pose than Full")
	# By distance, as a humanoid's.
	var camera := Camera3D.new()
	tree.root.add_child(camera)
	camera.make_current()
	ik.detail_level = SinewBodyIK.DETAIL_FULL
	ik.detail_off_distance = 30.0
	for step: Array in [[5.0, true], [40.0, false], [15.0, true]]:
		camera.global_position = Vector3(0, 0, step[0])
		update(rig)
		check((hand(rig).distance_to(goal(0)) < 1e-3) == step[1], "at %s m the hand is at %s" % [step[0], hand(rig)])


func test_a_body_restored_at_every_nth_shows_the_next_result() -> void:
	var rig := humanoid()
	var ik := body(rig)
	ik.detail_level = SinewBodyIK.DETAIL_EVERY_NTH
	ik.detail_interval = 10
	play_body(rig, ik, 25)
	check(ik.restore_snapshot(ik.get_snapshot()), "it was not restored")
	play_body(rig, ik, 1, 40)
	check_point(hand(rig), goal(40), 1e-3, "the hand")
