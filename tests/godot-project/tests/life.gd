extends "res://suite.gd"
## What happens to nodes besides being updated.


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


func test_what_is_missing_is_said() -> void:
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
	var limit := SinewJointLimit.new()
	limit.bone = "tail"
	ik.limits = SinewJointLimits.new()
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
	# A handler may use the node it hears.
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
