//! The tree builder: folds events into a tree.

use crate::balance::Balanced;
use crate::dialect::{Dialect, Hosted, Streamable};
use crate::error::Error;
use crate::event::{Attribute, Event, StartTag};
use crate::input::encoding::Encoding;
use crate::limits::{Limits, Work};
use crate::parser::{Status, TextPolicy};
use crate::tree::{Document, QualifiedName, TreeSink, XmlVersion};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use bytes::Bytes;

/// Builds a tree from chunks.
///
/// The tree can be read while it grows. It is a [`Document`], or whatever else implements
/// [`TreeSink`].
///
/// ```
/// use tagstream::{TreeBuilder, Xml};
///
/// let mut builder = TreeBuilder::new(Xml::default());
/// for chunk in ["<list><item>1</it", "em><item>2</item></list>"] {
///     builder.feed(chunk);
///     builder.build()?;
/// }
/// builder.finish();
/// builder.build()?;
/// let document = builder.into_sink();
/// let root = document.root_element().unwrap();
/// assert_eq!(root.name(), "list");
/// assert_eq!(root.children().count(), 2);
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct TreeBuilder<D: Dialect, S: TreeSink = Document> {
    parser: Balanced<D>,
    tree: Growing<S>,
}

/// What stands at the top level of a document, for a dialect that puts an element around what is not
/// exactly one.
#[derive(Clone, Debug)]
struct TopLevel {
    wrapper: &'static str,
    elements: usize,
    has_text: bool,
    /// White space behind all else: dropped, unless something follows.
    space: String,
}

/// The tree and where it grows.
#[derive(Clone, Debug)]
struct Growing<S: TreeSink> {
    sink: S,
    /// The open elements, and the node that each one's content is put into: of a template, that is
    /// not the element.
    open: Vec<(S::Handle, S::Handle)>,
    is_template: fn(&str) -> bool,
    /// What stands at the top level, where that may have to be put into an element.
    top: Option<TopLevel>,
    /// The sink's handles of the namespaces that events name, by their index there.
    namespaces: Vec<Option<(Arc<str>, S::Namespace)>>,
}

impl<D: Streamable> TreeBuilder<D> {
    /// A builder of a [`Document`].
    pub fn new(dialect: D) -> TreeBuilder<D> {
        TreeBuilder::with_sink(dialect, Document::new())
    }
}

impl<D: Streamable, S: TreeSink> TreeBuilder<D, S> {
    /// A builder of whatever tree `sink` makes.
    pub fn with_sink(dialect: D, sink: S) -> TreeBuilder<D, S> {
        // A tree joins the pieces of a text, so that none has to be held beside it.
        let parser = Balanced::new(dialect).text(TextPolicy::Pieces);
        let open = Vec::from([(sink.document(), sink.document())]);
        TreeBuilder {
            parser,
            tree: Growing {
                sink,
                open,
                is_template: D::is_template,
                top: D::wrapper().map(|wrapper| TopLevel {
                    wrapper,
                    elements: 0,
                    has_text: false,
                    space: String::new(),
                }),
                namespaces: Vec::new(),
            },
        }
    }

    /// Sets the limits; call it before the first feed.
    #[must_use]
    pub fn limits(self, limits: Limits) -> TreeBuilder<D, S> {
        TreeBuilder {
            parser: self.parser.limits(limits),
            ..self
        }
    }

    /// Sets whether [`next_event`](TreeBuilder::next_event) lends parse errors too.
    #[must_use]
    pub fn errors(self, report: bool) -> TreeBuilder<D, S> {
        TreeBuilder {
            parser: self.parser.errors(report),
            ..self
        }
    }

    /// Takes a chunk of the input without copying it.
    pub fn feed(&mut self, chunk: impl Into<Bytes>) {
        self.parser.feed(chunk);
    }

    /// Takes a copy of a chunk.
    pub fn feed_slice(&mut self, chunk: &[u8]) {
        self.parser.feed_slice(chunk);
    }

    /// Takes a piece of an external entity: see [`Parser::feed_entity`](crate::Parser::feed_entity).
    pub fn feed_entity(&mut self, piece: &[u8]) {
        self.parser.feed_entity(piece);
    }

    /// Says that the external entity ends here: see
    /// [`Parser::finish_entity`](crate::Parser::finish_entity).
    pub fn finish_entity(&mut self, location: Option<&str>) {
        self.parser.finish_entity(location);
    }

    /// Says that the external entity is not to be read.
    pub fn skip_entity(&mut self) {
        self.parser.skip_entity();
    }

    /// Says that the input ends here.
    pub fn finish(&mut self) {
        self.parser.finish();
    }

    /// Lets the tree grow by what was fed.
    ///
    /// # Errors
    ///
    /// What ends the parse; the tree holds all that was read before.
    pub fn build(&mut self) -> Result<(), Error> {
        while self.next_event()?.is_some() {}
        Ok(())
    }

    /// Lets the tree grow by one event and lends that. Text comes in pieces.
    ///
    /// # Errors
    ///
    /// As [`build`](TreeBuilder::build).
    pub fn next_event(&mut self) -> Result<Option<Event<'_>>, Error> {
        if !self.parser.parser_mut().has_event()? {
            if self.status() == Status::Finished {
                self.tree.wrap();
            }
            return Ok(None);
        }
        let event = self.parser.next_event()?;
        if let Some(event) = &event {
            self.tree.grow(event);
        }
        Ok(event)
    }

    /// The tree so far.
    pub fn sink(&self) -> &S {
        &self.tree.sink
    }

    /// The tree.
    pub fn into_sink(self) -> S {
        self.tree.sink
    }

    /// What the parser waits for.
    pub fn status(&self) -> Status {
        self.parser.status()
    }

    /// The encoding that the input is read in, once enough of it is there to know.
    pub fn encoding(&self) -> Option<Encoding> {
        self.parser.encoding()
    }

    /// The work that the parser has done.
    pub fn work(&self) -> Work {
        self.parser.work()
    }
}

impl<D: Hosted, S: TreeSink> TreeBuilder<D, S> {
    /// Lets the builder wait for a host where the dialect's document says so; it never does unless
    /// set. While it waits, [`status`](TreeBuilder::status) is [`Status::Paused`], and there are no
    /// events until it is [resumed](TreeBuilder::resume).
    ///
    /// ```
    /// use tagstream::sky::{Pause, Registrations};
    /// use tagstream::{Sky, TreeBuilder};
    ///
    /// let sky = Sky::fragment().registered(["import"]);
    /// let mut builder = TreeBuilder::new(sky).hosted();
    /// builder.feed("<import src='clock.sky' /><clock />");
    /// builder.finish();
    /// builder.build()?;
    /// let Some(Pause::Imports { imports, element }) = builder.pause() else { panic!() };
    /// assert_eq!(imports[0].src(), Some("clock.sky"));
    /// assert_eq!(element.as_deref(), Some("clock"));
    /// builder.resume(Registrations::new(["clock"]));
    /// builder.build()?;
    /// assert!(builder.into_sink().to_xml().ends_with("<clock/>"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[must_use]
    pub fn hosted(mut self) -> TreeBuilder<D, S> {
        D::host(self.parser.parser_mut().machine());
        self
    }

    /// What the builder waits for, once all that comes before it is in the tree.
    pub fn pause(&self) -> Option<&D::Pause> {
        match self.status() {
            Status::Paused => D::pause(self.parser.parser().machine_as_is()),
            _ => None,
        }
    }

    /// Lets the builder go on; does nothing unless it is paused.
    pub fn resume(&mut self, answer: D::Answer) {
        if self.status() == Status::Paused {
            D::resume(self.parser.parser_mut().machine(), answer);
        }
    }
}

impl<S: TreeSink> Growing<S> {
    fn grow(&mut self, event: &Event<'_>) {
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
            Event::Start(tag) => {
                let element = self.create(tag);
                self.sink.append(parent, element);
                let content = match (self.is_template)(tag.name()) {
                    true => self.sink.template_contents(element),
                    false => element,
                };
                self.open.push((element, content));
            }
            Event::End(_) => {
                if self.open.len() > 1 {
                    self.open.pop();
                    self.sink.element_closed(current);
                }
            }
            Event::Text(text) => self.sink.append_text(parent, text.as_str()),
            Event::Comment(comment) => {
                let node = self.sink.create_comment(comment.as_str());
                self.sink.append(parent, node);
            }
            Event::ProcessingInstruction(instruction) => {
                let (target, data) = (instruction.target(), instruction.data());
                if instruction.is_in_doctype() {
                    self.sink.add_doctype_instruction(target, data);
                } else {
                    let node = self.sink.create_processing_instruction(target, data);
                    self.sink.append(parent, node);
                }
            }
            Event::Doctype(doctype) => {
                self.sink
                    .set_doctype(doctype.name(), doctype.public_id(), doctype.system_id());
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
            }
            Event::SkippedEntity(_) | Event::EncodingChange(_) | Event::ParseError(_) => {}
        }
    }

    /// Takes note of what comes at the top level, and puts text there.
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

    /// At the end of the input: puts an element around a document that is not exactly one.
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

    fn create(&mut self, tag: &StartTag<'_>) -> S::Handle {
        let namespace = self.namespace(tag.namespaces, tag.namespace_index());
        let name = match tag.prefix() {
            Some(_) => QualifiedName::prefixed(tag.name(), namespace),
            None => QualifiedName::unprefixed(tag.name(), namespace),
        };
        let element = self.sink.create_element(name);
        for attribute in tag.attributes() {
            let name = self.attribute_name(tag, &attribute);
            self.sink.add_attribute(element, name, attribute.value());
        }
        element
    }

    fn attribute_name<'a>(
        &mut self,
        tag: &StartTag<'_>,
        attribute: &Attribute<'a>,
    ) -> QualifiedName<'a, S::Namespace> {
        let index = attribute.namespace_index();
        if index == 0 {
            return QualifiedName::new(attribute.name());
        }
        let namespace = self.namespace(tag.namespaces, index);
        match attribute.prefix() {
            Some(_) => QualifiedName::prefixed(attribute.name(), namespace),
            None => QualifiedName::unprefixed(attribute.name(), namespace),
        }
    }

    /// The sink's handle of a namespace, asked for once for each declaration.
    fn namespace(&mut self, names: &[Arc<str>], index: u32) -> Option<S::Namespace> {
        let index = (index as usize).checked_sub(1)?;
        let name = names.get(index)?;
        if let Some(Some((known, handle))) = self.namespaces.get(index)
            && Arc::ptr_eq(known, name)
        {
            return Some(handle.clone());
        }
        let handle = self.sink.namespace(name);
        if self.namespaces.len() <= index {
            self.namespaces.resize(index + 1, None);
        }
        self.namespaces[index] = Some((Arc::clone(name), handle.clone()));
        Some(handle)
    }
}
