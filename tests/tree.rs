//! Trees through the public interface: built by `TreeSink`, walked, changed, written in every form. Nothing here
//! parses.

use std::fmt::Write as _;

use tagstream::tree::{
    Document, Edge, Html5libStyle, Node, NodeId, NodeKind, QualifiedName, QuirksMode, TreeSink,
    XmlVersion, namespaces,
};

fn assert_is_shareable<T: Send + Sync + Clone>() {}

fn element(document: &mut Document, parent: NodeId, name: &str) -> NodeId {
    let element = document.create_element(QualifiedName::new(name));
    document.append(parent, element);
    element
}

/// An element in a namespace; its prefix, if any, ends at the first colon.
fn element_in(document: &mut Document, parent: NodeId, name: &str, namespace: &str) -> NodeId {
    let namespace = document.namespace(namespace);
    let element = document.create_element(QualifiedName::prefixed(name, Some(namespace)));
    document.append(parent, element);
    element
}

fn attribute(document: &mut Document, element: NodeId, name: &str, value: &str) {
    document.add_attribute(element, QualifiedName::new(name), value);
}

fn attribute_in(
    document: &mut Document,
    element: NodeId,
    name: &str,
    namespace: &str,
    value: &str,
) {
    let namespace = document.namespace(namespace);
    document.add_attribute(
        element,
        QualifiedName::prefixed(name, Some(namespace)),
        value,
    );
}

fn comment(document: &mut Document, parent: NodeId, data: &str) -> NodeId {
    let comment = document.create_comment(data);
    document.append(parent, comment);
    comment
}

fn instruction(document: &mut Document, parent: NodeId, target: &str, data: &str) -> NodeId {
    let instruction = document.create_processing_instruction(target, data);
    document.append(parent, instruction);
    instruction
}

fn names(nodes: impl Iterator<Item = impl AsName>) -> String {
    nodes
        .map(|node| node.as_name())
        .collect::<Vec<_>>()
        .join(" ")
}

/// A node as a word: its name, or its data.
trait AsName {
    fn as_name(&self) -> String;
}

impl AsName for Node<'_> {
    fn as_name(&self) -> String {
        match self.kind() {
            NodeKind::Document => "#document".into(),
            NodeKind::DocumentFragment => "#fragment".into(),
            NodeKind::Text | NodeKind::Comment => self.text().into(),
            _ => self.name().into(),
        }
    }
}

/// `<a><b>x<c/></b><!--y--><d><?e f?></d></a>`
fn sample() -> (Document, [NodeId; 4]) {
    let mut document = Document::new();
    let root = document.document();
    let a = element(&mut document, root, "a");
    let b = element(&mut document, a, "b");
    document.append_text(b, "x");
    let c = element(&mut document, b, "c");
    comment(&mut document, a, "y");
    let d = element(&mut document, a, "d");
    instruction(&mut document, d, "e", "f");
    (document, [a, b, c, d])
}

/// A document and its root element.
fn with_root(name: &str) -> (Document, NodeId) {
    let mut document = Document::new();
    let root = document.document();
    let root = element(&mut document, root, name);
    (document, root)
}

#[test]
fn documents_can_be_shared_sent_and_cloned() {
    assert_is_shareable::<Document>();
    assert_is_shareable::<Node<'_>>();
}

#[test]
fn a_node_knows_what_it_is() {
    let mut document = Document::new();
    let root = document.document();
    let doctype = document.create_doctype("html", Some("p"), None);
    document.append(root, doctype);
    let svg = element_in(&mut document, root, "s:svg", namespaces::SVG);
    attribute_in(&mut document, svg, "xlink:href", namespaces::XLINK, "#x");
    attribute(&mut document, svg, "id", "7");
    document.append_text(svg, "text");
    instruction(&mut document, svg, "target", "data");

    let node = document.root_element().unwrap();
    assert_eq!(document.node(svg), Some(node));
    assert_eq!(
        (node.kind(), node.is_element(), node.is_text()),
        (NodeKind::Element, true, false)
    );
    assert_eq!(
        (node.name(), node.local_name(), node.prefix()),
        ("s:svg", "svg", Some("s"))
    );
    assert_eq!((node.namespace(), node.text()), (Some(namespaces::SVG), ""));
    assert_eq!(
        (node.attribute("xlink:href"), node.attribute("href")),
        (Some("#x"), None)
    );
    assert_eq!(node.attribute_in(namespaces::XLINK, "href"), Some("#x"));
    assert_eq!(node.attribute_in(namespaces::XLINK, "id"), None);
    let href = node.attributes().next().unwrap();
    assert_eq!(
        (href.name(), href.local_name(), href.prefix()),
        ("xlink:href", "href", Some("xlink"))
    );
    assert_eq!(
        (href.namespace(), href.value()),
        (Some(namespaces::XLINK), "#x")
    );
    let all: Vec<_> = node
        .attributes()
        .map(|attribute| attribute.name())
        .collect();
    assert_eq!(all, ["xlink:href", "id"]);

    let text = node.first_child().unwrap();
    assert_eq!(
        (text.kind(), text.text(), text.name()),
        (NodeKind::Text, "text", "")
    );
    assert_eq!(text.attributes().count(), 0);
    let instruction = node.last_child().unwrap();
    assert_eq!(instruction.kind(), NodeKind::ProcessingInstruction);
    assert_eq!((instruction.name(), instruction.text()), ("target", "data"));

    let doctype = document.root().first_child().unwrap();
    assert_eq!(
        (doctype.kind(), doctype.name()),
        (NodeKind::Doctype, "html")
    );
    let doctype = document.doctype().unwrap();
    assert_eq!(
        (doctype.public_id(), doctype.system_id()),
        (Some("p"), None)
    );
    assert_eq!(document.quirks_mode(), QuirksMode::NoQuirks);
}

#[test]
fn names_differ_by_prefix_and_namespace_too() {
    let (mut document, root) = with_root("a:b");
    let one = element_in(&mut document, root, "a:b", "n");
    let namespace = document.namespace("n");
    let two = document.create_element(QualifiedName::unprefixed("a:b", Some(namespace)));
    document.append(root, two);
    let parts = |id| {
        let node = document.node(id).unwrap();
        (
            node.name(),
            node.local_name(),
            node.prefix(),
            node.namespace(),
        )
    };
    assert_eq!(parts(root), ("a:b", "a:b", None, None));
    assert_eq!(parts(one), ("a:b", "b", Some("a"), Some("n")));
    assert_eq!(parts(two), ("a:b", "a:b", None, Some("n")));
}

#[test]
fn walks() {
    let (document, [_, b, c, d]) = sample();
    let root = document.root();
    let a = document.root_element().unwrap();
    assert_eq!(names(root.descendants()), "a b x c y d e");
    assert_eq!(names(a.descendants()), "b x c y d e");
    assert_eq!(names(document.node(b).unwrap().descendants()), "x c");
    assert_eq!(names(document.node(c).unwrap().descendants()), "");
    assert_eq!(names(a.children()), "b y d");
    assert_eq!(names(a.children().rev()), "d y b");
    let mut children = a.children();
    assert_eq!(children.next().unwrap().name(), "b");
    assert_eq!(children.next_back().unwrap().name(), "d");
    assert_eq!(children.next_back().unwrap().text(), "y");
    assert_eq!((children.next(), children.next_back()), (None, None));
    assert_eq!(
        names(document.node(c).unwrap().ancestors()),
        "b a #document"
    );
    let d = document.node(d).unwrap();
    assert_eq!(
        d.previous_sibling()
            .unwrap()
            .previous_sibling()
            .unwrap()
            .id(),
        b
    );
    assert_eq!((d.next_sibling(), d.parent()), (None, Some(a)));
    assert_eq!(
        (a.text_content(), root.text_content()),
        ("x".into(), "x".into())
    );
    let mut edges = String::new();
    for edge in document.node(b).unwrap().edges() {
        match edge {
            Edge::Open(node) => write!(edges, "({}", node.as_name()).unwrap(),
            Edge::Close(_) => edges.push(')'),
        }
    }
    assert_eq!(edges, "(b(x)(c))");
}

#[test]
fn a_document_is_readable_while_it_grows() {
    let (mut document, root) = with_root("log");
    for line in 1..=3 {
        let entry = element(&mut document, root, "entry");
        document.append_text(entry, &line.to_string());
        let last = document.root_element().unwrap().last_child().unwrap();
        assert_eq!(last.text_content(), line.to_string());
    }
    assert_eq!(document.node_count(), 1 + 1 + 6);
}

#[test]
fn text_joins_its_neighbour_of_the_same_place_only() {
    let (mut document, root) = with_root("a");
    document.append_text(root, "1");
    document.append_text(root, "2");
    document.append_text(root, "");
    let b = element(&mut document, root, "b");
    document.insert_text_before(b, "3");
    document.append_text(b, "4");
    document.append_text(root, "5");
    comment(&mut document, root, "c");
    let d = element(&mut document, root, "d");
    document.insert_text_before(d, "6");
    document.insert_text_before(d, "");
    document.insert_text_before(d, "7");
    assert_eq!(document.to_xml(), "<a>123<b>4</b>5<!--c-->67<d/></a>");
    assert_eq!(document.root_element().unwrap().children().count(), 6);
    document.append_text(root, "");
    assert_eq!(document.root_element().unwrap().children().count(), 6);
}

#[test]
fn small_appends_in_any_order_cost_memory_in_proportion() {
    let (mut document, root) = with_root("a");
    let elements: Vec<_> = (0..100)
        .map(|_| element(&mut document, root, "b"))
        .collect();
    for _ in 0..10_000 {
        for element in &elements {
            document.append_text(*element, "x");
        }
    }
    let root = document.root_element().unwrap();
    assert_eq!(root.text_content().len(), 1_000_000);
    assert!(
        root.children()
            .all(|element| element.text_content().len() == 10_000)
    );
    assert!(document.heap_size() < 3_000_000, "{}", document.heap_size());
}

#[test]
fn nodes_of_a_large_document_are_small() {
    let (mut document, root) = with_root("a");
    for _ in 0..1 << 16 {
        let row = element(&mut document, root, "row");
        attribute(&mut document, row, "id", "1");
        document.append_text(row, "2");
    }
    // Two nodes of 32 bytes, an attribute of 16, two bytes of text: and what growth has in reserve.
    assert!(document.heap_size() < (1 << 16) * (2 * 32 + 16 + 2) * 2 + 4096);
}

#[test]
fn nodes_move() {
    let (mut document, [a, b, c, d]) = sample();
    document.insert_before(b, d);
    assert_eq!(
        document.to_xml(),
        "<a><d><?e f?></d><b>x<c/></b><!--y--></a>"
    );
    document.move_children(b, d);
    assert_eq!(document.to_xml(), "<a><d><?e f?>x<c/></d><b/><!--y--></a>");
    document.move_children(b, a);
    document.move_children(d, b);
    assert_eq!(document.to_xml(), "<a><d/><b><?e f?>x<c/></b><!--y--></a>");
    document.remove(c);
    assert_eq!(TreeSink::parent(&document, c), None);
    document.remove(c);
    document.append(a, c);
    document.remove(b);
    assert_eq!(document.to_xml(), "<a><d/><!--y--><c/></a>");
    assert_eq!(
        names(document.root_element().unwrap().children().rev()),
        "c y d"
    );
    assert_eq!(document.node(b).unwrap().to_xml(), "<b><?e f?>x</b>");
    document.append(a, d);
    document.insert_before(c, b);
    assert_eq!(document.to_xml(), "<a><!--y--><b><?e f?>x</b><c/><d/></a>");
    assert_eq!(TreeSink::parent(&document, d), Some(a));
}

#[test]
fn what_would_break_the_tree_does_nothing() {
    let (mut document, [a, b, c, d]) = sample();
    let before = document.to_outline();
    let root = document.document();
    let text = document.node(b).unwrap().first_child().unwrap().id();
    document.append(c, a);
    document.append(a, a);
    document.append(c, root);
    document.append(text, d);
    document.append_text(text, "z");
    document.insert_before(c, b);
    document.insert_before(b, b);
    document.insert_before(root, b);
    document.insert_text_before(root, "z");
    document.move_children(a, c);
    document.move_children(a, a);
    document.move_children(a, text);
    attribute(&mut document, text, "a", "b");
    let contents = document.template_contents(b);
    document.append(contents, a);
    document.append(a, contents);
    assert_eq!(
        document.to_outline(),
        before.replacen("    \"x\"", "    content\n    \"x\"", 1)
    );
    let fragment = document.create_fragment();
    document.append(fragment, b);
    assert_eq!(document.to_xml(), "<a><!--y--><d><?e f?></d></a>");
}

#[test]
fn missing_attributes_are_added() {
    let (mut document, html) = with_root("html");
    let namespace = document.namespace("n");
    attribute(&mut document, html, "a", "1");
    let other = element(&mut document, html, "other");
    attribute(&mut document, other, "b", "other");
    for (name, value) in [("a", "2"), ("b", "2"), ("b", "3")] {
        document.add_missing_attribute(html, QualifiedName::new(name), value);
    }
    attribute(&mut document, html, "c", "4");
    document.add_missing_attribute(html, QualifiedName::new("c"), "5");
    document.add_missing_attribute(html, QualifiedName::unprefixed("a", Some(namespace)), "6");
    document.add_missing_attribute(other, QualifiedName::new("a"), "7");
    let html = document.node(html).unwrap();
    let all: Vec<_> = html
        .attributes()
        .map(|attribute| format!("{attribute:?}"))
        .collect();
    assert_eq!(all, ["a=\"1\"", "b=\"2\"", "c=\"4\"", "a=\"6\""]);
    assert_eq!(html.first_child().unwrap().attribute("a"), Some("7"));
}

#[test]
fn copies_are_of_their_own() {
    let (mut document, [a, b, ..]) = sample();
    attribute(&mut document, b, "k", "v");
    attribute(&mut document, b, "l", "w");
    let contents = document.template_contents(b);
    assert_eq!(document.template_contents(b), contents);
    let inner = element(&mut document, contents, "inner");
    let deeper = document.template_contents(inner);
    document.append_text(deeper, "t");
    comment(&mut document, contents, "last");

    let written = r#"<b k="v" l="w"><inner>t</inner><!--last-->x<c/></b>"#;
    let copy = document.clone_subtree(b);
    assert_eq!(TreeSink::parent(&document, copy), None);
    assert_eq!(document.node(copy).unwrap().to_xml(), written);
    let original = document.node(b).unwrap().to_outline();
    assert_eq!(document.node(copy).unwrap().to_outline(), original);

    document.append(a, copy);
    attribute(&mut document, copy, "m", "x");
    let text = document
        .node(copy)
        .unwrap()
        .first_child()
        .unwrap()
        .next_sibling()
        .unwrap()
        .id();
    document.insert_text_before(text, "yz");
    let contents = document.template_contents(copy);
    element(&mut document, contents, "more");
    assert_eq!(document.node(b).unwrap().to_outline(), original);
    assert_eq!(
        document.node(copy).unwrap().to_xml(),
        r#"<b k="v" l="w" m="x"><inner>t</inner><!--last--><more/>xyz<c/></b>"#
    );

    let shallow = document.clone_element(b);
    assert_eq!(
        document.node(shallow).unwrap().to_xml(),
        r#"<b k="v" l="w"/>"#
    );

    let whole = document.clone_subtree(document.document());
    let whole = document.node(whole).unwrap();
    assert_eq!(whole.kind(), NodeKind::DocumentFragment);
    assert_eq!(whole.to_xml(), document.to_xml());

    let mut clone = document.clone();
    clone.append_text(a, "only here");
    assert_eq!(
        clone.to_xml().len(),
        document.to_xml().len() + "only here".len()
    );
}

#[test]
fn a_copy_of_a_copy_with_text_of_its_own_grows_apart() {
    let (mut document, root) = with_root("a");
    document.append_text(root, "1");
    element(&mut document, root, "b");
    let text = document.node(root).unwrap().first_child().unwrap().id();
    let b = document.node(root).unwrap().last_child().unwrap().id();
    document.append_text(b, "other");
    // No longer the last: it moves to a string of its own.
    document.insert_text_before(b, "2");
    let copy = document.clone_subtree(text);
    document.insert_before(text, copy);
    document.insert_text_before(text, "3");
    assert_eq!(document.to_xml(), "<a>12312<b>other</b></a>");
}

#[test]
fn xml_escapes_what_would_be_read_otherwise() {
    let (mut document, a) = with_root("a");
    attribute(&mut document, a, "b", "&<>\"'\t\n\r é");
    document.append_text(a, "&<>\"'\t\n\r é]]>");
    comment(&mut document, a, "&--<-->");
    instruction(&mut document, a, "t", "");
    instruction(&mut document, a, "t", "&?>");
    assert_eq!(
        document.to_xml(),
        "<a b=\"&amp;&lt;&gt;&quot;'&#9;&#10;&#13; é\">&amp;&lt;&gt;\"'\t\n&#13; é]]&gt;\
         <!--&--<-- >--><?t?><?t &? >?></a>"
    );
    document.append_text(a, "\u{1}\u{85}\u{2028}");
    assert!(document.to_xml().ends_with("\u{1}\u{85}\u{2028}</a>"));
    document.set_xml_version(XmlVersion::Xml11);
    let xml = document.to_xml();
    assert!(xml.starts_with("<?xml version=\"1.1\"?><a b="));
    assert!(xml.ends_with("&#1;&#133;&#8232;</a>"), "{xml}");
    assert!(
        document
            .root_element()
            .unwrap()
            .to_xml()
            .starts_with("<a b=")
    );
}

#[test]
fn xml_has_the_doctype_in_its_place() {
    let cases = [
        (None, None, "<!DOCTYPE a>"),
        (Some("p"), Some("s"), "<!DOCTYPE a PUBLIC \"p\" \"s\">"),
        (None, Some("s"), "<!DOCTYPE a SYSTEM \"s\">"),
        (Some("p"), None, "<!DOCTYPE a PUBLIC \"p\" \"\">"),
        (
            Some("it's"),
            Some("a\"b"),
            "<!DOCTYPE a PUBLIC \"it's\" 'a\"b'>",
        ),
        (None, Some("a\"b'c"), "<!DOCTYPE a SYSTEM \"a%22b'c\">"),
    ];
    for (public_id, system_id, expected) in cases {
        let mut document = Document::new();
        let root = document.document();
        document.set_doctype("a", public_id, system_id);
        element(&mut document, root, "a");
        assert_eq!(document.to_xml(), format!("{expected}<a/>"));
        assert_eq!(document.doctype().unwrap().system_id(), system_id);

        let mut document = Document::new();
        let before = comment(&mut document, root, "x");
        document.set_doctype("a", public_id, system_id);
        comment(&mut document, root, "y");
        element(&mut document, root, "a");
        assert_eq!(document.to_xml(), format!("<!--x-->{expected}<!--y--><a/>"));
        document.remove(before);
        assert_eq!(document.to_xml(), format!("{expected}<!--y--><a/>"));

        let mut document = Document::new();
        let doctype = document.create_doctype("a", public_id, system_id);
        document.append(root, doctype);
        element(&mut document, root, "a");
        assert_eq!(document.to_xml(), format!("{expected}<a/>"));
    }
}

#[test]
fn xml_has_notations_and_instructions_of_the_doctype() {
    let mut document = Document::new();
    let root = document.document();
    document.set_doctype("a", None, Some("s"));
    document.add_notation("n", Some("p"), None);
    document.add_notation("m", None, Some("t"));
    document.add_doctype_instruction("pi", "data");
    element(&mut document, root, "a");
    assert_eq!(
        document.to_xml(),
        "<!DOCTYPE a SYSTEM \"s\" [<?pi data?><!NOTATION n PUBLIC \"p\"><!NOTATION m SYSTEM \"t\">]><a/>"
    );
}

#[test]
fn xml_adds_no_declaration_where_all_is_declared() {
    let mut document = Document::new();
    let root = document.document();
    let a = element_in(&mut document, root, "a", "n");
    attribute_in(&mut document, a, "xmlns", namespaces::XMLNS, "n");
    attribute_in(&mut document, a, "xmlns:p", namespaces::XMLNS, "o");
    attribute_in(&mut document, a, "xml:lang", namespaces::XML, "en");
    let b = element_in(&mut document, a, "p:b", "o");
    attribute_in(&mut document, b, "p:k", "o", "v");
    // A prefix that is bound to nothing: the whole is a name without namespace.
    element(&mut document, b, "q:c");
    let d = element(&mut document, b, "d");
    attribute_in(&mut document, d, "xmlns", namespaces::XMLNS, "");
    element(&mut document, d, "e");
    element_in(&mut document, a, "f", "n");
    assert_eq!(
        document.to_xml(),
        "<a xmlns=\"n\" xmlns:p=\"o\" xml:lang=\"en\"><p:b p:k=\"v\"><q:c/>\
         <d xmlns=\"\"><e/></d></p:b><f/></a>"
    );
    // Written alone, an element brings what it needs of the declarations above it.
    assert_eq!(
        document.node(b).unwrap().to_xml(),
        "<p:b p:k=\"v\" xmlns:p=\"o\"><q:c/><d xmlns=\"\"><e/></d></p:b>"
    );
}

#[test]
fn xml_adds_the_declarations_that_names_need() {
    let mut document = Document::new();
    let root = document.document();
    let html = element_in(&mut document, root, "html", namespaces::HTML);
    attribute(&mut document, html, "xmlns", "something else");
    let svg = element_in(&mut document, html, "svg", namespaces::SVG);
    attribute_in(&mut document, svg, "xlink:href", namespaces::XLINK, "x");
    element_in(&mut document, svg, "path", namespaces::SVG);
    element_in(&mut document, html, "p", namespaces::HTML);
    element(&mut document, html, "none");
    assert_eq!(
        document.to_xml(),
        "<html xmlns=\"http://www.w3.org/1999/xhtml\">\
         <svg xlink:href=\"x\" xmlns=\"http://www.w3.org/2000/svg\" \
         xmlns:xlink=\"http://www.w3.org/1999/xlink\"><path/></svg><p/><none xmlns=\"\"/></html>"
    );
}

#[test]
fn outline_has_a_node_a_line() {
    let mut document = Document::new();
    let root = document.document();
    comment(&mut document, root, "first");
    document.set_doctype("a", None, Some("s"));
    let a = element(&mut document, root, "a");
    attribute(&mut document, a, "b", "c\"\n");
    document.append_text(a, "one\ntwo\\\r\t\"");
    let template = element(&mut document, a, "template");
    let contents = document.template_contents(template);
    comment(&mut document, contents, "in\nside");
    instruction(&mut document, a, "t", "d");
    assert_eq!(
        document.to_outline(),
        r#"<!-- first -->
<!DOCTYPE a SYSTEM "s">
<a b="c\"\n">
  "one\ntwo\\\r\t\""
  <template>
    content
      <!-- in\nside -->
  <?t d?>
"#
    );
    assert_eq!(
        document.node(contents).unwrap().to_outline(),
        "<!-- in\\nside -->\n"
    );
}

#[test]
fn canonical_is_that_of_the_suite() {
    let mut document = Document::new();
    let root = document.document();
    instruction(&mut document, root, "before", "");
    document.set_doctype("doc", None, None);
    let doc = element(&mut document, root, "doc");
    attribute(&mut document, doc, "b", "&<>\"'\t\n\r\u{85}");
    attribute(&mut document, doc, "\u{10000}", "2");
    attribute(&mut document, doc, "\u{FFFD}", "1");
    attribute(&mut document, doc, "a:a", "é");
    document.append_text(doc, "&<>\"'\t\n\r\u{85}");
    comment(&mut document, doc, "not shown");
    element(&mut document, doc, "e");
    instruction(&mut document, root, "after", "x");
    let first = "<doc a:a=\"é\" b=\"&amp;&lt;&gt;&quot;'&#9;&#10;&#13;\u{85}\" \u{FFFD}=\"1\" \
                 \u{10000}=\"2\">&amp;&lt;&gt;&quot;'&#9;&#10;&#13;\u{85}<e></e></doc><?after x?>";
    assert_eq!(document.to_canonical(), format!("<?before ?>{first}"));

    document.add_doctype_instruction("within", "y");
    document.add_notation("n", Some("p"), Some("s"));
    document.add_notation("m", Some("p"), None);
    document.add_notation("l", None, Some("s"));
    let second = "<?before ?><?within y?><!DOCTYPE doc [\n<!NOTATION l SYSTEM 's'>\n\
                  <!NOTATION m PUBLIC 'p'>\n<!NOTATION n PUBLIC 'p' 's'>\n]>\n";
    assert_eq!(document.to_canonical(), format!("{second}{first}"));

    document.set_xml_version(XmlVersion::Xml11);
    let expected = format!("<?xml version=\"1.1\"?>{second}{first}").replace('\u{85}', "&#133;");
    assert_eq!(document.to_canonical(), expected);
}

#[test]
fn html5lib_in_the_style_of_html() {
    let mut document = Document::new();
    let root = document.document();
    let doctype = document.create_doctype("html", None, Some("s"));
    document.append(root, doctype);
    let html = element_in(&mut document, root, "html", namespaces::HTML);
    attribute(&mut document, html, "b:\u{FFFD}", "2");
    attribute(&mut document, html, "b:\u{10000}", "1");
    attribute(&mut document, html, "a", "\"\n");
    let svg = element_in(&mut document, html, "svg", namespaces::SVG);
    attribute_in(&mut document, svg, "xml:lang", namespaces::XML, "en");
    attribute_in(&mut document, svg, "xlink:href", namespaces::XLINK, "x");
    element_in(&mut document, svg, "mi", namespaces::MATHML);
    let template = element_in(&mut document, html, "template", namespaces::HTML);
    let contents = document.template_contents(template);
    document.append_text(contents, "in\nside");
    comment(&mut document, template, "out");
    instruction(&mut document, html, "t", "");
    let below = "| <svg svg>\n|   xlink href=\"x\"\n|   xml lang=\"en\"\n|   <math mi>\n\
                 | <template>\n|   content\n|     \"in\nside\"\n|   <!-- out -->\n| <?t ?>\n";
    assert_eq!(
        document
            .node(html)
            .unwrap()
            .to_html5lib(Html5libStyle::Html),
        below
    );
    let mut expected = String::from(
        "| <!DOCTYPE html \"\" \"s\">\n| <html>\n|   a=\"\"\n\"\n|   b:\u{10000}=\"1\"\n|   b:\u{FFFD}=\"2\"\n",
    );
    for line in below.lines() {
        writeln!(expected, "{}", line.replacen("| ", "|   ", 1)).unwrap();
    }
    assert_eq!(document.to_html5lib(Html5libStyle::Html), expected);
}

#[test]
fn html5lib_in_the_style_of_xml() {
    let mut document = Document::new();
    let root = document.document();
    document.set_doctype("not shown", None, None);
    let a = element_in(&mut document, root, "n:a", "www");
    attribute_in(&mut document, a, "n:x", "www", "1");
    attribute_in(&mut document, a, "xmlns:n", namespaces::XMLNS, "www");
    attribute(&mut document, a, "id", "3");
    element(&mut document, a, "m:b");
    assert_eq!(
        document.to_html5lib(Html5libStyle::Xml),
        "| <{www}n:a>\n|   id=\"3\"\n|   {http://www.w3.org/2000/xmlns/}xmlns:n=\"www\"\n\
         |   {www}n:x=\"1\"\n|   <m:b>\n"
    );
}

#[test]
fn html_by_the_standard() {
    let mut document = Document::new();
    let root = document.document();
    let doctype = document.create_doctype("html", Some("p"), Some("s"));
    document.append(root, doctype);
    let body = element_in(&mut document, root, "body", namespaces::HTML);
    attribute(&mut document, body, "a", "&<>\"'\u{A0}\n");
    document.append_text(body, "&<>\"'\u{A0}\n");
    let br = element_in(&mut document, body, "br", namespaces::HTML);
    document.append_text(br, "left out");
    element(&mut document, br, "too");
    element_in(&mut document, body, "br", namespaces::SVG);
    for name in ["script", "noscript", "p"] {
        let element = element_in(&mut document, body, name, namespaces::HTML);
        document.append_text(element, "<&");
    }
    let style = element_in(&mut document, body, "style", namespaces::SVG);
    document.append_text(style, "<");
    let template = element_in(&mut document, body, "template", namespaces::HTML);
    let contents = document.template_contents(template);
    let inner = element_in(&mut document, contents, "template", namespaces::HTML);
    document.template_contents(inner);
    comment(&mut document, contents, "in");
    comment(&mut document, template, "out");
    let svg = element_in(&mut document, body, "svg", namespaces::SVG);
    attribute_in(
        &mut document,
        svg,
        "xmlns",
        namespaces::XMLNS,
        namespaces::SVG,
    );
    attribute_in(
        &mut document,
        svg,
        "xmlns:xlink",
        namespaces::XMLNS,
        namespaces::XLINK,
    );
    attribute_in(&mut document, svg, "xlink:href", namespaces::XLINK, "x");
    instruction(&mut document, svg, "t", "d");

    let inner = "&amp;&lt;&gt;\"'&nbsp;\n<br><br></br><script><&</script>\
        <noscript>&lt;&amp;</noscript><p>&lt;&amp;</p><style>&lt;</style>\
        <template><template></template><!--in--></template>\
        <svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" \
        xlink:href=\"x\"><?t d?></svg>";
    let outer = format!("<body a=\"&amp;&lt;&gt;&quot;'&nbsp;\n\">{inner}</body>");
    assert_eq!(document.to_html(), format!("<!DOCTYPE html>{outer}"));
    let node = document.root_element().unwrap();
    assert_eq!(node.to_inner_html(), inner);
    assert_eq!(document.node(br).unwrap().to_html(), "<br>");
    assert_eq!(document.node(br).unwrap().to_inner_html(), "");
    let template = document.node(template).unwrap();
    assert_eq!(template.to_inner_html(), "<template></template><!--in-->");

    document.set_scripting(true);
    assert!(document.to_html().contains("<noscript><&</noscript>"));
}

#[test]
fn a_tree_of_any_depth_is_built_walked_cloned_written_and_dropped() {
    const DEPTH: usize = 1_000_000;
    // A thread of the default size: nothing may need a stack in proportion to the tree.
    let thread = std::thread::spawn(|| {
        let mut document = Document::new();
        let mut parent = document.document();
        for _ in 0..DEPTH {
            parent = element_in(&mut document, parent, "a", namespaces::HTML);
        }
        document.append_text(parent, "x");

        let clone = document.clone();
        drop(document);
        let mut document = clone;
        let root = document.root();
        assert_eq!(root.descendants().count(), DEPTH + 1);
        assert_eq!(root.edges().count(), 2 * (DEPTH + 2));
        assert_eq!(root.text_content(), "x");
        assert_eq!(document.node(parent).unwrap().ancestors().count(), DEPTH);

        let tags = "<a></a>".len() * DEPTH + 1;
        let declaration = format!(" xmlns=\"{}\"", namespaces::HTML).len();
        assert_eq!(document.to_xml().len(), tags + declaration);
        assert_eq!(document.to_canonical().len(), tags);
        assert_eq!(document.to_html().len(), tags);
        let outline = document.to_outline();
        assert_eq!(outline.lines().count(), DEPTH + 1);
        assert!(outline.len() < DEPTH * 150);
        assert!(outline.ends_with("(1000000) \"x\"\n"));

        let top = document.root_element().unwrap().id();
        let copy = document.clone_subtree(top);
        assert_eq!(document.node(copy).unwrap().descendants().count(), DEPTH);
        assert_eq!(document.node(copy).unwrap().to_html().len(), tags);
        let other = document.create_fragment();
        document.move_children(copy, other);
        assert_eq!(document.node(other).unwrap().descendants().count(), DEPTH);
    });
    thread.join().unwrap();
}

#[test]
fn templates_within_templates_of_any_depth_are_walked_cloned_and_written() {
    const DEPTH: usize = 200_000;
    let thread = std::thread::spawn(|| {
        let mut document = Document::new();
        let mut parent = document.document();
        for _ in 0..DEPTH {
            let template = element_in(&mut document, parent, "template", namespaces::HTML);
            parent = document.template_contents(template);
        }
        let length = "<template></template>".len() * DEPTH;
        assert_eq!(document.to_html().len(), length);
        let copy = document.clone_subtree(document.document());
        assert_eq!(document.node(copy).unwrap().to_html().len(), length);
        assert_eq!(document.root().descendants().count(), 1);
    });
    thread.join().unwrap();
}

#[test]
fn html5lib_takes_deep_trees_too() {
    let mut document = Document::new();
    let mut parent = document.document();
    for _ in 0..2_000 {
        parent = element(&mut document, parent, "a");
    }
    let written = document.to_html5lib(Html5libStyle::Xml);
    assert_eq!(written.lines().count(), 2_000);
    assert_eq!(
        written.lines().last().unwrap().len(),
        "| <a>".len() + 2 * 1_999
    );
}
