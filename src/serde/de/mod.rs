//! Values of documents: structs and enums that serde derives, from XML and its relatives.
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
//! [`from_str`] and [`from_reader`] read strict XML; [`Deserializer`] reads events of every dialect of XML, with
//! repairs where the dialect makes them; [`Records`] reads the elements of one name, one at a time, of a document of
//! any length.
//!
//! # What is which field
//!
//! The names are those that quick-xml has, so that a program which comes from there changes its calls alone.
//!
//! | the document | the type |
//! |---|---|
//! | the root element | the struct, or the enum whose variant has its name; the name of a struct is of no matter |
//! | an attribute `a` | the field `@a`; `xmlns:a` is `@xmlns:a`, and `xml:lang` is `@xml:lang` |
//! | an element `a` | the field `a`; a `Vec`, if there may be several; an `Option`, if none |
//! | text | the field `$text` |
//! | elements of no other field, and text if there is no `$text` | the field `$value`: an enum, which the name decides; a `Vec` or a tuple of these |
//! | text among the elements of `$value` | the variant `$text` |
//! | an element in a namespace | the field `{namespace}a`, or `@{namespace}a`, if the struct has it, else `a` |
//! | a list: `1 2 3` | a `Vec` or a tuple in an attribute, in `$text`, in an item of a `Vec` |
//! | `xsi:nil="true"` | `None` |
//! | `true`, `1`, `false`, `0` | `bool` |
//!
//! A field of an enum is a variant by its text: `<field>Unit</field>`. So is an item of a list, unless a variant has the
//! name of the element. CDATA sections are text. Whitespace between elements is ignored; in a string it is kept.
//!
//! A `&str` is borrowed from a document that is given as a string, if the document contains exactly these characters:
//! no reference, no line end of CR LF. An empty string is always borrowed. Keys of a map are borrowed too
//! (`BTreeMap<&str, _>`), except those of attributes, because the document does not contain their `@`.
//!
//! The items of a `Vec` may lie apart. The elements between them are buffered until their field is read: at most
//! [`Deserializer::buffer_limit`] bytes. With [`Deserializer::contiguous_lists`] a list ends at the first other element.
//!
//! # Otherwise than in quick-xml
//!
//! - A document is well-formed, with namespaces, to its end: it has one root element, no text beside it, and its
//!   prefixes are declared. A `Vec` or a tuple of roots, or an enum of text alone, is one element with `$value`. White
//!   space and comments around the root are nothing.
//! - The items of a list are parted by line ends and tabs too, as XML Schema has it.
//! - `xsi:nil` holds for items of a `Vec<Option<_>>` as for fields.
//! - Elements of one local name and several prefixes are one field, which may be a `Vec`.
//! - Bytes are those of the string.
//! - Entities are those of the document; one that is not read is an error.
//! - What a type does not read of its element is passed over.

mod cursor;
mod element;
mod error;
mod level;
mod records;
mod simple;
mod tape;
mod value;

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
use value::{Depth, Mode, Value};

/// Default maximum depth of nested elements in a value.
const DEPTH: usize = 128;

/// The value that a document of XML is; strings may be borrowed from it.
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
/// The document is not well-formed, or not what the type wants.
#[cfg(feature = "xml")]
pub fn from_str<'de, T: Deserialize<'de>>(document: &'de str) -> Result<T, DeError> {
    Deserializer::of(Xml::strict(), document).read()
}

/// The value that a document of XML is which a reader has. It needs no buffer of its own.
///
/// ```
/// let number: u8 = tagstream::de::from_reader(&b"<a>7</a>"[..])?;
/// assert_eq!(number, 7);
/// # Ok::<(), tagstream::de::DeError>(())
/// ```
///
/// # Errors
///
/// As [`from_str`]; what the reader fails with.
#[cfg(all(feature = "std", feature = "xml"))]
pub fn from_reader<R: std::io::Read, T: DeserializeOwned>(reader: R) -> Result<T, DeError> {
    Deserializer::new(Events::<Xml, ReaderSource<R>>::read(Xml::strict(), reader)).read()
}

/// A document that is to be a value: for other dialects than strict XML, and other limits.
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
    /// // With the repairs of XML-ER.
    /// let text: &str = Deserializer::of(Xml::default(), "<a>text").read()?;
    /// assert_eq!(text, "text");
    /// # Ok::<(), tagstream::de::DeError>(())
    /// ```
    pub fn of(dialect: D, document: &'de str) -> Self {
        Deserializer {
            cursor: Cursor::new(Events::of(dialect, document), document),
            depth_limit: DEPTH,
        }
    }
}

impl<D: Balance<Form = Nested>, S: Source> Deserializer<'static, D, S> {
    /// A document as events, before the first of them is asked for.
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
            depth_limit: DEPTH,
        }
    }
}

impl<'de, D: Balance, S: Source> Deserializer<'de, D, S> {
    /// Sets how many elements may be nested in a value: 128 unless set. Types that hold themselves take stack for
    /// each.
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

    /// Sets how many bytes may be buffered of the elements that lie between the items of a list: 64 MiB unless set.
    /// An element takes one to two times the bytes of its source. In a document that is a string it takes fewer, because
    /// a long string that the document contains as it is takes its range only.
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

    /// Sets whether a list ends at the first element that is not one of its items; `false` unless set. A further item
    /// after that is an error (`duplicate field`), and nothing is buffered. quick-xml reads lists in this way without
    /// its feature `overlapped-lists`.
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

    /// For tests only: how often an event was taken, or one that is kept was looked at.
    #[cfg(feature = "inspect")]
    #[doc(hidden)]
    pub fn inspect_work(&self) -> u64 {
        self.cursor.taken + self.cursor.looked_at
    }

    /// The value that the document is, which is read to its end.
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
    /// What ends the parse; what the type refuses; one of the limits.
    pub fn read<T: Deserialize<'de>>(mut self) -> Result<T, DeError> {
        let value = T::deserialize(&mut self)?;
        loop {
            match self.cursor.peek()? {
                Next::Nothing => return Ok(value),
                Next::Text if self.cursor.is_blank() => self.cursor.take(),
                Next::Text | Next::Start | Next::End => {
                    return Err(self.cursor.fail(DeErrorKind::Trailing));
                }
            };
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
