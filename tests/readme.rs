//! The code of the manual's first pages is the code of `examples/hello`, and that code compiles.

mod needs;

use std::path::Path;
use std::process::Command;

fn main() {
    needs::run(&[
        (needs::nothing(), tests![the_first_pages_show_the_examples_as_they_are]),
        (needs::program("cc"), tests![the_c_example_compiles]),
        (needs::program("c++"), tests![the_cpp_example_compiles, the_cpp_page_compiles]),
    ])
}

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn the_first_pages_show_the_examples_as_they_are() {
    for (language, page, file) in [
        ("c", "c", "hello.c"),
        ("cpp", "cpp", "hello.cpp"),
        ("cpp", "cpp", "no_exceptions.cpp"),
        ("rust", "rust", "hello.rs"),
        ("js", "web", "hello.mjs"),
        ("python", "python", "hello.py"),
    ] {
        let block = format!("```{language}\n{}```", read(&format!("examples/hello/{file}")));
        let shown = read(&format!("docs/start/{page}.md"));
        assert!(shown.contains(&block), "docs/start/{page}.md does not show examples/hello/{file} as it is");
    }
}

fn the_c_example_compiles() {
    compile("cc", "-std=c99", "hello.c");
}

fn the_cpp_example_compiles() {
    compile("c++", "-std=c++17", "hello.cpp");
    compile("c++", "-std=c++17", "no_exceptions.cpp");
}

/// The page of the C++ headers, in a function that has what it names.
fn the_cpp_page_compiles() {
    let page = read("bindings/cpp/README.md");
    let code = page.split("```cpp\n").nth(1).and_then(|rest| rest.split("```").next()).expect("it shows a program");
    let (include, body) = code.split_once("\n\n").expect("it begins with an include");
    let before = "#include <algorithm>\n#include <vector>\n\
        void shown(const std::vector<std::int32_t>& parents, const std::vector<sinew::Transform>& rest,\n\
        const std::vector<const char*>& names, const std::vector<sinew::Transform>& animation, const sinew::Transform& root)\n{\n";
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cpp-page.cpp");
    std::fs::write(&file, format!("{include}\n{before}{body}}}\n")).unwrap();
    compile("c++", "-std=c++17", &file.display().to_string());
}

fn compile(compiler: &str, standard: &str, file: &str) {
    // <sinew/sinew.hpp> is where it is once installed; here the two headers live apart.
    let include = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readme").join(compiler);
    let folder = include.join("sinew");
    std::fs::create_dir_all(&folder).unwrap();
    let cpp = ["sinew.hpp", "sinew_constraints.hpp", "sinew_grounder.hpp", "sinew_body.hpp", "sinew_trackers.hpp"]
        .map(|name| format!("bindings/cpp/{name}"));
    for header in ["include/sinew/sinew.h".to_owned()].into_iter().chain(cpp) {
        let header = header.as_str();
        let name = Path::new(header).file_name().unwrap();
        std::fs::write(folder.join(name), read(header)).unwrap();
    }
    let mut command = Command::new(compiler);
    command.args([standard, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", "-I"]);
    command.arg(&include);
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/hello").join(file));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{file}: {}", String::from_utf8_lossy(&output.stderr));
}
