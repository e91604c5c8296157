//! The states of HTML's tokenization, in the order of the standard.
//!
//! The documentation of a variant starts with the state's name in the standard. The anchor of a state there is its
//! name in lower case, with hyphens instead of spaces:
//! <https://html.spec.whatwg.org/multipage/parsing.html#data-state>. The *numeric character reference end state*
//! consumes no input and is a function of `states/reference.rs`.
//!
//! The functions of the states are in `states/`.

use super::options::InitialState;

/// The next state. `None` if the window has no more bytes: the state is suspended and runs again on the next window.
pub(super) type Next = Option<State>;

/// A state of the HTML tokenizer: the position in the grammar at which the next byte is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Data state: in content, outside of tags, comments and other markup.
    Data,
    /// RCDATA state: in text with character references, such as the content of a `title`.
    Rcdata,
    /// RAWTEXT state: in text without character references, such as the content of a `style`.
    Rawtext,
    /// Script data state: in the text of a script.
    ScriptData,
    /// PLAINTEXT state: in text that extends to the end of the input.
    Plaintext,
    /// Tag open state: after `<`.
    TagOpen,
    /// End tag open state: after `</`.
    EndTagOpen,
    /// Tag name state: in the name of a tag.
    TagName,
    /// RCDATA less-than sign state: after `<` in RCDATA.
    RcdataLessThanSign,
    /// RCDATA end tag open state: after `</` in RCDATA.
    RcdataEndTagOpen,
    /// RCDATA end tag name state: after `</` and a letter in RCDATA.
    RcdataEndTagName,
    /// RAWTEXT less-than sign state: after `<` in RAWTEXT.
    RawtextLessThanSign,
    /// RAWTEXT end tag open state: after `</` in RAWTEXT.
    RawtextEndTagOpen,
    /// RAWTEXT end tag name state: after `</` and a letter in RAWTEXT.
    RawtextEndTagName,
    /// Script data less-than sign state: after `<` in a script.
    ScriptDataLessThanSign,
    /// Script data end tag open state: after `</` in a script.
    ScriptDataEndTagOpen,
    /// Script data end tag name state: after `</` and a letter in a script.
    ScriptDataEndTagName,
    /// Script data escape start state: after `<!` in a script.
    ScriptDataEscapeStart,
    /// Script data escape start dash state: after `<!-` in a script.
    ScriptDataEscapeStartDash,
    /// Script data escaped state: after `<!--` in a script.
    ScriptDataEscaped,
    /// Script data escaped dash state: after `<!--` in a script, after a further `-`.
    ScriptDataEscapedDash,
    /// Script data escaped dash dash state: after `<!--` in a script, or after a further `--`.
    ScriptDataEscapedDashDash,
    /// Script data escaped less-than sign state: after `<!--` in a script, after a `<`.
    ScriptDataEscapedLessThanSign,
    /// Script data escaped end tag open state: after `<!--` in a script, after `</`.
    ScriptDataEscapedEndTagOpen,
    /// Script data escaped end tag name state: after `<!--` in a script, after `</` and a letter.
    ScriptDataEscapedEndTagName,
    /// Script data double escape start state: after `<!--` and `<` and a letter in a script. The name may be
    /// `script`.
    ScriptDataDoubleEscapeStart,
    /// Script data double escaped state: after `<!--` and `<script` in a script.
    ScriptDataDoubleEscaped,
    /// Script data double escaped dash state: after `<!--` and `<script` in a script, after a `-`.
    ScriptDataDoubleEscapedDash,
    /// Script data double escaped dash dash state: after `<!--` and `<script` in a script, after `--`.
    ScriptDataDoubleEscapedDashDash,
    /// Script data double escaped less-than sign state: after `<!--` and `<script` in a script, after a `<`.
    ScriptDataDoubleEscapedLessThanSign,
    /// Script data double escape end state: after `<!--`, `<script` and `</` in a script. The name may be `script`.
    ScriptDataDoubleEscapeEnd,
    /// Before attribute name state: in a tag, before an attribute or the end of the tag.
    BeforeAttributeName,
    /// Attribute name state: in the name of an attribute.
    AttributeName,
    /// After attribute name state: after the name of an attribute, before `=` or the next attribute.
    AfterAttributeName,
    /// Before attribute value state: after the `=` of an attribute.
    BeforeAttributeValue,
    /// Attribute value (double-quoted) state: in a value between double quotes.
    AttributeValueDoubleQuoted,
    /// Attribute value (single-quoted) state: in a value between single quotes.
    AttributeValueSingleQuoted,
    /// Attribute value (unquoted) state: in a value without quotes.
    AttributeValueUnquoted,
    /// After attribute value (quoted) state: after the closing quote of a value.
    AfterAttributeValueQuoted,
    /// Self-closing start tag state: after a `/` in a tag.
    SelfClosingStartTag,
    /// Bogus comment state: in markup that is ill-formed and becomes a comment, up to `>`.
    BogusComment,
    /// Markup declaration open state: after `<!`.
    MarkupDeclarationOpen,
    /// Not in the standard, which reads ahead here: in the middle of `--`, `DOCTYPE` or `[CDATA[` after `<!`.
    MarkupDeclarationKeyword,
    /// Comment start state: after `<!--`.
    CommentStart,
    /// Comment start dash state: after `<!---`.
    CommentStartDash,
    /// Comment state: in a comment.
    Comment,
    /// Comment less-than sign state: after a `<` in a comment.
    CommentLessThanSign,
    /// Comment less-than sign bang state: after `<!` in a comment.
    CommentLessThanSignBang,
    /// Comment less-than sign bang dash state: after `<!-` in a comment.
    CommentLessThanSignBangDash,
    /// Comment less-than sign bang dash dash state: after `<!--` in a comment.
    CommentLessThanSignBangDashDash,
    /// Comment end dash state: after one `-` in a comment.
    CommentEndDash,
    /// Comment end state: after `--` in a comment.
    CommentEnd,
    /// Comment end bang state: after `--!` in a comment.
    CommentEndBang,
    /// DOCTYPE state: after `<!DOCTYPE`.
    Doctype,
    /// Before DOCTYPE name state: before the name of a DOCTYPE.
    BeforeDoctypeName,
    /// DOCTYPE name state: in the name of a DOCTYPE.
    DoctypeName,
    /// After DOCTYPE name state: after the name of a DOCTYPE, before `PUBLIC`, `SYSTEM` or `>`.
    AfterDoctypeName,
    /// Not in the standard, which reads ahead here: in the middle of `PUBLIC` or `SYSTEM` in a DOCTYPE.
    AfterDoctypeNameKeyword,
    /// After DOCTYPE public keyword state: after `PUBLIC`.
    AfterDoctypePublicKeyword,
    /// Before DOCTYPE public identifier state: after `PUBLIC` and whitespace.
    BeforeDoctypePublicIdentifier,
    /// DOCTYPE public identifier (double-quoted) state: in a public identifier between double quotes.
    DoctypePublicIdentifierDoubleQuoted,
    /// DOCTYPE public identifier (single-quoted) state: in a public identifier between single quotes.
    DoctypePublicIdentifierSingleQuoted,
    /// After DOCTYPE public identifier state: after the closing quote of a public identifier.
    AfterDoctypePublicIdentifier,
    /// Between DOCTYPE public and system identifiers state: after a public identifier and whitespace.
    BetweenDoctypePublicAndSystemIdentifiers,
    /// After DOCTYPE system keyword state: after `SYSTEM`.
    AfterDoctypeSystemKeyword,
    /// Before DOCTYPE system identifier state: after `SYSTEM` and whitespace.
    BeforeDoctypeSystemIdentifier,
    /// DOCTYPE system identifier (double-quoted) state: in a system identifier between double quotes.
    DoctypeSystemIdentifierDoubleQuoted,
    /// DOCTYPE system identifier (single-quoted) state: in a system identifier between single quotes.
    DoctypeSystemIdentifierSingleQuoted,
    /// After DOCTYPE system identifier state: after the closing quote of a system identifier.
    AfterDoctypeSystemIdentifier,
    /// Bogus DOCTYPE state: in a DOCTYPE after a syntax error, up to `>`.
    BogusDoctype,
    /// CDATA section state: in a CDATA section.
    CdataSection,
    /// CDATA section bracket state: after one `]` in a CDATA section.
    CdataSectionBracket,
    /// CDATA section end state: after `]]` in a CDATA section.
    CdataSectionEnd,
    /// Processing instruction open state: after `<?`.
    ProcessingInstructionOpen,
    /// Processing instruction target state: in the target of a processing instruction.
    ProcessingInstructionTarget,
    /// After processing instruction target state: after the target, before the data.
    AfterProcessingInstructionTarget,
    /// Processing instruction data state: in the data of a processing instruction.
    ProcessingInstructionData,
    /// Processing instruction questionable state: after a `?` in the data of a processing instruction.
    ProcessingInstructionQuestionable,
    /// Character reference state: after `&`.
    CharacterReference,
    /// Named character reference state: after `&` and the first character of a name.
    NamedCharacterReference,
    /// Ambiguous ampersand state: after `&` and letters or digits that are not a known name.
    AmbiguousAmpersand,
    /// Numeric character reference state: after `&#`.
    NumericCharacterReference,
    /// Hexadecimal character reference start state: after `&#x`.
    HexadecimalCharacterReferenceStart,
    /// Hexadecimal character reference state: in a hexadecimal reference, after `&#x` and a digit.
    HexadecimalCharacterReference,
    /// Decimal character reference state: in a decimal reference, after `&#` and a digit.
    DecimalCharacterReference,
    /// Not in the standard: the end-of-file token was emitted, or the parse was aborted.
    Finished,
}

impl From<InitialState> for State {
    fn from(state: InitialState) -> State {
        match state {
            InitialState::Data => State::Data,
            InitialState::Rcdata => State::Rcdata,
            InitialState::Rawtext => State::Rawtext,
            InitialState::ScriptData => State::ScriptData,
            InitialState::Plaintext => State::Plaintext,
            InitialState::CdataSection => State::CdataSection,
        }
    }
}

/// Progress in comparing a name with `script`, ignoring case.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ScriptName {
    /// Number of letters that are equal so far. After the first different letter, a number greater than the length of
    /// `script`.
    letters: usize,
}

impl ScriptName {
    const NAME: &[u8] = b"script";

    pub(super) fn step(&mut self, letter: u8) {
        self.letters = match Self::NAME.get(self.letters) {
            Some(&right) if letter.to_ascii_lowercase() == right => self.letters + 1,
            _ => Self::NAME.len() + 1,
        };
    }

    pub(super) fn is_whole(self) -> bool {
        self.letters == Self::NAME.len()
    }
}

crate::checkpoint::checkpointable! {
    struct ScriptName { letters }
    enum State {
        Data, Rcdata, Rawtext, ScriptData, Plaintext, TagOpen, EndTagOpen, TagName,
        RcdataLessThanSign, RcdataEndTagOpen, RcdataEndTagName, RawtextLessThanSign,
        RawtextEndTagOpen, RawtextEndTagName, ScriptDataLessThanSign, ScriptDataEndTagOpen,
        ScriptDataEndTagName, ScriptDataEscapeStart, ScriptDataEscapeStartDash, ScriptDataEscaped,
        ScriptDataEscapedDash, ScriptDataEscapedDashDash, ScriptDataEscapedLessThanSign,
        ScriptDataEscapedEndTagOpen, ScriptDataEscapedEndTagName, ScriptDataDoubleEscapeStart,
        ScriptDataDoubleEscaped, ScriptDataDoubleEscapedDash, ScriptDataDoubleEscapedDashDash,
        ScriptDataDoubleEscapedLessThanSign, ScriptDataDoubleEscapeEnd, BeforeAttributeName,
        AttributeName, AfterAttributeName, BeforeAttributeValue, AttributeValueDoubleQuoted,
        AttributeValueSingleQuoted, AttributeValueUnquoted, AfterAttributeValueQuoted,
        SelfClosingStartTag, BogusComment, MarkupDeclarationOpen, MarkupDeclarationKeyword,
        CommentStart, CommentStartDash, Comment, CommentLessThanSign, CommentLessThanSignBang,
        CommentLessThanSignBangDash, CommentLessThanSignBangDashDash, CommentEndDash, CommentEnd,
        CommentEndBang, Doctype, BeforeDoctypeName, DoctypeName, AfterDoctypeName,
        AfterDoctypeNameKeyword, AfterDoctypePublicKeyword, BeforeDoctypePublicIdentifier,
        DoctypePublicIdentifierDoubleQuoted, DoctypePublicIdentifierSingleQuoted,
        AfterDoctypePublicIdentifier, BetweenDoctypePublicAndSystemIdentifiers,
        AfterDoctypeSystemKeyword, BeforeDoctypeSystemIdentifier,
        DoctypeSystemIdentifierDoubleQuoted, DoctypeSystemIdentifierSingleQuoted,
        AfterDoctypeSystemIdentifier, BogusDoctype, CdataSection, CdataSectionBracket,
        CdataSectionEnd, ProcessingInstructionOpen, ProcessingInstructionTarget,
        AfterProcessingInstructionTarget, ProcessingInstructionData,
        ProcessingInstructionQuestionable, CharacterReference, NamedCharacterReference,
        AmbiguousAmpersand, NumericCharacterReference, HexadecimalCharacterReferenceStart,
        HexadecimalCharacterReference, DecimalCharacterReference, Finished,
    }
}
