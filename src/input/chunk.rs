//! What input can be given as: strings and bytes, owned and borrowed.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use bytes::{Bytes, BytesMut};

/// A piece of input: a string or bytes, owned or borrowed.
///
/// These are chunks: `&str`, `String`, `&[u8]`, `&[u8; N]`, `Vec<u8>`, `Box<str>`, `Box<[u8]>`, `Cow` of both,
/// `Arc` of both by reference, [`Bytes`] and [`BytesMut`], and references to each. Owned ones are not copied.
///
/// A string is UTF-8, whatever it says of itself: nothing is sniffed, nothing waits, and a leading U+FEFF is
/// dropped. The first chunk that is not empty decides: after a string, bytes are UTF-8 too. Bytes are decoded as
/// the dialect's document says; a string after bytes that turned out to be in another encoding is an error of use,
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
    message = "`{Self}` is no piece of input",
    label = "neither a string nor bytes",
    note = "strings, slices and vectors of bytes, `Bytes` and `BytesMut` are, and references to them",
    note = "what comes from a reader is read by `Events` or `Document::read`"
)]
pub trait Chunk: Give {}

#[diagnostic::do_not_recommend]
impl<C: Give> Chunk for C {}

/// The bytes of a chunk, and whether they were a string.
#[derive(Debug)]
pub struct Given<'a> {
    pub(crate) bytes: Piece<'a>,
    pub(crate) is_text: bool,
}

/// Bytes that are taken as they are, or to be copied.
#[derive(Debug)]
pub(crate) enum Piece<'a> {
    /// Taken.
    Owned(Bytes),
    /// Copied.
    Lent(&'a [u8]),
}

impl<'a> Given<'a> {
    fn owned(bytes: impl Into<Bytes>, is_text: bool) -> Given<'a> {
        Given {
            bytes: Piece::Owned(bytes.into()),
            is_text,
        }
    }

    /// A string.
    #[cfg(feature = "html")]
    pub(crate) fn text(text: &'a str) -> Given<'a> {
        Given::lent(text.as_bytes(), true)
    }

    fn lent(bytes: &'a [u8], is_text: bool) -> Given<'a> {
        Given {
            bytes: Piece::Lent(bytes),
            is_text,
        }
    }

    /// All of them as bytes of their own.
    pub(crate) fn into_bytes(self) -> Bytes {
        match self.bytes {
            Piece::Owned(bytes) => bytes,
            Piece::Lent(bytes) => Bytes::copy_from_slice(bytes),
        }
    }

    /// How many bytes there are.
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

/// What gives its bytes away.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no piece of input",
    label = "neither a string nor bytes",
    note = "strings, slices and vectors of bytes, `Bytes` and `BytesMut` are, and references to them",
    note = "what comes from a reader is read by `Events` or `Document::read`"
)]
pub trait Give {
    #[doc(hidden)]
    fn give<'a>(self) -> Given<'a>
    where
        Self: 'a;
}

/// What lends its bytes.
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

/// Types whose bytes are copied where they are borrowed and taken where they are owned; whether they are strings.
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

/// The same of what is borrowed.
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

/// Its bytes are shared, not copied.
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
