//! Ties between bodies.

use super::body_read as checked;
use super::guard::{Failure, guard, optional_out, out_ref};
use super::ids::SinewBodyTask;
use super::read;
use super::recorder::capture;
use super::registry::{self, HostBody};
use super::result::SinewResult;
use super::running;
use super::types::{
    SINEW_BODY_MAX_MEETING, SINEW_BODY_MAX_TIES, SinewBodyMeeting, SinewBodyTie, SinewBodyWork, SinewTransform,
};
use crate::body::{BodyDetail, BodyTaskName, BodyTie, MeetError, MeetRule, TieEnd, TiedBodies, TiedBody, meet};
use crate::math::Quat;
use crate::store::Held;
use crate::tasks::AnyTask;

const MAX_BODIES: usize = SINEW_BODY_MAX_MEETING as usize;
const MAX_TIES: usize = SINEW_BODY_MAX_TIES as usize;

/// Fills a tie with its defaults: no tasks, in the middle.
///
/// @param out_tie  the tie.
pub extern "C" fn sinew_body_tie_default(out_tie: Option<&mut SinewBodyTie>) -> SinewResult {
    guard("sinew_body_tie_default", || {
        *out_ref(out_tie, "out_tie")? = SinewBodyTie {
            first_task: SinewBodyTask { bits: 0 },
            second_task: SinewBodyTask { bits: 0 },
            first_work: 0,
            second_work: 1,
            rotation: Quat::IDENTITY.into(),
            share: 0.5,
            gap: 0.0,
        };
        Ok(())
    })
}

/// Sets the goals of tied tasks of several bodies: a place that both effectors can be brought
/// to, or where they are nearest to each other. Hands are held, two carry a box. Poses stay as they
/// are, and track mode remembers nothing of it: solve the bodies next, with sinew_body_solve or
/// sinew_body_solve_batch. Until then their outcomes and debug lines are those of the last round.
/// The tasks keep the goals until they are set anew. A task that is tied twice has the goal of its
/// last tie. Each round solves every body once; one round is enough where both reach the place
/// between them. Allocates as sinew_body_solve does.
///
/// @param works        the bodies with the poses that they will be solved from; read only. No body
///                     twice.
/// @param count        number of works, 0 … SINEW_BODY_MAX_MEETING.
/// @param ties         see SinewBodyTie.
/// @param tie_count    number of ties, 0 … SINEW_BODY_MAX_TIES.
/// @param dt_s         length of the frame, seconds, 0 … 1000, for bodies in track mode.
/// @param max_rounds   most rounds, 1 … 64; 8 is enough for arms.
/// @param out_meeting  how they met; may be NULL.
/// @return SINEW_ERROR_INVALID_ARGUMENT: a number outside its range, a body twice, tasks that are
///         not two positions or two orientations, both of one body; SINEW_ERROR_OUT_OF_RANGE:
///         first_work or second_work; SINEW_ERROR_INVALID_HANDLE: a body or a task;
///         SINEW_ERROR_LENGTH_MISMATCH, SINEW_ERROR_NOT_FINITE, SINEW_ERROR_INVALID_ROTATION: a
///         pose, or rows that the host computes. No goal has changed then.
pub unsafe extern "C" fn sinew_body_meet(
    works: *const SinewBodyWork,
    count: u32,
    ties: *mut SinewBodyTie,
    tie_count: u32,
    dt_s: f32,
    max_rounds: u32,
    out_meeting: Option<&mut SinewBodyMeeting>,
) -> SinewResult {
    guard("sinew_body_meet", || {
        let out_meeting = optional_out(out_meeting, "out_meeting")?;
        let rule = MeetRule {
            dt_s: read::between("dt_s", dt_s, 0.0, 1e3)?,
            max_rounds: read::within("max_rounds", max_rounds, 1, MeetRule::MAX_ROUNDS)?,
        };
        let count = read::within("count", count, 0, SINEW_BODY_MAX_MEETING)? as usize;
        let tie_count = read::within("tie_count", tie_count, 0, SINEW_BODY_MAX_TIES)? as usize;
        // SAFETY: what the C function requires of its caller; see `read`.
        let works = if count == 0 { &[][..] } else { unsafe { read::array("works", works, count) }? };
        let ties = match tie_count {
            0 => &mut [][..],
            // SAFETY: as above.
            _ => unsafe { read::array_mut("ties", ties, tie_count) }?,
        };
        let mut bodies = Bodies { list: [const { None }; MAX_BODIES], count };
        for (number, (work, body)) in works.iter().zip(&mut bodies.list).enumerate() {
            *body = Some(Body::lock(number, work, works)?);
        }
        let mut list = [BodyTie::UNTIED; MAX_TIES];
        for (number, (tie, to)) in ties.iter().zip(&mut list).enumerate() {
            *to = bodies.tie(number, tie)?;
        }
        let list = &mut list[..tie_count];
        running::captures(0, |parts| {
            let pose_of = |work: &SinewBodyWork| {
                let is_it = |body: &&Body| body.bits == work.body.bits;
                bodies.list.iter().flatten().find(is_it).map(|body| body.given)
            };
            capture::works(0, works, pose_of, parts)
        });
        running::begun();
        let met = meet(&mut bodies, list, &rule)?;
        for (tie, done) in ties.iter_mut().zip(list) {
            tie.gap = done.gap();
            bodies.get(tie.first_work as usize).show_goal(tie.first_task)?;
            bodies.get(tie.second_work as usize).show_goal(tie.second_task)?;
        }
        if let Some(out) = out_meeting {
            *out = SinewBodyMeeting {
                status: met.status as i32,
                rounds: met.rounds,
                gap_m: met.gap_m,
                gap_rad: met.gap_rad,
            };
        }
        Ok(())
    })
}

/// A body that takes part.
struct Body<'a> {
    bits: u64,
    host: Held<'static, HostBody>,
    given: &'a [SinewTransform],
    detail: BodyDetail,
}

impl<'a> Body<'a> {
    fn lock(number: usize, work: &SinewBodyWork, works: &[SinewBodyWork]) -> Result<Self, Failure> {
        if works[..number].iter().any(|other| other.body.bits == work.body.bits) {
            return Err(Failure::argument(format_args!("works[{number}].body is in the works twice")));
        }
        let in_work = |failure: Failure| failure.about(format_args!("works[{number}]"));
        let detail = checked::detail(work.iteration_share, work.max_level).map_err(in_work)?;
        let host = registry::lock_body(work.body).map_err(in_work)?;
        read::length("joint_count", work.joint_count, host.body.skeleton().joint_count()).map_err(in_work)?;
        // SAFETY: what the C function requires of its caller; see `read`.
        let pose = unsafe { read::array("pose", work.pose, work.joint_count as usize) }.map_err(in_work)?;
        Ok(Self { bits: work.body.bits, host, given: pose, detail })
    }
    fn name(&self, task: SinewBodyTask) -> Result<BodyTaskName, Failure> {
        Ok(self.host.defs[self.host.place(task)?].0)
    }
    /// What the host gave for a task gets the goal that it has now.
    fn show_goal(&mut self, task: SinewBodyTask) -> Result<(), Failure> {
        let host = &mut *self.host;
        let place = host.place(task)?;
        let (name, def) = &mut host.defs[place];
        match &host.body.task(*name)?.demand.task {
            AnyTask::Position(task) => def.goal = task.goal.into(),
            AnyTask::Orientation(task) => def.rotation = task.goal.into(),
            _ => {}
        }
        Ok(())
    }
}

/// All of them.
struct Bodies<'a> {
    list: [Option<Body<'a>>; MAX_BODIES],
    count: usize,
}

impl<'a> Bodies<'a> {
    fn get(&mut self, number: usize) -> &mut Body<'a> {
        self.list[number].as_mut().unwrap_or_else(|| unreachable!("numbers are below the count"))
    }
    fn tie(&mut self, number: usize, tie: &SinewBodyTie) -> Result<BodyTie, Failure> {
        let count = self.count;
        let mut end = |name: &str, work: u32, task: SinewBodyTask| {
            if work as usize >= count {
                let message = format_args!("ties[{number}].{name}_work is {work}, there are {count} works");
                return Err(Failure::new(SinewResult::SinewErrorOutOfRange, message));
            }
            let name = |failure: Failure| failure.about(format_args!("ties[{number}].{name}_task"));
            Ok(TieEnd { body: work as usize, task: self.get(work as usize).name(task).map_err(name)? })
        };
        let first = end("first", tie.first_work, tie.first_task)?;
        let second = end("second", tie.second_work, tie.second_task)?;
        let rotation = read::quat(format_args!("ties[{number}].rotation"), &tie.rotation)?;
        let share = read::fraction(format_args!("ties[{number}].share"), tie.share)?;
        Ok(BodyTie::new(first, second).with_rotation(rotation).with_share(share))
    }
}

impl TiedBodies for Bodies<'_> {
    fn count(&self) -> usize {
        self.count
    }
    fn body(&mut self, number: usize) -> TiedBody<'_> {
        let Body { host, given, detail, .. } = self.get(number);
        TiedBody { body: &mut host.body, pose: read::as_transforms(given), detail: *detail }
    }
}

impl From<MeetError> for Failure {
    fn from(error: MeetError) -> Self {
        match error {
            MeetError::Body { body, error } => Self::from(error).about(format_args!("works[{body}]")),
            MeetError::Task { tie, error } => Self::from(error).about(format_args!("ties[{tie}]")),
            MeetError::OneBody { tie, body } => Self::argument(format_args!(
                "ties[{tie}] has first_work and second_work {body}: within one body, use a relative task"
            )),
            MeetError::Kinds { tie } => Self::argument(format_args!(
                "ties[{tie}]: first_task and second_task are not two positions or two orientations without a pin"
            )),
            MeetError::TooFar { tie } => Self::new(
                SinewResult::SinewErrorNotFinite,
                format_args!("ties[{tie}]: an effector is at a place that no f32 can hold"),
            ),
            error => Self::argument(error),
        }
    }
}
