//! Work over eight numbers, run with the registers that this processor has.

#![allow(unsafe_code)]

use super::dispatch::Level;
use super::eight_lane::EightTask;
use super::lane::F32x8;

impl Level {
    /// Runs the task with the widest registers of this level, up to eight numbers.
    #[inline]
    pub(crate) fn run_eight<T: EightTask>(self, task: T) -> T::Output {
        #[cfg(all(target_arch = "x86_64", not(target_feature = "avx")))]
        if self.has_avx() {
            // SAFETY: the processor has AVX2.
            return unsafe { super::avx_lane::run_eight(task) };
        }
        narrow(task)
    }
}

/// With the registers that every processor of the target has. Apart from the choice: these steps
/// have a frame of 12 KiB, which would be on the stack below that of the wide ones.
#[inline(never)]
fn narrow<T: EightTask>(task: T) -> T::Output {
    task.run::<F32x8>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Lane;
    use crate::math::LaneMask;
    use crate::math::eight_lane::EightLane;

    /// Every operation on three sets of numbers.
    struct Operations([[f32; 8]; 3]);

    impl EightTask for Operations {
        type Output = Vec<[f32; 8]>;
        #[inline(always)]
        fn run<E: EightLane>(self) -> Vec<[f32; 8]> {
            let [x, y, z] = self.0.map(E::of_numbers);
            let mask = |mask: E::Mask| E::select(mask, E::splat(1.0), E::splat(0.0));
            let bits = |mask: E::Mask| E::splat(f32::from(mask.bits()));
            let all = [
                x + y,
                x - y,
                x * y,
                x / y,
                -x,
                Lane::sqrt(x),
                Lane::abs(x).root(),
                Lane::abs(x),
                x.copy_sign(y),
                Lane::min(x, y),
                Lane::max(x, y),
                Lane::clamp(x, y, z),
                x.lerp(y, z),
                mask(x.lt(y)),
                mask(x.equals(y)),
                mask(x.lt(y).and(y.lt(z))),
                mask(x.lt(y).or(y.lt(z))),
                mask(x.lt(y).not()),
                bits(x.lt(y)),
                E::splat(f32::from(u8::from(x.lt(y).any()))),
                E::select(x.lt(y), y, z),
                x.flipped(y),
                x.map(|n| n + 1.0),
                x.map2(y, |a, b| a - b),
            ];
            let whole = [x, y].map(|keys| keys.numbers().map(|number| number.to_bits() as i32));
            let counts = E::count_less(&whole, &z.numbers().map(|number| number.to_bits() as i32));
            let counts = counts.map(|counts| counts.map(|count| count as f32));
            [all.map(E::numbers).as_slice(), counts.as_slice()].concat()
        }
    }

    #[test]
    fn every_level_has_the_bits_of_the_narrowest() {
        let odd =
            [0.0, -0.0, 1.0, -2.5, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e-40, f32::MAX, f32::MIN_POSITIVE];
        let mut state = 1u32;
        let mut number = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let place = (state >> 8) as usize;
            if place.is_multiple_of(3) { odd[place / 3 % odd.len()] } else { (place % 2001) as f32 * 1e-3 - 1.0 }
        };
        let same = |a: f32, b: f32| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
        for round in 0..2000 {
            let numbers: [[f32; 8]; 3] = core::array::from_fn(|_| core::array::from_fn(|_| number()));
            let mut found = Level::all().map(|level| (level, level.run_eight(Operations(numbers))));
            let (_, narrowest) = found.next().expect("the baseline");
            for (level, wide) in found {
                for (operation, (a, b)) in narrowest.iter().zip(&wide).enumerate() {
                    let is_same = a.iter().zip(b).all(|(a, b)| same(*a, *b));
                    assert!(is_same, "{level:?}, round {round}, operation {operation} of {numbers:?}: {a:?}, {b:?}");
                }
            }
        }
    }

    struct Transposed([[f32; 8]; 8]);

    impl EightTask for Transposed {
        type Output = [[f32; 8]; 8];
        #[inline(always)]
        fn run<E: EightLane>(self) -> Self::Output {
            E::transpose(self.0.map(E::of_numbers)).map(E::numbers)
        }
    }

    #[test]
    fn every_level_transposes() {
        let rows: [[f32; 8]; 8] = core::array::from_fn(|row| core::array::from_fn(|column| (8 * row + column) as f32));
        for level in Level::all() {
            let columns = level.run_eight(Transposed(rows));
            for (row, numbers) in rows.iter().enumerate() {
                for (column, number) in numbers.iter().enumerate() {
                    assert_eq!(columns[column][row], *number, "{level:?}, row {row}, column {column}");
                }
            }
        }
    }
}
