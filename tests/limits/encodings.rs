//! Input in encodings other than UTF-8. The parser buffers its bytes in addition to the decoded text: both together are
//! within the limits, and the cost of a position depends only on the nearby input.

use crate::memory::{ALLOCATOR, MIB, at_most, peak};
use tagstream::{Encoding, Event, Limits, Parser, TextPolicy, Xml};
use testing::effort::sized;
use testing::run::{Failed, Program};

/// The encodings, each with a text that has many bytes per character where the encoding allows it.
const TEXTS: [(&str, &[u8]); 6] = [
    ("utf-16le", b"a\0"),
    ("utf-32be", b"\0\0\0a"),
    ("iso-2022-jp", b"\x1B(Ja\x1B(Bb"),
    ("gb18030", b"\x81\x30\x81\x30"),
    ("shift_jis", b"\x82\xA0a"),
    ("windows-1252", b"a"),
];

/// Bytes that are ill-formed in an encoding.
const ILL_FORMED: [(&str, &[u8]); 5] = [
    ("utf-16le", b"\0\xD8"),
    ("utf-32be", b"\0\x11\0\0"),
    ("iso-2022-jp", b"\x82\xA0"),
    ("gb18030", b"\xFF"),
    ("shift_jis", b"\x80\xFF"),
];

/// The limit of memory, and the memory of buffers of fixed size, which is added to it.
const MEMORY: usize = 16 * MIB;
const FIXED: usize = 3 * MIB;

/// Maximum number of bytes that are decoded again to find one position.
const NEAR: u64 = 5 << 10;

pub(crate) fn add(program: &mut Program) {
    for (name, text) in TEXTS {
        let case = format!("xml/memory: a text in {name}");
        program.case_alone(case, move || one_text(name, text));
        let case = format!("xml/work: places in {name}");
        program.case(case, move || places(name));
    }
    for (name, bytes) in ILL_FORMED {
        let case = format!("xml/memory: ill-formed text in {name}");
        program.case_alone(case, move || ill_formed_pieces(name, bytes));
    }
}

/// Asserts that text without any well-formed character, which is returned in pieces, is not held.
fn ill_formed_pieces(name: &str, bytes: &[u8]) -> Result<(), Failed> {
    let chunk = bytes.repeat(1 << 10);
    let length = sized(16 * MIB);
    let held = peak(|| {
        let xml = Xml::default().fragment().encoding(encoding(name));
        let mut parser = Parser::new(xml).text(TextPolicy::Pieces);
        let mut end = 0;
        while (end as usize) < length {
            parser.feed(chunk.as_slice());
            while let Some(event) = parser.next_event()? {
                end = end.max(event.span().end);
            }
        }
        Ok::<(), Failed>(())
    })?;
    at_most(held, MIB)
}

fn encoding(name: &str) -> Encoding {
    Encoding::for_xml_label(name).expect("an encoding")
}

/// Encodes text.
fn encoded(text: &str, name: &str) -> Vec<u8> {
    match name {
        "utf-16le" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "utf-32be" => text
            .chars()
            .flat_map(|c| u32::from(c).to_be_bytes())
            .collect(),
        _ => text.as_bytes().to_vec(),
    }
}

/// Asserts that a text without an end is refused at the same position for every cut, and that the memory is within its
/// limit until then.
fn one_text(name: &str, text: &[u8]) -> Result<(), Failed> {
    let chunk = text.repeat(1 << 10);
    let mut ends = Vec::new();
    for size in [1000, 1 << 16] {
        let limits = Limits::none().memory(MEMORY);
        let xml = Xml::default().encoding(encoding(name));
        let before = ALLOCATOR.current_usage();
        ALLOCATOR.reset_peak_usage();
        let mut parser = Parser::new(xml).limits(limits);
        parser.feed(encoded("<a>", name));
        let endless = std::iter::repeat(&chunk).flatten().copied();
        let mut endless = endless.take(8 * MEMORY);
        let end = loop {
            let piece: Vec<u8> = endless.by_ref().take(size).collect();
            if piece.is_empty() {
                return Err("no limit was reached".into());
            }
            parser.feed(piece);
            let mut next = parser.next_event();
            while let Ok(Some(_)) = next {
                next = parser.next_event();
            }
            if let Err(error) = next {
                break (error.limit().map(|limit| limit.as_str()), error.span());
            }
        };
        let peak = ALLOCATOR.peak_usage().saturating_sub(before);
        if peak > MEMORY + FIXED {
            return Err(format!("{peak} bytes were held").into());
        }
        ends.push(end);
    }
    match ends[0].0 == Some("memory-limit") && ends[0] == ends[1] {
        true => Ok(()),
        false => Err(format!("{ends:?}").into()),
    }
}

/// Asserts that each request for a position decodes at most some KiB again, for every object that has a position and in
/// any order of the requests.
fn places(name: &str) -> Result<(), Failed> {
    let document = format!("<a>{}</a>", "<b c='d'>text</b>".repeat(10_000));
    let bytes = encoded(&document, name);
    let xml = Xml::default().encoding(encoding(name));
    for size in [100, 1 << 20] {
        let mut parser = Parser::new(xml.clone()).report_errors(true);
        let mut asked = 0;
        for chunk in bytes.chunks(size).map(Some).chain([None]) {
            match chunk {
                Some(chunk) => parser.feed(chunk),
                None => parser.finish(),
            }
            while let Some(event) = parser.next_event()? {
                asked += 2;
                let mut last = event.span();
                if let Event::Start(tag) = &event {
                    for attribute in tag.attributes() {
                        asked += 4;
                        // The requests alternate between later and earlier positions.
                        last = attribute.value_span();
                        last.start = last.start.min(attribute.name_span().start);
                    }
                }
                if last.end > bytes.len() as u64 {
                    return Err(format!("{last} is outside").into());
                }
            }
        }
        let places = parser.stats().places;
        if places > NEAR * asked || places == 0 {
            return Err(format!("{asked} questions looked at {places} bytes").into());
        }
        println!("{name}, {size}: {} bytes a question", places / asked);
    }
    Ok(())
}
