//! The tree construction stage, step for step: its state, the dispatcher, and what the standard says
//! of parse state and of creating and inserting nodes. The insertion modes are in files of their own.
//!
//! Every question is answered by a walk, as the standard says it. Parse errors are left out.

use super::names;
use super::tree::{Attribute, Element, Id, Kind, Namespace, Tree};
use crate::model::html::tokenizer::{Standard, State, Tag, Token};
use std::collections::BTreeSet;
use tagstream::tree::QuirksMode;

/// The insertion modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Initial,
    BeforeHtml,
    BeforeHead,
    InHead,
    InHeadNoscript,
    AfterHead,
    InBody,
    Text,
    InTable,
    InTableText,
    InCaption,
    InColumnGroup,
    InTableBody,
    InRow,
    InCell,
    InTemplate,
    AfterBody,
    InFrameset,
    AfterFrameset,
    AfterAfterBody,
    AfterAfterFrameset,
}

/// An entry of the list of active formatting elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    Marker,
    Element(Id),
    /// The bookmark of the adoption agency algorithm, while it runs.
    Bookmark,
}

/// A parser of one input.
pub struct Construction {
    pub tokenizer: Standard,
    pub tree: Tree,
    pub(super) document: Id,
    /// The root insertion target of a fragment.
    pub(super) fragment: Option<Id>,
    /// The fragment context element.
    pub(super) context: Option<Id>,
    pub(super) scripting: bool,
    /// Allow declarative shadow roots.
    pub shadow_roots: bool,
    pub(super) mode: Mode,
    pub(super) original_mode: Mode,
    pub(super) template_modes: Vec<Mode>,
    /// The stack of open elements.
    pub(super) open: Vec<Id>,
    /// The list of active formatting elements.
    pub(super) formatting: Vec<Entry>,
    pub(super) head: Option<Id>,
    pub(super) form: Option<Id>,
    pub(super) frameset_ok: bool,
    pub(super) foster_parenting: bool,
    pub quirks: QuirksMode,
    pub(super) pending_table_characters: Vec<char>,
    /// A line feed that is the next token is ignored.
    pub(super) ignores_line_feed: bool,
    pub(super) has_stopped: bool,
    /// Whether foster parenting or the adoption agency put a node elsewhere than in the element that
    /// was open, so that the stack and the tree differ.
    pub has_moved: bool,
    pub has_selectedcontent: bool,
    /// Nodes that were cloned into a `selectedcontent`.
    pub(super) copies: BTreeSet<Id>,
}

impl Construction {
    /// A parser of a document; of a fragment, if there is a context: `div`, `svg path`.
    pub fn new(input: impl AsRef<[u8]>, context: Option<&str>, scripting: bool) -> Construction {
        let mut tree = Tree::default();
        let document = tree.create(Kind::Document);
        let mut construction = Construction {
            tokenizer: Standard::new(input, State::Data),
            tree,
            document,
            fragment: None,
            context: None,
            scripting,
            shadow_roots: false,
            mode: Mode::Initial,
            original_mode: Mode::Initial,
            template_modes: Vec::new(),
            open: Vec::new(),
            formatting: Vec::new(),
            head: None,
            form: None,
            frameset_ok: true,
            foster_parenting: false,
            quirks: QuirksMode::NoQuirks,
            pending_table_characters: Vec::new(),
            ignores_line_feed: false,
            has_stopped: false,
            has_moved: false,
            has_selectedcontent: false,
            copies: BTreeSet::new(),
        };
        if let Some(context) = context {
            construction.start_fragment(context);
        }
        construction
    }

    /// The HTML fragment parsing algorithm, up to where the parser starts.
    fn start_fragment(&mut self, context: &str) {
        let (namespace, name) = match context.split_once(' ') {
            Some(("svg", name)) => (Namespace::Svg, name),
            Some(("math", name)) => (Namespace::MathMl, name),
            _ => (Namespace::Html, context),
        };
        let tag = named(name);
        let context = self.create_element(&tag, namespace, Vec::new());
        self.context = Some(context);
        if namespace == Namespace::Html {
            self.tokenizer.state = match name {
                "title" | "textarea" => State::Rcdata,
                "style" | "xmp" | "iframe" | "noembed" | "noframes" => State::Rawtext,
                "script" => State::ScriptData,
                "noscript" if self.scripting => State::Rawtext,
                "plaintext" => State::Plaintext,
                _ => State::Data,
            };
        }
        let root = self.create_element(&named("html"), Namespace::Html, Vec::new());
        self.tree.append(root, self.document);
        self.open.push(root);
        self.fragment = Some(self.tree.create(Kind::DocumentFragment(None)));
        if self.tree.is(context, &["template"]) {
            self.template_modes.push(Mode::InTemplate);
        }
        self.reset_insertion_mode();
        if self.tree.is(context, &["form"]) {
            self.form = Some(context);
        }
        self.tell_tokenizer();
    }

    /// Parses to the end: the node whose children were parsed.
    pub fn run(&mut self) -> Id {
        while !self.has_stopped {
            let (token, _, _) = self.tokenizer.next_token();
            let ignores = std::mem::take(&mut self.ignores_line_feed);
            if !(ignores && matches!(token, Token::Character('\n'))) {
                self.dispatch(&token);
            }
            self.tell_tokenizer();
        }
        self.fragment.unwrap_or(self.document)
    }

    /// What the markup declaration open state asks of tree construction.
    fn tell_tokenizer(&mut self) {
        let node = self.adjusted_current_node();
        let is_foreign = |id| self.tree.element(id).namespace != Namespace::Html;
        self.tokenizer.is_in_foreign_content = node.is_some_and(is_foreign);
    }

    /// The tree construction dispatcher.
    pub(super) fn dispatch(&mut self, token: &Token) {
        let Some(node) = self.adjusted_current_node() else {
            return self.in_html_content(token);
        };
        let element = self.tree.element(node);
        let is_text_point = self.is_mathml_text_integration_point(node);
        let is_html_point = self.is_html_integration_point(node);
        let is_annotation =
            element.namespace == Namespace::MathMl && element.name == "annotation-xml";
        let is_html = element.namespace == Namespace::Html
            || match token {
                Token::StartTag(tag) => {
                    is_text_point && !["mglyph", "malignmark"].contains(&&*tag.name)
                        || is_annotation && tag.name == "svg"
                        || is_html_point
                }
                Token::Character(_) => is_text_point || is_html_point,
                Token::EndOfFile => true,
                _ => false,
            };
        match is_html {
            true => self.in_html_content(token),
            false => self.in_foreign_content(token),
        }
    }

    pub(super) fn is_mathml_text_integration_point(&self, id: Id) -> bool {
        let element = self.tree.element(id);
        element.namespace == Namespace::MathMl
            && ["mi", "mo", "mn", "ms", "mtext"].contains(&&*element.name)
    }

    pub(super) fn is_html_integration_point(&self, id: Id) -> bool {
        let element = self.tree.element(id);
        match element.namespace {
            Namespace::Html => false,
            Namespace::Svg => ["foreignObject", "desc", "title"].contains(&&*element.name),
            Namespace::MathMl => {
                let mut attributes = element.token.attributes.iter();
                element.name == "annotation-xml"
                    && attributes.any(|(name, value)| {
                        name == "encoding"
                            && ["text/html", "application/xhtml+xml"]
                                .contains(&&*value.to_ascii_lowercase())
                    })
            }
        }
    }

    /// The rules of the current insertion mode.
    pub(super) fn in_html_content(&mut self, token: &Token) {
        match self.mode {
            Mode::Initial => self.initial(token),
            Mode::BeforeHtml => self.before_html(token),
            Mode::BeforeHead => self.before_head(token),
            Mode::InHead => self.in_head(token),
            Mode::InHeadNoscript => self.in_head_noscript(token),
            Mode::AfterHead => self.after_head(token),
            Mode::InBody => self.in_body(token),
            Mode::Text => self.text(token),
            Mode::InTable => self.in_table(token),
            Mode::InTableText => self.in_table_text(token),
            Mode::InCaption => self.in_caption(token),
            Mode::InColumnGroup => self.in_column_group(token),
            Mode::InTableBody => self.in_table_body(token),
            Mode::InRow => self.in_row(token),
            Mode::InCell => self.in_cell(token),
            Mode::InTemplate => self.in_template(token),
            Mode::AfterBody => self.after_body(token),
            Mode::InFrameset => self.in_frameset(token),
            Mode::AfterFrameset => self.after_frameset(token),
            Mode::AfterAfterBody => self.after_after_body(token),
            Mode::AfterAfterFrameset => self.after_after_frameset(token),
        }
    }

    /// Resets the insertion mode appropriately.
    pub(super) fn reset_insertion_mode(&mut self) {
        for (place, &open) in self.open.iter().enumerate().rev() {
            let last = place == 0;
            let node = match self.context {
                Some(context) if last => context,
                _ => open,
            };
            let is = |names: &[&str]| self.tree.is(node, names);
            self.mode = if is(&["td", "th"]) && !last {
                Mode::InCell
            } else if is(&["tr"]) {
                Mode::InRow
            } else if is(&["tbody", "thead", "tfoot"]) {
                Mode::InTableBody
            } else if is(&["caption"]) {
                Mode::InCaption
            } else if is(&["colgroup"]) {
                Mode::InColumnGroup
            } else if is(&["table"]) {
                Mode::InTable
            } else if is(&["template"]) {
                *self.template_modes.last().expect("a mode for a template")
            } else if is(&["head"]) && !last {
                Mode::InHead
            } else if is(&["body"]) {
                Mode::InBody
            } else if is(&["frameset"]) {
                Mode::InFrameset
            } else if is(&["html"]) && self.head.is_none() {
                Mode::BeforeHead
            } else if is(&["html"]) {
                Mode::AfterHead
            } else if last {
                Mode::InBody
            } else {
                continue;
            };
            return;
        }
    }

    // The stack of open elements.

    pub(super) fn current_node(&self) -> Id {
        *self.open.last().expect("an open element")
    }

    pub(super) fn adjusted_current_node(&self) -> Option<Id> {
        match self.context {
            Some(context) if self.open.len() == 1 => Some(context),
            _ => self.open.last().copied(),
        }
    }

    /// Whether the current node is an HTML element with one of these names.
    pub(super) fn current_is(&self, names: &[&str]) -> bool {
        self.tree.is(self.current_node(), names)
    }

    pub(super) fn is_special(&self, id: Id) -> bool {
        let element = self.tree.element(id);
        let special = match element.namespace {
            Namespace::Html => &names::SPECIAL,
            Namespace::MathMl => names::MATHML_SPECIAL,
            Namespace::Svg => names::SVG_SPECIAL,
        };
        special.contains(&&*element.name)
    }

    /// Whether a node of the stack is a target, with none of a list below it.
    fn has_in_specific_scope(
        &self,
        is_target: impl Fn(Id) -> bool,
        is_in_list: impl Fn(Id) -> bool,
    ) -> bool {
        for &node in self.open.iter().rev() {
            if is_target(node) {
                return true;
            }
            if is_in_list(node) {
                return false;
            }
        }
        panic!("the first element ends every scope");
    }

    fn ends_scope(&self, id: Id) -> bool {
        let element = self.tree.element(id);
        let list = match element.namespace {
            Namespace::Html => names::SCOPE,
            Namespace::MathMl => names::MATHML_SPECIAL,
            Namespace::Svg => names::SVG_SPECIAL,
        };
        list.contains(&&*element.name)
    }

    pub(super) fn has_node_in_scope(&self, target: Id) -> bool {
        self.has_in_specific_scope(|id| id == target, |id| self.ends_scope(id))
    }

    pub(super) fn has_in_scope(&self, names: &[&str]) -> bool {
        self.has_in_specific_scope(|id| self.tree.is(id, names), |id| self.ends_scope(id))
    }

    pub(super) fn has_in_list_item_scope(&self, names: &[&str]) -> bool {
        let ends = |id| self.ends_scope(id) || self.tree.is(id, &["ol", "ul"]);
        self.has_in_specific_scope(|id| self.tree.is(id, names), ends)
    }

    pub(super) fn has_in_button_scope(&self, names: &[&str]) -> bool {
        let ends = |id| self.ends_scope(id) || self.tree.is(id, &["button"]);
        self.has_in_specific_scope(|id| self.tree.is(id, names), ends)
    }

    pub(super) fn has_in_table_scope(&self, names: &[&str]) -> bool {
        let ends = |id| self.tree.is(id, &["html", "table", "template"]);
        self.has_in_specific_scope(|id| self.tree.is(id, names), ends)
    }

    /// Whether such an element is anywhere on the stack.
    pub(super) fn has_open(&self, name: &str) -> bool {
        self.open.iter().any(|&id| self.tree.is(id, &[name]))
    }

    /// Whether the parser is parsing template contents (#parsing-template-contents).
    pub(super) fn is_parsing_template_contents(&self) -> bool {
        let context = self.context;
        self.has_open("template") || context.is_some_and(|id| self.tree.is(id, &["template"]))
    }

    /// Pops the current node off the stack.
    pub(super) fn pop(&mut self) {
        let node = self.open.pop().expect("an open element");
        if self.tree.is(node, &["option"]) {
            self.option_was_popped(node);
        }
    }

    /// Pops elements until one of these names has been popped.
    pub(super) fn pop_until(&mut self, names: &[&str]) {
        while !self.current_is(names) {
            self.pop();
        }
        self.pop();
    }

    /// Pops elements until this node has been popped.
    pub(super) fn pop_until_node(&mut self, node: Id) {
        while self.current_node() != node {
            self.pop();
        }
        self.pop();
    }

    pub(super) fn generate_implied_end_tags(&mut self, except: &[&str]) {
        while self.current_is(names::IMPLIED) && !self.current_is(except) {
            self.pop();
        }
    }

    pub(super) fn generate_all_implied_end_tags_thoroughly(&mut self) {
        while self.current_is(names::IMPLIED_THOROUGHLY) {
            self.pop();
        }
    }

    pub(super) fn stop_parsing(&mut self) {
        while !self.open.is_empty() {
            self.pop();
        }
        self.has_stopped = true;
    }

    // Creating and inserting nodes.

    /// The appropriate place for inserting a node: the parent, and the child that follows. In a
    /// fragment the first element stands for the root insertion target.
    pub(super) fn appropriate_place(&mut self, override_target: Option<Id>) -> (Id, Option<Id>) {
        let mut target = override_target.unwrap_or_else(|| self.current_node());
        let mut reference = None;
        if self.foster_parenting && self.tree.is(target, names::FOSTERING) {
            self.has_moved = true;
            let mut open = self.open.iter().enumerate().rev();
            let last = open.find(|&(_, &id)| self.tree.is(id, &["template", "table"]));
            match last {
                None => target = self.open[0],
                Some((_, &template)) if self.tree.is(template, &["template"]) => target = template,
                Some((place, &table)) => match self.tree.parent(table) {
                    Some(parent) => (target, reference) = (parent, Some(table)),
                    None => target = self.open[place - 1],
                },
            }
        }
        if self.tree.is(target, &["template"]) {
            if let Some((target, _, end)) = self.tree.element(target).patch {
                let end = end.filter(|&end| self.tree.parent(end) == Some(target));
                return (target, end);
            }
            let contents = self.tree.element(target).contents;
            return (contents.expect("the contents of a template"), None);
        }
        match self.fragment {
            Some(fragment) if target == self.open[0] => (fragment, None),
            _ => (target, reference),
        }
    }

    /// Creates an element for a token, with its attributes as adjusted.
    pub(super) fn create_element(
        &mut self,
        tag: &Tag,
        namespace: Namespace,
        attributes: Vec<Attribute>,
    ) -> Id {
        self.tree.create_element(Element {
            namespace,
            name: tag.name.clone(),
            attributes,
            token: tag.clone(),
            contents: None,
            patch: None,
            shadow_root: None,
            selectedness: false,
            is_disabled: false,
        })
    }

    /// Inserts an element at the adjusted insertion location.
    pub(super) fn insert_at(&mut self, element: Id, (parent, before): (Id, Option<Id>)) {
        let is_second =
            matches!(self.tree.kind(parent), Kind::Document) && self.tree.has_element_child(parent);
        let is_above = self
            .tree
            .is_host_including_inclusive_ancestor(element, parent);
        if self.tree.parent(element).is_some() || is_above || is_second {
            return;
        }
        self.tree.insert(element, parent, before);
        self.was_inserted(element);
    }

    pub(super) fn insert_foreign_element(
        &mut self,
        tag: &Tag,
        namespace: Namespace,
        attributes: Vec<Attribute>,
    ) -> Id {
        let place = self.appropriate_place(None);
        let element = self.create_element(tag, namespace, attributes);
        self.insert_at(element, place);
        self.open.push(element);
        element
    }

    pub(super) fn insert_html_element(&mut self, tag: &Tag) -> Id {
        self.insert_foreign_element(tag, Namespace::Html, plain_attributes(tag))
    }

    /// Inserts an element for a start tag token of this name without attributes.
    pub(super) fn insert_named(&mut self, name: &str) -> Id {
        self.insert_html_element(&named(name))
    }

    /// Inserts an element and pops it at once.
    pub(super) fn insert_void(&mut self, tag: &Tag) {
        self.insert_html_element(tag);
        self.pop();
    }

    pub(super) fn insert_character(&mut self, data: char) {
        let (parent, reference) = self.appropriate_place(None);
        if matches!(self.tree.kind(parent), Kind::Document) {
            return;
        }
        let children = self.tree.children(parent);
        let end = match reference {
            Some(reference) => children.iter().position(|&child| child == reference),
            None => None,
        };
        let previous = children[..end.unwrap_or(children.len())].last().copied();
        if let Some(previous) = previous
            && let Kind::Text(text) = self.tree.kind_mut(previous)
        {
            return text.push(data);
        }
        let text = self.tree.create(Kind::Text(data.to_string()));
        self.tree.insert(text, parent, reference);
    }

    /// Inserts a comment or a processing instruction, at a place if one is given.
    pub(super) fn insert_comment(&mut self, token: &Token, place: Option<Id>) {
        let kind = match token {
            Token::Comment(data) => Kind::Comment(data.clone()),
            Token::ProcessingInstruction(target, data) => {
                Kind::ProcessingInstruction(target.clone(), data.clone())
            }
            other => panic!("no comment: {other:?}"),
        };
        let (parent, reference) = match place {
            Some(document) if document == self.document => (document, None),
            place => self.appropriate_place(place),
        };
        let node = self.tree.create(kind);
        self.tree.insert(node, parent, reference);
    }

    // Parsing elements that contain only text.

    /// The generic raw text and RCDATA element parsing algorithms.
    pub(super) fn parse_text_element(&mut self, tag: &Tag, state: State) {
        self.insert_html_element(tag);
        self.tokenizer.state = state;
        self.original_mode = self.mode;
        self.mode = Mode::Text;
    }
}

/// A start tag token of this name without attributes.
pub(super) fn named(name: &str) -> Tag {
    Tag {
        name: name.to_owned(),
        ..Tag::default()
    }
}

/// The attributes of a token as those of an HTML element.
pub(super) fn plain_attributes(tag: &Tag) -> Vec<Attribute> {
    let plain = |(name, value): &(String, String)| Attribute {
        prefix: None,
        name: name.clone(),
        value: value.clone(),
    };
    tag.attributes.iter().map(plain).collect()
}

/// ASCII whitespace.
pub(super) fn is_white_space(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\x0C' | '\r' | ' ')
}
