//! Rigs whose names tell little, nothing, or wrong things; and what is no body at all.

use super::{check, rig};
use sinew::humanoid::{
    BodyShape, Evidence, HumanBone, MappingHints, SideSource, map_human_names, map_joints, map_joints_with,
};
use sinew::math::{Quat, Transform, Vec3};
use sinew::skeleton::{JointDefinition, Skeleton};

#[test]
fn joints_that_do_not_hang_from_each_other() {
    let report = check(
        "
Armature
  Hips = Hips
  Spine = Spine
  Chest = Chest
  Neck = Neck
  Head = Head
  UpperArm.{L/R} = *UpperArm
  LowerArm.{L/R} = *LowerArm
  Hand.{L/R} = *Hand
  UpperLeg.{L/R} = *UpperLeg
  LowerLeg.{L/R} = *LowerLeg
  Foot.{L/R} = *Foot
",
    );
    assert!(report.axes.is_some());
}

#[test]
fn a_name_that_contradicts_the_hierarchy_loses() {
    let report = check(
        "
Bone
  Body = Hips
    UpperLeg{L/R} = *UpperLeg
      LowerLeg{L/R} = *LowerLeg
    Hips
      Abdomen = Spine
        Torso = Chest
          Neck = Neck
            Head = Head
          UpperArm{L/R} = *UpperArm
            LowerArm{L/R} = *LowerArm
              Palm{L/R} = *Hand
  Foot{L/R} = *Foot
  PoleTargetL
  PoleTargetR
",
    );
    assert_eq!(report.notes.len(), 1, "{:?}", report.notes);
}

const UNNAMED: &str = "
a = Hips
  b = Spine
    c = Chest
      d = Neck
        e = Head
      {f/g} = *Shoulder
        {h/i} = *UpperArm
          {j/k} = *LowerArm
            {o/n} = *Hand
  {p/q} = *UpperLeg
    {s/t} = *LowerLeg
      {u/v} = *Foot
        {w/y} = *Toes
";

#[test]
fn nameless_rigs_map_by_shape_and_handedness_tells_the_sides() {
    let report = check(UNNAMED);
    assert_eq!(report.sides, SideSource::Facing);
    let (skeleton, want) = rig(UNNAMED);
    let hints = MappingHints { left_handed: true, ..MappingHints::default() };
    let left_handed = map_joints_with(&skeleton, &hints).map;
    for bone in HumanBone::ALL {
        assert_eq!(left_handed.get(bone), want.get(bone.mirrored()), "{bone:?}");
    }
}

/// A body with a spine of joints at these heights; the first is the hips' child.
fn with_spine(heights: &[f32], name: impl Fn(usize) -> String) -> Skeleton {
    let (skeleton, want) = rig(UNNAMED);
    let place = |joint: usize| {
        let mut at = Vec3::ZERO;
        let mut next = Some(joint);
        while let Some(joint) = next {
            at += skeleton.rest_local()[joint].position;
            next = skeleton.parent(joint);
        }
        at
    };
    let trunk = [HumanBone::Spine, HumanBone::Chest].map(|b| want.get(b).unwrap());
    // The old spine goes, the new one comes where it was; what was on the top stays on the top.
    let mut joints: Vec<JointDefinition> = Vec::new();
    let mut index = vec![usize::MAX; skeleton.joint_count()];
    let mut places: Vec<Vec3> = Vec::new();
    for joint in 0..skeleton.joint_count() {
        let parent = skeleton.parent(joint).map(|p| index[p]);
        let from = parent.map_or(Vec3::ZERO, |p| places[p]);
        if joint == trunk[0] {
            for (i, height) in heights.iter().enumerate() {
                let parent = if i == 0 { parent } else { Some(joints.len() - 1) };
                let at = Vec3::new(0.0, *height, 0.0);
                let rest = Transform::at(at - places[parent.unwrap()]);
                joints.push(JointDefinition { name: name(i), parent, rest });
                places.push(at);
            }
            trunk.iter().for_each(|old| index[*old] = joints.len() - 1);
        } else if !trunk.contains(&joint) {
            index[joint] = joints.len();
            joints.push(JointDefinition { name: String::new(), parent, rest: Transform::at(place(joint) - from) });
            places.push(place(joint));
        }
    }
    Skeleton::new(joints).unwrap()
}

#[test]
fn long_spines_are_resolved_by_proportion_and_the_doubt_is_reported() {
    use HumanBone::{Chest, Hips, Spine, UpperChest};
    // Heights of the joints, then which of them are spine, chest and upper chest. Hips at 1 m.
    let cases: [(&[f32], [usize; 3]); 5] = [
        (&[1.08, 1.16, 1.25, 1.35], [0, 2, 3]),
        (&[1.08, 1.15, 1.22, 1.29, 1.36], [0, 2, 4]),
        (&[1.06, 1.11, 1.16, 1.22, 1.28, 1.36], [0, 3, 5]),
        // The first is a second pelvis.
        (&[1.005, 1.1, 1.2, 1.3, 1.38], [1, 2, 4]),
        (&[1.0, 1.1, 1.17, 1.24, 1.31, 1.38], [1, 3, 5]),
    ];
    for (heights, expected) in cases {
        for named in [false, true] {
            let name = |i: usize| if named { format!("spine_{i:02}") } else { String::new() };
            let skeleton = with_spine(heights, name);
            let report = map_joints(&skeleton);
            assert!(report.is_humanoid(), "{heights:?}: {:?}", report.notes);
            let hips = report.map.get(Hips).unwrap();
            let first = (0..skeleton.joint_count())
                .find(|j| skeleton.parent(*j) == Some(hips) && skeleton.rest_local()[*j].position.x == 0.0)
                .unwrap();
            for (bone, place) in [Spine, Chest, UpperChest].into_iter().zip(expected) {
                assert_eq!(report.map.get(bone), Some(first + place), "{bone:?} of {heights:?}, named: {named}");
                let entry = report.entry(bone).unwrap();
                let is_chosen = bone == Chest || bone == Spine && expected[0] == 1;
                assert_eq!(entry.evidence == Evidence::Geometry, is_chosen, "{bone:?}: {}", entry.why);
                let usual = if named { 0.9 } else { 0.7 };
                assert_eq!(entry.confidence < usual, is_chosen, "{bone:?}: {}", entry.confidence);
            }
        }
    }
    // One that is called chest needs no proportion.
    let skeleton = with_spine(cases[1].0, |i| if i == 1 { "chest".to_owned() } else { format!("spine_{i}") });
    let entry = map_joints(&skeleton).entry(Chest).unwrap().clone();
    assert_eq!((skeleton.name(entry.joint), entry.evidence), ("chest", Evidence::Name));
}

#[test]
fn turned_scaled_and_mirrored_rigs_map_alike() {
    let (skeleton, want) = rig(UNNAMED);
    let turns =
        [Quat::IDENTITY, Quat::from_xyzw(0.707_106_77, 0.0, 0.0, 0.707_106_77), Quat::from_xyzw(0.0, 1.0, 0.0, 0.0)];
    for rotation in turns {
        for (scale, mirrored) in
            [(Vec3::splat(100.0), false), (Vec3::splat(0.01), false), (Vec3::new(-1.0, 1.0, 1.0), true)]
        {
            let mut joints = vec![JointDefinition {
                name: String::new(),
                parent: None,
                rest: Transform { position: Vec3::ZERO, rotation, scale },
            }];
            joints.extend((0..skeleton.joint_count()).map(|j| JointDefinition {
                name: String::new(),
                parent: Some(skeleton.parent(j).map_or(0, |p| p + 1)),
                rest: skeleton.rest_local()[j],
            }));
            let turned = Skeleton::new(joints).unwrap();
            let hints = MappingHints { left_handed: mirrored, ..MappingHints::default() };
            let map = map_joints_with(&turned, &hints).map;
            for bone in HumanBone::ALL {
                assert_eq!(map.get(bone), want.get(bone).map(|j| j + 1), "{bone:?} {rotation:?} {scale:?}");
            }
        }
    }
}

#[test]
fn names_without_sides_leave_them_to_the_shape() {
    let report = check(
        "
hips = Hips
  spine = Spine
    chest = Chest
      neck = Neck
        head = Head
      {upper_arm/upper_arm.001} = *UpperArm
        {forearm/forearm.001} = *LowerArm
          {hand/hand.001} = *Hand
  {thigh/thigh.001} = *UpperLeg
    {shin/shin.001} = *LowerLeg
      {foot/foot.001} = *Foot
        {toe/toe.001} = *Toes
",
    );
    assert_eq!(report.sides, SideSource::Facing);
    // Sides on the legs only: the arms follow them, whatever the handedness of the axes would say.
    let text = "
hips = Hips
  spine = Spine
    chest = Chest
      head = Head
      {a/b} = *UpperArm
        {e/f} = *LowerArm
          {g/h} = *Hand
  thigh_{l/r} = *UpperLeg
    shin_{l/r} = *LowerLeg
      foot_{l/r} = *Foot
        toe_{l/r} = *Toes
";
    check(text);
    let (skeleton, want) = rig(text);
    let hints = MappingHints { left_handed: true, ..MappingHints::default() };
    assert_eq!(map_joints_with(&skeleton, &hints).map, want);
}

#[test]
fn sides_that_contradict_each_other_are_noted() {
    let (skeleton, _) = rig("
hips = Hips
  spine = Spine
    head = Head
    upper_arm_{r/l} = *UpperArm
      forearm_{r/l} = *LowerArm
        hand_{r/l} = *Hand
  thigh_{l/r} = *UpperLeg
    shin_{l/r} = *LowerLeg
      foot_{l/r} = *Foot
");
    let report = map_joints(&skeleton);
    assert!(!report.notes.is_empty());
    assert!(report.entry(HumanBone::LeftHand).unwrap().confidence < 0.5);
}

#[test]
fn odd_input_does_no_harm() {
    let words = [
        "Left", "Right", "_l", ".R", "Arm", "Leg", "Hand", "Foot", "Hips", "Spine", "Neck", "Head", "Upper", "Lower",
        "Finger", "Thumb", "Twist", "IK", "01", "2", " ", ":", "|", "足", "左", "x", "Toe", "Eye", "Root", "\u{ff11}",
    ];
    let mut state = 1u32;
    let mut next = |limit: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % limit
    };
    for round in 0..400 {
        let count = 1 + next(60);
        let joints: Vec<JointDefinition> = (0..count)
            .map(|i| {
                let name = (0..next(5)).map(|_| words[next(words.len())]).collect();
                let parent = (i > 0 && next(12) > 0).then(|| next(i));
                let mut number = || match next(40) {
                    0 => 1e30,
                    1 => -1e38,
                    n if n < 10 => 0.0,
                    n => n as f32 * 0.05 - 1.0,
                };
                let position = Vec3::new(number(), number(), number());
                let rotation = Quat::from_xyzw(number() % 2.0, number() % 2.0, number() % 2.0, 1.0).normalize();
                let scale = if number() < 0.9 { Vec3::ONE } else { Vec3::new(number() % 3.0, 1.0, number() % 3.0) };
                JointDefinition { name, parent, rest: Transform { position, rotation, scale } }
            })
            .collect();
        let skeleton = Skeleton::new(joints).unwrap();
        let report = map_joints(&skeleton);
        let again = map_joints(&skeleton);
        assert_eq!(report.map, again.map);
        let mut seen = Vec::new();
        for (bone, joint) in report.map.iter() {
            assert!(joint < count && !seen.contains(&joint), "{round} {bone:?}");
            seen.push(joint);
        }
        if let Some(axes) = report.axes {
            let local = sinew::humanoid::t_pose(&skeleton, &report.map, &axes);
            assert!(local.iter().all(|t| t.rotation.is_finite()), "{round}");
        }
    }
}

#[test]
fn great_sizes_do_no_harm() {
    // A chain, a comb and a brush of joints that all claim to be hands, necks or nothing.
    for (name, parent) in [
        ("LeftHand", (|i| i - 1) as fn(usize) -> usize),
        ("Neck", |i| i - 1),
        ("Head", |i| i - 1),
        ("x", |i| i / 2),
        ("LeftArm", |i| i / 3),
        ("x", |i| i - i % 5),
        ("Hips", |_| 0),
    ] {
        let joints = (0..20_000usize).map(|i| JointDefinition {
            name: name.to_owned(),
            parent: (i > 0).then(|| parent(i).min(i - 1)),
            rest: Transform::at(Vec3::new((i % 7) as f32 - 3.0, 1.0, (i % 3) as f32)),
        });
        let skeleton = Skeleton::new(joints.collect()).unwrap();
        assert!(!map_joints(&skeleton).is_humanoid());
    }
}

#[test]
fn what_is_no_body_maps_to_nothing() {
    for text in ["a", "a\n  b\n    c\n      d\n        e", "Hips\n  Spine\n    Head", "\u{1F600}\n  ：：\n  ||"] {
        let (skeleton, _) = rig(text);
        let report = map_joints(&skeleton);
        assert_eq!(report.shape, BodyShape::Unknown, "{text}");
        assert!(report.map.is_empty() && report.axes.is_none());
        assert_eq!(report.missing_required, HumanBone::REQUIRED);
    }
}

#[test]
fn missing_parts_are_named() {
    let report = check(
        "
Hips = Hips
  Spine = Spine
    Head = Head
    LeftUpperArm = LeftUpperArm
      LeftLowerArm = LeftLowerArm
        LeftHand = LeftHand
    RightUpperArm = RightUpperArm
      RightLowerArm = RightLowerArm
  {Left/Right}UpperLeg = *UpperLeg
    {Left/Right}LowerLeg = *LowerLeg
      {Left/Right}Foot = *Foot
",
    );
    assert_eq!(report.missing_required, [HumanBone::RightHand]);
    assert_eq!(report.shape, BodyShape::Incomplete);
}

#[test]
fn exact_human_names_map_without_guessing() {
    let (skeleton, _) = rig("Hips\n  spine\n    Left Thumb Proximal\n    LeftUpLeg\n  Hips");
    let map = map_human_names(&skeleton);
    assert_eq!(
        map.iter().collect::<Vec<_>>(),
        [(HumanBone::Hips, 0), (HumanBone::Spine, 1), (HumanBone::LeftThumbProximal, 2)]
    );
}
