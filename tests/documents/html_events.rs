//! Events of HTML: cases that the suites do not contain, checked for every cut, and the effects of options.

use crate::limits;
use std::fmt::Write;
use tagstream::html::InitialState;
use tagstream::{Encoding, Event, Html, Parser};
use testing::cases::{self, Case};
use testing::cuts::{check_cuts, check_parser};
use testing::event_text;
use testing::latency;
use testing::run::{Failed, Program};

pub(crate) fn add(program: &mut Program) {
    for case in all() {
        let name = format!("{}, promptly", case.test_name("html"));
        program.case(name, move || promptly(&case));
    }
    cases::add(program, all(), |_| "html", check);
    testing::cases!(
        program,
        "html",
        places_of_errors,
        late_encodings,
        open_encodings,
        spans,
        many_attributes,
        feedback,
        longer_than_a_batch,
        ill_formed_bytes,
    );
}

/// Returns all cases.
fn all() -> Vec<Case> {
    cases::cases("tests/data/html.txt", include_str!("../data/html.txt"))
}

/// The result of a test.
type Outcome = Result<(), Failed>;

fn utf8() -> Html {
    Html::default().encoding(Encoding::UTF_8)
}

/// Creates the dialect HTML with the options of a case.
pub(crate) fn dialect(case: &Case) -> Html {
    let html = match case.option("fragment") {
        Some(context) => Html::fragment(context).expect("a context"),
        None => Html::default(),
    };
    let html = match case.option("initial-state") {
        None => html,
        Some("rcdata") => html.initial_state(InitialState::Rcdata),
        Some("rawtext") => html.initial_state(InitialState::Rawtext),
        Some("script-data") => html.initial_state(InitialState::ScriptData),
        Some("plaintext") => html.initial_state(InitialState::Plaintext),
        Some("cdata-section") => html.initial_state(InitialState::CdataSection),
        Some(other) => panic!("no such state: {other}"),
    };
    let html = match case.option("last-start-tag") {
        Some(name) => html.last_start_tag(name),
        None => html,
    };
    html.encoding(Encoding::UTF_8)
        .scripting(case.has("scripting"))
        .shadow_roots(case.option("shadow-roots") == Some("on"))
        .processing_instructions(case.option("processing-instructions") != Some("off"))
}

fn check(case: &Case) -> Result<(), String> {
    let (html, input) = (dialect(case), &case.input()[..]);
    let limits = limits(case);
    let parser = || Parser::new(html.clone()).limits(limits);
    case.expect(
        "events",
        &event_text::read(parser().report_errors(true), input),
    )?;
    check_cuts(parser, input);
    check_parser(&html, input);
    Ok(())
}

fn promptly(case: &Case) -> Result<(), String> {
    let (parser, input) = (Parser::new(dialect(case)), &case.input()[..]);
    latency::check("events", parser.clone(), input)?;
    latency::check("with errors", parser.report_errors(true), input)
}

/// Line and column of each error in the states that the suite does not cover.
fn places_of_errors() -> Outcome {
    for (input, expected) in [
        ("\n<?", "2:3 eof-in-processing-instruction"),
        ("<?a b?", "1:7 eof-in-processing-instruction"),
        (
            "<?3>",
            "1:3 invalid-first-character-of-processing-instruction-target",
        ),
        ("<?ab:c>", "1:5 invalid-processing-instruction-target"),
        ("<?xml ?>", "1:6 disallowed-processing-instruction-target"),
        (
            "\u{1f600}<?a\u{1}",
            "1:6 control-character-in-input-stream 1:6 invalid-processing-instruction-target",
        ),
    ] {
        let mut parser = Parser::new(utf8()).report_errors(true);
        parser.feed(input);
        parser.finish();
        let mut found = String::new();
        while let Some(event) = parser.next_event()? {
            if let Event::ParseError(error) = event {
                let place = error.position();
                let (line, column) = (place.line(), place.column_utf16());
                write!(found, " {line}:{column} {}", error.code())?;
            }
        }
        assert_eq!(found.trim_start(), expected, "{input:?}");
    }
    Ok(())
}

fn late_encodings() -> Outcome {
    let far = " ".repeat(1024);
    let koi8 = Encoding::for_label("koi8-r").ok_or("no such label")?;
    let late = |meta: &str| format!("<p{far}>{meta}");
    let read = |html: Html, input: &str| {
        let events = event_text::read(Parser::new(html), input.as_bytes());
        let events = event_text::split(&events).into_iter();
        let changes = events.filter_map(|event| event.strip_prefix("encoding-change "));
        changes.collect::<String>().replace('"', "")
    };
    for (known, meta, expected) in [
        ("", "<meta charset=koi8-r>", "KOI8-R"),
        ("", "<META Charset='&#107;oi8-r'/>", "KOI8-R"),
        ("", "<meta charset=utf-16>", "UTF-8"),
        ("", "<meta charset=x-user-defined>", ""),
        ("", "<meta charset=latin1><meta charset=koi8-r>", ""),
        ("", "<meta charset=?><meta charset=koi8-r>", "KOI8-R"),
        ("", "<meta charset=koi8-r><meta charset=big5>", "KOI8-R"),
        (
            "",
            "<meta content='x; charset=gbk'><meta charset=big5>",
            "Big5",
        ),
        (
            "",
            "<meta http-equiv=Content-Type content='x; charset=big5'>",
            "Big5",
        ),
        ("", "<title><meta charset=koi8-r></title>", ""),
        ("hint", "<meta charset=koi8-r>", ""),
        ("hint", "<meta charset=big5>", "Big5"),
        ("said", "<meta charset=koi8-r>", ""),
    ] {
        let html = match known {
            "hint" => Html::default().fallback_encoding(koi8),
            "said" => utf8(),
            _ => Html::default().fallback_encoding(Encoding::WINDOWS_1252),
        };
        assert_eq!(read(html, &late(meta)), expected, "{meta}");
    }
    let found = read(
        Html::default(),
        &format!("\u{feff}{}", late("<meta charset=koi8-r>")),
    );
    assert_eq!(found, "", "after a byte-order mark");
    check_cuts(
        || Parser::new(Html::default()).report_errors(true),
        late("<META charset=KOI8-r>\u{e9}&").as_bytes(),
    );
    Ok(())
}

/// If no encoding is declared, the first non-ASCII bytes decide the encoding, wherever they are in the input, unless a
/// `meta` that precedes them declares an encoding.
fn open_encodings() -> Outcome {
    let far = " ".repeat(1100);
    let rows: [(&[u8], &str, &str); 16] = [
        (b"", "", "UTF-8"),
        (b"~", "~", "UTF-8"),
        (b"\xC3\xA9", "\u{e9}", "UTF-8"),
        (b"\xE9", "\u{e9}", "windows-1252"),
        (b"\xE9\xC3\xA9", "\u{e9}\u{c3}\u{a9}", "windows-1252"),
        (b"\xC3\xA9\xE9", "\u{e9}\u{fffd}", "UTF-8"),
        (b"\xC3", "\u{c3}", "windows-1252"),
        (b"\xF0\x9F\x8E", "\u{f0}\u{178}\u{17d}", "windows-1252"),
        (b"\xF0\x9F\x8E\x89", "\u{1f389}", "UTF-8"),
        (b"\xE2\x82x", "\u{e2}\u{201a}x", "windows-1252"),
        (b"\xED\xA0\x80", "\u{ed}\u{a0}\u{20ac}", "windows-1252"),
        (b"<meta charset=koi8-r>\xC1", "\u{430}", "KOI8-R"),
        (b"<meta charset=utf-8>\xC1", "\u{fffd}", "UTF-8"),
        (b"<meta charset=koi8-r>", "", "KOI8-R"),
        (
            b"\xC1<meta charset=koi8-r>\xC1",
            "\u{c1}|@KOI8-R\u{c1}",
            "windows-1252",
        ),
        (
            b"<meta name='\xC1' charset=koi8-r>\xC1",
            "@KOI8-R\u{c1}",
            "windows-1252",
        ),
    ];
    for (rest, expected, encoding) in rows {
        let input = [b"<p>", far.as_bytes(), b"|", rest].concat();
        for size in [1, 2, 3, 7, 4096, 65536] {
            let mut parser = Parser::new(Html::default());
            let mut found = String::new();
            for chunk in input.chunks(size).map(Some).chain([None]) {
                match chunk {
                    Some(chunk) => parser.feed(chunk),
                    None => parser.finish(),
                }
                while let Some(event) = parser.next_event()? {
                    match event {
                        Event::Text(text) => found.push_str(text.as_str().trim_start()),
                        Event::EncodingChange(change) => {
                            found.push('@');
                            found.push_str(change.label());
                        }
                        _ => {}
                    }
                }
            }
            let bar = found.find('|').map_or(0, |at| at + 1);
            let expected = expected.replacen('|', "", 1);
            assert_eq!(
                found[bar..].to_owned(),
                expected,
                "{} {size}",
                rest.escape_ascii()
            );
            assert_eq!(parser.encoding().map(Encoding::name), Some(encoding));
        }
        check_cuts(|| Parser::new(Html::default()).report_errors(true), &input);
    }
    // The encoding is unknown until a byte decides it, and known directly after that byte.
    let mut parser = Parser::new(Html::default());
    parser.feed(far.as_bytes());
    while parser.next_event()?.is_some() {}
    assert_eq!(parser.encoding(), None);
    parser.feed(b"\xC3");
    while parser.next_event()?.is_some() {}
    assert_eq!(parser.encoding(), None);
    parser.feed(b"\xA9");
    while parser.next_event()?.is_some() {}
    assert_eq!(parser.encoding(), Some(Encoding::UTF_8));
    // In some encodings ASCII bytes can represent other characters. A late `meta` that declares such an encoding is
    // reported.
    let read = |input: &[u8]| event_text::read(Parser::new(Html::default()), input);
    let shifting = format!("{far}<meta charset=iso-2022-jp>x");
    assert!(read(shifting.as_bytes()).contains("ISO-2022-JP"));
    Ok(())
}

/// Spans of tags whose names are cleaned, and of their attributes.
fn spans() -> Outcome {
    let mut parser = Parser::new(utf8());
    parser.feed("x<A\0b Cd='e&amp;' F>");
    parser.finish();
    let mut found = String::new();
    while let Some(event) = parser.next_event()? {
        if let Event::Start(tag) = event {
            write!(found, "{} {}", tag.span(), tag.name_span())?;
            for one in tag.attributes() {
                write!(found, " {}", one.name())?;
                write!(
                    found,
                    " {} {} {}",
                    one.span(),
                    one.name_span(),
                    one.value_span()
                )?;
            }
        }
    }
    let expected = "1..20 2..5 cd 6..17 6..8 10..16 f 18..19 18..19 19..19";
    assert_eq!(found, expected);
    Ok(())
}

/// Duplicates in several tags that have more attributes than the parser compares one by one.
fn many_attributes() -> Outcome {
    let tag = |count: usize, last: &str| {
        let names: String = (0..count).map(|number| format!(" a{number}")).collect();
        format!("<x{names}{last}>")
    };
    let input = [
        tag(17, " A3 A16"),
        tag(17, ""),
        tag(16, " b A16"),
        tag(40, " a39 A39 a0 z"),
    ]
    .concat();
    let mut parser = Parser::new(utf8());
    parser.feed(input.clone());
    parser.finish();
    let mut counts = Vec::new();
    while let Some(event) = parser.next_event()? {
        if let Event::Start(tag) = event {
            counts.push(tag.attributes().len());
        }
    }
    assert_eq!(counts, [17, 17, 18, 41]);
    check_cuts(|| Parser::new(utf8()).report_errors(true), input.as_bytes());
    Ok(())
}

/// Batches end at tags after which the consumer may switch the tokenizer's state.
fn feedback() -> Outcome {
    let mut parser = Parser::new(utf8());
    parser.inspect_machine().expect_feedback();
    parser.feed("<p><title>a<b></title><x><svg><q><![CDATA[c]]></q></svg><![CDATA[d]]>");
    parser.finish();
    let mut found = String::new();
    let mut foreign = false;
    while let Some(event) = parser.next_event()? {
        let (mut state, mut cdata) = (None, foreign);
        match event {
            Event::Start(tag) => {
                write!(found, "+{} ", tag.name())?;
                match tag.name() {
                    "title" => state = Some(InitialState::Rcdata),
                    "svg" => (foreign, cdata) = (true, true),
                    _ => {}
                }
            }
            Event::End(tag) => {
                write!(found, "-{} ", tag.name())?;
                if tag.name() == "svg" {
                    (foreign, cdata) = (false, false);
                }
            }
            Event::Text(text) => write!(found, "{} ", text.as_str())?,
            Event::Comment(comment) => write!(found, "#{} ", comment.as_str())?,
            _ => {}
        }
        parser
            .inspect_machine()
            .give_feedback(state, Some(cdata), foreign);
    }
    let expected = "+p +title a<b> -title +x +svg +q c -q -svg #[CDATA[d]] ";
    assert_eq!(found, expected);
    Ok(())
}

/// The inputs of all cases without options in one document, each followed by the ends of what it may leave open.
fn longer_than_a_batch() -> Outcome {
    const CLOSING: &str = "--></script></style></textarea></title></math></svg>]]>?>'\">";
    let cases = all().into_iter().filter(|case| !case.has_options());
    let inputs = cases.map(|case| String::from_utf8_lossy(&case.input()).into_owned());
    let inputs = inputs.filter(|input| !input.contains("plaintext"));
    let document: String = inputs.map(|input| input + CLOSING).collect();
    let mut parser = Parser::new(utf8());
    parser.feed(document.clone());
    parser.finish();
    let mut count = 0;
    while parser.next_event()?.is_some() {
        count += 1;
    }
    assert!(count > 500, "{count} events");
    check_parser(&utf8(), document.as_bytes());
    check_cuts(|| Parser::new(utf8()), document.as_bytes());
    // A batch becomes full before, within and after a tag.
    for before in 120..136 {
        let document = format!("{}t<a b=c d='e' f=\"g\">u</a>v", "<i>".repeat(before));
        check_cuts(
            || Parser::new(utf8()).report_errors(true),
            document.as_bytes(),
        );
    }
    Ok(())
}

/// Ill-formed bytes become U+FFFD everywhere, without an error.
fn ill_formed_bytes() -> Outcome {
    for input in [
        &b"a\xFFb<c\x80 d\xC3=\xE2\x82 e='\xF0\x9F'\xED\xA0\x80>\xC2"[..],
        b"<!--\xFF--><!DOCTYPE \xFF PUBLIC '\xFF'><?a \xFF?></\xFF>&\xFF;\xF4\x90",
        b"<title>\xFF</title\xFF></title \xFF><script><!--\xFF",
    ] {
        check_cuts(|| Parser::new(utf8()).report_errors(true), input);
        let mut latin = b"<meta charset=utf-16>".to_vec();
        latin.extend(input);
        check_cuts(|| Parser::new(Html::default()).report_errors(true), &latin);
        let mut parser = Parser::new(utf8()).report_errors(true);
        parser.feed(input);
        parser.finish();
        while let Some(event) = parser.next_event()? {
            if let Event::ParseError(error) = event {
                assert!(!error.code().as_str().contains("ill-formed"));
            }
        }
    }
    Ok(())
}
