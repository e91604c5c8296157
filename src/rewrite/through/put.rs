//! Insertion of text into the output of the rewriter.

use super::Through;
use crate::rewrite::join::Tail;
use crate::write::{Reason, Refusal, sure};

impl Through {
    /// Writes text. If `may_refer` is true, characters that the encoding does not contain become references.
    pub(in crate::rewrite) fn put(&mut self, text: &str, may_refer: bool) -> Result<(), Refusal> {
        self.put_all(&[(text, may_refer)])
    }

    /// Writes several strings one after another. The `bool` of each is true if characters that the encoding does not
    /// contain may become references in it. The last string must not be empty unless all strings are empty.
    pub(in crate::rewrite) fn put_all(&mut self, parts: &[(&str, bool)]) -> Result<(), Refusal> {
        let Some((last, _)) = parts.last().filter(|(last, _)| !last.is_empty()) else {
            return Ok(());
        };
        // If the input ends inside a character, text after it would be decoded together with the incomplete character.
        sure(self.done.is_multiple_of(self.unit()), Reason::Cut, last)?;
        self.note_line_end();
        (self.closed, self.is_begun) = (self.done, true);
        if self.dropping.take() == Some(self.done) {
            self.dropped = Some(self.done);
        }
        self.join = self.join.map(|_| Tail::of_put(last));
        parts.iter().try_for_each(|(text, may_refer)| {
            let may_refer = may_refer.then_some(self.is_html);
            self.encode.put(text, may_refer, &mut self.out)
        })
    }

    /// Writes text that was already escaped. The first character becomes a reference if it would become a part of the
    /// last token of the output.
    pub(in crate::rewrite) fn put_data(&mut self, text: &str) -> Result<(), Refusal> {
        self.part();
        let tail = self.join.unwrap_or(Tail::Closed);
        if tail == Tail::Dropping && text.starts_with(['\n', '&']) {
            self.put("\n", false)?;
        }
        let mut characters = text.chars();
        match characters.next().filter(|first| self.goes_on(tail, *first)) {
            Some(first) => {
                self.put("&", false)?;
                self.put(&alloc::format!("#x{:X};", u32::from(first)), false)?;
                self.put(characters.as_str(), true)
            }
            None => self.put(text, true),
        }
    }
}
