//! How a function is exported: past the recorder, while there is no recording.

use super::recorder;
use super::shapes::Kind;

/// Whether a call is logged: while there is no recording this is all that it costs.
#[inline(always)]
pub fn is_logged(kind: Kind) -> bool {
    !matches!(kind, Kind::silent) && recorder::is_recording()
}

/// Defines the exported functions, and the table of them.
macro_rules! exports {
    ($($index:literal $kind:ident [$($unsafe:ident)?] $module:ident $name:ident(
        $($argument:ident: $type:ty = $shape:expr),*
    );)*) => {
        $(
            #[doc = concat!("`", stringify!($name), "` of include/sinew/sinew.h, which has its manual.")]
            // Exported functions are compiled whether they are called or not; in the library's own
            // tests hardly any is.
            #[cfg_attr(all(feature = "capi", not(test)), unsafe(no_mangle))]
            pub $($unsafe)? extern "C" fn $name($($argument: $type),*) -> SinewResult {
                // Apart, so that the usual way needs no stack for it.
                #[cold]
                #[inline(never)]
                extern "C" fn logged($($argument: $type),*) -> SinewResult {
                    recorder::call(&FUNCTIONS[$index], &[$(to_word($argument)),*])
                }
                if is_logged(Kind::$kind) {
                    return logged($($argument),*);
                }
                // SAFETY: required of the caller, where the function is unsafe.
                #[allow(unused_unsafe)]
                unsafe { super::$module::$name($($argument),*) }
            }
        )*

        /// All functions, by their number.
        pub static FUNCTIONS: [Function; [$($index),*].len()] = [$(Function {
            index: $index,
            name: stringify!($name),
            kind: Kind::$kind,
            shapes: &[$($shape),*],
            way: way(Kind::$kind, &[$($shape),*]),
            thunk: |words| {
                let [$($argument),*] = words else { return wrong_count() };
                // SAFETY: required of the caller of `Function::run`.
                #[allow(unused_unsafe)]
                unsafe { super::$module::$name($(from_word::<$type>(*$argument)),*) }
            },
        }),*];
    };
}
pub(super) use exports;
