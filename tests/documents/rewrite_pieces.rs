//! The rewriter: edits of the pieces of a text.

use tagstream::{Content, Event, Form, Html, LeafXml, Parser, Rewriter, Xml};
use testing::rewriting::check_same;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    testing::cases!(
        program,
        "html/rewrite/pieces",
        newlines_between_pieces,
        pieces_of_scripts,
        misplaced_declarations,
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
