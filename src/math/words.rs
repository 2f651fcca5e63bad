//! Numbers read from the 32-bit words of snapshots: each fails where there is no word left, or a
//! number that no state can have.

use glam::{Quat, Vec3};

/// Why a word is refused.
pub(crate) const BAD_NUMBER: &str = "it holds a bad number";

pub(crate) fn word(get: &mut (impl FnMut() -> Option<u32> + ?Sized)) -> Result<u32, &'static str> {
    get().ok_or("it is too short")
}
pub(crate) fn number(get: &mut (impl FnMut() -> Option<u32> + ?Sized)) -> Result<f32, &'static str> {
    Some(f32::from_bits(word(get)?)).filter(|x| x.is_finite()).ok_or(BAD_NUMBER)
}
pub(crate) fn flag(get: &mut (impl FnMut() -> Option<u32> + ?Sized)) -> Result<bool, &'static str> {
    match word(get)? {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(BAD_NUMBER),
    }
}
pub(crate) fn vector(get: &mut (impl FnMut() -> Option<u32> + ?Sized)) -> Result<Vec3, &'static str> {
    Ok(Vec3::new(number(get)?, number(get)?, number(get)?))
}
pub(crate) fn rotation(get: &mut (impl FnMut() -> Option<u32> + ?Sized)) -> Result<Quat, &'static str> {
    let q = Quat::from_xyzw(number(get)?, number(get)?, number(get)?, number(get)?);
    // Unit to rounding, or it would not be a rotation.
    if (q.length_squared() - 1.0).abs() < 1e-3 { Ok(q) } else { Err(BAD_NUMBER) }
}
