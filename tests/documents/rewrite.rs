//! The rewriter: cases with one edit each, at every cut, and inserted text in each encoding.

use tagstream::{
    Balance, Content, Encoding, Form, Html, LeafXml, MicroXml, RewriteError, RewriteEvent,
    Rewriter, Sky, TextDecoder, Xml,
};
use testing::cases::{self, Case};
use testing::cuts::positions;
use testing::rewriting::check_same;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    let text = include_str!("../data/rewrite.txt");
    let cases = cases::cases("tests/data/rewrite.txt", text);
    cases::add(program, cases, prefix, check);
    testing::cases!(
        program,
        "html/rewrite",
        every_encoding,
        references_in_place_of_characters,
        shifts_of_iso_2022_jp,
        memory_is_bounded,
    );
}

fn prefix(case: &Case) -> &'static str {
    match case.option("dialect") {
        Some("html") => "html/rewrite",
        Some("xml") => "xml/rewrite",
        Some("microxml") => "microxml/rewrite",
        Some("sky") => "sky/rewrite",
        _ => "leafxml/rewrite",
    }
}

fn check(case: &Case) -> Result<(), String> {
    match case.option("dialect").unwrap_or_default() {
        "html" => check_in(&Html::default(), case),
        "xml" => check_in(&Xml::default(), case),
        "microxml" => check_in(&MicroXml::default(), case),
        "sky" => check_in(&Sky::fragment(), case),
        "leafxml" => check_in(&LeafXml::default(), case),
        other => Err(format!("no dialect {other}")),
    }
}

fn check_in<D: Balance>(dialect: &D, case: &Case) -> Result<(), String> {
    let input = &case.input()[..];
    let edit = case.bytes("edit").unwrap_or_default();
    let edit = String::from_utf8(edit).map_err(|error| error.to_string())?;
    check_same(dialect, input);
    let rewriter = || Rewriter::new(dialect.clone());
    match case.option("form") {
        Some("written") => check_with(rewriter, &edit, case),
        Some("balanced") | None => check_with(|| rewriter().balanced(), &edit, case),
        Some(other) => Err(format!("no form {other}")),
    }
}

fn check_with<D: Balance, F: Form>(
    rewriter: impl Fn() -> Rewriter<D, F>,
    edit: &str,
    case: &Case,
) -> Result<(), String> {
    let input = &case.input()[..];
    let found = rewritten(rewriter(), edit, &[input], Taken::AtEnd);
    match found.strip_prefix("refused ") {
        Some(refusal) => case.expect("error", refusal)?,
        None => case.expect("markup", &found)?,
    }
    // In chunks, text is delivered in pieces, each of which is edited.
    if edit.starts_with("text ") {
        return Ok(());
    }
    for at in positions(input.len()) {
        let chunks = [&input[..at], &input[at..]];
        let cut = rewritten(rewriter(), edit, &chunks, Taken::AfterEvents);
        assert_eq!(cut, found, "cut at {at}");
        let reused = reused(rewriter(), edit, &input[..at]);
        let again = rewritten(reused, edit, &[input], Taken::AtEnd);
        assert_eq!(again, found, "after the first {at} bytes and a reset");
    }
    let bytes: Vec<&[u8]> = input.chunks(1).collect();
    let cut = rewritten(rewriter(), edit, &bytes, Taken::AfterChunks);
    assert_eq!(cut, found, "byte by byte");
    if let Some(selector) = selector(edit, input) {
        for chunks in [&[input][..], &bytes] {
            let mut rewriter = rewriter();
            rewriter
                .select(selector)
                .map_err(|error| error.to_string())?;
            let selected = rewritten_by(rewriter, edit, chunks, Taken::AfterChunks, true);
            assert_eq!(
                selected,
                found,
                "only selected tags, {} chunks",
                chunks.len()
            );
        }
    }
    Ok(())
}

/// Returns the type selector of the start tags that an edit changes, or `None` if it can change other events. A selector
/// does not match in a template.
fn selector<'e>(edit: &'e str, input: &[u8]) -> Option<&'e str> {
    let (what, rest) = edit.split_once(' ')?;
    let others = [
        "comment",
        "text",
        "without",
        "last",
        "before-end",
        "after-end",
    ];
    let name = &rest[..rest.find(['@', '=']).unwrap_or(rest.len())];
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let has_template = input.windows(9).any(|part| part == b"<template");
    (!others.contains(&what) && is_plain && !has_template).then_some(name)
}

/// When the output is taken. The result does not depend on it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Taken {
    AtEnd,
    AfterChunks,
    AfterEvents,
}

/// Returns a rewriter that was reset after it edited the beginning of a document. Only some events of the beginning are
/// read, so that the last one may have edits that are not applied yet.
fn reused<D: Balance, F: Form>(
    mut rewriter: Rewriter<D, F>,
    change: &str,
    beginning: &[u8],
) -> Rewriter<D, F> {
    rewriter.feed(beginning);
    for _ in 0..beginning.len() / 2 {
        let Ok(Some(mut event)) = rewriter.next_event() else {
            break;
        };
        let _ = make(change, &mut event);
    }
    rewriter.reset();
    rewriter
}

fn rewritten<D: Balance, F: Form>(
    rewriter: Rewriter<D, F>,
    change: &str,
    chunks: &[&[u8]],
    taken: Taken,
) -> String {
    rewritten_by(rewriter, change, chunks, taken, false)
}

/// As `rewritten`. If `skips`, the rewriter returns only selected tags.
fn rewritten_by<D: Balance, F: Form>(
    rewriter: Rewriter<D, F>,
    change: &str,
    chunks: &[&[u8]],
    taken: Taken,
    skips: bool,
) -> String {
    match rewritten_bytes(rewriter, change, chunks, taken, skips) {
        Ok(out) => String::from_utf8(out).expect("UTF-8"),
        Err(RewriteError::Refused(refusal, _)) => format!("refused {}", refusal.as_str()),
        Err(error) => panic!("{error}"),
    }
}

fn rewritten_bytes<D: Balance, F: Form>(
    mut rewriter: Rewriter<D, F>,
    change: &str,
    chunks: &[&[u8]],
    taken: Taken,
    skips: bool,
) -> Result<Vec<u8>, RewriteError> {
    let mut out = Vec::new();
    for chunk in chunks.iter().copied().map(Some).chain([None]) {
        match chunk {
            Some(chunk) => rewriter.feed(chunk),
            None => rewriter.finish(),
        }
        loop {
            let has_event = {
                let event = match skips {
                    true => rewriter.next_selected()?,
                    false => rewriter.next_event()?,
                };
                event
                    .map(|mut event| make(change, &mut event))
                    .transpose()?
            };
            if has_event.is_none() {
                break;
            }
            if taken == Taken::AfterEvents {
                rewriter.output_to(&mut out);
            }
        }
        if taken != Taken::AtEnd {
            rewriter.output_to(&mut out);
        }
    }
    rewriter.output_to(&mut out);
    Ok(out)
}

/// Applies an edit to the events that it names.
fn make(change: &str, event: &mut RewriteEvent<'_>) -> Result<(), RewriteError> {
    let (what, rest) = change.split_once(' ').expect("what is changed");
    let is_comment = event.as_comment().is_some();
    let text = event.as_text();
    let is_full = text.is_some_and(|text| !text.as_str().is_empty());
    match (what, rest) {
        ("comment", _) if is_comment => event.set_text(rest)?,
        ("text", _) if is_full => event.set_text(rest)?,
        ("without", "comments") if is_comment => event.remove()?,
        ("without", "text") if text.is_some() => event.remove()?,
        ("last", _) if event.is_last() => event.after(rest)?,
        ("comment" | "text" | "without" | "last", _) => event,
        _ => return make_of_element(what, rest, event),
    };
    Ok(())
}

fn make_of_element(
    what: &str,
    rest: &str,
    event: &mut RewriteEvent<'_>,
) -> Result<(), RewriteError> {
    let end = rest.find(['@', '=']).unwrap_or(rest.len());
    let (name, rest) = (&rest[..end], rest.get(end + 1..).unwrap_or_default());
    match what {
        "before-end" | "after-end" if event.as_end().is_none_or(|tag| tag.name() != name) => {
            return Ok(());
        }
        "before-end" => return event.before(rest).map(|_| ()),
        "after-end" => return event.after(rest).map(|_| ()),
        _ => {}
    }
    if event.as_start().is_none_or(|tag| tag.name() != name) {
        return Ok(());
    }
    let (what, content) = match what.strip_suffix("-markup") {
        Some(what) => (what, Content::Markup(rest)),
        None => (what, Content::Text(rest)),
    };
    match what {
        "set" => {
            let (name, value) = rest.split_once('=').expect("a value");
            event.set_attribute(name, value)?
        }
        "unset" => event.remove_attribute(rest)?,
        "rename" => event.rename(rest)?,
        "remove" => event.remove()?,
        "unwrap" => event.unwrap_element()?,
        "content" => event.set_content(content)?,
        "before" => event.before(content)?,
        "after" => event.after(content)?,
        "prepend" => event.prepend(content)?,
        "append" => event.append(content)?,
        other => panic!("no change: {other}"),
    };
    Ok(())
}

/// The encodings of the Encoding Standard, by a label each.
const LABELS: [&str; 38] = [
    "utf-8",
    "ibm866",
    "iso-8859-2",
    "iso-8859-3",
    "iso-8859-4",
    "iso-8859-5",
    "iso-8859-6",
    "iso-8859-7",
    "iso-8859-8",
    "iso-8859-8-i",
    "iso-8859-10",
    "iso-8859-13",
    "iso-8859-14",
    "iso-8859-15",
    "iso-8859-16",
    "koi8-r",
    "koi8-u",
    "macintosh",
    "windows-874",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "x-mac-cyrillic",
    "gbk",
    "gb18030",
    "big5",
    "euc-jp",
    "iso-2022-jp",
    "shift_jis",
    "euc-kr",
    "utf-16le",
    "utf-16be",
];

const PUT: &str = "x é Ж 日本 ﾊ \u{A5}\\~ € 😀 <&>";

/// In each encoding, inserted text is read back as it was, and the rest of the document is unchanged.
fn every_encoding() {
    for label in LABELS {
        let encoding = Encoding::for_label(label).expect("a label");
        let html = Html::default().encoding(encoding);
        let page = match label {
            "utf-16le" => utf16("<p>1<b>2</b>3", u16::to_le_bytes),
            "utf-16be" => utf16("<p>1<b>2</b>3", u16::to_be_bytes),
            _ => b"<p>1<b>2</b>3".to_vec(),
        };
        check_same(&html, &page);
        let change = format!("content b={PUT}");
        let rewriter = Rewriter::new(html).balanced();
        let out = rewritten_bytes(rewriter, &change, &[&page], Taken::AtEnd, false)
            .expect("what can be written");
        let mut page = String::new();
        TextDecoder::new(encoding).decode(&out, true, &mut page);
        let document = tagstream::Document::parse(Html::default(), page).expect("a page");
        let text = document.root().text_content();
        assert_eq!(text, format!("1{PUT}3"), "{label}");
    }
}

fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(bytes).collect()
}

/// A character that the encoding lacks becomes a reference, or is refused where references are not read.
fn references_in_place_of_characters() {
    let html = Html::default().encoding(Encoding::WINDOWS_1252);
    let rewriter = |html: &Html| Rewriter::new(html.clone()).balanced();
    let out = |change: &str, page: &str| {
        rewritten(rewriter(&html), change, &[page.as_bytes()], Taken::AtEnd)
    };
    assert_eq!(out("set a@b=日", "<a>"), "<a b=\"&#x65E5;\">");
    assert_eq!(out("set a@日=b", "<a>"), "refused encoding");
    assert_eq!(
        out("content script='日'", "<script></script>"),
        "refused encoding"
    );
    // Before the encoding is known, only ASCII is written.
    assert_eq!(
        rewritten(
            rewriter(&Html::default()),
            "set a@b=é",
            &[b"<a>"],
            Taken::AtEnd
        ),
        "<a b=\"&#xE9;\">"
    );
}

/// Escape sequences are written where they are needed, and never two in a row.
fn shifts_of_iso_2022_jp() {
    let encoding = Encoding::for_label("iso-2022-jp").expect("a label");
    let html = Html::default().encoding(encoding);
    let page = b"<p>\x1B$B$\"$$\x1B(B<b>\x1B(J\\\x1B(B</b>";
    check_same(&html, page);
    for (change, wanted) in [
        (
            "append b=\u{3042}",
            &b"<p>\x1B$B$\"$$\x1B(B<b>\x1B(J\\\x1B$B$\"\x1B(B</b>"[..],
        ),
        (
            "before b=\u{3042}",
            b"<p>\x1B$B$\"$$$\"\x1B(B<b>\x1B(J\\\x1B(B</b>",
        ),
        ("content b=a", b"<p>\x1B$B$\"$$\x1B(B<b>a\x1B(B</b>"),
        ("remove b", b"<p>\x1B$B$\"$$"),
    ] {
        let rewriter = Rewriter::new(html.clone()).balanced();
        let out = rewritten_bytes(rewriter, change, &[page], Taken::AtEnd, false)
            .expect("what can be written");
        assert_eq!(
            out.escape_ascii().to_string(),
            wanted.escape_ascii().to_string(),
            "{change}"
        );
    }
}

/// The rewriter buffers no more than the largest tag.
fn memory_is_bounded() {
    for piece in [
        "<a b='c'>d</a>",
        "</x>",
        "text ",
        "<!--c-->",
        "<br>\n",
        "<td>",
    ] {
        check_memory(Rewriter::new(Html::default()), piece);
        check_memory(Rewriter::new(Html::default()).balanced(), piece);
    }
}

fn check_memory<F: Form>(mut rewriter: Rewriter<Html, F>, piece: &str) {
    rewriter.feed("<!DOCTYPE html><p>");
    let (mut fed, mut put) = (18, 0);
    for _ in 0..10_000 {
        rewriter.feed(piece);
        fed += piece.len();
        while rewriter.next_event().expect("HTML").is_some() {}
        put += rewriter.output().len();
        assert!(fed - put <= 2048, "{piece}: {fed} fed, {put} put out");
    }
}
