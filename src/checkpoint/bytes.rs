//! The bytes of a checkpoint's payload, and the values that consist of nothing but numbers or text.
//!
//! Numbers are saved in groups of seven bits, the lowest first; the highest bit of a byte is set if another group
//! follows. Text and lists are preceded by their length.

use super::Checkpointable;
use super::error::CheckpointError;
use super::shared::Shared;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use bytes::Bytes;
use core::any::Any;
use core::num::NonZeroU32;
use core::ops::Range;

/// The error of loading a value if the bytes are not those of such a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damaged;

impl From<Damaged> for CheckpointError {
    fn from(_: Damaged) -> CheckpointError {
        CheckpointError::Damaged
    }
}

/// The payload of a checkpoint that is being saved.
///
/// A value that several parts of the state share is saved once. Values are identified by their address, so all of them
/// must exist until the last value is saved.
#[derive(Default)]
pub struct Writer {
    bytes: Vec<u8>,
    pub(super) shared: Shared,
}

impl Writer {
    /// Returns the payload.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    pub(crate) fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    pub(crate) fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.byte(number as u8 | 0x80);
            number >>= 7;
        }
        self.byte(number as u8);
    }

    /// Saves bytes, preceded by their number.
    pub(crate) fn slice(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.bytes.extend_from_slice(bytes);
    }
}

/// Maximum number of containers, such as lists, around a value. No valid state reaches this number, and a corrupt
/// checkpoint cannot exhaust the call stack.
const MAX_DEPTH: usize = 64;

/// The rest of a payload that is being loaded.
pub struct Reader<'b> {
    bytes: &'b [u8],
    context: &'b dyn Any,
    /// Number of containers around the value that is loaded next.
    depth: usize,
    pub(super) shared: Shared,
}

impl<'b> Reader<'b> {
    pub(crate) fn new(bytes: &'b [u8], context: &'b dyn Any) -> Reader<'b> {
        Reader {
            bytes,
            context,
            depth: 0,
            shared: Shared::default(),
        }
    }

    /// Returns the constants that values of the checkpoint refer to: the error codes of the dialect.
    pub(crate) fn context<T: 'static>(&self) -> Result<&'b T, Damaged> {
        self.context.downcast_ref().ok_or(Damaged)
    }

    /// Returns an error if bytes are left.
    pub(crate) fn end(&self) -> Result<(), Damaged> {
        self.bytes.is_empty().then_some(()).ok_or(Damaged)
    }

    /// Returns the number of bytes that are left.
    pub(super) fn left(&self) -> usize {
        self.bytes.len()
    }

    pub(crate) fn byte(&mut self) -> Result<u8, Damaged> {
        let (first, rest) = self.bytes.split_first().ok_or(Damaged)?;
        self.bytes = rest;
        Ok(*first)
    }

    pub(crate) fn number(&mut self) -> Result<u64, Damaged> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let group = u64::from(byte & 0x7F);
            if group << shift >> shift != group {
                break;
            }
            number |= group << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Damaged)
    }

    /// Loads a number of bytes or values that follow. Each value has at least one byte.
    pub(super) fn length(&mut self) -> Result<usize, Damaged> {
        let length = usize::try_from(self.number()?).map_err(|_| Damaged)?;
        match length <= self.bytes.len() {
            true => Ok(length),
            false => Err(Damaged),
        }
    }

    /// Loads bytes, preceded by their number.
    pub(crate) fn slice(&mut self) -> Result<&'b [u8], Damaged> {
        let length = self.length()?;
        let (slice, rest) = self.bytes.split_at(length);
        self.bytes = rest;
        Ok(slice)
    }

    pub(crate) fn text(&mut self) -> Result<&'b str, Damaged> {
        core::str::from_utf8(self.slice()?).map_err(|_| Damaged)
    }

    /// Loads the contents of a container.
    pub(super) fn nested<T>(
        &mut self,
        load: impl FnOnce(&mut Self) -> Result<T, Damaged>,
    ) -> Result<T, Damaged> {
        if self.depth >= MAX_DEPTH {
            return Err(Damaged);
        }
        self.depth += 1;
        let loaded = load(self);
        self.depth -= 1;
        loaded
    }
}

impl Checkpointable for () {
    fn save(&self, _: &mut Writer) {}

    fn load(_: &mut Reader<'_>) -> Result<(), Damaged> {
        Ok(())
    }
}

impl Checkpointable for bool {
    fn save(&self, to: &mut Writer) {
        to.byte(u8::from(*self));
    }

    fn load(from: &mut Reader<'_>) -> Result<bool, Damaged> {
        match from.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Damaged),
        }
    }
}

impl Checkpointable for u8 {
    fn save(&self, to: &mut Writer) {
        to.byte(*self);
    }

    fn load(from: &mut Reader<'_>) -> Result<u8, Damaged> {
        from.byte()
    }
}

impl Checkpointable for i8 {
    fn save(&self, to: &mut Writer) {
        to.byte(self.cast_unsigned());
    }

    fn load(from: &mut Reader<'_>) -> Result<i8, Damaged> {
        from.byte().map(u8::cast_signed)
    }
}

macro_rules! numbers {
    ($($type:ty),*) => {
        $(impl Checkpointable for $type {
            fn save(&self, to: &mut Writer) {
                to.number(*self as u64);
            }

            fn load(from: &mut Reader<'_>) -> Result<$type, Damaged> {
                <$type>::try_from(from.number()?).map_err(|_| Damaged)
            }
        })*
    };
}
numbers!(u16, u32, u64, usize);

impl Checkpointable for NonZeroU32 {
    fn save(&self, to: &mut Writer) {
        self.get().save(to);
    }

    fn load(from: &mut Reader<'_>) -> Result<NonZeroU32, Damaged> {
        NonZeroU32::new(u32::load(from)?).ok_or(Damaged)
    }
}

impl Checkpointable for char {
    fn save(&self, to: &mut Writer) {
        u32::from(*self).save(to);
    }

    fn load(from: &mut Reader<'_>) -> Result<char, Damaged> {
        char::from_u32(u32::load(from)?).ok_or(Damaged)
    }
}

impl Checkpointable for Range<u32> {
    fn save(&self, to: &mut Writer) {
        self.start.save(to);
        self.end.save(to);
    }

    fn load(from: &mut Reader<'_>) -> Result<Range<u32>, Damaged> {
        Ok(u32::load(from)?..u32::load(from)?)
    }
}

impl Checkpointable for String {
    fn save(&self, to: &mut Writer) {
        to.slice(self.as_bytes());
    }

    fn load(from: &mut Reader<'_>) -> Result<String, Damaged> {
        from.text().map(String::from)
    }
}

impl Checkpointable for Box<str> {
    fn save(&self, to: &mut Writer) {
        to.slice(self.as_bytes());
    }

    fn load(from: &mut Reader<'_>) -> Result<Box<str>, Damaged> {
        from.text().map(Box::from)
    }
}

impl Checkpointable for Bytes {
    fn save(&self, to: &mut Writer) {
        to.slice(self);
    }

    fn load(from: &mut Reader<'_>) -> Result<Bytes, Damaged> {
        from.slice().map(Bytes::copy_from_slice)
    }
}
