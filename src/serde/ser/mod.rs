//! Documents of values: structs and enums that serde derives, as XML.
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
//! Fields are what they are in [`de`](crate::de), by the conventions of quick-xml: `@a` is an attribute, `$text` the
//! text, `$value` what its variants are named by, any other an element; `{namespace}a` is an element in a namespace,
//! which is declared where it is not. The root element has the name of the type, unless another is given. What is
//! written is well-formed, or there is an error: a `Vec` at the top would be many roots, a character that XML does not
//! have is refused, and so is what would be read as another value: two texts side by side, an item of a list with a
//! space.
//!
//! The root element of an enum has the name of the variant, because that name selects the variant when the document is
//! read. Neither [`to_string_with_root`] nor a newtype around the enum gives it another. The unit variant `$text` has
//! neither a name nor text, so it is refused in `$value`.
//!
//! An option that is `None` is an element or an attribute of nothing, which is read as `Some`: say
//! `skip_serializing_if = "Option::is_none"`. An empty `Vec` is nothing: say `default`.
//!
//! # Events, errors, places and limits
//!
//! They are values of serde themselves, in any format: [`OwnedEvent`](crate::OwnedEvent),
//! [`OwnedTag`](crate::OwnedTag), [`Error`](crate::Error), [`ErrorCode`](crate::ErrorCode),
//! [`Category`](crate::Category), [`Related`](crate::Related), [`EntityPlace`](crate::EntityPlace),
//! [`EditError`](crate::EditError), [`Span`](crate::Span), [`Position`](crate::Position), [`Limits`](crate::Limits),
//! [`Limit`](crate::Limit), [`Stats`](crate::Stats). An [`Event`](crate::Event) and a [`StartTag`](crate::StartTag) are
//! written as those that own their strings. Fields are called as the methods are, variants as in `snake_case`; what
//! says nothing is left out, where a format has names.
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
//! An event that is read says and is all that it was: strings as meant and as written, places, namespaces, flags.
//! What does not come back: what the source of an error failed with, but for its words; of an error in an external
//! entity that is an event, the text of that entity, which would be stored with each; codes of dialects that are not
//! compiled in, and selectors without the feature `select`, which are errors. What is read may be anything: it is an
//! error, or a value whose methods do not panic. A field of [`Limits`](crate::Limits) that is missing is the usual one.

mod attributes;
mod error;
mod flat;
mod node;
mod stream;

pub use error::SerError;

use crate::write::{Output, Writer};
use alloc::string::String;
use node::Place;
use serde_core::ser::Serialize;
use stream::Stream;

/// A value as a document of XML, whose root element has the name of the type.
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
/// The value is no document of one element; what is no name; a character that cannot be written.
pub fn to_string<T: ?Sized + Serialize>(value: &T) -> Result<String, SerError> {
    let mut out = Writer::xml(String::new());
    write(&mut out, value)?;
    Ok(out.finish()?)
}

/// The same with a root element of another name, which may be `{namespace}name`.
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
/// As [`to_string`].
pub fn to_string_with_root<T: ?Sized + Serialize>(
    root: &str,
    value: &T,
) -> Result<String, SerError> {
    let mut out = Writer::xml(String::new());
    write_as(&mut out, root, value)?;
    Ok(out.finish()?)
}

/// Writes a value as a document of XML, to whatever takes bytes or text.
///
/// A start tag is written before the content of its element is serialized, so memory is bounded by the open elements,
/// and not by the document. Two consequences: if the value is refused, what precedes that is written already; and the
/// `Serialize` of a struct or a map is called twice, the first time for its attributes alone. A sequence is visited once.
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
/// As [`to_string`]; what the output fails with.
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
/// As [`to_writer`]. What the writer refuses is not written, and what came before that is.
pub fn write<W: Output<K>, K, T: ?Sized + Serialize>(
    out: &mut Writer<W, K>,
    value: &T,
) -> Result<(), SerError> {
    write_in(out, Place::Root, value)
}

/// The same as an element of another name than that of the type.
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
/// As [`write()`].
pub fn write_as<W: Output<K>, K, T: ?Sized + Serialize>(
    out: &mut Writer<W, K>,
    name: &str,
    value: &T,
) -> Result<(), SerError> {
    // The name of the root element selects the variant of an enum; an element in another is a field.
    let place = match out.has_open_element() {
        true => Place::Element(name),
        false => Place::Named(name),
    };
    write_in(out, place, value)
}

fn write_in<W: Output<K>, K, T: ?Sized + Serialize>(
    out: &mut Writer<W, K>,
    place: Place<'_>,
    value: &T,
) -> Result<(), SerError> {
    node::write(&mut Stream::new(out), place, value)
}
