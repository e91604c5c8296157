//! The subcommand `select`: writes the elements that a selector selects, or their text, an attribute or their number; or
//! the value of an XPath expression.
//!
//! If start tags alone decide the selector or the expression, the document is read as a stream. Each outermost selected element becomes a
//! tree, so that selected elements inside it can be written after it; the tree is dropped when it is written. Otherwise
//! the whole document becomes a tree.

use crate::failure::Failure;
use crate::input::Input;
use crate::json;
use crate::options::{DialectName, SelectOptions, TextForm, name_among};
use crate::output::Output;
use crate::resolve::{self, Resolver};
use crate::selectors::{self, Query};
use crate::shown;
use crate::tree;
use bytes::Bytes;
use std::cell::RefCell;
use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use tagstream::select::EventMatcher;
use tagstream::tree::{Edge, Serializer};
use tagstream::xpath::{XPathNode, XPathValue};
use tagstream::{
    Balance, Buildable, Dialect, Document, Encoding, Event, Nested, Node, Parser, Position,
    SourceBuffer, Span, Status, Subtree, TreeBuilder, WriteError,
};

/// Writes the selected elements of `input`. Finding no element is a failure.
pub(crate) fn run<D: Balance + Buildable>(
    dialect: D,
    name: DialectName,
    options: &SelectOptions,
    mut input: Input,
) -> Result<(), Failure> {
    let query = Query::new(options)?;
    input.show_progress();
    let mut found = Found {
        options,
        is_html: name == DialectName::Html,
        file: name_among(&options.files, input.file()),
        path: input.file().to_owned(),
        serializer: Serializer::xml().namespaces(!options.input.no_namespaces),
        refused: None,
        is_seen: io::stdout().is_terminal(),
        is_value: false,
        attribute: query.attribute(),
        output: Output::plain(),
        bytes: Bytes::new(),
        encoding: Encoding::UTF_8,
        count: 0,
    };
    let selector = query.on_stream().filter(|_| !options.tree);
    let matcher = selector.and_then(|selector| EventMatcher::new(dialect.clone(), selector).ok());
    let done = match matcher {
        Some(matcher) if options.source => sources(dialect, matcher, &mut input, &mut found),
        Some(matcher) => stream(dialect, matcher, &mut input, &mut found),
        None => whole(dialect, &query, &mut input, &mut found),
    };
    if done.is_ok() && options.count && !found.is_value {
        found.total();
    }
    // Elements that were found before a failure are written, before the failure is reported.
    let flushed = found.output.flush();
    let refused = found.refused.map(Refused::failure);
    if let Err(failure) = done {
        if let Some(refused) = refused {
            refused.report();
        }
        return Err(failure);
    }
    flushed?;
    match (refused, found.count) {
        (Some(refused), _) => Err(refused),
        (None, 0) => Err(Failure::NothingFound),
        (None, _) => Ok(()),
    }
}

/// The name of the element that a tree of MicroXML has around several roots. It is not an element of the document.
const WRAPPER: &str = "#doc";

/// Selects in a tree of the whole document.
fn whole<D: Buildable>(
    dialect: D,
    query: &Query,
    input: &mut Input,
    found: &mut Found<'_>,
) -> Result<(), Failure> {
    let builder = TreeBuilder::new(dialect.clone()).positions(true);
    let resolver = found.options.input.resolver(input.file())?;
    if found.options.source {
        found.bytes = input.read_all(&mut found.output)?;
        input.replay(found.bytes.clone());
        found.encoding = encoding_of(dialect, &found.bytes);
    }
    let document = tree::build(builder, resolver.as_ref(), input, &mut found.output)?;
    let text = &found.options.selector;
    match query {
        Query::Selector(selector) => {
            let refused = |error| selectors::failure(text, &error);
            let mut nodes = document.select(selector).map_err(refused)?;
            nodes.try_for_each(|node| found.selected(node))
        }
        Query::XPath(expression, _) | Query::Attribute(expression, ..) => {
            let refused = |error| selectors::xpath_failure(text, &error);
            match expression.evaluate(document.root()).map_err(refused)? {
                XPathValue::Nodes(nodes) => nodes.iter().try_for_each(|node| found.node(node)),
                value => found.value(&value),
            }
        }
    }
}

/// Returns the encoding of a document.
fn encoding_of<D: Dialect>(dialect: D, bytes: &Bytes) -> Encoding {
    let mut parser = Parser::new(dialect);
    parser.feed(bytes.clone());
    // An error of the parse is reported where the document is read.
    let _ = parser.next_event();
    parser.encoding().unwrap_or(Encoding::UTF_8)
}

/// Selects in a stream of events, and writes trees of the elements.
fn stream<D: Balance>(
    dialect: D,
    matcher: EventMatcher<D>,
    input: &mut Input,
    found: &mut Found<'_>,
) -> Result<(), Failure> {
    let mut open = None;
    let take = |is_selected, parser: &Parser<D, Nested>, found: &mut Found<'_>| {
        grow(&mut open, is_selected, parser, found)
    };
    pull(dialect, matcher, input, found, take, |_, _| {})
}

/// Selects in a stream of events, and writes the source of the elements.
fn sources<D: Balance>(
    dialect: D,
    matcher: EventMatcher<D>,
    input: &mut Input,
    found: &mut Found<'_>,
) -> Result<(), Failure> {
    let read = RefCell::new(Ranges::default());
    let take = |is_selected, parser: &Parser<D, Nested>, found: &mut Found<'_>| {
        read.borrow_mut().take(is_selected, parser, found)
    };
    pull(dialect, matcher, input, found, take, |parser, chunk| {
        read.borrow_mut().push(parser, chunk);
    })
}

/// Reads the events of a document and passes each to `take`, with true if it is the start of a selected element whose
/// contents are needed. Each chunk is passed to `feeds` before it is fed.
fn pull<D: Balance>(
    dialect: D,
    mut matcher: EventMatcher<D>,
    input: &mut Input,
    found: &mut Found<'_>,
    mut take: impl FnMut(bool, &Parser<D, Nested>, &mut Found<'_>) -> Result<(), Failure>,
    mut feeds: impl FnMut(&Parser<D, Nested>, &[u8]),
) -> Result<(), Failure> {
    let resolver: Option<Resolver> = found.options.input.resolver(input.file())?;
    let mut parser = Parser::new(dialect).balanced();
    loop {
        let chunk = input.next(&mut found.output)?;
        let ended = chunk.is_none();
        match chunk {
            Some(chunk) => {
                feeds(&parser, &chunk);
                parser.feed(chunk);
            }
            None => parser.finish(),
        }
        loop {
            let is_selected = match parser.next_event() {
                Ok(Some(event)) => matcher.matches(&event) && found.starts(&event)?,
                Ok(None) => match parser.status() {
                    Status::NeedsEntity(request) => {
                        resolve::answer(resolver.as_ref(), &request, &mut parser);
                        continue;
                    }
                    _ => break,
                },
                Err(error) => return Err(Failure::parse(input.file(), &error)),
            };
            take(is_selected, &parser, found)?;
        }
        if ended {
            return Ok(());
        }
    }
}

/// The tree of the outermost selected element, which is being built.
struct Open {
    tree: Subtree,
    /// Number of elements in the tree so far.
    elements: usize,
    /// The selected elements: the number of each, in the order in which the elements were created, and its position.
    selected: Vec<(usize, Position)>,
}

/// Adds the current event to the open tree, or starts one.
fn grow<D: Balance>(
    open: &mut Option<Open>,
    is_selected: bool,
    parser: &Parser<D, Nested>,
    found: &mut Found<'_>,
) -> Result<(), Failure> {
    let Some(event) = parser.current() else {
        return Ok(());
    };
    match open {
        None if !is_selected => return Ok(()),
        None => {
            *open = parser.subtree().map(|tree| Open {
                tree,
                elements: 0,
                selected: Vec::new(),
            });
        }
        Some(open) => _ = open.tree.take(&event),
    }
    if let (Some(open), Event::Start(tag)) = (&mut *open, &event) {
        if is_selected {
            open.selected.push((open.elements, tag.position()));
        }
        open.elements += 1;
    }
    match open.take_if(|open| open.tree.is_whole()) {
        Some(open) => found.elements(&open.tree.into_sink(), &open.selected),
        None => Ok(()),
    }
}

/// The source of the outermost selected element, which is being read.
#[derive(Default)]
struct Ranges {
    input: SourceBuffer,
    /// The ranges of the selected elements in it, in the order of their starts. The end of an open element is not known.
    selected: Vec<Span>,
    /// The open elements in it, with the index in `selected` of each that is selected.
    open: Vec<Option<usize>>,
}

impl Ranges {
    /// Records a chunk before it is fed, and discards the bytes that are not needed any more.
    fn push<D: Balance>(&mut self, parser: &Parser<D, Nested>, chunk: &[u8]) {
        let needed = match self.selected.first() {
            Some(outermost) => outermost.start,
            None => parser.earliest_start(),
        };
        self.input.discard_before(needed);
        self.input.push(chunk);
    }

    /// Handles the current event. At the end of the outermost selected element, writes this element and those in it.
    fn take<D: Balance>(
        &mut self,
        is_selected: bool,
        parser: &Parser<D, Nested>,
        found: &mut Found<'_>,
    ) -> Result<(), Failure> {
        match parser.current() {
            Some(Event::Start(tag)) if is_selected || !self.open.is_empty() => {
                self.open.push(is_selected.then_some(self.selected.len()));
                if is_selected {
                    self.selected.push(tag.span());
                }
            }
            Some(Event::End(tag)) => {
                let Some(ended) = self.open.pop() else {
                    return Ok(());
                };
                if let Some(span) = ended.and_then(|index| self.selected.get_mut(index)) {
                    span.end = tag.span().end;
                }
                if self.open.is_empty() {
                    found.encoding = parser.encoding().unwrap_or(Encoding::UTF_8);
                    let mut selected = std::mem::take(&mut self.selected).into_iter();
                    let source = |span| self.input.get(span).unwrap_or_default();
                    return selected.try_for_each(|span| found.source(source(span)));
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// Writer of the selected elements.
struct Found<'a> {
    options: &'a SelectOptions,
    /// True if markup is serialized as HTML, false if as XML.
    is_html: bool,
    /// The name of the file to write, if there are several.
    file: Option<String>,
    /// The path of the file, for messages.
    path: PathBuf,
    /// The options for markup that is not HTML.
    serializer: Serializer,
    /// The elements that cannot be written, if there are any.
    refused: Option<Refused>,
    is_seen: bool,
    /// True if the value of the XPath expression is not nodes, so that there is no number of nodes.
    is_value: bool,
    /// The attribute that the XPath expression selects, whose values are written without a tree.
    attribute: Option<&'a str>,
    output: Output,
    /// The whole input, if the source of elements of a tree is written.
    bytes: Bytes,
    /// The encoding of the input, if the source of elements is written.
    encoding: Encoding,
    count: u64,
}

/// Selected elements that XML cannot express. The elements after them are written all the same.
struct Refused {
    /// The message about the first of them.
    message: String,
    /// Number of further ones.
    others: u64,
}

impl Refused {
    fn failure(self) -> Failure {
        let Refused { message, others } = self;
        Failure::Refused(match others {
            0 => message,
            1 => format!("{message}, and 1 more element cannot be written"),
            _ => format!("{message}, and {others} more elements cannot be written"),
        })
    }
}

/// Appends text beside the source of an element. In UTF-16 and UTF-32, it is in the encoding of the document, so that all
/// output is in one encoding. In other encodings it is in UTF-8, which encodes ASCII alike.
fn encode(text: &str, encoding: Encoding, out: &mut Vec<u8>) {
    let (units, numbers) = (text.encode_utf16(), text.chars().map(u32::from));
    match encoding {
        Encoding::UTF_16LE => out.extend(units.flat_map(u16::to_le_bytes)),
        Encoding::UTF_16BE => out.extend(units.flat_map(u16::to_be_bytes)),
        Encoding::UTF_32LE => out.extend(numbers.flat_map(u32::to_le_bytes)),
        Encoding::UTF_32BE => out.extend(numbers.flat_map(u32::to_be_bytes)),
        _ => out.extend_from_slice(text.as_bytes()),
    }
}

impl Found<'_> {
    /// Handles the start of a selected element. Returns true if its contents are needed.
    fn starts(&mut self, event: &Event<'_>) -> Result<bool, Failure> {
        let Event::Start(tag) = event else {
            return Ok(false);
        };
        let position = Some(tag.position());
        match (self.options.count, &self.options.attribute, self.attribute) {
            (true, _, _) => self.count += 1,
            // An attribute has no attributes.
            (false, Some(_), Some(_)) => {}
            (false, Some(name), None) => {
                self.attribute(tag.name(), tag.attribute(name), position)?;
            }
            (false, None, Some(name)) => {
                let lower = name.to_ascii_lowercase();
                let name = [name, &lower]
                    .into_iter()
                    .find(|name| tag.attribute(name).is_some());
                if let Some(name) = name {
                    self.attribute(name, tag.attribute(name), position)?;
                }
            }
            (false, None, None) => return Ok(true),
        }
        Ok(false)
    }

    /// Writes a selected element, or counts it.
    fn selected(&mut self, node: Node<'_>) -> Result<(), Failure> {
        let position = node.position();
        if position.is_none() && node.name() == WRAPPER {
            return Ok(());
        }
        match (self.options.count, &self.options.attribute) {
            (true, _) => self.count += 1,
            (false, Some(name)) => {
                self.attribute(node.name(), node.attribute(name), position)?;
            }
            (false, None) => self.element(node, position)?,
        }
        Ok(())
    }

    /// Writes a node that an XPath expression selects. Only elements have attributes.
    fn node(&mut self, node: &XPathNode<'_>) -> Result<(), Failure> {
        let position = match node {
            XPathNode::Node(node) if node.is_element() => return self.selected(*node),
            XPathNode::Node(node) => node.position(),
            XPathNode::Attribute { element, .. } => element.position(),
            _ => None,
        };
        match (self.options.count, &self.options.attribute) {
            (true, _) => self.count += 1,
            (false, Some(_)) => {}
            (false, None) => self.string(node.name(), &node.value(), position)?,
        }
        Ok(())
    }

    /// Writes a number, a string or a boolean.
    fn value(&mut self, value: &XPathValue<'_>) -> Result<(), Failure> {
        self.is_value = true;
        if !self.options.json {
            return self.line(&value.to_string());
        }
        self.count += 1;
        let out = self.begin_object();
        out.extend_from_slice(br#""value":"#);
        match value {
            XPathValue::Boolean(_) => out.extend_from_slice(value.to_string().as_bytes()),
            XPathValue::Number(number) if number.is_finite() => {
                out.extend_from_slice(value.to_string().as_bytes());
            }
            _ => json::string(&value.to_string(), out),
        }
        out.extend_from_slice(b"}\n");
        Ok(self.output.settle()?)
    }

    /// Writes the value of an attribute. An element without the attribute does not count as found.
    fn attribute(
        &mut self,
        name: &str,
        value: Option<&str>,
        position: Option<Position>,
    ) -> Result<(), Failure> {
        match value {
            Some(value) => self.string(name, value, position),
            None => Ok(()),
        }
    }

    /// Writes a string value. `name` is the name of the element or of the node.
    fn string(
        &mut self,
        name: &str,
        value: &str,
        position: Option<Position>,
    ) -> Result<(), Failure> {
        match self.options.json {
            true => {
                let out = self.begin_json(name);
                out.extend_from_slice(br#","value":"#);
                json::string(value, out);
                self.end_json(position)
            }
            false => self.line(value),
        }
    }

    /// Writes elements of a tree, identified by their numbers in the order of their creation.
    fn elements(
        &mut self,
        document: &Document,
        selected: &[(usize, Position)],
    ) -> Result<(), Failure> {
        let opened = document.root().edges().through_templates();
        let mut all: Vec<Node<'_>> = opened
            .filter_map(|edge| match edge {
                Edge::Open(node) if node.is_element() => Some(node),
                _ => None,
            })
            .collect();
        all.sort_by_key(Node::id);
        let mut selected = selected.iter();
        selected.try_for_each(|&(number, position)| match all.get(number) {
            Some(node) => self.element(*node, Some(position)),
            None => Ok(()),
        })
    }

    /// Writes the source of an element.
    fn source(&mut self, source: &[u8]) -> Result<(), Failure> {
        if self.is_seen {
            return self.line(&String::from_utf8_lossy(source));
        }
        self.count += 1;
        let name = self
            .file
            .as_ref()
            .map(|file| format!("{}:", shown::shown(file)));
        let out = self.output.buffer();
        encode(&name.unwrap_or_default(), self.encoding, out);
        out.extend_from_slice(source);
        encode("\n", self.encoding, out);
        Ok(self.output.settle()?)
    }

    fn element(&mut self, node: Node<'_>, position: Option<Position>) -> Result<(), Failure> {
        if self.options.source {
            let bytes = self.bytes.clone();
            let range = node
                .outer_span()
                .map(|span| span.start as usize..span.end as usize);
            return self.source(range.and_then(|range| bytes.get(range)).unwrap_or_default());
        }
        let text = match (self.options.content, self.is_html) {
            // A stream does not know the white space around the element.
            (Some(TextForm::Lines), _) => node.inner_text().trim_matches(' ').to_owned(),
            (Some(TextForm::Trim), _) => {
                let text = node.text_content();
                text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
            }
            (Some(TextForm::Raw), _) => node.text_content(),
            (None, true) => node.to_html(),
            (None, false) => match self.serializer.to_string(node) {
                Ok(markup) => markup,
                Err(error) => {
                    self.refuse(&error, node, position);
                    return Ok(());
                }
            },
        };
        if !self.options.json {
            return self.line(&text);
        }
        let key: &[u8] = match self.options.content {
            Some(_) => br#","text":"#,
            None => br#","markup":"#,
        };
        let out = self.begin_json(node.name());
        json::object(node.attributes().map(|one| (one.name(), one.value())), out);
        out.extend_from_slice(key);
        json::string(&text, out);
        self.end_json(position)
    }

    /// Records an element that cannot be written, with the path of the node in it that is the reason.
    fn refuse(&mut self, error: &WriteError, element: Node<'_>, position: Option<Position>) {
        if let Some(refused) = &mut self.refused {
            refused.others += 1;
            return;
        }
        let reason = match error {
            WriteError::Refused(refusal) => refusal.node(),
            _ => None,
        };
        let node = reason.and_then(|id| element.document().node(id));
        let path = tree::path(node.unwrap_or(element), Some(element));
        let place = tree::place(&self.path, position);
        self.refused = Some(Refused {
            message: format!("{place}: {error}, in the element {path}"),
            others: 0,
        });
    }

    /// Writes the number of elements found.
    fn total(&mut self) {
        let count = self.count.to_string();
        match self.options.json {
            true => {
                let out = self.begin_object();
                out.extend_from_slice(br#""count":"#);
                out.extend_from_slice(count.as_bytes());
                out.extend_from_slice(b"}\n");
            }
            // The next flush returns the error, if one occurs.
            false => _ = self.put(&count),
        }
    }

    fn line(&mut self, text: &str) -> Result<(), Failure> {
        self.count += 1;
        // The next flush returns the error, if one occurs.
        let _ = self.put(text);
        Ok(self.output.settle()?)
    }

    /// Writes the name of the file, if there are several.
    fn put_name(&mut self) -> std::fmt::Result {
        if let Some(file) = &self.file {
            shown::write(file, &mut self.output)?;
            self.output.write_str(":")?;
        }
        Ok(())
    }

    fn put(&mut self, text: &str) -> std::fmt::Result {
        self.put_name()?;
        match self.is_seen {
            true => shown::write_lines(text, &mut self.output)?,
            false => self.output.write_str(text)?,
        }
        self.output.write_str("\n")
    }

    fn begin_object(&mut self) -> &mut Vec<u8> {
        let out = self.output.buffer();
        out.push(b'{');
        if let Some(file) = &self.file {
            out.extend_from_slice(br#""file":"#);
            json::string(file, out);
            out.push(b',');
        }
        out
    }

    fn begin_json(&mut self, name: &str) -> &mut Vec<u8> {
        self.count += 1;
        let out = self.begin_object();
        out.extend_from_slice(br#""name":"#);
        json::string(name, out);
        out
    }

    fn end_json(&mut self, position: Option<Position>) -> Result<(), Failure> {
        let out = self.output.buffer();
        if let Some(position) = position {
            json::position(position, out);
        }
        out.extend_from_slice(b"}\n");
        Ok(self.output.settle()?)
    }
}
