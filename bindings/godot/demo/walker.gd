extends "res://figure.gd"
## The figure walks on the spot: legs by the law of cosines, feet flat while they stand. Its node is
## carried along by `ground.gd`.

## Metres per second, seconds per cycle, part of the cycle that a foot is in the air.
@export var speed := 1.0
@export var period := 1.05
@export var swing := 0.4
## Seconds into the walk.
@export var time := 0.0
## How much the hips are lowered for the walk, metres.
@export var crouch := 0.05

var _hips := Vector3.ZERO


func _ready() -> void:
	super()
	_hips = get_bone_rest(find_bone("Hips")).origin


## One frame of the walk.
func walk(delta: float) -> void:
	time += delta * (1.0 if speed > 0.0 else 0.0)
	set_bone_pose_position(find_bone("Hips"), _hips - Vector3(0, crouch, 0))
	_step("Left", 0.0)
	_step("Right", 0.5)
	var sway := 0.35 * sin(TAU * time / period) * (1.0 if speed > 0.0 else 0.0)
	_arm("Left", -1.2, -sway)
	_arm("Right", 1.2, sway)


func _arm(side: String, down: float, sway: float) -> void:
	var bone := find_bone(side + "UpperArm")
	var above := get_bone_global_rest(get_bone_parent(bone)).basis.get_rotation_quaternion()
	var turn := Quaternion(Vector3.RIGHT, -sway) * Quaternion(Vector3.BACK, down)
	set_bone_pose_rotation(bone, above.inverse() * turn * above * get_bone_rest(bone).basis.get_rotation_quaternion())


func _step(side: String, phase: float) -> void:
	var names := [side + "UpperLeg", side + "LowerLeg", side + "Foot"]
	var rest: Array[Transform3D] = []
	for name: String in names:
		rest.append(get_bone_global_rest(find_bone(name)))
	var ankle := rest[2].origin
	var pitch := 0.0
	if speed > 0.0:
		var part := fposmod(time / period - phase, 1.0)
		var stride := speed * period
		if part < swing:
			var s := part / swing
			var eased := s * s * (3.0 - 2.0 * s)
			ankle.z += lerpf(-0.5, 0.5, eased) * stride * (1.0 - swing)
			ankle.y += 1.6 * s * s * (1.0 - s) * (1.0 - s) * 1.2
			pitch = 0.5 * sin(TAU * s) * (1.0 - s)
		else:
			ankle.z += (0.5 - (part - swing) / (1.0 - swing)) * stride * (1.0 - swing)
	var hip := rest[0].origin - Vector3(0, crouch, 0)
	var upper := rest[0].origin.distance_to(rest[1].origin)
	var lower := rest[1].origin.distance_to(rest[2].origin)
	var way := ankle - hip
	var far := clampf(way.length(), absf(upper - lower) + 0.01, upper + lower - 0.001)
	var at_hip := acos(clampf((upper * upper + far * far - lower * lower) / (2.0 * upper * far), -1.0, 1.0))
	var along := atan2(way.z, -way.y)
	var thigh := -(along + at_hip)
	var knee_z := hip.z + upper * sin(along + at_hip)
	var knee_y := hip.y - upper * cos(along + at_hip)
	var shin := -atan2(hip.z + far * sin(along) - knee_z, knee_y - (hip.y - far * cos(along)))
	var straight_thigh := -atan2(rest[1].origin.z - rest[0].origin.z, rest[0].origin.y - rest[1].origin.y)
	var straight_shin := -atan2(rest[2].origin.z - rest[1].origin.z, rest[1].origin.y - rest[2].origin.y)
	var turns := [thigh - straight_thigh, shin - straight_shin, pitch]
	for i in 3:
		var bone := find_bone(names[i])
		var above := get_bone_global_pose(get_bone_parent(bone)).basis.get_rotation_quaternion()
		var wanted := Quaternion(Vector3.RIGHT, turns[i]) * rest[i].basis.get_rotation_quaternion()
		set_bone_pose_rotation(bone, above.inverse() * wanted)
