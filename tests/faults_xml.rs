//! Faults found from outside in the XML family, each as a named case.

use tagstream::{Event, Parser, TextPolicy, Xml};

/// Documents with names of entities, notations and targets that have colons.
const COLONS: [&str; 10] = [
    "<!DOCTYPE a [<!ENTITY b:c 'd'>]><a>x&b:c;y</a>",
    "<!DOCTYPE a [<!ENTITY :b 'd'>]><a e='&:b;'/>",
    "<!DOCTYPE a [<!ENTITY b: 'd'><!ENTITY e '&b:;'>]><a>&e;</a>",
    "<!DOCTYPE a [<!ENTITY b: 'd'><!ENTITY e '&b:;'>]><a f='&e;'/>",
    "<!DOCTYPE a [<!ENTITY % b:c '<!ENTITY d \"e\">'>%b:c;]><a>&d;</a>",
    "<!DOCTYPE a [%b:c;]><a>&d;</a>",
    "<!DOCTYPE a SYSTEM 's'><a>&b:c;</a>",
    "<!DOCTYPE a [<!NOTATION b:c SYSTEM ''><!ENTITY d SYSTEM '' NDATA b:c>]><a/>",
    "<!DOCTYPE a [<!ATTLIST a b NOTATION (c:d|:) #IMPLIED>]><a/>",
    "<!DOCTYPE a [<?b:c?>]><a><?d:e f?></a>",
];

/// The codes of all parse errors, and the text, as a parser has them.
fn read(dialect: Xml, chunks: &[&[u8]]) -> (Vec<String>, String) {
    let mut parser = Parser::new(dialect).errors(true).text(TextPolicy::Pieces);
    let (mut errors, mut text) = (Vec::new(), String::new());
    for chunk in chunks.iter().map(Some).chain([None]) {
        match chunk {
            Some(chunk) => parser.feed_slice(chunk),
            None => parser.finish(),
        }
        loop {
            match parser.next_event() {
                Ok(Some(Event::ParseError(error))) => {
                    errors.push(format!("{} {}", error.code(), error.span()));
                }
                Ok(Some(Event::Text(run))) => text.push_str(run.as_str()),
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(error) => {
                    errors.push(format!("{} {}", error.as_str(), error.span()));
                    return (errors, text);
                }
            }
        }
    }
    (errors, text)
}

/// The same for a document, whole and byte by byte.
fn read_all_ways(dialect: Xml, document: &str) -> (Vec<String>, String) {
    let whole = read(dialect, &[document.as_bytes()]);
    let bytes: Vec<&[u8]> = document.as_bytes().chunks(1).collect();
    assert_eq!(read(dialect, &bytes), whole, "{document}");
    whole
}

#[test]
fn names_with_colons_are_refused_where_there_are_namespaces() {
    for document in COLONS {
        let (errors, _) = read_all_ways(Xml::strict(), document);
        assert_eq!(errors.len(), 1, "{document}");
        assert!(
            errors[0].starts_with("colon-in-name "),
            "{document}: {errors:?}"
        );
        let (reported, _) = read_all_ways(Xml::default(), document);
        assert_eq!(reported[0], errors[0], "{document}");
    }
}

#[test]
fn names_with_colons_are_names_where_there_are_no_namespaces() {
    for document in COLONS {
        for dialect in [Xml::strict(), Xml::default()] {
            let (errors, _) = read_all_ways(dialect.namespaces(false), document);
            assert_eq!(errors, [""; 0], "{document}");
        }
    }
}

#[test]
fn a_name_with_a_colon_stays_whole_in_recovering() {
    let (errors, text) = read_all_ways(Xml::default(), COLONS[0]);
    assert_eq!(errors, ["colon-in-name 23..24", "colon-in-name 38..39"]);
    assert_eq!(text, "xdy");
    let (errors, text) = read_all_ways(Xml::default(), "<a>&b:c;</a>");
    assert_eq!(errors, ["colon-in-name 5..6", "undeclared-entity 3..8"]);
    assert_eq!(text, "&b:c;");
    // What no semicolon ends is no reference.
    let (errors, text) = read_all_ways(Xml::default(), "<a>&b:c</a>");
    assert_eq!(errors, ["missing-semicolon 3..7"]);
    assert_eq!(text, "&b:c");
}
