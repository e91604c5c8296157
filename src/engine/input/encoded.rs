//! Input in an encoding other than UTF-8. It is decoded into the input's own buffer, and the encoded bytes are kept
//! in [`Raw`] for as long as positions of the text can be requested.

use super::decoded::Decoded;
use super::encoding::Encoding;
use super::held_text::Change;
use super::pending::front;
use super::raw::{Raw, STRIDE};
use super::{Input, REPLACEMENT};
use alloc::string::String;

impl Input {
    /// Returns the encoded bytes of the buffered text. Creates them at the first call.
    pub(super) fn raw(&mut self) -> &mut Raw {
        let encoding = self
            .detection
            .sniffed
            .map_or(Encoding::UTF_8, |sniffed| sniffed.encoding);
        let raw = self.chunks.total - self.chunks.unread as u64;
        self.lines.raw(
            encoding,
            self.current.start + self.current.buffer.len() as u32,
            raw,
        )
    }

    /// Decodes pending bytes into the input's own buffer, until about one window of text was appended.
    pub(super) fn decode(
        &mut self,
        retained: &mut String,
        tells_ill_formed: bool,
        change: &mut Change<'_>,
    ) {
        self.hold(retained, change);
        let from = self.current.buffer.len();
        while (self.decode_some(false) || self.replace_unreported(tells_ill_formed))
            && self.current.buffer.len() - from < self.sizes.window
        {}
        self.replace_appended(from);
    }

    /// Appends U+FFFD if the decoder stopped at an ill-formed sequence and the dialect does not report ill-formed
    /// input. Returns true if it did so and more input is pending, so that decoding can continue at once. If the
    /// dialect reports ill-formed input, or line ends are replaced, the sequence is left to
    /// [`Input::start_window_with_replacement`].
    fn replace_unreported(&mut self, tells_ill_formed: bool) -> bool {
        if self.ill_formed.next_length == 0 || tells_ill_formed || self.decoding.replaces_line_ends
        {
            return false;
        }
        self.current.buffer.push_str(REPLACEMENT);
        self.raw().replaced();
        self.ill_formed.next_length = 0;
        !(self.chunks.pending.is_empty() && self.chunks.staged.is_empty())
    }

    /// Calls the decoder once. The text of one call is limited to the distance between two checkpoints of [`Raw`], so
    /// that a checkpoint can follow each call. Returns whether decoding can continue at once.
    fn decode_some(&mut self, last: bool) -> bool {
        self.raw();
        let Some(decoder) = &mut self.decoding.decoder else {
            return false;
        };
        let piece = front(&self.chunks.pending, &self.chunks.staged);
        let mut rest = piece;
        let from = self.current.buffer.len();
        let most = self.sizes.window.min(STRIDE);
        let decoded = decoder.decode(&mut rest, last, &mut self.current.buffer, most);
        let taken = piece.len() - rest.len();
        if let Some(raw) = self.lines.existing_raw() {
            raw.took(
                &piece[..taken],
                self.current.buffer.len() - from,
                decoder,
                decoded,
            );
        }
        let is_used_up = rest.is_empty();
        self.drop_front(taken);
        self.ill_formed.next_length = usize::from(decoded == Decoded::IllFormed);
        self.ill_formed.next_length == 0 && !is_used_up
    }

    /// Flushes the decoder at the end of the input. Returns false if the decoder was flushed before, or if there is
    /// none.
    pub(super) fn flush_decoder(&mut self, retained: &mut String, change: &mut Change<'_>) -> bool {
        if self.decoding.is_flushed || self.decoding.decoder.is_none() {
            return false;
        }
        self.hold(retained, change);
        self.raw().finish();
        let from = self.current.buffer.len();
        self.decode_some(true);
        self.decoding.is_flushed = self.ill_formed.next_length == 0;
        self.replace_appended(from);
        true
    }
}
