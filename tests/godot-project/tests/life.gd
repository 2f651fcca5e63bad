extends "res://suite.gd"
## Life cycle of nodes: everything except updates.


func test_switched_off_it_leaves_the_pose_alone() -> void:
	var rig := chain(4)
	var ik := chain_ik(rig, marker(Vector3(0.3, 0.4, 0.2)))
	var rest := rig.get_bone_global_pose(4).origin
	for i in 3:
		ik.active = false
		update(rig)
		check_point(poses[4].origin, rest, 0.0, "the tip, switched off")
		ik.active = true
		update(rig)
		check_point(poses[4].origin, Vector3(0.3, 0.4, 0.2), 1e-5, "the tip, switched on")
	ik.influence = 0.5
	update(rig)
	check(poses[4].origin.distance_to(rest) > 0.05 and poses[4].origin.distance_to(Vector3(0.3, 0.4, 0.2)) > 0.02, "half the influence: %s" % poses[4].origin)


func test_the_animation_below_is_followed() -> void:
	var rig := chain(3)
	var ik := chain_ik(rig, marker(Vector3(0.3, 0.4, 0.2)))
	ik.position_weight = 0.0
	for i in 4:
		rig.set_bone_pose_rotation(0, Quaternion(Vector3.FORWARD, 0.2 * i))
		var animated := rig.get_bone_global_pose(3).origin
		update(rig)
		check_point(poses[3].origin, animated, 1e-6, "the tip")
	ik.position_weight = 1.0
	rig.set_bone_pose_position(1, Vector3(0, 0.5, 0))
	update(rig)
	check_point(poses[3].origin, Vector3(0.3, 0.4, 0.2), 1e-5, "the tip of a chain the animation made longer")


func test_any_parent() -> void:
	for transform: Transform3D in [
		Transform3D(Basis(Vector3(1, 2, 3).normalized(), 1.1), Vector3(5, -3, 2)),
		Transform3D(Basis.from_scale(Vector3(2, 2, 2)), Vector3(1, 0, 0)),
		Transform3D(Basis.from_scale(Vector3(2, 0.5, 1.3)), Vector3(0, 1, 0)),
		Transform3D(Basis.from_scale(Vector3(-1, 1, 1)), Vector3(0, 0, 2)),
		Transform3D(Basis(Vector3.UP, 0.6) * Basis.from_scale(Vector3(1.5, 0.8, 1.0)) * Basis(Vector3.RIGHT, 0.7), Vector3(0, 0, 2)),
	]:
		for kind: int in [0, 1]:
			var rig := chain(2 + 2 * kind, 1.0, 30.0)
			rig.global_transform = transform
			var target := marker(transform * Vector3(0.2, 0.5, 0.3))
			var ik: SkeletonModifier3D = chain_ik(rig, target) if kind == 1 else two_bone_ik(rig, target)
			update(rig)
			check_point(transform * poses[2 + 2 * kind].origin, target.global_position, 2e-5, "the tip under %s" % transform)
			check(ik.status == 1, "status under %s: %s" % [transform, ik.get_status_text()])


func test_a_freed_target_is_noticed() -> void:
	var rig := chain(3)
	var target := marker(Vector3(0.3, 0.4, 0.2))
	var ik := chain_ik(rig, target)
	update(rig)
	check(ik.status == SinewChainIK.STATUS_REACHED, "status %s" % ik.get_status_text())
	target.name = "handle"
	ik.target = ik.get_path_to(target)
	target.free()
	update(rig)
	check(ik.status == SinewChainIK.STATUS_INACTIVE, "status without a target %s" % ik.get_status_text())
	check_point(poses[3].origin, rig.get_bone_global_pose(3).origin, 0.0, "the tip without a target")
	var other := marker(Vector3(-0.3, 0.4, 0.2))
	other.name = "handle"
	update(rig)
	check_point(poses[3].origin, Vector3(-0.3, 0.4, 0.2), 1e-5, "the tip with another target of that name")
	tree.root.remove_child(other)
	update(rig)
	check(ik.status == SinewChainIK.STATUS_INACTIVE, "status with a target outside the tree %s" % ik.get_status_text())
	other.free()


func test_a_skeleton_freed_while_the_modifier_lives() -> void:
	var first := chain(3)
	var second := chain(5)
	var target := marker(Vector3(0.3, 0.4, 0.2))
	var ik := chain_ik(first, target)
	update(first)
	first.remove_child(ik)
	first.free()
	second.add_child(ik)
	ik.end_bone = "b5"
	ik.target = ik.get_path_to(target)
	update(second)
	check_point(poses[5].origin, Vector3(0.3, 0.4, 0.2), 1e-5, "the tip of the other skeleton")
	second.free()
	check(not is_instance_valid(ik), "the modifier outlived its parent")


func test_bones_that_change() -> void:
	var rig := chain(3)
	var ik := chain_ik(rig, marker(Vector3(0.3, 0.4, 0.2)))
	update(rig)
	rig.add_bone("more")
	rig.set_bone_parent(4, 3)
	rig.set_bone_rest(4, Transform3D(Basis(), Vector3(0, 0.3, 0)))
	rig.reset_bone_poses()
	ik.end_bone = "more"
	update(rig)
	check_point(poses[4].origin, Vector3(0.3, 0.4, 0.2), 1e-5, "the new bone")
	rig.set_bone_name(4, "renamed")
	update(rig)
	check(ik.status == SinewChainIK.STATUS_INACTIVE, "its bone has another name, but: %s" % ik.get_status_text())
	ik.end_bone = "renamed"
	update(rig)
	check(ik.status == SinewChainIK.STATUS_REACHED, "status %s" % ik.get_status_text())
	rig.clear_bones()
	update(rig)
	check(ik.status == SinewChainIK.STATUS_INACTIVE, "no bones, but: %s" % ik.get_status_text())


func test_saved_and_loaded_again() -> void:
	var scene := Node3D.new()
	scene.name = "scene"
	tree.root.add_child(scene)
	var rig := chain(4)
	rig.reparent(scene)
	rig.name = "rig"
	var target := marker(Vector3(0.3, 0.4, 0.2))
	target.reparent(scene)
	target.name = "target"
	var ik := chain_ik(rig, target)
	ik.max_attempts = 12
	ik.pole_direction = Vector3.RIGHT
	for node: Node in [rig, target, ik]:
		node.owner = scene
	update(rig)
	var before := poses[4].origin
	var packed := PackedScene.new()
	check(packed.pack(scene) == OK, "packing")
	check(ResourceSaver.save(packed, "user://scene.tscn") == OK, "saving")
	for i in 3:
		scene.free()
		var loaded: PackedScene = ResourceLoader.load("user://scene.tscn", "", ResourceLoader.CACHE_MODE_IGNORE)
		scene = loaded.instantiate()
		tree.root.add_child(scene)
		rig = scene.get_node("rig")
		rig.skeleton_updated.connect(func() -> void: poses.assign([rig.get_bone_global_pose(4)]))
		ik = rig.get_child(0)
		check(ik.max_attempts == 12 and ik.pole_direction == Vector3.RIGHT and ik.target == NodePath("../../target"), "properties were lost: %s" % ik.target)
		update(rig)
		check(poses[0].origin == before, "loaded, the tip is at %s, not at %s" % [poses[0].origin, before])
	scene.free()


func test_numbers_that_are_none() -> void:
	var rig := chain(3)
	var ik := chain_ik(rig)
	var rest := rig.get_bone_global_pose(3).origin
	ik.target_source = SinewChainIK.TARGET_PROPERTIES
	ik.target_position = Vector3(NAN, 0, INF)
	update(rig)
	check_point(poses[3].origin, rest, 0.0, "the tip with a target that is no point")
	ik.target_position = Vector3(0.3, 0.4, 0.2)
	ik.end_rotation = SinewChainIK.END_MATCH_TARGET
	ik.target_rotation = Quaternion(0, 0, 0, 0)
	update(rig)
	check_point(poses[3].origin, Vector3(0.3, 0.4, 0.2), 1e-5, "the tip with a rotation that is none")
	rig.scale = Vector3(1, 0, 1)
	update(rig)
	rig.scale = Vector3.ONE
	update(rig)
	check_point(poses[3].origin, Vector3(0.3, 0.4, 0.2), 1e-5, "the tip after a scale of zero")


func test_missing_parts_are_reported() -> void:
	var alone := SinewChainIK.new()
	tree.root.add_child(alone)
	check("\n".join(alone.get_warnings()).contains("Skeleton3D"), "no skeleton: %s" % alone.get_warnings())
	alone.free()
	var rig := chain(3)
	var ik := SinewChainIK.new()
	rig.add_child(ik)
	update(rig)
	check("\n".join(ik.get_warnings()).contains("End Bone is not set"), "no bone: %s" % ik.get_warnings())
	ik.end_bone = "b9"
	update(rig)
	check("\n".join(ik.get_warnings()).contains("b9"), "a wrong bone: %s" % ik.get_warnings())
	ik.end_bone = "b3"
	ik.target = NodePath("../nobody")
	update(rig)
	check("\n".join(ik.get_warnings()).contains("path of target"), "a wrong path: %s" % ik.get_warnings())
	var limit := SinewJointLimits.new()
	limit.bone = "tail"
	ik.limits = SinewSkeletonLimits.new()
	ik.limits.add(limit)
	update(rig)
	check("\n".join(ik.get_warnings()).contains("tail"), "limits of a bone that is not there: %s" % ik.get_warnings())
	ik.limits = null
	ik.target = ik.get_path_to(marker(Vector3(0.3, 0.4, 0.2)))
	update(rig)
	check(ik.get_warnings().is_empty(), "all is well, but %s" % ik.get_warnings())


func test_the_status_is_signalled() -> void:
	var rig := chain(3)
	var target := marker(Vector3(0.3, 0.4, 0.2))
	var ik := chain_ik(rig, target)
	var heard: Array[int] = []
	# A signal handler may use the node that emits it.
	ik.status_changed.connect(func(status: int) -> void:
		heard.append(status)
		ik.position_weight = ik.position_weight)
	update(rig)
	update(rig)
	target.global_position = Vector3(0, 5, 0)
	update(rig)
	update(rig)
	check(heard == [1, 2], "heard %s" % [heard])


func test_debug_lines_come_and_go() -> void:
	var rig := chain(3)
	var ik := chain_ik(rig, marker(Vector3(0.3, 0.4, 0.2)))
	for i in 4:
		ik.debug_lines = i % 2 == 0
		update(rig)
	ik.debug_lines = true
	update(rig)
	check(ik.status == SinewChainIK.STATUS_REACHED, "status %s" % ik.get_status_text())


func test_lines_of_every_kind_change_nothing() -> void:
	for kind in 5:
		for weight: float in [0.0, 1.0]:
			var results: Array = []
			for lines: bool in [false, true]:
				var rig := chain(4, 1.0, 40.0)
				var ik := chain_ik(rig, marker(Vector3(0.2, 0.6, 0.3)))
				var limits := SinewSkeletonLimits.new()
				for bone in 4:
					var limit := SinewJointLimits.new()
					limit.bone = "b%d" % bone
					limit.kind = kind if bone % 2 == 1 else SinewJointLimits.CONE
					limit.twist_min = -0.5
					limit.twist_max = 0.25
					limits.add(limit)
				ik.limits = limits
				ik.tip_offset = Vector3(0, 0.05, 0)
				ik.distance_mode = kind % 4
				ik.distance = 0.1
				ik.pole_direction = Vector3.RIGHT
				ik.position_weight = weight
				ik.pole_weight = weight
				ik.debug_lines = lines
				# Twice: input for the lines of one update must not be in the next.
				update(rig)
				update(rig)
				results.append(rotations.duplicate())
			check(results[0] == results[1], "kind %d, weight %s: another pose with lines" % [kind, weight])


func test_two_modifiers_one_after_the_other() -> void:
	var rig := chain(6)
	var first := chain_ik(rig, marker(rig.get_bone_global_rest(3).origin + Vector3(0.1, -0.05, 0)))
	first.end_bone = "b3"
	var point := rig.get_bone_global_rest(3).origin + Vector3(0.3, 0.2, 0.1)
	var second := chain_ik(rig, marker(point))
	second.root_bone = "b3"
	update(rig)
	check_point(poses[3].origin, rig.get_bone_global_rest(3).origin + Vector3(0.1, -0.05, 0), 1e-5, "the first tip")
	check_point(poses[6].origin, point, 1e-5, "the second tip")


## Bits of the local poses, as the animation set them or an update left them.
func bits(rig: Skeleton3D) -> PackedByteArray:
	var numbers := PackedFloat32Array()
	for bone in rig.get_bone_count():
		var place := rig.get_bone_pose_position(bone)
		var turn := rotations[bone] if rotations.size() > bone else rig.get_bone_pose_rotation(bone)
		numbers.append_array([place.x, place.y, place.z, turn.x, turn.y, turn.z, turn.w])
	return numbers.to_byte_array()


func test_weight_0_and_influence_0_leave_the_animation_bit_for_bit() -> void:
	for kind: String in ["limb", "chain", "look", "humanoid"]:
		var rig := humanoid() if kind == "humanoid" else chain(2 if kind == "limb" else 5, 1.0, 33.0)
		var target := marker(Vector3(0.3, 0.4, 0.2))
		rotations.clear()
		var animated := bits(rig)
		var node: SkeletonModifier3D
		var weight := "position_weight"
		match kind:
			"limb":
				node = two_bone_ik(rig, target)
				node.softness = 0.5
			"chain": node = chain_ik(rig, target)
			"look":
				node = SinewAim.new()
				node.end_bone = "b4"
				node.bone_count = 3
				add(rig, node, target)
				weight = "weight"
			"humanoid":
				node = SinewHumanoidIK.new()
				rig.add_child(node)
				node.left_hand_target = node.get_path_to(target)
				weight = "left_hand_position_weight"
		var status := func() -> int: return node.get_ik_status(SinewHumanoidIK.GOAL_LEFT_HAND) if kind == "humanoid" else node.status
		for off: Array in [[weight, 0.0], ["influence", 0.0]]:
			node.set(weight, 1.0)
			node.influence = 1.0
			update(rig)
			check(bits(rig) != animated and status.call() != 0, "%s: nothing moved" % kind)
			node.set(off[0], off[1])
			update(rig)
			check(bits(rig) == animated, "%s: %s 0 moved something" % [kind, off[0]])
			check(status.call() == 0, "%s: %s 0 and status %s" % [kind, off[0], status.call()])


func test_weight_0_still_lets_poles_and_limits_count() -> void:
	var rig := chain(2, 1.0, 60.0)
	var ik := two_bone_ik(rig, marker(Vector3(0.3, 0.4, 0.2)))
	ik.position_weight = 0.0
	ik.pole_direction = Vector3.RIGHT
	var tip := rig.get_bone_global_pose(2).origin
	update(rig)
	check_point(poses[2].origin, tip, 1e-5, "the tip")
	check(poses[1].origin.x > 0.2, "no swivel: %s" % poses[1].origin)
	ik.pole_direction = Vector3.ZERO
	var limits := SinewSkeletonLimits.new()
	var fixed := SinewJointLimits.new()
	fixed.bone = "b1"
	fixed.kind = SinewJointLimits.HINGE
	fixed.hinge_min = 0.0
	fixed.hinge_max = deg_to_rad(10.0)
	limits.add(fixed)
	ik.limits = limits
	rig.set_bone_pose_rotation(1, rig.get_bone_rest(1).basis.get_rotation_quaternion() * Quaternion(Vector3.RIGHT, 1.0))
	update(rig)
	var turned := (rig.get_bone_rest(1).basis.get_rotation_quaternion().inverse() * rotations[1]).get_angle()
	check(turned < deg_to_rad(10.1), "a limit of 10 degrees, turned by %s" % rad_to_deg(turned))


## What the inspector shows of a property.
func shown(object: Object, name: String) -> Dictionary:
	for property in object.get_property_list():
		if property.name == name:
			return property
	return {}


func test_the_inspector_has_units_and_leaves_out_what_has_no_meaning() -> void:
	for kind: String in ["SinewTwoBoneIK", "SinewChainIK", "SinewSplineIK", "SinewCopyRotation", "SinewAim", "SinewHumanoidIK", "SinewBodyIK"]:
		var node: Node = ClassDB.instantiate(kind)
		for property in node.get_property_list():
			var name: String = property.name
			if not property.usage & PROPERTY_USAGE_EDITOR or not ClassDB.class_get_property_list(kind, true).any(func(own: Dictionary) -> bool: return own.name == name):
				continue
			if property.type == TYPE_FLOAT:
				check(property.hint == PROPERTY_HINT_RANGE or property.hint_string.contains("suffix"), "%s.%s has no range" % [kind, name])
			if property.type == TYPE_VECTOR3 and (name.ends_with("position") or name.ends_with("offset")):
				check(property.hint_string.contains("suffix:m"), "%s.%s has no unit" % [kind, name])
			if name.contains("angle") or name.begins_with("roll_") and name != "roll_to_nodes":
				check(property.hint_string.contains("radians_as_degrees"), "%s.%s is not in degrees: %s" % [kind, name, property.hint_string])
		node.free()
	var limit := SinewJointLimits.new()
	limit.kind = SinewJointLimits.CONE
	check(shown(limit, "cone_angle").usage & PROPERTY_USAGE_EDITOR and not shown(limit, "hinge_min").usage & PROPERTY_USAGE_EDITOR, "a cone's properties")
	limit.kind = SinewJointLimits.HINGE
	check(not shown(limit, "cone_angle").usage & PROPERTY_USAGE_EDITOR and shown(limit, "hinge_min").usage & PROPERTY_USAGE_EDITOR, "a hinge's properties")
	check(shown(limit, "cone_angle").usage & PROPERTY_USAGE_STORAGE, "what is not shown is saved all the same")


func test_every_class_has_an_icon() -> void:
	var config := ConfigFile.new()
	check(config.load("res://addons/sinew/sinew.gdextension") == OK, "no .gdextension")
	for kind in ClassDB.get_class_list():
		if kind.begins_with("Sinew"):
			var icon: String = config.get_value("icons", kind, "")
			check(FileAccess.file_exists(icon), "%s has no icon: \"%s\"" % [kind, icon])


func test_limits_are_drawn_on_any_skeleton() -> void:
	for kind in [SinewJointLimits.FREE, SinewJointLimits.CONE, SinewJointLimits.ELLIPSE, SinewJointLimits.HINGE, SinewJointLimits.FIXED]:
		var rig := chain(3)
		rig.transform = Transform3D(Basis.from_scale(Vector3(1, -2, 3)), Vector3.ONE)
		var ik := chain_ik(rig, marker(Vector3(0.3, 0.4, 0.2)))
		var limits := SinewSkeletonLimits.new()
		var limit := SinewJointLimits.new()
		limit.bone = "b1"
		limit.kind = kind
		limits.add(limit)
		ik.limits = limits
		ik.debug_lines = true
		ik.pole_direction = Vector3.RIGHT
		update(rig)
		check(ik.status > 0, "kind %d: status %s" % [kind, ik.get_status_text()])


func test_a_target_that_was_replaced_at_its_path_is_found() -> void:
	var rig := chain(3)
	var old := marker(Vector3(0.3, 0.5, 0.2))
	old.name = "Target"
	var ik := chain_ik(rig, old)
	update(rig)
	var new := replacement(old, Vector3(-0.3, 0.5, 0.2))
	for frame in 40:
		update(rig)
	check_point(poses[3].origin, new.global_position, 1e-3, "the tip")
	# One that was given another parent counts on.
	var parent := marker(Vector3.ZERO)
	new.reparent(parent)
	new.global_position = Vector3(0.2, 0.4, -0.3)
	for frame in 40:
		update(rig)
	check_point(poses[3].origin, new.global_position, 1e-3, "the tip after the target went elsewhere")
	check(ik.status == SinewChainIK.STATUS_REACHED, ik.get_status_text())


func test_a_disabled_bone_counts_at_rest() -> void:
	# The engine shows it at rest, whatever its pose.
	var rig := humanoid()
	for name: String in ["Spine", "LeftShoulder"]:
		rig.set_bone_pose_rotation(rig.find_bone(name), Quaternion(Vector3.FORWARD, 0.6))
		rig.set_bone_enabled(rig.find_bone(name), false)
	var goal := marker(Vector3(0.35, 1.2, 0.3))
	var ik := SinewHumanoidIK.new()
	rig.add_child(ik)
	ik.left_hand_target = ik.get_path_to(goal)
	ik.left_hand_position_weight = 1.0
	for frame in 8:
		update(rig)
	check_point(poses[rig.find_bone("LeftHand")].origin, goal.global_position, 1e-3, "the hand")
	for name: String in ["Spine", "LeftShoulder"]:
		rig.set_bone_enabled(rig.find_bone(name), true)
	for frame in 8:
		update(rig)
	check_point(poses[rig.find_bone("LeftHand")].origin, goal.global_position, 1e-3, "the hand with all bones enabled")


func test_lists_take_arrays_of_any_type() -> void:
	# As properties of the engine do: scripts that do not know a node's type have untyped arrays.
	for list: Array in [
		["SinewChainIK", "more_targets", [^"../a", "../b"]],
		["SinewSplineIK", "point_nodes", [^"../a", ^"../b"]],
		["SinewBodyEffector", "corners", [^"../a", ^"../b"]],
		["SinewHumanoidIK", "effectors", [SinewHumanEffector.new(), null]],
		["SinewBodyIK", "effectors", [SinewBodyEffector.new(), null]],
		["SinewSkeletonLimits", "joints", [SinewJointLimits.new(), null]],
		["SinewTrackedBody", "trackers", [SinewTracker.new(), null]],
		["SinewBodyTies", "ties", [SinewBodyTie.new(), null]],
	]:
		var made: Object = ClassDB.instantiate(list[0])
		var name := "%s.%s" % [list[0], list[1]]
		made.set(list[1], list[2])
		var taken: Array = made.get(list[1])
		check(taken.size() == 2 and taken.is_typed() and str(taken[0]) == str(list[2][0]), "%s is %s" % [name, taken])
		expect_error("%s: entry 1 is 7, not a" % name)
		made.set(list[1], [list[2][0], 7])
		check(str(made.get(list[1])) == str(taken), "%s is %s after a wrong entry" % [name, made.get(list[1])])
		made.set(list[1], [])
		check(made.get(list[1]).is_empty() and made.get(list[1]).is_typed(), "%s is not empty" % name)
		if made is Node:
			made.free()


func test_a_thread_of_its_own_is_reported() -> void:
	for kind: String in ["SinewTwoBoneIK", "SinewHumanoidIK", "SinewBodyIK", "SinewGrounder", "SinewTrackedBody"]:
		var above := Node3D.new()
		tree.root.add_child(above)
		var rig := chain(2)
		rig.reparent(above)
		var node: Node = ClassDB.instantiate(kind)
		rig.add_child(node)
		check(not "\n".join(node.get_warnings()).contains("thread"), "%s: %s" % [kind, node.get_warnings()])
		above.process_thread_group = Node.PROCESS_THREAD_GROUP_SUB_THREAD
		check("\n".join(node.get_warnings()).contains("thread"), "%s: %s" % [kind, node.get_warnings()])
		above.free()
