//! Arguments of methods that scripts call.

use godot::builtin::{AnyArray, Array, NodePath, Vector3};
use godot::global::godot_error;
use godot::meta::Element;
use godot::obj::{Gd, GodotClass};

/// A number as an index below `count`. `None` outside, with an error that names the call.
pub fn index(call: &str, argument: &str, number: i32, count: usize) -> Option<usize> {
    let found = usize::try_from(number).ok().filter(|number| *number < count);
    if found.is_none() {
        match count.checked_sub(1) {
            Some(last) => godot_error!("{call}: {argument} is {number}, not 0 to {last}."),
            None => godot_error!("{call}: {argument} is {number}, but there are none."),
        }
    }
    found
}

/// What lists may consist of.
pub trait Entry: Element {
    /// Its name in the engine.
    fn kind() -> String;
}
impl Entry for NodePath {
    fn kind() -> String {
        "NodePath".into()
    }
}
impl Entry for Vector3 {
    fn kind() -> String {
        "Vector3".into()
    }
}
impl<T: GodotClass> Entry for Option<Gd<T>>
where
    Self: Element,
{
    fn kind() -> String {
        T::class_id().to_string()
    }
}

/// The entries of any array in one of their type, as the engine's own properties take them. `None`
/// where an entry is none, with an error.
pub fn entries<T: Entry>(given: AnyArray) -> Option<Array<T>> {
    let given = match given.try_cast_array::<T>() {
        Ok(typed) => return Some(typed),
        Err(other) => other,
    };
    let mut typed = Array::new();
    for (number, entry) in given.iter_shared().enumerate() {
        let Ok(entry) = entry.try_to_relaxed::<T>() else {
            godot_error!("Array of {}: entry {number} is {entry}. Nothing was changed.", T::kind());
            return None;
        };
        typed.extend([entry]);
    }
    Some(typed)
}
