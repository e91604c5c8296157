//! XML in other encodings than UTF-8: the same events as in that, for every cut and from every clone,
//! of documents and of external entities; what bytes say of their encoding; bytes that are no text.

use bytes::Bytes;
use tagstream::{Encoding, Event, Parser, Status, Xml};
use testing::cuts::{check_cuts, check_parser};
use testing::pull::{Pull, write_event};
use testing::rows::{Row, rows, unescaped};
use testing::run::{Failed, Program};

const ROWS: &str = include_str!("../data/xml-encodings.txt");

pub(crate) fn add(program: &mut Program) {
    for row in rows(ROWS) {
        let (name, encoding) = (&row.arm, &row.context);
        let of = |what: &str| format!("xml/encodings, {what} in {encoding} by the name of {name}");
        let shown = format!("{encoding}: {}", row.written);
        let (document, entity) = (of("a document"), of("an entity"));
        match &*row.section {
            "documents" => {
                let same = row.clone();
                program.case(document, move || {
                    check_document(&row.arm, &row.context, letters(&row))
                });
                program.case(entity, move || {
                    check_entity(&same.arm, &same.context, letters(&same))
                });
            }
            "sniffed" => program.case(format!("xml/encodings, sniffed: {name}"), move || {
                let (encoding, error) = row.events.split_once(' ').unwrap_or((&row.events, ""));
                check_sniffed(Some(&*row.context), &row.input, encoding, error)
            }),
            "ill-formed" => program.case(format!("xml/encodings, ill-formed {shown}"), move || {
                let (span, meant) = row.events.split_once(' ').ok_or("no span")?;
                let meant = String::from_utf8(unescaped(meant))?;
                check_ill_formed(&row.context, &row.input, &meant, span)
            }),
            _ => program.case(format!("xml/encodings, cut off {shown}"), move || {
                check_cut_off(&row.context, &row.input, &row.events)
            }),
        }
    }
}

fn letters(row: &Row) -> &str {
    str::from_utf8(&row.input).expect("letters")
}

/// Text in an encoding of this name as [`Encoding::name`] has it.
fn encoded(text: &str, encoding: &str) -> Vec<u8> {
    let by_unit = |unit: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(unit).collect();
    let by_number = |unit: fn(u32) -> [u8; 4]| text.chars().flat_map(|c| unit(c as u32)).collect();
    let narrow = |upper: &'static encoding_rs::Encoding| {
        let mut bytes = Vec::new();
        for character in text.chars() {
            match character {
                '\u{80}'..'\u{a0}' => bytes.push(character as u8),
                _ => bytes.extend_from_slice(&upper.encode(&character.to_string()).0),
            }
        }
        bytes
    };
    match encoding {
        "UTF-16LE" => by_unit(u16::to_le_bytes),
        "UTF-16BE" => by_unit(u16::to_be_bytes),
        "UTF-32LE" => by_number(u32::to_le_bytes),
        "UTF-32BE" => by_number(u32::to_be_bytes),
        "ISO-8859-1" | "US-ASCII" => narrow(encoding_rs::WINDOWS_1252),
        "ISO-8859-9" => narrow(encoding_rs::WINDOWS_1254),
        _ => {
            let standard = encoding_rs::Encoding::for_label(encoding.as_bytes());
            let (bytes, _, failed) = standard.expect("an encoding").encode(text);
            assert!(!failed, "{encoding} has not all of {text}");
            bytes.into_owned()
        }
    }
}

/// Where each character of a text begins in its encoding behind a mark, and where the last ends: by the
/// offset in UTF-8.
fn offsets(text: &str, encoding: &str, mark: &str) -> Vec<usize> {
    let standard = encoding_rs::Encoding::for_label(encoding.as_bytes());
    let mut encoder = standard.map(encoding_rs::Encoding::new_encoder);
    let mut at = encoded(mark, encoding).len();
    let mut offsets = Vec::new();
    for character in text.chars() {
        let one = &*character.to_string();
        offsets.extend(vec![at; one.len()]);
        // An escape sequence is written before the character that needs it, and counts as its own.
        at += match &mut encoder {
            Some(encoder) if encoding == "ISO-2022-JP" => {
                encoder.encode_from_utf8(one, &mut [0; 16], false).2
            }
            _ => encoded(one, encoding).len(),
        };
    }
    offsets.push(at);
    offsets
}

/// Events with the spans `from..to` in the bytes of an encoding instead of UTF-8.
fn in_bytes(events: &str, offsets: &[usize]) -> String {
    let place = |number: &str| number.parse::<usize>().ok().and_then(|at| offsets.get(at));
    let word = |word: &str| {
        let span = word.split_once("..");
        let span = span.and_then(|(start, end)| Some((place(start)?, place(end)?)));
        span.map_or(word.to_string(), |(start, end)| format!("{start}..{end}"))
    };
    events
        .split_inclusive([' ', '\n'])
        .map(|written| {
            let trimmed = written.trim_end_matches([' ', '\n']);
            word(trimmed) + &written[trimmed.len()..]
        })
        .collect()
}

/// The mark and the name that a row says.
fn marked(name: &str) -> (&str, &str) {
    match name.strip_prefix('+') {
        Some(name) => ("\u{feff}", name),
        None => ("", name),
    }
}

/// The document reads as it does in UTF-8, places and all.
fn check_document(name: &str, encoding: &str, letters: &str) -> Result<(), Failed> {
    let (mark, name) = marked(name);
    let text = format!(
        "<?xml version='1.0' encoding='{name}'?>\r\n<!DOCTYPE a [<!ENTITY e '{letters}<b/>\r'><!ENTITY f '{letters}'>]>\n\
         <a c='{letters}'\r\n d='&f;'><!--{letters}--><?p {letters}?>x{letters}\r\n{letters}&e;\
         <![CDATA[{letters}]]>{letters}</a>"
    );
    let input = encoded(&format!("{mark}{text}"), encoding);
    for dialect in [Xml::default(), Xml::strict()] {
        let caller = dialect.clone().encoding(Encoding::UTF_8);
        let expected = whole(Parser::new(caller).report_errors(true), text.as_bytes());
        let mut parser = Parser::new(dialect.clone()).report_errors(true);
        parser.feed(&input);
        while let Ok(Some(_)) = parser.next_event() {}
        let found = parser.encoding().map(Encoding::name);
        if found != Some(encoding) {
            return Err(format!("read as {found:?}").into());
        }
        let found = whole(Parser::new(dialect.clone()).report_errors(true), &input);
        if !expected.contains(&*letters.escape_debug().to_string()) || expected.contains("Err") {
            return Err(format!("in UTF-8: {expected}").into());
        }
        let expected = in_bytes(&expected, &offsets(&text, encoding, mark));
        if found != expected {
            return Err(format!("wanted:\n{expected}\nfound:\n{found}").into());
        }
        check_parser(&dialect, &input);
        clones(|| Parser::new(dialect.clone()).report_errors(true), &input)?;
    }
    Ok(())
}

/// All events, one a line, and how it ended.
fn whole(mut parser: impl Pull, input: &[u8]) -> String {
    parser.feed(Bytes::copy_from_slice(input));
    parser.finish();
    let mut out = String::new();
    drain(&mut parser, &mut out);
    out
}

fn drain(parser: &mut impl Pull, out: &mut String) {
    loop {
        match parser.pull() {
            Ok(Some(event)) => write_event(out, &event),
            Ok(None) => return,
            Err(error) => {
                out.push_str(&format!("Err {error} {}\n", error.span()));
                return;
            }
        }
    }
}

/// A clone taken at any byte goes on the same.
fn clones<P: Pull>(make: impl Fn() -> P, input: &[u8]) -> Result<(), Failed> {
    let expected = whole(make(), input);
    let (mut parser, mut out) = (make(), String::new());
    for at in 0..input.len() {
        let (mut clone, mut all) = (parser.clone(), out.clone());
        clone.feed(&input[at..]);
        drain(&mut clone, &mut all);
        clone.finish();
        drain(&mut clone, &mut all);
        if !all.ends_with("\n") || strip_again(&all) != expected {
            return Err(format!("a clone at {at}: wanted\n{expected}\nfound\n{all}").into());
        }
        parser.feed(&input[at..=at]);
        if !out.contains("Err ") {
            drain(&mut parser, &mut out);
        }
    }
    Ok(())
}

/// What ended a parse is said again by each call: once is enough.
fn strip_again(all: &str) -> String {
    let mut lines: Vec<&str> = all.lines().collect();
    while lines.len() > 1 && lines[lines.len() - 2].starts_with("Err ") {
        lines.pop();
    }
    lines.join("\n") + "\n"
}

/// An external entity reads as it does in UTF-8, wherever it is cut, from wherever a clone is taken.
fn check_entity(name: &str, encoding: &str, letters: &str) -> Result<(), Failed> {
    let (mark, name) = marked(name);
    let entity = |name: &str| {
        format!(
            "{mark}<?xml encoding='{name}'?>{letters}\r\n<b c='{letters}'>{letters}</b>\r{letters}"
        )
    };
    let bytes = encoded(&entity(name), encoding);
    let expected = with_entity(entity("utf-8").as_bytes(), 0)?;
    if !expected.contains(&*letters.escape_debug().to_string()) || expected.contains("error") {
        return Err(format!("in UTF-8: {expected}").into());
    }
    for at in 0..=bytes.len() {
        let found = with_entity(&bytes, at)?;
        if found != expected {
            return Err(format!("cut at {at}: wanted\n{expected}\nfound\n{found}").into());
        }
    }
    Ok(())
}

/// A document with the entity in it, which is cut at `at`, where a clone takes over.
fn with_entity(entity: &[u8], at: usize) -> Result<String, Failed> {
    let mut parser = Parser::new(Xml::default().external_entities(true)).report_errors(true);
    parser.feed("<!DOCTYPE a [<!ENTITY e SYSTEM 'e'>]><a>x&e;y&e;</a>");
    parser.finish();
    let mut out = String::new();
    drain(&mut parser, &mut out);
    if !matches!(parser.status(), Status::NeedsEntity(_)) {
        return Err("no entity was asked for".into());
    }
    parser.feed_entity(&entity[..at]);
    let mut parser = parser.clone();
    for byte in &entity[at..] {
        parser.feed_entity(&[*byte]);
    }
    parser.finish_entity(None);
    drain(&mut parser, &mut out);
    match parser.status() {
        Status::Finished => Ok(out),
        status => Err(format!("{status:?}").into()),
    }
}

fn check_sniffed(
    caller: Option<&str>,
    input: &[u8],
    encoding: &str,
    error: &str,
) -> Result<(), Failed> {
    for dialect in [Xml::default(), Xml::strict()] {
        let dialect = match caller.and_then(Encoding::for_xml_label) {
            Some(caller) => dialect.encoding(caller),
            None => dialect,
        };
        let mut parser = Parser::new(dialect.clone()).report_errors(true);
        parser.feed(input);
        parser.finish();
        let found = first_error(&mut parser);
        let name = parser.encoding().map(Encoding::name);
        if name != Some(encoding) || found != error {
            return Err(format!("{dialect:?}: {name:?}, {found:?}").into());
        }
        check_cuts(|| Parser::new(dialect.clone()).report_errors(true), input);
    }
    Ok(())
}

/// Code and span of the first error.
fn first_error(parser: &mut Parser<Xml>) -> String {
    let mut first = None;
    loop {
        match parser.next_event() {
            Ok(Some(Event::ParseError(error))) => {
                first.get_or_insert(format!("{} {}", error.code(), error.span()));
            }
            Ok(Some(_)) => {}
            Ok(None) => return first.unwrap_or_default(),
            Err(error) => {
                return first.unwrap_or(format!("{} {}", error.as_str(), error.span()));
            }
        }
    }
}

/// Strictly, what is before them and an error with their place; recovering, U+FFFD.
fn check_ill_formed(name: &str, bytes: &[u8], meant: &str, span: &str) -> Result<(), Failed> {
    let encoding = Encoding::for_xml_label(name).ok_or("no encoding")?.name();
    let before = format!("<?xml version='1.0' encoding='{name}'?><a>x");
    let before = encoded(&before, encoding);
    let error = ill_formed_behind(&before, span)?;
    let input = [before, bytes.to_vec(), encoded("y</a>", encoding)].concat();
    let good = meant.find('\u{fffd}').ok_or("nothing is wrong")?;
    check_sniffed(None, &input, encoding, &error)?;
    let mut parser = Parser::new(Xml::default());
    parser.feed(&input);
    parser.finish();
    let mut text = String::new();
    while let Some(event) = parser.next_event()? {
        if let Event::Text(run) = event {
            text.push_str(run.as_str());
        }
    }
    if text != format!("x{meant}y") {
        return Err(format!("recovering: {text:?}").into());
    }
    let mut parser = Parser::new(Xml::strict());
    parser.feed(&input);
    parser.finish();
    let mut text = String::new();
    while let Ok(Some(event)) = parser.next_event() {
        if let Event::Text(run) = event {
            text.push_str(run.as_str());
        }
    }
    match text == format!("x{}", &meant[..good]) {
        true => Ok(()),
        false => Err(format!("strict: {text:?}").into()),
    }
}

/// The end of the input in a character is an error there.
fn check_cut_off(name: &str, bytes: &[u8], span: &str) -> Result<(), Failed> {
    let encoding = Encoding::for_xml_label(name).ok_or("no encoding")?.name();
    let before = encoded(
        &format!("<?xml version='1.0' encoding='{name}'?><a/>"),
        encoding,
    );
    let error = ill_formed_behind(&before, span)?;
    check_sniffed(None, &[&before, bytes].concat(), encoding, &error)
}

/// The error of bytes that are ill-formed, behind others.
fn ill_formed_behind(before: &[u8], span: &str) -> Result<String, Failed> {
    let (start, end) = span.split_once("..").ok_or("no span")?;
    let (start, end): (usize, usize) = (start.parse()?, end.parse()?);
    let at = before.len();
    Ok(format!("ill-formed-bytes {}..{}", at + start, at + end))
}
