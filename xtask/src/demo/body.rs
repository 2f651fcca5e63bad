//! Shape of a mannequin: soft shapes attached to the bones of the bind pose.
//!
//! Every shape is a round cone (the hull of two spheres), flattened along one axis if wished.
//! Shapes of one part melt into each other; parts only touch, like sleeves and hands. `skin.rs`
//! makes the mesh that both the page and the sheet draw, so this file is the only place that knows
//! anatomy. Sizes are those of an adult of 1.75 m, times `Bind::scale`.

use super::bind::{Bind, FINGERS};
use crate::picture::vector::{Vec3, vec3};

/// Shapes that melt into one surface.
pub struct Part {
    /// Plain sRGB colour.
    pub colour: [u8; 3],
    /// Edge of the meshing grid, metres.
    pub cell_m: f32,
    /// At least one.
    pub shapes: Vec<Shape>,
}

/// A round cone from `a` to `b`, bind space, metres.
#[derive(Clone, Debug)]
pub struct Shape {
    pub a: Vec3,
    pub b: Vec3,
    pub radius_a: f32,
    pub radius_b: f32,
    /// Unit axis along which the cross section is scaled by `flat`.
    pub flat_axis: Vec3,
    /// 1 is round, 0.5 is half as thick along `flat_axis`.
    pub flat: f32,
    /// Joint that carries the end `a`.
    pub joint_a: usize,
    /// Joint that carries the end `b`.
    pub joint_b: usize,
    /// Width of the zone in which this melts into its neighbours, metres.
    pub blend_m: f32,
}

const BODY: [u8; 3] = [228, 220, 207];
const JOINT: [u8; 3] = [74, 90, 114];
const PLAIN: [u8; 3] = [126, 150, 178];

impl Part {
    fn new(colour: [u8; 3], cell_m: f32) -> Part {
        Part { colour, cell_m, shapes: Vec::new() }
    }

    /// Adds a round cone carried by one joint.
    fn cone(&mut self, joint: usize, a: Vec3, b: Vec3, radius_a: f32, radius_b: f32) -> &mut Shape {
        let blend_m = 0.5 * radius_a.min(radius_b);
        let (flat_axis, flat) = (Vec3::Z, 1.0);
        self.shapes.push(Shape { a, b, radius_a, radius_b, flat_axis, flat, joint_a: joint, joint_b: joint, blend_m });
        self.shapes.last_mut().expect("just pushed")
    }

    fn ball(&mut self, joint: usize, centre: Vec3, radius: f32) -> &mut Shape {
        self.cone(joint, centre, centre, radius, radius)
    }
}

impl Shape {
    fn flat(&mut self, axis: Vec3, flat: f32) -> &mut Shape {
        self.flat_axis = axis.unit_or(Vec3::Z);
        self.flat = flat;
        self
    }

    fn blend(&mut self, blend_m: f32) -> &mut Shape {
        self.blend_m = blend_m;
        self
    }

    fn ends_on(&mut self, joint: usize) -> &mut Shape {
        self.joint_b = joint;
        self
    }
}

/// The whole body for a bind pose; plain capsules where the human bones are not known.
pub fn parts(bind: &Bind) -> Vec<Part> {
    if !bind.human {
        return vec![sticks(bind)];
    }
    let mut parts = vec![trunk(bind), legs(bind), joints(bind)];
    parts.extend(head(bind));
    for (side, x) in [("Left", 1.0), ("Right", -1.0)] {
        parts.push(shoe(bind, side));
        parts.extend(hand(bind, side, x));
    }
    parts
}

/// One capsule per bone, as thick as the bone is long allows.
pub fn sticks(bind: &Bind) -> Part {
    let s = bind.scale;
    let mut part = Part::new(PLAIN, 0.016 * s);
    for (j, joint) in bind.stage.joints.iter().enumerate() {
        let Some(parent) = joint.parent else { continue };
        let (a, b) = (bind.pose[parent].p, bind.pose[j].p);
        let radius = ((b - a).len() * 0.17).clamp(0.012 * s, 0.06 * s);
        part.cone(parent, a, b, radius, radius * 0.8);
    }
    if part.shapes.is_empty() {
        part.ball(0, bind.pose[0].p, 0.1 * s);
    }
    part
}

fn trunk(bind: &Bind) -> Part {
    let s = bind.scale;
    let mut part = Part::new(BODY, 0.017 * s);
    let spine = bind.first_of(&["Spine", "Hips"]).unwrap_or(0);
    let chest = bind.first_of(&["Chest", "Spine", "Hips"]).unwrap_or(0);
    let top = bind.first_of(&["UpperChest", "Chest", "Spine", "Hips"]).unwrap_or(0);
    let hip_mid = bind.at("LeftUpperLeg").lerp(bind.at("RightUpperLeg"), 0.5);
    let shoulder_mid = bind.at("LeftUpperArm").lerp(bind.at("RightUpperArm"), 0.5);
    let wide = (bind.at("LeftUpperArm") - bind.at("RightUpperArm")).len();
    let neck = neck_place(bind);
    // Flattened cones from the ribs to a broad chest. `t` runs from hip
    // line to shoulder line.
    let up = |t: f32, z: f32| {
        let p = hip_mid.lerp(shoulder_mid, t);
        vec3(0.0, p.y, p.z + z * s)
    };
    let ribs = (0.09 * s + 0.17 * wide).clamp(0.1 * s, 0.2 * s);
    part.cone(spine, up(0.46, 0.004), up(0.76, 0.004), 0.132 * s, ribs)
        .flat(Vec3::Z, 0.72)
        .blend(0.06 * s)
        .ends_on(chest);
    for side in [1.0, -1.0] {
        let breast = up(0.78, 0.06) + vec3(side * 0.072 * s, 0.0, 0.0);
        part.ball(chest, breast, 0.072 * s).flat(Vec3::Z, 0.62).blend(0.05 * s);
        let blade = up(0.8, -0.058) + vec3(side * 0.075 * s, 0.0, 0.0);
        part.cone(chest, blade, blade + vec3(0.0, 0.06 * s, 0.012 * s), 0.07 * s, 0.06 * s)
            .flat(Vec3::Z, 0.6)
            .blend(0.05 * s);
    }
    let girdle = up(0.9, 0.0);
    let reach = vec3(0.25 * wide, 0.0, 0.0);
    part.cone(top, girdle + reach, girdle - reach, 0.082 * s, 0.082 * s).flat(Vec3::Z, 1.05).blend(0.06 * s);
    for (side, x) in [("Left", 1.0), ("Right", -1.0)] {
        let bone = |name: &str| format!("{side}{name}");
        let collar = bind.bone(&bone("Shoulder")).unwrap_or(top);
        let (shoulder, elbow, wrist) = (bind.at(&bone("UpperArm")), bind.at(&bone("LowerArm")), bind.at(&bone("Hand")));
        let (Some(upper), Some(lower)) = (bind.bone(&bone("UpperArm")), bind.bone(&bone("LowerArm"))) else { continue };
        // Trapezius, from the neck down to the shoulder.
        let nape = vec3(x * 0.03 * s, neck.y - 0.012 * s, neck.z - 0.01 * s);
        part.cone(top, nape, shoulder + vec3(-x * 0.02, 0.006, 0.0) * s, 0.05 * s, 0.054 * s)
            .blend(0.05 * s)
            .ends_on(collar);
        let along = |t: f32| shoulder.lerp(elbow, t);
        part.cone(upper, shoulder + vec3(-x * 0.006, -0.002, 0.0) * s, along(0.3), 0.06 * s, 0.053 * s).blend(0.04 * s);
        part.cone(upper, along(0.25), elbow, 0.053 * s, 0.0425 * s).blend(0.012 * s);
        let fore = |t: f32| elbow.lerp(wrist, t);
        part.cone(lower, elbow, fore(0.28), 0.042 * s, 0.0445 * s).blend(0.012 * s);
        part.cone(lower, fore(0.28), fore(0.95), 0.0445 * s, 0.0325 * s).blend(0.012 * s);
    }
    part
}

/// Where the neck grows out of the trunk; a third of the way from the shoulders to the head if the
/// rig has no neck.
fn neck_place(bind: &Bind) -> Vec3 {
    let shoulder_mid = bind.at("LeftUpperArm").lerp(bind.at("RightUpperArm"), 0.5);
    bind.bone("Neck").map_or_else(|| shoulder_mid.lerp(bind.at("Head"), 0.35), |j| bind.pose[j].p)
}

fn legs(bind: &Bind) -> Part {
    let s = bind.scale;
    let mut part = Part::new(BODY, 0.018 * s);
    let hips = bind.bone("Hips").unwrap_or(0);
    let (left, right) = (bind.at("LeftUpperLeg"), bind.at("RightUpperLeg"));
    let mid = left.lerp(right, 0.5);
    let wide = ((left - right).len() * 0.42).max(0.05 * s);
    let seat = mid + vec3(0.0, 0.035, -0.008) * s;
    part.cone(hips, seat + Vec3::X * wide, seat - Vec3::X * wide, 0.093 * s, 0.093 * s)
        .flat(Vec3::Z, 0.98)
        .blend(0.05 * s);
    part.cone(hips, seat, mid + vec3(0.0, 0.06, 0.0) * s, 0.125 * s, 0.122 * s).flat(Vec3::Z, 0.7).blend(0.05 * s);
    for (side, x) in [("Left", 1.0), ("Right", -1.0)] {
        let bone = |name: &str| format!("{side}{name}");
        let (hip, knee, ankle) = (bind.at(&bone("UpperLeg")), bind.at(&bone("LowerLeg")), bind.at(&bone("Foot")));
        let (Some(upper), Some(lower)) = (bind.bone(&bone("UpperLeg")), bind.bone(&bone("LowerLeg"))) else { continue };
        part.ball(hips, hip + vec3(-x * 0.012, -0.01, -0.045) * s, 0.086 * s).blend(0.06 * s).ends_on(upper);
        let thigh = |t: f32| hip.lerp(knee, t);
        part.cone(upper, thigh(0.08) + vec3(0.004 * x, 0.0, 0.0) * s, thigh(0.45), 0.091 * s, 0.075 * s)
            .blend(0.05 * s);
        part.cone(upper, thigh(0.45), knee, 0.076 * s, 0.058 * s).blend(0.015 * s);
        let shin = |t: f32| knee.lerp(ankle, t);
        part.cone(lower, knee + vec3(0.0, 0.0, 0.004) * s, shin(0.32), 0.058 * s, 0.054 * s).blend(0.012 * s);
        part.ball(lower, shin(0.28) + vec3(0.0, 0.0, -0.014) * s, 0.046 * s).blend(0.03 * s);
        part.cone(lower, shin(0.3), shin(0.93), 0.054 * s, 0.04 * s).blend(0.012 * s);
    }
    part
}

fn shoe(bind: &Bind, side: &str) -> Part {
    let s = bind.scale;
    let mut part = Part::new(BODY, 0.011 * s);
    let ankle = bind.at(&format!("{side}Foot"));
    let Some(foot) = bind.bone(&format!("{side}Foot")) else { return part };
    let toes = bind.bone(&format!("{side}Toes"));
    let ball = toes.map_or(ankle + vec3(0.0, 0.0, 0.135 * s), |t| bind.pose[t].p);
    let toes = toes.unwrap_or(foot);
    let sole = ankle.y - bind.ankle_height();
    let ahead = vec3(ball.x - ankle.x, 0.0, ball.z - ankle.z).unit_or(Vec3::Z);
    let on_floor = |p: Vec3, forward: f32, radius: f32| {
        let p = p + ahead * (forward * s);
        vec3(p.x, sole + radius * s, p.z)
    };
    let (heel, mid) = (on_floor(ankle, -0.034, 0.036), on_floor(ankle, 0.05, 0.036));
    part.cone(foot, heel, mid, 0.036 * s, 0.037 * s).blend(0.02 * s);
    part.cone(foot, mid, on_floor(ball, 0.0, 0.03), 0.038 * s, 0.047 * s).flat(Vec3::Y, 0.64).blend(0.02 * s);
    let (ball_at, tip) = (on_floor(ball, 0.0, 0.03), on_floor(ball, 0.052, 0.026));
    part.cone(toes, ball_at, tip, 0.047 * s, 0.041 * s).flat(Vec3::Y, 0.62).blend(0.02 * s);
    let instep = ankle.lerp(ball, 0.55);
    part.cone(
        foot,
        ankle + vec3(0.0, 0.015 * s, 0.0),
        vec3(instep.x, instep.y.max(sole + 0.045 * s), instep.z),
        0.04 * s,
        0.032 * s,
    )
    .blend(0.025 * s);
    part
}

fn hand(bind: &Bind, side: &str, x: f32) -> Vec<Part> {
    let bone = |name: &str| format!("{side}{name}");
    let Some(hand) = bind.bone(&bone("Hand")) else { return Vec::new() };
    let wrist = bind.pose[hand].p;
    let knuckle = |finger: &str| bind.bone(&bone(&format!("{finger}Proximal"))).map(|j| bind.pose[j].p);
    let along = (wrist - bind.at(&bone("LowerArm"))).unit_or(Vec3::X * x);
    let size = knuckle("Middle").or(knuckle("Index")).map_or(bind.scale, |k| (k - wrist).len() / 0.09);
    let s = size.clamp(0.6 * bind.scale, 1.4 * bind.scale);
    let mut palm = Part::new(BODY, 0.0062 * s);
    let mut parts = Vec::new();
    // The wrist reaches into the sleeve, so that a turning hand leaves no gap.
    palm.cone(hand, wrist - along * (0.03 * s), wrist + along * (0.018 * s), 0.0235 * s, 0.0225 * s).blend(0.015 * s);
    let across = match (knuckle("Index"), knuckle("Little").or(knuckle("Ring"))) {
        (Some(first), Some(last)) => (first - last).across(along).unit_or(Vec3::Z),
        _ => Vec3::Z,
    };
    let back = along.cross(across).unit_or(Vec3::Y);
    let mut found = 0;
    for finger in &FINGERS[1..] {
        let Some(root) = knuckle(finger) else { continue };
        found += 1;
        let from = wrist + along * (0.018 * s) + across * ((root - wrist).dot(across) * 0.42);
        palm.cone(hand, from, root - along * (0.004 * s), 0.0148 * s, 0.0114 * s).flat(back, 0.95).blend(0.012 * s);
        parts.push(digit(bind, side, finger, 0.0098 * s * if *finger == "Little" { 0.86 } else { 1.0 }, s));
    }
    if let Some(root) = knuckle("Thumb") {
        palm.cone(hand, wrist + along * (0.016 * s) + across * (0.012 * s), root, 0.016 * s, 0.0155 * s)
            .blend(0.016 * s);
        parts.push(digit(bind, side, "Thumb", 0.0125 * s, s));
    }
    if found == 0 {
        // No finger bones: a mitten along the forearm.
        let tip = wrist + along * (0.15 * s);
        palm.cone(hand, wrist + along * (0.03 * s), tip, 0.036 * s, 0.024 * s).flat(back, 0.5).blend(0.02 * s);
        palm.cone(
            hand,
            wrist + along * (0.04 * s),
            wrist + along * (0.085 * s) + across * (0.045 * s),
            0.016 * s,
            0.011 * s,
        )
        .blend(0.012 * s);
    }
    parts.push(palm);
    parts
}

fn digit(bind: &Bind, side: &str, finger: &str, radius: f32, s: f32) -> Part {
    let mut part = Part::new(BODY, 0.0052 * s);
    let joint = |n: &str| bind.bone(&format!("{side}{finger}{n}"));
    let places: Vec<usize> = ["Proximal", "Intermediate", "Distal"].iter().filter_map(|n| joint(n)).collect();
    let mut radius = radius;
    for (i, &j) in places.iter().enumerate() {
        let a = bind.pose[j].p;
        let end = match places.get(i + 1) {
            Some(&next) => bind.pose[next].p,
            None => bind.finger_tip(side, finger).unwrap_or(a + (a - bind.at(&format!("{side}Hand"))) * 0.5),
        };
        // The tip's sphere ends where the finger ends.
        let end = if i + 1 == places.len() { end - (end - a).unit_or(Vec3::X) * (radius * 0.8) } else { end };
        part.cone(j, a, end, radius, radius * 0.9).blend(0.004 * s);
        radius *= 0.9;
    }
    part
}

/// Waist, neck, and a ball at each joint of a limb, in a colour of their own.
fn joints(bind: &Bind) -> Part {
    let s = bind.scale;
    let mut part = Part::new(JOINT, 0.011 * s);
    let hips = bind.bone("Hips").unwrap_or(0);
    let spine = bind.first_of(&["Spine", "Hips"]).unwrap_or(0);
    let hip_mid = bind.at("LeftUpperLeg").lerp(bind.at("RightUpperLeg"), 0.5);
    let shoulder_mid = bind.at("LeftUpperArm").lerp(bind.at("RightUpperArm"), 0.5);
    let waist = |t: f32| hip_mid.lerp(shoulder_mid, t);
    part.cone(hips, waist(0.1), waist(0.52), 0.126 * s, 0.118 * s).flat(Vec3::Z, 0.72).ends_on(spine);
    for side in ["Left", "Right"] {
        let balls = [("UpperArm", 0.068), ("LowerArm", 0.049), ("Hand", 0.034), ("LowerLeg", 0.066), ("Foot", 0.047)];
        for (name, radius) in balls {
            let name = format!("{side}{name}");
            if let Some(joint) = bind.bone(&name) {
                part.ball(joint, bind.pose[joint].p, radius * s).blend(0.001 * s);
            }
        }
    }
    part
}

/// A head without a face; a band at the height of the eyes shows where it looks.
fn head(bind: &Bind) -> Vec<Part> {
    let s = bind.scale;
    let Some(head) = bind.bone("Head") else { return Vec::new() };
    let neck = bind.bone("Neck").unwrap_or(head);
    let joint = bind.pose[head].p;
    let eyes = [bind.bone("LeftEye"), bind.bone("RightEye")];
    // `face(x, y, z)` is measured from the middle between the eyes; the head is set so that they
    // sit where the rig has them.
    let eye_gap = eyes[0].zip(eyes[1]).map(|(l, r)| (bind.pose[l].p - bind.pose[r].p).len());
    let s_head = eye_gap.map_or(s, |gap| (gap / 0.064 * s).clamp(0.85 * s, 1.5 * s));
    let k = if eye_gap.is_some() { s.lerp_to(s_head, 0.3) } else { s };
    let origin = match (eyes[0], eyes[1]) {
        (Some(l), Some(r)) => bind.pose[l].p.lerp(bind.pose[r].p, 0.5),
        _ => joint + vec3(0.0, 0.092, 0.078) * s,
    };
    let face = |x: f32, y: f32, z: f32| origin + vec3(x, y, z) * k;
    let mut stem = Part::new(JOINT, 0.009 * k);
    let throat = neck_place(bind) + vec3(0.0, -0.03, 0.004) * s;
    stem.cone(neck, throat, face(0.0, -0.055, -0.078), 0.05 * s, 0.046 * k).ends_on(head);
    let mut skull = Part::new(BODY, 0.0085 * k);
    skull
        .cone(head, face(0.0, 0.034, -0.098), face(0.0, 0.03, -0.06), 0.083 * k, 0.081 * k)
        .flat(Vec3::X, 0.93)
        .blend(0.03 * k);
    skull
        .cone(head, face(0.0, -0.004, -0.052), face(0.0, -0.07, -0.026), 0.064 * k, 0.044 * k)
        .flat(Vec3::X, 0.95)
        .blend(0.04 * k);
    let mut band = Part::new(JOINT, 0.0055 * k);
    // Along the skull at the height of the eyes; in the middle the skull is joined with the face
    // and a little fuller.
    let along = |degrees: f32| {
        let (sin, cos) = sinew::math::float::sin_cos(degrees.to_radians());
        let out = 0.001 + 0.007 * cos * cos;
        face((0.0713 + out) * sin, 0.003, -0.06 + (0.0767 + out) * cos)
    };
    for step in -3_i16..3 {
        let (from, to) = (f32::from(step) * 22.0, f32::from(step + 1) * 22.0);
        band.cone(head, along(from), along(to), 0.0125 * k, 0.0125 * k).blend(0.002 * k);
    }
    vec![stem, skull, band]
}

trait LerpTo {
    fn lerp_to(self, to: f32, t: f32) -> f32;
}

impl LerpTo for f32 {
    fn lerp_to(self, to: f32, t: f32) -> f32 {
        self + (to - self) * t
    }
}
