//! Snapshots of a [`SinewTrackedBody`].

use crate::calls::Rig;
use crate::snapshot::{self, Refusal, SnapshotReader, SnapshotWriter};
use crate::tracked_body::SinewTrackedBody;
use godot::builtin::PackedByteArray;
use godot::register::godot_api;

const KIND: [u8; 4] = *b"SGT\x01";

#[godot_api(secondary)]
impl SinewTrackedBody {
    /// What lasts between updates, as bytes, for rollback: samples, filters, fading, steps and the
    /// node's clock. With the same samples and properties the updates after [method
    /// restore_snapshot] are the same, bit for bit. Calibration and properties are not in it, nor
    /// what was sent and received over the network. Empty without a humanoid.
    #[func]
    fn get_snapshot(&mut self) -> PackedByteArray {
        if let Some(rig) = Rig::of(&self.base) {
            self.set_up(rig);
        }
        let Some(solver) = &self.solver else { return PackedByteArray::new() };
        let mut out = SnapshotWriter::new(KIND);
        out.long(self.clock_s.to_bits());
        out.core(solver.body.snapshot_size(), |bytes| solver.body.snapshot(bytes));
        out.finish()
    }
    /// Continues from a snapshot; statuses are Inactive until the next update. [code]false[/code],
    /// with an error and nothing changed, for bytes that are none of a SinewTrackedBody.
    #[func]
    fn restore_snapshot(&mut self, snapshot: PackedByteArray) -> bool {
        let restored = self.restored(snapshot.as_slice());
        snapshot::answer("SinewTrackedBody.restore_snapshot", restored)
    }
}

impl SinewTrackedBody {
    fn restored(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        let mut reader = SnapshotReader::new(bytes, KIND, "SinewTrackedBody")?;
        let clock_s = f64::from_bits(reader.long()?);
        if let Some(rig) = Rig::of(&self.base) {
            self.set_up(rig);
        }
        let Some(solver) = &mut self.solver else { return Err(snapshot::not_ready(&self.problem)) };
        if !(clock_s.is_finite() && solver.body.restore(reader.core())) {
            return Err("has another size, or a number that is not finite".into());
        }
        self.clock_s = clock_s;
        Ok(())
    }
}
