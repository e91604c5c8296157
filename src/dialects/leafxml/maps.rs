//! Access to the attributes of an element as the two attribute maps of the LeafXML specification.

use crate::engine::event::{Attribute, StartTag};
use crate::engine::namespaces::XMLNS;

/// Extension of [`StartTag`] that returns its attributes as the LeafXML specification groups them, in two maps.
///
/// ```
/// use tagstream::leafxml::AttributeMaps;
/// use tagstream::{Event, LeafXml, Parser};
///
/// let mut parser = Parser::new(LeafXml::default());
/// parser.feed("<item xmlns:p='urn:p' p:id='7' class='a'>");
/// if let Some(Event::Start(tag)) = parser.next_event()? {
///     assert!(tag.local_attributes().map(|one| one.name()).eq(["class"]));
///     assert!(tag.external_attributes().map(|one| one.local_name()).eq(["id"]));
/// }
/// # Ok::<(), tagstream::Error>(())
/// ```
pub trait AttributeMaps<'a> {
    /// Returns the local attribute map: the attributes that are in no namespace.
    fn local_attributes(&self) -> impl DoubleEndedIterator<Item = Attribute<'a>> + Clone;

    /// Returns the external attribute map: the attributes that are in a namespace, except namespace declarations. The
    /// keys of the map are [`namespace`](Attribute::namespace) and [`local_name`](Attribute::local_name).
    fn external_attributes(&self) -> impl DoubleEndedIterator<Item = Attribute<'a>> + Clone;
}

impl<'a> AttributeMaps<'a> for StartTag<'a> {
    fn local_attributes(&self) -> impl DoubleEndedIterator<Item = Attribute<'a>> + Clone {
        self.attributes()
            .filter(|attribute| attribute.namespace().is_none())
    }

    fn external_attributes(&self) -> impl DoubleEndedIterator<Item = Attribute<'a>> + Clone {
        self.attributes().filter(|attribute| {
            attribute
                .namespace()
                .is_some_and(|namespace| namespace != XMLNS)
        })
    }
}
