//! Texts that are not strings of a column: values of other types, and the text beside child elements.

use super::{Place, Rows, State};
use crate::columns::{ROOT, Unfit};
use tagstream::{EndTag, Text};

impl Rows {
    /// Appends text that is not in a column yet.
    #[inline(never)]
    pub(super) fn add_text(&mut self, text: &Text<'_>) {
        let piece = text.as_str();
        if !self.count_text(piece.len()) || self.is_too_long {
            return;
        }
        self.text.push_str(piece);
        // An error has the place of the last run of text, which does not depend on the chunks.
        if text.is_first_piece() || self.text_place.is_none() {
            self.text_place = Some(Place {
                span: text.span(),
                position: text.position(),
            });
        }
    }

    /// Reads text of a value that is not a string.
    ///
    /// PERF: most values are one text, which is converted without a look at its place.
    #[inline]
    pub(super) fn value_text(&mut self, column: u32, text: &Text<'_>) {
        if self.text.is_empty() && !text.is_piece() && !self.is_too_long {
            let piece = text.as_str();
            if self.count_text(piece.len()) {
                if let Ok(Ok(())) = self.columns.push_value(column, piece) {
                    self.text.push_str(piece);
                    self.state = State::ValueRead(column);
                } else {
                    self.row_text -= piece.len() as u64;
                    self.add_text(text);
                }
            }
            return;
        }
        self.add_text(text);
    }

    /// Ends a value that is not a string and that was not read from one text.
    pub(super) fn finish_value(&mut self, column: u32, tag: &EndTag<'_>) {
        if self.is_too_long {
            return;
        }
        let mut text = std::mem::take(&mut self.text);
        let place = self.text_place.take();
        let place = place.map_or_else(|| Place::of_end(tag), |place| place.up_to(tag.span().start));
        let pushed = match text
            .bytes()
            .all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
        {
            true => Ok(self.columns.push_null(column)),
            false => self.columns.push_value(column, &text),
        };
        match pushed {
            Ok(Ok(())) => {}
            Ok(Err(null)) => self.note_null(null, place),
            Err(Unfit) => self.note_unfit(column, &text, place, false),
        }
        text.clear();
        self.text = text;
    }

    /// Ends the text beside child elements, which is in `text`, at the offset of the next tag.
    #[inline(never)]
    pub(super) fn finish_beside(&mut self, end: u64) {
        let mut text = std::mem::take(&mut self.text);
        let place = self.text_place.take();
        if let Some(parent) = self.open.last().copied()
            && let Some(column) = self.columns.fields(parent).and_then(|fields| fields.value)
            && let Some(place) = place
            && !text
                .bytes()
                .all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
            && !self.is_too_long
            && !self.is_cut
        {
            let place = place.up_to(end);
            let (target, is_repeated) = self.columns.target(parent, column);
            if is_repeated {
                self.note_repeated(target, place);
            }
            match self.columns.push_value(target, &text) {
                Ok(Ok(())) => {}
                Ok(Err(null)) => self.note_null(null, place),
                Err(Unfit) => self.note_unfit(target, &text, place, parent == ROOT),
            }
        }
        text.clear();
        self.text = text;
    }
}
