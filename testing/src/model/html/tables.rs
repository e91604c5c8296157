//! The insertion modes of tables.

use super::construction::{Construction, Mode, is_white_space};
use super::names;
use crate::model::html::tokenizer::{Tag, Token};

/// Whether an `input` token is one that nobody sees.
pub(super) fn is_hidden(tag: &Tag) -> bool {
    let mut attributes = tag.attributes.iter();
    let is_hidden = |value: &str| value.eq_ignore_ascii_case("hidden");
    attributes.any(|(name, value)| name == "type" && is_hidden(value))
}

impl Construction {
    pub(super) fn in_table(&mut self, token: &Token) {
        match token {
            Token::Character(_) if self.current_is(names::TABLE_TEXT) => {
                self.pending_table_characters.clear();
                self.original_mode = self.mode;
                self.mode = Mode::InTableText;
                self.dispatch(token);
            }
            Token::Comment(_) | Token::ProcessingInstruction(..) => {
                self.insert_comment(token, None);
            }
            Token::Doctype(_) => {}
            Token::StartTag(tag) => match &*tag.name {
                "caption" => {
                    self.clear_stack_to_table();
                    self.insert_marker();
                    self.insert_html_element(tag);
                    self.mode = Mode::InCaption;
                }
                "colgroup" => {
                    self.clear_stack_to_table();
                    self.insert_html_element(tag);
                    self.mode = Mode::InColumnGroup;
                }
                "col" => {
                    self.clear_stack_to_table();
                    self.insert_named("colgroup");
                    self.mode = Mode::InColumnGroup;
                    self.dispatch(token);
                }
                "tbody" | "tfoot" | "thead" => {
                    self.clear_stack_to_table();
                    self.insert_html_element(tag);
                    self.mode = Mode::InTableBody;
                }
                "td" | "th" | "tr" => {
                    self.clear_stack_to_table();
                    self.insert_named("tbody");
                    self.mode = Mode::InTableBody;
                    self.dispatch(token);
                }
                "table" => {
                    if self.has_in_table_scope(&["table"]) {
                        self.pop_until(&["table"]);
                        self.reset_insertion_mode();
                        self.dispatch(token);
                    }
                }
                "style" | "script" | "template" => self.in_head(token),
                "input" if is_hidden(tag) => self.insert_void(tag),
                "form" => {
                    if self.form.is_none() || self.is_parsing_template_contents() {
                        let form = self.insert_html_element(tag);
                        if !self.is_parsing_template_contents() {
                            self.form = Some(form);
                        }
                        self.pop();
                    }
                }
                _ => self.in_table_anything_else(token),
            },
            Token::EndTag(tag) => match &*tag.name {
                "table" => {
                    if self.has_in_table_scope(&["table"]) {
                        self.pop_until(&["table"]);
                        self.reset_insertion_mode();
                    }
                }
                "body" | "caption" | "col" | "colgroup" | "html" | "tbody" | "td" | "tfoot"
                | "th" | "thead" | "tr" => {}
                "template" => self.in_head(token),
                _ => self.in_table_anything_else(token),
            },
            Token::EndOfFile => self.in_body(token),
            Token::Character(_) => self.in_table_anything_else(token),
        }
    }

    fn in_table_anything_else(&mut self, token: &Token) {
        self.foster_parenting = true;
        self.in_body(token);
        self.foster_parenting = false;
    }

    pub(super) fn in_table_text(&mut self, token: &Token) {
        match token {
            Token::Character('\0') => {}
            Token::Character(character) => self.pending_table_characters.push(*character),
            _ => {
                let pending = std::mem::take(&mut self.pending_table_characters);
                if pending.iter().all(|&character| is_white_space(character)) {
                    for character in pending {
                        self.insert_character(character);
                    }
                } else {
                    for character in pending {
                        self.in_table_anything_else(&Token::Character(character));
                    }
                }
                self.mode = self.original_mode;
                self.dispatch(token);
            }
        }
    }

    fn clear_stack_to_table(&mut self) {
        while !self.current_is(&["table", "template", "html"]) {
            self.pop();
        }
    }

    fn clear_stack_to_table_body(&mut self) {
        while !self.current_is(&["tbody", "tfoot", "thead", "template", "html"]) {
            self.pop();
        }
    }

    fn clear_stack_to_table_row(&mut self) {
        while !self.current_is(&["tr", "template", "html"]) {
            self.pop();
        }
    }

    /// Closes the caption, if there is one in table scope.
    fn close_caption(&mut self) -> bool {
        if !self.has_in_table_scope(&["caption"]) {
            return false;
        }
        self.generate_implied_end_tags(&[]);
        self.pop_until(&["caption"]);
        self.clear_formatting_to_marker();
        self.mode = Mode::InTable;
        true
    }

    pub(super) fn in_caption(&mut self, token: &Token) {
        match token {
            Token::EndTag(tag) if tag.name == "caption" => {
                self.close_caption();
            }
            Token::StartTag(tag)
                if [
                    "caption", "col", "colgroup", "tbody", "td", "tfoot", "th", "thead", "tr",
                ]
                .contains(&&*tag.name) =>
            {
                if self.close_caption() {
                    self.dispatch(token);
                }
            }
            Token::EndTag(tag) if tag.name == "table" => {
                if self.close_caption() {
                    self.dispatch(token);
                }
            }
            Token::EndTag(tag)
                if [
                    "body", "col", "colgroup", "html", "tbody", "td", "tfoot", "th", "thead", "tr",
                ]
                .contains(&&*tag.name) => {}
            _ => self.in_body(token),
        }
    }

    pub(super) fn in_column_group(&mut self, token: &Token) {
        match token {
            Token::Character(character) if is_white_space(*character) => {
                return self.insert_character(*character);
            }
            Token::Comment(_) | Token::ProcessingInstruction(..) => {
                return self.insert_comment(token, None);
            }
            Token::Doctype(_) => return,
            Token::StartTag(tag) => match &*tag.name {
                "html" => return self.in_body(token),
                "col" => return self.insert_void(tag),
                "template" => return self.in_head(token),
                _ => {}
            },
            Token::EndTag(tag) => match &*tag.name {
                "colgroup" => {
                    if self.current_is(&["colgroup"]) {
                        self.pop();
                        self.mode = Mode::InTable;
                    }
                    return;
                }
                "col" => return,
                "template" => return self.in_head(token),
                _ => {}
            },
            Token::EndOfFile => return self.in_body(token),
            Token::Character(_) => {}
        }
        if self.current_is(&["colgroup"]) {
            self.pop();
            self.mode = Mode::InTable;
            self.dispatch(token);
        }
    }

    pub(super) fn in_table_body(&mut self, token: &Token) {
        match token {
            Token::StartTag(tag) if tag.name == "tr" => {
                self.clear_stack_to_table_body();
                self.insert_html_element(tag);
                self.mode = Mode::InRow;
            }
            Token::StartTag(tag) if ["th", "td"].contains(&&*tag.name) => {
                self.clear_stack_to_table_body();
                self.insert_named("tr");
                self.mode = Mode::InRow;
                self.dispatch(token);
            }
            Token::EndTag(tag) if ["tbody", "tfoot", "thead"].contains(&&*tag.name) => {
                if self.has_in_table_scope(&[&tag.name]) {
                    self.clear_stack_to_table_body();
                    self.pop();
                    self.mode = Mode::InTable;
                }
            }
            Token::StartTag(tag)
                if ["caption", "col", "colgroup", "tbody", "tfoot", "thead"]
                    .contains(&&*tag.name) =>
            {
                self.close_table_body(token);
            }
            Token::EndTag(tag) if tag.name == "table" => self.close_table_body(token),
            Token::EndTag(tag)
                if [
                    "body", "caption", "col", "colgroup", "html", "td", "th", "tr",
                ]
                .contains(&&*tag.name) => {}
            _ => self.in_table(token),
        }
    }

    fn close_table_body(&mut self, token: &Token) {
        if self.has_in_table_scope(&["tbody", "thead", "tfoot"]) {
            self.clear_stack_to_table_body();
            self.pop();
            self.mode = Mode::InTable;
            self.dispatch(token);
        }
    }

    /// Closes the row, if there is one in table scope.
    fn close_row(&mut self) -> bool {
        if !self.has_in_table_scope(&["tr"]) {
            return false;
        }
        self.clear_stack_to_table_row();
        self.pop();
        self.mode = Mode::InTableBody;
        true
    }

    pub(super) fn in_row(&mut self, token: &Token) {
        match token {
            Token::StartTag(tag) if ["th", "td"].contains(&&*tag.name) => {
                self.clear_stack_to_table_row();
                self.insert_html_element(tag);
                self.mode = Mode::InCell;
                self.insert_marker();
            }
            Token::EndTag(tag) if tag.name == "tr" => {
                self.close_row();
            }
            Token::StartTag(tag)
                if [
                    "caption", "col", "colgroup", "tbody", "tfoot", "thead", "tr",
                ]
                .contains(&&*tag.name) =>
            {
                if self.close_row() {
                    self.dispatch(token);
                }
            }
            Token::EndTag(tag) if tag.name == "table" => {
                if self.close_row() {
                    self.dispatch(token);
                }
            }
            Token::EndTag(tag) if ["tbody", "tfoot", "thead"].contains(&&*tag.name) => {
                if self.has_in_table_scope(&[&tag.name]) && self.close_row() {
                    self.dispatch(token);
                }
            }
            Token::EndTag(tag)
                if ["body", "caption", "col", "colgroup", "html", "td", "th"]
                    .contains(&&*tag.name) => {}
            _ => self.in_table(token),
        }
    }

    pub(super) fn in_cell(&mut self, token: &Token) {
        match token {
            Token::EndTag(tag) if ["td", "th"].contains(&&*tag.name) => {
                if self.has_in_table_scope(&[&tag.name]) {
                    self.generate_implied_end_tags(&[]);
                    self.pop_until(&[&tag.name]);
                    self.clear_formatting_to_marker();
                    self.mode = Mode::InRow;
                }
            }
            Token::StartTag(tag)
                if [
                    "caption", "col", "colgroup", "tbody", "td", "tfoot", "th", "thead", "tr",
                ]
                .contains(&&*tag.name) =>
            {
                self.close_cell();
                self.dispatch(token);
            }
            Token::EndTag(tag)
                if ["body", "caption", "col", "colgroup", "html"].contains(&&*tag.name) => {}
            Token::EndTag(tag)
                if ["table", "tbody", "tfoot", "thead", "tr"].contains(&&*tag.name) =>
            {
                if self.has_in_table_scope(&[&tag.name]) {
                    self.close_cell();
                    self.dispatch(token);
                }
            }
            _ => self.in_body(token),
        }
    }

    fn close_cell(&mut self) {
        self.generate_implied_end_tags(&[]);
        self.pop_until(&["td", "th"]);
        self.clear_formatting_to_marker();
        self.mode = Mode::InRow;
    }
}
