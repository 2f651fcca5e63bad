extends "res://suite.gd"
## Rotations of a humanoid's bones that are set, poses kept, and settings of single limbs.


func humanoid_ik(rig: Skeleton3D) -> SinewHumanoidIK:
	var ik := SinewHumanoidIK.new()
	rig.add_child(ik)
	return ik


func test_bones_take_the_rotations_that_are_set_before_goals() -> void:
	var rig := humanoid()
	rig.global_transform = Transform3D(Basis(Vector3.UP, 0.7), Vector3(3, 0, -2))
	var ik := humanoid_ik(rig)
	var turns := {"Spine": Quaternion(Vector3.RIGHT, 0.3), "LeftIndexProximal": Quaternion(Vector3.FORWARD, 0.5), "LeftUpperArm": Quaternion(Vector3(1, 2, 3).normalized(), 0.6)}
	for name: String in turns:
		var before := ik.get_bone_local_rotation(name)
		check(before == rig.get_bone_pose_rotation(rig.find_bone(name)), "%s: no rotation is set, but %s" % [name, before])
		# Any length: it counts as a rotation.
		ik.set_bone_local_rotation(name, turns[name] * 2.0)
		check(ik.get_bone_local_rotation(name).is_equal_approx(turns[name]), "%s: %s is set" % [name, ik.get_bone_local_rotation(name)])
	update(rig)
	for bone in rig.get_bone_count():
		var name := rig.get_bone_name(bone)
		var wanted: Quaternion = turns.get(name, rig.get_bone_pose_rotation(bone))
		check(rotations[bone].angle_to(wanted) < 1e-3, "%s has %s, not %s" % [name, rotations[bone], wanted])
	# A goal counts after them: the hand reaches, from the spine as it is set.
	var goal := rig.global_transform * Vector3(0.3, 1.2, 0.3)
	ik.left_hand_position = goal
	ik.left_hand_position_weight = 1.0
	update(rig)
	check_point(rig.global_transform * poses[rig.find_bone("LeftHand")].origin, goal, 1e-4, "the hand")
	check(rotations[rig.find_bone("Spine")].angle_to(turns["Spine"]) < 1e-3, "the spine under a goal")
	check(rotations[rig.find_bone("LeftIndexProximal")].angle_to(turns["LeftIndexProximal"]) < 1e-3, "the finger under a goal")
	ik.left_hand_position_weight = 0.0
	ik.clear_bone_local_rotations()
	update(rig)
	for bone in rig.get_bone_count():
		check(rotations[bone] == rig.get_bone_pose_rotation(bone), "%s moved after all was cleared" % rig.get_bone_name(bone))


func test_bones_that_are_none_and_rotations_that_are_none() -> void:
	var rig := humanoid()
	rig.set_bone_name(rig.find_bone("Jaw"), "Chin")
	var ik := humanoid_ik(rig)
	expect_error("SinewHumanoidIK.set_bone_local_rotation: bone is \"Tail\", not the name of a bone in SkeletonProfileHumanoid.")
	ik.set_bone_local_rotation("Tail", Quaternion(Vector3.UP, 0.5))
	expect_error("SinewHumanoidIK.set_bone_local_rotation: bone is \"Jaw\", which the skeleton does not have.")
	ik.set_bone_local_rotation("Jaw", Quaternion(Vector3.UP, 0.5))
	expect_error("SinewHumanoidIK.get_bone_local_rotation: bone is \"Jaw\", which the skeleton does not have.")
	check(ik.get_bone_local_rotation("Jaw") == Quaternion.IDENTITY, "a rotation of a bone that is not there")
	for wrong: Quaternion in [Quaternion(0, 0, 0, 0), Quaternion(NAN, 0, 0, 1)]:
		expect_error("SinewHumanoidIK.set_bone_local_rotation: rotation is ")
		ik.set_bone_local_rotation("Spine", wrong)
	update(rig)
	for bone in rig.get_bone_count():
		check(rotations[bone] == rig.get_bone_pose_rotation(bone), "%s moved" % rig.get_bone_name(bone))
	# Without a skeleton it is not known yet.
	var alone := SinewHumanoidIK.new()
	alone.set_bone_local_rotation("Jaw", Quaternion(Vector3.UP, 0.5))
	rig.add_child(alone)
	update(rig)
	check("\n".join(alone.get_warnings()).contains("Jaw"), "warnings %s" % alone.get_warnings())


func test_the_pose_is_kept_and_the_next_update_changes_nothing() -> void:
	for solver: bool in [false, true]:
		var rig := humanoid()
		rig.global_transform = Transform3D(Basis(Vector3.UP, 0.7), Vector3(3, 0, -2))
		var ik := SinewHumanoidIK.new()
		check(not ik.match_pose_from_goals(), "without a skeleton")
		rig.add_child(ik)
		ik.body_solver = solver
		ik.inertialization_time = 0.3
		ik.set_bone_local_rotation("Head", Quaternion(Vector3.UP, 0.4))
		var goal := rig.global_transform * Vector3(-0.3, 1.2, 0.3)
		ik.right_hand_position = goal
		ik.right_hand_position_weight = 1.0
		ik.look_at_position = rig.global_transform * Vector3(0.5, 1.5, 2)
		ik.look_at_weight = 0.5
		var chest := SinewHumanEffector.new()
		chest.part = SinewHumanEffector.PART_CHEST
		chest.pin = true
		ik.add_effector(chest)
		for frame in 60:
			update(rig)
		var solved := rotations.duplicate()
		check(ik.match_pose_from_goals(), "no pose")
		check_point(rig.global_transform * rig.get_bone_global_pose(rig.find_bone("RightHand")).origin, goal, 3e-3, "the hand of the pose")
		for bone in rig.get_bone_count():
			check(rig.get_bone_pose_rotation(bone).angle_to(solved[bone]) < 4e-3, "%s is not as solved" % rig.get_bone_name(bone))
		check(ik.right_hand_position_weight == 0.0 and ik.look_at_weight == 0.0 and chest.position_weight == 0.0, "weights are left")
		for frame in 2:
			update(rig)
			for bone in rig.get_bone_count():
				check(rotations[bone] == rig.get_bone_pose_rotation(bone), "solver %s: %s moved" % [solver, rig.get_bone_name(bone)])


func test_nothing_is_kept_of_a_pose_that_is_not_finite() -> void:
	var rig := humanoid()
	var ik := humanoid_ik(rig)
	ik.left_hand_position = Vector3(0.3, 1.2, 0.3)
	ik.left_hand_position_weight = 1.0
	rig.set_bone_pose_position(rig.find_bone("Spine"), Vector3(INF, 0, 0))
	check(not ik.match_pose_from_goals(), "a pose")
	check(ik.left_hand_position_weight == 1.0, "the weight is gone")


func test_shoulders_and_pulls_of_single_limbs() -> void:
	var far := 0.3
	var clavicle := func(side: String, set_up: Callable) -> float:
		var rig := humanoid()
		var ik := humanoid_ik(rig)
		ik.shoulder_weight = 1.0
		for name: String in ["left", "right"]:
			var hand := rig.get_bone_global_rest(rig.find_bone(name.capitalize() + "Hand")).origin
			ik.set(name + "_hand_position", hand + Vector3(0.1 * signf(hand.x), far, far))
			ik.set(name + "_hand_position_weight", 1.0)
		set_up.call(ik)
		update(rig)
		return off_rest_degrees(rig, rig.find_bone(side + "Shoulder"))
	var none := func(_ik: SinewHumanoidIK) -> void: pass
	var left_off := func(ik: SinewHumanoidIK) -> void: ik.left_hand_shoulder_weight = 0.0
	check(clavicle.call("Left", none) > 3.0, "the left clavicle turns by %s degrees" % clavicle.call("Left", none))
	check_near(clavicle.call("Left", left_off), 0.0, 0.1, "degrees of the left clavicle at factor 0")
	check_near(clavicle.call("Right", left_off), clavicle.call("Right", none), 0.01, "degrees of the right clavicle")
	# Pull: hips go after the hand, unless it is that hand's factor.
	var sunk := func(name: String, factor: float) -> float:
		var rig := humanoid()
		var ik := humanoid_ik(rig)
		ik.pull_weight = 1.0
		var hand := rig.get_bone_global_rest(rig.find_bone("RightHand")).origin
		ik.right_hand_position = hand + Vector3(-0.2, 0, 0)
		ik.right_hand_position_weight = 1.0
		ik.set(name, factor)
		update(rig)
		return poses[rig.find_bone("Hips")].origin.distance_to(rig.get_bone_global_rest(rig.find_bone("Hips")).origin)
	var whole: float = sunk.call("right_hand_pull_weight", 1.0)
	check(whole > 0.1, "the hips moved by %s" % whole)
	check_near(sunk.call("right_hand_pull_weight", 0.0), 0.0, 1e-5, "the hips without the hand's pull")
	check_near(sunk.call("left_hand_pull_weight", 0.0), whole, 1e-6, "the hips without the other hand's pull")
	var half: float = sunk.call("right_hand_pull_weight", 0.5)
	check(half > 0.2 * whole and half < 0.8 * whole, "half a pull moves the hips by %s of %s" % [half, whole])


func test_transitions_of_single_limbs() -> void:
	var rig := humanoid()
	var ik := humanoid_ik(rig)
	ik.right_hand_inertialization_time = 0.5
	for frame in 5:
		update(rig)
	for name: String in ["left", "right"]:
		var hand := rig.get_bone_global_rest(rig.find_bone(name.capitalize() + "Hand")).origin
		ik.set(name + "_hand_position", hand + Vector3(-0.2 * signf(hand.x), -0.2, 0.2))
		ik.set(name + "_hand_position_weight", 1.0)
	update(rig)
	check(ik.is_inertializing(SinewHumanoidIK.GOAL_RIGHT_HAND), "no transition of the right hand")
	check(not ik.is_inertializing(SinewHumanoidIK.GOAL_LEFT_HAND), "a transition of the left hand")
	check_point(poses[rig.find_bone("LeftHand")].origin, ik.left_hand_position, 1e-4, "the left hand")
	check(poses[rig.find_bone("RightHand")].origin.distance_to(ik.right_hand_position) > 0.05, "the right hand is there at once")
	# A time of 0 of its own comes before that of all.
	ik.inertialization_time = 0.5
	ik.left_hand_inertialization_time = 0.0
	ik.left_hand_position += Vector3(0, 0.1, 0)
	ik.inertialize(SinewHumanoidIK.GOAL_LEFT_HAND)
	update(rig)
	check_point(poses[rig.find_bone("LeftHand")].origin, ik.left_hand_position, 1e-4, "the left hand with no time")


func test_a_bound_on_the_work_of_the_body_solver() -> void:
	var rig := humanoid()
	var ik := humanoid_ik(rig)
	ik.body_solver = true
	ik.right_hand_position = rig.get_bone_global_rest(rig.find_bone("RightHand")).origin + Vector3(0.1, -0.5, 0.5)
	ik.right_hand_position_weight = 1.0
	ik.max_work = 0
	update(rig)
	var bounded := ik.get_ik_residual(SinewHumanoidIK.GOAL_RIGHT_HAND)
	ik.max_work = 8000000
	update(rig)
	check(ik.get_ik_residual(SinewHumanoidIK.GOAL_RIGHT_HAND) < 3e-3, "%s m left" % ik.get_ik_residual(SinewHumanoidIK.GOAL_RIGHT_HAND))
	check(bounded > 0.05, "%s m left without work" % bounded)
