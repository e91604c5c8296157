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
/// `Cow<str>`, `Cow<[u8]>`, `&Arc<str>`, `&Arc<[u8]>`, [`Bytes`] and [`BytesMut`], and for references to each of
/// them. Owned chunks are not copied.
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
pub trait Chunk: Give {}

#[diagnostic::do_not_recommend]
impl<C: Give> Chunk for C {}

/// The bytes of a chunk that was fed. `is_text` is true if the chunk is a string.
#[derive(Debug)]
pub struct Given<'a> {
    pub(crate) bytes: Piece<'a>,
    pub(crate) is_text: bool,
}

/// The bytes of a chunk, owned or borrowed.
#[derive(Debug)]
pub(crate) enum Piece<'a> {
    /// Owned bytes, which are kept without a copy.
    Owned(Bytes),
    /// Borrowed bytes, which have to be copied.
    Lent(&'a [u8]),
}

impl<'a> Given<'a> {
    fn owned(bytes: impl Into<Bytes>, is_text: bool) -> Given<'a> {
        Given {
            bytes: Piece::Owned(bytes.into()),
            is_text,
        }
    }

    /// Returns a borrowed string as a chunk.
    pub(crate) fn text(text: &'a str) -> Given<'a> {
        Given::lent(text.as_bytes(), true)
    }

    fn lent(bytes: &'a [u8], is_text: bool) -> Given<'a> {
        Given {
            bytes: Piece::Lent(bytes),
            is_text,
        }
    }

    /// Returns the bytes as an owned buffer; borrowed bytes are copied.
    pub(crate) fn into_bytes(self) -> Bytes {
        match self.bytes {
            Piece::Owned(bytes) => bytes,
            Piece::Lent(bytes) => Bytes::copy_from_slice(bytes),
        }
    }

    /// Returns the length in bytes.
    pub(crate) fn len(&self) -> usize {
        match &self.bytes {
            Piece::Owned(bytes) => bytes.len(),
            Piece::Lent(bytes) => bytes.len(),
        }
    }
}

impl AsRef<[u8]> for Given<'_> {
    fn as_ref(&self) -> &[u8] {
        match &self.bytes {
            Piece::Owned(bytes) => bytes,
            Piece::Lent(bytes) => bytes,
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
pub trait Give {
    #[doc(hidden)]
    fn give<'a>(self) -> Given<'a>
    where
        Self: 'a;
}

/// Conversion into a chunk that borrows the value. A reference to a `Lend` type implements [`Give`].
pub trait Lend {
    #[doc(hidden)]
    fn lend(&self) -> Given<'_>;
}

#[diagnostic::do_not_recommend]
impl<T: Lend + ?Sized> Give for &T {
    #[inline]
    fn give<'a>(self) -> Given<'a>
    where
        Self: 'a,
    {
        self.lend()
    }
}

/// Implements [`Give`] for owned types that convert into `Bytes` without a copy. The literal is true for strings.
macro_rules! chunks {
    ($($type:ty, $is_text:literal;)*) => {
        $(impl Give for $type {
            #[inline]
            fn give<'a>(self) -> Given<'a> where Self: 'a {
                Given::owned(self, $is_text)
            }
        })*
    };
}

/// Implements [`Lend`] for types that borrow as a slice of bytes. The literal is true for strings.
macro_rules! slices {
    ($($type:ty, $is_text:literal;)*) => {
        $(impl Lend for $type {
            #[inline]
            fn lend(&self) -> Given<'_> {
                Given::lent(AsRef::<[u8]>::as_ref(self), $is_text)
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

impl Lend for Box<str> {
    #[inline]
    fn lend(&self) -> Given<'_> {
        (**self).lend()
    }
}

impl Lend for Arc<str> {
    #[inline]
    fn lend(&self) -> Given<'_> {
        (**self).lend()
    }
}

impl Lend for Cow<'_, str> {
    #[inline]
    fn lend(&self) -> Given<'_> {
        (**self).lend()
    }
}

impl<const N: usize> Lend for [u8; N] {
    #[inline]
    fn lend(&self) -> Given<'_> {
        Given::lent(self, false)
    }
}

/// Shares the bytes instead of copying them: `Bytes` counts its references.
impl Lend for Bytes {
    #[inline]
    fn lend(&self) -> Given<'_> {
        Given::owned(self.clone(), false)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Lend + ?Sized> Lend for &T {
    #[inline]
    fn lend(&self) -> Given<'_> {
        (**self).lend()
    }
}

impl Give for Box<str> {
    #[inline]
    fn give<'a>(self) -> Given<'a>
    where
        Self: 'a,
    {
        Given::owned(self.into_boxed_bytes(), true)
    }
}

impl Give for Cow<'_, str> {
    #[inline]
    fn give<'a>(self) -> Given<'a>
    where
        Self: 'a,
    {
        match self {
            Cow::Borrowed(text) => Given::lent(text.as_bytes(), true),
            Cow::Owned(text) => Given::owned(text, true),
        }
    }
}

impl Give for Cow<'_, [u8]> {
    #[inline]
    fn give<'a>(self) -> Given<'a>
    where
        Self: 'a,
    {
        match self {
            Cow::Borrowed(bytes) => Given::lent(bytes, false),
            Cow::Owned(bytes) => Given::owned(bytes, false),
        }
    }
}
