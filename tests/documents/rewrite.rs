//! Documents passed on with changes: rows, at every cut, and what encodings make of what is put in.

use tagstream::{
    Balance, Content, Encoding, Html, LeafXml, MicroXml, RewriteError, RewriteEvent, Rewriter, Sky,
    TextDecoder, Xml,
};
use testing::cuts::positions;
use testing::rewriting::check_same;
use testing::rows::unescaped;
use testing::run::Program;

const ROWS: &str = include_str!("../data/rewrite.txt");

pub(crate) fn add(program: &mut Program) {
    let is_row = |line: &&str| !line.is_empty() && !line.starts_with('#');
    for line in ROWS.lines().filter(is_row) {
        let (dialect, row) = line.split_once(" | ").expect("a dialect");
        program.case(format!("{dialect}/rewrite, {row}"), move || check(line));
    }
    testing::cases!(
        program,
        "html/rewrite",
        every_encoding,
        references_in_place_of_characters,
        shifts_of_iso_2022_jp,
        memory_is_bounded,
    );
}

fn check(line: &str) {
    let mut parts = line.splitn(3, " | ");
    let (dialect, change) = (
        parts.next().expect("a dialect"),
        parts.next().expect("a change"),
    );
    let (input, wanted) = parts
        .next()
        .expect("an input")
        .split_once(" => ")
        .expect("an output");
    let input = unescaped(input);
    let wanted = String::from_utf8(unescaped(wanted)).expect("text");
    let wanted = &*wanted;
    let change = String::from_utf8(unescaped(change)).expect("text");
    match dialect {
        "html" => check_in(&Html::default(), &change, &input, wanted),
        "xml" => check_in(&Xml::default(), &change, &input, wanted),
        "microxml" => check_in(&MicroXml::default(), &change, &input, wanted),
        "sky" => check_in(&Sky::fragment(), &change, &input, wanted),
        "leafxml" => check_in(&LeafXml::default(), &change, &input, wanted),
        other => panic!("no dialect: {other}"),
    }
}

fn check_in<D: Balance>(dialect: &D, change: &str, input: &[u8], wanted: &str) {
    check_same(dialect, input);
    assert_eq!(rewritten(dialect, change, &[input]), wanted);
    // Text comes in pieces there, each of which is changed.
    if !change.starts_with("text ") {
        for at in positions(input.len()) {
            let found = rewritten(dialect, change, &[&input[..at], &input[at..]]);
            assert_eq!(found, wanted, "cut at {at}");
        }
        let bytes: Vec<&[u8]> = input.chunks(1).collect();
        assert_eq!(rewritten(dialect, change, &bytes), wanted, "byte by byte");
    }
}

fn rewritten<D: Balance>(dialect: &D, change: &str, chunks: &[&[u8]]) -> String {
    match rewritten_bytes(dialect, change, chunks) {
        Ok(out) => String::from_utf8(out).expect("UTF-8"),
        Err(RewriteError::Refused(refusal, _)) => format!("refused {}", refusal.as_str()),
        Err(error) => panic!("{error}"),
    }
}

fn rewritten_bytes<D: Balance>(
    dialect: &D,
    change: &str,
    chunks: &[&[u8]],
) -> Result<Vec<u8>, RewriteError> {
    let mut rewriter = Rewriter::new(dialect.clone());
    let mut out = Vec::new();
    for chunk in chunks {
        rewriter.feed(*chunk);
        while let Some(mut event) = rewriter.next_event()? {
            make(change, &mut event);
        }
        out.extend_from_slice(rewriter.output());
    }
    rewriter.finish();
    while let Some(mut event) = rewriter.next_event()? {
        make(change, &mut event);
    }
    out.extend_from_slice(rewriter.output());
    Ok(out)
}

/// Makes the change that a row names.
fn make(change: &str, event: &mut RewriteEvent<'_>) {
    let (what, rest) = change.split_once(' ').expect("what is changed");
    match what {
        "comment" if event.as_comment().is_some() => {
            event.set_text(rest);
        }
        "text"
            if event
                .as_text()
                .is_some_and(|text| !text.as_str().is_empty()) =>
        {
            event.set_text(rest);
        }
        "without" => {
            let is_it = match rest {
                "comments" => event.as_comment().is_some(),
                _ => event.as_text().is_some(),
            };
            if is_it {
                event.remove();
            }
        }
        "comment" | "text" => {}
        _ => make_of_element(what, rest, event),
    }
}

fn make_of_element(what: &str, rest: &str, event: &mut RewriteEvent<'_>) {
    let end = rest.find(['@', '=']).unwrap_or(rest.len());
    let (name, rest) = (&rest[..end], rest.get(end + 1..).unwrap_or_default());
    if event.as_start().is_none_or(|tag| tag.name() != name) {
        return;
    }
    let content = match rest.strip_prefix('+') {
        Some(markup) => Content::Markup(markup),
        None => Content::Text(rest),
    };
    match what {
        "set" => {
            let (name, value) = rest.split_once('=').expect("a value");
            event.set_attribute(name, value)
        }
        "unset" => event.remove_attribute(rest),
        "rename" => event.rename(rest),
        "remove" => event.remove(),
        "unwrap" => event.unwrap_element(),
        "content" => event.set_content(content),
        "before" => event.before(content),
        "after" => event.after(content),
        "prepend" => event.prepend(content),
        "append" => event.append(content),
        other => panic!("no change: {other}"),
    };
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

/// What is put in is read as what it was, in each encoding, and all else is what it was.
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
        let out = rewritten_bytes(&html, &change, &[&page]).expect("what can be written");
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

/// What an encoding has not becomes a reference, or is refused where there is none.
fn references_in_place_of_characters() {
    let html = Html::default().encoding(Encoding::WINDOWS_1252);
    let out = |change: &str, page: &str| rewritten(&html, change, &[page.as_bytes()]);
    assert_eq!(out("set a@b=日", "<a>"), "<a b=\"&#x65E5;\">");
    assert_eq!(out("set a@日=b", "<a>"), "refused encoding");
    assert_eq!(
        out("content script='日'", "<script></script>"),
        "refused encoding"
    );
    // As long as nothing tells the encoding, no change does.
    assert_eq!(
        rewritten(&Html::default(), "set a@b=é", &[b"<a>"]),
        "<a b=\"&#xE9;\">"
    );
}

/// Escape sequences stand where they are needed, and never one behind the other.
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
        let out = rewritten_bytes(&html, change, &[page]).expect("what can be written");
        assert_eq!(
            out.escape_ascii().to_string(),
            wanted.escape_ascii().to_string(),
            "{change}"
        );
    }
}

/// No more is held than the largest tag, whatever comes.
fn memory_is_bounded() {
    for piece in [
        "<a b='c'>d</a>",
        "</x>",
        "text ",
        "<!--c-->",
        "<br>\n",
        "<td>",
    ] {
        let mut rewriter = Rewriter::new(Html::default());
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
}
