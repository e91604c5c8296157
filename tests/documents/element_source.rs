//! The source of elements: `Events::read_source` of each element returns the bytes of the input from the start of its
//! start tag to the end of its end tag, in chunks of several sizes, in UTF-8 and in UTF-16.
//!
//! The cases of element-source.txt have the source of each element. The inputs of the cases of the other files are
//! compared with the spans of the events.

use std::collections::HashMap;
use tagstream::tree::Edge;
use tagstream::{
    Balance, Buildable, Document, Encoding, Event, Events, Html, LeafXml, MicroXml, Parser, Sky,
    Source, SourceError, Span, TreeBuilder, Xml,
};
use testing::cases::{self, Case};
use testing::element_source::spans;
use testing::event_text::quoted;
use testing::run::{Failed, Program};

/// Maximum number of elements of an input whose source is read one by one.
const MAX_ELEMENTS: usize = 40;

pub(crate) fn add(program: &mut Program) {
    let path = testing::source::root().join("tests/data/element-source.txt");
    let text = std::fs::read_to_string(path).expect("the cases");
    let cases = cases::cases("tests/data/element-source.txt", &text);
    cases::add(program, cases, |_| "core/element source", check);
    let files = [
        ("html-balanced.txt", "html"),
        ("html-construction.txt", "html"),
        ("html-in-order.txt", "html"),
        ("html-spans.txt", "html"),
        ("html.txt", "html"),
        ("leafxml.txt", "leafxml"),
        ("microxml.txt", "microxml"),
        ("sky.txt", "sky"),
        ("rewrite-encodings.txt", "html"),
        ("rewrite-encodings.txt", "xml"),
        ("xml-encodings.txt", "xml"),
        ("xml-er.txt", "xml"),
        ("xml-strict.txt", "xml"),
    ];
    for (file, dialect) in files {
        let name = format!("core/element source/{file} {dialect}");
        program.case(name, move || -> Result<(), Failed> {
            let path = testing::source::root().join("tests/data").join(file);
            let text = std::fs::read_to_string(path)?;
            let mut elements = 0;
            let mut all = Vec::new();
            for case in cases::cases(file, &text) {
                let input = case.input();
                all.extend_from_slice(&input);
                elements += compared(dialect, &input)?;
                if let Ok(text) = std::str::from_utf8(&input) {
                    elements += compared(dialect, &utf_16(text))?;
                }
            }
            // A long document, which has many batches.
            if dialect == "html" {
                let html = Html::default().encoding(Encoding::UTF_8);
                for size in [usize::MAX, 1000] {
                    check_tree(&html, &all.repeat(20), size, &[])?;
                }
            }
            match elements {
                0 => Err("no elements".into()),
                _ => Ok(()),
            }
        });
    }
}

/// Returns a text in UTF-16 (big-endian) with a byte-order mark.
fn utf_16(text: &str) -> Vec<u8> {
    let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
    units.flat_map(u16::to_be_bytes).collect()
}

/// Compares the source of each element with its span. Returns the number of elements.
fn compared(dialect: &str, input: &[u8]) -> Result<usize, Failed> {
    match dialect {
        "html" => compare(&Html::default(), input),
        "microxml" => compare(&MicroXml::default(), input),
        "leafxml" => compare(&LeafXml::default(), input),
        "sky" => compare(&Sky::fragment(), input),
        _ => compare(&Xml::default(), input),
    }
}

fn compare<D: Balance + Buildable>(dialect: &D, input: &[u8]) -> Result<usize, Failed> {
    let spans: Vec<Span> = spans(dialect, input).into_iter().map(|one| one.0).collect();
    for size in [usize::MAX, 3] {
        check_tree(dialect, input, size, &spans)?;
    }
    for size in [usize::MAX, 1, 3] {
        for (index, span) in spans.iter().enumerate().take(MAX_ELEMENTS) {
            let source = source(dialect, input, size, index)?;
            let expected = &input[span.start as usize..span.end as usize];
            if source != expected {
                let (source, expected) = (source.escape_ascii(), expected.escape_ascii());
                let input = input.escape_ascii();
                let what = format!("element {index} at {span}, chunks of {size}: {source}");
                return Err(format!("{what}\nexpected: {expected}\ninput: {input}").into());
            }
        }
    }
    Ok(spans.len())
}

/// Compares the ranges of the elements of a tree with those of the events.
fn check_tree<D: Balance + Buildable>(
    dialect: &D,
    input: &[u8],
    size: usize,
    spans: &[Span],
) -> Result<(), Failed> {
    let mut builder = TreeBuilder::new(dialect.clone()).positions(true);
    let fed = input.chunks(size).try_for_each(|chunk| builder.feed(chunk));
    let Ok(document) = fed.and_then(|()| builder.finish()) else {
        return Ok(());
    };
    let nodes = document.root().edges().through_templates();
    let elements = nodes.filter_map(|edge| match edge {
        // The additional root element of MicroXML has no span.
        Edge::Open(node) if node.is_element() => node.span().map(|_| node.outer_span()),
        _ => None,
    });
    let found: Vec<_> = elements.collect();
    if std::any::type_name::<D>() == std::any::type_name::<Html>() {
        return check_html_tree(dialect, input, &document);
    }
    if found.iter().copied().eq(spans.iter().copied().map(Some)) {
        return Ok(());
    }
    let input = input.escape_ascii();
    Err(format!("tree: {found:?}\nevents: {spans:?}\ninput: {input}").into())
}

/// Compares the ends of the elements of HTML that have start tags and that the parser does not move. An implied end can
/// be later on the stream: in the text that is the element's end in the tree, or, for a head, after further content.
fn check_html_tree<D: Balance>(
    dialect: &D,
    input: &[u8],
    document: &Document,
) -> Result<(), Failed> {
    let mut parser = Parser::new(dialect.clone()).balanced();
    parser.feed(input);
    parser.finish();
    let (mut ends, mut open) = (HashMap::new(), Vec::<Option<(String, u64)>>::new());
    while let Ok(Some(event)) = parser.next_event() {
        match event {
            Event::Start(tag) => {
                let is_in_place = !tag.is_implied() && !tag.is_moved();
                open.push(is_in_place.then_some((tag.name().to_owned(), tag.span().start)));
            }
            Event::End(tag) => {
                if let Some(Some(start)) = open.pop()
                    && !tag.is_moved()
                {
                    ends.insert(start, (tag.span().end, tag.is_implied()));
                }
            }
            _ => {}
        }
    }
    let mut found: HashMap<_, Option<Span>> = HashMap::new();
    for edge in document.root().edges().through_templates() {
        let Edge::Open(node) = edge else { continue };
        let Some(start) = node.span().filter(|_| node.is_element()) else {
            continue;
        };
        let Some(outer) = node.outer_span() else {
            return Err(format!("{} has no end: {}", node.name(), input.escape_ascii()).into());
        };
        // A copy of a formatting element can have the position of the original.
        let key = (node.name().to_owned(), start.start);
        let is_copied = found.contains_key(&key);
        found.insert(key, (!is_copied).then_some(outer));
    }
    for (start, (end, is_implied)) in ends {
        let Some(Some(outer)) = found.get(&start) else {
            continue;
        };
        let is_as_expected = outer.end == end || is_implied && outer.end < end;
        if !is_as_expected {
            let input = input.escape_ascii();
            return Err(format!("{start:?} ends at {end}, not {outer}: {input}").into());
        }
    }
    Ok(())
}

/// Chunks of the same size.
struct Chunks<'a>(std::slice::Chunks<'a, u8>);

impl<'a> Source for Chunks<'a> {
    type Chunk = &'a [u8];

    fn next_chunk(&mut self) -> Result<Option<&'a [u8]>, SourceError> {
        Ok(self.0.next())
    }
}

/// Returns the source of the element with this index, in the order of the start tags.
fn source<D: Balance>(
    dialect: &D,
    input: &[u8],
    size: usize,
    index: usize,
) -> Result<Vec<u8>, Failed> {
    let parser = Parser::new(dialect.clone()).balanced();
    let mut events = Events::new(parser, Chunks(input.chunks(size))).record_source();
    let mut starts = 0..index;
    while let Some(event) = events.next_event()? {
        if matches!(event, Event::Start(_)) && starts.next().is_none() {
            return Ok(events.read_source()?);
        }
    }
    Err("no element".into())
}

fn check(case: &Case) -> Result<(), Failed> {
    match case.option("dialect") {
        Some("html") => sources(&Html::default().encoding(Encoding::UTF_8), case),
        _ => sources(&Xml::default(), case),
    }
}

fn sources<D: Balance>(dialect: &D, case: &Case) -> Result<(), Failed> {
    let input = case.input();
    for size in [usize::MAX, 1, 3] {
        let elements = spans(dialect, &input).len();
        let sources = (0..elements).map(|index| source(dialect, &input, size, index));
        let sources: Result<Vec<_>, _> = sources.collect();
        let shown = sources?.into_iter().map(|source| {
            let source = String::from_utf8_lossy(&source);
            quoted(&source)
        });
        case.expect("events", &shown.collect::<Vec<_>>().join(", "))?;
    }
    Ok(())
}
