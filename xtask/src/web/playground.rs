//! `cargo xtask playground`: the page on which a character is dragged.

use super::{Vectors, remove, serve, tool, wasm, workshop};
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

/// Writes the page with these modules into a folder; an error when a visitor would fetch too much.
pub fn build(folder: &Path, modules: &[Vectors]) -> Result<()> {
    let source = paths::root().join("playground");
    let workshop = workshop()?;
    let copy = workshop.join("playground");
    remove(&copy)?;
    copy_folder(&source, &copy)?;
    std::fs::create_dir_all(folder)?;
    sh::run(&mut tool(&workshop, "tsc", &["--project", "playground"])).context("checking playground/src")?;
    let script = folder.join("main.js");
    let out = format!("--outfile={}", script.display());
    let mut arguments = vec!["playground/src/main.ts", "--bundle", "--minify", "--format=esm", "--target=es2022"];
    arguments.extend(["--legal-comments=eof", "--log-level=warning", "--alias:sinew-ik=./src/index.ts"]);
    arguments.extend(["--alias:sinew-ik/three=./src/three.ts", &out]);
    sh::run(&mut tool(&workshop, "esbuild", &arguments)).context("bundling playground/src")?;
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
