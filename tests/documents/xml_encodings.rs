//! XML in other encodings than UTF-8: the same events as in that, for every cut and from every clone,
//! of documents and of external entities; what bytes say of their encoding; bytes that are no text.

use bytes::Bytes;
use tagstream::{Encoding, Event, Parser, Status, Xml};
use testing::cuts::{check_cuts, check_parser};
use testing::pull::{Pull, write_event};
use testing::run::{Failed, Program};

const JAPANESE: &str = "日本語ァあ";
const KOREAN: &str = "한국어글";
const CHINESE: &str = "中文字";
/// Beyond the first plane, and what UTF-8 has in two and in three bytes.
const ALL: &str = "\u{1f600}\u{e9}\u{20ac}\u{10ffff}";

/// The name that the document gives, its encoding, and letters that this has. `+` before a name: with
/// a byte-order mark.
const ENCODINGS: &[(&str, &str, &str)] = &[
    ("utf-8", "UTF-8", ALL),
    ("+utf-8", "UTF-8", ALL),
    ("+UTF-16", "UTF-16LE", ALL),
    ("+utf-16", "UTF-16BE", ALL),
    ("UTF-16", "UTF-16LE", ALL),
    ("UTF-16LE", "UTF-16LE", ALL),
    ("UTF-16", "UTF-16BE", ALL),
    ("UTF-16BE", "UTF-16BE", ALL),
    ("ISO-10646-UCS-2", "UTF-16BE", ALL),
    ("+UTF-32", "UTF-32LE", ALL),
    ("+UTF-32", "UTF-32BE", ALL),
    ("UTF-32LE", "UTF-32LE", ALL),
    ("UTF-32BE", "UTF-32BE", ALL),
    ("ISO-10646-UCS-4", "UTF-32BE", ALL),
    ("us-ascii", "US-ASCII", "abc"),
    ("ISO-8859-1", "ISO-8859-1", "\u{e9}\u{80}\u{9f}\u{ff}"),
    ("iso-8859-2", "ISO-8859-2", "\u{104}\u{10f}"),
    ("iso-8859-9", "ISO-8859-9", "\u{11e}\u{80}"),
    ("iso-8859-15", "ISO-8859-15", "\u{20ac}\u{e9}"),
    ("windows-1252", "windows-1252", "\u{20ac}\u{152}\u{e9}"),
    ("windows-1251", "windows-1251", "Эта"),
    ("koi8-r", "KOI8-R", "Эта"),
    ("Shift_JIS", "Shift_JIS", JAPANESE),
    ("EUC-JP", "EUC-JP", JAPANESE),
    ("ISO-2022-JP", "ISO-2022-JP", JAPANESE),
    ("EUC-KR", "EUC-KR", KOREAN),
    ("GB18030", "gb18030", "中\u{1f600}\u{e5}\u{20000}"),
    ("GBK", "GBK", CHINESE),
    ("gb2312", "GBK", CHINESE),
    ("Big5", "Big5", CHINESE),
];

/// A document, the encoding that a caller says it is in, the one that it is read in, and what is wrong.
type Sniffed = (
    &'static str,
    Option<&'static str>,
    &'static [u8],
    &'static str,
    &'static str,
);

const SNIFFED: &[Sniffed] = &[
    ("a mark before the declaration", None, b"\xef\xbb\xbf<?xml version='1.0' encoding='latin1'?><a/>", "UTF-8", "contradicting-encoding 33..39"),
    ("a mark before the caller", Some("latin1"), b"\xef\xbb\xbf<a>\xc3\xa9</a>", "UTF-8", ""),
    ("a mark of UTF-32 before that of UTF-16", None, b"\xff\xfe\0\0<\0\0\0a\0\0\0/\0\0\0>\0\0\0", "UTF-32LE", ""),
    ("a mark of UTF-16 that says UTF-8", None, b"\xfe\xff\0<\0?\0x\0m\0l\0 \0v\0e\0r\0s\0i\0o\0n\0=\0'\x001\0.\x000\0'\0 \0e\0n\0c\0o\0d\0i\0n\0g\0=\0'\0u\0t\0f\0-\x008\0'\0?\0>\0<\0a\0/\0>", "UTF-16BE", "contradicting-encoding 30..35"),
    ("a pattern that says the other order", None, b"\0<\0?\0x\0m\0l\0 \0v\0e\0r\0s\0i\0o\0n\0=\0'\x001\0.\x000\0'\0 \0e\0n\0c\0o\0d\0i\0n\0g\0=\0'\0u\0t\0f\0-\x001\x006\0l\0e\0'\0?\0>\0<\0a\0/\0>", "UTF-16BE", "contradicting-encoding 30..38"),
    ("a pattern before the caller", Some("utf-8"), b"<\0?\0p\0?\0>\0<\0a\0/\0>\0", "UTF-16LE", ""),
    ("the caller before the declaration", Some("latin1"), b"<?xml version='1.0' encoding='utf-8'?><a>\xe9</a>", "ISO-8859-1", ""),
    ("the caller before a name that nobody knows", Some("latin1"), b"<?xml version='1.0' encoding='klingon'?><a>\xe9</a>", "ISO-8859-1", ""),
    ("the caller before none", Some("koi8-r"), b"<a>\xe9</a>", "KOI8-R", ""),
    ("the declaration", None, b"<?xml version='1.0' encoding='latin1'?><a>\xe9</a>", "ISO-8859-1", ""),
    ("nothing", None, b"<a>\xc3\xa9</a>", "UTF-8", ""),
    ("UTF-16 that it is not", None, b"<?xml version='1.0' encoding='utf-16'?><a/>", "UTF-8", "contradicting-encoding 30..36"),
    ("a name that nobody knows", None, b"<?xml version='1.0' encoding='klingon'?><a>\xc3\xa9</a>", "UTF-8", "unknown-encoding 30..37"),
    ("an encoding that the web replaces", None, b"<?xml version='1.0' encoding='iso-2022-kr'?><a/>", "UTF-8", "unknown-encoding 30..41"),
    ("Latin-1, which has control characters", None, b"<?xml version='1.0' encoding='iso-8859-1'?><a>\x80\x85\x9f</a>", "ISO-8859-1", ""),
    ("ASCII, which has seven bits", None, b"<?xml version='1.0' encoding='us-ascii'?><a>x\xe9</a>", "US-ASCII", "ill-formed-bytes 45..48"),
];

/// Bytes that are no text of an encoding, between `x` and `y`, and what they are read as.
const ILL_FORMED: &[(&str, &[u8], &str)] = &[
    ("us-ascii", b"\x80", "\u{fffd}"),
    ("Shift_JIS", b"\xff", "\u{fffd}"),
    ("Shift_JIS", b"\x82\x0a", "\u{fffd}\n"),
    ("Shift_JIS", b"\xfc\xfc\x82\xa0", "\u{fffd}あ"),
    ("EUC-JP", b"\x8f\xa2\xa0", "\u{fffd}"),
    ("EUC-JP", b"\xa4 ", "\u{fffd} "),
    ("ISO-2022-JP", b"\xa4", "\u{fffd}"),
    ("ISO-2022-JP", b"\x1b$Z", "\u{fffd}$Z"),
    ("ISO-2022-JP", b"\x1b$B\x24\x22\x7f\x1b(B", "あ\u{fffd}"),
    ("EUC-KR", b"\xfe\xff", "\u{fffd}"),
    ("EUC-KR", b"\xc7 ", "\u{fffd} "),
    ("GB18030", b"\xff", "\u{fffd}"),
    ("GB18030", b"\x84\x32\x0a", "\u{fffd}2\n"),
    ("Big5", b"\xa4\x0a", "\u{fffd}\n"),
    ("UTF-16LE", b"\0\xd8", "\u{fffd}"),
    ("UTF-16BE", b"\xdc\0", "\u{fffd}"),
    ("UTF-16BE", b"\xd8\0\xd8\x3d\xde\0", "\u{fffd}\u{1f600}"),
    ("UTF-32LE", b"\0\xd8\0\0", "\u{fffd}"),
    ("UTF-32BE", b"\0\x11\0\0", "\u{fffd}"),
    ("UTF-32BE", b"\xff\xff\xff\xff", "\u{fffd}"),
];

/// The end of the input within a character.
const CUT_OFF: &[(&str, &[u8])] = &[
    ("Shift_JIS", b"\x82"),
    ("EUC-JP", b"\x8f\xa2"),
    ("ISO-2022-JP", b"\x1b$B\x24"),
    ("EUC-KR", b"\xc7"),
    ("GB18030", b"\x90\x30\x81"),
    ("UTF-16LE", b"<"),
    ("UTF-16BE", b"\xd8\x3d"),
    ("UTF-32LE", b"<\0\0"),
];

pub(crate) fn add(program: &mut Program) {
    for &(name, encoding, letters) in ENCODINGS {
        let of = |what: &str| format!("xml/encodings, {what} in {encoding} by the name of {name}");
        program.case(of("a document"), move || {
            check_document(name, encoding, letters)
        });
        program.case(of("an entity"), move || {
            check_entity(name, encoding, letters)
        });
    }
    for &(what, caller, input, encoding, error) in SNIFFED {
        program.case(format!("xml/encodings, sniffed: {what}"), move || {
            check_sniffed(caller, input, encoding, error)
        });
    }
    for &(name, bytes, meant) in ILL_FORMED {
        let shown = bytes.escape_ascii();
        let name_of_case = format!("xml/encodings, ill-formed {name}: {shown}");
        program.case(name_of_case, move || check_ill_formed(name, bytes, meant));
    }
    for &(name, bytes) in CUT_OFF {
        let shown = bytes.escape_ascii();
        let name_of_case = format!("xml/encodings, cut off {name}: {shown}");
        program.case(name_of_case, move || check_cut_off(name, bytes));
    }
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
        let caller = dialect.encoding(Encoding::UTF_8);
        let expected = whole(Parser::new(caller).errors(true), text.as_bytes());
        let mut parser = Parser::new(dialect).errors(true);
        parser.feed_slice(&input);
        while let Ok(Some(_)) = parser.next_event() {}
        let found = parser.encoding().map(Encoding::name);
        if found != Some(encoding) {
            return Err(format!("read as {found:?}").into());
        }
        let found = whole(Parser::new(dialect).errors(true), &input);
        if !expected.contains(&*letters.escape_debug().to_string()) || expected.contains("Err") {
            return Err(format!("in UTF-8: {expected}").into());
        }
        // In UTF-8, places are in the input, of which the mark is a part.
        if (mark.is_empty() || encoding != "UTF-8") && found != expected {
            return Err(format!("wanted:\n{expected}\nfound:\n{found}").into());
        }
        check_parser(&dialect, &input);
        clones(|| Parser::new(dialect).errors(true), &input)?;
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
        clone.feed_slice(&input[at..]);
        drain(&mut clone, &mut all);
        clone.finish();
        drain(&mut clone, &mut all);
        if !all.ends_with("\n") || strip_again(&all) != expected {
            return Err(format!("a clone at {at}: wanted\n{expected}\nfound\n{all}").into());
        }
        parser.feed_slice(&input[at..=at]);
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
    let mut parser = Parser::new(Xml::default().external_entities(true)).errors(true);
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
        let mut parser = Parser::new(dialect).errors(true);
        parser.feed_slice(input);
        parser.finish();
        let found = first_error(&mut parser);
        let name = parser.encoding().map(Encoding::name);
        if name != Some(encoding) || found != error {
            return Err(format!("{dialect:?}: {name:?}, {found:?}").into());
        }
        check_cuts(|| Parser::new(dialect).errors(true), input);
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
fn check_ill_formed(name: &str, bytes: &[u8], meant: &str) -> Result<(), Failed> {
    let encoding = Encoding::for_xml_label(name).ok_or("no encoding")?.name();
    let before = format!("<?xml version='1.0' encoding='{name}'?><a>x");
    let input = [
        encoded(&before, encoding),
        bytes.to_vec(),
        encoded("y</a>", encoding),
    ]
    .concat();
    let good = meant.find('\u{fffd}').ok_or("nothing is wrong")?;
    let at = before.len() + good;
    let error = format!("ill-formed-bytes {at}..{}", at + 3);
    check_sniffed(None, &input, encoding, &error)?;
    let mut parser = Parser::new(Xml::default());
    parser.feed_slice(&input);
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
    parser.feed_slice(&input);
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
fn check_cut_off(name: &str, bytes: &[u8]) -> Result<(), Failed> {
    let encoding = Encoding::for_xml_label(name).ok_or("no encoding")?.name();
    let before = format!("<?xml version='1.0' encoding='{name}'?><a/>");
    let input = [encoded(&before, encoding), bytes.to_vec()].concat();
    let at = before.len();
    let error = format!("ill-formed-bytes {at}..{}", at + 3);
    check_sniffed(None, &input, encoding, &error)
}
