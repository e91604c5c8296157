//! The tokenizer of the standard, written down as the standard says it: character by character, with
//! the whole input in hand. Random documents are read by it and by tagstream; tokens with their spans
//! and errors with their places must be the same.
//!
//! The states are in `html_states.rs`. What is switched by a start tag is as decided for events, but
//! there is no foreign content.

#[path = "html_states.rs"]
mod states;

use crate::invariants::Random;
use states::State;
use std::collections::HashMap;
use std::sync::LazyLock;
use tagstream::html::InitialState;
use tagstream::{Encoding, Event, Html, Parser};

const DOCUMENTS: usize = 100_000;

/// Pieces beside those of all random documents: the middle of things.
const PIECES: &[&str] = &[
    "script",
    "SCRIPT",
    "title",
    "xmp",
    "</scr",
    "</tit",
    "PUB",
    "PUBLIC",
    "SYSTEM",
    "[CDATA[",
    "xml",
    "-stylesheet",
    "<?xml-stylesheet",
    "<?_a-9",
    "#",
    "X",
    "1",
    "f",
    "gt",
    "t;",
    "&#x80;",
    "&#13;",
    "&#xFFFF;",
    "&ngE;",
    "&acE",
    "_",
    "\u{e9}",
];

#[test]
fn fixed_seed() {
    documents(0x7374_616e);
}

#[test]
fn fresh_seed() {
    documents(Random::fresh_seed());
}

fn documents(seed: u64) {
    let mut random = Random(seed);
    println!("seed {seed}");
    for number in 0..DOCUMENTS {
        let options = Options::random(&mut random);
        let document = document(&mut random);
        let expected = Standard::new(&document, options).read();
        let found = found(&document, options);
        if expected != found {
            panic!(
                "seed {seed}, document {number}, {options:?}: {document:?}\n\
                 expected {expected:#?}\nfound {found:#?}"
            );
        }
    }
}

fn document(random: &mut Random) -> String {
    let most = [3, 6, 12, 40][random.below(4)];
    let mut document = String::new();
    for _ in 0..random.below(most) + 1 {
        let of_all = crate::html::PIECES;
        let piece = match random.below(4) {
            0 => PIECES[random.below(PIECES.len())],
            _ => of_all[random.below(of_all.len())],
        };
        if random.below(8) == 0 {
            document.push(char::from(random.below(0x80) as u8));
        }
        let is_foreign = ["svg", "math"].iter().any(|name| piece.contains(name));
        document.push_str(if is_foreign { "<a>" } else { piece });
    }
    // A byte-order mark is no character of the input.
    document.trim_start_matches('\u{FEFF}').to_owned()
}

#[derive(Clone, Copy, Debug)]
struct Options {
    initial_state: InitialState,
    last_start_tag: Option<&'static str>,
    scripting: bool,
    processing_instructions: bool,
}

impl Options {
    fn random(random: &mut Random) -> Options {
        let states = [
            InitialState::Rcdata,
            InitialState::Rawtext,
            InitialState::ScriptData,
            InitialState::Plaintext,
            InitialState::CdataSection,
        ];
        let initial_state = *states.get(random.below(12)).unwrap_or(&InitialState::Data);
        let last_start_tag = [None, Some("title"), Some("script"), Some("xmp")][random.below(4)];
        Options {
            initial_state,
            last_start_tag,
            scripting: random.below(2) == 0,
            processing_instructions: random.below(2) == 0,
        }
    }
}

/// Tokens with their spans, and errors with their places.
#[derive(Debug, Default, PartialEq)]
struct Read {
    tokens: Vec<String>,
    errors: Vec<Found>,
}

/// The span of an error, and its code.
type Found = (usize, usize, String);

/// What tagstream reads.
fn found(document: &str, options: Options) -> Read {
    let html = Html::default()
        .encoding(Encoding::UTF_8)
        .initial_state(options.initial_state)
        .scripting(options.scripting)
        .processing_instructions(options.processing_instructions);
    let html = match options.last_start_tag {
        Some(name) => html.last_start_tag(name),
        None => html,
    };
    let mut parser = Parser::new(html).errors(true);
    parser.feed(document.to_owned());
    parser.finish();
    let mut read = Read::default();
    while let Some(event) = parser.next_event().expect("an error that ends the parse") {
        let span = event.span();
        let token = match &event {
            Event::ParseError(error) => {
                let code = error.code().as_str().to_owned();
                read.errors
                    .push((span.start as usize, span.end as usize, code));
                continue;
            }
            Event::Start(tag) => {
                let attributes: Vec<(&str, &str)> = tag
                    .attributes()
                    .map(|attribute| (attribute.name(), attribute.value()))
                    .collect();
                start_tag(tag.name(), &attributes, tag.is_self_closing())
            }
            Event::End(tag) => format!("end {:?}", tag.name()),
            Event::Text(text) => format!("text {:?}", text.as_str()),
            Event::Comment(comment) => format!("comment {:?}", comment.as_str()),
            Event::ProcessingInstruction(instruction) => {
                format!(
                    "instruction {:?} {:?}",
                    instruction.target(),
                    instruction.data()
                )
            }
            Event::Doctype(doctype) => {
                let identifiers = (doctype.public_id(), doctype.system_id());
                format!(
                    "doctype {:?} {identifiers:?} {}",
                    doctype.name(),
                    doctype.force_quirks()
                )
            }
            Event::EncodingChange(_) => continue,
            other => format!("{other:?}"),
        };
        read.tokens
            .push(format!("{}..{} {token}", span.start, span.end));
    }
    read
}

fn start_tag(name: &str, attributes: &[(&str, &str)], self_closing: bool) -> String {
    format!("start {name:?} {attributes:?} {self_closing}")
}

/// The named character references.
static NAMES: LazyLock<HashMap<&str, String>> = LazyLock::new(|| {
    let lines = include_str!("../../src/text/html_names.txt").lines();
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
struct Input {
    character: char,
    start: usize,
    end: usize,
}

/// A tag token.
#[derive(Debug, Default)]
struct Tag {
    is_end_tag: bool,
    name: String,
    self_closing: bool,
    attributes: Vec<(String, String)>,
    /// The current attribute.
    name_of_attribute: String,
    value: String,
    has_attribute: bool,
    is_removed: bool,
}

/// A DOCTYPE token.
#[derive(Debug, Default)]
struct Doctype {
    name: String,
    public_identifier: Option<String>,
    system_identifier: Option<String>,
    force_quirks: bool,
}

/// The tokenizer.
struct Standard<'d> {
    document: &'d str,
    options: Options,
    input: Vec<Input>,
    /// The number of the next input character.
    next: usize,
    state: State,
    return_state: State,
    temporary_buffer: String,
    /// The `&` of the reference in the temporary buffer.
    reference: usize,
    character_reference_code: u32,
    last_start_tag: Option<String>,
    /// Where the current token began: its `<`.
    token: usize,
    tag: Tag,
    comment: String,
    doctype: Doctype,
    instruction: (String, String),
    /// Characters emitted and not yet joined to a token, and their span.
    text: String,
    span: Option<(usize, usize)>,
    read: Read,
    /// The errors between characters.
    before_characters: Vec<Found>,
}

impl<'d> Standard<'d> {
    fn new(document: &'d str, options: Options) -> Standard<'d> {
        let mut input: Vec<Input> = Vec::new();
        for (start, character) in document.char_indices() {
            let end = start + character.len_utf8();
            match (character, input.last_mut()) {
                ('\n', Some(last)) if document[..start].ends_with('\r') => last.end = end,
                _ => input.push(Input {
                    character: if character == '\r' { '\n' } else { character },
                    start,
                    end,
                }),
            }
        }
        Standard {
            document,
            options,
            input,
            next: 0,
            state: match options.initial_state {
                InitialState::Rcdata => State::Rcdata,
                InitialState::Rawtext => State::Rawtext,
                InitialState::ScriptData => State::ScriptData,
                InitialState::Plaintext => State::Plaintext,
                InitialState::CdataSection => State::CdataSection,
                _ => State::Data,
            },
            return_state: State::Data,
            temporary_buffer: String::new(),
            reference: 0,
            character_reference_code: 0,
            last_start_tag: options.last_start_tag.map(str::to_owned),
            token: 0,
            tag: Tag::default(),
            comment: String::new(),
            doctype: Doctype::default(),
            instruction: Default::default(),
            text: String::new(),
            span: None,
            read: Read::default(),
            before_characters: Vec::new(),
        }
    }

    fn read(mut self) -> Read {
        while self.state != State::Finished {
            self.step();
        }
        // Preprocessing the input stream: what it reports of a character comes before what the
        // tokenizer does.
        let reported = self.input.iter().filter_map(|input| {
            let number = input.character as u32;
            let is_noncharacter = (0xFDD0..=0xFDEF).contains(&number)
                || [0xFFFE, 0xFFFF].contains(&(number & 0xFFFF));
            let is_space = [0x09, 0x0A, 0x0C, 0x0D, 0x20].contains(&number);
            let is_control = number <= 0x1F || (0x7F..=0x9F).contains(&number);
            let code = match number {
                _ if is_noncharacter => "noncharacter-in-input-stream",
                _ if is_control && !is_space && number != 0 => "control-character-in-input-stream",
                _ => return None,
            };
            let end = input.start + input.character.len_utf8();
            Some((input.start, end, code.to_owned()))
        });
        let mut errors = self.before_characters;
        errors.extend(reported);
        errors.append(&mut self.read.errors);
        errors.sort_by_key(|(place, ..)| *place);
        self.read.errors = errors;
        self.read
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
            .map_or(self.document.len(), |input| input.start)
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
            self.read.errors.push(error);
        }
    }

    /// A parse error at the character that begins at a place, or at the end.
    fn error_at(&mut self, place: usize, code: &str) {
        let character = self.document[place..].chars().next();
        let end = place + character.map_or(0, char::len_utf8);
        self.read.errors.push((place, end, code.to_owned()));
    }

    /// Emits a character that stands between two places.
    fn emit_between(&mut self, character: char, start: usize, end: usize) {
        self.text.push(character);
        self.span = Some((self.span.map_or(start, |span| span.0), end));
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

    fn flush_text(&mut self) {
        if let Some((start, end)) = self.span.take() {
            let text = std::mem::take(&mut self.text);
            self.read
                .tokens
                .push(format!("{start}..{end} text {text:?}"));
        }
    }

    /// Emits a token that ends with the current input character.
    fn emit_token(&mut self, token: &str) {
        let end = match self.input.get(self.next - 1) {
            Some(input) => input.end,
            None => self.document.len(),
        };
        self.flush_text();
        self.read
            .tokens
            .push(format!("{}..{end} {token}", self.token));
    }

    fn emit_end_of_file(&mut self) {
        self.flush_text();
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
            self.emit_token(&format!("end {:?}", tag.name));
            return;
        }
        let attributes: Vec<(&str, &str)> = tag
            .attributes
            .iter()
            .map(|(name, value)| (&**name, &**value))
            .collect();
        self.emit_token(&start_tag(&tag.name, &attributes, tag.self_closing));
        self.state = match &*tag.name {
            "title" | "textarea" => State::Rcdata,
            "style" | "xmp" | "iframe" | "noembed" | "noframes" => State::Rawtext,
            "noscript" if self.options.scripting => State::Rawtext,
            "script" => State::ScriptData,
            "plaintext" => State::Plaintext,
            _ => State::Data,
        };
        self.last_start_tag = Some(tag.name);
    }

    fn is_appropriate_end_tag(&self) -> bool {
        self.last_start_tag.as_ref() == Some(&self.tag.name)
    }

    fn emit_comment(&mut self) {
        let comment = std::mem::take(&mut self.comment);
        self.emit_token(&format!("comment {comment:?}"));
    }

    fn emit_doctype(&mut self) {
        let Doctype {
            name,
            public_identifier,
            system_identifier,
            force_quirks,
        } = std::mem::take(&mut self.doctype);
        let identifiers = (public_identifier.as_deref(), system_identifier.as_deref());
        self.emit_token(&format!("doctype {name:?} {identifiers:?} {force_quirks}"));
    }

    fn emit_instruction(&mut self) {
        let (target, data) = std::mem::take(&mut self.instruction);
        self.emit_token(&format!("instruction {target:?} {data:?}"));
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
