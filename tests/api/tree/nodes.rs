//! Nodes: their properties, traversal and edits.

use std::fmt::Write as _;

use tagstream::tree::{
    Document, Edge, Node, NodeKind, QualifiedName, QuirksMode, ShadowRoot, TreeSink, namespaces,
};
use tagstream::{Buildable, Bytes, Encoding, Html, LeafXml, MicroXml, Sky, TreeBuilder, Xml};

use super::{
    AsName, attribute, attribute_ns, comment, element, element_in, instruction, names, sample,
    with_root,
};
use testing::cases;
use testing::run::Program;
use testing::tree_formats::TreeFormats as _;

pub(crate) fn add(program: &mut Program) {
    cases!(
        program,
        "tree",
        documents_can_be_shared_sent_and_cloned,
        a_node_knows_what_it_is,
        names_differ_by_prefix_and_namespace_too,
        walks,
        a_document_is_readable_while_it_grows,
        text_joins_its_neighbour_of_the_same_place_only,
        small_appends_in_any_order_cost_memory_in_proportion,
        nodes_of_a_large_document_are_small,
        room_is_made_for_what_is_expected,
        nodes_move,
        what_would_break_the_tree_does_nothing,
        missing_attributes_are_added,
        copies_are_of_their_own,
        a_shadow_root_goes_with_its_host,
        a_copy_of_a_copy_with_text_of_its_own_grows_apart,
        a_document_keeps_its_chunk_until_it_shrinks,
        the_size_does_not_depend_on_chunks,
        created_nodes_have_no_position,
    );
}

fn assert_is_shareable<T: Send + Sync + Clone>() {}

fn documents_can_be_shared_sent_and_cloned() {
    assert_is_shareable::<Document>();
    assert_is_shareable::<Node<'_>>();
}

fn a_node_knows_what_it_is() {
    let mut document = Document::new();
    let root = document.document();
    let doctype = document.create_doctype("html", Some("p"), None);
    TreeSink::append(&mut document, root, doctype);
    let svg = element_in(&mut document, root, "s:svg", namespaces::SVG);
    attribute_ns(&mut document, svg, "xlink:href", namespaces::XLINK, "#x");
    attribute(&mut document, svg, "id", "7");
    TreeSink::append_text(&mut document, svg, "text");
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
    assert_eq!(node.attribute_ns(namespaces::XLINK, "href"), Some("#x"));
    assert_eq!(node.attribute_ns(namespaces::XLINK, "id"), None);
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

fn names_differ_by_prefix_and_namespace_too() {
    let (mut document, root) = with_root("a:b");
    let one = element_in(&mut document, root, "a:b", "n");
    let namespace = document.namespace("n");
    let two = document.create_element(QualifiedName::unprefixed("a:b", Some(namespace)));
    TreeSink::append(&mut document, root, two);
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
    let mut children = a.children();
    assert_eq!(children.next_back().unwrap().name(), "d");
    assert_eq!(names(children), "b y");
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

fn a_document_is_readable_while_it_grows() {
    let (mut document, root) = with_root("log");
    for line in 1..=3 {
        let entry = element(&mut document, root, "entry");
        TreeSink::append_text(&mut document, entry, &line.to_string());
        let last = document.root_element().unwrap().last_child().unwrap();
        assert_eq!(last.text_content(), line.to_string());
    }
    assert_eq!(document.node_count(), 1 + 1 + 6);
}

fn text_joins_its_neighbour_of_the_same_place_only() {
    let (mut document, root) = with_root("a");
    TreeSink::append_text(&mut document, root, "1");
    TreeSink::append_text(&mut document, root, "2");
    TreeSink::append_text(&mut document, root, "");
    let b = element(&mut document, root, "b");
    document.insert_text_before(b, "3");
    TreeSink::append_text(&mut document, b, "4");
    TreeSink::append_text(&mut document, root, "5");
    comment(&mut document, root, "c");
    let d = element(&mut document, root, "d");
    document.insert_text_before(d, "6");
    document.insert_text_before(d, "");
    document.insert_text_before(d, "7");
    assert_eq!(
        document.to_xml().unwrap(),
        "<a>123<b>4</b>5<!--c-->67<d/></a>"
    );
    assert_eq!(document.root_element().unwrap().children().count(), 6);
    TreeSink::append_text(&mut document, root, "");
    assert_eq!(document.root_element().unwrap().children().count(), 6);
}

fn small_appends_in_any_order_cost_memory_in_proportion() {
    let (mut document, root) = with_root("a");
    let elements: Vec<_> = (0..100)
        .map(|_| element(&mut document, root, "b"))
        .collect();
    for _ in 0..10_000 {
        for element in &elements {
            TreeSink::append_text(&mut document, *element, "x");
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

fn nodes_of_a_large_document_are_small() {
    let (mut document, root) = with_root("a");
    for _ in 0..1 << 16 {
        let row = element(&mut document, root, "row");
        attribute(&mut document, row, "id", "1");
        TreeSink::append_text(&mut document, row, "2");
    }
    // The minimum for a row is two nodes of 32 bytes, an attribute of 16 bytes and two bytes of text. Growing buffers
    // may have unused capacity.
    let least = (1 << 16) * (2 * 32 + 16 + 2);
    assert!(document.heap_size() < 2 * least + 4096);
    document.shrink_to_fit();
    assert!(document.heap_size() >= least);
}

fn room_is_made_for_what_is_expected() {
    let mut document = Document::new();
    document.expect(1 << 20);
    // Per byte of source, the document reserves memory for 1/16 node of 32 bytes, 1/32 attribute of 16 bytes and half a
    // byte of text.
    assert!(document.heap_size() >= (1 << 20) * (4 + 1 + 1) / 2);
}

fn nodes_move() {
    let (mut document, [a, b, c, d]) = sample();
    document.insert_before(b, d);
    assert_eq!(
        document.to_xml().unwrap(),
        "<a><d><?e f?></d><b>x<c/></b><!--y--></a>"
    );
    document.move_children(b, d);
    assert_eq!(
        document.to_xml().unwrap(),
        "<a><d><?e f?>x<c/></d><b/><!--y--></a>"
    );
    document.move_children(b, a);
    document.move_children(d, b);
    assert_eq!(
        document.to_xml().unwrap(),
        "<a><d/><b><?e f?>x<c/></b><!--y--></a>"
    );
    document.remove(c);
    assert_eq!(TreeSink::parent(&document, c), None);
    document.remove(c);
    TreeSink::append(&mut document, a, c);
    document.remove(b);
    assert_eq!(document.to_xml().unwrap(), "<a><d/><!--y--><c/></a>");
    assert_eq!(
        names(document.root_element().unwrap().children().rev()),
        "c y d"
    );
    assert_eq!(
        document.node(b).unwrap().to_xml().unwrap(),
        "<b><?e f?>x</b>"
    );
    TreeSink::append(&mut document, a, d);
    document.insert_before(c, b);
    assert_eq!(
        document.to_xml().unwrap(),
        "<a><!--y--><b><?e f?>x</b><c/><d/></a>"
    );
    assert_eq!(TreeSink::parent(&document, d), Some(a));
}

fn what_would_break_the_tree_does_nothing() {
    let (mut document, [a, b, c, d]) = sample();
    let before = document.to_outline();
    let root = document.document();
    let text = document.node(b).unwrap().first_child().unwrap().id();
    TreeSink::append(&mut document, c, a);
    TreeSink::append(&mut document, a, a);
    TreeSink::append(&mut document, c, root);
    TreeSink::append(&mut document, text, d);
    TreeSink::append_text(&mut document, text, "z");
    document.insert_before(c, b);
    document.insert_before(b, b);
    document.insert_before(root, b);
    document.insert_text_before(root, "z");
    document.move_children(a, c);
    document.move_children(a, a);
    document.move_children(a, text);
    attribute(&mut document, text, "a", "b");
    let contents = document.template_contents(b);
    TreeSink::append(&mut document, contents, a);
    TreeSink::append(&mut document, a, contents);
    assert_eq!(
        document.to_outline(),
        before.replacen("    \"x\"", "    content\n    \"x\"", 1)
    );
    let fragment = document.create_fragment();
    TreeSink::append(&mut document, fragment, b);
    assert_eq!(document.to_xml().unwrap(), "<a><!--y--><d><?e f?></d></a>");
}

fn a_shadow_root_goes_with_its_host() {
    let (mut document, html) = with_root("html");
    let host = element(&mut document, html, "div");
    let said = ShadowRoot {
        clonable: true,
        ..ShadowRoot::default()
    };
    let root = document.attach_shadow_root(host, said).unwrap();
    let inner = element(&mut document, root, "p");
    let closed = ShadowRoot {
        is_closed: true,
        ..ShadowRoot::default()
    };
    let hidden = document.attach_shadow_root(inner, closed).unwrap();
    TreeSink::append_text(&mut document, hidden, "hidden");
    TreeSink::append_text(&mut document, host, "light");
    // The following calls have no effect: an element can have only one shadow root, a shadow root or a template cannot
    // have one, an element cannot be moved into its own shadow tree, and a shadow root cannot be moved.
    assert_eq!(document.attach_shadow_root(host, said), None);
    assert_eq!(document.attach_shadow_root(root, said), None);
    let template = element(&mut document, html, "template");
    let contents = document.template_contents(template);
    assert_eq!(document.attach_shadow_root(template, said), None);
    TreeSink::append(&mut document, hidden, host);
    TreeSink::append(&mut document, contents, root);
    let outline = "  <div>\n    #shadow-root (open clonable)\n      <p>\n        #shadow-root (closed)\n          \"hidden\"\n    \"light\"\n";
    let of = |document: &Document| document.to_outline().matches(outline).count();
    assert_eq!(of(&document), 1, "{}", document.to_outline());
    assert_eq!(document.root().text_content(), "light");
    assert!(!document.to_xml().unwrap().contains("hidden"));
    // `clone_subtree` copies only clonable shadow roots. All other ways to copy a tree copy all of them.
    let clone = document.clone_subtree(host);
    let clone = document.node(clone).unwrap();
    let cloned = clone.shadow_root().unwrap().first_child().unwrap();
    assert_eq!((cloned.name(), cloned.shadow_root()), ("p", None));
    assert_eq!(of(&document.clone()), 1);
    let mut other = Document::new();
    let top = document.node(html).unwrap();
    let copy = other.import(top).unwrap();
    other.append(other.document(), copy).unwrap();
    assert_eq!(of(&other), 1, "{}", other.to_outline());
    document.remove(clone.id());
    let nodes = document.node_count();
    document.compact();
    assert!(document.node_count() < nodes);
    assert_eq!(of(&document), 1);
    document.clear();
    assert_eq!(document.root().edges().through_shadow_roots().count(), 2);
}

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

fn copies_are_of_their_own() {
    let (mut document, [a, b, ..]) = sample();
    attribute(&mut document, b, "k", "v");
    attribute(&mut document, b, "l", "w");
    let contents = document.template_contents(b);
    assert_eq!(document.template_contents(b), contents);
    let inner = element(&mut document, contents, "inner");
    let deeper = document.template_contents(inner);
    TreeSink::append_text(&mut document, deeper, "t");
    comment(&mut document, contents, "last");

    let written = r#"<b k="v" l="w"><inner>t</inner><!--last-->x<c/></b>"#;
    let copy = document.clone_subtree(b);
    assert_eq!(TreeSink::parent(&document, copy), None);
    assert_eq!(document.node(copy).unwrap().to_xml().unwrap(), written);
    let original = document.node(b).unwrap().to_outline();
    assert_eq!(document.node(copy).unwrap().to_outline(), original);

    TreeSink::append(&mut document, a, copy);
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
        document.node(copy).unwrap().to_xml().unwrap(),
        r#"<b k="v" l="w" m="x"><inner>t</inner><!--last--><more/>xyz<c/></b>"#
    );

    let shallow = document.clone_element(b);
    assert_eq!(
        document.node(shallow).unwrap().to_xml().unwrap(),
        r#"<b k="v" l="w"/>"#
    );

    let whole = document.clone_subtree(document.document());
    let whole = document.node(whole).unwrap();
    assert_eq!(whole.kind(), NodeKind::DocumentFragment);
    assert_eq!(whole.to_xml().unwrap(), document.to_xml().unwrap());

    let mut clone = document.clone();
    clone.append_text(a, "only here").unwrap();
    assert_eq!(
        clone.to_xml().unwrap().len(),
        document.to_xml().unwrap().len() + "only here".len()
    );
}

fn a_copy_of_a_copy_with_text_of_its_own_grows_apart() {
    let (mut document, root) = with_root("a");
    TreeSink::append_text(&mut document, root, "1");
    element(&mut document, root, "b");
    let text = document.node(root).unwrap().first_child().unwrap().id();
    let b = document.node(root).unwrap().last_child().unwrap().id();
    TreeSink::append_text(&mut document, b, "other");
    // The text is no longer the last one in the shared buffer, so appending moves it to a string of its own.
    document.insert_text_before(b, "2");
    let copy = document.clone_subtree(text);
    document.insert_before(text, copy);
    document.insert_text_before(text, "3");
    assert_eq!(document.to_xml().unwrap(), "<a>12312<b>other</b></a>");
}

fn a_document_keeps_its_chunk_until_it_shrinks() {
    let input = format!(
        "<a k='value'>one<b>two</b><!--three-->{}</a>",
        "<c/>".repeat(2000)
    );
    keeps_its_chunk(Xml::strict(), &input);
    keeps_its_chunk(Html::default(), &input);
}

fn keeps_its_chunk<D: Buildable>(dialect: D, input: &str) {
    let document = Document::parse(dialect, input).unwrap();
    assert!(document.heap_size() > input.len());
    let [mut shrunk, mut compacted, mut edited] = [(); 3].map(|()| document.clone());
    shrunk.shrink_to_fit();
    compacted.compact();
    for other in [&shrunk, &compacted] {
        assert_eq!(other.to_outline(), document.to_outline());
        assert!(other.heap_size() + input.len() <= document.heap_size());
    }
    // Both copies of a part of the chunk grow, and the memory counts both.
    let before = edited.size().bytes;
    let b = edited.root().descendants().find(|node| node.has_name("b"));
    let b = b.unwrap().id();
    let copy = edited.clone_subtree(b);
    TreeSink::append_text(&mut edited, b, " and more");
    TreeSink::append_text(&mut edited, copy, " and less");
    assert!(edited.size().bytes > before);
    let written = [b, copy].map(|id| edited.node(id).unwrap().text_content());
    assert_eq!(written, ["two and more", "two and less"]);
    edited.shrink_to_fit();
    let written = [b, copy].map(|id| edited.node(id).unwrap().text_content());
    assert_eq!(written, ["two and more", "two and less"]);
}

/// The number of bytes that limits count is the same whether strings are parts of a chunk or copies, also for text that is
/// appended to a string before others.
fn the_size_does_not_depend_on_chunks() {
    let html =
        "<table>a&amp;b<tr title=c>d<td>e&lt;f</td>g<!--h-->i</table><p>j&gt;<b x=y>k<p>l</b>m";
    let html = html.repeat(200);
    let xml = format!(
        "<r>{}</r>",
        "<a k='v'>b&lt;c<![CDATA[d]]>e</a>f".repeat(500)
    );
    let (html, xml) = (Bytes::from(html), Bytes::from(xml));
    let cuts = |length| (1..40).chain([4096, 4097, 5000, length - 4096, length - 1]);
    for cut in cuts(html.len()) {
        same_size(Html::default().encoding(Encoding::UTF_8), &html, cut);
    }
    for cut in cuts(xml.len()) {
        same_size(Xml::default(), &xml, cut);
    }
}

/// Checks that a document in two chunks has the size and the nodes of the document in small chunks, which are all copied.
fn same_size<D: Buildable>(dialect: D, input: &Bytes, cut: usize) {
    let build = |chunks: &mut dyn Iterator<Item = Bytes>| {
        let mut builder = TreeBuilder::new(dialect.clone());
        chunks.for_each(|chunk| builder.feed(chunk).unwrap());
        builder.finish().unwrap()
    };
    let copied = build(&mut input.chunks(1000).map(Bytes::copy_from_slice));
    let kept = build(&mut [input.slice(..cut), input.slice(cut..)].into_iter());
    assert_eq!(kept.to_outline(), copied.to_outline(), "{cut}");
    assert_eq!(kept.size(), copied.size(), "{cut}");
}

/// Nodes that the program adds to a tree have no position, also if the tree is taken from its builder before the end of
/// the input or after an error.
fn created_nodes_have_no_position() {
    let sources = ["<a b='c'>d<e/></a>", "<a>d<e></a>f", "<table>a<b>c<td>d"];
    for source in sources {
        for end in 0..=source.len() {
            check_created(&Html::default(), &source[..end]);
            check_created(&Xml::default(), &source[..end]);
            check_created(&Xml::strict(), &source[..end]);
            check_created(&MicroXml::strict(), &source[..end]);
            check_created(&LeafXml::default(), &source[..end]);
            check_created(&Sky::fragment(), &source[..end]);
        }
    }
}

fn check_created<D: Buildable>(dialect: &D, source: &str) {
    let builder = || TreeBuilder::new(dialect.clone()).positions(true);
    let mut open = builder();
    let _ = open.feed(source);
    let copy = open.document().clone();
    let mut ended = builder();
    let _ = ended.feed(source);
    let _ = ended.end();
    let mut stepped = builder();
    stepped.supply(source);
    let _ = stepped.next_event();
    for mut document in [
        copy,
        open.reset_with(Document::new()),
        ended.into_sink(),
        stepped.into_sink(),
    ] {
        let element = document.new_element("n").unwrap();
        let text = document.new_text("n").unwrap();
        let comment = document.new_comment("n").unwrap();
        let other = Document::parse(Xml::default(), "<n/>").unwrap();
        let import = document.import(other.root_element().unwrap()).unwrap();
        for node in [element, text, comment, import] {
            assert_eq!(document.node(node).unwrap().span(), None, "{source:?}");
        }
    }
}
