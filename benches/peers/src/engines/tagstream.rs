//! tagstream: borrowed events in several configurations, owned events, and the tree.

use super::{Done, Job, TWENTY_SELECTORS};
use crate::reading::Reading;
use std::sync::LazyLock;
use tagstream::tree::Edge;
use tagstream::{
    Buildable, Dialect, Document, Encoding, Error, Event, Events, Form, Html, Node, NodeKind,
    Parser, RewriteError, Rewriter, Sanitizer, TreeBuilder, Writer, Xml,
};

pub fn strict<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    pull(Xml::strict(), job, |event| xml_event(event, reading))
}

pub fn strict_without_namespaces<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    let xml = Xml::strict().namespaces(false);
    pull(xml, job, |event| xml_event(event, reading))
}

/// Reads the namespace names too.
pub fn strict_with_names<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    pull(Xml::strict(), job, |event| {
        xml_namespaces(event, reading);
        xml_event(event, reading);
    })
}

pub fn recovering<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    pull(Xml::default(), job, |event| xml_event(event, reading))
}

/// Copies each event to an owned event.
pub fn to_owned<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    pull(Xml::strict(), job, |event| {
        xml_event(&event.to_owned().event(), reading);
    })
}

/// Reads through the iterator of owned events.
pub fn iterator<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    let mut parser = Parser::new(Xml::strict());
    parser.feed(job.input.bytes.clone());
    parser.finish();
    for event in &mut parser {
        xml_event(&event?.event(), reading);
    }
    Ok(())
}

pub fn tree<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    walk::<R, false>(build(Xml::strict(), job)?.root(), reading);
    Ok(())
}

/// Reads the records of a very long document one after the other.
pub fn records<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    let mut events = Events::read(Xml::strict(), job.input.repeated());
    loop {
        let is_record = match events.next_event()? {
            Some(Event::Start(tag)) => tag.name() == "record",
            Some(_) => false,
            None => return Ok(()),
        };
        if is_record {
            let record = events.subtree()?;
            walk::<R, false>(record.root(), reading);
        }
    }
}

pub fn html_tokens<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    let html = html().processing_instructions(false).scripting(true);
    pull(html, job, |event| match event {
        Event::Comment(comment) => reading.comment(comment.as_str()),
        Event::Doctype(doctype) => reading.doctype(doctype.name()),
        _ => xml_event(event, reading),
    })
}

pub fn html_tree<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    walk::<R, true>(build(html(), job)?.root(), reading);
    Ok(())
}

pub fn html_select<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    let page = build(html(), job)?;
    for node in page.select(super::SELECTOR)? {
        reading.start(node.name());
        reading.attribute("href", node.attribute("href").unwrap_or_default());
    }
    Ok(())
}

/// Writes the events of a document.
pub fn write<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    let mut writer = Writer::xml(Vec::with_capacity(job.input.bytes.len()));
    for event in job.input.events() {
        writer.event(&event.event())?;
    }
    read_written(&writer.finish()?, reading)
}

/// Reads the written document in the exact reading. The quick reading ignores the document.
pub fn read_written<R: Reading>(out: &[u8], reading: &mut R) -> Done {
    if !R::EXACT {
        std::hint::black_box(out);
        return Ok(());
    }
    let mut events = Events::of(Xml::strict(), out.to_vec());
    while let Some(event) = events.next_event()? {
        xml_event(&event, reading);
    }
    Ok(())
}

/// Rewrites a page with tags as written: sets an attribute of each link.
pub fn rewrite<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    rewrite_with(Rewriter::new(html()), &TWENTY_SELECTORS[..1], job, reading)
}

/// The same with nineteen more selectors, whose elements stay unchanged.
pub fn rewrite_of_twenty<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    rewrite_with(Rewriter::new(html()), &TWENTY_SELECTORS, job, reading)
}

/// Rewrites a page with balanced events. Links in templates are not selected.
pub fn rewrite_balanced<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    let rewriter = Rewriter::new(html()).balanced();
    rewrite_with(rewriter, &TWENTY_SELECTORS[..1], job, reading)
}

fn rewrite_with<R: Reading, F: Form>(
    mut rewriter: Rewriter<Html, F>,
    selectors: &[&str],
    job: &Job<'_>,
    reading: &mut R,
) -> Done {
    let links = rewriter.select(selectors[0])?;
    for &selector in &selectors[1..] {
        rewriter.select(selector)?;
    }
    let mut out = Vec::with_capacity(job.input.bytes.len());
    for chunk in job.input.bytes.chunks(job.chunk).map(Some).chain([None]) {
        match chunk {
            Some(chunk) => rewriter.feed(chunk),
            None => rewriter.finish(),
        }
        loop {
            match rewriter.next_selected() {
                // A copy of a link, which a balanced page can have, is not in the input.
                Ok(Some(mut event)) => {
                    if event.is_selected(links) {
                        let _ = event.set_attribute("rel", "nofollow");
                    }
                }
                Ok(None) => break,
                Err(RewriteError::Refused(..)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        rewriter.output_to(&mut out);
    }
    read_rewritten(&out, reading)
}

/// Reads the rewritten document in the exact reading. The quick reading ignores the document.
pub fn read_rewritten<R: Reading>(out: &[u8], reading: &mut R) -> Done {
    if !R::EXACT {
        std::hint::black_box(out);
        return Ok(());
    }
    let mut events = Events::of(Html::default(), out.to_vec());
    while let Some(event) = events.next_event()? {
        match event {
            Event::Start(tag) => {
                reading.start(tag.name());
                let mut attributes: Vec<_> = tag.attributes().collect();
                attributes.sort_by_key(|one| one.name());
                for one in attributes {
                    reading.attribute(one.name(), one.value());
                }
            }
            Event::End(tag) => reading.end(tag.name()),
            Event::Text(text) => reading.text(text.as_str()),
            Event::Comment(comment) => reading.comment(comment.as_str()),
            Event::Doctype(doctype) => reading.doctype(doctype.name()),
            _ => {}
        }
    }
    Ok(())
}

/// Elements that occur in pages and that ammonia does not allow, so that it replaces them with their children.
const REPLACED: &str = "aside body button details div figcaption figure footer form head header html label legend main \
    nav noscript option picture search section select summary";

/// A sanitizer whose lists are as close as possible to those of ammonia.
static SANITIZER: LazyLock<Sanitizer> = LazyLock::new(|| {
    let replaced: Vec<&str> = REPLACED.split_ascii_whitespace().collect();
    Sanitizer::user_content()
        .replace_with_children(&replaced)
        .expect("names of elements")
});

pub fn sanitize<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    let clean = SANITIZER.clean(std::str::from_utf8(&job.input.bytes)?);
    super::left(clean, reading);
    Ok(())
}

pub fn html_stream_select<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    let mut events = Events::of(html(), &job.input.bytes).balanced();
    let mut links = events.select("a[href]")?;
    while let Some(link) = links.next_match()? {
        reading.start(link.tag().name());
    }
    Ok(())
}

/// Finds the same links without a selector.
pub fn html_stream_by_hand<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    let mut events = Events::of(html(), &job.input.bytes).balanced();
    let mut templates = 0;
    while let Some(event) = events.next_event()? {
        match event {
            Event::Start(tag) if tag.name() == "template" => templates += 1,
            Event::End(tag) if tag.name() == "template" => templates -= 1,
            Event::Start(tag) if templates == 0 && tag.name() == "a" => {
                if tag.attribute("href").is_some() {
                    reading.start(tag.name());
                }
            }
            _ => {}
        }
    }
    Ok(())
}

pub fn xml_stream_select<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    let mut events = Events::of(Xml::strict(), &job.input.bytes);
    let mut found = events.select("parameter, entry, node, page")?;
    while let Some(one) = found.next_match()? {
        reading.start(one.tag().name());
    }
    Ok(())
}

/// Finds the same elements without a selector.
pub fn xml_stream_by_hand<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    let mut events = Events::of(Xml::strict(), &job.input.bytes);
    while let Some(event) = events.next_event()? {
        match event {
            Event::Start(tag) if WANTED.contains(&tag.local_name()) => reading.start(tag.name()),
            _ => {}
        }
    }
    Ok(())
}

/// Names of the elements that are selected in XML documents.
const WANTED: [&str; 4] = ["parameter", "entry", "node", "page"];

/// The encoding is set, as it is for the other engines.
fn html() -> Html {
    Html::default().encoding(Encoding::UTF_8)
}

/// Parses a document in chunks. The chunks are slices, so that the parser copies the bytes that it needs later, as it
/// does if a program reuses its buffer.
///
/// The loop is generic, so that the closure that reads the events is inlined.
fn pull<D: Dialect>(dialect: D, job: &Job<'_>, mut see: impl FnMut(&Event<'_>)) -> Done {
    let mut parser = Parser::new(dialect);
    let bytes = &job.input.bytes;
    let in_chunks = match job.chunk >= bytes.len() {
        true => {
            parser.feed(bytes.clone());
            &[]
        }
        false => &bytes[..],
    };
    let mut chunks = in_chunks.chunks(job.chunk);
    let mut is_finished = false;
    loop {
        if let Some(event) = parser.next_event()? {
            see(&event);
        } else if let Some(chunk) = chunks.next() {
            parser.feed(chunk);
        } else if is_finished {
            return Ok(());
        } else {
            parser.finish();
            is_finished = true;
        }
    }
}

fn build<D: Buildable>(dialect: D, job: &Job<'_>) -> Result<Document, Error> {
    let mut builder = TreeBuilder::new(dialect);
    builder.supply(job.input.bytes.clone());
    builder.supply_end();
    builder.build()?;
    Ok(builder.into_sink())
}

#[inline(always)]
fn xml_event<R: Reading>(event: &Event<'_>, reading: &mut R) {
    match event {
        Event::Start(tag) => {
            reading.start(tag.name());
            for attribute in tag.attributes() {
                reading.attribute(attribute.name(), attribute.value());
            }
            if tag.is_self_closing() {
                reading.self_closing();
            }
        }
        Event::End(tag) => reading.end(tag.name()),
        Event::Text(text) => reading.text(text.as_str()),
        _ => {}
    }
}

#[inline(always)]
fn xml_namespaces<R: Reading>(event: &Event<'_>, reading: &mut R) {
    match event {
        Event::Start(tag) => {
            reading.namespace(tag.namespace().unwrap_or_default());
            for attribute in tag.attributes() {
                reading.namespace(attribute.namespace().unwrap_or_default());
            }
        }
        Event::End(tag) => reading.namespace(tag.namespace().unwrap_or_default()),
        _ => {}
    }
}

/// Walks a tree. Comments, DOCTYPEs and templates are read in HTML only.
fn walk<R: Reading, const HTML: bool>(root: Node<'_>, reading: &mut R) {
    let edges = match HTML {
        true => root.edges().through_templates(),
        false => root.edges(),
    };
    for edge in edges {
        match edge {
            Edge::Open(node) => match node.kind() {
                NodeKind::Element => {
                    reading.start(node.name());
                    for attribute in node.attributes() {
                        reading.attribute(attribute.name(), attribute.value());
                    }
                }
                NodeKind::Text => reading.text(node.text()),
                NodeKind::Comment if HTML => reading.comment(node.text()),
                NodeKind::Doctype if HTML => reading.doctype(node.name()),
                _ => {}
            },
            Edge::Close(node) if node.is_element() => reading.end(node.name()),
            Edge::Close(_) => {}
        }
    }
}
