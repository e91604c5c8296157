//! Trees that are coerced to XML.

use tagstream::Xml;
use tagstream::tree::{Document, NodeId, Serializer, TreeSink, namespaces};

use super::{attribute, attribute_ns, comment, element, element_in, instruction, with_root};
use testing::cases;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    cases!(
        program,
        "tree",
        xml_that_would_be_none_is_coerced,
        coerced_changes_are_counted,
    );
}

/// Each row has an edit of `<a/>`, the coerced output, and the reasons of the changes. A strict parser reads the output,
/// and a second coercion changes nothing.
fn xml_that_would_be_none_is_coerced() {
    type Edit = fn(&mut Document, NodeId);
    let cases: [(Edit, &str, &str); 21] = [
        (
            |d, a| attribute(d, a, "b\"", ""),
            "<a bU000022=\"\"/>",
            "name",
        ),
        (
            |d, a| attribute(d, a, "1b", ""),
            "<a U000031b=\"\"/>",
            "name",
        ),
        (
            |d, a| _ = element(d, a, "b:\u{1F600}<"),
            "<a><bU00003A😀U00003C/></a>",
            "name",
        ),
        (|d, a| _ = element(d, a, ""), "<a><_/></a>", "name"),
        (
            |d, a| attribute(d, a, "b", "x\u{FFFE}\u{1}\0y\u{FDD0}"),
            "<a b=\"xy\u{FDD0}\"/>",
            "character",
        ),
        (
            |d, a| _ = comment(d, a, "---"),
            "<a><!--- - - --></a>",
            "comment",
        ),
        (
            |d, a| _ = comment(d, a, "\u{1}b\r-"),
            "<a><!--b\n- --></a>",
            "comment",
        ),
        (
            |d, a| _ = instruction(d, a, "b", " c?>?>"),
            "<a><?b c? >? >?></a>",
            "processing-instruction",
        ),
        (
            |d, a| _ = instruction(d, a, "XML", ""),
            "<a><?U000058ML?></a>",
            "processing-instruction",
        ),
        (
            |d, a| _ = instruction(d, a, "p:q", ""),
            "<a><?pU00003Aq?></a>",
            "processing-instruction",
        ),
        (
            // The same prefix is used for two namespaces.
            |d, a| {
                attribute_ns(d, a, "p:b", "u", "1");
                attribute_ns(d, a, "p:c", "v", "2");
            },
            "<a p:b=\"1\" pU00003Ac=\"2\" xmlns:p=\"u\"/>",
            "name",
        ),
        (
            // The names of both attributes are coerced to the same name.
            |d, a| {
                attribute(d, a, "b<", "1");
                attribute(d, a, "bU00003C", "2");
            },
            "<a bU00003C=\"1\"/>",
            "name duplicate",
        ),
        (
            |d, a| attribute_ns(d, a, "xmlns", namespaces::XMLNS, "u"),
            "<a/>",
            "contradiction",
        ),
        (
            |d, a| attribute_ns(d, a, "xmlns:p", namespaces::XMLNS, ""),
            "<a/>",
            "reserved",
        ),
        (
            |d, a| _ = element_in(d, a, "xml:b", "u"),
            "<a><xmlU00003Ab xmlns=\"u\"/></a>",
            "name",
        ),
        (
            |d, a| _ = element_in(d, a, "b", namespaces::XMLNS),
            "<a><b/></a>",
            "reserved",
        ),
        (
            // The name of a namespace is coerced in all names and in its declaration.
            |d, a| {
                let b = element_in(d, a, "p:b", "u\u{1}");
                attribute_ns(d, b, "xmlns:p", namespaces::XMLNS, "u\u{1}");
                attribute_ns(d, b, "p:c", "u\u{1}", "");
            },
            "<a><p:b xmlns:p=\"u\" p:c=\"\"/></a>",
            "character character character",
        ),
        (
            |d, _| {
                let root = d.document();
                TreeSink::append_text(d, root, "text");
            },
            "<a/>",
            "outside-root",
        ),
        (
            |d, a| {
                let root = d.document();
                d.remove(a);
                d.set_doctype("", Some("é  p\n"), Some("'\""));
                element(d, root, "a");
            },
            "<!DOCTYPE _ PUBLIC \"p\" \"'%22\"><a/>",
            "name identifier identifier",
        ),
        (
            |d, _| d.set_doctype("a", None, Some("s")),
            "<a/>",
            "doctype",
        ),
        (
            |d, a| {
                let root = d.document();
                d.remove(a);
                d.set_doctype("a", None, Some("s"));
                d.add_notation("n:", None, Some("t"));
                d.add_notation("m", None, None);
                let a = element(d, root, "a");
                attribute_ns(d, a, "xml:lang", namespaces::XML, "");
            },
            "<!DOCTYPE a SYSTEM \"s\" [<!NOTATION nU00003A SYSTEM \"t\">]><a xml:lang=\"\"/>",
            "name identifier",
        ),
    ];
    for (edit, expected, reasons) in cases {
        let (mut document, a) = with_root("a");
        edit(&mut document, a);
        let mut xml = String::new();
        let serializer = Serializer::xml();
        let changes = serializer.write_coerced(document.root(), &mut xml).unwrap();
        assert_eq!(xml, expected);
        let found: Vec<_> = changes.first().iter().map(|one| one.as_str()).collect();
        assert_eq!(found.join(" "), reasons, "{xml}");
        let again = Document::parse(Xml::strict(), &*xml).unwrap();
        assert_eq!(again.to_xml().unwrap(), xml);
        let second = serializer.coerce(true).to_string(again.root());
        assert_eq!(second.unwrap(), xml);
    }
    let (mut document, _) = with_root("a");
    let root = document.document();
    element(&mut document, root, "b");
    let coerced = |document: &Document| {
        let written = Serializer::xml().coerce(true).to_string(document.root());
        written.unwrap_err().to_string()
    };
    assert_eq!(
        coerced(&document),
        "a document can have only one root element: `b`"
    );
    assert_eq!(
        coerced(&Document::new()),
        "the document has no root element"
    );
}

fn coerced_changes_are_counted() {
    let (mut document, a) = with_root("a");
    let comments: Vec<_> = (0..150).map(|_| comment(&mut document, a, "--")).collect();
    let mut xml = String::new();
    let changes = Serializer::xml().write_coerced(document.root(), &mut xml);
    let changes = changes.unwrap();
    assert_eq!((changes.first().len(), changes.count()), (100, 150));
    let nodes: Vec<_> = changes.first().iter().map(|one| one.node()).collect();
    assert_eq!(nodes, comments[..100]);
    assert_eq!(
        changes.first()[0].to_string(),
        "a comment cannot contain this: `--`, written as `- - `"
    );
}
