//! The trace: the rows of the schema that acted, and the state of the parser.

use super::{UTF8, parsed, session};
use serde_json::Value;
use std::collections::BTreeMap;

/// The bytes that are fed, and the rows that they apply.
type Step = (&'static str, &'static [(&'static str, &'static str)]);

/// Options, the bytes that are fed in each step, and the rows that they apply: the table and the token.
const TRACES: &[(&str, &[Step])] = &[
    (
        UTF8,
        &[
            ("<!DOCTYPE html>", &[("initial", "<!DOCTYPE html>")]),
            (
                "<p>",
                &[
                    ("before html", "<p>"),
                    ("before head", "<p>"),
                    ("in head", "<p>"),
                    ("after head", "<p>"),
                    ("in body", "<p>"),
                ],
            ),
            ("x", &[]),
            (
                "<b>",
                &[("in body", "characters \"x\""), ("in body", "<b>")],
            ),
            ("</p>", &[("in body", "</p>")]),
            ("<table>", &[("in body", "<table>")]),
            (
                "y<td>",
                &[
                    ("in table", "characters \"y\""),
                    ("in table text", "characters \"y\""),
                    ("in table text", "<td>"),
                    ("in body", "characters \"y\""),
                    ("in table", "<td>"),
                    ("in table body", "<td>"),
                    ("in row", "<td>"),
                ],
            ),
        ],
    ),
    (
        r#"{"fragment":"svg path","encoding":"utf-8"}"#,
        &[
            ("<a>", &[("foreign", "<a>")]),
            ("</a>", &[("foreign", "</a>")]),
        ],
    ),
];

#[test]
fn the_trace_has_the_rows_that_acted() {
    for (options, steps) in TRACES {
        let mut options = parsed(options);
        options["trace"] = Value::Bool(true);
        let mut session = session(&options.to_string());
        for (bytes, expected) in *steps {
            session.feed(bytes.as_bytes());
            let trace = parsed(&session.trace());
            let rows = trace["rows"].as_array().unwrap();
            let found: Vec<(&str, &str)> = rows
                .iter()
                .map(|row| {
                    (
                        row["table"].as_str().unwrap(),
                        row["token"].as_str().unwrap(),
                    )
                })
                .collect();
            assert_eq!(found, *expected, "{bytes}");
            for row in rows {
                assert!(
                    !row["actions"].as_str().unwrap().contains(['`', '[']),
                    "{row}"
                );
            }
        }
    }
}

#[test]
fn the_trace_has_the_state() {
    for (options, document, state, mode, open, formatting) in [
        (UTF8, "<p cl", "attribute name", Some("in body"), "", ""),
        (
            UTF8,
            "<p><b><i>x</i><a",
            "tag name",
            Some("in body"),
            "html body p b",
            "b",
        ),
        (
            UTF8,
            "<table><td><b>x&a",
            "named character reference",
            Some("in cell"),
            "html body table tbody tr td b",
            "| b",
        ),
        (
            UTF8,
            "<title>a</",
            "RCDATA end tag open",
            Some("text"),
            "html head title",
            "",
        ),
        (
            UTF8,
            "<a href=\"",
            "attribute value (double-quoted)",
            Some("in body"),
            "",
            "",
        ),
        (
            UTF8,
            "<svg><p",
            "tag name",
            Some("in body"),
            "html body svg",
            "",
        ),
        (
            r#"{"dialect":"xml"}"#,
            "<a><b c='",
            "single-quoted",
            None,
            "a",
            "",
        ),
        (
            r#"{"dialect":"sky"}"#,
            "<a><!-",
            "comment start 2",
            None,
            "a",
            "",
        ),
    ] {
        let mut session = session(options);
        session.feed(document.as_bytes());
        let trace = parsed(&session.trace());
        let names = |key: &str| {
            let items = trace[key].as_array().unwrap().iter();
            let names: Vec<&str> = items
                .map(|item| item["name"].as_str().unwrap_or("|"))
                .collect();
            names.join(" ")
        };
        assert_eq!(names("formatting"), formatting, "{document}");
        if !open.is_empty() {
            assert_eq!(names("open"), open, "{document}");
            assert_eq!(trace["insertion_mode"].as_str(), mode, "{document}");
        }
        assert!(
            trace["state"].as_str().unwrap().contains(state),
            "{document}: {}",
            trace["state"]
        );
        let sections = trace["rule"].as_array().unwrap();
        assert_eq!(sections.is_empty(), mode.is_some(), "{document}");
    }
}

/// The sections of the standard about the tables of the schema, from its table of contents.
const SECTIONS: [(&str, &str); 25] = [
    ("initial", "the-initial-insertion-mode"),
    ("before html", "the-before-html-insertion-mode"),
    ("before head", "the-before-head-insertion-mode"),
    ("in head", "parsing-main-inhead"),
    ("in head noscript", "parsing-main-inheadnoscript"),
    ("after head", "the-after-head-insertion-mode"),
    ("in body", "parsing-main-inbody"),
    ("text", "parsing-main-incdata"),
    ("in table", "parsing-main-intable"),
    ("in table text", "parsing-main-intabletext"),
    ("in caption", "parsing-main-incaption"),
    ("in column group", "parsing-main-incolgroup"),
    ("in table body", "parsing-main-intbody"),
    ("in row", "parsing-main-intr"),
    ("in cell", "parsing-main-intd"),
    ("in template", "parsing-main-intemplate"),
    ("after body", "parsing-main-afterbody"),
    ("in frameset", "parsing-main-inframeset"),
    ("after frameset", "parsing-main-afterframeset"),
    ("after after body", "the-after-after-body-insertion-mode"),
    (
        "after after frameset",
        "the-after-after-frameset-insertion-mode",
    ),
    ("foreign", "parsing-main-inforeign"),
    (
        "math text integration point",
        "tree-construction-dispatcher",
    ),
    ("annotation xml", "tree-construction-dispatcher"),
    ("html integration point", "tree-construction-dispatcher"),
];

/// Documents that together apply rows of all tables.
const ALL_TABLES: [&str; 4] = [
    "<noscript><br></noscript><title>a</title><p>b</body></html><!--c-->",
    "<table><caption>a</caption><colgroup><col></colgroup><tr><td>b</td></tr>c</table><template><b></template>",
    "<math><mi>a<b></b></mi><annotation-xml><svg></svg></annotation-xml></math><svg><desc>c<p></desc></svg>",
    "<frameset><frame></frameset></html><!--a-->",
];

#[test]
fn each_table_has_its_section_of_the_standard() {
    let mut found = BTreeMap::new();
    for document in ALL_TABLES {
        let mut session = session(r#"{"trace":true,"encoding":"utf-8"}"#);
        for byte in document.bytes() {
            session.feed(&[byte]);
            let trace = parsed(&session.trace());
            for row in trace["rows"].as_array().unwrap() {
                found.insert(row["table"].to_string(), row["link"].to_string());
            }
            for (name, link) in [("insertion_mode", "mode_link"), ("rules", "rules_link")] {
                let link = trace[link].to_string();
                let link_of_rows = found.get(&trace[name].to_string()).unwrap_or(&link);
                assert_eq!(link, *link_of_rows, "{document}");
            }
        }
    }
    let page = "https://html.spec.whatwg.org/multipage/parsing.html";
    let expected =
        SECTIONS.map(|(table, anchor)| (format!("\"{table}\""), format!("\"{page}#{anchor}\"")));
    assert_eq!(found, BTreeMap::from(expected));
}

#[test]
fn the_trace_has_the_last_mode_at_the_end() {
    for (document, traced, mode) in [
        ("<p>a", false, "in body"),
        ("<p>a", true, "in body"),
        ("", true, "in body"),
        ("<p></body>", true, "after body"),
        ("<frameset></frameset>", true, "after frameset"),
    ] {
        let mut options = parsed(UTF8);
        options["trace"] = Value::Bool(traced);
        let mut session = session(&options.to_string());
        session.feed(document.as_bytes());
        session.finish();
        let trace = parsed(&session.trace());
        let found = (&trace["state"], &trace["insertion_mode"], &trace["rules"]);
        assert_eq!(
            found,
            (&"finished".into(), &mode.into(), &mode.into()),
            "{document}"
        );
    }
}
