//! Deserialization: reads XML and similar documents into structs and enums that derive serde's `Deserialize`.
//!
//! ```
//! use serde::Deserialize;
//!
//! #[derive(Deserialize)]
//! struct Feed {
//!     #[serde(rename = "@version")]
//!     version: String,
//!     #[serde(default)]
//!     entry: Vec<Entry>,
//! }
//!
//! #[derive(Deserialize)]
//! struct Entry {
//!     title: String,
//!     summary: Option<String>,
//! }
//!
//! let feed: Feed = tagstream::de::from_str(
//!     "<feed version='2'><entry><title>Tom &amp; Jerry</title></entry></feed>",
//! )?;
//! assert_eq!((&*feed.version, &*feed.entry[0].title), ("2", "Tom & Jerry"));
//! assert!(feed.entry[0].summary.is_none());
//! # Ok::<(), tagstream::de::DeError>(())
//! ```
//!
//! [`from_str`] and [`from_reader`] read strict XML. [`Deserializer`] reads the events of every dialect of XML, and
//! repairs ill-formed documents if the dialect does. [`Records`] reads all elements with a given name, one at a time,
//! from a document of any length.
//!
//! # Mapping of documents to fields
//!
//! Fields have the same names as in quick-xml, so a program that used quick-xml only has to change its calls.
//!
//! | part of the document | part of the Rust type |
//! |---|---|
//! | the root element | the struct (its name is ignored), or the enum variant with the name of the element |
//! | an attribute `a` | the field `@a`; the attribute `xmlns:a` is the field `@xmlns:a`, and `xml:lang` is `@xml:lang` |
//! | an element `a` | the field `a`; a `Vec` if the element may be repeated, an `Option` if it may be missing |
//! | text | the field `$text`; without text, it is an empty string or list, or `None` |
//! | elements that have no field of their own, and text if there is no field `$text` | the field `$value`: an enum whose variant is selected by the name of the element, or a `Vec` or tuple of such enums |
//! | text among the elements of `$value` | the variant `$text` |
//! | an element or attribute in a namespace | the field `{namespace}a` or `@{namespace}a`, or a less exact name: see [namespaces](#namespaces) |
//! | a list of items separated by whitespace: `1 2 3` | a `Vec` or a tuple, in an attribute, in `$text`, or as an item of a `Vec` |
//! | `xsi:nil="true"` | `None` |
//! | `true`, `1`, `false`, `0` | `bool` |
//!
//! If a field is an enum, the text of the element selects the variant: `<field>Unit</field>`. The same holds for an
//! item of a `Vec`, unless a variant has the name of the element. CDATA sections are text.
//!
//! A `&str` can be borrowed from a document that is given as a string, if the document contains exactly these
//! characters. A string with a reference or with a CR LF newline cannot be borrowed. An empty string can always be
//! borrowed. Keys of a map can be borrowed too (`BTreeMap<&str, _>`), except those of attributes, because the document
//! does not contain the `@` with which they begin.
//!
//! Other elements may lie between the items of a `Vec`. They are buffered until their field is read: at most
//! [`Deserializer::buffer_limit`] bytes. With [`Deserializer::contiguous_lists`], a list ends at the first element that
//! is not one of its items, and nothing is buffered.
//!
//! # Namespaces
//!
//! The name of a field, or of a variant that is selected by an element, may contain a namespace: `{namespace}a`, or `{}a`
//! for no namespace, or `{*}a` for any. An element belongs to the first of these fields that the type has:
//!
//! 1. `{namespace}a`, with the namespace of the element, or `{}a` if it has none
//! 2. `a`, if the element is in the namespace of its parent or in none
//! 3. `{*}a`
//! 4. `a`, if the parent has no element for which rule 2 applies
//!
//! The rules for attributes are the same, where rule 2 applies to attributes without a prefix. Variants have no parent,
//! so rule 2 applies to elements in no namespace, and rule 4 to all others.
//!
//! ```
//! use serde::Deserialize;
//!
//! #[derive(Deserialize)]
//! struct Entry {
//!     link: String,
//!     #[serde(rename = "@id")]
//!     id: u32,
//! }
//!
//! let document = "<entry xmlns:x='urn:x' x:id='1' id='2'><x:link>one</x:link><link>two</link></entry>";
//! let entry: Entry = tagstream::de::from_str(document)?;
//! assert_eq!((entry.id, &*entry.link), (2, "two"));
//! # Ok::<(), tagstream::de::DeError>(())
//! ```
//!
//! For rule 4, all children of the parent have to be known. So an element to which only this rule can apply is buffered
//! up to the end of its parent, within [`Deserializer::buffer_limit`]. A field `{namespace}a` or `{*}a` avoids this. If
//! rule 2 applies to another element, the buffered element is skipped. With [`Deserializer::contiguous_lists`], nothing
//! is buffered, and rule 2 applies to all elements.
//!
//! In a map, different names have different keys. The key is `a` (or `@a`) by rule 2 and for the names of one other
//! namespace if there are none of rule 2; otherwise it is `{namespace}a`. Attributes with prefixes whose local names are
//! equal all have their namespaces in their keys.
//!
//! # Whitespace
//!
//! Whitespace in text with other characters is kept. Text that consists of whitespace only is content
//!
//! - in an element without child elements;
//! - between elements, if it contains no newline, if a reference or a CDATA section is a part of it, or if
//!   `xml:space="preserve"` applies to it.
//!
//! Other whitespace is indentation, which is ignored. A type that cannot be whitespace skips it, such as a number, a
//! struct, or an enum without a variant `$text`. Whitespace between elements without a reference, a CDATA section or
//! `xml:space` is read only by a field `$text`, if the element has no other text, and by the variant `$text` in a list.
//!
//! # Types that do not say what they expect
//!
//! For `serde_json::Value`, and for everything that serde buffers because of `flatten`, `untagged` or `tag`, an element
//! without attributes and child elements is a string, which may be empty. Any other element is a map. If elements of a
//! map are repeated, they are a list under their key; for this, the elements between them are buffered. In a map with
//! values of a type, such as `BTreeMap<String, u8>`, a repeated element is the error [`DeErrorKind::Repeated`] unless the
//! type is a list.
//!
//! The following does not work, because serde's buffer contains strings, lists and maps only:
//!
//! - A number, a `bool` or an enum in a struct that is flattened, untagged or tagged: the string is not parsed. Use
//!   `#[serde(deserialize_with = "…")]` with a function that parses a string, or a type that accepts strings.
//! - A list for which the document has one element: it is a string or a map. Declare the list in the outer struct
//!   instead of the flattened one.
//! - A struct with the field `$text` for an element without attributes: it is a string. Use a `String`.
//! - A struct with optional fields only for an empty element: it is an empty string.
//! - An empty field `$text` of a struct with a flattened field: it is missing. Add `#[serde(default)]`.
//! - A map that has its own representation for repeated keys, such as a `Vec` of pairs. Its values have to be lists.
//!
//! # Differences from quick-xml
//!
//! - The document is checked to its end: it must be well-formed and namespace-well-formed, with one root element, no
//!   text outside the root element, and all prefixes declared. Several roots in a `Vec` or a tuple, or an enum that is
//!   text without an element, have to be the field `$value` of a root element. Whitespace and comments around the root
//!   element are ignored.
//! - Newlines and tabs separate the items of a list too, as in XML Schema.
//! - `xsi:nil` is recognized on items of a `Vec<Option<_>>` as well as on fields.
//! - Of elements with the same local name in different namespaces, those in the namespace of the parent are preferred.
//!   Only if there are none, all of them belong to the same field, which may be a `Vec`.
//! - Whitespace can be content. An empty element has an empty `$text`, so a number there has to be an `Option`.
//! - An element with only text is a string for `flatten`, `untagged` and `tag`, not a map with the key `$text`.
//! - A map whose elements are repeated is an error, unless the values are lists.
//! - A type that reads bytes gets the bytes of the string in UTF-8.
//! - References to entities that the document declares are expanded. A reference to an entity that was not read is an
//!   error.
//! - The parts of an element that the type does not read are skipped.

mod blank;
mod cursor;
mod element;
mod error;
mod level;
mod names;
mod records;
mod simple;
mod tag;
mod tape;
mod value;
mod waiting;

pub use error::{DeError, DeErrorKind};
pub use records::{RecordEvents, Records};

#[cfg(feature = "xml")]
use crate::dialects::xml::Xml;
use crate::engine::dialect::{Balance, Nested};
#[cfg(feature = "std")]
use crate::stream::ReaderSource;
use crate::stream::{ChunkSource, Events, Source};
use core::fmt;
use core::option;
use cursor::{Cursor, Next};
#[cfg(all(feature = "std", feature = "xml"))]
use serde_core::de::DeserializeOwned;
use serde_core::de::{self, Deserialize, Visitor};
use value::{DEFAULT_DEPTH, Depth, Mode, Value};

/// Reads a value from an XML document in a string. Strings in the value may be borrowed from the document.
///
/// ```
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Entry<'a> {
///     #[serde(rename = "@id")]
///     id: u32,
///     title: &'a str,
/// }
///
/// let entry: Entry = tagstream::de::from_str("<entry id='7'><title>News</title></entry>")?;
/// assert_eq!((entry.id, entry.title), (7, "News"));
/// # Ok::<(), tagstream::de::DeError>(())
/// ```
///
/// # Errors
///
/// The document is not well-formed, or it does not fit the type.
#[cfg(feature = "xml")]
pub fn from_str<'de, T: Deserialize<'de>>(document: &'de str) -> Result<T, DeError> {
    Deserializer::of(Xml::strict(), document).read()
}

/// Reads a value from an XML document that a reader supplies. A `BufReader` around the reader is not needed.
///
/// ```
/// let number: u8 = tagstream::de::from_reader(&b"<a>7</a>"[..])?;
/// assert_eq!(number, 7);
/// # Ok::<(), tagstream::de::DeError>(())
/// ```
///
/// # Errors
///
/// The same errors as for [`from_str`], and errors of the reader.
#[cfg(all(feature = "std", feature = "xml"))]
pub fn from_reader<R: std::io::Read, T: DeserializeOwned>(reader: R) -> Result<T, DeError> {
    Deserializer::new(Events::<Xml, ReaderSource<R>>::read(Xml::strict(), reader)).read()
}

/// Reads a value from a document. Use it instead of [`from_str`] for dialects other than strict XML, and to set limits.
///
/// ```
/// use tagstream::de::Deserializer;
/// use tagstream::{Events, MicroXml};
///
/// let events = Events::chunks(MicroXml::default(), ["<a>", "7</a>"]);
/// let number: u8 = Deserializer::new(events).read()?;
/// assert_eq!(number, 7);
/// # Ok::<(), tagstream::de::DeError>(())
/// ```
pub struct Deserializer<'de, D: Balance, S> {
    cursor: Cursor<'de, D, S>,
    depth_limit: usize,
}

impl<'de, D: Balance<Form = Nested>> Deserializer<'de, D, ChunkSource<option::IntoIter<&'de str>>> {
    /// Reads a document that is in memory. Strings may be borrowed from the document.
    ///
    /// ```
    /// use tagstream::Xml;
    /// use tagstream::de::Deserializer;
    ///
    /// // `Xml::default()` repairs the document: the end tag is missing.
    /// let text: &str = Deserializer::of(Xml::default(), "<a>text").read()?;
    /// assert_eq!(text, "text");
    /// # Ok::<(), tagstream::de::DeError>(())
    /// ```
    pub fn of(dialect: D, document: &'de str) -> Self {
        Deserializer {
            cursor: Cursor::new(Events::of(dialect, document), document),
            depth_limit: DEFAULT_DEPTH,
        }
    }
}

impl<D: Balance<Form = Nested>, S: Source> Deserializer<'static, D, S> {
    /// Reads a document from its events. No event may have been read before.
    ///
    /// ```
    /// use tagstream::de::Deserializer;
    /// use tagstream::{Events, LeafXml};
    ///
    /// let events = Events::read(LeafXml::default(), &b"<a>7</a>"[..]);
    /// assert_eq!(Deserializer::new(events).read::<u8>()?, 7);
    /// # Ok::<(), tagstream::de::DeError>(())
    /// ```
    pub fn new(events: Events<D, S, Nested>) -> Self {
        Deserializer {
            cursor: Cursor::new(events, ""),
            depth_limit: DEFAULT_DEPTH,
        }
    }
}

impl<'de, D: Balance, S: Source> Deserializer<'de, D, S> {
    /// Sets the maximum number of elements nested in each other in a value. The default is 128. A recursive type uses
    /// stack space for each nested element, so the limit prevents a stack overflow.
    ///
    /// ```
    /// use serde::Deserialize;
    /// use tagstream::Xml;
    /// use tagstream::de::{DeErrorKind, Deserializer};
    ///
    /// #[derive(Deserialize, Debug)]
    /// struct List {
    ///     list: Option<Box<List>>,
    /// }
    ///
    /// let read = Deserializer::of(Xml::strict(), "<list><list/></list>").depth_limit(1).read::<List>();
    /// assert_eq!(read.unwrap_err().kind(), &DeErrorKind::Depth(1));
    /// ```
    #[must_use]
    pub fn depth_limit(mut self, elements: usize) -> Self {
        self.depth_limit = elements;
        self
    }

    /// Sets the maximum number of bytes for buffering elements that lie between the items of a list. The default is
    /// 64 MiB. A buffered element takes one to two times the bytes of its source. If the document is given as a string,
    /// the element takes less, because only the byte range of a string in the document is stored if the string can be
    /// borrowed.
    ///
    /// ```
    /// use serde::Deserialize;
    /// use tagstream::Xml;
    /// use tagstream::de::{DeErrorKind, Deserializer};
    ///
    /// #[derive(Deserialize, Debug)]
    /// struct Both {
    ///     a: Vec<u8>,
    ///     b: u8,
    /// }
    ///
    /// let document = "<x><a>1</a><b>2</b><a>3</a></x>";
    /// assert_eq!(Deserializer::of(Xml::strict(), document).read::<Both>()?.a, [1, 3]);
    /// let read = Deserializer::of(Xml::strict(), document).buffer_limit(10).read::<Both>();
    /// let error = read.unwrap_err();
    /// assert_eq!((error.kind(), error.path()), (&DeErrorKind::Buffer(10), "x/a"));
    /// # Ok::<(), tagstream::de::DeError>(())
    /// ```
    #[must_use]
    pub fn buffer_limit(mut self, bytes: usize) -> Self {
        self.cursor.buffer_limit = bytes;
        self
    }

    /// Sets whether a list ends at the first element that is not one of its items. The default is `false`. If `true`, a
    /// further item after another element is an error (`duplicate field`), and nothing is buffered. quick-xml reads
    /// lists in this way without its feature `overlapped-lists`.
    ///
    /// ```
    /// use serde::Deserialize;
    /// use tagstream::Xml;
    /// use tagstream::de::Deserializer;
    ///
    /// #[derive(Deserialize, Debug)]
    /// struct Both {
    ///     a: Vec<u8>,
    ///     b: u8,
    /// }
    ///
    /// let read = |document: &str| {
    ///     let from = Deserializer::of(Xml::strict(), document);
    ///     from.contiguous_lists(true).read::<Both>()
    /// };
    /// assert_eq!(read("<x><a>1</a><a>3</a><b>2</b></x>")?.a, [1, 3]);
    /// assert!(read("<x><a>1</a><b>2</b><a>3</a></x>").is_err());
    /// # Ok::<(), tagstream::de::DeError>(())
    /// ```
    #[must_use]
    pub fn contiguous_lists(mut self, is_so: bool) -> Self {
        self.cursor.has_contiguous_lists = is_so;
        self
    }

    /// For tests only: returns the number of consumed events plus the number of times that a buffered child was
    /// examined.
    #[cfg(feature = "inspect")]
    #[doc(hidden)]
    pub fn inspect_work(&self) -> u64 {
        self.cursor.taken + self.cursor.looked_at
    }

    /// Reads the document to its end and returns its value.
    ///
    /// ```
    /// use tagstream::Xml;
    /// use tagstream::de::Deserializer;
    ///
    /// let numbers: Vec<u8> = Deserializer::of(Xml::strict(), "<a>7</a>").read()?;
    /// assert_eq!(numbers, [7]);
    /// # Ok::<(), tagstream::de::DeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The document is not well-formed and the dialect does not repair it, the document does not fit the type, a limit
    /// is exceeded, or the source of the document fails.
    pub fn read<T: Deserialize<'de>>(mut self) -> Result<T, DeError> {
        let value = T::deserialize(&mut self)?;
        match self.cursor.peek()? {
            Next::Nothing => Ok(value),
            Next::Text | Next::Start | Next::End => Err(self.cursor.fail(DeErrorKind::Trailing)),
        }
    }
}

impl<D: Balance, S> fmt::Debug for Deserializer<'_, D, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deserializer")
            .field("depth_limit", &self.depth_limit)
            .finish_non_exhaustive()
    }
}

macro_rules! forward {
    ($($method:ident($($argument:ident: $type:ty),*);)*) => {
        $(
            fn $method<V: Visitor<'de>>(
                self,
                $($argument: $type,)*
                visitor: V,
            ) -> Result<V::Value, DeError> {
                let value = Value {
                    cursor: &mut self.cursor,
                    level: None,
                    mode: Mode::Root,
                    depth: Depth::new(self.depth_limit),
                };
                let read = value.$method($($argument,)* visitor);
                read.map_err(|error| self.cursor.placed(error))
            }
        )*
    };
}

impl<'de, D: Balance, S: Source> de::Deserializer<'de> for &mut Deserializer<'de, D, S> {
    type Error = DeError;

    forward! {
        deserialize_any();
        deserialize_bool();
        deserialize_i8();
        deserialize_i16();
        deserialize_i32();
        deserialize_i64();
        deserialize_i128();
        deserialize_u8();
        deserialize_u16();
        deserialize_u32();
        deserialize_u64();
        deserialize_u128();
        deserialize_f32();
        deserialize_f64();
        deserialize_char();
        deserialize_str();
        deserialize_string();
        deserialize_bytes();
        deserialize_byte_buf();
        deserialize_option();
        deserialize_unit();
        deserialize_unit_struct(name: &'static str);
        deserialize_newtype_struct(name: &'static str);
        deserialize_seq();
        deserialize_tuple(len: usize);
        deserialize_tuple_struct(name: &'static str, len: usize);
        deserialize_map();
        deserialize_struct(name: &'static str, fields: &'static [&'static str]);
        deserialize_enum(name: &'static str, variants: &'static [&'static str]);
        deserialize_identifier();
        deserialize_ignored_any();
    }
}
