extends Node3D
## The person takes hold of the cylinder and looks at it, the tail reaches for the ball, the turret
## follows. Space lets go and takes hold again; the weight eases over in 0.4 s.
##
## `-- --screenshot FILE` saves a picture after two seconds and ends; `-- --frames N` ends after N
## frames.

@onready var cylinder: Node3D = $Cylinder
@onready var ball: Node3D = $Ball
@onready var ik: SinewHumanoidIK = $Person/SinewHumanoidIK

var time := 0.0
var weight := 0.0
var holding := true
var frames := 0
var last_frame := -1
var picture := ""


func _ready() -> void:
	var arguments := OS.get_cmdline_user_args()
	for i in arguments.size() - 1:
		if arguments[i] == "--screenshot":
			picture = arguments[i + 1]
		elif arguments[i] == "--frames":
			last_frame = int(arguments[i + 1])


func _unhandled_key_input(event: InputEvent) -> void:
	if event.is_action_pressed("ui_accept"):
		holding = not holding


func _process(delta: float) -> void:
	time += delta
	weight = move_toward(weight, 1.0 if holding else 0.0, 2.5 * delta)
	ik.right_hand_position_weight = weight
	ik.right_hand_rotation_weight = weight
	ik.look_at_weight = weight
	cylinder.position = Vector3(-0.28 + 0.1 * sin(1.1 * time), 1.08 + 0.12 * sin(0.8 * time), 0.38 + 0.05 * cos(1.3 * time))
	cylinder.rotation = Vector3(0.3 * sin(0.7 * time), 0.4 * sin(0.5 * time), 0.25 * cos(0.9 * time))
	ball.position = Vector3(1.3 + 0.3 * sin(0.9 * time), 0.65 + 0.2 * sin(1.7 * time), 0.05 + 0.3 * cos(0.9 * time))
	frames += 1
	if frames == last_frame:
		print("frame %d: hand %.6f m off, tail %.6f m off, turret %.6f rad off" % [frames, ik.get_ik_residual(3), $Tail/SinewChainIK.residual, $Turret/SinewAim.residual_angle])
		get_tree().quit()
	if picture != "" and time > 2.0:
		await RenderingServer.frame_post_draw
		get_viewport().get_texture().get_image().save_png(picture)
		get_tree().quit()
