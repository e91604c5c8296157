//! The line ends that XML 1.1 has beside those of 1.0: NEL and LS, read as LF.
//!
//! They are replaced in a buffer of our own, so that a machine need not know them; places in the input
//! stay what they are, and so does what was written. It must not know what a document is.

use super::{Input, Mark};
use crate::scan::Checked;
use alloc::string::String;

const OTHERS: [char; 2] = ['\u{85}', '\u{2028}'];

impl Input {
    /// From the byte after the last that was taken, NEL and LS are read as LF. Nothing before that may
    /// be held; gives the mark that became mark 0. Only to be called while the queue is empty.
    pub(crate) fn replace_line_ends(&mut self, retained: &mut String) -> u32 {
        self.replaces_line_ends = true;
        let taken = self.shift + self.at as u32;
        self.text -= (self.to - self.at) as u64;
        // A window after the last of the declaration may be one ill-formed sequence, which stays as it is.
        self.lines.forget(taken);
        let mut rebase = 0;
        if !self.is_own {
            if self.tail_length == 0
                && self.shared.valid() < self.shared.len()
                && self.ill_formed == 0
            {
                self.pending.push_front(self.shared.split_rest(0));
            }
            let text = self.shared.as_str();
            let (dropped, kept) = text.split_at(self.at);
            self.lines.rebase(taken, dropped.as_bytes());
            self.own.clear();
            self.own.push_str(kept);
            retained.clear();
            self.shared = Checked::default();
            self.is_own = true;
            self.shift = Mark::ZERO;
            self.at = 0;
            rebase = taken.get();
        }
        (self.from, self.to) = (self.at, self.at);
        self.masks.clear();
        self.replace_line_ends_from(self.at);
        rebase
    }

    /// Replaces line ends in what was appended to our own buffer from an index on.
    pub(super) fn replace_appended(&mut self, from: usize) {
        if self.replaces_line_ends {
            self.replace_line_ends_from(from);
        }
    }

    /// Replaces the line ends in our own buffer from an index on.
    fn replace_line_ends_from(&mut self, from: usize) {
        let (text, lines) = (&mut self.own, &mut self.lines);
        if !text[from..].contains(OTHERS) {
            self.line_ends.pass(&text[from..]);
            lines.append_written(&text[from..]);
            return;
        }
        let old = text.split_off(from);
        lines.keep_written(text);
        lines.append_written(&old);
        for character in old.chars() {
            match self.line_ends.replace(character) {
                Some(feeds) => {
                    text.push_str(feeds);
                    let mark = self.shift + text.len() as u32;
                    lines.replaced_line_end(mark, feeds.len(), character.len_utf8());
                }
                None => text.push(character),
            }
        }
    }
}

/// What the line ends are read as, one after another.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(crate) struct LineEnds {
    after_cr: bool,
}

impl LineEnds {
    /// What a character is read as, if it is not itself.
    pub(crate) fn replace(&mut self, character: char) -> Option<&'static str> {
        let after_cr = core::mem::replace(&mut self.after_cr, character == '\r');
        match character {
            '\u{85}' => Some("\n"),
            // An LF there would belong to the CR, and LS does not.
            '\u{2028}' if after_cr => Some("\n\n"),
            '\u{2028}' => Some("\n"),
            _ => None,
        }
    }

    /// Text goes by that has none of them.
    pub(super) fn pass(&mut self, text: &str) {
        if let Some(last) = text.bytes().last() {
            self.after_cr = last == b'\r';
        }
    }
}
