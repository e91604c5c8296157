//! [`LineEnds`]: the replacement of the line ends that XML 1.1 adds to those of XML 1.0.

/// The state that the replacement of NEL and LS needs from one character to the next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineEnds {
    after_cr: bool,
}

impl LineEnds {
    pub(crate) const fn new() -> LineEnds {
        LineEnds { after_cr: false }
    }

    /// Returns the replacement of a character, or `None` if the character is not replaced.
    pub(crate) fn replace(&mut self, character: char) -> Option<&'static str> {
        let after_cr = core::mem::replace(&mut self.after_cr, character == '\r');
        match character {
            '\u{85}' => Some("\n"),
            // After a CR, the first LF is read as part of CR LF, and the second one is the LS.
            '\u{2028}' if after_cr => Some("\n\n"),
            '\u{2028}' => Some("\n"),
            _ => None,
        }
    }

    /// Records that `text` follows, in which nothing is replaced.
    pub(super) fn pass(&mut self, text: &str) {
        if let Some(last) = text.bytes().last() {
            self.after_cr = last == b'\r';
        }
    }
}

crate::checkpoint::checkpointable! {
    struct LineEnds { after_cr }
}
