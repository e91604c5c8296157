//! A parser of one dialect together with the tree that it builds.

use crate::log::{Log, Problem, place_of, range_of};
use crate::options::{DialectId, Options};
use crate::rows::Ends;
use crate::sink::Sink;
use tagstream::{
    Balance, Buildable, Document, Encoding, Error, Event, Form, ParseError, Parser, TreeBuilder,
};

/// The interface to the parser of any dialect.
pub(crate) trait Engine {
    /// Feeds a chunk, and parses as far as possible. Adds the events and errors to the log.
    fn feed(&mut self, chunk: &[u8], log: &mut Log, ends: &mut Ends) -> Result<(), Error>;

    /// Ends the input.
    fn finish(&mut self, log: &mut Log, ends: &mut Ends) -> Result<(), Error>;

    /// Returns the tree so far.
    fn document(&self) -> &Document;

    /// Returns the encoding, if it is known.
    fn encoding(&self) -> Option<Encoding>;
}

/// Creates the engine for the options. `first` is the first byte of the input.
pub(crate) fn new(options: &Options, first: Option<u8>) -> Result<Box<dyn Engine>, String> {
    match options.dialect {
        DialectId::Html => {
            let html = options.html()?;
            // Events as written are the tokens from which the tree is built.
            let second = options.balanced.then(|| parser(html.clone()).balanced());
            Ok(Box::new(Run::new(html, second, true)))
        }
        DialectId::Xml => Ok(family(options.xml()?, options)),
        DialectId::MicroXml => Ok(family(options.microxml()?, options)),
        DialectId::Sky => Ok(family(options.sky(first)?, options)),
        DialectId::LeafXml => Ok(family(options.leafxml()?, options)),
    }
}

/// Creates the engine of a dialect whose tree is built from balanced events.
fn family<D: Balance + Buildable>(dialect: D, options: &Options) -> Box<dyn Engine> {
    let second = (!options.balanced).then(|| parser(dialect.clone()));
    Box::new(Run::new(dialect, second, false))
}

fn parser<D: Balance>(dialect: D) -> Parser<D> {
    Parser::new(dialect)
}

/// A tree builder, and a second parser if the events that the page shows are not those of the builder.
struct Run<D: Buildable, F: Form> {
    builder: TreeBuilder<D, Sink>,
    second: Option<Parser<D, F>>,
    /// Number of open elements in the events that are shown.
    depth: u32,
    /// True if end tags can be missing in the events that are shown.
    is_as_written: bool,
}

impl<D: Buildable, F: Form> Run<D, F> {
    fn new(dialect: D, second: Option<Parser<D, F>>, is_html: bool) -> Run<D, F> {
        let builder = TreeBuilder::with_sink(dialect, Sink::new())
            .report_errors(true)
            .positions(true);
        Run {
            builder,
            is_as_written: is_html == second.is_none(),
            second,
            depth: 0,
        }
    }

    fn pump(&mut self, log: &mut Log, ends: &mut Ends) -> Result<(), Error> {
        let mut depth = self.depth;
        let pumped = self.pump_tree(log, ends, &mut depth);
        if let Some(parser) = &mut self.second {
            // An error that ends the parse is reported by the builder.
            while let Ok(Some(event)) = parser.next_event() {
                add(&event, &mut depth, log);
            }
        }
        self.depth = depth;
        pumped
    }

    fn pump_tree(&mut self, log: &mut Log, ends: &mut Ends, depth: &mut u32) -> Result<(), Error> {
        loop {
            let Some(event) = self.builder.next_event()? else {
                return Ok(());
            };
            if let Event::ParseError(error) = event {
                log.add_error(problem(&error));
                continue;
            }
            if self.second.is_none() {
                add(&event, depth, log);
            }
            let range = range_of(event.span());
            let closing = match event {
                Event::End(tag) => Some(tag.name().to_owned()),
                _ => None,
            };
            let sink = self.builder.sink();
            for id in sink.closed.borrow_mut().drain(..) {
                let name = sink.document.node(id).map(|node| node.name());
                let is_closed_by_its_tag = match (&closing, name) {
                    (Some(tag), Some(name)) => tag.eq_ignore_ascii_case(name),
                    _ => false,
                };
                ends.set(
                    id,
                    if is_closed_by_its_tag {
                        range.1
                    } else {
                        range.0
                    },
                );
            }
        }
    }
}

/// Adds an event with its depth: the number of open elements around it.
fn add(event: &Event<'_>, depth: &mut u32, log: &mut Log) {
    match event {
        Event::Start(_) => {
            log.add(event, *depth);
            *depth += 1;
        }
        Event::End(_) => {
            *depth = depth.saturating_sub(1);
            log.add(event, *depth);
        }
        Event::ParseError(_) => {}
        _ => log.add(event, *depth),
    }
}

fn problem(error: &ParseError<'_>) -> Problem {
    let (line, column) = place_of(error.position());
    let mut message = error.code().message().to_owned();
    if let Some(related) = error.related() {
        message += &format!(": {related}");
    }
    Problem {
        code: error.code().as_str(),
        message,
        range: range_of(error.span()),
        line,
        column,
    }
}

impl<D: Buildable, F: Form> Engine for Run<D, F> {
    fn feed(&mut self, chunk: &[u8], log: &mut Log, ends: &mut Ends) -> Result<(), Error> {
        self.builder.supply(chunk);
        if let Some(parser) = &mut self.second {
            parser.feed(chunk);
        }
        self.pump(log, ends)
    }

    fn finish(&mut self, log: &mut Log, ends: &mut Ends) -> Result<(), Error> {
        self.builder.supply_end();
        if let Some(parser) = &mut self.second {
            parser.finish();
        }
        self.pump(log, ends)
    }

    fn document(&self) -> &Document {
        &self.builder.sink().document
    }

    fn encoding(&self) -> Option<Encoding> {
        self.builder.encoding()
    }
}
