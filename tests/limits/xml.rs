//! Reported faults in the XML family, each as a case with a name.

use tagstream::microxml::Revision;
use tagstream::tree::NodeKind;
use tagstream::{
    Balance, Buildable, Dialect, Event, Html, LeafXml, Limit, Limits, MicroXml, Parser, Sky,
    TextPolicy, TreeBuilder, Xml,
};
use testing::pull;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    testing::cases!(
        program,
        "xml/found",
        names_with_colons_are_refused_where_there_are_namespaces,
        names_with_colons_are_names_where_there_are_no_namespaces,
        a_name_with_a_colon_stays_whole_in_recovering,
        a_comment_comes_before_all_of_the_text_that_it_interrupts,
        a_comment_comes_before_long_text,
        pieces_do_not_come_before_the_comment,
        the_limit_of_a_token_bounds_text_that_waits,
        text_in_pieces_is_never_held,
        each_string_token_of_sky_is_a_text_node,
    );
}

/// Documents in which the names of entities, notations and targets contain colons.
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

/// Returns the codes of all parse errors, and the text.
fn read(dialect: Xml, chunks: &[&[u8]]) -> (Vec<String>, String) {
    let mut parser = Parser::new(dialect)
        .report_errors(true)
        .text(TextPolicy::Pieces);
    let (mut errors, mut text) = (Vec::new(), String::new());
    for chunk in chunks.iter().map(Some).chain([None]) {
        match chunk {
            Some(chunk) => parser.feed(chunk),
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

/// Returns the errors and the text of a document. Asserts that they are the same for the whole document and byte by
/// byte.
fn read_all_ways(dialect: Xml, document: &str) -> (Vec<String>, String) {
    let whole = read(dialect.clone(), &[document.as_bytes()]);
    let bytes: Vec<&[u8]> = document.as_bytes().chunks(1).collect();
    assert_eq!(read(dialect, &bytes), whole, "{document}");
    whole
}

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

fn names_with_colons_are_names_where_there_are_no_namespaces() {
    for document in COLONS {
        for dialect in [Xml::strict(), Xml::default()] {
            let (errors, _) = read_all_ways(dialect.namespaces(false), document);
            assert_eq!(errors, [""; 0], "{document}");
        }
    }
}

fn a_name_with_a_colon_stays_whole_in_recovering() {
    let (errors, text) = read_all_ways(Xml::default(), COLONS[0]);
    assert_eq!(errors, ["colon-in-name 23..24", "colon-in-name 38..39"]);
    assert_eq!(text, "xdy");
    let (errors, text) = read_all_ways(Xml::default(), "<a>&b:c;</a>");
    assert_eq!(errors, ["colon-in-name 5..6", "undeclared-entity 3..8"]);
    assert_eq!(text, "&b:c;");
    // A name that is not followed by a semicolon is not a reference.
    let (errors, text) = read_all_ways(Xml::default(), "<a>&b:c</a>");
    assert_eq!(errors, ["missing-semicolon 3..7"]);
    assert_eq!(text, "&b:c");
}

/// Returns the children of the root element, or those of the document if `at_top` is true: text in quotes, comments and
/// instructions as written, elements by their names. The document is fed whole, byte by byte, and with a cut at each
/// position. The results must be the same.
fn children<D: Balance + Buildable>(dialect: D, document: &str, at_top: bool) -> Vec<String> {
    let bytes = document.as_bytes();
    let built = |chunks: &[&[u8]]| {
        let builder = TreeBuilder::new(dialect.clone());
        let document = pull::built(builder, chunks.iter().copied());
        let document = document.expect("a document without a fault");
        let parent = match at_top {
            true => document.root(),
            false => document.root_element().expect("a root element"),
        };
        let written = parent.children().map(|child| match child.kind() {
            NodeKind::Text => format!("{:?}", child.text()),
            NodeKind::Comment => format!("<!--{}-->", child.text()),
            NodeKind::ProcessingInstruction => format!("<?{}?>", child.name()),
            _ => child.name().to_owned(),
        });
        written.collect::<Vec<String>>()
    };
    let whole = built(&[bytes]);
    let each: Vec<&[u8]> = bytes.chunks(1).collect();
    assert_eq!(built(&each), whole, "{document:.80}, byte by byte");
    let step = bytes.len().div_ceil(200);
    for at in (0..bytes.len()).step_by(step) {
        let (first, second) = bytes.split_at(at);
        assert_eq!(
            built(&[first, second]),
            whole,
            "{document:.80}, cut at {at}"
        );
    }
    whole
}

fn with_comments() -> LeafXml {
    LeafXml::default()
        .comments(true)
        .processing_instructions(true)
}

fn a_comment_comes_before_all_of_the_text_that_it_interrupts() {
    let found = children(with_comments(), "<a>&#65;b<!--c--></a>", false);
    assert_eq!(found, ["<!--c-->", "\"Ab\""]);
    let found = children(
        with_comments(),
        "<a>x<b/>y<?p?>z<![CDATA[<]]><!--c-->e\u{301}</a>",
        false,
    );
    assert_eq!(found, ["\"x\"", "b", "<?p?>", "<!--c-->", "\"yz<\u{e9}\""]);
    // If comments are not events, the order of text and comments is irrelevant.
    let found = children(LeafXml::default(), "<a>x<!--c-->y</a>", false);
    assert_eq!(found, ["\"xy\""]);
}

fn a_comment_comes_before_long_text() {
    let (before, after) = ("x".repeat(70_000), "y\u{e9}\n".repeat(20_000));
    let document = format!("<a>{before}<!--c-->{after}<?p?>z</a>");
    let found = children(with_comments(), &document, false);
    assert_eq!(
        found,
        [
            "<!--c-->",
            "<?p?>",
            &format!("{:?}", format!("{before}{after}z"))
        ]
    );
}

fn pieces_do_not_come_before_the_comment() {
    for cuts in [1, 2, 7, 100] {
        let mut parser = Parser::new(with_comments()).text(TextPolicy::Pieces);
        let mut seen = String::new();
        let document = "<a>one &lt; two<!--c--> three<?p q?></a>";
        for chunk in document.as_bytes().chunks(cuts).map(Some).chain([None]) {
            match chunk {
                Some(chunk) => parser.feed(chunk),
                None => parser.finish(),
            }
            while let Some(event) = parser.next_event().expect("a document without a fault") {
                match event {
                    Event::Text(text) => seen += &format!("{:?}{}", text.as_str(), text.is_piece()),
                    Event::Comment(comment) => seen += &format!("<!--{}-->", comment.as_str()),
                    Event::ProcessingInstruction(one) => seen += &format!("<?{}?>", one.target()),
                    _ => {}
                }
            }
        }
        assert_eq!(seen, "<!--c--><?p?>\"one < two three\"false");
    }
}

/// The text that is buffered before a possible comment is bounded like other tokens.
fn the_limit_of_a_token_bounds_text_that_waits() {
    let limits = Limits::default().token(1000);
    let mut builder = TreeBuilder::new(with_comments()).limits(limits);
    builder.supply("<a>");
    let mut fed = 0;
    let error = loop {
        builder.supply("0123456789");
        fed += 10;
        if let Err(error) = builder.build() {
            break error;
        }
        assert!(fed < 2000, "more is held than the limit allows");
    };
    assert_eq!(error.limit(), Some(Limit::Token));
}

/// The next piece of text is delivered, however many chunks the text is in.
fn text_in_pieces_is_never_held() {
    for piece in [
        "0123456789",
        "\u{e9}x",
        "e\u{301}x",
        "&#65;b",
        "x\r\n",
        "x]",
    ] {
        never_held(Xml::default(), piece);
        never_held(Xml::strict(), piece);
        never_held(LeafXml::default(), piece);
    }
    for piece in ["&amp;", "\r", "<![CDATA[y]]>"] {
        never_held(Xml::default(), piece);
        never_held(Xml::strict(), piece);
    }
    for piece in [
        "0123456789",
        "\u{e9}x",
        "&lt;b",
        "x\r\n",
        "\r",
        "& ",
        "x< ",
        "\0",
    ] {
        never_held(Sky::fragment(), piece);
        never_held(MicroXml::default(), piece);
        never_held(MicroXml::default().revision(Revision::Final), piece);
        never_held(Html::default(), piece);
    }
}

fn never_held<D: Dialect>(dialect: D, piece: &str) {
    let limits = Limits::default().token(1000);
    let mut parser = Parser::new(dialect).limits(limits).text(TextPolicy::Pieces);
    parser.feed("<a>");
    for _ in 0..2000 {
        parser.feed(piece.to_owned());
        while parser
            .next_event()
            .unwrap_or_else(|error| panic!("{piece:?}: {error}"))
            .is_some()
        {}
    }
}

fn each_string_token_of_sky_is_a_text_node() {
    let cases: [(&str, &[&str]); 6] = [
        ("x</b>y", &["\"x\"", "\"y\""]),
        ("x</b></c>y</d>z", &["\"x\"", "\"y\"", "\"z\""]),
        ("x<!--c-->y&lt;\0z", &["\"xy<\u{fffd}z\""]),
        ("x</b> </b>y", &["\"x\"", "\"y\""]),
        (
            "one two</>three<a/>four</b>five<",
            &["\"one two\"", "\"three\"", "a", "\"four\"", "\"five<\""],
        ),
        ("x< y</ z", &["\"x< y</ z\""]),
    ];
    for (document, expected) in cases {
        assert_eq!(
            children(Sky::fragment(), document, true),
            expected,
            "{document}"
        );
    }
    let found = children(Sky::fragment(), "<a>x</b>y<!--c-->z</a>", false);
    assert_eq!(found, ["\"x\"", "\"yz\""]);
    // In other dialects, adjacent texts are one text node.
    let found = children(Xml::default(), "<a>x</b>y</a>", false);
    assert_eq!(found, ["\"xy\""]);
}
