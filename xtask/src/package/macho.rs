//! Files of Apple's platforms: joining two processors' libraries, and the signature.

use super::manifest::sha256;
use anyhow::{Context, Result, ensure};
use std::path::Path;

/// Processor numbers of Mach-O files.
#[derive(Clone, Copy, Debug)]
pub struct Processor {
    kind: u32,
    subkind: u32,
    /// Apple's name.
    pub name: &'static str,
}

/// 64-bit Intel.
pub const X86_64: Processor = Processor { kind: 0x0100_0007, subkind: 3, name: "x86_64" };
/// Apple silicon.
pub const ARM64: Processor = Processor { kind: 0x0100_000c, subkind: 0, name: "arm64" };

/// Writes a universal file: a header in front of the parts, each aligned to 16 KB.
pub fn join(parts: &[(Processor, &Path)], out: &Path) -> Result<()> {
    const ALIGN: usize = 14;
    let mut bytes: Vec<u8> = Vec::new();
    for number in [0xcafe_babe_u32, u32::try_from(parts.len())?] {
        bytes.extend(number.to_be_bytes());
    }
    let contents = parts.iter().map(|(_, path)| std::fs::read(path)).collect::<Result<Vec<_>, _>>()?;
    let mut offset = 0;
    let mut places = Vec::new();
    for ((processor, _), content) in parts.iter().zip(&contents) {
        offset = (offset.max(8 + parts.len() * 20)).next_multiple_of(1 << ALIGN);
        places.push(offset);
        let (at, size) = (u32::try_from(offset)?, u32::try_from(content.len())?);
        for number in [processor.kind, processor.subkind, at, size, ALIGN as u32] {
            bytes.extend(number.to_be_bytes());
        }
        offset += content.len();
    }
    for (place, content) in places.into_iter().zip(contents) {
        bytes.resize(place, 0);
        bytes.extend(content);
    }
    std::fs::create_dir_all(out.parent().context("a file without a folder")?)?;
    std::fs::write(out, bytes).with_context(|| format!("writing {}", out.display()))
}

/// Numbers in a file, with an error where it ends.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn at(&self, offset: usize) -> Result<[u8; 4]> {
        let four = self.0.get(offset..offset + 4).context("the file ends early")?;
        Ok(four.try_into()?)
    }
    fn little(&self, offset: usize) -> Result<usize> {
        Ok(u32::from_le_bytes(self.at(offset)?) as usize)
    }
    fn big(&self, offset: usize) -> Result<usize> {
        Ok(u32::from_be_bytes(self.at(offset)?) as usize)
    }
}

/// Compares the page hashes of a library's ad-hoc signature with its pages; `None` without a
/// signature. Apple silicon loads nothing without one.
pub fn signature(file: &Path) -> Result<Option<String>> {
    const CODE_SIGNATURE: usize = 0x1d;
    let content = std::fs::read(file)?;
    let bytes = Bytes(&content);
    ensure!(bytes.little(0)? == 0xfeed_facf, "{} is no 64-bit Mach-O file", file.display());
    let (mut at, mut blob) = (32, None);
    for _ in 0..bytes.little(16)? {
        if bytes.little(at)? == CODE_SIGNATURE {
            blob = Some(bytes.little(at + 8)?);
        }
        at += bytes.little(at + 4)?;
    }
    let Some(blob) = blob else { return Ok(None) };
    ensure!(bytes.big(blob)? == 0xfade_0cc0, "{}: no signature where one should be", file.display());
    let mut pages = 0;
    for index in 0..bytes.big(blob + 8)? {
        let directory = blob + bytes.big(blob + 12 + 8 * index + 4)?;
        if bytes.big(directory)? != 0xfade_0c02 {
            continue;
        }
        let (hashes, count, limit) =
            (bytes.big(directory + 16)?, bytes.big(directory + 28)?, bytes.big(directory + 32)?);
        let [size, kind, _, page] = bytes.at(directory + 36)?;
        ensure!(size == 32 && kind == 2, "{}: not signed with SHA-256", file.display());
        for index in 0..count {
            let (start, end) = (index << page, ((index + 1) << page).min(limit));
            let wanted = directory + hashes + 32 * index;
            let wanted: String = content[wanted..wanted + 32].iter().map(|byte| format!("{byte:02x}")).collect();
            ensure!(sha256(&content[start..end]) == wanted, "{}: page {index} is not as signed", file.display());
        }
        ensure!(count << page >= limit, "{}: {count} signed pages do not cover {limit} bytes", file.display());
        pages += count;
    }
    ensure!(pages > 0, "{}: a signature without pages", file.display());
    Ok(Some(format!("ad-hoc signature covers {pages} pages, all as signed")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_universal_file_has_both_parts_where_its_header_states() {
        let folder = std::env::temp_dir().join(format!("sinew-macho-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (one, two, both) = (folder.join("one"), folder.join("two"), folder.join("both"));
        std::fs::write(&one, [1; 20_000]).unwrap();
        std::fs::write(&two, [2; 5]).unwrap();
        join(&[(X86_64, &one), (ARM64, &two)], &both).unwrap();
        let content = std::fs::read(&both).unwrap();
        let bytes = Bytes(&content);
        assert_eq!((bytes.big(0).unwrap(), bytes.big(4).unwrap()), (0xcafe_babe, 2));
        for (entry, size, byte) in [(8, 20_000, 1), (28, 5, 2)] {
            let (at, length) = (bytes.big(entry + 8).unwrap(), bytes.big(entry + 12).unwrap());
            assert_eq!((length, at % 0x4000), (size, 0));
            assert!(content[at..at + length].iter().all(|b| *b == byte));
        }
        assert!(signature(&both).is_err());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
