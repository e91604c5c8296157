//! The types that input can have, and strings as input.

use bytes::{Bytes, BytesMut};
use std::borrow::Cow;
use std::io::{self, Read};
use std::sync::Arc;
use tagstream::{
    Category, Dialect, Encoding, ErrorKind, Events, Html, LeafXml, MicroXml, Parser, Sky, Xml,
};
use testing::cases;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    cases!(
        program,
        "core/chunks",
        every_kind_is_input,
        a_string_is_utf8,
        bytes_after_a_string_are_utf8,
        a_string_after_other_bytes,
        results_of_chunks,
        a_reader_that_would_block,
    );
}

/// Returns the `Debug` representations of the events, and the error that ends them.
fn seen<D: Dialect>(mut parser: Parser<D>) -> (Vec<String>, Option<ErrorKind>) {
    parser.finish();
    let mut seen = Vec::new();
    loop {
        match parser.next_event() {
            Ok(Some(event)) => seen.push(format!("{event:?}")),
            Ok(None) => return (seen, None),
            Err(error) => return (seen, Some(error.kind().clone())),
        }
    }
}

fn every_kind_in<D: Dialect>(dialect: D) {
    const TEXT: &str = "<a>tö";
    const BYTES: &[u8] = TEXT.as_bytes();
    let fresh = || Parser::new(dialect.clone());
    let mut parsers = Vec::new();
    let mut expected = fresh();
    expected.feed(TEXT);
    expected.feed(&b"</a>"[..]);
    let expected = seen(expected).0;
    macro_rules! kinds {
        ($($chunk:expr),* $(,)?) => {$({
            let mut parser = fresh();
            parser.feed($chunk);
            parser.feed("");
            parser.feed(b"</a>");
            parsers.push((stringify!($chunk), parser));
        })*};
    }
    kinds!(
        TEXT,
        &TEXT,
        TEXT.to_owned(),
        &TEXT.to_owned(),
        Box::<str>::from(TEXT),
        Arc::<str>::from(TEXT).as_ref(),
        &Arc::<str>::from(TEXT),
        Cow::Borrowed(TEXT),
        Cow::<str>::Owned(TEXT.to_owned()),
        &Cow::Borrowed(TEXT),
        BYTES,
        &BYTES,
        BYTES.to_vec(),
        &BYTES.to_vec(),
        Box::<[u8]>::from(BYTES),
        &Arc::<[u8]>::from(BYTES),
        Cow::Borrowed(BYTES),
        Cow::<[u8]>::Owned(BYTES.to_vec()),
        b"<a>t\xC3\xB6",
        Bytes::from_static(BYTES),
        &Bytes::from_static(BYTES),
        BytesMut::from(BYTES),
        &BytesMut::from(BYTES),
    );
    for (kind, parser) in parsers {
        assert_eq!(seen(parser).0, expected, "{kind}");
    }
}

fn every_kind_is_input() {
    every_kind_in(Html::default().encoding(Encoding::UTF_8));
    every_kind_in(Xml::default());
    every_kind_in(Xml::strict());
    every_kind_in(MicroXml::default());
    every_kind_in(Sky::fragment());
    every_kind_in(LeafXml::default());
}

/// Parses chunks that are strings.
fn text_first<D: Dialect>(dialect: D, chunks: &[&str]) -> (Vec<String>, Option<ErrorKind>) {
    let mut parser = Parser::new(dialect).report_errors(true);
    for chunk in chunks {
        parser.feed(*chunk);
    }
    seen(parser)
}

fn a_string_is_utf8() {
    // A string is Unicode text, whatever its XML declaration, the caller's option or its first bytes say about an
    // encoding.
    let declared = "<?xml version='1.0' encoding='ISO-8859-1'?><a>é</a>";
    for xml in [Xml::strict(), Xml::strict().encoding(Encoding::UTF_16LE)] {
        let (found, error) = text_first(xml, &[declared]);
        assert!(error.is_none(), "{error:?}");
        assert_eq!(found[2], "Text(\"é\")");
    }
    for page in [
        "<meta charset=windows-1251><p>é",
        "\u{FEFF}<meta charset=utf-16><p>é",
        "<p>é",
    ] {
        for cut in [1, 2, 3] {
            let cut = page.char_indices().nth(cut).unwrap().0;
            let chunks = [&page[..cut], "", &page[cut..]];
            for html in [
                Html::default(),
                Html::default().encoding(Encoding::LATIN_1),
                Html::default().fallback_encoding(Encoding::WINDOWS_1252),
            ] {
                let (found, error) = text_first(html, &chunks);
                assert!(error.is_none(), "{error:?}");
                assert_eq!(found.last().unwrap(), "Text(\"é\")", "{page}");
                assert!(
                    !found.iter().any(|event| event.contains("Encoding")),
                    "{found:?}"
                );
                assert!(!found[0].contains('\u{FEFF}'));
            }
        }
    }
    // As bytes, this input would be detected as UTF-16.
    let (found, _) = text_first(Html::default(), &["<\0?\0x\0"]);
    assert_eq!(found.last().unwrap(), "Text(\"<\\0?\\0x\\0\")");
    // The parser does not wait for 1,024 bytes to detect an encoding.
    let mut parser = Parser::new(Html::default());
    parser.feed("<p>");
    assert!(parser.next_event().unwrap().is_some());
    assert_eq!(parser.encoding(), Some(Encoding::UTF_8));
}

fn bytes_after_a_string_are_utf8() {
    let mut parser = Parser::new(Html::default());
    parser.feed("<p>");
    parser.feed(b"\xC3");
    parser.feed(b"\xA9<meta charset=koi8-r>\xE9");
    let (found, error) = seen(parser);
    assert!(error.is_none());
    assert_eq!(found[1], "Text(\"é\")");
    assert_eq!(found[3], "Text(\"\u{FFFD}\")");
}

fn a_string_after_other_bytes() {
    let latin1 = b"<?xml version='1.0' encoding='ISO-8859-1'?><a>\xE9";
    // A string after bytes in Latin-1 is an error, whether the parser has already determined the encoding when the
    // string is fed or not.
    for drained in [true, false] {
        let mut parser = Parser::new(Xml::strict());
        parser.feed(&latin1[..]);
        let mut found = Vec::new();
        while drained && let Some(event) = parser.next_event().unwrap() {
            found.push(format!("{event:?}"));
        }
        parser.feed("<b>é</b>");
        parser.feed("more");
        let (rest, error) = seen(parser);
        found.extend(rest);
        assert!(
            matches!(error, Some(ErrorKind::TextAfterBytes)),
            "{error:?}"
        );
        assert_eq!(found[1..], ["Start(<a>)", "Text(\"é\")"]);
    }
    let mut parser = Parser::new(Xml::strict());
    parser.feed(&latin1[..]);
    parser.feed("x");
    while let Ok(Some(_)) = parser.next_event() {}
    let error = parser.next_event().unwrap_err();
    assert_eq!(error.category(), Category::Use);
    assert_eq!(error.as_str(), "text-after-bytes");
    // After bytes in UTF-8, a string is accepted.
    let mut parser = Parser::new(Xml::strict());
    parser.feed(b"<a>\xC3\xA9");
    parser.feed("é</a>");
    let (found, error) = seen(parser);
    assert!(error.is_none());
    assert_eq!(found[1], "Text(\"éé\")");
}

fn results_of_chunks() {
    let chunks = [
        Ok("<a>one"),
        Err(io::Error::other("cut off")),
        Ok("two</a>"),
    ];
    let mut events = Events::chunks(Xml::default(), chunks);
    assert!(events.next_event().unwrap().is_some());
    let error = events.next_event().unwrap_err();
    assert_eq!(error.category(), Category::Source);
    let source = std::error::Error::source(&error).expect("what the source said");
    assert_eq!(source.to_string(), "cut off");
    assert!(events.next_event().is_err(), "it stays");
}

/// A reader for which every other read would block.
struct Slow<'a>(&'a [u8], bool);

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.1 = !self.1;
        match self.1 {
            true => Err(io::ErrorKind::WouldBlock.into()),
            false => self.0.read(&mut buffer[..3]),
        }
    }
}

fn a_reader_that_would_block() {
    let mut events = Events::read(Xml::strict(), Slow(b"<a>one<b/>two</a>", false));
    let (mut found, mut waits) = (Vec::new(), 0);
    loop {
        match events.next_event() {
            Ok(Some(event)) => found.push(format!("{event:?}")),
            Ok(None) => break,
            Err(error) => {
                assert!(matches!(error.kind(), ErrorKind::Source(_)));
                waits += 1;
            }
        }
    }
    assert_eq!(found.len(), 6, "{found:?}");
    assert_eq!(waits, 7);
}
