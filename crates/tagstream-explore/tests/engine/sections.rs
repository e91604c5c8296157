//! The sections of the specifications that describe the states of the tokenizers.

use super::{list, parsed, session};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use tagstream_explore::sections;

/// The states of each dialect as the library defines them. Their documentation has the names of the specifications.
const SOURCES: [(&str, &str); 4] = [
    ("xml", include_str!("../../../../src/dialects/xml/state.rs")),
    (
        "microxml",
        include_str!("../../../../src/dialects/microxml/state.rs"),
    ),
    ("sky", include_str!("../../../../src/dialects/sky/state.rs")),
    (
        "leafxml",
        include_str!("../../../../src/dialects/leafxml/state.rs"),
    ),
];

/// Returns the name and the documentation of each state in a source file. A state with a number has the number 1.
fn states(source: &str) -> Vec<(String, String)> {
    let body = source.split_once("pub enum State {\n").unwrap().1;
    let body = body.split_once("\n}\n").unwrap().0;
    let mut states = Vec::new();
    let mut documentation = String::new();
    for line in body.lines().map(str::trim) {
        match line.strip_prefix("///") {
            Some(text) => documentation.push_str(text),
            None => {
                let name = line.trim_end_matches(',').replace("(u8)", "(1)");
                let text = std::mem::take(&mut documentation);
                states.push((name, text.trim().to_owned()));
            }
        }
    }
    states
}

fn sections_of(dialect: &str, state: &str) -> Vec<Value> {
    list(&sections(&json!({"dialect": dialect}).to_string(), state).unwrap())
}

#[test]
fn each_state_has_its_sections() {
    for (dialect, source) in SOURCES {
        let states = states(source);
        assert!(states.len() > 30, "{dialect}: {}", states.len());
        for (state, text) in &states {
            let sections = sections_of(dialect, state);
            let context = format!("{dialect} {state}, \"{text}\": {sections:?}");
            let is_outside = matches!(&**state, "Finished" | "Yield");
            assert_eq!(sections.is_empty(), is_outside, "{context}");
            for section in &sections {
                let document = section["document"].as_str().unwrap();
                let title = section["section"].as_str().unwrap();
                match document {
                    "XML-ER" => {
                        assert!(text.starts_with(title), "{context}");
                        let link = section["link"].as_str().unwrap();
                        assert!(link.starts_with("http://dvcs.w3.org/hg/xml-er/"), "{link}");
                    }
                    "XML 1.0" => {
                        let (number, name) = title.split_once("] ").unwrap();
                        assert!(number.starts_with("production ["), "{context}");
                        let link = format!("https://www.w3.org/TR/xml/#NT-{name}");
                        assert_eq!(section["link"], link, "{context}");
                    }
                    "Error recovery for MicroXML, final draft" => {
                        assert!(text.starts_with("Final revision"), "{context}");
                        let name = title.split([' ', ',']).next().unwrap();
                        assert!(text.contains(name), "{context}");
                    }
                    "Error recovery for MicroXML" => {
                        assert!(!text.starts_with("Final revision"), "{context}");
                        let name = title.split(' ').next().unwrap();
                        assert!(text.contains(name) || name == "Lexical", "{context}");
                    }
                    "Parsing in Sky" => assert!(text.starts_with(title), "{context}"),
                    "LeafXML specification" => assert!(section["link"].is_null()),
                    _ => panic!("{context}"),
                }
            }
            let has = |name: &str| sections.iter().any(|section| section["document"] == name);
            let is_ours = text.starts_with("Our own state");
            let is_xml = dialect == "xml" && !is_outside;
            assert_eq!(has("XML-ER"), is_xml && !is_ours, "{context}");
            // These states read what is an error in XML.
            let is_error = state.ends_with("BogusComment") || state.ends_with("Unquoted");
            assert_eq!(has("XML 1.0"), is_xml && !is_error, "{context}");
        }
    }
    assert!(sections("{}", "Data").unwrap() == "[]");
    assert!(sections("{\"dialect\":\"x\"}", "Data").is_err());
}

/// Options, a document, and sections that are among those of its states.
const WALKS: &[(&str, &str, &[&str])] = &[
    (
        r#"{"dialect":"xml","encoding":"utf-8"}"#,
        "<?xml version='1.0'?><!DOCTYPE a PUBLIC \"p\" 's' [<!--x--><?p q?><!ENTITY % d 'e'>%d;<!ENTITY f \"g\">\
         <!ENTITY h SYSTEM 'i' NDATA j><!ATTLIST a b CDATA #FIXED 'c' d (e|f) \"g\"><!NOTATION n PUBLIC 'o'>\
         <!ELEMENT a (b)*><!x>]><?p q?><!--x--><a b = 'c' d=\"e\" f=g h>&amp;&#1;&#x41;<![CDATA[x]]]><b/></ b></a >",
        &[
            "Comment state",
            "CDATA end state",
            "DOCTYPE ENTITY value double quoted state",
            "DOCTYPE ATTLIST attribute type state",
            "DOCTYPE NOTATION identifier single quoted state",
            "Tag attribute value unquoted state",
            "Pi target state",
            "production [15] Comment",
            "production [23] XMLDecl",
            "production [28b] intSubset",
            "production [46] contentspec",
            "production [66] CharRef",
            "production [69] PEReference",
            "production [72] PEDecl",
        ],
    ),
    (
        r#"{"dialect":"xml","strict":true}"#,
        "<a b='c'>x<!--y--></a>",
        &["production [10] AttValue", "production [42] ETag"],
    ),
    (
        r#"{"dialect":"microxml"}"#,
        "x<a  b = 'c' d=\"e\" f=g/><h /><i j><!-- k -->&lt;&#x41;</ a></h >",
        &[
            "Main tokenization mode, START_TAG_ATTRIBUTE",
            "Comment tokenization mode, COMMENT_CLOSE",
            "SingleQuoteAttributeValueMode",
            "DoubleQuoteAttributeValueMode",
            "UnquoteAttributeValue mode",
            "TagMode",
            "Lexical tokens, NUMERIC_CHAR_REF",
        ],
    ),
    (
        r#"{"dialect":"microxml","revision":"final"}"#,
        "<!DOCTYPE a 'b' [<!x 'y'><!--z--><?p?>]><?p?><a b='<' c><![CDATA[x]]]></a>&#65;",
        &[
            "CDATA_OPEN",
            "CData mode",
            "Doctype mode",
            "Subset mode, DECL",
            "PI",
        ],
    ),
    (
        r#"{"dialect":"sky"}"#,
        "SKY MODULE x\n<a  b = 'c' d=\"e\" f=g/><!-- x --><script>y</scr</script><style></style>&amp;&#1;&#x41;</>",
        &[
            "Expect a string state",
            "Consume rest of line state",
            "Script raw data: close 4 state",
            "Style raw data: close 7 state",
            "Single-quoted attribute value state",
            "Comment start 2 state",
            "Before hexadecimal numeric character reference state",
        ],
    ),
    (
        r#"{"dialect":"leafxml"}"#,
        "<!DOCTYPE a 'b' \"c\"><?p?><!--x-->\r\n<a b = 'c' d=\"e\">&lt;&#65;&#x41;<![CDATA[x\r]]]><f/></a >",
        &[
            "Tokenizing, CDATA tokens",
            "Tokenizing, DOCTYPE tokens",
            "Tokenizing, comment tokens",
            "Tokenizing, instruction tokens",
            "Line break normalization",
            "Content assemblies",
            "Entity escaping",
            "Tag assemblies",
        ],
    ),
];

#[test]
fn the_trace_has_the_sections_of_each_step() {
    for (options, document, expected) in WALKS {
        let mut session = session(options);
        let mut found = BTreeSet::new();
        for byte in document.as_bytes() {
            session.feed(&[*byte]);
            let trace = parsed(&session.trace());
            let sections = trace["rule"].as_array().unwrap();
            assert!(!sections.is_empty(), "{options}: {trace}");
            for section in sections {
                found.insert(section["section"].as_str().unwrap().to_owned());
            }
        }
        for section in *expected {
            assert!(
                found.contains(*section),
                "{options}: {section} of {found:#?}"
            );
        }
        session.finish();
        if let Value::Null = parsed(&session.counts())["failed"] {
            assert_eq!(parsed(&session.trace())["rule"], json!([]), "{options}");
        }
    }
}
