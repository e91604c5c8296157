//! quick-xml: its reader of a slice, by which all are measured, its buffered reader, and its reader
//! with namespaces. It checks neither names nor characters.

use super::{Done, Job};
use peers::reading::Reading;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::name::ResolveResult;
use quick_xml::{NsReader, Reader, XmlVersion};
use std::io::{BufReader, Read};

const VERSION: XmlVersion = XmlVersion::Explicit1_0;

pub fn slice<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    let mut reader = Reader::from_str(&job.input.text);
    while see(reader.read_event()?, reading)? {}
    Ok(())
}

pub fn buffered<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    let chunks = Chunks {
        rest: &job.input.bytes,
        size: job.chunk,
    };
    let capacity = job.chunk.min(job.input.bytes.len());
    let mut reader = Reader::from_reader(BufReader::with_capacity(capacity, chunks));
    let mut buffer = Vec::new();
    while see(reader.read_event_into(&mut buffer)?, reading)? {
        buffer.clear();
    }
    Ok(())
}

pub fn namespaces<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    let mut reader = NsReader::from_str(&job.input.text);
    loop {
        let (resolved, event) = reader.read_resolved_event()?;
        if let ResolveResult::Bound(namespace) = resolved {
            reading.namespace(namespace.0);
        }
        if let Event::Start(tag) | Event::Empty(tag) = &event {
            for attribute in tag.attributes() {
                let (resolved, _) = reader.resolver().resolve_attribute(attribute?.key);
                if let ResolveResult::Bound(namespace) = resolved {
                    reading.namespace(namespace.0);
                }
            }
        }
        if !see(event, reading)? {
            return Ok(());
        }
    }
}

/// Hands out a slice in pieces.
struct Chunks<'a> {
    rest: &'a [u8],
    size: usize,
}

impl Read for Chunks<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = self.rest.len().min(self.size).min(buffer.len());
        let (chunk, rest) = self.rest.split_at(length);
        buffer[..length].copy_from_slice(chunk);
        self.rest = rest;
        Ok(length)
    }
}

/// Reads an event; gives whether the document goes on.
#[inline(always)]
fn see<R: Reading>(event: Event<'_>, reading: &mut R) -> Result<bool, Box<dyn std::error::Error>> {
    match event {
        Event::Start(tag) => start(&tag, reading)?,
        Event::Empty(tag) => {
            start(&tag, reading)?;
            reading.end(tag.name().0);
        }
        Event::End(tag) => reading.end(tag.name().0),
        Event::Text(text) => reading.text(&text.xml10_content()),
        Event::CData(text) => reading.text(&text.xml10_content()),
        Event::GeneralRef(reference) => resolve(&reference, reading)?,
        Event::Eof => return Ok(false),
        _ => {}
    }
    Ok(true)
}

#[inline(always)]
fn start<R: Reading>(tag: &BytesStart<'_>, reading: &mut R) -> Done {
    reading.start(tag.name().0);
    for attribute in tag.attributes() {
        let attribute = attribute?;
        reading.attribute(attribute.key.0, &attribute.normalized_value(VERSION)?);
    }
    Ok(())
}

fn resolve<R: Reading>(reference: &BytesRef<'_>, reading: &mut R) -> Done {
    if let Some(character) = reference.resolve_char_ref()? {
        reading.text(character.encode_utf8(&mut [0; 4]));
    } else if let Some(text) =
        quick_xml::escape::resolve_predefined_entity(&reference.xml10_content())
    {
        reading.text(text);
    }
    Ok(())
}
