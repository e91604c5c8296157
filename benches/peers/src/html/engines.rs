//! The engines: each reads a page to its end. They know nothing of each other.

use crate::html::reading::{Counts, Log, Reading};
use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use html5gum::{DefaultEmitter, Token as GumToken, Tokenizer as GumTokenizer};
use lol_html::{RewriteStrSettings, doc_comments, doc_text, doctype, element};
use std::cell::RefCell;
use tagstream::{Encoding, Event, Html, Parser};

/// An engine's name, and how it reads a page.
pub type Engine<R> = (&'static str, fn(&str, &mut R));

/// Those whose tokens are compared.
pub const COMPARED: &[Engine<Log>] = &[
    ("html5ever", html5ever),
    ("html5gum", html5gum),
    ("tagstream", tagstream),
];

/// Those that are timed. lol_html decodes no references and splits text, so that it can't be compared.
pub const TIMED: &[Engine<Counts>] = &[
    ("html5ever", html5ever),
    ("html5gum", html5gum),
    ("lol_html", lol_html),
    ("tagstream", tagstream),
];

fn tagstream(text: &str, reading: &mut impl Reading) {
    tagstream_in_chunks(text, usize::MAX, reading);
}

/// tagstream, with the page in chunks of so many bytes.
pub fn tagstream_in_chunks(text: &str, size: usize, reading: &mut impl Reading) {
    let html = Html::default()
        .encoding(Encoding::UTF_8)
        .processing_instructions(false)
        .scripting(true);
    let mut parser = Parser::new(html);
    for chunk in text.as_bytes().chunks(size) {
        parser.feed(bytes::Bytes::copy_from_slice(chunk));
        drain(&mut parser, reading);
    }
    parser.finish();
    drain(&mut parser, reading);
}

fn drain(parser: &mut Parser<Html>, reading: &mut impl Reading) {
    while let Ok(Some(event)) = parser.next_event() {
        match event {
            Event::Start(tag) => {
                let attributes = tag.attributes().map(|one| (one.name(), one.value()));
                reading.start(tag.name(), attributes, tag.is_self_closing());
            }
            Event::End(tag) => reading.end(tag.name()),
            Event::Text(text) => reading.text(text.as_str()),
            Event::Comment(comment) => reading.comment(comment.as_str()),
            Event::Doctype(doctype) => reading.doctype(doctype.name()),
            _ => {}
        }
    }
}

/// What html5ever hands its tokens to.
struct Sink<'r, R>(RefCell<&'r mut R>);

impl<R: Reading> TokenSink for Sink<'_, R> {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        let mut reading = self.0.borrow_mut();
        match token {
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => {
                let attributes = tag.attrs.iter().map(|one| (&*one.name.local, &*one.value));
                reading.start(&tag.name, attributes, tag.self_closing);
                return match &*tag.name {
                    "title" | "textarea" => TokenSinkResult::RawData(RawKind::Rcdata),
                    "style" | "xmp" | "iframe" | "noembed" | "noframes" | "noscript" => {
                        TokenSinkResult::RawData(RawKind::Rawtext)
                    }
                    "script" => TokenSinkResult::RawData(RawKind::ScriptData),
                    "plaintext" => TokenSinkResult::Plaintext,
                    _ => TokenSinkResult::Continue,
                };
            }
            Token::TagToken(tag) => reading.end(&tag.name),
            Token::CharacterTokens(text) => reading.text(&text),
            Token::NullCharacterToken => reading.text("\0"),
            Token::CommentToken(text) => reading.comment(&text),
            Token::DoctypeToken(doctype) => {
                reading.doctype(doctype.name.as_deref().unwrap_or_default());
            }
            Token::EOFToken | Token::ParseError(_) => {}
        }
        TokenSinkResult::Continue
    }
}

fn html5ever(text: &str, reading: &mut impl Reading) {
    let tokenizer = Tokenizer::new(Sink(RefCell::new(reading)), TokenizerOpts::default());
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from(text));
    let _ = tokenizer.feed(&queue);
    tokenizer.end();
}

fn html5gum(text: &str, reading: &mut impl Reading) {
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    let string = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    for Ok(token) in GumTokenizer::new_with_emitter(text, emitter) {
        match token {
            GumToken::StartTag(tag) => {
                let attributes: Vec<(&str, &str)> = tag
                    .attributes
                    .iter()
                    .map(|(name, value)| (utf8(name), utf8(value)))
                    .collect();
                reading.start(utf8(&tag.name), attributes.into_iter(), tag.self_closing);
            }
            GumToken::EndTag(tag) => reading.end(utf8(&tag.name)),
            GumToken::String(text) => reading.text(utf8(&text)),
            GumToken::Comment(text) => reading.comment(utf8(&text)),
            GumToken::Doctype(doctype) => reading.doctype(&string(&doctype.name)),
            GumToken::Error(_) => {}
        }
    }
}

/// Hands out every start tag and all text, comments and DOCTYPEs, and changes nothing. It gives end tags
/// by another way, which is left out: it only looks at them.
fn lol_html(text: &str, reading: &mut Counts) {
    let reading = RefCell::new(reading);
    let settings = RewriteStrSettings::new()
        .append_element_content_handler(element!("*", |element| {
            let attributes: Vec<(String, String)> = element
                .attributes()
                .iter()
                .map(|one| (one.name(), one.value()))
                .collect();
            let attributes = attributes.iter().map(|(name, value)| (&**name, &**value));
            let self_closing = element.is_self_closing();
            reading
                .borrow_mut()
                .start(&element.tag_name(), attributes, self_closing);
            Ok(())
        }))
        .append_document_content_handler(doc_text!(|text| {
            reading.borrow_mut().text(text.as_str());
            Ok(())
        }))
        .append_document_content_handler(doc_comments!(|comment| {
            reading.borrow_mut().comment(&comment.text());
            Ok(())
        }))
        .append_document_content_handler(doctype!(|doctype| {
            let name = doctype.name().unwrap_or_default();
            reading.borrow_mut().doctype(&name);
            Ok(())
        }));
    let _ = lol_html::rewrite_str(text, settings);
}

fn utf8(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or_default()
}
