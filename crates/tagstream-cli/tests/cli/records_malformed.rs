//! Files in which rows are malformed, or in which there are rows after the document: `records` says what is wrong and
//! where.

use super::{refused, run, temporary, utf8};
use testing::cases;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    cases!(
        program,
        "cli/records_malformed",
        malformed_rows_have_a_schema,
        many_row_errors_are_counted,
        rows_after_the_document_are_reported,
    );
}

fn malformed_rows_have_a_schema() {
    let bad = temporary("records-bad.xml", b"<a>\n<r>&</r><r></x></r></a>");
    let cut = temporary("records-cut.xml", b"<a><r><b>1");
    let head = temporary("records-head.xml", b"<a><b>");
    let records = |file: &str, mode: &str| {
        let option = format!("mode={mode}");
        run(&["records", "--row", "r", "--option", &option, file], "")
    };
    for (file, rows) in [
        (
            &bad,
            "{\"_corrupt_record\":\"<r>&</r>\"}\n{\"_corrupt_record\":\"<r></x></r>\"}\n",
        ),
        (&cut, "{\"_corrupt_record\":\"<r><b>1\"}\n"),
    ] {
        let output = records(file, "PERMISSIVE");
        assert_eq!(utf8(&output.stdout), rows);
        assert_eq!(output.status.code(), Some(0));
    }
    for (file, reason, place) in [
        (
            &bad,
            "all of the 2 rows are malformed, so the schema",
            ":2:4: ",
        ),
        (&cut, "the only row is malformed, so the schema", ":1:11: "),
        (&head, "there is no element `r`, so the schema", ":1:7: "),
    ] {
        let option = ["--option", "mode=DROPMALFORMED", file];
        let (message, rows) = refused(&[&["records", "--row", "r"][..], &option].concat(), "", 1);
        assert!(message.starts_with(reason), "{message}");
        let first = format!("the first error is {file}{place}");
        assert!(message.contains(&first), "{message}");
        assert_eq!(rows, "");
    }
}

/// The first 100 errors of rows are written, and all are counted.
fn many_row_errors_are_counted() {
    for (rows, others) in [(99, ""), (100, ""), (101, FURTHER), (1_500, FURTHER)] {
        let document = format!("<a><r>1</r>{}</a>", "\n<r>&</r>".repeat(rows));
        let file = temporary("records-many.xml", document.as_bytes());
        let arguments = ["records", "--row", "r", "--option"];
        for jobs in ["1", "2"] {
            let rest = ["mode=DROPMALFORMED", "--jobs", jobs, &file];
            let output = run(&[&arguments[..], &rest].concat(), "");
            let messages = utf8(&output.stderr);
            let shown = (1..).zip(messages.lines().take_while(|line| line.starts_with(&file)));
            for (line, message) in shown.clone() {
                let place = format!("{file}:{}:4: ", line + 1);
                assert!(message.starts_with(&place), "{message} is not at {place}");
            }
            assert_eq!(shown.count(), rows.min(100), "{rows} rows");
            let first = rows.min(100);
            let rest: String = messages
                .lines()
                .skip(first)
                .map(|line| line.to_owned() + "\n")
                .collect();
            let count = match rows {
                1_500 => "1,500".to_owned(),
                _ => rows.to_string(),
            };
            assert_eq!(rest, format!("{others}{count} row errors; 1 row written\n"));
        }
    }
}

const FURTHER: &str = "further row errors are only counted\n";

fn rows_after_the_document_are_reported() {
    let several = "<a><r n='1'/></a>\n<a><r n='2'/></a>";
    let several = temporary("records-several.xml", several.as_bytes());
    for jobs in ["1", "2"] {
        let output = run(&["records", "--row", "r", "--jobs", jobs, &several], "");
        assert_eq!(utf8(&output.stdout), "{\"_n\":1}\n");
        let errors = utf8(&output.stderr);
        let second = format!("{several}:2:1: a second root element is not allowed");
        assert!(errors.starts_with(&second), "{errors}");
        assert!(errors.ends_with("1 row error; 1 row written\n"), "{errors}");
        assert_eq!(output.status.code(), Some(0));
    }
}
