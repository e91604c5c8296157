//! Serialization: writes structs and enums that derive serde's `Serialize` as XML.
//!
//! ```
//! use serde::Serialize;
//!
//! #[derive(Serialize)]
//! struct Feed {
//!     #[serde(rename = "@version")]
//!     version: u8,
//!     entry: Vec<Entry>,
//! }
//!
//! #[derive(Serialize)]
//! struct Entry {
//!     title: String,
//!     #[serde(skip_serializing_if = "Option::is_none")]
//!     summary: Option<String>,
//! }
//!
//! let entry = Entry { title: "Tom & Jerry".to_owned(), summary: None };
//! let feed = Feed { version: 2, entry: vec![entry] };
//! assert_eq!(
//!     tagstream::ser::to_string(&feed)?,
//!     r#"<Feed version="2"><entry><title>Tom &amp; Jerry</title></entry></Feed>"#
//! );
//! # Ok::<(), tagstream::ser::SerError>(())
//! ```
//!
//! The names of fields have the same meaning as in [`de`](crate::de), by the conventions of quick-xml. A field `@a` is
//! written as an attribute, `$text` as text, and any other field as an element with the name of the field. In the field
//! `$value`, each enum variant is written as an element with the name of the variant. A field `{namespace}a` is written
//! as an element in a namespace, which the writer declares if it is not declared yet. An element without braces is in
//! the default namespace that is declared around it, if there is one. The root element has the name of the type, unless
//! another name is given.
//!
//! The document is always well-formed. A value that would make it ill-formed is an error: for example, a `Vec` that is
//! not in a struct would be several root elements, and some characters are not allowed in XML. A value that would be
//! read as a different value is an error too: for example, two texts side by side, an empty text in `$value`, or an item
//! of a list that contains a space. Whitespace that would be read as indentation is written as a CDATA section. A list
//! in a list is written as one element, with its items as text.
//!
//! If the value is an enum, the root element has the name of the variant, because that name selects the variant when
//! the document is read. Neither [`to_string_with_root`] nor a newtype around the enum changes the name. The unit
//! variant `$text` has neither a name nor text, so it is an error in the field `$value`.
//!
//! An `Option` that is `None` is written as an empty element or attribute, which is read as `Some`. To prevent this,
//! annotate the field with `#[serde(skip_serializing_if = "Option::is_none")]`. For an empty `Vec` nothing is written.
//! Annotate the field with `#[serde(default)]`, so that it is read as an empty `Vec`.
//!
//! # Events, errors, positions and limits
//!
//! The following types implement serde's traits, so they can be stored in any format of serde:
//! [`OwnedEvent`](crate::OwnedEvent), [`OwnedTag`](crate::OwnedTag), [`Error`](crate::Error),
//! [`ErrorCode`](crate::ErrorCode), [`Category`](crate::Category), [`Related`](crate::Related),
//! [`EntityPlace`](crate::EntityPlace), [`EditError`](crate::EditError), [`Span`](crate::Span),
//! [`Position`](crate::Position), [`Limits`](crate::Limits), [`Limit`](crate::Limit), [`Stats`](crate::Stats).
//! [`Event`](crate::Event) and [`StartTag`](crate::StartTag) can only be serialized, with the same result as
//! [`OwnedEvent`](crate::OwnedEvent) and [`OwnedTag`](crate::OwnedTag). Fields have the names of the methods that
//! return them, and variants have names in `snake_case`. In a human-readable format such as JSON, fields with their
//! default value are omitted.
//!
//! ```
//! # #[cfg(feature = "xml")] {
//! use tagstream::{Events, OwnedEvent, Xml};
//!
//! let mut events = Events::of(Xml::default(), "<a>text</a>");
//! events.next_event()?;
//! let json = serde_json::to_string(&events.next_event()?).unwrap();
//! assert_eq!(
//!     json,
//!     r#"{"text":{"text":"text","span":{"start":3,"end":7},"position":{"line":1,"column":4,"column_utf16":4}}}"#
//! );
//! let event: OwnedEvent = serde_json::from_str(&json).unwrap();
//! assert_eq!((event.span().start, event.event().position().column()), (3, 4));
//! # }
//! # Ok::<(), tagstream::Error>(())
//! ```
//!
//! A deserialized event has the same content as the serialized one: the decoded strings, the source text, the
//! positions, the namespaces and the flags. The following is not restored:
//!
//! - Of an error that the source of the input returned, only the message is stored.
//! - Of an event for a parse error in an external entity, the text of the entity is not stored, because every such
//!   event would contain the whole text.
//! - Error codes of dialects that are not compiled in, and selector errors without the feature `select`, cannot be
//!   deserialized: the result is an error.
//!
//! The serialized data may come from an untrusted source: deserialization returns either an error or a value whose
//! methods do not panic. A missing field of [`Limits`](crate::Limits) gets its default value.

mod attributes;
mod error;
mod flat;
mod node;
mod serializer;
mod stream;

pub use error::SerError;
pub use serializer::Serializer;

use crate::write::{Output, Writer};
use alloc::string::String;
use node::ValueContext;
use serde_core::ser::Serialize;
use stream::Stream;

/// Serializes a value as an XML document. The root element has the name of the type.
///
/// ```
/// use serde::Serialize;
///
/// #[derive(Serialize)]
/// struct Point {
///     #[serde(rename = "@x")]
///     x: i32,
/// }
///
/// assert_eq!(tagstream::ser::to_string(&Point { x: 7 })?, r#"<Point x="7"/>"#);
/// # Ok::<(), tagstream::ser::SerError>(())
/// ```
///
/// # Errors
///
/// The value cannot be written as one element, the name of a field or a key of a map is not a valid XML name, or a
/// string contains a character that is not allowed in XML.
pub fn to_string<T: ?Sized + Serialize>(value: &T) -> Result<String, SerError> {
    let mut out = Writer::xml(String::new());
    write(&mut out, value)?;
    Ok(out.finish()?)
}

/// Serializes a value as an XML document, like [`to_string`], with the given name for the root element. The name may be
/// `{namespace}name`.
///
/// ```
/// let numbers = std::collections::BTreeMap::from([("one", 1), ("two", 2)]);
/// assert_eq!(
///     tagstream::ser::to_string_with_root("numbers", &numbers)?,
///     "<numbers><one>1</one><two>2</two></numbers>"
/// );
/// # Ok::<(), tagstream::ser::SerError>(())
/// ```
///
/// # Errors
///
/// The same errors as for [`to_string`].
pub fn to_string_with_root<T: ?Sized + Serialize>(
    root: &str,
    value: &T,
) -> Result<String, SerError> {
    let mut out = Writer::xml(String::new());
    write_as(&mut out, root, value)?;
    Ok(out.finish()?)
}

/// Writes a value as an XML document to an output for bytes or text, such as a file or a `String`.
///
/// A start tag is written before the content of its element is serialized, so the memory use depends on the number of
/// open elements, not on the length of the document. This has two consequences. If an error is returned, a part of the
/// document has been written already. The `serialize` method of a struct or a map is called twice, the first time only
/// for its attributes. The items of a sequence are visited once.
///
/// ```
/// let mut bytes = Vec::new();
/// tagstream::ser::to_writer(&mut bytes, &Some(Unit))?;
/// assert_eq!(bytes, b"<Unit/>");
///
/// #[derive(serde::Serialize)]
/// struct Unit;
/// # Ok::<(), tagstream::ser::SerError>(())
/// ```
///
/// # Errors
///
/// The same errors as for [`to_string`], and errors of the output.
pub fn to_writer<W: Output<K>, K, T: ?Sized + Serialize>(
    out: W,
    value: &T,
) -> Result<(), SerError> {
    let mut out = Writer::xml(out);
    write(&mut out, value)?;
    out.finish()?;
    Ok(())
}

/// Writes a value as an element at the current position of a [`Writer`]: with its indentation, inside the open
/// elements.
///
/// ```
/// use serde::Serialize;
/// use tagstream::{Writer, ser};
///
/// #[derive(Serialize)]
/// struct Entry {
///     title: String,
/// }
///
/// let mut out = Writer::xml(String::new()).indent("  ");
/// out.start("feed")?;
/// for title in ["One", "Two"] {
///     ser::write(&mut out, &Entry { title: title.to_owned() })?;
/// }
/// out.end()?;
/// let feed = out.finish()?;
/// assert!(feed.starts_with("<feed>\n  <Entry>\n    <title>One</title>\n  </Entry>"));
/// # Ok::<(), tagstream::ser::SerError>(())
/// ```
///
/// # Errors
///
/// The same errors as for [`to_writer`]. The part of the value before the error has been written already.
pub fn write<W: Output<K>, K, T: ?Sized + Serialize>(
    out: &mut Writer<W, K>,
    value: &T,
) -> Result<(), SerError> {
    node::write(&mut Stream::new(out), ValueContext::Root, value)
}

/// Writes a value, like [`write()`], as an element with the given name instead of the name of the type.
///
/// ```
/// use tagstream::{Writer, ser};
///
/// let mut out = Writer::xml(String::new());
/// out.start("sizes")?;
/// ser::write_as(&mut out, "size", &[1, 2])?;
/// out.end()?;
/// assert_eq!(out.finish()?, "<sizes><size>1</size><size>2</size></sizes>");
/// # Ok::<(), tagstream::ser::SerError>(())
/// ```
///
/// # Errors
///
/// The same errors as for [`write()`].
pub fn write_as<W: Output<K>, K, T: ?Sized + Serialize>(
    out: &mut Writer<W, K>,
    name: &str,
    value: &T,
) -> Result<(), SerError> {
    let mut stream = Stream::new(out);
    let context = stream.context(name);
    node::write(&mut stream, context, value)
}
