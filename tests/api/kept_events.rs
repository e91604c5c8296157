//! Events of a rewriter that the program keeps between edits.

use tagstream::{Html, RewriteError, Rewriter, Xml};
use testing::cases;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    cases!(
        program,
        "core/kept events",
        edits_wait_for_each_other,
        every_call_ends_the_event,
        a_checkpoint_contains_the_edits,
        a_text_is_kept,
    );
}

const PAGE: &str = "<p>a<b id=c>d</b>e";

/// Returns a rewriter that has kept the tag `b` with an edit.
fn kept() -> Rewriter<Html> {
    let mut rewriter = Rewriter::new(Html::default());
    rewriter.feed(PAGE);
    loop {
        let event = rewriter.next_event().expect("no error").expect("an event");
        let is_found = event.as_start().is_some_and(|tag| tag.name() == "b");
        event.keep();
        if is_found {
            break;
        }
    }
    edit(&mut rewriter, "x", "1").expect("an edit");
    rewriter
}

fn edit(rewriter: &mut Rewriter<Html>, name: &str, value: &str) -> Result<(), RewriteError> {
    let mut event = rewriter.current().expect("the event");
    let result = event.set_attribute(name, value).map(drop);
    event.keep();
    result
}

/// Passes the rest of the page on, and returns the output.
fn rest(mut rewriter: Rewriter<Html>) -> String {
    rewriter.finish();
    while rewriter.next_event().expect("no error").is_some() {}
    String::from_utf8(rewriter.take_output()).expect("UTF-8")
}

fn edits_wait_for_each_other() {
    let mut rewriter = kept();
    assert!(edit(&mut rewriter, "a b", "").is_err(), "refused");
    edit(&mut rewriter, "y", "2").expect("an edit");
    edit(&mut rewriter, "x", "3").expect("an edit");
    let mut event = rewriter.current().expect("the event");
    event.before("<").expect("an edit");
    event.rename("i").expect("an edit");
    event.keep();
    let expected = "<p>a&lt;<i id=c x=\"3\" y=\"2\">d</i>e";
    assert_eq!(rest(rewriter), expected);

    // An event that is not kept again has ended.
    let mut rewriter = kept();
    drop(rewriter.current());
    assert!(rewriter.current().is_none());
    assert_eq!(rest(rewriter), "<p>a<b id=c x=\"1\">d</b>e");
}

fn every_call_ends_the_event() {
    let mut rewriter = kept();
    assert_eq!(rewriter.output(), b"<p>a<b id=c x=\"1\">");
    assert!(rewriter.current().is_none(), "after output");
    let mut rewriter = kept();
    rewriter.feed("f");
    assert!(rewriter.current().is_none(), "after feed");
    assert_eq!(rest(rewriter), "<p>a<b id=c x=\"1\">d</b>ef");
    let mut rewriter = kept();
    rewriter.finish();
    assert!(rewriter.current().is_some(), "`finish` only marks the end");
    let mut rewriter = kept();
    assert!(rewriter.next_event().expect("no error").is_some());
    assert!(rewriter.current().is_none(), "after next_event");
    let mut rewriter = kept();
    rewriter.reset();
    assert!(rewriter.current().is_none(), "after reset");
    rewriter.feed("<b>");
    assert_eq!(rest(rewriter), "<b>");
}

fn a_checkpoint_contains_the_edits() {
    let rewriter = kept();
    let restored = Rewriter::restore(Html::default(), &rewriter.checkpoint()).expect("a rewriter");
    assert_eq!(rest(restored), "<p>a<b id=c x=\"1\">d</b>e");
    assert_eq!(
        rest(rewriter.clone()),
        rest(rewriter),
        "a clone has the edits too"
    );
}

/// The empty text that ends a run of text is an event of its own.
fn a_text_is_kept() {
    let mut rewriter = Rewriter::new(Xml::default());
    rewriter.feed("<a>one");
    let mut texts = 0;
    let mut read = |rewriter: &mut Rewriter<Xml>| {
        loop {
            let is_text = match rewriter.next_event().expect("no error") {
                None => break,
                Some(event) => {
                    let is_text = event.as_text().is_some();
                    event.keep();
                    is_text
                }
            };
            if is_text {
                texts += 1;
                let mut event = rewriter.current().expect("the event");
                event.set_text("two").expect("an edit");
                event.keep();
            }
        }
    };
    read(&mut rewriter);
    rewriter.feed("</a>");
    read(&mut rewriter);
    assert_eq!(texts, 2);
    assert_eq!(rewriter.output(), b"<a>twotwo</a>");
}
