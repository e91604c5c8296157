//! The public API of `Parser`: statuses, errors, sources, limits and positions.

use crate::{events, fed, until_error};
use std::collections::HashSet;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::io::{self, Read};
use std::mem::discriminant;
use tagstream::tree::QualifiedName;
use tagstream::{
    Category, Dialect, Document, Encoding, Error, ErrorKind, Event, Events, Html, Limit, Limits,
    Nested, OwnedEvent, Parser, Position, Status, TextPolicy, TreeBuilder, Xml,
};
use testing::cases;
use testing::cuts::check_cuts;
use testing::event_text;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    cases!(
        program,
        "core/parser",
        a_parser_can_be_sent_shared_and_cloned,
        a_parser_moves_to_another_thread_in_mid_document,
        defaults_are_told_from_what_is_written,
        bytes_after_the_end_are_a_misuse_and_lose_nothing,
        an_empty_chunk_after_the_end_is_a_misuse_too,
        the_status_says_what_it_waits_for,
        finishing_twice_is_finishing_once,
        empty_chunks_are_nothing,
        an_error_is_given_again_and_again_after_what_was_read,
        the_iterator_ends_after_an_error,
        the_iterator_goes_on_after_a_further_feed,
        a_builder_begins_again,
        a_reset_keeps_how_text_comes,
        names_say_their_parts,
        events_are_the_same_that_say_the_same,
        text_is_its_string,
        what_can_be_a_context,
        events_of_chunks_and_of_a_reader,
        a_reader_that_fails_ends_the_events_after_what_was_read,
        positions_count_lines_characters_and_utf16_units,
        spans_are_of_the_input_where_that_is_utf_8,
        parts_of_events_stand_where_their_events_do,
        raw_text_of_a_tag_is_at_hand,
        places_in_an_entity_of_many_lines,
    );
    let text = include_str!("../data/xml-strict.txt");
    let strict = cases::cases("tests/data/xml-strict.txt", text);
    cases::add(
        program,
        strict,
        |_| "core/parser",
        |case| {
            let input = &case.input()[..];
            let found = event_text::read(Parser::new(Xml::strict()), input);
            check_cuts(|| Parser::new(Xml::strict()), input);
            case.expect("events", &found)
        },
    );
    for (limit, code, input, set) in LIMITS {
        program.case(format!("core/parser {code}"), move || {
            limits_name_themselves(limit, code, input, set)
        });
    }
    for (entity, content, wanted) in SPANS {
        program.case(
            format!("core/parser spans of text in {content}, {entity}"),
            move || check_spans(entity, content, wanted),
        );
    }
}

/// A limit, its code, a document that exceeds it, and a function that sets it.
type LimitRow = (Limit, &'static str, &'static str, fn(&mut Limits));

const LIMITS: [LimitRow; 5] = [
    (Limit::Depth, "depth-limit", "<a><b>", |limits| {
        limits.depth = 1
    }),
    (Limit::Name, "name-limit", "<abc>", |limits| limits.name = 2),
    (
        Limit::Attributes,
        "attributes-limit",
        "<a b='' c=''>",
        |limits| {
            limits.attributes = 1;
        },
    ),
    (Limit::Token, "token-limit", "<!-- -->", |limits| {
        limits.token = 4
    }),
    (Limit::Memory, "memory-limit", "<a>some text", |limits| {
        limits.memory = 4;
    }),
];

/// The replacement text of an entity, the content of an element, and the expected texts, each with the part of the
/// input at its span.
type SpanRow = (
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

/// The span of a text includes the references that the text comes from.
const SPANS: [SpanRow; 9] = [
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

fn a_parser_can_be_sent_shared_and_cloned() {
    fn all<T: Send + Sync + Clone + 'static>() {}
    all::<Parser<Xml>>();
    all::<Parser<Xml, Nested>>();
    all::<TreeBuilder<Xml>>();
    all::<OwnedEvent>();
    all::<Error>();
    all::<Xml>();
}

fn a_parser_moves_to_another_thread_in_mid_document() {
    let mut parser = Parser::new(Xml::default());
    parser.feed("<a>x<");
    assert_eq!(events(&mut parser).unwrap(), ["Start(<a>)"]);
    let there = std::thread::spawn(move || {
        parser.feed("/a>");
        parser.finish();
        events(&mut parser).unwrap()
    });
    assert_eq!(there.join().unwrap(), ["Text(\"x\")", "End(</a>)"]);
}

fn defaults_are_told_from_what_is_written() {
    let document = "<!DOCTYPE a [<!ATTLIST a b CDATA '1' c CDATA '2'>]><a c='3'/>";
    let whole = |event: &Event<'_>| match event {
        Event::Start(tag) => tag
            .attributes()
            .map(|attribute| (attribute.name().to_owned(), attribute.is_specified()))
            .collect(),
        _ => Vec::new(),
    };
    let mut parser = fed(Xml::default(), document);
    let mut seen = Vec::new();
    while let Some(event) = parser.next_event().unwrap() {
        seen.extend(whole(&event));
        assert_eq!(whole(&event), whole(&event.to_owned().event()));
    }
    assert_eq!(seen, [("c".to_owned(), true), ("b".to_owned(), false)]);
}

fn bytes_after_the_end_are_a_misuse_and_lose_nothing() {
    let all = ["Start(<a>)", "Text(\"x\")", "End(</a>)"];
    for (drained, slice) in [(false, false), (false, true), (true, false), (true, true)] {
        let mut parser = fed(Xml::default(), "<a>x</a>");
        if drained {
            assert_eq!(events(&mut parser).unwrap(), all);
            assert_eq!(parser.status(), Status::Finished);
        }
        match slice {
            true => parser.feed(b"<b/>"),
            false => parser.feed("<b/>"),
        }
        let (found, error) = until_error(&mut parser);
        assert_eq!(found, if drained { &[][..] } else { &all });
        assert!(matches!(error.kind(), ErrorKind::FeedAfterFinish));
        assert_eq!(error.category(), Category::Use);
        assert_eq!(error.as_str(), "feed-after-finish");
        assert_eq!(parser.status(), Status::Failed);
        assert!(parser.next_event().is_err());
    }
}

fn an_empty_chunk_after_the_end_is_a_misuse_too() {
    let mut parser = fed(Xml::default(), "<a/>");
    assert_eq!(events(&mut parser).unwrap().len(), 2);
    parser.feed("");
    let error = parser.next_event().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::FeedAfterFinish));
}

fn the_status_says_what_it_waits_for() {
    let mut parser = Parser::new(Xml::default());
    assert_eq!(parser.status(), Status::NeedsInput);
    assert!(parser.next_event().unwrap().is_none());
    assert_eq!(parser.status(), Status::NeedsInput);
    parser.feed("<a/>");
    for _ in 0..2 {
        assert_eq!(parser.status(), Status::HasEvents);
        assert!(parser.next_event().unwrap().is_some());
    }
    assert!(parser.next_event().unwrap().is_none());
    assert_eq!(parser.status(), Status::NeedsInput);
    parser.finish();
    assert_eq!(parser.status(), Status::HasEvents);
    assert!(parser.next_event().unwrap().is_none());
    assert_eq!(parser.status(), Status::Finished);
    assert!(parser.next_event().unwrap().is_none());
}

fn finishing_twice_is_finishing_once() {
    let mut parser = Parser::new(Xml::default());
    parser.finish();
    parser.finish();
    assert!(parser.next_event().unwrap().is_none());
    parser.finish();
    assert!(parser.next_event().unwrap().is_none());
    assert_eq!(parser.status(), Status::Finished);
}

fn empty_chunks_are_nothing() {
    let mut parser = Parser::new(Xml::default());
    for chunk in ["", "<a", "", "", ">\r", "", "\nx", "", "</a>", ""] {
        parser.feed(chunk);
    }
    parser.finish();
    assert_eq!(
        events(&mut parser).unwrap(),
        ["Start(<a>)", "Text(\"\\nx\")", "End(</a>)"]
    );
}

fn an_error_is_given_again_and_again_after_what_was_read() {
    let mut parser = fed(Xml::strict(), "<a>text<b></a>");
    let (found, first) = until_error(&mut parser);
    assert_eq!(found, ["Start(<a>)", "Text(\"text\")", "Start(<b>)"]);
    assert_eq!(first.as_str(), "mismatched-end-tag");
    assert_eq!(first.category(), Category::Input);
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

/// A reset keeps the options and discards the input and the error.
fn a_builder_begins_again() {
    let limits = Limits::default().tree_nodes(3);
    let mut builder = TreeBuilder::new(Xml::strict()).limits(limits);
    for (input, tree) in [
        ("<a>b", Err("unclosed-element")),
        ("<p:a xmlns:p='n'>b</p:a>", Ok("<p:a xmlns:p=\"n\">b</p:a>")),
        ("<a><b/><c/></a>", Err("tree-nodes-limit")),
        ("<c/>", Ok("<c/>")),
    ] {
        builder.supply(input);
        builder.supply_end();
        let built = builder.build();
        match tree {
            Ok(tree) => assert_eq!(builder.sink().to_xml().unwrap(), tree),
            Err(code) => assert_eq!(built.unwrap_err().as_str(), code),
        }
        builder.reset();
        assert_eq!(builder.status(), Status::NeedsInput);
        assert!(builder.sink().root_element().is_none());
    }
    builder.supply("<d>");
    builder.build().unwrap();
    let before = builder.reset_with(Document::new());
    assert_eq!(before.to_xml().unwrap(), "<d/>");
    assert!(builder.sink().root_element().is_none());
    let mut page = TreeBuilder::new(Html::fragment("td").unwrap());
    for _ in 0..2 {
        page.feed("a<td>b").unwrap();
        page.end().unwrap();
        assert_eq!(page.sink().root().text_content(), "ab");
        page.reset();
    }
}

fn a_reset_keeps_how_text_comes() {
    let mut parser = Parser::new(Xml::default())
        .text(TextPolicy::Pieces)
        .report_errors(true);
    for _ in 0..2 {
        parser.feed("<a></b>on");
        let found = events(&mut parser).unwrap();
        assert_eq!(found.len(), 4, "{found:?}");
        assert!(found[1].starts_with("ParseError"), "{found:?}");
        assert_eq!(found[3], "Text(\"on\")");
        parser.reset();
    }
}

fn names_say_their_parts() {
    let mut parser = fed(Xml::strict(), "<p:a xmlns:p='u'><b/></p:a>");
    let mut prefixes = Vec::new();
    while let Some(event) = parser.next_event().unwrap() {
        let (name, local, prefix) = match &event {
            Event::Start(tag) => (tag.name(), tag.local_name(), tag.prefix()),
            Event::End(tag) => (tag.name(), tag.local_name(), tag.prefix()),
            _ => continue,
        };
        prefixes.push((name.to_owned(), local.to_owned(), prefix.map(str::to_owned)));
    }
    let row = |name: &str, local: &str, prefix: Option<&str>| {
        (name.to_owned(), local.to_owned(), prefix.map(str::to_owned))
    };
    let expected = [
        row("p:a", "a", Some("p")),
        row("b", "b", None),
        row("b", "b", None),
        row("p:a", "a", Some("p")),
    ];
    assert_eq!(prefixes, expected);
    assert_eq!(format!("{:?}", Encoding::UTF_8), "Encoding(UTF-8)");
    let one = QualifiedName::prefixed("p:a", Some(1));
    assert_eq!(one, QualifiedName::prefixed("p:a", Some(1)));
    assert_ne!(one, QualifiedName::prefixed("p:a", Some(2)));
    assert_ne!(one, QualifiedName::prefixed("p:b", Some(1)));
    assert_ne!(one, QualifiedName::unprefixed("p:a", Some(1)));
}

fn events_are_the_same_that_say_the_same() {
    let read = |input: &str| -> Vec<OwnedEvent> {
        let parser = fed(Xml::default(), input).report_errors(true);
        parser.collect::<Result<_, _>>().unwrap()
    };
    let hash =
        |events: &[OwnedEvent]| BuildHasherDefault::<DefaultHasher>::default().hash_one(events);
    for (one, other, same) in [
        (
            "<a b='1' c=\"2\">x&amp;</a>",
            " <a  b='1' c='2' >x&#38;</a >",
            true,
        ),
        ("<a b='1' c='2'/>", "<a c='2' b='1'/>", false),
        ("<a b='1'/>", "<a b='1'></a>", false),
        ("<a b='1'/>", "<a b='2'/>", false),
        ("<a b='1'/>", "<a c='1'/>", false),
        ("<a/>", "<b/>", false),
        ("<a xmlns='u'/>", "<a xmlns='v'/>", false),
        ("<a>x</a>", "<a>y</a>", false),
        ("<a><!--x--></a>", "<a><!--x--> </a>", false),
        ("<a><!--x--></a>", "<a><!--y--></a>", false),
        ("<a><?x y?></a>", "<a><?x  y?></a>", true),
        ("<a><?x y?></a>", "<a><?x z?></a>", false),
        (
            "<?xml version='1.0'?><a/>",
            "<?xml version=\"1.0\" ?><a/>",
            true,
        ),
        (
            "<?xml version='1.0'?><a/>",
            "<?xml version='1.1'?><a/>",
            false,
        ),
        (
            "<!DOCTYPE a SYSTEM 's'><a/>",
            "<!DOCTYPE a SYSTEM \"s\"><a/>",
            true,
        ),
        (
            "<!DOCTYPE a SYSTEM 's'><a/>",
            "<!DOCTYPE a SYSTEM 't'><a/>",
            false,
        ),
        (
            "<!DOCTYPE a SYSTEM 's'><a>&b;</a>",
            "<!DOCTYPE a SYSTEM 's'><a>&c;</a>",
            false,
        ),
        (
            "<!DOCTYPE a [<!NOTATION n SYSTEM 's'>]><a/>",
            "<!DOCTYPE a [<!NOTATION n SYSTEM 't'>]><a/>",
            false,
        ),
    ] {
        let (first, second) = (read(one), read(other));
        assert_eq!(first == second, same, "{one} {other}");
        assert!(!same || hash(&first) == hash(&second), "{one}");
        assert_eq!(first, first.clone());
    }
}

fn text_is_its_string() {
    let mut parser = fed(Xml::default(), "<a>\t\r\n one\u{a0} <!-- two--></a>");
    let mut seen = 0;
    while let Some(event) = parser.next_event().unwrap() {
        match event {
            Event::Text(text) => {
                assert!(text == *"\t\n one\u{a0} " && text == "\t\n one\u{a0} ");
                assert_eq!(text.trim(), "one\u{a0}");
                assert!(!text.is_whitespace());
                assert_eq!(format!("[{text:>8}]").chars().count(), 10);
                seen += text.as_ref().len();
            }
            Event::Comment(comment) => {
                assert_eq!(comment.trim(), "two");
                assert_eq!(comment.to_string(), " two");
                seen += 1;
            }
            _ => {}
        }
    }
    assert_eq!(seen, 10);
}

fn what_can_be_a_context() {
    for context in ["td", "TD", "svg path", "math annotation-xml", "x-y:z", "é"] {
        assert!(Html::fragment(context).is_ok(), "{context}");
    }
    for context in [
        "", " ", "<tr>", "table td", "svg ", "td ", "a/b", "a=b", "a\0", "svg a b",
    ] {
        let error = Html::fragment(context).unwrap_err();
        assert_eq!(error.context(), context);
        assert!(error.to_string().contains("name of an element"), "{error}");
    }
}

fn the_iterator_goes_on_after_a_further_feed() {
    let mut parser = Parser::new(Xml::default());
    parser.feed("<a>");
    assert_eq!(parser.by_ref().count(), 1);
    parser.feed("<b/>");
    assert_eq!(parser.by_ref().count(), 2);
}

fn limits_name_themselves(limit: Limit, code: &str, input: &str, set: fn(&mut Limits)) {
    let mut limits = Limits::none();
    set(&mut limits);
    let (_, error) = until_error(&mut fed(Xml::default(), input).limits(limits));
    assert_eq!(error.limit(), Some(limit));
    assert_eq!(error.as_str(), code);
    assert_eq!(error.category(), Category::Limit);
    assert!(error.to_string().contains(code));
}

fn events_of_chunks_and_of_a_reader() {
    let input = "<a b='c'>x<!--y--></a>";
    let expected = events(&mut fed(Xml::default(), input)).unwrap();
    let chunks = Events::chunks(Xml::default(), input.split_inclusive('a'));
    let chunks: Vec<String> = chunks
        .map(|event| format!("{:?}", event.unwrap()))
        .collect();
    assert_eq!(chunks, expected);
    let mut reader = Events::read(Xml::default(), Slow(input.as_bytes()));
    let mut lent = Vec::new();
    while let Some(event) = reader.next_event().unwrap() {
        lent.push(format!("{event:?}"));
    }
    assert_eq!(lent, expected);
    assert!(reader.next_event().unwrap().is_none());
    assert_eq!(reader.parser().status(), Status::Finished);
}

/// A reader that returns one byte at a time.
struct Slow<'a>(&'a [u8]);

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(&mut buffer[..1])
    }
}

/// A reader that returns an error at the end of its input, after a number of interruptions.
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

fn a_reader_that_fails_ends_the_events_after_what_was_read() {
    let failing = || Failing {
        input: b"<a>x<b>y",
        interruptions: 3,
    };
    let mut events = Events::read(Xml::default(), failing());
    let mut found = Vec::new();
    let error = loop {
        match events.next_event() {
            Ok(Some(event)) => found.push(format!("{event:?}")),
            Ok(None) => panic!("a truncated document looks complete"),
            Err(error) => break error,
        }
    };
    assert_eq!(found, ["Start(<a>)", "Text(\"x\")", "Start(<b>)"]);
    assert_eq!(error.category(), Category::Source);
    assert_eq!(error.span().start, 8);
    assert!(error.to_string().contains("the line is dead"));
    assert!(events.next_event().is_err());
    let owned: Vec<_> = Events::read(Xml::default(), failing()).collect();
    assert_eq!(owned.len(), 4);
    assert!(owned[3].is_err());
}

fn positions_count_lines_characters_and_utf16_units() {
    let mut parser = Parser::new(Xml::default());
    parser.feed("<a>\r\n\u{1f600}\u{e9}<b c='d'\r\n\u{1f600}='e'/>\rx<!--y-->");
    let mut found = Vec::new();
    while let Some(event) = parser.next_event().unwrap() {
        let place = |at: Position| (at.line(), at.column(), at.column_utf16());
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
    // The seventh position is that of the text after the empty tag, the last one that of the comment.
    assert_eq!(found[..7], expected[..7]);
    assert_eq!(found[found.len() - 1], expected[7]);
}

fn spans_are_of_the_input_where_that_is_utf_8() {
    let mut parser = Parser::new(Xml::default());
    parser.feed(b"\xef\xbb\xbf<a>\xff\xff</a>");
    let mut spans = Vec::new();
    while let Some(event) = parser.next_event().unwrap() {
        spans.push((event.span().start, event.span().end));
    }
    assert_eq!(spans, [(3, 6), (6, 8), (8, 12)]);
}

fn parts_of_events_stand_where_their_events_do() {
    let xml = "<?xml version='1.0'?>\n<!DOCTYPE a SYSTEM 's'>\n<a b=c><?p?><!--d-->text&e;</a>";
    let html = format!("<p>{}<meta charset=koi8-r>", " ".repeat(1024));
    let mut kinds = told(&mut fed(Xml::default(), xml).report_errors(true));
    let latin = Html::default().fallback_encoding(Encoding::LATIN_1);
    kinds.extend(told(&mut fed(latin, &html).report_errors(true)));
    assert_eq!(kinds.len(), 10, "all kinds of events");
}

/// Returns the kinds of the events. Asserts that the span and the position of each event equal those of the value in
/// it.
fn told(parser: &mut Parser<impl Dialect>) -> HashSet<String> {
    let mut kinds = HashSet::new();
    while let Some(event) = parser.next().transpose().unwrap() {
        let event = event.event();
        let own = match &event {
            Event::Start(it) => (it.span(), it.position()),
            Event::End(it) => (it.span(), it.position()),
            Event::Text(it) => (it.span(), it.position()),
            Event::Comment(it) => (it.span(), it.position()),
            Event::ProcessingInstruction(it) => (it.span(), it.position()),
            Event::Doctype(it) => (it.span(), it.position()),
            Event::Declaration(it) => (it.span(), it.position()),
            Event::SkippedEntity(it) => (it.span(), it.position()),
            Event::EncodingChange(it) => (it.span(), it.position()),
            Event::ParseError(it) => (it.span(), it.position()),
            other => panic!("{other:?}"),
        };
        assert_eq!(own, (event.span(), event.position()), "{event:?}");
        kinds.insert(format!("{:?}", discriminant(&event)));
    }
    kinds
}

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

fn places_in_an_entity_of_many_lines() {
    let entity = "<b c=\u{e9}>\u{65e5}</b>\r\n".repeat(2_000);
    let mut parser = Parser::new(Xml::default().external_entities(true)).report_errors(true);
    parser.feed("<!DOCTYPE a [<!ENTITY e SYSTEM 'e'>]><a>&e;</a>");
    parser.finish();
    let mut lines = Vec::new();
    loop {
        match parser.next_event().unwrap() {
            Some(Event::ParseError(error)) => {
                let place = error.entity().unwrap();
                assert_eq!((place.name(), place.position().column()), (Some("e"), 6));
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

/// Compares the texts of a document, each with the part of the input at its span.
fn check_spans(entity: &str, content: &str, wanted: &[(&str, &str)]) {
    let entities = format!("<!ENTITY e '{entity}'><!ENTITY f '<b/>'><!ENTITY g '4<b/>'>");
    let document = format!("<!DOCTYPE a [{entities}]><a>{content}</a>");
    let mut parser = fed(Xml::default(), &document);
    let mut found = Vec::new();
    while let Some(event) = parser.next_event().unwrap() {
        if let Event::Text(text) = event {
            let span = text.span().start as usize..text.span().end as usize;
            found.push((text.as_str().to_owned(), &document[span]));
        }
    }
    let found: Vec<_> = found.iter().map(|(text, at)| (&**text, *at)).collect();
    assert_eq!(found, wanted);
}
