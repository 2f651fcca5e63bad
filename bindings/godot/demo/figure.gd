@tool
extends Skeleton3D
## A person made of capsules on the bones of Godot's own humanoid profile. Nothing is fetched: bones
## and meshes are made here.

## Sizes are drawn for these bones only; fingers stay thin.
const THICK := {"Hips": 0.13, "Spine": 0.12, "Chest": 0.125, "UpperChest": 0.13, "Neck": 0.05, "Head": 0.095,
	"LeftUpperArm": 0.045, "LeftLowerArm": 0.038, "RightUpperArm": 0.045, "RightLowerArm": 0.038,
	"LeftUpperLeg": 0.07, "LeftLowerLeg": 0.05, "RightUpperLeg": 0.07, "RightLowerLeg": 0.05, "LeftFoot": 0.04, "RightFoot": 0.04,
	"LeftHand": 0.03, "RightHand": 0.03}
## Where a bone without a good child ends; it is drawn just so long.
const ENDS := {"Head": Vector3(0, 0.26, 0.03)}

@export var color := Color(0.86, 0.66, 0.5)


func _ready() -> void:
	if get_bone_count() > 0:
		return
	var profile := SkeletonProfileHumanoid.new()
	for bone in profile.bone_size:
		add_bone(profile.get_bone_name(bone))
	for bone in profile.bone_size:
		set_bone_parent(bone, find_bone(profile.get_bone_parent(bone)))
		set_bone_rest(bone, profile.get_reference_pose(bone))
	reset_bone_poses()
	for bone in get_bone_count():
		_dress(bone)
	_face()
	# The animation under the IK: arms down.
	_turn("LeftUpperArm", Quaternion(Vector3.BACK, -1.2))
	_turn("RightUpperArm", Quaternion(Vector3.BACK, 1.2))
	# The right hand's fingers close round the cylinder.
	for finger: String in ["Index", "Middle", "Ring", "Little"]:
		for part: String in ["Proximal", "Intermediate", "Distal"]:
			var bone := find_bone("Right%s%s" % [finger, part])
			set_bone_pose_rotation(bone, get_bone_pose_rotation(bone) * Quaternion(Vector3.RIGHT, 0.85))
	for part: String in ["Proximal", "Distal"]:
		var bone := find_bone("RightThumb%s" % part)
		set_bone_pose_rotation(bone, get_bone_pose_rotation(bone) * Quaternion(Vector3.RIGHT, 0.5))


## Turns a bone by a rotation in the skeleton's space.
func _turn(name: String, turn: Quaternion) -> void:
	var bone := find_bone(name)
	var above := get_bone_global_pose(get_bone_parent(bone)).basis.get_rotation_quaternion()
	set_bone_pose_rotation(bone, above.inverse() * turn * above * get_bone_pose_rotation(bone))


## Eyes, before the bones that are the eyes, and a nose, so that one sees where the head looks.
func _face() -> void:
	var to_head := get_bone_global_rest(find_bone("Head")).basis.inverse()
	var holder := BoneAttachment3D.new()
	holder.bone_name = "Head"
	add_child(holder)
	for feature: Array in [[Vector3(0.04, 0.15, 0.097), 0.014, Color(0.1, 0.1, 0.12)], [Vector3(-0.04, 0.15, 0.097), 0.014, Color(0.1, 0.1, 0.12)], [Vector3(0, 0.11, 0.11), 0.018, color]]:
		var mesh := SphereMesh.new()
		mesh.radius = feature[1]
		mesh.height = 2.0 * mesh.radius
		var material := StandardMaterial3D.new()
		material.albedo_color = feature[2]
		mesh.material = material
		var part := MeshInstance3D.new()
		part.mesh = mesh
		part.position = to_head * feature[0]
		holder.add_child(part)


func _dress(bone: int) -> void:
	var name := get_bone_name(bone)
	if name == "Root" or name.ends_with("Eye") or name == "Jaw" or name.ends_with("Shoulder"):
		return
	var end: Vector3 = ENDS.get(name, Vector3.ZERO)
	for child in get_bone_children(bone):
		var place := get_bone_rest(child).origin
		var straight := not (name == "Hips" and get_bone_name(child) != "Spine") and not (name == "UpperChest" and get_bone_name(child) != "Neck")
		if end == Vector3.ZERO and straight and (not name.ends_with("Hand") or get_bone_name(child).contains("Middle")):
			end = place
	if end == Vector3.ZERO:
		end = Vector3(0, 0.025, 0)
	var radius: float = THICK.get(name, 0.011 if not name.ends_with("Toes") else 0.03)
	var mesh := CapsuleMesh.new()
	mesh.radius = radius
	mesh.height = maxf(end.length() + (0.0 if ENDS.has(name) else 1.2 * radius), 2.0 * radius)
	var material := StandardMaterial3D.new()
	var clothes := Color(0.25, 0.36, 0.55) if name.contains("Leg") or name == "Hips" else Color(0.75, 0.33, 0.28)
	var bare := name == "Head" or name == "Neck" or name.contains("LowerArm") or name.contains("Hand") or radius < 0.02
	material.albedo_color = Color(0.2, 0.2, 0.22) if name.contains("Foot") or name.contains("Toes") else (color if bare else clothes)
	material.roughness = 0.8
	mesh.material = material
	var part := MeshInstance3D.new()
	part.mesh = mesh
	var along := end.normalized()
	part.transform = Transform3D(Basis(Quaternion(Vector3.UP, along)) if along.dot(Vector3.UP) > -0.999 else Basis(Vector3.RIGHT, PI), end / 2.0)
	var holder := BoneAttachment3D.new()
	holder.bone_name = name
	add_child(holder)
	holder.add_child(part)
