//! Moving pictures as animated PNG, with one palette for all frames.

use super::raster::Picture;
use anyhow::{Context, Result, ensure};
use std::collections::HashMap;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

/// Bits of a colour that the palette distinguishes.
const BITS: u32 = 5;

/// Writes frames of one size as an endless animated PNG of at most `colours` colours.
pub fn save(frames: &[Picture], frames_per_second: u16, colours: usize, path: &Path) -> Result<()> {
    let first = frames.first().context("a film without frames")?;
    let (width, height) = (first.width, first.height);
    ensure!(frames.iter().all(|f| f.width == width && f.height == height), "frames of different sizes");
    ensure!((2..=256).contains(&colours), "{colours} colours");
    let palette = palette(frames, colours);
    let mut known = HashMap::new();
    let pages: Vec<Vec<u8>> = frames.iter().map(|frame| indices(frame, &palette, &mut known)).collect();
    let file = File::create(path).with_context(|| format!("creating {}", path.display()))?;
    let mut encoder = png::Encoder::new(BufWriter::new(file), width as u32, height as u32);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    encoder.set_palette(palette.as_flattened().to_vec());
    encoder.set_animated(frames.len() as u32, 0)?;
    encoder.set_frame_delay(1, frames_per_second)?;
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&pages[0])?;
    for pair in pages.windows(2) {
        // What did not change since the frame before is left as it is.
        let (x, y, w, h) = changed(&pair[0], &pair[1], width);
        writer.reset_frame_position()?;
        writer.set_frame_dimension(w as u32, h as u32)?;
        writer.set_frame_position(x as u32, y as u32)?;
        let rows = (y..y + h).flat_map(|row| &pair[1][row * width + x..row * width + x + w]);
        writer.write_image_data(&rows.copied().collect::<Vec<u8>>())?;
    }
    writer.finish().with_context(|| format!("writing {}", path.display()))
}

/// The rectangle in which two pages differ; one pixel when they do not.
fn changed(before: &[u8], after: &[u8], width: usize) -> (usize, usize, usize, usize) {
    let (mut low, mut high) = ([usize::MAX; 2], [0; 2]);
    for (i, _) in before.iter().zip(after).enumerate().filter(|(_, (a, b))| a != b) {
        let at = [i % width, i / width];
        for axis in 0..2 {
            low[axis] = low[axis].min(at[axis]);
            high[axis] = high[axis].max(at[axis]);
        }
    }
    match low[0] {
        usize::MAX => (0, 0, 1, 1),
        _ => (low[0], low[1], high[0] - low[0] + 1, high[1] - low[1] + 1),
    }
}

fn bin(colour: [u8; 3]) -> u32 {
    colour.iter().fold(0, |bin, part| bin << BITS | u32::from(part >> (8 - BITS)))
}

/// Median cut over the colours of all frames.
fn palette(frames: &[Picture], colours: usize) -> Vec<[u8; 3]> {
    let mut bins: HashMap<u32, ([u64; 3], u64)> = HashMap::new();
    for colour in frames.iter().flat_map(|frame| &frame.pixels) {
        let (sums, count) = bins.entry(bin(*colour)).or_default();
        (0..3).for_each(|i| sums[i] += u64::from(colour[i]));
        *count += 1;
    }
    let mean = |(sums, count): ([u64; 3], u64)| (sums.map(|sum| (sum / count) as u8), count);
    let mut all: Vec<([u8; 3], u64)> = bins.into_values().map(mean).collect();
    all.sort_unstable();
    let mut boxes = vec![all];
    while boxes.len() < colours {
        let spread = |list: &Vec<([u8; 3], u64)>, axis: usize| {
            let values = || list.iter().map(|(colour, _)| colour[axis]);
            values().max().unwrap_or(0) - values().min().unwrap_or(0)
        };
        // The box whose colours differ most, rare ones counting less.
        let weight = |list: &Vec<([u8; 3], u64)>| {
            let widest = (0..3).map(|axis| spread(list, axis)).max().unwrap_or(0);
            let count: u64 = list.iter().map(|(_, count)| count).sum();
            u64::from(widest) * count.ilog2().max(1) as u64
        };
        let Some(at) = (0..boxes.len()).filter(|i| boxes[*i].len() > 1).max_by_key(|i| weight(&boxes[*i])) else {
            break;
        };
        let mut list = boxes.swap_remove(at);
        let axis = (0..3).max_by_key(|axis| spread(&list, *axis)).unwrap_or(0);
        list.sort_unstable_by_key(|(colour, count)| (colour[axis], *colour, *count));
        let tail = list.split_off(list.len() / 2);
        boxes.extend([list, tail]);
    }
    boxes
        .iter()
        .map(|list| {
            let count: u64 = list.iter().map(|(_, count)| count).sum();
            [0, 1, 2].map(|i| {
                let sum: u64 = list.iter().map(|(colour, count)| u64::from(colour[i]) * count).sum();
                (sum / count.max(1)) as u8
            })
        })
        .collect()
}

fn indices(frame: &Picture, palette: &[[u8; 3]], known: &mut HashMap<[u8; 3], u8>) -> Vec<u8> {
    let nearest = |colour: [u8; 3]| {
        let far =
            |other: &[u8; 3]| -> i32 { (0..3).map(|i| (i32::from(colour[i]) - i32::from(other[i])).pow(2)).sum() };
        (0..palette.len()).min_by_key(|i| far(&palette[*i])).unwrap_or(0) as u8
    };
    frame.pixels.iter().map(|colour| *known.entry(*colour).or_insert_with(|| nearest(*colour))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_film_is_read_back_as_it_was() {
        let colours = [[250, 250, 250], [200, 30, 30], [30, 30, 200]];
        let frames: Vec<Picture> = (0..3)
            .map(|i| {
                let mut picture = Picture::new(12, 8, colours[0]);
                picture.fill(2 + i, 3, 4, 2, colours[1], 1.0);
                picture.fill(9, 6, 2, 1, colours[2], 1.0);
                picture
            })
            .collect();
        let path = std::env::temp_dir().join(format!("sinew-film-{}.png", std::process::id()));
        save(&frames, 10, 8, &path).unwrap();
        let mut reader = png::Decoder::new(std::io::BufReader::new(File::open(&path).unwrap())).read_info().unwrap();
        assert_eq!(reader.info().animation_control().unwrap().num_frames, 3);
        let palette = reader.info().palette.clone().unwrap().into_owned();
        let mut canvas = [0u8; 12 * 8];
        for frame in &frames {
            let mut bytes = vec![0; 12 * 8];
            reader.next_frame(&mut bytes).unwrap();
            let part = *reader.info().frame_control().unwrap();
            for y in 0..part.height as usize {
                for x in 0..part.width as usize {
                    let to = (y + part.y_offset as usize) * 12 + x + part.x_offset as usize;
                    canvas[to] = bytes[y * part.width as usize + x];
                }
            }
            let shown: Vec<[u8; 3]> =
                canvas.iter().map(|i| [0, 1, 2].map(|c| palette[3 * usize::from(*i) + c])).collect();
            assert_eq!(shown, frame.pixels);
        }
        std::fs::remove_file(&path).unwrap();
    }
}
