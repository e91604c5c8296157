//! Entities that the program defines. A definition applies if the document does not declare the entity.

use tagstream::xml::EntityError;
use tagstream::{Error, Event, Parser, Xml};
use testing::cases;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    cases!(
        program,
        "xml/registered entities",
        rows,
        what_is_refused,
        documents_know_nothing_of_each_other,
    );
}

/// Documents and their expected content: text as it is, `=` before an attribute value, `e` for an element inside the
/// root, `?` before the name of a skipped entity, `!` before the code of an error.
const ROWS: &[(&str, &str)] = &[
    ("<a>x&own;y</a>", "x<b>&amp;y"),
    ("<a b='x&own;y'/>", "=x<b>&amp;y"),
    (
        "<a>&nbsp;&Eacute;&NotEqualTilde;</a>",
        "\u{a0}É\u{2242}\u{338}",
    ),
    ("<a b='&nbsp;'/>", "=\u{a0}"),
    ("<a>&lt;&own2;&amp;</a>", "<twice&"),
    (
        "<!DOCTYPE a [<!ENTITY own 'd<c/>'>]><a>&own;&nbsp;</a>",
        "de\u{a0}",
    ),
    (
        "<!DOCTYPE a [<!ENTITY e '&own;&hellip;'>]><a b='&e;'>&e;</a>",
        "=<b>&amp;…<b>&amp;…",
    ),
    ("<!DOCTYPE a [<!ATTLIST a b CDATA '&own2;'>]><a/>", "=twice"),
    // The external subset is not read and may declare `nbsp`. The program's definition applies all the same.
    (
        "<!DOCTYPE a SYSTEM 'x'><a>&nbsp;&other;</a>",
        "\u{a0}?other",
    ),
    ("<a>&unknown;</a>", "!undeclared-entity"),
    ("<a>&ow;</a>", "!undeclared-entity"),
    ("<a>&nbsp</a>", "!missing-semicolon"),
    ("<a b='&notit;'/>", "!undeclared-entity"),
];

fn xml(xml: Xml) -> Xml {
    let xml = xml.entity("own", "twice").unwrap().html_entities();
    xml.entity("own", "<b>&amp;")
        .unwrap()
        .entity("own2", "twice")
        .unwrap()
}

fn read(dialect: Xml, document: &str, size: usize) -> Result<String, Error> {
    let mut parser = Parser::new(dialect);
    let (mut elements, mut seen) = (0, String::new());
    for chunk in document.as_bytes().chunks(size).map(Some).chain([None]) {
        match chunk {
            Some(chunk) => parser.feed(chunk),
            None => parser.finish(),
        }
        while let Some(event) = parser.next_event()? {
            match event {
                Event::Start(tag) => {
                    elements += 1;
                    if elements > 1 {
                        seen.push('e');
                    }
                    for attribute in tag.attributes() {
                        seen = seen + "=" + attribute.value();
                    }
                }
                Event::Text(text) => seen.push_str(text.as_str()),
                Event::SkippedEntity(entity) => seen = seen + "?" + entity.name(),
                _ => {}
            }
        }
    }
    Ok(seen)
}

fn rows() {
    for (document, wanted) in ROWS {
        for size in 1..=document.len() {
            match (
                read(xml(Xml::strict()), document, size),
                wanted.strip_prefix('!'),
            ) {
                (Ok(found), None) => assert_eq!(found, *wanted, "{document}"),
                (Err(error), Some(code)) => assert_eq!(error.as_str(), code, "{document}"),
                (found, _) => panic!("{document}: {found:?}"),
            }
            if !wanted.starts_with('!') {
                let found = read(xml(Xml::default()), document, size).unwrap();
                assert_eq!(found, *wanted, "{document}");
            }
        }
    }
}

fn what_is_refused() {
    let refused = |name, text| Xml::default().entity(name, text).unwrap_err();
    for name in ["amp", "lt", "gt", "quot", "apos"] {
        assert_eq!(refused(name, "x"), EntityError::Predefined);
    }
    for name in ["", "a b", "1", "#1", "a;", "&a"] {
        assert_eq!(refused(name, "x"), EntityError::Name, "{name}");
    }
    assert_eq!(refused("a", "\0"), EntityError::Text);
    assert_eq!(
        refused("a", "\u{FFFE}").to_string(),
        "the text of the entity has a character that XML has not"
    );
}

fn documents_know_nothing_of_each_other() {
    let mut parser = Parser::new(Xml::strict().entity("x", "y").unwrap());
    for (document, wanted) in [
        ("<!DOCTYPE a [<!ENTITY x 'z'>]><a>&x;</a>", "z"),
        ("<a>&x;</a>", "y"),
    ] {
        parser.feed(document);
        parser.finish();
        let mut text = String::new();
        while let Some(event) = parser.next_event().unwrap() {
            if let Event::Text(run) = event {
                text.push_str(run.as_str());
            }
        }
        assert_eq!(text, wanted);
        parser.reset();
    }
}
