//! A parser of one dialect together with the tree that it builds.

use crate::log::{Log, Problem, place_of, range_of};
use crate::options::{DialectId, Options};
use crate::rows::Ends;
use crate::trace::Snapshot;
use tagstream::{
    Balance, Buildable, Dialect, Document, Encoding, Error, Event, Html, Nested, NodeId,
    ParseError, Parser, TreeBuilder,
};

/// The interface to the parser of any dialect.
pub(crate) trait Engine {
    /// Feeds a chunk, or ends the input, and parses as far as possible. Adds the events and errors to the log.
    fn feed(&mut self, chunk: Option<&[u8]>, log: &mut Log, ends: &mut Ends) -> Result<(), Error>;

    /// Returns the tree so far.
    fn document(&self) -> &Document;

    /// Returns the encoding, if it is known.
    fn encoding(&self) -> Option<Encoding>;

    /// Returns the open elements, from the root on.
    fn open(&self) -> Vec<NodeId>;

    /// Returns the state of the parser, and the rows that were applied since the last call.
    fn snapshot(&mut self) -> Snapshot;
}

/// Creates the engine for the options. `first` is the first byte of the input.
pub(crate) fn new(options: &Options, first: Option<u8>) -> Result<Box<dyn Engine>, String> {
    Ok(match options.dialect {
        DialectId::Html => {
            let html = options.html()?;
            let mut builder = builder(html.clone());
            if options.trace {
                builder = builder.record_rows();
            }
            let balanced = options.balanced.then(|| Parser::new(html).balanced());
            Box::new(HtmlRun {
                builder,
                balanced,
                depth: 0,
                last_mode: None,
            })
        }
        DialectId::Xml => family(options.xml()?, options),
        DialectId::MicroXml => family(options.microxml()?, options),
        DialectId::Sky => family(options.sky(first)?, options),
        DialectId::LeafXml => family(options.leafxml()?, options),
    })
}

fn family<D>(dialect: D, options: &Options) -> Box<dyn Engine>
where
    D: Balance + Buildable + Dialect<Form = Nested>,
{
    Box::new(FamilyRun {
        builder: builder(dialect),
        shows_implied: options.balanced,
        depth: 0,
    })
}

fn builder<D: Buildable>(dialect: D) -> TreeBuilder<D> {
    TreeBuilder::new(dialect)
        .report_errors(true)
        .positions(true)
}

/// Supplies a chunk to a builder, or the end of the input.
fn supply<D: Buildable>(builder: &mut TreeBuilder<D>, chunk: Option<&[u8]>) {
    match chunk {
        Some(chunk) => builder.supply(chunk),
        None => builder.supply_end(),
    }
}

/// Records the end of each element that the current event has closed. That is the end of the event if it is the end tag
/// of the element, otherwise its start. Without an event, it is the end of the input.
fn close(document: &Document, event: Option<&Closing>, ends: &mut Ends) {
    let closed = document.inspect_closed();
    for id in &closed[ends.seen.min(closed.len())..] {
        let end = match event {
            Some(Closing { name, range }) => {
                let node = document.node(*id);
                let is_its_tag = match (name, node) {
                    (Some(name), Some(node)) => name.eq_ignore_ascii_case(node.name()),
                    _ => false,
                };
                if is_its_tag { range.1 } else { range.0 }
            }
            None => u32::MAX,
        };
        ends.set(*id, end);
    }
    ends.seen = closed.len();
}

/// The part of an event that decides where elements end.
struct Closing {
    /// The name, if the event is an end tag.
    name: Option<String>,
    range: (u32, u32),
}

impl Closing {
    fn new(event: &Event<'_>) -> Closing {
        let name = match event {
            Event::End(tag) => Some(tag.name().to_owned()),
            _ => None,
        };
        Closing {
            name,
            range: range_of(event.span()),
        }
    }
}

/// Adds an event of a tree with its depth: the number of open elements around it. Implied tags are added only if
/// `shows_implied` is true.
fn add(event: &Event<'_>, depth: &mut u32, shows_implied: bool, log: &mut Log) {
    let is_shown = shows_implied
        || match event {
            Event::Start(tag) => !tag.is_implied(),
            Event::End(tag) => !tag.is_implied(),
            _ => true,
        };
    if let Event::End(_) = event {
        *depth = depth.saturating_sub(1);
    }
    if is_shown {
        log.add(event, *depth);
    }
    if let Event::Start(_) = event {
        *depth += 1;
    }
}

fn problem(error: &ParseError<'_>) -> Problem {
    let (line, column) = place_of(error.position());
    let mut message = error.code().message().to_owned();
    if let Some(related) = error.related() {
        message.push_str(": ");
        message.push_str(&related.to_string());
    }
    Problem {
        code: error.code().as_str(),
        message,
        range: range_of(error.span()),
        line,
        column,
    }
}

/// The engine of HTML. Its events are the tokens from which the tree is built, or those of a second parser.
struct HtmlRun {
    builder: TreeBuilder<Html>,
    /// The parser of balanced events, if those are shown.
    balanced: Option<Parser<Html, Nested>>,
    /// Number of open elements in the balanced events.
    depth: u32,
    /// The insertion mode at the end of the input, once that was fed. The open elements, from which the mode follows, have
    /// ended then.
    last_mode: Option<String>,
}

impl HtmlRun {
    fn build(&mut self, log: &mut Log, ends: &mut Ends) -> Result<(), Error> {
        let is_shown = self.balanced.is_none();
        loop {
            let Some(event) = self.builder.next_event()? else {
                break;
            };
            if let Event::ParseError(error) = event {
                log.add_error(problem(&error));
                continue;
            }
            if is_shown {
                log.add(&event, 0);
            }
            let closing = Closing::new(&event);
            let is_start = matches!(event, Event::Start(_));
            if is_shown {
                log.set_depth(self.depth_of_last(is_start, closing.range));
            }
            close(self.builder.document(), Some(&closing), ends);
        }
        close(self.builder.document(), None, ends);
        Ok(())
    }

    /// Returns the number of elements around the last event, which the tree contains already. An element that a start
    /// tag has opened is not counted.
    fn depth_of_last(&self, is_start: bool, range: (u32, u32)) -> u32 {
        let (count, current) = self.builder.current_node();
        let node = self.builder.document().node(current);
        let span = node.and_then(|node| node.span());
        let has_opened = is_start && span.map(range_of) == Some(range);
        (count as u32).saturating_sub(u32::from(has_opened))
    }
}

impl Engine for HtmlRun {
    fn feed(&mut self, chunk: Option<&[u8]>, log: &mut Log, ends: &mut Ends) -> Result<(), Error> {
        if chunk.is_none() {
            let [mode, _] = self.builder.modes();
            self.last_mode = Some(mode);
        }
        supply(&mut self.builder, chunk);
        let built = self.build(log, ends);
        if let Some(parser) = &mut self.balanced {
            match chunk {
                Some(chunk) => parser.feed(chunk),
                None => parser.finish(),
            }
            // An error that ends the parse is reported by the builder.
            while let Ok(Some(event)) = parser.next_event() {
                add(&event, &mut self.depth, true, log);
            }
        }
        built
    }

    fn document(&self) -> &Document {
        self.builder.document()
    }

    fn encoding(&self) -> Option<Encoding> {
        self.builder.encoding()
    }

    fn open(&self) -> Vec<NodeId> {
        self.builder.open_handles()
    }

    fn snapshot(&mut self) -> Snapshot {
        let rows = self.builder.take_rows();
        // The end of the input changes the mode, if the document has no elements yet.
        if let (Some(mode), Some(row)) = (&mut self.last_mode, rows.last()) {
            mode.clone_from(&row.table);
        }
        let [mode, rules] = match &self.last_mode {
            Some(mode) => [mode.clone(), mode.clone()],
            None => self.builder.modes(),
        };
        Snapshot {
            state: self.builder.inspect_state(),
            modes: Some((mode, rules)),
            formatting: self.builder.formatting_handles(),
            rows,
        }
    }
}

/// The engine of a dialect whose tree is built from balanced events.
struct FamilyRun<D: Buildable> {
    builder: TreeBuilder<D>,
    /// True if implied tags are shown.
    shows_implied: bool,
    /// Number of open elements.
    depth: u32,
}

impl<D: Balance + Buildable + Dialect<Form = Nested>> Engine for FamilyRun<D> {
    fn feed(&mut self, chunk: Option<&[u8]>, log: &mut Log, ends: &mut Ends) -> Result<(), Error> {
        supply(&mut self.builder, chunk);
        while let Some(event) = self.builder.next_event()? {
            if let Event::ParseError(error) = event {
                log.add_error(problem(&error));
                continue;
            }
            add(&event, &mut self.depth, self.shows_implied, log);
            let closing = Closing::new(&event);
            close(self.builder.document(), Some(&closing), ends);
        }
        close(self.builder.document(), None, ends);
        Ok(())
    }

    fn document(&self) -> &Document {
        self.builder.document()
    }

    fn encoding(&self) -> Option<Encoding> {
        self.builder.encoding()
    }

    fn open(&self) -> Vec<NodeId> {
        self.builder.open_nodes()
    }

    fn snapshot(&mut self) -> Snapshot {
        Snapshot {
            state: self.builder.inspect_state(),
            modes: None,
            formatting: Vec::new(),
            rows: Vec::new(),
        }
    }
}
