//! Traits of public types: the types can be sent to other threads, compared, and used as keys.

use std::collections::HashSet;
use std::fmt::Debug;
use std::hash::Hash;
use tagstream::tree::{Edge, NodeId, QualifiedName, TreeSize};
use tagstream::{
    Document, ElementText, Encoding, EntityPlace, EntityRequest, Error, ErrorCode, Event, Events,
    Html, LeafXml, Limits, MicroXml, Nested, Node, OwnedEvent, OwnedTag, Parser, Position,
    ReaderSource, Skip, Sky, Span, Stats, Status, Subtree, TextDecoder, TreeBuilder, Xml, sky,
};
use testing::cases;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    cases!(
        program,
        "core/values",
        all_can_be_sent_and_shown,
        all_that_is_data_can_be_a_key,
        options_are_equal_that_are_set_alike,
        attributes_of_a_tree_are_their_words,
        nodes_are_places_in_a_tree,
    );
}

/// Checks the traits that all types implement.
fn sent<T: Send + Sync + Debug + Clone>() {}

/// Checks the additional traits of plain data.
fn key<T: Send + Sync + Debug + Clone + Eq + Hash>() {}

fn all_can_be_sent_and_shown() {
    sent::<Parser<Html>>();
    sent::<Parser<Html, Nested>>();
    sent::<Events<Xml, ReaderSource<&[u8]>>>();
    sent::<TreeBuilder<Sky>>();
    sent::<Subtree>();
    sent::<ElementText>();
    sent::<Skip>();
    sent::<Document>();
    sent::<Error>();
    sent::<TextDecoder>();
}

fn all_that_is_data_can_be_a_key() {
    key::<Event<'_>>();
    key::<OwnedEvent>();
    key::<OwnedTag>();
    key::<ErrorCode>();
    key::<Span>();
    key::<Position>();
    key::<EntityPlace>();
    key::<EntityRequest>();
    key::<Status>();
    key::<Limits>();
    key::<Stats>();
    key::<Encoding>();
    key::<Html>();
    key::<Xml>();
    key::<MicroXml>();
    key::<LeafXml>();
    key::<sky::Pause>();
    key::<sky::Registrations>();
    key::<NodeId>();
    key::<Node<'_>>();
    key::<Edge<Node<'_>>>();
    key::<TreeSize>();
    key::<QualifiedName<'_>>();
    key::<tagstream::tree::Attribute<'_>>();
}

fn options_are_equal_that_are_set_alike() {
    assert_eq!(Xml::default(), Xml::default().namespaces(true));
    assert_ne!(Xml::default(), Xml::strict());
    assert_eq!(Html::default().scripting(false), Html::default());
    assert_ne!(Html::fragment("td").ok(), Html::fragment("tr").ok());
    assert_eq!(
        Sky::fragment().registered(["a"]),
        Sky::fragment().registered(["a", "a"])
    );
    assert_ne!(Sky::fragment().registered(["a"]), Sky::fragment());
    assert_ne!(MicroXml::default(), MicroXml::strict());
    assert_ne!(LeafXml::default(), LeafXml::default().comments(true));
}

fn attributes_of_a_tree_are_their_words() -> Result<(), Error> {
    let input =
        "<a xmlns:p='urn:p' xmlns:q='urn:q'><b p:x='1' y='1' z='2'/><c p:x='1' y='2' q:z='2'/></a>";
    let document = Document::parse(Xml::strict(), input)?;
    let set = document
        .root()
        .descendants()
        .skip(1)
        .flat_map(|node| node.attributes());
    assert_eq!(set.clone().count(), 6);
    assert_eq!(set.collect::<HashSet<_>>().len(), 5);
    Ok(())
}

fn nodes_are_places_in_a_tree() -> Result<(), Error> {
    let document = Document::parse(Xml::strict(), "<a><b/><b/></a>")?;
    let twice = document
        .root()
        .descendants()
        .chain(document.root().descendants());
    assert_eq!(twice.collect::<HashSet<_>>().len(), 3);
    Ok(())
}
