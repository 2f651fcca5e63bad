//! `sinew-replay FILE`: runs a recording and compares the bits.

use sinew::record::Log;
use sinew_replay::{PAGE_FRAMES, page, reduce, report};
use std::io::Write as _;
use std::process::ExitCode;

const HELP: &str = "sinew-replay FILE [--frames] [--page OUT.html] [--reduce FRAME OUT]

Runs the calls of a recording (sinew_record_begin) and compares the codes and the bits.
  --frames            also prints the hash and the time of each frame
  --page OUT.html     writes a page on which the frames are played, the first 2000
  --reduce FRAME OUT  writes the shortest recording that still gives the bits of this frame
Ends with 0 when all calls came out the same, with 1 when some did not, with 2 on an error.";

struct Arguments {
    file: String,
    has_frames: bool,
    page: Option<String>,
    reduce: Option<(usize, String)>,
}

fn arguments() -> Option<Arguments> {
    let mut given = std::env::args().skip(1);
    let mut file = None;
    let (mut has_frames, mut page, mut reduce) = (false, None, None);
    while let Some(argument) = given.next() {
        match argument.as_str() {
            "--frames" => has_frames = true,
            "--page" => page = Some(given.next()?),
            "--reduce" => reduce = Some((given.next()?.parse().ok()?, given.next()?)),
            option if option.starts_with("--") => return None,
            _ if file.is_none() => file = Some(argument),
            _ => return None,
        }
    }
    Some(Arguments { file: file?, has_frames, page, reduce })
}

/// Prints a line. A reader that has read enough (`| head`) is no error.
fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

fn run(arguments: &Arguments) -> Result<bool, String> {
    let Arguments { file, has_frames, page: out_page, reduce: reduced } = arguments;
    let bytes = std::fs::read(file).map_err(|error| format!("{file}: {error}"))?;
    let log = Log::read(&bytes).map_err(|error| format!("{file}: {error}"))?;
    let failed = |error: sinew::ffi::replay::PlayError| format!("{file}: {error}");
    let report = report(&log).map_err(failed)?;
    report.lines.iter().for_each(|line| say(line));
    if *has_frames {
        for (number, frame) in report.frames.iter().enumerate() {
            let same = if frame.is_same() { "" } else { "  DIFFERS" };
            say(&format!("frame {number}: {} {:016x}{same}", frame.function, frame.recorded_hash));
        }
    }
    let write = |path: &String, bytes: &[u8]| std::fs::write(path, bytes).map_err(|error| format!("{path}: {error}"));
    if let Some(path) = out_page {
        write(path, page(&log).map_err(failed)?.as_bytes())?;
        let shown = report.frames.len().min(PAGE_FRAMES);
        say(&format!("wrote {path}: {shown} of {} frames", report.frames.len()));
    }
    if let Some((frame, path)) = reduced {
        let Some(shorter) = reduce(&log, *frame).map_err(failed)? else {
            return Err(format!("there is no frame {frame}, or it does not give the recorded bits"));
        };
        let bytes = shorter.write();
        write(path, &bytes)?;
        let (left, all) = (shorter.entries.len(), log.entries.len());
        say(&format!("wrote {path}: {left} of {all} entries, {} bytes", bytes.len()));
    }
    Ok(report.differing == 0)
}

fn main() -> ExitCode {
    let Some(arguments) = arguments() else {
        eprintln!("{HELP}");
        return ExitCode::from(2);
    };
    match run(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
