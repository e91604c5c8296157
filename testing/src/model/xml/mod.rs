//! A second implementation of XML-ER's tokenization, which follows the specification state by state and character by
//! character over the whole input. Line endings are normalized first. In the comments of this folder, "the document" is
//! the specification XML-ER. Where the document has a gap or a mistake, or misreads well-formed XML, the model follows
//! the decisions of the module `tagstream::xml`; a comment marks each such place.
//!
//! - `attlist.rs`: attribute-list declarations.
//! - `content.rs`: data, comments, processing instructions, CDATA sections, and references.
//! - `tags.rs`: tags and attributes.
//! - `doctype.rs`: the DOCTYPE, except its internal subset.
//! - `namespaces.rs`: the namespaces of tags and attributes.
//! - `subset.rs`: the internal subset, and the entities that it declares.

mod attlist;
mod content;
mod doctype;
pub mod namespaces;
mod subset;
mod tags;

use attlist::Declared;
use subset::{Entity, is_space};

/// A token that the tokenizer emits.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    /// Not in the document: `<?xml … ?>` at the very start.
    Declaration,
    /// Not in the document, which emits no token for a DOCTYPE.
    Doctype(Doctype),
    StartTag(Tag),
    EmptyTag(Tag),
    EndTag(String),
    ShortEndTag,
    Comment(String),
    Character(char),
    /// Not in the document: a character token from a reference or a CDATA section. In XML 1.0, neither may be outside
    /// the root element, even if it consists of whitespace.
    Marked(char),
    /// Not in the document: a reference or a CDATA section begins. It is not treated as whitespace, even if it is
    /// empty.
    BeginMarked,
    ProcessingInstruction(String, String),
    /// Not in the document: a reference to an entity that may be declared in a part of the DTD that was not read.
    Skipped(String),
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Doctype {
    pub name: String,
    pub public: Option<String>,
    pub system: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tag {
    pub name: String,
    pub attributes: Vec<(String, String)>,
}

/// Maximum number of bytes of whitespace before the declaration.
const MAX_LEADING_SPACES: usize = 1024;

/// The states, in the order of the document.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum State {
    Data,
    Tag,
    EndTag,
    EndTagName,
    EndTagNameAfter,
    Pi,
    PiTarget,
    PiTargetAfter,
    PiData,
    PiAfter,
    MarkupDeclaration,
    Comment,
    CommentDash,
    CommentEnd,
    Cdata,
    CdataBracket,
    CdataEnd,
    Doctype,
    DoctypeRootNameBefore,
    DoctypeRootName,
    DoctypeRootNameAfter,
    DoctypeIdentifierDoubleQuoted,
    DoctypeIdentifierSingleQuoted,
    DoctypeInternalSubset,
    DoctypeInternalSubsetAfter,
    DoctypeTag,
    TagName,
    EmptyTag,
    TagAttributeNameBefore,
    TagAttributeName,
    TagAttributeNameAfter,
    TagAttributeValueBefore,
    TagAttributeValueDoubleQuoted,
    TagAttributeValueSingleQuoted,
    TagAttributeValueUnquoted,
    BogusComment,
}

pub struct Standard {
    input: Vec<char>,
    /// True if no more whitespace precedes the first token than may precede the declaration.
    may_be_declared: bool,
    at: usize,
    state: State,
    namespaces: bool,
    /// The tokens emitted so far.
    pub tokens: Vec<Token>,
    /// Number of parse errors that the document defines.
    pub errors: usize,
    /// True if the result for the input is undefined.
    pub is_unsaid: bool,
    tag: Tag,
    /// The name and the value of the last attribute.
    attribute: (String, String),
    is_in_attribute: bool,
    is_duplicate: bool,
    end_tag: String,
    comment: String,
    target: String,
    data: String,
    doctype: Doctype,
    /// The words and literals between the root name and `>` or `[`.
    identifiers: Vec<Identifier>,
    has_external_subset: bool,
    /// True if a parameter entity was referred to, so that there may be declarations that were not read.
    unread_declarations: bool,
    /// True if a parameter entity was not read. Declarations after it are not processed.
    has_unread_parameter: bool,
    /// True if the input is declared as `standalone="yes"`.
    is_standalone: bool,
    /// True if the input declares XML 1.1.
    is_later: bool,
    entities: Vec<(String, Entity)>,
    parameters: Vec<(String, Entity)>,
    attributes: Vec<Declared>,
    /// The general entities and the parameter entities whose replacement text is being read.
    open_entities: Vec<String>,
    open_parameters: Vec<String>,
}

/// A part of a DOCTYPE after its name.
#[derive(Clone, Debug, PartialEq)]
enum Identifier {
    Character(char),
    Literal(String),
}

impl Standard {
    pub fn new(input: &str, namespaces: bool) -> Standard {
        // The model only knows these two declarations in detail. Of other declarations it only knows that they are
        // declarations.
        let begin = input.trim_start_matches(is_space);
        let may_follow = input.len() - begin.len() <= MAX_LEADING_SPACES;
        let is_later = may_follow && begin.starts_with("<?xml version='1.1'?>");
        let is_standalone =
            may_follow && begin.starts_with("<?xml version='1.0' standalone='yes'?>");
        // Line endings are those of XML 1.0, or of XML 1.1.
        let ends = ["\r\n", "\r\u{85}", "\r", "\u{85}", "\u{2028}"];
        let ends = ends.into_iter().filter(|end| is_later || end.is_ascii());
        let input = ends.fold(input.to_owned(), |input, end| input.replace(end, "\n"));
        Standard {
            may_be_declared: may_follow,
            input: input.chars().collect(),
            at: 0,
            state: State::Data,
            namespaces,
            tokens: Vec::new(),
            errors: 0,
            is_unsaid: false,
            tag: Tag::default(),
            attribute: Default::default(),
            is_in_attribute: false,
            is_duplicate: false,
            end_tag: String::new(),
            comment: String::new(),
            target: String::new(),
            data: String::new(),
            doctype: Doctype::default(),
            identifiers: Vec::new(),
            has_external_subset: false,
            unread_declarations: false,
            has_unread_parameter: false,
            is_standalone,
            is_later,
            entities: Vec::new(),
            parameters: Vec::new(),
            attributes: Vec::new(),
            open_entities: Vec::new(),
            open_parameters: Vec::new(),
        }
    }

    /// Reads the whole input.
    pub fn run(&mut self) {
        self.declaration();
        self.read();
    }

    /// Reads up to the end of the input, in the data state.
    fn read(&mut self) {
        loop {
            let character = self.consume();
            if self.state == State::Data && character.is_none() {
                break;
            }
            self.step(character);
        }
    }

    /// Not in the document: `<?xml` and whitespace or `?` begin the declaration, which ends at `?>`. It is an error if
    /// whitespace precedes the declaration. An incomplete declaration is dropped.
    fn declaration(&mut self) {
        let start = self.input.iter().take_while(|one| is_space(**one)).count();
        self.at = start;
        let is_one = self.may_be_declared && self.next_are("<?xml");
        let after = self.input.get(start + 5).copied();
        if !is_one || !matches!(after, Some('\t' | '\n' | ' ' | '?')) {
            self.at = 0;
            return;
        }
        self.errors += usize::from(start > 0);
        self.at += 5;
        let content = self.at;
        while self.at < self.input.len() {
            if self.next_are("?>") {
                let said: String = self.input[content..self.at].iter().collect();
                let is_known = self.is_later || self.is_standalone;
                self.is_unsaid |= !is_known && (said.contains("1.1") || said.contains("yes"));
                self.at += 2;
                self.tokens.push(Token::Declaration);
                return;
            }
            self.at += 1;
        }
        self.errors += 1;
    }

    fn step(&mut self, character: Option<char>) {
        match self.state {
            State::Data => self.data_state(character),
            State::Tag => self.tag_state(character),
            State::EndTag => self.end_tag_state(character),
            State::EndTagName => self.end_tag_name_state(character),
            State::EndTagNameAfter => self.end_tag_name_after_state(character),
            State::Pi => self.pi_state(character),
            State::PiTarget => self.pi_target_state(character),
            State::PiTargetAfter => self.pi_target_after_state(character),
            State::PiData => self.pi_data_state(character),
            State::PiAfter => self.pi_after_state(character),
            State::MarkupDeclaration => self.markup_declaration_state(),
            State::Comment => self.comment_state(character),
            State::CommentDash => self.comment_dash_state(character),
            State::CommentEnd => self.comment_end_state(character),
            State::Cdata => self.cdata_state(character),
            State::CdataBracket => self.cdata_bracket_state(character),
            State::CdataEnd => self.cdata_end_state(character),
            State::Doctype => self.doctype_state(character),
            State::DoctypeRootNameBefore => self.doctype_root_name_before_state(character),
            State::DoctypeRootName => self.doctype_root_name_state(character),
            State::DoctypeRootNameAfter => self.doctype_root_name_after_state(character),
            State::DoctypeIdentifierDoubleQuoted => self.doctype_identifier_state(character, '"'),
            State::DoctypeIdentifierSingleQuoted => self.doctype_identifier_state(character, '\''),
            State::DoctypeInternalSubset => self.doctype_internal_subset_state(character),
            State::DoctypeInternalSubsetAfter => {
                self.doctype_internal_subset_after_state(character)
            }
            State::DoctypeTag => self.doctype_tag_state(character),
            State::TagName => self.tag_name_state(character),
            State::EmptyTag => self.empty_tag_state(character),
            State::TagAttributeNameBefore => self.tag_attribute_name_before_state(character),
            State::TagAttributeName => self.tag_attribute_name_state(character),
            State::TagAttributeNameAfter => self.tag_attribute_name_after_state(character),
            State::TagAttributeValueBefore => self.tag_attribute_value_before_state(character),
            State::TagAttributeValueDoubleQuoted => self.tag_attribute_value_state(character, '"'),
            State::TagAttributeValueSingleQuoted => self.tag_attribute_value_state(character, '\''),
            State::TagAttributeValueUnquoted => self.tag_attribute_value_unquoted_state(character),
            State::BogusComment => self.bogus_comment_state(),
        }
    }

    /// Consumes the next input character; `None` is the end of the input, which can be consumed again.
    fn consume(&mut self) -> Option<char> {
        let character = self.input.get(self.at).copied();
        self.at += 1;
        character
    }

    /// Reconsumes the last character in another state.
    fn reconsume_in(&mut self, state: State) {
        self.at -= 1;
        self.state = state;
    }

    /// Returns whether the next characters are these.
    fn next_are(&self, wanted: &str) -> bool {
        let rest = self.input.get(self.at..).unwrap_or_default();
        let wanted: Vec<char> = wanted.chars().collect();
        rest.starts_with(&wanted)
    }

    fn parse_error(&mut self) {
        self.errors += 1;
    }

    fn emit(&mut self, token: Token) {
        self.tokens.push(token);
    }

    fn emit_characters(&mut self, characters: &str) {
        self.tokens.extend(characters.chars().map(Token::Character));
    }
}
