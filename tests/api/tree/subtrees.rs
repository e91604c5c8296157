//! Trees of single elements in a stream.

use tagstream::tree::Document;
use tagstream::{
    Category, Error, ErrorKind, Event, Events, Html, Limits, Nested, Parser, Subtree, Xml,
};
use testing::cases;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    cases!(
        program,
        "tree",
        elements_of_a_stream,
        what_is_broken_ends_where_it_is_balanced,
        one_call_where_the_chunks_come_by_themselves,
        what_is_in_an_element_is_bounded_by_it,
        the_end_of_the_document_ends_it,
        an_error_loses_nothing_before_it,
        memory_is_that_of_one_element,
        attributes_of_the_root_are_not_those_of_its_namesakes,
    );
}

const DUMP: &str =
    "<d xmlns:p='u'>\r\n<i n='1'>a<p:b/>&amp;<!--c--></i>x<i n='2'/><j/><i n='3'><i>y</i></i></d>";

/// Returns every `i` element that is not inside another `i`, and the names and texts outside these elements.
fn items(source: &str, chunk: usize, chunks: impl Fn(&[u8]) -> Vec<u8>) -> (Vec<String>, String) {
    let mut parser = Parser::new(Xml::default()).balanced();
    let (mut found, mut rest, mut open) = (Vec::new(), String::new(), None::<Subtree>);
    let mut drain = |parser: &mut Parser<Xml, Nested>| {
        while let Some(event) = parser.next_event().unwrap() {
            if open.is_some() {
                if let Some(whole) = open.take_if(|open| open.take(&event)) {
                    found.push(whole.into_sink().to_xml().unwrap());
                }
                continue;
            }
            match event {
                Event::Start(tag) if tag.name() == "i" => open = parser.subtree(),
                Event::Start(tag) => rest.push_str(tag.name()),
                Event::Text(text) => rest.push_str(text.as_str()),
                _ => {}
            }
        }
    };
    for piece in source.as_bytes().chunks(chunk) {
        parser.feed(chunks(piece));
        drain(&mut parser);
    }
    parser.finish();
    drain(&mut parser);
    (found, rest)
}

fn elements_of_a_stream() {
    let expected = [
        r#"<i n="1">a<p:b xmlns:p="u"/>&amp;<!--c--></i>"#,
        r#"<i n="2"/>"#,
        r#"<i n="3"><i>y</i></i>"#,
    ];
    for chunk in 1..=DUMP.len() {
        let (found, rest) = items(DUMP, chunk, <[u8]>::to_vec);
        assert_eq!(found, expected, "{chunk}");
        assert_eq!(rest, "d\nxj", "{chunk}");
    }
}

fn what_is_broken_ends_where_it_is_balanced() {
    let (found, rest) = items("<d><i><k>1</i>2<i>3</d>4", 3, <[u8]>::to_vec);
    assert_eq!(found, ["<i><k>1</k></i>", "<i>3</i>"]);
    assert_eq!(rest, "d2");
}

fn one_call_where_the_chunks_come_by_themselves() {
    let mut events = Events::chunks(
        Xml::default(),
        DUMP.as_bytes().chunks(5).map(<[u8]>::to_vec),
    );
    let error = events.subtree().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NoElement));
    assert_eq!(error.category(), Category::Use);
    let mut found = Vec::new();
    while let Some(event) = events.next_event().unwrap() {
        let is_item = matches!(event, Event::Start(tag) if tag.name() == "i");
        let is_start = matches!(event, Event::Start(_));
        if is_item || !is_start {
            let subtree = events.subtree().ok();
            assert_eq!(subtree.is_some(), is_item);
            found.extend(subtree.map(|document: Document| document.root().children().count()));
        }
    }
    assert_eq!(found, [1, 1, 1]);
}

/// A second `html` tag adds its attributes to the root element. Other elements with the name `html` do not get them.
fn attributes_of_the_root_are_not_those_of_its_namesakes() -> Result<(), Error> {
    for (markup, nth, expected) in [
        (
            "<p><svg><html><desc><html a>",
            5,
            "<html><desc></desc></html>",
        ),
        ("<math><html><mi><html a>", 4, "<html><mi></mi></html>"),
        (
            "<p>b<html a>",
            0,
            "<html a=\"\"><head></head><body><p>b</p></body></html>",
        ),
        ("<p>b<body a>", 2, "<body a=\"\"><p>b</p></body>"),
    ] {
        let mut events = Events::of(Html::default(), markup).balanced();
        let mut passed = 0;
        let found = loop {
            let event = events.next_event()?.expect("an element");
            if !matches!(event, Event::Start(_)) {
                continue;
            }
            if passed == nth {
                break events.subtree()?.to_html();
            }
            passed += 1;
        };
        assert_eq!(found, expected, "{markup}");
    }
    Ok(())
}

/// The content of an element ends where the parser closes the element, even if the end tag is missing.
fn what_is_in_an_element_is_bounded_by_it() -> Result<(), Error> {
    let dump = "<dump><page><title>A&amp;<b>B</b><!--c-->D<page><title>E</title></page>F</dump>";
    for size in [1, 4, dump.len()] {
        let mut events = Events::chunks(Xml::default(), dump.as_bytes().chunks(size));
        let mut found = Vec::new();
        assert!(events.read_text().is_err(), "there is no event in hand");
        while let Some(event) = events.next_event()? {
            match event {
                Event::Start(tag) if tag.name() == "title" => found.push(events.read_text()?),
                Event::Start(tag) => found.push(format!("<{}>", tag.name())),
                Event::End(tag) => found.push(format!("</{}>", tag.name())),
                Event::Text(text) => found.push(text.as_str().to_owned()),
                _ => {}
            }
        }
        // The first `title` has no end tag, so its content extends to the end of the document.
        assert_eq!(found.concat(), "<dump><page>A&BDEF</page></dump>", "{size}");
    }
    let pages = "<dump><page><title>A</page><page><title>B</title>x</page>y</dump>";
    let mut events = Events::of(Xml::default(), pages);
    let (mut titles, mut trees) = (Vec::new(), Vec::new());
    while let Some(event) = events.next_event()? {
        match event {
            Event::Start(tag) if tag.name() == "title" => titles.push(events.read_text()?),
            Event::End(_) | Event::Text(_) => {
                let error = events.skip_element().unwrap_err();
                assert!(matches!(error.kind(), ErrorKind::NoElement));
            }
            _ => {}
        }
    }
    assert_eq!(titles, ["A", "B"]);
    let mut events = Events::of(Xml::default(), pages);
    while let Some(event) = events.next_event()? {
        if matches!(event, Event::Start(tag) if tag.name() == "page") {
            match trees.is_empty() {
                true => trees.push(events.subtree()?.to_xml().unwrap()),
                false => {
                    events.skip_element()?;
                    assert_eq!(format!("{:?}", events.current()), "Some(End(</page>))");
                    assert_eq!(format!("{:?}", events.next_event()?), "Some(Text(\"y\"))");
                }
            }
        }
    }
    assert_eq!(trees, ["<page><title>A</title></page>"]);
    // An error ends the text, and the text before the error is not lost.
    let mut events = Events::of(Xml::strict(), "<a>one<b/>two</c>");
    events.next_event()?;
    let mut text = String::new();
    assert!(events.read_text_into(&mut text).is_err());
    assert_eq!(text, "onetwo");
    Ok(())
}

fn the_end_of_the_document_ends_it() {
    let mut events = Events::chunks(Xml::default(), ["<a><b>text<c>"]);
    events.next_event().unwrap();
    let tree = events.subtree().unwrap();
    assert!(tree.to_xml().unwrap().starts_with("<a><b>text<c"));
    assert!(events.next_event().unwrap().is_none());
}

fn an_error_loses_nothing_before_it() {
    let mut parser = Parser::new(Xml::strict());
    parser.feed("<a><b>text</b></c>");
    parser.finish();
    parser.next_event().unwrap();
    let mut tree = parser.subtree().unwrap();
    let error = loop {
        match parser.next_event() {
            Ok(event) => assert!(!tree.take(&event.unwrap())),
            Err(error) => break error,
        }
    };
    assert_eq!(error.span().start, 14);
    assert_eq!(tree.into_sink().to_xml().unwrap(), "<a><b>text</b></a>");
}

/// Reading a stream element by element needs only the memory of one element, however long the stream is.
fn memory_is_that_of_one_element() {
    let limits = Limits::default().memory(1 << 20);
    let item = format!("<item>{}</item>", "<x y='z'>text</x>".repeat(1_000));
    let chunks = std::iter::once("<list>".to_owned()).chain(std::iter::repeat_n(item, 1_000));
    let mut events =
        Events::chunks(Xml::default(), chunks).configure(|parser| parser.limits(limits));
    let (mut count, mut most) = (0, 0);
    while let Some(event) = events.next_event().unwrap() {
        if matches!(event, Event::Start(tag) if tag.name() == "item") {
            let item = events.subtree().unwrap();
            count += 1;
            most = most.max(item.heap_size());
        }
    }
    assert_eq!(count, 1_000);
    assert!(most < 256 << 10, "{most}");
}
