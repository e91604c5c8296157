//! Tokens on their way into the tree, and names as numbers. It must not know of rules.

use super::elements::KNOWN;
use super::notation::Kind;
use super::table::{ENDS, STARTS, column};
use crate::event::{Doctype, StartTag};
use crate::seeds::Seeds;
use crate::text::html_element_names::ElementName;
use alloc::boxed::Box;
use hashbrown::HashMap;

/// A token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    /// Its column in the tables of the schema.
    pub(super) column: usize,
    /// The name of a tag.
    pub(super) name: Name<'a>,
    pub(super) content: Content<'a>,
}

/// What a token holds beside its name.
#[derive(Clone, Copy, Debug)]
pub(super) enum Content<'a> {
    /// An end tag; a start tag without attributes that nobody wrote; the end of the input.
    Nothing,
    Tag(StartTag<'a>),
    Text(&'a str),
    Comment(&'a str),
    Instruction {
        target: &'a str,
        data: &'a str,
    },
    Doctype(Doctype<'a>),
}

/// The name of a tag: its number, which known names have from the beginning and others get when they
/// are first met.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name<'a> {
    pub(super) number: u32,
    pub(super) text: &'a str,
}

impl Name<'_> {
    pub(super) const NONE: Name<'static> = Name {
        number: u32::MAX,
        text: "",
    };
}

impl From<ElementName> for Name<'static> {
    fn from(name: ElementName) -> Name<'static> {
        Name {
            number: name as u32,
            text: name.name(),
        }
    }
}

/// The numbers of the names that are not known.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers {
    numbers: HashMap<Box<str>, u32, Seeds>,
}

impl Numbers {
    #[inline]
    pub(super) fn name<'a>(&mut self, text: &'a str) -> Name<'a> {
        let number = match ElementName::find(text) {
            Some(known) => known as u32,
            None => self.unknown(text),
        };
        Name { number, text }
    }

    #[cold]
    fn unknown(&mut self, text: &str) -> u32 {
        let next = (KNOWN + self.numbers.len()) as u32;
        *self.numbers.entry_ref(text).or_insert(next)
    }
}

impl<'a> Token<'a> {
    #[inline]
    pub(super) fn start(name: Name<'a>, content: Content<'a>) -> Token<'a> {
        Token {
            column: STARTS + (name.number as usize).min(KNOWN),
            name,
            content,
        }
    }

    #[inline]
    pub(super) fn end(name: Name<'a>) -> Token<'a> {
        Token {
            column: ENDS + (name.number as usize).min(KNOWN),
            name,
            content: Content::Nothing,
        }
    }

    #[inline]
    pub(super) fn other(kind: Kind, content: Content<'a>) -> Token<'a> {
        Token {
            column: column(kind),
            name: Name::NONE,
            content,
        }
    }

    pub(super) fn is_end(&self) -> bool {
        self.column >= ENDS
    }

    /// The start tag, if somebody wrote one.
    pub(super) fn tag(&self) -> Option<&StartTag<'a>> {
        match &self.content {
            Content::Tag(tag) => Some(tag),
            _ => None,
        }
    }

    /// The value of an attribute.
    pub(super) fn attribute(&self, name: &str) -> Option<&'a str> {
        self.tag()?.attribute(name)
    }

    pub(super) fn text(&self) -> &'a str {
        match self.content {
            Content::Text(text) => text,
            _ => "",
        }
    }
}
