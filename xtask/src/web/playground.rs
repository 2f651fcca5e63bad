//! `cargo xtask playground`: the page on which a character is dragged.

use super::{Vectors, Workshop, remove, serve, tool, wasm, workshop};
use crate::sh::copy_folder;
use crate::tools::{NODE, NPM};
use crate::{paths, sh};
use anyhow::{Context, Result, anyhow, ensure};
use std::io::Write;
use std::path::{Path, PathBuf};

/// What to build, and whether to show it.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// Folder for the page. Default: target/site/playground.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Only build the page; do not serve it.
    #[arg(long)]
    no_serve: bool,
    /// Port of the page on this machine.
    #[arg(long, default_value_t = 8000)]
    port: u16,
}

/// Most that a visitor fetches: page, script and one module, compressed.
const MAX_BYTES: usize = 2_000_000;

/// Builds the page and serves it.
pub fn run(arguments: &Arguments) -> Result<()> {
    for tool in [&NODE, &NPM] {
        tool.ensure().map_err(|missing| anyhow!(missing))?;
    }
    let own = arguments.out.clone();
    let folder = own.map_or_else(|| paths::target().map(|target| target.join("site/playground")), Ok)?;
    build(&folder, &super::ALL)?;
    println!("page: {}", folder.join("index.html").display());
    match arguments.no_serve {
        true => Ok(()),
        // The folder above, where the manual is, too.
        false if arguments.out.is_none() => {
            println!("the playground is at /playground/");
            serve::serve(folder.parent().unwrap_or(&folder), arguments.port)
        }
        false => serve::serve(&folder, arguments.port),
    }
}

/// Scripts of the pages in `playground/src`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Script {
    /// The playground, which is the demo's page, too.
    Main,
    /// The gallery.
    Gallery,
}

impl Script {
    fn name(self) -> &'static str {
        match self {
            Script::Main => "main",
            Script::Gallery => "gallery",
        }
    }

    /// Its page in `playground/`.
    fn page(self) -> &'static str {
        match self {
            Script::Main => "index.html",
            Script::Gallery => "gallery.html",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Script::Main => "<title>Sinew playground</title>",
            Script::Gallery => "<title>Sinew: the gallery</title>",
        }
    }

    fn element(self) -> &'static str {
        match self {
            Script::Main => "<script type=\"module\" src=\"main.js\"></script>",
            Script::Gallery => "<script type=\"module\" src=\"gallery.js\"></script>",
        }
    }
}

/// What a page in one file is made of.
pub struct Bundle {
    kind: Script,
    script: String,
    /// The library.
    pub module: Vec<u8>,
}

impl Bundle {
    /// Why a page cannot be made here, if it cannot.
    pub fn is_missing() -> Option<String> {
        [&NODE, &NPM].iter().find_map(|tool| tool.is_missing())
    }

    /// Bundles a script, and builds the module with vector instructions: browsers that lack them
    /// cannot unpack the page either.
    pub fn new(script: Script) -> Result<Self> {
        let module = std::fs::read(wasm(Vectors::With)?)?;
        let workshop = sources()?;
        let file = workshop.join(format!("playground/{}.bundle.js", script.name()));
        bundle(&workshop, script, &file)?;
        Ok(Self { kind: script, script: std::fs::read_to_string(file)?, module })
    }

    /// The page of the script with everything in it; `data`: elements before the script.
    pub fn page(&self, title: &str, data: &str) -> Result<String> {
        let source = paths::root().join("playground");
        let read = |file: &str| std::fs::read_to_string(source.join(file)).with_context(|| file.to_string());
        let page = read(self.kind.page())?;
        let parts = [
            ("<html lang=\"en\">", "<html lang=\"en\" data-alone>".to_string()),
            (self.kind.title(), format!("<title>{}</title>", escape(title))),
            ("<link rel=\"stylesheet\" href=\"style.css\">", format!("<style>\n{}</style>", read("style.css")?)),
            (self.kind.element(), format!("{data}\n<script type=\"module\">\n{}</script>", self.script)),
        ];
        parts.into_iter().try_fold(page, |page, (from, to)| {
            let (before, after) = page.split_once(from).with_context(|| format!("no {from} in the page"))?;
            Ok(format!("{before}{to}{after}"))
        })
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The workshop with a checked copy of the playground's sources.
fn sources() -> Result<Workshop> {
    let workshop = workshop()?;
    let copy = workshop.join("playground");
    remove(&copy)?;
    copy_folder(&paths::root().join("playground"), &copy)?;
    manual(&copy.join("src"))?;
    sh::run(&mut tool(&workshop, "tsc", &["--project", "playground"])).context("checking playground/src")?;
    Ok(workshop)
}

/// What stands in front of each program of bindings/web/README.md: what the program names.
const NAMED: [&str; 2] = [
    "import type { AnimationMixer, Camera, Object3D, Scene, WebGLRenderer } from \"three\";\n\
     declare const gltf: { scene: Object3D }, cup: Object3D, ball: Object3D, scene: Scene, camera: Camera;\n\
     declare const renderer: WebGLRenderer, mixer: AnimationMixer, dt: number;\n",
    "import { IkGoal, type Sinew } from \"sinew-ik\";\n\
     declare const sinew: Sinew, parents: Int32Array, rest: Float32Array, names: string[], animation: Float32Array;\n",
];

/// The programs that the page of the npm package shows, to be checked with the playground.
fn manual(sources: &Path) -> Result<()> {
    let page = std::fs::read_to_string(paths::root().join("bindings/web/README.md"))?;
    let programs: Vec<&str> = page.split("```js\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    ensure!(programs.len() == NAMED.len(), "bindings/web/README.md shows {} programs", programs.len());
    for (i, (named, program)) in NAMED.iter().zip(programs).enumerate() {
        std::fs::write(sources.join(format!("readme-{i}.ts")), format!("{named}{program}\nexport {{}};\n"))?;
    }
    Ok(())
}

/// One script with everything that it uses.
fn bundle(workshop: &Path, script: Script, into: &Path) -> Result<()> {
    let (source, out) = (format!("playground/src/{}.ts", script.name()), format!("--outfile={}", into.display()));
    let mut arguments = vec![source.as_str(), "--bundle", "--minify", "--format=esm", "--target=es2022"];
    arguments.extend(["--legal-comments=eof", "--log-level=warning", "--alias:sinew-ik=./src/index.ts"]);
    arguments.extend(["--alias:sinew-ik/three=./src/three.ts", &out]);
    sh::run(&mut tool(workshop, "esbuild", &arguments)).context("bundling playground/src")?;
    Ok(())
}

/// Writes the page with these modules into a folder; an error when a visitor would fetch too much.
pub fn build(folder: &Path, modules: &[Vectors]) -> Result<()> {
    let source = paths::root().join("playground");
    std::fs::create_dir_all(folder)?;
    bundle(&sources()?, Script::Main, &folder.join("main.js"))?;
    for file in ["index.html", "style.css"] {
        sh::copy(&source.join(file), &folder.join(file))?;
    }
    for vectors in modules {
        sh::copy(&wasm(*vectors)?, &folder.join(vectors.file()))?;
    }
    let mut total = 0;
    for file in ["index.html", "style.css", "main.js", modules[0].file()] {
        let bytes = compressed(&std::fs::read(folder.join(file))?)?;
        println!("{:>9}  {file}, compressed", bytes);
        total += bytes;
    }
    println!("{total:>9}  in all");
    ensure!(total <= MAX_BYTES, "a visitor fetches {total} bytes, more than {MAX_BYTES}");
    Ok(())
}

/// Size after gzip.
fn compressed(bytes: &[u8]) -> Result<usize> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?.len())
}
