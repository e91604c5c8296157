//! quick-xml: the reader of a slice, the buffered reader, and the reader with namespaces. quick-xml validates neither
//! names nor characters.

use super::{Done, Job, tagstream};
use crate::inputs::Repeated;
use crate::reading::Reading;
use ::tagstream::Event as Said;
use quick_xml::events::{BytesEnd, BytesPI, BytesRef, BytesStart, BytesText, Event};
use quick_xml::name::ResolveResult;
use quick_xml::{NsReader, Reader, Writer, XmlVersion};
use std::error::Error;
use std::io::BufReader;

const VERSION: XmlVersion = XmlVersion::Explicit1_0;

/// Reads from a slice of bytes. The reader validates the UTF-8 of each string.
pub fn slice<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    let mut reader = Reader::from_reader(&job.input.bytes[..]);
    while see(reader.read_event()?, reading)? {}
    Ok(())
}

/// Writes the events of a document. Values and text are escaped, names are not changed.
pub fn write<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    let mut writer = Writer::new(Vec::with_capacity(job.input.bytes.len()));
    for event in job.input.events() {
        match event.event() {
            Said::Start(tag) => {
                let mut start = BytesStart::new(tag.name());
                for one in tag.attributes().filter(|one| one.is_specified()) {
                    start.push_attribute((one.name(), one.value()));
                }
                writer.write_event(Event::Start(start))?;
            }
            Said::End(tag) => writer.write_event(Event::End(BytesEnd::new(tag.name())))?,
            Said::Text(text) => writer.write_event(Event::Text(BytesText::new(text.as_str())))?,
            Said::Comment(comment) => {
                writer.write_event(Event::Comment(BytesText::from_escaped(comment.as_str())))?;
            }
            Said::ProcessingInstruction(instruction) => {
                let content = format!("{} {}", instruction.target(), instruction.data());
                writer.write_event(Event::PI(BytesPI::new(content)))?;
            }
            _ => {}
        }
    }
    tagstream::read_written(&writer.into_inner(), reading)
}

/// Reads each event as an owned event.
pub fn into_owned<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    let mut reader = Reader::from_reader(&job.input.bytes[..]);
    while see(reader.read_event()?.into_owned(), reading)? {}
    Ok(())
}

/// Reads through a buffer of the size of a chunk.
pub fn buffered<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    let capacity = job.chunk.min(job.input.bytes.len());
    let source = BufReader::with_capacity(capacity, &job.input.bytes[..]);
    let mut reader = Reader::from_reader(source);
    let mut buffer = Vec::new();
    while see(reader.read_event_into(&mut buffer)?, reading)? {
        buffer.clear();
    }
    Ok(())
}

/// Reads the namespace names too.
pub fn namespaces<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    let mut reader = NsReader::from_reader(&job.input.bytes[..]);
    loop {
        let (resolved, event) = reader.read_resolved_event()?;
        namespace(&resolved, reading);
        let goes_on = match event {
            Event::Start(ref tag) | Event::Empty(ref tag) => {
                reading.start(tag.name().0);
                for attribute in tag.attributes() {
                    let attribute = attribute?;
                    let (resolved, _) = reader.resolver().resolve_attribute(attribute.key);
                    namespace(&resolved, reading);
                    reading.attribute(attribute.key.0, &attribute.normalized_value(VERSION)?);
                }
                if let Event::Empty(tag) = event {
                    reading.end(tag.name().0);
                }
                true
            }
            event => see(event, reading)?,
        };
        if !goes_on {
            return Ok(());
        }
    }
}

fn namespace<R: Reading>(resolved: &ResolveResult<'_>, reading: &mut R) {
    if let ResolveResult::Bound(namespace) = resolved {
        reading.namespace(namespace.0);
    }
}

/// Reads the records of a very long document one after the other, without building a value for each.
pub fn records_not_kept<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    let mut reader = Reader::from_reader(records_source(job));
    let mut buffer = Vec::new();
    let mut depth = 0_u32;
    loop {
        let event = reader.read_event_into(&mut buffer)?;
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            _ => {}
        }
        // Outside records, there are only the root element and the whitespace between the records.
        let is_in_record = match event {
            Event::Start(_) => depth > 1,
            Event::End(_) => depth > 0,
            Event::Eof => return Ok(()),
            _ => depth > 1,
        };
        if is_in_record {
            see(event, reading)?;
        }
        buffer.clear();
    }
}

fn records_source<'a>(job: &Job<'a>) -> BufReader<Repeated<'a>> {
    BufReader::with_capacity(64 << 10, job.input.repeated())
}

/// Reads the records of a very long document one after the other, each into a struct of strings.
pub fn records<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    let mut reader = Reader::from_reader(records_source(job));
    let mut buffer = Vec::new();
    loop {
        match reader.read_event_into(&mut buffer)? {
            Event::Start(tag) if tag.name().0 == "record" => {
                let mut record = Element::new(&tag)?;
                buffer.clear();
                fill(&mut record, &mut reader, &mut buffer)?;
                record.read(reading);
            }
            Event::Eof => return Ok(()),
            _ => {}
        }
        buffer.clear();
    }
}

/// A record, or a field of a record. A field has no fields of its own.
struct Element {
    name: String,
    attributes: Vec<(String, String)>,
    text: String,
    fields: Vec<Element>,
}

impl Element {
    fn new(tag: &BytesStart<'_>) -> Result<Element, Box<dyn Error>> {
        let mut attributes = Vec::new();
        for attribute in tag.attributes() {
            let attribute = attribute?;
            let value = attribute.normalized_value(VERSION)?.into_owned();
            attributes.push((attribute.key.0.to_owned(), value));
        }
        Ok(Element {
            name: tag.name().0.to_owned(),
            attributes,
            text: String::new(),
            fields: Vec::new(),
        })
    }

    fn read<R: Reading>(&self, reading: &mut R) {
        reading.start(&self.name);
        for (name, value) in &self.attributes {
            reading.attribute(name, value);
        }
        if !self.text.is_empty() {
            reading.text(&self.text);
        }
        for field in &self.fields {
            field.read(reading);
        }
        reading.end(&self.name);
    }
}

/// Reads the rest of a record.
fn fill(
    record: &mut Element,
    reader: &mut Reader<impl std::io::BufRead>,
    buffer: &mut Vec<u8>,
) -> Done {
    let mut is_in_field = false;
    loop {
        let event = reader.read_event_into(buffer)?;
        let open = match is_in_field {
            true => record.fields.last_mut(),
            false => None,
        };
        match event {
            Event::Start(tag) => {
                record.fields.push(Element::new(&tag)?);
                is_in_field = true;
            }
            Event::Empty(tag) => record.fields.push(Element::new(&tag)?),
            Event::End(_) if is_in_field => is_in_field = false,
            Event::End(_) => return Ok(()),
            Event::Text(text) => {
                let target = open.map_or(&mut record.text, |field| &mut field.text);
                target.push_str(&text.xml10_content());
            }
            Event::GeneralRef(reference) => {
                let target = open.map_or(&mut record.text, |field| &mut field.text);
                resolve(&reference, |text| target.push_str(text))?;
            }
            Event::Eof => return Err("a record without its end".into()),
            _ => {}
        }
        buffer.clear();
    }
}

/// Reads an event. Returns false at the end of the document.
#[inline(always)]
fn see<R: Reading>(event: Event<'_>, reading: &mut R) -> Result<bool, Box<dyn Error>> {
    match event {
        Event::Start(tag) => start(&tag, reading)?,
        Event::Empty(tag) => {
            start(&tag, reading)?;
            reading.end(tag.name().0);
        }
        Event::End(tag) => reading.end(tag.name().0),
        Event::Text(text) => reading.text(&text.xml10_content()),
        Event::CData(text) => reading.text(&text.xml10_content()),
        Event::GeneralRef(reference) => resolve(&reference, |text| reading.text(text))?,
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

fn resolve(reference: &BytesRef<'_>, mut see: impl FnMut(&str)) -> Done {
    if let Some(character) = reference.resolve_char_ref()? {
        see(character.encode_utf8(&mut [0; 4]));
    } else if let Some(text) =
        quick_xml::escape::resolve_predefined_entity(&reference.xml10_content())
    {
        see(text);
    }
    Ok(())
}
