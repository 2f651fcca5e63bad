//! Archives without times and owners: the same input gives the same bytes.

use anyhow::{Context, Result};
use flate2::Compression;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Packs `tree` as `top/…` into a .tar.gz, sorted. Files below `tree` for which `keep` is false are
/// left out; `extra` are other files, with their paths inside.
pub fn tar_gz(
    archive: &Path,
    tree: &Path,
    top: &str,
    keep: &dyn Fn(&str) -> bool,
    extra: &[(String, PathBuf)],
) -> Result<()> {
    let mut files: BTreeMap<String, PathBuf> = extra.iter().cloned().collect();
    collect(tree, "", &mut files, keep)?;
    let file = File::create(archive).with_context(|| format!("creating {}", archive.display()))?;
    let mut tar = tar::Builder::new(flate2::write::GzEncoder::new(file, Compression::best()));
    tar.follow_symlinks(false);
    for (name, path) in &files {
        let mut header = tar::Header::new_gnu();
        header.set_mtime(0);
        let inside = format!("{top}/{name}");
        let link = extra.iter().all(|(n, _)| n != name) && path.symlink_metadata()?.is_symlink();
        if link {
            header.set_entry_type(tar::EntryType::Symlink);
            header.set_size(0);
            header.set_mode(0o777);
            tar.append_link(&mut header, &inside, std::fs::read_link(path)?)?;
        } else {
            let bytes = std::fs::read(path).with_context(|| format!("reading {}", path.display()))?;
            header.set_size(bytes.len() as u64);
            header.set_mode(0o644);
            tar.append_data(&mut header, &inside, bytes.as_slice())?;
        }
    }
    tar.into_inner()?.finish()?;
    Ok(())
}

/// Packs all of `tree` into a .zip, sorted.
pub fn zip(archive: &Path, tree: &Path) -> Result<()> {
    let mut files = BTreeMap::new();
    collect(tree, "", &mut files, &|_| true)?;
    let mut out: Vec<u8> = Vec::new();
    let mut directory: Vec<u8> = Vec::new();
    for (name, path) in &files {
        let bytes = std::fs::read(path).with_context(|| format!("reading {}", path.display()))?;
        let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&bytes)?;
        let packed = encoder.finish()?;
        let mut sum = flate2::Crc::new();
        sum.update(&bytes);
        let offset = u32::try_from(out.len()).context("a zip beyond 4 GB")?;
        // Version 2.0, names in UTF-8, deflated, 1980-01-01 00:00.
        let mut common: Vec<u8> = Vec::new();
        for half in [20u16, 0x0800, 8, 0, 0x0021] {
            common.extend(half.to_le_bytes());
        }
        for word in [sum.sum(), u32::try_from(packed.len())?, u32::try_from(bytes.len())?] {
            common.extend(word.to_le_bytes());
        }
        common.extend(u16::try_from(name.len())?.to_le_bytes());
        common.extend(0u16.to_le_bytes());
        out.extend(b"PK\x03\x04");
        out.extend(&common);
        out.extend(name.as_bytes());
        out.extend(packed);
        // Made on Unix: the attributes are those of a plain file.
        directory.extend(b"PK\x01\x02\x14\x03");
        directory.extend(&common);
        directory.extend([0; 6]);
        directory.extend((0o100_644u32 << 16).to_le_bytes());
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let count = u16::try_from(files.len())?.to_le_bytes();
    let start = u32::try_from(out.len())?.to_le_bytes();
    let size = u32::try_from(directory.len())?.to_le_bytes();
    out.extend(directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    for part in [&count[..], &count, &size, &start, &[0, 0]] {
        out.extend(part);
    }
    std::fs::write(archive, out).with_context(|| format!("writing {}", archive.display()))
}

fn collect(
    tree: &Path,
    folder: &str,
    files: &mut BTreeMap<String, PathBuf>,
    keep: &dyn Fn(&str) -> bool,
) -> Result<()> {
    for entry in std::fs::read_dir(tree.join(folder))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') {
            continue;
        }
        let below = if folder.is_empty() { name } else { format!("{folder}/{name}") };
        if entry.file_type()?.is_dir() {
            collect(tree, &below, files, keep)?;
        } else if keep(&below) {
            files.entry(below).or_insert(entry.path());
        }
    }
    Ok(())
}
