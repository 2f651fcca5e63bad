//! Snapshots of a [`SinewGrounder`].

use crate::calls::Rig;
use crate::ground_cast::GroundCaster;
use crate::grounder::SinewGrounder;
use crate::snapshot::{self, Refusal, SnapshotReader, SnapshotWriter};
use godot::builtin::PackedByteArray;
use godot::register::godot_api;

const KIND: [u8; 4] = *b"SGG\x01";

#[godot_api(secondary)]
impl SinewGrounder {
    /// What lasts between updates, as bytes, for rollback: locks, steps, the pelvis, and where the
    /// bodies below the feet are. With the same animation, properties and ground the updates after
    /// [method restore_snapshot] are the same, bit for bit, where they are made in physics ticks or
    /// by [method Skeleton3D.advance]. Valid in this run of the game, as it names bodies. Empty
    /// without legs.
    #[func]
    fn get_snapshot(&mut self) -> PackedByteArray {
        self.make_ready();
        let Some(solver) = &self.solver else { return PackedByteArray::new() };
        let mut out = SnapshotWriter::new(KIND);
        out.word(solver.planted.len() as u32);
        solver.planted.iter().for_each(|planted| out.word(u32::from(*planted)));
        solver.caster.save(&mut out);
        out.core(solver.grounder.snapshot_size(), |bytes| solver.grounder.snapshot(bytes));
        out.finish()
    }
    /// Continues from a snapshot. The node must have as many legs as it had then, and [member
    /// stepping] on or off. [code]false[/code], with an error and nothing changed, for bytes that
    /// are none of such a node.
    #[func]
    fn restore_snapshot(&mut self, snapshot: PackedByteArray) -> bool {
        let restored = self.restored(snapshot.as_slice());
        snapshot::answer("SinewGrounder.restore_snapshot", restored)
    }
}

impl SinewGrounder {
    /// Sets the grounder up as the next update would.
    fn make_ready(&mut self) {
        if let Some(rig) = Rig::of(&self.base) {
            self.set_up(rig);
        }
        let stepping = self.stepping.then(|| self.stepping_settings());
        if let Some(solver) = &mut self.solver {
            solver.grounder.set_stepping(stepping, &solver.groups);
        }
    }
    fn restored(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        let mut reader = SnapshotReader::new(bytes, KIND, "SinewGrounder")?;
        let legs = reader.word()? as usize;
        self.make_ready();
        let Some(solver) = &mut self.solver else { return Err(snapshot::not_ready(&self.problem)) };
        if legs != solver.planted.len() {
            return Err(format!("is of {legs} legs, and this node has {}", solver.planted.len()));
        }
        let mut planted = vec![false; legs];
        for planted in &mut planted {
            *planted = reader.word()? != 0;
        }
        let bodies = GroundCaster::read(&mut reader)?;
        if !solver.grounder.restore(reader.core()) {
            return Err("does not fit: stepping was another one, or it has a number that is not finite".into());
        }
        solver.planted = planted;
        solver.caster.restore(bodies);
        // What was seen in the frames that are taken back.
        (self.root, self.last) = (None, None);
        Ok(())
    }
}
