//! What the page needs to solve an exhibit by itself: rig, constraint or tasks, and the script of
//! its goals, in the terms of the npm package.

use super::exhibit::FRAMES;
use serde_json::{Map, Value, json};
use sinew::body::{BodySettings, TaskRequest};
use sinew::chains::ChainSettings;
use sinew::chains::spline::CurveKind;
use sinew::constraints::{ChainEnd, ConstraintDefinition, ConstraintInput, DistanceMode};
use sinew::limits::{BendAxis, Freedom, HingeAxis, JointModel, Range, SwingRegion};
use sinew::math::{Quat, Transform, Vec3};
use sinew::skeleton::{JointDefinition, Skeleton};

/// The shortest decimal of a number that gives its bits back.
fn number(x: f32) -> Value {
    x.to_string().parse::<f64>().map_or(Value::Null, |x| json!(x))
}

fn vector(v: Vec3) -> Value {
    json!({ "x": number(v.x), "y": number(v.y), "z": number(v.z) })
}

fn turn(q: Quat) -> Value {
    json!({ "x": number(q.x), "y": number(q.y), "z": number(q.z), "w": number(q.w) })
}

/// Ten numbers per joint.
pub fn pose(pose: &[Transform]) -> Value {
    let row = |t: &Transform| {
        [t.position.to_array().to_vec(), t.rotation.to_array().to_vec(), t.scale.to_array().to_vec()].concat()
    };
    pose.iter().flat_map(row).map(number).collect()
}

/// Parents and rest pose.
pub fn rig(joints: &[JointDefinition]) -> Value {
    let rest: Vec<Transform> = joints.iter().map(|joint| joint.rest).collect();
    let parents = joints.iter().map(|joint| joint.parent.map_or(-1, |parent| parent as i64));
    json!({ "parents": parents.collect::<Vec<_>>(), "rest": pose(&rest) })
}

/// The same of a skeleton.
pub fn skeleton(skeleton: &Skeleton) -> Value {
    let parents = skeleton.parents().iter().map(|parent| parent.map_or(-1, |parent| parent as i64));
    json!({ "parents": parents.collect::<Vec<_>>(), "rest": pose(skeleton.rest_local()) })
}

/// Points of the rig that are shown beside its joints.
pub fn ends(ends: &[ChainEnd]) -> Value {
    ends.iter().map(|end| json!({ "joint": end.joint, "tip": vector(end.tip_js) })).collect()
}

/// Kind and definition of a constraint.
pub fn constraint(definition: &ConstraintDefinition) -> Value {
    match definition {
        ConstraintDefinition::Chain(d) => {
            let mut def = json!({
                "ends": ends(&d.ends),
                "endCount": d.ends.len(),
                "jointCount": d.joint_count,
                "planeAxis": vector(d.plane_axis_ms.unwrap_or(Vec3::ZERO)),
            });
            let plane = if d.plane_axis_ms.is_some() { 4 } else { 0 };
            settings(&mut def, &d.settings, plane);
            json!({ "kind": "Chain", "solver": format!("{:?}", d.solver), "def": def })
        }
        ConstraintDefinition::TwoBone(d) => json!({ "kind": "TwoBone", "def": { "end": d.end } }),
        ConstraintDefinition::CopyRotation(d) => json!({
            "kind": "CopyRotation",
            "def": { "joint": d.joint, "source": d.source.map_or(-1, |joint| joint as i64) },
        }),
        ConstraintDefinition::Aim(d) => json!({
            "kind": "Aim",
            "def": {
                "end": d.end,
                "jointCount": d.joint_count,
                "axis": vector(d.axis_js),
                "up": vector(d.up_js),
                "clampRad": number(d.clamp_rad),
            },
        }),
        ConstraintDefinition::Spline(d) => json!({
            "kind": "Spline",
            "def": {
                "end": d.end,
                "jointCount": d.joint_count,
                "pointCount": d.point_count,
                "curve": if d.curve == CurveKind::Bezier { 1 } else { 0 },
                "flags": u32::from(d.start_on_curve),
                "tip": vector(d.tip_js),
                "stretch": number(d.stretch),
            },
        }),
    }
}

fn settings(def: &mut Value, s: &ChainSettings, flags: u32) {
    def["flags"] = json!(flags | u32::from(s.finish) | (u32::from(s.use_stretch) << 1));
    for (name, value) in [
        ("tolerance", s.tolerance),
        ("toleranceRad", s.tolerance_rad),
        ("damping", s.damping),
        ("maxStepRad", s.max_step_rad),
        ("sweepStepRad", s.sweep_step_rad),
    ] {
        def[name] = number(value);
    }
    def["maxAttempts"] = json!(s.max_attempts);
    // No iteration at all is the exhibit's weight of 0.
    def["maxIterations"] = json!(s.max_iterations.max(1));
}

/// Limits of a joint.
pub fn limits(model: &JointModel) -> Value {
    let mut out = Map::new();
    let (mut flags, mut low, mut high) = (0_u32, [0.0_f32; 3], [0.0_f32; 3]);
    let lock = |flags: &mut u32, axis: usize| *flags |= 1 << axis;
    let mut range = |flags: &mut u32, axis: usize, range: &Range| {
        if *range != Range::FREE {
            *flags |= 8 << axis;
            (low[axis], high[axis]) = (range.min, range.max);
        }
    };
    let mut swing_of = |flags: &mut u32, swing: &SwingRegion| match swing {
        SwingRegion::Free => {}
        SwingRegion::X(x) => range(flags, 0, x),
        SwingRegion::Z(z) => range(flags, 2, z),
        SwingRegion::Ellipse { x, z } => {
            range(flags, 0, x);
            range(flags, 2, z);
        }
        SwingRegion::Polygon(polygon) => {
            out.insert("cornerCount".into(), json!(polygon.corners().len()));
            out.insert("corners".into(), polygon.corners().iter().map(|corner| vector(*corner)).collect());
        }
    };
    match &model.freedom {
        Freedom::Ball { swing, twist } => {
            swing_of(&mut flags, swing);
            range(&mut flags, 1, twist);
        }
        Freedom::Swing(swing) => {
            swing_of(&mut flags, swing);
            lock(&mut flags, 1);
        }
        Freedom::Universal { bend, bend_range, twist } => {
            let (bends, locked) = if *bend == BendAxis::X { (0, 2) } else { (2, 0) };
            lock(&mut flags, locked);
            range(&mut flags, bends, bend_range);
            range(&mut flags, 1, twist);
        }
        Freedom::Hinge { axis, range: angles } => {
            let turns = match axis {
                HingeAxis::X => 0,
                HingeAxis::Y => 1,
                HingeAxis::Z => 2,
            };
            (0..3).filter(|axis| *axis != turns).for_each(|axis| lock(&mut flags, axis));
            range(&mut flags, turns, angles);
        }
        Freedom::Fixed => (0..3).for_each(|axis| lock(&mut flags, axis)),
        other => unreachable!("no exhibit has {other:?}"),
    }
    out.insert("flags".into(), json!(flags));
    out.insert("minRad".into(), vector(Vec3::from_array(low)));
    out.insert("maxRad".into(), vector(Vec3::from_array(high)));
    out.insert("frame".into(), turn(model.frame));
    out.insert("stiffness".into(), vector(Vec3::from_array(model.stiffness)));
    out.insert("softRad".into(), number(model.soft_rad));
    out.insert("preferredBend".into(), vector(model.preferred_bend));
    out.insert("stretchMin".into(), number(model.stretch.min));
    out.insert("stretchMax".into(), number(model.stretch.max));
    out.insert("stretchCompliance".into(), number(model.stretch.compliance));
    Value::Object(out)
}

/// Goals of a frame.
pub fn input(input: &ConstraintInput) -> Value {
    let goals: Vec<Value> = input
        .goals
        .iter()
        .map(|goal| {
            let mut out = Map::new();
            if let Some(position) = goal.position_ws {
                out.insert("position".into(), vector(position));
            }
            if let Some(rotation) = goal.rotation_ws {
                out.insert("rotation".into(), turn(rotation));
            }
            if let Some(axis) = goal.axis_ws {
                out.insert("axis".into(), vector(axis.axis));
                out.insert("direction".into(), vector(axis.direction));
            }
            if let Some(distance) = goal.distance {
                let mode = match distance.mode {
                    DistanceMode::Inside => "Inside",
                    DistanceMode::On => "On",
                    DistanceMode::Outside => "Outside",
                };
                out.insert("mode".into(), json!(mode));
                out.insert("radius".into(), number(distance.radius_m));
            }
            Value::Object(out)
        })
        .collect();
    json!({
        "weight": number(input.weight),
        "goals": goals,
        "pole": input.pole_ws.map(|pole| vector(pole.at)),
    })
}

/// A task of a body.
pub fn task(request: &TaskRequest<'_>) -> Value {
    let axes: u32 = request.axes.iter().enumerate().map(|(i, on)| u32::from(*on) << i).sum();
    json!({
        "kind": request.kind as i32,
        "joint": request.joint,
        "axes": axes,
        "frame": request.frame as i32,
        "side": request.side as i32,
        "flags": u32::from(request.is_pinned),
        "level": request.level,
        "point": vector(request.point_js),
        "axis": vector(request.axis_js),
        "goal": vector(request.goal),
        "direction": vector(request.direction),
        "distance": number(request.distance),
        "blend": number(request.blend),
        "importance": number(request.importance),
        "cornerCount": request.corners.len(),
        "corners": request.corners.iter().map(|corner| vector(*corner)).collect::<Vec<_>>(),
    })
}

/// Settings of a body that an exhibit changes.
pub fn body_settings(s: &BodySettings) -> Value {
    json!({
        "maxAttempts": s.max_attempts,
        "maxStepRad": number(s.max_step_rad),
        "levelRatio": number(s.level_ratio),
        "rootPosture": number(s.root_posture),
        "rootTurnMobility": number(s.root_turn_mobility),
    })
}

/// Place of a rig in the world.
pub fn place(at: &Transform) -> Value {
    json!({ "position": vector(at.position), "rotation": turn(at.rotation), "scale": vector(at.scale) })
}

/// What a tracker states.
pub fn sample(position: Vec3, rotation: Quat) -> Value {
    json!({ "position": vector(position), "rotation": turn(rotation) })
}

/// The frame that the page's own solve is compared in.
pub const CHECKED: usize = FRAMES / 3;
