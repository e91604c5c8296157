//! The output: buffered standard output or a file. Callers append to the buffer directly.

use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// Length in bytes from which the buffer is written out.
const FULL: usize = 64 << 10;

pub(crate) struct Output {
    buffer: Vec<u8>,
    to: Box<dyn Write>,
    /// The output file, if the output is a file that an option names.
    file: Option<File>,
    /// Length of the output in bytes, without the buffer, and including what the file contained before.
    written: u64,
    /// The name of the output in error messages.
    name: String,
    /// The error that occurred while a tree was written. `fmt::Error` cannot contain it.
    failed: Option<io::Error>,
}

impl Output {
    /// Creates the output to standard output without colours.
    pub(crate) fn plain() -> Output {
        Output::to(Box::new(io::stdout().lock()))
    }

    /// Creates the output to standard output with colours. Returns true if colours are shown.
    pub(crate) fn coloured() -> (Output, bool) {
        let stdout = io::stdout();
        match anstream::AutoStream::choice(&stdout) {
            anstream::ColorChoice::Never => (Output::plain(), false),
            choice => {
                let stream = anstream::AutoStream::new(stdout.lock(), choice);
                (Output::to(Box::new(stream)), true)
            }
        }
    }

    /// Creates the output to a file, which already contains `written` bytes.
    pub(crate) fn file(file: File, written: u64, path: &Path) -> Output {
        Output {
            file: Some(file),
            written,
            name: path.display().to_string(),
            ..Output::to(Box::new(io::sink()))
        }
    }

    /// Writes the buffer to the file, and the file to the disk, so that the data survives a crash of the machine.
    pub(crate) fn sync(&mut self) -> io::Result<()> {
        self.flush()?;
        let synced = self.file.as_ref().map_or(Ok(()), File::sync_data);
        synced.map_err(|error| self.named(error))
    }

    /// Returns the length of the output in bytes, without the buffer, and including what the file contained before.
    pub(crate) fn written(&self) -> u64 {
        self.written
    }

    fn to(to: Box<dyn Write>) -> Output {
        Output {
            buffer: Vec::with_capacity(2 * FULL),
            to,
            file: None,
            written: 0,
            name: "standard output".to_owned(),
            failed: None,
        }
    }

    /// Returns the buffer to append to. Call [`settle`](Output::settle) afterwards.
    #[inline]
    pub(crate) fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.buffer
    }

    /// Writes the buffer out if it is full.
    #[inline]
    pub(crate) fn settle(&mut self) -> io::Result<()> {
        if self.buffer.len() < FULL {
            return Ok(());
        }
        self.write_out()
    }

    /// Writes the buffer out.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        if self.buffer.is_empty() {
            return Ok(());
        }
        self.write_out()?;
        self.to.flush().map_err(|error| self.named(error))
    }

    /// Adds the name of the output to the message of an error.
    fn named(&self, error: io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("{}: {error}", self.name))
    }

    /// Returns the output file, if the output is a file that an option names.
    pub(crate) fn as_file(&self) -> Option<&File> {
        self.file.as_ref()
    }

    fn write_out(&mut self) -> io::Result<()> {
        let written = match &mut self.file {
            Some(file) => file.write_all(&self.buffer),
            None => self.to.write_all(&self.buffer),
        };
        self.written += self.buffer.len() as u64;
        self.buffer.clear();
        written.map_err(|error| self.named(error))
    }
}

/// Trees are written as text; [`flush`](Output::flush) returns the error, if one occurs.
impl fmt::Write for Output {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.buffer.extend_from_slice(text.as_bytes());
        self.settle().map_err(|error| {
            self.failed = Some(error);
            fmt::Error
        })
    }
}
