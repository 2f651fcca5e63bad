//! The table: one line per kind of ground and method.

use super::judge::Metrics;

/// Columns: metric, heading, decimals.
const COLUMNS: [(&str, &str, usize); 17] = [
    ("pen_p95", "pen 95%", 1),
    ("pen_max", "pen max", 1),
    ("float_mean", "float", 1),
    ("float_p95", "flt 95%", 1),
    ("slide_med", "slide", 1),
    ("slide_max", "sld max", 1),
    ("pelvis_jerk", "jerk", 0),
    ("pelvis_jerk_in", "jerk in", 0),
    ("straight", "strght", 0),
    ("knee_acc", "knee", 1),
    ("knee_acc_in", "knee in", 1),
    ("knee_bend_max", "bend", 0),
    ("knee_bend_max_in", "bend in", 0),
    ("pop", "pop", 1),
    ("err_hip", "hip", 1),
    ("err_knee", "knee", 1),
    ("err_ankle", "ankle", 1),
];

/// What the columns are: mm, m/s³ for jerk, frames for straight, degrees per frame² for the knee,
/// degrees for its greatest bend, mm per frame² for pops.
pub fn heading() -> String {
    let mut line = format!("{:<14} {:<6} {:>3}", "ground", "method", "n");
    for (_, name, _) in COLUMNS {
        line += &format!(" {name:>8}");
    }
    line
}

/// One line.
pub fn line(kind: &str, method: &str, count: usize, metrics: &Metrics) -> String {
    let mut line = format!("{kind:<14} {method:<6} {count:>3}");
    for (metric, _, decimals) in COLUMNS {
        if let Some(value) = metrics.get(metric) {
            line += &format!(" {value:>8.decimals$}");
        }
    }
    line
}
