//! The insertion modes beside and after the body: templates, framesets, and what comes after them.

use super::construction::{Construction, Mode, is_white_space};
use super::head::is_for_head;
use crate::model::html::tokenizer::Token;

impl Construction {
    pub(super) fn in_template(&mut self, token: &Token) {
        let mode = match token {
            Token::Character(_)
            | Token::Comment(_)
            | Token::ProcessingInstruction(..)
            | Token::Doctype(_) => return self.in_body(token),
            _ if is_for_head(token) => return self.in_head(token),
            Token::StartTag(tag) => match &*tag.name {
                "caption" | "colgroup" | "tbody" | "tfoot" | "thead" => Mode::InTable,
                "col" => Mode::InColumnGroup,
                "tr" => Mode::InTableBody,
                "td" | "th" => Mode::InRow,
                _ => Mode::InBody,
            },
            Token::EndTag(_) => return,
            Token::EndOfFile => {
                if !self.has_open("template") {
                    return self.stop_parsing();
                }
                self.close_template();
                return self.dispatch(token);
            }
        };
        self.template_modes.pop();
        self.template_modes.push(mode);
        self.mode = mode;
        self.dispatch(token);
    }

    pub(super) fn after_body(&mut self, token: &Token) {
        match token {
            Token::Character(character) if is_white_space(*character) => self.in_body(token),
            Token::Comment(_) | Token::ProcessingInstruction(..) => {
                self.insert_comment(token, Some(self.open[0]));
            }
            Token::Doctype(_) => {}
            Token::StartTag(tag) if tag.name == "html" => self.in_body(token),
            Token::EndTag(tag) if tag.name == "html" => {
                if self.context.is_none() {
                    self.mode = Mode::AfterAfterBody;
                }
            }
            Token::EndOfFile => self.stop_parsing(),
            _ => {
                self.mode = Mode::InBody;
                self.dispatch(token);
            }
        }
    }

    pub(super) fn in_frameset(&mut self, token: &Token) {
        match token {
            Token::Character(character) if is_white_space(*character) => {
                self.insert_character(*character);
            }
            Token::Comment(_) | Token::ProcessingInstruction(..) => {
                self.insert_comment(token, None);
            }
            Token::StartTag(tag) => match &*tag.name {
                "html" => self.in_body(token),
                "frameset" => {
                    self.insert_html_element(tag);
                }
                "frame" => self.insert_void(tag),
                "noframes" => self.in_head(token),
                _ => {}
            },
            Token::EndTag(tag) if tag.name == "frameset" => {
                if self.open.len() == 1 {
                    return;
                }
                self.pop();
                if self.context.is_none() && !self.current_is(&["frameset"]) {
                    self.mode = Mode::AfterFrameset;
                }
            }
            Token::EndOfFile => self.stop_parsing(),
            _ => {}
        }
    }

    pub(super) fn after_frameset(&mut self, token: &Token) {
        match token {
            Token::Character(character) if is_white_space(*character) => {
                self.insert_character(*character);
            }
            Token::Comment(_) | Token::ProcessingInstruction(..) => {
                self.insert_comment(token, None);
            }
            Token::StartTag(tag) if tag.name == "html" => self.in_body(token),
            Token::EndTag(tag) if tag.name == "html" => self.mode = Mode::AfterAfterFrameset,
            Token::StartTag(tag) if tag.name == "noframes" => self.in_head(token),
            Token::EndOfFile => self.stop_parsing(),
            _ => {}
        }
    }

    pub(super) fn after_after_body(&mut self, token: &Token) {
        match token {
            Token::Comment(_) | Token::ProcessingInstruction(..) => {
                self.insert_comment(token, Some(self.document));
            }
            Token::Doctype(_) => self.in_body(token),
            Token::Character(character) if is_white_space(*character) => self.in_body(token),
            Token::StartTag(tag) if tag.name == "html" => self.in_body(token),
            Token::EndOfFile => self.stop_parsing(),
            _ => {
                self.mode = Mode::InBody;
                self.dispatch(token);
            }
        }
    }

    pub(super) fn after_after_frameset(&mut self, token: &Token) {
        match token {
            Token::Comment(_) | Token::ProcessingInstruction(..) => {
                self.insert_comment(token, Some(self.document));
            }
            Token::Doctype(_) => self.in_body(token),
            Token::Character(character) if is_white_space(*character) => self.in_body(token),
            Token::StartTag(tag) if tag.name == "html" => self.in_body(token),
            Token::EndOfFile => self.stop_parsing(),
            Token::StartTag(tag) if tag.name == "noframes" => self.in_head(token),
            _ => {}
        }
    }
}
