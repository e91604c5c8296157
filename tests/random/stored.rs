//! Events that are saved and read back, in a format with field names and in one without. All methods of an event return
//! the same values afterwards. A saved event that was corrupted is refused, or results in an event whose methods return
//! without a panic.

use tagstream::{
    Balance, Dialect, Encoding, Error, Event, Html, LeafXml, MicroXml, Nested, OwnedEvent,
    OwnedTag, Parser, Sizes, Sky, Span, Xml,
};
use testing::generate::{self, Parts};
use testing::pull::{Pull, write_event};
use testing::random::Random;
use testing::random_cases::{Drawn, Feed, RandomTest, Verdict};
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    for kind in KINDS {
        kind.add(program);
    }
    program.case("core/stored, fields come once", fields_come_once);
}

/// The seed of the random choices that do not concern the document.
type Seed = u64;

const KINDS: [RandomTest<Seed>; 9] = [
    RandomTest {
        draw: |random| drawn(random, generate::xml::document),
        check: |seed, feed, input| {
            check(*seed, feed, input, parser(Xml::default()))?;
            check(*seed, feed, input, balanced(Xml::default()))
        },
        ..kind("xml/stored")
    },
    RandomTest {
        draw: |random| drawn(random, generate::xml::encoded),
        check: |seed, feed, input| check(*seed, feed, input, parser(Xml::strict())),
        ..kind("xml/stored, in encodings")
    },
    RandomTest {
        draw: |random| drawn(random, generate::xml::with_entities),
        check: |seed, feed, input| {
            let xml = Xml::default().external_entities(true);
            check(*seed, feed, input, parser(xml))
        },
        ..kind("xml/stored, with entities")
    },
    RandomTest {
        draw: |random| drawn(random, generate::html::document),
        check: |seed, feed, input| check(*seed, feed, input, parser(Html::default())),
        ..kind("html/stored")
    },
    RandomTest {
        draw: |random| drawn(random, generate::html::document),
        check: |seed, feed, input| check(*seed, feed, input, balanced(Html::default())),
        ..kind("html/stored, balanced")
    },
    RandomTest {
        draw: |random| {
            let (seed, parts) = drawn(random, generate::html::document);
            let name = NAMES[seed as usize % NAMES.len()];
            let parts = parts.iter();
            let encoded = parts.map(|part| generate::encoded::part(random, part, name));
            (seed, encoded.collect())
        },
        check: |seed, feed, input| {
            let encoding = Encoding::for_label(NAMES[*seed as usize % NAMES.len()]);
            let html = Html::default().encoding(encoding.expect("an encoding"));
            check(*seed, feed, input, parser(html))
        },
        ..kind("html/stored, in encodings")
    },
    RandomTest {
        draw: |random| drawn(random, generate::microxml::document),
        check: |seed, feed, input| check(*seed, feed, input, parser(MicroXml::default())),
        ..kind("microxml/stored")
    },
    RandomTest {
        draw: |random| drawn(random, generate::sky::document),
        check: |seed, feed, input| check(*seed, feed, input, parser(Sky::fragment())),
        ..kind("sky/stored")
    },
    RandomTest {
        draw: |random| drawn(random, generate::leafxml::document),
        check: |seed, feed, input| check(*seed, feed, input, parser(LeafXml::default())),
        ..kind("leafxml/stored")
    },
];

/// Encodings with one byte per character, with several bytes per character, and with escape sequences.
const NAMES: [&str; 5] = [
    "windows-1252",
    "shift_jis",
    "gb18030",
    "iso-2022-jp",
    "utf-16le",
];

const fn kind(name: &'static str) -> RandomTest<Seed> {
    RandomTest {
        name,
        quick: 200,
        full: 2_000,
        draw: |_| (0, Parts::new()),
        check: |_, _, _| Ok(Verdict::Right),
        other: [0, 0],
        shrinks: true,
    }
}

/// Batches that are so short that the owned events of most of them share a copy of their batch.
const SHORT_BATCHES: Sizes = Sizes {
    batch: 4,
    ..Sizes::USUAL
};

fn drawn(random: &mut Random, draw: fn(&mut Random) -> Parts) -> Drawn<Seed> {
    (random.number(), draw(random))
}

fn parser<D: Dialect>(dialect: D) -> Parser<D> {
    Parser::new(dialect)
        .report_errors(true)
        .inspect_sizes(SHORT_BATCHES)
}

fn balanced<D: Balance>(dialect: D) -> Parser<D, Nested> {
    Parser::new(dialect)
        .balanced()
        .report_errors(true)
        .inspect_sizes(SHORT_BATCHES)
}

/// Checks each event of a document, and the error that ends the parse.
fn check<P: Pull>(seed: Seed, feed: Feed, input: &[u8], mut parser: P) -> Result<Verdict, String> {
    let mut random = Random(seed);
    for chunk in feed.chunks(input) {
        parser.feed(bytes::Bytes::copy_from_slice(chunk));
        drain(&mut parser, &mut random)?;
    }
    parser.finish();
    drain(&mut parser, &mut random)?;
    if let Err(error) = parser.pull() {
        failure(&error)?;
    }
    Ok(Verdict::Right)
}

fn drain(parser: &mut impl Pull, random: &mut Random) -> Result<(), String> {
    loop {
        while let Ok(Some(event)) = parser.pull() {
            stored(event, random)?;
        }
        if !parser.answer() {
            return Ok(());
        }
    }
}

fn told(event: &Event<'_>) -> String {
    let mut out = String::new();
    write_event(&mut out, event);
    match event {
        // The text of an entity is not saved.
        Event::ParseError(error) => {
            let place = error
                .entity()
                .map(|place| format!("{place:?} {:?}", place.location()));
            out + &format!("{place:?} {:?}", error.related())
        }
        _ => out,
    }
}

fn stored(event: Event<'_>, random: &mut Random) -> Result<(), String> {
    let (owned, wanted) = (event.to_owned(), told(&event));
    let json = serde_json::to_string(&owned).map_err(|error| error.to_string())?;
    let bytes = postcard::to_allocvec(&owned).map_err(|error| error.to_string())?;
    if serde_json::to_string(&event).ok().as_ref() != Some(&json) {
        return Err(format!("lent, it is stored as another: {json}"));
    }
    let named: OwnedEvent =
        serde_json::from_str(&json).map_err(|error| format!("{error}: {json}"))?;
    let nameless: OwnedEvent =
        postcard::from_bytes(&bytes).map_err(|error| format!("{error}: {json}"))?;
    // A copy of an event that was read back equals the original too.
    let again = named.event().to_owned();
    for event in [&named, &nameless, &again] {
        let found = told(&event.event());
        if found != wanted || *event != owned {
            return Err(format!("wanted {wanted}\nfound {found}\nby {json}"));
        }
        if serde_json::to_string(event).ok().as_ref() != Some(&json) {
            return Err(format!("stored again, it is another: {json}"));
        }
    }
    if let Event::Start(tag) = event {
        let tag = tag.to_owned();
        let json = serde_json::to_string(&tag).map_err(|error| error.to_string())?;
        let again: OwnedTag = serde_json::from_str(&json).map_err(|error| error.to_string())?;
        if told(&OwnedEvent::from(again).event()) != wanted {
            return Err(format!("another tag: {json}"));
        }
    }
    spoilt(json.into_bytes(), bytes, random);
    Ok(())
}

/// Each field of a struct may occur only once.
fn fields_come_once() {
    let one: Span = serde_json::from_str(r#"{"start":1,"end":2}"#).expect("a span");
    assert_eq!((one.start, one.end), (1, 2));
    for twice in [
        r#"{"start":1,"start":1,"end":2}"#,
        r#"{"start":1,"end":2,"end":2}"#,
        r#"{"start":1,"end":2,"start":3}"#,
    ] {
        let error = serde_json::from_str::<Span>(twice).expect_err(twice);
        assert!(error.to_string().contains("duplicate field"), "{error}");
    }
}

/// Reads corrupted events. If an event is returned, none of its methods may panic.
fn spoilt(mut json: Vec<u8>, mut bytes: Vec<u8>, random: &mut Random) {
    for _ in 0..4 {
        spoil(&mut json, random, b"0123456789\"{}[],:tfn");
        if let Ok(event) = serde_json::from_slice::<OwnedEvent>(&json) {
            told(&event.event());
            told(&event.event().to_owned().event());
        }
        spoil(&mut bytes, random, &[0, 1, 2, 0x7F, 0x80, 0xFF]);
        if let Ok(event) = postcard::from_bytes::<OwnedEvent>(&bytes) {
            told(&event.event());
            told(&event.event().to_owned().event());
        }
    }
}

fn spoil(bytes: &mut Vec<u8>, random: &mut Random, with: &[u8]) {
    let at = random.below(bytes.len().max(1));
    let new = with[random.below(with.len())];
    match (random.below(4), bytes.get_mut(at)) {
        (0, Some(_)) => {
            bytes.remove(at);
        }
        (1, _) => bytes.insert(at, new),
        // A digit is replaced by another digit, so that the number is still a number.
        (2, Some(byte)) if byte.is_ascii_digit() => *byte = b'0' + random.below(10) as u8,
        (_, Some(byte)) => *byte = new,
        (_, None) => {}
    }
}

fn failure(error: &Error) -> Result<(), String> {
    let wrong = |error: &dyn std::fmt::Display| error.to_string();
    let json = serde_json::to_string(error).map_err(|error| wrong(&error))?;
    let bytes = postcard::to_allocvec(error).map_err(|error| wrong(&error))?;
    let named: Error = serde_json::from_str(&json).map_err(|error| wrong(&error))?;
    let nameless: Error = postcard::from_bytes(&bytes).map_err(|error| wrong(&error))?;
    for again in [named, nameless] {
        let parts = |error: &Error| {
            let written = error.written().map(str::to_owned);
            (
                error.to_string(),
                written,
                error.related().cloned(),
                error.category(),
            )
        };
        if again != *error || parts(&again) != parts(error) {
            return Err(format!("wanted {error}\nfound {again}\nby {json}"));
        }
    }
    Ok(())
}
