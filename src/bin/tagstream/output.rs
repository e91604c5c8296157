//! The output: standard output behind one buffer, which whoever writes sees as plain memory.

use std::fmt;
use std::io::{self, Write};

/// From so many bytes on, the buffer goes out.
const FULL: usize = 64 << 10;

pub(crate) struct Output {
    buffer: Vec<u8>,
    to: Box<dyn Write>,
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

    fn to(to: Box<dyn Write>) -> Output {
        Output {
            buffer: Vec::with_capacity(2 * FULL),
            to,
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
        self.to.flush()
    }

    fn write_out(&mut self) -> io::Result<()> {
        let written = self.to.write_all(&self.buffer);
        self.buffer.clear();
        written
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
