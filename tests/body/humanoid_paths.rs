//! Continuity of the whole-body solver of a humanoid: goals that move by millimetres a frame, with
//! animations that stand at ease and with arms straight to the sides, with and without limits.
//!
//! Converge mode keeps nothing from frame to frame, so where two poses are about as near to the
//! animation as each other it changes from one to the other. How often that is counted here, and
//! must not grow.

use sinew::animator::Animator;
use sinew::humanoid::{
    BodyEffector, BodySolverMode, BodySolverSettings, HumanBone, HumanoidSettings, IkGoal, IkGoalInput,
};
use sinew::math::{Transform, Vec3};
use testkit::Random;
use testkit::characters::{self, joint, pose, set_pose};
use testkit::idle::idle_pose_of;
use testkit::matchers::{self, vec3, wide};
use testkit::person::{Person, PersonOptions, person};

/// A step of a joint, metres, that counts as a jump.
const JUMP_M: f64 = 0.03;

fn persons() -> [(&'static str, PersonOptions); 3] {
    let usual = PersonOptions::default;
    [
        ("a person", usual()),
        ("a small person", PersonOptions { height_m: 1.5, ..usual() }),
        ("a person of few bones", PersonOptions { with_optional: false, ..usual() }),
    ]
}

/// A character whose feet stay, and the pose of its animation.
fn character(person: &Person, at_ease: bool, limits_enabled: bool, balance_weight: f32) -> (Animator, Vec<Transform>) {
    let mode = BodySolverMode::Converge;
    let solver = BodySolverSettings { mode, balance_weight, ..BodySolverSettings::default() };
    character_with(person, at_ease, limits_enabled, &solver)
}

fn character_with(
    person: &Person,
    at_ease: bool,
    limits_enabled: bool,
    solver: &BodySolverSettings,
) -> (Animator, Vec<Transform>) {
    let mut animator = characters::animator(person, 0.0);
    animator.set_settings(&HumanoidSettings { limits_enabled, ..HumanoidSettings::default() }).unwrap();
    animator.set_body_solver(solver).unwrap();
    if at_ease {
        set_pose(&mut animator, &idle_pose_of(person.view(), 0.3));
    }
    let start = pose(&animator);
    (animator, start)
}

fn at(animator: &Animator, bone: HumanBone) -> Vec3 {
    vec3(characters::world(animator)[joint(animator, bone)].position)
}

/// What frames of a path did.
#[derive(Debug, Default)]
struct Path {
    last: Option<Vec<[f64; 3]>>,
    jumps: usize,
    worst_m: f64,
    /// Frames with a goal missed by more than a millimetre, and by how much at most.
    missed: usize,
    missed_m: f64,
}

impl Path {
    fn take(&mut self, animator: &Animator, goals: &[(HumanBone, Vec3)]) {
        let places: Vec<_> = characters::world(animator).iter().map(|frame| frame.position).collect();
        let off = |(bone, goal): &(HumanBone, Vec3)| matchers::distance(places[joint(animator, *bone)], wide(*goal));
        let off = goals.iter().map(off).fold(0.0, f64::max);
        self.missed += usize::from(off > 1e-3);
        self.missed_m = self.missed_m.max(off);
        if let Some(last) = &self.last {
            let most = places.iter().zip(last).map(|(a, b)| matchers::distance(*a, *b)).fold(0.0, f64::max);
            self.jumps += usize::from(most > JUMP_M);
            self.worst_m = self.worst_m.max(most);
        }
        self.last = Some(places);
    }
    fn begin(&mut self) {
        self.last = None;
    }
}

/// Both hands before the body, and in half of the paths the head, on curves of their own.
fn hands_and_head(animator: &mut Animator, start: &[Transform], axes: [Vec3; 3], path: &mut Path) {
    let [right, up, forward] = axes;
    let hips = at(animator, HumanBone::Hips);
    let head = at(animator, HumanBone::Head);
    let size = (head - at(animator, HumanBone::LeftFoot)).length() / 1.5;
    let centers = [
        hips + (up * 0.3 + forward * 0.3 - right * 0.2) * size,
        hips + (up * 0.3 + forward * 0.3 + right * 0.2) * size,
        head + (forward * 0.03 - up * 0.08) * size,
    ];
    let bones = [HumanBone::LeftHand, HumanBone::RightHand, HumanBone::Head];
    for seed in 0..4 {
        let mut random = Random::new(100 + seed);
        let waves: [[(f32, f32); 3]; 3] = core::array::from_fn(|_| {
            core::array::from_fn(|_| (random.between(0.3, 1.5), random.between(0.0, core::f32::consts::TAU)))
        });
        let goal = |i: usize, t: f32| {
            let wave = |k: usize| {
                let (turns, phase) = waves[i][k];
                libm::sinf(core::f32::consts::TAU * turns * t + phase)
            };
            let reach = if i == 2 { 0.05 } else { 0.25 } * size;
            centers[i] + (up * wave(0) + forward * 0.6 * wave(1) + right * 0.8 * wave(2)) * reach
        };
        let moved = if seed % 2 == 0 { 3 } else { 2 };
        path.begin();
        // Track mode travels to the start of the path first.
        for frame in -20_i32..300 {
            let t = frame.max(0) as f32 / 500.0;
            set_pose(animator, start);
            for (limb, i) in [(IkGoal::LeftHand, 0), (IkGoal::RightHand, 1)] {
                animator.set_ik_position(limb, goal(i, t)).unwrap();
                animator.set_ik_position_weight(limb, 1.0).unwrap();
            }
            let position_weight = if moved == 3 { 1.0 } else { 0.0 };
            let input = IkGoalInput { position: Some(goal(2, t)), position_weight, ..IkGoalInput::default() };
            animator.set_body_effector(BodyEffector::Head, &input).unwrap();
            animator.advance(1.0 / 60.0);
            animator.solve().unwrap();
            if frame >= 0 {
                let goals: Vec<_> = (0..moved).map(|i| (bones[i], goal(i, t))).collect();
                path.take(animator, &goals);
            }
        }
    }
}

#[test]
fn hands_and_head_on_paths_do_not_jump() {
    for (name, options) in persons() {
        let person = person(&options);
        let axes = [person.axes.right, person.axes.up, person.axes.forward];
        for (at_ease, limits_enabled) in [(true, true), (true, false), (false, true), (false, false)] {
            let (mut animator, start) = character(&person, at_ease, limits_enabled, 0.0);
            let mut path = Path::default();
            hands_and_head(&mut animator, &start, axes, &mut path);
            let what = format!("{name}, at ease {at_ease}, limits {limits_enabled}");
            println!("{what}: {} jumps, {:.0} mm at most, {} missed", path.jumps, 1e3 * path.worst_m, path.missed);
            // With the orientation of hands as a task, up to 126 of 600 frames of such paths
            // jumped, by up to 0.6 m; with elbows that prefer no side, persons of few bones missed
            // up to a third of the goals.
            assert!(path.jumps == 0, "{what}: {} jumps, {} m", path.jumps, path.worst_m);
            assert!(path.missed == 0, "{what}: {} missed", path.missed);
        }
    }
}

/// Track mode follows goals that move by up to 5 mm a frame.
#[test]
fn track_mode_stays_on_paths_of_hands_and_head() {
    for (name, options) in persons() {
        let person = person(&options);
        let axes = [person.axes.right, person.axes.up, person.axes.forward];
        for (at_ease, limits_enabled) in [(true, true), (true, false), (false, true), (false, false)] {
            let solver = BodySolverSettings { mode: BodySolverMode::Track, ..BodySolverSettings::default() };
            let (mut animator, start) = character_with(&person, at_ease, limits_enabled, &solver);
            let mut path = Path::default();
            hands_and_head(&mut animator, &start, axes, &mut path);
            let what = format!("{name}, at ease {at_ease}, limits {limits_enabled}");
            println!(
                "track {what}: {} jumps, {:.0} mm at most, {} missed, by {:.1} mm at most",
                path.jumps,
                1e3 * path.worst_m,
                path.missed,
                1e3 * path.missed_m
            );
            assert!(path.jumps == 0 && path.missed == 0, "{what}: {} jumps, {} missed", path.jumps, path.missed);
        }
    }
}

/// A right hand's weight from 0 to 1, for animations and goals of all kinds. Where a step of the
/// weight moves a joint far, it is halved until a jump is told from a fast motion.
#[test]
fn weights_of_a_hand_seldom_jump() {
    const STEPS: usize = 200;
    let person = person(&PersonOptions::default());
    for limits_enabled in [true, false] {
        let (mut animator, rest) = character(&person, false, limits_enabled, 0.0);
        let shoulder = at(&animator, HumanBone::RightUpperArm);
        let (mut jumps, mut sweeps, mut worst_m) = (0, 0, 0.0_f64);
        for seed in 0..60 {
            let mut random = Random::new(500 + seed);
            let turned =
                |local: &Transform| Transform { rotation: random.rotation_within(0.4) * local.rotation, ..*local };
            let start: Vec<Transform> = rest.iter().map(turned).collect();
            let goal = shoulder + random.in_ball(0.6);
            let mut places = |weight: f32| -> Vec<[f64; 3]> {
                set_pose(&mut animator, &start);
                animator.set_ik_position(IkGoal::RightHand, goal).unwrap();
                animator.set_ik_position_weight(IkGoal::RightHand, weight).unwrap();
                animator.solve().unwrap();
                characters::world(&animator).iter().map(|frame| frame.position).collect()
            };
            let apart = |a: &[[f64; 3]], b: &[[f64; 3]]| {
                a.iter().zip(b).map(|(a, b)| matchers::distance(*a, *b)).fold(0.0, f64::max)
            };
            let mut last = places(0.0);
            let jumps_before = jumps;
            for step in 1..=STEPS {
                let (mut from, mut to) = ((step - 1) as f32 / STEPS as f32, step as f32 / STEPS as f32);
                let now = places(to);
                let (mut before, mut after) = (last, now.clone());
                for _ in 0..12 {
                    if apart(&before, &after) < JUMP_M {
                        break;
                    }
                    let half = 0.5 * (from + to);
                    let between = places(half);
                    if apart(&before, &between) > apart(&between, &after) {
                        (to, after) = (half, between);
                    } else {
                        (from, before) = (half, between);
                    }
                }
                let jump_m = apart(&before, &after);
                if jump_m >= JUMP_M {
                    jumps += 1;
                    worst_m = worst_m.max(jump_m);
                }
                last = now;
            }
            sweeps += usize::from(jumps > jumps_before);
        }
        println!("limits {limits_enabled}: {jumps} jumps in {sweeps} of 60 sweeps, {:.0} mm", 1e3 * worst_m);
        // Where a goal behind the body turns it around. With 26 iterations to settle 22 and 26
        // jumps, with 200 11 and 6.
        // How many of a sweep's steps jump depends on rounding.
        assert!(sweeps <= 4 && jumps <= 25, "limits {limits_enabled}: {jumps} jumps in {sweeps} sweeps");
    }
}

/// A hand that picks something from the floor: how many of 24 places have a frame that jumps.
fn places_that_jump(person: &Person, limits_enabled: bool, balance_weight: f32) -> (usize, f64, usize) {
    let (mut animator, start) = character(person, true, limits_enabled, balance_weight);
    let axes = person.axes;
    let foot = at(&animator, HumanBone::RightFoot);
    let mut all = Path::default();
    let mut places = 0;
    for place in 0..24 {
        let (ahead, side) = (0.1 + 0.08 * (place / 3) as f32, 0.2 * ((place % 3) as f32 - 1.0));
        let before = all.jumps;
        all.begin();
        for frame in 0..24 {
            set_pose(&mut animator, &start);
            let up = 0.03 * frame as f32 / 24.0 - 0.05;
            let goal = foot + axes.forward * ahead + axes.right * side + axes.up * up;
            animator.set_ik_position(IkGoal::RightHand, goal).unwrap();
            animator.set_ik_position_weight(IkGoal::RightHand, 1.0).unwrap();
            animator.solve().unwrap();
            all.take(&animator, &[(HumanBone::RightHand, goal)]);
        }
        places += usize::from(all.jumps > before);
    }
    (places, all.worst_m, all.missed)
}

#[test]
fn a_hand_at_the_floor_does_not_jump() {
    for (name, options) in persons() {
        let person = person(&options);
        for limits_enabled in [true, false] {
            // The goal moves by 1.3 mm a frame.
            let (places, worst_m, missed) = places_that_jump(&person, limits_enabled, 0.0);
            println!("{name}, limits {limits_enabled}: {places} places, {:.0} mm", 1e3 * worst_m);
            assert!(places == 0 && missed == 0, "{name}: {places} places, {worst_m} m, {missed} missed");
            let (places, worst_m, missed) = places_that_jump(&person, limits_enabled, 1.0);
            println!("{name}, limits {limits_enabled}, balance: {places} places, {:.0} mm", 1e3 * worst_m);
            assert!(places <= 2 && missed == 0, "{name}, balance: {places} places, {missed} missed");
        }
    }
}
