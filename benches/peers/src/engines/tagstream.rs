//! tagstream: events as they are lent, in several ways, owned events, and the tree.

use super::{Done, Job};
use bytes::Bytes;
use peers::reading::Reading;
use tagstream::tree::Edge;
use tagstream::{Balanced, Document, Event, Parser, TextPolicy, TreeBuilder, Xml};

impl Job<'_> {
    fn chunks(&self) -> impl Iterator<Item = Bytes> {
        let (bytes, size) = (&self.input.bytes, self.chunk);
        let starts = (0..bytes.len()).step_by(size);
        starts.map(move |from| bytes.slice(from..from.saturating_add(size).min(bytes.len())))
    }
}

pub fn events<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    pull::<R, false>(Parser::new(Xml::default()), job, reading)
}

pub fn events_without_namespaces<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    let xml = Xml::default().namespaces(false);
    pull::<R, false>(Parser::new(xml), job, reading)
}

/// With the names of namespaces read too.
pub fn events_with_namespaces<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    pull::<R, true>(Parser::new(Xml::default()), job, reading)
}

pub fn strict<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    pull::<R, false>(Parser::new(Xml::strict()), job, reading)
}

pub fn pieces<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    let parser = Parser::new(Xml::default()).text(TextPolicy::Pieces);
    pull::<R, false>(parser, job, reading)
}

fn pull<R: Reading, const NAMESPACES: bool>(
    mut parser: Parser<Xml>,
    job: &Job<'_>,
    reading: &mut R,
) -> Done {
    for chunk in job.chunks() {
        parser.feed(chunk);
        while let Some(event) = parser.next_event()? {
            see::<R, NAMESPACES>(&event, reading);
        }
    }
    parser.finish();
    while let Some(event) = parser.next_event()? {
        see::<R, NAMESPACES>(&event, reading);
    }
    Ok(())
}

/// Fed from a buffer that the parser must copy.
pub fn copied<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    let mut parser = Parser::new(Xml::default());
    for chunk in job.input.bytes.chunks(job.chunk) {
        parser.feed_slice(chunk);
        while let Some(event) = parser.next_event()? {
            see::<R, false>(&event, reading);
        }
    }
    parser.finish();
    while let Some(event) = parser.next_event()? {
        see::<R, false>(&event, reading);
    }
    Ok(())
}

pub fn balanced<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    let mut parser = Balanced::new(Xml::default());
    for chunk in job.chunks() {
        parser.feed(chunk);
        while let Some(event) = parser.next_event()? {
            see::<R, false>(&event, reading);
        }
    }
    parser.finish();
    while let Some(event) = parser.next_event()? {
        see::<R, false>(&event, reading);
    }
    Ok(())
}

pub fn owned<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    let mut parser = Parser::new(Xml::default());
    for chunk in job.chunks() {
        parser.feed(chunk);
        for event in &mut parser {
            see::<R, false>(&event?.event(), reading);
        }
    }
    parser.finish();
    for event in &mut parser {
        see::<R, false>(&event?.event(), reading);
    }
    Ok(())
}

pub fn tree<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    let mut builder = TreeBuilder::new(Xml::default());
    for chunk in job.chunks() {
        builder.feed(chunk);
        builder.build()?;
    }
    builder.finish();
    builder.build()?;
    walk(&builder.into_sink(), reading);
    Ok(())
}

fn walk<R: Reading>(document: &Document, reading: &mut R) {
    for edge in document.root().edges() {
        match edge {
            Edge::Open(node) if node.is_element() => {
                reading.start(node.name());
                for attribute in node.attributes() {
                    reading.attribute(attribute.name(), attribute.value());
                }
            }
            Edge::Open(node) if node.is_text() => reading.text(node.text()),
            Edge::Close(node) if node.is_element() => reading.end(node.name()),
            _ => {}
        }
    }
}

#[inline(always)]
fn see<R: Reading, const NAMESPACES: bool>(event: &Event<'_>, reading: &mut R) {
    match event {
        Event::Start(tag) => {
            reading.start(tag.name());
            if NAMESPACES && let Some(namespace) = tag.namespace() {
                reading.namespace(namespace);
            }
            for attribute in tag.attributes() {
                reading.attribute(attribute.name(), attribute.value());
                if NAMESPACES && let Some(namespace) = attribute.namespace() {
                    reading.namespace(namespace);
                }
            }
        }
        Event::End(tag) => {
            reading.end(tag.name());
            if NAMESPACES && let Some(namespace) = tag.namespace() {
                reading.namespace(namespace);
            }
        }
        Event::Text(text) => reading.text(text.as_str()),
        _ => {}
    }
}
