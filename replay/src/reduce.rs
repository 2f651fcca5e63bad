//! The shortest recording that still shows a frame.

use sinew::ffi::replay::{PlayError, Player};
use sinew::record::{Entry, Log};
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// The time after which the best so far is good enough.
const LIMIT: Duration = Duration::from_secs(120);

/// Removes entries as long as the frame, counted from 0, still gives the recorded code and bits.
/// `None`: there is no such frame, or it does not give them in the whole recording.
pub fn reduce<'a>(log: &Log<'a>, frame: usize) -> Result<Option<Log<'a>>, PlayError> {
    let mut player = Player::new(&log.head)?;
    let mut frames = 0;
    let mut target = None;
    for (place, entry) in log.entries.iter().enumerate() {
        let Some(played) = player.play(entry) else { continue };
        if played.is_frame {
            if frames == frame {
                target = Some((place, played.is_same()));
                break;
            }
            frames += 1;
        }
    }
    drop(player);
    let Some((target, true)) = target else { return Ok(None) };
    let is_name = |place: &usize| matches!(log.entries[*place], Entry::Name { .. });
    let mut kept: Vec<usize> = (0..target).filter(|place| !is_name(place)).collect();
    let end = Instant::now() + LIMIT;
    // Whole objects first, then chunks, each half as long as the one before.
    for object in objects(log, &kept) {
        let without: Vec<usize> =
            kept.iter().copied().filter(|p| object_of(&log.entries[*p]) != Some(object)).collect();
        if without.len() < kept.len() && Instant::now() < end && still_shows(log, &without, target)? {
            kept = without;
        }
    }
    let mut chunk = kept.len().div_ceil(2);
    while chunk > 0 {
        let mut at = kept.len();
        while at > 0 && Instant::now() < end {
            let start = at.saturating_sub(chunk);
            let without: Vec<usize> = kept[..start].iter().chain(&kept[at.min(kept.len())..]).copied().collect();
            if still_shows(log, &without, target)? {
                kept = without;
            }
            at = start;
        }
        chunk = if chunk == 1 { 0 } else { chunk.div_ceil(2) };
    }
    kept.push(target);
    let used: HashSet<u16> = kept
        .iter()
        .filter_map(|place| match &log.entries[*place] {
            Entry::Call(call) => Some(call.function),
            _ => None,
        })
        .collect();
    let is_kept = |place: usize, entry: &Entry| match entry {
        Entry::Name { function, .. } => used.contains(function),
        _ => kept.binary_search(&place).is_ok(),
    };
    let mut entries: Vec<Entry> = log.entries[..=target]
        .iter()
        .enumerate()
        .filter(|(place, entry)| is_kept(*place, entry))
        .map(|(_, entry)| entry.clone())
        .collect();
    entries.push(Entry::End { code: 0 });
    Ok(Some(Log { head: log.head.clone(), entries, cut: 0 }))
}

/// The object that an entry is about: its first argument.
fn object_of(entry: &Entry) -> Option<u64> {
    match entry {
        Entry::Call(call) => call.words.first().copied().filter(|word| *word > u64::from(u32::MAX)),
        Entry::Pose { animator, .. } => Some(*animator),
        Entry::Arrays { world, .. } => Some(*world),
        _ => None,
    }
}

fn objects(log: &Log, kept: &[usize]) -> Vec<u64> {
    let mut seen = HashSet::new();
    kept.iter().filter_map(|place| object_of(&log.entries[*place])).filter(|object| seen.insert(*object)).collect()
}

/// Whether the frame comes out as recorded after these entries alone.
fn still_shows(log: &Log, kept: &[usize], target: usize) -> Result<bool, PlayError> {
    let mut player = Player::new(&log.head)?;
    for entry in log.entries.iter().filter(|entry| matches!(entry, Entry::Name { .. })) {
        player.play(entry);
    }
    for place in kept {
        player.play(&log.entries[*place]);
    }
    Ok(player.play(&log.entries[target]).is_some_and(|played| played.is_same()))
}
