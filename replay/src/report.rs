//! Which calls gave the same bits, and how long they took.

use sinew::ffi::replay::{Outcome, PlayError, Played, Player};
use sinew::record::{Entry, Log};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

/// A replay.
#[derive(Debug, Default)]
pub struct Report {
    /// One line of text each: what the log is, what differs, times.
    pub lines: Vec<String>,
    /// The solves in order.
    pub frames: Vec<Played>,
    /// How many calls gave another code or other bits, or could not be run.
    pub differing: usize,
    /// How many calls used objects that the log does not create.
    pub unknown: usize,
}

/// Times of a function.
#[derive(Default)]
struct Times {
    calls: u32,
    total: Duration,
    most: Duration,
}

/// Most calls that are listed.
const LISTED: usize = 20;

/// Runs a log.
pub fn report(log: &Log) -> Result<Report, PlayError> {
    let mut player = Player::new(&log.head)?;
    let mut report = Report::default();
    let mut times = BTreeMap::<&str, Times>::new();
    let (mut calls, mut refused) = (0, 0);
    for entry in &log.entries {
        let Some(played) = player.play(entry) else { continue };
        let place = calls;
        calls += 1;
        match &played.outcome {
            Outcome::Run { time, .. } => {
                let of_function = times.entry(played.function).or_default();
                of_function.calls += 1;
                of_function.total += *time;
                of_function.most = of_function.most.max(*time);
            }
            Outcome::Refused(_) => refused += 1,
            Outcome::Unknown => report.unknown += 1,
            Outcome::Damaged(_) | Outcome::NoFunction => {}
        }
        if !played.is_same() && played.outcome != Outcome::Unknown {
            report.differing += 1;
            if report.differing <= LISTED {
                report.lines.push(difference(place, report.frames.len(), &played));
            }
        }
        if played.is_frame {
            report.frames.push(played);
        }
    }
    let head = format!(
        "recorded by Sinew {} (ABI {}): {calls} calls, {} frames, {refused} calls refused{}{}",
        log.head.version,
        log.head.abi,
        report.frames.len(),
        match log.entries.last() {
            Some(Entry::End { code: 0 }) => String::new(),
            Some(Entry::End { code }) => format!("; the recording was stopped by code {code}"),
            _ => format!("; the recording was cut off, {} bytes are left over", log.cut),
        },
        match report.unknown {
            0 => String::new(),
            unknown => format!("; {unknown} calls use objects from before the recording and were left out"),
        }
    );
    report.lines.insert(0, head);
    report.lines.push(match report.differing {
        0 => "every call gave the same code and the same bits".to_string(),
        differing => format!("{differing} calls differ"),
    });
    report.lines.push(format!("{:<44}{:>8}{:>12}{:>12}", "function", "calls", "mean us", "most us"));
    for (function, of_function) in times {
        let Times { calls, total, most } = of_function;
        let micro = |time: Duration| time.as_secs_f64() * 1e6;
        report.lines.push(format!(
            "{function:<44}{calls:>8}{:>12.2}{:>12.2}",
            micro(total) / f64::from(calls.max(1)),
            micro(most)
        ));
    }
    Ok(report)
}

fn difference(call: usize, frame: usize, played: &Played) -> String {
    let mut text = format!("call {call}, before the end of frame {frame}: {}: ", played.function);
    let _ = match &played.outcome {
        Outcome::Run { result, hash, error, .. } => write!(
            text,
            "code {} and hash {:016x}; recorded were code {} and hash {:016x}{}{error}",
            result,
            hash,
            played.recorded,
            played.recorded_hash,
            if error.is_empty() { "" } else { "; " }
        ),
        other => write!(text, "{other:?}"),
    };
    text
}
