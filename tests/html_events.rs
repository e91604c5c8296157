//! HTML beside its suites: rows of our own, the same for every cut, and what options change.

#[path = "feeding/escapes.rs"]
mod escapes;
mod feeding;
#[path = "feeding/notation.rs"]
mod notation;
#[path = "feeding/rows.rs"]
mod rows;

use feeding::cuts::{check_cuts, check_pieces};
use libtest_mimic::{Arguments, Failed, Trial};
use std::fmt::Write;
use std::process::ExitCode;
use tagstream::html::InitialState;
use tagstream::{Encoding, Event, Html, Limits, Parser, TextPolicy};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let rows = rows::read(include_str!("data/html.txt"));
    let mut trials: Vec<Trial> = rows
        .into_iter()
        .map(|row| Trial::test(row.name(), move || check(&utf8(), &row.input, &row.events)))
        .collect();
    trials.extend([
        Trial::test("options", options),
        Trial::test("places of errors", places),
        Trial::test("late encodings", late_encodings),
        Trial::test("spans", spans),
        Trial::test("limits", limits),
        Trial::test("many attributes", many_attributes),
        Trial::test("feedback", feedback),
        Trial::test("longer than a batch", longer_than_a_batch),
        Trial::test("ill-formed bytes", ill_formed),
    ]);
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn utf8() -> Html {
    Html::default().encoding(Encoding::UTF_8)
}

fn check(html: &Html, input: &str, events: &str) -> Result<(), Failed> {
    let bytes = input.as_bytes();
    let make = || Parser::new(html.clone()).errors(true);
    let found = notation::read(make(), bytes);
    if found != events.trim_end() {
        return Err(format!("{input:?}\nwanted: {events}\nfound:  {found}").into());
    }
    check_cuts(make, bytes);
    check_cuts(|| Parser::new(html.clone()), bytes);
    check_pieces(
        || Parser::new(html.clone()),
        || Parser::new(html.clone()).text(TextPolicy::Pieces),
        bytes,
    );
    Ok(())
}

fn options() -> Result<(), Failed> {
    let scripting = utf8().scripting(true);
    check(
        &scripting,
        "<noscript><b></noscript>",
        "+noscript \"<b>\" -noscript",
    )?;
    let older = utf8().processing_instructions(false);
    check(
        &older,
        "<?a b?>c",
        "!unexpected-question-mark-instead-of-tag-name #\"?a b?\" \"c\"",
    )?;
    let textarea = utf8()
        .initial_state(InitialState::Rcdata)
        .last_start_tag("TextArea");
    check(
        &textarea,
        "a<b></title></textarea><b>",
        "\"a<b></title>\" -textarea +b",
    )?;
    let without_tag = utf8().initial_state(InitialState::Rawtext);
    check(&without_tag, "</style></>", "\"</style></>\"")?;
    for (context, input, events) in [
        (
            "div",
            "<![CDATA[a]]>",
            "!cdata-in-html-content #\"[CDATA[a]]\"",
        ),
        ("title", "a&lt;<b></title>", "\"a<<b></title>\""),
        (
            "svg path",
            "<![CDATA[a]]><title>b<c></title>",
            "\"a\" +title \"b\" +c -title",
        ),
        ("svg desc", "<title>a<b></title>", "+title \"a<b>\" -title"),
        (
            "svg foreignObject",
            "<style><b></style>",
            "+style \"<b>\" -style",
        ),
        (
            "math math",
            "<style><b></style></p><style><c>",
            "+style +b -style -p +style \"<c>\"",
        ),
        ("math mi", "<title><b></title>", "+title \"<b>\" -title"),
    ] {
        let fragment = Html::fragment(context).encoding(Encoding::UTF_8);
        check(&fragment, input, events)?;
    }
    let section = utf8().initial_state(InitialState::CdataSection);
    check(&section, "a]]>b<c>", "\"ab\" +c")
}

/// Line and column of each error, for the states that the suite does not know.
fn places() -> Result<(), Failed> {
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
        let mut parser = Parser::new(utf8()).errors(true);
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
        if found.trim_start() != expected {
            return Err(format!("{input:?}\nwanted: {expected}\nfound: {found}").into());
        }
    }
    Ok(())
}

fn late_encodings() -> Result<(), Failed> {
    let far = " ".repeat(1024);
    let koi8 = Encoding::for_label("koi8-r").ok_or("no such label")?;
    let late = |meta: &str| format!("<p{far}>{meta}");
    let read = |html: Html, input: &str| {
        let words = notation::read(Parser::new(html), input.as_bytes());
        let changes: Vec<&str> = words
            .split(' ')
            .filter(|word| word.starts_with('@'))
            .collect();
        changes.join(" ")
    };
    for (html, meta, expected) in [
        (Html::default(), "<meta charset=koi8-r>", "@\"KOI8-R\""),
        (
            Html::default(),
            "<META Charset='&#107;oi8-r'/>",
            "@\"KOI8-R\"",
        ),
        (Html::default(), "<meta charset=utf-16>", "@\"UTF-8\""),
        (Html::default(), "<meta charset=x-user-defined>", ""),
        (
            Html::default(),
            "<meta charset=latin1><meta charset=koi8-r>",
            "",
        ),
        (
            Html::default(),
            "<meta charset=?><meta charset=koi8-r>",
            "@\"KOI8-R\"",
        ),
        (
            Html::default(),
            "<meta charset=koi8-r><meta charset=big5>",
            "@\"KOI8-R\"",
        ),
        (
            Html::default(),
            "<meta content='x; charset=big5'><meta http-equiv=Content-Type content='x; charset=big5'>",
            "@\"Big5\"",
        ),
        (Html::default(), "<title><meta charset=koi8-r></title>", ""),
        (
            Html::default().encoding_hint(koi8),
            "<meta charset=koi8-r>",
            "",
        ),
        (
            Html::default().encoding_hint(koi8),
            "<meta charset=big5>",
            "@\"Big5\"",
        ),
        (utf8(), "<meta charset=koi8-r>", ""),
    ] {
        let found = read(html, &late(meta));
        if found != expected {
            return Err(format!("{meta}\nwanted: {expected}\nfound:  {found}").into());
        }
    }
    let found = read(
        Html::default(),
        &format!("\u{feff}{}", late("<meta charset=koi8-r>")),
    );
    if !found.is_empty() {
        return Err(format!("after a byte-order mark: {found}").into());
    }
    check_cuts(
        || Parser::new(Html::default()).errors(true),
        late("<META charset=KOI8-r>\u{e9}&").as_bytes(),
    );
    Ok(())
}

/// Spans of tags whose names are cleaned, and of their attributes.
fn spans() -> Result<(), Failed> {
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
    (found == expected)
        .then_some(())
        .ok_or_else(|| found.into())
}

fn limits() -> Result<(), Failed> {
    let few = Limits {
        name: 4,
        attributes: 2,
        token: 40,
        ..Limits::default()
    };
    for (input, expected) in [
        ("a<abcde>", "\"a\" Err name-limit"),
        ("a<b cdefg>", "\"a\" Err name-limit"),
        ("a<?bcdef ?>", "\"a\" Err name-limit"),
        ("a<b c d e>", "\"a\" Err attributes-limit"),
        ("a<b c d d d>", "\"a\" Err attributes-limit"),
        (
            "<b>0123456789012345678901234567890123456789012",
            "+b \"0123456789012345678901234567890123456789\" Err token-limit",
        ),
        (
            "x<!--01234567890123456789012345678901234567890123456789",
            "\"x\" Err token-limit",
        ),
    ] {
        let make = || Parser::new(utf8()).limits(few);
        let found = notation::read(make(), input.as_bytes());
        if found != expected {
            return Err(format!("{input:?}\nwanted: {expected}\nfound:  {found}").into());
        }
        check_cuts(make, input.as_bytes());
    }
    Ok(())
}

/// Duplicates among more attributes than are compared one by one, tag after tag.
fn many_attributes() -> Result<(), Failed> {
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
    if counts != [17, 17, 18, 41] {
        return Err(format!("{counts:?}").into());
    }
    check_cuts(|| Parser::new(utf8()).errors(true), input.as_bytes());
    Ok(())
}

/// Batches end at tags whose consumer may switch the tokenizer.
fn feedback() -> Result<(), Failed> {
    let mut parser = Parser::new(utf8());
    parser.machine().expect_feedback();
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
        parser.machine().give_feedback(state, Some(cdata), foreign);
    }
    let expected = "+p +title a<b> -title +x +svg +q c -q -svg #[CDATA[d]] ";
    (found == expected)
        .then_some(())
        .ok_or_else(|| found.into())
}

/// All rows, one after the other, whatever they leave open.
fn longer_than_a_batch() -> Result<(), Failed> {
    const CLOSING: &str = "--></script></style></textarea></title></math></svg>]]>?>'\">";
    let rows = rows::read(include_str!("data/html.txt"));
    let inputs = rows.iter().map(|row| &row.input);
    let inputs = inputs.filter(|input| !input.contains("plaintext"));
    let document: String = inputs.flat_map(|input| [input, CLOSING]).collect();
    let mut parser = Parser::new(utf8());
    parser.feed(document.clone());
    parser.finish();
    let mut count = 0;
    while parser.next_event()?.is_some() {
        count += 1;
    }
    if count < 500 {
        return Err(format!("{count} events").into());
    }
    check_cuts(|| Parser::new(utf8()).errors(true), document.as_bytes());
    check_cuts(|| Parser::new(utf8()), document.as_bytes());
    check_pieces(
        || Parser::new(utf8()),
        || Parser::new(utf8()).text(TextPolicy::Pieces),
        document.as_bytes(),
    );
    // Tags that the batch is full before, within, and after.
    for before in 120..136 {
        let document = format!("{}t<a b=c d='e' f=\"g\">u</a>v", "<i>".repeat(before));
        check_cuts(|| Parser::new(utf8()).errors(true), document.as_bytes());
    }
    Ok(())
}

/// Ill-formed bytes in every place are U+FFFD, without an error.
fn ill_formed() -> Result<(), Failed> {
    for input in [
        &b"a\xFFb<c\x80 d\xC3=\xE2\x82 e='\xF0\x9F'\xED\xA0\x80>\xC2"[..],
        b"<!--\xFF--><!DOCTYPE \xFF PUBLIC '\xFF'><?a \xFF?></\xFF>&\xFF;\xF4\x90",
        b"<title>\xFF</title\xFF></title \xFF><script><!--\xFF",
    ] {
        check_cuts(|| Parser::new(utf8()).errors(true), input);
        let mut latin = b"<meta charset=utf-16>".to_vec();
        latin.extend(input);
        check_cuts(|| Parser::new(Html::default()).errors(true), &latin);
        let mut parser = Parser::new(utf8()).errors(true);
        parser.feed_slice(input);
        parser.finish();
        while let Some(event) = parser.next_event()? {
            if let Event::ParseError(error) = event {
                assert!(!error.code().as_str().contains("ill-formed"));
            }
        }
    }
    Ok(())
}
