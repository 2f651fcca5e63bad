//! The reference files: JSON, `format` "ik-reference/1". Fields are explained in `docs/oracle.md`;
//! unknown fields are ignored.

use super::geometry::{Placement, Rotation, V3};
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// One file: a group of cases.
#[derive(Debug, Deserialize)]
pub struct Group {
    pub format: String,
    /// Name, like the file's: `g01_plain`.
    #[serde(default)]
    pub group: String,
    pub cases: Vec<Case>,
}

/// A skeleton, its pose before IK, constraints, and the reference's results frame by frame.
#[derive(Debug, Deserialize)]
pub struct Case {
    pub id: String,
    pub kind: String,
    /// `standard` or `itasc`.
    pub solver: String,
    pub bones: Bones,
    /// Joint rotations before IK.
    pub fk_local: Vec<[f64; 4]>,
    /// The same in model space: a check of our forward kinematics.
    #[serde(default)]
    pub fk_model: Vec<[f64; 7]>,
    #[serde(default)]
    pub dof: Vec<Dof>,
    pub constraints: Vec<Constraint>,
    /// Joint rotations that meet all targets and limits.
    pub witness_local: Option<Vec<[f64; 4]>>,
    pub frames: Vec<Frame>,
    pub time_us: Option<Time>,
    pub itasc: Option<Itasc>,
}

/// Parameters of the stateful solver.
#[derive(Clone, Debug, Deserialize)]
pub struct Itasc {
    /// `animation` or `simulation`.
    pub mode: String,
    /// `sdls` or `dls`.
    pub solver: String,
    pub damping_max: f64,
    pub damping_epsilon: f64,
    pub reiteration_method: String,
    pub use_auto_step: bool,
    pub step_count: u32,
    pub step_max: f64,
    pub feedback: f64,
    pub velocity_max: f64,
}

/// Columns, one entry per bone.
#[derive(Debug, Deserialize)]
pub struct Bones {
    pub name: Vec<String>,
    /// −1 for none.
    pub parent: Vec<i64>,
    pub length: Vec<f64>,
    pub rest_local: Vec<[f64; 7]>,
}

/// Locks, limits and stretch of one joint.
#[derive(Clone, Debug, Deserialize)]
#[serde(default)]
pub struct Dof {
    pub bone: usize,
    pub lock: [bool; 3],
    pub limit: [bool; 3],
    pub min: [f64; 3],
    pub max: [f64; 3],
    pub stiffness: [f64; 3],
    pub stretch: f64,
    /// Weight of a pull towards the pose before IK.
    pub rotation_control: f64,
}

impl Default for Dof {
    fn default() -> Self {
        let pi = std::f64::consts::PI;
        Dof {
            bone: 0,
            lock: [false; 3],
            limit: [false; 3],
            min: [-pi; 3],
            max: [pi; 3],
            stiffness: [0.0; 3],
            stretch: 0.0,
            rotation_control: 0.0,
        }
    }
}

impl Dof {
    /// Whether any axis is locked or limited.
    pub fn is_bounded(&self) -> bool {
        self.lock.iter().chain(&self.limit).any(|on| *on)
    }
}

fn one() -> f64 {
    1.0
}

fn yes() -> bool {
    true
}

/// One IK constraint.
#[derive(Debug, Deserialize)]
pub struct Constraint {
    pub bone: usize,
    pub target: String,
    /// Bones that may move, effector first.
    pub chain: Vec<usize>,
    pub chain_length: f64,
    #[serde(default = "yes")]
    pub use_tail: bool,
    #[serde(default = "yes")]
    pub use_location: bool,
    #[serde(default)]
    pub use_rotation: bool,
    #[serde(default = "yes")]
    pub use_stretch: bool,
    #[serde(default = "one")]
    pub weight: f64,
    #[serde(default = "one")]
    pub orient_weight: f64,
    #[serde(default = "one")]
    pub influence: f64,
    pub pole: Option<String>,
    #[serde(default)]
    pub pole_angle: f64,
    #[serde(default)]
    pub ik_type: Option<String>,
    #[serde(default)]
    pub lock_location: Option<[bool; 3]>,
    #[serde(default)]
    pub lock_rotation: Option<[bool; 3]>,
    /// `bone` (default) or `target`: whose axes these are.
    #[serde(default)]
    pub reference_axis: Option<String>,
    /// `inside` (default), `outside` or `onsurface`, of a distance.
    #[serde(default)]
    pub limit_mode: Option<String>,
    #[serde(default = "one")]
    pub distance: f64,
}

impl Constraint {
    /// Bone whose rotation a rotation target drives.
    pub fn turned_bone(&self) -> Option<usize> {
        if self.use_tail { Some(self.bone) } else { self.chain.first().copied() }
    }
    /// Whether a distance is kept, in place of the target's position.
    pub fn is_distance(&self) -> bool {
        self.ik_type.as_deref() == Some("distance")
    }
    /// Whether partial axes are the target's.
    pub fn has_target_axes(&self) -> bool {
        self.reference_axis.as_deref() == Some("target")
    }
    /// Distance kept, or only some axes: for the whole-body solver only.
    pub fn is_partial(&self) -> bool {
        self.ik_type.as_deref().is_some_and(|kind| kind != "copy_pose")
            || self.lock_location.into_iter().chain(self.lock_rotation).flatten().any(|controlled| !controlled)
    }
}

/// One evaluated frame.
#[derive(Debug, Deserialize)]
pub struct Frame {
    pub frame: i64,
    pub targets: BTreeMap<String, [f64; 7]>,
    pub influence: Option<Vec<f64>>,
    pub pole_angle: Option<Vec<f64>>,
    pub reachable: Option<bool>,
    pub best_pos_err: Option<Vec<Option<f64>>>,
    /// The reference pose in model space: a check of our forward kinematics.
    #[serde(default)]
    pub model: Vec<[f64; 7]>,
    pub local: Vec<[f64; 4]>,
    pub scale: Option<Vec<f64>>,
    pub local_offset: Option<Vec<[f64; 3]>>,
    /// Like the case's, for this frame alone; not in Blender's files.
    pub witness_local: Option<Vec<[f64; 4]>>,
    #[serde(default)]
    pub pos_err: Vec<Option<f64>>,
    #[serde(default)]
    pub rot_err: Vec<Option<f64>>,
    #[serde(default)]
    pub pole_err: Vec<Option<f64>>,
}

/// Microseconds per evaluation of the reference's whole scene.
#[derive(Debug, Deserialize)]
pub struct Time {
    pub with_ik: f64,
    pub without_ik: f64,
}

impl Case {
    /// Parent of a bone.
    pub fn parent(&self, bone: usize) -> Option<usize> {
        usize::try_from(self.bones.parent[bone]).ok()
    }
    pub fn bone_count(&self) -> usize {
        self.bones.parent.len()
    }
    pub fn rest_local(&self, bone: usize) -> Placement {
        self.bones.rest_local[bone].into()
    }
    /// Settings of a solve that goes on from the frame before; `None` of a stateless case.
    pub fn simulation(&self) -> Option<&Itasc> {
        self.itasc.as_ref().filter(|settings| settings.mode == "simulation")
    }
    /// Locks, limits and stretch of a bone's joint.
    pub fn dof(&self, bone: usize) -> Dof {
        self.dof.iter().find(|d| d.bone == bone).cloned().unwrap_or(Dof { bone, ..Dof::default() })
    }
    /// Joint rotations before IK.
    pub fn fk_rotations(&self) -> Vec<Rotation> {
        self.fk_local.iter().map(|q| Rotation::new(*q)).collect()
    }
    /// Whether a constraint may change the length of this bone.
    pub fn may_stretch(&self, bone: usize) -> bool {
        self.dof(bone).stretch > 0.0 && self.constraints.iter().any(|c| c.use_stretch && c.chain.contains(&bone))
    }
    /// Every bone that some constraint may move, once, parents first.
    pub fn moved_bones(&self) -> Vec<usize> {
        (0..self.bone_count()).filter(|b| self.constraints.iter().any(|c| c.chain.contains(b))).collect()
    }
    /// How far the constraint is followed in this frame.
    pub fn influence(&self, frame: &Frame, constraint: usize) -> f64 {
        let given = frame.influence.as_ref().and_then(|all| all.get(constraint).copied());
        given.unwrap_or(self.constraints[constraint].influence)
    }
    pub fn pole_angle(&self, frame: &Frame, constraint: usize) -> f64 {
        let given = frame.pole_angle.as_ref().and_then(|all| all.get(constraint).copied());
        given.unwrap_or(self.constraints[constraint].pole_angle)
    }

    /// Refuses files that would cause an index out of bounds or a division by zero later.
    fn check(&self) -> Result<()> {
        let n = self.bone_count();
        let columns =
            [self.bones.name.len(), self.bones.length.len(), self.bones.rest_local.len(), self.fk_local.len()];
        if n == 0 || columns.iter().any(|len| *len != n) {
            bail!("columns of different lengths");
        }
        if (0..n).any(|i| self.bones.parent[i] >= i as i64) {
            bail!("a parent does not come before its child");
        }
        if self.witness_local.as_ref().is_some_and(|w| w.len() != n) || self.dof.iter().any(|d| d.bone >= n) {
            bail!("a witness or joint entry does not fit the bones");
        }
        for c in &self.constraints {
            if c.bone >= n || c.chain.is_empty() || c.chain.iter().any(|b| *b >= n) || c.chain_length <= 0.0 {
                bail!("a constraint does not fit the bones");
            }
            if c.chain.windows(2).any(|pair| self.parent(pair[0]) != Some(pair[1])) {
                bail!("a chain does not run from child to parent");
            }
        }
        for frame in &self.frames {
            let fits = |len: usize| len == n;
            if !fits(frame.local.len())
                || frame.witness_local.as_ref().is_some_and(|w| !fits(w.len()))
                || frame.scale.as_ref().is_some_and(|s| !fits(s.len()))
                || frame.local_offset.as_ref().is_some_and(|o| !fits(o.len()))
            {
                bail!("frame {}: the pose does not fit the bones", frame.frame);
            }
            let named = self.constraints.iter().flat_map(|c| [Some(&c.target), c.pole.as_ref()]).flatten();
            if let Some(lost) = named.into_iter().find(|name| !frame.targets.contains_key(*name)) {
                bail!("frame {}: no target {lost}", frame.frame);
            }
        }
        Ok(())
    }
}

impl Frame {
    /// Position and rotation of a named target or pole.
    pub fn target(&self, name: &str) -> Placement {
        self.targets[name].into()
    }
    /// The reference's joint rotations, scales and offsets.
    pub fn pose(&self) -> super::kinematics::BonePose {
        let n = self.local.len();
        super::kinematics::BonePose {
            rotation: self.local.iter().map(|q| Rotation::new(*q)).collect(),
            scale: self.scale.clone().unwrap_or_else(|| vec![1.0; n]),
            offset: match &self.local_offset {
                Some(offsets) => offsets.iter().map(|o| V3(*o)).collect(),
                None => vec![V3::ZERO; n],
            },
        }
    }
}

/// Reads one group from its text.
pub fn parse(text: &str) -> Result<Group> {
    let group: Group = serde_json::from_str(text)?;
    if group.format != "ik-reference/1" {
        bail!("format {:?}, expected \"ik-reference/1\"", group.format);
    }
    for case in &group.cases {
        case.check().with_context(|| format!("case {}", case.id))?;
    }
    Ok(group)
}

/// Every `*.json` of a folder, in the order of names, whose name starts with `only`; an error where
/// there is none.
pub fn list_folder(folder: &Path, only: Option<&str>) -> Result<Vec<(String, std::path::PathBuf)>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if path.extension().is_some_and(|e| e == "json") && only.is_none_or(|only| stem.starts_with(only)) {
            files.push((stem, path));
        }
    }
    files.sort();
    if files.is_empty() {
        bail!("no matching *.json in {}", folder.display());
    }
    Ok(files)
}

/// Reads what [`list_folder`] finds.
pub fn read_folder(folder: &Path, only: Option<&str>) -> Result<Vec<Group>> {
    let mut groups = Vec::new();
    for (stem, path) in list_folder(folder, only)? {
        let text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        let mut group = parse(&text).with_context(|| path.display().to_string())?;
        if group.group.is_empty() {
            group.group = stem;
        }
        groups.push(group);
    }
    Ok(groups)
}
