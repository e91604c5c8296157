//! Reported faults of input handling, each as a separate case, and random bytes, well-formed and ill-formed, in windows
//! and batches of every size.

use bytes::Bytes;
use std::fmt::Write;
use std::sync::LazyLock;
use tagstream::microxml::Revision;
use tagstream::{
    Balance, Dialect, Encoding, Event, Html, LeafXml, Limits, MicroXml, Nested, Parser, Sizes, Sky,
    Span, Xml,
};
use testing::cases::unescaped;
use testing::cuts::by;
use testing::draws;
use testing::effort::{documents, seed};
use testing::pull::{Pull, drain, dump, end, write_event};
use testing::random::Random;
use testing::run::Program;
use testing::with_dialect;

pub(crate) fn add(program: &mut Program) {
    testing::cases!(
        program,
        "core/input",
        two_lead_bytes_at_the_edge_of_a_window,
        an_ill_formed_sequence_before_a_character_that_the_chunk_cuts,
        a_run_of_text_after_another_token_in_it,
        ill_formed_bytes_in_many_copies,
        owned_events_among_ill_formed_bytes,
        an_attribute_without_a_value_ends_with_its_equals_sign,
        a_doctype_shows_the_identifiers_that_it_has,
        line_ends_of_xml_1_1_are_raw_as_written,
    );
    for dialect in ["html in UTF-8", "xml", "microxml", "sky", "leafxml"] {
        // The limit of depth is disabled, because it is not tested here.
        let limits = Limits::none();
        program.case(format!("core/input/long {dialect}"), move || {
            with_dialect!(dialect, |it| {
                let make = plain(it);
                long_documents(|sizes| make(sizes).limits(limits));
            });
        });
    }
    for (name, check) in RANDOM {
        program.case(format!("core/input/random {name}"), move || {
            random_documents(check)
        });
    }
}

/// Returns HTML with a fixed encoding, so that the encoding is not detected.
fn html() -> Html {
    Html::default().encoding(Encoding::UTF_8)
}

/// Asserts that the events are the same for all buffer sizes and chunk sizes.
fn same<P: Pull>(make: impl Fn(Sizes) -> P, input: &[u8], sizes: &[Sizes], chunks: &[usize]) {
    let expected = by(make(Sizes::USUAL), input, 1);
    let compare = |found: String, how: String| {
        if found != expected {
            let mut lines = expected.lines().zip(found.lines());
            let (one, two) = lines.find(|(one, two)| one != two).unwrap_or_default();
            let shown = &input[..input.len().min(300)];
            let (one, two) = (shortened(one), shortened(two));
            panic!("{how}\n{one}\n{two}\n{}", shown.escape_ascii());
        }
    };
    compare(dump(make(Sizes::USUAL), input), "whole".to_owned());
    for &chunk in chunks {
        let found = shared(make(Sizes::USUAL), input, chunk);
        compare(found, format!("in chunks of {chunk}"));
    }
    for &sizes in sizes {
        compare(dump(make(sizes), input), format!("whole, {sizes:?}"));
        for &chunk in chunks {
            let found = shared(make(sizes), input, chunk);
            compare(found, format!("in chunks of {chunk}, {sizes:?}"));
        }
    }
}

fn shortened(line: &str) -> String {
    let all: Vec<char> = line.chars().collect();
    let half = all.len().min(120);
    all[..half].iter().chain(&all[all.len() - half..]).collect()
}

/// Returns the events of an input whose chunks are parts of one buffer.
fn shared(mut parser: impl Pull, input: &[u8], size: usize) -> String {
    let mut out = String::new();
    let mut rest = Bytes::copy_from_slice(input);
    while !rest.is_empty() {
        parser.feed(rest.split_to(size.min(rest.len())));
        drain(&mut parser, &mut out);
    }
    end(parser, &mut out);
    out
}

fn plain<D: Dialect>(dialect: D) -> impl Fn(Sizes) -> Parser<D> {
    move |sizes| {
        Parser::new(dialect.clone())
            .report_errors(true)
            .inspect_sizes(sizes)
    }
}

fn balanced<D: Balance>(dialect: D) -> impl Fn(Sizes) -> Parser<D, Nested> {
    move |sizes| {
        Parser::new(dialect.clone())
            .balanced()
            .report_errors(true)
            .inspect_sizes(sizes)
    }
}

/// Asserts that the events are the same for all buffer sizes and chunk sizes, in every dialect.
fn same_everywhere(input: &[u8], sizes: &[Sizes], chunks: &[usize]) {
    same(plain(html()), input, sizes, chunks);
    same(plain(Xml::default()), input, sizes, chunks);
    same(balanced(Xml::default()), input, sizes, chunks);
    same(plain(Xml::strict()), input, sizes, chunks);
    same(plain(MicroXml::default()), input, sizes, chunks);
    same(balanced(MicroXml::default()), input, sizes, chunks);
    same(plain(Sky::fragment()), input, sizes, chunks);
    same(plain(LeafXml::default()), input, sizes, chunks);
}

/// Returns the events as strings.
fn strings<D: Dialect>(dialect: &D, input: &[u8]) -> String {
    let mut parser = Parser::new(dialect.clone());
    parser.feed(input);
    parser.finish();
    let mut out = String::new();
    while let Ok(Some(event)) = parser.next_event() {
        writeln!(out, "{event:?}").unwrap();
    }
    out
}

/// Asserts that ill-formed bytes are replaced in the same way as in the standard library.
fn replaced(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let text = text.as_bytes();
    assert_eq!(strings(&html(), input), strings(&html(), text));
    let xml = Xml::default();
    assert_eq!(strings(&xml, input), strings(&xml, text));
    let microxml = MicroXml::default();
    assert_eq!(strings(&microxml, input), strings(&microxml, text));
    let sky = Sky::fragment();
    assert_eq!(strings(&sky, input), strings(&sky, text));
}

fn document(parts: &[(&[u8], usize)]) -> Vec<u8> {
    let parts = parts.iter().map(|(part, times)| part.repeat(*times));
    parts.collect::<Vec<_>>().concat()
}

const CHUNKS: [usize; 6] = [2, 3, 64, 1000, 4096, 5000];

/// If the end of a window divides a character, the preceding character may be incomplete too.
fn two_lead_bytes_at_the_edge_of_a_window() {
    let documents = [
        document(&[(b"<a>\xFF", 1), (b"x", 62), (b"\xC3\xC3", 1), (b"y", 4100)]),
        document(&[(b"<a>", 1), (b"a", 32_763), (b"\xE9\xE9", 1), (b"a", 5000)]),
        document(&[
            (b"<a>", 1),
            (b"a", 32_762),
            (b"\xE9\xE9\xE9", 1),
            (b"a", 5000),
        ]),
        document(&[
            (b"<a>", 1),
            (b"a", 32_761),
            (b"\xF0\x9F\xE2\x82", 1),
            (b"a", 5000),
        ]),
    ];
    for input in &documents {
        same_everywhere(input, &[], &CHUNKS);
        replaced(input);
    }
}

/// A chunk may end in an ill-formed sequence that is followed by the beginning of a character.
fn an_ill_formed_sequence_before_a_character_that_the_chunk_cuts() {
    for tail in [
        &b"\xE2\xE2\x82"[..],
        b"\xF0\x9F\xE2\x82",
        b"\xC3\xE2",
        b"\xE2\xF0\x9F\x98",
    ] {
        for rest in [&b"\xAC</a>"[..], b"\x80</a>", b"</a>", b""] {
            let input = [&document(&[(b"<a>", 1), (b"x", 5000)]), tail, rest].concat();
            let chunk = input.len() - rest.len();
            same_everywhere(&input, &[], &[chunk]);
            replaced(&input);
        }
    }
}

/// A range that was removed from a run of text does not affect the text after it, even if the run continues in another
/// buffer.
fn a_run_of_text_after_another_token_in_it() {
    let entity = |count: usize| {
        let text = "b".repeat(count);
        format!("<!DOCTYPE a [<!ENTITY y '<!DOCTYPE b>'>]><a>{text}&y;<b/>")
    };
    let doctype = |count: usize| format!("<a>x<!DOCTYPE z>y&amp;{}</a>", "z".repeat(count));
    for count in 0..40 {
        for input in [entity(count), doctype(count)] {
            let sizes = [1, 4, 16].map(Sizes::all);
            same_everywhere(input.as_bytes(), &sizes, &[1, 7]);
        }
    }
    let spans = by(
        plain(Xml::default())(Sizes::USUAL),
        entity(10).as_bytes(),
        1,
    );
    assert!(
        spans.contains("44..57 1:45:45 text \"bbbbbbbbbb\""),
        "{spans}"
    );
    let comments = LeafXml::default().comments(true).doctype(true);
    for count in 0..40 {
        let (make, input) = (plain(comments), doctype(count));
        same(make, input.as_bytes(), &[Sizes::all(1)], &[1, 7]);
    }
}

/// A buffer that consists of many small copies is not moved for each ill-formed sequence; otherwise this test would
/// take minutes.
fn ill_formed_bytes_in_many_copies() {
    let input = b"x\xE2\x82y".repeat(1 << 20);
    for html in [
        html(),
        Html::default().encoding(Encoding::for_label("big5").unwrap()),
    ] {
        let mut parser = Parser::new(html);
        for chunk in input.chunks(1000) {
            parser.feed(chunk);
        }
        parser.finish();
        let mut length = 0;
        while let Some(event) = parser.next_event().unwrap() {
            length += event.span().end - event.span().start;
        }
        assert!(length >= input.len() as u64 / 2, "{length}");
    }
}

/// The position of an owned event is found among thousands of ill-formed sequences, in order.
fn owned_events_among_ill_formed_bytes() {
    let mut random = Random(7);
    let mut input = b"<a>".to_vec();
    while input.len() < 1 << 20 {
        input.extend(std::iter::repeat_n(b'x', random.below(9)));
        input.push(0xFF);
        if random.one_in(20) {
            input.extend_from_slice(b"<b c='\xFF' \xE2\x82=''/>");
        }
    }
    for end in [300, input.len()] {
        let make = || {
            let mut parser = Parser::new(Xml::default()).report_errors(true);
            parser.feed(&input[..end]);
            parser.finish();
            parser
        };
        let (mut lent, mut owned) = (make(), make());
        while let Some(event) = lent.next_event().unwrap() {
            let kept = owned.next().unwrap().unwrap();
            assert_eq!(kept.span(), event.span());
            if end == 300 {
                let (mut one, mut two) = (String::new(), String::new());
                write_event(&mut one, &event);
                write_event(&mut two, &kept.event());
                assert_eq!(one, two);
            }
        }
        assert!(owned.next().is_none());
    }
}

/// Returns the spans of the attributes of the first tag, and those of their names and values.
fn attribute_spans<D: Dialect>(dialect: &D, input: &str, chunk: usize) -> String {
    let mut parser = Parser::new(dialect.clone());
    for chunk in input.as_bytes().chunks(chunk) {
        parser.feed(chunk);
    }
    parser.finish();
    let mut out = String::new();
    if let Ok(Some(Event::Start(tag))) = parser.next_event() {
        for attribute in tag.attributes() {
            let (span, name) = (attribute.span(), attribute.name_span());
            write!(out, "{span} {name} {};", attribute.value_span()).unwrap();
        }
    }
    out
}

/// An attribute ends with its value, with its `=` if it has none, or with its name.
fn an_attribute_without_a_value_ends_with_its_equals_sign() {
    let everywhere = [
        ("<p href=>", "3..8 3..7 8..8;"),
        ("<p href =>", "3..9 3..7 9..9;"),
        ("<p href = >", "3..9 3..7 9..9;"),
        ("<p href=''>", "3..10 3..7 9..9;"),
        ("<p href= \"x\">", "3..12 3..7 10..11;"),
        ("<p href=x>", "3..9 3..7 8..9;"),
        ("<p href = x>", "3..11 3..7 10..11;"),
        ("<p b='1' href=>", "3..8 3..4 6..7;9..14 9..13 14..14;"),
        ("<p b c=>", "3..4 3..4 4..4;5..7 5..6 7..7;"),
        (
            "<p b c d=''>",
            "3..4 3..4 4..4;5..6 5..6 6..6;7..11 7..8 10..10;",
        ),
    ];
    let microxml = MicroXml::default().revision(Revision::Final);
    let sky = Sky::fragment().registered(["p"]);
    for (input, expected) in everywhere {
        for chunk in [1, 2, 3, 100] {
            let found = [
                attribute_spans(&html(), input, chunk),
                attribute_spans(&Xml::default(), input, chunk),
                attribute_spans(&microxml, input, chunk),
                attribute_spans(&sky, input, chunk),
            ];
            assert_eq!(found, [expected; 4], "{input}");
        }
    }
    // HTML drops a further attribute of the same name. In XML, the end of the input ends a tag.
    assert_eq!(attribute_spans(&html(), "<p a=1 a=>", 1), "3..6 3..4 5..6;");
    assert_eq!(
        attribute_spans(&Xml::default(), "<p a='1' a=>", 1),
        "3..8 3..4 6..7;"
    );
    assert_eq!(
        attribute_spans(&Xml::default(), "<p a=", 1),
        "3..5 3..4 5..5;"
    );
    assert_eq!(
        attribute_spans(&Xml::default(), "<p a", 1),
        "3..4 3..4 4..4;"
    );
}

/// Identifiers that are not in the input are not shown.
fn a_doctype_shows_the_identifiers_that_it_has() {
    let cases = [
        ("<!DOCTYPE html>", "Doctype(<!DOCTYPE html>)\n"),
        (
            "<!DOCTYPE a SYSTEM 's'>",
            "Doctype(<!DOCTYPE a SYSTEM \"s\">)\n",
        ),
        (
            "<!DOCTYPE a PUBLIC 'p'>",
            "Doctype(<!DOCTYPE a PUBLIC \"p\">)\n",
        ),
        (
            "<!DOCTYPE a PUBLIC 'p' 's'>",
            "Doctype(<!DOCTYPE a PUBLIC \"p\" \"s\">)\n",
        ),
    ];
    for (input, expected) in cases {
        assert_eq!(strings(&html(), input.as_bytes()), expected);
    }
}

/// Returns the line and the column of an offset. A line ends with LF, CR, or CR LF.
fn place(input: &str, offset: u64) -> (u64, u64) {
    let before = &input[..offset as usize];
    let ends = before.replace("\r\n", "\n").replace('\r', "\n");
    // If an LF follows the CR, the LF belongs to the same newline, but its position is already on the next line.
    let line = ends.matches('\n').count() as u64 + 1;
    (
        line,
        ends.rsplit('\n').next().unwrap().chars().count() as u64 + 1,
    )
}

/// Asserts that raw strings equal the input, and that positions are those of the input, both in borrowed and in owned
/// events.
fn check_written<D: Dialect>(dialect: &D, input: &str, sizes: Sizes, chunk: usize) {
    let make = || {
        let mut parser = Parser::new(dialect.clone())
            .report_errors(true)
            .inspect_sizes(sizes);
        for chunk in input.as_bytes().chunks(chunk) {
            parser.feed(chunk);
        }
        parser.finish();
        parser
    };
    let check = |event: &Event<'_>| {
        let context = || format!("{event:?} of {input:?} by {chunk}, {sizes:?}");
        let position = event.position();
        let found = (position.line(), position.column());
        assert_eq!(found, place(input, event.span().start), "{}", context());
        let Event::Start(tag) = event else { return };
        let slice = |span: Span| &input[span.start as usize..span.end as usize];
        assert_eq!(tag.raw(), slice(tag.span()), "{}", context());
        for attribute in tag.attributes() {
            let (raw, span) = (attribute.raw_value(), attribute.value_span());
            if attribute.is_specified() && raw != slice(span) {
                // The attribute comes from an entity. Its value has no span of its own, and the span is that of the
                // reference.
                assert!(tag.raw().starts_with('&'), "{raw:?} {}", context());
            }
            let position = attribute.position();
            let found = (position.line(), position.column());
            let expected = place(input, attribute.span().start);
            assert_eq!(found, expected, "{}", context());
        }
    };
    let (mut lent, mut owned) = (make(), make());
    while let Ok(Some(event)) = lent.next_event() {
        check(&event);
        check(&owned.next().unwrap().unwrap().event());
    }
}

/// In XML 1.1, NEL and LS end lines, but they do not count for line numbers. Raw strings contain them as they are in
/// the input.
fn line_ends_of_xml_1_1_are_raw_as_written() {
    let ends = [
        "\u{85}",
        "\u{2028}",
        "\r\u{85}",
        "\r\u{2028}",
        "\r\n\u{85}",
        "\u{85}\u{85}",
        "\r",
        "\n",
    ];
    for one in ends {
        for two in ends {
            let input = format!(
                "<?xml version='1.1'?>{one}<!DOCTYPE a [<!ENTITY e '{one}<b{two}c=\"{one}\"/>'>{two}]>{two}<a{one}b{two}\
                 ={one}'x{two}y{one}{two}&#65;'{two}c=\"{two}\"{one}>t{one}u{two}<!--{two}--><c d='{one}'/>&e;v{one}<?p{two}q{one}?></a{two}>"
            );
            for xml in [Xml::default(), Xml::strict()] {
                same(
                    plain(xml.clone()),
                    input.as_bytes(),
                    &[Sizes::all(1), Sizes::all(4)],
                    &[1, 3],
                );
                for size in [1, 16, 4096] {
                    check_written(&xml, &input, Sizes::all(size), 1);
                    check_written(&xml, &input, Sizes::all(size), 1000);
                }
            }
        }
    }
}

/// Pieces of documents: markup of every dialect, characters of every length, and ill-formed bytes.
static PIECES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let pieces = r#"<a> </a> <b> </b> <a/> <p:a␣xmlns:p='u'> </p:a> </> < > / <a␣ ␣x="1" ␣x='2' ␣y=z ␣x ␣x= =
        " ' ␣ \n \r \r\n \t x some␣text &lt; &amp; &#65; &#xE9; & &e; &f; &# ; <!-- --> -- <!--␣c␣-->
        <![CDATA[ <![CDATA[c]]> ]]> ] <? ?> <?t␣d?> <!DOCTYPE␣a> <!DOCTYPE␣a␣[
        <!DOCTYPE␣a␣[<!ENTITY␣e␣'r\u{e9}<b>x</b>'><!ENTITY␣f␣'&e;\r&e;'>]> <!ENTITY␣e␣'x'>
        <!ATTLIST␣a␣d␣CDATA␣'v'> ]> <script> </script> <title> </title> <style> </style> <svg> </svg>
        <table> <td> <p> <plaintext> \0 \x01 \x0C \u{e9} \u{20ac} \u{1d11e} \u{85} \u{2028} \u{fffd}
        \u{ffff} \u{feff} e\u{301} <\u{e9}␣\u{fc}='\u{e9}'> \xFF \x80 \xC3 \xE2 \xE2\x82 \xF0\x9F
        \xF0\x9F\x98 \xED\xA0\x80 \xC0\x80 \xF5 \xC3\xC3 \xE9\xE9 \xE2\xE2\x82"#;
    let pieces = pieces.split_ascii_whitespace();
    pieces
        .map(|piece| unescaped(&piece.replace('␣', " ")))
        .collect()
});

/// Returns a document of random pieces. Runs of text between them shift the following pieces to other offsets.
fn random_document(random: &mut Random, pieces: usize) -> Vec<u8> {
    let mut out = Vec::new();
    match random.below(4) {
        0 => out.extend_from_slice(b"<?xml version='1.0'?>"),
        1 => out.extend_from_slice(b"<?xml version='1.1'?>"),
        2 => out.extend_from_slice(b"<a>"),
        _ => {}
    }
    for _ in 0..pieces {
        if random.one_in(12) {
            let run = [&b"x"[..], b"<b>", b"\xC3\xA9", b"\xFF", b"\n"];
            let times = random.below(80);
            out.extend_from_slice(&random.pick(&run).repeat(times));
        }
        out.extend_from_slice(&PIECES[random.below(PIECES.len())]);
    }
    out
}

/// A check of a document, with these buffer sizes and chunk sizes.
type Check = fn(&[u8], &[Sizes], &[usize]);

/// Checks random documents, each with its own chunk sizes and buffer sizes.
fn random_documents(check: Check) {
    let seed = seed(0x0001_9B07);
    println!("seed {seed}");
    for number in 0..documents(200, 5000) {
        let mut random = Random(seed ^ (number as u64) << 20);
        let pieces = 1 + random.below(60);
        let input = random_document(&mut random, pieces);
        // The number of tracked elements would change the events.
        let sizes = [draws::sizes(&mut random), draws::sizes(&mut random)].map(|sizes| Sizes {
            tracked_elements: Sizes::USUAL.tracked_elements,
            ..sizes
        });
        let chunks = [1 + random.below(9), 1 + random.below(300)];
        check(&input, &sizes, &chunks);
    }
}

/// Reads documents of 64 to 200 KB in chunks of up to 64 KiB. The result must not depend on the chunks.
fn long_documents<P: Pull>(make: impl Fn(Sizes) -> P) {
    let seed = seed(0x0010_4613);
    println!("seed {seed}");
    for number in 0..documents(3, 100) {
        let mut random = Random(seed ^ (number as u64) << 20);
        let length = (64 << 10) + random.below(136 << 10);
        let mut input = Vec::new();
        while input.len() < length {
            let pieces = 1 + random.below(60);
            input.extend(random_document(&mut random, pieces));
            let run = random.pick(&[
                &b"x"[..],
                b"\xC3\xA9",
                b"text ",
                b"\xFF",
                b"Stra\xDFe, ",
                b"<b c='d'>e</b>",
            ]);
            let most = 1 << random.below(12);
            input.extend(run.repeat(random.below(most)));
        }
        let expected = dump(make(Sizes::USUAL), &input);
        for _ in 0..2 {
            let most = 1 << random.below(17);
            let chunk = 1 + random.below(most);
            let found = shared(make(Sizes::USUAL), &input, chunk);
            assert!(
                found == expected,
                "seed {seed}, document {number} by {chunk}"
            );
        }
    }
}

/// The checks of random documents, each with its name.
const RANDOM: [(&str, Check); 11] = [
    ("html", |input, sizes, chunks| {
        same(plain(html()), input, sizes, chunks)
    }),
    ("html sniffed", |input, sizes, chunks| {
        same(plain(Html::default()), input, sizes, chunks)
    }),
    ("html in shift jis", |input, sizes, chunks| {
        let html = Html::default().encoding(Encoding::for_label("shift_jis").unwrap());
        same(plain(html), input, sizes, chunks);
    }),
    ("xml", |input, sizes, chunks| {
        same(plain(Xml::default()), input, sizes, chunks)
    }),
    ("balanced xml", |input, sizes, chunks| {
        same(balanced(Xml::default()), input, sizes, chunks);
    }),
    ("strict xml", |input, sizes, chunks| {
        same(plain(Xml::strict()), input, sizes, chunks)
    }),
    ("microxml", |input, sizes, chunks| {
        same(plain(MicroXml::default()), input, sizes, chunks);
        same(balanced(MicroXml::default()), input, sizes, chunks);
    }),
    ("sky", |input, sizes, chunks| {
        same(plain(Sky::fragment()), input, sizes, chunks)
    }),
    ("leafxml", |input, sizes, chunks| {
        same(plain(LeafXml::default()), input, sizes, chunks)
    }),
    ("bytes as written", |input, sizes, chunks| {
        // A raw string contains the ill-formed bytes, in place of which the text contains U+FFFD.
        let text = String::from_utf8_lossy(input);
        let text = text.trim_start_matches('\u{feff}');
        for chunk in [chunks[0], 1000] {
            for dialect in [
                "html in UTF-8",
                "xml",
                "xml-strict",
                "microxml",
                "sky",
                "leafxml",
            ] {
                with_dialect!(dialect, |it| check_written(&it, text, sizes[0], chunk));
            }
        }
    }),
    ("bytes replaced", |input, _, _| replaced(input)),
];
