//! Deserialization of costly documents: lists whose items are not adjacent, nested elements, and elements that are
//! buffered to be read later. Consumed and peeked events are counted as work.

use crate::memory::{MIB, at_most, peak};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::io::{Read, Write};
use tagstream::de::{DeErrorKind, Deserializer, Records};
use tagstream::ser::to_writer;
use tagstream::{Events, Limits, Xml};
use testing::effort::sized;
use testing::run::{Failed, Program};

/// Elements with any names. Each name may occur any number of times.
type Lists = BTreeMap<String, Vec<IgnoredAny>>;

pub(crate) fn add(program: &mut Program) {
    program.case("xml/serde/work: items of two lists in turn", || {
        let document = around(&"<a>1</a><b>2</b>".repeat(sized(20_000)));
        linear::<Pair>(&document, 3)?;
        linear::<Lists>(&document, 3)
    });
    program.case("xml/serde/work: items of many lists in turn", || {
        let turn: String = (0..sized(2_000))
            .map(|name| format!("<n{name}/>"))
            .collect();
        linear::<Lists>(&around(&turn.repeat(4)), 4)
    });
    program.case("xml/serde/work: lists of one item each", || {
        let items = (0..sized(20_000)).map(|name| format!("<n{name}/>"));
        linear::<Lists>(&around(&items.collect::<String>()), 4)
    });
    program.case("xml/serde/work: a list before much else", || {
        let document = around(&format!(
            "<a>1</a>{}<b>2</b>",
            "<c d='e'>f</c>".repeat(sized(20_000))
        ));
        linear::<Pair>(&document, 3)
    });
    program.case("xml/serde/work: text between elements", || {
        let document = around(&"text<a/><!--c-->text<b/>".repeat(sized(10_000)));
        linear::<Mixed>(&document, 3)
    });
    program.case("xml/serde/work: what is kept in what is kept", kept_in_kept);
    program.case("xml/serde/work: elements of other namespaces", || {
        let turn: String = (0..sized(2_000))
            .map(|name| format!("<p:n{name}/><n{name}/><q:n{name}/>"))
            .collect();
        linear::<Lists>(&with_prefixes(&turn.repeat(2)), 4)?;
        linear::<Pair>(
            &with_prefixes(&"<p:a>1</p:a><q:b>2</q:b>".repeat(sized(20_000))),
            4,
        )
    });
    program.case(
        "xml/serde/work: elements of other namespaces in each other",
        foreign_in_foreign,
    );
    program.case("xml/serde/work: attributes of other namespaces", || {
        let names =
            (0..sized(3_000)).map(|name| format!("p:a{name}='1' a{name}='2' q:a{name}='3' "));
        let document = format!("<x xmlns:p='u' xmlns:q='v' {}/>", names.collect::<String>());
        let read = tagstream::de::from_str::<BTreeMap<String, IgnoredAny>>(&document)?;
        match read.len() == 3 * sized(3_000) + 2 {
            true => Ok::<(), Failed>(()),
            false => Err(format!("{} attributes", read.len()).into()),
        }
    });
    program.case("xml/serde/depth", depth);
    program.case_alone("xml/serde/memory: what is kept", what_is_kept);
    program.case("xml/serde/memory: what is no longer kept", discarded);
    program.case_alone("xml/serde/memory: text in parts", text_in_parts);
    program.case_alone("xml/serde/memory: an endless document", endless);
    program.case_alone("xml/serde/memory: a value that is written", written);
}

#[derive(Deserialize, Debug)]
#[expect(dead_code, reason = "it is read, not looked at")]
struct Pair {
    a: Vec<u8>,
    b: Vec<u8>,
}

#[derive(Deserialize, Debug)]
#[expect(dead_code, reason = "it is read, not looked at")]
struct Mixed {
    a: Vec<IgnoredAny>,
    #[serde(rename = "$value")]
    rest: Vec<Any>,
}

#[derive(Deserialize, Debug)]
enum Any {
    #[serde(rename = "$text")]
    Text(#[expect(dead_code, reason = "it is read, not looked at")] String),
    #[serde(other)]
    Other,
}

#[derive(Deserialize, Debug)]
struct Node {
    #[serde(default)]
    #[expect(dead_code, reason = "it is read, not looked at")]
    list: Vec<IgnoredAny>,
    node: Option<Box<Node>>,
}

fn around(inner: &str) -> String {
    format!("<x>{inner}</x>")
}

/// Returns a document in which `p` and `q` are prefixes.
fn with_prefixes(inner: &str) -> String {
    format!("<x xmlns:p='u' xmlns:q='v'>{inner}</x>")
}

fn strict() -> Xml {
    Xml::strict()
}

/// Returns the number of events of a document.
fn events(document: &str) -> u64 {
    Events::of(strict(), document).count() as u64
}

/// Returns the work that the deserialization of a document takes.
fn work<'de, T: Deserialize<'de>>(document: &'de str) -> Result<u64, Failed> {
    let mut from = Deserializer::of(strict(), document);
    T::deserialize(&mut from)?;
    Ok(from.inspect_work())
}

/// Asserts that the work is at most `times` times the number of events.
fn linear<'de, T: Deserialize<'de>>(document: &'de str, times: u64) -> Result<(), Failed> {
    let (work, events) = (work::<T>(document)?, events(document));
    match work <= times * events {
        true => Ok(()),
        false => Err(format!("work of {work} for {events} events").into()),
    }
}

/// At each depth, everything that follows is buffered again. An element that is already buffered is not read again for
/// this, so the work does not depend on the depth.
fn kept_in_kept() -> Result<(), Failed> {
    for depth in [16, 64, 120] {
        let open = "<list/><node>".repeat(depth);
        let inner = "<list/>".repeat(sized(8_000));
        let document = around(&format!("{open}{inner}{}", "</node>".repeat(depth)));
        let (work, events) = (work::<Node>(&document)?, events(&document));
        if work > 3 * events {
            return Err(format!("depth {depth}: work of {work} for {events} events").into());
        }
    }
    Ok(())
}

/// At each depth, everything that follows is read at the end of its parent. An element that is already buffered is not
/// read again for this, so the work does not depend on the depth.
fn foreign_in_foreign() -> Result<(), Failed> {
    for depth in [16, 64, 120] {
        let pairs = depth / 2;
        let inner = "<p:list/>".repeat(sized(8_000));
        let (open, close) = ("<p:node><q:node>", "</q:node></p:node>");
        let document =
            with_prefixes(&[&open.repeat(pairs), &*inner, &close.repeat(pairs)].concat());
        let (work, events) = (work::<Node>(&document)?, events(&document));
        if work > 4 * events {
            return Err(format!("depth {depth}: work of {work} for {events} events").into());
        }
    }
    Ok(())
}

/// For elements of any depth: reading them results in an error at the limit of depth, and skipping them has no effect.
fn depth() -> Result<(), Failed> {
    let deep = "<node>".repeat(100_000);
    let read = |limit: usize, document: &str| {
        let events = Events::chunks(Xml::default(), [document.to_owned()]);
        let events = events.configure(|parser| parser.limits(Limits::none()));
        Deserializer::new(events).depth_limit(limit).read::<Node>()
    };
    for limit in [0, 1, 128, 500] {
        let error = read(limit, &deep).err().ok_or("it was read")?;
        if error.kind() != &DeErrorKind::Depth(limit) {
            return Err(format!("{limit}: {error}").into());
        }
    }
    let passed = read(1, &around(&format!("<other>{deep}")))?;
    let within = "<node>".repeat(100) + &"</node>".repeat(100);
    let value = read(100, &within)?;
    let mut found = 1;
    let mut node = &value;
    while let Some(inner) = &node.node {
        (node, found) = (inner, found + 1);
    }
    match passed.node.is_none() && found == 100 {
        true => Ok(()),
        false => Err(format!("{found} nodes").into()),
    }
}

/// The memory is little more than the limit of buffered bytes. Exceeding the limit is an error.
fn what_is_kept() -> Result<(), Failed> {
    const LIMIT: usize = MIB;
    let items = [
        "<c/>".repeat(200_000),
        "<c d='e'>text</c>".repeat(100_000),
        format!("<c>{}</c>", "text &amp; ".repeat(200_000)),
        format!("<c d='{}'/>", "text &amp; ".repeat(200_000)),
        ("<c>".repeat(9_000) + &"</c>".repeat(9_000)).repeat(10),
        "<p:c xmlns:p='u'/>".repeat(100_000),
        format!("<p:c xmlns:p='{}'/>", "u".repeat(MIB / 2)).repeat(3),
    ];
    for items in items {
        let document = around(&format!("<a>1</a>{items}<b>2</b>"));
        // The memory of the parser is that of the chunk and of the longest token.
        let most = 4 * LIMIT + 6 * document.len();
        let held = peak(|| {
            let mut from = Deserializer::of(strict(), &document).buffer_limit(LIMIT);
            match Pair::deserialize(&mut from) {
                Err(error) if error.kind() == &DeErrorKind::Buffer(LIMIT) => Ok(()),
                other => Err(format!("{:?}", other.err()).into()),
            }
        })?;
        at_most(held, most)?;
    }
    Ok(())
}

/// The items of a list are buffered for each list alone: what an inner list buffered is discarded with the list, also
/// while the outer list is still being buffered.
fn discarded() -> Result<(), Failed> {
    #[derive(Deserialize)]
    struct Outer {
        pair: Vec<Pair>,
        last: Vec<u8>,
    }
    const LIMIT: usize = 2_000;
    const PAIRS: usize = 1_000;
    let pair = "<pair><a>1</a><b>2</b><a>3</a><b>4</b></pair>";
    for last in ["", "<last>5</last>"] {
        let document = around(&(last.to_owned() + &pair.repeat(PAIRS) + "<last>6</last>"));
        let mut from = Deserializer::of(strict(), &document).buffer_limit(LIMIT);
        let read = Outer::deserialize(&mut from);
        match (read, last) {
            (Ok(outer), "") if outer.pair.len() == PAIRS && outer.last == [6] => {}
            // All pairs are between two items of a list.
            (Err(error), _) if !last.is_empty() && error.kind() == &DeErrorKind::Buffer(LIMIT) => {}
            (read, _) => return Err(format!("{:?}", read.err()).into()),
        }
    }
    Ok(())
}

/// A text that comments divide is buffered up to the limit.
fn text_in_parts() -> Result<(), Failed> {
    const LIMIT: usize = MIB;
    let part = "a long text, but not so long that one of it would be too long <!--c-->".repeat(100);
    let chunks = std::iter::once("<x>".to_owned()).chain(std::iter::repeat(part));
    let held = peak(|| {
        let events = Events::chunks(strict(), chunks.take(sized(100_000)));
        let read = Deserializer::new(events)
            .buffer_limit(LIMIT)
            .read::<String>();
        match read {
            Err(error) if error.kind() == &DeErrorKind::Buffer(LIMIT) => Ok(()),
            other => Err(format!("{other:?}").into()),
        }
    })?;
    at_most(held, 5 * MIB)
}

/// A reader that returns a start tag, and then records without end. Every third record is invalid.
struct Endless(usize);

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let record: &[u8] = match self.0 {
            0 => b"<log>",
            number if number % 3 == 0 => b"<e><a>1</a><b>no number</b><c/></e>",
            _ => b"<e><a>1</a><b>2</b><c>text</c><a>3</a></e>\n",
        };
        self.0 += 1;
        buffer[..record.len()].copy_from_slice(record);
        Ok(record.len())
    }
}

/// The memory is constant whether the records are used or not. The error of a record has its position.
fn endless() -> Result<(), Failed> {
    let held = peak(|| {
        let events = Events::read(strict(), Endless(0));
        let mut wrong = 0;
        let records = Records::<Pair>::new(events, "e").take(sized(400_000));
        for (number, record) in records.enumerate() {
            let is_wrong = (number + 1) % 3 == 0;
            match record {
                Ok(_) if !is_wrong => {}
                // Two of three records end with a newline. The third record follows them on the next line.
                Err(error) if is_wrong && error.path() == "e/b" => {
                    wrong += 1;
                    let line = error.position().map(|position| position.line());
                    if line != Some(2 * wrong + 1) {
                        return Err(format!("{number}: {error}").into());
                    }
                }
                other => return Err(format!("{number}: {other:?}").into()),
            }
        }
        Ok(())
    })?;
    at_most(held, MIB)
}

/// A sequence of points that are created during serialization.
struct Points(u64);

impl Serialize for Points {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((0..self.0).map(|id| Point {
            x: id,
            inner: Inner { text: "text", id },
        }))
    }
}

#[derive(Serialize)]
struct Point {
    x: u64,
    inner: Inner,
}

/// A struct whose attribute comes after an element.
#[derive(Serialize)]
struct Inner {
    text: &'static str,
    #[serde(rename = "@id")]
    id: u64,
}

#[derive(Serialize)]
struct Track {
    point: Points,
    #[serde(rename = "@version")]
    version: u8,
}

/// A writer that counts the bytes written.
struct Counted<'a>(&'a mut usize);

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        *self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Complete output is written to the writer at once, so the memory does not depend on the length of the document.
fn written() -> Result<(), Failed> {
    let mut length = 0;
    let held = peak(|| {
        let track = Track {
            point: Points(sized(100_000) as u64),
            version: 1,
        };
        to_writer(Counted(&mut length), &track)?;
        Ok(())
    })?;
    if length < 60 * sized(100_000) {
        return Err(format!("{length} bytes were written").into());
    }
    at_most(held, MIB / 2)
}
