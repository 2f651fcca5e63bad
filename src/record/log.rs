//! How a log is read. Any bytes may be given: nothing is trusted.

use super::entry::{Call, Entry, Part, Tag};
use super::format::{self, FORMAT, Head, MAGIC};
use super::hash::BitHash;
use super::kind;

/// Why bytes are no log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LogError {
    /// Something else.
    #[error("no recording: the file does not begin with SINEWLOG")]
    NoLog,
    /// Of a later version.
    #[error("the recording has format {0}; this version reads format {FORMAT}")]
    Format(u32),
    /// Damaged.
    #[error("the recording is damaged: {what} at byte {at}")]
    Damaged {
        /// What cannot be read.
        what: &'static str,
        /// Where.
        at: usize,
    },
}

/// A log that was read.
#[derive(Clone, Debug)]
pub struct Log<'a> {
    /// What stands before the entries.
    pub head: Head,
    /// All entries in order.
    pub entries: Vec<Entry<'a>>,
    /// Bytes at the end that hold no whole entry: the recording was cut off.
    pub cut: usize,
}

/// Bytes with a place.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let end = self.at.checked_add(count)?;
        let taken = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(taken)
    }
    fn array<const COUNT: usize>(&mut self) -> Option<[u8; COUNT]> {
        self.take(COUNT)?.try_into().ok()
    }
    fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }
    fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }
    fn rest(&mut self) -> &'a [u8] {
        let rest = &self.bytes[self.at..];
        self.at = self.bytes.len();
        rest
    }
    fn is_at_end(&self) -> bool {
        self.at == self.bytes.len()
    }
}

impl<'a> Log<'a> {
    /// Reads a log. One that was cut off is read as far as it goes.
    pub fn read(bytes: &'a [u8]) -> Result<Self, LogError> {
        let mut reader = Reader { bytes, at: 0 };
        if reader.array::<8>() != Some(MAGIC) {
            return Err(LogError::NoLog);
        }
        let damaged = |what, at| LogError::Damaged { what, at };
        let format = reader.u32().ok_or(damaged("no format", 8))?;
        if format != FORMAT {
            return Err(LogError::Format(format));
        }
        let head = Self::head(&mut reader).ok_or(damaged("no head", 12))?;
        let mut entries = Vec::new();
        loop {
            let at = reader.at;
            let entry = match (reader.array::<1>(), reader.u32()) {
                (Some([kind]), Some(length)) => reader.take(length as usize).map(|contents| (kind, contents)),
                _ => None,
            };
            let Some((kind, contents)) = entry else {
                return Ok(Self { head, entries, cut: bytes.len() - at });
            };
            entries.extend(Self::entry(kind, contents).map_err(|what| damaged(what, at))?);
        }
    }

    fn head(reader: &mut Reader) -> Option<Head> {
        let (abi, pointer_size, length) = (reader.u32()?, reader.u32()?, reader.u32()?);
        let version = str::from_utf8(reader.take(length as usize)?).ok()?.to_string();
        Some(Head { abi, pointer_size, version })
    }

    /// `None`: of a kind that this version does not know.
    fn entry(kind: u8, contents: &'a [u8]) -> Result<Option<Entry<'a>>, &'static str> {
        let mut reader = Reader { bytes: contents, at: 0 };
        Ok(Some(match kind {
            kind::NAME => {
                let function = reader.array().map(u16::from_le_bytes).ok_or("a name without a number")?;
                let name = str::from_utf8(reader.rest()).map_err(|_| "a name that is no text")?;
                Entry::Name { function, name }
            }
            kind::POSE => {
                let animator = reader.u64().ok_or("a pose without an animator")?;
                Entry::Pose { animator, pose: reader.rest() }
            }
            kind::ARRAYS => {
                let (world, animator) =
                    reader.u64().zip(reader.u64()).ok_or("arrays without a world and an animator")?;
                Entry::Arrays { world, animator, locals: reader.rest() }
            }
            kind::CALL => Entry::Call(Self::call(&mut reader).ok_or("a call that is not whole")?),
            kind::END => Entry::End { code: reader.array().map(i32::from_le_bytes).ok_or("an end without a code")? },
            _ => return Ok(None),
        }))
    }

    fn call(reader: &mut Reader<'a>) -> Option<Call<'a>> {
        let function = u16::from_le_bytes(reader.array()?);
        let result = i32::from_le_bytes(reader.array()?);
        let hash = reader.u64()?;
        let [count] = reader.array()?;
        if usize::from(count) > format::MAX_WORDS {
            return None;
        }
        let words = (0..count).map(|_| reader.u64()).collect::<Option<Vec<_>>>()?;
        let (mut parts, mut written) = (Vec::new(), None::<BitHash>);
        while !reader.is_at_end() {
            let [tag, argument] = reader.array()?;
            let (index, length) = (reader.u32()?, reader.u32()?);
            let bytes = reader.take(length as usize)?;
            if tag == Tag::Written as u8 {
                written.get_or_insert_default().add(bytes);
            }
            parts.push(Part { tag: Tag::from_byte(tag)?, argument, index, bytes });
        }
        let hash = written.map_or(hash, |written| written.finish());
        Some(Call { function, result, hash, words, parts })
    }

    /// The bytes of a log with these entries.
    pub fn write(&self) -> Vec<u8> {
        let mut out = Vec::new();
        format::put_head(&mut out, &self.head);
        self.entries.iter().for_each(|entry| format::put_entry(&mut out, entry));
        out
    }
}
