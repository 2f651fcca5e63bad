//! Numbers of a glTF accessor, whatever their type; wrong offsets are errors, not panics.

use anyhow::{Context, Result, bail, ensure};
use gltf::accessor::{Accessor, DataType};

/// The buffers of a file, each as bytes.
pub type Buffers = Vec<Vec<u8>>;

/// Rows of an accessor with `N` numbers each; missing ones are zero.
pub fn rows<const N: usize>(accessor: &Accessor, buffers: &Buffers) -> Result<Vec<[f32; N]>> {
    ensure!(accessor.sparse().is_none(), "sparse accessors are not read");
    let view = accessor.view().context("the mesh is compressed")?;
    let size = accessor.data_type().size();
    let width = accessor.dimensions().multiplicity();
    let stride = view.stride().unwrap_or(size * width);
    let bytes = buffers.get(view.buffer().index()).context("a buffer is missing")?;
    let start = view.offset() + accessor.offset();
    let mut out = Vec::with_capacity(accessor.count().min(bytes.len()));
    for row in 0..accessor.count() {
        let mut numbers = [0.0; N];
        for (column, number) in numbers.iter_mut().enumerate().take(width) {
            let at = start + row * stride + column * size;
            let part = bytes.get(at..at + size).context("an accessor reaches beyond its buffer")?;
            *number = number_of(part, accessor.data_type(), accessor.normalized())?;
        }
        out.push(numbers);
    }
    Ok(out)
}

/// The indices of an accessor.
pub fn indices(accessor: &Accessor, buffers: &Buffers) -> Result<Vec<u32>> {
    // 2^24 is the last integer below which a float names each one.
    ensure!(accessor.count() < 1 << 24, "{} indices", accessor.count());
    Ok(rows::<1>(accessor, buffers)?.into_iter().map(|[i]| i as u32).collect())
}

fn number_of(part: &[u8], kind: DataType, normalized: bool) -> Result<f32> {
    let (value, most) = match (kind, part) {
        (DataType::F32, &[a, b, c, d]) => return Ok(f32::from_le_bytes([a, b, c, d])),
        (DataType::U32, &[a, b, c, d]) => (u32::from_le_bytes([a, b, c, d]) as f32, u32::MAX as f32),
        (DataType::U16, &[a, b]) => (u16::from_le_bytes([a, b]).into(), u16::MAX.into()),
        (DataType::I16, &[a, b]) => (i16::from_le_bytes([a, b]).into(), i16::MAX.into()),
        (DataType::U8, &[a]) => (a.into(), u8::MAX.into()),
        (DataType::I8, &[a]) => (f32::from(a as i8), i8::MAX.into()),
        _ => bail!("an accessor of {} bytes a number", part.len()),
    };
    Ok(if normalized { (value / most).max(-1.0) } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalized_integers_run_from_minus_one_to_one() {
        assert_eq!(number_of(&[255], DataType::U8, true).unwrap(), 1.0);
        assert_eq!(number_of(&[128], DataType::I8, true).unwrap(), -1.0);
        assert_eq!(number_of(&[0, 128], DataType::U16, false).unwrap(), 32768.0);
        assert_eq!(number_of(&1.5f32.to_le_bytes(), DataType::F32, true).unwrap(), 1.5);
        assert!(number_of(&[0, 1], DataType::F32, false).is_err());
    }
}
