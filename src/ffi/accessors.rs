//! Exports that hand their arguments to one method of the animator, or return what one method
//! returns.
//!
//! An entry of [`accessors!`] is a whole C function: its text, its name, and each argument with the
//! reader (in `argument`) that checks it.
//!
//! - `set NAME(ARGUMENT: TYPE => READER, …) = METHOD;` calls `METHOD` with the arguments.
//! - `get NAME(…) -> OUT: TYPE = METHOD;` writes what `METHOD` returns to `OUT`.
//! - `get_posed` is `get` after the pose buffer has been read.
//! - `get_of_buffer` calls a method of the character, which reads from the buffer what it needs.
//!
//! `xtask/src/codegen/expand.rs` reads the same entries for the header and for C#.

use super::guard::Failure;
use crate::world::Character;

macro_rules! accessors {
    ($(
        $(#[$doc:meta])*
        $kind:ident $function:ident($($name:ident: $ty:ty => $reader:ident),*)
            $(-> $out:ident: $out_ty:ty)? = $method:ident;
    )*) => {
        $($crate::ffi::accessors::accessors!(
            @$kind [$(#[$doc])*] $function($($name: $ty => $reader),*) $($out: $out_ty)? = $method
        );)*
    };
    (@set [$(#[$doc:meta])*] $function:ident($($name:ident: $ty:ty => $reader:ident),*) = $method:ident) => {
        $(#[$doc])*
        pub extern "C" fn $function(animator: SinewAnimator, $($name: $ty),*) -> SinewResult {
            guard(stringify!($function), || {
                $(let $name = $crate::ffi::argument::$reader(stringify!($name), $name)?;)*
                registry::with_animator(animator, |character| Ok(character.animator.$method($($name),*)?))
            })
        }
    };
    (@get $($rest:tt)*) => {
        $crate::ffi::accessors::accessors!(
            @read animator ($crate::ffi::accessors::nothing) (|_: &str, value| Ok(value)) $($rest)*
        );
    };
    (@get_posed $($rest:tt)*) => {
        $crate::ffi::accessors::accessors!(
            @read animator ($crate::world::Character::check_pose) ($crate::ffi::read::computed) $($rest)*
        );
    };
    (@get_of_buffer $($rest:tt)*) => {
        $crate::ffi::accessors::accessors!(
            @read character ($crate::ffi::accessors::nothing) ($crate::ffi::read::computed) $($rest)*
        );
    };
    (@read $of:ident ($prepare:expr) ($check:expr) [$(#[$doc:meta])*]
        $function:ident($($name:ident: $ty:ty => $reader:ident),*) $out:ident: $out_ty:ty = $method:ident
    ) => {
        $(#[$doc])*
        pub extern "C" fn $function(animator: SinewAnimator, $($name: $ty,)* $out: $out_ty) -> SinewResult {
            guard(stringify!($function), || {
                let $out = $crate::ffi::guard::out_ref($out, stringify!($out))?;
                $(let $name = $crate::ffi::argument::$reader(stringify!($name), $name)?;)*
                registry::with_animator(animator, |character| {
                    $prepare(&mut *character)?;
                    let found = $crate::ffi::accessors::accessors!(@$of character).$method($($name),*)?;
                    let found: Result<_, $crate::ffi::guard::Failure> = $check(stringify!($out), found);
                    *$out = found?.into();
                    Ok(())
                })
            })
        }
    };
    (@animator $character:ident) => { $character.animator };
    (@character $character:ident) => { $character };
}
pub(super) use accessors;

/// What a getter does before that reads nothing of the pose buffer, or reads it itself.
#[inline(always)]
pub(super) fn nothing(_: &mut Character) -> Result<(), Failure> {
    Ok(())
}
