//! Ties between bodies: effectors of two skeletons meet where both reach, and are as near to each
//! other as they can be where they do not. Judged by kinematics in double precision.

use sinew::body::{
    BodyDetail, BodyMode, BodySettings, BodyTaskName, BodyTie, Demand, MeetError, MeetOutcome, MeetRule, PlacedBody,
    PlacedDemand, TieEnd, TiedBody, meet,
};
use sinew::math::{Quat, Transform, Vec3, axis_angle};
use sinew::outcome::Status;
use sinew::skeleton::{Skeleton, SkeletonBuilder};
use sinew::tasks::{Orientation, Position};
use std::sync::Arc;
use testkit::Random;
use testkit::matchers::{Affine64, forward_kinematics, model_rotations};

/// Length of each bone of an arm, and of both that turn.
const BONE: f32 = 0.3;
const REACH: f32 = 2.0 * BONE;
/// The palm, beyond the hand's joint.
const PALM: Vec3 = Vec3::new(0.05, 0.0, 0.0);

fn skeleton() -> Arc<Skeleton> {
    let mut builder = SkeletonBuilder::new();
    let root = builder.joint_at("root", None, Vec3::Y);
    for side in [-1.0, 1.0] {
        let mut above = root;
        for (name, bend) in [("upper", 0.0), ("lower", 0.04), ("hand", -0.04)] {
            let way = Vec3::new(side, bend, bend).normalize() * BONE;
            above = builder.joint_at(&format!("{name}{side}"), Some(above), way);
        }
    }
    Arc::new(builder.build().expect("a skeleton"))
}

/// A character that stands on the spot, with a task for each hand.
struct Actor {
    body: PlacedBody,
    pose: Vec<Transform>,
    hands: [usize; 2],
    tasks: [BodyTaskName; 2],
    /// Space of the palm in its hand.
    point: Vec3,
}

impl Actor {
    fn new(root: Transform, point: Vec3) -> Self {
        let skeleton = skeleton();
        let hands = ["hand-1", "hand1"].map(|name| skeleton.find_joint(name).expect("a joint"));
        let mut body = PlacedBody::new(skeleton.clone(), 0).expect("a body");
        body.set_root(root).expect("an even scale");
        body.set_floating(false);
        let tasks = hands.map(|joint| {
            let task = Position { point_js: point, ..Position::new(joint, Vec3::ZERO) };
            body.add_task(Demand { blend: 0.0, ..Demand::new(task) }.into()).expect("a task")
        });
        Self { body, pose: skeleton.rest_local().to_vec(), hands, tasks, point }
    }
    fn show(&mut self, side: usize, blend: f32) {
        let mut placed = self.body.task(self.tasks[side]).expect("a task").clone();
        placed.demand.blend = blend;
        self.body.set_task(self.tasks[side], placed).expect("a task");
    }
    fn frames(&self) -> Vec<Affine64> {
        let outer = Affine64::from_transform(self.body.root());
        forward_kinematics(self.body.skeleton(), &self.pose).iter().map(|frame| outer.then(frame)).collect()
    }
    /// A palm, world space.
    fn palm(&self, side: usize) -> Vec3 {
        let at = &self.frames()[self.hands[side]];
        at.point([self.point.x.into(), self.point.y.into(), self.point.z.into()]).map(|x| x as f32).into()
    }
    fn shoulder(&self, side: usize) -> Vec3 {
        let upper = if side == 0 { "upper-1" } else { "upper1" };
        self.frames()[self.body.skeleton().find_joint(upper).expect("a joint")].position_f32()
    }
    fn solve(&mut self) -> Status {
        self.body.solve(&mut self.pose, 0.02).expect("a pose").status
    }
}

fn end(actors: &[Actor], body: usize, side: usize) -> TieEnd {
    TieEnd { body, task: actors[body].tasks[side] }
}

/// Looks for the goals; the poses must stay.
fn meet_all(actors: &mut [Actor], ties: &mut [BodyTie], max_rounds: u32) -> Result<MeetOutcome, MeetError> {
    let mut bodies: Vec<TiedBody<'_>> = actors
        .iter_mut()
        .map(|actor| TiedBody { body: &mut actor.body, pose: &actor.pose, detail: BodyDetail::FULL })
        .collect();
    meet(&mut bodies[..], ties, &MeetRule { dt_s: 0.02, max_rounds })
}

fn turned(random: &mut Random, at: Vec3) -> Transform {
    Transform::new(at, axis_angle(random.unit_vector(), random.between(-3.0, 3.0)))
}

#[test]
fn hands_meet_wherever_both_reach() {
    let mut random = Random::new(7);
    let (mut far, mut rounds) = (0.0_f32, [0; 9]);
    for case in 0..1200 {
        let scale = if case % 3 == 0 { 2.0 } else { 1.0 };
        let way = random.in_ball(1.6 * scale);
        let other = Transform { scale: Vec3::splat(scale), ..turned(&mut random, way) };
        let mut actors = [Actor::new(turned(&mut random, Vec3::ZERO), PALM), Actor::new(other, Vec3::ZERO)];
        let (a, b) = (case % 2, case / 2 % 2);
        let apart = (actors[0].shoulder(a) - actors[1].shoulder(b)).length();
        let most = REACH + PALM.x + REACH * scale;
        // An arm cannot fold to nothing: the other one has to reach into the hole about a shoulder.
        if apart > most - 0.002 || apart < 0.35 * scale {
            continue;
        }
        actors[0].show(a, 1.0);
        actors[1].show(b, 1.0);
        let share = [0.0, 0.5, 1.0, 0.3][case % 4];
        let mut ties = [BodyTie::new(end(&actors, 0, a), end(&actors, 1, b)).with_share(share)];
        let before = actors.each_ref().map(|actor| actor.pose.clone());
        let outcome = meet_all(&mut actors, &mut ties, 8).expect("bodies");
        assert_eq!(before, actors.each_ref().map(|actor| actor.pose.clone()));
        rounds[outcome.rounds as usize] += 1;
        assert!(actors.iter_mut().all(|actor| actor.solve() == Status::Reached), "case {case}: {outcome:?}, {apart}");
        assert_eq!(outcome.status, Status::Reached, "case {case}");
        let gap = (actors[0].palm(a) - actors[1].palm(b)).length();
        assert!((gap - outcome.gap_m).abs() < 1e-5 * scale && outcome.gap_m == ties[0].gap(), "case {case}");
        far = far.max(gap / scale);
    }
    // Twice the tolerance of a body.
    assert!(far < 1e-3, "{far} m");
    assert!(rounds[1] > 5 && rounds[7] + rounds[8] < 5 && rounds.iter().sum::<i32>() > 200, "{rounds:?}");
}

#[test]
fn out_of_reach_arms_are_as_near_as_they_can_be() {
    for share in [0.0, 0.5, 1.0, 0.2] {
        for apart in [0.01, 0.1, 0.5, 3.0] {
            let mut actors = [Actor::new(Transform::IDENTITY, Vec3::ZERO), Actor::new(Transform::IDENTITY, Vec3::ZERO)];
            // Right hand of the first, left hand of the second, which stands to its right.
            let way = Vec3::new(2.0, 0.7, -0.4);
            actors[1].body.set_root(Transform::at(way)).expect("an even scale");
            let line = actors[1].shoulder(0) - actors[0].shoulder(1);
            let at = way + line.normalize() * (2.0 * REACH + apart - line.length());
            actors[1].body.set_root(Transform::at(at)).expect("an even scale");
            actors[0].show(1, 1.0);
            actors[1].show(0, 1.0);
            let mut ties = [BodyTie::new(end(&actors, 0, 1), end(&actors, 1, 0)).with_share(share)];
            let outcome = meet_all(&mut actors, &mut ties, 16).expect("bodies");
            assert_eq!(outcome.status, Status::Unreachable, "share {share}, {apart} m: {outcome:?}");
            actors.iter_mut().for_each(|actor| _ = actor.solve());
            let gap = (actors[0].palm(1) - actors[1].palm(0)).length();
            assert!((gap - apart).abs() < 2e-3, "share {share}: {gap} m, not {apart}");
        }
    }
}

#[test]
fn the_share_says_who_moves() {
    let place = |share: f32| {
        let mut actors = [
            Actor::new(Transform::IDENTITY, Vec3::ZERO),
            Actor::new(Transform::at(Vec3::new(1.5, 0.2, 0.3)), Vec3::ZERO),
        ];
        actors[0].show(1, 1.0);
        actors[1].show(0, 1.0);
        let (first, second) = (actors[0].palm(1), actors[1].palm(0));
        let mut ties = [BodyTie::new(end(&actors, 0, 1), end(&actors, 1, 0)).with_share(share)];
        meet_all(&mut actors, &mut ties, 8).expect("bodies");
        actors.iter_mut().for_each(|actor| assert_eq!(actor.solve(), Status::Reached));
        ((actors[0].palm(1) - first).length(), (actors[1].palm(0) - second).length())
    };
    assert!(place(0.0).0 < 1e-3 && place(1.0).1 < 1e-3);
    let (first, second) = place(0.25);
    assert!((second - 3.0 * first).abs() < 5e-3, "{first} m, {second} m");
}

/// A task at blend 0 is not solved for; what it is tied to follows it wherever it is brought.
#[test]
fn an_effector_without_a_blend_is_followed() {
    let roots = [Transform::IDENTITY, Transform::at(Vec3::new(1.3, 0.1, 0.2))];
    let mut actors = roots.map(|root| Actor::new(root, Vec3::ZERO));
    actors[0].show(1, 1.0);
    // The second one's hand is brought elsewhere by another task.
    let goal = Vec3::new(0.7, 1.25, 0.3);
    let hand = actors[1].hands[0];
    actors[1].body.add_task(Demand::new(Position::new(hand, goal)).into()).expect("a task");
    let mut ties = [BodyTie::new(end(&actors, 0, 1), end(&actors, 1, 0))];
    let outcome = meet_all(&mut actors, &mut ties, 8).expect("bodies");
    assert_eq!(outcome.status, Status::Reached, "{outcome:?}");
    actors.iter_mut().for_each(|actor| assert_eq!(actor.solve(), Status::Reached));
    assert!((actors[1].palm(0) - goal).length() < 1e-3);
    assert!((actors[0].palm(1) - goal).length() < 2e-3, "{}", (actors[0].palm(1) - goal).length());
}

#[test]
fn hands_turn_to_each_other() {
    let mut random = Random::new(3);
    for case in 0..40 {
        let at = Vec3::X * 1.4 + random.in_ball(0.3);
        let root = turned(&mut random, at);
        let mut actors = [Actor::new(Transform::IDENTITY, PALM), Actor::new(root, PALM)];
        let rotation = axis_angle(Vec3::new(0.6, 0.0, 0.8), random.between(-2.0, 2.0));
        let mut turns = Vec::new();
        for (actor, side) in actors.iter_mut().zip([1, 0]) {
            let task = Orientation::new(actor.hands[side], Quat::IDENTITY);
            turns.push(actor.body.add_task(Demand::new(task).into()).expect("a task"));
        }
        let ends = [0, 1].map(|body| TieEnd { body, task: turns[body] });
        let mut ties = [BodyTie::new(ends[0], ends[1]).with_rotation(rotation).with_share(0.3)];
        let outcome = meet_all(&mut actors, &mut ties, 8).expect("bodies");
        assert_eq!((outcome.status, outcome.rounds), (Status::Reached, 1), "case {case}");
        actors.iter_mut().for_each(|actor| assert_eq!(actor.solve(), Status::Reached));
        let turn = |actor: &Actor, side: usize| {
            let turns = model_rotations(actor.body.skeleton(), &actor.pose);
            actor.body.root().rotation * Quat::from_array(turns[actor.hands[side]].map(|x| x as f32))
        };
        let off = turn(&actors[0], 1).angle_between((turn(&actors[1], 0) * rotation).normalize());
        assert!(off < 9e-3, "case {case}: {off} rad");
    }
}

#[test]
fn three_hold_hands_in_a_ring() {
    let mut actors: Vec<Actor> = (0..3)
        .map(|number| {
            let turn = axis_angle(Vec3::Y, number as f32 * core::f32::consts::TAU / 3.0);
            let mut actor = Actor::new(Transform::new(turn * (Vec3::Z * -0.75), turn), Vec3::ZERO);
            actor.show(0, 1.0);
            actor.show(1, 1.0);
            actor
        })
        .collect();
    let mut ties: Vec<BodyTie> =
        (0..3).map(|number| BodyTie::new(end(&actors, number, 0), end(&actors, (number + 1) % 3, 1))).collect();
    let outcome = meet_all(&mut actors, &mut ties, 8).expect("bodies");
    actors.iter_mut().for_each(|actor| _ = actor.solve());
    for number in 0..3 {
        let gap = (actors[number].palm(0) - actors[(number + 1) % 3].palm(1)).length();
        assert!(gap < 1e-3, "{number}: {gap} m, {outcome:?}");
    }
    assert_eq!(outcome.status, Status::Reached, "{outcome:?}");
}

/// A partner who walks past, in and out of reach: hands follow without a jump.
#[test]
fn poses_are_continuous_as_a_partner_walks_past() {
    let frames = 600;
    let mut last: Option<[Vec<Transform>; 2]> = None;
    let mut most = 0.0_f32;
    for frame in 0..frames {
        let x = 2.0 + 1.4 * (2.0 * frame as f32 / frames as f32 - 1.0).abs();
        let root = Transform::at(Vec3::new(x, 0.1, 0.25));
        let mut actors = [Actor::new(Transform::IDENTITY, PALM), Actor::new(root, PALM)];
        actors[0].show(1, 1.0);
        actors[1].show(0, 1.0);
        let mut ties = [BodyTie::new(end(&actors, 0, 1), end(&actors, 1, 0))];
        meet_all(&mut actors, &mut ties, 8).expect("bodies");
        actors.iter_mut().for_each(|actor| _ = actor.solve());
        let poses: [Vec<Transform>; 2] = actors.map(|actor| actor.pose);
        if let Some(last) = &last {
            let pairs = last.iter().flatten().zip(poses.iter().flatten());
            most = pairs.map(|(a, b)| a.rotation.angle_between(b.rotation)).fold(most, f32::max);
        }
        last = Some(poses);
    }
    // At most 15 mm a frame; the arm straightens at the edge of reach, where angles are steepest.
    assert!(most < 0.35, "{most} rad a frame");
}

/// Track mode remembers nothing of the rounds: the next frame has the bits of one with the goals
/// set by hand.
#[test]
fn rounds_leave_no_trace_in_track_mode() {
    let mut actors =
        [Actor::new(Transform::IDENTITY, Vec3::ZERO), Actor::new(Transform::at(Vec3::new(1.6, 0.2, 0.3)), Vec3::ZERO)];
    actors[0].show(1, 1.0);
    actors[1].show(0, 1.0);
    for actor in &mut actors {
        actor.body.set_mode(BodyMode::Track);
        actor.body.set_settings(BodySettings { max_acceleration: 40.0, ..BodySettings::default() });
    }
    let mut by_hand = actors.each_ref().map(|actor| actor.body.clone());
    for frame in 0..30 {
        let x = 1.6 + 0.02 * frame as f32;
        actors[1].body.set_root(Transform::at(Vec3::new(x, 0.2, 0.3))).expect("an even scale");
        by_hand[1].set_root(Transform::at(Vec3::new(x, 0.2, 0.3))).expect("an even scale");
        let mut ties = [BodyTie::new(end(&actors, 0, 1), end(&actors, 1, 0))];
        let outcome = meet_all(&mut actors, &mut ties, 3).expect("bodies");
        assert!(outcome.rounds > 0);
        for ((actor, other), side) in actors.iter_mut().zip(&mut by_hand).zip([1, 0]) {
            let task = actor.tasks[side];
            other.set_task(task, actor.body.task(task).expect("a task").clone()).expect("a task");
            let mut pose = skeleton().rest_local().to_vec();
            actor.pose.clone_from(&pose);
            actor.solve();
            other.solve(&mut pose, 0.02).expect("a pose");
            assert_eq!(actor.pose, pose, "frame {frame}");
        }
    }
}

#[test]
fn what_cannot_be_tied_is_refused_and_changes_nothing() {
    let roots = [Transform::IDENTITY, Transform::at(Vec3::X * 1.5)];
    let mut actors = roots.map(|root| Actor::new(root, Vec3::ZERO));
    actors[0].show(1, 1.0);
    actors[1].show(0, 1.0);
    let pin = PlacedDemand { pinned: true, ..Demand::new(Position::new(1, Vec3::ZERO)).into() };
    let pinned = actors[1].body.add_task(pin).expect("a task");
    let turn = actors[1].body.add_task(Demand::new(Orientation::new(1, Quat::IDENTITY)).into()).expect("a task");
    let (first, second) = (end(&actors, 0, 1), end(&actors, 1, 0));
    let goals =
        |actors: &[Actor; 2]| actors.each_ref().map(|a| a.body.tasks().map(|t| t.1.clone()).collect::<Vec<_>>());
    let before = goals(&actors);
    let other = end(&actors, 0, 0);
    for (tie, says) in [
        (BodyTie::new(first, TieEnd { body: 2, ..second }), "tie 0 is of body 2, there are 2"),
        (BodyTie::new(first, other), "relative tasks"),
        (BodyTie::new(first, TieEnd { task: pinned, ..second }), "without a pin"),
        (BodyTie::new(first, TieEnd { task: turn, ..second }), "two positions or two orientations"),
        (BodyTie::new(first, TieEnd { task: first.task, ..second }), "tie 0: "),
        (BodyTie::new(first, second).with_share(1.5), "share is 1.5"),
        (BodyTie::new(first, second).with_rotation(Quat::from_xyzw(0.0, 0.0, 0.0, 2.0)), "rotation is 2"),
    ] {
        let error = meet_all(&mut actors, &mut [tie], 4).expect_err(says).to_string();
        assert!(error.contains(says), "{error}");
    }
    assert!(meet_all(&mut actors, &mut [BodyTie::new(first, second)], 0).is_err());
    assert!(meet_all(&mut actors, &mut [BodyTie::new(first, second)], 65).is_err());
    actors[1].pose[2].position.x = f32::NAN;
    let error = meet_all(&mut actors, &mut [BodyTie::new(first, second)], 4).expect_err("a pose").to_string();
    assert!(error.starts_with("body 1: "), "{error}");
    assert_eq!(before, goals(&actors));
    let nothing = meet_all(&mut actors, &mut [], 4).expect("no ties");
    assert_eq!((nothing.status, nothing.rounds), (Status::Inactive, 0));
}
