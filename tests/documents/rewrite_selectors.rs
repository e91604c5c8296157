//! Selectors that are added to a rewriter early and late: before the form is chosen, and in the middle of a document.

use tagstream::{Balance, Form, Html, Rewriter, Xml};
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    testing::cases!(
        program,
        "core/rewrite",
        selectors_stay_in_balanced_form,
        late_selectors_select_what_follows,
    );
}

/// Removes the elements that are selected from here on.
fn remove_selected<D: Balance, F: Form>(rewriter: &mut Rewriter<D, F>) {
    while let Some(mut event) = rewriter.next_selected().expect("a document") {
        event.remove().expect("removed");
    }
}

fn selectors_stay_in_balanced_form() {
    for in_order in [["p > b", "i"], ["i", "p > b"]] {
        let mut rewriter = Rewriter::new(Html::default());
        rewriter.select(in_order[0]).expect("a selector");
        let mut rewriter = rewriter.balanced();
        rewriter.select(in_order[1]).expect("a selector");
        rewriter.feed("<p><b>1</b>2<i>3</i><div><b>4</b></div>");
        rewriter.finish();
        remove_selected(&mut rewriter);
        assert_eq!(
            rewriter.output(),
            b"<p>2<div><b>4</b></div>",
            "{in_order:?}"
        );
    }
}

/// A selector that is added in the middle of a document selects the start tags that follow, without regard to the elements
/// that are open.
fn late_selectors_select_what_follows() {
    for (selector, wanted) in [
        ("b", "<a><b>1</b><c>2</c></a>"),
        ("c > b", "<a><b>1</b><c>2<b>3</b></c></a>"),
        ("c", "<a><b>1</b><c>2<b>3</b></c></a>"),
        ("d b", "<a><b>1</b><c>2<b>3</b></c></a>"),
        ("d", "<a><b>1</b><c>2<b>3</b></c></a>"),
    ] {
        let mut rewriter = Rewriter::new(Xml::default()).balanced();
        rewriter.select("d").expect("a selector");
        rewriter.feed("<a><b>1</b><c>2");
        remove_selected(&mut rewriter);
        rewriter.select(selector).expect("a selector");
        rewriter.feed("<b>3</b></c><d>4<b/></d></a>");
        remove_selected(&mut rewriter);
        rewriter.finish();
        rewriter.select("*").expect("a selector");
        remove_selected(&mut rewriter);
        let output = String::from_utf8_lossy(rewriter.output()).into_owned();
        assert_eq!(output, wanted, "{selector}");
    }
}
