//! html5ever: its tokenizer, with the state changes that a tree builder would make, and the tree of
//! `markup5ever_rcdom`. html5ever takes strings, so the bytes are checked to be UTF-8.

use super::{Done, Job};
use crate::reading::Reading;
use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{Attribute, ParseOpts, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use std::cell::RefCell;

pub fn tokens<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    let tokenizer = Tokenizer::new(Sink(RefCell::new(reading)), TokenizerOpts::default());
    let queue = BufferQueue::default();
    queue.push_back(text(job)?);
    let _ = tokenizer.feed(&queue);
    tokenizer.end();
    Ok(())
}

fn text(job: &Job<'_>) -> Result<StrTendril, &'static str> {
    let bytes = job.input.tendril.clone();
    bytes.try_reinterpret().map_err(|_| "no UTF-8")
}

/// The receiver of the tokens.
struct Sink<'r, R>(RefCell<&'r mut R>);

impl<R: Reading> TokenSink for Sink<'_, R> {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        let mut reading = self.0.borrow_mut();
        match token {
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => {
                reading.start(&tag.name);
                for attribute in &tag.attrs {
                    reading.attribute(&attribute.name.local, &attribute.value);
                }
                if tag.self_closing {
                    reading.self_closing();
                }
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

pub fn tree<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    let options = ParseOpts {
        tree_builder: TreeBuilderOpts {
            scripting_enabled: false,
            ..TreeBuilderOpts::default()
        },
        ..ParseOpts::default()
    };
    let dom = parse_document(RcDom::default(), options).one(text(job)?);
    walk(&dom.document, reading);
    Ok(())
}

fn walk<R: Reading>(document: &Handle, reading: &mut R) {
    // Each open node and the number of its children that were visited. The contents of a template precede its children.
    let mut path: Vec<(Handle, usize)> = vec![(document.clone(), 0)];
    while let Some((node, next)) = path.last_mut() {
        let contents = match &node.data {
            NodeData::Element {
                template_contents, ..
            } => template_contents.borrow().clone(),
            _ => None,
        };
        let first = usize::from(contents.is_some());
        let child = match contents {
            Some(contents) if *next == 0 => Some(contents),
            _ => node.children.borrow().get(*next - first).cloned(),
        };
        *next += 1;
        if let Some(child) = child {
            open(&child, reading);
            path.push((child, 0));
        } else {
            if let NodeData::Element { name, .. } = &node.data {
                reading.end(&name.local);
            }
            path.pop();
        }
    }
}

fn open<R: Reading>(node: &Handle, reading: &mut R) {
    match &node.data {
        NodeData::Element { name, attrs, .. } => {
            reading.start(&name.local);
            for attribute in attrs.borrow().iter() {
                self::attribute(attribute, reading);
            }
        }
        NodeData::Text { contents } => reading.text(&contents.borrow()),
        NodeData::Comment { contents } => reading.comment(contents),
        NodeData::Doctype { name, .. } => reading.doctype(name),
        NodeData::Document | NodeData::ProcessingInstruction { .. } => {}
    }
}

fn attribute<R: Reading>(attribute: &Attribute, reading: &mut R) {
    let (name, value) = (&attribute.name, &attribute.value);
    match &name.prefix {
        Some(prefix) if !prefix.is_empty() => {
            reading.attribute(&format!("{prefix}:{}", name.local), value);
        }
        _ => reading.attribute(&name.local, value),
    }
}
