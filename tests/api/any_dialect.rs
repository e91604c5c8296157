//! Dialects that are chosen at run time, options by name, and what programs in other languages need besides.

use tagstream::tree::Edge;
use tagstream::{
    AnyDialect, Balance, Buildable, Bytes, Dialect, DialectVisitor, Document, Form, Html, LeafXml,
    Limits, MicroXml, OptionError, Parser, Sanitizer, SharedText, Sky, Xml,
};
use testing::cases;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    cases!(
        program,
        "core/any dialect",
        every_option_has_an_effect,
        wrong_options_change_nothing,
        limits_have_the_names_of_their_fields,
        options_of_the_sanitizer,
        events_are_those_of_the_parser,
        shared_text_is_a_string,
        edges_skip_children,
    );
}

const NAMES: [&str; 5] = ["html", "xml", "microxml", "sky", "leafxml"];

fn dialect(name: &str) -> AnyDialect {
    AnyDialect::new(name).expect("a dialect")
}

/// Options by name, and the same options set by methods.
fn every_option_has_an_effect() {
    let encoding = tagstream::Encoding::for_label("koi8-r").expect("an encoding");
    let html = Html::default;
    let cases: [(&str, &str, &str, AnyDialect); 21] = [
        (
            "html",
            "fragment",
            "svg path",
            AnyDialect::Html(Html::fragment("svg path").expect("a context")),
        ),
        (
            "html",
            "scripting",
            "true",
            AnyDialect::Html(html().scripting(true)),
        ),
        (
            "html",
            "processing_instructions",
            "false",
            AnyDialect::Html(html().processing_instructions(false)),
        ),
        (
            "html",
            "shadow_roots",
            "true",
            AnyDialect::Html(html().shadow_roots(true)),
        ),
        (
            "html",
            "encoding",
            "koi8-r",
            AnyDialect::Html(html().encoding(encoding)),
        ),
        (
            "html",
            "fallback_encoding",
            "koi8-r",
            AnyDialect::Html(html().fallback_encoding(encoding)),
        ),
        (
            "html",
            "content_type",
            "text/html; charset=koi8-r",
            AnyDialect::Html(html().encoding(encoding)),
        ),
        ("xml", "strict", "true", AnyDialect::Xml(Xml::strict())),
        (
            "xml",
            "namespaces",
            "false",
            AnyDialect::Xml(Xml::default().namespaces(false)),
        ),
        (
            "xml",
            "fragment",
            "true",
            AnyDialect::Xml(Xml::default().fragment()),
        ),
        (
            "xml",
            "html_entities",
            "true",
            AnyDialect::Xml(Xml::default().html_entities()),
        ),
        (
            "xml",
            "encoding",
            "koi8-r",
            AnyDialect::Xml(Xml::default().encoding(encoding)),
        ),
        (
            "xml",
            "content_type",
            "text/xml; charset=koi8-r",
            AnyDialect::Xml(Xml::default().encoding(encoding)),
        ),
        (
            "microxml",
            "strict",
            "true",
            AnyDialect::MicroXml(MicroXml::strict()),
        ),
        (
            "microxml",
            "revision",
            "final",
            AnyDialect::MicroXml(
                MicroXml::default().revision(tagstream::microxml::Revision::Final),
            ),
        ),
        ("sky", "context", "module", AnyDialect::Sky(Sky::module())),
        (
            "sky",
            "context",
            "fragment",
            AnyDialect::Sky(Sky::fragment()),
        ),
        (
            "sky",
            "registered",
            "a,b c",
            AnyDialect::Sky(Sky::application().registered(["a", "b", "c"])),
        ),
        (
            "leafxml",
            "comments",
            "true",
            AnyDialect::LeafXml(LeafXml::default().comments(true)),
        ),
        (
            "leafxml",
            "processing_instructions",
            "true",
            AnyDialect::LeafXml(LeafXml::default().processing_instructions(true)),
        ),
        (
            "leafxml",
            "doctype",
            "true",
            AnyDialect::LeafXml(LeafXml::default().doctype(true)),
        ),
    ];
    for (name, option, value, expected) in cases {
        let mut set = dialect(name);
        assert_ne!(set, expected, "{name} {option}");
        set.set(option, value).expect(option);
        assert_eq!(set, expected, "{name} {option}");
    }
}

fn wrong_options_change_nothing() {
    for name in NAMES {
        let mut set = dialect(name);
        let error = set.set("none", "true").expect_err("no such option");
        assert_eq!(
            error,
            OptionError::Unknown {
                name: "none".to_owned()
            }
        );
        assert_eq!(set, dialect(name));
    }
    let wrong = [
        ("html", "fragment", "<tr>"),
        ("html", "scripting", "yes"),
        ("html", "encoding", "none"),
        ("xml", "strict", ""),
        ("xml", "html_entities", "1"),
        ("microxml", "revision", "second"),
        ("sky", "context", "page"),
        ("leafxml", "doctype", "TRUE"),
    ];
    for (name, option, value) in wrong {
        let mut set = dialect(name);
        let error = set.set(option, value).expect_err(option).to_string();
        assert!(
            error.contains(option) && error.contains("expected"),
            "{error}"
        );
        assert_eq!(set, dialect(name));
    }
    assert_eq!(AnyDialect::new("sgml"), None);
}

fn limits_have_the_names_of_their_fields() {
    let mut limits = Limits::default();
    let names: Vec<&str> = Limits::names().collect();
    assert!(
        names.contains(&"depth") && names.contains(&"tree_allowance"),
        "{names:?}"
    );
    for (value, name) in names.iter().enumerate() {
        limits.set(name, &value.to_string()).expect(name);
    }
    let shown = format!("{limits:?}");
    for (value, name) in names.iter().enumerate() {
        assert!(
            shown.contains(&format!("{name}: {value},")),
            "{name} in {shown}"
        );
    }
    assert!(limits.set("set", "1").is_err());
    assert!(limits.set("depth", "1e3").is_err());
    // As with the method, the default of the dialect does not apply to a limit that was set.
    let mut depth = Limits::default();
    depth.set("depth", "10000").expect("a limit");
    assert_eq!(depth, Limits::default().depth(10_000));
}

/// Each option, with markup and its clean form without and with the option.
fn options_of_the_sanitizer() {
    let cases = [
        ("allow_elements", "a, b", "<b>1</b>", "", "<b>1</b>"),
        ("remove_elements", "i", "<i>1</i>", "<i>1</i>", ""),
        ("replace_with_children", "i", "<i>1</i>", "<i>1</i>", "1"),
        (
            "allow_attributes",
            "title",
            "<i title=a>",
            "<i></i>",
            "<i title=\"a\"></i>",
        ),
        (
            "allow_attributes",
            "i@title",
            "<i title=a>",
            "<i></i>",
            "<i title=\"a\"></i>",
        ),
        (
            "allow_attributes",
            "u@title",
            "<i title=a>",
            "<i></i>",
            "<i></i>",
        ),
        (
            "remove_attributes",
            "lang",
            "<i lang=a>",
            "<i lang=\"a\"></i>",
            "<i></i>",
        ),
        (
            "remove_attributes",
            "i@lang",
            "<i lang=a>",
            "<i lang=\"a\"></i>",
            "<i></i>",
        ),
        (
            "allow_processing_instructions",
            "a",
            "<?a b?>",
            "",
            "<?a b?>",
        ),
        (
            "url_schemes",
            "mailto",
            "<img src=http:a>",
            "<img src=\"http:a\">",
            "<img>",
        ),
        ("comments", "true", "<!--a-->", "", "<!--a-->"),
        (
            "data_attributes",
            "true",
            "<i data-a=b>",
            "<i></i>",
            "<i data-a=\"b\"></i>",
        ),
        ("processing_instructions", "true", "<?a b?>", "", "<?a b?>"),
    ];
    let plain = || {
        let sanitizer = Sanitizer::allow_nothing().allow_elements(&["i", "img"]);
        let sanitizer =
            sanitizer.and_then(|sanitizer| sanitizer.allow_attributes(&["lang", "src"]));
        sanitizer.expect("names")
    };
    for (name, value, markup, before, after) in cases {
        let mut sanitizer = plain();
        assert_eq!(sanitizer.clean(markup), before, "{name}");
        sanitizer.set(name, value).expect(name);
        assert_eq!(sanitizer.clean(markup), after, "{name} {value}");
    }
    let mut sanitizer = Sanitizer::user_content();
    sanitizer.set("link_rel", "me").expect("an option");
    assert_eq!(
        sanitizer.clean("<a href=http://b>c"),
        "<a href=\"http://b\" rel=\"me\">c</a>"
    );
    for (name, value) in [
        ("allow_elements", "a b"),
        ("comments", "1"),
        ("allow_attributes", "a@b c"),
        ("none", ""),
    ] {
        assert!(sanitizer.set(name, value).is_err(), "{name}");
    }
}

const DOCUMENT: &str = "<a><b c='d'>text &amp; <e></b><!--f--></a>";

/// Returns the events of a parser as text.
fn shown<D: Dialect, F: Form>(mut parser: Parser<D, F>) -> Vec<String> {
    parser.feed(DOCUMENT);
    parser.finish();
    let mut events = Vec::new();
    loop {
        match parser.next_event() {
            Ok(Some(event)) => events.push(format!("{event:?} {:?}", event.span())),
            Ok(None) => return events,
            Err(error) => {
                events.push(error.to_string());
                return events;
            }
        }
    }
}

struct Shown {
    balanced: bool,
}

impl DialectVisitor for Shown {
    type Output = Vec<String>;

    fn visit<D: Balance + Buildable>(self, dialect: D) -> Vec<String> {
        let parser = Parser::new(dialect).report_errors(true);
        match self.balanced {
            true => shown(parser.balanced()),
            false => shown(parser),
        }
    }
}

fn events_are_those_of_the_parser() {
    let dialect = |name: &str| {
        let mut dialect = dialect(name);
        if name == "sky" {
            dialect.set("context", "fragment").expect("an option");
        }
        dialect
    };
    for (name, balanced) in NAMES.iter().flat_map(|name| [(name, false), (name, true)]) {
        let expected = dialect(name).visit(Shown { balanced });
        let parser = match balanced {
            true => dialect(name).balanced_parser(),
            false => dialect(name).parser(),
        };
        let mut parser = parser.report_errors(true);
        // The second document is parsed after a reset.
        for _ in 0..2 {
            parser.reset();
            for byte in DOCUMENT.as_bytes() {
                parser.feed(std::slice::from_ref(byte));
            }
            parser.finish();
            let mut events = Vec::new();
            loop {
                match parser.next_event() {
                    Ok(Some(event)) => events.push(format!("{event:?} {:?}", event.span())),
                    Ok(None) => break,
                    Err(error) => {
                        events.push(error.to_string());
                        break;
                    }
                }
            }
            assert_eq!(events, expected, "{name} {balanced}");
            assert!(expected.len() > 1, "{expected:?}");
        }
    }
    let mut parser = dialect("xml").parser().limits(Limits::default().depth(1));
    parser.feed(DOCUMENT);
    while let Ok(event) = parser.next_event() {
        assert!(event.is_some(), "no limit");
    }
    assert_eq!(parser.status(), tagstream::Status::Failed);
}

fn shared_text_is_a_string() {
    let page = "<meta charset=koi8-r><p>é";
    let shared = SharedText::try_from(Bytes::from(page)).expect("UTF-8");
    let by_value = Document::parse(Html::default(), shared.clone()).expect("a page");
    let by_reference = Document::parse(Html::default(), &shared).expect("a page");
    let text = Document::parse(Html::default(), page).expect("a page");
    assert_eq!(by_value.to_html(), text.to_html());
    assert_eq!(by_reference.to_html(), text.to_html());
    assert!(text.to_html().contains('é'));
    let bytes = Document::parse(Html::default(), Bytes::from(shared)).expect("a page");
    assert!(!bytes.to_html().contains('é'));
    assert!(SharedText::try_from(Bytes::from(&b"\xC3"[..])).is_err());
}

/// Skips the children of each node in turn, after each number of its children.
fn edges_skip_children() {
    let markup = "<a>1<b>2<c/>3</b><template>4<i>5</i></template><d/></a>";
    let document = Document::parse(Html::default(), markup).expect("a page");
    let all: Vec<_> = document.root().edges().through_templates().collect();
    for (at, edge) in all.iter().enumerate() {
        let mut edges = document.root().edges().through_templates();
        let before: Vec<_> = edges.by_ref().take(at + 1).collect();
        assert_eq!(before, all[..=at]);
        edges.skip_children();
        // The innermost node that has begun is the one of the edge, or the parent of the one that has ended.
        let depth = |edges: &[Edge<_>]| {
            edges
                .iter()
                .map(|edge| if matches!(edge, Edge::Open(_)) { 1 } else { -1 })
                .sum::<i32>()
        };
        let rest = &all[at + 1..];
        let end = (0..rest.len()).find(|&end| depth(&rest[..=end]) < 0);
        let expected = end.map_or(&[][..], |end| &rest[end..]);
        assert_eq!(edges.collect::<Vec<_>>(), expected, "after {edge:?}");
    }
    let mut edges = document.root().edges();
    edges.skip_children();
    assert_eq!(
        edges.count(),
        document.root().edges().count(),
        "before the first edge"
    );
}
