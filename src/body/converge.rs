//! Converge mode: stateless, from the incoming pose alone.

use super::descent::{Descent, DescentRule};
use super::solver::{Body, BodyError, BodyOutcome};
use crate::math::{Vec3, axis_angle, normalize_or};
use crate::optim::Noise;
use crate::outcome::Status;
use crate::skeleton::Pose;
use crate::tasks::Unit;

/// Slot: the first descent's answer.
const FIRST: usize = 0;

impl Body {
    /// Solves a pose for all tasks, starting at the pose itself. `pose` is updated before and after.
    pub fn solve(&mut self, pose: &mut Pose) -> Result<BodyOutcome, BodyError> {
        let count = self.skeleton.joint_count();
        if pose.local().len() != count {
            return Err(BodyError::WrongPose { given: pose.local().len(), count });
        }
        self.begin(pose);
        if self.solve.residual.scale.iter().all(|s| s.absent) {
            self.outcome = BodyOutcome {
                status: Status::Inactive,
                iterations: 0,
                attempts: 0,
                residual_m: 0.0,
                residual_rad: 0.0,
            };
            return Ok(self.outcome);
        }
        self.converge();
        self.write(pose);
        Ok(self.outcome)
    }

    fn begin(&mut self, pose: &Pose) {
        let solve = &mut self.solve;
        solve.state.load(&solve.plan, &self.skeleton, pose, &self.masses);
        solve.reference.copy_from(&solve.state.at);
        solve.state.forward();
        for (task, fixed) in solve.plan.tasks.iter().zip(&mut solve.residual.fixed) {
            for (place, at) in task.places.iter().zip(fixed) {
                if let super::plan::Place::Fixed(joint) = place {
                    let frame = pose.model(*joint);
                    *at = crate::tasks::Placement { position: frame.position, rotation: frame.rotation };
                }
            }
        }
        solve.residual.begin(&solve.plan, &self.demands, &self.settings, &solve.state);
    }

    fn descend(&mut self, rule: &DescentRule) -> Descent {
        self.solve.descend(&self.demands, &self.settings, self.floating, rule)
    }

    fn converge(&mut self) {
        let settings = self.settings;
        self.solve.state.project(&self.solve.models);
        let rule = DescentRule {
            max_iterations: settings.max_iterations,
            posture: settings.posture,
            posture_end: settings.posture * settings.posture_end,
            root_posture: settings.root_posture,
            stop_at: 0.5,
            stall: settings.stall,
        };
        let mut found = self.descend(&rule);
        let mut iterations = found.iterations;
        let mut attempts = 1;
        if found.status != Status::Reached && settings.max_attempts > 0 {
            self.slots[FIRST].copy_from(&self.solve.state.at);
            for attempt in 0..settings.max_attempts {
                attempts += 1;
                self.solve.state.at.copy_from(&self.slots[FIRST]);
                self.scatter(attempt);
                let tried = self.descend(&DescentRule {
                    max_iterations: settings.attempt_iterations,
                    stall: 0.9,
                    posture: 0.0,
                    posture_end: 0.0,
                    ..rule
                });
                iterations += tried.iterations;
                if tried.status == Status::Reached {
                    found = tried;
                    break;
                }
            }
            if found.status != Status::Reached {
                self.solve.state.at.copy_from(&self.slots[FIRST]);
                self.solve.state.forward();
                self.solve.residual.evaluate::<false>(&self.solve.plan, &self.demands, &self.solve.state);
            }
        }
        self.finish(found.status, iterations, attempts);
    }

    /// Half the way back to rest, and a turn of every joint at random, the same every time; limits hold.
    fn scatter(&mut self, attempt: u32) {
        let mut noise = Noise::new(u64::from(attempt) + 1);
        let state = &mut self.solve.state;
        for (turn, model) in state.at.turns.iter_mut().zip(&self.solve.models).skip(1) {
            let axis = normalize_or(Vec3::new(noise.signed(), noise.signed(), noise.signed()), Vec3::X);
            let angle = noise.signed();
            let half = crate::math::fraction(*turn, 0.5);
            *turn = model.project((axis_angle(axis, angle) * half).normalize());
        }
    }

    fn finish(&mut self, status: Status, iterations: u32, attempts: u32) {
        let (mut residual_m, mut residual_rad) = (0.0_f32, 0.0_f32);
        for (task, missing) in self.solve.plan.tasks.iter().zip(&self.solve.residual.missing) {
            let Some(demand) = &self.demands[task.demand] else { continue };
            match crate::tasks::Task::unit(&demand.task) {
                Unit::Length => residual_m = residual_m.max(*missing),
                Unit::Angle => residual_rad = residual_rad.max(*missing),
            }
        }
        self.outcome = BodyOutcome { status, iterations, attempts, residual_m, residual_rad };
    }

    /// Brings the answer into the pose.
    fn write(&self, pose: &mut Pose) {
        let state = &self.solve.state;
        for (place, &joint) in self.solve.plan.joints.iter().enumerate() {
            if place == 0 {
                if self.floating {
                    pose.set_position_ms(&self.skeleton, joint, state.position[0]);
                    pose.set_rotation_ms(&self.skeleton, joint, state.rotation[0]);
                }
            } else {
                pose.set_rotation_ms(&self.skeleton, joint, state.rotation[place]);
            }
            pose.update_joints(&self.skeleton, &[joint]);
        }
        pose.update_subtree(&self.skeleton, self.root);
    }
}
