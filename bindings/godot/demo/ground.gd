extends Node3D
## Feet on the ground: stairs, a slope, rocks and a lift, each with a figure whose animation knows
## of flat ground only. Space switches the grounders off and on.
##
## `-- --screenshot FILE` saves a picture after some seconds and ends; `-- --frames N` ends after N
## frames and prints how far standing soles are from the ground; `-- --lines` draws debug lines.

const Walker := preload("res://walker.gd")
const SPEED := 0.85
## Where the walk turns back to its start, metres.
const FAR := 4.2

var walkers: Array[Skeleton3D] = []
var lift: AnimatableBody3D
var time := 0.0
var frames := 0
var last_frame := -1
var picture := ""
var lines := false
## Sum and greatest of what standing soles are off the ground, metres.
var off_sum := 0.0
var off_most := 0.0
var off_count := 0


func _ready() -> void:
	var arguments := OS.get_cmdline_user_args()
	for i in arguments.size():
		var value := arguments[i + 1] if i + 1 < arguments.size() else ""
		if arguments[i] == "--screenshot":
			picture = value
		elif arguments[i] == "--frames" and value.is_valid_int():
			last_frame = int(value)
		elif arguments[i] == "--lines":
			lines = true
	# Only the frame of the picture is drawn.
	RenderingServer.render_loop_enabled = picture == ""
	_box(Vector3(0, 0, 0), Vector3(14, 0.4, 16), Color(0.4, 0.42, 0.42))
	for step in 8:
		_box(Vector3(-3.0, 0.15 * (step + 1), 0.29 * step + 3.0), Vector3(1.5, 0.15 * (step + 1), 6.0), Color(0.62, 0.55, 0.48))
	var slope := _box(Vector3.ZERO, Vector3(1.5, 0.3, 9.0), Color(0.45, 0.56, 0.42))
	slope.rotation.x = -0.28
	slope.position = Vector3(-1.0, 0, 0) + slope.basis * Vector3(0, -0.15, 4.5)
	_rocks()
	lift = _box(Vector3(3.0, 0.6, 0.9), Vector3(1.5, 0.25, 1.5), Color(0.75, 0.62, 0.25), AnimatableBody3D.new())
	for i in 4:
		var walker := Walker.new()
		walker.speed = SPEED if i < 3 else 0.0
		walker.time = 0.31 * i
		walker.modifier_callback_mode_process = Skeleton3D.MODIFIER_CALLBACK_MODE_PROCESS_PHYSICS
		add_child(walker)
		walker.position = Vector3(-3.0 + 2.0 * i, 0, -1.2 if i < 3 else 0.9)
		var grounder := SinewGrounder.new()
		grounder.name = "SinewGrounder"
		grounder.debug_lines = lines
		grounder.ball_height = 0.035
		walker.add_child(grounder)
		walkers.append(walker)


func _box(top: Vector3, size: Vector3, color: Color, body: PhysicsBody3D = null) -> PhysicsBody3D:
	if body == null:
		body = StaticBody3D.new()
	var shape := CollisionShape3D.new()
	shape.shape = BoxShape3D.new()
	shape.shape.size = size
	var part := MeshInstance3D.new()
	part.mesh = BoxMesh.new()
	part.mesh.size = size
	part.mesh.material = StandardMaterial3D.new()
	part.mesh.material.albedo_color = color
	body.add_child(shape)
	body.add_child(part)
	body.position = top - Vector3(0, size.y / 2.0, 0)
	add_child(body)
	return body


## A bed of half-buried spheres.
func _rocks() -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 5
	for i in 150:
		var body := StaticBody3D.new()
		var shape := CollisionShape3D.new()
		shape.shape = SphereShape3D.new()
		shape.shape.radius = random.randf_range(0.18, 0.42)
		var part := MeshInstance3D.new()
		part.mesh = SphereMesh.new()
		part.mesh.radius = shape.shape.radius
		part.mesh.height = 2.0 * shape.shape.radius
		part.mesh.material = StandardMaterial3D.new()
		part.mesh.material.albedo_color = Color(0.5, 0.48, 0.46).darkened(random.randf_range(0.0, 0.35))
		body.add_child(shape)
		body.add_child(part)
		add_child(body)
		var high := random.randf_range(0.03, 0.14)
		body.position = Vector3(1.0 + random.randf_range(-0.75, 0.75), high - shape.shape.radius, random.randf_range(0.0, 5.0))


func _unhandled_key_input(event: InputEvent) -> void:
	if event.is_action_pressed("ui_accept"):
		for walker in walkers:
			var grounder: SinewGrounder = walker.get_node("SinewGrounder")
			grounder.active = not grounder.active


func _ground(at: Vector3, above := 1.2) -> float:
	var ray := PhysicsRayQueryParameters3D.create(at + Vector3(0, above, 0), at - Vector3(0, 2, 0))
	var hit := get_world_3d().direct_space_state.intersect_ray(ray)
	return hit.position.y if not hit.is_empty() else 0.0


## What a capsule would stand on: the mean height around.
func _under(walker: Node3D) -> float:
	var sum := 0.0
	for i in 9:
		sum += _ground(Vector3(walker.position.x, walker.position.y, walker.position.z - 0.3 + 0.075 * i))
	return sum / 9.0


func _physics_process(delta: float) -> void:
	time += delta
	lift.position.y = 0.475 + 0.35 * sin(1.1 * time)
	for i in walkers.size():
		var walker := walkers[i]
		if i < 3:
			walker.position.z += SPEED * delta
			if walker.position.z > FAR:
				walker.position.z = -1.2
				walker.get_node("SinewGrounder").reset_grounding()
		var under := _under(walker)
		walker.position.y = lerpf(walker.position.y, under, 1.0 - exp(-10.0 * delta)) if i < 3 else under
		walker.walk(delta)
	_judge.call_deferred()
	frames += 1
	if frames == last_frame:
		print("frame %d: standing feet %.6f m off the ground on average, %.6f m at most, of %d ." % [frames, off_sum / maxi(1, off_count), off_most, off_count])
		get_tree().quit()
	if picture != "" and time > 3.0:
		set_physics_process(false)
		RenderingServer.render_loop_enabled = true
		await RenderingServer.frame_post_draw
		await RenderingServer.frame_post_draw
		get_viewport().get_texture().get_image().save_png(picture)
		get_tree().quit()


## Distance of standing toes' joints from the ground, less their height.
func _judge() -> void:
	for walker in walkers:
		var grounder: SinewGrounder = walker.get_node("SinewGrounder")
		for leg in grounder.get_leg_count():
			if grounder.is_foot_planted(leg):
				var at := grounder.get_foot_position(leg)
				var off := absf(at.y - grounder.ball_height - _ground(at, 0.1))
				off_sum += off
				off_most = maxf(off_most, off)
				off_count += 1
