extends RefCounted
## What tests share: rigs, updates, and checks that look at the pose Godot ends up with.

var tree: SceneTree
## Global poses of all bones as the last update left them, skeleton space. Godot takes modifications
## back after the update.
var poses: Array[Transform3D]
## Local rotations of all bones as the last update left them.
var rotations: Array[Quaternion]


func _init(scene_tree: SceneTree) -> void:
	tree = scene_tree


func check(condition: bool, why: String) -> void:
	if not condition:
		tree.fail(why)


## The engine is about to print an error that begins with this text. Other errors are failures, and
## so is one that is not printed.
func expect_error(text: String) -> void:
	print("expected error: ", text)


func check_near(value: float, expected: float, tolerance: float, what: String) -> void:
	check(absf(value - expected) <= tolerance, "%s is %s, not %s" % [what, value, expected])


func check_point(point: Vector3, expected: Vector3, tolerance: float, what: String) -> void:
	check(point.distance_to(expected) <= tolerance, "%s is at %s, not at %s: %s off" % [what, point, expected, point.distance_to(expected)])


## A skeleton with modifiers run on demand.
func skeleton() -> Skeleton3D:
	var made := Skeleton3D.new()
	made.modifier_callback_mode_process = Skeleton3D.MODIFIER_CALLBACK_MODE_PROCESS_MANUAL
	made.skeleton_updated.connect(read.bind(made))
	return made


func read(rig: Skeleton3D) -> void:
	poses.clear()
	rotations.clear()
	for bone in rig.get_bone_count():
		poses.append(rig.get_bone_global_pose(bone))
		rotations.append(rig.get_bone_pose_rotation(bone))


## A chain of bones along +Y, each turned by the same angle about `axis`; the last bone is the tip.
func chain(bones: int, length := 1.0, bend_degrees := 57.0, axis := Vector3.RIGHT) -> Skeleton3D:
	var made := skeleton()
	var turn := Quaternion(axis, deg_to_rad(bend_degrees) / maxi(1, bones - 1))
	for bone in bones + 1:
		made.add_bone("b%d" % bone)
		made.set_bone_parent(bone, bone - 1)
		var rotation := Quaternion.IDENTITY if bone == 0 or bone == bones else turn
		var place := Vector3.ZERO if bone == 0 else Vector3(0, length / bones, 0)
		made.set_bone_rest(bone, Transform3D(Basis(rotation), place))
	made.reset_bone_poses()
	tree.root.add_child(made)
	return made


## Godot's own humanoid profile as a skeleton: 56 bones in a T-pose.
func humanoid() -> Skeleton3D:
	var made := skeleton()
	var profile := SkeletonProfileHumanoid.new()
	for bone in profile.bone_size:
		made.add_bone(profile.get_bone_name(bone))
	for bone in profile.bone_size:
		made.set_bone_parent(bone, made.find_bone(profile.get_bone_parent(bone)))
		made.set_bone_rest(bone, profile.get_reference_pose(bone))
	made.reset_bone_poses()
	tree.root.add_child(made)
	return made


func marker(at: Vector3, rotation := Quaternion.IDENTITY) -> Node3D:
	var made := Node3D.new()
	tree.root.add_child(made)
	made.global_position = at
	made.quaternion = rotation
	return made


## Another node at a marker's path.
func replacement(old: Node3D, at: Vector3) -> Node3D:
	var path_name := old.name
	old.name = "Old"
	var made := marker(at)
	made.name = path_name
	return made


## One update; `poses` are filled from inside it.
func update(rig: Skeleton3D, delta := 1.0 / 60.0) -> void:
	poses.clear()
	rig.advance(delta)
	rig.notification(Skeleton3D.NOTIFICATION_UPDATE_SKELETON)
	if poses.is_empty():
		# Nothing moved, so nothing was signalled.
		read(rig)


## Updates of a rig, in none of which a bone moves by more than `most` metres.
func glide(rig: Skeleton3D, updates: int, most: float, what: String) -> void:
	var last := poses.duplicate()
	for i in updates:
		update(rig)
		for bone in poses.size():
			var step: float = poses[bone].origin.distance_to(last[bone].origin)
			check(step < most, "%s: bone %d moved by %s in update %d" % [what, bone, step, i])
		last = poses.duplicate()


func add(rig: Skeleton3D, modifier: SkeletonModifier3D, target: Node3D = null) -> void:
	rig.add_child(modifier)
	if target != null:
		modifier.set("target", modifier.get_path_to(target))


func chain_ik(rig: Skeleton3D, target: Node3D = null) -> SinewChainIK:
	var made := SinewChainIK.new()
	made.end_bone = rig.get_bone_name(rig.get_bone_count() - 1)
	add(rig, made, target)
	return made


func two_bone_ik(rig: Skeleton3D, target: Node3D = null) -> SinewTwoBoneIK:
	var made := SinewTwoBoneIK.new()
	made.end_bone = rig.get_bone_name(rig.get_bone_count() - 1)
	add(rig, made, target)
	return made


## Points a chain from the origin of the given length can reach.
func targets(count: int, length: float, random_seed := 7) -> Array[Vector3]:
	var random := RandomNumberGenerator.new()
	random.seed = random_seed
	var made: Array[Vector3] = []
	while made.size() < count:
		var p := Vector3(random.randf_range(-1, 1), random.randf_range(-1, 1), random.randf_range(-1, 1))
		if p.length() > 0.3 and p.length() < 0.9:
			made.append(p * length)
	return made


## Largest angle between a bone's pose and its rest, degrees.
func off_rest_degrees(rig: Skeleton3D, bone: int) -> float:
	var rest := rig.get_bone_rest(bone).basis.get_rotation_quaternion()
	return rad_to_deg((rest.inverse() * rotations[bone]).normalized().get_angle())


## A box whose top is at `top.y`.
func box(top: Vector3, size: Vector3, type := StaticBody3D) -> PhysicsBody3D:
	var body: PhysicsBody3D = type.new()
	var shape := CollisionShape3D.new()
	shape.shape = BoxShape3D.new()
	shape.shape.size = size
	body.add_child(shape)
	tree.root.add_child(body)
	body.global_position = top - Vector3(0, size.y / 2.0, 0)
	return body
