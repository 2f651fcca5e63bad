//! The arrays of one call, checked, and read and written in place by row.

use super::guard::Failure;
use super::result::SinewResult;
use super::types::{SinewHumanoidInput, SinewPoseLayout, SinewTransform, SinewWorldFrame};
use super::{input, read};
use crate::math::{Quat, Transform, Vec3};
use crate::store::enter;
use crate::world::{Character, Host, PosePlace, WorldError};
use core::cell::Cell;
use std::sync::Mutex;

/// Numbers of one kind, per row and joint.
#[derive(Clone, Copy)]
struct Strided {
    first: *mut f32,
    row: usize,
    joint: usize,
}

impl Strided {
    fn at(&self, row: u32, joint: usize) -> *mut f32 {
        self.first.wrapping_byte_add(row as usize * self.row + joint * self.joint)
    }
    /// `COUNT` floats of a joint.
    fn read<const COUNT: usize>(&self, row: u32, joint: usize) -> [f32; COUNT] {
        // SAFETY: the caller vouches for the memory that address and strides describe; it was
        // checked to be aligned.
        unsafe { self.at(row, joint).cast::<[f32; COUNT]>().read() }
    }
    fn write<const COUNT: usize>(&self, row: u32, joint: usize, numbers: [f32; COUNT]) {
        // SAFETY: as above, and no two rows or joints share memory, as far as the strides go.
        unsafe { self.at(row, joint).cast::<[f32; COUNT]>().write(numbers) };
    }
}

enum Poses {
    Own,
    Records {
        first: *mut SinewTransform,
        stride: usize,
    },
    Pointers(*const *mut SinewTransform),
    Strided {
        positions: Strided,
        rotations: Strided,
        scales: Option<Strided>,
    },
    /// The world's own arrays.
    Soa,
}

/// A frame whose pointers and strides were checked.
pub(super) struct HostFrame {
    poses: Poses,
    roots: Option<(*const SinewTransform, usize)>,
    inputs: Option<(*const SinewHumanoidInput, usize)>,
    /// Why the first row that the frame's own numbers spoil was refused.
    refusal: Mutex<Option<(u32, Failure)>>,
}

// SAFETY: the threads that solve work on different rows; the caller vouches that rows do not share
// memory and that no other code uses it.
unsafe impl Sync for HostFrame {}

impl HostFrame {
    /// No frame: the animators' own buffers.
    pub fn own() -> Self {
        Self { poses: Poses::Own, roots: None, inputs: None, refusal: Mutex::new(None) }
    }

    /// Checks everything that can be checked: `joints` is the largest number of joints of an
    /// animator in the world.
    pub fn new(frame: &SinewWorldFrame, joints: usize) -> Result<Self, Failure> {
        let rows = frame.row_count as usize;
        let poses = match read::pose_layout("frame.layout", frame.layout)? {
            SinewPoseLayout::Own => Poses::Own,
            SinewPoseLayout::Soa => Poses::Soa,
            SinewPoseLayout::Records => {
                pointer("frame.records", frame.records)?;
                let stride = stride("frame.records_stride", frame.records_stride)?;
                if stride < joints * size_of::<SinewTransform>() {
                    return Err(Failure::argument(format_args!(
                        "frame.records_stride is {stride}, an animator has {joints} joints of 40 bytes"
                    )));
                }
                Poses::Records { first: frame.records, stride }
            }
            SinewPoseLayout::Pointers => {
                pointer("frame.pointers", frame.pointers)?;
                Poses::Pointers(frame.pointers)
            }
            SinewPoseLayout::Strided => {
                let f = frame;
                let one = |name: &str, first: *mut f32, row: u32, joint: u32, floats: usize| {
                    pointer(format_args!("frame.{name}"), first)?;
                    let row = stride(format_args!("frame.{name}_row_stride"), row)?;
                    let joint = stride(format_args!("frame.{name}_joint_stride"), joint)?;
                    let size = floats * size_of::<f32>();
                    let steps_over = |inner: usize, count: usize, outer: usize| {
                        inner >= size && outer >= inner.saturating_mul(count.saturating_sub(1)).saturating_add(size)
                    };
                    if joints > 0 && rows > 0 && !steps_over(joint, joints, row) && !steps_over(row, rows, joint) {
                        return Err(Failure::argument(format_args!(
                            "frame.{name}: with strides of {row} bytes per row and {joint} per joint, {rows} rows of {joints} joints overlap"
                        )));
                    }
                    Ok(Strided { first, row, joint })
                };
                let scales = if f.scales.is_null() {
                    None
                } else {
                    // Scales are only read, so they may overlap.
                    pointer("frame.scales", f.scales)?;
                    let row = stride("frame.scales_row_stride", f.scales_row_stride)?;
                    let joint = stride("frame.scales_joint_stride", f.scales_joint_stride)?;
                    Some(Strided { first: f.scales.cast_mut(), row, joint })
                };
                Poses::Strided {
                    positions: one("positions", f.positions, f.positions_row_stride, f.positions_joint_stride, 3)?,
                    rotations: one("rotations", f.rotations, f.rotations_row_stride, f.rotations_joint_stride, 4)?,
                    scales,
                }
            }
        };
        Ok(Self {
            poses,
            roots: records("roots", frame.roots, frame.roots_stride)?,
            inputs: records("inputs", frame.inputs, frame.inputs_stride)?,
            refusal: Mutex::new(None),
        })
    }

    /// A row's records, where the host brings such.
    fn records_at(&self, row: u32, joints: usize) -> Result<Option<&[Cell<Transform>]>, Failure> {
        let first = match &self.poses {
            Poses::Own | Poses::Strided { .. } | Poses::Soa => return Ok(None),
            Poses::Records { first, stride } => first.wrapping_byte_add(row as usize * stride),
            Poses::Pointers(pointers) => {
                // SAFETY: the caller vouches for one pointer per row.
                let transforms = unsafe { pointers.add(row as usize).read() };
                pointer(format_args!("frame.pointers[{row}]"), transforms)?;
                transforms
            }
        };
        // SAFETY: the caller vouches for one transform per joint that no other thread uses during
        // the call; the two records are the same ten floats (see `convert`), and a cell has the
        // form of what is in it.
        Ok(Some(unsafe { core::slice::from_raw_parts(first.cast::<Cell<Transform>>(), joints) }))
    }

    fn load_pose(&self, row: u32, character: &mut Character) -> Result<(), Failure> {
        if let Some(records) = self.records_at(row, character.buffer().len())? {
            character.load_pose_from(records.iter().map(Cell::get))?;
        } else if let Poses::Strided { positions, rotations, scales } = &self.poses {
            let skeleton = character.animator.skeleton().clone();
            let at = |(joint, rest): (usize, &Transform)| Transform {
                position: Vec3::from_array(positions.read(row, joint)),
                rotation: Quat::from_array(rotations.read(row, joint)),
                scale: scales.map_or(rest.scale, |scales| Vec3::from_array(scales.read(row, joint))),
            };
            character.load_pose_from(skeleton.rest_local().iter().enumerate().map(at))?;
        } else {
            character.check_pose()?;
        }
        Ok(())
    }

    /// The animation of a row as the host brings it, and its size: `None` where it is in the
    /// character's own buffer or in the world's arrays, or its address is no such.
    pub fn gather(&self, row: u32, character: &Character, mut put: impl FnMut(SinewTransform)) -> Option<()> {
        if let Poses::Strided { positions, rotations, scales } = &self.poses {
            for (joint, rest) in character.animator.skeleton().rest_local().iter().enumerate() {
                let transform = Transform {
                    position: Vec3::from_array(positions.read(row, joint)),
                    rotation: Quat::from_array(rotations.read(row, joint)),
                    scale: scales.map_or(rest.scale, |scales| Vec3::from_array(scales.read(row, joint))),
                };
                put(transform.into());
            }
            return Some(());
        }
        let records = self.records_at(row, character.buffer().len()).ok()??;
        records.iter().for_each(|record| put(record.get().into()));
        Some(())
    }

    /// Keeps the reason of the first such row for [`Self::refusal`].
    #[cold]
    fn refused(&self, row: u32, failure: Failure) -> WorldError {
        let error = WorldError::Refused(failure.code as i32);
        let mut first = enter(&self.refusal);
        if first.as_ref().is_none_or(|(before, _)| row <= *before) {
            *first = Some((row, failure));
        }
        error
    }

    /// Why a row was refused, if it was the first that was.
    pub fn refusal(&self, row: u32) -> Option<Failure> {
        enter(&self.refusal).take().filter(|(first, _)| *first == row).map(|(_, failure)| failure)
    }

    fn load(&self, row: u32, character: &mut Character, with_pose: bool) -> Result<(), Failure> {
        let root = match self.roots {
            Some((first, stride)) => {
                // SAFETY: the caller vouches for one transform per row.
                let root = unsafe { first.wrapping_byte_add(row as usize * stride).read() };
                Some(read::transform(format_args!("frame.roots[{row}]"), &root)?)
            }
            None => None,
        };
        let given = match self.inputs {
            Some((first, stride)) if character.animator.is_human() => {
                // SAFETY: the caller vouches for one input per row.
                let given = unsafe { &*first.wrapping_byte_add(row as usize * stride) };
                Some(input::read(given)?)
            }
            _ => None,
        };
        if with_pose {
            self.load_pose(row, character)?;
        }
        if let Some(root) = root {
            character.animator.set_root(root)?;
        }
        if let Some(given) = given {
            character.animator.set_input(&given)?;
        }
        Ok(())
    }
}

impl Host for HostFrame {
    fn load(&self, row: u32, character: &mut Character) -> Result<(), WorldError> {
        HostFrame::load(self, row, character, true).map_err(|failure| self.refused(row, failure))
    }
    fn load_input(&self, row: u32, character: &mut Character) -> Result<(), WorldError> {
        HostFrame::load(self, row, character, false).map_err(|failure| self.refused(row, failure))
    }
    fn records<'a>(&'a self, row: u32, character: &'a Character) -> Option<&'a [Cell<Transform>]> {
        match &self.poses {
            Poses::Own => None,
            // What is wrong with an address comes to light when the row is loaded.
            _ => self.records_at(row, character.buffer().len()).ok().flatten(),
        }
    }
    fn store(&self, row: u32, character: &Character) {
        let solved = character.animator.pose().local();
        match &self.poses {
            Poses::Own | Poses::Soa => {}
            Poses::Strided { positions, rotations, .. } => {
                for (joint, transform) in solved.iter().enumerate() {
                    positions.write(row, joint, transform.position.to_array());
                    rotations.write(row, joint, transform.rotation.to_array());
                }
            }
            Poses::Records { .. } | Poses::Pointers(_) => {
                let records = self.records_at(row, solved.len()).ok().flatten().unwrap_or_default();
                records.iter().zip(solved).for_each(|(record, transform)| record.set(*transform));
            }
        }
    }
    fn poses(&self) -> PosePlace {
        match self.poses {
            Poses::Own => PosePlace::Own,
            Poses::Soa => PosePlace::Arrays,
            Poses::Records { .. } | Poses::Pointers(_) | Poses::Strided { .. } => PosePlace::Host,
        }
    }
}

fn pointer<T>(argument: impl core::fmt::Display, pointer: *const T) -> Result<(), Failure> {
    if pointer.is_null() {
        return Err(Failure::new(SinewResult::SinewErrorNullPointer, format_args!("{argument} is NULL")));
    }
    if !pointer.is_aligned() {
        return Err(Failure::argument(format_args!("{argument} is not aligned to {} bytes", align_of::<T>())));
    }
    Ok(())
}

fn stride(argument: impl core::fmt::Display, bytes: u32) -> Result<usize, Failure> {
    if bytes.is_multiple_of(4) {
        return Ok(bytes as usize);
    }
    Err(Failure::argument(format_args!("{argument} is {bytes}, no multiple of 4")))
}

/// An array that may be missing, read only: so its records may overlap or be one and the same.
fn records<T>(name: &str, first: *const T, bytes: u32) -> Result<Option<(*const T, usize)>, Failure> {
    if first.is_null() {
        return Ok(None);
    }
    pointer(format_args!("frame.{name}"), first)?;
    Ok(Some((first, stride(format_args!("frame.{name}_stride"), bytes)?)))
}
