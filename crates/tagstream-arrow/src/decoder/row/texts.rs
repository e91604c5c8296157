//! Texts: strings of columns, values of other types, and the text beside child elements.

use super::{MAX_ROW_TEXT_BYTES, Place, RowState, Rows};
use crate::columns::{Data, ROOT, Unfit};
use tagstream::{EndTag, Text};

/// Text that is not in a column yet: of a value that is not a string, or beside child elements.
#[derive(Debug, Default)]
pub(super) struct PendingText {
    text: String,
    /// The place of the first piece of the last run of text. An error has this place, which does not depend on the chunks.
    place: Option<Place>,
}

impl PendingText {
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    #[inline]
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.place = None;
    }

    fn is_whitespace(&self) -> bool {
        let mut bytes = self.text.bytes();
        bytes.all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
    }
}

impl Rows {
    /// Handles a text.
    #[inline(always)]
    pub(in crate::decoder) fn text(&mut self, text: &Text<'_>) {
        if let RowState::Skipped(_) = self.state {
            return;
        }
        match self.state {
            RowState::Skipped(_) => {}
            RowState::Outside => self.strays.separate(u64::MAX),
            RowState::Text(column) | RowState::Inner(column, _) => {
                self.push_piece(column, text.as_str())
            }
            RowState::Value(column) => self.value_text(column, text),
            RowState::Struct => {
                let Some(parent) = self.open.last() else {
                    return;
                };
                if let Data::Struct(fields) = &self.columns.all[*parent as usize].data
                    && fields.value.is_some()
                {
                    self.add_pending(text);
                }
            }
            RowState::ValueRead(column) => {
                // The text before was not all of the value. The values of a row that is too long were removed before.
                if !self.problems.is_too_long {
                    let len = self.columns.len(column);
                    self.columns.truncate(column, len - 1);
                }
                self.state = RowState::Value(column);
                self.add_pending(text);
            }
        }
    }

    /// Returns the maximum number of bytes of the strings of a row.
    #[inline(always)]
    pub(super) fn max_text_bytes(&self) -> u64 {
        self.options.max_row_bytes.min(MAX_ROW_TEXT_BYTES)
    }

    /// Counts bytes of strings. Returns false if the row has too many.
    #[inline]
    pub(super) fn count_text(&mut self, len: usize) -> bool {
        self.row.text_bytes += len as u64;
        if self.row.text_bytes > self.max_text_bytes() {
            self.note_too_long();
            return false;
        }
        true
    }

    /// Appends text to the string of a column.
    #[inline]
    pub(super) fn push_piece(&mut self, column: u32, piece: &str) {
        if self.count_text(piece.len()) && !self.problems.is_too_long {
            self.columns.push_piece(column, piece);
        }
    }

    /// Appends text that is not in a column yet.
    #[inline(never)]
    fn add_pending(&mut self, text: &Text<'_>) {
        let piece = text.as_str();
        if !self.count_text(piece.len()) || self.problems.is_too_long {
            return;
        }
        let pending = &mut self.pending;
        pending.text.push_str(piece);
        if text.is_first_piece() || pending.place.is_none() {
            pending.place = Some(Place::new(text.span(), text.position()));
        }
    }

    /// Reads text of a value that is not a string.
    ///
    /// PERF: most values are one text, which is converted without a look at its place.
    #[inline]
    fn value_text(&mut self, column: u32, text: &Text<'_>) {
        if self.pending.is_empty() && !text.is_piece() && !self.problems.is_too_long {
            let piece = text.as_str();
            if self.count_text(piece.len()) {
                if let Ok(Ok(())) = self.columns.push_value(column, piece) {
                    self.pending.text.push_str(piece);
                    self.state = RowState::ValueRead(column);
                } else {
                    self.row.text_bytes -= piece.len() as u64;
                    self.add_pending(text);
                }
            }
            return;
        }
        self.add_pending(text);
    }

    /// Ends a value that is not a string and that was not read from one text.
    pub(super) fn finish_value(&mut self, column: u32, tag: &EndTag<'_>) {
        if self.problems.is_too_long {
            return;
        }
        let mut pending = std::mem::take(&mut self.pending);
        let place = match pending.place {
            Some(place) => place.up_to(tag.span().start),
            None => Place::new(tag.span(), tag.position()),
        };
        let pushed = match pending.is_whitespace() {
            true => Ok(self.columns.push_null(column)),
            false => self.columns.push_value(column, &pending.text),
        };
        match pushed {
            Ok(Ok(())) => {}
            Ok(Err(null)) => self.note_null(null, place),
            Err(Unfit) => self.note_unfit(column, &pending.text, place, false),
        }
        pending.clear();
        self.pending = pending;
    }

    /// Ends the text beside child elements at the offset of the next tag.
    #[inline(never)]
    pub(super) fn finish_text_beside_elements(&mut self, end: u64) {
        let mut pending = std::mem::take(&mut self.pending);
        if let Some(parent) = self.open.last().copied()
            && let Some(column) = self.columns.fields(parent).and_then(|fields| fields.value)
            && let Some(place) = pending.place
            && !pending.is_whitespace()
            && !self.problems.is_too_long
            && !self.problems.is_cut
        {
            let place = place.up_to(end);
            let (target, is_repeated) = self.columns.target(parent, column);
            if is_repeated {
                self.note_repeated(target, place);
            }
            match self.columns.push_value(target, &pending.text) {
                Ok(Ok(())) => {}
                Ok(Err(null)) => self.note_null(null, place),
                Err(Unfit) => self.note_unfit(target, &pending.text, place, parent == ROOT),
            }
        }
        pending.clear();
        self.pending = pending;
    }
}
