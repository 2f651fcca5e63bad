//! Pictures without a window: vectors, a small renderer, a font of dots, and PNG files.

pub mod film;
pub mod font;
pub mod raster;
pub mod vector;
pub mod window;

use anyhow::{Context, Result};
use raster::Picture;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

/// Writes a picture as PNG.
pub fn save(picture: &Picture, path: &Path) -> Result<()> {
    let file = File::create(path).with_context(|| format!("creating {}", path.display()))?;
    let mut encoder = png::Encoder::new(BufWriter::new(file), picture.width as u32, picture.height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(picture.pixels.as_flattened())?;
    writer.finish().with_context(|| format!("writing {}", path.display()))
}
