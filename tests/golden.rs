//! The golden scenes give the committed hashes. When a solver changes on purpose:
//! `SINEW_SAVE_GOLDENS=1 cargo test --test golden` writes the new ones, and fails, so that it
//! cannot stay switched on.

use std::fmt::Write;
use std::path::Path;
use testkit::golden;

#[test]
fn hashes_are_the_committed_ones() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/hashes.txt");
    let mut now = String::new();
    for index in 0..golden::count() {
        writeln!(now, "{} {:016x}", golden::name(index), golden::hash(index)).unwrap();
    }
    if std::env::var_os("SINEW_SAVE_GOLDENS").is_some() {
        std::fs::write(&path, &now).unwrap();
        panic!("saved {}; run again without SINEW_SAVE_GOLDENS", path.display());
    }
    let committed = std::fs::read_to_string(&path).unwrap();
    let differing: Vec<_> = now.lines().filter(|line| !committed.lines().any(|c| c == *line)).collect();
    assert!(differing.is_empty(), "not the committed hashes: {differing:?}; SINEW_SAVE_GOLDENS=1 saves new ones");
    assert_eq!(committed, now, "hashes.txt has lines that no golden has");
}

#[test]
fn eight_limbs_in_step_hash_like_eight_alone() {
    let of = |name: &str| (0..golden::count()).find(|i| golden::name(*i) == name).map(golden::hash).unwrap();
    assert_eq!(of("limbs_scalar"), of("limbs_wide"));
}
