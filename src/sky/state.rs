//! The states of Sky's tokeniser, in the document's order: the table of contents of `states/`.
//!
//! The names are those of the document, as the comments give them. Three of its 47 states are no
//! variants, because nothing is ever taken in them: *failed signature* ends the parse; *after tag*
//! and *after void tag* run at the `>`.

/// The state that follows; none while there is no more input.
pub(super) type Next = Option<State>;

/// Where the machine stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub enum State {
    /// Signature state
    Signature,
    /// Expect a string state
    ExpectString,
    /// After signature state
    AfterSignature,
    /// Consume rest of line state
    ConsumeRestOfLine,
    /// Data state
    Data,
    /// Script raw data state
    ScriptRawData,
    /// Script raw data: close 1 state to close 8 state
    ScriptRawDataClose(u8),
    /// Style raw data state
    StyleRawData,
    /// Style raw data: close 1 state to close 7 state
    StyleRawDataClose(u8),
    /// Tag open state
    TagOpen,
    /// Close tag state
    CloseTag,
    /// Tag name state
    TagName,
    /// Void tag state
    VoidTag,
    /// Before attribute name state
    BeforeAttributeName,
    /// Attribute name state
    AttributeName,
    /// After attribute name state
    AfterAttributeName,
    /// Before attribute value state
    BeforeAttributeValue,
    /// Single-quoted attribute value state
    SingleQuotedAttributeValue,
    /// Double-quoted attribute value state
    DoubleQuotedAttributeValue,
    /// Unquoted attribute value state
    UnquotedAttributeValue,
    /// Comment start 1 state
    CommentStart1,
    /// Comment start 2 state
    CommentStart2,
    /// Comment state
    Comment,
    /// Comment end 1 state
    CommentEnd1,
    /// Comment end 2 state
    CommentEnd2,
    /// Character reference state
    CharacterReference,
    /// Numeric character reference state
    NumericCharacterReference,
    /// Before hexadecimal numeric character reference state
    BeforeHexadecimalNumericCharacterReference,
    /// Hexadecimal numeric character reference state
    HexadecimalNumericCharacterReference,
    /// Decimal numeric character reference state
    DecimalNumericCharacterReference,
    /// Named character reference state
    NamedCharacterReference,
    /// Not in the document: a whole tag waits for the host.
    Yield,
    /// Not in the document: the end of the input was taken.
    Finished,
}
