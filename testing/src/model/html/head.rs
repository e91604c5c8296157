//! The insertion modes before the body: from "initial" to "after head", and "text".

use super::construction::{Construction, Mode, is_white_space, named, plain_attributes};
use super::names;
use super::tree::{Kind, Namespace};
use crate::model::html::tokenizer::{Doctype, State, Tag, Token};
use tagstream::tree::QuirksMode;

/// The start tags that are for the head, wherever they are.
const HEAD_TAGS: &[&str] = &[
    "base", "basefont", "bgsound", "link", "meta", "noframes", "script", "style", "template",
    "title",
];

/// dom.spec.whatwg.org/#valid-shadow-host-name, beside the names of custom elements.
const SHADOW_HOSTS: &str =
    "article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span";

/// What dom.spec.whatwg.org/#valid-custom-element-name leaves out.
const NOT_CUSTOM: &str = "annotation-xml color-profile font-face font-face-src font-face-uri \
    font-face-format font-face-name missing-glyph";

/// Whether a token is a start tag with a name of `HEAD_TAGS`, or the end tag of a template.
pub(super) fn is_for_head(token: &Token) -> bool {
    match token {
        Token::StartTag(tag) => HEAD_TAGS.contains(&&*tag.name),
        Token::EndTag(tag) => tag.name == "template",
        _ => false,
    }
}

/// The quirks mode that a DOCTYPE token asks for.
fn quirks_mode(doctype: &Doctype) -> QuirksMode {
    let is = |value: &Option<String>, wanted: &str| {
        let value = value.as_ref();
        value.is_some_and(|value| value.eq_ignore_ascii_case(wanted))
    };
    let public = doctype.public_identifier.as_deref().unwrap_or_default();
    let public = public.to_ascii_lowercase();
    let starts = |list: &[&str]| {
        let mut list = list.iter();
        list.any(|start| public.starts_with(&start.to_ascii_lowercase()))
    };
    let system = doctype.system_identifier.as_deref();
    let has_no_system = system.unwrap_or_default().is_empty();
    let mut whole = names::QUIRKS_PUBLIC.iter();
    if doctype.force_quirks
        || doctype.name != "html"
        || whole.any(|wanted| is(&doctype.public_identifier, wanted))
        || is(&doctype.system_identifier, names::QUIRKS_SYSTEM)
        || starts(&names::QUIRKS_PUBLIC_START)
        || has_no_system && starts(names::QUIRKS_WITHOUT_SYSTEM)
    {
        return QuirksMode::Quirks;
    }
    if starts(names::LIMITED_QUIRKS) || !has_no_system && starts(names::QUIRKS_WITHOUT_SYSTEM) {
        return QuirksMode::LimitedQuirks;
    }
    QuirksMode::NoQuirks
}

impl Construction {
    pub(super) fn initial(&mut self, token: &Token) {
        match token {
            Token::Character(character) if is_white_space(*character) => {}
            Token::Comment(_) | Token::ProcessingInstruction(..) => {
                self.insert_comment(token, Some(self.document));
            }
            Token::Doctype(doctype) => {
                let node = self.tree.create(Kind::DocumentType(
                    doctype.name.clone(),
                    doctype.public_identifier.clone().unwrap_or_default(),
                    doctype.system_identifier.clone().unwrap_or_default(),
                ));
                self.tree.append(node, self.document);
                self.quirks = quirks_mode(doctype);
                self.mode = Mode::BeforeHtml;
            }
            _ => {
                self.quirks = QuirksMode::Quirks;
                self.mode = Mode::BeforeHtml;
                self.dispatch(token);
            }
        }
    }

    pub(super) fn before_html(&mut self, token: &Token) {
        let tag = match token {
            Token::Doctype(_) => return,
            Token::Comment(_) | Token::ProcessingInstruction(..) => {
                return self.insert_comment(token, Some(self.document));
            }
            Token::Character(character) if is_white_space(*character) => return,
            Token::StartTag(tag) if tag.name == "html" => Some(tag),
            Token::EndTag(tag) if !["head", "body", "html", "br"].contains(&&*tag.name) => return,
            _ => None,
        };
        let html = named("html");
        let html = tag.unwrap_or(&html);
        let element = self.create_element(html, Namespace::Html, plain_attributes(html));
        self.insert_at(element, (self.document, None));
        self.open.push(element);
        self.mode = Mode::BeforeHead;
        if tag.is_none() {
            self.dispatch(token);
        }
    }

    pub(super) fn before_head(&mut self, token: &Token) {
        match token {
            Token::Character(character) if is_white_space(*character) => {}
            Token::Comment(_) | Token::ProcessingInstruction(..) => {
                self.insert_comment(token, None);
            }
            Token::Doctype(_) => {}
            Token::StartTag(tag) if tag.name == "html" => self.in_body(token),
            Token::StartTag(tag) if tag.name == "head" => {
                self.head = Some(self.insert_html_element(tag));
                self.mode = Mode::InHead;
            }
            Token::EndTag(tag) if !["head", "body", "html", "br"].contains(&&*tag.name) => {}
            _ => {
                self.head = Some(self.insert_named("head"));
                self.mode = Mode::InHead;
                self.dispatch(token);
            }
        }
    }

    pub(super) fn in_head(&mut self, token: &Token) {
        match token {
            Token::Character(character) if is_white_space(*character) => {
                self.insert_character(*character);
            }
            Token::Comment(_) | Token::ProcessingInstruction(..) => {
                self.insert_comment(token, None);
            }
            Token::Doctype(_) => {}
            Token::StartTag(tag) => match &*tag.name {
                "html" => self.in_body(token),
                "base" | "basefont" | "bgsound" | "link" | "meta" => self.insert_void(tag),
                "title" => self.parse_text_element(tag, State::Rcdata),
                "noframes" | "style" => self.parse_text_element(tag, State::Rawtext),
                "noscript" if self.scripting => self.parse_text_element(tag, State::Rawtext),
                "noscript" => {
                    self.insert_html_element(tag);
                    self.mode = Mode::InHeadNoscript;
                }
                "script" => self.parse_text_element(tag, State::ScriptData),
                "template" => {
                    self.insert_marker();
                    self.frameset_ok = false;
                    self.mode = Mode::InTemplate;
                    self.template_modes.push(Mode::InTemplate);
                    self.insert_shadow_root(tag);
                }
                "head" => {}
                _ => self.leave_head(token),
            },
            Token::EndTag(tag) => match &*tag.name {
                "head" => {
                    self.pop();
                    self.mode = Mode::AfterHead;
                }
                "body" | "html" | "br" => self.leave_head(token),
                "template" if self.has_open("template") => {
                    self.generate_all_implied_end_tags_thoroughly();
                    self.end_template_patch();
                    self.close_template();
                }
                _ => {}
            },
            _ => self.leave_head(token),
        }
    }

    fn leave_head(&mut self, token: &Token) {
        self.pop();
        self.mode = Mode::AfterHead;
        self.dispatch(token);
    }

    /// From the step on where a template's start tag has a place: parsing.html#parsing-main-inhead.
    fn insert_shadow_root(&mut self, tag: &Tag) {
        let plain = tag.attributes.iter();
        let value = |name: &str| {
            let mut found = plain.clone().filter(|attribute| attribute.0 == name);
            found
                .next()
                .map(|attribute| attribute.1.to_ascii_lowercase())
        };
        let mode = value("shadowrootmode").filter(|mode| mode == "open" || mode == "closed");
        let host = self.adjusted_current_node().expect("a current node");
        let Some(mode) = mode.filter(|_| self.shadow_roots && self.open.first() != Some(&host))
        else {
            self.insert_template(tag);
            return;
        };
        let element = self.tree.element(host);
        // dom.spec.whatwg.org/#concept-attach-a-shadow-root
        let may_host = element.namespace == Namespace::Html
            && (SHADOW_HOSTS.split(' ').any(|name| name == element.name)
                || element.name.contains('-')
                    && element
                        .name
                        .starts_with(|first: char| first.is_ascii_lowercase())
                    && !NOT_CUSTOM.split(' ').any(|name| name == element.name));
        if !may_host || element.shadow_root.is_some() || self.context == Some(host) {
            self.insert_template(tag);
            return;
        }
        let flags = [
            "shadowrootdelegatesfocus",
            "shadowrootserializable",
            "shadowrootslotassignment",
            "shadowrootclonable",
            "shadowrootcustomelementregistry",
        ];
        let mut said = format!("#shadow-root ({mode}");
        for flag in flags {
            let is_set = match flag {
                "shadowrootslotassignment" => value(flag).is_some_and(|value| value == "manual"),
                _ => value(flag).is_some(),
            };
            if is_set {
                said += &format!(" {}", &flag["shadowroot".len()..]);
            }
        }
        let clonable = value("shadowrootclonable").is_some();
        let template = self.create_element(tag, Namespace::Html, plain_attributes(tag));
        let root = self.tree.create(Kind::DocumentFragment(Some(host)));
        self.tree.element_mut(host).shadow_root = Some((root, said + ")", clonable));
        self.tree.element_mut(template).contents = Some(root);
        self.open.push(template);
    }

    /// What the end tag of a template and the end of the file in it have in common.
    pub(super) fn close_template(&mut self) {
        self.pop_until(&["template"]);
        self.clear_formatting_to_marker();
        self.template_modes.pop();
        self.reset_insertion_mode();
    }

    pub(super) fn in_head_noscript(&mut self, token: &Token) {
        match token {
            Token::Doctype(_) => return,
            Token::Character(character) if is_white_space(*character) => {
                return self.in_head(token);
            }
            Token::Comment(_) | Token::ProcessingInstruction(..) => return self.in_head(token),
            Token::StartTag(tag) => match &*tag.name {
                "html" => return self.in_body(token),
                "basefont" | "bgsound" | "link" | "meta" | "noframes" | "style" => {
                    return self.in_head(token);
                }
                "head" | "noscript" => return,
                _ => {}
            },
            Token::EndTag(tag) => match &*tag.name {
                "noscript" => {
                    self.pop();
                    self.mode = Mode::InHead;
                    return;
                }
                "br" => {}
                _ => return,
            },
            _ => {}
        }
        self.pop();
        self.mode = Mode::InHead;
        self.dispatch(token);
    }

    pub(super) fn after_head(&mut self, token: &Token) {
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
                "body" => {
                    self.insert_html_element(tag);
                    self.frameset_ok = false;
                    self.mode = Mode::InBody;
                    return;
                }
                "frameset" => {
                    self.insert_html_element(tag);
                    self.mode = Mode::InFrameset;
                    return;
                }
                name if HEAD_TAGS.contains(&name) => {
                    let head = self.head.expect("the head element pointer");
                    self.open.push(head);
                    self.in_head(token);
                    self.remove_open(head);
                    return;
                }
                "head" => return,
                _ => {}
            },
            Token::EndTag(tag) => match &*tag.name {
                "template" => return self.in_head(token),
                "body" | "html" | "br" => {}
                _ => return,
            },
            _ => {}
        }
        self.insert_named("body");
        self.frameset_ok = true;
        self.mode = Mode::InBody;
        self.dispatch(token);
    }

    pub(super) fn text(&mut self, token: &Token) {
        match token {
            Token::Character(character) => self.insert_character(*character),
            Token::EndOfFile => {
                self.pop();
                self.mode = self.original_mode;
                self.dispatch(token);
            }
            Token::EndTag(_) => {
                self.pop();
                self.mode = self.original_mode;
            }
            other => panic!("no token of a text: {other:?}"),
        }
    }
}
