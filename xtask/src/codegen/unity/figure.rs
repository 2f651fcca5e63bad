//! The figure of the samples: joints named like Unity's human bones, and a skin of rounded
//! segments.

/// A joint: name, parent's name, place in T-pose (metres, facing +Z, Y up, Unity's left-handed
/// axes).
pub struct Joint {
    pub name: &'static str,
    pub parent: Option<usize>,
    pub place: [f32; 3],
}

const JOINTS: [(&str, &str, [f32; 3]); 21] = [
    ("Hips", "", [0.0, 0.95, 0.0]),
    ("Spine", "Hips", [0.0, 1.05, 0.0]),
    ("Chest", "Spine", [0.0, 1.2, 0.0]),
    ("Neck", "Chest", [0.0, 1.48, 0.0]),
    ("Head", "Neck", [0.0, 1.58, 0.0]),
    ("LeftUpperLeg", "Hips", [-0.09, 0.93, 0.0]),
    ("LeftLowerLeg", "LeftUpperLeg", [-0.09, 0.5, 0.01]),
    ("LeftFoot", "LeftLowerLeg", [-0.09, 0.08, -0.02]),
    ("LeftToes", "LeftFoot", [-0.09, 0.02, 0.12]),
    ("RightUpperLeg", "Hips", [0.09, 0.93, 0.0]),
    ("RightLowerLeg", "RightUpperLeg", [0.09, 0.5, 0.01]),
    ("RightFoot", "RightLowerLeg", [0.09, 0.08, -0.02]),
    ("RightToes", "RightFoot", [0.09, 0.02, 0.12]),
    ("LeftShoulder", "Chest", [-0.03, 1.42, 0.0]),
    ("LeftUpperArm", "LeftShoulder", [-0.18, 1.42, 0.0]),
    ("LeftLowerArm", "LeftUpperArm", [-0.5, 1.42, 0.0]),
    ("LeftHand", "LeftLowerArm", [-0.76, 1.42, 0.0]),
    ("RightShoulder", "Chest", [0.03, 1.42, 0.0]),
    ("RightUpperArm", "RightShoulder", [0.18, 1.42, 0.0]),
    ("RightLowerArm", "RightUpperArm", [0.5, 1.42, 0.0]),
    ("RightHand", "RightLowerArm", [0.76, 1.42, 0.0]),
];

/// Segments: from a joint to a point; radius across X or Z and along the other axis, at both ends.
const SEGMENTS: [(&str, &str, [f32; 3], f32, f32); 20] = [
    ("Hips", "Spine", [0.0, 1.05, 0.0], 0.14, 0.12),
    ("Spine", "Chest", [0.0, 1.2, 0.0], 0.12, 0.13),
    ("Chest", "Neck", [0.0, 1.46, 0.0], 0.14, 0.09),
    ("Neck", "Head", [0.0, 1.6, 0.0], 0.05, 0.05),
    ("Head", "", [0.0, 1.78, 0.02], 0.085, 0.07),
    ("LeftUpperLeg", "LeftLowerLeg", [-0.09, 0.5, 0.01], 0.085, 0.06),
    ("LeftLowerLeg", "LeftFoot", [-0.09, 0.08, -0.02], 0.055, 0.04),
    ("LeftFoot", "LeftToes", [-0.09, 0.03, 0.12], 0.04, 0.03),
    ("LeftToes", "", [-0.09, 0.025, 0.19], 0.03, 0.022),
    ("RightUpperLeg", "RightLowerLeg", [0.09, 0.5, 0.01], 0.085, 0.06),
    ("RightLowerLeg", "RightFoot", [0.09, 0.08, -0.02], 0.055, 0.04),
    ("RightFoot", "RightToes", [0.09, 0.03, 0.12], 0.04, 0.03),
    ("RightToes", "", [0.09, 0.025, 0.19], 0.03, 0.022),
    ("LeftShoulder", "LeftUpperArm", [-0.18, 1.42, 0.0], 0.05, 0.06),
    ("LeftUpperArm", "LeftLowerArm", [-0.5, 1.42, 0.0], 0.055, 0.042),
    ("LeftLowerArm", "LeftHand", [-0.76, 1.42, 0.0], 0.042, 0.03),
    ("LeftHand", "", [-0.92, 1.42, 0.0], 0.035, 0.02),
    ("RightShoulder", "RightUpperArm", [0.18, 1.42, 0.0], 0.05, 0.06),
    ("RightUpperArm", "RightLowerArm", [0.5, 1.42, 0.0], 0.055, 0.042),
    ("RightLowerArm", "RightHand", [0.76, 1.42, 0.0], 0.042, 0.03),
];
const RIGHT_HAND: (&str, &str, [f32; 3], f32, f32) = ("RightHand", "", [0.92, 1.42, 0.0], 0.035, 0.02);

/// A vertex of the skin; two joints at most.
pub struct Vertex {
    pub place: [f32; 3],
    pub normal: [f32; 3],
    pub uv: [f32; 2],
    pub joints: [usize; 2],
    pub weights: [f32; 2],
}

/// The skin in T-pose, in the figure's own space.
pub struct Skin {
    pub vertices: Vec<Vertex>,
    /// Clockwise as seen from outside, as Unity has it.
    pub triangles: Vec<[u16; 3]>,
    pub joints: Vec<Joint>,
}

/// The joints in the order of the mesh's bones, parents first.
pub fn joints() -> Vec<Joint> {
    let index = |name: &str| JOINTS.iter().position(|j| j.0 == name);
    JOINTS.iter().map(|(name, parent, place)| Joint { name, parent: index(parent), place: *place }).collect()
}

/// The whole figure.
pub fn skin() -> Skin {
    let joints = joints();
    let mut skin = Skin { vertices: vec![], triangles: vec![], joints };
    for (from, next, end, r0, r1) in SEGMENTS.iter().chain([&RIGHT_HAND]) {
        let own = skin.joints.iter().position(|j| j.name == *from).unwrap_or(0);
        let child = skin.joints.iter().position(|j| j.name == *next).unwrap_or(own);
        add_segment(&mut skin, own, child, *end, *r0, *r1);
    }
    skin
}

const SIDES: usize = 10;
/// Rings of a segment: way along it, and share of the radius; the ends are rounded.
const RINGS: [(f32, f32); 7] =
    [(-0.06, 0.35), (-0.02, 0.8), (0.06, 1.0), (0.5, 1.0), (0.94, 1.0), (1.02, 0.8), (1.06, 0.35)];

fn add_segment(skin: &mut Skin, own: usize, child: usize, end: [f32; 3], r0: f32, r1: f32) {
    let start = skin.joints[own].place;
    let parent = skin.joints[own].parent.unwrap_or(own);
    let along = sub(end, start);
    let length = dot(along, along).sqrt();
    let axis = scale(along, 1.0 / length);
    let helper = if axis[1].abs() > 0.7 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let side = unit(cross(axis, helper));
    let other = cross(axis, side);
    let first = skin.vertices.len();
    for (ring, (way, share)) in RINGS.iter().enumerate() {
        let centre = add(start, scale(along, *way));
        let radius = (r0 + (r1 - r0) * way.clamp(0.0, 1.0)) * share;
        // Half of the skin at a joint follows the joint before it.
        let (second, weight) = match ring {
            0..=2 => (parent, 0.5),
            3 => (own, 0.0),
            _ => (child, 0.5),
        };
        let (weight, second) = if second == own { (0.0, own) } else { (weight, second) };
        for corner in 0..SIDES {
            let angle = corner as f32 / SIDES as f32 * std::f32::consts::TAU;
            let out = add(scale(side, turn(angle).0), scale(other, turn(angle).1));
            let lean = match ring {
                0 | 1 => -0.8,
                5 | 6 => 0.8,
                _ => 0.0,
            };
            skin.vertices.push(Vertex {
                place: add(centre, scale(out, radius)),
                normal: unit(add(out, scale(axis, lean))),
                uv: [corner as f32 / SIDES as f32, way.clamp(0.0, 1.0)],
                joints: [own, second],
                weights: [1.0 - weight, weight],
            });
        }
    }
    for ring in 0..RINGS.len() - 1 {
        for corner in 0..SIDES {
            let next = (corner + 1) % SIDES;
            let at = |r: usize, c: usize| (first + r * SIDES + c) as u16;
            add_triangle(skin, [at(ring, corner), at(ring, next), at(ring + 1, corner)]);
            add_triangle(skin, [at(ring, next), at(ring + 1, next), at(ring + 1, corner)]);
        }
    }
    for (ring, lean) in [(0, -1.0_f32), (RINGS.len() - 1, 1.0)] {
        let weights = &skin.vertices[first + ring * SIDES];
        let (joints, weights) = (weights.joints, weights.weights);
        let place = add(start, scale(along, RINGS[ring].0 + lean * 0.01));
        skin.vertices.push(Vertex { place, normal: scale(axis, lean), uv: [0.5, 0.5], joints, weights });
        let tip = (skin.vertices.len() - 1) as u16;
        for corner in 0..SIDES {
            let at = |c: usize| (first + ring * SIDES + c % SIDES) as u16;
            add_triangle(skin, [at(corner), at(corner + 1), tip]);
        }
    }
}

// Turned so that the cross product of its sides looks outwards, which is clockwise from outside in
// a left-handed space.
fn add_triangle(skin: &mut Skin, [a, b, c]: [u16; 3]) {
    let p = |i: u16| skin.vertices[i as usize].place;
    let outward = cross(sub(p(b), p(a)), sub(p(c), p(a)));
    let normals = [a, b, c].map(|i| skin.vertices[i as usize].normal);
    let middle = add(add(normals[0], normals[1]), normals[2]);
    skin.triangles.push(if dot(outward, middle) >= 0.0 { [a, b, c] } else { [a, c, b] });
}

/// Cosine and sine, pinned, so that the files are the same on every machine.
fn turn(angle: f32) -> (f32, f32) {
    (libm_cos(angle), libm_cos(angle - std::f32::consts::FRAC_PI_2))
}

// A Taylor series on the first eighth of a turn: only + and *.
fn libm_cos(angle: f32) -> f32 {
    let mut x = angle as f64 % std::f64::consts::TAU;
    if x < 0.0 {
        x += std::f64::consts::TAU;
    }
    if x > std::f64::consts::PI {
        x = std::f64::consts::TAU - x;
    }
    let (x, sign) = if x > std::f64::consts::FRAC_PI_2 { (std::f64::consts::PI - x, -1.0) } else { (x, 1.0) };
    let s = x * x;
    (sign * (1.0 - s / 2.0 * (1.0 - s / 12.0 * (1.0 - s / 30.0 * (1.0 - s / 56.0 * (1.0 - s / 90.0)))))) as f32
}

pub fn add(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub fn sub(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn scale(a: [f32; 3], s: f32) -> [f32; 3] {
    a.map(|x| x * s)
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn unit(a: [f32; 3]) -> [f32; 3] {
    scale(a, 1.0 / dot(a, a).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_skin_is_whole() {
        let skin = skin();
        assert!(skin.vertices.len() < 65536 && skin.triangles.len() > 1000);
        for v in &skin.vertices {
            assert!((v.weights[0] + v.weights[1] - 1.0).abs() < 1e-6);
            assert!((dot(v.normal, v.normal) - 1.0).abs() < 1e-4);
        }
        assert!(skin.triangles.iter().flatten().all(|i| (*i as usize) < skin.vertices.len()));
        assert!(skin.joints.iter().enumerate().all(|(i, j)| j.parent.is_none_or(|p| p < i)));
    }
}
