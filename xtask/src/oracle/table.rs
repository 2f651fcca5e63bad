//! The table for the terminal.

use super::score::Score;

const HEADS: [&str; 17] = [
    "solver", "reach", ">1e-3", ">1e-5", "median", "p90", "max", "beyond", "excess", "rot", "pole", "viol", "torn",
    "flips", "us", "us max", "n/a",
];

/// Heading of the columns.
pub fn heading(first: &str) -> String {
    let mut line = format!("{first:<22}");
    for (head, width) in HEADS.iter().zip(WIDTHS) {
        line += &format!(" {head:>width$}");
    }
    line
}

const WIDTHS: [usize; 17] = [10, 5, 5, 5, 7, 7, 7, 6, 7, 7, 7, 4, 5, 5, 7, 9, 4];

/// One line of numbers.
pub fn line(first: &str, solver: &str, s: &Score) -> String {
    let numbers = |on: bool, x: f64| if on { format!("{x:.1e}") } else { "-".to_owned() };
    let cells = [
        solver.to_owned(),
        s.reachable.to_string(),
        s.missed_1e3.to_string(),
        s.missed_1e5.to_string(),
        numbers(s.reachable > 0, s.median),
        numbers(s.reachable > 0, s.p90),
        numbers(s.reachable > 0, s.max),
        s.unreachable.to_string(),
        numbers(s.unreachable > 0, s.excess_max),
        numbers(s.rot_max > 0.0, s.rot_max),
        numbers(s.pole_max > 0.0, s.pole_max),
        s.violations.to_string(),
        s.torn.to_string(),
        s.flips.to_string(),
        format!("{:.1}", s.us_median),
        format!("{:.0}", s.us_max),
        s.not_applicable.to_string(),
    ];
    let mut line = format!("{first:<22}");
    for (cell, width) in cells.iter().zip(WIDTHS) {
        line += &format!(" {cell:>width$}");
    }
    line
}
