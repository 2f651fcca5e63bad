extends SceneTree
## Runs every function `test_…` of the scripts in tests/, or of those named on the command line
## after `--`. Prints `ok NAME` and `not ok NAME: why`; the exit code is 0 when all passed.

var failures: PackedStringArray
var current := ""


func _initialize() -> void:
	if not ClassDB.class_exists("SinewChainIK"):
		print("not ok the extension is not loaded")
		quit(1)
		return
	run.call_deferred()


func run() -> void:
	var wanted := OS.get_cmdline_user_args()
	var names: Array[String] = []
	for file in DirAccess.get_files_at("res://tests"):
		if file.ends_with(".gd"):
			names.append(file.get_basename())
	names.sort()
	await process_frame
	var passed := 0
	var failed := 0
	for file_name in names:
		var script: GDScript = load("res://tests/%s.gd" % file_name)
		if script == null or not script.can_instantiate():
			failed += 1
			print("not ok %s: the script has errors" % file_name)
			continue
		var suite: RefCounted = script.new(self)
		for method in suite.get_method_list():
			var name: String = method.name
			if not name.begins_with("test_"):
				continue
			current = "%s: %s" % [file_name, name.trim_prefix("test_")]
			if not wanted.is_empty() and not Array(wanted).any(func(w): return current.contains(w)):
				continue
			failures.clear()
			await suite.call(name)
			for node in root.get_children():
				node.free()
			if failures.is_empty():
				passed += 1
				print("ok ", current)
			else:
				failed += 1
				print("not ok %s: %s" % [current, "; ".join(failures.slice(0, 3))])
	print("# %d passed, %d failed" % [passed, failed])
	quit(0 if failed == 0 and passed > 0 else 1)


func fail(why: String) -> void:
	failures.append(why)
