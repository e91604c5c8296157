//! Tokens on their way into the tree. It must not know of rules.

use crate::event::{Doctype, StartTag};
use crate::html::rules::{ENDS, Kind, STARTS};
use crate::text::html_name_sets::{Name, known};

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
    /// Characters, or a comment.
    Text(&'a str),
    Instruction {
        target: &'a str,
        data: &'a str,
    },
    Doctype(Doctype<'a>),
}

impl<'a> Token<'a> {
    #[inline]
    pub(super) fn start(name: Name<'a>, content: Content<'a>) -> Token<'a> {
        Token::new(STARTS + known(name.number), name, content)
    }

    #[inline]
    pub(super) fn end(name: Name<'a>) -> Token<'a> {
        Token::new(ENDS + known(name.number), name, Content::Nothing)
    }

    #[inline]
    pub(super) fn other(kind: Kind, content: Content<'a>) -> Token<'a> {
        Token::new(kind as usize, Name::NONE, content)
    }

    #[inline]
    fn new(column: usize, name: Name<'a>, content: Content<'a>) -> Token<'a> {
        Token {
            column,
            name,
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
