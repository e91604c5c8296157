//! The parser as programs use it: statuses, errors, sources, encodings, positions.

mod feeding;
#[path = "feeding/notation.rs"]
mod notation;

use feeding::cuts::{check_cuts, check_pieces};
use std::io::{self, Read};
use tagstream::{
    Balanced, Blame, Encoding, Error, ErrorKind, Event, Events, Limit, Limits, OwnedEvent, Parser,
    Status, TextPolicy, TreeBuilder, Xml,
};

fn texts(parser: &mut Parser<Xml>) -> Result<Vec<String>, Error> {
    let mut texts = Vec::new();
    while let Some(event) = parser.next_event()? {
        texts.push(format!("{event:?}"));
    }
    Ok(texts)
}

#[test]
fn a_parser_can_be_sent_shared_and_cloned() {
    fn all<T: Send + Sync + Clone + 'static>() {}
    all::<Parser<Xml>>();
    all::<Balanced<Xml>>();
    all::<TreeBuilder<Xml>>();
    all::<OwnedEvent>();
    all::<Error>();
    all::<Xml>();
}

#[test]
fn a_parser_moves_to_another_thread_in_mid_document() {
    let mut parser = Parser::new(Xml::default());
    parser.feed("<a>x<");
    assert_eq!(texts(&mut parser).unwrap(), ["Start(<a>)"]);
    let there = std::thread::spawn(move || {
        parser.feed("/a>");
        parser.finish();
        texts(&mut parser).unwrap()
    });
    assert_eq!(there.join().unwrap(), ["Text(\"x\")", "End(</a>)"]);
}

#[test]
fn defaults_are_told_from_what_is_written() {
    let document = "<!DOCTYPE a [<!ATTLIST a b CDATA '1' c CDATA '2'>]><a c='3'/>";
    let whole = |event: &Event<'_>| match event {
        Event::Start(tag) => tag
            .attributes()
            .map(|attribute| (attribute.name().to_owned(), attribute.is_specified()))
            .collect(),
        _ => Vec::new(),
    };
    let expected = [("c".to_owned(), true), ("b".to_owned(), false)];
    let mut parser = Parser::new(Xml::default());
    parser.feed(document);
    let mut seen = Vec::new();
    while let Some(event) = parser.next_event().unwrap() {
        seen.extend(whole(&event));
        assert_eq!(whole(&event), whole(&event.to_owned().event()));
    }
    assert_eq!(seen, expected);
}

#[test]
fn bytes_after_the_end_are_a_misuse_and_lose_nothing() {
    for drained in [false, true] {
        for slice in [false, true] {
            let mut parser = Parser::new(Xml::default());
            parser.feed("<a>x</a>");
            parser.finish();
            if drained {
                assert_eq!(
                    texts(&mut parser).unwrap(),
                    ["Start(<a>)", "Text(\"x\")", "End(</a>)"]
                );
                assert_eq!(parser.status(), Status::Finished);
            }
            match slice {
                true => parser.feed_slice(b"<b/>"),
                false => parser.feed("<b/>"),
            }
            let mut found = Vec::new();
            let error = loop {
                match parser.next_event() {
                    Ok(Some(event)) => found.push(format!("{event:?}")),
                    Ok(None) => panic!("the misuse is not told"),
                    Err(error) => break error,
                }
            };
            assert_eq!(found.len(), if drained { 0 } else { 3 });
            assert!(matches!(error.kind(), ErrorKind::FeedAfterFinish));
            assert_eq!(error.blame(), Blame::Misuse);
            assert_eq!(error.as_str(), "feed-after-finish");
            assert_eq!(parser.status(), Status::Failed);
            assert!(parser.next_event().is_err());
        }
    }
}

#[test]
fn the_status_says_what_it_waits_for() {
    let mut parser = Parser::new(Xml::default());
    assert_eq!(parser.status(), Status::NeedsInput);
    parser.feed("<a/>");
    while parser.next_event().unwrap().is_some() {
        assert_eq!(parser.status(), Status::NeedsInput);
    }
    assert_eq!(parser.status(), Status::NeedsInput);
    parser.finish();
    assert_eq!(parser.status(), Status::NeedsInput);
    assert!(parser.next_event().unwrap().is_none());
    assert_eq!(parser.status(), Status::Finished);
    assert!(parser.next_event().unwrap().is_none());
}

#[test]
fn finishing_twice_is_finishing_once() {
    let mut parser = Parser::new(Xml::default());
    parser.finish();
    parser.finish();
    assert!(parser.next_event().unwrap().is_none());
    parser.finish();
    assert!(parser.next_event().unwrap().is_none());
    assert_eq!(parser.status(), Status::Finished);
}

#[test]
fn empty_chunks_are_nothing() {
    let mut parser = Parser::new(Xml::default());
    for chunk in ["", "<a", "", "", ">\r", "", "\nx", "", "</a>", ""] {
        parser.feed(chunk);
    }
    parser.finish();
    assert_eq!(
        texts(&mut parser).unwrap(),
        ["Start(<a>)", "Text(\"\\nx\")", "End(</a>)"]
    );
}

#[test]
fn an_error_is_given_again_and_again_after_what_was_read() {
    let mut parser = Parser::new(Xml::strict());
    parser.feed("<a>text<b></a>");
    parser.finish();
    let mut found = Vec::new();
    let first = loop {
        match parser.next_event() {
            Ok(Some(event)) => found.push(format!("{event:?}")),
            Ok(None) => panic!("no error"),
            Err(error) => break error,
        }
    };
    assert_eq!(found, ["Start(<a>)", "Text(\"text\")", "Start(<b>)"]);
    assert_eq!(first.as_str(), "mismatched-end-tag");
    assert_eq!(first.blame(), Blame::Input);
    assert_eq!((first.span().start, first.span().end), (10, 14));
    assert_eq!(
        (first.position().line(), first.position().column()),
        (1, 11)
    );
    for _ in 0..3 {
        let again = parser.next_event().unwrap_err();
        assert_eq!(again.to_string(), first.to_string());
        assert_eq!(again.span(), first.span());
        assert_eq!(parser.status(), Status::Failed);
    }
    parser.feed("more");
    assert_eq!(
        parser.next_event().unwrap_err().as_str(),
        "mismatched-end-tag"
    );
}

#[test]
fn text_before_an_error_is_delivered() {
    let rows = [
        ("<a>x & y</a>", "+a \"x \" Err invalid-reference"),
        ("<a>x<!DOCTYPE a></a>", "+a \"x\" Err misplaced-doctype"),
        ("<a>x</ y</a>", "+a \"x\" Err invalid-tag-start"),
        ("<a>x]]>y</a>", "+a \"x\" Err cdata-end-in-text"),
        ("<a>x<![CDATA[y", "+a \"xy\" Err eof-in-cdata"),
        ("<a>x", "+a \"x\" Err unclosed-element"),
        ("<a>x&b;</a>", "+a \"x\" Err undeclared-entity"),
        ("<a>x\u{1}</a>", "+a \"x\" Err illegal-character"),
        ("<a>x<b c=d></a>", "+a \"x\" Err unquoted-value"),
    ];
    for (input, events) in rows {
        let found = notation::read(Parser::new(Xml::strict()), input.as_bytes());
        assert_eq!(found, events, "{input:?}");
        check_cuts(|| Parser::new(Xml::strict()), input.as_bytes());
    }
}

#[test]
fn the_iterator_ends_after_an_error() {
    let mut parser = Parser::new(Xml::strict());
    parser.feed("<a>x</b>");
    let found: Vec<_> = parser
        .by_ref()
        .map(|one| one.map(|event| format!("{event:?}")))
        .collect();
    assert_eq!(found.len(), 3);
    assert_eq!(found[1].as_deref().unwrap(), "Text(\"x\")");
    assert!(found[2].is_err());
    assert!(parser.next().is_none());
}

#[test]
fn the_iterator_goes_on_after_a_further_feed() {
    let mut parser = Parser::new(Xml::default());
    parser.feed("<a>");
    assert_eq!(parser.by_ref().count(), 1);
    parser.feed("<b/>");
    assert_eq!(parser.by_ref().count(), 2);
}

#[test]
fn limits_name_themselves() {
    let none = Limits::none();
    let rows = [
        (
            Limits { depth: 1, ..none },
            "<a><b>",
            Limit::Depth,
            "depth-limit",
        ),
        (
            Limits { name: 2, ..none },
            "<abc>",
            Limit::Name,
            "name-limit",
        ),
        (
            Limits {
                attributes: 1,
                ..none
            },
            "<a b='' c=''>",
            Limit::Attributes,
            "attributes-limit",
        ),
        (
            Limits { token: 4, ..none },
            "<!-- -->",
            Limit::Token,
            "token-limit",
        ),
        (
            Limits { memory: 4, ..none },
            "<a>some text",
            Limit::Memory,
            "memory-limit",
        ),
    ];
    for (limits, input, limit, name) in rows {
        let mut parser = Parser::new(Xml::default()).limits(limits);
        parser.feed(input);
        parser.finish();
        let error = texts(&mut parser).unwrap_err();
        assert_eq!(error.limit(), Some(limit), "{input}");
        assert_eq!(error.as_str(), name);
        assert_eq!(error.blame(), Blame::Limit);
        assert!(error.to_string().contains(name));
    }
}

#[test]
fn what_is_at_a_limit_is_within_it() {
    // A run of text counts with what has to be seen to know that it ends.
    let none = Limits::none();
    let rows = [
        (Limits { depth: 2, ..none }, "<a><b/></a>"),
        (Limits { depth: 1, ..none }, "<a></a>"),
        (Limits { name: 3, ..none }, "<abc def=''><?ghi?></abc>"),
        (
            Limits {
                attributes: 2,
                ..none
            },
            "<a b='' c=''/>",
        ),
        (Limits { token: 11, ..none }, "<a>12345678</a>"),
    ];
    for (limits, input) in rows {
        let mut parser = Parser::new(Xml::default()).limits(limits);
        parser.feed(input);
        parser.finish();
        assert!(texts(&mut parser).is_ok(), "{input}: {limits:?}");
    }
}

#[test]
fn events_of_chunks_and_of_a_reader() {
    let input = "<a b='c'>x<!--y--></a>";
    let mut parser = Parser::new(Xml::default());
    parser.feed(input);
    parser.finish();
    let expected = texts(&mut parser).unwrap();
    let chunks = Events::from_chunks(Xml::default(), input.split_inclusive('a'));
    let chunks: Vec<String> = chunks
        .map(|event| format!("{:?}", event.unwrap()))
        .collect();
    assert_eq!(chunks, expected);
    let mut reader = Events::from_reader(Xml::default(), Slow(input.as_bytes()));
    let mut lent = Vec::new();
    while let Some(event) = reader.next_event().unwrap() {
        lent.push(format!("{event:?}"));
    }
    assert_eq!(lent, expected);
    assert!(reader.next_event().unwrap().is_none());
    assert_eq!(reader.parser().status(), Status::Finished);
}

/// Gives a byte at a time, and is interrupted before each.
struct Slow<'a>(&'a [u8]);

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(&mut buffer[..1])
    }
}

/// Fails where its input ends, or is interrupted first.
struct Failing<'a> {
    input: &'a [u8],
    interruptions: usize,
}

impl Read for Failing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.interruptions > 0 {
            self.interruptions -= 1;
            return Err(io::ErrorKind::Interrupted.into());
        }
        match self.input.read(&mut buffer[..2])? {
            0 => Err(io::Error::other("the line is dead")),
            read => Ok(read),
        }
    }
}

#[test]
fn a_reader_that_fails_ends_the_events_after_what_was_read() {
    let failing = || Failing {
        input: b"<a>x<b>y",
        interruptions: 3,
    };
    let mut events = Events::from_reader(Xml::default(), failing());
    let mut found = Vec::new();
    let error = loop {
        match events.next_event() {
            Ok(Some(event)) => found.push(format!("{event:?}")),
            Ok(None) => panic!("a truncated document looks complete"),
            Err(error) => break error,
        }
    };
    assert_eq!(found, ["Start(<a>)", "Text(\"x\")", "Start(<b>)"]);
    assert_eq!(error.blame(), Blame::Source);
    assert_eq!(error.span().start, 8);
    assert!(error.to_string().contains("the line is dead"));
    assert!(events.next_event().is_err());
    let owned: Vec<_> = Events::from_reader(Xml::default(), failing()).collect();
    assert_eq!(owned.len(), 4);
    assert!(owned[3].is_err());
}

#[test]
fn positions_count_lines_characters_and_utf16_units() {
    let mut parser = Parser::new(Xml::default());
    parser.feed("<a>\r\n\u{1f600}\u{e9}<b c='d'\r\n\u{1f600}='e'/>\rx<!--y-->");
    let mut found = Vec::new();
    while let Some(event) = parser.next_event().unwrap() {
        let place = |at: tagstream::Position| (at.line(), at.column(), at.column_utf16());
        found.push((event.span().start, place(event.position())));
        if let Event::Start(tag) = event {
            found.extend(
                tag.attributes()
                    .map(|one| (one.span().start, place(one.position()))),
            );
        }
    }
    let expected = [
        (0, (1, 1, 1)),
        (3, (1, 4, 4)),
        (11, (2, 3, 4)),
        (14, (2, 6, 7)),
        (21, (3, 1, 1)),
        (31, (3, 8, 9)),
        (31, (3, 8, 9)),
        (33, (4, 2, 2)),
    ];
    // Text after the empty tag, then the comment.
    assert_eq!(found[..7], expected[..7]);
    assert_eq!(found[found.len() - 1], expected[7]);
}

fn utf16(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(unit).collect()
}

/// Cuts everywhere, recovering and strict, whole and in pieces.
fn check_all(dialect: Xml, input: &[u8]) {
    check_cuts(|| Parser::new(dialect).errors(true), input);
    let pieces = || Parser::new(dialect).text(TextPolicy::Pieces);
    check_pieces(|| Parser::new(dialect), pieces, input);
}

#[test]
fn encodings_read_the_same_for_every_cut() {
    let text = "<?xml version='1.0'?><a b='\u{e9}'>\u{1f600}\r\n\u{20ac}</a>";
    let events = "X\"1.0\" +a(b=\"\u{e9}\") \"\u{1f600}\\n\u{20ac}\" -a";
    let marked = format!("\u{feff}{text}");
    let inputs = [
        (text.as_bytes().to_vec(), Encoding::UTF_8),
        (marked.as_bytes().to_vec(), Encoding::UTF_8),
        (utf16(&marked, u16::to_le_bytes), Encoding::UTF_16LE),
        (utf16(&marked, u16::to_be_bytes), Encoding::UTF_16BE),
    ];
    for (input, encoding) in inputs {
        let mut parser = Parser::new(Xml::default());
        parser.feed_slice(&input);
        texts(&mut parser).unwrap();
        assert_eq!(parser.encoding(), Some(encoding));
        let found = notation::read(Parser::new(Xml::default()).errors(true), &input);
        assert_eq!(found, events);
        check_all(Xml::default(), &input);
        check_all(Xml::strict(), &input);
    }
}

#[test]
fn a_declared_encoding_is_read() {
    let mut input =
        b"<?xml version='1.0' encoding='windows-1252'?><a b='\xe9'>\x80\r\n\xfc</a>".to_vec();
    let events = "X\"1.0\"E\"windows-1252\" +a(b=\"\u{e9}\") \"\u{20ac}\\n\u{fc}\" -a";
    let found = notation::read(Parser::new(Xml::default()).errors(true), &input);
    assert_eq!(found, events);
    check_all(Xml::strict(), &input);
    // Latin-1 has a control character there.
    let at = input
        .windows(12)
        .position(|name| name == b"windows-1252")
        .unwrap();
    input.splice(at..at + 12, b"iso-8859-1".iter().copied());
    let events = "X\"1.0\"E\"iso-8859-1\" +a(b=\"\u{e9}\") \"\\u{80}\\n\u{fc}\" -a";
    let found = notation::read(Parser::new(Xml::default()).errors(true), &input);
    assert_eq!(found, events);
    check_all(Xml::default(), &input);
}

#[test]
fn an_unknown_encoding_is_an_error() {
    let input = b"<?xml version='1.0' encoding='klingon'?><a>\xc3\xa9</a>";
    let found = notation::read(Parser::new(Xml::default()).errors(true), input);
    assert_eq!(
        found,
        "!unknown-encoding X\"1.0\"E\"klingon\" +a \"\u{e9}\" -a"
    );
    let found = notation::read(Parser::new(Xml::strict()), input);
    assert_eq!(found, "Err unknown-encoding");
    check_all(Xml::strict(), input);
}

#[test]
fn ill_formed_bytes_are_replaced_or_refused() {
    let rows: [(&[u8], &str, &str); 8] = [
        (
            b"<a>x\xffy</a>",
            "+a !ill-formed-bytes \"x\u{fffd}y\" -a",
            "+a \"x\" Err",
        ),
        (
            b"<a>\xe2\x82</a>",
            "+a !ill-formed-bytes \"\u{fffd}\" -a",
            "+a Err",
        ),
        (
            b"<a>\xc3",
            "+a !ill-formed-bytes \"\u{fffd}\" !unclosed-element",
            "+a Err",
        ),
        (
            b"<a b='\xff'/>",
            "!ill-formed-bytes +a(b=\"\u{fffd}\")/ -a",
            "Err",
        ),
        (
            b"<a><!--\xff--></a>",
            "+a !ill-formed-bytes #\"\u{fffd}\" -a",
            "+a Err",
        ),
        (
            b"<a><![CDATA[\xff]]></a>",
            "+a !ill-formed-bytes \"\u{fffd}\" -a",
            "+a Err",
        ),
        (
            b"<a>\xed\xa0\x80</a>",
            "+a !ill-formed-bytes !ill-formed-bytes !ill-formed-bytes \"\u{fffd}\u{fffd}\u{fffd}\" -a",
            "+a Err",
        ),
        (
            b"<a>\xf4\x90\x80\x80</a>",
            "+a !ill-formed-bytes !ill-formed-bytes !ill-formed-bytes !ill-formed-bytes \
             \"\u{fffd}\u{fffd}\u{fffd}\u{fffd}\" -a",
            "+a Err",
        ),
    ];
    for (input, recovering, strict) in rows {
        let found = notation::read(Parser::new(Xml::default()).errors(true), input);
        assert_eq!(found, recovering);
        let found = notation::read(Parser::new(Xml::strict()), input);
        assert_eq!(found, format!("{strict} ill-formed-bytes"));
        check_all(Xml::default(), input);
        check_all(Xml::strict(), input);
    }
}

#[test]
fn spans_are_of_the_input_where_that_is_utf_8() {
    let mut parser = Parser::new(Xml::default());
    parser.feed_slice(b"\xef\xbb\xbf<a>\xff\xff</a>");
    let mut spans = Vec::new();
    while let Some(event) = parser.next_event().unwrap() {
        spans.push((event.span().start, event.span().end));
    }
    assert_eq!(spans, [(3, 6), (6, 8), (8, 12)]);
}

#[test]
fn raw_text_of_a_tag_is_at_hand() {
    let mut parser = Parser::new(Xml::default());
    let input = "<a\tb = '&lt;x' c>";
    input.chars().for_each(|one| parser.feed(one.to_string()));
    let Some(Event::Start(tag)) = parser.next_event().unwrap() else {
        panic!("no start tag");
    };
    assert_eq!(tag.raw(), input);
    let attribute = tag.attributes().next().unwrap();
    assert_eq!((attribute.value(), attribute.raw_value()), ("<x", "&lt;x"));
    assert_eq!((attribute.span().start, attribute.span().end), (3, 14));
    assert_eq!(
        (attribute.value_span().start, attribute.value_span().end),
        (8, 13)
    );
    assert_eq!(tag.attribute("c"), Some(""));
    assert_eq!(tag.attribute("d"), None);
}

#[test]
fn places_in_an_entity_of_many_lines() {
    let entity = "<b c=\u{e9}>\u{65e5}</b>\r\n".repeat(2_000);
    let mut parser = Parser::new(Xml::default().external_entities(true)).errors(true);
    parser.feed("<!DOCTYPE a [<!ENTITY e SYSTEM 'e'>]><a>&e;</a>");
    parser.finish();
    let mut lines = Vec::new();
    loop {
        match parser.next_event().unwrap() {
            Some(Event::ParseError(error)) => {
                let place = error.entity().unwrap();
                assert_eq!(place.position().column(), 6);
                assert_eq!(
                    place.text()[place.span().start as usize..].chars().next(),
                    Some('\u{e9}')
                );
                lines.push(place.position().line());
            }
            Some(_) => {}
            None => match parser.status() {
                Status::NeedsEntity(_) => {
                    parser.feed_entity(entity.as_bytes());
                    parser.finish_entity(None);
                }
                _ => break,
            },
        }
    }
    assert_eq!(lines, (1..=2_000).collect::<Vec<_>>());
}

/// Each text with its span.
fn spans(document: &str) -> Vec<(String, String)> {
    let mut parser = Parser::new(Xml::default());
    parser.feed_slice(document.as_bytes());
    parser.finish();
    let mut spans = Vec::new();
    while let Some(event) = parser.next_event().unwrap() {
        if let Event::Text(text) = event {
            let span = text.span();
            let source = &document[span.start as usize..span.end as usize];
            spans.push((text.as_str().to_owned(), source.to_owned()));
        }
    }
    spans
}

/// The texts of an entity, and of content, and the texts read with their sources.
type SpanRow = (
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

#[test]
fn text_has_the_span_of_the_references_that_it_comes_from() {
    let rows: [SpanRow; 9] = [
        ("<b/>", "x&e;y", &[("x", "x&e;"), ("y", "y")]),
        ("1<b/>", "x&e;y", &[("x1", "x&e;"), ("y", "y")]),
        ("<b/>2", "x&e;y", &[("x", "x&e;"), ("2y", "&e;y")]),
        ("&#49;<b/>", "x&e;y", &[("x1", "x&e;"), ("y", "y")]),
        ("1<b/>2", "x&e;y", &[("x1", "x&e;"), ("2y", "&e;y")]),
        ("<b>3</b>", "&e;", &[("3", "&e;")]),
        ("", "x&e;y", &[("xy", "x&e;y")]),
        ("&f;", "x&e;y", &[("x", "x&e;"), ("y", "y")]),
        (
            "&g;",
            "x&e;y&amp;&e;",
            &[("x4", "x&e;"), ("y&4", "y&amp;&e;")],
        ),
    ];
    for (entity, content, wanted) in rows {
        let entities = format!("<!ENTITY e '{entity}'><!ENTITY f '<b/>'><!ENTITY g '4<b/>'>");
        let document = format!("<!DOCTYPE a [{entities}]><a>{content}</a>");
        let found = spans(&document);
        let found: Vec<(&str, &str)> = found
            .iter()
            .map(|(text, source)| (text.as_str(), source.as_str()))
            .collect();
        assert_eq!(found, wanted, "{entity} in {content}");
    }
}
