//! The end of the text of a raw text element, such as `script`: whether text that is written after it could be read as a
//! part of an end tag, or in a script as the end of a comment or the start of a nested script.
//!
//! A run of text arrives in pieces, so the end of a run is computed from the pieces one by one. Where the pieces end
//! does not matter.

mod at_place;

use super::edits::Edits;
use alloc::string::String;

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
        self.push_bytes(text.as_bytes());
    }

    fn push_bytes(&mut self, text: &[u8]) {
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

    /// Returns true if the end of this text can be a part of another token together with text after it: it has a `<`
    /// without a `>` after it, or, in a script, ends with `-`.
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

/// The states of the tokenizer of HTML in a script. They differ in the tags that end the script.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Level {
    #[default]
    Data,
    /// After `<!--`.
    Escaped,
    /// After `<script` in the escaped state. The end tag `</script>` does not end the script.
    DoubleEscaped,
}

impl Level {
    /// Returns the words that begin another state.
    fn words(self) -> &'static [&'static str] {
        match self {
            Level::Data => &["<!--"],
            Level::Escaped => &["-->", "<script"],
            Level::DoubleEscaped => &["-->", "</script"],
        }
    }

    /// Returns the length of the word that ends the text and changes the state, and the next state.
    fn word_length(self, text: &[u8]) -> Option<(usize, Level)> {
        let ends_tag = |tag: &[u8]| {
            let Some((last, name)) = text.split_last() else {
                return false;
            };
            let ends_name = matches!(last, b'\t' | b'\n' | b'\x0C' | b' ' | b'/' | b'>');
            let at = name.len().checked_sub(tag.len());
            ends_name && at.is_some_and(|at| name[at..].eq_ignore_ascii_case(tag))
        };
        match self {
            Level::Data => text.ends_with(b"<!--").then_some((4, Level::Escaped)),
            _ if text.ends_with(b"-->") => Some((3, Level::Data)),
            Level::Escaped => ends_tag(b"<script").then_some((8, Level::DoubleEscaped)),
            Level::DoubleEscaped => ends_tag(b"</script").then_some((9, Level::Escaped)),
        }
    }
}

/// The state after the text of a script in the input. A piece of text that changes the state cannot be removed: the
/// rest of the script, and the markup after it, would be parsed differently.
#[derive(Clone, Copy, Debug, Default)]
struct Script {
    level: Level,
    /// The end of the text, as far as it can belong to a word that changes the state.
    end: TextEnd,
    /// True if the last piece changed the state.
    is_changed: bool,
    /// True if the end was removed or replaced, at least in part.
    is_removed: bool,
}

impl Script {
    /// Passes a piece of text.
    fn pass(&mut self, text: &str) {
        self.begin_piece(text);
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            // Only words at the beginning can have begun in the text before. Most texts have no other words.
            let (begin, after) = rest.split_at(rest.len().min(MAX_WORD));
            for byte in begin {
                self.is_changed |= self.pass_byte(*byte) > 0;
            }
            let last = after.len().saturating_sub(MAX_WORD);
            let next = match self.level {
                // PERF: a search for the whole word takes four times as many instructions.
                Level::Data => {
                    let mut begins = memchr::memchr_iter(b'<', after);
                    begins.find(|at| after[*at..].starts_with(b"<!--"))
                }
                _ => memchr::memchr2(b'<', b'-', after),
            };
            let skipped = next.unwrap_or(last).min(last);
            if skipped > 0 {
                self.end = TextEnd::default();
            }
            rest = &after[skipped..];
        }
    }

    /// Passes a piece of text in a document whose scripts up to here have no `<!--`.
    fn pass_unchanged(&mut self, text: &str) {
        self.begin_piece(text);
        self.end.push(text);
    }

    /// Updates the state for a piece before its words are read.
    fn begin_piece(&mut self, text: &str) {
        let is_continued = || self.end.is_continued(text, self.level.words());
        self.is_removed = self.is_removed && (text.is_empty() || is_continued());
        self.is_changed = false;
    }

    /// Passes a byte, and returns the length of the word that it ends, or 0 if the state does not change.
    fn pass_byte(&mut self, byte: u8) -> usize {
        self.end.push_bytes(&[byte]);
        let length = self.level.word_length(self.end.last());
        if let Some((length, level)) = length {
            self.level = level;
            return length;
        }
        0
    }

    /// Returns the beginning of the word that changes the state and ends at the beginning of a text, if a part of this
    /// beginning was removed.
    fn removed_word(&self, text: &str) -> Option<&[u8]> {
        if !self.is_removed {
            return None;
        }
        let mut after = *self;
        let mut bytes = text.bytes().take(MAX_WORD).zip(1..);
        let length = bytes.find_map(|(byte, passed)| match after.pass_byte(byte) {
            0 => None,
            length => Some(length.saturating_sub(passed)),
        });
        let last = self.end.last();
        let begun = last.len().checked_sub(length?).map(|at| &last[at..])?;
        (!begun.is_empty()).then_some(begun)
    }
}

/// The text of the last raw text element, up to the current event.
#[derive(Clone, Debug, Default)]
pub(super) struct RawText {
    /// The state in a script of HTML, `None` in other elements.
    script: Option<Script>,
    /// The end of the text in the input, after the current event.
    source: TextEnd,
    /// The end of the text in the output before the current event. After inserted content, which is complete, a text
    /// begins anew.
    before: TextEnd,
    /// The end of the text in the output after the current event.
    written: TextEnd,
    /// Offset in the input of the end of the last text.
    end: u64,
    /// True if other pieces may follow the current one.
    has_more: bool,
}

/// The properties of a piece of raw text that decide how it is passed.
#[derive(Clone, Copy, Debug)]
pub(super) struct PieceKind {
    /// True if other pieces may follow.
    pub(super) has_more: bool,
    /// True if the piece is not written.
    pub(super) is_omitted: bool,
    /// True unless no script of the document up to this piece has the word `<!--`.
    pub(super) may_change_script: bool,
}

impl RawText {
    /// Returns the beginning of a script of HTML if `is_script`, or of another raw text element.
    pub(super) fn new(is_script: bool) -> RawText {
        RawText {
            script: is_script.then(Script::default),
            ..RawText::default()
        }
    }

    /// Returns true if the end of the script up to here was removed or replaced, at least in part.
    #[cfg(feature = "select")]
    pub(super) fn is_removed(&self) -> bool {
        self.script.is_some_and(|script| script.is_removed)
    }

    /// Returns the end of a removed piece of a script, if the next piece continues it to a word that changes the state
    /// of the parser. This word must stay in the output.
    pub(super) fn restored(&self, text: &str) -> Option<String> {
        let word = self.script.as_ref()?.removed_word(text)?;
        Some(String::from_utf8_lossy(word).into_owned())
    }

    /// Passes a piece of text, which ends at an offset in the input. `restored` is the text that is written before it.
    #[cold]
    pub(super) fn pass(&mut self, restored: &str, text: &str, end: u64, kind: PieceKind) {
        let PieceKind {
            has_more,
            is_omitted,
            may_change_script,
        } = kind;
        self.end = end;
        self.source.push(text);
        // PERF: the last piece is not passed here. The state after it is needed only if that piece is edited, and then
        // `changes_script` computes the state.
        if let Some(script) = self.script.as_mut().filter(|_| has_more) {
            match may_change_script {
                true => script.pass(text),
                false => script.pass_unchanged(text),
            }
            // The restored word is not removed any more.
            script.is_removed &= restored.is_empty();
        }
        self.has_more = has_more;
        self.written.push(restored);
        self.before = self.written;
        if !is_omitted {
            self.written.push(text);
        }
    }

    /// Called after the edits of a piece of text were applied.
    #[cold]
    pub(super) fn edit(&mut self, text: &str, edits: &Edits) {
        self.written = self.before;
        if let Some(script) = &mut self.script {
            script.is_removed |= edits.is_removed || edits.text.is_some();
        }
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

crate::checkpoint::checkpointable! {
    enum Level { Data, Escaped, DoubleEscaped }
    struct TextEnd { bytes, length }
    struct Script { level, end, is_changed, is_removed }
    struct RawText { script, source, before, written, end, has_more }
}
