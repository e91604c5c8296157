//! Windows of raw text, which need no masks.
//!
//! The text of a script, for example, ends at one of a few bytes. If the next window begins in such text, one search for
//! these bytes is faster than the masks of all classes. The window then ends before the first of them.

use super::Input;
use crate::engine::scan::{self, Set};

impl Input {
    /// Sets the bytes that end the raw text in which the next window begins: see
    /// [`raw_terminators`](crate::engine::tokenizer::Tokenizer::raw_terminators).
    pub(crate) fn set_raw_terminators(&mut self, terminators: Option<&'static Set>) {
        self.raw_terminators = terminators;
    }

    /// Returns whether the current window contains nothing but raw text.
    #[inline(always)]
    pub(crate) fn has_raw_window(&self) -> bool {
        self.raw_terminators.is_some()
    }

    /// Ends the window before the first of `terminators`, so that it contains nothing but raw text. Returns false, and
    /// leaves the window unchanged, if that would be too little text.
    ///
    /// PERF: the search takes 21 instructions for 64 bytes, the masks of HTML 54. Reading nytimes-5.html, four fifths of
    /// which are scripts, as events in chunks of 4 KiB takes 3.44 M instructions instead of 3.79 M (`valgrind
    /// --tool=callgrind`, a program that reads and counts events).
    pub(super) fn limit_to_raw_text(&mut self, terminators: &Set) -> bool {
        let window = &self.current.as_str().as_bytes()[self.window.from..self.window.to];
        if window.len() < self.sizes.raw {
            return false;
        }
        let length = scan::find_far(terminators, window, self.is_plain);
        if length < self.sizes.raw {
            return false;
        }
        self.window.to = self.window.from + length;
        true
    }
}
