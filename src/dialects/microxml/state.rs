//! States of the MicroXML tokenizer.
//!
//! The specification of error recovery defines *tokenization modes* and the *lexical tokens* that each recognizes. A
//! state here is either a mode, or a position inside an incomplete token. Names in capitals, such as
//! `START_TAG_OPEN`, are tokens of the specification. The comments call its second version the *final revision*.

use crate::engine::input::BufferOffset;

/// Result of a state function: the next state, or `None` if the window is used up and the tokenizer has to wait for
/// more input in the current state.
pub(super) type Next = Option<State>;

/// A state of the MicroXML tokenizer: the position in the grammar at which the next byte is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Main tokenization mode: in content.
    Main,
    /// Main mode, after `<`.
    Open,
    /// Main mode, in the NAME of START_TAG_OPEN.
    StartTagName,
    /// Main mode, in whitespace after the name of a start tag.
    StartTagSpace,
    /// Main mode, after a `/` that follows the name of a start tag.
    StartTagSlash,
    /// Main mode, in the name of what may be the first attribute of a start tag.
    StartTagAttribute,
    /// Main mode, in whitespace after the name of what may be the first attribute.
    StartTagEquals,
    /// Main mode, after `</`.
    EndTag,
    /// Main mode, in the NAME of END_TAG.
    EndTagName,
    /// Main mode, in whitespace after the name of an end tag.
    EndTagSpace,
    /// Main mode, in COMMENT_OPEN (`<!--`), after this number of its characters.
    CommentOpen(u8),
    /// Comment tokenization mode: in a comment.
    Comment,
    /// Comment mode, after `-`.
    CommentDash,
    /// Comment mode, after `--`.
    CommentDashDash,
    /// Final revision: in CDATA_OPEN (`<![CDATA[`).
    CdataOpen,
    /// Final revision: CData mode, in a CDATA section.
    Cdata,
    /// Final revision: CData mode, after this number of `]`, which is 1 or 2.
    CdataBracket(u8),
    /// Final revision: in PI, a processing instruction.
    Pi,
    /// Final revision: in DOCTYPE_OPEN (`<!DOCTYPE`).
    DoctypeOpen,
    /// Final revision: Doctype mode, in a DOCTYPE.
    Doctype,
    /// Final revision: Doctype mode, in LITERAL (a quoted string).
    DoctypeLiteral,
    /// Final revision: Subset mode, in the internal subset of a DOCTYPE.
    Subset,
    /// Final revision: Subset mode, after `<`.
    SubsetOpen,
    /// Final revision: Subset mode, after `<!` and this number of hyphens, which is 0 or 1.
    SubsetDeclaration(u8),
    /// Final revision: Subset mode, in DECL (a declaration).
    Decl,
    /// Final revision: Subset mode, in a LITERAL of DECL.
    DeclLiteral,
    /// Final revision: Subset mode, in SUBSET_CLOSE, after the `]`.
    SubsetClose,
    /// Final revision: in the lookahead TAG_CONTEXT, in a name.
    ContextName,
    /// Final revision: in the lookahead TAG_CONTEXT, in whitespace.
    ContextSpace,
    /// Final revision: in the lookahead TAG_CONTEXT, after `/`.
    ContextSlash,
    /// Final revision: in the lookahead of ANGLE_SINGLE or ANGLE_DOUBLE, after an angle bracket in a value and before
    /// the quote that ends the value.
    Angle,
    /// Final revision: in the lookahead of ANGLE_SINGLE or ANGLE_DOUBLE, after the quote that ends the value.
    AngleQuote,
    /// Final revision: in the lookahead of ANGLE_SINGLE or ANGLE_DOUBLE, after the quote and a `/`.
    AngleSlash,
    /// TagMode: in an open start tag, after the value of an attribute.
    Tag,
    /// TagMode, after `/`.
    TagSlash,
    /// TagMode, in the name of what may be an attribute.
    TagName,
    /// TagMode, in whitespace after the name of what may be an attribute.
    TagNameSpace,
    /// StartAttributeValue tokenization mode: after the `=` of an attribute.
    StartAttributeValue,
    /// StartAttributeValue mode, after `/`.
    StartAttributeValueSlash,
    /// UnquoteAttributeValue mode: in a value without quotes.
    UnquoteAttributeValue,
    /// UnquoteAttributeValue mode, after `/`.
    UnquoteAttributeValueSlash,
    /// SingleQuoteAttributeValueMode: in a value between single quotes.
    SingleQuoteAttributeValue,
    /// DoubleQuoteAttributeValueMode: in a value between double quotes.
    DoubleQuoteAttributeValue,
    /// In a character reference, after `&`.
    Reference,
    /// In the NAME of NAMED_CHAR_REF, such as `&lt;`.
    ReferenceName,
    /// In a character reference, after `&#`.
    ReferenceNumber,
    /// In the HEX_NUMBER of NUMERIC_CHAR_REF, after `&#x`.
    ReferenceHexNumber,
    /// Final revision: in a decimal NUMERIC_CHAR_REF.
    ReferenceDecimalNumber,
    /// The end of the input was processed.
    Finished,
}

/// For each [`Closer`](super::states::Closer), the offset at which its last occurrence begins; 0 if there is none.
pub(super) type Last = [BufferOffset; 4];

/// The positions of terminators that lookaheads have found in the input.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ahead {
    /// Offset at which the current lookahead began.
    pub(super) from: BufferOffset,
    /// The terminators that the current lookahead has passed.
    pub(super) seen: Last,
    /// Offset at which a lookahead began that has reached the end of the input. All terminators after this offset are
    /// in `last`.
    pub(super) known: Option<BufferOffset>,
    /// The last occurrences of the terminators that the lookahead of `known` has passed.
    pub(super) last: Last,
}

impl Ahead {
    /// Decreases all offsets by `by`, because the text before offset `by` is discarded.
    pub(super) fn rebase(&mut self, by: u32) {
        // Offsets in the discarded text become 0, which is before every position at which a lookahead can begin.
        for mark in self.seen.iter_mut().chain(&mut self.last) {
            *mark = mark.saturating_sub(by);
        }
        self.from = self.from.saturating_sub(by);
        self.known = self.known.map(|mark| mark.saturating_sub(by));
    }
}

crate::checkpoint::checkpointable! {
    struct Ahead { from, seen, known, last }
    enum State {
        Main, Open, StartTagName, StartTagSpace, StartTagSlash, StartTagAttribute, StartTagEquals,
        EndTag, EndTagName, EndTagSpace, CommentOpen(value), Comment, CommentDash, CommentDashDash,
        CdataOpen, Cdata, CdataBracket(value), Pi, DoctypeOpen, Doctype, DoctypeLiteral, Subset,
        SubsetOpen, SubsetDeclaration(value), Decl, DeclLiteral, SubsetClose, ContextName,
        ContextSpace, ContextSlash, Angle, AngleQuote, AngleSlash, Tag, TagSlash, TagName,
        TagNameSpace, StartAttributeValue, StartAttributeValueSlash, UnquoteAttributeValue,
        UnquoteAttributeValueSlash, SingleQuoteAttributeValue, DoubleQuoteAttributeValue, Reference,
        ReferenceName, ReferenceNumber, ReferenceHexNumber, ReferenceDecimalNumber, Finished,
    }
}
