//! Trees of great depth, in threads with the default stack size. No operation may need stack space in proportion to the
//! depth of the tree.

use tagstream::tree::{Document, TreeSink, namespaces};

use super::{element, element_in};
use testing::cases;
use testing::run::Program;
use testing::tree_formats::TreeFormats as _;

pub(crate) fn add(program: &mut Program) {
    cases!(
        program,
        "tree",
        a_tree_of_any_depth_is_built_walked_cloned_written_and_dropped,
        templates_within_templates_of_any_depth_are_walked_cloned_and_written,
        html5lib_takes_deep_trees_too,
    );
}

fn a_tree_of_any_depth_is_built_walked_cloned_written_and_dropped() {
    const DEPTH: usize = 1_000_000;
    let thread = std::thread::spawn(|| {
        let mut document = Document::new();
        let mut parent = document.document();
        for _ in 0..DEPTH {
            parent = element_in(&mut document, parent, "a", namespaces::HTML);
        }
        TreeSink::append_text(&mut document, parent, "x");

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
        assert_eq!(document.to_xml().unwrap().len(), tags + declaration);
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

fn html5lib_takes_deep_trees_too() {
    let mut document = Document::new();
    let mut parent = document.document();
    for _ in 0..2_000 {
        parent = element(&mut document, parent, "a");
    }
    let written = document.to_html5lib_xml();
    assert_eq!(written.lines().count(), 2_000);
    assert_eq!(
        written.lines().last().unwrap().len(),
        "| <a>".len() + 2 * 1_999
    );
}
