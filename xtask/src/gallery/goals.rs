//! Kinds of goals and constraints.
#![allow(clippy::disallowed_methods)] // paths of targets, not poses

use super::exhibit::{Exhibit, FRAMES, Player, bent_chain, circle, eight, share};
use sinew::chains::spline::CurveKind;
use sinew::chains::{AxisGoal, ChainSolver, Pole};
use sinew::constraints::{
    AimDefinition, ChainDefinition, ChainEnd, ConstraintDefinition, ConstraintGoal, CopyRotationDefinition,
    DistanceGoal, DistanceMode, SplineDefinition, TwoBoneDefinition,
};
use sinew::math::{Quat, Transform, Vec3, axis_angle};
use sinew::skeleton::JointDefinition;

const GROUP: &str = "Goals and constraints";

/// The gallery's second part.
pub fn exhibits() -> Vec<Exhibit> {
    vec![
        pole(),
        rotation(),
        axis(),
        influence(),
        distance(
            DistanceMode::Inside,
            "distance: inside",
            "the tip follows only as far as it must to stay inside the sphere",
        ),
        distance(DistanceMode::On, "distance: on", "the tip stays on the sphere"),
        distance(
            DistanceMode::Outside,
            "distance: outside",
            "the sphere pushes the tip away and otherwise leaves it alone",
        ),
        out_of_reach(),
        plane(),
        tree(ChainSolver::Default, "tree", "two ends share a trunk; both are reached"),
        tree(ChainSolver::Fabrik, "tree, FABRIK", "the same with a sub-base where the branches meet"),
        two_bone(),
        copied(),
        spline(CurveKind::CatmullRom, "spline: Catmull-Rom", "through all control points, every joint on the curve"),
        spline(CurveKind::Bezier, "spline: Bezier", "the inner points pull the curve"),
        looks(),
        looks_in_cone(),
    ]
}

fn play(mut player: Player, mut each: impl FnMut(&mut Player, f32)) -> Player {
    for frame in 0..FRAMES {
        player.rest();
        each(&mut player, share(frame));
        player.shoot(Vec::new());
    }
    player
}
fn goal(player: &mut Player, goal: ConstraintGoal) {
    player.animator.constraint_mut(player.constraint).expect("there").goals[0] = goal;
}

fn pole() -> Exhibit {
    let player = play(Player::chain(bent_chain(6, 1.4), |_| {}), |player, t| {
        let input = player.animator.constraint_mut(player.constraint).expect("there");
        input.goals[0] = ConstraintGoal::at(Vec3::new(0.0, 0.55, 0.35));
        let a = t * std::f32::consts::TAU;
        input.pole_ws = Some(Pole::point(Vec3::new(0.6 * a.sin(), 0.35, 0.6 * a.cos())));
    });
    player.exhibit(GROUP, "pole", "the bend faces the pole (blue); the tip stays at its target")
}
fn rotation() -> Exhibit {
    let player = play(Player::chain(bent_chain(6, 1.0), |_| {}), |player, t| {
        let turn = axis_angle(Vec3::X, 1.2 + 0.9 * (t * std::f32::consts::TAU).sin());
        goal(player, ConstraintGoal::pose(Vec3::new(0.1, 0.5, 0.35), turn));
    });
    player.exhibit(GROUP, "position and rotation", "the last bone turns as told, the tip stays where it is")
}
fn axis() -> Exhibit {
    let player = play(Player::chain(bent_chain(6, 1.0), |_| {}), |player, t| {
        let direction = axis_angle(Vec3::Y, t * std::f32::consts::TAU) * Vec3::new(0.6, -0.8, 0.0);
        let axis_ws = Some(AxisGoal { axis: Vec3::Y, direction });
        goal(player, ConstraintGoal { axis_ws, ..ConstraintGoal::at(Vec3::new(0.0, 0.55, 0.3)) });
    });
    player.exhibit(GROUP, "position and one axis", "only the direction of the last bone is asked for; its roll is free")
}
fn influence() -> Exhibit {
    let player = play(Player::chain(bent_chain(6, 1.0), |_| {}), |player, t| {
        goal(player, ConstraintGoal::at(Vec3::new(0.4, 0.2, 0.45)));
        let weight = 0.5 - 0.5 * (t * std::f32::consts::TAU).cos();
        player.animator.constraint_mut(player.constraint).expect("there").weight = weight;
    });
    player.exhibit(GROUP, "weight", "0 is the animation, 1 the target; in between the tip goes along the straight line")
}
fn distance(mode: DistanceMode, title: &str, note: &str) -> Exhibit {
    let radius_m = 0.22;
    let mut player = Player::chain(bent_chain(6, 1.0), |_| {});
    for frame in 0..FRAMES {
        player.rest();
        let centre = eight(share(frame), Vec3::new(0.0, 0.75, 0.45), 0.3);
        let distance = Some(DistanceGoal { mode, radius_m });
        goal(&mut player, ConstraintGoal { distance, ..ConstraintGoal::at(centre) });
        let ring = |f: fn(f32) -> Vec3| {
            (0..=32).map(|i| (centre + f(i as f32 / 32.0 * std::f32::consts::TAU) * radius_m).to_array()).collect()
        };
        player.shoot(vec![
            ring(|a| Vec3::new(a.cos(), a.sin(), 0.0)),
            ring(|a| Vec3::new(a.cos(), 0.0, a.sin())),
            ring(|a| Vec3::new(0.0, a.cos(), a.sin())),
        ]);
    }
    player.exhibit(GROUP, title, note)
}
fn out_of_reach() -> Exhibit {
    let player = play(Player::chain(bent_chain(6, 1.0), |_| {}), |player, t| {
        goal(player, ConstraintGoal::at(circle(t, Vec3::new(0.0, 0.5, 0.3), 0.75)));
    });
    player.exhibit(
        GROUP,
        "out of reach and back",
        "beyond its length the chain is straight and points at the target; no snap on the way",
    )
}
fn plane() -> Exhibit {
    let player = play(Player::chain(bent_chain(6, 1.0), |d| d.plane_axis_ms = Some(Vec3::X)), |player, t| {
        goal(player, ConstraintGoal::at(eight(t, Vec3::new(0.0, 0.5, 0.35), 0.3)));
    });
    player.exhibit(GROUP, "in a plane", "every joint turns about one axis; the target counts only in the plane")
}
fn tree(solver: ChainSolver, title: &str, note: &str) -> Exhibit {
    let mut joints = bent_chain(3, 0.2);
    let mut ends = Vec::new();
    for side in [-1.0_f32, 1.0] {
        let mut parent = 2;
        for bone in 0..4 {
            let rest = Transform::new(
                Vec3::Y * if bone == 0 { 1.0 / 3.0 } else { 0.15 },
                axis_angle(Vec3::Z, side * if bone == 0 { -0.9 } else { 0.15 }),
            );
            joints.push(JointDefinition { name: String::new(), parent: Some(parent), rest });
            parent = joints.len() - 1;
        }
        ends.push(ChainEnd { joint: parent, tip_js: Vec3::Y * 0.15 });
    }
    let definition = ChainDefinition { ends: ends.clone(), solver, ..ChainDefinition::to_root(ends[0].joint) };
    let player = Player::new(joints, ends, &ConstraintDefinition::Chain(definition));
    let player = play(player, |player, t| {
        let input = player.animator.constraint_mut(player.constraint).expect("there");
        input.goals[0] = ConstraintGoal::at(eight(t, Vec3::new(0.32, 1.15, 0.2), 0.2));
        input.goals[1] = ConstraintGoal::at(eight(1.0 - t, Vec3::new(-0.32, 1.05, 0.1), 0.2));
    });
    player.exhibit(GROUP, title, note)
}
fn two_bone() -> Exhibit {
    let ends = vec![ChainEnd { joint: 2, tip_js: Vec3::ZERO }];
    let mut joints = bent_chain(2, 0.4);
    joints.push(JointDefinition {
        name: "end".to_string(),
        parent: Some(1),
        rest: Transform::new(Vec3::Y * 0.5, Quat::IDENTITY),
    });
    let definition = ConstraintDefinition::TwoBone(TwoBoneDefinition::ending_at(2));
    let player = play(Player::new(joints, ends, &definition), |player, t| {
        goal(player, ConstraintGoal::at(eight(t, Vec3::new(0.0, 0.5, 0.25), 0.5)));
    });
    player.exhibit(GROUP, "two bones", "closed form, no iterations")
}
fn copied() -> Exhibit {
    let joints = bent_chain(4, 0.3);
    let ends = vec![ChainEnd { joint: 3, tip_js: Vec3::Y * 0.25 }];
    let definition = CopyRotationDefinition { source: Some(1), ..CopyRotationDefinition::of(3) };
    let mut player = Player::new(joints, ends, &ConstraintDefinition::CopyRotation(definition));
    for frame in 0..FRAMES {
        player.rest();
        let a = share(frame) * std::f32::consts::TAU;
        player.animator.pose_mut().local_mut()[1].rotation =
            axis_angle(Vec3::X, 0.8 * a.sin()) * axis_angle(Vec3::Z, 0.6 * a.cos());
        player.animator.pose_mut().local_mut()[2].rotation = axis_angle(Vec3::X, -0.9);
        player.shoot(Vec::new());
    }
    player.exhibit(GROUP, "copied rotation", "the last bone keeps the direction of the second, whatever lies between")
}
fn spline(curve: CurveKind, title: &str, note: &str) -> Exhibit {
    let bones = 12;
    let ends = vec![ChainEnd { joint: bones - 1, tip_js: Vec3::Y / bones as f32 }];
    let definition =
        SplineDefinition { curve, tip_js: Vec3::Y / bones as f32, ..SplineDefinition::ending_at(bones - 1, 0, 4) };
    let player = Player::new(bent_chain(bones, 0.4), ends, &ConstraintDefinition::Spline(definition));
    let player = play(player, |player, t| {
        let a = t * std::f32::consts::TAU;
        let points = [
            Vec3::ZERO,
            Vec3::new(0.25 * a.sin(), 0.3, 0.15 * a.cos()),
            Vec3::new(-0.3 * (a + 1.0).sin(), 0.6, 0.25 * (2.0 * a).sin()),
            Vec3::new(0.2 * (2.0 * a).cos(), 0.85, 0.3),
        ];
        let input = player.animator.constraint_mut(player.constraint).expect("there");
        for (goal, point) in input.goals.iter_mut().zip(points) {
            *goal = ConstraintGoal::at(point);
        }
    });
    player.exhibit(GROUP, title, note)
}
fn aimer(joint_count: usize, clamp_rad: f32) -> Player {
    let joints = bent_chain(4, 0.2);
    let ends = vec![ChainEnd { joint: 3, tip_js: Vec3::Y * 0.25 }];
    let definition =
        AimDefinition { clamp_rad, axis_js: Vec3::Y, up_js: Vec3::X, ..AimDefinition::ending_at(3, joint_count) };
    Player::new(joints, ends, &ConstraintDefinition::Aim(definition))
}
fn looks() -> Exhibit {
    let player = play(aimer(3, std::f32::consts::PI), |player, t| {
        goal(player, ConstraintGoal::at(eight(t, Vec3::new(0.0, 1.0, 0.7), 0.6)));
    });
    player.exhibit(GROUP, "aim, shared", "three joints share the turn; the last bone points at the target")
}
fn looks_in_cone() -> Exhibit {
    let player = play(aimer(1, 0.5), |player, t| {
        goal(player, ConstraintGoal::at(eight(t, Vec3::new(0.0, 1.0, 0.7), 0.6)));
    });
    player.exhibit(GROUP, "aim in a cone", "one joint, at most half a radian from the animation, with a soft edge")
}
