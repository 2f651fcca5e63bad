//! Every row of the residual against finite differences: position, distance, rotation and axis
//! goals, every kind of joint, stretch, lines and trees. And the curvature of their cost.

use crate::chains::methods::{newton, step};
use crate::chains::model::{AxisGoal, Chain, ChainDistance, ChainGoal, ChainJoint, ChainPose, Effector};
use crate::chains::workspace::ChainWorkspace;
use crate::limits::{AxisLimits, BendAxis, Freedom, HingeAxis, JointModel, Range, Stretch, SwingRegion};
use crate::math::{Mat3, Quat, Vec3, axis_angle, normalize_or};
use crate::tasks::DistanceRule;

/// Small numbers, the same every time.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 * (1.0 / 8_388_608.0) - 1.0
    }
    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }
    fn rotation(&mut self, most: f32) -> Quat {
        axis_angle(normalize_or(self.vector(), Vec3::X), self.next() * most)
    }
}

fn freedoms() -> Vec<Freedom> {
    let range = Range::new(-1.5, 1.5);
    let cone = AxisLimits { locked: [false; 3], range: [Some(range); 3] };
    vec![
        JointModel::FREE.freedom,
        cone.into(),
        Freedom::Swing(SwingRegion::Free),
        Freedom::Universal { bend: BendAxis::X, bend_range: range, twist: range },
        Freedom::Universal { bend: BendAxis::Z, bend_range: range, twist: range },
        Freedom::Hinge { axis: HingeAxis::X, range },
        Freedom::Hinge { axis: HingeAxis::Y, range: Range::FREE },
        Freedom::Fixed,
    ]
}

/// A tree of five joints whose first two carry both effectors, or a line with one.
fn made(branched: bool, freedom: Freedom, numbers: &mut Numbers) -> (Chain, ChainPose) {
    let parents =
        if branched { [None, Some(0), Some(1), Some(1), Some(2)] } else { [None, Some(0), Some(1), Some(2), Some(3)] };
    let joints = parents.map(|parent| {
        let model = JointModel {
            frame: numbers.rotation(2.0),
            stiffness: [0.1, 0.3, 0.0],
            stretch: Stretch { min: 0.5, max: 2.0, compliance: 0.6 },
            ..JointModel::limited(freedom)
        };
        ChainJoint { parent, offset: numbers.vector(), rest: numbers.rotation(1.0), model }
    });
    let mut effectors = vec![Effector { joint: 4, offset: numbers.vector() }];
    if branched {
        effectors.push(Effector { joint: 3, offset: numbers.vector() });
    }
    let chain = Chain::new(joints.to_vec(), effectors).unwrap();
    let mut pose = ChainPose::rest(&chain);
    pose.root_rotation = numbers.rotation(3.0);
    for (q, joint) in pose.rotations.iter_mut().zip(chain.joints()) {
        *q = joint.model.project(numbers.rotation(0.7));
    }
    pose.stretch.iter_mut().for_each(|s| *s = 1.0 + 0.2 * numbers.next());
    (chain, pose)
}

/// Goals of which the rotation parts are met (there a rotation vector is linear), the positions or
/// distances anywhere.
fn goals(
    chain: &Chain,
    ws: &ChainWorkspace,
    with_axis: bool,
    with_distance: bool,
    numbers: &mut Numbers,
) -> Vec<ChainGoal> {
    let goal = |effector: &Effector| {
        let now = ws.state.rotation[effector.joint];
        let axis = normalize_or(numbers.vector(), Vec3::Z);
        let distance = ChainDistance {
            center: numbers.vector(),
            distance: 0.3,
            rule: DistanceRule::OnSurface,
            shape: Mat3::from_cols(numbers.vector(), numbers.vector(), numbers.vector()),
        };
        ChainGoal {
            position: Some(numbers.vector()),
            distance: with_distance.then_some(distance),
            rotation: (!with_axis).then_some(now),
            axis: with_axis.then_some(AxisGoal { axis, direction: now * axis }),
            position_importance: 0.8,
            rotation_importance: 0.5,
            ..ChainGoal::default()
        }
    };
    chain.effectors.iter().map(goal).collect()
}

/// The rows for a pose, measured.
fn rows(chain: &Chain, pose: &ChainPose, goals: &[ChainGoal], ws: &mut ChainWorkspace) -> Vec<f32> {
    ws.state.load(pose);
    ws.state.measure(chain, goals);
    ws.state.residual[..ws.state.dimension].to_vec()
}

/// How fast each row falls, by central differences between two poses `2 · step` apart.
fn falls(
    chain: &Chain,
    goals: &[ChainGoal],
    ws: &mut ChainWorkspace,
    step: f32,
    pose_at: impl Fn(f32) -> ChainPose,
) -> Vec<f32> {
    let (before, after) = (rows(chain, &pose_at(-step), goals, ws), rows(chain, &pose_at(step), goals, ws));
    before.iter().zip(after).map(|(a, b)| (a - b) / (2.0 * step)).collect()
}

#[test]
fn every_row_is_what_finite_differences_say() {
    let mut numbers = Numbers(7);
    let mut checked = 0;
    for branched in [false, true] {
        for freedom in freedoms() {
            for (with_axis, with_distance) in [(false, false), (true, false), (false, true)] {
                let (chain, pose) = made(branched, freedom, &mut numbers);
                let mut ws = ChainWorkspace::new(&chain);
                ws.state.load(&pose);
                ws.state.update(&chain);
                let goals = goals(&chain, &ws, with_axis, with_distance, &mut numbers);
                ws.state.number_rows(&goals);
                let d = ws.state.dimension;
                assert_eq!(d, if with_distance { 4 } else { 6 } * chain.effectors.len());
                ws.state.measure(&chain, &goals);
                step::load_mobility(&chain, &mut ws);
                step::start_active_set(&chain, &mut ws);
                step::build_dual(&chain, &mut ws, true);
                let dual: Vec<f32> = (0..d * d).map(|k| ws.descent.dual.at(k / d, k % d)).collect();
                // Row by row, what `apply_jacobian_transpose` makes of a unit force is W Jᵀ: the
                // row seen by each joint.
                let mut spread = Vec::new();
                for row in 0..d {
                    ws.descent.force[..d].fill(0.0);
                    ws.descent.force[row] = 1.0;
                    step::apply_jacobian_transpose(&chain, &mut ws, true);
                    spread.push((ws.descent.turn.clone(), ws.descent.stretch.clone()));
                }
                let (frames, matrices) = (ws.state.frame.clone(), ws.descent.matrix.clone());
                let mut product = vec![0.0_f32; d * d];
                for i in 0..chain.joints.len() {
                    let about = |axis: Vec3, ws: &mut ChainWorkspace| {
                        falls(&chain, &goals, ws, 0.01, |angle| {
                            let mut turned = pose.clone();
                            turned.rotations[i] = axis_angle(frames[i].conjugate() * axis, angle) * pose.rotations[i];
                            turned
                        })
                    };
                    let by_axis = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| about(axis, &mut ws));
                    let longer = falls(&chain, &goals, &mut ws, 0.01, |by| {
                        let mut stretched = pose.clone();
                        stretched.stretch[i] += by;
                        stretched
                    });
                    let compliance = chain.joints[i].model.stretch.compliance;
                    for row in 0..d {
                        let jacobian = Vec3::new(by_axis[0][row], by_axis[1][row], by_axis[2][row]);
                        let (wanted, got) = (matrices[i] * jacobian, spread[row].0[i]);
                        assert!(
                            (wanted - got).length() < 2e-3 * (1.0 + wanted.length()),
                            "{freedom:?} {with_axis} row {row} joint {i}: {got} is not {wanted}"
                        );
                        let (wanted, got) = (longer[row] * compliance * compliance, spread[row].1[i]);
                        assert!(
                            (wanted - got).abs() < 2e-3 * (1.0 + wanted.abs()),
                            "{freedom:?} row {row} stretch {i}: {got} is not {wanted}"
                        );
                        for column in 0..d {
                            product[row * d + column] +=
                                jacobian.dot(spread[column].0[i]) + longer[row] * spread[column].1[i];
                        }
                        checked += 1;
                    }
                }
                for (k, (a, b)) in dual.iter().zip(&product).enumerate() {
                    let size = dual[(k / d) * d + k / d].abs().max(dual[(k % d) * d + k % d].abs());
                    assert!((a - b).abs() < 5e-3 * (1.0 + size), "{freedom:?} {with_axis}: dual {k}: {a} is not {b}");
                }
            }
        }
    }
    assert!(checked > 1000);
}

#[test]
fn what_the_mobility_admits_stays_inside_the_joint() {
    // A small step along W Jᵀ f moves the effector as the dual matrix predicts: projection takes
    // nothing of it away.
    let mut numbers = Numbers(8);
    for freedom in freedoms() {
        for _ in 0..20 {
            let (chain, mut pose) = made(false, freedom, &mut numbers);
            let mut ws = ChainWorkspace::new(&chain);
            ws.state.load(&pose);
            ws.state.update(&chain);
            let goals = [ChainGoal::at(numbers.vector())];
            ws.state.number_rows(&goals);
            let d = ws.state.dimension;
            let before = rows(&chain, &pose, &goals, &mut ws);
            step::load_mobility(&chain, &mut ws);
            step::start_active_set(&chain, &mut ws);
            step::build_dual(&chain, &mut ws, false);
            let force = numbers.vector() * 2e-3;
            ws.descent.force[..d].copy_from_slice(&force.to_array());
            let mut linear = vec![0.0; d];
            ws.descent.dual.times(&ws.descent.force, &mut linear);
            step::apply_jacobian_transpose(&chain, &mut ws, false);
            step::apply(&chain, &mut ws, false);
            ws.state.store(&mut pose);
            let after = rows(&chain, &pose, &goals, &mut ws);
            let size = linear.iter().fold(0.0_f32, |m, l| m.max(l.abs()));
            for i in 0..d {
                let moved = before[i] - after[i];
                assert!((moved - linear[i]).abs() < 0.05 * size + 1e-6, "{freedom:?}: {moved} is not {}", linear[i]);
            }
        }
    }
}

/// Half of the cost where two joints turn by rotation vectors in the solve space, or one by both.
fn half_cost(
    (chain, goals, pose): (&Chain, &[ChainGoal], &ChainPose),
    ws: &mut ChainWorkspace,
    frames: &[Quat],
    turns: [(usize, Vec3); 2],
) -> f32 {
    let mut turned = pose.clone();
    let [(i, a), (j, b)] = turns;
    let mut turn = |joint: usize, by: Vec3| {
        let local = frames[joint].conjugate() * by;
        let rotation = axis_angle(normalize_or(local, Vec3::X), local.length());
        turned.rotations[joint] = rotation * pose.rotations[joint];
    };
    if i == j {
        turn(i, a + b);
    } else {
        turn(i, a);
        turn(j, b);
    }
    ws.state.load(&turned);
    0.5 * ws.state.measure(chain, goals).cost
}

#[test]
fn the_curvature_of_the_cost_is_what_finite_differences_say() {
    let mut numbers = Numbers(11);
    let mut checked = 0;
    for (branched, freedom) in freedoms().into_iter().flat_map(|freedom| [(false, freedom), (true, freedom)]) {
        for turned in [false, true] {
            let (chain, pose) = made(branched, freedom, &mut numbers);
            let mut ws = ChainWorkspace::new(&chain);
            ws.state.load(&pose);
            ws.state.update(&chain);
            let frames = ws.state.frame.clone();
            let goal = |effector: &Effector| ChainGoal {
                rotation: turned.then(|| numbers.rotation(0.2) * ws.state.rotation[effector.joint]),
                ..ChainGoal::at(numbers.vector() * 4.0)
            };
            let goals: Vec<ChainGoal> = chain.effectors.iter().map(goal).collect();
            ws.state.number_rows(&goals);
            ws.state.measure(&chain, &goals);
            if !newton::covers(&goals, &ws, false) {
                continue;
            }
            step::load_mobility(&chain, &mut ws);
            newton::load(&chain, &mut ws);
            newton::start(&chain, &mut ws);
            let unknowns = newton::find_axes(&mut ws);
            newton::build(&chain, &mut ws, unknowns);
            let scratch = ws.newton.clone();
            let size = (0..unknowns).map(|k| scratch.matrix[k * scratch.wide + k / 8][k % 8].abs()).fold(0.0, f32::max);
            const BY: f32 = 0.04;
            for row in 0..unknowns {
                for column in row..unknowns {
                    let ((i, a), (j, b)) = (scratch.axes[row], scratch.axes[column]);
                    let mut at = |x: f32, y: f32| {
                        half_cost((&chain, &goals, &pose), &mut ws, &frames, [(i, a * (x * BY)), (j, b * (y * BY))])
                    };
                    let differences = at(1.0, 1.0) - at(1.0, -1.0) - at(-1.0, 1.0) + at(-1.0, -1.0);
                    let wanted = differences / (4.0 * BY * BY);
                    let got = scratch.matrix[row * scratch.wide + column / 8][column % 8];
                    assert!(
                        (wanted - got).abs() < 6e-3 * size,
                        "{freedom:?} {branched} {row} {column}: {got} {wanted}"
                    );
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 500, "{checked}");
}
