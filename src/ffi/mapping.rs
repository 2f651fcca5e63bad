//! The automatic mapping with its report.

use super::c_types::c_char;
use super::guard::{Failure, guard, optional_in, optional_out, out_ref};
use super::ids::SinewSkeleton;
use super::result::SinewResult;
use super::types::{
    SINEW_HUMAN_BONE_COUNT, SINEW_MAPPING_AXES, SINEW_MAPPING_LEFT_HANDED, SinewBodyShape, SinewEvidence,
    SinewMappedBone, SinewMappingHints, SinewMappingReport, SinewSideSource, SinewVec3,
};
use super::{read, registry, rooms};
use crate::humanoid::{BodyShape, Evidence, HumanBone, MappingHints, MappingReport, SideSource, map_joints_with};
use crate::skeleton::Skeleton;
use core::fmt::Write;

/// Fills mapping hints with defaults: axes computed, right-handed model space.
///
/// @param out_hints  the hints.
pub extern "C" fn sinew_mapping_hints_default(out_hints: Option<&mut SinewMappingHints>) -> SinewResult {
    guard("sinew_mapping_hints_default", || {
        *out_ref(out_hints, "out_hints")? = SinewMappingHints {
            struct_size: size_of::<SinewMappingHints>() as u32,
            flags: 0,
            up: SinewVec3::default(),
            forward: SinewVec3::default(),
        };
        Ok(())
    })
}

fn mapped(skeleton: &Skeleton, hints: Option<&SinewMappingHints>) -> Result<MappingReport, Failure> {
    let hints = match hints {
        None => MappingHints::default(),
        Some(hints) => {
            read::struct_size("hints.struct_size", hints.struct_size, size_of::<SinewMappingHints>())?;
            read::flags("hints.flags", hints.flags, SINEW_MAPPING_LEFT_HANDED)?;
            MappingHints {
                up: read::axis("hints.up", hints.up)?,
                forward: read::axis("hints.forward", hints.forward)?,
                left_handed: hints.flags & SINEW_MAPPING_LEFT_HANDED != 0,
            }
        }
    };
    Ok(map_joints_with(skeleton, &hints))
}

/// Maps human bones like sinew_skeleton_map_human_bones, with what is known about the axes, and
/// reports how. Allocates.
///
/// @param hints       see SinewMappingHints; NULL: the defaults.
/// @param out_bones   SINEW_HUMAN_BONE_COUNT entries, one per SinewHumanBone.
/// @param count       length of out_bones: SINEW_HUMAN_BONE_COUNT.
/// @param out_report  shape, sides, axes and counts; may be NULL.
/// @return SINEW_ERROR_LENGTH_MISMATCH: count; SINEW_ERROR_INVALID_ARGUMENT: unknown flags.
pub unsafe extern "C" fn sinew_skeleton_map_with_report(
    skeleton: SinewSkeleton,
    hints: Option<&SinewMappingHints>,
    out_bones: *mut SinewMappedBone,
    count: u32,
    out_report: Option<&mut SinewMappingReport>,
) -> SinewResult {
    guard("sinew_skeleton_map_with_report", || {
        let hints = optional_in(hints, "hints")?;
        let out_report = optional_out(out_report, "out_report")?;
        let skeleton = registry::skeleton(skeleton)?;
        if count != SINEW_HUMAN_BONE_COUNT {
            return Err(Failure::new(
                SinewResult::SinewErrorLengthMismatch,
                format_args!("count is {count}, not {SINEW_HUMAN_BONE_COUNT}"),
            ));
        }
        // SAFETY: required of the caller of the C function; see `read`.
        let out = unsafe { read::array_mut("out_bones", out_bones, HumanBone::COUNT) }?;
        let _room = rooms::MAPPING.room(skeleton.joint_count())?;
        let report = mapped(&skeleton, hints)?;
        out.fill(SinewMappedBone { joint: -1, evidence: SinewEvidence::None as i32, confidence: 0.0 });
        for entry in &report.entries {
            out[entry.bone.index()] = SinewMappedBone {
                joint: entry.joint as i32,
                evidence: evidence(entry.evidence) as i32,
                confidence: entry.confidence,
            };
        }
        if let Some(out_report) = out_report {
            *out_report = summary(&report);
        }
        Ok(())
    })
}

fn evidence(evidence: Evidence) -> SinewEvidence {
    match evidence {
        Evidence::Name => SinewEvidence::Name,
        Evidence::Topology => SinewEvidence::Topology,
        Evidence::Geometry => SinewEvidence::Geometry,
    }
}

fn summary(report: &MappingReport) -> SinewMappingReport {
    let shape = match report.shape {
        BodyShape::Humanoid => SinewBodyShape::Humanoid,
        BodyShape::Incomplete => SinewBodyShape::Incomplete,
        BodyShape::FourLegged => SinewBodyShape::FourLegged,
        BodyShape::Unknown => SinewBodyShape::Unknown,
    };
    let sides = match report.sides {
        SideSource::Names => SinewSideSource::Names,
        SideSource::Facing => SinewSideSource::Facing,
    };
    let mut out = SinewMappingReport {
        shape: shape as i32,
        sides: sides as i32,
        found_count: report.map.len() as u32,
        missing_count: report.missing_required.len() as u32,
        note_count: report.notes.len() as u32,
        ..SinewMappingReport::default()
    };
    if let Some(axes) = &report.axes {
        out.flags = SINEW_MAPPING_AXES | if axes.left_handed { SINEW_MAPPING_LEFT_HANDED } else { 0 };
        (out.right, out.up, out.forward) = (axes.right.into(), axes.up.into(), axes.forward.into());
    }
    out
}

/// Returns the mapping of sinew_skeleton_map_with_report in words, English, for people: a line per
/// human bone with its joint, the reason and the confidence, then required bones that are missing,
/// then doubts and contradictions. Allocates; maps again, so the same hints give the same mapping.
///
/// @param hints       see SinewMappingHints; NULL: the defaults.
/// @param out_text    room for `capacity` bytes: UTF-8, zero-terminated; may be NULL when capacity
///                    is 0.
/// @param capacity    number of bytes there is room for, the terminating zero included.
/// @param out_length  bytes that the text needs, the zero included; also written with
///                    SINEW_ERROR_BUFFER_TOO_SMALL.
/// @return SINEW_ERROR_BUFFER_TOO_SMALL: out_text is not written; SINEW_ERROR_INVALID_ARGUMENT:
///         unknown flags.
pub unsafe extern "C" fn sinew_skeleton_get_mapping_text(
    skeleton: SinewSkeleton,
    hints: Option<&SinewMappingHints>,
    out_text: *mut c_char,
    capacity: u32,
    out_length: Option<&mut u32>,
) -> SinewResult {
    guard("sinew_skeleton_get_mapping_text", || {
        let hints = optional_in(hints, "hints")?;
        let skeleton = registry::skeleton(skeleton)?;
        let out_length = out_ref(out_length, "out_length")?;
        let _room = rooms::MAPPING.room(skeleton.joint_count())?;
        let text = text(&skeleton, &mapped(&skeleton, hints)?);
        // SAFETY: required of the caller of the C function; see `read`.
        unsafe { read::write_text("out_text", &text, out_text, capacity, out_length) }
    })
}

fn text(skeleton: &Skeleton, report: &MappingReport) -> String {
    let mut text = String::new();
    for entry in &report.entries {
        // A zero in a name would end the text early; names come from C and have none.
        let name = &skeleton.names()[entry.joint];
        let _ = writeln!(
            text,
            "{}: joint {} \"{name}\", {} (confidence {:.2})",
            entry.bone.name(),
            entry.joint,
            entry.why,
            entry.confidence
        );
    }
    for bone in &report.missing_required {
        let _ = writeln!(text, "missing: {}", bone.name());
    }
    for note in &report.notes {
        let _ = writeln!(text, "note: {note}");
    }
    text
}
