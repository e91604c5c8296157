//! The tokenizer of the HTML standard, written down as the standard says it: character by character,
//! with the whole input in hand. It must not know how the library reads, nor what is done with its
//! tokens; who takes them switches its state, as tree construction does.
//!
//! - `states.rs`: the states up to the DOCTYPE.
//! - `states_more.rs`: those from there on.

mod states;

pub use states::State;
use std::collections::{HashMap, VecDeque};
use std::sync::LazyLock;

/// The named character references.
static NAMES: LazyLock<HashMap<&str, String>> = LazyLock::new(|| {
    let lines = include_str!("../../../../../src/engine/text/html_references.txt").lines();
    let named = lines.filter(|line| !line.starts_with('#')).map(|line| {
        let (name, numbers) = line.split_once(' ').expect("a name and its characters");
        let character = |number| {
            u32::from_str_radix(number, 16)
                .ok()
                .and_then(char::from_u32)
        };
        (name, numbers.split(',').filter_map(character).collect())
    });
    named.collect()
});

/// A character of the input stream, newlines normalised, and its place in the input.
#[derive(Clone, Copy, Debug)]
pub struct Input {
    pub character: char,
    pub start: usize,
    end: usize,
    /// Where its first character ends, of CR LF.
    own_end: usize,
}

/// A token of the input.
#[derive(Debug)]
pub enum Token {
    Doctype(Doctype),
    StartTag(Tag),
    EndTag(Tag),
    Comment(String),
    /// Target and data.
    ProcessingInstruction(String, String),
    Character(char),
    EndOfFile,
}

/// The span of an error, and its code.
pub type Found = (usize, usize, String);

/// A tag token.
#[derive(Clone, Debug, Default)]
pub struct Tag {
    pub is_end_tag: bool,
    pub name: String,
    pub self_closing: bool,
    pub attributes: Vec<(String, String)>,
    /// The current attribute.
    pub name_of_attribute: String,
    pub value: String,
    pub has_attribute: bool,
    pub is_removed: bool,
}

/// A DOCTYPE token.
#[derive(Debug, Default)]
pub struct Doctype {
    pub name: String,
    pub public_identifier: Option<String>,
    pub system_identifier: Option<String>,
    pub force_quirks: bool,
}

/// The tokenizer.
pub struct Standard {
    /// The length of the input.
    length: usize,
    /// Whether `<?` opens a processing instruction.
    pub processing_instructions: bool,
    /// Whether the adjusted current node is not in the HTML namespace.
    pub is_in_foreign_content: bool,
    pub input: Vec<Input>,
    /// The number of the next input character.
    next: usize,
    pub state: State,
    return_state: State,
    temporary_buffer: String,
    /// The `&` of the reference in the temporary buffer.
    reference: usize,
    character_reference_code: u32,
    pub last_start_tag: Option<String>,
    /// Where the current token began: its `<`.
    token: usize,
    tag: Tag,
    comment: String,
    doctype: Doctype,
    instruction: (String, String),
    /// Tokens emitted and not yet taken, with their spans.
    tokens: VecDeque<(Token, usize, usize)>,
    pub errors: Vec<Found>,
    /// The errors between characters.
    pub before_characters: Vec<Found>,
}

impl Standard {
    /// An ill-formed sequence is a U+FFFD, as it is decoded.
    pub fn new(document: impl AsRef<[u8]>, state: State) -> Standard {
        let document = document.as_ref();
        let mut characters: Vec<(char, usize)> = Vec::new();
        for chunk in document.utf8_chunks() {
            let valid = chunk.valid().chars();
            characters.extend(valid.map(|character| (character, character.len_utf8())));
            if !chunk.invalid().is_empty() {
                characters.push(('\u{FFFD}', chunk.invalid().len()));
            }
        }
        let mut input: Vec<Input> = Vec::new();
        let (mut start, mut before) = (0, None);
        for (character, length) in characters {
            let end = start + length;
            match (character, before, input.last_mut()) {
                ('\n', Some('\r'), Some(last)) => last.end = end,
                _ => input.push(Input {
                    character: if character == '\r' { '\n' } else { character },
                    start,
                    end,
                    own_end: end,
                }),
            }
            (start, before) = (end, Some(character));
        }
        Standard {
            length: document.len(),
            processing_instructions: true,
            is_in_foreign_content: false,
            input,
            next: 0,
            state,
            return_state: State::Data,
            temporary_buffer: String::new(),
            reference: 0,
            character_reference_code: 0,
            last_start_tag: None,
            token: 0,
            tag: Tag::default(),
            comment: String::new(),
            doctype: Doctype::default(),
            instruction: Default::default(),
            tokens: VecDeque::new(),
            errors: Vec::new(),
            before_characters: Vec::new(),
        }
    }

    /// The next token and its span. All before it were acted upon: a step says what comes of a
    /// character, and the steps after it may depend on that.
    pub fn next_token(&mut self) -> (Token, usize, usize) {
        loop {
            if let Some(token) = self.tokens.pop_front() {
                return token;
            }
            self.step();
        }
    }

    /// Consumes the next input character; `None` is EOF.
    fn consume(&mut self) -> Option<char> {
        self.next += 1;
        self.input.get(self.next - 1).map(|input| input.character)
    }

    /// The current input character is the next one in the state.
    fn reconsume(&mut self, state: State) {
        self.next -= 1;
        self.state = state;
    }

    fn next_are(&self, characters: &str, exactly: bool) -> bool {
        let mut at = self.next;
        characters.chars().all(|wanted| {
            at += 1;
            self.input.get(at - 1).is_some_and(|input| match exactly {
                true => input.character == wanted,
                false => input.character.eq_ignore_ascii_case(&wanted),
            })
        })
    }

    /// Where the input character of a number begins.
    fn place(&self, number: usize) -> usize {
        self.input
            .get(number)
            .map_or(self.length, |input| input.start)
    }

    /// A parse error at the current input character.
    fn error(&mut self, code: &str) {
        self.error_at(self.place(self.next - 1), code);
    }

    /// A parse error at the next input character.
    fn error_ahead(&mut self, code: &str) {
        self.error_at(self.place(self.next), code);
    }

    /// A parse error after a numeric reference: between its semicolon and the next input character, or
    /// else at that character, where its lack is an error already.
    fn error_after_number(&mut self, code: &str) {
        let place = self.place(self.next);
        let error = (place, place, code.to_owned());
        if self.input[self.next - 1].character == ';' {
            self.before_characters.push(error);
        } else {
            self.errors.push(error);
        }
    }

    /// A parse error at the character that begins at a place, or at the end.
    fn error_at(&mut self, place: usize, code: &str) {
        let found = self.input.binary_search_by_key(&place, |input| input.start);
        let end = found.map_or(place, |number| self.input[number].own_end);
        self.errors.push((place, end, code.to_owned()));
    }

    /// Emits a character that stands between two places.
    fn emit_between(&mut self, character: char, start: usize, end: usize) {
        self.tokens
            .push_back((Token::Character(character), start, end));
    }

    /// Emits a character for the current input character.
    fn emit(&mut self, character: char) {
        let Input { start, end, .. } = self.input[self.next - 1];
        self.emit_between(character, start, end);
    }

    /// Emits again what was consumed from the `<` of the token up to the current input character,
    /// which is left out.
    fn emit_consumed(&mut self) {
        let end = self.next.min(self.input.len() + 1) - 1;
        for number in 0..end {
            let Input {
                character,
                start,
                end,
                ..
            } = self.input[number];
            if start >= self.token {
                self.emit_between(character, start, end);
            }
        }
    }

    /// The current input character opens a token, perhaps.
    fn mark_token(&mut self) {
        self.token = self.place(self.next - 1);
    }

    /// Emits a token that ends with the current input character.
    fn emit_token(&mut self, token: Token) {
        let end = match self.input.get(self.next - 1) {
            Some(input) => input.end,
            None => self.length,
        };
        self.tokens.push_back((token, self.token, end));
    }

    fn emit_end_of_file(&mut self) {
        let end = self.length;
        self.tokens.push_back((Token::EndOfFile, end, end));
        self.state = State::Finished;
    }

    fn new_tag(&mut self, is_end_tag: bool) {
        self.tag = Tag {
            is_end_tag,
            ..Tag::default()
        };
    }

    fn start_attribute(&mut self) {
        self.end_attribute();
        self.tag.has_attribute = true;
    }

    /// The user agent leaves the attribute name state.
    fn leave_attribute_name(&mut self) {
        let name = &self.tag.name_of_attribute;
        self.tag.is_removed = self.tag.attributes.iter().any(|(other, _)| other == name);
        if self.tag.is_removed {
            self.error("duplicate-attribute");
        }
    }

    fn end_attribute(&mut self) {
        let name = std::mem::take(&mut self.tag.name_of_attribute);
        let value = std::mem::take(&mut self.tag.value);
        if self.tag.has_attribute && !self.tag.is_removed {
            self.tag.attributes.push((name, value));
        }
        self.tag.has_attribute = false;
        self.tag.is_removed = false;
    }

    /// Switches to the data state and emits the current tag token.
    fn emit_tag(&mut self) {
        self.state = State::Data;
        self.end_attribute();
        let tag = std::mem::take(&mut self.tag);
        if tag.is_end_tag {
            if !tag.attributes.is_empty() {
                self.error("end-tag-with-attributes");
            }
            if tag.self_closing {
                self.error("end-tag-with-trailing-solidus");
            }
            return self.emit_token(Token::EndTag(tag));
        }
        self.last_start_tag = Some(tag.name.clone());
        self.emit_token(Token::StartTag(tag));
    }

    fn is_appropriate_end_tag(&self) -> bool {
        self.last_start_tag.as_ref() == Some(&self.tag.name)
    }

    fn emit_comment(&mut self) {
        let comment = std::mem::take(&mut self.comment);
        self.emit_token(Token::Comment(comment));
    }

    fn emit_doctype(&mut self) {
        let doctype = std::mem::take(&mut self.doctype);
        self.emit_token(Token::Doctype(doctype));
    }

    fn emit_instruction(&mut self) {
        let (target, data) = std::mem::take(&mut self.instruction);
        self.emit_token(Token::ProcessingInstruction(target, data));
    }

    fn is_in_attribute(&self) -> bool {
        matches!(
            self.return_state,
            State::AttributeValueDoubleQuoted
                | State::AttributeValueSingleQuoted
                | State::AttributeValueUnquoted
        )
    }

    /// Flushes code points consumed as a character reference, which ends before the input character of
    /// this number. As they are written, each stands for itself.
    fn flush_reference(&mut self, end: usize, is_expanded: bool) {
        let buffer = std::mem::take(&mut self.temporary_buffer);
        if self.is_in_attribute() {
            self.tag.value.push_str(&buffer);
            return;
        }
        let reference = self.reference;
        for (number, character) in buffer.chars().enumerate() {
            let (start, end) = match is_expanded {
                true => (self.place(reference), self.place(end)),
                false => (
                    self.place(reference + number),
                    self.place(reference + number + 1),
                ),
            };
            self.emit_between(character, start, end);
        }
    }
}
