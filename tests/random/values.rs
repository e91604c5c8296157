//! Random values are serialized and read back; quick-xml also reads the same values. Random documents are deserialized:
//! the result is the same for a string and for chunks, and nothing panics. `TAGSTREAM_DOCUMENTS` sets the number of
//! values and documents.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Debug;
use tagstream::de::{Deserializer, Records, from_str};
use tagstream::ser::to_string;
use tagstream::{Events, Xml};
use testing::effort;
use testing::random::Random;
use testing::random_cases::Feed;
use testing::run::{Failed, Program};

pub(crate) fn add(program: &mut Program) {
    let seed = effort::seed(0x7661_6c75);
    program.case(format!("xml/values/written/seed {seed}"), move || {
        written(seed)
    });
    program.case(format!("xml/values/documents/seed {seed}"), move || {
        documents(seed)
    });
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
#[serde(rename = "node")]
struct Node {
    #[serde(rename = "@id", skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(default)]
    list: Vec<Node>,
    #[serde(rename = "@sizes", default, skip_serializing_if = "Vec::is_empty")]
    sizes: Vec<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<Kind>,
    #[serde(default)]
    pair: Vec<(bool, f64)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    held: Option<Box<Held>>,
    #[serde(rename = "@sign")]
    sign: char,
    name: String,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
enum Kind {
    One,
    Two,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Held {
    #[serde(rename = "$value", default)]
    all: Vec<Choice>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Choice {
    Unit,
    Number(u64),
    Node(Node),
    Fields { a: u8, b: String },
}

const TEXTS: [&str; 8] = [
    "",
    "a",
    "a b",
    " ",
    "<&>\"'",
    "]]>",
    "\u{1F600}\u{E9}",
    "a\r\nb\tc",
];

fn text(random: &mut Random) -> String {
    let some = |random: &mut Random| TEXTS[random.below(TEXTS.len())];
    [some(random), some(random)].concat()
}

fn node(random: &mut Random, depth: usize) -> Node {
    let few = |random: &mut Random| random.below(if depth > 3 { 1 } else { 3 });
    Node {
        id: (random.below(2) == 0).then(|| text(random)),
        list: (0..few(random)).map(|_| node(random, depth + 1)).collect(),
        sizes: (0..few(random))
            .map(|_| random.below(9) as i32 - 4)
            .collect(),
        kind: [None, Some(Kind::One), Some(Kind::Two)]
            .into_iter()
            .nth(random.below(3))
            .flatten(),
        pair: Vec::new(),
        held: (few(random) > 0).then(|| Box::new(held(random, depth + 1))),
        sign: ['a', '<', '"', '\u{E9}'][random.below(4)],
        name: text(random),
    }
}

fn held(random: &mut Random, depth: usize) -> Held {
    let choice = |random: &mut Random| match random.below(4) {
        0 => Choice::Unit,
        1 => Choice::Number(random.below(1_000) as u64),
        2 if depth < 4 => Choice::Node(node(random, depth + 1)),
        _ => Choice::Fields {
            a: random.below(256) as u8,
            b: text(random),
        },
    };
    // If there are no items, the element is empty and has no field `$value`, so the field gets its default value.
    Held {
        all: (0..random.below(4)).map(|_| choice(random)).collect(),
    }
}

fn written(seed: u64) -> Result<(), Failed> {
    let mut random = Random(seed);
    for number in 0..effort::documents(200, 1_000) {
        let value = node(&mut random, 0);
        let wrong = |what: &str| format!("seed {seed}, value {number}: {what}: {value:?}");
        let document = to_string(&value).map_err(|error| wrong(&error.to_string()))?;
        let again = from_str::<Node>(&document).map_err(|error| wrong(&error.to_string()))?;
        if again != value {
            return Err(wrong(&document).into());
        }
        let theirs = quick_xml::de::from_str::<Node>(&document);
        if theirs.map_err(|error| wrong(&error.to_string()))? != value {
            return Err(wrong("quick-xml reads another").into());
        }
        let theirs = quick_xml::se::to_string(&value).map_err(|error| wrong(&error.to_string()))?;
        // quick-xml does not escape carriage returns and tabs, so these values are not compared.
        if !theirs.contains(['\r', '\t']) && from_str::<Node>(&theirs).as_ref() != Ok(&value) {
            return Err(wrong(&theirs).into());
        }
    }
    Ok(())
}

const PIECES: [&str; 20] = [
    "<node sign='a'>",
    "</node>",
    "<list sign='b' id='1'>",
    "</list>",
    "<name>",
    "</name>",
    "<name/>",
    "<held>",
    "</held>",
    "<unit/>",
    "<number>7</number>",
    "<fields>",
    "<a>1</a>",
    "</fields>",
    "text",
    " ",
    "<!--c-->",
    "<![CDATA[d]]>",
    "&amp;",
    "<kind>One</kind>",
];

fn documents(seed: u64) -> Result<(), Failed> {
    let mut random = Random(seed);
    for number in 0..effort::documents(300, 2_000) {
        let mut document = String::from(if random.below(4) == 0 {
            ""
        } else {
            "<node sign='a'>"
        });
        // A few documents have many batches.
        let pieces = if random.one_in(16) { 2_000 } else { 24 };
        for _ in 0..random.below(pieces) {
            document.push_str(PIECES[random.below(PIECES.len())]);
        }
        let feed = Feed::draw(&mut random);
        let told = one::<Node>(&document, feed)
            .and_then(|()| one::<Held>(&document, feed))
            .and_then(|()| one::<Choice>(&document, feed))
            .and_then(|()| one::<String>(&document, feed))
            .and_then(|()| one::<BTreeMap<String, Vec<Maybe>>>(&document, feed));
        told.map_err(|wrong| format!("seed {seed}, document {number}: {wrong}: {document}"))?;
        let records = Records::<Node>::new(Events::of(Xml::default(), &*document), "node");
        if records.count() > document.len() {
            return Err(format!("seed {seed}, document {number}: too many: {document}").into());
        }
    }
    Ok(())
}

#[derive(Deserialize, Debug, PartialEq)]
#[serde(untagged)]
enum Maybe {
    Map(BTreeMap<String, Maybe>),
    Text(String),
}

/// Asserts that the value is the same for a string, for its bytes one by one, and for chunks and sizes of any kind, with
/// and without error recovery and limits, and that a value that the strict mode accepts is the same with error recovery.
fn one<T: DeserializeOwned + Debug + PartialEq>(document: &str, feed: Feed) -> Result<(), String> {
    let mut values = Vec::new();
    for dialect in [Xml::strict(), Xml::default()] {
        let whole = Deserializer::of(dialect.clone(), document).read::<T>();
        let read = |feed: Feed| {
            let chunks: Vec<&[u8]> = feed.chunks(document.as_bytes()).collect();
            let events = Events::chunks(dialect.clone(), chunks)
                .as_written()
                .balanced();
            let events = events.configure(|parser| {
                let parser = parser.limits(feed.limits);
                parser.inspect_sizes(feed.sizes)
            });
            format!("{:?}", Deserializer::new(events).read::<T>())
        };
        let cut = read(Feed {
            chunk: 1,
            sizes: feed.sizes,
            ..Feed::whole()
        });
        if format!("{whole:?}") != cut {
            return Err(format!("{whole:?}, and cut {cut}"));
        }
        let whole_limited = read(Feed {
            limits: feed.limits,
            ..Feed::whole()
        });
        let cut_limited = read(feed);
        if whole_limited != cut_limited {
            return Err(format!("{feed:?}: {whole_limited}, and cut {cut_limited}"));
        }
        values.push(whole.ok());
    }
    match &values[..] {
        [strict @ Some(_), repaired] if strict != repaired => Err(format!("{values:?}")),
        _ => Ok(()),
    }
}
