//! HTML's tokens with their spans and errors with their places, by the model and by the library. What is
//! switched by a start tag is as decided for events, but there is no foreign content.

use super::unmarked;
use crate::drawn::{Drawn, Feed, Kind, Verdict};
use crate::generate::html::document;
use crate::model::html::tokenizer::{Found, Standard, State, Token};
use crate::random::Random;
use tagstream::html::InitialState;
use tagstream::{Encoding, Event, Html, Parser, Span};

/// How tokens are read.
#[derive(Clone, Copy, Debug)]
pub struct TokensHow {
    initial_state: InitialState,
    last_start_tag: Option<&'static str>,
    scripting: bool,
    processing_instructions: bool,
}

/// Tokens.
pub const TOKENS: Kind<TokensHow> = Kind {
    name: "html/token model",
    quick: 8_000,
    full: 100_000,
    draw,
    check,
    other: [0, 0],
    shrinks: true,
};

fn draw(random: &mut Random) -> Drawn<TokensHow> {
    const STATES: [InitialState; 5] = [
        InitialState::Rcdata,
        InitialState::Rawtext,
        InitialState::ScriptData,
        InitialState::Plaintext,
        InitialState::CdataSection,
    ];
    let how = TokensHow {
        initial_state: *STATES.get(random.below(12)).unwrap_or(&InitialState::Data),
        last_start_tag: [None, Some("title"), Some("script"), Some("xmp")][random.below(4)],
        scripting: random.one_in(2),
        processing_instructions: random.one_in(2),
    };
    let mut parts = document(random);
    for part in &mut parts {
        let text = String::from_utf8_lossy(part).to_ascii_lowercase();
        if text.contains("svg") || text.contains("math") {
            *part = b"<a>".to_vec();
        }
    }
    (how, parts)
}

fn check(how: &TokensHow, feed: Feed, input: &[u8]) -> Result<Verdict, String> {
    let input = unmarked(input);
    let expected = expected(input, *how);
    for feed in [Feed::WHOLE, feed] {
        let found = found(input, *how, feed);
        if expected != found {
            return Err(format!("expected {expected:#?}\nfound {found:#?}"));
        }
    }
    Ok(Verdict::Right)
}

/// Tokens with their spans, and errors with their places.
#[derive(Debug, Default, PartialEq)]
struct Read {
    tokens: Vec<String>,
    errors: Vec<Found>,
}

/// What the standard reads.
fn expected(document: &[u8], options: TokensHow) -> Read {
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
fn errors(standard: Standard) -> Vec<Found> {
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
fn found(document: &[u8], options: TokensHow, feed: Feed) -> Read {
    let html = Html::default()
        .encoding(Encoding::UTF_8)
        .initial_state(options.initial_state)
        .scripting(options.scripting)
        .processing_instructions(options.processing_instructions);
    let html = match options.last_start_tag {
        Some(name) => html.last_start_tag(name),
        None => html,
    };
    let parser = Parser::new(html)
        .report_errors(true)
        .inspect_sizes(feed.sizes);
    let mut read = Read::default();
    let done = feed.events(parser, document, |event| {
        let Span { start, end, .. } = event.span();
        let token = match &event {
            Event::ParseError(error) => {
                let code = error.code().as_str().to_owned();
                return read.errors.push((start as usize, end as usize, code));
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
            Event::EncodingChange(_) => return,
            other => format!("{other:?}"),
        };
        read.tokens.push(format!("{start}..{end} {token}"));
    });
    done.expect("HTML has no fatal errors");
    read
}

fn start_tag(name: &str, attributes: &[(&str, &str)], self_closing: bool) -> String {
    format!("start {name:?} {attributes:?} {self_closing}")
}
