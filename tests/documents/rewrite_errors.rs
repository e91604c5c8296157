//! The rewriter: each edit that cannot be made is reported once. Also edits of single pieces of a text.

use tagstream::{Balance, Form, Html, RewriteError, RewriteEvent, Rewriter, Xml};
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    testing::cases!(
        program,
        "html/rewrite/errors",
        reopened_formatting_elements,
        moved_nodes_in_omitted_elements,
        incomplete_end_tags_of_removed_elements,
        brackets_in_sections,
    );
}

/// Returns the reasons of the errors that `next_event` returns if `edit` is applied to the first start tag of a name.
fn reasons<D: Balance, F: Form>(
    mut rewriter: Rewriter<D, F>,
    page: &str,
    name: &str,
    edit: impl Fn(&mut RewriteEvent<'_>),
) -> Vec<&'static str> {
    rewriter.feed(page);
    rewriter.finish();
    let (mut reasons, mut is_edited) = (Vec::new(), false);
    loop {
        match rewriter.next_event() {
            Ok(None) => return reasons,
            Ok(Some(mut event)) => {
                let is_it = event.as_start().is_some_and(|tag| tag.name() == name);
                if is_it && !is_edited {
                    edit(&mut event);
                    is_edited = true;
                }
            }
            Err(RewriteError::Refused(refusal, _)) => reasons.push(refusal.as_str()),
            Err(error) => panic!("{page}: {error}"),
        }
    }
}

/// Tree construction opens a formatting element again, in the tree without the edit. Only the first copy is an error.
fn reopened_formatting_elements() {
    let balanced = || Rewriter::new(Html::default()).balanced();
    let set = |event: &mut RewriteEvent<'_>| {
        event.set_attribute("c", "d").expect("set");
    };
    let remove = |event: &mut RewriteEvent<'_>| {
        event.remove().expect("removed");
    };
    for page in ["<p><b>1<p>2", "<p><b>1<p>2<p>3<p>4"] {
        assert_eq!(reasons(balanced(), page, "b", set), ["moved"], "{page}");
        assert_eq!(reasons(balanced(), page, "p", remove), ["moved"], "{page}");
    }
    // Other formatting elements are opened again.
    let page = "<p><i>1</i><u>2<p>3<p>4";
    assert!(reasons(balanced(), page, "i", set).is_empty());
    // As written, no element is opened again.
    let page = "<p><b>1<p>2";
    assert!(reasons(Rewriter::new(Html::default()), page, "b", set).is_empty());
}

/// Nodes of an omitted table are before the table in the tree. Only the first one is an error.
fn moved_nodes_in_omitted_elements() {
    let balanced = || Rewriter::new(Html::default()).balanced();
    let remove = |event: &mut RewriteEvent<'_>| {
        event.remove().expect("removed");
    };
    for page in [
        "<table>1<tr><td>2</table>3",
        "<table>1<tr><!--2--><td>3</td>4<td>5</td>6</table>7",
        "<table><i>1</i><b>2</b></table>3",
    ] {
        assert_eq!(
            reasons(balanced(), page, "table", remove),
            ["moved"],
            "{page}"
        );
    }
    let page = "<table> <tr><td>1</table>2";
    assert!(reasons(balanced(), page, "table", remove).is_empty());
}

/// Content after an end tag that the input does not complete would be a part of the tag.
fn incomplete_end_tags_of_removed_elements() {
    let edit = |event: &mut RewriteEvent<'_>| {
        event.after("x").expect("inserted");
        event.remove().expect("removed");
    };
    for (page, expected) in [
        ("<a><b>c</b></a>", &[][..]),
        ("<a><b>c</b d></a>", &[]),
        ("<a><b>c</b", &["cut"]),
        ("<a><b>c</b d", &["cut"]),
    ] {
        let balanced = Rewriter::new(Xml::default()).balanced();
        assert_eq!(reasons(balanced, page, "b", edit), expected, "{page}");
        let written = Rewriter::new(Xml::default());
        assert_eq!(reasons(written, page, "b", edit), expected, "{page}");
    }
}

/// XML: brackets that are inserted into a section, and the next piece of the section, would form the end of the section.
fn brackets_in_sections() {
    let mut rewriter = Rewriter::new(Xml::default());
    for chunk in ["<a><![CDATA[b", ">d]]></a>"] {
        rewriter.feed(chunk);
        while let Some(mut event) = rewriter.next_event().expect("XML") {
            if event.as_text().is_some_and(|text| text.as_str() == "b") {
                event.after("]]").expect("inserted");
            }
        }
    }
    let out = String::from_utf8(rewriter.take_output()).expect("UTF-8");
    let expected = "<a><![CDATA[b]]>]<![CDATA[]]>]<![CDATA[>d]]></a>";
    assert_eq!(out, expected);
}
