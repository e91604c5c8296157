//! Where the machine stands between two bytes: the tokenization modes, and the lexical tokens that are
//! half read in them. The document has modes and tokens; the states are ours.

/// The state that follows; none while there is no more input.
pub(super) type Next = Option<State>;

/// Where the machine stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub enum State {
    /// Main tokenization mode
    Main,
    /// Main mode, after `<`.
    Open,
    /// In the NAME of START_TAG_OPEN.
    StartTagName,
    /// In white space after that.
    StartTagSpace,
    /// After `/` there.
    StartTagSlash,
    /// In a name that may be that of an attribute.
    StartTagAttribute,
    /// In white space after that.
    StartTagEquals,
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
    /// Final revision: in CDATA_OPEN.
    CdataOpen,
    /// Final revision: CData mode
    Cdata,
    /// Final revision: CData mode, after so many brackets, two at most.
    CdataBracket(u8),
    /// Final revision: in PI.
    Pi,
    /// Final revision: in DOCTYPE_OPEN.
    DoctypeOpen,
    /// Final revision: Doctype mode
    Doctype,
    /// Final revision: Doctype mode, in LITERAL.
    DoctypeLiteral,
    /// Final revision: Subset mode
    Subset,
    /// Final revision: Subset mode, after `<`.
    SubsetOpen,
    /// Final revision: Subset mode, after `<!`; so many hyphens are read.
    SubsetDeclaration(u8),
    /// Final revision: in DECL.
    Decl,
    /// Final revision: in LITERAL of DECL.
    DeclLiteral,
    /// Final revision: in SUBSET_CLOSE.
    SubsetClose,
    /// Final revision: in TAG_CONTEXT, in a name.
    ContextName,
    /// Final revision: in TAG_CONTEXT, in white space.
    ContextSpace,
    /// Final revision: in TAG_CONTEXT, after `/`.
    ContextSlash,
    /// Final revision: in the context of ANGLE_SINGLE or ANGLE_DOUBLE.
    Angle,
    /// Final revision: that, after the quote.
    AngleQuote,
    /// Final revision: that, after `/`.
    AngleSlash,
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
    /// Final revision: in a decimal NUMERIC_CHAR_REF.
    ReferenceDecimalNumber,
    /// The end of the input was taken.
    Finished,
}
