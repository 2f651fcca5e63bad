extends "res://suite.gd"
## The scripts that the manual shows: the engine reads them without an error.


func test_the_scripts_of_the_manual() -> void:
	if not DirAccess.dir_exists_absolute("res://manual"):
		print("skip the scripts are written by cargo xtask test")
		return
	var count := 0
	for file in DirAccess.get_files_at("res://manual"):
		var script: GDScript = load("res://manual/" + file)
		check(script != null and script.can_instantiate(), "%s has errors" % file)
		count += 1
	check(count >= 3, "only %d scripts" % count)
