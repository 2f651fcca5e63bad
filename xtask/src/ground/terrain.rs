//! Ground as a height function over x and z, with y up.

use crate::oracle::geometry::V3;
use serde::Deserialize;
use std::f64::consts::PI;

fn forward() -> [f64; 3] {
    [0.0, 0.0, 1.0]
}

/// A ground of one kind; `d` is the way up it, `o` where it starts.
#[derive(Clone, Deserialize)]
pub struct Terrain {
    pub kind: String,
    #[serde(default = "forward")]
    d: [f64; 3],
    #[serde(default)]
    o: [f64; 3],
    #[serde(default)]
    rise: f64,
    #[serde(default)]
    tread: f64,
    #[serde(default)]
    steps: i64,
    #[serde(default)]
    start: f64,
    #[serde(default)]
    deg: f64,
    #[serde(default)]
    amp: f64,
    #[serde(default)]
    patches: Vec<[f64; 3]>,
}

impl Terrain {
    /// How far the ground itself has moved at a time.
    pub fn moved(&self, t: f64) -> V3 {
        match self.kind.as_str() {
            "lift" => V3([0.0, 0.2 * (2.0 * PI * 0.5 * t).sin(), 0.0]),
            "tram" => V3([0.8 * (2.0 * PI * 0.25 * t).sin(), 0.0, 0.0]),
            _ => V3::ZERO,
        }
    }

    /// Height of the ground.
    pub fn height(&self, x: f64, z: f64, t: f64) -> f64 {
        let m = self.moved(t);
        let p = V3([x, 0.0, z]) - m - V3(self.o);
        let across = V3([self.d[2], 0.0, -self.d[0]]);
        let (u, v) = (p.dot(V3(self.d)), p.dot(across));
        let tan = (self.deg * PI / 180.0).tan();
        match self.kind.as_str() {
            "flat" | "lift" | "tram" => m.0[1],
            "stairs_up" | "stairs_down" => {
                let on = ((u - self.start).max(0.0) / self.tread + 1e-9).floor() as i64 + i64::from(u >= self.start);
                self.sign() * self.rise * on.min(self.steps) as f64
            }
            "slope" => tan * u,
            "cross" => tan * v,
            "curb" => {
                if u >= self.start {
                    self.rise
                } else {
                    0.0
                }
            }
            "rocks" => {
                let w = |x: f64| 2.0 * PI * x;
                self.amp
                    * (0.6 * (w(u) / 0.9 + 1.0).sin() * (w(v) / 0.7 + 2.0).sin()
                        + 0.4 * (w(u) / 0.37 + 0.5).sin() * (w(v) / 0.43).cos())
            }
            _ => {
                let mut best = (f64::INFINITY, 0.0);
                for q in &self.patches {
                    let away = (x - q[0]).hypot(z - q[2]);
                    if away < best.0 {
                        best = (away, q[1]);
                    }
                }
                best.1
            }
        }
    }

    fn sign(&self) -> f64 {
        if self.kind == "stairs_down" { -1.0 } else { 1.0 }
    }

    /// Height and normal.
    pub fn ray(&self, x: f64, z: f64, t: f64) -> (f64, V3) {
        let y = self.height(x, z, t);
        if !matches!(self.kind.as_str(), "slope" | "cross" | "rocks") {
            return (y, V3([0.0, 1.0, 0.0]));
        }
        let e = 1e-3;
        let dx = (self.height(x + e, z, t) - self.height(x - e, z, t)) / (2.0 * e);
        let dz = (self.height(x, z + e, t) - self.height(x, z - e, t)) / (2.0 * e);
        let n = V3([-dx, 1.0, -dz]);
        (y, n * (1.0 / n.len()))
    }

    /// What a capsule of radius 0.25 m stands on.
    pub fn under(&self, x: f64, z: f64, t: f64) -> f64 {
        let r = 0.25;
        match self.kind.as_str() {
            "patches" => 0.0,
            "stairs_up" | "stairs_down" | "curb" => {
                let u = (V3([x, 0.0, z]) - V3(self.o)).dot(V3(self.d));
                let (tread, steps) = if self.kind == "curb" { (1e9, 1) } else { (self.tread, self.steps) };
                let g = self.rise * self.sign();
                let integral = |q: f64| {
                    let v = q - self.start;
                    if v <= 0.0 {
                        return 0.0;
                    }
                    let n = (v / tread) as i64;
                    let (nf, sf) = (n as f64, steps as f64);
                    if n >= steps {
                        g * (tread * sf * (sf + 1.0) / 2.0 + sf * (v - sf * tread))
                    } else {
                        g * (tread * nf * (nf + 1.0) / 2.0 + (nf + 1.0) * (v - nf * tread))
                    }
                };
                let mean = |a: f64| (integral(u + a + r) - integral(u + a - r)) / (2.0 * r);
                (0..41).map(|i| mean(-r + 2.0 * r * f64::from(i) / 40.0)).sum::<f64>() / 41.0
            }
            _ => {
                let mut sum = 0.0;
                for a in [0.0, 0.5, 1.0] {
                    for b in 0..8 {
                        let angle = f64::from(b) * PI / 4.0;
                        sum += self.height(x + r * a * angle.cos(), z + r * a * angle.sin(), t);
                    }
                }
                sum / 24.0
            }
        }
    }
}
