//! `cargo xtask gallery`: a page of small live scenes, one for each solver, kind of goal and joint
//! limit, and a sheet of stills.

mod bodies;
mod exhibit;
mod films;
mod goals;
mod limits;
mod live;
mod page;
mod sheet;
mod solvers;
#[cfg(test)]
mod tests;
mod trackers;

use crate::paths;
use crate::web::playground::{Bundle, Script};
use anyhow::{Context, Result};
use exhibit::Exhibit;
use std::path::{Path, PathBuf};

/// `cargo xtask gallery`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Folder for `gallery.html`, `gallery.png` and `bodies.png`; default: `target/gallery`.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Writes the manual's moving pictures into docs/films, too.
    #[arg(long)]
    films: bool,
}

/// Everything on show, in the order of the page.
fn exhibits() -> Vec<Exhibit> {
    let parts = [solvers::exhibits(), goals::exhibits(), limits::exhibits(), bodies::exhibits(), trackers::exhibits()];
    parts.into_iter().flatten().collect()
}

fn write_page(exhibits: &[Exhibit], file: &Path) -> Result<()> {
    let text = page::page(&Bundle::new(Script::Gallery)?, exhibits)?;
    std::fs::write(file, text).with_context(|| format!("writing {}", file.display()))
}

/// Writes the page without stills.
pub fn page_only(file: &Path) -> Result<()> {
    write_page(&exhibits(), file)
}

/// Solves, draws and writes.
pub fn run(arguments: &Arguments) -> Result<()> {
    let out = match &arguments.out {
        Some(out) => out.clone(),
        None => paths::target()?.join("gallery"),
    };
    std::fs::create_dir_all(&out).with_context(|| format!("making {}", out.display()))?;
    let exhibits = exhibits();
    match Bundle::is_missing() {
        Some(why) => println!("page: not made: {why}"),
        None => {
            let page = out.join("gallery.html");
            write_page(&exhibits, &page)?;
            println!("{} pictures that can be dragged: {}", exhibits.len(), page.display());
        }
    }
    let stills = out.join("gallery.png");
    sheet::write(&exhibits, &stills, &sheet::SMALL)?;
    let bodies = out.join("bodies.png");
    let large: Vec<Exhibit> = [bodies::exhibits(), trackers::exhibits()].into_iter().flatten().collect();
    sheet::write(&large, &bodies, &sheet::LARGE)?;
    if arguments.films {
        films::write(&exhibits, &paths::root().join("docs/films"))?;
    }
    println!("stills: {}, {}", stills.display(), bodies.display());
    Ok(())
}
