//! A recording from the bytes: as they are, or the sample with edits; then read and replayed.

use crate::input::Input;
use sinew::ffi::replay::Player;
use sinew::record::Log;

/// A recording of a small session (`tests/sample.rs` makes it).
pub const SAMPLE: &[u8] = include_bytes!("../corpus/recordings/sample.sinewlog");

/// Reads and replays the recording; what is damaged is refused or left out.
pub fn run(data: &[u8]) {
    if data.starts_with(b"SINEWLOG") {
        return replay(data);
    }
    let mut input = Input::new(data);
    let mut log = SAMPLE.to_vec();
    while !input.is_empty() && !log.is_empty() {
        edit(&mut log, &mut input);
    }
    replay(&log);
}

fn edit(log: &mut Vec<u8>, input: &mut Input) {
    let at = input.below(log.len().min(65_536));
    let end = |length: usize| (at + length).min(log.len());
    match input.below(8) {
        0 => log[at] ^= 1 << input.below(8),
        1 => log.truncate(at),
        2 => drop(log.drain(at..end(1 + input.below(64)))),
        3 => {
            let from = input.below(log.len().min(65_536));
            let piece = log[from..(from + 1 + input.below(64)).min(log.len())].to_vec();
            drop(log.splice(at..at, piece));
        }
        4 => {
            // A whole number: a length, a count, a code.
            let number = [0, 1, 2, 3, 255, 65_535, u32::MAX / 2, u32::MAX][input.below(8)].to_le_bytes();
            let end = end(4);
            log[at..end].copy_from_slice(&number[..end - at]);
        }
        5 => {
            let number = input.number().to_le_bytes();
            let end = end(4);
            log[at..end].copy_from_slice(&number[..end - at]);
        }
        _ => log[at] = input.byte(),
    }
}

fn replay(bytes: &[u8]) {
    let Ok(log) = Log::read(bytes) else { return };
    let Ok(mut player) = Player::new(&log.head) else { return };
    for entry in &log.entries {
        player.play(entry);
    }
    for figure in player.figures() {
        assert_eq!(figure.parents.len(), figure.joints.len());
    }
    // What was read is what is written.
    let written = log.write();
    assert_eq!(Log::read(&written).expect("a log").entries, log.entries);
}
