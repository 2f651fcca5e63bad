//! A window on an upright plane, for strips of moments side by side.

use super::raster::Picture;
use crate::oracle::geometry::V3;

/// A part of a picture that shows an upright plane from the side.
pub struct Window<'a> {
    /// The picture.
    pub picture: &'a mut Picture,
    /// Its place in the picture, pixels.
    pub left: usize,
    /// See [`Self::left`].
    pub top: usize,
    /// Its size, pixels.
    pub size: [usize; 2],
    /// Pixels per metre.
    pub scale: f64,
    /// Level unit vector of the plane, which points right.
    pub way: V3,
    /// What is in the middle of the width, along [`Self::way`], metres.
    pub middle: f64,
    /// Height at the lower edge, metres.
    pub floor: f64,
}

impl Window<'_> {
    /// The pixel of a point, counted from the window's corner.
    pub fn pixel(&self, p: V3) -> (f64, f64) {
        let x = (p.dot(self.way) - self.middle) * self.scale + 0.5 * self.size[0] as f64;
        (x, self.size[1] as f64 - (p.0[1] - self.floor) * self.scale)
    }
    /// A square about a pixel, unless it leaves the window.
    pub fn dot(&mut self, x: f64, y: f64, size: usize, colour: [u8; 3]) {
        let half = size as f64 * 0.5;
        let (x, y) = (x - half, y - half);
        let [width, height] = self.size.map(|n| n as f64);
        if x >= 0.0 && y >= 0.0 && x + half * 2.0 < width && y + half * 2.0 < height {
            self.picture.fill(self.left + x as usize, self.top + y as usize, size, size, colour, 1.0);
        }
    }
    /// A line between two points, `size` pixels thick.
    pub fn line(&mut self, from: V3, to: V3, size: usize, colour: [u8; 3]) {
        let ((x0, y0), (x1, y1)) = (self.pixel(from), self.pixel(to));
        let steps = (x1 - x0).abs().max((y1 - y0).abs()).ceil().max(1.0) as usize;
        for step in 0..=steps {
            let t = step as f64 / steps as f64;
            self.dot(x0 + (x1 - x0) * t, y0 + (y1 - y0) * t, size, colour);
        }
    }
}
