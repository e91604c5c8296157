//! States of the LeafXML tokenizer, in the order in which the specification describes the constructs.
//!
//! The specification does not define states. It describes tokens and their parts; the states are positions in them.
//! The functions of the states are in `states/`.

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

crate::checkpoint::checkpointable! {
    enum State {
        Text, Outside, TextLineBreak, CdataLineBreak, Escape, EscapeNumber, EscapeDecimal,
        EscapeHexadecimal, Token, Declaration, DeclarationWord, Cdata, CdataBracket, CdataEnd,
        Instruction, InstructionEnd, Doctype, DoctypeSingleQuoted, DoctypeDoubleQuoted, Comment,
        CommentDash, CommentEnd, EndTag, EndTagName, EndTagNameAfter, TagName, AttributeBefore,
        AttributeName, AttributeNameAfter, ValueBefore, DoubleQuotedValue, SingleQuotedValue,
        ValueAfter, EmptyTag, Finished,
    }
}
