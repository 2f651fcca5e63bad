//! A calibration as JSON text, for a player's settings file.
//!
//! ```json
//! {"scale": 1, "floor": 0,
//!  "player": {"head_height": 1.6, "arm_span": 1.5, "hips_height": 0.9},
//!  "offsets": {"Head": {"position": [0, 0, 0], "rotation": [0, 0, 0, 1]}}}
//! ```
//!
//! Every part may be missing, and then has its default; unknown names and a byte order mark, which
//! some editors write, are skipped. Numbers are written with as many digits as give the same bits
//! back.

use super::calibration::{PlayerMeasures, TrackerCalibration, TrackerOffset};
use super::role::TrackerRole;
use crate::math::{Quat, Vec3};
use core::fmt::{self, Write as _};

/// Why a text is no calibration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CalibrationTextError {
    /// Where in the text, bytes.
    pub at: usize,
    /// What was expected there.
    pub expected: &'static str,
}

impl fmt::Display for CalibrationTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: expected {}", self.at, self.expected)
    }
}

impl std::error::Error for CalibrationTextError {}

const BYTE_ORDER_MARK: char = '\u{feff}';
/// Deepest nesting of values that are skipped.
const MAX_DEPTH: usize = 32;

impl TrackerCalibration {
    /// The calibration as JSON. Allocates.
    pub fn to_json(&self) -> String {
        let mut text = String::new();
        let player = &self.player;
        // Writing to a String does not fail.
        _ = write!(
            text,
            "{{\"scale\": {}, \"floor\": {}, \"player\": {{\"head_height\": {}, \"arm_span\": {}, \"hips_height\": {}}}, \"offsets\": {{",
            self.scale, self.floor, player.head_height, player.arm_span, player.hips_height
        );
        let mut separator = "";
        for (role, offset) in TrackerRole::ALL.into_iter().zip(&self.offsets) {
            let Some(TrackerOffset { position: p, rotation: q }) = offset else { continue };
            _ = write!(
                text,
                "{separator}\"{}\": {{\"position\": [{}, {}, {}], \"rotation\": [{}, {}, {}, {}]}}",
                role.name(),
                p.x,
                p.y,
                p.z,
                q.x,
                q.y,
                q.z,
                q.w
            );
            separator = ", ";
        }
        text.push_str("}}");
        text
    }

    /// A calibration from JSON.
    pub fn from_json(text: &str) -> Result<Self, CalibrationTextError> {
        let at = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 };
        let mut reader = Reader { text, at };
        let mut calibration = Self::default();
        reader.object(0, |reader, name| match name {
            "scale" => {
                let start = reader.start();
                calibration.scale = reader.number()?;
                if calibration.scale > 0.0 { Ok(()) } else { Err(error(start, "a scale above 0")) }
            }
            "floor" => reader.number().map(|number| calibration.floor = number),
            "player" => reader.player(&mut calibration.player),
            "offsets" => reader.object(1, |reader, name| {
                let Some(role) = TrackerRole::ALL.into_iter().find(|role| role.name() == name) else {
                    return reader.skip(2);
                };
                calibration.offsets[role.index()] = Some(reader.offset()?);
                Ok(())
            }),
            _ => reader.skip(1),
        })?;
        reader.space();
        if reader.at < text.len() { Err(error(reader.at, "the end of the text")) } else { Ok(calibration) }
    }
}

fn error(at: usize, expected: &'static str) -> CalibrationTextError {
    CalibrationTextError { at, expected }
}

type Read<T> = Result<T, CalibrationTextError>;

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn next(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }
    fn space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.next() {
            self.at += 1;
        }
    }
    /// Where the next value begins.
    fn start(&mut self) -> usize {
        self.space();
        self.at
    }
    /// Whether the next character is this one; it is passed then.
    fn passes(&mut self, character: u8) -> bool {
        self.space();
        let is_next = self.next() == Some(character);
        self.at += usize::from(is_next);
        is_next
    }
    fn expect(&mut self, character: u8, what: &'static str) -> Read<()> {
        if self.passes(character) { Ok(()) } else { Err(error(self.at, what)) }
    }

    /// The characters between quotes, escapes as they are written.
    fn string(&mut self) -> Read<&'a str> {
        self.expect(b'"', "a text in quotes")?;
        let start = self.at;
        while let Some(byte) = self.next() {
            match byte {
                b'"' => {
                    self.at += 1;
                    return Ok(&self.text[start..self.at - 1]);
                }
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        Err(error(self.text.len(), "a closing quote"))
    }

    /// A finite number.
    fn number(&mut self) -> Read<f32> {
        let start = self.start();
        while let Some(b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E') = self.next() {
            self.at += 1;
        }
        match self.text[start..self.at].parse::<f32>() {
            Ok(number) if number.is_finite() => Ok(number),
            _ => Err(error(start, "a finite number")),
        }
    }

    fn numbers<const N: usize>(&mut self) -> Read<[f32; N]> {
        self.expect(b'[', "a list of numbers")?;
        let mut out = [0.0; N];
        for (i, number) in out.iter_mut().enumerate() {
            if i > 0 {
                self.expect(b',', "a comma")?;
            }
            *number = self.number()?;
        }
        self.expect(b']', "the end of the list")?;
        Ok(out)
    }

    /// The items between two brackets. `expected`: the first bracket, and what follows an item.
    fn items(
        &mut self,
        depth: usize,
        [start, end]: [u8; 2],
        expected: [&'static str; 2],
        mut read: impl FnMut(&mut Self) -> Read<()>,
    ) -> Read<()> {
        if depth > MAX_DEPTH {
            return Err(error(self.at, "less nesting"));
        }
        self.expect(start, expected[0])?;
        if self.passes(end) {
            return Ok(());
        }
        loop {
            read(self)?;
            if self.passes(end) {
                return Ok(());
            }
            self.expect(b',', expected[1])?;
        }
    }

    /// An object: `read` is given the name of each member and reads its value.
    fn object(&mut self, depth: usize, mut read: impl FnMut(&mut Self, &str) -> Read<()>) -> Read<()> {
        self.items(depth, *b"{}", ["an object", "a comma or the end of the object"], |reader| {
            let name = reader.string()?;
            reader.expect(b':', "a colon")?;
            read(reader, name)
        })
    }

    /// Any value, passed over.
    fn skip(&mut self, depth: usize) -> Read<()> {
        self.space();
        match self.next() {
            Some(b'{') => self.object(depth, |reader, _| reader.skip(depth + 1)),
            Some(b'[') => {
                self.items(depth, *b"[]", ["a list", "a comma or the end of the list"], |reader| reader.skip(depth + 1))
            }
            Some(b'"') => self.string().map(|_| ()),
            _ => match ["true", "false", "null"].into_iter().find(|word| self.text[self.at..].starts_with(word)) {
                Some(word) => {
                    self.at += word.len();
                    Ok(())
                }
                None => self.number().map(|_| ()),
            },
        }
    }

    fn player(&mut self, out: &mut PlayerMeasures) -> Read<()> {
        self.object(1, |reader, name| {
            let to = match name {
                "head_height" => &mut out.head_height,
                "arm_span" => &mut out.arm_span,
                "hips_height" => &mut out.hips_height,
                _ => return reader.skip(2),
            };
            *to = reader.number()?;
            Ok(())
        })
    }

    fn offset(&mut self) -> Read<TrackerOffset> {
        let mut offset = TrackerOffset::default();
        self.object(2, |reader, name| match name {
            "position" => reader.numbers().map(|numbers| offset.position = Vec3::from_array(numbers)),
            "rotation" => {
                let start = reader.start();
                let [x, y, z, w] = reader.numbers()?;
                let read = Quat::from_xyzw(x, y, z, w);
                let length = read.length();
                if !(length.is_finite() && length > 1e-3) {
                    return Err(error(start, "a rotation that is not zero"));
                }
                // A unit one keeps its bits.
                offset.rotation = if (length - 1.0).abs() < 1e-6 { read } else { read.normalize() };
                Ok(())
            }
            _ => reader.skip(3),
        })?;
        Ok(offset)
    }
}
