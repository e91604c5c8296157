//! The XML conformance suite of the W3C, read as LeafXML. Strict XML accepts every document that LeafXML accepts, with
//! the same names and text. Each exception is a difference that the specification of LeafXML introduces. The list of
//! differences has a sentence of the specification and an example for each.

use std::path::Path;
use std::sync::Arc;
use tagstream::leafxml::errors;
use tagstream::{Dialect, Event, LeafXml, Parser, Xml};
use testing::run::{Failed, Program};
use testing::suites::{document, xml_cases};
use unicode_normalization::UnicodeNormalization;

/// A construct that LeafXML accepts and strict XML refuses.
struct Difference {
    /// The codes of the errors that XML reports for the construct.
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

pub(crate) fn add(folder: &Path, program: &mut Program) {
    for case in xml_cases(folder) {
        let name = format!("leafxml/xmlconf {}", case.field("id"));
        program.case(name, move || check(&case.input, case.field("version")));
    }
    let document = document("leafxml.md").map(|text| Arc::new(words(&text)));
    if document.is_none() {
        program.leave_out("whether LeafXML's document has the sentences, which is missing");
    }
    for difference in &DIFFERENCES {
        let document = document.clone();
        let name = format!("leafxml/difference: {}", difference.example);
        program.case(name, move || show(difference, document.as_deref()));
    }
}

/// Returns the text with each sequence of whitespace replaced by a space.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Asserts that the specification contains the sentence, and that the example shows the difference.
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

/// Returns the names and the text of a document, and the code of the error that ended the parse.
fn read(dialect: impl Dialect, input: &[u8]) -> (Vec<String>, Option<&'static str>) {
    let mut parser = Parser::new(dialect);
    parser.feed(input);
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

/// Returns a string of XML, normalized as in LeafXML.
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
