//! The output: standard output behind one buffer, which whoever writes sees as plain memory.

use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// From so many bytes on, the buffer goes out.
const FULL: usize = 64 << 10;

pub(crate) struct Output {
    buffer: Vec<u8>,
    to: Box<dyn Write>,
    /// The file that it is, if it was asked for by its name; and how long that is.
    file: Option<File>,
    written: u64,
    /// The name of the output in error messages.
    name: String,
    /// What failed while a tree was written: `fmt::Error` can't say it.
    failed: Option<io::Error>,
}

impl Output {
    /// Standard output as it is.
    pub(crate) fn plain() -> Output {
        Output::to(Box::new(io::stdout().lock()))
    }

    /// Standard output with colours, and whether there are any to be seen.
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

    /// A file that is written to behind so many bytes.
    pub(crate) fn file(file: File, written: u64, path: &Path) -> Output {
        Output {
            file: Some(file),
            written,
            name: path.display().to_string(),
            ..Output::to(Box::new(io::sink()))
        }
    }

    /// Lets everything go out, to where it stays when the machine ends.
    pub(crate) fn sync(&mut self) -> io::Result<()> {
        self.flush()?;
        let synced = self.file.as_ref().map_or(Ok(()), File::sync_data);
        synced.map_err(|error| self.named(error))
    }

    /// How many bytes have gone out, with those that were there.
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

    /// Where to write to; [`settle`](Output::settle) afterwards.
    #[inline]
    pub(crate) fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.buffer
    }

    /// Lets the buffer go out when it is full.
    #[inline]
    pub(crate) fn settle(&mut self) -> io::Result<()> {
        if self.buffer.len() < FULL {
            return Ok(());
        }
        self.write_out()
    }

    /// Lets everything go out.
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

    /// The same error, with the name of the output in its message.
    fn named(&self, error: io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("{}: {error}", self.name))
    }

    /// The file that it is, if it was asked for by its name.
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

/// Trees are written as text; [`flush`](Output::flush) says what an error was.
impl fmt::Write for Output {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.buffer.extend_from_slice(text.as_bytes());
        self.settle().map_err(|error| {
            self.failed = Some(error);
            fmt::Error
        })
    }
}
