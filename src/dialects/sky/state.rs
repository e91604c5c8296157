//! The states of Sky's tokenizer, in the order of the specification.
//!
//! The documentation of a variant starts with the state's name in the specification. Three of its 47 states have no
//! variant, because nothing is consumed in them: *failed signature* ends the parse; *after tag* and *after void tag*
//! are executed at the `>`.
//!
//! The functions of the states are in `states/`.

/// Result of a state function: the next state, or `None` if the window is used up and the tokenizer has to wait for
/// more input in the current state.
pub(super) type Next = Option<State>;

/// A state of the Sky tokenizer: the position in the grammar at which the next byte is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Signature state: at the start of the input.
    Signature,
    /// Expect a string state: in the signature.
    ExpectString,
    /// After signature state: after the last character of the signature.
    AfterSignature,
    /// Consume rest of line state: in the rest of the signature line.
    ConsumeRestOfLine,
    /// Data state: in content.
    Data,
    /// Script raw data state: in the raw text of a script.
    ScriptRawData,
    /// Script raw data: close 1 state to close 8 state: in a script, after `<` and this number minus one of the
    /// characters of `/script`.
    ScriptRawDataClose(u8),
    /// Style raw data state: in the raw text of a style.
    StyleRawData,
    /// Style raw data: close 1 state to close 7 state: in a style, after `<` and this number minus one of the
    /// characters of `/style`.
    StyleRawDataClose(u8),
    /// Tag open state: after `<`.
    TagOpen,
    /// Close tag state: after `</`.
    CloseTag,
    /// Tag name state: in the name of a start tag or an end tag.
    TagName,
    /// Void tag state: after a `/` in a tag.
    VoidTag,
    /// Before attribute name state: before the name of an attribute, or the end of the tag.
    BeforeAttributeName,
    /// Attribute name state: in the name of an attribute.
    AttributeName,
    /// After attribute name state: in whitespace after the name of an attribute.
    AfterAttributeName,
    /// Before attribute value state: after the `=` of an attribute.
    BeforeAttributeValue,
    /// Single-quoted attribute value state: in a value between single quotes.
    SingleQuotedAttributeValue,
    /// Double-quoted attribute value state: in a value between double quotes.
    DoubleQuotedAttributeValue,
    /// Unquoted attribute value state: in a value without quotes.
    UnquotedAttributeValue,
    /// Comment start 1 state: after `<!`.
    CommentStart1,
    /// Comment start 2 state: after `<!-`.
    CommentStart2,
    /// Comment state: in a comment.
    Comment,
    /// Comment end 1 state: after one `-` in a comment.
    CommentEnd1,
    /// Comment end 2 state: after `--` in a comment.
    CommentEnd2,
    /// Character reference state: after `&`.
    CharacterReference,
    /// Numeric character reference state: after `&#`.
    NumericCharacterReference,
    /// Before hexadecimal numeric character reference state: after `&#x`.
    BeforeHexadecimalNumericCharacterReference,
    /// Hexadecimal numeric character reference state: after `&#x` and a digit.
    HexadecimalNumericCharacterReference,
    /// Decimal numeric character reference state: after `&#` and a digit.
    DecimalNumericCharacterReference,
    /// Named character reference state: in the name of a reference.
    NamedCharacterReference,
    /// Not in the specification: a complete tag, or the end of the input, waits for the host.
    Yield,
    /// Not in the specification: the end of the input was processed.
    Finished,
}

crate::checkpoint::checkpointable! {
    enum State {
        Signature, ExpectString, AfterSignature, ConsumeRestOfLine, Data, ScriptRawData,
        ScriptRawDataClose(value), StyleRawData, StyleRawDataClose(value), TagOpen, CloseTag,
        TagName, VoidTag, BeforeAttributeName, AttributeName, AfterAttributeName,
        BeforeAttributeValue, SingleQuotedAttributeValue, DoubleQuotedAttributeValue,
        UnquotedAttributeValue, CommentStart1, CommentStart2, Comment, CommentEnd1, CommentEnd2,
        CharacterReference, NumericCharacterReference, BeforeHexadecimalNumericCharacterReference,
        HexadecimalNumericCharacterReference, DecimalNumericCharacterReference,
        NamedCharacterReference, Yield, Finished,
    }
}
