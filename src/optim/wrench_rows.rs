//! Wrenches of many rows, number by number, so that loops over rows run several at a time.

use super::mobility_sum::{MobilitySum, Wrench};

/// Numbers side by side.
const WIDE: usize = 8;

/// Eight rows: torque, then force, number by number.
type Window = [[f32; WIDE]; 6];

/// Wrenches of rows, number by number.
#[derive(Clone, Debug, Default)]
pub struct WrenchRows {
    lists: [Vec<f32>; 6],
}

impl WrenchRows {
    /// Room for `rows` rows; what follows them is 0.
    pub fn new(rows: usize) -> Self {
        Self { lists: [0; 6].map(|_| vec![0.0; rows + WIDE]) }
    }
    /// Changes the number of rows; allocates only for more than ever before.
    pub fn resize(&mut self, rows: usize) {
        for list in &mut self.lists {
            list.resize(rows + WIDE, 0.0);
            list[rows..].fill(0.0);
        }
    }
    /// Sets the rows, in order.
    #[inline(always)]
    pub fn set<'a>(&mut self, wrenches: impl Iterator<Item = &'a Wrench>) {
        let rows = self.lists[0].len() - WIDE;
        let [a, b, c, d, e, f] = self.lists.each_mut().map(|list| &mut list[..rows]);
        for (row, wrench) in (0..rows).zip(wrenches) {
            let (t, v) = (wrench.torque, wrench.force);
            (a[row], b[row], c[row], d[row], e[row], f[row]) = (t.x, t.y, t.z, v.x, v.y, v.z);
        }
    }
    /// Eight rows from one on.
    #[inline(always)]
    fn window(&self, first: usize) -> Window {
        let mut window = [[0.0; WIDE]; 6];
        for (numbers, list) in window.iter_mut().zip(&self.lists) {
            numbers.copy_from_slice(&list[first..first + WIDE]);
        }
        window
    }
    /// The motions that the wrenches of eight rows produce, number by number.
    #[inline(always)]
    pub fn motions(&self, first: usize, sum: &MobilitySum, out: &mut Window) {
        let [a, b, c, d, e, f] = &self.window(first);
        let rows = sum.rows();
        for number in 0..6 {
            let (k, out) = (&rows[number], &mut out[number]);
            for i in 0..WIDE {
                out[i] = (k[0] * a[i] + k[1] * b[i] + k[2] * c[i]) + (k[3] * d[i] + k[4] * e[i] + k[5] * f[i]);
            }
        }
    }
    /// The work of rows `start .. end` on a motion, to the same places of `out`. Whole groups of
    /// eight are written: up to seven places after the last mean nothing.
    #[inline(always)]
    pub fn work(&self, start: usize, end: usize, m: [f32; 6], out: &mut [f32]) {
        let mut first = start;
        while first < end {
            out[first..first + WIDE].copy_from_slice(&work_of(&self.window(first), m));
            first += WIDE;
        }
    }
    /// The work of the eight rows from `start` on, on each of the motions of up to eight rows: to
    /// the same places of one list after the other.
    #[inline(always)]
    pub fn work_on_each<'a>(&self, start: usize, motions: &Window, lists: impl Iterator<Item = &'a mut [f32]>) {
        let window = self.window(start);
        let [a, b, c, d, e, f] = motions;
        for (i, list) in (0..WIDE).zip(lists) {
            list[start..start + WIDE].copy_from_slice(&work_of(&window, [a[i], b[i], c[i], d[i], e[i], f[i]]));
        }
    }
}

#[inline(always)]
fn work_of([a, b, c, d, e, f]: &Window, m: [f32; 6]) -> [f32; WIDE] {
    let mut sum = [0.0; WIDE];
    for i in 0..WIDE {
        sum[i] = (a[i] * m[0] + b[i] * m[1] + c[i] * m[2]) + (d[i] * m[3] + e[i] * m[4] + f[i] * m[5]);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::super::Noise;
    use super::*;
    use crate::math::{Mat3, Vec3};

    #[test]
    fn it_is_the_work_row_by_row() {
        let mut noise = Noise::new(9);
        let mut v = || Vec3::new(noise.signed(), noise.signed(), noise.signed());
        let mut rows = WrenchRows::new(13);
        let mut sum = MobilitySum::ZERO;
        (0..4).for_each(|_| sum.add_joint(v(), &Mat3::from_diagonal(v().abs())));
        let wrenches: Vec<Wrench> = (0..13).map(|_| Wrench { torque: v(), force: v() }).collect();
        rows.set(wrenches.iter());
        for first in [0, 5, 12] {
            let mut motions = [[0.0; WIDE]; 6];
            rows.motions(first, &sum, &mut motions);
            let mut out = [0.0; 24];
            rows.work(2, 13, motions.map(|list| list[0]), &mut out);
            let motion = sum.motion(&wrenches[first]);
            for (i, wrench) in wrenches.iter().enumerate().skip(2) {
                assert!((wrench.on(&motion) - out[i]).abs() < 1e-4, "{first} {i}");
            }
            let mut lists = [[0.0; 24]; 2];
            rows.work_on_each(2, &motions, lists.iter_mut().map(|list| &mut list[..]));
            assert_eq!(lists[0][2..10], out[2..10]);
        }
    }
}
