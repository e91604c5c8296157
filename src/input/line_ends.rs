//! The line ends that XML 1.1 has beside those of 1.0: NEL and LS, read as LF.
//!
//! They are replaced in a buffer of our own, so that a machine need not know them; places in the input
//! stay what they are. It must not know what a document is.

use super::Input;
use super::places::Places;
use crate::scan::Checked;
use alloc::string::String;

const OTHERS: [char; 2] = ['\u{85}', '\u{2028}'];

impl Input {
    /// From the byte after the last that was taken, NEL and LS are read as LF. Nothing before that may
    /// be held; gives the mark that became mark 0. Only to be called while the queue is empty.
    pub(crate) fn replace_line_ends(&mut self, carry: &mut String) -> u32 {
        self.replaces_line_ends = true;
        let taken = self.shift + self.at as u32;
        self.text -= (self.to - self.at) as u64;
        self.places.forget_after(taken);
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
            self.places.rebase(taken, dropped.as_bytes());
            self.own.clear();
            self.own.push_str(kept);
            carry.clear();
            self.shared = Checked::default();
            self.is_own = true;
            self.shift = 0;
            self.at = 0;
            rebase = taken;
        }
        (self.from, self.to) = (self.at, self.at);
        self.masks.clear();
        replace(&mut self.own, self.at, self.shift, &mut self.places);
        rebase
    }

    /// Replaces line ends in what was appended to our own buffer from an index on.
    pub(super) fn replace_appended(&mut self, from: usize) {
        if self.replaces_line_ends {
            replace(&mut self.own, from, self.shift, &mut self.places);
        }
    }
}

/// Replaces the line ends in `text` from an index on; `text` begins at the mark `shift`.
fn replace(text: &mut String, from: usize, shift: u32, places: &mut Places) {
    if !text[from..].contains(OTHERS) {
        return;
    }
    let old = text.split_off(from);
    for character in old.chars() {
        if OTHERS.contains(&character) {
            text.push('\n');
            places.replaced(shift + text.len() as u32, 1, character.len_utf8());
        } else {
            text.push(character);
        }
    }
}
