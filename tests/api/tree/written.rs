//! The formats in which a tree can be serialized.

use std::fmt::Write as _;

use tagstream::tree::{Document, NodeId, Serializer, TreeSink, XmlVersion, namespaces};
use tagstream::{Event, Events, Html, Parser, WriteError, Xml};

use super::{attribute, attribute_ns, comment, element, element_in, instruction, with_root};
use testing::cases;
use testing::run::Program;
use testing::tree_formats::TreeFormats as _;

pub(crate) fn add(program: &mut Program) {
    cases!(
        program,
        "tree",
        xml_escapes_what_would_be_read_otherwise,
        xml_that_would_be_none_is_refused,
        xml_of_html_closes_void_elements_only,
        xml_begins_with_a_declaration_where_wanted,
        html_of_a_fragment_is_the_fragment,
        xml_has_the_doctype_in_its_place,
        xml_has_notations_and_instructions_of_the_doctype,
        xml_adds_no_declaration_where_all_is_declared,
        xml_adds_the_declarations_that_names_need,
        outline_has_a_node_a_line,
        outline_shows_what_is_unseen_as_numbers,
        canonical_is_that_of_the_suite,
        html5lib_in_the_style_of_html,
        html5lib_in_the_style_of_xml,
        html_by_the_standard,
        html_that_is_indented_again_is_the_same,
        an_element_of_a_stream_has_the_version_of_its_document,
    );
}

/// Returns the reason why a document cannot be written, and the node that causes it.
fn refused(document: &Document) -> (&'static str, Option<NodeId>) {
    match document.to_xml() {
        Err(WriteError::Refused(refusal)) => (refusal.as_str(), refusal.node()),
        other => panic!("{other:?}"),
    }
}

fn xml_escapes_what_would_be_read_otherwise() {
    let (mut document, a) = with_root("a");
    attribute(&mut document, a, "b", "&<>\"'\t\n\r é");
    TreeSink::append_text(&mut document, a, "&<>\"'\t\n\r é]]>");
    comment(&mut document, a, "&<");
    instruction(&mut document, a, "t", "");
    instruction(&mut document, a, "t", "&>");
    assert_eq!(
        document.to_xml().unwrap(),
        "<a b=\"&amp;&lt;&gt;&quot;'&#9;&#10;&#13; é\">&amp;&lt;&gt;\"'\t\n&#13; é]]&gt;\
         <!--&<--><?t?><?t &>?></a>"
    );
    TreeSink::append_text(&mut document, a, "\u{1}\u{85}\u{2028}");
    let text = document
        .node(a)
        .and_then(|a| a.last_child())
        .map(|text| text.id());
    assert_eq!(refused(&document), ("character", text));
    document.set_xml_version(XmlVersion::Xml11);
    let xml = document.to_xml().unwrap();
    assert!(xml.starts_with("<?xml version=\"1.1\"?><a b="));
    assert!(xml.ends_with("&#1;&#133;&#8232;</a>"), "{xml}");
    let root = document.root_element().unwrap();
    assert!(root.to_xml().unwrap().starts_with("<a b="));
}

fn xml_that_would_be_none_is_refused() {
    type Edit = fn(&mut Document, NodeId) -> NodeId;
    let cases: [(&str, Edit); 14] = [
        ("name", |document, a| {
            attribute(document, a, "b\"", "");
            a
        }),
        ("name", |document, a| element(document, a, "b:c")),
        ("name", |document, a| {
            attribute(document, a, "b:c", "");
            a
        }),
        ("character", |document, a| {
            attribute(document, a, "b", "\u{FFFE}");
            a
        }),
        ("comment", |document, a| comment(document, a, "--")),
        ("comment", |document, a| comment(document, a, "-")),
        ("processing-instruction", |document, a| {
            instruction(document, a, "b", "?>")
        }),
        ("processing-instruction", |document, a| {
            instruction(document, a, "xml", "")
        }),
        ("prefix", |document, a| {
            // The same prefix is used for two namespaces.
            attribute_ns(document, a, "p:b", "u", "");
            attribute_ns(document, a, "p:c", "v", "");
            a
        }),
        ("prefix", |document, a| {
            attribute_ns(document, a, "xmlns", namespaces::XMLNS, "u");
            a
        }),
        ("reserved", |document, a| {
            element_in(document, a, "xml:b", "u")
        }),
        ("root", |document, _| {
            let root = document.document();
            element(document, root, "b")
        }),
        ("outside-root", |document, _| {
            let root = document.document();
            TreeSink::append_text(document, root, "text");
            document
                .root()
                .last_child()
                .map(|text| text.id())
                .expect("text")
        }),
        ("name", |document, _| {
            document.set_doctype("", None, None);
            document.document()
        }),
    ];
    for (reason, edit) in cases {
        let (mut document, a) = with_root("a");
        let node = edit(&mut document, a);
        assert_eq!(refused(&document), (reason, Some(node)));
    }
    assert_eq!(refused(&Document::new()).0, "no-root");
}

fn xml_of_html_closes_void_elements_only() {
    let page = "<script src=x></script><div></div><br><svg><g/></svg><template></template>";
    let document = Document::parse(Html::default(), page).unwrap();
    let xml = Serializer::xml()
        .inner(true)
        .to_string(document.root_element().unwrap());
    assert_eq!(
        xml.unwrap(),
        "<head xmlns=\"http://www.w3.org/1999/xhtml\"><script src=\"x\"></script></head>\
         <body xmlns=\"http://www.w3.org/1999/xhtml\"><div></div><br/>\
         <svg xmlns=\"http://www.w3.org/2000/svg\"><g/></svg><template></template></body>"
    );
}

fn xml_begins_with_a_declaration_where_wanted() {
    // Each row has the input, the output with a declaration, and the output without one.
    let cases = [
        (
            "<a/>",
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><a/>",
            "<a/>",
        ),
        (
            "<?xml version='1.0'?><a/>",
            "<?xml version=\"1.0\"?><a/>",
            "<a/>",
        ),
        (
            "<?xml version='1.0' encoding='windows-1252' standalone='no'?><!--b--><a/>",
            "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?><!--b--><a/>",
            "<!--b--><a/>",
        ),
        (
            "<?xml version='1.1' standalone='yes'?><a/>",
            "<?xml version=\"1.1\" standalone=\"yes\"?><a/>",
            "<?xml version=\"1.1\"?><a/>",
        ),
    ];
    for (input, with, without) in cases {
        let document = Document::parse(Xml::strict(), input.as_bytes()).unwrap();
        let declared = Serializer::xml().declaration(true);
        assert_eq!(declared.to_string(document.root()).unwrap(), with);
        assert_eq!(document.to_xml().unwrap(), without);
        let again = Document::parse(Xml::strict(), with).unwrap();
        assert_eq!(declared.to_string(again.root()).unwrap(), with);
        // A part of a document has no declaration.
        let a = document.root_element().unwrap();
        assert_eq!(declared.to_string(a).unwrap(), "<a/>");
        let lines = declared.indent(" ").to_string(document.root()).unwrap();
        assert_eq!(lines.replace('\n', ""), with);
        assert!(lines.contains("?>\n<"), "{lines}");
    }
}

fn html_of_a_fragment_is_the_fragment() {
    let cases = [
        ("div", "<p>1<p>2", "<p>1</p><p>2</p>"),
        ("tr", "<td>1<!--2-->", "<td>1<!--2--></td>"),
        ("svg g", "<path/>text", "<path></path>text"),
        ("div", "", ""),
    ];
    for (context, input, written) in cases {
        let fragment = Document::parse(Html::fragment(context).unwrap(), input).unwrap();
        assert!(fragment.is_fragment());
        assert_eq!(fragment.to_html(), written);
        assert_eq!(fragment.root().to_inner_html(), written);
        let mut out = Vec::new();
        fragment.write_html(&mut out).unwrap();
        assert_eq!(out, written.as_bytes());
        let root = fragment.root_element().unwrap();
        assert_eq!(root.to_html(), format!("<html>{written}</html>"));
        // A fragment is still a fragment after `compact` released memory.
        let mut compacted = fragment.clone();
        compacted.compact();
        assert_eq!(compacted.to_html(), written);
    }
    let page = Document::parse(Html::default(), "<p>").unwrap();
    assert!(!page.is_fragment());
}

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
    ];
    for (public_id, system_id, expected) in cases {
        let mut document = Document::new();
        let root = document.document();
        document.set_doctype("a", public_id, system_id);
        element(&mut document, root, "a");
        assert_eq!(document.to_xml().unwrap(), format!("{expected}<a/>"));
        assert_eq!(document.doctype().unwrap().system_id(), system_id);

        let mut document = Document::new();
        let before = comment(&mut document, root, "x");
        document.set_doctype("a", public_id, system_id);
        comment(&mut document, root, "y");
        element(&mut document, root, "a");
        assert_eq!(
            document.to_xml().unwrap(),
            format!("<!--x-->{expected}<!--y--><a/>")
        );
        document.remove(before);
        assert_eq!(
            document.to_xml().unwrap(),
            format!("{expected}<!--y--><a/>")
        );

        let mut document = Document::new();
        let doctype = document.create_doctype("a", public_id, system_id);
        TreeSink::append(&mut document, root, doctype);
        element(&mut document, root, "a");
        assert_eq!(document.to_xml().unwrap(), format!("{expected}<a/>"));
    }
}

fn xml_has_notations_and_instructions_of_the_doctype() {
    let mut document = Document::new();
    let root = document.document();
    document.set_doctype("a", None, Some("s"));
    document.add_notation("n", Some("p"), None);
    document.add_notation("m", None, Some("t"));
    document.add_doctype_instruction("pi", "data");
    element(&mut document, root, "a");
    assert_eq!(
        document.to_xml().unwrap(),
        "<!DOCTYPE a SYSTEM \"s\" [<?pi data?><!NOTATION n PUBLIC \"p\"><!NOTATION m SYSTEM \"t\">]><a/>"
    );
}

fn xml_adds_no_declaration_where_all_is_declared() {
    let mut document = Document::new();
    let root = document.document();
    let a = element_in(&mut document, root, "a", "n");
    attribute_ns(&mut document, a, "xmlns", namespaces::XMLNS, "n");
    attribute_ns(&mut document, a, "xmlns:p", namespaces::XMLNS, "o");
    attribute_ns(&mut document, a, "xml:lang", namespaces::XML, "en");
    let b = element_in(&mut document, a, "p:b", "o");
    attribute_ns(&mut document, b, "p:k", "o", "v");
    let d = element(&mut document, b, "d");
    attribute_ns(&mut document, d, "xmlns", namespaces::XMLNS, "");
    element(&mut document, d, "e");
    element_in(&mut document, a, "f", "n");
    assert_eq!(
        document.to_xml().unwrap(),
        "<a xmlns=\"n\" xmlns:p=\"o\" xml:lang=\"en\"><p:b p:k=\"v\">\
         <d xmlns=\"\"><e/></d></p:b><f/></a>"
    );
    // An element that is written alone gets the namespace declarations of its ancestors that it needs.
    assert_eq!(
        document.node(b).unwrap().to_xml().unwrap(),
        "<p:b p:k=\"v\" xmlns:p=\"o\"><d xmlns=\"\"><e/></d></p:b>"
    );
}

fn xml_adds_the_declarations_that_names_need() {
    let mut document = Document::new();
    let root = document.document();
    let html = element_in(&mut document, root, "html", namespaces::HTML);
    attribute(&mut document, html, "xmlns", "something else");
    let svg = element_in(&mut document, html, "svg", namespaces::SVG);
    attribute_ns(&mut document, svg, "xlink:href", namespaces::XLINK, "x");
    element_in(&mut document, svg, "path", namespaces::SVG);
    element_in(&mut document, html, "p", namespaces::HTML);
    element(&mut document, html, "none");
    assert_eq!(
        document.to_xml().unwrap(),
        "<html xmlns=\"http://www.w3.org/1999/xhtml\">\
         <svg xlink:href=\"x\" xmlns=\"http://www.w3.org/2000/svg\" \
         xmlns:xlink=\"http://www.w3.org/1999/xlink\"><path/></svg><p></p><none xmlns=\"\"/></html>"
    );
}

fn outline_has_a_node_a_line() {
    let mut document = Document::new();
    let root = document.document();
    comment(&mut document, root, "first");
    document.set_doctype("a", None, Some("s"));
    let a = element(&mut document, root, "a");
    attribute(&mut document, a, "b", "c\"\n");
    TreeSink::append_text(&mut document, a, "one\ntwo\\\r\t\"");
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

/// Names can contain any character, in HTML and in XML that was read with error recovery.
fn outline_shows_what_is_unseen_as_numbers() {
    let mut document = Document::new();
    let root = document.document();
    document.set_doctype("d\u{9b}", Some("p\u{1b}\""), Some("s\u{202e}"));
    let a = element(&mut document, root, "a\u{7}\u{61c}");
    attribute(&mut document, a, "b\u{85}", "c\u{0}\u{7f}");
    TreeSink::append_text(
        &mut document,
        a,
        "é\u{200e}\u{2028}\u{2066}\u{2069}\u{206a}",
    );
    comment(&mut document, a, "\u{200f}");
    instruction(&mut document, a, "t\u{9f}", "\u{202a}");
    let expected = concat!(
        r#"<!DOCTYPE d\u{9b} PUBLIC "p\u{1b}\"" "s\u{202e}">
<a\u{7}\u{61c} b\u{85}="c\u{0}\u{7f}">
  "é\u{200e}\u{2028}\u{2066}\u{2069}"#,
        "\u{206a}",
        r#""
  <!-- \u{200f} -->
  <?t\u{9f} \u{202a}?>
"#
    );
    assert_eq!(document.to_outline(), expected);
}

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
    TreeSink::append_text(&mut document, doc, "&<>\"'\t\n\r\u{85}");
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

fn html5lib_in_the_style_of_html() {
    let mut document = Document::new();
    let root = document.document();
    let doctype = document.create_doctype("html", None, Some("s"));
    TreeSink::append(&mut document, root, doctype);
    let html = element_in(&mut document, root, "html", namespaces::HTML);
    attribute(&mut document, html, "b:\u{FFFD}", "2");
    attribute(&mut document, html, "b:\u{10000}", "1");
    attribute(&mut document, html, "a", "\"\n");
    let svg = element_in(&mut document, html, "svg", namespaces::SVG);
    attribute_ns(&mut document, svg, "xml:lang", namespaces::XML, "en");
    attribute_ns(&mut document, svg, "xlink:href", namespaces::XLINK, "x");
    element_in(&mut document, svg, "mi", namespaces::MATHML);
    let template = element_in(&mut document, html, "template", namespaces::HTML);
    let contents = document.template_contents(template);
    TreeSink::append_text(&mut document, contents, "in\nside");
    comment(&mut document, template, "out");
    instruction(&mut document, html, "t", "");
    let below = "| <svg svg>\n|   xlink href=\"x\"\n|   xml lang=\"en\"\n|   <math mi>\n\
                 | <template>\n|   content\n|     \"in\nside\"\n|   <!-- out -->\n| <?t ?>\n";
    assert_eq!(document.node(html).unwrap().to_html5lib(), below);
    let mut expected = String::from(
        "| <!DOCTYPE html \"\" \"s\">\n| <html>\n|   a=\"\"\n\"\n|   b:\u{10000}=\"1\"\n|   b:\u{FFFD}=\"2\"\n",
    );
    for line in below.lines() {
        writeln!(expected, "{}", line.replacen("| ", "|   ", 1)).unwrap();
    }
    assert_eq!(document.to_html5lib(), expected);
}

fn html5lib_in_the_style_of_xml() {
    let mut document = Document::new();
    let root = document.document();
    document.set_doctype("not shown", None, None);
    let a = element_in(&mut document, root, "n:a", "www");
    attribute_ns(&mut document, a, "n:x", "www", "1");
    attribute_ns(&mut document, a, "xmlns:n", namespaces::XMLNS, "www");
    attribute(&mut document, a, "id", "3");
    element(&mut document, a, "m:b");
    assert_eq!(
        document.to_html5lib_xml(),
        "| <{www}n:a>\n|   id=\"3\"\n|   {http://www.w3.org/2000/xmlns/}xmlns:n=\"www\"\n\
         |   {www}n:x=\"1\"\n|   <m:b>\n"
    );
}

fn html_by_the_standard() {
    let mut document = Document::new();
    let root = document.document();
    let doctype = document.create_doctype("html", Some("p"), Some("s"));
    TreeSink::append(&mut document, root, doctype);
    let body = element_in(&mut document, root, "body", namespaces::HTML);
    attribute(&mut document, body, "a", "&<>\"'\u{A0}\n");
    TreeSink::append_text(&mut document, body, "&<>\"'\u{A0}\n");
    let br = element_in(&mut document, body, "br", namespaces::HTML);
    TreeSink::append_text(&mut document, br, "left out");
    element(&mut document, br, "too");
    element_in(&mut document, body, "br", namespaces::SVG);
    for name in ["script", "noscript", "p"] {
        let element = element_in(&mut document, body, name, namespaces::HTML);
        TreeSink::append_text(&mut document, element, "<&");
    }
    let style = element_in(&mut document, body, "style", namespaces::SVG);
    TreeSink::append_text(&mut document, style, "<");
    let template = element_in(&mut document, body, "template", namespaces::HTML);
    let contents = document.template_contents(template);
    let inner = element_in(&mut document, contents, "template", namespaces::HTML);
    document.template_contents(inner);
    comment(&mut document, contents, "in");
    comment(&mut document, template, "out");
    let svg = element_in(&mut document, body, "svg", namespaces::SVG);
    attribute_ns(
        &mut document,
        svg,
        "xmlns",
        namespaces::XMLNS,
        namespaces::SVG,
    );
    attribute_ns(
        &mut document,
        svg,
        "xmlns:xlink",
        namespaces::XMLNS,
        namespaces::XLINK,
    );
    attribute_ns(&mut document, svg, "xlink:href", namespaces::XLINK, "x");
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

fn html_that_is_indented_again_is_the_same() {
    let indented = |page: &str| {
        let document = Document::parse(Html::default(), page).unwrap();
        Serializer::html()
            .indent(" ")
            .to_string(document.root())
            .unwrap()
    };
    for (page, expected) in [
        ("a\n\n", "<html>\n <head></head>\n <body>a</body>\n</html>"),
        (
            "<b>a</b> </body>\n</html>\n",
            "<html>\n <head></head>\n <body><b>a</b></body>\n</html>",
        ),
        (
            "<pre>\n\na</pre>b",
            "<html>\n <head></head>\n <body><pre>\n\na</pre>b</body>\n</html>",
        ),
        (
            "a<!--b-->\n",
            "<html>\n <head></head>\n <body>a<!--b--></body>\n</html>",
        ),
    ] {
        assert_eq!(indented(page), expected);
        // Programs write a newline at the end of a file.
        assert_eq!(indented(&[expected, "\n"].concat()), expected);
    }
    // A fragment has no end of a page.
    let fragment = Document::parse(Html::fragment("body").unwrap(), "a ").unwrap();
    assert_eq!(
        Serializer::html()
            .indent(" ")
            .to_string(fragment.root())
            .unwrap(),
        "a "
    );
}

/// The declaration is not in the element, but decides which characters its references may have.
fn an_element_of_a_stream_has_the_version_of_its_document() {
    let document = "<?xml version='1.1'?><a><b>&#1;</b></a>";
    for chunk in [1, document.len()] {
        let chunks: Vec<&str> = document
            .as_bytes()
            .chunks(chunk)
            .map(|chunk| std::str::from_utf8(chunk).unwrap())
            .collect();
        let mut events = Events::chunks(Xml::strict(), chunks);
        while let Some(event) = events.next_event().unwrap() {
            if matches!(event, Event::Start(tag) if tag.name() == "b") {
                let tree = events.subtree().unwrap();
                assert_eq!(tree.xml_version(), XmlVersion::Xml11);
                assert_eq!(
                    tree.root_element().unwrap().to_xml().unwrap(),
                    "<b>&#1;</b>"
                );
            }
        }
    }
    let mut parser = Parser::new(Xml::strict());
    parser.feed("<?xml version='1.0'?><a>");
    while let Some(event) = parser.next_event().unwrap() {
        if matches!(event, Event::Start(_)) {
            let tree = parser.subtree().unwrap();
            assert_eq!(tree.sink().xml_version(), XmlVersion::Xml10);
        }
    }
}
