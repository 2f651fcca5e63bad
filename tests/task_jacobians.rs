//! Every task through one finite-difference check: its Jacobian against the change of its rows when
//! joints turn and the root moves.

use sinew::math::{Quat, Transform, Vec3, axis_angle};
use sinew::optim::Noise;
use sinew::tasks::{
    Anchor, AnyTask, Axes, Axis, CenterOfMass, Distance, DistanceRule, Gaze, HostResidual, HostTask, MAX_ANCHORS,
    Orientation, Placement, Plane, PlaneSide, PoleVector, Position, RelativeOrientation, RelativePosition, Rows,
    SpannedOrientation, Support, SupportArea, Task, Unit,
};
use std::sync::Arc;

const PARENTS: [Option<usize>; 8] = [None, Some(0), Some(1), Some(2), Some(0), Some(4), Some(5), Some(1)];

/// A small tree with masses.
#[derive(Clone)]
struct Tree {
    root: Vec3,
    offset: [Vec3; 8],
    turn: [Quat; 8],
    center: [Vec3; 8],
}

impl Tree {
    fn random(noise: &mut Noise) -> Self {
        let mut v = |size: f32| Vec3::new(noise.signed(), noise.signed(), noise.signed()) * size;
        Self {
            root: v(1.0),
            offset: [0; 8].map(|_| v(0.5)),
            turn: [0; 8].map(|_| {
                let axis = v(1.0) + Vec3::splat(1e-3);
                axis_angle(axis.normalize(), 0.8)
            }),
            center: [0; 8].map(|_| v(0.2)),
        }
    }
    fn placements(&self) -> [Placement; 8] {
        let mut at = [Placement::IDENTITY; 8];
        for i in 0..8 {
            at[i] = match PARENTS[i] {
                None => Placement { position: self.root, rotation: self.turn[i] },
                Some(p) => Placement {
                    position: at[p].point(self.offset[i]),
                    rotation: (at[p].rotation * self.turn[i]).normalize(),
                },
            };
        }
        at
    }
    fn mass(i: usize) -> f32 {
        1.0 + 0.3 * i as f32
    }
    fn center_of_mass(&self) -> Vec3 {
        let at = self.placements();
        let total: f32 = (0..8).map(Self::mass).sum();
        (0..8).map(|i| at[i].point(self.center[i]) * Self::mass(i)).sum::<Vec3>() / total
    }
    fn anchors(&self, task: &AnyTask) -> [Placement; MAX_ANCHORS] {
        let at = self.placements();
        task.anchors().map(|anchor| match anchor {
            Some(Anchor::Joint(joint)) => at[joint],
            Some(Anchor::CenterOfMass) => Placement { position: self.center_of_mass(), rotation: Quat::IDENTITY },
            None => Placement::IDENTITY,
        })
    }
    fn rows(&self, task: &AnyTask) -> Rows {
        let mut rows = Rows::default();
        task.evaluate(&self.anchors(task), &mut rows);
        rows
    }
    /// With a joint turned in model space.
    fn turned(&self, joint: usize, by: Vec3) -> Self {
        let mut tree = self.clone();
        let outer = PARENTS[joint].map_or(Quat::IDENTITY, |p| self.placements()[p].rotation);
        let turn = axis_angle(by.normalize(), by.length());
        tree.turn[joint] = (outer.conjugate() * turn * outer * self.turn[joint]).normalize();
        tree
    }
}

fn is_below(joint: usize, above: usize) -> bool {
    let mut at = Some(joint);
    while let Some(j) = at {
        if j == above {
            return true;
        }
        at = PARENTS[j];
    }
    false
}

/// How fast each row falls when `joint` turns with `omega` about `p`, by the Jacobian.
fn predicted(tree: &Tree, task: &AnyTask, rows: &Rows, joint: usize, omega: Vec3) -> [f32; 3] {
    let at = tree.placements();
    let mut sum = [0.0; 3];
    for (anchor, term) in task.anchors().into_iter().zip(&rows.terms) {
        for (row, sum) in sum.iter_mut().enumerate().take(task.row_count()) {
            *sum += match anchor {
                Some(Anchor::Joint(anchor)) if is_below(anchor, joint) => {
                    let v = omega.cross(term.point - at[joint].position);
                    term.force[row].dot(v) + term.torque[row].dot(omega)
                }
                Some(Anchor::CenterOfMass) => {
                    let total: f32 = (0..8).map(Tree::mass).sum();
                    let v: Vec3 = (0..8)
                        .filter(|i| is_below(*i, joint))
                        .map(|i| omega.cross(at[i].point(tree.center[i]) - at[joint].position) * Tree::mass(i))
                        .sum();
                    term.force[row].dot(v / total)
                }
                _ => 0.0,
            };
        }
    }
    sum
}

fn check(task: &AnyTask, tree: &Tree) -> f32 {
    const H: f32 = 4e-3;
    let rows = tree.rows(task);
    let mut largest = 0.0_f32;
    for joint in 0..8 {
        for axis in Vec3::AXES {
            let (ahead, behind) = (tree.turned(joint, axis * H), tree.turned(joint, axis * -H));
            let (ahead, behind) = (ahead.rows(task), behind.rows(task));
            let expected = predicted(tree, task, &rows, joint, axis);
            for (row, &expected) in expected.iter().enumerate().take(task.row_count()) {
                let fell = (behind.value[row] - ahead.value[row]) / (2.0 * H);
                let scale = 1.0 + expected.abs();
                assert!(
                    (fell - expected).abs() < 3e-3 * scale,
                    "{}: row {row}, joint {joint} about {axis}: falls by {fell}, the Jacobian says {expected}",
                    task.kind()
                );
                largest = largest.max(fell.abs());
            }
        }
    }
    for axis in Vec3::AXES {
        let moved = |by: f32| Tree { root: tree.root + axis * by, ..tree.clone() };
        let (ahead, behind) = (moved(H).rows(task), moved(-H).rows(task));
        for row in 0..task.row_count() {
            let fell = (behind.value[row] - ahead.value[row]) / (2.0 * H);
            let expected: f32 = rows.terms.iter().map(|t| t.force[row].dot(axis)).sum();
            assert!((fell - expected).abs() < 3e-3 * (1.0 + expected.abs()), "{}: {fell} {expected}", task.kind());
        }
    }
    largest
}

/// A row of the host: the height of one joint over another, doubled, and where its axis points.
#[derive(Debug)]
struct Height;

impl HostResidual for Height {
    fn evaluate(&self, at: &[Placement; MAX_ANCHORS], rows: &mut Rows) {
        let across = at[0].rotation * Vec3::X;
        rows.value[0] = 0.3 - 2.0 * (at[0].position.y - at[1].position.y) - 0.5 * across.z;
        rows.terms[0].torque[0] = across.cross(Vec3::Z) * 0.5;
        for (a, sign) in [(0, 2.0), (1, -2.0)] {
            rows.terms[a].point = at[a].position;
            rows.terms[a].force[0] = Vec3::Y * sign;
        }
    }
}

/// One of each kind, with numbers from the noise.
fn samples(noise: &mut Noise) -> Vec<AnyTask> {
    let mut v = || Vec3::new(noise.signed(), noise.signed(), noise.signed());
    let mut unit = || (v() + Vec3::splat(0.01)).normalize();
    let turn = axis_angle(unit(), 0.9);
    let (a, b, c) = (unit(), unit(), unit());
    let some = Axes { on: [true, false, true], frame: turn, turn_with_joint: false };
    let own = Axes { turn_with_joint: true, ..some };
    let area = SupportArea::hull(&[b * 0.1, c * 0.1, (b + c) * 0.2], Vec3::Y).expect("three points");
    vec![
        Position { joint: 3, point_js: a * 0.2, goal: b, axes: Axes::ALL }.into(),
        Position { joint: 6, point_js: a * 0.2, goal: b, axes: some }.into(),
        Position { joint: 6, point_js: a * 0.2, goal: b, axes: own }.into(),
        Orientation::new(3, turn).into(),
        Orientation { joint: 6, goal: turn, axes: some }.into(),
        Orientation { joint: 6, goal: turn, axes: own }.into(),
        Axis { joint: 3, axis_js: a, direction: b }.into(),
        Gaze { joint: 6, eye_js: a * 0.1, axis_js: b, target: c * 3.0 }.into(),
        PoleVector { root: 1, middle: 2, end: 3, pole: a * 2.0 + b }.into(),
        Distance { joint: 3, point_js: a * 0.2, other: None, center: b, distance: 0.4, rule: DistanceRule::OnSurface }
            .into(),
        Distance {
            joint: 3,
            point_js: a * 0.2,
            other: Some(6),
            center: b * 0.1,
            distance: 0.1,
            rule: DistanceRule::Inside,
        }
        .into(),
        Distance { joint: 7, point_js: a, other: Some(5), center: b, distance: 4.0, rule: DistanceRule::Outside }
            .into(),
        Plane { joint: 3, point_js: a, normal: b, offset: 0.2, side: PlaneSide::Above }.into(),
        Plane { joint: 3, point_js: a, normal: b, offset: 0.2, side: PlaneSide::Below }.into(),
        RelativePosition { joint: 3, point_js: a * 0.1, other: 6, other_point_js: b * 0.3, axes: Axes::ALL }.into(),
        RelativePosition { joint: 3, point_js: a * 0.1, other: 6, other_point_js: b * 0.3, axes: own }.into(),
        RelativeOrientation { joint: 3, other: 6, rotation: turn, axes: Axes::ALL }.into(),
        RelativeOrientation { joint: 3, other: 6, rotation: turn, axes: own }.into(),
        SpannedOrientation {
            lower: 0,
            lower_points_js: [a * 0.3, b * 0.3],
            upper: [3, 6],
            from_span: turn,
            is_mirrored: c.x > 0.0,
            goal: axis_angle(c, 1.1),
        }
        .into(),
        CenterOfMass { goal: a, axes: some }.into(),
        Support { area, up: Vec3::Y, margin: 0.05 }.into(),
        HostTask {
            joints: [Some(3), Some(6), None],
            rows: 1,
            unit: Unit::Length,
            one_sided: false,
            outer: Transform::IDENTITY,
            residual: Arc::new(Height),
        }
        .into(),
    ]
}

/// Places a space whose left and right are changed over.
fn mirrored_root() -> Transform {
    let turned = Transform::new(Vec3::new(0.1, -0.2, 0.1), axis_angle(Vec3::new(0.6, 0.0, 0.8), 0.7));
    Transform { scale: Vec3::new(-0.8, 0.8, 0.8), ..turned }
}

#[test]
fn jacobians_are_those_of_the_rows() {
    let mut noise = Noise::new(11);
    let mut kinds = std::collections::BTreeMap::new();
    for _ in 0..12 {
        let tree = Tree::random(&mut noise);
        let given = samples(&mut noise);
        let mirrored = given.iter().map(|task| task.seen_from(&mirrored_root(), false)).collect::<Vec<_>>();
        for task in given.into_iter().chain(mirrored) {
            // At half a turn a rotation vector jumps to the other way round, and a pole's angle
            // likewise.
            let far = match &task {
                AnyTask::Orientation(_) | AnyTask::RelativeOrientation(_) | AnyTask::SpannedOrientation(_) => {
                    tree.rows(&task).value.iter().map(|x| x * x).sum::<f32>() > 7.0
                }
                AnyTask::PoleVector(_) => tree.rows(&task).value[0].abs() > 0.5,
                _ => false,
            };
            if !far {
                let largest = check(&task, &tree);
                let seen = kinds.entry(task.kind()).or_insert(0.0_f32);
                *seen = seen.max(largest);
            }
        }
    }
    assert_eq!(kinds.len(), 13, "a kind without a sample: {kinds:?}");
    assert!(kinds.values().all(|largest| *largest > 0.05), "a sample that nothing moves: {kinds:?}");
}

#[test]
fn a_task_that_is_met_has_no_rows_left() {
    let mut noise = Noise::new(23);
    let tree = Tree::random(&mut noise);
    let at = tree.placements();
    let met: [AnyTask; 6] = [
        Position::new(3, at[3].position).into(),
        Orientation::new(3, -at[3].rotation).into(),
        Axis { joint: 3, axis_js: Vec3::X, direction: at[3].rotation * Vec3::X }.into(),
        CenterOfMass { goal: tree.center_of_mass(), axes: Axes::ALL }.into(),
        PoleVector { root: 1, middle: 2, end: 3, pole: at[2].position }.into(),
        RelativePosition {
            joint: 3,
            point_js: Vec3::ZERO,
            other: 6,
            other_point_js: at[6].rotation.conjugate() * (at[3].position - at[6].position),
            axes: Axes::ALL,
        }
        .into(),
    ];
    for task in met {
        let rows = tree.rows(&task);
        assert!(rows.value.iter().all(|x| x.abs() < 1e-5), "{}: {:?}", task.kind(), rows.value);
    }
}
