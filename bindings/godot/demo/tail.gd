@tool
extends Skeleton3D
## A chain of bones made of shrinking capsules.

@export var bones := 14
@export var length := 1.1


func _ready() -> void:
	if get_bone_count() > 0:
		return
	for bone in bones + 1:
		add_bone("tail_%d" % bone)
		set_bone_parent(bone, bone - 1)
		var turn := Basis(Vector3.RIGHT, 0.06) if bone > 0 and bone < bones else Basis()
		set_bone_rest(bone, Transform3D(turn, Vector3(0, length / bones if bone > 0 else 0.0, 0)))
	reset_bone_poses()
	for bone in bones:
		var mesh := CapsuleMesh.new()
		mesh.radius = lerpf(0.06, 0.018, float(bone) / bones)
		mesh.height = length / bones + 1.4 * mesh.radius
		var material := StandardMaterial3D.new()
		material.albedo_color = Color(0.3, 0.55, 0.35).lerp(Color(0.85, 0.8, 0.35), float(bone) / bones)
		mesh.material = material
		var part := MeshInstance3D.new()
		part.mesh = mesh
		part.position.y = 0.5 * length / bones
		var holder := BoneAttachment3D.new()
		holder.bone_name = "tail_%d" % bone
		add_child(holder)
		holder.add_child(part)
