//! `Sinew`: recordings of what the nodes solve.

use godot::builtin::GString;
use godot::classes::ProjectSettings;
use godot::global::{Error, godot_error, godot_warn};
use godot::obj::Singleton;
use godot::register::{GodotClass, godot_api};
use sinew::ffi::mirror::take_left_out;
use sinew::ffi::{SinewResult, sinew_last_error, sinew_record_begin, sinew_record_end};
use std::ffi::{CStr, CString};

/// Calls that belong to no node.
///
/// A recording holds everything that the nodes solve while it runs: rigs, poses, goals, settings
/// and answers. It is replayed without the game by [code]cargo xtask replay[/code], with the same
/// bits.
/// [codeblock]
/// Sinew.record_begin("user://bug.sinewlog")
/// # Some frames later:
/// Sinew.record_end()
/// [/codeblock]
/// The search of [SinewBodyTies] for the places where bodies meet is not in it; the solves for
/// these places are. Of remote players ([member SinewTrackedBody.remote]) it has the samples of
/// trackers, not the packets. [method record_end] warns of solves that it lacks.
#[derive(GodotClass)]
#[class(base = Object, no_init)]
pub struct Sinew {}

#[godot_api]
impl Sinew {
    /// Begins a recording in a file, which is replaced: an absolute path, or one that begins with
    /// [code]user://[/code] or [code]res://[/code]. Nodes may exist already. While it runs,
    /// updates cost two to three times as much.
    #[func]
    pub fn record_begin(path: GString) -> Error {
        let path = ProjectSettings::singleton().globalize_path(&path).to_string();
        let Ok(path) = CString::new(path) else { return Error::ERR_INVALID_PARAMETER };
        take_left_out();
        // SAFETY: a zero-terminated text.
        answer(unsafe { sinew_record_begin(path.as_ptr()) }, Error::ERR_CANT_CREATE)
    }
    /// Ends the recording.
    #[func]
    pub fn record_end() -> Error {
        let result = sinew_record_end();
        let left_out = take_left_out();
        if left_out > 0 {
            godot_warn!("{left_out} solves could not be made by C calls and are not in the recording.");
        }
        answer(result, Error::FAILED)
    }
}

/// The error of a call that failed, which is printed.
fn answer(result: SinewResult, error: Error) -> Error {
    if result == SinewResult::SinewOk {
        return Error::OK;
    }
    let mut text = core::ptr::null();
    sinew_last_error(Some(&mut text));
    // SAFETY: the text of the call that has just failed.
    let why = unsafe { CStr::from_ptr(text) }.to_string_lossy();
    godot_error!("{why}");
    error
}
