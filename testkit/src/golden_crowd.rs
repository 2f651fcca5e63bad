//! The golden scenes of crowds: limbs and rays in batches on every vector unit, and characters in
//! step.

use crate::characters;
use crate::human_pose::random_human_pose;
use crate::limbs::tiled;
use crate::matchers::{HASH_START, hash_transforms};
use crate::person::{PersonOptions, person};
use crate::random::Random;
use sinew::animator::Animator;
use sinew::animator::crowd::{self, Frames};
use sinew::closed_form::aim_ray::Aim;
use sinew::closed_form::batch::{AimTurns, Workspace};
use sinew::closed_form::joint_limb::{self, JointLimb, JointLimbSolution};
use sinew::humanoid::{HumanoidInput, IkGoalInput, IkHintInput, LookAtWeight};
use sinew::math::dispatch::Level;
use sinew::math::{LaneQuat, LaneVec3, TILE, Tile, Tiled, Transform, Vec3};
use sinew::skeleton::PoseTile;
use sinew::skeleton::crowd::STEP;

/// Limbs, and rays.
const COUNT: usize = 1000;
/// Calls of the crowd.
const CALLS: usize = 25;

/// Three local rotations of limbs, and aims, in batches on each vector unit that the processor has;
/// single limbs give the same.
///
/// # Panics
/// When a vector unit gives other bits than another, or than one limb by itself.
pub fn batches() -> u64 {
    let mut random = Random::new(41);
    let limbs: Vec<JointLimb<f32>> = (0..COUNT).map(|_| limb(&mut random)).collect();
    let rays: Vec<Aim<f32>> = (0..COUNT).map(|_| ray(&mut random)).collect();
    let (limb_tiles, ray_tiles) = (tiled::<JointLimb<Tile>>(limbs.clone()), tiled::<Aim<Tile>>(rays));
    let alone = limbs.iter().fold(HASH_START, |hash, limb| hash_transforms(&record(&joint_limb::solve(limb)), hash));
    let mut hashes = Level::all().map(|level| {
        let mut workspace = Workspace::at(level);
        let mut rotations = vec![JointLimbSolution::<Tile>::default(); limb_tiles.len()];
        workspace.joint_limbs(&limb_tiles, &mut rotations);
        let at = |i: usize| rotations[i / TILE].at(i % TILE);
        let hash = (0..COUNT).fold(HASH_START, |hash, i| hash_transforms(&record(&at(i)), hash));
        assert!(hash == alone, "limbs in a batch differ from each alone at {level:?}");
        let mut turns = vec![AimTurns::default(); ray_tiles.len()];
        workspace.aim(&ray_tiles, &mut turns);
        let turn = |i: usize| Transform::new(Vec3::ZERO, turns[i / TILE].turn.at(i % TILE).to_quat());
        (0..COUNT).fold(hash, |hash, i| hash_transforms(&[turn(i)], hash))
    });
    let narrowest = hashes.next().unwrap_or(HASH_START);
    assert!(hashes.all(|hash| hash == narrowest), "the vector units differ");
    narrowest
}

fn limb(random: &mut Random) -> JointLimb<f32> {
    let mut rotation = || LaneQuat::from_quat(random.rotation());
    let [root, mid, end, end_goal] = core::array::from_fn(|_| rotation());
    let mut within = |radius: f32| LaneVec3::from_vec3(random.in_ball(radius));
    let [mid_at, end_at] = [within(0.5), within(0.5)];
    let [target, pole, bend_side, centre] = [within(1.0), within(1.0), within(1.0), within(1.0)];
    let mut weight = || [0.0, 1.0, random.unit01()][random.below(3)];
    let [weight_now, pole_weight, softness, stretch, end_weight] = core::array::from_fn(|_| weight());
    JointLimb {
        root,
        mid,
        end,
        end_goal,
        mid_at,
        end_at,
        target,
        pole,
        bend_side,
        centre,
        weight: weight_now,
        pole_weight,
        softness,
        stretch,
        end_weight,
    }
}

fn ray(random: &mut Random) -> Aim<f32> {
    let axis = random.unit_vector();
    Aim {
        offset: LaneVec3::from_vec3(random.in_ball(0.3)),
        axis: LaneVec3::from_vec3(axis),
        target: LaneVec3::from_vec3(random.in_ball(2.0)),
        behind: LaneVec3::from_vec3(axis).any_perpendicular(),
    }
}

fn record(s: &JointLimbSolution<f32>) -> [Transform; 3] {
    let [root, mid, end] = [s.root, s.mid, s.end].map(|q| Transform::new(Vec3::ZERO, q.to_quat()));
    [Transform { position: Vec3::new(s.stretch, s.beyond, 0.0), ..root }, mid, end]
}

/// Eight characters side by side in a structure of arrays, with any input of each, with the frames
/// of all joints.
///
/// # Panics
/// When a result differs from the single solve.
pub fn in_step() -> u64 {
    let person = person(&PersonOptions { twist_joints: true, ..PersonOptions::default() });
    let avatar = characters::avatar(&person, 0.05);
    let mut random = Random::new(43);
    let mut animators: [Animator; STEP] = core::array::from_fn(|_| characters::animator_of(&avatar));
    let mut tile = PoseTile::rest(avatar.skeleton()).expect("a rig without scale");
    let mut workspace = crowd::Workspace::default();
    let roots = characters::roots();
    let mut hash = HASH_START;
    for _ in 0..CALLS {
        let mut alone = Vec::new();
        for (lane, animator) in animators.iter_mut().enumerate() {
            let pose = random_human_pose(person.view(), &mut random, 0.8);
            tile.put_pose(lane, &pose);
            animator.set_root(roots[random.below(roots.len())].1).expect("no zero scale");
            animator.set_input(&input(&mut random)).expect("a humanoid");
            let mut own = animator.clone();
            characters::set_pose(&mut own, &pose);
            own.solve().expect("a sound pose");
            alone.push(own);
        }
        let lanes = animators.each_mut().map(Some);
        crowd::solve_tile(lanes, &mut tile, Frames::All, &mut workspace, |_, error| panic!("{error}"));
        for (lane, own) in alone.iter().enumerate() {
            let solved: Vec<Transform> = tile.pose(lane).collect();
            hash = hash_transforms(&solved, hash);
            let wanted = hash_transforms(own.pose().local(), HASH_START);
            assert!(hash_transforms(&solved, HASH_START) == wanted, "a character in step differs from itself alone");
            let frames = tile.model().iter().map(|frame| frame.at(lane));
            let frames = frames.map(|f| Transform::new(f.position.to_vec3(), f.rotation.to_quat()));
            hash = hash_transforms(&frames.collect::<Vec<_>>(), hash);
        }
    }
    hash
}

fn input(random: &mut Random) -> HumanoidInput {
    let mut input = HumanoidInput::default();
    for (goal, hint) in input.goals.iter_mut().zip(&mut input.hints) {
        if random.below(4) == 0 {
            continue;
        }
        *goal = IkGoalInput {
            position: Some(Vec3::Y + random.in_ball(0.9)),
            rotation: Some(random.rotation()),
            position_weight: random.unit01().max(0.2),
            rotation_weight: random.unit01(),
        };
        if random.below(2) == 0 {
            *hint = IkHintInput { position: Some(Vec3::Y + random.in_ball(1.0)), weight: random.unit01() };
        }
    }
    if random.below(3) > 0 {
        input.look_at_position = Some(Vec3::Y + random.in_ball(3.0));
        let eyes = random.unit01();
        input.look_at_weight = LookAtWeight { weight: 1.0, body: 0.3, head: 0.8, eyes, clamp: 0.4 };
    }
    input
}
