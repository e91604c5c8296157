//! What errors say to a person: what stands at their place, which end tag is missing, the limit; the same
//! wherever the input was cut.

use tagstream::{
    Dialect, EditError, Encoding, Error, ErrorKind, LeafXml, Limit, Limits, MicroXml, Parser, Xml,
};
use testing::cases;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    cases!(
        program,
        "core/errors",
        they_name_what_they_are_about,
        what_could_command_a_terminal_is_not_said,
        they_are_equal_that_are_of_one_kind_and_place,
        what_is_not_compiled_in_is_named,
    );
}

/// The error of a document, fed in chunks.
fn error(dialect: impl Dialect, limits: Limits, input: &str, size: usize) -> Error {
    let mut parser = Parser::new(dialect).limits(limits);
    for chunk in input.as_bytes().chunks(size).map(Some).chain([None]) {
        match chunk {
            Some(chunk) => parser.feed(chunk),
            None => parser.finish(),
        }
        loop {
            match parser.next_event() {
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(error) => return error,
            }
        }
    }
    panic!("no error in {input}");
}

fn check(dialect: impl Dialect, limits: Limits, input: &str, wanted: &str) {
    for size in 1..=input.len() {
        let error = error(dialect.clone(), limits, input, size);
        let (position, rest) = wanted.split_once(' ').unwrap();
        let (code, about) = match rest.split_once(' ') {
            Some((code, about)) => (code, format!(": {about}")),
            None => (rest, String::new()),
        };
        let message = match (error.code(), error.limit()) {
            (Some(code), _) => code.message(),
            (None, limit) => limit.expect("a limit").message(),
        };
        let wanted = format!("{position}: {message}{about} ({code})");
        assert_eq!(error.to_string(), wanted, "{size}");
    }
}

fn they_name_what_they_are_about() {
    let none = Limits::none();
    let xml = |input, wanted| check(Xml::strict(), none, input, wanted);
    xml(
        "<a>\n <b></a>",
        "2:5 mismatched-end-tag expected `</b>`, opened at 2:2, found `</a>`",
    );
    xml(
        "<a><b>",
        "1:7 unclosed-element expected `</b>`, opened at 1:4",
    );
    xml("<a>&nbsp;</a>", "1:4 undeclared-entity `&nbsp;`");
    xml("<a><x:b/></a>", "1:5 undeclared-prefix `x:b`");
    xml(
        "<a b='' b=''/>",
        "1:9 duplicate-attribute `b`, first at 1:4",
    );
    xml(
        "<é>日本</ö>",
        "1:6 stray-end-tag expected `</é>`, opened at 1:1, found `</ö>`",
    );
    let long = format!("<a></{}>", "x".repeat(100));
    xml(&long, "1:4 stray-end-tag expected `</a>`, opened at 1:1");
    let leafxml = |input, wanted| check(LeafXml::default(), none, input, wanted);
    leafxml(
        "<a><b></a>",
        "1:7 mismatched-end-tag expected `</b>`, opened at 1:4, found `</a>`",
    );
    leafxml("<a>", "1:4 unclosed-tags expected `</a>`, opened at 1:1");
    check(
        MicroXml::strict(),
        none,
        "<a><b></a></b>",
        "1:7 mismatched-end-tag expected `</b>`, opened at 1:4, found `</a>`",
    );
    xml(
        "<!DOCTYPE a [<!ENTITY e '&e;'>]><a>&e;</a>",
        "1:36 recursive-entity `&e;`, declared at 1:14",
    );
    let limited = |limits, input, wanted| check(Xml::default(), limits, input, wanted);
    limited(none.depth(2), "<a><b><c>", "1:7 depth-limit more than 2");
    limited(
        none.attributes(1),
        "<a b='' c=''>",
        "1:9 attributes-limit more than 1",
    );
    let error = error(Xml::strict(), none, "<a><b></a>", 1);
    assert_eq!(
        (error.open_element(), error.written()),
        (Some("b"), Some("</a>"))
    );
}

fn what_could_command_a_terminal_is_not_said() {
    let none = Limits::none();
    for odd in [
        "\u{1B}[31m",
        "\u{202E}",
        "\u{200B}",
        "\u{2028}",
        "\u{85}",
        "\n",
        "\u{FEFF}",
    ] {
        let input = format!("<a>&x{odd}y;</a>");
        let error = error(Xml::strict(), none, &input, usize::MAX);
        let shown = error.to_string();
        assert!(!shown.contains(odd), "{shown}");
    }
}

fn they_are_equal_that_are_of_one_kind_and_place() {
    let of = |input| error(Xml::strict(), Limits::none(), input, 1);
    assert_eq!(of("<a></b>"), of("<a></b>"));
    assert_ne!(of("<a></b>"), of("<ab></b>"));
    assert_ne!(of("<a>&b;"), of("<a></b>"));
    let kinds = [
        of("<a></b>").kind().clone(),
        of("<a>&b;").kind().clone(),
        ErrorKind::Limit(Limit::Depth),
        ErrorKind::Limit(Limit::Name),
        ErrorKind::Edit(EditError::Cycle),
        ErrorKind::Edit(EditError::NoNode),
        ErrorKind::NotPaused,
        ErrorKind::FeedAfterFinish,
    ];
    for (number, kind) in kinds.iter().enumerate() {
        for (other_number, other) in kinds.iter().enumerate() {
            assert_eq!(kind == other, number == other_number, "{kind:?} {other:?}");
        }
    }
}

/// Here all is compiled in; `tests/data/examples.txt` has a module that refuses a page.
fn what_is_not_compiled_in_is_named() {
    let of = |label| {
        Encoding::for_label(label)
            .map(ErrorKind::UnavailableEncoding)
            .expect("a label")
    };
    assert_eq!(
        of("koi8-r").to_string(),
        "the input is in KOI8-R, which the feature `encodings` of tagstream reads"
    );
    assert!(of("koi8-r") == of("koi8") && of("koi8-r") != of("koi8-u"));
}
