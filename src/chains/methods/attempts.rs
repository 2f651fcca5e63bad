//! Descents of the default solver from other poses, where the first one stops short of the goals.
//!
//! # What it does
//!
//! Start poses come in a fixed order: unaimed, rest, after sweeps of cyclic coordinate descent,
//! then poses from a fixed random sequence. An answer found so is slid along the poses that meet
//! the goals to the one nearest the start ([`super::null_space`]), and the nearest of a few such
//! answers is taken.
//!
//! *Branches.* In a tree that is stopped short, most effectors often are where they should be. So
//! every other attempt starts from the best pose with the branches of the others turned at random:
//! each is descended with alone first, the rest of the tree standing still, which costs a fraction,
//! and what it finds is kept if it is nearer. A branch that gains nothing is left alone until the
//! best pose is a better one; where none does, all joints are turned.
//!
//! *Bounds.* An attempt ends early where its residual is stationary, or where it falls behind the
//! best pose. Once the attempts have used their share of work ([`SEARCH_PASSES`]) or five times the
//! iterations one may, no other is begun. The share is larger where what is left is little and no
//! bound on the reach of the bones rules the goals out; elsewhere no other is begun, either, once
//! several in a row have gained nothing ([`FRUITLESS_ATTEMPTS`]). Few attempts are made where such
//! a bound rules the goals out. What they found is then descended from without haste.

use super::ccd;
use super::null_space;
use super::step;
use crate::chains::methods::descent::{Descent, Patience};
use crate::chains::methods::dls;
use crate::chains::model::{Chain, ChainGoal, ChainJoint, ChainSettings};
use crate::chains::start;
use crate::chains::state::Miss;
use crate::chains::workspace::{ChainWorkspace, Slot};
use crate::math::{Quat, Vec3, axis_angle, normalize_or};
use crate::optim::Noise;
use crate::outcome::Status;
use core::ops::Range;

/// Iterations of all attempts together, in multiples of the most of one: a hopeless goal costs no
/// more.
const WHOLE_COST: u32 = 5;
/// Work of all attempts together while none has met the goals, at the default number of iterations:
/// passes over the chain, and steps besides, since short chains need more attempts. Of goals that a
/// pose within the limits meets, lines of 3 to 20 joints and trees of 22 miss at most one in a
/// thousand so; fingers that have to be straight for it, up to three.
const SEARCH_PASSES: u32 = 120;
const SEARCH_STEPS: u32 = 5000;
/// Factor on this work where the goals may be met for all that is known: for lines, and for trees.
const SEARCH_MORE: [u32; 2] = [2, 3];
/// What is left then per effector, as a share of the length, at most.
const NEARLY_MET: f32 = 0.1;
/// Attempts in a row that gain nothing, after which no other is begun where more than that is left;
/// for lines one more for each row of the goal. Later ones take three quarters of the time of a
/// line of three joints, and lower the mean of what random goals have left by a hundredth.
const FRUITLESS_ATTEMPTS: u32 = 2;
/// The same of lines of hinges, whose answers are many and apart: with 2, and starts near the best
/// pose, one goal in ten that limits keep away ended more than 2 % farther than another start pose
/// leads to, by up to a third of the length; so one in a hundred does, for a sixth more work.
const FRUITLESS_OF_HINGES: u32 = 5;
/// Attempts for goals that no pose meets: for lines, and for trees.
const HOPELESS_ATTEMPTS: [u32; 2] = [3, 2];
/// Answers among which the one nearest to the start is taken, and attempts spent on finding more
/// than one.
const MAX_ANSWERS: u32 = 3;
const MORE_ATTEMPTS: u32 = 6;
/// Starts of branches in one attempt; at least one of each that counts.
const BRANCH_STARTS: u32 = 6;
/// Share of what the worst effector has left from which another counts as unmet, squared.
const UNMET: f32 = 0.1;
/// A pose as good as another, as a share of the cost.
const BETTER: f32 = 0.98;

/// Descends from other poses until one reaches the goals; the best ends in slot `Best`, where the
/// best so far is.
pub(super) fn search(
    chain: &Chain,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
    first: Descent,
) -> Descent {
    let is_ruled_out = is_ruled_out(chain, goals, settings, ws);
    search_among(0..most_attempts(chain, settings, is_ruled_out), is_ruled_out, chain, goals, settings, ws, first)
}

/// Number of different attempts for these goals.
pub(super) fn count(chain: &Chain, goals: &[ChainGoal], settings: &ChainSettings, ws: &ChainWorkspace) -> u32 {
    most_attempts(chain, settings, is_ruled_out(chain, goals, settings, ws))
}

/// Attempts that are made at most for these goals, of those that the settings allow.
fn most_attempts(chain: &Chain, settings: &ChainSettings, is_ruled_out: bool) -> u32 {
    let most = if is_ruled_out { HOPELESS_ATTEMPTS[usize::from(!chain.serial)] } else { u32::MAX };
    settings.max_attempts.min(most)
}

/// Whether a bound on the reach of the bones rules the goals out, stretch counted.
fn is_ruled_out(chain: &Chain, goals: &[ChainGoal], settings: &ChainSettings, ws: &ChainWorkspace) -> bool {
    beyond_length(chain, goals, ws) || (!is_elastic(chain, settings) && out_of_reach(chain, goals, ws))
}

/// Whether a bone may change its length.
pub(super) fn is_elastic(chain: &Chain, settings: &ChainSettings) -> bool {
    settings.use_stretch && chain.joints.iter().any(can_stretch)
}

/// The attempt with this number alone; numbers beyond the last one start anew. The best ends in
/// slot `Best`, where the best so far is. No attempt is allowed: `first`.
pub(super) fn try_one(
    number: u32,
    chain: &Chain,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
    first: Descent,
) -> Descent {
    let is_ruled_out = is_ruled_out(chain, goals, settings, ws);
    let Some(number) = number.checked_rem(most_attempts(chain, settings, is_ruled_out)) else { return first };
    search_among(number..number + 1, is_ruled_out, chain, goals, settings, ws, first)
}

/// [`search`] with these of the attempts.
fn search_among(
    numbers: Range<u32>,
    is_ruled_out: bool,
    chain: &Chain,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
    first: Descent,
) -> Descent {
    let mut best = first;
    let tree = usize::from(!chain.serial);
    let elastic = is_elastic(chain, settings);
    // A plateau of rounding needs no other pose.
    let reaches = |miss: &Miss| miss.metres <= 4e-6 * chain.length && miss.radians <= 1e-5;
    if reaches(&best.miss) {
        return best;
    }
    let slides = ws.state.held().is_none();
    // Far from the goal that is; creeping up to it is not hopeless.
    let whole = WHOLE_COST.saturating_mul(settings.max_iterations);
    // Trees are not aimed: their first attempt is from the rest pose.
    let first_number = tree as u32;
    let mut last = first_number.saturating_add(numbers.end);
    let (mut answers, mut nearest) = (0, f32::INFINITY);
    // Attempts that found nothing have used this up: another is unlikely to.
    let (before, share) = (ws.work.left(), search_steps(settings, ws));
    let nearly = NEARLY_MET * NEARLY_MET * chain.length * chain.length * goals.len() as f32;
    let (mut idle_branches, mut fruitless) = (0, 0);
    let most_fruitless = match (chain.serial, is_hinged(chain)) {
        (false, _) => FRUITLESS_ATTEMPTS,
        (true, false) => FRUITLESS_ATTEMPTS + ws.state.dimension as u32,
        (true, true) => FRUITLESS_OF_HINGES + ws.state.dimension as u32,
    };
    let mut attempt = first_number.saturating_add(numbers.start);
    while attempt < last && !ws.work.is_out() {
        if tree == 1 && answers == 0 && attempt % 3 != 1 {
            ws.restore(Slot::Best);
            if !start_branches(chain, goals, settings, ws, attempt, &mut idle_branches) {
                ws.restore_at_rest(Slot::Clamped);
                scatter(chain, ws, attempt, 2.2, u32::MAX);
            }
        } else {
            start_attempt(chain, goals, ws, attempt);
        }
        fruitless += 1;
        let patience = Patience::of_attempt(if answers == 0 { best.miss.cost } else { f32::INFINITY });
        let mut found = dls::descend_with(&patience, chain, goals, settings, ws, elastic);
        best.iterations += found.iterations;
        if found.status == Status::Reached || reaches(&found.miss) {
            answers += 1;
            if slides {
                // The answer nearest to the start, whatever pose it was found from.
                ws.save(Slot::Best);
                null_space::descend(chain, goals, Slot::Clamped, 30, ws);
                let slid = dls::descend(chain, goals, settings, ws, false);
                best.iterations += slid.iterations;
                if slid.status == Status::Reached || (found.status != Status::Reached && reaches(&slid.miss)) {
                    found = slid;
                } else {
                    ws.restore(Slot::Best);
                }
            }
            // One that rounding keeps from the tolerance only where there is no other.
            let late = if found.status == Status::Reached { 0.0 } else { 1e6 };
            let distance = late + null_space::distance(Slot::Clamped, ws);
            if distance < nearest {
                nearest = distance;
                ws.save(Slot::Nearest);
                best = Descent { iterations: best.iterations, ..found };
            }
            last = last.min(attempt + 1 + MORE_ATTEMPTS);
            if answers >= MAX_ANSWERS {
                break;
            }
        } else if answers == 0 && found.miss.cost < best.miss.cost {
            if found.miss.cost < BETTER * best.miss.cost {
                (idle_branches, fruitless) = (0, 0);
            }
            ws.save(Slot::Best);
            best = Descent { iterations: best.iterations, ..found };
        }
        let is_hopeless = best.iterations > whole && best.miss.metres > 1e-4 * chain.length;
        let may_be_met = !is_ruled_out && best.miss.cost < nearly;
        let more = if may_be_met { SEARCH_MORE[tree] } else { 1 };
        let is_long = before.saturating_sub(ws.work.left()) > share.saturating_mul(more);
        let is_fruitless = !may_be_met && fruitless >= most_fruitless;
        if is_hopeless || answers == 0 && (is_long || is_fruitless) {
            break;
        }
        attempt += 1;
    }
    if answers > 0 {
        ws.restore(Slot::Nearest);
        ws.save(Slot::Best);
    } else if best.miss.cost < first.miss.cost {
        // Attempts end early where they are stationary.
        ws.restore(Slot::Best);
        let settled = dls::descend(chain, goals, settings, ws, elastic);
        best = Descent { iterations: best.iterations + settled.iterations, ..settled };
        ws.save(Slot::Best);
    }
    best
}

fn can_stretch(joint: &ChainJoint) -> bool {
    let stretch = &joint.model.stretch;
    stretch.compliance > 0.0 && stretch.max > stretch.min
}

pub(super) fn measure(chain: &Chain, goals: &[ChainGoal], ws: &mut ChainWorkspace) -> Miss {
    ws.state.number_rows(goals);
    ws.state.measure(chain, goals)
}

/// See [`SEARCH_PASSES`].
fn search_steps(settings: &ChainSettings, ws: &ChainWorkspace) -> u32 {
    let usual = u64::from(SEARCH_PASSES) * u64::from(ws.pass_steps) + u64::from(SEARCH_STEPS);
    let share = u64::from(settings.max_iterations);
    u32::try_from(usual * share / u64::from(ChainSettings::default().max_iterations)).unwrap_or(u32::MAX)
}

/// Whether this is a line, most of whose joints are hinges.
fn is_hinged(chain: &Chain) -> bool {
    let directions = |joint: &ChainJoint| joint.model.freedom.directions();
    chain.serial && 2 * chain.joints.iter().map(directions).sum::<usize>() <= 3 * chain.joints.len()
}

/// The pose that an attempt starts from.
fn start_attempt(chain: &Chain, goals: &[ChainGoal], ws: &mut ChainWorkspace, attempt: u32) {
    match attempt {
        0 => ws.restore(Slot::Clamped),
        1 => {
            ws.restore_at_rest(Slot::Clamped);
            start::clamp_to_limits(chain, ws);
            ws.state.update(chain);
            start::prepare(chain, goals, ws);
        }
        2 => {
            ws.restore(Slot::Best);
            sweep(chain, goals, ws, 20);
        }
        _ if is_hinged(chain) => {
            ws.restore_at_rest(Slot::Clamped);
            scatter(chain, ws, attempt, 2.2, u32::MAX);
            sweep(chain, goals, ws, 1);
        }
        _ if attempt % 2 == 1 => {
            ws.restore(Slot::Best);
            scatter(chain, ws, attempt, 0.7, u32::MAX);
            sweep(chain, goals, ws, 3);
        }
        _ => {
            ws.restore_at_rest(Slot::Clamped);
            scatter(chain, ws, attempt, 2.2, u32::MAX);
            sweep(chain, goals, ws, 3);
        }
    }
}

/// Starts the branches of unmet effectors from poses at random, one branch after the other with the
/// rest of the tree standing still; keeps what is nearer, and returns whether anything is. `idle`:
/// effectors, as bits, whose branches have gained nothing.
fn start_branches(
    chain: &Chain,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
    attempt: u32,
    idle: &mut u32,
) -> bool {
    let unmet = unmet(chain, goals, ws) & !*idle;
    let starts = (BRANCH_STARTS / unmet.count_ones().max(1)).max(1);
    let pass_steps = ws.pass_steps;
    let mut gains = false;
    for e in (0..goals.len()).filter(|e| unmet & (1 << e) != 0) {
        let own = chain.moves.iter().filter(|moves| **moves == 1 << e).count();
        let mut branch_goals = [ChainGoal::default(); Chain::MAX_EFFECTORS];
        branch_goals[e] = goals[e];
        let branch_goals = &branch_goals[..goals.len()];
        ws.descent.among = 1 << e;
        ws.pass_steps = 4 * chain.joints.len() as u32 + 12 * own as u32 + 16;
        let start = measure(chain, branch_goals, ws);
        let mut least = start.cost;
        ws.save(Slot::Nearest);
        for number in 0..if own > 0 { starts } else { 0 } {
            ws.restore(Slot::Nearest);
            scatter(chain, ws, attempt * 16 + number, 2.2, 1 << e);
            let found = dls::descend_with(&Patience::of_attempt(least), chain, branch_goals, settings, ws, false);
            if found.miss.cost < least {
                least = found.miss.cost;
                ws.save(Slot::Nearest);
            }
            if found.status == Status::Reached {
                break;
            }
        }
        ws.restore(Slot::Nearest);
        if least < start.cost {
            gains = true;
        } else {
            *idle |= 1 << e;
        }
    }
    ws.descent.among = u32::MAX;
    ws.pass_steps = pass_steps;
    gains
}

/// The effectors, as bits, that have most of what is left.
fn unmet(chain: &Chain, goals: &[ChainGoal], ws: &mut ChainWorkspace) -> u32 {
    measure(chain, goals, ws);
    let left = |e: usize| {
        let rows = &ws.state.rows[e];
        let own = &ws.state.residual[rows.first..rows.first + rows.moving + rows.turning];
        own.iter().map(|r| r * r).sum::<f32>()
    };
    let most = (0..goals.len()).map(left).fold(0.0, f32::max);
    (0..goals.len()).filter(|e| left(*e) > UNMET * most).map(|e| 1 << e).sum()
}

/// Turns the joints at random that move no effector but these, the same way every time; limits
/// hold.
fn scatter(chain: &Chain, ws: &mut ChainWorkspace, attempt: u32, spread_rad: f32, among: u32) {
    let mut noise = Noise::new(u64::from(attempt));
    let is_branch = among != u32::MAX;
    for (i, (q, joint)) in ws.state.rotations_mut().iter_mut().zip(&chain.joints).enumerate() {
        if is_branch && !step::turns(chain, among, i) {
            continue;
        }
        let axis = normalize_or(Vec3::new(noise.signed(), noise.signed(), noise.signed()), Vec3::X);
        let from = if is_branch { Quat::IDENTITY } else { *q };
        let turned = axis_angle(axis, noise.signed() * spread_rad) * from;
        *q = joint.model.project(turned.normalize());
    }
}

fn sweep(chain: &Chain, goals: &[ChainGoal], ws: &mut ChainWorkspace, count: u32) {
    if chain.is_serial()
        && let Some(target) = goals[0].position
    {
        for _ in 0..count {
            if !ws.work.spend(3 * chain.joints.len() as u32) {
                break;
            }
            ws.state.update(chain);
            ccd::sweep(chain, ws, start::carried_target(chain, target, ws));
        }
    }
}

/// Distance of a position goal from the root of an unbranched chain.
fn goal_distance(chain: &Chain, goals: &[ChainGoal], ws: &ChainWorkspace) -> Option<f32> {
    let root = ws.state.pose().root_position + ws.state.pose().root_rotation * chain.joints[0].offset;
    goals[0].position.filter(|_| chain.serial && goals[0].distance.is_none()).map(|target| (target - root).length())
}

/// Whether a position goal is beyond the chain's length, so that no other pose can reach it.
pub(super) fn beyond_length(chain: &Chain, goals: &[ChainGoal], ws: &ChainWorkspace) -> bool {
    goal_distance(chain, goals, ws).is_some_and(|distance| distance > chain.length * 1.000_01)
}

/// Whether a position goal is nearer to the root than the longest bone lets the others come.
fn too_near(chain: &Chain, goals: &[ChainGoal], ws: &ChainWorkspace) -> bool {
    let bones = chain.joints[1..].iter().map(|j| j.offset).chain([chain.effectors[0].offset]);
    let longest = bones.zip(&ws.state.pose().stretch).map(|(bone, s)| bone.length() * s.abs()).fold(0.0, f32::max);
    let rigid = ws.state.pose().stretch.iter().all(|s| *s == 1.0);
    let hole = 2.0 * longest - chain.length * 1.000_01;
    rigid && goal_distance(chain, goals, ws).is_some_and(|distance| distance < hole)
}

/// Whether a bound on the bones' reach rules the goals out.
fn out_of_reach(chain: &Chain, goals: &[ChainGoal], ws: &ChainWorkspace) -> bool {
    if chain.serial { too_near(chain, goals, ws) } else { beyond_paths(chain, goals, ws, false) }
}

/// Whether the lengths of the bones, the greatest where they may stretch, rule a position goal out
/// whatever limits allow.
pub(super) fn beyond_bones(chain: &Chain, goals: &[ChainGoal], settings: &ChainSettings, ws: &ChainWorkspace) -> bool {
    let may_stretch = is_elastic(chain, settings);
    (!may_stretch && too_near(chain, goals, ws)) || beyond_paths(chain, goals, ws, may_stretch)
}

/// Whether a position goal is farther from where the first joint on the way to its effector is than
/// the bones between are long; `elastic`: may become by stretching.
fn beyond_paths(chain: &Chain, goals: &[ChainGoal], ws: &ChainWorkspace, elastic: bool) -> bool {
    let pose = ws.state.pose();
    let factor = |joint: usize| {
        let now = pose.stretch[joint].abs();
        let model = &chain.joints[joint];
        if elastic && can_stretch(model) { now.max(model.model.stretch.max) } else { now }
    };
    goals.iter().zip(&chain.effectors).any(|(goal, effector)| {
        let Some(target) = goal.position.filter(|_| goal.distance.is_none()) else { return false };
        let mut joint = effector.joint;
        let mut length = effector.offset.length() * factor(joint);
        while let Some(parent) = chain.joints[joint].parent {
            length += chain.joints[joint].offset.length() * factor(parent);
            joint = parent;
        }
        let first = pose.root_position + pose.root_rotation * chain.joints[joint].offset;
        (target - first).length() > length * 1.000_01
    })
}
