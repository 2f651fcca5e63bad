extends "res://suite.gd"
## SinewGrounder in frames faster than the physics ticks: run with `--fixed-fps 144 -- frames`, so
## that the root and platforms, which move in ticks, stand still in most frames. In other runs there
## is nothing to see, and the tests end at once.

const Legs := preload("res://tests/grounder.gd")

## The skeleton in the world in the last update.
var place: Transform3D


## Whether frames have the fixed rate of 144 a second.
func is_fast() -> bool:
	return "frames" in OS.get_cmdline_user_args()


## A humanoid that the engine updates by itself in drawn frames.
func person() -> Skeleton3D:
	var made := Legs.new(tree).person()
	made.modifier_callback_mode_process = Skeleton3D.MODIFIER_CALLBACK_MODE_PROCESS_IDLE
	made.skeleton_updated.connect(read.bind(made))
	return made


func read(rig: Skeleton3D) -> void:
	super(rig)
	place = rig.global_transform


## Where the last update has put them.
func toes(rig: Skeleton3D) -> Vector3:
	return place * poses[rig.find_bone("LeftToes")].origin


func test_a_foot_stands_while_the_root_moves_in_ticks() -> void:
	if not is_fast():
		return
	box(Vector3.ZERO, Vector3(40, 1, 40))
	var rig := person()
	var node := SinewGrounder.new()
	rig.add_child(node)
	node.leg_contacts = PackedInt32Array([1, 1])
	var move := func() -> void: rig.position.z += 0.3 / Engine.physics_ticks_per_second
	for frame in 30:
		await tree.process_frame
	tree.physics_frame.connect(move)
	var before := Vector3.INF
	for frame in 60:
		await tree.process_frame
		if before != Vector3.INF and node.is_foot_planted(0):
			check_point(toes(rig), before, 2e-4, "the standing foot in frame %d" % frame)
		before = toes(rig)
	tree.physics_frame.disconnect(move)
	check(rig.position.z > 0.1, "the root did not move")


func test_a_stance_is_one_stance() -> void:
	if not is_fast():
		return
	# The animation takes the feet back as fast as the root goes on, so that they stand. When the
	# root starts it is late by a tick: at 1 m/s that releases the feet of a person of this size.
	var speed := 0.8
	box(Vector3.ZERO, Vector3(40, 1, 40))
	var rig := person()
	var node := SinewGrounder.new()
	rig.add_child(node)
	for frame in 60:
		await tree.process_frame
	check(node.is_foot_planted(0) and node.is_foot_planted(1), "a foot is not planted at first")
	var events := [0]
	node.foot_released.connect(func(_leg: int) -> void: events[0] += 1)
	var move := func() -> void: rig.position.z += speed / Engine.physics_ticks_per_second
	tree.physics_frame.connect(move)
	var hips := rig.find_bone("Hips")
	var first := toes(rig)
	for frame in 72:
		rig.set_bone_pose_position(hips, rig.get_bone_pose_position(hips) - Vector3(0, 0, speed / 144.0))
		await tree.process_frame
		check_point(toes(rig), first, 2e-3, "the standing foot in frame %d" % frame)
	tree.physics_frame.disconnect(move)
	check(events[0] == 0, "%d releases in a stance" % events[0])


func test_feet_go_with_platforms_that_move_in_ticks() -> void:
	if not is_fast():
		return
	for way: Vector3 in [Vector3(3, 0, 0), Vector3(0, 0.8, 0)]:
		var lift := box(Vector3.ZERO, Vector3(6, 0.4, 6), AnimatableBody3D)
		lift.sync_to_physics = false
		var rig := person()
		var node := SinewGrounder.new()
		rig.add_child(node)
		# Where the platform was when the feet were placed.
		var at := [lift.global_position]
		rig.skeleton_updated.connect(func() -> void: at[0] = lift.global_position)
		var move := func() -> void:
			lift.position += way / Engine.physics_ticks_per_second
			rig.position = lift.position + Vector3(0, 0.2, 0)
		tree.physics_frame.connect(move)
		for frame in 60:
			await tree.process_frame
		var first: Vector3 = toes(rig) - at[0]
		for frame in 120:
			await tree.process_frame
			check(node.is_foot_planted(0), "not planted in frame %d, %s m/s" % [frame, way])
			check_point(toes(rig) - at[0], first, 2e-3, "the foot on the platform in frame %d, %s m/s" % [frame, way])
		tree.physics_frame.disconnect(move)
		rig.free()
		lift.free()


func test_a_root_that_moves_in_frames_is_taken_as_it_is() -> void:
	if not is_fast():
		return
	box(Vector3.ZERO, Vector3(40, 1, 40))
	var rig := person()
	var node := SinewGrounder.new()
	rig.add_child(node)
	node.leg_contacts = PackedInt32Array([2, 2])
	for frame in 90:
		await tree.process_frame
		if frame > 10:
			var animated := place * rig.get_bone_global_pose(rig.find_bone("LeftToes")).origin
			check(absf(toes(rig).z - animated.z) < 2e-3, "a swinging foot is %s behind" % (animated.z - toes(rig).z))
		rig.position.z += 1.0 / 144.0


func test_a_root_of_any_scale_turns_in_ticks() -> void:
	if not is_fast():
		return
	# Figures in centimetres, in metres and in hundreds of them, each of a person's size.
	for size: float in [0.01, 1.0, 100.0]:
		var floor_body := box(Vector3.ZERO, Vector3(40, 1, 40))
		var rig := person()
		for bone in rig.get_bone_count():
			var rest := rig.get_bone_rest(bone)
			rig.set_bone_rest(bone, Transform3D(rest.basis, rest.origin / size))
			rig.set_bone_pose_position(bone, rig.get_bone_pose_position(bone) / size)
		rig.scale = Vector3.ONE * size
		var node := SinewGrounder.new()
		rig.add_child(node)
		node.leg_contacts = PackedInt32Array([1, 1])
		for frame in 30:
			await tree.process_frame
		var angle := [0.0]
		var move := func() -> void:
			angle[0] += 0.2 / Engine.physics_ticks_per_second
			rig.global_transform = Transform3D(Basis(Vector3.UP, angle[0]).scaled(Vector3.ONE * size), Vector3.ZERO)
		tree.physics_frame.connect(move)
		var first := toes(rig)
		for frame in 60:
			await tree.process_frame
			check_point(toes(rig), first, 2e-3, "the standing foot in frame %d, scale %s" % [frame, size])
		tree.physics_frame.disconnect(move)
		check(angle[0] > 0.05 and node.get_leg_count() == 2 and node.is_foot_planted(0), "scale %s: %d legs" % [size, node.get_leg_count()])
		rig.free()
		floor_body.free()
