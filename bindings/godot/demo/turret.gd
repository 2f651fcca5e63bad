@tool
extends Skeleton3D
## Two bones: a base and a barrel along its +Z.


func _ready() -> void:
	if get_bone_count() > 0:
		return
	add_bone("base")
	add_bone("barrel")
	set_bone_parent(1, 0)
	set_bone_rest(1, Transform3D(Basis(), Vector3(0, 0.35, 0)))
	reset_bone_poses()
	_part(0, BoxMesh.new(), Vector3(0.22, 0.34, 0.22), Vector3(0, 0.17, 0))
	_part(1, BoxMesh.new(), Vector3(0.1, 0.1, 0.55), Vector3(0, 0.05, 0.2))


func _part(bone: int, mesh: BoxMesh, size: Vector3, at: Vector3) -> void:
	mesh.size = size
	var material := StandardMaterial3D.new()
	material.albedo_color = Color(0.5, 0.5, 0.58)
	mesh.material = material
	var part := MeshInstance3D.new()
	part.mesh = mesh
	part.position = at
	var holder := BoneAttachment3D.new()
	holder.bone_name = get_bone_name(bone)
	add_child(holder)
	holder.add_child(part)
