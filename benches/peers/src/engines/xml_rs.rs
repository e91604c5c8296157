//! xml-rs, whose crate is now called `xml`.

use super::{Done, Job};
use crate::reading::Reading;
use std::borrow::Cow;
use xml::name::Name;
use xml::reader::{ParserConfig, XmlEvent};

pub fn events<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    let config = ParserConfig::new()
        .whitespace_to_characters(true)
        .cdata_to_characters(true)
        .ignore_comments(true)
        .coalesce_characters(false);
    let mut reader = config.create_reader(&job.input.bytes[..]);
    loop {
        match reader.next()? {
            XmlEvent::StartElement {
                name, attributes, ..
            } => {
                reading.start(&qualified(name.borrow()));
                for attribute in &attributes {
                    let name = qualified(attribute.name.borrow());
                    reading.attribute(&name, &attribute.value);
                }
            }
            XmlEvent::EndElement { name } => reading.end(&qualified(name.borrow())),
            XmlEvent::Characters(text) => reading.text(&text),
            XmlEvent::EndDocument => return Ok(()),
            _ => {}
        }
    }
}

fn qualified(name: Name<'_>) -> Cow<'_, str> {
    match name.prefix {
        Some(prefix) => Cow::Owned(format!("{prefix}:{}", name.local_name)),
        None => Cow::Borrowed(name.local_name),
    }
}
