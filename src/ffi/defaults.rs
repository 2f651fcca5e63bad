//! Defaults of structs for clients that know them as they once were.

use super::animator_settings;
use super::avatar;
use super::c_types::c_void;
use super::grounder_read;
use super::guard::{Failure, guard};
use super::read;
use super::result::SinewResult;
use super::sized_defaults::sized_defaults;
use super::types::{SinewSizedStruct, SinewSizedStructArg};
use safer_ffi::layout::ReprC;

/// A default function whose error texts are its own.
struct Filler<'a> {
    function: &'static str,
    argument: &'a str,
    older: &'a [usize],
}

impl Filler<'_> {
    /// Fills as much of a struct as the caller has. Not inlined: the structs of all kinds would be
    /// on the stack at once.
    ///
    /// # Safety
    /// `out` is NULL or leads to `size` bytes.
    #[inline(never)]
    unsafe fn fill<T: ReprC + Copy>(
        &self,
        out: *mut c_void,
        size: u32,
        default: impl FnOnce(Option<&mut T>) -> SinewResult,
    ) -> SinewResult {
        // SAFETY: such structs are plain numbers and pointers.
        let mut whole: T = unsafe { core::mem::zeroed() };
        let code = default(Some(&mut whole));
        if code != SinewResult::SinewOk {
            return code;
        }
        guard(self.function, || {
            read::check_pointer(self.argument, out.cast::<T>(), 1)?;
            if size as usize != size_of::<T>() && !self.older.contains(&(size as usize)) {
                let message = format_args!("{} has {size} bytes, the library has {}", self.argument, size_of::<T>());
                return Err(Failure::new(SinewResult::SinewErrorStructSize, message));
            }
            // SAFETY: the caller vouches for as many bytes; they are not more than T has.
            unsafe { core::ptr::copy_nonoverlapping((&raw const whole).cast(), out.cast::<u8>(), size as usize) };
            // SAFETY: every such struct begins with its size.
            unsafe { out.cast::<u32>().write(size) };
            Ok(())
        })
    }
}

/// Sizes that a struct once had.
fn older_sizes(which: SinewSizedStruct) -> &'static [usize] {
    match which {
        SinewSizedStruct::AvatarDef => &avatar::OLDER_SIZES,
        SinewSizedStruct::HumanoidSettings => &animator_settings::OLDER_SIZES,
        SinewSizedStruct::GrounderSettings => &grounder_read::OLDER_SETTINGS,
        _ => &[],
    }
}

/// The call for `$which`, out of the rows of [`sized_defaults`].
macro_rules! fill_default {
    (($which:ident, $argument:ident, $out:ident, $size:ident)
     $($variant:ident: $type:ident = $module:ident::$default:ident([$($kind:ident)?] $name:ident);)*) => {
        match $which {
            $(SinewSizedStruct::$variant => {
                let (function, argument) = (stringify!($default), stringify!($name));
                let filler = Filler { function, argument, older: older_sizes($which) };
                let default = |out: Option<&mut super::types::$type>| {
                    super::$module::$default($(fill_default!(@ $kind $argument),)? out)
                };
                // SAFETY: required of the caller of the C function; see `read`.
                unsafe { filler.fill($out, $size, default) }
            })*
        }
    };
    (@ $kind:ident $argument:ident) => {
        $argument
    };
}

/// Fills a struct with defaults like its ..._default function, but no more of it than the caller
/// has. The macros ..._default of the C header call it, so that a client that was compiled when the
/// struct was smaller is never overrun.
///
/// @param which     a SinewSizedStruct.
/// @param argument  what the ..._default function takes beside the struct: a SinewBodyTaskKind for
///                  SINEW_SIZED_STRUCT_BODY_TASK_DEF; not used for the others.
/// @param out       the struct.
/// @param size      size of the caller's struct, bytes.
/// @return SINEW_ERROR_STRUCT_SIZE: a size that the struct never had; nothing is written.
pub unsafe extern "C" fn sinew_default_sized(
    which: SinewSizedStructArg,
    argument: i32,
    out: *mut c_void,
    size: u32,
) -> SinewResult {
    let mut chosen = None;
    let code = guard("sinew_default_sized", || {
        chosen = Some(read::decode::<SinewSizedStruct>("which", which)?);
        Ok(())
    });
    let Some(which) = chosen else { return code };
    sized_defaults! { fill_default(which, argument, out, size) }
}
