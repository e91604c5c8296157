//! The outputs of a writer: byte streams and strings.

use super::WriteError;
use core::fmt;

/// What a [`Writer`](super::Writer) writes to: whatever implements [`std::io::Write`] or [`fmt::Write`].
///
/// `Kind` is which of the two it is. The compiler finds that out, and no program names it: files, sockets and
/// `Vec<u8>` take bytes, `String` and [`fmt::Formatter`] take text.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is nothing to write to",
    label = "neither `std::io::Write` nor `core::fmt::Write`",
    note = "a file, a socket, a `Vec<u8>` or a `String` is, and a `&mut` reference to one"
)]
pub trait Output<Kind>: Sealed<Kind> {}

impl<Kind, W: Sealed<Kind>> Output<Kind> for W {}

/// Output that takes bytes: [`std::io::Write`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bytewise {}

/// Output that takes text: [`fmt::Write`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Textwise {}

/// Keeps the trait from being implemented elsewhere.
pub trait Sealed<Kind> {
    #[doc(hidden)]
    fn put(&mut self, text: &str) -> Result<(), WriteError>;
    #[doc(hidden)]
    fn flush(&mut self) -> Result<(), WriteError>;
}

#[cfg(feature = "std")]
impl<W: std::io::Write> Sealed<Bytewise> for W {
    fn put(&mut self, text: &str) -> Result<(), WriteError> {
        Ok(self.write_all(text.as_bytes())?)
    }

    fn flush(&mut self) -> Result<(), WriteError> {
        Ok(std::io::Write::flush(self)?)
    }
}

impl<W: fmt::Write> Sealed<Textwise> for W {
    fn put(&mut self, text: &str) -> Result<(), WriteError> {
        Ok(self.write_str(text)?)
    }

    fn flush(&mut self) -> Result<(), WriteError> {
        Ok(())
    }
}
