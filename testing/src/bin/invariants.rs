//! The checks of `testing::invariants` without a test harness: `cargo run -p testing --bin invariants --
//! FILE…` puts every dialect's to files, such as those of a suite. Without files it takes a few short
//! documents with ill-formed bytes, in small windows: that is for Miri, which takes ten thousand times
//! as long as the machine.

use std::panic::catch_unwind;
use std::process::ExitCode;
use tagstream::Sizes;
use testing::invariants::dialects::{
    check_html, check_leafxml, check_microxml, check_sky, check_xml,
};
use testing::invariants::entities::check_entities;
use testing::invariants::html_tree::check_html_tree;
use testing::invariants::{Check, Options};

/// The checks, each with a document that has something of all that its dialect has.
const CHECKS: &[(&str, Check, &[u8])] = &[
    (
        "xml",
        check_xml,
        b"<!DOCTYPE a[<!ENTITY e '<b>x</b>'>]><a p='\xC3\xA9&lt;'>\xE2\x82&e;<![CDATA[\xFF]]></>",
    ),
    (
        "xml_entities",
        check_entities,
        b"<!DOCTYPE a[<!ENTITY e SYSTEM '1'>]><a>&e;\x1E<b>\xC3</b>",
    ),
    (
        "html",
        check_html,
        b"<!DOCTYPE html><p a=\xE2\x82\xAC b>&notit;\xC3\x0D<title>\xFF</title>",
    ),
    (
        "html_tree",
        check_html_tree,
        b"\x00<table><b>\xF0\x9F\x98<tr><svg><p></b>x",
    ),
    (
        "microxml",
        check_microxml,
        b"<a b='\xE2\x82'>\xC3\xA9&#x41;\x0D<!--\xFF--></b>x",
    ),
    (
        "sky",
        check_sky,
        b"<a b='\xE2\x82'>\xC3\xA9&#65;\x0D<!--\xFF--><b c>x</>",
    ),
    (
        "leafxml",
        check_leafxml,
        "<a b='é'>e\u{301}&#65;\r<!--c--><![CDATA[x]]></a>".as_bytes(),
    ),
];

fn main() -> ExitCode {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let mut problems = 0;
    let mut put = |what: &str, check: Check, bits: u8, sizes: Sizes, input: &[u8]| {
        let result = catch_unwind(|| check(Options::new(bits, sizes), input));
        let result = result.unwrap_or_else(|_| Err("a panic".to_owned()));
        if let Err(problem) = result {
            problems += 1;
            eprintln!("{what}, options {bits}: {problem}");
        }
    };
    if files.is_empty() {
        for (name, check, document) in CHECKS {
            put(name, *check, 0, Sizes::all(8), document);
        }
        println!("{} documents", CHECKS.len());
    }
    for file in &files {
        match std::fs::read(file) {
            Ok(input) => {
                for (name, check, _) in CHECKS {
                    for bits in 0..8 {
                        let what = format!("{file} as {name}");
                        put(&what, *check, bits, Sizes::USUAL, &input);
                    }
                }
            }
            Err(problem) => eprintln!("{file}: {problem}"),
        }
    }
    if problems > 0 {
        eprintln!("{problems} problems");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
