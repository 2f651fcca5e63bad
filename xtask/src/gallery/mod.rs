//! `cargo xtask gallery`: a page of small moving pictures, one for each solver, kind of goal and
//! joint limit, and a sheet of stills.

mod bodies;
mod exhibit;
mod films;
mod goals;
mod limits;
mod page;
mod sheet;
mod solvers;
#[cfg(test)]
mod tests;

use crate::paths;
use anyhow::{Context, Result};
use exhibit::Exhibit;
use std::path::PathBuf;

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
    [solvers::exhibits(), goals::exhibits(), limits::exhibits(), bodies::exhibits()].into_iter().flatten().collect()
}

/// Solves, draws and writes.
pub fn run(arguments: &Arguments) -> Result<()> {
    let out = match &arguments.out {
        Some(out) => out.clone(),
        None => paths::target()?.join("gallery"),
    };
    std::fs::create_dir_all(&out).with_context(|| format!("making {}", out.display()))?;
    let exhibits = exhibits();
    let page = out.join("gallery.html");
    std::fs::write(&page, page::page(&exhibits)?).with_context(|| format!("writing {}", page.display()))?;
    let stills = out.join("gallery.png");
    sheet::write(&exhibits, &stills, &sheet::SMALL)?;
    let bodies = out.join("bodies.png");
    sheet::write(&bodies::exhibits(), &bodies, &sheet::LARGE)?;
    if arguments.films {
        films::write(&exhibits, &paths::root().join("docs/films"))?;
    }
    let (count, page, stills, bodies) = (exhibits.len(), page.display(), stills.display(), bodies.display());
    println!("{count} moving pictures: {page}\nstills: {stills}, {bodies}");
    Ok(())
}
