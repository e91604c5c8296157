//! The trace: the rows of the schema that acted, and the state of the parser.

use super::{UTF8, parsed, session};
use serde_json::Value;

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
