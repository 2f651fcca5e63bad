extends "res://suite.gd"
## The whole body, judged by the poses that Godot ends up with.


func effector(kind: int, bone: String, goal := Vector3.ZERO) -> SinewBodyEffector:
	var made := SinewBodyEffector.new()
	made.kind = kind
	made.bone = bone
	made.goal_position = goal
	return made


func pin(bone: String) -> SinewBodyEffector:
	var made := effector(SinewBodyEffector.KIND_POSITION, bone)
	made.pin = true
	return made


func body_ik(rig: Skeleton3D, effectors: Array, root := "Hips") -> SinewBodyIK:
	var made := SinewBodyIK.new()
	made.root_bone = root if rig.find_bone(root) >= 0 else ""
	var list: Array[SinewBodyEffector] = []
	list.assign(effectors)
	made.effectors = list
	add(rig, made)
	return made


func at(rig: Skeleton3D, bone: String) -> Vector3:
	return (rig.global_transform * poses[rig.find_bone(bone)]).origin


func animated(rig: Skeleton3D, bone: String) -> Vector3:
	return (rig.global_transform * rig.get_bone_global_pose(rig.find_bone(bone))).origin


func test_hands_go_to_goals_while_feet_stay() -> void:
	var rig := humanoid()
	rig.global_transform = Transform3D(Basis(Vector3.UP, 0.7), Vector3(3, 0.5, -2))
	var left := rig.global_transform * Vector3(0.35, 1.25, 0.35)
	var right := rig.global_transform * Vector3(-0.3, 0.7, 0.35)
	var turned := Quaternion(Vector3(1, 2, 0.5).normalized(), 0.8)
	var hand := effector(SinewBodyEffector.KIND_POSITION, "RightHand")
	hand.match_rotation = true
	var ik := body_ik(rig, [effector(SinewBodyEffector.KIND_POSITION, "LeftHand", left), hand, pin("LeftFoot"), pin("RightFoot")])
	hand.target = ik.get_path_to(marker(right, turned))
	update(rig)
	check_point(at(rig, "LeftHand"), left, 1e-3, "the left hand")
	check_point(at(rig, "RightHand"), right, 1e-3, "the right hand")
	var now := (rig.global_transform * poses[rig.find_bone("RightHand")]).basis.get_rotation_quaternion()
	check_near(now.angle_to(turned), 0.0, 6e-3, "the angle left of the right hand")
	for foot: String in ["LeftFoot", "RightFoot"]:
		check_point(at(rig, foot), animated(rig, foot), 1e-3, foot)
	check(ik.status == SinewBodyIK.STATUS_REACHED, "status %s" % ik.get_status_text())
	check(ik.get_warnings().is_empty(), "warnings %s" % ik.get_warnings())
	check(ik.iterations > 0 and ik.residual < 1e-3, "%s iterations, residual %s" % [ik.iterations, ik.residual])
	for number in 4:
		check(ik.get_effector_status(number) == SinewBodyIK.STATUS_REACHED, "effector %d: %d" % [number, ik.get_effector_status(number)])
	expect_error("SinewBodyIK.get_effector_status: number is 4, not 0 to 3.")
	expect_error("SinewBodyIK.get_effector_status: number is -1, not 0 to 3.")
	check(ik.get_effector_status(4) == SinewBodyIK.STATUS_INACTIVE and ik.get_effector_status(-1) == SinewBodyIK.STATUS_INACTIVE, "effectors that are not there")


func test_the_hips_of_a_humanoid_stay_above_the_feet_by_default() -> void:
	var rig := humanoid()
	var hand := effector(SinewBodyEffector.KIND_POSITION, "RightHand", Vector3(-0.3, 0.4, 0.3))
	var ik := body_ik(rig, [hand, pin("LeftFoot"), pin("RightFoot")])
	check(ik.root_posture == -1.0, "the default is %s" % ik.root_posture)
	var hips := {}
	for pull: float in [-1.0, 30.0, 0.0]:
		ik.root_posture = pull
		update(rig)
		hips[pull] = at(rig, "Hips")
	check_point(hips[-1.0], hips[30.0], 1e-6, "the hips of a humanoid")
	check(hips[-1.0].distance_to(hips[0.0]) > 1e-3, "the pull is of no consequence: %s" % hips)


func test_two_people_shake_hands() -> void:
	var rigs: Array[Skeleton3D] = [humanoid(), humanoid()]
	rigs[0].global_transform = Transform3D(Basis(Vector3.UP, 0.4), Vector3(3, 0.5, -2))
	var nodes: Array[SinewBodyIK] = []
	for rig in rigs:
		var hand := effector(SinewBodyEffector.KIND_POSITION, "RightHand")
		hand.point_offset = Vector3(0, 0.08, 0)
		hand.match_rotation = true
		nodes.append(body_ik(rig, [hand, pin("LeftFoot"), pin("RightFoot")]))
	var tie := SinewBodyTie.new()
	var ties := SinewBodyTies.new()
	tree.root.add_child(ties)
	check(ties.process_priority == 1000, "priority %d" % ties.process_priority)
	tie.first = ties.get_path_to(nodes[0])
	tie.second = ties.get_path_to(nodes[1])
	tie.rotation = Quaternion(Vector3.UP, PI)
	ties.ties = [tie] as Array[SinewBodyTie]
	for apart: float in [0.9, 8.0]:
		rigs[1].global_transform = rigs[0].global_transform * Transform3D(Basis(Vector3.UP, PI), Vector3(0, 0, apart))
		ties.meet(1.0 / 60.0)
		var palms: Array[Transform3D] = []
		for rig in rigs:
			update(rig)
			palms.append(rig.global_transform * poses[rig.find_bone("RightHand")] * Transform3D(Basis.IDENTITY, Vector3(0, 0.08, 0)))
		var gap := palms[0].origin.distance_to(palms[1].origin)
		check_near(ties.gap, gap, 2e-3, "the gap at %s m" % apart)
		check_near(ties.get_tie_gap(0), ties.gap, 0.0, "the gap of the tie")
		if apart < 2.0:
			check(ties.status == SinewBodyIK.STATUS_REACHED, "status %s" % ties.get_status_text())
			check(gap < 2e-3, "%s m between the palms" % gap)
			var turned := palms[1].basis.get_rotation_quaternion() * tie.rotation
			check_near(palms[0].basis.get_rotation_quaternion().angle_to(turned), 0.0, 0.02, "the turn of the hands")
			check(nodes[0].get_effector_status(0) == SinewBodyIK.STATUS_REACHED, "the first hand")
		else:
			check(ties.status == SinewBodyIK.STATUS_UNREACHABLE and gap > 1.0, "status %s, %s m" % [ties.get_status_text(), gap])
	check(ties.get_warnings().is_empty(), "warnings %s" % ties.get_warnings())
	# The hand of a body that does not take part is followed where the animation has it.
	rigs[1].global_transform = rigs[0].global_transform * Transform3D(Basis(Vector3.UP, PI), Vector3(0, 0, 0.9))
	nodes[1].effectors[0].blend = 0.0
	ties.meet(1.0 / 60.0)
	update(rigs[0])
	var followed := animated(rigs[1], "RightHand")
	var follower := rigs[0].global_transform * poses[rigs[0].find_bone("RightHand")] * Vector3(0, 0.08, 0)
	check(follower.distance_to(followed) < 0.1, "the followed hand is %s m away" % follower.distance_to(followed))
	# A skeleton that cannot take part leaves the others as they are animated.
	nodes[1].effectors[0].blend = 1.0
	var even := rigs[1].global_transform
	rigs[1].global_transform = even.scaled_local(Vector3(1, 2, 1))
	ties.meet(1.0 / 60.0)
	check(ties.get_warnings().size() == 1, "warnings %s" % ties.get_warnings())
	nodes[0].effectors[0].goal_position = rigs[0].global_transform * Vector3(0.3, 1.2, 0.3)
	nodes[0].effectors[0].goal_rotation = rigs[0].global_basis.get_rotation_quaternion()
	update(rigs[0])
	var own := rigs[0].global_transform * poses[rigs[0].find_bone("RightHand")] * Vector3(0, 0.08, 0)
	check_point(own, nodes[0].effectors[0].goal_position, 1e-3, "the palm whose partner cannot take part")
	rigs[1].global_transform = even
	tie.second_effector = 1
	ties.meet(0.0)
	check(ties.get_warnings().size() == 1 and "or a pin" in ties.get_warnings()[0], "warnings %s" % ties.get_warnings())
	tie.second = tie.first
	ties.meet(0.0)
	check("of one body" in ties.get_warnings()[0], "warnings %s" % ties.get_warnings())
	# Without ties the effectors have goals of their own again.
	ties.queue_free()
	tree.root.remove_child(ties)
	nodes[0].effectors[0].goal_position = rigs[0].global_transform * Vector3(0.3, 1.2, 0.3)
	update(rigs[0])
	var palm := rigs[0].global_transform * poses[rigs[0].find_bone("RightHand")] * Vector3(0, 0.08, 0)
	check_point(palm, nodes[0].effectors[0].goal_position, 1e-3, "the palm without ties")


func test_each_kind_means_what_it_says() -> void:
	var rig := humanoid()
	var kinds := SinewBodyEffector
	# Position on two axes of a point of the hand.
	var masked := effector(kinds.KIND_POSITION, "LeftHand", Vector3(0.5, 1.1, 9.0))
	masked.axes = 3
	masked.point_offset = Vector3(0, 0.08, 0)
	var ik := body_ik(rig, [masked])
	ik.root_moves = false
	update(rig)
	var palm := poses[rig.find_bone("LeftHand")] * Vector3(0, 0.08, 0)
	check_near(Vector2(palm.x, palm.y).distance_to(Vector2(0.5, 1.1)), 0.0, 1e-3, "the palm's way on X and Y")
	# A direction.
	var axis := effector(kinds.KIND_AXIS, "LeftHand")
	axis.direction = Vector3(1, 2, 3)
	ik.effectors = [axis] as Array[SinewBodyEffector]
	update(rig)
	check_near(poses[rig.find_bone("LeftHand")].basis.y.angle_to(Vector3(1, 2, 3)), 0.0, 5e-3, "the hand's axis")
	axis.target = ik.get_path_to(marker(Vector3.ZERO, Quaternion(Vector3.UP, 0.5)))
	update(rig)
	check_near(poses[rig.find_bone("LeftHand")].basis.y.angle_to(Quaternion(Vector3.UP, 0.5) * Vector3.FORWARD), 0.0, 5e-3, "the hand's axis along the node's")
	# A gaze.
	var gaze := effector(kinds.KIND_GAZE, "Head", Vector3(1, 1.2, 2))
	gaze.axis = Vector3(0, 0, 1)
	gaze.point_offset = Vector3(0, 0.1, 0.05)
	ik.effectors = [gaze] as Array[SinewBodyEffector]
	update(rig)
	var head := poses[rig.find_bone("Head")]
	check_near(head.basis.z.angle_to(Vector3(1, 1.2, 2) - head * Vector3(0, 0.1, 0.05)), 0.0, 5e-3, "the gaze")
	# A plane from its upper side, a sphere from outside.
	var floor_plane := effector(kinds.KIND_PLANE, "LeftHand", Vector3(0, 1.6, 0))
	floor_plane.side = 2
	ik.effectors = [floor_plane] as Array[SinewBodyEffector]
	update(rig)
	check(at(rig, "LeftHand").y > 1.6 - 1e-3, "the hand is at %s, below the plane" % at(rig, "LeftHand"))
	var sphere := effector(kinds.KIND_DISTANCE, "LeftHand", animated(rig, "LeftHand") + Vector3(0.02, 0.05, 0))
	sphere.distance = 0.2
	sphere.side = 2
	ik.effectors = [sphere] as Array[SinewBodyEffector]
	update(rig)
	check(at(rig, "LeftHand").distance_to(sphere.goal_position) > 0.2 - 1e-3, "the hand is in the sphere")
	# Hands together, and turned alike.
	var tie := effector(kinds.KIND_RELATIVE_POSITION, "LeftHand")
	tie.other_bone = "RightHand"
	tie.other_point_offset = Vector3(0, 0.1, 0)
	var turn := effector(kinds.KIND_RELATIVE_ORIENTATION, "LeftHand")
	turn.other_bone = "RightHand"
	turn.goal_rotation = Quaternion(Vector3.RIGHT, 0.3)
	ik.effectors = [tie, turn] as Array[SinewBodyEffector]
	update(rig)
	var right := poses[rig.find_bone("RightHand")]
	check_point(at(rig, "LeftHand"), right * Vector3(0, 0.1, 0), 1e-3, "the left hand at the right one")
	var seen := right.basis.get_rotation_quaternion().inverse() * poses[rig.find_bone("LeftHand")].basis.get_rotation_quaternion()
	check_near(seen.angle_to(Quaternion(Vector3.RIGHT, 0.3)), 0.0, 6e-3, "the left hand as seen from the right one")
	# A bone's own rotation, and an elbow's side.
	var own := effector(kinds.KIND_BONE_ROTATION, "LeftLowerArm")
	own.goal_rotation = Quaternion(Vector3(1, 0.2, 0).normalized(), 0.9)
	ik.effectors = [own] as Array[SinewBodyEffector]
	update(rig)
	check_near(rotations[rig.find_bone("LeftLowerArm")].angle_to(own.goal_rotation), 0.0, 6e-3, "the lower arm's rotation")
	for side: Vector3 in [Vector3(0.2, 0.3, -2), Vector3(0.2, 4, 0)]:
		var pole := effector(kinds.KIND_POLE, "LeftLowerArm", side)
		ik.effectors = [effector(kinds.KIND_POSITION, "LeftHand", Vector3(0.35, 1.2, 0.3)), pole] as Array[SinewBodyEffector]
		update(rig)
		var from := at(rig, "LeftUpperArm")
		var along := (at(rig, "LeftHand") - from).normalized()
		var elbow := (at(rig, "LeftLowerArm") - from).slide(along)
		# As the task measures it: along the elbow's circle, which is small for an arm nearly straight.
		check_near(elbow.angle_to((side - from).slide(along)) * elbow.length(), 0.0, 1e-3, "the elbow's side")
	check(ik.get_warnings().is_empty(), "warnings %s" % ik.get_warnings())


func test_blend_fades_and_0_is_absent() -> void:
	var rig := humanoid()
	var goal := Vector3(0.4, 1.2, 0.4)
	var hand := effector(SinewBodyEffector.KIND_POSITION, "LeftHand", goal)
	var ik := body_ik(rig, [hand])
	ik.root_moves = false
	for blend: float in [0.25, 0.5, 1.0]:
		hand.blend = blend
		update(rig)
		check_point(at(rig, "LeftHand"), animated(rig, "LeftHand").lerp(goal, blend), 1e-3, "the hand at blend %s" % blend)
	hand.blend = 0.0
	update(rig)
	for bone in rig.get_bone_count():
		check(rotations[bone] == rig.get_bone_pose_rotation(bone), "bone %d turned at blend 0" % bone)
	check(ik.status == SinewBodyIK.STATUS_INACTIVE, "status at blend 0: %s" % ik.get_status_text())
	hand.blend = 1.0
	hand.goal_position = Vector3(NAN, 0, 0)
	update(rig)
	check(ik.status == SinewBodyIK.STATUS_INACTIVE, "status with a goal that is none: %s" % ik.get_status_text())
	check_point(at(rig, "LeftHand"), animated(rig, "LeftHand"), 0.0, "the hand with a goal that is none")


func test_lower_levels_come_first() -> void:
	var rig := humanoid()
	var near := effector(SinewBodyEffector.KIND_POSITION, "LeftHand", Vector3(0.3, 1.3, 0.4))
	var far := effector(SinewBodyEffector.KIND_POSITION, "RightHand", Vector3(-2.5, 1.3, 0.4))
	far.level = 1
	var ik := body_ik(rig, [near, far, pin("LeftFoot"), pin("RightFoot")])
	update(rig)
	check_point(at(rig, "LeftHand"), near.goal_position, 1e-3, "the hand of level 0")
	check(ik.get_effector_status(0) == SinewBodyIK.STATUS_REACHED and ik.get_effector_status(1) != SinewBodyIK.STATUS_REACHED, "outcomes %d, %d" % [ik.get_effector_status(0), ik.get_effector_status(1)])
	check_near(ik.get_effector_residual(1), at(rig, "RightHand").distance_to(far.goal_position), 1e-4, "what is left of the hand of level 1")
	check(at(rig, "RightHand").distance_to(far.goal_position) < animated(rig, "RightHand").distance_to(far.goal_position) - 0.1, "the hand of level 1 does nothing")
	# Level of detail: level 1 is absent.
	ik.max_level = 0
	update(rig)
	check(ik.get_effector_status(1) == SinewBodyIK.STATUS_INACTIVE, "an effector above max_level: %d" % ik.get_effector_status(1))


## Centre of the masses 1 to n of a chain's bones, each half way to the next bone.
func center_of_chain(bones: int) -> Vector3:
	var sum := Vector3.ZERO
	var total := 0.0
	for bone in bones:
		sum += (bone + 1.0) * (poses[bone].origin + poses[bone + 1].origin) * 0.5
		total += bone + 1.0
	return sum / total


func test_the_centre_of_mass_is_over_its_support() -> void:
	var rig := chain(6, 1.2, 20.0)
	var support := effector(SinewBodyEffector.KIND_SUPPORT, "")
	support.corner_positions = PackedVector3Array([Vector3(-0.1, 0, -0.5), Vector3(0.1, 0, -0.5), Vector3(0.1, 0, -0.3), Vector3(-0.1, 0, -0.3)])
	support.distance = 0.02
	# The bones that move are those above the bones of effectors.
	var end := pin("b6")
	end.level = 1
	var ik := body_ik(rig, [support, end])
	ik.root_moves = false
	ik.mass_bones = PackedStringArray(["b0", "b1", "b2", "b3", "b4", "b5"])
	ik.masses = PackedFloat32Array([1, 2, 3, 4, 5, 6])
	update(rig)
	check(ik.get_effector_status(0) == SinewBodyIK.STATUS_REACHED, "status %s, %s" % [ik.get_status_text(), ik.get_warnings()])
	var center := center_of_chain(6)
	check_point(ik.get_center_of_mass(), center, 1e-5, "the centre of mass")
	check(absf(center.x) < 0.081 and center.z > -0.481 and center.z < -0.319, "the centre is at %s" % center)
	# The same corners as nodes; and the centre itself at a place, on two axes.
	var paths: Array[NodePath] = []
	for corner in support.corner_positions:
		paths.append(ik.get_path_to(marker(corner + Vector3(0, 3, 0.2))))
	support.corners = paths
	update(rig)
	center = center_of_chain(6)
	check(absf(center.x) < 0.081 and center.z > -0.281 and center.z < -0.119, "above the nodes the centre is at %s" % center)
	var over := effector(SinewBodyEffector.KIND_CENTER_OF_MASS, "", Vector3(0.15, 9, 0.1))
	over.axes = 5
	ik.effectors = [over, end] as Array[SinewBodyEffector]
	update(rig)
	center = center_of_chain(6)
	check_near(Vector2(center.x, center.z).distance_to(Vector2(0.15, 0.1)), 0.0, 1e-3, "the centre's way")


func test_human_masses_and_ranges() -> void:
	var rig := humanoid()
	var hand := effector(SinewBodyEffector.KIND_POSITION, "LeftHand", Vector3(0.15, 1.35, 0.25))
	var balance := effector(SinewBodyEffector.KIND_SUPPORT, "")
	var ik := body_ik(rig, [hand, pin("LeftFoot"), pin("RightFoot"), balance])
	ik.human_masses = true
	ik.human_ranges = true
	var corners: Array[Vector3] = [animated(rig, "LeftFoot"), animated(rig, "RightFoot"), animated(rig, "LeftToes"), animated(rig, "RightToes")]
	balance.corner_positions = PackedVector3Array(corners)
	update(rig)
	check_point(at(rig, "LeftHand"), hand.goal_position, 1e-3, "the hand")
	check(ik.status == SinewBodyIK.STATUS_REACHED, "status %s, %s" % [ik.get_status_text(), ik.get_warnings()])
	var center := ik.get_center_of_mass()
	check(center.y > 0.7 and center.y < 1.3 and center.z > corners[0].z - 1e-3, "the centre of mass is at %s" % center)
	# A hand behind the head: the elbow stops at its range, and the range is named.
	hand.goal_position = Vector3(-0.9, 0.9, -0.6)
	update(rig)
	check(not ik.get_limited_bones().is_empty(), "no joint at its range")
	check(ik.get_effector_limited_bones(0).size() <= ik.get_limited_bones().size(), "more joints of one than of all")


func test_limits_hold() -> void:
	var rig := chain(5, 1.0, 40.0)
	var limits := SinewSkeletonLimits.new()
	for bone in range(1, 5):
		var cone := SinewJointLimits.new()
		cone.bone = "b%d" % bone
		cone.cone_angle = deg_to_rad(25.0)
		limits.add(cone)
	var tip := effector(SinewBodyEffector.KIND_POSITION, "b5", Vector3(0.3, 0.1, 0.2))
	var ik := body_ik(rig, [tip])
	ik.root_moves = false
	ik.limits = limits
	update(rig)
	for bone in range(1, 5):
		var rest := rig.get_bone_rest(bone).basis.get_rotation_quaternion()
		var lean := rad_to_deg(((rest.inverse() * rotations[bone]) * Vector3.UP).angle_to(Vector3.UP))
		check(lean < 25.05, "bone %d leans by %s degrees" % [bone, lean])
	check(ik.status != SinewBodyIK.STATUS_REACHED and ik.get_limited_bones().has("b2"), "%s, at limits %s" % [ik.get_status_text(), ik.get_limited_bones()])
	# A resource that changes counts at once.
	for limit in limits.joints:
		limit.cone_angle = deg_to_rad(170.0)
	update(rig)
	check_point(poses[5].origin, tip.goal_position, 1e-3, "the tip with wide limits")


func test_a_bone_slides_along_its_axis_and_not_beyond() -> void:
	var rig := chain(3, 1.0, 0.0)
	var limits := SinewSkeletonLimits.new()
	for bone in range(1, 3):
		var joint := SinewJointLimits.new()
		joint.bone = "b%d" % bone
		joint.kind = SinewJointLimits.FIXED
		if bone == 2:
			joint.slide_axis = Vector3.RIGHT
			joint.slide_min = -0.2
			joint.slide_max = 0.3
		limits.add(joint)
	var tip := effector(SinewBodyEffector.KIND_POSITION, "b3")
	var ik := body_ik(rig, [tip])
	ik.root_moves = false
	ik.limits = limits
	tip.blend = 0.0
	update(rig)
	tip.blend = 1.0
	var start := poses[3].origin
	var from := poses[2].origin
	for way in [0.25, -0.15, 0.9]:
		tip.goal_position = start + Vector3(way, 0.0, 0.0)
		update(rig)
		check_point(poses[2].origin - from, Vector3(minf(way, 0.3), 0.0, 0.0), 1e-3, "the way of the bone to %s" % way)
	check(ik.get_limited_bones().has("b2"), "at its end: %s" % ik.get_limited_bones())
	# Caps in track mode: metres count as radians of the rotation length.
	ik.mode = SinewBodyIK.MODE_TRACK
	ik.track_converge = 0
	ik.posture = 0.0
	ik.track_max_speed = 2.0
	ik.track_max_acceleration = 10.0
	ik.rotation_length = 0.3
	ik.reset_tracking()
	var way := 0.0
	var speed := 0.0
	var fastest := 0.0
	for i in 200:
		update(rig, 0.02)
		var next := (poses[2].origin.x - from.x - way) / 0.02
		check(absf(next) < 0.6 * 1.01, "update %d: %s m/s" % [i, next])
		check(absf(next - speed) < 3.0 * 0.02 * 1.03, "update %d: %s m/s after %s" % [i, next, speed])
		fastest = maxf(fastest, next)
		speed = next
		way = poses[2].origin.x - from.x
	check(fastest > 0.5, "%s m/s at most, the cap is 0.6" % fastest)
	check_near(way, 0.3, 2e-3, "the way of the bone under caps")


func test_any_parent() -> void:
	for transform: Transform3D in [
		Transform3D(Basis(Vector3(1, 2, 3).normalized(), 1.1).scaled(Vector3(2, 2, 2)), Vector3(5, -3, 2)),
		Transform3D(Basis.from_scale(Vector3(2, 0.5, 1.3)), Vector3(0, 1, 0)),
		Transform3D(Basis.from_scale(Vector3(-1, 1, 1)), Vector3(0, 0, 2)),
	]:
		var rig := chain(4, 1.0, 30.0)
		rig.global_transform = transform
		var tip := effector(SinewBodyEffector.KIND_POSITION, "b4", transform * Vector3(0.2, 0.5, 0.3))
		var ik := body_ik(rig, [tip])
		ik.tolerance = 1e-5
		update(rig)
		check_point(transform * poses[4].origin, tip.goal_position, 1e-4, "the tip under %s" % transform)
		check(ik.status == 1, "status under %s: %s" % [transform, ik.get_status_text()])
		var plane := effector(SinewBodyEffector.KIND_PLANE, "b4", transform * Vector3(0.1, 0.6, 0.1))
		plane.direction = Vector3(1, 2, 0.5)
		ik.effectors = [plane] as Array[SinewBodyEffector]
		update(rig)
		var off := (transform * poses[4].origin - plane.goal_position).dot(Vector3(1, 2, 0.5).normalized())
		check_near(off, 0.0, 1e-3, "the way to the plane under %s" % transform)


func test_tracking_approaches_and_comes_back() -> void:
	var rig := humanoid()
	var start := animated(rig, "LeftHand")
	var goal := start + Vector3(-0.2, 0.1, 0.3)
	var hand := effector(SinewBodyEffector.KIND_POSITION, "LeftHand", goal)
	var ik := body_ik(rig, [hand, pin("LeftFoot"), pin("RightFoot")])
	ik.mode = SinewBodyIK.MODE_TRACK
	ik.track_converge = 0
	ik.track_feedback = 5.0
	var last := start.distance_to(goal)
	for i in 60:
		update(rig, 1.0 / 60.0)
		var left := at(rig, "LeftHand").distance_to(goal)
		check(left < last + 1e-4, "update %d: %s m left, after %s" % [i, left, last])
		# 1 - exp(-feedback t) of the way.
		if i % 20 == 19:
			check_near(left, start.distance_to(goal) * exp(-5.0 * (i + 1) / 60.0), 0.015, "what is left after %d updates" % (i + 1))
		last = left
	hand.goal_position = start
	for i in 240:
		update(rig, 1.0 / 60.0)
	for bone in rig.get_bone_count():
		check(rad_to_deg(rotations[bone].angle_to(rig.get_bone_pose_rotation(bone))) < 0.3, "bone %d is not back" % bone)
	# A reset starts at the animation, as a first update does.
	hand.goal_position = goal
	ik.reset_tracking()
	update(rig, 1.0 / 60.0)
	check_near(at(rig, "LeftHand").distance_to(start), start.distance_to(goal) * (1.0 - exp(-5.0 / 60.0)), 5e-3, "the first step after a reset")


func test_a_goal_whose_velocity_counts_is_followed_without_lag() -> void:
	var rig := humanoid()
	var start := animated(rig, "LeftHand")
	var hand := effector(SinewBodyEffector.KIND_POSITION, "LeftHand", start)
	var ik := body_ik(rig, [hand, pin("LeftFoot"), pin("RightFoot")])
	ik.mode = SinewBodyIK.MODE_TRACK
	ik.track_feedback = 10.0
	ik.track_step_time = 0.01
	for follows in [0.0, 1.0]:
		ik.track_goal_velocity = follows
		ik.reset_tracking()
		hand.goal_position = start
		for i in 30:
			hand.goal_position += Vector3(0.0, 0.004, 0.002)
			update(rig, 1.0 / 60.0)
		var left := at(rig, "LeftHand").distance_to(hand.goal_position)
		if follows > 0.0:
			check(left < 2e-3, "%s m left of a goal whose velocity counts" % left)
		else:
			check(left > 5e-3, "%s m left of a goal whose velocity does not count" % left)
	# A whole solve in every update arrives; a cap of acceleration does not let it at once.
	ik.track_converge = 2
	hand.goal_position += Vector3(0.0, 0.05, 0.0)
	update(rig, 1.0 / 60.0)
	check(at(rig, "LeftHand").distance_to(hand.goal_position) < 1e-3, "a whole solve does not arrive")
	ik.track_max_acceleration = 1.0
	hand.goal_position += Vector3(0.0, 0.05, 0.0)
	update(rig, 1.0 / 60.0)
	check(at(rig, "LeftHand").distance_to(hand.goal_position) > 0.02, "the cap of acceleration does nothing")


func test_each_solver_of_tracking_arrives_and_damping_holds_back() -> void:
	var rig := humanoid()
	var start := animated(rig, "LeftHand")
	var goal := start + Vector3(-0.2, 0.1, 0.3)
	var ik := body_ik(rig, [effector(SinewBodyEffector.KIND_POSITION, "LeftHand", goal), pin("LeftFoot"), pin("RightFoot")])
	ik.mode = SinewBodyIK.MODE_TRACK
	ik.track_converge = 0
	# Adaptive, DLS, SDLS; then DLS with so much damping that nothing moves.
	for number in 4:
		ik.track_solver = number if number < 3 else 1
		if number == 3:
			ik.track_damping_max = 100.0
			ik.track_damping_epsilon = 1000.0
		ik.reset_tracking()
		for i in 60:
			update(rig, 1.0 / 60.0)
		var left := at(rig, "LeftHand").distance_to(goal)
		if number < 3:
			check(left < 2e-3, "%s m left by solver %d" % [left, number])
		else:
			check(left > 0.1, "%s m left by damping that holds back" % left)


func test_a_freed_target_is_noticed() -> void:
	var rig := humanoid()
	var hand := effector(SinewBodyEffector.KIND_POSITION, "LeftHand")
	var ik := body_ik(rig, [hand])
	var target := marker(Vector3(0.4, 1.2, 0.4))
	target.name = "handle"
	hand.target = ik.get_path_to(target)
	update(rig)
	check(ik.status == SinewBodyIK.STATUS_REACHED, "status %s" % ik.get_status_text())
	target.free()
	update(rig)
	check(ik.status == SinewBodyIK.STATUS_INACTIVE, "status without a target %s" % ik.get_status_text())
	check("\n".join(ik.get_warnings()).contains("entry 0, target"), "warnings %s" % ik.get_warnings())
	var other := marker(Vector3(0.3, 1.1, 0.4))
	other.name = "handle"
	update(rig)
	check_point(at(rig, "LeftHand"), Vector3(0.3, 1.1, 0.4), 1e-3, "the hand with another target of that name")


func test_missing_parts_are_reported() -> void:
	var rig := humanoid()
	var ik := body_ik(rig, [])
	update(rig)
	check("\n".join(ik.get_warnings()).contains("effectors is empty"), "no effectors: %s" % ik.get_warnings())
	var hand := effector(SinewBodyEffector.KIND_POSITION, "LeftPaw")
	ik.add_effector(hand)
	update(rig)
	check("\n".join(ik.get_warnings()).contains("LeftPaw"), "a wrong bone: %s" % ik.get_warnings())
	hand.bone = "LeftHand"
	hand.goal_position = Vector3(0.4, 1.2, 0.4)
	update(rig)
	check(ik.get_warnings().is_empty() and ik.status == SinewBodyIK.STATUS_REACHED, "all is well, but %s, %s" % [ik.get_status_text(), ik.get_warnings()])
	ik.root_bone = "tail"
	update(rig)
	check("\n".join(ik.get_warnings()).contains("tail"), "a wrong root: %s" % ik.get_warnings())
	ik.root_bone = "Hips"
	hand.kind = SinewBodyEffector.KIND_RELATIVE_POSITION
	update(rig)
	check("\n".join(ik.get_warnings()).contains("another joint"), "no other bone: %s" % ik.get_warnings())


func test_saved_and_loaded_again() -> void:
	var hand := effector(SinewBodyEffector.KIND_POSITION, "LeftHand", Vector3(0.4, 1.2, 0.4))
	hand.axes = 5
	hand.importance = 3.0
	check(ResourceSaver.save(hand, "user://effector.tres") == OK, "saving")
	var loaded: SinewBodyEffector = ResourceLoader.load("user://effector.tres", "", ResourceLoader.CACHE_MODE_IGNORE)
	check(loaded.bone == "LeftHand" and loaded.axes == 5 and loaded.importance == 3.0 and loaded.goal_position == hand.goal_position, "what was saved is not what was loaded")
	var results: Array = []
	for one: SinewBodyEffector in [hand, loaded]:
		var rig := humanoid()
		body_ik(rig, [one])
		update(rig)
		results.append(rotations.duplicate())
	check(results[0] == results[1], "another pose with what was loaded")


func test_lines_change_nothing() -> void:
	var results: Array = []
	for lines: bool in [false, true]:
		var rig := humanoid()
		var balance := effector(SinewBodyEffector.KIND_SUPPORT, "")
		balance.corner_positions = PackedVector3Array([Vector3(-0.2, 0, -0.1), Vector3(0.2, 0, -0.1), Vector3(0, 0, 0.2)])
		var ik := body_ik(rig, [effector(SinewBodyEffector.KIND_POSITION, "LeftHand", Vector3(0.4, 0.5, 0.4)), pin("LeftFoot"), balance])
		ik.human_masses = true
		ik.human_ranges = true
		ik.debug_lines = lines
		for influence: float in [1.0, 0.0, 1.0]:
			ik.influence = influence
			update(rig)
		results.append(rotations.duplicate())
	check(results[0] == results[1], "another pose with lines")


func test_a_bone_is_dragged() -> void:
	var rig := humanoid()
	var ik := body_ik(rig, [])
	var start := animated(rig, "LeftHand")
	var feet := [animated(rig, "LeftFoot"), animated(rig, "RightFoot")]
	# Two bones above the hand turn; the rest keeps its bits, but for rounding of the hand itself.
	var before: Array[Quaternion] = []
	for bone in rig.get_bone_count():
		before.append(rig.get_bone_pose_rotation(bone))
	var goal := start + Vector3(-0.1, 0.12, 0.15)
	check(ik.drag_bone("LeftHand", goal, 2, PackedStringArray(), false) == SinewBodyIK.STATUS_REACHED, "the drag of two bones")
	check_point(animated(rig, "LeftHand"), goal, 1e-3, "the dragged hand")
	for bone in rig.get_bone_count():
		var moves: bool = rig.get_bone_name(bone) in ["LeftUpperArm", "LeftLowerArm"]
		if rig.get_bone_name(bone) == "LeftHand":
			check_near(rig.get_bone_pose_rotation(bone).angle_to(before[bone]), 0.0, 1e-3, "the hand's own turn")
			continue
		check((rig.get_bone_pose_rotation(bone) != before[bone]) == moves, "%s %s" % [rig.get_bone_name(bone), "stays" if moves else "moved"])
	# The hips, with pinned feet.
	goal = animated(rig, "Hips") + Vector3(0.05, -0.2, 0.0)
	check(ik.drag_bone("Hips", goal, 0, PackedStringArray(["LeftFoot", "RightFoot"]), true) == SinewBodyIK.STATUS_REACHED, "the drag of the hips")
	check_point(animated(rig, "Hips"), goal, 1e-3, "the dragged hips")
	check_point(animated(rig, "LeftFoot"), feet[0], 1e-3, "the left foot")
	check_point(animated(rig, "RightFoot"), feet[1], 1e-3, "the right foot")
	check(ik.drag_bone("LeftPaw", goal, 0, PackedStringArray(), false) == SinewBodyIK.STATUS_INACTIVE, "a bone that is not there")
	# A point of the hand, with a rotation.
	var turned := Quaternion(Vector3(1, 2, 0.5).normalized(), 0.8)
	var palm := Vector3(0, 0.08, 0.02)
	goal = animated(rig, "LeftHand") + Vector3(-0.05, -0.1, 0.1)
	check(ik.drag_bone("LeftHand", goal, 4, PackedStringArray(), false, turned, palm) == SinewBodyIK.STATUS_REACHED, "the drag with a rotation")
	var hand := rig.global_transform * rig.get_bone_global_pose(rig.find_bone("LeftHand"))
	check_point(hand * palm, goal, 1e-3, "the palm")
	check(hand.basis.get_rotation_quaternion().angle_to(turned) < 6e-3, "the hand's rotation")
	check(ik.drag_bone("LeftHand", goal, 4, PackedStringArray(), false, Quaternion(NAN, 0, 0, 1)) == SinewBodyIK.STATUS_INACTIVE, "a rotation that is none")
	check(ik.drag_bone("LeftHand", goal, 4, PackedStringArray(), false, turned, Vector3(INF, 0, 0)) == SinewBodyIK.STATUS_INACTIVE, "a point that is none")
	check(hand == rig.global_transform * rig.get_bone_global_pose(rig.find_bone("LeftHand")), "a refused drag moved the hand")


func test_a_bound_on_the_work_ends_an_update_early() -> void:
	var rig := humanoid()
	var goal := Vector3(0.35, 1.25, 0.35)
	var ik := body_ik(rig, [effector(SinewBodyEffector.KIND_POSITION, "LeftHand", goal), pin("LeftFoot"), pin("RightFoot")])
	ik.max_work = 0
	update(rig)
	check(ik.status == SinewBodyIK.STATUS_OUT_OF_ITERATIONS, "status %s without work" % ik.get_status_text())
	ik.max_work = 8000000
	update(rig)
	check_point(at(rig, "LeftHand"), goal, 1e-3, "the left hand")


## A palm on a sphere, as a function of the script: value = distance - |x - c|.
func sphere(joints: Array[Transform3D], center: Vector3, calls: Array) -> Dictionary:
	calls.append(joints.size())
	var x := joints[0] * Vector3(0.05, 0.0, 0.02)
	var way := x - center
	return {
		"value": [0.2 - way.length()],
		"terms": [{"point": x, "force": [way.normalized()]}],
	}


func test_a_callable_computes_rows() -> void:
	var rig := humanoid()
	rig.global_transform = Transform3D(Basis(Vector3.UP, 0.7), Vector3(3, 0.5, -2))
	var center := rig.global_transform * Vector3(0.4, 1.3, 0.4)
	var calls := []
	var hand := effector(SinewBodyEffector.KIND_CALLABLE, "LeftHand")
	hand.axes = 1
	var ik := body_ik(rig, [hand, pin("LeftFoot"), pin("RightFoot")])
	update(rig)
	check(not ik.get_warnings().is_empty(), "an effector without its Callable gives no warning")
	hand.compute = sphere.bind(center, calls)
	update(rig)
	check(ik.status == SinewBodyIK.STATUS_REACHED, "status %s" % ik.get_status_text())
	check(ik.get_warnings().is_empty(), "warnings %s" % ik.get_warnings())
	var palm := rig.global_transform * poses[rig.find_bone("LeftHand")] * Vector3(0.05, 0.0, 0.02)
	check_near(palm.distance_to(center), 0.2, 1e-3, "the palm's distance")
	check(calls.size() > 0 and calls[0] == 3, "calls %s" % [calls.slice(0, 3)])
	hand.compute = func(_joints: Array[Transform3D]) -> Dictionary: return {"value": [NAN], "terms": []}
	update(rig)
	check(ik.status == SinewBodyIK.STATUS_INACTIVE, "rows that are not finite: status %s" % ik.get_status_text())
	check_point(at(rig, "LeftHand"), animated(rig, "LeftHand"), 1e-6, "the hand without rows")


func test_a_bone_follows_another() -> void:
	var rig := humanoid()
	var hand := effector(SinewBodyEffector.KIND_BONE_ROTATION, "RightHand")
	var bone := rig.find_bone("RightHand")
	hand.goal_rotation = rig.get_bone_rest(bone).basis.get_rotation_quaternion() * Quaternion(Vector3.UP, 0.8)
	var ik := body_ik(rig, [hand])
	ik.coupled_bones = PackedStringArray(["LeftHand"])
	ik.coupling_drivers = PackedStringArray(["RightHand"])
	ik.coupling_ratios = PackedFloat32Array([-0.5])
	update(rig)
	check(ik.get_warnings().is_empty(), "warnings %s" % ik.get_warnings())
	var turned := func(name: String) -> float:
		var number := rig.find_bone(name)
		var parent := rig.get_bone_parent(number)
		var local: Transform3D = poses[parent].affine_inverse() * poses[number]
		var q := rig.get_bone_rest(number).basis.get_rotation_quaternion().inverse() * local.basis.get_rotation_quaternion()
		return wrapf(2.0 * atan2(q.y, q.w), -PI, PI)
	check_near(turned.call("RightHand"), 0.8, 6e-3, "the right hand's twist")
	check_near(turned.call("LeftHand"), -0.5 * turned.call("RightHand"), 1e-3, "the left hand's twist")
	ik.coupling_offsets = PackedFloat32Array([0.3])
	update(rig)
	check_near(turned.call("LeftHand"), 0.3 - 0.5 * turned.call("RightHand"), 1e-3, "the left hand's twist with an offset")
	ik.coupling_offsets = PackedFloat32Array([4.0])
	update(rig)
	check("\n".join(ik.get_warnings()).contains("offset"), "warnings %s" % ik.get_warnings())
	ik.coupling_offsets = PackedFloat32Array()
	ik.coupling_drivers = PackedStringArray(["NoSuchBone"])
	update(rig)
	check(not ik.get_warnings().is_empty(), "a driver that does not exist gives no warning")


func test_an_effector_without_a_goal_has_no_effect() -> void:
	var rig := humanoid()
	rig.position = Vector3(20, 0, 0)
	var node := SinewBodyIK.new()
	rig.add_child(node)
	var hand := SinewBodyEffector.new()
	hand.bone = "RightHand"
	node.add_effector(hand)
	update(rig)
	for bone in rig.get_bone_count():
		check(rotations[bone] == rig.get_bone_pose_rotation(bone), "%s turned" % rig.get_bone_name(bone))
	check(node.get_warnings().size() == 1 and node.get_warnings()[0].contains("goal_position"), "warnings %s" % [node.get_warnings()])
	rig.position = Vector3(0.3, -1.2, 0)
	hand.goal_at_origin = true
	update(rig)
	var there := rig.global_transform * poses[rig.find_bone("RightHand")].origin
	check_point(there, Vector3.ZERO, 1e-3, "the hand with the origin as goal")
	check(node.get_warnings().is_empty(), "warnings %s" % [node.get_warnings()])


func test_ties_count_the_influence_of_bodies() -> void:
	var nodes: Array[SinewBodyIK] = []
	for side in 2:
		var rig := humanoid()
		rig.position.z = 0.5 * side
		var node := SinewBodyIK.new()
		rig.add_child(node)
		var hand := SinewBodyEffector.new()
		hand.bone = "RightHand"
		node.add_effector(hand)
		nodes.append(node)
	var ties := SinewBodyTies.new()
	tree.root.add_child(ties)
	var tie := SinewBodyTie.new()
	tie.first = ties.get_path_to(nodes[0])
	tie.second = ties.get_path_to(nodes[1])
	ties.ties = [tie] as Array[SinewBodyTie]
	ties.meet(0.0)
	check(ties.gap < 2e-3, "the gap is %s: %s" % [ties.gap, ties.get_status_text()])
	nodes[1].influence = 0.5
	ties.meet(0.0)
	check(ties.gap > 0.05 and ties.status != SinewBodyIK.STATUS_REACHED, "at half the influence: gap %s, %s" % [ties.gap, ties.get_status_text()])
	check(not ties.get_warnings().is_empty(), "no warning")
	nodes[1].influence = 0.0
	ties.meet(0.0)
	check(ties.status == SinewBodyIK.STATUS_INACTIVE, "without influence: %s" % ties.get_status_text())
	check(not ties.get_warnings().is_empty(), "no warning")


func test_a_bound_on_the_work_of_ties() -> void:
	var rigs: Array[Skeleton3D] = [humanoid(), humanoid()]
	rigs[1].global_transform = Transform3D(Basis(Vector3.UP, PI), Vector3(0, 0, 0.9))
	var ties := SinewBodyTies.new()
	tree.root.add_child(ties)
	var tie := SinewBodyTie.new()
	var nodes: Array[SinewBodyIK] = []
	for rig in rigs:
		nodes.append(body_ik(rig, [effector(SinewBodyEffector.KIND_POSITION, "RightHand"), pin("LeftFoot"), pin("RightFoot")]))
	tie.first = ties.get_path_to(nodes[0])
	tie.second = ties.get_path_to(nodes[1])
	ties.ties = [tie] as Array[SinewBodyTie]
	ties.meet(0.0)
	check(ties.status == SinewBodyIK.STATUS_REACHED and ties.gap < 2e-3, "%s, %s m without a bound" % [ties.get_status_text(), ties.gap])
	ties.max_work = 0
	ties.meet(0.0)
	check(ties.gap > 0.05 and ties.status != SinewBodyIK.STATUS_REACHED, "%s, %s m without any work" % [ties.get_status_text(), ties.gap])
	# The bodies' own updates keep to their own bound.
	for rig in rigs:
		update(rig)
	check(nodes[0].residual < 2e-3, "%s m left in the first body's own update" % nodes[0].residual)


func test_ties_warn_of_what_is_missing() -> void:
	var ties := SinewBodyTies.new()
	tree.root.add_child(ties)
	check("\n".join(ties.get_warnings()).contains("ties is empty"), "warnings %s" % [ties.get_warnings()])
	ties.ties = [SinewBodyTie.new()] as Array[SinewBodyTie]
	ties.meet(0.0)
	check("\n".join(ties.get_warnings()).contains("entry 0"), "warnings %s" % [ties.get_warnings()])
	expect_error("SinewBodyTies.get_tie_gap: number is 1, not 0 to 0.")
	check(ties.get_tie_gap(1) == 0.0, "a gap")


func test_a_callable_that_answers_wrongly_is_reported() -> void:
	var rig := humanoid()
	var ik := SinewBodyIK.new()
	rig.add_child(ik)
	var effector := SinewBodyEffector.new()
	effector.kind = SinewBodyEffector.KIND_CALLABLE
	effector.bone = "LeftHand"
	effector.axes = 1
	var answer := [null]
	effector.compute = func(_at: Array) -> Variant: return answer[0]
	ik.add_effector(effector)
	for wrong: Array in [
		[null, "no Dictionary"],
		[{"value": "1", "terms": []}, "\"value\""],
		[{"value": 1.0, "terms": []}, "\"value\""],
		[{"terms": []}, "\"value\""],
		[{"value": [1.0]}, "\"terms\""],
		[{"value": [1.0], "terms": [{"force": 1.0}]}, "\"terms\""],
		[{"value": [NAN], "terms": []}, "not finite"],
	]:
		answer[0] = wrong[0]
		update(rig)
		check(ik.status == SinewBodyIK.STATUS_INACTIVE, "%s: %s" % [wrong[0], ik.get_status_text()])
		check("\n".join(ik.get_warnings()).contains("effectors, entry 0, compute: ") and "\n".join(ik.get_warnings()).contains(wrong[1]), "%s: %s" % [wrong[0], ik.get_warnings()])
	for right: Variant in [[0.0], [0], [0.0] as Array[float], PackedFloat32Array([0.0]), PackedFloat64Array([0.0])]:
		answer[0] = {"value": right, "terms": []}
		update(rig)
		check(ik.get_warnings().is_empty() and ik.status == SinewBodyIK.STATUS_REACHED, "%s: %s" % [right, ik.get_warnings()])
