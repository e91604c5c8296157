//! The rewriter: cases with one edit each, at every cut, and inserted text in each encoding.

use tagstream::microxml::Revision;
use tagstream::{
    Balance, Content, Encoding, Event, Form, Html, LeafXml, MicroXml, Parser, RewriteError,
    RewriteEvent, Rewriter, Sky, Xml,
};
use testing::cases::{self, Case};
use testing::cuts::positions;
use testing::rewriting::check_same;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    for (file, text) in [
        (
            "tests/data/rewrite.txt",
            include_str!("../data/rewrite.txt"),
        ),
        (
            "tests/data/rewrite-content.txt",
            include_str!("../data/rewrite-content.txt"),
        ),
    ] {
        let text = text.replace(
            "{a space more than may precede a declaration}",
            &"\\s".repeat(1025),
        );
        cases::add(program, cases::cases(file, &text), prefix, check);
    }
    testing::cases!(
        program,
        "html/rewrite",
        references_in_place_of_characters,
        shifts_of_iso_2022_jp,
        encodings_of_xml_with_c1_controls,
        many_attributes,
        chunks_of_all_sizes,
        sections_that_edits_begin,
        removed_elements_have_no_ends,
        end_tags_close_elements_for_selectors,
        only_start_tags_are_selected,
        output_is_not_delayed,
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
        "xml" => {
            let xml = match case.has("strict") {
                true => Xml::strict(),
                false => Xml::default(),
            };
            let xml = match case.has("fragment") {
                true => xml.fragment(),
                false => xml,
            };
            let external_entities = case.has("external-entities");
            check_in(&xml.external_entities(external_entities), case)
        }
        "microxml" => {
            let revision = match case.has("final") {
                true => Revision::Final,
                false => Revision::default(),
            };
            let microxml = match case.has("strict") {
                true => MicroXml::strict(),
                false => MicroXml::default(),
            };
            check_in(&microxml.revision(revision), case)
        }
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
        Some(refused) => {
            let (refusal, markup) = refused.split_once('\n').unwrap_or((refused, ""));
            case.expect("error", refusal)?;
            if case.expected("markup").is_some() {
                case.expect("markup", markup)?;
            }
        }
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
pub(crate) enum Taken {
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
    let (refused, out) = try_to_rewrite(rewriter, change, chunks, taken, skips);
    let out = out.map(|out| String::from_utf8(out).expect("UTF-8"));
    match (refused, out) {
        (None, out) => out.unwrap_or_default(),
        (Some(refused), Some(out)) => format!("refused {refused}\n{out}"),
        (Some(refused), None) => format!("refused {refused}"),
    }
}

pub(crate) fn rewritten_bytes<D: Balance, F: Form>(
    rewriter: Rewriter<D, F>,
    change: &str,
    chunks: &[&[u8]],
) -> Vec<u8> {
    let (refused, out) = try_to_rewrite(rewriter, change, chunks, Taken::AtEnd, false);
    assert_eq!(refused, None, "{change}");
    out.unwrap_or_default()
}

/// Returns the reason why the first edit was refused, if there is one, and the output. There is no output if a method
/// refused the edit. If the edit of the end of an element could not be made, the rewriter is used further.
pub(crate) fn try_to_rewrite<D: Balance, F: Form>(
    mut rewriter: Rewriter<D, F>,
    change: &str,
    chunks: &[&[u8]],
    taken: Taken,
    skips: bool,
) -> (Option<&'static str>, Option<Vec<u8>>) {
    let (mut refused, mut out) = (None, Vec::new());
    for chunk in chunks.iter().copied().map(Some).chain([None]) {
        match chunk {
            Some(chunk) => rewriter.feed(chunk),
            None => rewriter.finish(),
        }
        loop {
            match next(&mut rewriter, skips) {
                Ok(Some(mut event)) => {
                    if let Err(error) = make(change, &mut event) {
                        return (refused.or(Some(reason(error))), None);
                    }
                }
                Ok(None) => break,
                Err(error) => {
                    refused.get_or_insert(reason(error));
                }
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
    (refused, Some(out))
}

fn reason(error: RewriteError) -> &'static str {
    match error {
        RewriteError::Refused(refusal, _) => refusal.as_str(),
        error => panic!("{error}"),
    }
}

/// Returns the next event. If `skips`, this is the next selected tag.
fn next<D: Balance, F: Form>(
    rewriter: &mut Rewriter<D, F>,
    skips: bool,
) -> Result<Option<RewriteEvent<'_>>, RewriteError> {
    match skips {
        true => rewriter.next_selected(),
        false => rewriter.next_event(),
    }
}

/// Applies an edit to the events that it names.
fn make(change: &str, event: &mut RewriteEvent<'_>) -> Result<(), RewriteError> {
    let (what, rest) = change.split_once(' ').expect("what is changed");
    let is_comment = event.as_comment().is_some();
    let text = event.as_text();
    let is_full = text.is_some_and(|text| !text.as_str().is_empty());
    let is_declaration = matches!(event.event(), Event::Declaration(_));
    match (what, rest) {
        ("before-declaration", _) if is_declaration => event.before(Content::Markup(rest))?,
        ("after-declaration", _) if is_declaration => event.after(Content::Markup(rest))?,
        ("comment", _) if is_comment => event.set_text(rest)?,
        ("text", _) if is_full => event.set_text(rest)?,
        ("without", "comments") if is_comment => event.remove()?,
        ("without", "text") if text.is_some() => event.remove()?,
        ("last", _) if event.is_last() => event.after(rest)?,
        ("before-declaration" | "after-declaration", _) => event,
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
        assert_bytes(&rewritten_bytes(rewriter, change, &[page]), wanted, change);
    }
    // The byte `&` is a half of a character, and `1` is one in katakana.
    for (page, change, wanted) in [
        (
            &b"<p>\x1B$B$&\x1B(B<b>c"[..],
            "before b=x",
            &b"<p>\x1B$B$&\x1B(Bx\x1B(B<b>c"[..],
        ),
        (
            b"<p>\x1B(I1\x1B(B<b>c",
            "before b=\u{FF72}",
            b"<p>\x1B(I12\x1B(B<b>c",
        ),
        (
            b"<p>\x1B(I1\x1B(B<b>c",
            "before b=x",
            b"<p>\x1B(I1\x1B(Bx\x1B(B<b>c",
        ),
    ] {
        check_same(&html, page);
        let rewriter = Rewriter::new(html.clone()).balanced();
        assert_bytes(&rewritten_bytes(rewriter, change, &[page]), wanted, change);
    }
    // An escape sequence in omitted input, divided between chunks that are buffered apart.
    let page = [b"<p><i>\x1B$B$\"\x1B(B", &[b'x'; 2000][..], b"</i><b>c"].concat();
    for at in 6..14 {
        let rewriter = Rewriter::new(html.clone());
        let chunks = [&page[..at], &page[at..]];
        let out = rewritten_bytes(rewriter, "remove i", &chunks);
        assert_bytes(&out, b"<p><b>c", &format!("cut at {at}"));
    }
}

fn assert_bytes(found: &[u8], wanted: &[u8], what: &str) {
    let (found, wanted) = (found.escape_ascii(), wanted.escape_ascii());
    assert_eq!(found.to_string(), wanted.to_string(), "{what}");
}

/// In XML, the bytes 0x80 to 0x9F of ISO-8859-9 and ISO-8859-11 are control characters, unlike in HTML.
fn encodings_of_xml_with_c1_controls() {
    for (label, other, bytes) in [
        ("ISO-8859-9", "\u{15F}\u{85}", b"\xFE\x85"),
        ("ISO-8859-11", "\u{E01}\u{85}", b"\xA1\x85"),
    ] {
        let declaration = format!("<?xml version='1.0' encoding='{label}'?>");
        let page = [declaration.as_bytes(), b"<a><!--b--></a>"].concat();
        let wanted = [declaration.as_bytes(), b"<a><!--", bytes, b"--></a>"].concat();
        check_same(&Xml::default(), &wanted);
        let rewriter = Rewriter::new(Xml::default());
        let change = format!("comment {other}");
        let out = rewritten_bytes(rewriter, &change, &[&page]);
        assert_bytes(&out, &wanted, label);
        let mut parser = Parser::new(Xml::default());
        parser.feed(&out[..]);
        parser.finish();
        let mut read = String::new();
        while let Some(event) = parser.next_event().expect("XML") {
            if let Event::Comment(comment) = event {
                read.push_str(comment.as_str());
            }
        }
        assert_eq!(read, other, "{label}");
        // The euro sign is at 0x80 in the encodings that HTML has under these names.
        let rewriter = Rewriter::new(Xml::default());
        let change = "comment €";
        let (refused, _) = try_to_rewrite(rewriter, change, &[&page], Taken::AtEnd, false);
        assert_eq!(refused, Some("encoding"), "{label}");
    }
}

/// Many attributes of one tag can be set and removed, each of them again.
fn many_attributes() {
    const COUNT: usize = 30;
    let mut page = String::from("<a");
    let mut wanted = page.clone();
    for number in 0..COUNT {
        page += &format!(" Old{number}='x'");
        wanted += &match number % 3 {
            0 => format!(" Old{number}=\"{number}\""),
            1 => String::new(),
            _ => format!(" Old{number}='x'"),
        };
    }
    (0..COUNT).for_each(|number| wanted += &format!(" new{number}=\"{number}\""));
    let mut rewriter = Rewriter::new(Html::default());
    for _ in 0..2 {
        rewriter.feed(format!("{page}>"));
        let mut tag = rewriter.next_event().expect("HTML").expect("a tag");
        for value in [COUNT, 0] {
            for number in 0..COUNT {
                let name = format!("old{number}");
                match number % 3 {
                    0 => tag.set_attribute(&name, value + number).expect("set"),
                    1 => tag.remove_attribute(&name).expect("removed"),
                    _ => &mut tag,
                };
                let name = format!("new{number}");
                tag.set_attribute(&name, value + number).expect("added");
            }
        }
        drop(tag);
        assert_eq!(
            String::from_utf8(rewriter.take_output()).expect("UTF-8"),
            format!("{wanted}>")
        );
    }
}

/// Small chunks are buffered together, and large ones one by one.
fn chunks_of_all_sizes() {
    let text: String = (0..3000_u32).map(|number| format!("{number} ")).collect();
    let page = format!("<p><b title='{text}'>{text}<i>{text}</i></b>");
    let wanted = format!("<p><b title='{text}' c=\"d\">{text}<i>{text}</i></b>");
    for sizes in [
        &[1, 1023, 1, 1024, 1025, 2][..],
        &[7, 4000],
        &[1500, 300],
        &[100],
        &[1024],
        &[900, 900, 5000],
    ] {
        let (mut chunks, mut rest) = (Vec::new(), page.as_bytes());
        for size in sizes.iter().cycle() {
            let (chunk, after) = rest.split_at(rest.len().min(*size));
            chunks.push(chunk);
            rest = after;
            if rest.is_empty() {
                break;
            }
        }
        for taken in [Taken::AtEnd, Taken::AfterChunks, Taken::AfterEvents] {
            let rewriter = Rewriter::new(Html::default());
            let out = rewritten(rewriter, "set b@c=d", &chunks, taken);
            assert!(out == wanted, "{sizes:?}: {out}");
        }
    }
}

/// XML: inserted text ends a section and begins another one, which later content must end.
fn sections_that_edits_begin() {
    fn out<F: Form>(mut rewriter: Rewriter<Xml, F>) -> String {
        rewriter.feed("<a>c<![CDATA[");
        rewriter.finish();
        while let Some(mut event) = rewriter.next_event().expect("XML") {
            make("after-markup a=<?n?>", &mut event).expect("inserted");
            make("last ]", &mut event).expect("inserted");
        }
        String::from_utf8(rewriter.take_output()).expect("UTF-8")
    }
    let xml = || Rewriter::new(Xml::default());
    assert_eq!(out(xml()), "<a>c<![CDATA[]]>]<![CDATA[]]><?n?>");
    assert_eq!(
        out(xml().balanced()),
        "<a>c<![CDATA[]]>]<![CDATA[]]></a><?n?>"
    );
}

/// The program does not get the end of an element that it removed, also if the start tag ends the element.
fn removed_elements_have_no_ends() {
    fn ends<D: Balance, F: Form>(mut rewriter: Rewriter<D, F>, page: &str) -> String {
        rewriter.feed(page);
        rewriter.finish();
        let mut ends = String::new();
        while let Some(mut event) = rewriter.next_event().expect("a page") {
            make("remove br", &mut event).expect("removed");
            if let Some(tag) = event.as_end() {
                ends += tag.name();
            }
        }
        ends
    }
    for page in ["<a><br/></a>", "<a><br></br></a>", "<a><br><c/></br></a>"] {
        assert_eq!(ends(Rewriter::new(Xml::default()), page), "a", "{page}");
        let balanced = Rewriter::new(Xml::default()).balanced();
        assert_eq!(ends(balanced, page), "a", "{page}");
    }
    for page in ["<p><br></p>", "<p><br/>x</p>"] {
        assert_eq!(ends(Rewriter::new(Html::default()), page), "p", "{page}");
        let balanced = Rewriter::new(Html::default()).balanced();
        assert_eq!(ends(balanced, page), "headpbodyhtml", "{page}");
    }
}

/// Returns the names of the elements that a selector selects, read with `next_event` and with `next_selected`.
fn selected<F: Form>(
    rewriter: impl Fn() -> Rewriter<Html, F>,
    selector: &str,
    page: &str,
) -> String {
    let names = |only_selected: bool| {
        let mut rewriter = rewriter();
        let id = rewriter.select(selector).expect("a selector");
        rewriter.feed(page);
        rewriter.finish();
        let mut names = Vec::new();
        while let Some(event) = match only_selected {
            true => rewriter.next_selected(),
            false => rewriter.next_event(),
        }
        .expect("HTML")
        {
            if event.is_selected(id) {
                let tag = event.as_start().expect("only start tags are selected");
                names.push(tag.attribute("id").unwrap_or_default().to_owned());
            }
        }
        names.join(" ")
    };
    let found = names(true);
    assert_eq!(found, names(false), "{selector} in {page}");
    found
}

/// An end tag as written ends all elements in its element.
fn end_tags_close_elements_for_selectors() {
    for (selector, page, wanted) in [
        ("p i", "<div><p><b></div><i id=a>", ""),
        ("div i", "<div><p><b></div><i id=a>", ""),
        ("section > i", "<section><div><p><b></div><i id=a>", "a"),
        (
            "section > i",
            "<section></x><i id=a><p><b></i><i id=b>",
            "a b",
        ),
        ("p > i", "<p><b></b><i id=a></i></p><i id=b>", "a"),
        ("p > i", "<p><br><i id=a>", "a"),
    ] {
        let found = selected(|| Rewriter::new(Html::default()), selector, page);
        assert_eq!(found, wanted, "{selector} in {page}");
    }
    // Tree construction opens the formatting element again.
    let balanced = || Rewriter::new(Html::default()).balanced();
    let found = selected(balanced, "b > i", "<div><p><b></div><i id=a>");
    assert_eq!(found, "a");
}

/// A selector selects a start tag, and not the events after it.
fn only_start_tags_are_selected() {
    let page = "<p id=a>b<!--c--><br id=d>e</p><?f>g";
    for selector in ["p", "br", "*", "p, br"] {
        let written = selected(|| Rewriter::new(Html::default()), selector, page);
        let balanced = || Rewriter::new(Html::default()).balanced();
        let balanced = selected(balanced, selector, page);
        assert_eq!(written, balanced.trim_start(), "{selector}");
    }
    // The empty text at the end of a run, after a call of `next_selected` that passed the text.
    let mut rewriter = Rewriter::new(Html::default());
    let id = rewriter.select("b").expect("a selector");
    rewriter.feed("<p><b>");
    assert!(rewriter.next_selected().expect("HTML").is_some());
    rewriter.feed("c");
    assert!(rewriter.next_selected().expect("HTML").is_none());
    rewriter.finish();
    while let Some(event) = rewriter.next_event().expect("HTML") {
        assert!(!event.is_selected(id), "{event:?}");
    }
}

/// The output up to the current event can be taken at once, except `<` that a later edit may have to escape.
fn output_is_not_delayed() {
    let mut rewriter = Rewriter::new(Html::default());
    let mut outputs = Vec::new();
    rewriter.feed("<a>b!<<i>c<!--d-->&am<br>< <</i>");
    while rewriter.next_event().expect("HTML").is_some() {
        outputs.push(String::from_utf8(rewriter.take_output()).expect("UTF-8"));
    }
    let wanted = [
        "<a>", "b!", "<<i>", "c", "<!--d-->", "&am", "<br>", "< ", "<</i>",
    ];
    assert_eq!(outputs, wanted);
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
