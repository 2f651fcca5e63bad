//! `SinewTracker`: a tracker of a tracked body, as a resource.

use crate::convert;
use crate::property::{Shared, TargetPath};
use godot::builtin::{NodePath, StringName, Transform3D};
use godot::classes::xr_pose::TrackingConfidence;
use godot::classes::{IResource, Node, Resource, XrNode3D, XrPositionalTracker, XrServer};
use godot::obj::{Base, Gd, Singleton};
use godot::register::{GodotClass, godot_api};
use sinew::trackers::{TrackerRole, TrackerSample};

/// A tracker of a [SinewTrackedBody]: what it is worn on, and where its pose comes from.
#[derive(GodotClass)]
#[class(base = Resource, tool)]
pub struct SinewTracker {
    /// What it is worn on; see the ROLE constants of [SinewTrackedBody].
    #[export(enum = (Head = 0, Left_Hand = 1, Right_Hand = 2, Hips = 3, Chest = 4, Left_Foot = 5, Right_Foot = 6, Left_Elbow = 7, Right_Elbow = 8, Left_Knee = 9, Right_Knee = 10, Left_Shoulder = 11, Right_Shoulder = 12, Left_Toes = 13, Right_Toes = 14, Left_Thumb = 15, Right_Thumb = 16, Left_Index = 17, Right_Index = 18, Left_Middle = 19, Right_Middle = 20, Left_Ring = 21, Right_Ring = 22, Left_Little = 23, Right_Little = 24))]
    pub role: i32,
    /// The node that follows the device: an XRController3D, an XRCamera3D, or any Node3D; path from
    /// the node [SinewTrackedBody]. An XRNode3D without tracking data counts as lost.
    #[export]
    pub source: Shared<NodePath>,
    /// Name of a tracker of the XRServer, without a [member source]: `head`, `left_hand`,
    /// `right_hand`, and what the platform has for worn ones.
    #[export]
    pub xr_tracker: StringName,
    /// Which pose of that tracker: `default`, `aim`, `grip`, `palm_pose`.
    #[export]
    pub xr_pose: StringName,
    /// Whether its position counts; off for inertial trackers.
    #[export]
    pub use_position: bool,
    /// Whether its rotation counts.
    #[export]
    pub use_rotation: bool,
    /// How much it is to be believed, 0 (lost) to 1; scripts may set it.
    #[export(range = (0.0, 1.0, 0.01))]
    pub confidence: f32,
    base: Base<Resource>,
}

#[godot_api]
impl IResource for SinewTracker {
    fn init(base: Base<Resource>) -> Self {
        Self {
            role: 0,
            source: Shared::default(),
            xr_tracker: StringName::default(),
            xr_pose: StringName::from("default"),
            use_position: true,
            use_rotation: true,
            confidence: 1.0,
            base,
        }
    }
}

#[godot_api]
impl SinewTracker {}

/// The role of a number, if it is one.
pub fn role(number: i32) -> Option<TrackerRole> {
    usize::try_from(number).ok().and_then(|number| TrackerRole::ALL.get(number)).copied()
}

/// A pose in the world as a sample in the space of the skeleton.
pub fn sample(pose_ws: &Transform3D, skeleton_ws: &Transform3D, confidence: f32) -> TrackerSample {
    let local = skeleton_ws.affine_inverse() * *pose_ws;
    let finite = |c: f32| if c > 0.0 { c.min(1.0) } else { 0.0 };
    TrackerSample {
        time_s: 0.0,
        position: Some(convert::vec3(local.origin)).filter(|p| p.is_finite()),
        rotation: Some(convert::rotation(&local.basis)).filter(|q| q.is_finite()),
        confidence: finite(confidence),
    }
}

impl SinewTracker {
    /// Where it is now, world space, and how much it is believed. `None`: nothing reports.
    pub fn read(&self, source: &mut TargetPath, from: &Node, origin_ws: &Transform3D) -> Option<(Transform3D, f32)> {
        if source.is_set() {
            let mark = source.kept_a_while().or_else(|| source.find_again(from))?;
            source.keep(Some(mark));
            let lost = mark.to_gd().try_cast::<XrNode3D>().is_ok_and(|node| !node.get_has_tracking_data());
            return Some((mark.global_transform(), if lost { 0.0 } else { self.confidence }));
        }
        if self.xr_tracker.is_empty() {
            return None;
        }
        let tracker: Gd<XrPositionalTracker> = XrServer::singleton().get_tracker(&self.xr_tracker)?.try_cast().ok()?;
        let pose = tracker.get_pose(&self.xr_pose)?;
        let part = match pose.get_tracking_confidence() {
            TrackingConfidence::HIGH => 1.0,
            TrackingConfidence::LOW => 0.5,
            _ => 0.0,
        };
        Some((*origin_ws * pose.get_adjusted_transform(), part * self.confidence))
    }

    /// What of a sample counts.
    pub fn counted(&self, sample: TrackerSample) -> Option<TrackerSample> {
        let counted = TrackerSample {
            position: sample.position.filter(|_| self.use_position),
            rotation: sample.rotation.filter(|_| self.use_rotation),
            ..sample
        };
        (counted.position.is_some() || counted.rotation.is_some()).then_some(counted)
    }
}
