//! The payload of a checkpoint: the writer that saves it, and the reader that loads it.
//!
//! Numbers are saved in groups of seven bits, the lowest first; the highest bit of a byte is set if another group
//! follows. Text and lists are preceded by their length.

use super::error::CheckpointError;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;
use hashbrown::HashMap;

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

/// The shared values so far. While a state is saved, `numbers` maps the address and length of a value to its number,
/// from 1; while it is loaded, `loaded` contains the values in the order of their numbers.
#[derive(Default)]
pub(super) struct Shared {
    pub(super) numbers: HashMap<(usize, usize), u64>,
    pub(super) loaded: Vec<Box<dyn Any>>,
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
