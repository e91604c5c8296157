//! A buffer between a serializer, which writes through `core::fmt::Write`, and an output that takes bytes or text.

use crate::write::{BUFFERED_BYTES, Output, WriteError};
use alloc::string::String;
use core::fmt;
use core::marker::PhantomData;

pub(super) struct Put<W, Kind> {
    output: W,
    text: String,
    failed: Option<WriteError>,
    kind: PhantomData<fn() -> Kind>,
}

impl<W: Output<Kind>, Kind> Put<W, Kind> {
    /// Calls `write` with a buffer for `output`, and then flushes the buffer. Returns the first error of `write` or of
    /// the output.
    pub(super) fn all(
        output: W,
        write: impl FnOnce(&mut Put<W, Kind>) -> Result<(), WriteError>,
    ) -> Result<(), WriteError> {
        let mut put = Put {
            output,
            text: String::new(),
            failed: None,
            kind: PhantomData,
        };
        let written = write(&mut put);
        if let Some(failed) = put.failed {
            return Err(failed);
        }
        written?;
        put.output.put(&put.text)?;
        put.output.flush()
    }
}

impl<W: Output<Kind>, Kind> fmt::Write for Put<W, Kind> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.text.push_str(text);
        if self.text.len() < BUFFERED_BYTES {
            return Ok(());
        }
        let put = self.output.put(&self.text);
        self.text.clear();
        put.map_err(|error| {
            self.failed = Some(error);
            fmt::Error
        })
    }
}
