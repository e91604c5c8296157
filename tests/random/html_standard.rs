//! Random documents, read by the tokenizer of `testing::model::html` and by tagstream: tokens with their
//! spans and errors with their places must be the same.
//!
//! What is switched by a start tag is as decided for events, but there is no foreign content.

use tagstream::html::InitialState;
use tagstream::{Encoding, Event, Html, Parser};
use testing::model::html::tokenizer::{Found, Standard, State, Token};
use testing::random::Random;

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
        let expected = expected(&document, options);
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

/// What the standard reads.
fn expected(document: &str, options: Options) -> Read {
    let state = match options.initial_state {
        InitialState::Rcdata => State::Rcdata,
        InitialState::Rawtext => State::Rawtext,
        InitialState::ScriptData => State::ScriptData,
        InitialState::Plaintext => State::Plaintext,
        InitialState::CdataSection => State::CdataSection,
        _ => State::Data,
    };
    let mut standard = Standard::new(document, state);
    standard.last_start_tag = options.last_start_tag.map(str::to_owned);
    standard.processing_instructions = options.processing_instructions;
    let mut read = Read::default();
    let mut text = String::new();
    let mut span = None;
    loop {
        let (token, start, end) = standard.next_token();
        let token = match token {
            Token::Character(character) => {
                text.push(character);
                span = Some((span.map_or(start, |span: (usize, usize)| span.0), end));
                continue;
            }
            Token::StartTag(tag) => {
                let attributes: Vec<(&str, &str)> = tag
                    .attributes
                    .iter()
                    .map(|(name, value)| (&**name, &**value))
                    .collect();
                standard.state = state_after(&tag.name, options.scripting);
                Some(start_tag(&tag.name, &attributes, tag.self_closing))
            }
            Token::EndTag(tag) => Some(format!("end {:?}", tag.name)),
            Token::Comment(comment) => Some(format!("comment {comment:?}")),
            Token::ProcessingInstruction(target, data) => {
                Some(format!("instruction {target:?} {data:?}"))
            }
            Token::Doctype(doctype) => {
                let public_identifier = doctype.public_identifier.as_deref();
                let identifiers = (public_identifier, doctype.system_identifier.as_deref());
                let (name, force_quirks) = (doctype.name, doctype.force_quirks);
                Some(format!("doctype {name:?} {identifiers:?} {force_quirks}"))
            }
            Token::EndOfFile => None,
        };
        // Characters are joined up to another token.
        if let Some((start, end)) = span.take() {
            read.tokens.push(format!("{start}..{end} text {text:?}"));
            text.clear();
        }
        let Some(token) = token else { break };
        read.tokens.push(format!("{start}..{end} {token}"));
    }
    read.errors = errors(standard);
    read
}

/// The state that the start tag of an element switches to.
fn state_after(name: &str, scripting: bool) -> State {
    match name {
        "title" | "textarea" => State::Rcdata,
        "style" | "xmp" | "iframe" | "noembed" | "noframes" => State::Rawtext,
        "noscript" if scripting => State::Rawtext,
        "script" => State::ScriptData,
        "plaintext" => State::Plaintext,
        _ => State::Data,
    }
}

/// Preprocessing the input stream: what it reports of a character comes before what the tokenizer
/// does.
fn errors(standard: Standard<'_>) -> Vec<Found> {
    let reported = standard.input.iter().filter_map(|input| {
        let number = input.character as u32;
        let is_noncharacter =
            (0xFDD0..=0xFDEF).contains(&number) || [0xFFFE, 0xFFFF].contains(&(number & 0xFFFF));
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
    let mut errors = standard.before_characters;
    errors.extend(reported);
    errors.extend(standard.errors);
    errors.sort_by_key(|(place, ..)| *place);
    errors
}

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
