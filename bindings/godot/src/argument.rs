//! Arguments of methods that scripts call.

use godot::builtin::{AnyArray, Array, NodePath, StringName, Variant, VariantType, Vector3};
use godot::global::godot_error;
use godot::meta::Element;
use godot::obj::{Gd, GodotClass};
use godot::register::property::Var;

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

/// The one of `all` that a number is the place of. `None` outside, with an error that names the
/// call.
pub fn one_of<T: Copy>(call: &str, argument: &str, number: i32, all: &[T]) -> Option<T> {
    index(call, argument, number, all.len()).map(|number| all[number])
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

/// The entries of any array in one of their type. `None` where an entry is none, with an error that
/// names the call.
pub fn entries<T: Entry>(call: &str, given: AnyArray) -> Option<Array<T>> {
    let given = match given.try_cast_array::<T>() {
        Ok(typed) => return Some(typed),
        Err(other) => other,
    };
    let mut typed = Array::new();
    for (number, entry) in given.iter_shared().enumerate() {
        let Ok(entry) = entry.try_to_relaxed::<T>() else {
            godot_error!("{call}: entry {number} is {entry}, not a {}.", T::kind());
            return None;
        };
        typed.extend([entry]);
    }
    Some(typed)
}

/// Sets a list from an array of another type, as the engine's own properties do: scripts that do
/// not know the type of a node have untyped ones. `false` for other properties and values, which
/// are set as usual; nothing changes where an entry is of another type.
pub fn set_list<T: Entry, P: Var<Via = Array<T>>>(
    field: &mut P,
    name: [&str; 2],
    set: &StringName,
    to: &Variant,
) -> bool {
    if to.get_type() != VariantType::ARRAY || *set != name[1] {
        return false;
    }
    let Ok(given) = to.try_to::<AnyArray>() else { return false };
    if given.clone().try_cast_array::<T>().is_ok() {
        return false;
    }
    if let Some(entries) = entries(&name.join("."), given) {
        P::var_set(field, entries);
    }
    true
}
