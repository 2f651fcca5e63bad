extends "res://suite.gd"


func spline_ik(rig: Skeleton3D) -> SinewSplineIK:
	var made := SinewSplineIK.new()
	made.end_bone = rig.get_bone_name(rig.get_bone_count() - 1)
	add(rig, made)
	return made


## How far a point is from a polyline of many points.
func off_curve(point: Vector3, samples: PackedVector3Array) -> float:
	var least := INF
	for i in samples.size() - 1:
		least = minf(least, point.distance_to(Geometry3D.get_closest_point_to_segment(point, samples[i], samples[i + 1])))
	return least


func test_bones_are_on_a_path() -> void:
	var rig := chain(12, 1.0, 57.0)
	rig.position = Vector3(1, 2, 3)
	var path := Path3D.new()
	path.curve = Curve3D.new()
	path.curve.bake_interval = 0.002
	path.curve.add_point(Vector3.ZERO, Vector3.ZERO, Vector3(0, 0.4, 0))
	path.curve.add_point(Vector3(0.4, 0.5, 0.1), Vector3(-0.3, 0, 0), Vector3(0.3, 0, 0))
	path.curve.add_point(Vector3(0.8, 0.1, 0.3), Vector3(0, 0.3, 0))
	tree.root.add_child(path)
	path.global_transform = Transform3D(Basis(Vector3.UP, 0.7), Vector3(1.2, 2.1, 3.3))
	var ik := spline_ik(rig)
	ik.path = ik.get_path_to(path)
	update(rig)
	check(ik.status == SinewSplineIK.STATUS_REACHED, "status %s" % ik.get_status_text())
	var samples: PackedVector3Array = path.global_transform * path.curve.get_baked_points()
	for bone in 13:
		var place := rig.global_transform * poses[bone].origin
		check(off_curve(place, samples) < 1e-3, "bone %d is %s m off the path" % [bone, off_curve(place, samples)])
	check_point(rig.global_transform * poses[0].origin, path.global_position, 1e-5, "the first bone")
	for bone in 12:
		check_near(poses[bone].origin.distance_to(poses[bone + 1].origin), 1.0 / 12.0, 1e-5, "the length of bone %d" % bone)
	# A path that changes is followed in the next update, more points too.
	path.curve.add_point(Vector3(1.0, 0.6, 0.3), Vector3(0, -0.2, 0))
	path.curve.set_point_position(1, Vector3(0.2, 0.5, 0.2))
	update(rig)
	samples = path.global_transform * path.curve.get_baked_points()
	for bone in 13:
		check(off_curve(rig.global_transform * poses[bone].origin, samples) < 1e-3, "bone %d after the path changed" % bone)


func test_a_curve_through_nodes_and_properties() -> void:
	var places: Array[Vector3] = [Vector3(0, 0, 0), Vector3(0.3, 0.4, 0), Vector3(0.1, 0.7, 0.4)]
	var results: Array = []
	for source: int in [SinewSplineIK.TARGET_NODES, SinewSplineIK.TARGET_PROPERTIES]:
		var rig := chain(8, 0.6, 30.0)
		var ik := spline_ik(rig)
		ik.target_source = source
		if source == SinewSplineIK.TARGET_NODES:
			var paths: Array[NodePath] = []
			for place in places:
				paths.append(ik.get_path_to(marker(place)))
			ik.point_nodes = paths
		else:
			ik.point_positions = PackedVector3Array(places)
		update(rig)
		check(ik.status == SinewSplineIK.STATUS_REACHED, "status %s" % ik.get_status_text())
		check(ik.residual < 1e-5, "residual %s" % ik.residual)
		# The curve begins at the first point; its second is passed by the bones on both sides of it.
		check_point(poses[0].origin, places[0], 1e-5, "the first bone")
		var near := INF
		for bone in 8:
			var closest := Geometry3D.get_closest_point_to_segment(places[1], poses[bone].origin, poses[bone + 1].origin)
			near = minf(near, closest.distance_to(places[1]))
		check(near < 0.02, "the chain passes the second point by %s m" % near)
		results.append(poses.duplicate())
	check(results[0] == results[1], "nodes and plain points at the same places give different poses")


func test_stretch_brings_the_end_to_the_end_of_the_curve() -> void:
	for stretch: float in [0.0, 1.0]:
		var rig := chain(8, 0.5, 30.0)
		var ik := spline_ik(rig)
		ik.target_source = SinewSplineIK.TARGET_PROPERTIES
		ik.point_positions = PackedVector3Array([Vector3.ZERO, Vector3(0, 0.5, 0.3), Vector3(0.5, 0.6, 0.3)])
		ik.stretch = stretch
		update(rig)
		var left := poses[8].origin.distance_to(Vector3(0.5, 0.6, 0.3))
		check(left < 1e-3 if stretch == 1.0 else left > 0.2, "stretch %s: the tip is %s m from the curve's end" % [stretch, left])
		var first := poses[0].origin.distance_to(poses[1].origin)
		check(absf(first - 0.5 / 8) < 1e-6 or stretch == 1.0 and first > 0.07, "stretch %s: a bone of %s m" % [stretch, first])


func test_weight_passes_through() -> void:
	var rig := chain(6, 1.0, 30.0)
	var ik := spline_ik(rig)
	ik.target_source = SinewSplineIK.TARGET_PROPERTIES
	ik.point_positions = PackedVector3Array([Vector3.ZERO, Vector3(0, 0.5, 0.3), Vector3(0.5, 0.6, 0.3)])
	update(rig)
	var full := poses[6].origin
	ik.weight = 0.0
	update(rig)
	for bone in 7:
		check(rotations[bone] == rig.get_bone_pose_rotation(bone), "bone %d turned at weight 0" % bone)
	check(ik.status == SinewSplineIK.STATUS_INACTIVE, "status %s" % ik.get_status_text())
	var rest := poses[6].origin
	ik.weight = 0.001
	update(rig)
	check(poses[6].origin.distance_to(rest) < 0.01 * full.distance_to(rest), "a small weight jumps")


func test_warnings_name_what_is_missing() -> void:
	var rig := chain(4)
	var ik := spline_ik(rig)
	update(rig)
	check(" ".join(ik.get_warnings()).contains("path"), "no path: %s" % [ik.get_warnings()])
	ik.path = ik.get_path_to(marker(Vector3.ZERO))
	update(rig)
	check(" ".join(ik.get_warnings()).contains("Path3D"), "no Path3D: %s" % [ik.get_warnings()])
	ik.target_source = SinewSplineIK.TARGET_PROPERTIES
	ik.point_positions = PackedVector3Array([Vector3.ZERO])
	update(rig)
	check(" ".join(ik.get_warnings()).contains("2 points"), "one point: %s" % [ik.get_warnings()])
	check(ik.status == SinewSplineIK.STATUS_INACTIVE, "status %s" % ik.get_status_text())
	ik.point_positions = PackedVector3Array([Vector3.ZERO, Vector3(NAN, 0, 0)])
	update(rig)
	# It counts as a point that is not there, which stays on the animated chain.
	check(poses[4].origin.is_finite() and poses[4].origin.distance_to(rig.get_bone_global_pose(4).origin) < 0.2, "a point that is no number took the tip to %s" % poses[4].origin)
	ik.point_positions = PackedVector3Array([Vector3.ZERO, Vector3(0, 0.5, 0.5), Vector3(0, 1, 0)])
	ik.curve_kind = SinewSplineIK.CURVE_BEZIER
	update(rig)
	check(" ".join(ik.get_warnings()).contains("3 k + 1"), "three Bezier points: %s" % [ik.get_warnings()])
	ik.curve_kind = SinewSplineIK.CURVE_THROUGH_POINTS
	update(rig)
	check(ik.get_warnings().is_empty() and ik.status == SinewSplineIK.STATUS_REACHED, "all is well, but %s" % [ik.get_warnings()])


func test_a_transition_takes_its_time() -> void:
	var rig := chain(6, 1.0, 20.0)
	var ik := spline_ik(rig)
	ik.target_source = SinewSplineIK.TARGET_PROPERTIES
	ik.point_positions = PackedVector3Array([Vector3(0.1, 0, 0), Vector3(0.3, 0.4, 0), Vector3(0.2, 0.9, 0.2)])
	ik.inertialization_time = 0.4
	for i in 4:
		update(rig)
	check_point(poses[0].origin, Vector3(0.1, 0, 0), 1e-4, "the first bone")
	ik.weight = 0.0
	glide(rig, 4, 0.1, "off")
	check(ik.is_inertializing() and poses[0].origin.length() > 0.02, "no transition")
	glide(rig, 120, 0.1, "off")
	check(not ik.is_inertializing() and poses[0].origin.length() < 1e-4, "%s m are left" % poses[0].origin.length())
