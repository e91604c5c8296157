//! Feeds an input to a parser in pieces and records everything that the parser reports.

use crate::pull::{Pull, write_event};
use bytes::Bytes;
use std::fmt;
use tagstream::{Encoding, EntityPlace, Error, Event, Position, Related, Span, Status};
use unicode_normalization::UnicodeNormalization as _;

/// How an input is fed.
#[derive(Clone, Copy, Debug)]
pub enum Feeding<'a> {
    /// In one chunk.
    Whole,
    /// Byte by byte.
    Bytes,
    /// In chunks that end at these offsets, as `Bytes`.
    Cuts(&'a [usize]),
    /// In chunks that end at these offsets, as slices that the parser copies.
    Slices(&'a [usize]),
    /// In two chunks. A clone continues after this offset.
    CloneAt(usize),
}

impl Feeding<'_> {
    /// Returns the chunks of `input`.
    pub fn chunks<'i>(&self, input: &'i [u8]) -> Vec<&'i [u8]> {
        match self {
            Feeding::Whole => vec![input],
            Feeding::Bytes => input.chunks(1).collect(),
            Feeding::Cuts(cuts) | Feeding::Slices(cuts) => cut(input, cuts),
            Feeding::CloneAt(at) => cut(input, &[*at]),
        }
    }
}

fn cut<'i>(input: &'i [u8], cuts: &[usize]) -> Vec<&'i [u8]> {
    let mut chunks = Vec::new();
    let mut from = 0;
    for &at in cuts.iter().chain([&input.len()]) {
        chunks.push(&input[from..at]);
        from = at;
    }
    chunks
}

/// The kinds of events that checks distinguish.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    Start(String),
    End(String),
    Text(String),
    Error(String),
    /// The event's span lies within the previous tag.
    EncodingChange,
    Other,
}

/// An event in text form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    pub kind: Kind,
    pub start: u64,
    pub end: u64,
    pub is_in_doctype: bool,
    /// True for a tag that is not in the input.
    pub is_implied: bool,
    /// True for a text in a CDATA section.
    is_cdata: bool,
    /// True for a text that continues the run of text before it.
    is_resumed: bool,
    /// All properties of the event.
    pub line: String,
    /// The content of the node that a tree contains for the event, if there is one.
    pub content: Option<String>,
    /// The start of the event and of each attribute: offset, line, column, column in UTF-16.
    pub places: Vec<(u64, u64, u64, u64)>,
    /// The related position of an error.
    pub related: Option<Related>,
}

impl Shown {
    pub fn is_error(&self) -> bool {
        matches!(self.kind, Kind::Error(_))
    }

    pub fn is_text(&self) -> bool {
        matches!(self.kind, Kind::Text(_))
    }

    /// Returns this parse error in the form of an error that ends a parse.
    pub fn failure(&self) -> String {
        match &self.kind {
            Kind::Error(code) => format!("{code} {}..{}", self.start, self.end),
            _ => String::new(),
        }
    }
}

/// Everything that was reported for one input.
#[derive(Clone, Debug)]
pub struct Seen {
    pub events: Vec<Shown>,
    /// Status, error and encoding at the end.
    pub end: String,
    /// Code and span of the error that ended the parse.
    pub failure: Option<String>,
    pub work: u64,
    pub text_length: u64,
    /// Length of the replacement text of entities, in bytes.
    pub expanded: u64,
    pub is_utf8: bool,
    /// The name of the encoding.
    pub encoding: &'static str,
}

impl Seen {
    pub fn failed_on(&self, code: &str) -> bool {
        self.failure
            .as_ref()
            .is_some_and(|failure| failure.starts_with(code))
    }

    /// Returns whether the parse ended at a token that was too long, by the limit of tokens or by that of memory. If text
    /// is returned in pieces, the parse may not end there.
    pub fn failed_on_token(&self) -> bool {
        self.failed_on("token-limit") || self.failed_on("memory-limit")
    }

    /// Returns the recording without parse errors.
    pub fn without_errors(&self) -> Seen {
        self.filter(|event| !event.is_error())
    }

    /// Returns the events that may be inside a run of text: parse errors, and instructions of a late DOCTYPE.
    pub fn beside_text(&self) -> Seen {
        self.filter(|event| event.is_error() || event.is_in_doctype)
    }

    /// Returns the tags, texts and errors.
    pub fn without_others(&self) -> Seen {
        self.filter(|event| event.kind != Kind::Other)
    }

    fn filter(&self, keep: impl Fn(&Shown) -> bool) -> Seen {
        let kept = self.events.iter().filter(|event| keep(event));
        Seen {
            events: kept.cloned().collect(),
            ..self.clone()
        }
    }

    /// Returns the recording with adjacent pieces of text joined. Only the characters of a run are kept, because the
    /// span of a whole run includes dropped characters at its ends. Instructions of a DOCTYPE, which may be inside a
    /// run, are left out.
    pub fn joined(&self) -> Seen {
        let mut events: Vec<Shown> = Vec::new();
        for event in self.events.iter().filter(|event| !event.is_in_doctype) {
            if let Kind::Text(text) = &event.kind
                && let Some(last) = events.last_mut()
                && let Kind::Text(run) = &mut last.kind
            {
                run.push_str(text);
                last.end = event.end;
            } else {
                events.push(event.clone());
            }
        }
        for event in &mut events {
            if event.is_text() {
                event.line = format!("text {:?}", event.kind);
                (event.start, event.end) = (0, 0);
                (event.is_cdata, event.is_resumed) = (false, false);
                event.places.clear();
            }
        }
        Seen {
            events,
            ..self.clone()
        }
    }
}

impl Seen {
    /// Returns the texts, with their spans and with those pieces joined that only a cut has divided: adjacent pieces of
    /// a run that are both in a CDATA section or both outside. A reference is joined to the pieces around it, too.
    pub fn texts(&self) -> Vec<(bool, bool, u64, u64, String)> {
        let mut texts: Vec<(bool, bool, u64, u64, String)> = Vec::new();
        for event in &self.events {
            let Kind::Text(text) = &event.kind else {
                continue;
            };
            match texts.last_mut() {
                Some((_, is_cdata, _, end, run))
                    if event.is_resumed && *is_cdata == event.is_cdata && event.start <= *end =>
                {
                    *end = event.end;
                    run.push_str(text);
                }
                _ => texts.push((
                    event.is_resumed,
                    event.is_cdata,
                    event.start,
                    event.end,
                    text.clone(),
                )),
            }
        }
        texts
    }

    /// Returns the joined recording with its texts in NFC.
    pub fn in_nfc(mut self) -> Seen {
        for event in &mut self.events {
            if let Kind::Text(text) = &mut event.kind {
                *text = text.nfc().collect();
                event.line = format!("text {:?}", event.kind);
            }
        }
        self
    }
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for event in &self.events {
            writeln!(f, "    {}", event.line.trim_end())?;
        }
        write!(f, "    {}; work {}", self.end, self.work)
    }
}

/// Feeds an input and records the events.
pub fn pull<P: Pull>(mut parser: P, input: &[u8], feeding: &Feeding<'_>) -> Result<Seen, String> {
    let mut events = Recorded::default();
    let mut failure = None;
    let copied = matches!(feeding, Feeding::Slices(_));
    for chunk in feeding.chunks(input) {
        match copied {
            true => parser.feed(chunk),
            false => parser.feed(Bytes::copy_from_slice(chunk)),
        }
        drain(&mut parser, &mut events, &mut failure);
        if matches!(feeding, Feeding::CloneAt(_)) {
            let clone = parser.clone();
            parser = clone;
        }
    }
    parser.finish();
    drain(&mut parser, &mut events, &mut failure);
    end(&parser, events.checked()?, failure)
}

/// Events, each with the offset before which the parser said that neither it nor a later event would start.
#[derive(Debug, Default)]
struct Recorded {
    events: Vec<Shown>,
    earliest: Vec<u64>,
    /// The greatest of these offsets since the last event.
    next: u64,
}

impl Recorded {
    fn push(&mut self, event: Shown) {
        self.events.push(event);
        self.earliest.push(std::mem::take(&mut self.next));
    }

    fn expect<P: Pull>(&mut self, parser: &P) {
        self.next = self.next.max(parser.earliest_start().unwrap_or(0));
    }

    /// Returns the events, if no event of the input starts earlier than the parser said before.
    fn checked(self) -> Result<Vec<Shown>, String> {
        let mut reached = 0;
        for (index, (event, earliest)) in self.events.iter().zip(&self.earliest).enumerate() {
            reached = reached.max(*earliest);
            let is_exception =
                event.is_implied || event.is_error() || event.kind == Kind::EncodingChange;
            if !is_exception && event.start < reached {
                let lines = self.events[..=index]
                    .iter()
                    .map(|event| event.line.trim_end());
                let lines: Vec<&str> = lines.collect();
                return Err(format!(
                    "no event was expected before {reached}:\n{}",
                    lines.join("\n")
                ));
            }
        }
        Ok(self.events)
    }
}

/// Records owned events. They are kept until the whole input was read and the parser was dropped.
pub fn owned<P: Pull>(mut parser: P, input: &[u8], cuts: &[usize]) -> Result<Seen, String> {
    let mut kept = Vec::new();
    let mut failure = None;
    let mut take = |parser: &mut P| {
        while let Some(event) = parser.pull_owned() {
            match event {
                Ok(event) => kept.push(event),
                Err(error) => failure = Some(error),
            }
        }
    };
    for chunk in cut(input, cuts) {
        parser.feed(Bytes::copy_from_slice(chunk));
        take(&mut parser);
    }
    parser.finish();
    take(&mut parser);
    let seen = end(&parser, Vec::new(), failure)?;
    drop(parser);
    let events = kept.iter().map(|event| show(&event.event()));
    Ok(Seen {
        events: events.collect(),
        ..seen
    })
}

/// Checks that two recordings are equal.
pub fn same(what: &str, expected: &Seen, seen: &Seen) -> Result<(), String> {
    if expected.events == seen.events && expected.end == seen.end {
        return Ok(());
    }
    Err(format!("{what}: expected\n{expected}\nbut saw\n{seen}"))
}

fn drain<P: Pull>(parser: &mut P, events: &mut Recorded, failure: &mut Option<Error>) {
    loop {
        events.expect(parser);
        match parser.pull() {
            Ok(Some(event)) => {
                events.push(show(&event));
                continue;
            }
            Ok(None) => {}
            Err(error) => {
                *failure = Some(error);
                return;
            }
        }
        events.expect(parser);
        if !parser.answer() {
            return;
        }
    }
}

fn end<P: Pull>(parser: &P, events: Vec<Shown>, failure: Option<Error>) -> Result<Seen, String> {
    let expected = match failure {
        Some(_) => Status::Failed,
        None => Status::Finished,
    };
    if parser.status() != expected {
        return Err(format!("the status at the end is {:?}", parser.status()));
    }
    let work = parser.stats();
    let encoding = parser.encoding().map_or("UTF-8", Encoding::name);
    Ok(Seen {
        events,
        end: match &failure {
            Some(error) => format!("failed: {error} {}", error.span()),
            None => "finished".to_owned(),
        },
        failure: failure.as_ref().map(failed),
        work: work.total(),
        text_length: work.text,
        expanded: work.expanded,
        is_utf8: encoding == "UTF-8",
        encoding,
    })
}

/// Returns the name and the position of the error that ended a parse.
pub fn failed(error: &Error) -> String {
    let name = in_entity(error.as_str(), error.entity());
    format!("{name} {}", error.span())
}

/// Returns the name of an error, and its position in an external entity if it has one.
fn in_entity(name: &str, place: Option<&EntityPlace>) -> String {
    match place {
        None => name.to_owned(),
        Some(place) => format!("{name} in {place} {}", place.span()),
    }
}

/// Records all properties of an event.
fn show(event: &Event<'_>) -> Shown {
    let span = event.span();
    let mut line = String::new();
    write_event(&mut line, event);
    let mut places = vec![place(span, event.position())];
    let mut is_in_doctype = false;
    let (mut is_cdata, mut is_resumed) = (false, false);
    let mut related = None;
    let (kind, content) = match event {
        Event::Start(tag) => {
            let names = (tag.prefix(), tag.local_name(), tag.namespace());
            let mut kept = format!("start {:?} {names:?}", tag.name());
            for one in tag.attributes() {
                let names = (one.prefix(), one.local_name(), one.namespace());
                kept += &format!(" [{:?} {names:?} = {:?}]", one.name(), one.value());
                places.push(place(one.span(), one.position()));
            }
            (Kind::Start(tag.name().to_owned()), Some(kept))
        }
        Event::End(tag) => {
            let kept = format!("end {:?}", tag.name());
            (Kind::End(tag.name().to_owned()), Some(kept))
        }
        Event::Text(text) => {
            (is_cdata, is_resumed) = (text.is_cdata(), !text.is_first_piece());
            (Kind::Text(text.as_str().to_owned()), None)
        }
        Event::Comment(comment) => {
            let kept = format!("comment {:?}", comment.as_str());
            (Kind::Other, Some(kept))
        }
        Event::ProcessingInstruction(found) => {
            is_in_doctype = found.is_in_doctype();
            let kept = format!("instruction {:?} {:?}", found.target(), found.data());
            (Kind::Other, (!is_in_doctype).then_some(kept))
        }
        Event::ParseError(error) => {
            let name = in_entity(error.code().as_str(), error.entity().as_ref());
            line += &name;
            related = error.related();
            if let Some(related) = &related {
                places.push(place(related.span(), related.position()));
            }
            (Kind::Error(name), None)
        }
        Event::EncodingChange(_) => (Kind::EncodingChange, None),
        _ => (Kind::Other, None),
    };
    Shown {
        kind,
        start: span.start,
        end: span.end,
        is_in_doctype,
        is_implied: match event {
            Event::Start(tag) => tag.is_implied(),
            Event::End(tag) => tag.is_implied(),
            _ => false,
        },
        is_cdata,
        is_resumed,
        line,
        content,
        places,
        related,
    }
}

fn place(span: Span, at: Position) -> (u64, u64, u64, u64) {
    (span.start, at.line(), at.column(), at.column_utf16())
}
