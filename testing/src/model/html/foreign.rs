//! The rules for parsing tokens in foreign content.

use super::construction::{Construction, is_white_space, plain_attributes};
use super::names;
use super::tree::{Attribute, Namespace};
use crate::model::html::tokenizer::{Tag, Token};

/// The spelling of a list for a name in lower case.
fn spelled(name: &str, list: &str) -> String {
    let mut list = list.split_ascii_whitespace();
    let found = list.find(|spelling| spelling.to_ascii_lowercase() == name);
    found.unwrap_or(name).to_owned()
}

/// The attributes of a token, adjusted for an element of a namespace that is not HTML's.
pub(super) fn adjusted_attributes(tag: &Tag, namespace: Namespace) -> Vec<Attribute> {
    let mut attributes = plain_attributes(tag);
    for attribute in &mut attributes {
        attribute.name = match (namespace, &*attribute.name) {
            (Namespace::MathMl, "definitionurl") => "definitionURL".to_owned(),
            (Namespace::Svg, name) => spelled(name, names::SVG_ATTRIBUTES),
            (_, name) => name.to_owned(),
        };
        let mut foreign = names::FOREIGN_ATTRIBUTES.iter();
        if let Some((_, prefix, name)) = foreign.find(|(name, ..)| *name == attribute.name) {
            attribute.prefix = Some(prefix);
            attribute.name = (*name).to_owned();
        }
    }
    attributes
}

impl Construction {
    pub(super) fn in_foreign_content(&mut self, token: &Token) {
        match token {
            Token::Character('\0') => self.insert_character('\u{FFFD}'),
            Token::Character(character) => {
                self.insert_character(*character);
                if !is_white_space(*character) {
                    self.frameset_ok = false;
                }
            }
            Token::Comment(_) | Token::ProcessingInstruction(..) => {
                self.insert_comment(token, None);
            }
            Token::Doctype(_) => {}
            Token::StartTag(tag) => {
                let is_breakout_font = tag.name == "font"
                    && tag
                        .attributes
                        .iter()
                        .any(|(name, _)| ["color", "face", "size"].contains(&&**name));
                match is_breakout_font || names::BREAKOUT.contains(&&*tag.name) {
                    true => self.break_out(token),
                    false => self.foreign_start_tag(tag),
                }
            }
            Token::EndTag(tag) if ["br", "p"].contains(&&*tag.name) => self.break_out(token),
            Token::EndTag(tag) => {
                let script = self.tree.element(self.current_node());
                let is_svg = script.namespace == Namespace::Svg;
                match tag.name == "script" && is_svg && script.name == "script" {
                    true => self.pop(),
                    false => self.foreign_end_tag(tag, token),
                }
            }
            Token::EndOfFile => panic!("the end of the file is for HTML content"),
        }
    }

    fn break_out(&mut self, token: &Token) {
        loop {
            let node = self.current_node();
            if self.is_mathml_text_integration_point(node)
                || self.is_html_integration_point(node)
                || self.tree.element(node).namespace == Namespace::Html
            {
                break;
            }
            self.pop();
        }
        self.in_html_content(token);
    }

    fn foreign_start_tag(&mut self, tag: &Tag) {
        let node = self.adjusted_current_node().expect("an open element");
        let namespace = self.tree.element(node).namespace;
        let mut renamed = tag.clone();
        if namespace == Namespace::Svg {
            renamed.name = spelled(&tag.name, names::SVG_ELEMENTS);
        }
        let attributes = adjusted_attributes(tag, namespace);
        self.insert_foreign_element(&renamed, namespace, attributes);
        // A script that closes itself in SVG acts as its end tag does: it is popped as well.
        if tag.self_closing {
            self.pop();
        }
    }

    fn foreign_end_tag(&mut self, tag: &Tag, token: &Token) {
        let mut place = self.open.len() - 1;
        loop {
            if place == 0 {
                return;
            }
            let node = self.open[place];
            if self.tree.element(node).name.to_ascii_lowercase() == tag.name {
                return self.pop_until_node(node);
            }
            place -= 1;
            if self.tree.element(self.open[place]).namespace == Namespace::Html {
                return self.in_html_content(token);
            }
        }
    }
}
