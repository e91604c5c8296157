//! The outputs of a writer: byte streams and strings.

use super::error::WriteError;
use core::fmt;

/// The output of a [`Writer`](super::Writer): a type that implements [`std::io::Write`] or [`fmt::Write`].
///
/// `Kind` tells which of the two traits the type implements: [`Bytewise`] or [`Textwise`]. The compiler infers `Kind`,
/// so that no program names it. Files, sockets and `Vec<u8>` take bytes; `String` and [`fmt::Formatter`] take text.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the output of a writer",
    label = "implements neither `std::io::Write` nor `core::fmt::Write`",
    note = "use a file, a socket, a `Vec<u8>`, a `String`, or a `&mut` reference to one of these"
)]
pub trait Output<Kind>: Sealed<Kind> {}

impl<Kind, W: Sealed<Kind>> Output<Kind> for W {}

/// Marks an [`Output`] that takes bytes: [`std::io::Write`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bytewise {}

/// Marks an [`Output`] that takes text: [`fmt::Write`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Textwise {}

/// Supertrait of [`Output`] with its methods. The trait is not exported, so that no other crate can implement `Output`.
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
