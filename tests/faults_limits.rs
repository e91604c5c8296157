//! Limits that were found to hold too much or too little: each at its edges, in every dialect, whole
//! and byte by byte.

use tagstream::{Buildable, Error, Html, LeafXml, Limit, Limits, MicroXml, Sky, TreeBuilder, Xml};

/// The tree of a document fed in chunks, and how it ended.
fn tree<D: Buildable>(
    dialect: D,
    limits: Limits,
    input: &[u8],
    size: usize,
) -> (String, Option<(Limit, String)>) {
    let mut builder = TreeBuilder::new(dialect).limits(limits);
    let mut result = Ok(());
    for chunk in input.chunks(size) {
        builder.feed_slice(chunk);
        result = result.and_then(|()| builder.build());
    }
    builder.finish();
    let result = result.and_then(|()| builder.build());
    let end = result.err().map(|error: Error| {
        let limit = error.limit().expect("only limits end these");
        (limit, format!("{} {}", error.span(), error.position()))
    });
    let mut outline = builder.into_sink().to_outline();
    if end.is_some() && outline.ends_with("\"\n") {
        // Of the text that was too much, there may be a piece.
        outline.truncate(outline.trim_end().rfind('\n').unwrap_or(0));
    }
    (outline, end)
}

/// A limit, and how to set it.
type Setting = (Limit, fn(&mut Limits, usize));

/// Limits around the least that a tree needs: that is enough, and one less is not, however the document
/// is cut.
fn tree_limits(dialect: impl Buildable, input: &str, settings: &[(Setting, usize)]) {
    for ((limit, set), least) in settings {
        let mut ends = Vec::new();
        for value in [0, 1, least.saturating_sub(1), *least, least + 1, usize::MAX] {
            let mut limits = Limits::none();
            set(&mut limits, value);
            let outcome = tree(dialect.clone(), limits, input.as_bytes(), usize::MAX);
            for size in [1, 2, 7] {
                let other = tree(dialect.clone(), limits, input.as_bytes(), size);
                assert_eq!(other, outcome, "{input:?}: {limit:?} of {value}, {size}");
            }
            let found = outcome.1.map(|(limit, _)| limit);
            let wanted = (value < *least).then_some(*limit);
            ends.push((value, found));
            assert_eq!(found, wanted, "{input:?}: {limit:?} of {value}: {ends:?}");
        }
    }
}

const NODES: Setting = (Limit::TreeNodes, |limits, value| limits.tree_nodes = value);
const ATTRIBUTES: Setting = (Limit::TreeAttributes, |limits, value| {
    limits.tree_attributes = value
});
const BYTES: Setting = (Limit::TreeBytes, |limits, value| {
    (limits.tree_ratio, limits.tree_allowance) = (0, value)
});
const RATIO: Setting = (Limit::TreeBytes, |limits, value| {
    (limits.tree_ratio, limits.tree_allowance) = (value, 300)
});

#[test]
fn a_tree_of_xml() {
    // The document, two elements, two texts, a comment: 32 bytes each; two attributes of 16 bytes, three
    // names with 32 bytes and their own; 4 bytes of values, 3 of text before the last node, 2 of comment.
    let input = "<a b='cd' e='fg'>hij<!--kl--><e/>mn</a>";
    let bytes = 6 * 32 + 2 * 16 + 3 * 33 + 4 + 3 + 2;
    let settings = [(NODES, 6), (ATTRIBUTES, 2), (BYTES, bytes)];
    tree_limits(Xml::default(), input, &settings);
    tree_limits(Xml::strict(), input, &settings);
    // Text that follows text is the same node.
    tree_limits(
        Xml::default(),
        "<a>b&amp;c<![CDATA[d]]>e</a>",
        &[(NODES, 3)],
    );
}

#[test]
fn a_tree_of_entities() {
    let input = "<!DOCTYPE a [<!ENTITY e '<b/>c'><!ENTITY f '&e;&e;&e;&e;'>]><a>&f;&f;x&f;</a>";
    tree_limits(Xml::default(), input, &[(NODES, 26)]);
    // 300 bytes and so many times what was read, or expanded, before each node.
    tree_limits(Xml::default(), input, &[(RATIO, 6)]);
}

#[test]
fn a_tree_of_html() {
    let input = "<!DOCTYPE html><p class=a>b<p id=c>d<!--e-->";
    tree_limits(Html::default(), input, &[(NODES, 10), (ATTRIBUTES, 2)]);
    // Formatting that is made again.
    tree_limits(Html::default(), "<p><b><i>a<p>b<p>c", &[(NODES, 16)]);
    // What the end of the input makes.
    tree_limits(Html::default(), "", &[(NODES, 4)]);
    tree_limits(Html::default(), "<b a=b></b><html c=d>", &[(ATTRIBUTES, 2)]);
}

#[test]
fn trees_of_the_other_dialects() {
    let input = "<a b='c'>d<e f='g'/>h</a>";
    tree_limits(MicroXml::default(), input, &[(NODES, 5), (ATTRIBUTES, 2)]);
    tree_limits(Sky::fragment(), input, &[(NODES, 5), (ATTRIBUTES, 2)]);
    tree_limits(LeafXml::default(), input, &[(NODES, 5), (ATTRIBUTES, 2)]);
}
