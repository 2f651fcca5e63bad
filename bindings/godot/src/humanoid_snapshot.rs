//! Snapshots of a [`SinewHumanoidIK`].

use crate::calls::Rig;
use crate::humanoid_ik::SinewHumanoidIK;
use crate::snapshot::{self, Refusal, SnapshotReader, SnapshotWriter};
use godot::builtin::PackedByteArray;
use godot::obj::InstanceId;
use godot::register::godot_api;
use sinew::animator::AnimatorError;

const KIND: [u8; 4] = *b"SGH\x02";

#[godot_api(secondary)]
impl SinewHumanoidIK {
    /// What lasts between updates, as bytes, for rollback: transitions, and what a node followed.
    /// With the same animation and properties the updates after [method restore_snapshot] are the
    /// same, bit for bit. Properties, and rotations of [method set_bone_local_rotation], are not in
    /// it. Valid in this run of the game, as it names nodes; at [member detail_level] Every Nth the
    /// next update is solved and shows its result. Empty without a humanoid.
    #[func]
    fn get_snapshot(&mut self) -> PackedByteArray {
        if !self.is_ready() {
            return PackedByteArray::new();
        }
        let mut out = SnapshotWriter::new(KIND);
        for node in self.followed {
            out.long(node.map_or(0, |node| node.to_i64().cast_unsigned()));
        }
        out.word(self.switched.iter().enumerate().map(|(place, switched)| u32::from(*switched) << place).sum());
        if let Some(humanoid) = &self.humanoid {
            let animator = &humanoid.attached.animator;
            out.core(animator.snapshot_size(), |bytes| animator.snapshot_into(bytes));
        }
        out.finish()
    }
    /// Continues from a snapshot. The node must have the rig that it had then, [member body_solver]
    /// on or off, and transition times above 0 for the same hands and feet. [code]false[/code],
    /// with an error and nothing changed, for bytes that are none of such a node.
    #[func]
    fn restore_snapshot(&mut self, snapshot: PackedByteArray) -> bool {
        let restored = self.restored(snapshot.as_slice());
        snapshot::answer("SinewHumanoidIK.restore_snapshot", restored)
    }
}

impl SinewHumanoidIK {
    /// Whether there is a humanoid; it then has the settings of the properties.
    fn is_ready(&mut self) -> bool {
        if let Some(rig) = Rig::of(&self.base) {
            self.set_up(rig);
        }
        self.discard_ahead();
        self.send_settings().is_some()
    }
    fn restored(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        let mut reader = SnapshotReader::new(bytes, KIND, "SinewHumanoidIK")?;
        let mut followed = [None; 5];
        for node in &mut followed {
            *node = InstanceId::try_from_i64(reader.long()?.cast_signed());
        }
        let switched = reader.word()?;
        let is_ready = self.is_ready();
        let Some(humanoid) = self.humanoid.as_mut().filter(|_| is_ready) else {
            return Err(snapshot::not_ready(&self.problem));
        };
        let restored = humanoid.attached.animator.restore(reader.core());
        restored.map_err(|error| match error {
            AnimatorError::BadSnapshot(why) => format!("does not fit: {why}"),
            other => format!("does not fit: {other}"),
        })?;
        // Results of other updates are not part of it: the next one is solved.
        humanoid.paced.forget();
        self.followed = followed;
        self.switched = core::array::from_fn(|place| switched & (1 << place) != 0);
        Ok(())
    }
}
