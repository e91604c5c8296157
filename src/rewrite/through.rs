//! The bytes of the input on their way to the output: copied, left out, with others put between. It must not
//! know why.

use super::encode::Encode;
use crate::input::encoding::Encoding;
use crate::write::Refusal;
use alloc::vec::Vec;

/// What was fed and is not passed, and what is put out.
#[derive(Clone, Debug, Default)]
pub(super) struct Through {
    /// What was fed, from the offset `base` on.
    raw: Vec<u8>,
    base: u64,
    /// All before this offset is put out, or left out.
    done: u64,
    out: Vec<u8>,
    /// The output has been lent, and goes.
    is_taken: bool,
    encode: Encode,
}

/// A state to come back to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Before {
    done: u64,
    out: usize,
    encode: Encode,
}

impl Through {
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        let passed = (self.done - self.base) as usize;
        if passed > self.raw.len() / 2 {
            self.raw.drain(..passed);
            self.base = self.done;
        }
        self.raw.extend_from_slice(bytes);
    }

    /// Begins anew, in the same memory.
    pub(super) fn reset(&mut self) {
        let (mut raw, mut out) = (
            core::mem::take(&mut self.raw),
            core::mem::take(&mut self.out),
        );
        raw.clear();
        out.clear();
        *self = Through {
            raw,
            out,
            ..Through::default()
        };
    }

    pub(super) fn set_encoding(&mut self, encoding: Option<Encoding>) {
        self.encode.set(encoding);
    }

    /// All before this offset is done.
    pub(super) fn done(&self) -> u64 {
        self.done
    }

    pub(super) fn end(&self) -> u64 {
        self.base + self.raw.len() as u64
    }

    /// What was lent goes, before more is put.
    #[inline(always)]
    pub(super) fn forget_taken(&mut self) {
        if self.is_taken {
            self.out.clear();
            self.is_taken = false;
        }
    }

    /// Lends what was put.
    pub(super) fn take(&mut self) -> &[u8] {
        self.is_taken = true;
        &self.out
    }

    pub(super) fn before(&self) -> Before {
        Before {
            done: self.done,
            out: self.out.len(),
            encode: self.encode,
        }
    }

    /// Goes back to a state.
    pub(super) fn go_back(&mut self, before: Before) {
        self.done = before.done;
        self.out.truncate(before.out);
        self.encode = before.encode;
    }

    fn ahead(&self, to: u64) -> &[u8] {
        let end = to.min(self.end());
        let from = (self.done - self.base) as usize;
        self.raw
            .get(from..(end - self.base) as usize)
            .unwrap_or_default()
    }

    /// Puts what comes before an offset.
    #[inline]
    pub(super) fn copy_to(&mut self, to: u64) {
        let mut encode = self.encode;
        let mut out = core::mem::take(&mut self.out);
        let bytes = self.ahead(to);
        encode.copy(bytes, &mut out);
        self.done += bytes.len() as u64;
        (self.encode, self.out) = (encode, out);
    }

    /// Leaves out what comes before an offset.
    pub(super) fn leave_out_to(&mut self, to: u64) {
        let mut encode = self.encode;
        let bytes = self.ahead(to);
        encode.leave_out(bytes);
        self.done += bytes.len() as u64;
        self.encode = encode;
    }

    /// Puts text; with references, if it may have any, in place of what the encoding has not.
    pub(super) fn put(&mut self, text: &str, may_refer: bool) -> Result<(), Refusal> {
        self.encode.put(text, may_refer, &mut self.out)
    }
}
