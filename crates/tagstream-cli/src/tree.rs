//! The subcommand `tree`: builds the tree of the whole input, then writes it.

use crate::failure::Failure;
use crate::input::Input;
use crate::nodes;
use crate::options::{SkyContext, TreeFormat, TreeOptions};
use crate::output::Output;
use crate::resolve::{self, Resolver};
use crate::shown;
use std::fmt::{self, Write};
use std::io::{self, IsTerminal};
use tagstream::tree::{C14n, Html5libStyle, Serializer};
use tagstream::{Buildable, Document, Node, Status, TreeBuilder, WriteError};

/// Writes the tree of `input`. Writes nothing if the input is refused.
pub(crate) fn run<D: Buildable>(
    dialect: D,
    style: Html5libStyle,
    options: &TreeOptions,
    mut input: Input,
) -> Result<(), Failure> {
    let serializer = serializer(options)?;
    input.show_progress();
    let mut output = Output::plain();
    let resolver = options.input.resolver(input.file())?;
    let builder = TreeBuilder::new(dialect);
    let document = build(builder, resolver.as_ref(), &mut input, &mut output)?;
    let file = input.file().to_owned();
    drop(input);
    let is_fragment = options.input.fragment.is_some();
    let fragment = document.root_element().filter(|_| is_fragment);
    if options.format == TreeFormat::Json {
        nodes::write(&document, fragment, options.indent, &mut output)?;
        return Ok(output.flush()?);
    }
    let mut lines = Lines {
        output,
        line_open: false,
        is_seen: io::stdout().is_terminal(),
    };
    let written = match serializer {
        // Fragments have no root element.
        Some(serializer) => serializer
            .declaration(document.xml_declaration().is_some())
            .inner(is_fragment || options.input.context == Some(SkyContext::Fragment))
            .write(fragment.unwrap_or(document.root()), &mut lines),
        None => write(&document, fragment, style, options.format, &mut lines),
    };
    // Formats that are compared byte by byte get no newline at the end.
    let is_exact = matches!(
        options.format,
        TreeFormat::Canonical | TreeFormat::C14n | TreeFormat::C14nComments
    );
    if lines.line_open && !is_exact {
        // `flush` returns the error, if one occurs.
        let _ = lines.write_str("\n");
    }
    lines.output.flush()?;
    match written {
        Err(WriteError::Refused(refusal)) => {
            let node = refusal.node().and_then(|id| document.node(id));
            let place = node.map(path).unwrap_or_default();
            let file = file.display();
            Err(Failure::Refused(format!("{file}: {refusal}, in {place}")))
        }
        Err(_) => Err(Failure::Unusable("the tree cannot be written".into())),
        Ok(()) => Ok(()),
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
/// siblings of the same name.
fn path(node: Node<'_>) -> String {
    let elements = std::iter::successors(Some(node), Node::parent);
    let mut steps: Vec<String> = elements
        .filter(Node::is_element)
        .map(|element| {
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

/// Writes a document, or the contents of a fragment's root element, in the formats that have no serializer.
fn write(
    document: &Document,
    fragment: Option<Node<'_>>,
    style: Html5libStyle,
    format: TreeFormat,
    out: &mut Lines,
) -> Result<(), WriteError> {
    match (format, fragment) {
        (TreeFormat::Canonical, _) => document.write_canonical(out)?,
        (TreeFormat::C14n, _) => document.write_c14n(C14n::WithoutComments, out)?,
        (TreeFormat::C14nComments, _) => document.write_c14n(C14n::WithComments, out)?,
        (TreeFormat::Outline, None) => document.write_outline(out)?,
        (TreeFormat::Outline, Some(root)) => root
            .children()
            .try_for_each(|node| node.write_outline(out))?,
        (TreeFormat::Html5lib, None) => document.write_html5lib(out, style)?,
        (TreeFormat::Html5lib, Some(root)) => root.write_html5lib(out, style)?,
        // The caller writes these formats, with a serializer or with the module `nodes`.
        (TreeFormat::Xml | TreeFormat::Html | TreeFormat::Json, _) => {}
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
