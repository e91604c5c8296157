//! The "in body" insertion mode. The rows of each `match` are in the standard's order.

use super::construction::{Construction, Mode};
use super::foreign::adjusted_attributes;
use super::head::is_for_head;
use super::names;
use super::tables::is_hidden;
use super::tree::{Attribute, Namespace};
use crate::model::html::tokenizer::{State, Tag, Token};
use tagstream::tree::QuirksMode;

impl Construction {
    pub(super) fn in_body(&mut self, token: &Token) {
        match token {
            Token::Character('\0') => {}
            Token::Character(character @ ('\t' | '\n' | '\x0C' | '\r' | ' ')) => {
                self.reconstruct_formatting();
                self.insert_character(*character);
            }
            Token::Character(character) => {
                self.reconstruct_formatting();
                self.insert_character(*character);
                self.frameset_ok = false;
            }
            Token::Comment(_) | Token::ProcessingInstruction(..) => {
                self.insert_comment(token, None);
            }
            Token::Doctype(_) => {}
            Token::EndOfFile => match self.template_modes.is_empty() {
                true => self.stop_parsing(),
                false => self.in_template(token),
            },
            _ if is_for_head(token) => self.in_head(token),
            Token::StartTag(tag) => self.start_tag_in_body(tag),
            Token::EndTag(tag) => self.end_tag_in_body(tag, token),
        }
    }

    fn close_p_in_button_scope(&mut self) {
        if self.has_in_button_scope(&["p"]) {
            self.close_p();
        }
    }

    fn close_p(&mut self) {
        self.generate_implied_end_tags(&["p"]);
        self.pop_until(&["p"]);
    }

    fn start_tag_in_body(&mut self, tag: &Tag) {
        match &*tag.name {
            "html" => {
                if !self.has_open("template") {
                    self.add_attributes(0, tag);
                }
            }
            "body" => {
                if self.open.len() > 1
                    && self.tree.is(self.open[1], &["body"])
                    && !self.has_open("template")
                {
                    self.frameset_ok = false;
                    self.add_attributes(1, tag);
                }
            }
            "frameset" => self.frameset_in_body(tag),
            "address" | "article" | "aside" | "blockquote" | "center" | "details" | "dialog"
            | "dir" | "div" | "dl" | "fieldset" | "figcaption" | "figure" | "footer" | "header"
            | "hgroup" | "main" | "menu" | "nav" | "ol" | "p" | "search" | "section"
            | "summary" | "ul" => {
                self.close_p_in_button_scope();
                self.insert_html_element(tag);
            }
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.close_p_in_button_scope();
                if self.current_is(names::HEADINGS) {
                    self.pop();
                }
                self.insert_html_element(tag);
            }
            "pre" | "listing" => {
                self.close_p_in_button_scope();
                self.insert_html_element(tag);
                self.ignores_line_feed = true;
                self.frameset_ok = false;
            }
            "form" => {
                let in_template = self.is_parsing_template_contents();
                if self.form.is_some() && !in_template {
                    return;
                }
                self.close_p_in_button_scope();
                let form = self.insert_html_element(tag);
                if !in_template {
                    self.form = Some(form);
                }
            }
            "li" => self.list_item(tag, &["li"]),
            "dd" | "dt" => self.list_item(tag, &["dd", "dt"]),
            "plaintext" => {
                self.close_p_in_button_scope();
                self.insert_html_element(tag);
                self.tokenizer.state = State::Plaintext;
            }
            "button" => {
                if self.has_in_scope(&["button"]) {
                    self.generate_implied_end_tags(&[]);
                    self.pop_until(&["button"]);
                }
                self.reconstruct_formatting();
                self.insert_html_element(tag);
                self.frameset_ok = false;
            }
            "a" => {
                if let Some(active) = self.formatting_element("a") {
                    self.run_adoption_agency("a");
                    self.remove_formatting(active);
                    self.remove_open(active);
                }
                self.insert_formatting(tag);
            }
            "nobr" => {
                self.reconstruct_formatting();
                if self.has_in_scope(&["nobr"]) {
                    self.run_adoption_agency("nobr");
                }
                self.insert_formatting(tag);
            }
            name if names::FORMATTING.contains(&name) => self.insert_formatting(tag),
            "applet" | "marquee" | "object" => {
                self.reconstruct_formatting();
                self.insert_html_element(tag);
                self.insert_marker();
                self.frameset_ok = false;
            }
            "table" => {
                if self.quirks != QuirksMode::Quirks {
                    self.close_p_in_button_scope();
                }
                self.insert_html_element(tag);
                self.frameset_ok = false;
                self.mode = Mode::InTable;
            }
            "area" | "br" | "embed" | "img" | "keygen" | "wbr" => {
                self.reconstruct_formatting();
                self.insert_void(tag);
                self.frameset_ok = false;
            }
            "input" => {
                if self.is_select_fragment() {
                    return;
                }
                if self.has_in_scope(&["select"]) {
                    self.pop_until(&["select"]);
                }
                self.reconstruct_formatting();
                self.insert_void(tag);
                if !is_hidden(tag) {
                    self.frameset_ok = false;
                }
            }
            "param" | "source" | "track" => self.insert_void(tag),
            "hr" => {
                self.close_p_in_button_scope();
                if self.has_in_scope(&["select"]) {
                    self.generate_implied_end_tags(&[]);
                }
                self.insert_void(tag);
                self.frameset_ok = false;
            }
            "image" => {
                let mut renamed = tag.clone();
                renamed.name = "img".to_owned();
                self.dispatch(&Token::StartTag(renamed));
            }
            "textarea" => {
                self.ignores_line_feed = true;
                self.frameset_ok = false;
                self.parse_text_element(tag, State::Rcdata);
            }
            "xmp" => {
                self.close_p_in_button_scope();
                self.reconstruct_formatting();
                self.frameset_ok = false;
                self.parse_text_element(tag, State::Rawtext);
            }
            "iframe" => {
                self.frameset_ok = false;
                self.parse_text_element(tag, State::Rawtext);
            }
            "noembed" => self.parse_text_element(tag, State::Rawtext),
            "noscript" if self.scripting => self.parse_text_element(tag, State::Rawtext),
            "select" => {
                if self.is_select_fragment() {
                    return;
                }
                if self.has_in_scope(&["select"]) {
                    return self.pop_until(&["select"]);
                }
                self.reconstruct_formatting();
                self.insert_html_element(tag);
                self.frameset_ok = false;
            }
            "option" => {
                if self.has_in_scope(&["select"]) {
                    self.generate_implied_end_tags(&["optgroup"]);
                } else if self.current_is(&["option"]) {
                    self.pop();
                }
                self.reconstruct_formatting();
                self.insert_html_element(tag);
            }
            "optgroup" => {
                if self.has_in_scope(&["select"]) {
                    self.generate_implied_end_tags(&[]);
                } else if self.current_is(&["option"]) {
                    self.pop();
                }
                self.reconstruct_formatting();
                self.insert_html_element(tag);
            }
            "rb" | "rtc" => {
                if self.has_in_scope(&["ruby"]) {
                    self.generate_implied_end_tags(&[]);
                }
                self.insert_html_element(tag);
            }
            "rp" | "rt" => {
                if self.has_in_scope(&["ruby"]) {
                    self.generate_implied_end_tags(&["rtc"]);
                }
                self.insert_html_element(tag);
            }
            "math" => self.start_foreign(tag, Namespace::MathMl),
            "svg" => self.start_foreign(tag, Namespace::Svg),
            "caption" | "col" | "colgroup" | "frame" | "head" | "tbody" | "td" | "tfoot" | "th"
            | "thead" | "tr" => {}
            _ => {
                self.reconstruct_formatting();
                self.insert_html_element(tag);
            }
        }
    }

    fn end_tag_in_body(&mut self, tag: &Tag, token: &Token) {
        match &*tag.name {
            "body" => {
                if self.has_in_scope(&["body"]) {
                    self.mode = Mode::AfterBody;
                }
            }
            "html" => {
                if self.has_in_scope(&["body"]) {
                    self.mode = Mode::AfterBody;
                    self.dispatch(token);
                }
            }
            "address" | "article" | "aside" | "blockquote" | "button" | "center" | "details"
            | "dialog" | "dir" | "div" | "dl" | "fieldset" | "figcaption" | "figure" | "footer"
            | "header" | "hgroup" | "listing" | "main" | "menu" | "nav" | "ol" | "pre"
            | "search" | "section" | "select" | "summary" | "ul" => {
                if self.has_in_scope(&[&tag.name]) {
                    self.generate_implied_end_tags(&[]);
                    self.pop_until(&[&tag.name]);
                }
            }
            "form" if !self.is_parsing_template_contents() => {
                let Some(form) = self.form.take() else { return };
                if self.has_node_in_scope(form) {
                    self.generate_implied_end_tags(&[]);
                    self.remove_open(form);
                }
            }
            "form" => {
                if self.has_in_scope(&["form"]) {
                    self.generate_implied_end_tags(&[]);
                    self.pop_until(&["form"]);
                }
            }
            "p" => {
                if !self.has_in_button_scope(&["p"]) {
                    self.insert_named("p");
                }
                self.close_p();
            }
            "li" => {
                if self.has_in_list_item_scope(&["li"]) {
                    self.generate_implied_end_tags(&["li"]);
                    self.pop_until(&["li"]);
                }
            }
            "dd" | "dt" => {
                if self.has_in_scope(&[&tag.name]) {
                    self.generate_implied_end_tags(&[&tag.name]);
                    self.pop_until(&[&tag.name]);
                }
            }
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                if self.has_in_scope(names::HEADINGS) {
                    self.generate_implied_end_tags(&[]);
                    self.pop_until(names::HEADINGS);
                }
            }
            name if names::FORMATTING.contains(&name) => self.run_adoption_agency(name),
            "applet" | "marquee" | "object" => {
                if self.has_in_scope(&[&tag.name]) {
                    self.generate_implied_end_tags(&[]);
                    self.pop_until(&[&tag.name]);
                    self.clear_formatting_to_marker();
                }
            }
            "br" => {
                self.reconstruct_formatting();
                self.insert_named("br");
                self.pop();
                self.frameset_ok = false;
            }
            name => self.any_other_end_tag(name),
        }
    }

    pub(super) fn any_other_end_tag(&mut self, name: &str) {
        for node in self.open.clone().into_iter().rev() {
            if self.tree.is(node, &[name]) {
                self.generate_implied_end_tags(&[name]);
                return self.pop_until_node(node);
            }
            if self.is_special(node) {
                return;
            }
        }
    }

    /// Adds the attributes of a tag that an element of the stack has not yet.
    fn add_attributes(&mut self, place: usize, tag: &Tag) {
        let element = self.tree.element_mut(self.open[place]);
        for (name, value) in &tag.attributes {
            if element.attribute(name).is_none() {
                element.attributes.push(Attribute {
                    prefix: None,
                    name: name.clone(),
                    value: value.clone(),
                });
            }
        }
    }

    fn frameset_in_body(&mut self, tag: &Tag) {
        if self.open.len() == 1 || !self.tree.is(self.open[1], &["body"]) || !self.frameset_ok {
            return;
        }
        self.tree.remove(self.open[1]);
        while self.open.len() > 1 {
            self.pop();
        }
        self.insert_html_element(tag);
        self.mode = Mode::InFrameset;
    }

    /// The start tags of `li`, or of `dd` and `dt`: the names are those that end each other.
    fn list_item(&mut self, tag: &Tag, ending: &[&str]) {
        self.frameset_ok = false;
        for node in self.open.clone().into_iter().rev() {
            if self.tree.is(node, ending) {
                let name = self.tree.element(node).name.clone();
                self.generate_implied_end_tags(&[&name]);
                self.pop_until(&[&name]);
                break;
            }
            if self.is_special(node) && !self.tree.is(node, &["address", "div", "p"]) {
                break;
            }
        }
        self.close_p_in_button_scope();
        self.insert_html_element(tag);
    }

    fn insert_formatting(&mut self, tag: &Tag) {
        self.reconstruct_formatting();
        let element = self.insert_html_element(tag);
        self.push_formatting(element);
    }

    fn is_select_fragment(&self) -> bool {
        let context = self.context;
        context.is_some_and(|id| self.tree.is(id, &["select"]))
    }

    fn start_foreign(&mut self, tag: &Tag, namespace: Namespace) {
        self.reconstruct_formatting();
        self.insert_foreign_element(tag, namespace, adjusted_attributes(tag, namespace));
        if tag.self_closing {
            self.pop();
        }
    }
}
