//! The checks of `testing::invariants` without a test harness. `cargo run -p testing --bin invariants -- FILE…` checks
//! files, such as those of a suite, in every dialect. Without files, the program reads a few short documents with
//! ill-formed bytes, whole and in small chunks and windows, as events and as a tree. That is for Miri, which is slow.

use std::panic::catch_unwind;
use std::process::ExitCode;
use tagstream::{Buildable, Html, LeafXml, MicroXml, Parser, Sizes, Sky, TreeBuilder, Xml};
use testing::cuts::by;
use testing::invariants::dialects::{
    check_html, check_leafxml, check_microxml, check_sky, check_xml,
};
use testing::invariants::entities::check_entities;
use testing::invariants::html_tree::check_html_tree;
use testing::invariants::rewriting::check_rewriting;
use testing::invariants::{Check, Options};
use testing::pull::dump;
use testing::tree_formats::TreeFormats as _;

const CHECKS: &[(&str, Check)] = &[
    ("xml", check_xml),
    ("xml_entities", check_entities),
    ("html", check_html),
    ("html_tree", check_html_tree),
    ("microxml", check_microxml),
    ("sky", check_sky),
    ("leafxml", check_leafxml),
    ("rewrite", check_rewriting),
];

/// Reads a short document, whole and in small pieces.
type Read = fn(&[u8]) -> Result<(), String>;

/// Documents that together contain the constructs of all dialects.
const DOCUMENTS: &[(&str, Read, &[u8])] = &[
    (
        "xml",
        |input| read(Xml::default(), input),
        b"<!DOCTYPE a[<!ENTITY e '<b>x</b>'>]><a p='\xC3\xA9&lt;'>\xE2\x82&e;<![CDATA[\xFF]]></>",
    ),
    (
        "html",
        |input| read(Html::default(), input),
        b"\x00<table><b a=\xE2\x82\xAC>&notit;\xF0\x9F\x98<tr><svg><p></b>x",
    ),
    (
        "microxml",
        |input| read(MicroXml::default(), input),
        b"<a b='\xE2\x82'>\xC3\xA9&#x41;\x0D<!--\xFF--></b>x",
    ),
    (
        "sky",
        |input| read(Sky::fragment(), input),
        b"<a b='\xE2\x82'>\xC3\xA9&#65;\x0D<!--\xFF--><b c>x</>",
    ),
    (
        "leafxml",
        |input| read(LeafXml::default(), input),
        "<a b='é'>e\u{301}&#65;\r<!--c--><![CDATA[x]]></a>".as_bytes(),
    ),
];

/// Checks that the events of a document are the same whole and in pieces. Builds, writes and drops its tree.
fn read<D: Buildable>(dialect: D, input: &[u8]) -> Result<(), String> {
    let parser = || Parser::new(dialect.clone()).report_errors(true);
    let whole = dump(parser(), input);
    let cut = by(parser().inspect_sizes(Sizes::all(8)), input, 5);
    if whole != cut {
        return Err(format!("whole:\n{whole}\nin pieces:\n{cut}"));
    }
    let mut builder = TreeBuilder::new(dialect);
    builder.supply(input);
    builder.supply_end();
    builder.build().map_err(|error| error.to_string())?;
    match builder.into_sink().to_outline().is_empty() {
        true => Err("the tree is empty".to_owned()),
        false => Ok(()),
    }
}

fn main() -> ExitCode {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let mut problems = 0;
    if files.is_empty() {
        for (name, read, document) in DOCUMENTS {
            if let Err(problem) = read(document) {
                problems += 1;
                eprintln!("{name}: {problem}");
            }
        }
        println!("{} documents", DOCUMENTS.len());
    }
    let mut put = |what: &str, check: Check, bits: u8, sizes: Sizes, input: &[u8]| {
        let result = catch_unwind(|| check(Options::new(bits, sizes), input));
        let result = result.unwrap_or_else(|_| Err("a panic".to_owned()));
        if let Err(problem) = result {
            problems += 1;
            eprintln!("{what}, options {bits}: {problem}");
        }
    };
    for file in &files {
        match std::fs::read(file) {
            Ok(input) => {
                for (name, check) in CHECKS {
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
