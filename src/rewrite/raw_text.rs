//! The end of the text of a raw text element, such as `script`: whether text that is written after it could be read as a
//! part of an end tag, or in a script as the end of a comment or the start of a nested script.
//!
//! A run of text arrives in pieces, so the end of a run is computed from the pieces one by one. Where the pieces end
//! does not matter.

use super::content::raw_words;
use super::edits::Edits;
use super::place::Place;
use super::seam::Context;
use crate::engine::text::html_facts;

/// Returns true for the elements of Sky whose content is text without markup and references.
pub(super) fn is_raw_text_in_sky(name: &str) -> bool {
    matches!(name, "script" | "style")
}

/// Length in bytes of the longest beginning of an end tag of a raw text element.
const MAX_WORD: usize = "</plaintext".len();

/// The last bytes of a text, at most [`MAX_WORD`].
#[derive(Clone, Copy, Debug, Default)]
struct TextEnd {
    bytes: [u8; MAX_WORD],
    length: u8,
}

impl TextEnd {
    /// Appends more text.
    fn push(&mut self, text: &str) {
        let text = text.as_bytes();
        let more = &text[text.len().saturating_sub(MAX_WORD)..];
        let length = self.last().len();
        let kept = length.min(MAX_WORD - more.len());
        self.bytes.copy_within(length - kept..length, 0);
        self.bytes[kept..kept + more.len()].copy_from_slice(more);
        self.length = (kept + more.len()) as u8;
    }

    fn last(&self) -> &[u8] {
        self.bytes.get(..self.length.into()).unwrap_or_default()
    }

    /// Returns true if some text could continue the end of this text to another token.
    fn is_open(&self, is_script: bool) -> bool {
        let mut last = self.last().iter().rev();
        let is_tag = last.find(|byte| matches!(byte, b'<' | b'>')) == Some(&b'<');
        is_tag || is_script && self.last().ends_with(b"-")
    }

    /// Returns true if a text continues the end of this text to one of these words, or to the beginning of one. The end of
    /// this text can also be a whole word, which another character than a letter completes.
    fn is_continued(&self, text: &str, words: &[&str]) -> bool {
        let text = text.as_bytes();
        let ends_name = text
            .first()
            .is_some_and(|next| !next.is_ascii_alphanumeric());
        words.iter().map(|word| word.as_bytes()).any(|word| {
            (1..=word.len()).any(|length| {
                let (begun, rest) = word.split_at(length);
                let last = self.last();
                let end = last.len().checked_sub(length).map(|at| &last[at..]);
                let compared = rest.len().min(text.len());
                end.is_some_and(|end| end.eq_ignore_ascii_case(begun))
                    && text[..compared].eq_ignore_ascii_case(&rest[..compared])
                    && (!rest.is_empty() || ends_name)
            })
        })
    }
}

/// The text of the last raw text element, up to the current event.
#[derive(Clone, Debug, Default)]
pub(super) struct RawText {
    /// The end of the text in the input, after the current event.
    source: TextEnd,
    /// The end of the text in the output before the current event. After inserted content, which is complete, a text
    /// begins anew.
    before: TextEnd,
    /// The end of the text in the output after the current event.
    written: TextEnd,
    /// Offset in the input of the end of the last text.
    end: u64,
}

impl RawText {
    /// Passes a piece of text, which ends at an offset in the input. `is_omitted` is true if it is not written.
    #[cold]
    pub(super) fn pass(&mut self, text: &str, end: u64, is_omitted: bool) {
        self.end = end;
        self.source.push(text);
        self.before = self.written;
        if !is_omitted {
            self.written.push(text);
        }
    }

    /// Called after the edits of a piece of text were applied.
    #[cold]
    pub(super) fn edit(&mut self, text: &str, edits: &Edits) {
        self.written = self.before;
        let replaces = edits.text.as_ref().is_some_and(|text| !text.is_empty());
        if !edits.before.is_empty() || replaces {
            self.written = TextEnd::default();
        }
        if !edits.is_removed && edits.text.is_none() {
            self.written.push(text);
        }
        if !edits.after.is_empty() {
            self.written = TextEnd::default();
        }
    }
}

impl Place {
    /// Returns true if the raw text in the output before the current text event can become another token together with
    /// the text that follows.
    pub(super) fn is_open_before_text(&self) -> bool {
        self.context == Context::RawText && self.raw.before.is_open(self.is_script())
    }

    /// Returns true if the raw text up to the end of the current text event can become another token together with the
    /// text that follows. This is the text in the input, with the pieces that were removed, because a program may remove
    /// a piece after it inserts content. The text in the output is a part of it.
    pub(super) fn is_open_after_text(&self) -> bool {
        if self.context != Context::RawText {
            return false;
        }
        debug_assert_eq!(
            self.raw.end, self.span.end,
            "all pieces of the run up to here are judged together"
        );
        self.raw.source.is_open(self.is_script())
    }

    /// Returns true if a text before the end of the raw text element continues the text in the output to another token.
    pub(super) fn continues_raw_text(&self, text: &str) -> bool {
        let end = ["</", &self.raw_name].concat();
        let words = raw_words(&self.raw_name, &end);
        self.raw.written.is_continued(text, &words)
    }

    fn is_script(&self) -> bool {
        html_facts::SCRIPT.contains(&self.raw_name)
    }
}

crate::checkpoint::checkpointable! {
    struct TextEnd { bytes, length }
    struct RawText { source, before, written, end }
}
