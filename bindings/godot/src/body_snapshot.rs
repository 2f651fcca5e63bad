//! Snapshots of a [`SinewBodyIK`].

use crate::body_ik::SinewBodyIK;
use crate::calls::Rig;
use crate::snapshot::{self, Refusal, SnapshotReader, SnapshotWriter};
use godot::builtin::PackedByteArray;
use godot::classes::Node;
use godot::obj::WithBaseField;
use godot::register::godot_api;
use sinew::body::PlacedBody;
use sinew::outcome::Status;

const KIND: [u8; 4] = *b"SGB\x01";

#[godot_api(secondary)]
impl SinewBodyIK {
    /// What Track remembers, as bytes, for rollback. With the same animation, effectors and
    /// properties the updates after [method restore_snapshot] are the same, bit for bit. In
    /// Converge nothing is remembered, but by [member track_converge]; at [member detail_level]
    /// Every Nth the next update is solved and shows its result. Empty where nothing can be solved.
    #[func]
    fn get_snapshot(&mut self) -> PackedByteArray {
        let is_active = self.status != Status::Inactive as i32 || self.is_restored;
        let Some(body) = self.ready() else { return PackedByteArray::new() };
        let mut out = SnapshotWriter::new(KIND);
        out.word(u32::from(is_active));
        out.core(body.snapshot_size(), |bytes| body.snapshot_into(bytes));
        out.finish()
    }
    /// Continues from a snapshot. The node must have the bones and effectors that it had then.
    /// [code]false[/code], with an error and nothing changed, for bytes that are none of such a
    /// node.
    #[func]
    fn restore_snapshot(&mut self, snapshot: PackedByteArray) -> bool {
        let restored = self.restored(snapshot.as_slice());
        snapshot::answer("SinewBodyIK.restore_snapshot", restored)
    }
}

impl SinewBodyIK {
    /// The body with the tasks of the properties.
    fn ready(&mut self) -> Option<&mut PlacedBody> {
        let rig = Rig::of(&self.base)?;
        self.set_up(rig);
        let (settings, from) = (self.settings(), self.to_gd().upcast::<Node>());
        self.whole.as_mut()?.ready(rig, &from, &settings)
    }
    fn restored(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        let mut reader = SnapshotReader::new(bytes, KIND, "SinewBodyIK")?;
        let is_active = reader.word()? != 0;
        let Some(body) = self.ready() else { return Err(snapshot::not_ready(&self.problem)) };
        body.restore(reader.core()).map_err(|why| format!("does not fit: {why}"))?;
        if !is_active {
            // The next update would have begun anew.
            body.reset();
        }
        self.is_restored = is_active;
        if let Some(whole) = &mut self.whole {
            // Results of other updates are not part of it: the next one is solved.
            whole.pace.forget();
        }
        Ok(())
    }
}
