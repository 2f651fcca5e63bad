//! What others score on the given cases of each kind, measured on a machine of this sort
//! (docs/body.md).

/// A line beside a kind's own.
pub fn line(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "reach6_rest" => "placo 22/24, 490 µs; mink 24/24, 1020 µs; pink 24/24, 2000 µs; embodik 24/24, 46 ms",
        "reach6_step" => "placo 290 µs; mink 990 µs; pink 2000 µs; embodik 23 ms",
        "reach5_fixed" => "placo 15/16, 370 µs; mink 16/16, 1320 µs; pink 16/16, 1600 µs; embodik 16/16, 47 ms",
        "com" => "placo 16/16, 170 µs; mink 16/16, 990 µs",
        "reach14_big" => "placo 15/16, 1160 µs; mink 16/16, 4200 µs; pink 16/16, 5700 µs; embodik 15/16, 185 ms",
        "weights" => "over best, median (p90) mm: placo 1275 (4495); mink 910 (2981), heavily damped 8.3 (31)",
        "unreachable" => "over best, median (p90) mm: placo 1894 (3812); mink 993, heavily damped 6.2 (114)",
        "priority" => "level 0 over best, p90 mm: placo 20; mink 105, heavily damped 2",
        "track6" => "frames off with two iterations: placo 1.3 %, 260 µs; mink 4.5 to 14 %, 570 µs",
        "out_and_back" => "largest turn a frame: placo 342, mink 320, heavily damped 33 degrees",
        _ => return None,
    })
}
