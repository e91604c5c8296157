//! XML in encodings other than UTF-8: documents and external entities have the same events as in UTF-8, for every cut
//! and every clone. Further cases are about detection of the encoding and about ill-formed bytes.

use bytes::Bytes;
use tagstream::{Encoding, Event, Parser, Status, Xml};
use testing::cases::{self, Case};
use testing::cuts::{check_cuts, check_parser};
use testing::event_text::error as error_text;
use testing::pull::{Pull, write_event};
use testing::run::{Failed, Program};

pub(crate) fn add(program: &mut Program) {
    let text = include_str!("../data/xml-encodings.txt");
    let (documents, others): (Vec<Case>, Vec<Case>) =
        cases::cases("tests/data/xml-encodings.txt", text)
            .into_iter()
            .partition(|case| case.section == "documents");
    let entities = documents.clone();
    program.case("xml/encodings: whitespace before the declaration", || {
        whitespace_before_the_declaration();
        Ok::<(), Failed>(())
    });
    cases::add(program, documents, |_| "xml/encodings", check_document);
    cases::add(
        program,
        entities,
        |_| "xml/encodings, entities",
        check_entity,
    );
    cases::add(
        program,
        others,
        |_| "xml/encodings",
        |case| match &*case.section {
            "detection" => {
                let caller = case.option("caller");
                let dialects = [Xml::default(), Xml::strict()];
                check_detected(
                    &dialects,
                    caller,
                    &case.input(),
                    encoding(case)?,
                    &mut |error| case.expect("error", error),
                )
            }
            "detection after whitespace" => check_after_whitespace(case),
            "ill-formed bytes" => check_ill_formed(case),
            _ => check_cut_off(case),
        },
    );
}

/// Returns the encoding of a case.
fn encoding(case: &Case) -> Result<&str, Failed> {
    Ok(case.option("encoding").ok_or("an encoding")?)
}

/// Returns the byte-order mark, the label and the encoding of a document, and letters that the encoding can represent.
fn document(case: &Case) -> Result<(&str, &str, &str, String), Failed> {
    let mark = if case.has("byte-order-mark") {
        "\u{feff}"
    } else {
        ""
    };
    let label = case.option("label").ok_or("a label")?;
    Ok((mark, label, encoding(case)?, case.input_text()?))
}

/// Encodes text. The encoding is given by its name, as [`Encoding::name`] returns it.
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

/// Returns, for each byte of a text in UTF-8, the offset of its character in another encoding after a byte-order mark,
/// and the offset of the end.
fn offsets(text: &str, encoding: &str, mark: &str) -> Vec<usize> {
    let standard = encoding_rs::Encoding::for_label(encoding.as_bytes());
    let mut encoder = standard.map(encoding_rs::Encoding::new_encoder);
    let mut at = encoded(mark, encoding).len();
    let mut offsets = Vec::new();
    for character in text.chars() {
        let one = &*character.to_string();
        offsets.extend(vec![at; one.len()]);
        // An escape sequence is written before the character that needs it, and counts as a part of this character.
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

/// Replaces the spans `from..to` in events, which are offsets in UTF-8, by the offsets in another encoding.
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

/// Asserts that the document has the same events as in UTF-8, with byte ranges in its own encoding.
fn check_document(case: &Case) -> Result<(), Failed> {
    let (mark, name, encoding, letters) = document(case)?;
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

/// Returns all events, one per line, and the error that ended the parse.
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

/// Asserts that a clone made at any byte returns the same events.
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

/// After the parse has ended with an error, each further call returns the error again. This function removes the
/// repetitions.
fn strip_again(all: &str) -> String {
    let mut lines: Vec<&str> = all.lines().collect();
    while lines.len() > 1 && lines[lines.len() - 2].starts_with("Err ") {
        lines.pop();
    }
    lines.join("\n") + "\n"
}

/// Asserts that an external entity has the same events as in UTF-8, for every cut and every clone.
fn check_entity(case: &Case) -> Result<(), Failed> {
    let (mark, name, encoding, letters) = document(case)?;
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

/// Returns the events of a document with the entity. The entity is cut at `at`, where a clone continues.
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

/// Asserts that the input is read in this encoding, and that `expect` accepts the first error.
fn check_detected(
    dialects: &[Xml],
    caller: Option<&str>,
    input: &[u8],
    encoding: &str,
    expect: &mut dyn FnMut(&str) -> Result<(), String>,
) -> Result<(), Failed> {
    for dialect in dialects {
        let dialect = match caller.and_then(Encoding::for_xml_label) {
            Some(caller) => dialect.clone().encoding(caller),
            None => dialect.clone(),
        };
        let mut parser = Parser::new(dialect.clone()).report_errors(true);
        parser.feed(input);
        parser.finish();
        expect(&first_error(&mut parser))?;
        let name = parser.encoding().map(Encoding::name);
        if name != Some(encoding) {
            return Err(format!("{dialect:?}: {name:?}").into());
        }
        check_cuts(|| Parser::new(dialect.clone()).report_errors(true), input);
    }
    Ok(())
}

/// Asserts that whitespace before the declaration is passed over when XML recovers, and that a strict parse and a fragment
/// do not look beyond it.
fn check_after_whitespace(case: &Case) -> Result<(), Failed> {
    let (caller, input) = (case.option("caller"), case.input());
    check_detected(
        &[Xml::default()],
        caller,
        &input,
        encoding(case)?,
        &mut |error| case.expect("error", error),
    )?;
    if caller.is_some() {
        return Ok(());
    }
    let mut strict = Parser::new(Xml::strict());
    strict.feed(&input);
    strict.finish();
    let mut fragment = Parser::new(Xml::default().fragment());
    fragment.feed(&input);
    fragment.finish();
    while let Ok(Some(_)) = strict.next_event() {}
    while let Ok(Some(_)) = fragment.next_event() {}
    for encoding in [strict.encoding(), fragment.encoding()] {
        if encoding != Some(Encoding::UTF_8) {
            return Err(format!("strict, or a fragment: {encoding:?}").into());
        }
    }
    match strict.next_event() {
        Err(_) => Ok(()),
        Ok(event) => Err(format!("strict: {event:?}").into()),
    }
}

/// Asserts how much whitespace may precede the declaration, in documents of each kind of encoding.
fn whitespace_before_the_declaration() {
    for (encoding, mark) in [
        ("ISO-8859-1", ""),
        ("UTF-16BE", ""),
        ("UTF-16LE", ""),
        ("UTF-32BE", ""),
        ("UTF-32LE", ""),
        ("UTF-8", "\u{feff}"),
        ("UTF-16BE", "\u{feff}"),
        ("UTF-16LE", "\u{feff}"),
        ("UTF-32LE", "\u{feff}"),
    ] {
        for spaces in [1_usize, 2, 3, 7, 1023, 1024, 1025] {
            let blank = " \n\t\r".repeat(spaces.div_ceil(4));
            let declaration = format!("<?xml version='1.0' encoding='{encoding}'?>");
            let text = format!("{mark}{}{declaration}<a>\u{e9}</a>", &blank[..spaces]);
            let input = encoded(&text, encoding);
            let is_one = spaces <= 1024;
            for size in [1, 3, input.len()] {
                let mut parser = Parser::new(Xml::default()).report_errors(true);
                let (mut events, mut found) = (Vec::new(), String::new());
                for chunk in input.chunks(size) {
                    parser.feed(chunk);
                    while let Ok(Some(event)) = parser.next_event() {
                        write_event(&mut found, &event);
                        events.push(event.to_owned());
                    }
                }
                let first = format!("{:?}", events.first());
                let what = format!("{spaces} spaces, {encoding}, chunks of {size}: {found}");
                assert!(first.contains("ParseError"), "{what}");
                let second = format!("{:?}", events.get(1));
                assert_eq!(second.contains("Declaration"), is_one, "{what}");
                let is_read = parser.encoding().map(Encoding::name) == Some(encoding);
                assert_eq!(is_read, is_one || !mark.is_empty(), "{what}");
                assert_eq!(found.contains("\u{e9}"), is_read, "{what}");
            }
        }
    }
}

/// Returns the code and the span of the first error.
fn first_error(parser: &mut Parser<Xml>) -> String {
    let mut first = None;
    loop {
        match parser.next_event() {
            Ok(Some(Event::ParseError(error))) => {
                first.get_or_insert(error_text(error.code().as_str(), error.span()));
            }
            Ok(Some(_)) => {}
            Ok(None) => return first.unwrap_or_default(),
            Err(error) => {
                return first.unwrap_or(error_text(error.as_str(), error.span()));
            }
        }
    }
}

/// Returns a document in the encoding of a case that contains the bytes of the case between `before` and `after`.
/// Asserts that the expected error, whose byte range is relative to these bytes, is the first one.
fn check_bytes(case: &Case, before: &str, after: &str) -> Result<Vec<u8>, Failed> {
    let name = encoding(case)?;
    let encoding = Encoding::for_xml_label(name).ok_or("no encoding")?.name();
    let before = format!("<?xml version='1.0' encoding='{name}'?>{before}");
    let before = encoded(&before, encoding);
    let input = [before.clone(), case.input(), encoded(after, encoding)].concat();
    check_detected(
        &[Xml::default(), Xml::strict()],
        None,
        &input,
        encoding,
        &mut |error| case.expect("error", &relative(error, before.len())),
    )?;
    Ok(input)
}

/// Returns an error with its byte range relative to an offset.
fn relative(error: &str, offset: usize) -> String {
    let moved = || {
        let (code, span) = error.split_once(' ')?;
        let (start, end) = span.split_once("..")?;
        let place = |number: &str| number.parse::<usize>().ok()?.checked_sub(offset);
        Some(format!("{code} {}..{}", place(start)?, place(end)?))
    };
    moved().unwrap_or_else(|| error.to_owned())
}

/// Ill-formed bytes become U+FFFD in the recovering mode. In the strict mode the text before them is delivered.
fn check_ill_formed(case: &Case) -> Result<(), Failed> {
    let input = check_bytes(case, "<a>x", "y</a>")?;
    let text = |xml: Xml| {
        let mut parser = Parser::new(xml);
        parser.feed(&input);
        parser.finish();
        let mut text = String::new();
        while let Ok(Some(event)) = parser.next_event() {
            if let Event::Text(run) = event {
                text.push_str(run.as_str());
            }
        }
        text
    };
    let found = text(Xml::default());
    let inner = found
        .strip_prefix('x')
        .and_then(|rest| rest.strip_suffix('y'));
    let inner = inner.ok_or_else(|| format!("recovering: {found:?}"))?;
    case.expect("markup", inner)?;
    let good = inner.find('\u{fffd}').ok_or("there is no U+FFFD")?;
    match text(Xml::strict()) {
        strict if strict == format!("x{}", &inner[..good]) => Ok(()),
        strict => Err(format!("strict: {strict:?}").into()),
    }
}

/// An input that ends in the middle of a character has an error at this position.
fn check_cut_off(case: &Case) -> Result<(), Failed> {
    check_bytes(case, "<a/>", "").map(drop)
}
