//! Times by the clock of the thread, which stands still while another has the processor: what
//! counts is the least of many rounds.

use std::cell::Cell;
use std::sync::OnceLock;

/// Rounds of a row or scene: as many as fit into this, but at least the least and at most the most.
const SECONDS: f64 = 0.4;
const LEAST: u32 = 10;
const MAX: u32 = 2000;

/// Seconds that this thread has had a processor.
#[cfg(unix)]
fn now() -> f64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: writes a struct of ours.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut now) };
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}
/// Seconds since some moment.
#[cfg(not(unix))]
fn now() -> f64 {
    std::time::UNIX_EPOCH.elapsed().map_or(0.0, |since| since.as_secs_f64())
}

/// Cost of reading the clock, seconds: the minimum of many measurements. For a solve of a
/// microsecond that is a third.
fn clock_cost() -> f64 {
    static ASKING: OnceLock<f64> = OnceLock::new();
    let once = |_| {
        let start = now();
        now() - start
    };
    *ASKING.get_or_init(|| (0..1000).map(once).fold(f64::INFINITY, f64::min))
}

/// How long the work takes, seconds.
pub fn timed(work: impl FnOnce()) -> f64 {
    let clock_cost = clock_cost();
    let start = now();
    work();
    (now() - start - clock_cost).max(0.0)
}

thread_local! {
    /// What [`super::counted`] took, seconds.
    static COUNTED: Cell<f64> = const { Cell::new(0.0) };
}

/// Adds to what [`rounds`] of a row took.
pub fn add(seconds: f64) {
    COUNTED.set(COUNTED.get() + seconds);
}

/// Something with a state that is made once and timed in rounds.
pub struct Scene {
    pub name: String,
    /// Units of a round, and a round: seconds.
    make: Box<dyn Fn() -> (u64, Round)>,
}

/// Does a round and returns its seconds.
type Round = Box<dyn FnMut() -> f64>;

impl Scene {
    pub fn new<R: FnMut() -> f64 + 'static>(name: &str, make: impl Fn() -> (u64, R) + 'static) -> Self {
        let make = move || {
            let (units, round) = make();
            (units, Box::new(round) as Round)
        };
        Self { name: name.to_string(), make: Box::new(make) }
    }
    /// Nanoseconds per unit, and rounds.
    pub fn time(&self) -> (f64, u32) {
        let (units, mut round) = (self.make)();
        rounds(|| (units, round()))
    }
}

/// The same of a row.
pub fn row(work: impl Fn() -> u64) -> (f64, u32) {
    rounds(|| {
        COUNTED.set(0.0);
        let units = work();
        (units, COUNTED.get())
    })
}

/// The least nanoseconds per unit of many rounds, which give units and seconds; and how many rounds
/// there were. The first warms up.
fn rounds(mut round: impl FnMut() -> (u64, f64)) -> (f64, u32) {
    round();
    let (start, mut count, mut least) = (now(), 0, f64::INFINITY);
    while count < LEAST || count < MAX && now() - start < SECONDS {
        let (units, seconds) = round();
        least = least.min(seconds / units as f64);
        count += 1;
    }
    (least * 1e9, count)
}
