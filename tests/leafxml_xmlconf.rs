//! The XML conformance suite of the W3C, read as LeafXML: what is accepted, strict XML accepts too, with
//! the same names and text, but for differences that LeafXML's document makes; each is named here by
//! a sentence of it and shown by an example.

#[path = "feeding/suites.rs"]
mod suites;

use libtest_mimic::{Failed, Trial};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use tagstream::leafxml::errors;
use tagstream::{Dialect, Event, LeafXml, Parser, Xml};
use unicode_normalization::UnicodeNormalization;

/// Something that LeafXML accepts and strict XML refuses.
struct Difference {
    /// XML's codes for it.
    codes: &'static [&'static str],
    sentence: &'static str,
    example: &'static str,
}

const DIFFERENCES: [Difference; 9] = [
    Difference {
        codes: &["double-hyphen-in-comment"],
        sentence: "Comment tokens run up to and including the first instance of the following \
                   closing sequence:",
        example: "<a><!-- -- --></a>",
    },
    Difference {
        codes: &["cdata-end-in-text"],
        sentence: "_Text tokens_ are codepoint sequences that may contain any codepoints except \
                   U+003C `<`.",
        example: "<a>]]></a>",
    },
    Difference {
        codes: &[
            "reserved-target",
            "invalid-target",
            "missing-white-space",
            "invalid-qualified-name",
            "colon-in-name",
            "missing-version",
            "invalid-version",
            "invalid-encoding-name",
            "unknown-encoding",
            "contradicting-encoding",
            "invalid-standalone",
            "invalid-declaration",
        ],
        sentence: "They run up to and including the first instance of the following closing \
                   sequence:",
        example: "<a><?xml version='1.0'?></a>",
    },
    Difference {
        codes: &[
            "invalid-doctype",
            "missing-doctype-name",
            "invalid-public-identifier",
            "missing-system-identifier",
            "invalid-name",
            "missing-white-space",
        ],
        sentence: "Type spans contain any sequence of codepoints other than U+003E (`>`), U+0027 \
                   (`'`), U+0022 (`\"`), U+005B (`[`), or U+005D (`]`).",
        example: "<!DOCTYPE a PUBLIC '{}'><a/>",
    },
    Difference {
        codes: &["invalid-name", "invalid-end-tag"],
        sentence: "Before parsing a tag token within a tag assembly, line break normalization is \
                   performed on the whole tag token.",
        example: "<a\u{85}b=''/>",
    },
    Difference {
        codes: &["text-outside-root", "invalid-reference"],
        sentence: "Padding content assemblies that appear before the first tag assembly or after \
                   the last tag assembly are discarded by decoders.",
        example: "<a/>&#32;",
    },
    Difference {
        codes: &["text-outside-root"],
        sentence: "If the full content assembly after decoding and normalization is empty, then it \
                   is discarded by decoders.",
        example: "<a/><![CDATA[]]>",
    },
    Difference {
        codes: &["reserved-prefix"],
        sentence: "The default context has the following two mappings:",
        example: "<xmlns:a/>",
    },
    Difference {
        codes: &["reserved-prefix"],
        sentence: "The tag namespace in this case is the value the prefix is mapped to in the \
                   context.",
        example: "<a><xmlns:b></xmlns:b></a>",
    },
];

fn main() -> ExitCode {
    suites::run("xmlconf", cases)
}

fn cases(folder: &Path) -> Vec<Trial> {
    let manifest = std::fs::read_to_string(folder.join("manifest.jsonl")).expect("a manifest");
    let mut trials = Vec::new();
    let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
    for line in manifest.lines() {
        let entry: Value = serde_json::from_str(line).expect("an entry of the manifest");
        let field = |name: &str| entry[name].as_str().unwrap_or_default().to_owned();
        let input = std::fs::read(folder.join(field("uri"))).expect("a document");
        let outcome = read(LeafXml::default(), &input).1.unwrap_or("accepted");
        *counts.entry(outcome).or_insert(0) += 1;
        let version = field("version");
        trials.push(Trial::test(field("id"), move || check(&input, &version)));
    }
    trials.push(Trial::test("counts by code", move || {
        for (code, count) in counts {
            println!("{count:5} {code}");
        }
        Ok(())
    }));
    let document = std::fs::read_to_string(folder.join("../../specs/leafxml.md")).ok();
    let document = document.map(|text| Arc::new(words(&text)));
    for difference in &DIFFERENCES {
        let document = document.clone();
        let name = format!("difference: {}", difference.example);
        let trial = Trial::test(name, move || show(difference, document.as_deref()));
        trials.push(trial);
    }
    trials
}

/// The text with single spaces.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The sentence stands in the document, and the example is what it says.
fn show(difference: &Difference, document: Option<&String>) -> Result<(), Failed> {
    if let Some(document) = document
        && !document.contains(difference.sentence)
    {
        return Err("the document has no such sentence".into());
    }
    let input = difference.example.as_bytes();
    let (_, leaf) = read(LeafXml::default(), input);
    let (_, xml) = read(Xml::strict(), input);
    if leaf.is_some() || xml.is_none_or(|code| !difference.codes.contains(&code)) {
        return Err(format!("LeafXML: {leaf:?}, XML: {xml:?}").into());
    }
    Ok(())
}

/// Names and text of a document, and the code of the refusal.
fn read(dialect: impl Dialect, input: &[u8]) -> (Vec<String>, Option<&'static str>) {
    let mut parser = Parser::new(dialect);
    parser.feed_slice(input);
    parser.finish();
    let mut seen = Vec::new();
    let mut text = String::new();
    loop {
        let word = match parser.next_event() {
            Ok(Some(Event::Start(tag))) => format!("<{}>", tag.name()),
            Ok(Some(Event::End(tag))) => format!("</{}>", tag.name()),
            Ok(Some(Event::Text(run))) => {
                text.push_str(run.as_str());
                continue;
            }
            Ok(Some(_)) => continue,
            Ok(None) => return (seen, None),
            Err(error) => return (seen, Some(error.as_str())),
        };
        if !text.is_empty() {
            seen.push(std::mem::take(&mut text));
        }
        seen.push(word);
    }
}

/// What LeafXML makes of a string of XML.
fn normalized(text: &str) -> String {
    text.replace("\r\n", "\n")
        .replace("\r\u{85}", "\n")
        .replace(['\r', '\u{85}', '\u{2028}'], "\n")
        .nfc()
        .collect()
}

fn check(input: &[u8], version: &str) -> Result<(), Failed> {
    let (leaf, refused) = read(LeafXml::default(), input);
    if let Some(refused) = refused {
        let stated = errors::ALL.iter().any(|code| code.as_str() == refused);
        return match stated {
            true => Ok(()),
            false => Err(format!("refused by {refused}").into()),
        };
    }
    let (xml, refused) = read(Xml::strict(), input);
    if let Some(refused) = refused {
        let named = DIFFERENCES
            .iter()
            .any(|difference| difference.codes.contains(&refused));
        return match named {
            true => Ok(()),
            false => Err(format!("version {version}: XML refuses it by {refused}").into()),
        };
    }
    let xml: Vec<String> = xml.iter().map(|word| normalized(word)).collect();
    match leaf == xml {
        true => Ok(()),
        false => Err(format!("LeafXML: {leaf:?}\nXML: {xml:?}").into()),
    }
}
