//! The subcommand `tree`: builds the tree of the whole input, then writes it.

use crate::failure::Failure;
use crate::indent::{self, Rules};
use crate::input::Input;
use crate::nodes;
use crate::options::{TreeFormat, TreeOptions};
use crate::output::Output;
use crate::resolve;
use crate::shown;
use std::fmt::{self, Write};
use std::io::{self, IsTerminal};
use tagstream::tree::Html5libStyle;
use tagstream::{Buildable, Document, Node, Status, TreeBuilder};

/// Writes the tree of `input`; nothing, where that is refused.
pub(crate) fn run<D: Buildable>(
    dialect: D,
    style: Html5libStyle,
    options: &TreeOptions,
    mut input: Input,
) -> Result<(), Failure> {
    let rules = rules(options)?;
    input.show_progress();
    let mut output = Output::plain();
    let resolver = options.input.resolver(input.file())?;
    let mut builder = TreeBuilder::new(dialect);
    loop {
        let chunk = input.next(&mut output)?;
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
            resolve::answer(resolver.as_ref(), &request, &mut builder);
        }
        if ended {
            break;
        }
    }
    drop(input);
    let mut document = builder.into_sink();
    let is_fragment = options.input.fragment.is_some();
    let fragment = document.root_element().filter(|_| is_fragment);
    if options.format == TreeFormat::Json {
        nodes::write(&document, fragment, options.indent, &mut output)?;
        return Ok(output.flush()?);
    }
    if let (Some(rules), Some(width)) = (rules, options.indent) {
        let top = fragment.unwrap_or(document.root()).id();
        indent::indent(&mut document, top, rules, width);
    }
    let mut lines = Lines {
        output,
        line_open: false,
        is_seen: io::stdout().is_terminal(),
    };
    let fragment = document.root_element().filter(|_| is_fragment);
    let written = match fragment {
        Some(root) => write_fragment(root, style, options.format, &mut lines),
        None => write(&document, style, options.format, &mut lines),
    };
    lines.output.flush()?;
    written.map_err(|_| Failure::Unusable("the tree cannot be written".into()))
}

/// What indents a tree as it is to be written, if anything is to and does.
fn rules(options: &TreeOptions) -> Result<Option<Rules>, Failure> {
    match options.format {
        _ if options.indent.is_none() => Ok(None),
        TreeFormat::Xml => Ok(Some(Rules::Xml)),
        TreeFormat::Html => Ok(Some(Rules::Html)),
        // It indents itself.
        TreeFormat::Json => Ok(None),
        TreeFormat::Outline | TreeFormat::Canonical | TreeFormat::Html5lib => {
            let reason = "--indent is for the formats xml, html and json";
            Err(Failure::Unusable(reason.to_owned()))
        }
    }
}

fn write(
    document: &Document,
    style: Html5libStyle,
    format: TreeFormat,
    out: &mut Lines,
) -> fmt::Result {
    match format {
        // Canonical XML is compared byte by byte: nothing may be added to it.
        TreeFormat::Canonical => return document.write_canonical(out),
        TreeFormat::Outline => document.write_outline(out)?,
        TreeFormat::Xml => document.write_xml(out)?,
        TreeFormat::Html => document.write_html(out)?,
        TreeFormat::Html5lib => document.write_html5lib(out, style)?,
        // That is no text to the last line: `nodes` writes it.
        TreeFormat::Json => {}
    }
    if out.line_open {
        out.write_str("\n")?;
    }
    Ok(())
}

/// Writes a fragment: what its root element holds.
fn write_fragment(
    root: Node<'_>,
    style: Html5libStyle,
    format: TreeFormat,
    out: &mut Lines,
) -> fmt::Result {
    match format {
        TreeFormat::Outline => root
            .children()
            .try_for_each(|node| node.write_outline(out))?,
        TreeFormat::Xml => root.children().try_for_each(|node| node.write_xml(out))?,
        TreeFormat::Canonical => return root.document().write_canonical(out),
        TreeFormat::Html => root.write_inner_html(out)?,
        TreeFormat::Html5lib => root.write_html5lib(out, style)?,
        TreeFormat::Json => {}
    }
    if out.line_open {
        out.write_str("\n")?;
    }
    Ok(())
}

/// Output that knows whether its last line still wants a newline.
struct Lines {
    output: Output,
    line_open: bool,
    /// It goes to a terminal: what is unseen is escaped there, in forms for programs too.
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
