//! Where the machine stands between two bytes: the tokenization modes, and the lexical tokens that are
//! half read in them. The document has modes and tokens; the states are ours.

/// Where the machine stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Main tokenization mode
    Main,
    /// Main mode, after `<`.
    Open,
    /// In the NAME of START_TAG_OPEN.
    StartTagName,
    /// In white space after that, or after a name that may be that of an attribute.
    StartTagSpace,
    /// After `/` there.
    StartTagSlash,
    /// In a name that may be that of an attribute.
    StartTagAttribute,
    /// After `</`.
    EndTag,
    /// In the NAME of END_TAG.
    EndTagName,
    /// In white space after that.
    EndTagSpace,
    /// In COMMENT_OPEN: so many characters of it are read.
    CommentOpen(u8),
    /// Comment tokenization mode
    Comment,
    /// Comment mode, after `-`.
    CommentDash,
    /// Comment mode, after `--`.
    CommentDashDash,
    /// TagMode
    Tag,
    /// TagMode, after `/`.
    TagSlash,
    /// TagMode, in a name that may be that of an attribute.
    TagName,
    /// TagMode, in white space after that.
    TagNameSpace,
    /// StartAttributeValue tokenization mode
    StartAttributeValue,
    /// That, after `/`.
    StartAttributeValueSlash,
    /// UnquoteAttributeValue mode
    UnquoteAttributeValue,
    /// That, after `/`.
    UnquoteAttributeValueSlash,
    /// SingleQuoteAttributeValueMode
    SingleQuoteAttributeValue,
    /// DoubleQuoteAttributeValueMode
    DoubleQuoteAttributeValue,
    /// In a character reference, after `&`.
    Reference,
    /// In the NAME of NAMED_CHAR_REF.
    ReferenceName,
    /// After `&#`.
    ReferenceNumber,
    /// In the HEX_NUMBER of NUMERIC_CHAR_REF.
    ReferenceHexNumber,
    /// The end of the input was taken.
    Finished,
}
