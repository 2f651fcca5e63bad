//! Calibrations as JSON text.

use crate::player::{Player, SIX};
use sinew::math::{Vec3, axis_angle};
use sinew::trackers::{TrackedBodySettings, TrackerCalibration, TrackerRole};

fn calibration() -> TrackerCalibration {
    let mut player = Player::new(TrackedBodySettings::default());
    let [up, forward, left] = player.axes();
    for (i, role) in SIX.iter().enumerate() {
        let mount = axis_angle((up + left * 0.3).normalize(), 0.7 * i as f32);
        player.give(*role, player.rest(role.bone()) * 0.9 + forward * 0.031 * i as f32, mount);
    }
    player.body.calibrate(Default::default(), Default::default(), 0.013).unwrap();
    *player.body.calibration()
}

#[test]
fn a_saved_calibration_comes_back_bit_for_bit() {
    let saved = calibration();
    let text = saved.to_json();
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON as others read it");
    let at = saved.offsets[TrackerRole::LeftFoot.index()].expect("a foot").position;
    let told = value["offsets"]["LeftFoot"]["position"][2].as_f64().expect("a number");
    assert!((told - f64::from(at.z)).abs() < 1e-7, "{told} is not {}", at.z);
    assert_eq!(value["offsets"].as_object().map(|offsets| offsets.len()), Some(SIX.len()));
    let read = TrackerCalibration::from_json(&text).expect("its own text");
    assert_eq!(read, saved);
    for (a, b) in read.offsets.iter().flatten().zip(saved.offsets.iter().flatten()) {
        assert_eq!(a.rotation.to_array().map(f32::to_bits), b.rotation.to_array().map(f32::to_bits));
    }
}

#[test]
fn an_edited_text_is_read() {
    let text = r#" { "comment": ["a \" quote", {"deep": [1, 2, null, true]}], "scale":1.5e0,
        "offsets": {"Tail": {"position": [1]}, "Hips": {"rotation": [0, 0, 0, 2], "position": [0, -0.1, 2e-2]}} } "#;
    let read = TrackerCalibration::from_json(text).expect("it is well-formed");
    assert_eq!((read.scale, read.floor), (1.5, 0.0));
    let hips = read.offsets[TrackerRole::Hips.index()].expect("hips");
    assert_eq!(hips.position, Vec3::new(0.0, -0.1, 0.02));
    assert_eq!(hips.rotation.w, 1.0);
    assert_eq!(read.offsets.iter().flatten().count(), 1);
    assert_eq!(TrackerCalibration::from_json("{}"), Ok(TrackerCalibration::default()));
    // Some editors write a byte order mark.
    assert_eq!(TrackerCalibration::from_json(&format!("\u{feff}{text}")), Ok(read));
    assert!(TrackerCalibration::from_json("\u{feff}").is_err());
}

#[test]
fn a_text_that_is_no_calibration_is_refused_with_a_place() {
    for (text, at) in [
        ("", 0),
        ("[]", 0),
        ("{\"scale\": 0}", 10),
        ("{\"scale\": 1e99}", 10),
        ("{\"scale\": NaN}", 10),
        ("{} x", 3),
        ("{\"offsets\": {\"Head\": {\"rotation\": [0, 0, 0, 0]}}}", 34),
        ("{\"offsets\": {\"Head\": {\"position\": [0, 0]}}}", 39),
        ("{\"a\": \"b\\", 10),
    ] {
        let error = TrackerCalibration::from_json(text).expect_err(text);
        assert!(error.at.abs_diff(at) <= 1, "{text}: {error}");
    }
    let deep = "{\"a\":".repeat(100_000);
    assert!(TrackerCalibration::from_json(&deep).is_err());
    let deep = format!("{{\"a\": {}", "[".repeat(100_000));
    assert!(TrackerCalibration::from_json(&deep).is_err());
    // Cut anywhere, and with any byte replaced: refused or read, never a panic.
    let text = calibration().to_json();
    for at in 0..text.len() {
        assert!(TrackerCalibration::from_json(&text[..at]).is_err(), "cut at {at}");
        for with in ['"', '\\', '{', 'é', '9', ','] {
            let other = format!("{}{with}{}", &text[..at], &text[at + 1..]);
            if let Ok(read) = TrackerCalibration::from_json(&other) {
                assert!(read.scale > 0.0 && read.offsets.iter().flatten().all(|o| o.rotation.is_finite()));
            }
        }
    }
}
