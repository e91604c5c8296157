//! Memory: a parser needs a few times the size of its largest token, however long the input is. Trees of any depth are
//! built, traversed, serialized and dropped.

use peak_alloc::PeakAlloc;
use tagstream::{Dialect, Event, Limits, Parser, Rewriter, Status, TextPolicy, TreeBuilder, Xml};
use testing::effort::sized;
use testing::run::{Failed, Program};
use testing::shapes::{Shape, shapes};
use testing::tree_formats::TreeFormats as _;
use testing::with_dialect;

#[global_allocator]
pub(crate) static ALLOCATOR: PeakAlloc = PeakAlloc;

pub(crate) const MIB: usize = 1 << 20;

pub(crate) fn add(program: &mut Program) {
    program.case_alone("xml/memory: 1 GiB of text in pieces", text_in_pieces);
    // The counters of positions are the same for all dialects, so two dialects suffice.
    for dialect in ["xml", "html in UTF-8"] {
        program.case_alone(format!("core/places beyond 4 GiB: {dialect}"), move || {
            with_dialect!(dialect, |it| beyond(it))
        });
    }
    program.case_alone("xml/memory: an endless stream of elements", elements);
    for dialect in ["xml", "leafxml"] {
        for (name, length) in [("many", 8), ("long", 60_000)] {
            program.case_alone(
                format!("core/memory, {name} namespaces: {dialect}"),
                move || with_dialect!(dialect, |it| namespaces(it, length)),
            );
        }
    }
    program.case_alone("xml/memory: a tree of depth 100,000", deep_tree);
    program.case_alone("xml/memory: a tag in small chunks, rewritten", small_chunks);
    for shape in shapes("XML") {
        let name = format!("xml/memory: {}", shape.name());
        program.case_alone(name, move || largest_token(&shape));
    }
}

/// Returns the peak of memory during `work`, in bytes, minus the memory before.
pub(crate) fn peak(work: impl FnOnce() -> Result<(), Failed>) -> Result<usize, Failed> {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    work()?;
    Ok(ALLOCATOR.peak_usage().saturating_sub(before))
}

pub(crate) fn at_most(found: usize, most: usize) -> Result<(), Failed> {
    match found <= most {
        true => Ok(()),
        false => Err(format!("{found} bytes were held, {most} are allowed").into()),
    }
}

/// Memory is constant, however long a run of text is.
fn text_in_pieces() -> Result<(), Failed> {
    let chunk = bytes::Bytes::from(b"text & text\n".repeat(MIB / 12));
    let held = peak(|| {
        let mut parser = Parser::new(Xml::default())
            .limits(Limits::none())
            .text(TextPolicy::Pieces);
        parser.feed("<a>");
        let mut length = 0;
        for _ in 0..sized(1024) {
            parser.feed(chunk.clone());
            while let Some(event) = parser.next_event()? {
                if let Event::Text(text) = event {
                    length += text.as_str().len();
                }
            }
        }
        parser.finish();
        while let Some(event) = parser.next_event()? {
            if let Event::Text(text) = event {
                length += text.as_str().len();
            }
        }
        match length == chunk.len() * sized(1024) {
            true => Ok(()),
            false => Err(format!("{length} bytes of text").into()),
        }
    })?;
    at_most(held, 4 * MIB)
}

/// After 5 GiB of text, the positions of a tag and its attribute are still correct, so no counter has only 32 bits.
fn beyond(dialect: impl Dialect) -> Result<(), Failed> {
    const LINES: usize = MIB / 1024;
    let line = format!("{}\n", "x".repeat(1023));
    let chunk = bytes::Bytes::from(line.repeat(LINES));
    let chunks = sized(5 * 1024);
    let mut parser = Parser::new(dialect)
        .limits(Limits::none())
        .text(TextPolicy::Pieces);
    parser.feed("<a>\n");
    for _ in 0..chunks {
        parser.feed(chunk.clone());
        while parser.next_event()?.is_some() {}
    }
    parser.feed("é<b c='d'>");
    parser.finish();
    let from = 4 + (chunks * MIB) as u64 + 2;
    let mut found = None;
    while let Some(event) = parser.next_event()? {
        if let Event::Start(tag) = event {
            let attribute = tag.attributes().next().ok_or("an attribute")?;
            found = Some((tag.span(), attribute.span(), event.position()));
            break;
        }
    }
    let (tag, attribute, position) = found.ok_or("no tag")?;
    assert_eq!((tag.start, tag.end), (from, from + 9));
    assert_eq!((attribute.start, attribute.end), (from + 3, from + 8));
    let line = 2 + (chunks * LINES) as u64;
    assert_eq!((position.line(), position.column()), (line, 2));
    Ok(())
}

/// No memory is retained for input that was read.
fn elements() -> Result<(), Failed> {
    let chunk = bytes::Bytes::from(b"<b c='d'>e &amp; f<g xmlns:p='u' p:h=''/></b>".repeat(1500));
    let held = peak(|| {
        let mut parser = Parser::new(Xml::default()).report_errors(true);
        parser.feed("<a>");
        for _ in 0..sized(500) {
            parser.feed(chunk.clone());
            while parser.next_event()?.is_some() {}
        }
        Ok(())
    })?;
    at_most(held, MIB)
}

/// The name of a namespace is dropped when no binding uses it any more. Names that are still bound are found all the
/// same.
fn namespaces(dialect: impl Dialect, length: usize) -> Result<(), Failed> {
    let long = "x".repeat(length);
    let count = sized(4 * MIB) / length.max(64);
    let held = peak(|| {
        let mut parser = Parser::new(dialect).limits(Limits::none());
        parser.feed("<r xmlns='urn:default' xmlns:p='urn:p'>");
        for number in 0..count {
            let name = format!("urn:{long}{number}");
            parser.feed(format!("<q:b xmlns:q='{name}'><p:c/><c/></q:b>"));
            let wanted = [name.as_str(), "urn:p", "urn:default"];
            let mut wanted = wanted.iter();
            while let Some(event) = parser.next_event()? {
                if let Event::Start(tag) = event
                    && tag.local_name() != "r"
                {
                    assert_eq!(tag.namespace(), wanted.next().copied(), "{number}");
                }
            }
            assert_eq!(wanted.next(), None);
        }
        Ok(())
    })?;
    at_most(held, MIB)
}

/// The memory is at most a few times the length of the input, which is a single token.
fn largest_token(shape: &Shape) -> Result<(), Failed> {
    let input = shape.of_bytes(sized(MIB));
    let held = peak(|| {
        let mut parser = Parser::new(Xml::default()).limits(Limits::none());
        for chunk in input.chunks(4096) {
            parser.feed(chunk);
            while parser.next_event()?.is_some() {}
        }
        parser.finish();
        while parser.next_event()?.is_some() {}
        Ok(())
    })?;
    at_most(held, 12 * input.len() + MIB)
}

fn deep_tree() -> Result<(), Failed> {
    const DEPTH: usize = 100_000;
    let input = [b"<a>".repeat(DEPTH), b"x".to_vec(), b"</a>".repeat(DEPTH)].concat();
    for closed in [true, false] {
        let end = if closed { input.len() } else { 3 * DEPTH + 1 };
        let mut builder = TreeBuilder::new(Xml::default()).limits(Limits::none());
        for chunk in input[..end].chunks(4096) {
            builder.supply(chunk);
            builder.build()?;
        }
        builder.supply_end();
        builder.build()?;
        assert_eq!(builder.status(), Status::Finished);
        let document = builder.into_sink();
        assert_eq!(document.root().descendants().count(), DEPTH + 1);
        assert_eq!(document.root().text_content(), "x");
        assert_eq!(document.to_xml().unwrap().as_bytes(), input);
        let clone = document.clone();
        drop(document);
        assert_eq!(clone.to_canonical().as_bytes(), input);
    }
    Ok(())
}

/// A rewriter copies small chunks into one buffer, so that each of them does not need memory of its own.
fn small_chunks() -> Result<(), Failed> {
    const CHUNKS: usize = 100_000;
    let held = peak(|| {
        let mut rewriter = Rewriter::new(Xml::default());
        rewriter.feed("<a b='");
        for _ in 0..CHUNKS {
            rewriter.feed("c");
            while rewriter.next_event()?.is_some() {}
        }
        Ok(())
    })?;
    at_most(held, 16 * CHUNKS)
}
