//! Tree construction for balanced events, in which every start tag has its end tag: the dialects of the XML family.

use super::construction::{Buildable, Construction};
#[cfg(feature = "xml")]
use crate::dialects::xml::is_well_formed;
use crate::engine::dialect::{Balance, Dialect, Nested};
use crate::engine::error::ErrorCode;
use crate::engine::event::{
    AddedAttributes, Attribute, Event, EventSink, ParserData, StartTag, Text,
};
use crate::engine::namespaces::HTML_INDEX;
use crate::tree::{Named, PlainBatch, QualifiedName, TreeSink, XmlVersion, namespace_handle};
use alloc::string::String;
use alloc::vec::Vec;

#[diagnostic::do_not_recommend]
impl<D: Balance + Dialect<Form = Nested>> Buildable for D {
    type Construction<S: TreeSink> = Growing<S>;

    #[inline(always)]
    fn tokenizer_mode() -> fn(&mut D::Machine) {
        D::balance
    }

    #[inline(always)]
    fn construction<S: TreeSink>(&self, sink: S) -> Growing<S> {
        let mut growing = Growing::under::<D>(sink, TopLevel::of::<D>());
        growing.keeps_cdata = true;
        growing
    }
}

/// State of the top level of a document, for dialects that wrap the whole content in an additional root element unless
/// the top level has exactly one element and no text.
#[derive(Clone, Debug)]
pub(super) struct TopLevel {
    /// Name of the additional root element.
    pub(super) wrapper: &'static str,
    /// Number of elements at the top level so far.
    elements: usize,
    /// True if there is text other than whitespace at the top level.
    has_text: bool,
    /// Whitespace at the end of the top-level content so far. This whitespace is added to the tree only if more content
    /// follows.
    space: String,
}

impl TopLevel {
    /// Returns the state at the start of a document, or `None` for dialects without an additional root element.
    fn of<D: Balance>() -> Option<TopLevel> {
        D::wrapper().map(|wrapper| TopLevel {
            wrapper,
            elements: 0,
            has_text: false,
            space: String::new(),
        })
    }
}

/// Initial capacity of the stack of open elements, in elements. Most documents are less deep.
const DEPTH: usize = 16;

/// The construction for balanced events: a sink with the tree built so far, and the stack of open elements.
#[derive(Clone, Debug)]
pub struct Growing<S: TreeSink> {
    pub(super) sink: S,
    /// The document and the open elements, outermost first. Each entry is the element and the node that its children
    /// are appended to; the two differ for templates only.
    pub(super) open: Vec<(S::Handle, S::Handle)>,
    /// Function that returns true for the start tag of a template, whose children are appended to a separate contents
    /// node.
    pub(super) is_template: fn(&StartTag<'_>) -> bool,
    /// Index in `open` of HTML's `body` element while it is open. 0 if the tree contains no `body`.
    body: usize,
    /// True if no event so far was marked as moved ([`Event::is_moved`]): the order of the events then gives the same
    /// tree as the tree construction of the dialect's specification. Only HTML moves content.
    pub(super) is_exact: bool,
    /// True if each run of text becomes a node of its own, even beside other text.
    parts_text: bool,
    /// True if text of CDATA sections is passed to the sink as such: the parser marks it only if the program asked for
    /// that, or if the program reads events in pieces.
    keeps_cdata: bool,
    /// The offset in the input at which the last piece of text of a CDATA section ended. `u64::MAX` if there was none.
    section_end: u64,
    /// State of the top level, for dialects with a wrapper element.
    pub(super) top: Option<TopLevel>,
    /// The namespaces for which the sink returned a handle, by the index that the parser gave to the namespace.
    namespaces: Vec<Option<Named<S::Namespace>>>,
    /// Always empty, because the parser reports all errors of these dialects.
    errors: Vec<ErrorCode>,
}

impl<S: TreeSink> EventSink for Growing<S> {
    /// Adds one event to the tree.
    #[inline]
    fn take(&mut self, event: &Event<'_>) {
        self.is_exact &= !event.is_moved();
        let (current, parent) = self.open.last().copied().unwrap_or_else(|| {
            let document = self.sink.document();
            (document, document)
        });
        if self.top.is_some() && self.open.len() == 1 {
            self.grow_top(event, parent);
            if matches!(event, Event::Text(_)) {
                return;
            }
        }
        match event {
            Event::Start(tag) => self.open_element(tag, parent),
            Event::End(_) => {
                if self.open.len() > 1 {
                    self.open.pop();
                    self.sink.element_closed(current);
                }
            }
            Event::Text(text) if self.parts_text && !text.is_continued() => {
                self.sink.append_text_node(parent, text.as_str());
            }
            Event::Text(text) if self.keeps_cdata && text.is_cdata() => {
                self.append_cdata(text, parent);
            }
            Event::Text(text) => self.sink.append_text(parent, text.as_str()),
            Event::Comment(comment) => {
                let node = self.sink.create_comment(comment.as_str());
                self.append(parent, node);
            }
            Event::ProcessingInstruction(instruction) => {
                let (target, data) = (instruction.target(), instruction.data());
                if instruction.is_in_doctype() {
                    self.sink.add_doctype_instruction(target, data);
                } else {
                    let node = self.sink.create_processing_instruction(target, data);
                    self.append(parent, node);
                }
            }
            Event::Doctype(_) | Event::Declaration(_) => self.grow_prologue(event),
            Event::Attributes(added) => self.add_missing(added),
            Event::SkippedEntity(_) | Event::EncodingChange(_) | Event::ParseError(_) => {}
        }
    }
}

impl<D: Balance, S: TreeSink> Construction<D, S> for Growing<S> {
    fn sink(&self) -> &S {
        &self.sink
    }

    fn sink_mut(&mut self) -> &mut S {
        &mut self.sink
    }

    #[inline(always)]
    fn into_sink(self) -> S {
        self.sink
    }

    fn restart(&mut self, _: &D, _: impl FnOnce() -> S, clear: impl FnOnce(&mut S)) {
        clear(&mut self.sink);
        self.section_end = u64::MAX;
        self.open.clear();
        self.open.push((self.sink.document(), self.sink.document()));
        self.top = TopLevel::of::<D>();
        self.namespaces.clear();
        self.errors.clear();
    }

    fn end(&mut self) {
        self.wrap();
    }

    fn take_batch(&mut self, data: &ParserData, _max_nodes: u64) -> usize {
        if self.parts_text || self.top.is_some() {
            return 0;
        }
        self.sink.append_batch(PlainBatch {
            data,
            open: &mut self.open,
            namespaces: &mut self.namespaces,
        })
    }

    fn errors(&mut self) -> &mut Vec<ErrorCode> {
        &mut self.errors
    }

    #[inline(always)]
    fn besides(&self, _: usize, _: usize) -> (u64, u64) {
        match &self.top {
            Some(top) => (1, top.space.len() as u64),
            None => (0, 0),
        }
    }
}

impl<S: TreeSink> Growing<S> {
    /// Appends a node. A sink that does not store comments or processing instructions returns the document as their
    /// handle; the document is not appended.
    fn append(&mut self, parent: S::Handle, node: S::Handle) {
        if node != self.sink.document() {
            self.sink.append(parent, node);
        }
    }

    /// Adds a piece of text of a CDATA section.
    #[cold]
    fn append_cdata(&mut self, text: &Text<'_>, parent: S::Handle) {
        // The delimiters of two sections are longer than what is left out between two pieces of one section.
        const BETWEEN: u64 = "]]><![CDATA[".len() as u64;
        let span = text.span();
        let between = span.start.checked_sub(self.section_end);
        let continues = between.is_some_and(|between| between < BETWEEN);
        self.section_end = span.end;
        self.sink.append_cdata(parent, text.as_str(), continues);
    }

    /// Creates a construction whose nodes are appended to the document node of the sink. Documents are not wrapped in
    /// an additional root element.
    pub(super) fn new<D: Balance>(sink: S) -> Growing<S> {
        Growing::under::<D>(sink, None)
    }

    /// Creates a construction with this state of the top level.
    #[inline(always)]
    fn under<D: Balance>(sink: S, top: Option<TopLevel>) -> Growing<S> {
        let mut open = Vec::with_capacity(DEPTH);
        open.push((sink.document(), sink.document()));
        Growing {
            open,
            sink,
            is_template: D::is_template,
            body: 0,
            is_exact: true,
            parts_text: D::parts_text(),
            keeps_cdata: false,
            section_end: u64::MAX,
            top,
            namespaces: Vec::new(),
            errors: Vec::new(),
        }
    }

    /// Returns true if an element is open.
    pub(super) fn is_open(&self) -> bool {
        self.open.len() > 1
    }

    /// Creates the element of a start tag, and opens it.
    #[inline(always)]
    fn open_element(&mut self, tag: &StartTag<'_>, parent: S::Handle) {
        let element = self.create(tag, parent);
        if self.open.len() == 1 {
            // `Event::Attributes` applies to HTML elements only, so SVG and MathML elements of these names do
            // not count.
            self.body = match (tag.namespace_index(), tag.name()) {
                (HTML_INDEX, "html") => 2,
                (HTML_INDEX, "body") => 1,
                _ => 0,
            };
        }
        self.sink.append(parent, element);
        let content = match (self.is_template)(tag) {
            true => self.sink.template_contents(element),
            false => element,
        };
        self.open.push((element, content));
    }

    /// Passes the content of a DOCTYPE or of an XML declaration to the sink.
    #[cold]
    fn grow_prologue(&mut self, event: &Event<'_>) {
        match event {
            Event::Doctype(doctype) => {
                self.sink
                    .set_doctype(doctype.name(), doctype.public_id(), doctype.system_id());
                if let Some(text) = doctype.internal_subset() {
                    self.sink.set_internal_subset(text);
                    #[cfg(feature = "xml")]
                    self.sink.set_well_formedness(is_well_formed);
                }
                for notation in doctype.notations() {
                    let (public_id, system_id) = (notation.public_id(), notation.system_id());
                    self.sink
                        .add_notation(notation.name(), public_id, system_id);
                }
            }
            Event::Declaration(declaration) => {
                if declaration.version() == Some("1.1") {
                    self.sink.set_xml_version(XmlVersion::Xml11);
                }
                self.sink
                    .set_xml_declaration(declaration.encoding(), declaration.standalone());
            }
            _ => {}
        }
    }

    /// Processes an event at the top level of the document: counts elements, and appends text to the document node
    /// without the leading and trailing whitespace of the document.
    #[cold]
    fn grow_top(&mut self, event: &Event<'_>, document: S::Handle) {
        let Some(top) = &mut self.top else { return };
        let is_space = |character| matches!(character, '\t' | '\n' | '\u{C}' | ' ');
        match event {
            Event::Start(_) => top.elements += 1,
            Event::Text(text) => {
                let text = text.as_str();
                let rest = text.trim_start_matches(is_space);
                let kept = text.trim_end_matches(is_space);
                if top.has_text || top.elements > 0 {
                    top.space.push_str(&text[..text.len() - rest.len()]);
                }
                if rest.is_empty() {
                    return;
                }
                self.sink
                    .append_text(document, &core::mem::take(&mut top.space));
                self.sink
                    .append_text(document, &text[text.len() - rest.len()..kept.len()]);
                top.space.push_str(&text[kept.len()..]);
                top.has_text = true;
                return;
            }
            _ => return,
        }
        if !top.space.is_empty() {
            self.sink
                .append_text(document, &core::mem::take(&mut top.space));
        }
    }

    /// Called at the end of the input. If the dialect demands a single root element, and the top level does not have
    /// exactly one element or has text, moves the whole content into an additional root element.
    fn wrap(&mut self) {
        let Some(top) = self.top.take() else { return };
        if top.elements == 1 && !top.has_text {
            return;
        }
        let document = self.sink.document();
        let wrapper = self.sink.create_element(QualifiedName::new(top.wrapper));
        self.sink.move_children(document, wrapper);
        self.sink.append(document, wrapper);
        self.sink.element_closed(wrapper);
    }

    /// Creates the element of a start tag with its attributes, without appending the element to `parent`.
    fn create(&mut self, tag: &StartTag<'_>, parent: S::Handle) -> S::Handle {
        let namespace = self.namespace(tag, tag.namespace_index());
        let name = match tag.prefix() {
            Some(_) => QualifiedName::prefixed(tag.name(), namespace),
            None => QualifiedName::unprefixed(tag.name(), namespace),
        };
        let element = self.sink.create_child(parent, name);
        for attribute in tag.attributes() {
            let name = self.attribute_name(tag, &attribute);
            self.sink.add_attribute(element, name, attribute.value());
        }
        element
    }

    /// Adds attributes to the open `html` or `body` element, except those that the element already has. Does nothing if
    /// the tree does not contain the element.
    #[cold]
    fn add_missing(&mut self, added: &AddedAttributes<'_>) {
        let place = match added.name() {
            "html" => self.body.wrapping_sub(1),
            _ => self.body,
        };
        if place > 0
            && let Some(&(element, _)) = self.open.get(place)
        {
            for attribute in added.attributes() {
                let name = QualifiedName::new(attribute.name());
                self.sink
                    .add_missing_attribute(element, name, attribute.value());
            }
        }
    }

    /// Returns the qualified name of an attribute, with the sink's handle of its namespace.
    fn attribute_name<'a>(
        &mut self,
        tag: &StartTag<'_>,
        attribute: &Attribute<'a>,
    ) -> QualifiedName<'a, S::Namespace> {
        let index = attribute.namespace_index();
        if index == 0 {
            return QualifiedName::new(attribute.name());
        }
        let namespace = self.namespace(tag, index);
        match attribute.prefix() {
            Some(_) => QualifiedName::prefixed(attribute.name(), namespace),
            None => QualifiedName::unprefixed(attribute.name(), namespace),
        }
    }

    /// Returns the sink's handle of a namespace. Calls the sink only once for each declaration, and stores the handle.
    fn namespace(&mut self, tag: &StartTag<'_>, index: u32) -> Option<S::Namespace> {
        let brought = tag.part.holder.declared(index);
        let name = tag.part.namespace(index)?;
        let make = || self.sink.namespace(name);
        Some(namespace_handle(&mut self.namespaces, index, brought, make))
    }
}

crate::checkpoint::checkpointable! {
    struct TopLevel { elements, has_text, space; skip wrapper = "" }
    struct Growing<S: crate::tree::CheckpointableSink> {
        sink, open, body, is_exact, parts_text, keeps_cdata, section_end, top, namespaces, errors
        ; skip is_template = |_| false
    }
}
