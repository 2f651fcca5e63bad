//! Running other programs.

use anyhow::{Context, Result, bail};
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Result of a program.
pub struct Output {
    /// Exit code; `None` when a signal or the time limit ended it.
    pub code: Option<i32>,
    /// Standard output, then standard error as far as it was captured.
    pub text: String,
    /// Standard output alone.
    pub stdout: String,
}

impl Output {
    /// Whether the program ended with 0.
    pub fn ok(&self) -> bool {
        self.code == Some(0)
    }
}

/// A command that runs in the repository.
pub fn command(program: impl AsRef<OsStr>, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(crate::paths::root());
    command
}

/// The cargo that runs us.
pub fn cargo(arguments: &[&str]) -> Command {
    // Variables that cargo set for this program would change the fingerprints of builds started
    // from it.
    let mut command = command(std::env::var_os("CARGO").unwrap_or("cargo".into()), arguments);
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy().into_owned();
        if name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_") || name == "CARGO_BIN_NAME" {
            command.env_remove(name);
        }
    }
    command
}

/// How long a program may run that has no limit of its own, in seconds; 0: as long as it takes.
static LIMIT_S: AtomicU64 = AtomicU64::new(0);

/// Ends every program that runs longer than this from now on. Without this call there is no limit:
/// how long a build or a test takes depends on the machine and on what else runs on it.
pub fn set_limit(limit: Duration) {
    LIMIT_S.store(limit.as_secs(), Ordering::Relaxed);
}

/// What happens to the standard error of a program.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Stderr {
    /// It becomes part of the output's text.
    Captured,
    /// It goes to the terminal, so that cargo shows its progress. Captured where there is none.
    Shown,
}

/// Runs to the end and captures what is printed. Only a program that cannot be started is an error.
pub fn capture(command: &mut Command) -> Result<Output> {
    run_to_end(command, None, Stderr::Captured)
}

/// [`capture`] for what may never end by itself, such as a download. More than `limit` is an error.
pub fn capture_within(command: &mut Command, limit: Duration) -> Result<Output> {
    run_to_end(command, Some(limit), Stderr::Captured)
}

/// [`capture`] for cargo: on a terminal its own progress is seen.
pub fn capture_cargo(command: &mut Command) -> Result<Output> {
    run_to_end(command, None, Stderr::Shown)
}

fn run_to_end(command: &mut Command, limit: Option<Duration>, stderr: Stderr) -> Result<Output> {
    let shown = show(command);
    let on_terminal = stderr == Stderr::Shown && std::io::stderr().is_terminal();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(if on_terminal { Stdio::inherit() } else { Stdio::piped() })
        .spawn()
        .with_context(|| format!("starting {shown}"))?;
    let reader = |stream: Option<Box<dyn Read + Send>>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            if let Some(mut stream) = stream {
                _ = stream.read_to_end(&mut bytes);
            }
            String::from_utf8_lossy(&bytes).into_owned()
        })
    };
    let out = reader(child.stdout.take().map(|s| Box::new(s) as _));
    let err = reader(child.stderr.take().map(|s| Box::new(s) as _));
    let limit = limit.or_else(|| match LIMIT_S.load(Ordering::Relaxed) {
        0 => None,
        seconds => Some(Duration::from_secs(seconds)),
    });
    let started = Instant::now();
    let mut minutes = 0;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if let Some(limit) = limit.filter(|limit| started.elapsed() > *limit) {
            child.kill()?;
            child.wait()?;
            bail!("{shown}\ntook longer than {} s", limit.as_secs());
        }
        if started.elapsed().as_secs() / 60 > minutes {
            minutes = started.elapsed().as_secs() / 60;
            let line: String = shown.chars().take(60).collect();
            eprintln!("   ... running for {minutes} min: {line}");
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    let stdout = out.join().unwrap_or_default();
    let stderr = err.join().unwrap_or_default();
    Ok(Output { code: status.code(), text: format!("{stdout}{stderr}"), stdout })
}

/// Runs; anything but success is an error with the command and the end of what it printed.
pub fn run(command: &mut Command) -> Result<Output> {
    let output = capture(command)?;
    expect_success(command, output)
}

/// [`run`] for cargo: on a terminal its own progress is seen.
pub fn run_cargo(command: &mut Command) -> Result<Output> {
    let output = capture_cargo(command)?;
    expect_success(command, output)
}

fn expect_success(command: &Command, output: Output) -> Result<Output> {
    if !output.ok() {
        let how = output.code.map_or("was ended by a signal".to_string(), |c| format!("ended with {c}"));
        bail!("{}\n{how}:\n{}", show(command), tail(&output.text, 60));
    }
    Ok(output)
}

/// The command as one would type it.
pub fn show(command: &Command) -> String {
    let mut text = String::new();
    for (name, value) in command.get_envs() {
        if let Some(value) = value {
            _ = write!(text, "{}={:?} ", name.to_string_lossy(), value);
        }
    }
    text += &command.get_program().to_string_lossy();
    for argument in command.get_args() {
        _ = write!(text, " {}", argument.to_string_lossy());
    }
    text
}

/// The last lines of a text.
pub fn tail(text: &str, lines: usize) -> String {
    let all: Vec<&str> = text.lines().collect();
    all[all.len().saturating_sub(lines)..].join("\n")
}

/// Where a program is, if it is on PATH.
pub fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let with_suffix = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&path).map(|folder| folder.join(&with_suffix)).find(|file| file.is_file())
}

/// Copies a file, making the folders above it.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    if let Some(folder) = to.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::copy(from, to).with_context(|| format!("copying {} to {}", from.display(), to.display()))?;
    Ok(())
}

/// Copies a folder with all that is in it.
pub fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    for entry in std::fs::read_dir(from).with_context(|| from.display().to_string())? {
        let entry = entry?;
        let place = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy_folder(&entry.path(), &place)?,
            false => copy(&entry.path(), &place)?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn only_a_requested_limit_ends_a_program() {
        let sleep = |seconds: &str| command("sleep", &[seconds]);
        assert!(capture(&mut sleep("0.2")).unwrap().ok());
        let error = capture_within(&mut sleep("30"), Duration::from_millis(100)).err().unwrap();
        assert!(error.to_string().contains("sleep 30"), "{error}");
    }
}
