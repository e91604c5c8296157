//! Line ends that XML 1.1 adds to those of XML 1.0: NEL (U+0085) and LS (U+2028), which are read as LF.
//!
//! They are replaced in the input's own buffer, so that tokenizers see only CR and LF. The [`LineIndex`] records the
//! replacements: offsets still refer to the input as fed, and the source text of an event still contains NEL and LS.
//!
//! [`LineIndex`]: super::line_index::LineIndex

use super::Input;
use super::buffer_offset::BufferOffset;
use crate::engine::scan::Checked;
use alloc::string::String;

const OTHERS: [char; 2] = ['\u{85}', '\u{2028}'];

impl Input {
    /// Replaces NEL and LS by LF, from the next byte to consume on. Called after an XML declaration with version 1.1.
    /// The tokenizer must not need text before that byte, and the event queue must be empty. Returns the number of
    /// bytes discarded from the front of the buffered text, by which all offsets in it have to be rebased.
    pub(crate) fn replace_line_ends(&mut self, retained: &mut String) -> u32 {
        self.decoding.replaces_line_ends = true;
        let taken = self.current.start + self.window.at as u32;
        self.text -= (self.window.to - self.window.at) as u64;
        // Positions after this offset are computed again. If the window is the U+FFFD of an ill-formed sequence, the
        // record of that sequence stays valid.
        self.lines.forget(taken);
        let mut rebase = 0;
        if !self.current.is_own {
            if self.decoding.partial_length == 0
                && self.current.shared.valid() < self.current.shared.len()
                && self.ill_formed.next_length == 0
            {
                self.chunks
                    .pending
                    .push_front(self.current.shared.split_rest(0));
            }
            let text = self.current.shared.as_str();
            let (dropped, kept) = text.split_at(self.window.at);
            self.lines.rebase(taken, dropped.as_bytes());
            self.current.buffer.clear();
            self.current.buffer.push_str(kept);
            retained.clear();
            self.current.shared = Checked::default();
            self.current.is_own = true;
            self.current.start = BufferOffset::ZERO;
            self.window.at = 0;
            rebase = taken.get();
        }
        (self.window.from, self.window.to) = (self.window.at, self.window.at);
        self.masks.clear();
        self.replace_line_ends_from(self.window.at);
        rebase
    }

    /// Replaces NEL and LS in the text of `buffer` from the index `from` on, if the replacement is switched on.
    pub(super) fn replace_appended(&mut self, from: usize) {
        if self.decoding.replaces_line_ends {
            self.replace_line_ends_from(from);
        }
    }

    /// Replaces NEL and LS in the text of `buffer` from the index `from` on, and records each replacement in the line
    /// index.
    fn replace_line_ends_from(&mut self, from: usize) {
        let (text, lines) = (&mut self.current.buffer, &mut self.lines);
        if !text[from..].contains(OTHERS) {
            self.decoding.line_ends.pass(&text[from..]);
            lines.append_written(&text[from..]);
            return;
        }
        let old = text.split_off(from);
        lines.keep_written(text);
        lines.append_written(&old);
        for character in old.chars() {
            match self.decoding.line_ends.replace(character) {
                Some(feeds) => {
                    text.push_str(feeds);
                    let mark = self.current.start + text.len() as u32;
                    lines.replaced_line_end(mark, feeds.len(), character.len_utf8());
                }
                None => text.push(character),
            }
        }
    }
}
