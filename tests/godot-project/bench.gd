extends SceneTree
## Sinew's modifiers and Godot's own, side by side in one run of the engine, on the same skeletons
## and targets.
##
## Time: a loop of `advance` and one update notification, least of several windows; the same loop
## with the modifier switched off is subtracted. All nodes of a scene take turns, window by window,
## so that a busy machine disturbs them alike. What is left is the modifier: its solver, its reads
## and writes, and the bones recomputed because of it. Residual: distance of the tip to the target
## in percent of the chain's length, read from inside the update.
##
## `-- FILE`: writes the table as JSON. `-- FILE quick`: fewer windows and sizes.
## `-- FILE only TEXT…`: the scenes with one of the texts in their name.

const SUITE := preload("res://suite.gd")
const TURN := 240

var suite: RefCounted
var windows := 60
var rows: Array[Dictionary] = []
var quick := false
## Parts of names of the scenes that are run; empty: all.
var only: PackedStringArray


func _initialize() -> void:
	run.call_deferred()


func run() -> void:
	var arguments := OS.get_cmdline_user_args()
	quick = arguments.has("quick")
	if arguments.has("only"):
		only = arguments.slice(arguments.find("only") + 1)
	if quick:
		windows = 12
	suite = SUITE.new(self)
	await process_frame
	print("Godot ", Engine.get_version_info().string)
	chains()
	small()
	folded()
	coned()
	look()
	await humanoids()
	await crowds()
	print("# %d rows" % rows.size())
	if not arguments.is_empty():
		var file := FileAccess.open(arguments[0], FileAccess.WRITE)
		file.store_string(JSON.stringify({"engine": Engine.get_version_info().string, "rows": rows}, "\t") + "\n")
		file.close()
	quit(0)


func is_selected(scene: String) -> bool:
	return only.is_empty() or Array(only).any(func(text: String) -> bool: return scene.contains(text))


func row(scene: String, node: String, settings: String, microseconds: float, mean: float, p95: float) -> void:
	rows.append({"scene": scene, "node": node, "settings": settings, "us": null if is_nan(microseconds) else snappedf(microseconds, 0.001), "mean": mean, "p95": p95})
	print("row %s | %s | %s | %.2f us | %.4f | %.4f" % [scene, node, settings, microseconds, mean, p95])


## Godot's modifier or ours on a chain; `settings` are set where the node has them.
func modifier(kind: String, rig: Skeleton3D, target: Node3D, settings := {}) -> SkeletonModifier3D:
	var node: SkeletonModifier3D = ClassDB.instantiate(kind)
	rig.add_child(node)
	var last := rig.get_bone_count() - 1
	if kind.begins_with("Sinew"):
		node.end_bone = rig.get_bone_name(last)
		node.target = node.get_path_to(target)
	else:
		node.setting_count = 1
		node.set_root_bone_name(0, rig.get_bone_name(0))
		if kind == "TwoBoneIK3D":
			node.set_middle_bone_name(0, rig.get_bone_name(1))
			# It does not move without a pole node.
			node.set_pole_direction(0, SkeletonModifier3D.SECONDARY_DIRECTION_MINUS_Z)
			node.set_pole_node(0, node.get_path_to(suite.marker(Vector3(0, 0.5, -3))))
		node.set_end_bone_name(0, rig.get_bone_name(last))
		node.set_target_node(0, node.get_path_to(target))
	for key: String in settings:
		node.set(key, settings[key])
	return node


func step(rigs: Array) -> void:
	for rig: Skeleton3D in rigs:
		rig.advance(1.0 / 60.0)
		rig.notification(Skeleton3D.NOTIFICATION_UPDATE_SKELETON)


## Microseconds of a window of `count` updates of each rig, for one of them; `move` places targets
## before each.
func window(rigs: Array, move: Callable, count: int) -> float:
	var began := Time.get_ticks_usec()
	for i in count:
		move.call(i)
		step(rigs)
	return float(Time.get_ticks_usec() - began) / count


func set_active(modifiers: Array, active: bool) -> void:
	for node: SkeletonModifier3D in modifiers:
		node.active = active


## One of those that are compared: its name, the rigs and their modifiers, what moves the targets,
## how many updates count as one, what is left.
func entry(kind: String, settings: String, rigs: Array, modifiers: Array, move: Callable, left: Array[float]) -> Dictionary:
	return {"kind": kind, "settings": settings, "rigs": rigs, "modifiers": modifiers, "move": move, "left": left}


## A row for each entry with its net time: the least of several windows of about a millisecond with
## its modifiers, less the least of as many without.
func race(scene: String, entries: Array, share := 1) -> void:
	if entries.is_empty():
		return
	for e: Dictionary in entries:
		var first := minf(window(e.rigs, e.move, 3), window(e.rigs, e.move, 3))
		e.count = clampi(int(1000.0 / maxf(first, 0.1)), 1, 10000)
		e.on = INF
		e.off = INF
	# The engine queues something with every switch; a queue of a frame holds some ten thousands.
	for i in windows if entries[0].rigs.size() < 100 else 10:
		for e: Dictionary in entries:
			set_active(e.modifiers, true)
			e.on = minf(e.on, window(e.rigs, e.move, e.count))
			set_active(e.modifiers, false)
			e.off = minf(e.off, window(e.rigs, e.move, e.count))
	for e: Dictionary in entries:
		set_active(e.modifiers, true)
		row(scene, e.kind, e.settings, (e.on - e.off) / share, e.left[0], e.left[1])
	clear()


func circle(i: int, length: float) -> Vector3:
	var a := TAU * (i % TURN) / TURN
	return Vector3(0.25 * cos(a), 0.55, 0.25 + 0.25 * sin(a)) * length


func spread(values: Array[float]) -> Array[float]:
	values.sort()
	var sum := 0.0
	for v in values:
		sum += v
	return [sum / values.size(), values[int(0.95 * (values.size() - 1))]]


## Residuals in percent of the length along the circle, after a turn to warm up.
func residuals(rig: Skeleton3D, target: Node3D, length: float) -> Array[float]:
	var found: Array[float] = []
	for i in 2 * TURN:
		target.global_position = circle(i, length)
		suite.update(rig)
		if i >= TURN:
			found.append(100.0 * suite.poses[-1].origin.distance_to(target.global_position) / length)
	return spread(found)


func clear() -> void:
	for node in root.get_children():
		node.free()


const GODOT := ["TwoBoneIK3D", "FABRIK3D", "CCDIK3D", "JacobianIK3D"]


func chains() -> void:
	for bones: int in ([2, 10, 100] if quick else [2, 3, 10, 30, 100, 300]):
		var entries: Array = []
		var moving := "chain %d, moving" % bones
		for kind: String in ["SinewTwoBoneIK", "SinewChainIK"] + GODOT if is_selected(moving) else []:
			if kind.contains("TwoBone") and bones != 2 or kind == "CCDIK3D" and bones > 100:
				continue
			var rig: Skeleton3D = suite.chain(bones, 1.0, 20.0 if bones == 2 else 57.0)
			var target: Node3D = suite.marker(circle(0, 1.0))
			var node := modifier(kind, rig, target)
			var left := residuals(rig, target, 1.0)
			rig.skeleton_updated.disconnect(suite.read)
			var at := func(i: int) -> void: target.global_position = circle(i, 1.0)
			entries.append(entry(kind, "defaults", [rig], [node], at, left))
			if kind == "FABRIK3D" and left[1] > 0.1:
				entries.append(raised(bones))
		race(moving, entries)
		var cold := "chain %d, cold" % bones
		if quick or not is_selected(cold):
			continue
		entries = []
		# Cold: from rest, other targets each time, iterations raised until p95 is 0.1 %.
		for kind: String in ["SinewChainIK", "FABRIK3D"]:
			var iterations := 4
			while true:
				var rig: Skeleton3D = suite.chain(bones, 1.0, 20.0 if bones == 2 else 57.0)
				var target: Node3D = suite.marker(circle(0, 1.0))
				var node := modifier(kind, rig, target, {"max_iterations": iterations if kind == "FABRIK3D" else 200, "deterministic": true, "angular_delta_limit": PI})
				var points: Array[Vector3] = suite.targets(24, 1.0)
				var found: Array[float] = []
				for point in points:
					target.global_position = point
					suite.update(rig)
					found.append(100.0 * suite.poses[-1].origin.distance_to(point))
				var left := spread(found)
				if kind == "FABRIK3D" and left[1] > 0.1 and iterations < 256:
					iterations *= 2
					rig.free()
					continue
				rig.skeleton_updated.disconnect(suite.read)
				var at := func(i: int) -> void: target.global_position = points[i % 24]
				var text := "%d iterations" % iterations if kind == "FABRIK3D" else "defaults"
				entries.append(entry(kind, text, [rig], [node], at, left))
				break
		race(cold, entries)


## FABRIK3D after the moving target with as many iterations, doubled from its default of 4, as bring
## its 95th percentile within 0.1 %.
func raised(bones: int) -> Dictionary:
	var iterations := 4
	while true:
		iterations *= 2
		var rig: Skeleton3D = suite.chain(bones, 1.0, 57.0)
		var target: Node3D = suite.marker(circle(0, 1.0))
		var node := modifier("FABRIK3D", rig, target, {"max_iterations": iterations})
		var left := residuals(rig, target, 1.0)
		if left[1] > 0.1 and iterations < 256:
			rig.free()
			target.free()
			continue
		rig.skeleton_updated.disconnect(suite.read)
		var at := func(i: int) -> void: target.global_position = circle(i, 1.0)
		return entry("FABRIK3D", "%d iterations" % iterations, [rig], [node], at, left)
	return {}


## Small chains: fingers, tails.
func small() -> void:
	for length: float in [0.05, 0.3]:
		for bones: int in [2, 4, 10]:
			var scene := "%s m, %d bones, cold" % [length, bones]
			for kind: String in ["SinewChainIK"] + GODOT.slice(1) if is_selected(scene) else []:
				var rig: Skeleton3D = suite.chain(bones, length, 57.0)
				var target: Node3D = suite.marker(Vector3.ZERO)
				modifier(kind, rig, target, {} if kind.begins_with("Sinew") else {"max_iterations": 64, "deterministic": true, "angular_delta_limit": PI, "min_distance": 0.001 * length})
				var found: Array[float] = []
				for point: Vector3 in suite.targets(24, length):
					target.global_position = point
					suite.update(rig)
					found.append(100.0 * suite.poses[-1].origin.distance_to(point) / length)
				var left := spread(found)
				row(scene, kind, "defaults" if kind.begins_with("Sinew") else "64 iterations", NAN, left[0], left[1])
				clear()


## Straight chains with the target on their own line.
func folded() -> void:
	for case: Array in [["on its line", Vector3(0, 0.5, 0)], ["behind the root", Vector3(0, -0.5, 0)]]:
		for bones: int in [2, 10]:
			var scene := "straight, %d bones, target %s" % [bones, case[0]]
			for kind: String in ["SinewChainIK"] + GODOT.slice(1) if is_selected(scene) else []:
				var rig: Skeleton3D = suite.chain(bones, 1.0, 0.0)
				modifier(kind, rig, suite.marker(case[1]))
				for i in 1 if kind.begins_with("Sinew") else 300:
					suite.update(rig)
				var left: float = 100.0 * suite.poses[-1].origin.distance_to(case[1])
				row(scene, kind, "after %d updates" % (1 if kind.begins_with("Sinew") else 300), NAN, left, left)
				clear()


## Cones of 60 degrees at each joint; targets reachable by construction.
func coned() -> void:
	var scene := "cones of 60°, 5 bones"
	if not is_selected(scene):
		return
	var bones := 5
	var random := RandomNumberGenerator.new()
	random.seed = 3
	var points: Array[Vector3] = []
	var pattern: Skeleton3D = suite.chain(bones, 1.0, 40.0)
	for i in 24:
		for bone in bones:
			var axis := Vector3(random.randf_range(-1, 1), 0, random.randf_range(-1, 1)).normalized()
			var swing := Quaternion(axis, deg_to_rad(random.randf_range(0, 58)))
			pattern.set_bone_pose_rotation(bone, pattern.get_bone_rest(bone).basis.get_rotation_quaternion() * swing)
		points.append(pattern.get_bone_global_pose(bones).origin)
	clear()
	var entries: Array = []
	for kind: String in ["SinewChainIK"] + GODOT.slice(1):
		var ours := kind.begins_with("Sinew")
		var rig: Skeleton3D = suite.chain(bones, 1.0, 40.0)
		var target: Node3D = suite.marker(Vector3.ZERO)
		var node := modifier(kind, rig, target, {} if ours else {"max_iterations": 64, "angular_delta_limit": PI})
		if ours:
			var limits := SinewSkeletonLimits.new()
			for bone in bones:
				var cone := SinewJointLimits.new()
				cone.bone = "b%d" % bone
				cone.cone_angle = deg_to_rad(60.0)
				limits.add(cone)
			node.limits = limits
		else:
			suite.update(rig)
			for joint in bones:
				var cone := JointLimitationCone3D.new()
				# Godot's angle is the whole opening: with 120 degrees bones lean by up to 60.
				cone.angle = deg_to_rad(120.0)
				node.set_joint_limitation(0, joint, cone)
		var found: Array[float] = []
		for point in points:
			target.global_position = point
			for i in 1 if ours else 300:
				suite.update(rig)
			found.append(100.0 * suite.poses[-1].origin.distance_to(point))
		var left := spread(found)
		rig.skeleton_updated.disconnect(suite.read)
		var at := func(i: int) -> void: target.global_position = points[i % 24]
		entries.append(entry(kind, "defaults, 1 update" if ours else "64 iterations, 300 updates", [rig], [node], at, left))
	race(scene, entries)


## One bone looks at a target.
func look() -> void:
	var scene := "one bone looks"
	if not is_selected(scene):
		return
	var entries: Array = []
	for kind: String in ["SinewAim", "LookAtModifier3D"]:
		if not ClassDB.class_exists(kind):
			continue
		var rig: Skeleton3D = suite.chain(1, 1.0, 0.0)
		var target: Node3D = suite.marker(Vector3(0, 1, 3))
		var node: SkeletonModifier3D = ClassDB.instantiate(kind)
		rig.add_child(node)
		node.set("bone_name" if kind == "LookAtModifier3D" else "end_bone", "b0")
		if kind == "SinewAim":
			node.bone_count = 1
			node.target = node.get_path_to(target)
		else:
			node.target_node = node.get_path_to(target)
		var at := func(i: int) -> void: target.global_position = circle(i, 1.0) + Vector3(0, 0.5, 2)
		var found: Array[float] = []
		for i in TURN:
			at.call(i)
			suite.update(rig)
			var pose: Transform3D = suite.poses[0]
			var forward: Vector3 = pose.basis.z
			found.append(rad_to_deg(forward.angle_to(target.global_position - pose.origin)))
		var left := spread(found)
		rig.skeleton_updated.disconnect(suite.read)
		entries.append(entry(kind, "defaults, residual in degrees", [rig], [node], at, left))
	race(scene, entries)


const LIMBS := [
	["LeftUpperLeg", "LeftLowerLeg", "LeftFoot", Vector3(0, 0, 1)],
	["RightUpperLeg", "RightLowerLeg", "RightFoot", Vector3(0, 0, 1)],
	["LeftUpperArm", "LeftLowerArm", "LeftHand", Vector3(0, 0, -1)],
	["RightUpperArm", "RightLowerArm", "RightHand", Vector3(0, 0, -1)],
]
const GOALS := ["left_foot", "right_foot", "left_hand", "right_hand"]


## Four limbs of a humanoid go to targets at 0.82 of their reach that move by 4 cm; from the T-pose,
## and from an animation's pose: knees and elbows bent by 0.35 rad.
func humanoids() -> void:
	for bent: bool in [false, true]:
		for count: int in ([1, 100] if quick else [1, 10, 100, 1000]):
			if not bent or count < 1000:
				await crowd(count, bent)


func crowd(count: int, bent: bool) -> void:
	var scene := "%d humanoids, four limbs, %s" % [count, "bent" if bent else "T-pose"]
	if not is_selected(scene):
		return
	var entries: Array = []
	for kind: String in ["SinewHumanoidIK", "SinewTwoBoneIK", "TwoBoneIK3D", "FABRIK3D", "CCDIK3D", "JacobianIK3D"]:
		if not ClassDB.class_exists(kind):
			continue
		var rigs: Array = []
		var modifiers: Array = []
		var marks: Array = []
		var places: Array = []
		for c in count:
			var rig: Skeleton3D = suite.humanoid()
			rig.position = Vector3(c % 40, 0, c / 40)
			rigs.append(rig)
			if c > 0:
				rig.skeleton_updated.disconnect(suite.read)
			var targets: Array = []
			for limb: Array in LIMBS:
				var joints: Array = limb.slice(0, 3).map(func(n: String) -> Vector3: return rig.get_bone_global_rest(rig.find_bone(n)).origin)
				var reach: float = joints[0].distance_to(joints[1]) + joints[1].distance_to(joints[2])
				if bent:
					var middle := rig.find_bone(limb[1])
					rig.set_bone_pose_rotation(middle, rig.get_bone_pose_rotation(middle) * Quaternion(Vector3.RIGHT, 0.35))
				var mark := Node3D.new()
				root.add_child(mark)
				var place: Vector3 = rig.position + joints[0] + ((joints[2] - joints[0]).normalized() + 0.2 * limb[3] * -1.0).normalized() * reach * 0.82
				mark.global_position = place
				targets.append(mark)
				marks.append(mark)
				places.append(place)
			modifiers.append_array(attach(kind, rig, targets))
		var at := func(i: int) -> void:
			var shift := Vector3(sin(0.05 * i), cos(0.05 * i), 0) * 0.02
			for m in mini(marks.size(), 4):
				marks[m].global_position = places[m] + shift
		var found: Array[float] = []
		for i in 2 * TURN:
			at.call(i)
			suite.update(rigs[0])
			for m in 4 if i >= TURN else 0:
				var end: Vector3 = (rigs[0] as Skeleton3D).global_transform * suite.poses[(rigs[0] as Skeleton3D).find_bone(LIMBS[m][2])].origin
				found.append(1000.0 * end.distance_to(marks[m].global_position))
		var left := spread(found)
		(rigs[0] as Skeleton3D).skeleton_updated.disconnect(suite.read)
		var all := func(i: int) -> void:
			var shift := Vector3(sin(0.05 * i), cos(0.05 * i), 0) * 0.02
			for m in marks.size():
				marks[m].global_position = places[m] + shift
		entries.append(entry(kind, "residual in mm", rigs, modifiers, all, left))
		# So many rigs are not kept side by side.
		if count > 10:
			race(scene, entries, count)
			entries = []
			await process_frame
	if not entries.is_empty():
		race(scene, entries, count)
		await process_frame


## Measures the updates of all skeletons in a frame of the engine: the last node that is processed
## before them.
class FrameTimer extends Node:
	var began := 0
	var least := INF

	func _init() -> void:
		process_priority = 1000

	func _process(_delta: float) -> void:
		call_deferred_thread_group("end")
		began = Time.get_ticks_usec()

	func end() -> void:
		least = minf(least, Time.get_ticks_usec() - began)


## Humanoids in frames of the engine: each alone, as a crowd, and as one on the engine's threads.
## Net times of one of them; the residual is that of the first hand, in mm.
func crowds() -> void:
	for whole: bool in [false, true]:
		var scene := "%d humanoids in a frame, %s" % [64, "whole body" if whole else "four limbs"]
		if is_selected(scene):
			await frames(scene, 64, whole)


func frames(scene: String, count: int, whole: bool) -> void:
	var modifiers: Array = []
	var moves: Array[Callable] = []
	for c in count:
		var rig: Skeleton3D = suite.humanoid()
		rig.position = Vector3(c % 40, 0, c / 40)
		rig.skeleton_updated.disconnect(suite.read)
		var targets: Array = []
		for limb: Array in LIMBS:
			var mark := Node3D.new()
			root.add_child(mark)
			var end := rig.get_bone_global_rest(rig.find_bone(limb[2])).origin
			var place := rig.position + end * (1.0 if whole and limb[3].z > 0.0 else 0.85) + Vector3(0, 0.15, 0.1)
			moves.append(func(i: int) -> void: mark.global_position = place + Vector3(sin(0.05 * i), cos(0.05 * i), 0) * 0.02)
			targets.append(mark)
		var ik: SinewHumanoidIK = attach("SinewHumanoidIK", rig, targets)[0]
		ik.body_solver = whole
		modifiers.append(ik)
		rig.modifier_callback_mode_process = Skeleton3D.MODIFIER_CALLBACK_MODE_PROCESS_IDLE
	var crowd_node := SinewCrowd.new()
	root.add_child(crowd_node)
	var timer := FrameTimer.new()
	root.add_child(timer)
	var least := {"off": INF, "alone": INF, "crowd": INF, "threads": INF}
	for round in 3 if quick else 10:
		for kind: String in least:
			set_active(modifiers, kind != "off")
			crowd_node.active = kind in ["crowd", "threads"]
			crowd_node.use_threads = kind == "threads"
			# In the first frames a crowd finds its members.
			for i in 8:
				if i == 3:
					timer.least = INF
				await process_frame
				for move in moves:
					move.call(8 * round + i)
			await process_frame
			least[kind] = minf(least[kind], timer.least)
	var left: float = 1000.0 * modifiers[0].get_ik_residual(SinewHumanoidIK.GOAL_RIGHT_HAND)
	row(scene, "SinewHumanoidIK", "residual in mm", (least.alone - least.off) / count, left, left)
	row(scene, "SinewCrowd", "residual in mm", (least.crowd - least.off) / count, left, left)
	row(scene, "SinewCrowd", "threads, residual in mm", (least.threads - least.off) / count, left, left)
	clear()
	await process_frame


## In front of a knee, behind an elbow.
func pole(rig: Skeleton3D, limb: int) -> Node3D:
	var middle := rig.get_bone_global_rest(rig.find_bone(LIMBS[limb][1])).origin
	var made := Node3D.new()
	rig.add_child(made)
	made.position = middle + LIMBS[limb][3]
	return made


func attach(kind: String, rig: Skeleton3D, targets: Array) -> Array:
	if kind == "SinewHumanoidIK":
		var node: SkeletonModifier3D = ClassDB.instantiate(kind)
		rig.add_child(node)
		for m in 4:
			node.set(GOALS[m] + "_target", node.get_path_to(targets[m]))
			node.set(GOALS[m] + "_position_weight", 1.0)
		return [node]
	if kind == "SinewTwoBoneIK":
		var nodes: Array = []
		for m in 4:
			var node := SinewTwoBoneIK.new()
			rig.add_child(node)
			node.end_bone = LIMBS[m][2]
			node.target = node.get_path_to(targets[m])
			nodes.append(node)
		return nodes
	var node: SkeletonModifier3D = ClassDB.instantiate(kind)
	rig.add_child(node)
	node.setting_count = 4
	for m in 4:
		node.set_root_bone_name(m, LIMBS[m][0])
		if kind == "TwoBoneIK3D":
			node.set_middle_bone_name(m, LIMBS[m][1])
			node.set_pole_direction(m, SkeletonModifier3D.SECONDARY_DIRECTION_PLUS_Z)
			node.set_pole_node(m, node.get_path_to(pole(rig, m)))
		node.set_end_bone_name(m, LIMBS[m][2])
		node.set_target_node(m, node.get_path_to(targets[m]))
	return [node]
