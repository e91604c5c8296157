//! Trees that keep CDATA sections and the internal subset.

use tagstream::tree::{Document, Serializer};
use tagstream::{
    Buildable, EditError, Event, Events, Html, LeafXml, Limit, Limits, MicroXml, Parser, Place,
    Source, SourceError, TextPolicy, TreeBuilder, TreeSink, WriteError, Writer, Xml,
    microxml::Revision,
};
use testing::cases;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    cases!(
        program,
        "tree",
        sections_are_nodes_for_all_chunks,
        sections_are_text_unless_asked,
        sections_survive_checkpoints_and_resets,
        sections_stay_sections_in_copies_and_edits,
        any_text_can_be_written_as_sections,
        the_internal_subset_is_kept_for_all_chunks,
        a_bad_subset_is_refused_or_left_out,
        a_long_subset_is_kept_or_exceeds_the_limit,
        an_event_has_the_internal_subset,
    );
}

/// A source of one chunk.
struct Once(Option<&'static str>);

impl Source for Once {
    type Chunk = &'static str;

    fn next_chunk(&mut self) -> Result<Option<&'static str>, SourceError> {
        Ok(self.0.take())
    }
}

/// A document, and the texts of its tree, with true for CDATA sections.
type Case = (&'static str, &'static [(&'static str, bool)]);

const XML: &[Case] = &[
    (
        "<a>1<![CDATA[2]]>3</a>",
        &[("1", false), ("2", true), ("3", false)],
    ),
    (
        "<a><![CDATA[1]]><![CDATA[2]]></a>",
        &[("1", true), ("2", true)],
    ),
    (
        "<a><![CDATA[]]>1<![CDATA[]]>2<![CDATA[]]></a>",
        &[("12", false)],
    ),
    (
        "<a><![CDATA[1]]><![CDATA[]]><![CDATA[2]]></a>",
        &[("1", true), ("2", true)],
    ),
    (
        "<a><![CDATA[]]]]><![CDATA[>]]></a>",
        &[("]]", true), (">", true)],
    ),
    (
        "<a><![CDATA[\r\n\r]]>\n</a>",
        &[("\n\n", true), ("\n", false)],
    ),
    ("<a>\r<![CDATA[\n]]></a>", &[("\n", false), ("\n", true)]),
    (
        "<a>&lt;<![CDATA[&lt;é]]>&#x41;</a>",
        &[("<", false), ("&lt;é", true), ("A", false)],
    ),
    (
        "<a><![CDATA[1]]><!--c--><![CDATA[2]]><b/><![CDATA[3]]></a>",
        &[("1", true), ("2", true), ("3", true)],
    ),
    (
        "<!DOCTYPE a [<!ENTITY e '1<![CDATA[2]]>'>]><a><![CDATA[0]]>&e;3</a>",
        &[("0", true), ("123", false)],
    ),
    ("<a><![CDATA[1</a>", &[("1</a>", true)]),
    ("<a><![CDATA[1]", &[("1", true)]),
    (
        "<a>1</b><![CDATA[2]]></b>3</a>",
        &[("1", false), ("2", true), ("3", false)],
    ),
    ("<a>1</a><![CDATA[2]]>", &[("1", false)]),
];

const LEAFXML: &[Case] = &[
    (
        "<a>1<![CDATA[2]]>3</a>",
        &[("1", false), ("2", true), ("3", false)],
    ),
    (
        "<a>e<![CDATA[\u{301}]]>e\u{301}<!--c-->\u{301}</a>",
        &[("e", false), ("\u{301}", true), ("é\u{301}", false)],
    ),
];

const MICROXML: &[Case] = &[
    (
        "<a>1<![CDATA[2]]><![CDATA[3]]>4</a>",
        &[("1", false), ("2", true), ("3", true), ("4", false)],
    ),
    ("<a><![CDATA[1]]", &[("1]]", true)]),
];

/// Builds a tree from chunks of a length.
fn built<D: Buildable>(mut builder: TreeBuilder<D>, input: &[u8], chunk: usize) -> Document {
    for chunk in input.chunks(chunk) {
        builder.feed(chunk).unwrap();
    }
    builder.finish().unwrap()
}

fn texts(document: &Document) -> Vec<(&str, bool)> {
    let texts = document.root().descendants().filter(|node| node.is_text());
    texts.map(|text| (text.text(), text.is_cdata())).collect()
}

fn check<D: Buildable>(dialect: &D, cases: &[Case], decodes: bool) {
    for (source, expected) in cases {
        let utf16: Vec<u8> = "\u{feff}"
            .encode_utf16()
            .chain(source.encode_utf16())
            .flat_map(u16::to_le_bytes)
            .collect();
        let encoded = [source.as_bytes(), &utf16];
        for input in &encoded[..if decodes { 2 } else { 1 }] {
            for chunk in 1..=input.len() {
                for is_whole in [false, true] {
                    let builder = TreeBuilder::new(dialect.clone()).keep_cdata(true);
                    let builder = builder.positions(is_whole).report_errors(is_whole);
                    let document = built(builder, input, chunk);
                    assert_eq!(texts(&document), *expected, "{source:?}, chunks of {chunk}");
                }
            }
        }
    }
}

fn sections_are_nodes_for_all_chunks() {
    check(&Xml::default(), XML, true);
    let fragment: &[Case] = &[
        ("<![CDATA[1]]>", &[("1", true)]),
        (
            "<![CDATA[]]><![CDATA[1]]><![CDATA[2]]>3",
            &[("1", true), ("2", true), ("3", false)],
        ),
    ];
    check(&Xml::default().fragment(), fragment, true);
    let first = built(
        TreeBuilder::new(Xml::default().fragment()).keep_cdata(true),
        b"<![CDATA[1]]>",
        1,
    );
    let mut second = TreeBuilder::with_sink(Xml::default().fragment(), first).keep_cdata(true);
    second.feed("<![CDATA[2]]>").unwrap();
    assert_eq!(texts(&second.finish().unwrap()), [("1", true), ("2", true)]);
    check(&LeafXml::default(), LEAFXML, false);
    check(
        &MicroXml::default().revision(Revision::Final),
        MICROXML,
        false,
    );
    check(
        &Html::fragment("div").unwrap(),
        &[("<svg><![CDATA[1]]>2</svg>", &[("12", false)])],
        false,
    );
}

fn sections_are_text_unless_asked() {
    let source = "<a>1<![CDATA[2]]><![CDATA[3]]></a>";
    let document = Document::parse(Xml::default(), source).unwrap();
    assert_eq!(texts(&document), [("123", false)]);
    assert_eq!(document.to_xml().unwrap(), "<a>123</a>");

    // Events in pieces tell sections from other text, but their trees do not.
    let parser = Parser::new(Xml::default()).text(TextPolicy::Pieces);
    let mut events = Events::new(parser, Once(Some(source))).balanced();
    events.next_event().unwrap();
    assert_eq!(texts(&events.subtree().unwrap()), [("123", false)]);
}

fn sections_survive_checkpoints_and_resets() {
    let (source, expected) = (
        "<a>1<![CDATA[23]]><![CDATA[4]]></a>",
        "<a>1<![CDATA[23]]><![CDATA[4]]></a>",
    );
    for cut in 0..=source.len() {
        let mut builder = TreeBuilder::new(Xml::default()).keep_cdata(true);
        builder.feed("<b>").unwrap();
        builder.reset();
        builder.feed(&source[..cut]).unwrap();
        let saved = builder.checkpoint();
        let mut builder = TreeBuilder::restore(Xml::default(), &saved).unwrap();
        builder.feed(&source[cut..]).unwrap();
        builder.end().unwrap();
        assert_eq!(
            builder.document().to_xml().unwrap(),
            expected,
            "cut at {cut}"
        );
        let first = builder.reset_with(Document::new());
        builder.feed(source).unwrap();
        assert_eq!(
            builder.finish().unwrap().to_xml().unwrap(),
            first.to_xml().unwrap()
        );
    }
}

fn sections_stay_sections_in_copies_and_edits() {
    let builder = TreeBuilder::new(Xml::default())
        .keep_cdata(true)
        .positions(true);
    let source = "<a><b>1<![CDATA[<2>]]></b></a>";
    let mut document = built(builder, source.as_bytes(), 3);
    let b = document
        .root()
        .descendants()
        .find(|node| node.has_name("b"))
        .unwrap()
        .id();
    let section = document.node(b).unwrap().last_child().unwrap();
    let span = section.span().unwrap();
    assert_eq!(&source[span.start as usize..span.end as usize], "<2>");
    let section = section.id();

    let copy = TreeSink::clone_subtree(&mut document, b);
    assert_eq!(
        document.node(copy).unwrap().to_xml().unwrap(),
        "<b>1<![CDATA[<2>]]></b>"
    );
    document.set_text(section, "3 & 4").unwrap();
    document.append_text(b, "5").unwrap();
    assert_eq!(
        document.node(b).unwrap().to_xml().unwrap(),
        "<b>1<![CDATA[3 & 4]]>5</b>"
    );
    assert_eq!(
        document.node(b).unwrap().to_html(),
        "<b>1&lt;3 &amp; 4&gt;5</b>"
            .replace("&lt;3", "3")
            .replace("4&gt;", "4")
    );
    document.compact();
    document.shrink_to_fit();
    assert_eq!(
        document.to_xml().unwrap(),
        "<a><b>1<![CDATA[3 & 4]]>5</b></a>"
    );

    let mut other = Document::parse(Xml::default(), "<c/>").unwrap();
    let c = other.root_element().unwrap().id();
    let a = document.root_element().unwrap();
    let a = other.import(a).unwrap();
    other.insert(a, Place::LastIn(c)).unwrap();
    assert_eq!(
        other.to_xml().unwrap(),
        "<c><a><b>1<![CDATA[3 & 4]]>5</b></a></c>"
    );

    let section = document
        .root()
        .descendants()
        .find(|node| node.is_cdata())
        .unwrap()
        .id();
    document.set_cdata(section, false).unwrap();
    assert_eq!(document.to_xml().unwrap(), "<a><b>13 &amp; 45</b></a>");
    let a = document.root_element().unwrap().id();
    assert_eq!(document.set_cdata(a, true), Err(EditError::NoData));
    // The text of an element can be replaced in its only child.
    let mut document = built(
        TreeBuilder::new(Xml::default()).keep_cdata(true),
        b"<a><![CDATA[1]]></a>",
        9,
    );
    let a = document.root_element().unwrap().id();
    document.set_text(a, "<2>").unwrap();
    assert_eq!(document.to_xml().unwrap(), "<a><![CDATA[<2>]]></a>");
}

fn any_text_can_be_written_as_sections() {
    let cases = [
        ("", "<a></a>", "<a></a>"),
        ("a]]>b", "<a><![CDATA[a]]]]><![CDATA[>b]]></a>", ""),
        (
            "]]>]]>",
            "<a><![CDATA[]]]]><![CDATA[>]]]]><![CDATA[>]]></a>",
            "",
        ),
        ("]]]>", "<a><![CDATA[]]]]]><![CDATA[>]]></a>", ""),
        ("\r", "<a>&#13;</a>", ""),
        (
            "a\r\rb]]\r>",
            "<a><![CDATA[a]]>&#13;&#13;<![CDATA[b]]]]>&#13;<![CDATA[>]]></a>",
            "",
        ),
        (
            "\u{85}\u{2028}x",
            "<a><![CDATA[\u{85}\u{2028}x]]></a>",
            "<a>&#133;&#8232;<![CDATA[x]]></a>",
        ),
        ("x\u{1}", "", "<a><![CDATA[x]]>&#1;</a>"),
        (" ", "<a><![CDATA[ ]]></a>", ""),
        ("\u{fffe}", "", "refused"),
    ];
    for (text, xml10, xml11) in cases {
        for (version, expected) in [("", xml10), ("<?xml version=\"1.1\"?>", xml11)] {
            if !version.is_empty() && xml11.is_empty() {
                continue;
            }
            let mut document =
                Document::parse(Xml::default(), format!("{version}<a>.</a>")).unwrap();
            let node = document
                .root()
                .descendants()
                .find(|node| node.is_text())
                .unwrap()
                .id();
            document.set_text(node, text).unwrap();
            document.set_cdata(node, true).unwrap();
            let Ok(written) = document.to_xml() else {
                assert!(["", "refused"].contains(&expected), "{text:?}");
                continue;
            };
            assert_eq!(written, format!("{version}{expected}"), "{text:?}");
            if text.is_empty() {
                continue;
            }
            let read = Document::parse(Xml::strict(), &*written).unwrap();
            assert_eq!(read.root().text_content(), text);
            let kept = built(
                TreeBuilder::new(Xml::strict()).keep_cdata(true),
                written.as_bytes(),
                1,
            );
            assert_eq!(kept.to_xml().unwrap(), written, "{text:?}");
            let inner = Serializer::xml()
                .inner(true)
                .to_string(read.root_element().unwrap());
            assert!(inner.is_ok(), "{text:?}");
        }
    }
    let (mut document, long) = (
        Document::parse(Xml::default(), "<a>.</a>").unwrap(),
        "]]>\r".repeat(100_000),
    );
    let text = document
        .root()
        .descendants()
        .find(|node| node.is_text())
        .unwrap()
        .id();
    document.set_text(text, &long).unwrap();
    document.set_cdata(text, true).unwrap();
    let read = Document::parse(Xml::strict(), document.to_xml().unwrap()).unwrap();
    assert_eq!(read.root().text_content(), long);
    // Whitespace in a section is text, so that no line is inserted beside it.
    let document = built(
        TreeBuilder::new(Xml::strict()).keep_cdata(true),
        b"<a><![CDATA[ ]]><b/></a>",
        1,
    );
    let indented = Serializer::xml()
        .indent("  ")
        .to_string(document.root())
        .unwrap();
    assert_eq!(indented, "<a><![CDATA[ ]]><b/></a>");
    let text = document
        .root()
        .descendants()
        .find(|node| node.is_text())
        .unwrap();
    assert_eq!(text.to_xml().unwrap(), "<![CDATA[ ]]>");
    let inner = Serializer::xml()
        .inner(true)
        .to_string(document.root_element().unwrap());
    assert_eq!(inner.unwrap(), "<![CDATA[ ]]><b/>");
    // Outside the root element, there are no sections.
    let mut document = Document::parse(Xml::strict(), "<a/>").unwrap();
    let space = document.new_text("\n").unwrap();
    document
        .insert(space, Place::LastIn(document.root().id()))
        .unwrap();
    document.set_cdata(space, true).unwrap();
    assert_eq!(document.to_xml().unwrap(), "<a/>\n");
}

/// Documents, and their internal subsets.
const SUBSETS: &[(&str, Option<&str>)] = &[
    ("<!DOCTYPE a><a/>", None),
    ("<!DOCTYPE a []><a/>", Some("")),
    (
        "<!DOCTYPE a[ <!ENTITY b 'é]>'> \r\n <?p ]>?>\r<!--]>--> ]  ><a>&b;</a>",
        Some(" <!ENTITY b 'é]>'> \n <?p ]>?>\n<!--]>--> "),
    ),
    (
        "<!DOCTYPE a SYSTEM 'a.dtd' [<!ATTLIST a b CDATA 'c' d NMTOKEN #IMPLIED>]><a d=' e '/>",
        Some("<!ATTLIST a b CDATA 'c' d NMTOKEN #IMPLIED>"),
    ),
    (
        "<!DOCTYPE a [<!ENTITY % p '<!ENTITY b \"]\">'>%p;<!NOTATION n SYSTEM 'n'>]><a>&b;</a>",
        Some("<!ENTITY % p '<!ENTITY b \"]\">'>%p;<!NOTATION n SYSTEM 'n'>"),
    ),
    (
        "<!DOCTYPE a [<!ENTITY % p SYSTEM 'p'> %p; <!ELEMENT a ANY>]><a/>",
        Some("<!ENTITY % p SYSTEM 'p'> %p; <!ELEMENT a ANY>"),
    ),
    ("<a><!DOCTYPE b [<!ENTITY c 'd'>]></a>", None),
    (
        "<!DOCTYPE a []><!DOCTYPE b [<!ENTITY c 'd'>]><a/>",
        Some(""),
    ),
    ("<!DOCTYPE a [<!ENTITY", None),
];

fn the_internal_subset_is_kept_for_all_chunks() {
    let xml = Xml::default().internal_subset(true);
    for (source, expected) in SUBSETS {
        let utf16: Vec<u8> = "\u{feff}"
            .encode_utf16()
            .chain(source.encode_utf16())
            .flat_map(u16::to_be_bytes)
            .collect();
        for input in [source.as_bytes(), &utf16] {
            for chunk in 1..=input.len() {
                let document = built(TreeBuilder::new(xml.clone()), input, chunk);
                assert_eq!(
                    document.internal_subset(),
                    *expected,
                    "{source:?}, chunks of {chunk}"
                );
                let Ok(written) = document.to_xml() else {
                    continue;
                };
                let again =
                    Document::parse(Xml::strict().internal_subset(true), &*written).unwrap();
                assert_eq!(again.to_xml().unwrap(), written);
                if expected.is_some_and(|subset| !subset.is_empty()) {
                    assert_eq!(again.internal_subset(), *expected);
                }
            }
        }
        for cut in 0..=source.len() {
            let mut builder = TreeBuilder::new(xml.clone());
            builder.feed(&source.as_bytes()[..cut]).unwrap();
            let saved = builder.checkpoint();
            let mut builder = TreeBuilder::restore(xml.clone(), &saved).unwrap();
            builder.feed(&source.as_bytes()[cut..]).unwrap();
            let document = builder.finish().unwrap();
            assert_eq!(
                document.internal_subset(),
                *expected,
                "{source:?}, cut at {cut}"
            );
            let whole = Document::parse(xml.clone(), *source).unwrap();
            assert_eq!(
                document.to_xml().ok(),
                whole.to_xml().ok(),
                "{source:?}, cut at {cut}"
            );
        }
        let usual = Document::parse(Xml::default(), *source).unwrap();
        assert_eq!(usual.internal_subset(), None);
    }
}

fn a_bad_subset_is_refused_or_left_out() {
    let cases = [
        "<!DOCTYPE a [<!ENTITY b>]><a/>",
        "<!DOCTYPE a [<!ATTLIST a b CDATA '&c;'>]><a/>",
        "<!DOCTYPE a [x]><a/>",
        "<!DOCTYPE a [<!ATTLIST a p:b CDATA ''>]><a/>",
        "<!DOCTYPE a [<!ATTLIST c xmlns:p CDATA ''>]><a><c/></a>",
        "<!DOCTYPE a [<!ENTITY % p 'x'>%p;]><a/>",
    ];
    for source in cases {
        let document = Document::parse(Xml::default().internal_subset(true), source).unwrap();
        assert!(document.internal_subset().is_some(), "{source}");
        assert!(
            matches!(document.to_xml(), Err(WriteError::Refused(_))),
            "{source}"
        );
        let coerced = Serializer::xml()
            .coerce(true)
            .to_string(document.root())
            .unwrap();
        assert!(
            Document::parse(Xml::strict(), &*coerced).is_ok(),
            "{source}: {coerced}"
        );
    }
    // The text itself is well-formed, but an element that was added has a default value without a namespace.
    let source = "<!DOCTYPE a [<!ATTLIST c p:b CDATA ''>]><a/>";
    let mut document = Document::parse(Xml::strict().internal_subset(true), source).unwrap();
    assert_eq!(document.to_xml().unwrap(), source);
    let a = document.root_element().unwrap().id();
    let c = document.new_element("c").unwrap();
    document.insert(c, Place::LastIn(a)).unwrap();
    let Err(WriteError::Refused(refusal)) = document.to_xml() else {
        panic!()
    };
    assert_eq!(refusal.as_str(), "internal-subset");
}

fn a_long_subset_is_kept_or_exceeds_the_limit() {
    let subset = "<!ENTITY a '\r'> <?p?> ".repeat(10_000);
    let source = format!("<!DOCTYPE a [{subset}]><a/>");
    for chunk in [100, 5_000, source.len()] {
        let builder = TreeBuilder::new(Xml::default().internal_subset(true));
        let document = built(builder, source.as_bytes(), chunk);
        assert_eq!(
            document.internal_subset(),
            Some(&*subset.replace('\r', "\n"))
        );
        let builder = TreeBuilder::new(Xml::default().internal_subset(true));
        let mut builder = builder.limits(Limits::default().memory(100_000));
        let mut chunks = source.as_bytes().chunks(chunk);
        let error = chunks.find_map(|chunk| builder.feed(chunk).err()).unwrap();
        assert_eq!(error.limit(), Some(Limit::Memory), "{error}");
    }
}

fn an_event_has_the_internal_subset() {
    let source = "<!DOCTYPE a [<!NOTATION n SYSTEM 'n'>]><a/>";
    let mut events = Events::of(Xml::strict().internal_subset(true), source);
    let Some(Event::Doctype(doctype)) = events.next_event().unwrap() else {
        panic!()
    };
    assert_eq!(doctype.internal_subset(), Some("<!NOTATION n SYSTEM 'n'>"));
    let owned = Event::Doctype(doctype).to_owned();
    let mut out = Writer::xml(String::new());
    out.event(&owned.event()).unwrap();
    out.start("a").unwrap().end().unwrap();
    assert_eq!(
        out.finish().unwrap(),
        "<!DOCTYPE a [<!NOTATION n SYSTEM \"n\">]><a/>"
    );
    // The text ends the document type, or comes from elsewhere than a parser.
    for (subset, source) in [
        ("]><?p ", "<!DOCTYPE a><?q?><a/>"),
        ("]><?p ", "<!DOCTYPE a []><?q?><a/>"),
        ("<?p?>", "<a/>"),
    ] {
        let xml = Xml::default().internal_subset(true);
        let mut document = Document::parse(xml, source).unwrap();
        document.set_internal_subset(subset);
        assert!(document.to_xml().is_err(), "{source}");
        document.remove_internal_subset();
        assert!(document.to_xml().is_ok());
    }
    let mut named = Xml::strict();
    named.set("internal_subset", "true").unwrap();
    assert_eq!(named, Xml::strict().internal_subset(true));
}
