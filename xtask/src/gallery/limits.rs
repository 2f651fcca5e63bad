//! Joint limits: each kind of limit on the middle joints of a chain that follows a target.

use super::exhibit::{Exhibit, FRAMES, Player, bent_chain, eight, share};
use sinew::constraints::ConstraintGoal;
use sinew::limits::{BendAxis, Freedom, HingeAxis, JointModel, Polygon, Range, Stretch, SwingRegion};
use sinew::math::{Vec3, axis_angle};

const GROUP: &str = "Joint limits: the same target, one kind of joint each";
const BONES: usize = 4;

/// The gallery's third part.
pub fn exhibits() -> Vec<Exhibit> {
    let ball = |swing, twist| JointModel::limited(Freedom::Ball { swing, twist });
    let range = Range::new;
    let wedge: Vec<Vec3> = [(0.7, 0.1), (0.1, 0.7), (-0.5, 0.2), (-0.2, -0.6), (0.4, -0.4)]
        .iter()
        .map(|&(x, z): &(f32, f32)| Vec3::new(x, 1.0, z).normalize())
        .collect();
    let polygon = Polygon::new(&wedge).expect("the wedge is convex");
    let soft = JointModel { soft_rad: 0.4, ..ball(SwingRegion::cone(0.6), Range::FREE) };
    let stiff = JointModel { stiffness: [0.95; 3], ..JointModel::FREE };
    let stretchy = JointModel { stretch: Stretch { min: 0.8, max: 1.5, compliance: 1.0 }, ..JointModel::FREE };
    let tilted = JointModel { frame: axis_angle(Vec3::X, 0.5), ..ball(SwingRegion::cone(0.4), Range::FREE) };
    let knee = JointModel { preferred_bend: Vec3::X, ..JointModel::FREE };
    vec![
        limited("free", "ball joints without limits", &JointModel::FREE),
        limited("cone", "the bone stays within 0.5 rad of rest", &ball(SwingRegion::cone(0.5), Range::FREE)),
        limited(
            "ellipse of four quarters",
            "each of the four directions has its own limit",
            &ball(SwingRegion::Ellipse { x: range(-0.2, 0.9), z: range(-0.5, 0.3) }, Range::FREE),
        ),
        limited(
            "polygon",
            "a convex polygon on the sphere, as measured on a shoulder",
            &ball(SwingRegion::Polygon(polygon), Range::FREE),
        ),
        limited("cone about a given centre", "the limit counts from a tilted frame", &tilted),
        limited(
            "twist range",
            "free to lean, hardly free to roll (watch the fins)",
            &ball(SwingRegion::Free, range(-0.1, 0.1)),
        ),
        limited("swing", "leans without rolling", &JointModel::limited(Freedom::Swing(SwingRegion::cone(0.9)))),
        limited(
            "hinge",
            "one axis, from 0 to 2.2 rad",
            &JointModel::limited(Freedom::Hinge { axis: HingeAxis::X, range: range(0.0, 2.2) }),
        ),
        limited(
            "universal",
            "bends about one axis and rolls",
            &JointModel::limited(Freedom::Universal {
                bend: BendAxis::X,
                bend_range: range(-1.5, 1.5),
                twist: range(-1.5, 1.5),
            }),
        ),
        limited("fixed", "the joint stays at rest", &JointModel::limited(Freedom::Fixed)),
        limited("soft cone", "resists before the border, and still gets there", &soft),
        limited("stiff", "the others do the work as long as they can", &stiff),
        limited("stretch", "bones lengthen when nothing else helps", &stretchy),
        limited("preferred bend", "where a straight chain folds to", &knee),
    ]
}

/// The two middle joints get the model, the first and last stay free.
fn limited(title: &str, note: &str, model: &JointModel) -> Exhibit {
    let rest_bend = if title == "preferred bend" { 0.0 } else { 0.5 };
    let mut player = Player::chain(bent_chain(BONES, rest_bend), |_| {}).limit(1, model).limit(2, model);
    for frame in 0..FRAMES {
        player.rest();
        let reach = if title == "stretch" { 0.6 } else { 0.42 };
        let target = eight(share(frame), Vec3::new(0.0, 0.5, 0.3), reach);
        player.animator.constraint_mut(player.constraint).expect("there").goals[0] = ConstraintGoal::at(target);
        player.shoot(Vec::new());
    }
    player.exhibit(GROUP, title, note)
}
