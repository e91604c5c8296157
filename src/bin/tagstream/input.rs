//! The input: a file or standard input, in chunks; with a progress bar where somebody looks on.
//!
//! It knows nothing of markup.

use crate::failure::Failure;
use crate::output::Output;
use bytes::{Bytes, BytesMut};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal, Read};
use std::path::{Path, PathBuf};

/// How much is asked of the system at a time.
const READ: usize = 64 << 10;

/// From so many bytes on, a file is worth a progress bar.
const LARGE: u64 = 16 << 20;

pub(crate) struct Input {
    file: PathBuf,
    reader: Box<dyn Read>,
    /// The length, where it is known because the input is a regular file; reading one never waits.
    length: Option<u64>,
    /// How much is read at a time, and how much of that is a chunk.
    read: usize,
    chunk: usize,
    buffer: BytesMut,
    pending: Bytes,
    ended: bool,
    progress: ProgressBar,
}

impl Input {
    /// Opens a file, or standard input where it is `-`.
    pub(crate) fn open(file: &Path) -> Result<Input, Failure> {
        let (reader, length): (Box<dyn Read>, _) = if file == Path::new("-") {
            (Box::new(io::stdin().lock()), None)
        } else {
            let failure = |error: io::Error| Failure::read(file, error);
            let opened = File::open(file).map_err(failure)?;
            let metadata = opened.metadata().map_err(failure)?;
            if metadata.is_dir() {
                return Err(Failure::read(file, "a folder, not a file"));
            }
            let length = metadata.is_file().then_some(metadata.len());
            (Box::new(opened), length)
        };
        Ok(Input {
            file: file.to_owned(),
            reader,
            length,
            read: READ,
            chunk: usize::MAX,
            buffer: BytesMut::new(),
            pending: Bytes::new(),
            ended: false,
            progress: ProgressBar::hidden(),
        })
    }

    /// A file that was read already.
    pub(crate) fn of(file: &Path, bytes: Bytes) -> Input {
        Input {
            file: file.to_owned(),
            reader: Box::new(io::empty()),
            length: Some(bytes.len() as u64),
            read: READ,
            chunk: usize::MAX,
            buffer: BytesMut::new(),
            pending: bytes,
            ended: false,
            progress: ProgressBar::hidden(),
        }
    }

    /// The name of the file, as it was given.
    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    /// Makes chunks of `bytes`, as far as the input comes in such.
    pub(crate) fn set_chunk(&mut self, bytes: u32) {
        self.chunk = bytes as usize;
        // Whole chunks to a read, so that the last one only is shorter; but not more memory than
        // the file fills, nor than a pipe gives at a time.
        let whole = self.chunk.saturating_mul((READ / self.chunk).max(1));
        let most = self.length.map_or(READ as u64, |length| length.max(1));
        self.read = whole.min(most as usize);
    }

    /// Shows how far the reading is, if the input is long and it doesn't disturb the output.
    pub(crate) fn show_progress(&mut self) {
        let Some(length) = self.length else { return };
        if length < LARGE || io::stdout().is_terminal() || !io::stderr().is_terminal() {
            return;
        }
        let target = ProgressDrawTarget::stderr();
        self.progress = ProgressBar::with_draw_target(Some(length), target);
        let template = "{bar:40} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.progress.set_style(style);
        }
    }

    /// The beginning of the input, as far as it was looked at.
    pub(crate) fn peeked(&self) -> &[u8] {
        &self.pending
    }

    /// Looks at more of the beginning; gives whether there is more.
    pub(crate) fn peek_more(&mut self) -> Result<bool, Failure> {
        let more = self.read()?;
        if self.pending.is_empty() {
            self.pending = more;
        } else {
            self.pending = [&self.pending[..], &more].concat().into();
        }
        Ok(!self.ended)
    }

    /// The next chunk, `None` at the end. What was written goes out before this waits for input.
    pub(crate) fn next(&mut self, output: &mut Output) -> Result<Option<Bytes>, Failure> {
        if self.pending.is_empty() && !self.ended {
            if self.length.is_none() {
                output.flush()?;
            }
            self.pending = self.read()?;
            self.progress.inc(self.pending.len() as u64);
        }
        if self.pending.is_empty() {
            return Ok(None);
        }
        let chunk = self.pending.len().min(self.chunk);
        Ok(Some(self.pending.split_to(chunk)))
    }

    /// Reads what there is; nothing at the end.
    fn read(&mut self) -> Result<Bytes, Failure> {
        // Once the chunks given last have been read, their memory is used again.
        self.buffer.clear();
        self.buffer.resize(self.read, 0);
        let read = loop {
            match self.reader.read(&mut self.buffer) {
                Ok(read) => break read,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(Failure::read(&self.file, error)),
            }
        };
        self.ended = read == 0;
        Ok(self.buffer.split_to(read).freeze())
    }
}

impl Drop for Input {
    fn drop(&mut self) {
        self.progress.finish_and_clear();
    }
}
