//! The subcommand `tree`: builds the tree of the whole input, then writes it.

use crate::failure::Failure;
use crate::input::Input;
use crate::nodes;
use crate::options::{DialectName, SkyContext, TreeFormat, TreeOptions};
use crate::output::Output;
use crate::resolve::{self, Resolver};
use crate::shown;
use crate::tree_formats::html5lib::{self, Style};
use crate::tree_formats::{canonical, outline};
use std::fmt::{self, Write};
use std::io::{self, IsTerminal};
use std::path::Path;
use tagstream::tree::{C14n, Coercions, NodeId, Serializer};
use tagstream::{Buildable, Document, Node, Position, Status, TreeBuilder, WriteError};

/// Writes the tree of `input`. Writes nothing if the input is refused.
pub(crate) fn run<D: Buildable>(
    dialect: D,
    name: DialectName,
    options: &TreeOptions,
    mut input: Input,
) -> Result<(), Failure> {
    let serializer = serializer(options)?;
    check_kept(name, options)?;
    input.show_progress();
    let mut output = Output::plain();
    let resolver = options.input.resolver(input.file())?;
    // Positions take memory, and only messages about trees that XML cannot express have them.
    let can_refuse = options.format == TreeFormat::Xml || c14n(options.format).is_some();
    let builder = TreeBuilder::new(dialect)
        .positions(can_refuse)
        .keep_cdata(options.keep_cdata);
    let document = build(builder, resolver.as_ref(), &mut input, &mut output)?;
    let file = input.file().to_owned();
    drop(input);
    let is_fragment = options.input.fragment.is_some();
    let is_sky_fragment =
        name == DialectName::Sky && options.input.context == Some(SkyContext::Fragment);
    let fragment = match name {
        _ if !is_fragment => None,
        // The contents of the context element are in a root element that is not written.
        DialectName::Html => document.root_element(),
        _ => Some(document.root()),
    };
    if options.format == TreeFormat::Json {
        nodes::write(&document, fragment, options.indent, &mut output)?;
        return Ok(output.flush()?);
    }
    let mut lines = Lines {
        output,
        line_open: false,
        is_seen: io::stdout().is_terminal(),
    };
    let mut changes = Coercions::default();
    let written = match serializer {
        // Fragments have no root element.
        Some(serializer) => {
            let serializer = serializer
                .declaration(document.xml_declaration().is_some())
                .inner(is_fragment || is_sky_fragment);
            let top = fragment.unwrap_or(document.root());
            // A strict parser makes no tree that has to be changed.
            match options.strict_output || options.input.strict {
                true => serializer.write(top, &mut lines),
                false => serializer
                    .write_coerced(top, &mut lines)
                    .map(|done| changes = done),
            }
        }
        None => write(&document, fragment, name, options.format, &mut lines),
    };
    // Formats that are compared byte by byte get no newline at the end.
    let is_exact = options.format == TreeFormat::Canonical || c14n(options.format).is_some();
    if lines.line_open && !is_exact {
        // `flush` returns the error, if one occurs.
        let _ = lines.write_str("\n");
    }
    lines.output.flush()?;
    report(&changes, &document, &file);
    written.map_err(|error| failure(error, &document, &file))
}

/// Maximum number of changes that are written to standard error, each in a line.
const MAX_REPORTED_CHANGES: usize = 10;

/// Reports the changes that were made so that the tree could be written as XML.
fn report(changes: &Coercions, document: &Document, file: &Path) {
    let mut message = String::new();
    for change in changes.first().iter().take(MAX_REPORTED_CHANGES) {
        let place = location(document, Some(change.node()), file);
        // Writing to a string cannot fail.
        let _ = writeln!(message, "{}", shown::shown(&place.line(change)));
    }
    let others = changes.count().saturating_sub(MAX_REPORTED_CHANGES);
    if others > 0 {
        let plural = if others == 1 { "" } else { "s" };
        let _ = writeln!(message, "{}: {others} more change{plural}", file.display());
    }
    // If standard error is closed, the message cannot be reported.
    let _ = io::Write::write_all(&mut io::stderr(), message.as_bytes());
}

/// The position of a node in a file, and its path in the tree.
struct Location {
    place: String,
    path: String,
}

impl Location {
    /// Returns a message about the node, without a newline.
    fn line(&self, message: &impl fmt::Display) -> String {
        format!("{}: {message}, in {}", self.place, self.path)
    }
}

fn location(document: &Document, node: Option<NodeId>, file: &Path) -> Location {
    let node = node.and_then(|id| document.node(id));
    let around = std::iter::successors(node, Node::parent);
    let position = around.filter_map(|node| node.position()).next();
    Location {
        place: place(file, position),
        path: path(node.unwrap_or(document.root()), None),
    }
}

/// Returns the failure of a tree that a format cannot express. The message has the position and the path of the node.
fn failure(error: WriteError, document: &Document, file: &Path) -> Failure {
    let WriteError::Refused(refusal) = error else {
        return Failure::Unusable("the tree cannot be written".into());
    };
    Failure::Refused(location(document, refusal.node(), file).line(&refusal))
}

/// Returns the file and the position, for a message. A node without a position is at the beginning of the file.
pub(crate) fn place(file: &Path, position: Option<Position>) -> String {
    match position {
        Some(position) => format!("{}:{position}", file.display()),
        None => format!("{}:1:1", file.display()),
    }
}

/// Builds the tree of the whole input.
pub(crate) fn build<D: Buildable>(
    mut builder: TreeBuilder<D>,
    resolver: Option<&Resolver>,
    input: &mut Input,
    output: &mut Output,
) -> Result<Document, Failure> {
    loop {
        let chunk = input.next(output)?;
        let ended = chunk.is_none();
        match chunk {
            Some(chunk) => builder.supply(chunk),
            None => builder.supply_end(),
        }
        loop {
            if let Err(error) = builder.build() {
                return Err(Failure::parse(input.file(), &error));
            }
            let Status::NeedsEntity(request) = builder.status() else {
                break;
            };
            resolve::answer(resolver, &request, &mut builder);
        }
        if ended {
            return Ok(builder.into_sink());
        }
    }
}

/// Returns the path of a node in its tree: the names of the elements that contain it, each with its number among the
/// siblings of the same name. With `top`, the path begins with the name of this element, which contains the node.
pub(crate) fn path<'a>(node: Node<'a>, top: Option<Node<'a>>) -> String {
    let below = |node: &Node<'a>| -> Option<Node<'a>> {
        match Some(*node) == top {
            true => None,
            false => node.parent(),
        }
    };
    let elements = std::iter::successors(Some(node), below);
    let mut steps: Vec<String> = elements
        .filter(Node::is_element)
        .map(|element| {
            if Some(element) == top {
                return element.name().to_owned();
            }
            let before = std::iter::successors(element.previous_element(), Node::previous_element);
            let same = before.filter(|other| other.name() == element.name());
            format!("/{}[{}]", element.name(), same.count() + 1)
        })
        .collect();
    steps.reverse();
    match steps.is_empty() {
        true => "/".to_owned(),
        false => steps.concat(),
    }
}

/// Returns the serializer for XML or HTML, if the format is one of them.
fn serializer(options: &TreeOptions) -> Result<Option<Serializer>, Failure> {
    let serializer = match options.format {
        TreeFormat::Xml => Serializer::xml().namespaces(!options.input.no_namespaces),
        TreeFormat::Html => Serializer::html(),
        // The module `nodes` writes this format and its indentation.
        TreeFormat::Json => return Ok(None),
        _ if options.indent.is_none() => return Ok(None),
        _ => {
            let reason = "--indent is for the formats xml, html and json";
            return Err(Failure::Unusable(reason.to_owned()));
        }
    };
    let indent = options.indent.map(|width| " ".repeat(width.into()));
    Ok(Some(match indent.as_deref() {
        Some(indent) => serializer.indent(indent),
        None => serializer,
    }))
}

/// Refuses `--keep-cdata` and `--keep-subset` where they have no effect.
fn check_kept(name: DialectName, options: &TreeOptions) -> Result<(), Failure> {
    use DialectName::{Html, Sky, Xml};

    let refuse = |reason: &str| Err(Failure::Unusable(reason.to_owned()));
    if (options.keep_cdata || options.keep_subset) && options.format != TreeFormat::Xml {
        return refuse("--keep-cdata and --keep-subset are for the format xml");
    }
    if options.keep_cdata && matches!(name, Html | Sky) {
        return refuse("--keep-cdata is for xml, microxml and leafxml");
    }
    if options.keep_subset && name != Xml {
        return refuse("--keep-subset is for xml");
    }
    Ok(())
}

/// Returns the form of Canonical XML, if the format is one.
fn c14n(format: TreeFormat) -> Option<C14n<'static>> {
    match format {
        TreeFormat::C14n => Some(C14n::inclusive()),
        TreeFormat::C14nComments => Some(C14n::inclusive().comments(true)),
        TreeFormat::ExcC14n => Some(C14n::exclusive()),
        TreeFormat::ExcC14nComments => Some(C14n::exclusive().comments(true)),
        _ => None,
    }
}

/// Writes a document, or the contents of a fragment's root element, in the formats that have no serializer.
fn write(
    document: &Document,
    fragment: Option<Node<'_>>,
    name: DialectName,
    format: TreeFormat,
    out: &mut Lines,
) -> Result<(), WriteError> {
    if let Some(form) = c14n(format) {
        return document.write_c14n(form, out);
    }
    match (format, fragment) {
        (TreeFormat::Canonical, _) => canonical::write(document, out)?,
        (TreeFormat::Outline, None) => outline::write(document.root(), out)?,
        (TreeFormat::Outline, Some(root)) => root
            .children()
            .try_for_each(|node| outline::write(node, out))?,
        (TreeFormat::Html5lib, _) => {
            let style = match name {
                DialectName::Html => Style::Html,
                _ => Style::Xml,
            };
            html5lib::write(fragment.unwrap_or(document.root()), style, out)?;
        }
        // The caller writes these formats, with a serializer or with the module `nodes`, or they were written above.
        _ => {}
    }
    Ok(())
}

/// Output that records whether its last line has a newline.
struct Lines {
    output: Output,
    line_open: bool,
    /// True if the output is a terminal. Invisible characters are then escaped, even in machine-readable formats.
    is_seen: bool,
}

impl Write for Lines {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if !text.is_empty() {
            self.line_open = !text.ends_with('\n');
        }
        match self.is_seen {
            true => shown::write_lines(text, &mut self.output),
            false => self.output.write_str(text),
        }
    }
}
