//! Types that can be fed as input: strings and bytes, owned and borrowed.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use bytes::{Bytes, BytesMut};

/// A piece of input: a string or bytes, owned or borrowed.
///
/// The trait is implemented for `&str`, `String`, `&[u8]`, `&[u8; N]`, `Vec<u8>`, `Box<str>`, `Box<[u8]>`,
/// `Cow<str>`, `Cow<[u8]>`, `&Arc<str>`, `&Arc<[u8]>`, [`Bytes`], [`BytesMut`] and [`SharedText`], and for references
/// to each of them. Owned chunks are not copied.
///
/// A string is always UTF-8, even if the document declares another encoding: the encoding is not detected, parsing
/// starts with the first character, and a leading U+FEFF is dropped. The first chunk that is not empty decides for
/// all: if it is a string, later bytes are UTF-8 too. If it is bytes, their encoding is determined as the dialect's
/// specification says; if that is not UTF-8, a string among the later chunks is an error of use,
/// [`ErrorKind::TextAfterBytes`](crate::ErrorKind::TextAfterBytes).
///
/// ```
/// use tagstream::{Event, Html, Parser};
///
/// let mut parser = Parser::new(Html::default());
/// parser.feed("<p>");
/// parser.feed(String::from("é").into_bytes());
/// parser.finish();
/// parser.next_event()?;
/// let Some(Event::Text(text)) = parser.next_event()? else { panic!() };
/// assert_eq!(text.as_str(), "é");
/// # Ok::<(), tagstream::Error>(())
/// ```
///
/// The trait can't be implemented outside this crate.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a chunk of input",
    label = "expected a string or bytes",
    note = "chunks are strings, byte slices, byte vectors, `Bytes`, `BytesMut`, and references to them",
    note = "to parse from a reader, use `Events::read` or `Document::read`"
)]
pub trait Chunk: IntoChunkParts {}

#[diagnostic::do_not_recommend]
impl<C: IntoChunkParts> Chunk for C {}

/// A string as a chunk that shares its bytes with their owner, as [`Bytes`] does.
///
/// ```
/// use tagstream::{Bytes, Event, Html, Parser, SharedText};
///
/// let page = SharedText::try_from(Bytes::from("<meta charset=utf-16><p>é"))?;
/// let mut parser = Parser::new(Html::default());
/// parser.feed(page);
/// parser.finish();
/// let events: Vec<_> = parser.collect::<Result<_, _>>()?;
/// assert!(matches!(events[2].event(), Event::Text(text) if text.as_str() == "é"));
/// assert!(SharedText::try_from(Bytes::from(&b"\xFF"[..])).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SharedText(Bytes);

impl TryFrom<Bytes> for SharedText {
    type Error = core::str::Utf8Error;

    /// Returns the bytes as a string, or an error if they are not UTF-8.
    fn try_from(bytes: Bytes) -> Result<SharedText, core::str::Utf8Error> {
        core::str::from_utf8(&bytes)?;
        Ok(SharedText(bytes))
    }
}

/// Returns the bytes, which are UTF-8.
impl From<SharedText> for Bytes {
    fn from(text: SharedText) -> Bytes {
        text.0
    }
}

impl SharedText {
    /// Returns true if the string is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl IntoChunkParts for SharedText {
    #[inline]
    fn into_parts<'a>(self) -> ChunkParts<'a>
    where
        Self: 'a,
    {
        ChunkParts::shared(self.0, true)
    }
}

impl AsChunkParts for SharedText {
    #[inline]
    fn as_parts(&self) -> ChunkParts<'_> {
        ChunkParts::shared(self.0.clone(), true)
    }
}

/// The bytes of a chunk that was fed. `is_text` is true if the chunk is a string.
#[derive(Debug)]
pub struct ChunkParts<'a> {
    pub(crate) bytes: Piece<'a>,
    pub(crate) is_text: bool,
}

/// The bytes of a chunk, owned or borrowed.
#[derive(Debug)]
pub(crate) enum Piece<'a> {
    /// Owned bytes, which are kept without a copy.
    Owned(Bytes),
    /// Borrowed bytes, which have to be copied.
    Borrowed(&'a [u8]),
}

impl<'a> ChunkParts<'a> {
    fn owned(bytes: impl Into<Bytes>, is_text: bool) -> ChunkParts<'a> {
        ChunkParts {
            bytes: Piece::Owned(bytes.into()),
            is_text,
        }
    }

    /// Returns a borrowed string as a chunk.
    pub(crate) fn text(text: &'a str) -> ChunkParts<'a> {
        ChunkParts::borrowed(text.as_bytes(), true)
    }

    fn borrowed(bytes: &'a [u8], is_text: bool) -> ChunkParts<'a> {
        ChunkParts {
            bytes: Piece::Borrowed(bytes),
            is_text,
        }
    }

    /// Returns a chunk that shares its bytes.
    pub(crate) fn shared(bytes: Bytes, is_text: bool) -> ChunkParts<'a> {
        ChunkParts::owned(bytes, is_text)
    }

    /// Returns the bytes as an owned buffer; borrowed bytes are copied.
    pub(crate) fn into_bytes(self) -> Bytes {
        match self.bytes {
            Piece::Owned(bytes) => bytes,
            Piece::Borrowed(bytes) => Bytes::copy_from_slice(bytes),
        }
    }

    /// Returns the length in bytes.
    pub(crate) fn len(&self) -> usize {
        match &self.bytes {
            Piece::Owned(bytes) => bytes.len(),
            Piece::Borrowed(bytes) => bytes.len(),
        }
    }
}

impl AsRef<[u8]> for ChunkParts<'_> {
    fn as_ref(&self) -> &[u8] {
        match &self.bytes {
            Piece::Owned(bytes) => bytes,
            Piece::Borrowed(bytes) => bytes,
        }
    }
}

/// Conversion into a chunk that consumes the value: the sealed supertrait of [`Chunk`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a chunk of input",
    label = "expected a string or bytes",
    note = "chunks are strings, byte slices, byte vectors, `Bytes`, `BytesMut`, and references to them",
    note = "to parse from a reader, use `Events::read` or `Document::read`"
)]
pub trait IntoChunkParts {
    #[doc(hidden)]
    fn into_parts<'a>(self) -> ChunkParts<'a>
    where
        Self: 'a;
}

/// Conversion into a chunk that borrows the value. A reference to an `AsChunkParts` type implements [`IntoChunkParts`].
pub trait AsChunkParts {
    #[doc(hidden)]
    fn as_parts(&self) -> ChunkParts<'_>;
}

#[diagnostic::do_not_recommend]
impl<T: AsChunkParts + ?Sized> IntoChunkParts for &T {
    #[inline]
    fn into_parts<'a>(self) -> ChunkParts<'a>
    where
        Self: 'a,
    {
        self.as_parts()
    }
}

/// Implements [`IntoChunkParts`] for owned types that convert into `Bytes` without a copy. The literal is true for
/// strings.
macro_rules! chunks {
    ($($type:ty, $is_text:literal;)*) => {
        $(impl IntoChunkParts for $type {
            #[inline]
            fn into_parts<'a>(self) -> ChunkParts<'a> where Self: 'a {
                ChunkParts::owned(self, $is_text)
            }
        })*
    };
}

/// Implements [`AsChunkParts`] for types that borrow as a slice of bytes. The literal is true for strings.
macro_rules! slices {
    ($($type:ty, $is_text:literal;)*) => {
        $(impl AsChunkParts for $type {
            #[inline]
            fn as_parts(&self) -> ChunkParts<'_> {
                ChunkParts::borrowed(AsRef::<[u8]>::as_ref(self), $is_text)
            }
        })*
    };
}

chunks! {
    String, true;
    Vec<u8>, false;
    Box<[u8]>, false;
    Bytes, false;
    BytesMut, false;
}

slices! {
    str, true;
    String, true;
    [u8], false;
    Vec<u8>, false;
    Box<[u8]>, false;
    Arc<[u8]>, false;
    Cow<'_, [u8]>, false;
    BytesMut, false;
}

impl AsChunkParts for Box<str> {
    #[inline]
    fn as_parts(&self) -> ChunkParts<'_> {
        (**self).as_parts()
    }
}

impl AsChunkParts for Arc<str> {
    #[inline]
    fn as_parts(&self) -> ChunkParts<'_> {
        (**self).as_parts()
    }
}

impl AsChunkParts for Cow<'_, str> {
    #[inline]
    fn as_parts(&self) -> ChunkParts<'_> {
        (**self).as_parts()
    }
}

impl<const N: usize> AsChunkParts for [u8; N] {
    #[inline]
    fn as_parts(&self) -> ChunkParts<'_> {
        ChunkParts::borrowed(self, false)
    }
}

/// Shares the bytes instead of copying them: `Bytes` counts its references.
impl AsChunkParts for Bytes {
    #[inline]
    fn as_parts(&self) -> ChunkParts<'_> {
        ChunkParts::owned(self.clone(), false)
    }
}

#[diagnostic::do_not_recommend]
impl<T: AsChunkParts + ?Sized> AsChunkParts for &T {
    #[inline]
    fn as_parts(&self) -> ChunkParts<'_> {
        (**self).as_parts()
    }
}

impl IntoChunkParts for Box<str> {
    #[inline]
    fn into_parts<'a>(self) -> ChunkParts<'a>
    where
        Self: 'a,
    {
        ChunkParts::owned(self.into_boxed_bytes(), true)
    }
}

impl IntoChunkParts for Cow<'_, str> {
    #[inline]
    fn into_parts<'a>(self) -> ChunkParts<'a>
    where
        Self: 'a,
    {
        match self {
            Cow::Borrowed(text) => ChunkParts::borrowed(text.as_bytes(), true),
            Cow::Owned(text) => ChunkParts::owned(text, true),
        }
    }
}

impl IntoChunkParts for Cow<'_, [u8]> {
    #[inline]
    fn into_parts<'a>(self) -> ChunkParts<'a>
    where
        Self: 'a,
    {
        match self {
            Cow::Borrowed(bytes) => ChunkParts::borrowed(bytes, false),
            Cow::Owned(bytes) => ChunkParts::owned(bytes, false),
        }
    }
}
