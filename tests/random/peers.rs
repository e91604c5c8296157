//! Random XML documents, written by a `Writer`. quick-xml and this library read the same events from them.

use quick_xml::escape::{resolve_predefined_entity, unescape};
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::name::ResolveResult;
use quick_xml::{NsReader, XmlVersion};
use std::error::Error;
use tagstream::{Parser, Xml};
use testing::effort;
use testing::generate::well_formed;
use testing::random::Random;
use testing::run::{Failed, Program};
use testing::writing::{Said, Writing, read_xml};

const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

pub(crate) fn add(program: &mut Program) {
    let seed = effort::seed(0x7065_6572);
    program.case(
        format!("xml/writing, as quick-xml reads it/seed {seed}"),
        move || documents(seed),
    );
}

fn documents(seed: u64) -> Result<(), Failed> {
    let mut random = Random(seed);
    let (mut compared, all) = (0, effort::documents(200, 2_000));
    for number in 0..all {
        let document = well_formed::document(&mut random, false).concat();
        let Some(written) = written(&document) else {
            continue;
        };
        let ours = read_xml(Xml::strict(), &written)?;
        let theirs = theirs(&written).map_err(|error| error.to_string());
        if theirs.as_ref() != Ok(&told(ours.clone())) {
            return Err(format!(
                "seed {seed}, document {number}: {written:?}\nis to quick-xml {theirs:#?}\nand to us {ours:#?}"
            )
            .into());
        }
        compared += 1;
    }
    match compared * 10 >= all * 9 {
        true => Ok(()),
        false => Err(format!("{compared} of {all} compared").into()),
    }
}

/// Writes the events of a document. Returns `None` if the document or an event is refused.
fn written(document: &[u8]) -> Option<String> {
    let mut parser = Parser::new(Xml::strict());
    parser.feed(document);
    parser.finish();
    let mut writing = Writing::new(true);
    while let Some(event) = parser.next_event().ok()? {
        writing.event(&event);
    }
    writing.finish().document.ok()
}

/// Returns the lines that both readers can provide. quick-xml returns the document type and the declaration only as
/// they are written.
fn told(mut lines: Vec<String>) -> Vec<String> {
    lines.retain(|line| !line.starts_with("doctype ") && !line.starts_with("declaration "));
    lines
}

/// Returns the events that quick-xml reads.
fn theirs(document: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let mut reader = NsReader::from_str(document);
    let (mut said, mut depth) = (Said::default(), 0_u32);
    loop {
        let (resolved, event) = reader.read_resolved_event()?;
        let namespace = name_of(&resolved)?;
        match event {
            Event::Start(tag) => {
                start(&reader, &namespace, &tag, &mut said)?;
                depth += 1;
            }
            Event::Empty(tag) => {
                start(&reader, &namespace, &tag, &mut said)?;
                said.end(tag.name().0);
            }
            Event::End(tag) => {
                said.end(tag.name().0);
                depth -= 1;
            }
            // Outside the root element there is only whitespace.
            Event::Text(text) if depth > 0 => said.text(&text.xml10_content()),
            Event::CData(text) => said.text(&text.xml10_content()),
            Event::GeneralRef(reference) => refer(&reference, &mut said)?,
            Event::Comment(comment) => {
                said.line(format!("comment {:?}", comment.xml10_content()));
            }
            Event::PI(instruction) => {
                let data = instruction.content().trim_start();
                said.line(format!("instruction {:?} {data:?}", instruction.target()));
            }
            Event::Eof => return Ok(said.all()),
            _ => {}
        }
    }
}

fn name_of(resolved: &ResolveResult<'_>) -> Result<Option<String>, Box<dyn Error>> {
    Ok(match resolved {
        ResolveResult::Bound(namespace) => Some(unescape(namespace.0)?.into_owned()),
        ResolveResult::Unbound => None,
        ResolveResult::Unknown(_) => return Err("a prefix that is not bound".into()),
    })
}

fn start(
    reader: &NsReader<&[u8]>,
    namespace: &Option<String>,
    tag: &BytesStart<'_>,
    said: &mut Said,
) -> Result<(), Box<dyn Error>> {
    let mut attributes = Vec::new();
    for one in tag.attributes() {
        let one = one?;
        let name = one.key.0;
        let namespace = match name == "xmlns" || name.starts_with("xmlns:") {
            true => Some(XMLNS.to_owned()),
            false => name_of(&reader.resolver().resolve_attribute(one.key).0)?,
        };
        let value = one.normalized_value(XmlVersion::Explicit1_0)?.into_owned();
        attributes.push((namespace, name.to_owned(), value));
    }
    said.start((namespace.as_deref(), tag.name().0), attributes.into_iter());
    Ok(())
}

fn refer(reference: &BytesRef<'_>, said: &mut Said) -> Result<(), Box<dyn Error>> {
    let name = reference.xml10_content();
    if let Some(character) = reference.resolve_char_ref()? {
        said.text(character.encode_utf8(&mut [0; 4]));
    } else if let Some(text) = resolve_predefined_entity(&name) {
        said.text(text);
    } else {
        said.line(format!("entity {name:?}"));
    }
    Ok(())
}
