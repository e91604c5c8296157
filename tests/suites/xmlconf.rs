//! The XML conformance suite of the W3C: documents that are accepted or refused, and canonical output. The events are
//! the same for every cut.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use tagstream::{
    Chunk, Document, Encoding, EntityRequest, Error, Event, OwnedEvent, Parser, Stats, Status,
    TreeBuilder, Xml,
};
use testing::cuts::{check_cuts, check_parser, positions};
use testing::pull::{Pull, dump};
use testing::run::{Failed, Program};
use testing::suites::xml_cases;
use testing::tree_formats::TreeFormats as _;
use testing::writing::{Writing, check_xml};

/// A document of the suite, and the expected result.
struct Case {
    path: PathBuf,
    input: Arc<[u8]>,
    dialect: Xml,
    strict: Xml,
    namespaces: bool,
    kind: Kind,
    output: Option<String>,
    /// True if the document also has the expected result without its external entities.
    alone: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Refused,
    Accepted,
    Either,
}

/// A parser that supplies requested entities itself while events are read.
#[derive(Clone)]
struct Answered {
    parser: Parser<Xml>,
    path: Arc<Path>,
    last: Option<OwnedEvent>,
    /// The offset of the cut, counted over all entities. At the cut, a clone of the parser continues. If this is
    /// `None`, the entities are fed byte by byte.
    cut: Option<usize>,
    /// Number of bytes of entities that were fed.
    fed: usize,
}

impl Answered {
    fn new(dialect: Xml, path: &Arc<Path>, cut: Option<usize>) -> Answered {
        Answered {
            parser: Parser::new(dialect.external_entities(true)).report_errors(true),
            path: Arc::clone(path),
            last: None,
            cut,
            fed: 0,
        }
    }

    fn feed_entity(&mut self, bytes: &[u8]) {
        let Some(cut) = self.cut else {
            for byte in bytes {
                self.parser.feed_entity(&[*byte]);
            }
            return;
        };
        let at = cut.saturating_sub(self.fed).min(bytes.len());
        self.fed += bytes.len();
        self.parser.feed_entity(&bytes[..at]);
        self.parser = self.parser.clone();
        self.parser.feed_entity(&bytes[at..]);
    }
}

impl Pull for Answered {
    fn feed(&mut self, chunk: impl Chunk) {
        self.parser.feed(chunk);
    }

    fn finish(&mut self) {
        self.parser.finish();
    }

    fn pull(&mut self) -> Result<Option<Event<'_>>, Error> {
        self.last = match self.pull_owned() {
            Some(event) => Some(event?),
            // After an error, the iterator returns `None`, and this call returns the error again.
            None => return self.parser.next_event().map(|_| None),
        };
        Ok(self.last.as_ref().map(OwnedEvent::event))
    }

    fn pull_owned(&mut self) -> Option<Result<OwnedEvent, Error>> {
        loop {
            if let Some(event) = self.parser.next() {
                return Some(event);
            }
            let Status::NeedsEntity(request) = self.parser.status() else {
                return None;
            };
            match find(&request, &self.path) {
                Some((path, bytes)) => {
                    self.feed_entity(&bytes);
                    self.parser.finish_entity(path.to_str());
                }
                None => self.parser.skip_entity(),
            }
        }
    }

    fn is_in_text(&self) -> bool {
        self.parser.is_in_text()
    }

    fn status(&self) -> Status {
        self.parser.status()
    }

    fn stats(&self) -> Stats {
        self.parser.stats()
    }

    fn encoding(&self) -> Option<Encoding> {
        self.parser.encoding()
    }
}

pub(crate) fn add(folder: &Path, program: &mut Program) {
    for entry in xml_cases(folder) {
        let id = entry.field("id").to_owned();
        let namespaces = entry.field("namespace") != "no";
        let dialect = Xml::default().namespaces(namespaces);
        let edition = entry.field("edition");
        let alone = entry.field("entities") == "none";
        let input: Arc<[u8]> = Arc::from(&*entry.input);
        let path: Arc<Path> = Arc::from(&*entry.path);
        if edition.is_empty() || edition.contains('5') {
            let case = Case {
                path: entry.path.clone(),
                input: Arc::clone(&input),
                dialect: dialect.clone(),
                strict: Xml::strict().namespaces(namespaces),
                namespaces,
                kind: match entry.field("type") {
                    "not-wf" => Kind::Refused,
                    "error" => Kind::Either,
                    _ => Kind::Accepted,
                },
                output: entry.output(),
                alone,
            };
            program.case(format!("xml/xmlconf {id}"), move || check_result(&case));
        }
        if !alone {
            let (input, dialect) = (Arc::clone(&input), dialect.clone());
            program.case(format!("xml/xmlconf {id}, cuts with entities"), move || {
                check_cuts(|| Answered::new(dialect.clone(), &path, None), &input);
                check_entity_cuts(|cut| Answered::new(dialect.clone(), &path, cut), &input)
            });
        }
        program.case(format!("xml/xmlconf {id}, cuts"), move || {
            check_parser(&dialect, &input);
        });
    }
}

/// Asserts that the events are the same for every cut of the entities.
fn check_entity_cuts(make: impl Fn(Option<usize>) -> Answered, input: &[u8]) -> Result<(), Failed> {
    let expected = dump(make(None), input);
    let mut parser = make(Some(0));
    parser.feed(input);
    parser.finish();
    while let Ok(Some(_)) = parser.pull() {}
    let fewer = if input.len() < 1 << 16 { 1 } else { 25 };
    for cut in positions(parser.fed).step_by(fewer) {
        let found = dump(make(Some(cut)), input);
        if found != expected {
            let problem = format!("entities cut at {cut}: wanted\n{expected}\nfound\n{found}");
            return Err(problem.into());
        }
    }
    Ok(())
}

fn check_result(case: &Case) -> Result<(), Failed> {
    let read = |dialect: Xml| dialect.external_entities(true);
    check_errors(case, read(case.dialect.clone()), read(case.strict.clone()))?;
    if case.alone {
        check_errors(case, case.dialect.clone(), case.strict.clone())?;
    }
    check_written(case)?;
    let Some(output) = &case.output else {
        return Ok(());
    };
    for dialect in [read(case.dialect.clone()), read(case.strict.clone())] {
        let document = match build(dialect, case) {
            Ok(document) => document,
            Err(_) if case.kind == Kind::Either => return Ok(()),
            Err(error) => return Err(error.to_string().into()),
        };
        let canonical = document.to_canonical();
        if canonical != *output {
            return Err(format!("wanted {output:?}\nfound  {canonical:?}").into());
        }
    }
    Ok(())
}

/// Asserts that the events of a document, written by a writer, result in a document with the same events.
fn check_written(case: &Case) -> Result<(), Failed> {
    let path: Arc<Path> = Arc::from(&*case.path);
    let mut parser = Answered::new(case.strict.clone(), &path, Some(0));
    parser.feed(&case.input[..]);
    parser.finish();
    let mut writing = Writing::new(case.namespaces);
    loop {
        match parser.pull() {
            Ok(Some(event)) => writing.event(&event),
            Ok(None) => break,
            Err(_) => return Ok(()),
        }
    }
    check_xml(writing.finish(), case.strict.clone())?;
    Ok(())
}

/// Builds the tree of a document.
fn build(dialect: Xml, case: &Case) -> Result<Document, Error> {
    let mut builder = TreeBuilder::new(dialect.clone());
    builder.supply(&case.input);
    builder.supply_end();
    loop {
        builder.build()?;
        let Status::NeedsEntity(request) = builder.status() else {
            return Ok(builder.into_sink());
        };
        match find(&request, &case.path) {
            Some((path, bytes)) => {
                builder.feed_entity(&bytes);
                builder.finish_entity(path.to_str());
            }
            None => builder.skip_entity(),
        }
    }
}

/// In the recovering mode, asserts that the tree has a root element exactly if the document contains a start tag.
fn check_tree(dialect: Xml, case: &Case) -> Result<(), Failed> {
    let document = build(dialect.clone(), case)?;
    let mut events = Vec::new();
    first_error(dialect, case, &mut events);
    let starts = events.iter().any(|event| event.contains(" Start"));
    match document.root_element().is_some() == starts {
        true => Ok(()),
        false => Err(format!("start tags: {starts}, and the tree says no").into()),
    }
}

/// Asserts that the first error of the recovering mode is the error that ends the strict mode, and that there is an
/// error exactly if the suite expects one.
fn check_errors(case: &Case, dialect: Xml, strict: Xml) -> Result<(), Failed> {
    let mut events = [Vec::new(), Vec::new()];
    let found = first_error(dialect.clone(), case, &mut events[0]);
    let refused = first_error(strict, case, &mut events[1]);
    check_tree(dialect, case)?;
    if refused != found {
        return Err(format!("strict: {refused:?}, recovering: {found:?}").into());
    }
    let wanted = match case.kind {
        Kind::Refused => found.is_some(),
        Kind::Accepted => found.is_none(),
        Kind::Either => true,
    };
    if !wanted {
        return Err(format!("errors: {found:?}").into());
    }
    if found.is_none() && events[0] != events[1] {
        return Err("strict and recovering differ in their events".into());
    }
    Ok(())
}

/// Reads a document to its end. Returns its first error with the position, and appends the other events to `events`.
fn first_error(dialect: Xml, case: &Case, events: &mut Vec<String>) -> Option<String> {
    let mut parser = Parser::new(dialect.clone()).report_errors(true);
    parser.feed(&case.input);
    parser.finish();
    let mut first = None;
    loop {
        match parser.next_event() {
            Ok(Some(Event::ParseError(error))) => {
                let place = error.entity().map(|place| place.to_string());
                let (code, span) = (error.code(), error.span());
                let found = format!("{code} {span} {} {place:?}", error.position());
                first.get_or_insert(found);
            }
            Ok(Some(event)) => events.push(format!("{} {event:?}", event.span())),
            Ok(None) => match parser.status() {
                Status::NeedsEntity(request) => match find(&request, &case.path) {
                    Some((path, bytes)) => {
                        parser.feed_entity(&bytes);
                        parser.finish_entity(path.to_str());
                    }
                    None => parser.skip_entity(),
                },
                status => {
                    assert_eq!(status, Status::Finished);
                    return first;
                }
            },
            Err(error) => {
                let place = error.entity().map(|place| place.to_string());
                let (code, span) = (error.as_str(), error.span());
                let found = format!("{code} {span} {} {place:?}", error.position());
                return Some(first.unwrap_or(found));
            }
        }
    }
}

/// Returns the path and the bytes of an entity's file.
fn find(request: &EntityRequest, document: &Path) -> Option<(PathBuf, Vec<u8>)> {
    let base = request.base().map_or(document, Path::new);
    let path = base.parent()?.join(request.system_id());
    let bytes = std::fs::read(&path).ok()?;
    Some((path, bytes))
}
