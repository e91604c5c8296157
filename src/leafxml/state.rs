//! The states of the machine, in the order in which the document describes what they read: the table
//! of contents of `states/`. The document has no states: it describes tokens, and their parts.

/// The state that follows; none while there is no more input.
pub(super) type Next = Option<State>;

/// Where the machine stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub enum State {
    /// In a text token inside the root element.
    Text,
    /// In a text token before the first tag or after the last.
    Outside,
    /// After a CR in content of a text token: an LF or NEL is the same line break.
    TextLineBreak,
    /// After a CR in content of a CDATA token.
    CdataLineBreak,
    /// After `&`, in a name or before anything.
    Escape,
    /// After `&#`.
    EscapeNumber,
    /// After `&#` and a digit.
    EscapeDecimal,
    /// After `&#x`.
    EscapeHexadecimal,
    /// After `<`.
    Token,
    /// After `<!`.
    Declaration,
    /// In the middle of `<!--`, `<![CDATA[` or `<!DOCTYPE`.
    DeclarationWord,
    /// In a CDATA token.
    Cdata,
    /// After `]` in that.
    CdataBracket,
    /// After `]]` in that.
    CdataEnd,
    /// In an instruction token.
    Instruction,
    /// After `?` in that.
    InstructionEnd,
    /// In a type span of a DOCTYPE token.
    Doctype,
    /// In a single-quote span of a DOCTYPE token.
    DoctypeSingleQuoted,
    /// In a double-quote span of a DOCTYPE token.
    DoctypeDoubleQuoted,
    /// In a comment token.
    Comment,
    /// After `-` in that.
    CommentDash,
    /// After `--` in that.
    CommentEnd,
    /// After `</`.
    EndTag,
    /// In the name of an end tag.
    EndTagName,
    /// After the name of an end tag.
    EndTagNameAfter,
    /// In the name of a start tag or an empty tag.
    TagName,
    /// After whitespace in such a tag.
    AttributeBefore,
    /// In the name of an attribute.
    AttributeName,
    /// After the name of an attribute, in whitespace.
    AttributeNameAfter,
    /// After `=`.
    ValueBefore,
    /// In a double-quoted attribute value.
    DoubleQuotedValue,
    /// In a single-quoted attribute value.
    SingleQuotedValue,
    /// After the quote that ends a value.
    ValueAfter,
    /// After the `/` that ends an empty tag.
    EmptyTag,
    /// The end of the input was taken.
    Finished,
}
