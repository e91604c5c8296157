//! Equality and hashes of events. Two events are equal if their contents are equal. Positions are not compared.

use super::{
    AddedAttributes, Attribute, Comment, Doctype, EncodingChange, EndTag, NotationDeclaration,
    OwnedEvent, ParseError, ProcessingInstruction, SkippedEntity, StartTag, Text, UnparsedEntity,
    XmlDeclaration,
};
use core::fmt;
use core::hash::{Hash, Hasher};

/// Implements `PartialEq`, `Eq` and `Hash` for a part of an event, by comparing and hashing the results of the given
/// methods.
macro_rules! eq_by {
    ($($type:ident: $($part:ident),+;)*) => {
        $(
            impl PartialEq for $type<'_> {
                fn eq(&self, other: &Self) -> bool {
                    $(self.$part() == other.$part())&&+
                }
            }

            impl Eq for $type<'_> {}

            impl Hash for $type<'_> {
                fn hash<H: Hasher>(&self, state: &mut H) {
                    $(self.$part().hash(state);)+
                }
            }
        )*
    };
}

eq_by! {
    Attribute: name, namespace, value;
    EndTag: name, namespace;
    Text: as_str;
    Comment: as_str;
    ProcessingInstruction: target, data;
    XmlDeclaration: version, encoding, standalone;
    SkippedEntity: name;
    EncodingChange: label;
    ParseError: code;
    NotationDeclaration: name, public_id, system_id;
    UnparsedEntity: name, public_id, system_id, notation;
}

/// Compares the name of the element, and the added attributes in order.
impl PartialEq for AddedAttributes<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name() && self.attributes().eq(other.attributes())
    }
}

impl Eq for AddedAttributes<'_> {}

impl Hash for AddedAttributes<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
        for attribute in self.attributes() {
            attribute.hash(state);
        }
    }
}

/// Compares the name, the namespace, the attributes in order, and whether the tag ends in `/>`.
impl PartialEq for StartTag<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
            && self.namespace() == other.namespace()
            && self.is_self_closing() == other.is_self_closing()
            && self.attributes().eq(other.attributes())
    }
}

impl Eq for StartTag<'_> {}

impl Hash for StartTag<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.name(), self.namespace(), self.is_self_closing()).hash(state);
        for attribute in self.attributes() {
            attribute.hash(state);
        }
    }
}

impl PartialEq for Doctype<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
            && self.public_id() == other.public_id()
            && self.system_id() == other.system_id()
            && self.internal_subset() == other.internal_subset()
            && self.force_quirks() == other.force_quirks()
            && self.notations().eq(other.notations())
            && self.unparsed_entities().eq(other.unparsed_entities())
    }
}

impl Eq for Doctype<'_> {}

impl Hash for Doctype<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.name(), self.public_id(), self.system_id()).hash(state);
    }
}

/// Two events are equal if their contents are equal. Positions are not compared.
///
/// ```
/// use tagstream::{Events, Xml};
///
/// let read = |input| Events::of(Xml::default(), input).collect::<Result<Vec<_>, _>>();
/// assert_eq!(read("<a b='1'/>")?, read(" <a  b=\"1\"/>")?);
/// assert_ne!(read("<a b='1'/>")?, read("<a b='2'/>")?);
/// # Ok::<(), tagstream::Error>(())
/// ```
impl PartialEq for OwnedEvent {
    fn eq(&self, other: &OwnedEvent) -> bool {
        self.event() == other.event()
    }
}

impl Eq for OwnedEvent {}

impl Hash for OwnedEvent {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.event().hash(state);
    }
}

/// Implements traits and methods of strings for parts of events that consist of one string.
macro_rules! strings {
    ($($type:ident)*) => {
        $(
            impl AsRef<str> for $type<'_> {
                fn as_ref(&self) -> &str {
                    self.as_str()
                }
            }

            impl fmt::Display for $type<'_> {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.pad(self.as_str())
                }
            }

            impl PartialEq<str> for $type<'_> {
                fn eq(&self, other: &str) -> bool {
                    self.as_str() == other
                }
            }

            impl PartialEq<&str> for $type<'_> {
                fn eq(&self, other: &&str) -> bool {
                    self.as_str() == *other
                }
            }

            impl<'a> $type<'a> {
                /// Returns whether the string contains nothing but spaces, tabs, LF, FF and CR. This is true of an
                /// empty string.
                pub fn is_whitespace(&self) -> bool {
                    self.trim().is_empty()
                }

                /// Returns the string without spaces, tabs, LF, FF and CR at its start and end.
                ///
                /// ```
                /// use tagstream::{Event, Events, Xml};
                ///
                /// let mut events = Events::of(Xml::default(), "<a>\n  text </a>");
                /// events.next_event()?;
                /// let Some(Event::Text(text)) = events.next_event()? else { panic!() };
                /// assert_eq!(text.trim(), "text");
                /// # Ok::<(), tagstream::Error>(())
                /// ```
                pub fn trim(&self) -> &'a str {
                    self.as_str().trim_matches([' ', '\t', '\n', '\u{C}', '\r'])
                }
            }
        )*
    };
}

strings! { Text Comment }
