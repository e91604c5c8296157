//! The subcommand `tree`: builds the tree of the whole input, then writes it.

use crate::failure::Failure;
use crate::input::Input;
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
    let mut lines = Lines {
        output,
        line_open: false,
        is_seen: io::stdout().is_terminal(),
    };
    let document = builder.sink();
    let written = match document.root_element() {
        Some(root) if options.input.fragment.is_some() => {
            write_fragment(root, style, options.format, &mut lines)
        }
        _ => write(document, style, options.format, &mut lines),
    };
    lines.output.flush()?;
    written.map_err(|_| Failure::Unusable("the tree cannot be written".into()))
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
