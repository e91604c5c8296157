//! The rewriter: edits of the pieces of a text.

use tagstream::{
    Balance, Content, Encoding, Event, Form, Html, LeafXml, MicroXml, Parser, RewriteError,
    RewriteEvent, Rewriter, Sizes, Sky, Stats, Xml,
};
use testing::rewriting::check_same;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    testing::cases!(
        program,
        "html/rewrite/pieces",
        newlines_between_pieces,
        pieces_of_scripts,
        raw_text_without_events,
        misplaced_declarations,
        runs_have_one_first_and_one_last_piece,
    );
}

/// LeafXML: a newline may begin in a CDATA section and end after it. If the text in the section is replaced, the rest of
/// the newline is omitted.
fn newlines_between_pieces() {
    let page = b"<a><![CDATA[c\r]]>\nd</a>";
    check_same(&LeafXml::default(), page);
    // Byte by byte, the newline is a piece of its own.
    for (size, section) in [(1, "cb"), (page.len(), "b")] {
        let mut rewriter = Rewriter::new(LeafXml::default());
        for chunk in page.chunks(size).map(Some).chain([None]) {
            match chunk {
                Some(chunk) => rewriter.feed(chunk),
                None => rewriter.finish(),
            }
            while let Some(mut event) = rewriter.next_event().expect("LeafXML") {
                if event
                    .as_text()
                    .is_some_and(|text| text.as_str().contains('\n'))
                {
                    event.set_text("b").expect("replaced");
                }
            }
        }
        let out = String::from_utf8(rewriter.take_output()).expect("UTF-8");
        assert_eq!(out, format!("<a><![CDATA[{section}]]>d</a>"));
    }
}

/// Edits of some pieces of a script change neither the end of the script nor the state after it.
fn pieces_of_scripts() {
    for page in [
        "<script>a<!--<script>b</script>c--></script>d<b>e",
        "<script><!--<SCRIPT/</script \nb--></script>d<b>e",
        "<script>-->a<!-->b<!---><script></script>d<b>e",
        "<script><!--a--><script></script>d<b>e",
        "<script>a<!b<!-c<!--</scripts</script>d<b>e",
    ] {
        for first in 0..=page.len() {
            for second in first..=page.len() {
                let chunks = [&page[..first], &page[first..second], &page[second..]];
                for chosen in 1..8 {
                    for edit in 0..4 {
                        check_pieces(Rewriter::new(Html::default()), &chunks, chosen, edit);
                        let balanced = Rewriter::new(Html::default()).balanced();
                        check_pieces(balanced, &chunks, chosen, edit);
                    }
                }
            }
        }
    }
}

/// Edits the texts in the chosen chunks, as bits, and compares what follows the first end tag.
fn check_pieces<F: Form>(
    mut rewriter: Rewriter<Html, F>,
    chunks: &[&str],
    chosen: usize,
    edit: usize,
) {
    let mut in_script = false;
    for (number, chunk) in chunks.iter().enumerate() {
        rewriter.feed(*chunk);
        while let Some(mut event) = rewriter.next_event().expect("no refusal at the end") {
            in_script |= event.as_start().is_some_and(|tag| tag.name() == "script");
            in_script &= event.as_end().is_none_or(|tag| tag.name() != "script");
            if event.as_text().is_some() && in_script && chosen >> number & 1 == 1 {
                let _ = match edit {
                    0 => event.remove().map(|_| ()),
                    1 => event.set_text("x").map(|_| ()),
                    2 => event.before("x").map(|_| ()),
                    _ => event.after("x").map(|_| ()),
                };
            }
        }
    }
    rewriter.finish();
    while rewriter
        .next_event()
        .expect("no refusal at the end")
        .is_some()
    {}
    let out = rewriter.take_output();
    let out = String::from_utf8_lossy(&out);
    let mut parser = Parser::new(Html::default());
    parser.feed(out.as_bytes());
    parser.finish();
    let mut rest = None;
    while let Some(event) = parser.next_event().expect("HTML has no errors") {
        if let Event::End(tag) = event {
            rest = Some(&out[tag.span().end as usize..]);
        }
    }
    assert_eq!(rest, Some("d<b>e"), "{chunks:?}, {chosen:b}, {edit}: {out}");
}

/// The elements of HTML whose content is text, with and without references.
const TEXT_ELEMENTS: [&str; 10] = [
    "script",
    "style",
    "xmp",
    "iframe",
    "noembed",
    "noframes",
    "noscript",
    "title",
    "textarea",
    "plaintext",
];

/// Raw text that no event is needed for is passed in the same way as text with events: the output, the events after it,
/// and the edits that are refused are the same, whatever the rewriter returned before.
fn raw_text_without_events() {
    for name in TEXT_ELEMENTS {
        let content = b"ab\ne<f &amp;</\xE9\r\n\rh\0<!--<script>-</script >-->n\xC3\xA9o";
        let begin = format!("<p><i>a<b><{name}>");
        let end = format!("</{name}>q</b>r</i><b>s");
        let page = [begin.as_bytes(), content, end.as_bytes()].concat();
        check_without_events(&page, Encoding::UTF_8);
    }
    let page: Vec<u8> = "<b><style>ab\nc\u{e9}d</style>e"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    check_without_events(&page, Encoding::for_label("utf-16le").expect("an encoding"));
    let page = b"<b><script>ab\x1B$B$\"\x1B(Bc</script>d";
    check_without_events(
        page,
        Encoding::for_label("iso-2022-jp").expect("an encoding"),
    );
}

/// Rewrites a page with and without events of the first chunks, cut at every byte and in small chunks.
fn check_without_events(page: &[u8], encoding: Encoding) {
    let cut = (0..page.len()).map(|at| vec![&page[..at], &page[at..]]);
    let small = (1..6).map(|size| page.chunks(size).collect::<Vec<_>>());
    for (number, chunks) in cut.chain(small).enumerate() {
        let sizes = Sizes {
            raw: 1,
            ..Sizes::all([4096, 1, 5][number % 3])
        };
        let html = Html::default().encoding(encoding).scripting(true);
        let rewriter = Rewriter::new(html).inspect_sizes(sizes);
        let mut switches = vec![1, chunks.len() / 2, chunks.len()];
        switches.dedup();
        for switch in switches {
            for edit in 0..4 {
                let result =
                    |skips| passed_without_events(rewriter.clone(), &chunks, switch, edit, skips);
                let (usual, passed) = (result(false), result(true));
                assert_eq!(passed, usual, "{chunks:?}, {sizes:?}, {switch}, {edit}");
            }
        }
    }
}

/// Rewrites a page, and returns a description of the result. The events of the first `switch` chunks are not used, except
/// for those that are selected. If `skips`, the rewriter does not return them.
fn passed_without_events(
    mut rewriter: Rewriter<Html>,
    chunks: &[&[u8]],
    switch: usize,
    edit: usize,
    skips: bool,
) -> Vec<String> {
    let selector = ["b", "script, style, title", "i", "b"][edit];
    let selected = rewriter.select(selector).expect("a selector");
    let mut result = Vec::new();
    for (number, chunk) in chunks.iter().copied().map(Some).chain([None]).enumerate() {
        match chunk {
            Some(chunk) => rewriter.feed(chunk),
            None => rewriter.finish(),
        }
        loop {
            let event = match number < switch && skips {
                true => rewriter.next_selected(),
                false => rewriter.next_event(),
            };
            let mut event = match event {
                Ok(Some(event)) => event,
                Ok(None) => break,
                Err(error) => {
                    result.push(error.to_string());
                    continue;
                }
            };
            let is_selected = event.is_selected(selected);
            if number >= switch || is_selected {
                let is_last = event.is_last();
                result.push(format!(
                    "{:?} {:?} {is_last}",
                    event.event(),
                    event.event().span()
                ));
            }
            let made = match edit {
                0 if is_selected => event.set_attribute("c", "d").map(drop),
                1 if is_selected => event.set_content("c").map(drop),
                2 if is_selected => event.append("c").map(drop),
                _ if number >= switch => edit_piece(&mut event, number - switch),
                _ => Ok(()),
            };
            result.extend(made.err().map(|error| error.to_string()));
        }
        let mut out = Vec::new();
        rewriter.output_to(&mut out);
        result.push(String::from_utf8_lossy(&out).into_owned());
    }
    // Positions of events that are not made are not computed.
    let stats = Stats {
        places: 0,
        ..rewriter.stats()
    };
    result.push(format!("{stats:?}"));
    result
}

/// Edits a text. The edit depends on a number.
fn edit_piece(event: &mut RewriteEvent<'_>, number: usize) -> Result<(), RewriteError> {
    if event.as_text().is_none() {
        return Ok(());
    }
    match number % 4 {
        0 => event.before("-->").map(drop),
        1 => event.remove().map(drop),
        2 => event.after("<!--").map(drop),
        _ => Ok(()),
    }
}

/// XML-ER: attributes that are declared in a misplaced DOCTYPE do not affect edits before it, in one chunk or several.
fn misplaced_declarations() {
    let page = b"<a><b/>c<!DOCTYPE a[<!ATTLIST b xmlns:p CDATA 'u'>]><d/></a>";
    for size in [1, page.len()] {
        let mut rewriter = Rewriter::new(Xml::default());
        let mut refused = Vec::new();
        for chunk in page.chunks(size).map(Some).chain([None]) {
            match chunk {
                Some(chunk) => rewriter.feed(chunk),
                None => rewriter.finish(),
            }
            while let Some(mut event) = rewriter.next_event().expect("XML-ER") {
                let name = match event.event() {
                    Event::Start(tag) => tag.name().to_owned(),
                    _ => continue,
                };
                if event.before(Content::Markup("<b/>")).is_err() {
                    refused.push(name);
                }
            }
        }
        let out = String::from_utf8(rewriter.take_output()).expect("UTF-8");
        let expected = "<a><b/><b/>c<!DOCTYPE a[<!ATTLIST b xmlns:p CDATA 'u'>]><d/></a>";
        assert_eq!(
            (out.as_str(), refused),
            (expected, vec!["a".to_owned(), "d".to_owned()])
        );
    }
}

/// Documents with their runs of text.
const RUNS: &[(&str, &[&str])] = &[
    ("<a>one &amp; t\u{e9}</a>", &["one & t\u{e9}"]),
    ("<a>one<b/>two<c>three</c></a>", &["one", "two", "three"]),
    ("<a>\u{e9}</a>", &["\u{e9}"]),
    ("<a><!--b-->x<!--c--></a>", &["x"]),
];

/// Of the pieces of a run of text, the first one is a first piece, and the last one, which can be empty, is a last piece.
fn runs_have_one_first_and_one_last_piece() {
    for (page, runs) in RUNS {
        // The last run of HTML can end with the input.
        let open = page.trim_end_matches("</a>").trim_end_matches("</c>");
        for size in 1..=page.len() {
            check_runs(&Html::default(), page, size, runs);
            check_runs(&Html::default(), open, size, runs);
            check_runs(&Xml::default(), page, size, runs);
            check_runs(&Xml::default(), open, size, runs);
            check_runs(&MicroXml::default(), page, size, runs);
            check_runs(&LeafXml::default().comments(true), page, size, runs);
            check_runs(&Sky::fragment(), page, size, runs);
        }
    }
}

fn check_runs<D: Balance>(dialect: &D, page: &str, size: usize, runs: &[&str]) {
    let written = runs_of(Rewriter::new(dialect.clone()), page, size);
    let balanced = runs_of(Rewriter::new(dialect.clone()).balanced(), page, size);
    for found in [written, balanced] {
        assert_eq!(found, runs, "{page:?}, {size}");
    }
}

/// Returns the runs of text, by the first and the last pieces.
fn runs_of<D: Balance, F: Form>(
    mut rewriter: Rewriter<D, F>,
    page: &str,
    size: usize,
) -> Vec<String> {
    let mut runs: Vec<String> = Vec::new();
    let mut is_in_run = false;
    for chunk in page.as_bytes().chunks(size).map(Some).chain([None]) {
        match chunk {
            Some(chunk) => rewriter.feed(chunk),
            None => rewriter.finish(),
        }
        while let Ok(Some(event)) = rewriter.next_event() {
            let Some(text) = event.as_text() else {
                continue;
            };
            assert_eq!(text.is_first_piece(), !is_in_run, "{page:?}, {size}");
            if !is_in_run {
                runs.push(String::new());
            }
            *runs.last_mut().expect("a run") += text.as_str();
            is_in_run = !event.is_last();
        }
    }
    assert!(!is_in_run, "{page:?}, {size}");
    runs
}
