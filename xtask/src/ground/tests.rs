//! The judge against cases whose answers are known by hand.

use super::judge::{kind, together};
use super::stage::two_bone;
use super::terrain::Terrain;
use crate::oracle::geometry::V3;

fn terrain(text: &str) -> Terrain {
    serde_json::from_str(text).expect("a terrain")
}

#[test]
fn stairs_have_their_treads_and_a_capsule_rides_the_mean() {
    let stairs = terrain(r#"{"kind":"stairs_up","rise":0.17,"tread":0.29,"steps":12,"start":0.4}"#);
    let at = |z: f64| stairs.height(0.0, z, 0.0);
    assert_eq!([at(0.39), at(0.41), at(0.68), at(0.70)], [0.0, 0.17, 0.17, 0.34]);
    assert_eq!(at(100.0), 12.0 * 0.17);
    assert_eq!(stairs.under(0.0, -1.0, 0.0), 0.0);
    // In the middle of the flight the capsule is on the line through the treads' middles.
    let middle = stairs.under(0.0, 0.4 + 6.0 * 0.29, 0.0);
    assert!((middle - 6.5 * 0.17).abs() < 0.02, "{middle}");
}

#[test]
fn a_slope_has_its_normal_and_a_tram_moves() {
    let slope = terrain(r#"{"kind":"slope","deg":45}"#);
    let (y, n) = slope.ray(0.0, 2.0, 0.0);
    assert!((y - 2.0).abs() < 1e-9 && (n.0[1] - 0.5_f64.sqrt()).abs() < 1e-6 && n.0[2] < 0.0);
    let tram = terrain(r#"{"kind":"tram"}"#);
    assert!((tram.moved(1.0).0[0] - 0.8).abs() < 1e-9);
}

#[test]
fn the_limb_of_the_judge_keeps_its_bones() {
    let (hip, knee, ankle) = (V3([0.0, 0.9, 0.0]), V3([0.0, 0.5, 0.05]), V3([0.0, 0.1, 0.0]));
    let target = V3([0.1, 0.3, 0.2]);
    let (k, a, over) = two_bone(hip, knee, ankle, target);
    assert!(!over && a.distance(target) < 1e-12);
    assert!(((k - hip).len() - (knee - hip).len()).abs() < 1e-12);
    assert!(((a - k).len() - (ankle - knee).len()).abs() < 1e-12);
}

#[test]
fn kinds_are_read_off_the_names_and_maxima_stay_maxima() {
    assert_eq!(kind("walk__stairs_up1"), "stairs_up");
    assert_eq!(kind("walk__reground"), "reground");
    let a = [("pen_max", 3.0), ("slide_med", 2.0), ("pop", 5.0)].into_iter().collect();
    let b = [("pen_max", 1.0), ("slide_med", 4.0), ("pop", 9.0)].into_iter().collect();
    let both = together(&[a, b]);
    assert_eq!((both["pen_max"], both["slide_med"], both["pop"]), (3.0, 3.0, 9.0));
}
