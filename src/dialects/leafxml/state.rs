//! States of the LeafXML tokenizer, in the order in which the specification describes the constructs.
//!
//! The specification does not define states. It describes tokens and their parts; the states are positions in them.
//! The functions of the states are in `states/`.

use crate::engine::event::strings::{Cleaned, Str};
use crate::engine::input::BufferOffset;

/// Result of a state function: the next state, or `None` if the window is used up and the tokenizer has to wait for
/// more input in the current state.
pub(super) type Next = Option<State>;

/// A state of the LeafXML tokenizer: the position in the grammar at which the next byte is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// In a text token inside the root element.
    Text,
    /// In a text token before the first tag or after the last one.
    Outside,
    /// In a text token, after a CR: a line feed or NEL would belong to the same line break.
    TextLineBreak,
    /// In a CDATA token, after a CR: a line feed or NEL would belong to the same line break.
    CdataLineBreak,
    /// After the `&` of an escape, or in its name.
    Escape,
    /// In an escape, after `&#`.
    EscapeNumber,
    /// In a decimal escape, after `&#` and a digit.
    EscapeDecimal,
    /// In a hexadecimal escape, after `&#x`.
    EscapeHexadecimal,
    /// At the start of a token, after `<`.
    Token,
    /// At the start of a token, after `<!`.
    Declaration,
    /// In the middle of `<!--`, `<![CDATA[` or `<!DOCTYPE`.
    DeclarationWord,
    /// In a CDATA token.
    Cdata,
    /// In a CDATA token, after one `]`.
    CdataBracket,
    /// In a CDATA token, after `]]`.
    CdataEnd,
    /// In an instruction token, `<?…?>`.
    Instruction,
    /// In an instruction token, after `?`.
    InstructionEnd,
    /// In a DOCTYPE token, outside quotes (a type span of the specification).
    Doctype,
    /// In a DOCTYPE token, between single quotes.
    DoctypeSingleQuoted,
    /// In a DOCTYPE token, between double quotes.
    DoctypeDoubleQuoted,
    /// In a comment token.
    Comment,
    /// In a comment token, after one `-`.
    CommentDash,
    /// In a comment token, after `--`.
    CommentEnd,
    /// After `</`.
    EndTag,
    /// In the name of an end tag.
    EndTagName,
    /// After the name of an end tag and whitespace.
    EndTagNameAfter,
    /// In the name of a start tag or an empty tag.
    TagName,
    /// In a start tag or an empty tag, after whitespace, where an attribute may follow.
    AttributeBefore,
    /// In the name of an attribute.
    AttributeName,
    /// In whitespace after the name of an attribute.
    AttributeNameAfter,
    /// After the `=` of an attribute.
    ValueBefore,
    /// In a double-quoted attribute value.
    DoubleQuotedValue,
    /// In a single-quoted attribute value.
    SingleQuotedValue,
    /// After the closing quote of a value.
    ValueAfter,
    /// After the `/` of an empty tag.
    EmptyTag,
    /// The end of the input was processed.
    Finished,
}

/// The name of a tag: the range of its source, and its normal form if that differs.
#[derive(Clone, Copy, Debug)]
pub(super) struct TagName {
    /// Start offset of the name in the source.
    pub(super) start: BufferOffset,
    /// End offset of the name in the source.
    pub(super) end: BufferOffset,
    /// The normal form, in the scratch buffer, if it differs from the source.
    pub(super) clean: Option<Cleaned>,
    /// True if the name contains a colon.
    pub(super) colon: bool,
}

impl Default for TagName {
    fn default() -> TagName {
        TagName::at(BufferOffset::ZERO)
    }
}

impl TagName {
    /// Returns an empty name at offset `start`.
    pub(super) fn at(start: BufferOffset) -> TagName {
        TagName {
            start,
            end: start,
            clean: None,
            colon: false,
        }
    }

    /// Returns the location of the normal form: in the source, or in the scratch buffer.
    #[inline(always)]
    pub(super) fn string(&self) -> Str {
        match self.clean {
            Some(clean) => Str::Cleaned(clean),
            None => Str::Borrowed(self.start, self.end),
        }
    }

    /// Decreases the offsets in the source by `by`.
    pub(super) fn rebase(&mut self, by: u32) {
        self.start = self.start.rebased(by);
        self.end = self.end.rebased(by);
    }

    /// Decreases the offsets in the scratch buffer by `by`.
    pub(super) fn rebase_scratch(&mut self, by: u32) {
        self.clean = self.clean.map(|clean| clean.rebased(by));
    }
}

crate::checkpoint::checkpointable! {
    struct TagName { start, end, clean, colon }
    enum State {
        Text, Outside, TextLineBreak, CdataLineBreak, Escape, EscapeNumber, EscapeDecimal,
        EscapeHexadecimal, Token, Declaration, DeclarationWord, Cdata, CdataBracket, CdataEnd,
        Instruction, InstructionEnd, Doctype, DoctypeSingleQuoted, DoctypeDoubleQuoted, Comment,
        CommentDash, CommentEnd, EndTag, EndTagName, EndTagNameAfter, TagName, AttributeBefore,
        AttributeName, AttributeNameAfter, ValueBefore, DoubleQuotedValue, SingleQuotedValue,
        ValueAfter, EmptyTag, Finished,
    }
}
