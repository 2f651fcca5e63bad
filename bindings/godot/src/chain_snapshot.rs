//! Last answer, transitions and snapshots of a [`SinewChainIK`].

use crate::calls::Rig;
use crate::chain_ik::SinewChainIK;
use crate::constraint::Constrained;
use crate::snapshot::{self, Refusal, SnapshotReader, SnapshotWriter};
use godot::builtin::PackedByteArray;
use godot::register::godot_api;

const KIND: [u8; 4] = *b"SGC\x01";

#[godot_api(secondary)]
impl SinewChainIK {
    /// Forgets the last answer of [member warm_start] and ends a transition: the next update starts
    /// at the animation, as after a teleport.
    #[func]
    fn reset_warm_start(&mut self) {
        if let Some(constrained) = &mut self.slot.constrained {
            constrained.attached.animator.reset_state();
        }
    }
    /// The last answer of [member warm_start] and the transition in progress, as bytes, for
    /// rollback. With the same animation,
    /// target and properties the updates after [method restore_snapshot] are the same, bit for bit.
    /// Empty where nothing can be solved.
    #[func]
    fn get_snapshot(&mut self) -> PackedByteArray {
        let Some(constrained) = self.ready() else { return PackedByteArray::new() };
        let animator = &constrained.attached.animator;
        let mut out = SnapshotWriter::new(KIND);
        out.core(animator.snapshot_size(), |bytes| animator.snapshot_into(bytes));
        out.finish()
    }
    /// Continues from a snapshot. The node must have the bones, the [member warm_start] and an
    /// [member inertialization_time] above 0, or of 0, that it had then. [code]false[/code], with
    /// an error and nothing changed, for bytes that are none of such a node.
    #[func]
    fn restore_snapshot(&mut self, snapshot: PackedByteArray) -> bool {
        let restored = self.restored(snapshot.as_slice());
        snapshot::answer("SinewChainIK.restore_snapshot", restored)
    }
}

impl SinewChainIK {
    /// The chain with the settings of the properties.
    fn ready(&mut self) -> Option<&mut Constrained> {
        if let Some(rig) = Rig::of(&self.base) {
            self.set_up(rig);
        }
        // As an update begins: the core's state has transitions only with a time.
        self.slot.begin(self.inertialization_time, 0.0);
        self.slot.constrained.as_deref_mut()
    }
    fn restored(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        let reader = SnapshotReader::new(bytes, KIND, "SinewChainIK")?;
        let Some(constrained) = self.ready() else { return Err(snapshot::not_ready("")) };
        let restored = constrained.attached.animator.restore(reader.core());
        restored.map_err(|error| format!("does not fit: {error}"))
    }
}
