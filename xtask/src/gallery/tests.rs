//! The exhibits do what their captions state.

use super::exhibit::{Exhibit, FRAMES, Frame};
use super::{exhibits, page};

/// The longest move of a joint from one frame to the next, metres.
fn longest_step(exhibit: &Exhibit) -> f32 {
    let step = |a: &[f32; 3], b: &[f32; 3]| (0..3).map(|i| (a[i] - b[i]) * (a[i] - b[i])).sum::<f32>().sqrt();
    exhibit
        .frames
        .windows(2)
        .flat_map(|w| w[0].joints.iter().zip(&w[1].joints).map(|(a, b)| step(a, b)).collect::<Vec<_>>())
        .fold(0.0, f32::max)
}

#[test]
fn every_picture_moves_smoothly_and_keeps_its_promise() {
    for exhibit in exhibits() {
        assert_eq!(exhibit.frames.len(), FRAMES, "{}", exhibit.title);
        assert!(longest_step(&exhibit) > 1e-3, "{} does not move", exhibit.title);
        let off = exhibit.frames.iter().map(|f| f.residual).fold(0.0, f32::max);
        match (exhibit.group, exhibit.title.as_str()) {
            (
                _,
                "default"
                | "pole"
                | "position and rotation"
                | "position and one axis"
                | "weight"
                | "tree"
                | "in a plane"
                | "stretch",
            ) => {
                assert!(off < 1e-4, "{}: off by {off}", exhibit.title);
                assert!(longest_step(&exhibit) < 0.12, "{}: a step of {}", exhibit.title, longest_step(&exhibit));
            }
            (_, "distance: inside" | "distance: on" | "distance: outside") => {
                assert!(off < 1e-4, "{}: off by {off}", exhibit.title);
            }
            _ => {}
        }
    }
}

/// The largest change of a joint's step from one frame to the next, metres, and its frame.
fn roughest_frame(exhibit: &Exhibit) -> (f32, usize) {
    let change = |w: &[Frame], joint: usize| {
        let [a, b, c] = [0, 1, 2].map(|i| w[i].joints[joint]);
        (0..3).map(|i| (a[i] - 2.0 * b[i] + c[i]) * (a[i] - 2.0 * b[i] + c[i])).sum::<f32>().sqrt()
    };
    let frames = exhibit.frames.windows(3).map(|w| (0..w[0].joints.len()).map(|j| change(w, j)).fold(0.0, f32::max));
    frames.zip(1..).fold((0.0, 0), |worst, now| if now.0 > worst.0 { now } else { worst })
}

/// Each frame of a body is solved for itself.
#[test]
fn bodies_move_without_jumps() {
    for exhibit in exhibits().iter().filter(|exhibit| exhibit.group == super::bodies::GROUP) {
        let (rough, frame) = roughest_frame(exhibit);
        println!("{}: {:.1} mm at {frame}", exhibit.title, rough * 1e3);
        assert!(rough < 0.06, "{}: {rough} at frame {frame}", exhibit.title);
    }
}

#[test]
fn the_page_is_told_how_to_solve_every_exhibit() {
    let exhibits = exhibits();
    let data = page::data(&exhibits);
    for (exhibit, told) in exhibits.iter().zip(data.as_array().expect("a list")) {
        assert_eq!(told["title"], exhibit.title.as_str());
        assert_eq!(told["live"]["script"].as_array().map(Vec::len), Some(FRAMES), "{}", exhibit.title);
        let joints = told["checked"]["joints"].as_array().map(Vec::len);
        assert_eq!(joints, Some(3 * exhibit.parents.len()), "{}", exhibit.title);
    }
}
