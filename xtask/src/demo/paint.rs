//! The pictures of a model, for viewers that colour vertices only.

use super::skin::Image;
use std::io::Cursor;

/// A decoded picture.
pub struct Paint {
    width: usize,
    height: usize,
    /// Numbers of a pixel: 1 and 2 are grey, 3 and 4 have red, green and blue first.
    channels: usize,
    bytes: Vec<u8>,
}

impl Paint {
    /// Decodes a PNG or JPEG file; `None` when it is of another kind or broken.
    pub fn decode(image: &Image) -> Option<Paint> {
        match image.bytes.as_slice() {
            [0x89, b'P', b'N', b'G', ..] => png(&image.bytes),
            [0xff, 0xd8, ..] => jpeg(&image.bytes),
            _ => None,
        }
    }

    /// A colour times that of the picture at a place; pictures repeat.
    pub fn over(&self, colour: [u8; 3], [u, v]: [f32; 2]) -> [u8; 3] {
        let pixel = |place: f32, size: usize| ((place - place.floor()) * size as f32) as usize % size;
        let at = (pixel(v, self.height) * self.width + pixel(u, self.width)) * self.channels;
        let Some(pixel) = self.bytes.get(at..at + self.channels) else { return colour };
        let part = |i: usize| if self.channels < 3 { pixel[0] } else { pixel[i] };
        [0, 1, 2].map(|i| (u32::from(colour[i]) * u32::from(part(i)) / 255) as u8)
    }

    fn new(width: usize, height: usize, channels: usize, bytes: Vec<u8>) -> Option<Paint> {
        let is_whole = width > 0 && height > 0 && bytes.len() >= width * height * channels;
        is_whole.then_some(Paint { width, height, channels, bytes })
    }
}

fn png(bytes: &[u8]) -> Option<Paint> {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().ok()?;
    let mut pixels = vec![0; reader.output_buffer_size()?];
    let info = reader.next_frame(&mut pixels).ok()?;
    Paint::new(info.width as usize, info.height as usize, info.color_type.samples(), pixels)
}

fn jpeg(bytes: &[u8]) -> Option<Paint> {
    let mut decoder = zune_jpeg::JpegDecoder::new(Cursor::new(bytes));
    let pixels = decoder.decode().ok()?;
    let (width, height) = decoder.dimensions()?;
    let channels = pixels.len() / (width * height).max(1);
    Paint::new(width, height, channels, pixels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_in_a_picture_colours_a_vertex() {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 2, 1);
        encoder.set_color(png::ColorType::Rgb);
        encoder.write_header().unwrap().write_image_data(&[255, 0, 0, 0, 0, 255]).unwrap();
        let paint = Paint::decode(&Image { bytes }).unwrap();
        assert_eq!(paint.over([255; 3], [0.25, 0.5]), [255, 0, 0]);
        assert_eq!(paint.over([255, 255, 128], [1.75, 0.5]), [0, 0, 128]);
        assert!(Paint::decode(&Image { bytes: vec![1, 2, 3] }).is_none());
    }
}
