//! Switch times of constraints, judged from outside: where the joints are in the world, by forward
//! kinematics in `f64`, from frame to frame.

use sinew::animator::{Animator, AnimatorError, StateHash};
use sinew::chains::{AxisGoal, ChainSettings, ChainSolver, Pole};
use sinew::constraints::{
    AimDefinition, ChainDefinition, ChainEnd, ConstraintDefinition, ConstraintId, ConstraintInput,
    CopyRotationDefinition, SplineDefinition, TwoBoneDefinition,
};
use sinew::limits::{BendAxis, Freedom, HingeAxis, JointModel, Range, Stretch, SwingRegion};
use sinew::math::{Transform, Vec3, axis_angle, float};
use sinew::outcome::Status;
use sinew::skeleton::{JointDefinition, Skeleton};
use std::sync::Arc;
use testkit::characters::{pose, set_pose, world};
use testkit::matchers::{self, distance};

const TIME: f32 = 0.4;
/// Left branch 3 4 5 and right branch 6 7 8 on a trunk 0 1 2, and a prop 9 on the base.
const LEFT: usize = 5;
const RIGHT: usize = 8;
const PROP: usize = 9;

fn rig() -> Arc<Skeleton> {
    let joint = |parent: Option<usize>, [x, y, z]: [f32; 3], bend: f32| JointDefinition {
        name: String::new(),
        parent,
        rest: Transform { rotation: axis_angle(Vec3::X, bend), ..Transform::at(Vec3::new(x, y, z)) },
    };
    let joints = vec![
        joint(None, [0.0, 0.0, 0.0], 0.1),
        joint(Some(0), [0.0, 0.3, 0.0], 0.1),
        joint(Some(1), [0.0, 0.3, 0.0], -0.1),
        joint(Some(2), [-0.15, 0.1, 0.0], 0.3),
        joint(Some(3), [0.0, 0.25, 0.0], 0.4),
        joint(Some(4), [0.0, 0.25, 0.0], 0.2),
        joint(Some(2), [0.15, 0.1, 0.0], -0.3),
        joint(Some(6), [0.0, 0.25, 0.0], 0.5),
        joint(Some(7), [0.0, 0.25, 0.0], 0.1),
        joint(Some(0), [0.4, 0.5, 0.1], 0.0),
    ];
    Arc::new(Skeleton::new(joints).unwrap())
}

/// The animation: every joint sways.
fn animation(skeleton: &Skeleton, time_s: f32) -> Vec<Transform> {
    let sway = |(joint, rest): (usize, &Transform)| {
        let angle = 0.06 * float::sin(4.0 * time_s + joint as f32);
        Transform { rotation: rest.rotation * axis_angle([Vec3::X, Vec3::Z][joint % 2], angle), ..*rest }
    };
    skeleton.rest_local().iter().enumerate().map(sway).collect()
}

#[derive(Clone)]
struct Kind {
    name: &'static str,
    definition: ConstraintDefinition,
    /// Limits of joints; their kinks bend the way.
    limits: Vec<(usize, JointModel)>,
    has_pole: bool,
}

fn kinds() -> Vec<Kind> {
    let chain = |definition: ChainDefinition| ConstraintDefinition::Chain(definition);
    let free = |name, definition| Kind { name, definition, limits: Vec::new(), has_pole: false };
    let right = ChainDefinition::ending_at(RIGHT, 5);
    let ends = [LEFT, RIGHT].map(|joint| ChainEnd { joint, tip_js: Vec3::Y * 0.05 }).to_vec();
    let stretching = JointModel { stretch: Stretch { min: 0.7, max: 1.3, compliance: 1.0 }, ..JointModel::FREE };
    let hinge = JointModel::limited(Freedom::Hinge { axis: HingeAxis::X, range: Range::new(-1.2, 1.2) });
    let cone = |half: f32| {
        let range = Range::new(-half, half);
        JointModel::limited(Freedom::Ball { swing: SwingRegion::Ellipse { x: range, z: range }, twist: range })
    };
    let limits = vec![(6, cone(0.7)), (7, hinge), (2, cone(0.3)), (1, cone(0.3))];
    let limb = TwoBoneDefinition { stretch: 0.3, ..TwoBoneDefinition::ending_at(RIGHT) };
    vec![
        free("chain", chain(right.clone())),
        free("fabrik", chain(ChainDefinition { solver: ChainSolver::Fabrik, ..right.clone() })),
        free("plane", chain(ChainDefinition { plane_axis_ms: Some(Vec3::X), ..right.clone() })),
        free("tree", chain(ChainDefinition { ends, ..ChainDefinition::ending_at(LEFT, 5) })),
        Kind {
            limits: vec![(6, stretching), (7, stretching)],
            ..free(
                "stretching chain",
                chain(ChainDefinition {
                    settings: ChainSettings { use_stretch: true, ..ChainSettings::default() },
                    ..right.clone()
                }),
            )
        },
        Kind { limits: limits.clone(), ..free("limited chain", chain(right.clone())) },
        Kind {
            limits: limits.clone(),
            ..free("warm start", chain(ChainDefinition { warm_start: true, ..right.clone() }))
        },
        Kind { has_pole: true, ..free("two bones", ConstraintDefinition::TwoBone(limb)) },
        free(
            "prop",
            ConstraintDefinition::TwoBone(TwoBoneDefinition { mid: Some(4), root: Some(3), end: PROP, ..limb }),
        ),
        Kind { limits, ..free("limited limb", ConstraintDefinition::TwoBone(limb)) },
        free("aim", ConstraintDefinition::Aim(AimDefinition::ending_at(RIGHT, 4))),
        free("copy", ConstraintDefinition::CopyRotation(CopyRotationDefinition::of(2))),
        free(
            "spline",
            ConstraintDefinition::Spline(SplineDefinition { stretch: 1.0, ..SplineDefinition::ending_at(RIGHT, 5, 4) }),
        ),
    ]
}

/// A constraint on the rig, its animation, and goals that move slowly.
#[derive(Clone)]
struct Scene {
    skeleton: Arc<Skeleton>,
    animator: Animator,
    id: ConstraintId,
    kind: Kind,
    time_s: f32,
    /// Which of two goals, and whether animation and goals move.
    goal: usize,
    is_moving: bool,
}

impl Scene {
    fn new(kind: &Kind, time_s: f32) -> Self {
        let skeleton = rig();
        let mut animator = Animator::new(skeleton.clone(), None).unwrap();
        animator.set_root(Transform::new(Vec3::new(0.3, -0.2, 1.1), axis_angle(Vec3::Y, 0.6))).unwrap();
        for (joint, model) in &kind.limits {
            animator.set_joint_limits(*joint, model).unwrap();
        }
        let id = animator.add_constraint(&kind.definition).unwrap();
        animator.set_constraint_inertialization_time(id, time_s).unwrap();
        animator.constraint_mut(id).unwrap().weight = 1.0;
        Self { skeleton, animator, id, kind: kind.clone(), time_s: 0.0, goal: 0, is_moving: true }
    }
    fn input(&mut self) -> &mut ConstraintInput {
        self.animator.constraint_mut(self.id).unwrap()
    }
    /// Time passes, goals and animation move, and a solve.
    fn frame(&mut self, dt_s: f32) -> Vec<Transform> {
        self.time_s += dt_s;
        let now_s = if self.is_moving { self.time_s } else { 0.0 };
        let (goal, kind) = (self.goal, self.kind.clone());
        let skeleton = self.skeleton.clone();
        let root = *self.animator.root();
        let rest_ws = |joint: usize| root.position + root.rotation * skeleton.rest_model()[joint].position;
        let shift = [Vec3::new(0.12, -0.1, 0.08), Vec3::new(-0.1, -0.16, -0.06)][goal];
        let shift = shift + Vec3::new(0.05, 0.02, -0.04) * float::sin(2.0 * now_s);
        let input = self.input();
        match &kind.definition {
            ConstraintDefinition::Aim(_) => {
                input.goals[0].position_ws = Some(rest_ws(RIGHT) + Vec3::new(0.0, -0.4, 2.0) + shift * 8.0);
            }
            ConstraintDefinition::CopyRotation(_) => {
                let turn = axis_angle(Vec3::new(0.6, 0.0, 0.8), shift.x * 5.0) * axis_angle(Vec3::Y, shift.z * 4.0);
                input.goals[0].rotation_ws = Some((root.rotation * turn).normalize());
            }
            ConstraintDefinition::Spline(_) => {
                for (goal, joint) in input.goals.iter_mut().zip([1, 2, 7, RIGHT]) {
                    goal.position_ws = Some(rest_ws(joint) + shift * (joint as f32 / 8.0));
                }
            }
            ConstraintDefinition::Chain(definition) => {
                for (goal, end) in input.goals.iter_mut().zip(&definition.ends) {
                    goal.position_ws = Some(rest_ws(end.joint) + shift);
                }
            }
            ConstraintDefinition::TwoBone(limb) => {
                // A prop is taken hold of where the limb reaches.
                let at = if limb.end == PROP { LEFT } else { RIGHT };
                input.goals[0].position_ws = Some(rest_ws(at) + shift);
                input.goals[0].rotation_ws = Some((root.rotation * axis_angle(Vec3::Z, shift.x * 3.0)).normalize());
            }
        }
        if kind.has_pole {
            input.pole_ws = Some(Pole::point(rest_ws(7) + root.rotation * Vec3::new(2.0 * shift.x, 0.0, -1.0)));
        }
        set_pose(&mut self.animator, &animation(&skeleton, now_s));
        self.animator.advance(dt_s);
        self.animator.solve().unwrap();
        let pose = pose(&self.animator);
        matchers::assert_sound(&pose);
        pose
    }
    fn places(&self) -> Vec<[f64; 3]> {
        let tip = |frame: &matchers::Affine64| frame.point([0.0, 0.1, 0.05]);
        world(&self.animator).iter().flat_map(|frame| [frame.position, tip(frame)]).collect()
    }
    fn is_switching(&self) -> bool {
        self.animator.is_inertializing_constraint(self.id).unwrap()
    }
    fn hash(&self) -> u64 {
        let mut hash = StateHash::default();
        self.animator.hash_state(&mut hash);
        hash.finish()
    }
}

/// The farthest a joint is from where it was.
fn apart(a: &[[f64; 3]], b: &[[f64; 3]]) -> f64 {
    a.iter().zip(b).map(|(a, b)| distance(*a, *b)).fold(0.0, f64::max)
}

type Change = (&'static str, fn(&mut Scene));
const CHANGES: [Change; 5] = [
    ("goal", |scene| {
        scene.animator.inertialize_constraint(scene.id).unwrap();
        scene.goal = 1 - scene.goal;
    }),
    ("off", |scene| scene.input().weight = 0.0),
    ("on", |scene| scene.input().weight = 1.0),
    ("weights of the goals", |scene| {
        for goal in &mut scene.input().goals {
            (goal.position_weight, goal.rotation_weight) = (0.3, 0.4);
        }
    }),
    ("goal with its weights", |scene| {
        scene.animator.inertialize_constraint(scene.id).unwrap();
        scene.goal = 1 - scene.goal;
        for goal in &mut scene.input().goals {
            (goal.position_weight, goal.rotation_weight) = (1.0, 1.0);
        }
    }),
];

/// Places and speeds of all joints go on through each switch while animation and goals move, 1 % is
/// left after the time, and long after it the pose is that of a constraint without one.
#[test]
fn places_and_speeds_are_continuous_through_switches_of_every_kind() {
    const FRAMES: usize = 400;
    let dt_s = TIME / FRAMES as f32;
    for kind in kinds() {
        let (mut scene, mut at_once) = (Scene::new(&kind, TIME), Scene::new(&kind, 0.0));
        for _ in 0..5 {
            matchers::assert_pose_bits_equal(&at_once.frame(dt_s), &scene.frame(dt_s));
        }
        for (change_name, change) in CHANGES {
            let name = format!("{} {change_name}", kind.name);
            let before = scene.places();
            scene.frame(dt_s);
            at_once.frame(dt_s);
            let (mut last, mut speed) = (scene.places(), apart(&before, &scene.places()));
            let mut earlier = before;
            change(&mut scene);
            change(&mut at_once);
            at_once.frame(dt_s);
            let jump = apart(&last, &at_once.places());
            assert!(jump > 0.02, "{name}: there is no jump of {jump} m to be seen");
            // y²·x₀ is the acceleration of the decay; joints far out add those of the ones above.
            let (y, is_limited) = (f64::from(6.64 / TIME), !kind.limits.is_empty());
            let bend = 6.0 * y * y * jump * f64::from(dt_s * dt_s) + 3e-5;
            let (mut most_step, mut most_bend) = (0.0_f64, 0.0_f64);
            for frame in 0..FRAMES {
                scene.frame(dt_s);
                // What the solution does by itself is followed: one with a warm start turns back to
                // the animation from solve to solve, one with limits may change sides.
                let mut own = 0.0;
                if frame > 0 {
                    let before = at_once.places();
                    at_once.frame(dt_s);
                    own = apart(&before, &at_once.places());
                }
                assert!(frame > 0 || scene.is_switching(), "{name}");
                let now = scene.places();
                let carried: Vec<[f64; 3]> = last
                    .iter()
                    .zip(&earlier)
                    .map(|(last, earlier)| core::array::from_fn(|i| 2.0 * last[i] - earlier[i]))
                    .collect();
                most_step = most_step.max(apart(&last, &now) - 1.3 * own);
                most_bend = most_bend.max(apart(&carried, &now));
                (earlier, last) = (last, now);
            }
            speed = speed.max(apart(&earlier, &last));
            // Limits make a detour of it.
            let detour = if is_limited { 2.0 } else { 1.0 };
            let step = speed * 2.0 + detour * jump * y * f64::from(dt_s);
            assert!(most_step < step, "{name}: {most_step} m a frame, {step} allowed");
            assert!(is_limited || most_bend < bend, "{name}: {most_bend} m from the straight way, {bend} allowed");
            let left = apart(&last, &at_once.places());
            assert!(left < 0.05 * jump + 2e-3, "{name}: {left} of {jump} m are left");
            for _ in 0..60 {
                (0..2).for_each(|_| _ = (scene.frame(0.05 * TIME), at_once.frame(0.05 * TIME)));
            }
            assert!(!scene.is_switching(), "{name}");
            for _ in 0..3 {
                matchers::assert_pose_bits_equal(&at_once.frame(dt_s), &scene.frame(dt_s));
            }
        }
    }
}

#[test]
fn the_way_is_the_same_at_30_60_and_144_hz() {
    // A warm start turns back to the animation from solve to solve, whatever the time.
    for kind in kinds().iter().filter(|kind| kind.name != "warm start") {
        for (name, change) in &CHANGES[..2] {
            let ends = [30, 60, 144].map(|rate| {
                let mut scene = Scene::new(kind, TIME);
                scene.is_moving = false;
                (0..2).for_each(|_| _ = scene.frame(1.0 / rate as f32));
                change(&mut scene);
                scene.frame(0.0);
                (0..rate / 6).for_each(|_| _ = scene.frame(1.0 / rate as f32));
                scene.places()
            });
            for end in &ends[1..] {
                let apart = apart(&ends[0], end);
                assert!(apart < 1e-4, "{} {name}: {apart} m", kind.name);
            }
        }
    }
}

/// Also where a switch has ended: nothing is announced by a goal that moves.
#[test]
fn a_moving_goal_is_followed_with_the_bits_of_a_constraint_without_time() {
    for kind in kinds() {
        let (mut scene, mut at_once) = (Scene::new(&kind, TIME), Scene::new(&kind, 0.0));
        for _ in 0..40 {
            matchers::assert_pose_bits_equal(&at_once.frame(0.02), &scene.frame(0.02));
            assert!(!scene.is_switching(), "{}", kind.name);
            let outcome = |scene: &Scene| scene.animator.constraint_outcome(scene.id).unwrap();
            assert_eq!(outcome(&scene), outcome(&at_once), "{}", kind.name);
        }
    }
}

#[test]
fn while_it_switches_the_outcome_is_that_of_the_solution() {
    for kind in kinds() {
        let (mut scene, mut at_once) = (Scene::new(&kind, TIME), Scene::new(&kind, 0.0));
        (0..5).for_each(|_| _ = (scene.frame(0.01), at_once.frame(0.01)));
        for (name, change) in CHANGES {
            change(&mut scene);
            change(&mut at_once);
            for _ in 0..10 {
                let poses = [scene.frame(0.01), at_once.frame(0.01)];
                assert!(scene.is_switching() && poses[0] != poses[1], "{} {name}", kind.name);
                let outcome = |scene: &Scene| scene.animator.constraint_outcome(scene.id).unwrap();
                assert_eq!(outcome(&scene), outcome(&at_once), "{} {name}", kind.name);
            }
        }
    }
}

#[test]
fn joints_keep_to_their_limits_on_the_way() {
    for kind in kinds().iter().filter(|kind| !kind.limits.is_empty()) {
        let mut scenes = [Scene::new(kind, TIME), Scene::new(kind, 0.0), Scene::new(kind, 0.0)];
        (0..5).for_each(|_| scenes.iter_mut().for_each(|scene| _ = scene.frame(0.01)));
        for round in 0..60 {
            let (name, change) = CHANGES[round % CHANGES.len()];
            scenes.iter_mut().for_each(change);
            for _ in 0..8 {
                // The last one shows the animation.
                scenes[2].input().weight = 0.0;
                scenes.iter_mut().for_each(|scene| _ = scene.frame(0.01));
                for (joint, _) in &kind.limits {
                    let [beyond, solved, animated] =
                        scenes.each_ref().map(|scene| scene.animator.joint_violation_rad(*joint).unwrap());
                    let name = format!("{} {name}: joint {joint}", kind.name);
                    assert!(beyond < solved.max(animated) + 2e-3, "{name}: {beyond}, {solved}, {animated} rad beyond");
                }
            }
        }
    }
}

/// What an animation exceeds stays allowed, and no more.
#[test]
fn an_animation_beyond_limits_is_left_and_returned_to_without_a_jump() {
    let kinds = kinds();
    let mut kind = kinds.iter().find(|kind| kind.name == "limited chain").unwrap().clone();
    let hinge = JointModel::limited(Freedom::Hinge { axis: HingeAxis::X, range: Range::new(0.3, 1.2) });
    kind.limits = vec![(7, hinge)];
    let mut scene = Scene::new(&kind, TIME);
    scene.input().weight = 0.0;
    scene.frame(0.01);
    let allowed = scene.animator.joint_violation_rad(7).unwrap();
    assert!(allowed > 0.2, "{allowed}");
    let mut last = scene.places();
    for weight in [1.0, 0.0, 1.0] {
        scene.input().weight = weight;
        for _ in 0..400 {
            scene.frame(0.001);
            let now = scene.places();
            let step = apart(&last, &now);
            assert!(step < 0.01, "{weight}: {step} m");
            last = now;
            let beyond = scene.animator.joint_violation_rad(7).unwrap();
            assert!(beyond < allowed + 0.08, "{weight}: {beyond} rad, the animation {allowed}");
        }
    }
}

/// The aim, which comes later and has no time, meets its target at every moment of the chain's
/// switch, on the pose as the chain left it.
#[test]
fn a_later_constraint_on_the_same_joints_starts_from_the_pose_on_the_way() {
    for later_s in [0.0, TIME] {
        let mut scene = Scene::new(&kinds()[0], TIME);
        let definition = ConstraintDefinition::Aim(AimDefinition::ending_at(RIGHT, 3));
        let aim = scene.animator.add_constraint(&definition).unwrap();
        scene.animator.set_constraint_inertialization_time(aim, later_s).unwrap();
        let target = Vec3::new(0.6, 0.5, 3.5);
        let input = scene.animator.constraint_mut(aim).unwrap();
        (input.weight, input.goals[0].position_ws) = (1.0, Some(target));
        (0..5).for_each(|_| _ = scene.frame(0.002));
        for (name, change) in CHANGES {
            let mut last = scene.places();
            change(&mut scene);
            for frame in 0..150 {
                scene.frame(0.002);
                let now = scene.places();
                let step = apart(&last, &now);
                assert!(step < 0.012, "{name} {frame}: {step} m");
                last = now;
                let eye = world(&scene.animator)[RIGHT];
                let way = core::array::from_fn(|i| f64::from(target.to_array()[i]) - eye.position[i]);
                let off = matchers::direction_angle_rad(eye.axis(2), way);
                assert!(off < 2e-3, "{name} {frame}: {off} rad off the target");
            }
        }
        // Both at once.
        let mut last = scene.places();
        scene.animator.inertialize_constraint(aim).unwrap();
        let is_eased = later_s > 0.0;
        CHANGES[0].1(&mut scene);
        let input = scene.animator.constraint_mut(aim).unwrap();
        input.goals[0].position_ws = Some(target + Vec3::new(-1.5, 0.3, 0.0));
        scene.frame(0.002);
        let step = apart(&last, &scene.places());
        assert_eq!(step < 0.01, is_eased, "{step} m");
        for _ in 0..100 {
            last = scene.places();
            scene.frame(0.002);
            let step = apart(&last, &scene.places());
            assert!(step < 0.02, "{step} m");
        }
    }
}

/// With weights of 0 there is nothing to solve; what is left of a switch is seen all the same by a
/// constraint that has weight, wherever it comes.
#[test]
fn a_constraint_that_was_switched_off_moves_what_later_ones_read() {
    let kinds = kinds();
    let mut scene = Scene::new(&kinds[0], TIME);
    let copy = CopyRotationDefinition { source: Some(RIGHT), ..CopyRotationDefinition::of(PROP) };
    let copy = scene.animator.add_constraint(&ConstraintDefinition::CopyRotation(copy)).unwrap();
    scene.animator.constraint_mut(copy).unwrap().weight = 1.0;
    (0..3).for_each(|_| _ = scene.frame(0.01));
    scene.input().weight = 0.0;
    for frame in 0..60 {
        scene.frame(0.01);
        let spaces = world(&scene.animator);
        for axis in 0..3 {
            let off = matchers::direction_angle_rad(spaces[RIGHT].axis(axis), spaces[PROP].axis(axis));
            assert!(off < 1e-3, "{frame}: {off} rad");
        }
        assert_eq!(scene.animator.constraint_outcome(scene.id).unwrap().status, Status::Inactive);
    }
}

#[test]
fn a_solution_far_beyond_limits_is_left_without_a_jump() {
    // The limb of a prop is solved in closed form, and keeps to no limits.
    let mut kind = kinds().into_iter().find(|kind| kind.name == "prop").unwrap();
    let hinge = JointModel::limited(Freedom::Hinge { axis: HingeAxis::X, range: Range::new(-0.1, 0.1) });
    kind.limits = vec![(3, hinge), (4, hinge)];
    let mut scene = Scene::new(&kind, TIME);
    (0..3).for_each(|_| _ = scene.frame(0.001));
    let beyond = [3, 4].map(|joint| scene.animator.joint_violation_rad(joint).unwrap());
    assert!(beyond[0].max(beyond[1]) > 0.2, "{beyond:?}");
    for weight in [0.0, 1.0] {
        let last = scene.places();
        scene.input().weight = weight;
        scene.frame(0.001);
        let step = apart(&last, &scene.places());
        assert!(step < 0.004, "{weight}: {step} m in the first frame");
        (0..100).for_each(|_| _ = scene.frame(0.05));
    }
}

#[test]
fn other_kinds_of_goals_are_switches() {
    use sinew::constraints::{DistanceGoal, DistanceMode};
    type Set = fn(&mut ConstraintInput);
    let changes: [(&str, Set); 4] = [
        ("an axis", |input| {
            input.goals[0].axis_ws = Some(AxisGoal { axis: Vec3::Y, direction: Vec3::new(0.6, 0.0, 0.8) });
        }),
        ("a rotation in its place", |input| {
            input.goals[0].axis_ws = None;
            input.goals[0].rotation_ws = Some(axis_angle(Vec3::Z, 1.2));
        }),
        ("a sphere", |input| input.goals[0].distance = Some(DistanceGoal { mode: DistanceMode::On, radius_m: 0.3 })),
        ("another side", |input| {
            input.goals[0].distance = Some(DistanceGoal { mode: DistanceMode::Inside, radius_m: 0.05 });
        }),
    ];
    let kind = kinds().into_iter().find(|kind| kind.name == "chain").unwrap();
    let (mut scene, mut at_once) = (Scene::new(&kind, TIME), Scene::new(&kind, 0.0));
    for (name, set) in changes {
        (0..60).for_each(|_| _ = (scene.frame(0.05), at_once.frame(0.05)));
        assert!(!scene.is_switching(), "before {name}");
        let last = scene.places();
        for scene in [&mut scene, &mut at_once] {
            set(scene.input());
            scene.frame(0.001);
        }
        let (step, jump) = (apart(&last, &scene.places()), apart(&last, &at_once.places()));
        assert!(jump > 0.02, "{name} moves nothing: {jump} m");
        assert!(scene.is_switching() && step < 0.004, "{name}: {step} m of {jump}");
    }
}

#[test]
fn a_long_frame_throws_nothing_beyond_the_solutions() {
    for kind in kinds() {
        for dt_s in [0.1, 0.5, 2.0, 10.0] {
            let (mut scene, mut at_once) = (Scene::new(&kind, TIME), Scene::new(&kind, 0.0));
            (0..20).for_each(|_| _ = (scene.frame(0.01), at_once.frame(0.01)));
            let last = scene.places();
            for scene in [&mut scene, &mut at_once] {
                scene.input().weight = 0.0;
                scene.frame(dt_s);
            }
            let (jump, off) = (apart(&last, &at_once.places()), apart(&scene.places(), &at_once.places()));
            assert!(off < 1.3 * jump + 0.15, "{}, {dt_s} s: {off} m beside a solution {jump} m away", kind.name);
        }
    }
}

#[test]
fn goals_and_poles_that_come_and_go_switch() {
    let kinds = kinds();
    let kind = kinds.iter().find(|kind| kind.has_pole).unwrap();
    let mut scene = Scene::new(kind, TIME);
    (0..3).for_each(|_| _ = scene.frame(0.001));
    scene.kind.has_pole = false;
    for clear in 0..2 {
        let last = scene.places();
        scene.input().pole_ws = None;
        if clear == 1 {
            // A copy of the scene's frame without goals.
            scene.input().goals[0] = Default::default();
            set_pose(&mut scene.animator, &animation(&rig(), scene.time_s));
            scene.animator.advance(0.001);
            scene.animator.solve().unwrap();
        } else {
            scene.frame(0.001);
        }
        assert!(scene.is_switching(), "{clear}");
        let step = apart(&last, &scene.places());
        assert!(step < 0.003, "{clear}: {step} m");
        (0..100).for_each(|_| _ = scene.frame(0.05));
        assert!(!scene.is_switching(), "{clear}");
    }
}

#[test]
fn snapshots_resets_and_clones_know_the_switch() {
    for kind in kinds() {
        let mut scene = Scene::new(&kind, TIME);
        (0..5).for_each(|_| _ = scene.frame(0.01));
        for (name, change) in CHANGES {
            change(&mut scene);
            (0..4).for_each(|_| _ = scene.frame(0.01));
            let (mut saved, hash) = (Vec::new(), scene.hash());
            scene.animator.snapshot(&mut saved);
            assert_eq!(saved.len(), scene.animator.snapshot_size());
            let mut other = scene.clone();
            (0..3).for_each(|_| _ = other.frame(0.02));
            other.time_s = scene.time_s;
            let after: Vec<_> = (0..20).map(|_| scene.frame(0.01)).collect();
            other.frame(0.0);
            other.animator.restore(&saved).unwrap();
            assert_eq!(hash, other.hash(), "{} {name}", kind.name);
            for expected in &after {
                matchers::assert_pose_bits_equal(expected, &other.frame(0.01));
            }
            // Announced, and not yet solved.
            other.animator.restore(&saved).unwrap();
            let hash = other.hash();
            other.animator.inertialize_constraint(other.id).unwrap();
            assert_ne!(hash, other.hash(), "{} {name}", kind.name);
            // As if nothing had been solved.
            other.animator.reset_state();
            assert!(!other.is_switching());
            let mut at_once = other.clone();
            at_once.animator.set_constraint_inertialization_time(at_once.id, 0.0).unwrap();
            let unchanged = at_once.hash();
            assert!(at_once.animator.restore(&saved).is_err());
            assert_eq!(unchanged, at_once.hash());
            matchers::assert_pose_bits_equal(&at_once.frame(0.01), &other.frame(0.01));
        }
    }
}

#[test]
fn snapshots_of_other_constraints_with_a_time_are_refused() {
    let kinds = kinds();
    let mut scene = Scene::new(&kinds[0], 0.0);
    let other = scene.animator.add_constraint(&kinds[3].definition).unwrap();
    scene.frame(0.01);
    let size = scene.animator.snapshot_size();
    let mut saved = Vec::new();
    scene.animator.set_constraint_inertialization_time(other, TIME).unwrap();
    assert!(scene.animator.snapshot_size() > size);
    scene.animator.snapshot(&mut saved);
    scene.animator.restore(&saved).unwrap();
    scene.animator.set_constraint_inertialization_time(other, 0.0).unwrap();
    assert_eq!(scene.animator.snapshot_size(), size);
    assert!(scene.animator.restore(&saved).is_err(), "none has a time");
    scene.animator.set_constraint_inertialization_time(scene.id, TIME).unwrap();
    assert!(scene.animator.restore(&saved).is_err(), "another has a time");
    scene.animator.set_constraint_inertialization_time(other, TIME).unwrap();
    assert!(scene.animator.restore(&saved).is_err(), "both have a time");
    for cut in [4, 40] {
        assert!(scene.animator.restore(&saved[..saved.len() - cut]).is_err());
    }
    // A number that is none.
    scene.animator.set_constraint_inertialization_time(scene.id, 0.0).unwrap();
    let mut bad = saved.clone();
    let end = bad.len();
    bad[end - 4..].copy_from_slice(&f32::NAN.to_le_bytes());
    assert!(scene.animator.restore(&bad).is_err());
    scene.animator.restore(&saved).unwrap();
}

#[test]
fn times_and_unknown_constraints() {
    let mut scene = Scene::new(&kinds()[0], 0.0);
    let time = |scene: &Scene| scene.animator.constraint_inertialization_time(scene.id).unwrap();
    for (given, taken) in
        [(0.5, 0.5), (-1.0, 0.0), (0.25, 0.25), (f32::NAN, 0.0), (f32::INFINITY, 1e6), (1e-7, 0.0), (0.0, 0.0)]
    {
        scene.animator.set_constraint_inertialization_time(scene.id, given).unwrap();
        assert_eq!(time(&scene), taken, "{given}");
    }
    // Without a time an announcement does nothing.
    scene.frame(0.01);
    scene.animator.inertialize_constraint(scene.id).unwrap();
    assert!(!scene.is_switching());
    scene.animator.remove_constraint(scene.id).unwrap();
    let (animator, id) = (&mut scene.animator, scene.id);
    let missing = AnimatorError::NoSuchConstraint(id);
    assert_eq!(animator.set_constraint_inertialization_time(id, 0.1), Err(missing));
    assert_eq!(animator.constraint_inertialization_time(id), Err(missing));
    assert_eq!(animator.inertialize_constraint(id), Err(missing));
    assert_eq!(animator.is_inertializing_constraint(id), Err(missing));
}

/// A time that is set in the midst of play changes nothing, and one that is cleared ends a switch.
#[test]
fn times_set_and_cleared_in_play() {
    for kind in kinds() {
        let (mut scene, mut at_once) = (Scene::new(&kind, 0.0), Scene::new(&kind, 0.0));
        (0..3).for_each(|_| _ = (scene.frame(0.01), at_once.frame(0.01)));
        scene.animator.set_constraint_inertialization_time(scene.id, TIME).unwrap();
        (0..3).for_each(|_| matchers::assert_pose_bits_equal(&at_once.frame(0.01), &scene.frame(0.01)));
        CHANGES[1].1(&mut scene);
        CHANGES[1].1(&mut at_once);
        assert!(scene.frame(0.01) != at_once.frame(0.01), "{}", kind.name);
        scene.animator.set_constraint_inertialization_time(scene.id, 0.0).unwrap();
        matchers::assert_pose_bits_equal(&at_once.frame(0.01), &scene.frame(0.01));
    }
}

#[test]
fn a_joint_without_twist_gets_none_on_the_way() {
    let kinds = kinds();
    let mut kind = kinds[0].clone();
    let range = Range::new(-0.5, 0.5);
    let freedom = Freedom::Universal { bend: BendAxis::X, bend_range: range, twist: Range::new(0.0, 0.0) };
    kind.limits = vec![(2, JointModel::limited(freedom)), (1, JointModel::limited(Freedom::Fixed))];
    let mut scene = Scene::new(&kind, TIME);
    (0..5).for_each(|_| _ = scene.frame(0.01));
    let animated = scene.animator.joint_violation_rad(1).unwrap();
    for (name, change) in CHANGES {
        change(&mut scene);
        for _ in 0..40 {
            scene.frame(0.01);
            let beyond = [2, 1].map(|joint| scene.animator.joint_violation_rad(joint).unwrap());
            assert!(beyond[0] < 0.07 && beyond[1] < animated + 0.07, "{name}: {beyond:?} rad, {animated} rad animated");
        }
    }
}
