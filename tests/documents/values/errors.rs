//! Positions and messages of errors. Each row has a type, a document and the message.

use super::ours;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::error::Error;
use std::fmt::Debug;
use tagstream::de::{DeErrorKind, Deserializer, from_reader, from_str};
use tagstream::{Events, Xml};
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    testing::cases!(
        program,
        "xml/serde/errors",
        places,
        sources,
        depth,
        types_without_end,
        buffers,
        what_waits_takes_little_more_than_its_source,
        spans,
        other_errors,
    );
}

#[derive(Deserialize, Debug, PartialEq)]
struct Feed {
    #[serde(default)]
    entry: Vec<Entry>,
    title: Option<String>,
}

#[derive(Deserialize, Debug, PartialEq)]
struct Entry {
    #[serde(rename = "@id")]
    id: u8,
    #[serde(default)]
    size: Vec<u8>,
}

#[derive(Deserialize, Debug, PartialEq)]
#[serde(deny_unknown_fields)]
struct Strict {
    #[serde(rename = "@a")]
    a: Option<u8>,
}

/// Returns the message of the error of a document.
fn wrong<T: DeserializeOwned + Debug + PartialEq>(document: &str) -> String {
    assert_eq!(ours::<T>(document), None, "{document}");
    from_str::<T>(document).expect_err("an error").to_string()
}

fn places() {
    let rows = [
        (
            "<feed>\n <entry/>\n</feed>",
            "2:10: feed/entry: missing field `@id`",
        ),
        (
            "<feed>\n <entry id='256'/></feed>",
            "2:9: feed/entry/@id: invalid type: string \"256\", expected u8",
        ),
        (
            "<feed><entry id='1'>\n<size>1</size>\n<size>x</size></entry></feed>",
            "3:7: feed/entry/size: invalid type: string \"x\", expected u8",
        ),
        // In this document the second `entry` is not adjacent to the first, so `title` is buffered and read again.
        (
            "<feed><entry id='1'/><title>a<b/></title>\n<entry id='2'/></feed>",
            "1:30: feed/title: an element where there is to be text alone",
        ),
        (
            "<feed><title/><entry id='1'/>\n<title/></feed>",
            "2:1: feed: duplicate field `title`",
        ),
        (
            "<feed>\n",
            "2:1: the input ends before the end tag of an element: expected `</feed>`, opened at 1:1",
        ),
        ("", "1:1: "),
    ];
    for (document, wanted) in rows {
        let found = wrong::<Feed>(document);
        assert!(found.starts_with(wanted), "{document}: {found}");
    }
    let found = wrong::<Strict>("<a a='1'\n b='2'/>");
    assert_eq!(found, "2:2: a/@b: unknown field `@b`, expected `@a`");
    let found = wrong::<Strict>("<a>\n<b/></a>");
    assert_eq!(found, "2:1: a: unknown field `b`, expected `@a`");
}

fn sources() {
    let error = from_str::<u8>("<a></b>").expect_err("an error");
    let source = error
        .source()
        .and_then(|source| source.downcast_ref::<tagstream::Error>());
    assert_eq!(source.map(|source| source.as_str()), Some("stray-end-tag"));
    assert_eq!(error.position(), source.map(tagstream::Error::position));
    struct Broken;
    impl std::io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("cut off"))
        }
    }
    let error = from_reader::<_, u8>(Broken).expect_err("an error");
    assert!(error.to_string().contains("cut off"), "{error}");
    assert!(
        from_str::<u8>("<a>x</a>")
            .expect_err("an error")
            .source()
            .is_none()
    );
}

#[derive(Deserialize, Debug, PartialEq, Default)]
struct Deep {
    a: Option<Box<Deep>>,
}

#[derive(Deserialize, Debug, PartialEq)]
struct DeepList {
    #[serde(default)]
    a: Vec<DeepList>,
}

#[derive(Deserialize, Debug, PartialEq)]
enum DeepEnum {
    #[serde(rename = "a")]
    A {
        #[serde(rename = "$value")]
        inner: Option<Box<DeepEnum>>,
    },
}

fn depth() {
    let nested = |count: usize| ["<a>".repeat(count), "</a>".repeat(count)].concat();
    let kind = |document: &str| {
        [
            from_str::<Deep>(document).map(|_| ()),
            from_str::<DeepList>(document).map(|_| ()),
            from_str::<DeepEnum>(document).map(|_| ()),
        ]
        .map(|read| read.map_err(|error| error.kind().clone()))
    };
    assert_eq!(kind(&nested(128)), [Ok(()), Ok(()), Ok(())]);
    let too_deep = || Err(DeErrorKind::Depth(128));
    assert_eq!(kind(&nested(129)), [too_deep(), too_deep(), too_deep()]);
    assert_eq!(kind(&nested(9_000)), [too_deep(), too_deep(), too_deep()]);
    // Content that is skipped can be as deep as the parser allows.
    let skipped = format!("<x>{}</x>", nested(9_000));
    assert!(from_str::<()>(&skipped).is_ok());
    let read = Deserializer::of(Xml::strict(), &nested(3))
        .depth_limit(2)
        .read::<Deep>();
    assert_eq!(read.expect_err("an error").kind(), &DeErrorKind::Depth(2));
}

#[derive(Deserialize, Debug, PartialEq)]
struct Endless(Option<Box<Endless>>);

#[derive(Deserialize, Debug, PartialEq)]
enum EndlessEnum {
    #[serde(rename = "a")]
    A(Box<EndlessEnum>),
}

#[derive(Deserialize, Debug, PartialEq)]
struct EndlessItems {
    #[serde(rename = "$value")]
    items: Vec<EndlessEnum>,
}

/// A recursive type that consumes no input results in an error, not in a stack overflow.
fn types_without_end() {
    for document in ["<a/>", "<a>b</a>", "<a><a/></a>"] {
        assert!(from_str::<Endless>(document).is_err(), "{document}");
        assert!(from_str::<EndlessEnum>(document).is_err(), "{document}");
        assert!(from_str::<EndlessItems>(document).is_err(), "{document}");
    }
}

fn buffers() {
    let between = "<title>t</title>".repeat(1_000);
    let document = format!("<feed><entry id='1'/>{between}<entry id='2'/></feed>");
    let read = Deserializer::of(Xml::strict(), &document)
        .buffer_limit(10_000)
        .read::<Feed>();
    let error = read.expect_err("an error");
    assert_eq!(error.kind(), &DeErrorKind::Buffer(10_000));
    assert_eq!(error.path(), "feed/entry");
    let words = "feed/entry: more than 10000 bytes would be buffered: `buffer_limit` allows more";
    assert!(error.to_string().ends_with(words), "{error}");
    // A text that is divided by comments is buffered too.
    let text = format!("<a>{}</a>", "text<!--c-->".repeat(1_000));
    let read = Deserializer::of(Xml::strict(), &text)
        .buffer_limit(1_000)
        .read::<String>();
    assert_eq!(
        read.expect_err("an error").kind(),
        &DeErrorKind::Buffer(1_000)
    );
    assert_eq!(
        from_str::<String>(&text).map(|text| text.len()).ok(),
        Some(4_000)
    );
    // The limit is inclusive. The parts of the text have a total length of 4,000 bytes.
    for (limit, is_read) in [(3_999, false), (4_000, true)] {
        let read = Deserializer::of(Xml::strict(), &text)
            .buffer_limit(limit)
            .read::<String>();
        assert_eq!(read.is_ok(), is_read, "{limit}");
    }
    // An element is no longer buffered after it has been read.
    let round = "<a>1</a><b>2</b><a>3</a>";
    #[derive(Deserialize)]
    struct Two {
        a: Vec<u8>,
        b: Vec<u8>,
    }
    let document = format!("<x>{}</x>", format!("<y>{round}</y>").repeat(100));
    #[derive(Deserialize)]
    struct All {
        y: Vec<Two>,
    }
    let read = Deserializer::of(Xml::strict(), &document)
        .buffer_limit(60)
        .read::<All>();
    let all = read.expect("values");
    assert!(all.y.len() == 100 && all.y.iter().all(|two| two.a == [1, 3] && two.b == [2]));
    namespaces_of_buffered_elements();
}

/// The namespaces of an element are no longer buffered after it has been read, and those of the elements around it
/// still are.
fn namespaces_of_buffered_elements() {
    #[derive(Deserialize)]
    struct Two {
        a: Vec<u8>,
        b: Vec<Inner>,
    }
    #[derive(Deserialize)]
    struct Inner {
        c: Vec<u8>,
        d: Vec<u8>,
    }
    #[derive(Deserialize)]
    struct All {
        y: Vec<Two>,
    }
    let inner = |at: usize| {
        let namespace = format!("urn:{}:{at}", "n".repeat(200));
        format!("<b xmlns='{namespace}'><c>2</c><d>3</d><c>4</c></b>")
    };
    let rounds: String = (0..100)
        .map(|at| format!("<y><a>1</a>{}{}<a>5</a></y>", inner(at), inner(at)))
        .collect();
    let document = format!("<x>{rounds}</x>");
    let read = Deserializer::of(Xml::strict(), &document)
        .buffer_limit(2_000)
        .read::<All>();
    let all = read.expect("values");
    assert_eq!(all.y.len(), 100);
    for two in all.y {
        assert_eq!(two.a, [1, 5]);
        let inner: Vec<_> = two.b.into_iter().map(|inner| (inner.c, inner.d)).collect();
        assert_eq!(inner, [(vec![2, 4], vec![3]), (vec![2, 4], vec![3])]);
    }
}

#[derive(Deserialize, Debug, PartialEq)]
struct Track {
    #[serde(default)]
    wpt: Vec<Point>,
    #[serde(default)]
    trk: Vec<Point>,
    #[serde(default)]
    rte: Vec<Point>,
}

#[derive(Deserialize, Debug, PartialEq)]
struct Point {
    #[serde(rename = "@lat")]
    lat: f64,
    #[serde(rename = "@lon")]
    lon: f64,
    ele: f64,
    time: String,
}

/// Items of three lists alternate. While the first list is read, two of every three items are buffered. The buffer
/// needs little more memory than the source text of these items.
fn what_waits_takes_little_more_than_its_source() {
    let mut document = String::from("<gpx>");
    for round in 0..1_000 {
        for name in ["wpt", "trk", "rte"] {
            document.push_str(&format!(
                "<{name} lat='47.{round}' lon='8.{round}'>\n  <ele>{round}</ele>\n  \
                 <time>2026-11-23T22:{round}:00Z</time>\n</{name}>\n"
            ));
        }
    }
    document.push_str("</gpx>");
    let waiting = document.len() / 3 * 2;
    let from_str = |limit: usize| {
        let from = Deserializer::of(Xml::strict(), &document);
        from.buffer_limit(limit).read::<Track>()
    };
    let from_chunks = |limit: usize| {
        let events = Events::chunks(Xml::strict(), [document.as_bytes()]);
        Deserializer::new(events)
            .buffer_limit(limit)
            .read::<Track>()
    };
    let track = from_str(waiting / 2 * 3).expect("points");
    let lengths = [track.wpt.len(), track.trk.len(), track.rte.len()];
    assert_eq!(lengths, [1_000; 3]);
    assert_eq!(from_chunks(waiting * 2).as_ref(), Ok(&track));
    assert!(from_str(waiting / 4).is_err() && from_chunks(waiting / 4).is_err());
    // With `contiguous_lists`, a list ends at the first other element. This needs no buffer, and a further item is a
    // duplicate field.
    let contiguous = |document: &str| {
        let from = Deserializer::of(Xml::strict(), document).buffer_limit(0);
        from.contiguous_lists(true).read::<Track>()
    };
    let error = contiguous(&document).expect_err("an error");
    assert!(
        error.to_string().contains("duplicate field `wpt`"),
        "{error}"
    );
    let point = "lat='1' lon='2'><ele>3</ele><time>4</time></";
    let sorted = format!("<gpx><wpt {point}wpt><wpt {point}wpt><trk {point}trk></gpx>");
    let track = contiguous(&sorted).expect("points");
    assert_eq!((track.wpt.len(), track.trk.len()), (2, 1));
}

/// The span of an error is the tag, text or attribute, also in an element that is buffered before it is read.
fn spans() {
    let entry = "<entry id='1'/>";
    for (broken, wanted) in [
        ("<entry id='x'/>", "id='x'"),
        ("<entry\n a='' id='\u{E9}' b=''/>", "id='\u{E9}'"),
        ("<entry id='1'>\n<size>\u{E9}</size></entry>", "\u{E9}"),
        ("<entry id='1'><size><b/>1</size></entry>", "<b/>"),
        (
            "<entry id='1'><!--c--><size>1</size><size>2<b></b></size></entry>",
            "<b>",
        ),
        ("<entry\n></entry>", "</entry>"),
    ] {
        for document in [
            format!("<feed>{broken}</feed>"),
            format!("<feed>{entry}<title>\u{1F600}</title>{broken}</feed>"),
            format!("<feed>{entry}<title>\n&#9;</title>{entry}{broken}<other/></feed>"),
            format!("<list><feed>{entry}</feed><b/><feed>\n{broken}</feed></list>"),
        ] {
            let error = match document.starts_with("<list>") {
                true => from_str::<List>(&document).map(|_| ()),
                false => from_str::<Feed>(&document).map(|_| ()),
            };
            let error = error.expect_err("an error");
            let span = error.span().expect("a span");
            assert_eq!(&document[span.range()], wanted, "{error}: {document}");
            let before = &document[..span.range().start];
            let line = before.matches('\n').count() as u64 + 1;
            assert_eq!(
                error.position().map(|at| at.line()),
                Some(line),
                "{document}"
            );
        }
    }
    let error = from_str::<u8>("<a>1</b>").expect_err("an error");
    assert_eq!(error.span().map(|span| span.range()), Some(4..8));
}

#[derive(Deserialize, Debug, PartialEq)]
struct List {
    feed: Vec<Feed>,
    b: (),
}

/// The error converts to that of the parser, so that a function that parses and deserializes can use `?`.
fn other_errors() {
    let read = |document: &str| -> Result<Entry, tagstream::Error> {
        tagstream::Document::parse(Xml::strict(), document)?;
        Ok(from_str(document)?)
    };
    let error = read("<entry id='x'/>").expect_err("an error");
    assert!(matches!(error.kind(), tagstream::ErrorKind::Other(_)));
    assert_eq!((error.span().start, error.span().end), (7, 13));
    assert_eq!(error.position().to_string(), "1:8");
    let source = error
        .source()
        .and_then(|source| source.downcast_ref::<tagstream::de::DeError>());
    assert_eq!(source.map(ToString::to_string), Some(error.to_string()));
    let parsed = from_str::<Entry>("<entry id=x/>").expect_err("an error");
    let error = tagstream::Error::from(parsed);
    assert_eq!((error.as_str(), error.span().start), ("unquoted-value", 10));
}
