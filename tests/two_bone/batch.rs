//! Batches give every limb the bits of the single call, at every level this processor has: for
//! ordinary limbs, for the odd ones in between, and for each operation of a lane, so that a drift
//! can be found.

use sinew::closed_form::aim_ray::{self, Aim};
use sinew::closed_form::batch::{AimTurns, Workspace};
use sinew::closed_form::joint_limb::{self, JointLimb, JointLimbSolution};
use sinew::closed_form::records::LimbPlaces;
use sinew::closed_form::two_bone::{self, TwoBone, TwoBoneSolution};
use sinew::math::dispatch::{Level, Task};
use sinew::math::{Lane, LaneMask, LaneQuat, LaneVec3, Rigid, TILE, Tile, Tiled, Transform, Vec3};
use sinew::skeleton::Pose;
use sinew::skeleton::crowd::{self, Eight, STEP};
use testkit::Random;
use testkit::human_pose::random_human_pose;
use testkit::matchers;
use testkit::person::{PersonOptions, person};

const BLOCKS: usize = 9;

fn vector(v: Vec3) -> LaneVec3<f32> {
    LaneVec3::from_vec3(v)
}

fn rotation(random: &mut Random) -> LaneQuat<f32> {
    LaneQuat::from_quat(random.rotation())
}

/// Share of degenerate limbs in a block: none; a few; all.
const ODDNESS: [f32; 3] = [0.0, 0.05, 1.0];

/// A bone or a direction: ordinary or degenerate.
fn any_vector(random: &mut Random, odd: bool) -> LaneVec3<f32> {
    vector(match if odd { random.below(8) } else { 8 } {
        0 => Vec3::ZERO,
        1 => random.unit_vector() * 1e-18,
        2 => random.unit_vector() * 1e12,
        3 | 4 => [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::Z][random.below(4)] * random.between(0.1, 0.6),
        5 => Vec3::X * 0.3,
        _ => random.unit_vector() * random.between(0.2, 0.5),
    })
}

fn any_weight(random: &mut Random, odd: bool) -> f32 {
    if odd { [0.0, 1.0, 0.5, random.unit01()][random.below(4)] } else { 1.0 }
}

fn limb(random: &mut Random, oddness: f32) -> TwoBone<f32> {
    let mut odd = || random.unit01() < oddness;
    let (a, b, c, d, e) = (odd(), odd(), odd(), odd(), odd());
    let root_mid = any_vector(random, a);
    // Nearly straight limbs, too, as walking legs are.
    let mid_end = if b && random.below(2) == 0 {
        let off = random.unit_vector() * [0.0, 1e-5, 5e-4, 2e-3, 1e-2, 3e-2][random.below(6)];
        root_mid + vector(off * root_mid.length())
    } else {
        any_vector(random, b)
    };
    let target = any_vector(random, d) * random.between(0.3, 2.5);
    TwoBone {
        root_mid,
        mid_end,
        hinge: any_vector(random, false),
        centre: if c { any_vector(random, true) } else { LaneVec3::default() },
        target,
        weight: any_weight(random, e),
        // Beside the line, too, where the roll of a nearly straight limb does not follow it.
        pole: if c && random.below(2) == 0 {
            target * random.between(0.2, 0.8) + vector(random.unit_vector() * [1e-4, 1e-2, 5e-2][random.below(3)])
        } else {
            any_vector(random, c)
        },
        pole_weight: any_weight(random, c),
        softness: if e { any_weight(random, true) } else { 0.03 },
        stretch: if e { any_weight(random, true) * 0.1 } else { 0.0 },
    }
}

fn joint_limb_of(random: &mut Random, oddness: f32) -> JointLimb<f32> {
    let plain = limb(random, oddness);
    let straight = random.unit01() < oddness;
    let mid = if straight { LaneQuat::identity() } else { rotation(random) };
    JointLimb {
        root: rotation(random),
        mid,
        end: rotation(random),
        mid_at: plain.root_mid,
        end_at: plain.mid_end,
        target: plain.target,
        weight: plain.weight,
        pole: plain.pole,
        pole_weight: plain.pole_weight,
        bend_side: plain.hinge,
        centre: plain.centre,
        softness: plain.softness,
        stretch: plain.stretch,
        end_goal: rotation(random),
        end_weight: if oddness > 0.0 { any_weight(random, true) } else { 0.0 },
    }
}

/// Blocks of one kind, and each of their limbs alone.
fn blocks<T: Tiled + Default>(mut one: impl FnMut() -> T::One) -> (Vec<T>, Vec<T::One>)
where
    T::One: Copy,
{
    let alone: Vec<T::One> = (0..BLOCKS * TILE).map(|_| one()).collect();
    let mut blocks: Vec<T> = (0..BLOCKS).map(|_| T::default()).collect();
    for (i, limb) in alone.iter().enumerate() {
        blocks[i / TILE].put(i % TILE, *limb);
    }
    (blocks, alone)
}

fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits()
}
fn same_quat(a: LaneQuat<f32>, b: LaneQuat<f32>) -> bool {
    same(a.x, b.x) && same(a.y, b.y) && same(a.z, b.z) && same(a.w, b.w)
}
fn is_unit(q: LaneQuat<f32>) -> bool {
    (q.dot(q) - 1.0).abs() < 1e-5
}

#[test]
fn two_bone_batches_are_single_calls() {
    for level in Level::all() {
        for oddness in ODDNESS {
            let mut random = Random::new(1);
            let (limbs, alone) = blocks::<TwoBone<Tile>>(|| limb(&mut random, oddness));
            let mut turns = vec![TwoBoneSolution::<Tile>::default(); BLOCKS];
            Workspace::at(level).two_bone(&limbs, &mut turns);
            for (i, limb) in alone.iter().enumerate() {
                let (a, b) = (turns[i / TILE].at(i % TILE), two_bone::solve(limb));
                let same = same_quat(a.root, b.root)
                    && same_quat(a.mid, b.mid)
                    && same(a.stretch, b.stretch)
                    && same(a.beyond, b.beyond);
                assert!(same, "{level:?} {oddness} {i}: {a:?}\nbut alone {b:?}\n{limb:?}");
                assert!(is_unit(a.root) && is_unit(a.mid), "{a:?}\n{limb:?}");
            }
        }
    }
}

#[test]
fn joint_batches_are_single_calls() {
    for level in Level::all() {
        for oddness in ODDNESS {
            let mut random = Random::new(2);
            let (limbs, alone) = blocks::<JointLimb<Tile>>(|| joint_limb_of(&mut random, oddness));
            let mut rotations = vec![JointLimbSolution::<Tile>::default(); BLOCKS];
            Workspace::at(level).joint_limbs(&limbs, &mut rotations);
            for (i, limb) in alone.iter().enumerate() {
                let (a, b) = (rotations[i / TILE].at(i % TILE), joint_limb::solve(limb));
                let same = same_quat(a.root, b.root)
                    && same_quat(a.mid, b.mid)
                    && same_quat(a.end, b.end)
                    && same(a.stretch, b.stretch)
                    && same(a.beyond, b.beyond);
                assert!(same, "{level:?} {oddness} {i}: {a:?}\nbut alone {b:?}\n{limb:?}");
                assert!(is_unit(a.root) && is_unit(a.mid) && is_unit(a.end), "{a:?}\n{limb:?}");
            }
        }
    }
}

#[test]
fn limbs_in_records_are_single_calls() {
    for (count, oddness) in [(1, 0.0), (7, 0.0), (64, 0.0), (203, 0.05)] {
        let mut random = Random::new(9);
        let alone: Vec<JointLimb<f32>> = (0..count).map(|_| joint_limb_of(&mut random, oddness)).collect();
        let other = Transform::at(Vec3::ONE);
        let mut records = vec![other; count * 5];
        let mut places = Vec::new();
        for (i, limb) in alone.iter().enumerate() {
            let [root, mid, end] = [i * 5 + 4, i * 5, i * 5 + 2];
            records[root].rotation = limb.root.to_quat();
            records[mid] = Transform::new(limb.mid_at.to_vec3(), limb.mid.to_quat());
            records[end] = Transform::new(limb.end_at.to_vec3(), limb.end.to_quat());
            places.push(LimbPlaces { root: root as u32, mid: mid as u32, end: end as u32 });
        }
        let mut limbs = vec![JointLimb::<Tile>::default(); count.div_ceil(TILE)];
        for (i, limb) in alone.iter().enumerate() {
            // The joints come from the records.
            let goal = JointLimb { root: limb.end, mid: limb.root, mid_at: limb.target, ..*limb };
            limbs[i / TILE].put(i % TILE, goal);
        }
        let before = records.clone();
        let mut rotations = vec![JointLimbSolution::<Tile>::default(); limbs.len()];
        let mut workspace = Workspace::default();
        let wrong = LimbPlaces { end: records.len() as u32, ..places[0] };
        assert!(!workspace.joint_limbs_in_records(&mut records, &[wrong], &mut limbs, &mut rotations));
        assert!(!workspace.joint_limbs_in_records(&mut records, &places, &mut [], &mut rotations));
        assert_eq!(records, before);
        assert!(workspace.joint_limbs_in_records(&mut records, &places, &mut limbs, &mut rotations));
        for (i, limb) in alone.iter().enumerate() {
            let solved = joint_limb::solve(limb);
            let at = |place: u32| LaneQuat::from_quat(records[place as usize].rotation);
            assert!(same_quat(at(places[i].root), solved.root), "{count} {i}");
            assert!(same_quat(at(places[i].mid), solved.mid), "{count} {i}");
            assert!(same_quat(at(places[i].end), solved.end), "{count} {i}");
            let mid_at = before[places[i].mid as usize].position * solved.stretch;
            assert_eq!(records[places[i].mid as usize].position, mid_at);
            assert_eq!(records[i * 5 + 1], other);
        }
    }
}

#[test]
fn aim_batches_are_single_calls() {
    for level in Level::all() {
        for oddness in ODDNESS {
            let mut random = Random::new(3);
            let (rays, alone) = blocks::<Aim<Tile>>(|| {
                let axis = random.unit_vector();
                let odd = random.unit01() < oddness;
                Aim {
                    offset: any_vector(&mut random, odd) * 0.3,
                    axis: vector(axis),
                    target: if odd && random.below(3) == 0 {
                        vector(axis * -0.5)
                    } else {
                        any_vector(&mut random, odd)
                    },
                    behind: vector(sinew::math::perpendicular(axis)),
                }
            });
            let mut turns = vec![AimTurns::default(); BLOCKS];
            Workspace::at(level).aim(&rays, &mut turns);
            for (i, ray) in alone.iter().enumerate() {
                let (a, met) = (turns[i / TILE].turn.at(i % TILE), turns[i / TILE].met.at(i % TILE));
                let b = aim_ray::solve(ray);
                assert!(same_quat(a, b.turn) && (met == 1.0) == b.met, "{level:?} {i}: {a:?} but {b:?}\n{ray:?}");
            }
        }
    }
}

#[test]
fn crowds_have_the_frames_of_each_character() {
    let mut random = Random::new(8);
    let person = person(&PersonOptions::default());
    let skeleton = &person.skeleton;
    let poses: Vec<_> = (0..STEP).map(|_| random_human_pose(person.view(), &mut random, 1.0)).collect();
    let mut local = vec![Rigid::<Eight>::default(); skeleton.joint_count()];
    for (c, pose) in poses.iter().enumerate() {
        for (joint, transform) in pose.iter().enumerate() {
            assert_eq!(transform.scale, Vec3::ONE);
            local[joint].put(c, Rigid::from_transform(transform));
        }
    }
    for level in Level::all() {
        let mut model = vec![Rigid::<Eight>::default(); skeleton.joint_count()];
        crowd::update(level, skeleton, &local, &mut model);
        for (c, pose) in poses.iter().enumerate() {
            let judge = matchers::forward_kinematics(skeleton, pose);
            let mut alone = Pose::rest(skeleton);
            alone.local_mut().copy_from_slice(pose);
            alone.update(skeleton);
            for joint in 0..skeleton.joint_count() {
                let frame = model[joint].at(c);
                let own = alone.model(joint);
                assert_eq!(frame.position.to_vec3(), own.position, "{level:?} character {c} joint {joint}");
                assert_eq!(frame.tightened().rotation.to_quat(), own.rotation, "{level:?} character {c} joint {joint}");
                let place = [frame.position.x, frame.position.y, frame.position.z].map(f64::from);
                assert!(matchers::distance(place, judge[joint].position) < 3e-6, "character {c} joint {joint}");
                assert!((frame.rotation.dot(frame.rotation) - 1.0).abs() < 1e-5);
            }
        }
    }
}

/// Where the joints' rotations put the end, from the root joint in its parent's space, and its
/// orientation there; in `f64`.
fn end_of(limb: &JointLimb<f32>, solved: &JointLimbSolution<f32>) -> ([f64; 3], [f64; 4]) {
    let wide = |q: LaneQuat<f32>| [q.x, q.y, q.z, q.w].map(f64::from);
    let (root, mid, end) = (wide(solved.root), wide(solved.mid), wide(solved.end));
    let at = |v: LaneVec3<f32>| [v.x, v.y, v.z].map(|c| f64::from(c) * f64::from(solved.stretch));
    let outer = matchers::product(root, mid);
    let (a, b) = (matchers::rotate(root, at(limb.mid_at)), matchers::rotate(outer, at(limb.end_at)));
    ([0, 1, 2].map(|i| a[i] + b[i]), matchers::product(outer, end))
}

#[test]
fn joint_limbs_reach_and_keep_or_take_the_end_s_orientation() {
    let mut random = Random::new(4);
    let mut errors = Vec::new();
    for _ in 0..20_000 {
        let mut limb = joint_limb_of(&mut random, 0.0);
        let (a, b) = (limb.mid_at.length(), limb.end_at.length());
        limb.target = vector(random.unit_vector() * random.between((a - b).abs() * 1.01 + 0.01, (a + b) * 0.99));
        limb.softness = 0.0;
        limb.pole_weight = random.unit01();
        limb.end_weight = [0.0, 1.0][random.below(2)];
        let solved = joint_limb::solve(&limb);
        let (place, orientation) = end_of(&limb, &solved);
        errors.push(matchers::distance(place, [limb.target.x, limb.target.y, limb.target.z].map(f64::from)));
        let before = JointLimbSolution { root: limb.root, mid: limb.mid, end: limb.end, stretch: 1.0, beyond: 0.0 };
        let goal = [limb.end_goal.x, limb.end_goal.y, limb.end_goal.z, limb.end_goal.w].map(f64::from);
        let wanted = if limb.end_weight > 0.0 { goal } else { end_of(&limb, &before).1 };
        let dot: f64 = wanted.iter().zip(orientation).map(|(a, b)| a * b).sum();
        assert!(dot.abs() > 1.0 - 1e-6, "{wanted:?} {orientation:?} {limb:?}");
    }
    errors.sort_by(f64::total_cmp);
    let (median, worst) = (errors[errors.len() / 2], errors[errors.len() - 1]);
    println!("median {median:.2e} worst {worst:.2e} m");
    assert!(median < 3e-7 && worst < 1e-5, "{median} {worst}");
}

/// The fast form and the exact form are one function: where a limb goes from one to the other its
/// turns do not jump.
#[test]
fn nothing_jumps_between_the_forms() {
    let mut random = Random::new(5);
    let bent = |fold: f32, hinge: Vec3| {
        let turn = sinew::math::axis_angle(hinge, fold);
        (vector(Vec3::X * 0.3), vector(turn * Vec3::X * 0.25))
    };
    for _ in 0..2000 {
        let hinge = sinew::math::axis_angle(Vec3::X, random.between(-3.0, 3.0)) * Vec3::Z;
        let limb = |fold: f32| {
            let (root_mid, mid_end) = bent(fold, hinge);
            TwoBone {
                root_mid,
                mid_end,
                hinge: vector(Vec3::Z),
                target: vector(Vec3::new(0.2, 0.2, 0.1)),
                weight: 1.0,
                pole: vector(Vec3::Y),
                ..TwoBone::default()
            }
        };
        // Offset 1e-3 of the length, where the short form begins: a flexion of about 4e-3.
        let mut fold = 3.5e-3;
        let mut before = two_bone::solve(&limb(fold));
        while fold < 5.0e-3 {
            fold += 2e-5;
            let now = two_bone::solve(&limb(fold));
            assert!(now.root.dot(before.root).abs() > 1.0 - 1e-4, "{fold} {hinge}: {before:?} {now:?}");
            assert!(now.mid.dot(before.mid).abs() > 1.0 - 1e-4, "{fold} {hinge}: {before:?} {now:?}");
            before = now;
        }
    }
}

/// One operation over a whole tile, as the kernels' loops do it.
struct Operation<'a, F> {
    a: &'a Tile,
    b: &'a Tile,
    c: &'a Tile,
    out: &'a mut Tile,
    work: F,
}

impl<F: Fn(f32, f32, f32) -> f32> Task for Operation<'_, F> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        for i in 0..TILE {
            self.out.put(i, (self.work)(self.a.at(i), self.b.at(i), self.c.at(i)));
        }
    }
}

/// Checks one operation in loops of each level against the processor's scalar unit, number by
/// number.
macro_rules! check {
    ($random:expr, $($name:literal => $work:expr),+ $(,)?) => {$(
        let work: fn(f32, f32, f32) -> f32 = $work;
        for _ in 0..200 {
            let [a, b, c] = [(); 3].map(|()| Tile(core::array::from_fn(|_| any_number($random))));
            for level in Level::all() {
                let mut out = Tile::default();
                level.run(Operation { a: &a, b: &b, c: &c, out: &mut out, work: $work });
                for i in 0..TILE {
                    let [a, b, c] = core::hint::black_box([a.at(i), b.at(i), c.at(i)]);
                    let (wide, alone) = (out.at(i), core::hint::black_box(work)(a, b, c));
                    // Any NaN equals any other: IEEE 754 leaves open which one an operation gives.
                    let same = wide.to_bits() == alone.to_bits() || wide.is_nan() && alone.is_nan();
                    assert!(same, "{} at {level:?} of {a:e} {b:e} {c:e}: {wide:e} but {alone:e} alone", $name);
                }
            }
        }
    )+};
}

/// Numbers of all kinds: ordinary, any bits at all, and the special ones.
fn any_number(random: &mut Random) -> f32 {
    let special = [0.0, -0.0, 1.0, f32::MIN_POSITIVE, 1e-40, f32::MAX, f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
    match random.below(8) {
        0 => special[random.below(special.len())],
        1 => f32::from_bits((random.below(1 << 16) << 16 | random.below(1 << 16)) as u32),
        _ => random.between(-2.0, 2.0),
    }
}

#[test]
fn each_operation_gives_the_scalar_bits_at_each_level() {
    let random = &mut Random::new(6);
    check!(random,
        "add" => |a: f32, b: f32, _: f32| a + b,
        "sub" => |a: f32, b: f32, _: f32| a - b,
        "mul" => |a: f32, b: f32, _: f32| a * b,
        "div" => |a: f32, b: f32, _: f32| a / b,
        "neg" => |a: f32, _: f32, _: f32| -a,
        "sqrt" => |a: f32, _: f32, _: f32| Lane::sqrt(a),
        "root" => |a: f32, _: f32, _: f32| a.abs().root(),
        "abs" => |a: f32, _: f32, _: f32| Lane::abs(a),
        "min" => |a: f32, b: f32, _: f32| Lane::min(a, b),
        "max" => |a: f32, b: f32, _: f32| Lane::max(a, b),
        "clamp" => |a: f32, b: f32, c: f32| Lane::clamp(a, b, c),
        "select" => |a: f32, b: f32, c: f32| f32::select(a < b, b, c),
        "and or not" => |a: f32, b: f32, c: f32| f32::select(Lane::lt(a, b).and(Lane::lt(b, c).not()).or(Lane::lt(c, a)), a, b),
        "multiply and add" => |a: f32, b: f32, c: f32| a * b + c,
        "multiply and subtract" => |a: f32, b: f32, c: f32| c - a * b,
        "sum of three" => |a: f32, b: f32, c: f32| a + b + c,
        "lerp" => |a: f32, b: f32, c: f32| Lane::lerp(a, b, c),
    );
}

#[test]
fn blocks_without_a_partner_stay_as_they_are() {
    let mut random = Random::new(7);
    let (limbs, _) = blocks::<TwoBone<Tile>>(|| limb(&mut random, 0.3));
    let mut turns = vec![TwoBoneSolution::<Tile>::default(); BLOCKS + 2];
    let mut workspace = Workspace::default();
    workspace.two_bone(&limbs, &mut turns);
    assert_eq!(turns[BLOCKS].at(0), TwoBoneSolution::default());
    assert_ne!(turns[BLOCKS - 1].at(0), TwoBoneSolution::default());
    let mut few = [turns[0]];
    workspace.two_bone(&limbs, &mut few);
    assert_eq!(few[0], turns[0]);
    workspace.two_bone(&[], &mut few);
}
