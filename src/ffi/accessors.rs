//! Exports that hand their arguments to one method of the animator, or return what one method returns.
//!
//! An entry of [`accessors!`] is a whole C function: its text, its name, and each argument with the
//! reader (in [`argument`]) that checks it.
//!
//! - `set NAME(ARGUMENT: TYPE => READER, …) = METHOD;` calls `METHOD` with the arguments.
//! - `get NAME(…) -> OUT: TYPE = METHOD;` writes what `METHOD` returns to `OUT`.
//! - `get_posed` is `get` after the pose buffer has been read.
//!
//! `xtask/src/codegen/expand.rs` reads the same entries for the header and for C#.

/// Readers of single arguments: name and raw value in, checked value out.
pub(super) mod argument {
    use super::super::guard::{Failure, in_ref};
    use super::super::read;
    use super::super::types::{SinewQuat, SinewVec3};
    use crate::humanoid::{HumanBone, IkGoal, IkHint};
    use crate::math::{Quat, Vec3};

    pub fn goal(_: &str, raw: i32) -> Result<IkGoal, Failure> {
        read::goal(raw)
    }
    pub fn hint(_: &str, raw: i32) -> Result<IkHint, Failure> {
        read::hint(raw)
    }
    pub fn bone(_: &str, raw: i32) -> Result<HumanBone, Failure> {
        read::bone(raw)
    }
    pub fn number(name: &str, value: f32) -> Result<f32, Failure> {
        read::weight(name, value)
    }
    pub fn vec3(name: &str, value: Option<&SinewVec3>) -> Result<Vec3, Failure> {
        read::vec3(name, in_ref(value, name)?)
    }
    pub fn quat(name: &str, value: Option<&SinewQuat>) -> Result<Quat, Failure> {
        read::quat(name, in_ref(value, name)?)
    }
}

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
        #[unsafe(no_mangle)]
        pub extern "C" fn $function(animator: SinewAnimator, $($name: $ty),*) -> SinewResult {
            guard(stringify!($function), || {
                $(let $name = $crate::ffi::accessors::argument::$reader(stringify!($name), $name)?;)*
                registry::with_animator(animator, |character| Ok(character.animator.$method($($name),*)?))
            })
        }
    };
    (@get $($rest:tt)*) => {
        $crate::ffi::accessors::accessors!(@read (|_: &mut _| Ok::<_, $crate::ffi::guard::Failure>(())) $($rest)*);
    };
    (@get_posed $($rest:tt)*) => {
        $crate::ffi::accessors::accessors!(@read ($crate::world::Character::load_pose) $($rest)*);
    };
    (@read ($prepare:expr) [$(#[$doc:meta])*] $function:ident($($name:ident: $ty:ty => $reader:ident),*)
        $out:ident: $out_ty:ty = $method:ident
    ) => {
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub extern "C" fn $function(animator: SinewAnimator, $($name: $ty,)* $out: $out_ty) -> SinewResult {
            guard(stringify!($function), || {
                let $out = $crate::ffi::guard::out_ref($out, stringify!($out))?;
                $(let $name = $crate::ffi::accessors::argument::$reader(stringify!($name), $name)?;)*
                registry::with_animator(animator, |character| {
                    $prepare(&mut *character)?;
                    *$out = character.animator.$method($($name),*)?.into();
                    Ok(())
                })
            })
        }
    };
}
pub(super) use accessors;
