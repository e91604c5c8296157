//! A common interface of parsers with plain and with balanced events, and a text form of events with all their strings,
//! spans and positions.

use bytes::Bytes;
use std::fmt::{Debug, Write};
use tagstream::{
    Attribute, Buildable, Chunk, Dialect, Document, Encoding, Error, Event, Form, OwnedEvent,
    Parser, Position, Stats, Status, TreeBuilder,
};

/// A parser of plain or of balanced events.
pub trait Pull: Clone {
    /// Feeds a chunk.
    fn feed(&mut self, chunk: impl Chunk);
    /// Ends the input.
    fn finish(&mut self);
    /// Begins a new document. Returns false if the parser cannot be reset.
    fn reset(&mut self) -> bool {
        false
    }
    /// Returns the next event, borrowed from the parser.
    ///
    /// # Errors
    ///
    /// Returns the error that ended the parse.
    fn pull(&mut self) -> Result<Option<Event<'_>>, Error>;
    /// Returns the next event as an owned event.
    fn pull_owned(&mut self) -> Option<Result<OwnedEvent, Error>>;
    /// Returns whether the next event may continue the run of text of the last event.
    fn is_in_text(&self) -> bool {
        false
    }
    /// Returns the status of the parser.
    fn status(&self) -> Status;
    /// Returns the counters of the parser.
    fn stats(&self) -> Stats;
    /// Returns the encoding, if it is known.
    fn encoding(&self) -> Option<Encoding>;
    /// Returns the offset before which no later event starts. `None` if the parser does not know it.
    fn earliest_start(&self) -> Option<u64> {
        None
    }
    /// Supplies an external entity if the parser requests one. Returns whether there may be more events.
    fn answer(&mut self) -> bool {
        false
    }
}

impl<D: Dialect, F: Form> Pull for Parser<D, F> {
    fn feed(&mut self, chunk: impl Chunk) {
        Parser::feed(self, chunk);
    }

    fn finish(&mut self) {
        Parser::finish(self);
    }

    fn reset(&mut self) -> bool {
        Parser::reset(self);
        true
    }

    fn pull(&mut self) -> Result<Option<Event<'_>>, Error> {
        self.next_event()
    }

    fn pull_owned(&mut self) -> Option<Result<OwnedEvent, Error>> {
        self.next()
    }

    fn is_in_text(&self) -> bool {
        Parser::is_in_text(self)
    }

    fn status(&self) -> Status {
        Parser::status(self)
    }

    fn stats(&self) -> Stats {
        Parser::stats(self)
    }

    fn encoding(&self) -> Option<Encoding> {
        Parser::encoding(self)
    }

    fn earliest_start(&self) -> Option<u64> {
        Some(Parser::earliest_start(self))
    }
}

/// Writes a position.
pub fn write_position(out: &mut String, position: Position) {
    let (line, column) = (position.line(), position.column());
    write!(out, " {line}:{column}:{}", position.column_utf16()).unwrap();
}

fn write_names(out: &mut String, local: &str, prefix: Option<&str>, namespace: Option<&str>) {
    write!(out, " ({prefix:?} {local:?} {namespace:?})").unwrap();
}

fn write_all(out: &mut String, parts: &[&dyn Debug]) {
    for part in parts {
        write!(out, " {part:?}").unwrap();
    }
}

/// Writes an event as one line.
pub fn write_event(out: &mut String, event: &Event<'_>) {
    write!(out, "{}", event.span()).unwrap();
    write_position(out, event.position());
    match event {
        Event::Start(tag) => {
            let closing = tag.is_self_closing();
            write!(out, " start {:?} {}", tag.name(), tag.name_span()).unwrap();
            write_names(out, tag.local_name(), tag.prefix(), tag.namespace());
            write_all(out, &[&tag.raw(), &closing]);
            for (fact, word) in [
                (tag.is_implied(), " implied"),
                (tag.is_foreign(), " foreign"),
            ] {
                out.push_str(if fact { word } else { "" });
            }
            tag.attributes()
                .for_each(|attribute| write_attribute(out, &attribute));
        }
        Event::End(tag) => {
            write!(out, " end {:?} {}", tag.name(), tag.name_span()).unwrap();
            write_names(out, tag.local_name(), tag.prefix(), tag.namespace());
            write_all(out, &[&tag.is_short(), &tag.is_implied()]);
        }
        Event::Text(text) => {
            write!(out, " text {:?} {}", text.as_str(), text.is_piece()).unwrap();
        }
        Event::Comment(comment) => write!(out, " comment {:?}", comment.as_str()).unwrap(),
        Event::ProcessingInstruction(instruction) => {
            out.push_str(" instruction");
            write_all(out, &[&instruction.target(), &instruction.data()]);
            write_all(out, &[&instruction.is_in_doctype()]);
        }
        Event::Doctype(doctype) => {
            write!(out, " doctype {:?}", doctype.name()).unwrap();
            write_all(out, &[&doctype.public_id(), &doctype.system_id()]);
            write_all(out, &[&doctype.force_quirks()]);
        }
        Event::Declaration(declaration) => {
            write!(out, " declaration {:?}", declaration.version()).unwrap();
            write_all(out, &[&declaration.encoding(), &declaration.standalone()]);
        }
        Event::SkippedEntity(entity) => write!(out, " skipped {:?}", entity.name()).unwrap(),
        Event::EncodingChange(change) => write!(out, " encoding {:?}", change.label()).unwrap(),
        Event::ParseError(error) => write!(out, " error {error} {:?}", error.related()).unwrap(),
        Event::Attributes(added) => {
            write!(out, " attributes {:?}", added.name()).unwrap();
            added
                .attributes()
                .for_each(|attribute| write_attribute(out, &attribute));
        }
        other => write!(out, " {other:?}").unwrap(),
    }
    for (fact, word) in [
        (event.is_moved(), " moved"),
        (!event.is_complete(), " incomplete"),
        (event.is_from_entity(), " from-entity"),
    ] {
        out.push_str(if fact { word } else { "" });
    }
    out.push('\n');
}

fn write_attribute(out: &mut String, attribute: &Attribute<'_>) {
    let (name, value) = (attribute.name(), attribute.value());
    write!(out, "\n    {name:?}={value:?} {}", attribute.span()).unwrap();
    write!(out, " {} {}", attribute.name_span(), attribute.value_span()).unwrap();
    write_position(out, attribute.position());
    write_all(out, &[&attribute.raw_value()]);
    let (prefix, namespace) = (attribute.prefix(), attribute.namespace());
    write_names(out, attribute.local_name(), prefix, namespace);
}

/// Builds the tree of an input in chunks.
///
/// # Errors
///
/// Returns the error that ended the parse.
pub fn built<'c, D: Buildable>(
    mut builder: TreeBuilder<D>,
    chunks: impl IntoIterator<Item = &'c [u8]>,
) -> Result<Document, Error> {
    for chunk in chunks {
        builder.supply(chunk);
        builder.build()?;
    }
    builder.supply_end();
    builder.build()?;
    Ok(builder.into_sink())
}

/// Feeds an input in chunks of a length, and passes each event to a function as soon as it is available.
///
/// # Errors
///
/// Returns the error that ends the parse.
pub fn in_chunks<D: Dialect, F: Form>(
    parser: &mut Parser<D, F>,
    input: &[u8],
    length: usize,
    mut take: impl FnMut(&Event<'_>),
) -> Result<(), Error> {
    for chunk in input.chunks(length).map(Some).chain([None]) {
        match chunk {
            Some(chunk) => parser.feed(chunk),
            None => parser.finish(),
        }
        while let Some(event) = parser.next_event()? {
            take(&event);
        }
    }
    Ok(())
}

/// Returns the text form of all events of an input that is fed at once.
pub fn dump(mut parser: impl Pull, input: &[u8]) -> String {
    parser.feed(Bytes::copy_from_slice(input));
    let mut out = String::new();
    drain(&mut parser, &mut out);
    end(parser, &mut out);
    out
}

/// Writes the available events. After an error, there are none.
pub fn drain(parser: &mut impl Pull, out: &mut String) {
    while let Ok(Some(event)) = parser.pull() {
        write_event(out, &event);
    }
}

/// Ends the input, and writes the remaining events and the result.
pub fn end(mut parser: impl Pull, out: &mut String) {
    parser.finish();
    drain(&mut parser, out);
    write_outcome(parser.pull().map(|_| ()), out);
    // A second call returns the same result.
    let mut again = String::new();
    write_outcome(parser.pull().map(|_| ()), &mut again);
    assert!(out.ends_with(&again), "the end changed to {again}");
    writeln!(out, "{:?}", parser.status()).unwrap();
}

fn write_outcome(outcome: Result<(), Error>, out: &mut String) {
    if let Err(error) = outcome {
        write!(out, "Err {} {}", error.as_str(), error.span()).unwrap();
        write_position(out, error.position());
        let about = (error.category(), error.related());
        writeln!(out, " {error} {about:?}").unwrap();
    }
}
