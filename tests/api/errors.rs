//! Messages of errors. A message shows the input at the error, the missing end tag, or the limit, and is the same for
//! every cut.

use tagstream::{
    Category, Dialect, Document, EditError, Encoding, Error, ErrorKind, Html, LeafXml, Limit,
    Limits, MicroXml, Parser, Rewriter, Span, Writer, Xml,
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
        errors_from_beside_the_parse_become_errors,
        a_refused_name_is_named,
        spans_are_ranges_of_indices,
        what_is_not_compiled_in_is_named,
        errors_from_main_are_messages,
    );
}

/// Returns the error of a document that is fed in chunks of `size` bytes.
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

/// The operator `?` converts errors of other parts of the library and of the standard library. The original error is
/// then the source.
fn errors_from_beside_the_parse_become_errors() {
    fn write() -> Result<(), Error> {
        Writer::xml(String::new()).start("a b")?;
        Ok(())
    }
    fn rewrite() -> Result<(), Error> {
        let mut rewriter = Rewriter::new(Html::default());
        rewriter.feed("<p>");
        while let Some(mut event) = rewriter.next_event()? {
            event.rename("<")?;
        }
        Ok(())
    }
    let file = || -> Result<(), Error> {
        std::fs::File::open("no/such/file")?;
        Ok(())
    };
    let context = || -> Result<(), Error> {
        Html::fragment("<tr>")?;
        Ok(())
    };
    let is_io = |error: &Error| {
        let source = std::error::Error::source(error);
        source.is_some_and(|source| source.is::<std::io::Error>())
    };
    let errors = [write(), rewrite(), file(), context()].map(Result::unwrap_err);
    for error in &errors {
        assert!(matches!(error.kind(), ErrorKind::Other(_)), "{error:?}");
        assert_eq!(
            (error.category(), error.as_str()),
            (Category::Other, "other")
        );
    }
    assert_eq!(errors[0].to_string(), "this is not a valid name: `a b`");
    assert_eq!(errors[1].to_string(), "1:1: this is not a valid name: `<`");
    assert_eq!(errors.each_ref().map(is_io), [false, false, true, false]);
    assert!(errors[3].to_string().starts_with("\"<tr>\" is no context"));

    // A parse error keeps its category and its code.
    let mut rewriter = Rewriter::new(Xml::strict());
    rewriter.feed("<a></b>");
    rewriter.finish();
    let error = loop {
        match rewriter.next_event() {
            Ok(event) => assert!(event.is_some()),
            Err(error) => break Error::from(error),
        }
    };
    assert_eq!(
        (error.category(), error.as_str()),
        (Category::Input, "stray-end-tag")
    );
}

fn a_refused_name_is_named() {
    let mut document = Document::parse(Xml::default(), "<a/>").unwrap();
    let a = document.root_element().unwrap().id();
    let long = "b ".repeat(100);
    for (name, shown) in [("b c", "b c"), ("\n", "\\n"), (&*long, &long[..60])] {
        let wrong = format!("`{shown}` is not a valid name");
        assert_eq!(document.new_element(name).unwrap_err().to_string(), wrong);
        assert_eq!(document.rename(a, name).unwrap_err().to_string(), wrong);
        let error = document.set_attribute(a, name, "").unwrap_err();
        assert_eq!(error.to_string(), wrong);
        assert_eq!(Error::from(error).to_string(), wrong);
    }
}

fn spans_are_ranges_of_indices() {
    let span = Span { start: 3, end: 7 };
    assert_eq!(span.range(), 3..7);
    assert_eq!(std::ops::Range::<usize>::from(span), 3..7);
    assert_eq!(std::ops::Range::<u64>::from(span), 3..7);
}

/// This program has all features. The case of a WebAssembly module in `tests/data/examples.txt` shows that a module
/// without a feature refuses a page.
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

/// A program that returns an error from `main` prints it with `Debug`.
fn errors_from_main_are_messages() {
    fn check<E: std::error::Error>(error: E, message: &str) {
        assert_eq!(
            (error.to_string().as_str(), format!("{error:?}").as_str()),
            (message, message)
        );
    }
    let xml = |input: &str| Document::parse(Xml::strict(), input);
    check(
        xml("<a>\n<b></a>").unwrap_err(),
        "2:4: the end tag does not match the start tag of the element: expected `</b>`, opened at 2:1, found `</a>` (mismatched-end-tag)",
    );
    let page = xml("<a/>").expect("XML");
    let name = "this is not a valid name: `1`";
    check(
        page.select("a >").map(|_| ()).unwrap_err(),
        "invalid selector: it ends too early (offset 3)",
    );
    check(
        Writer::xml(String::new())
            .start("1")
            .map(|_| ())
            .unwrap_err(),
        name,
    );
    check(
        tagstream::ser::to_string_with_root("1", &1).unwrap_err(),
        name,
    );
    check(
        page.clone().new_element("1").unwrap_err(),
        "`1` is not a valid name",
    );
    check(
        Html::fragment("<").unwrap_err(),
        "\"<\" is no context of a fragment: that is the name of an element, `td`, or `svg path`",
    );
    let value = tagstream::de::from_str::<u8>("<a>x</a>").unwrap_err();
    check(value.clone(), &value.to_string());
    let mut rewriter = Rewriter::new(Xml::strict());
    rewriter.feed("<a>");
    let mut event = rewriter.next_event().expect("XML").expect("an event");
    check(
        event.rename("1").map(|_| ()).unwrap_err(),
        "1:1: this is not a valid name: `1`",
    );
}
