//! The input: a file or standard input, in chunks, unpacked where it is packed; with a progress bar where
//! somebody looks on.
//!
//! It knows nothing of markup but what is none.

use crate::failure::Failure;
use crate::output::Output;
use crate::packed::{self, Packing};
use crate::signature::{self, Said, Signature};
use bytes::{Bytes, BytesMut};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::UNIX_EPOCH;

/// How much is asked of the system at a time.
const READ: usize = 64 << 10;

/// From so many bytes on, a file is worth a progress bar.
const LARGE: u64 = 16 << 20;

/// Standard input can be read once.
static STDIN_IS_READ: AtomicBool = AtomicBool::new(false);

/// What is said of an input, beside its name.
#[derive(Clone, Copy, Default)]
pub(crate) struct Given {
    /// Chunks have so many bytes, as far as the input comes in such.
    pub(crate) chunk: Option<u32>,
    /// It is text, whatever its first bytes say: neither unpacked nor refused.
    pub(crate) is_text: bool,
    /// It is known what it is: a NUL is no reason to refuse it.
    pub(crate) is_known: bool,
    /// The option of the current subcommand that sets `is_text`, for the advice in an error message.
    pub(crate) text_option: &'static str,
}

pub(crate) struct Input {
    file: PathBuf,
    reader: Box<dyn Read>,
    /// The length, where it is known because the input is a regular file; reading one never waits.
    length: Option<u64>,
    is_packed: bool,
    text_option: &'static str,
    /// How much is read at a time, and how much of that is a chunk.
    read: usize,
    chunk: usize,
    buffer: BytesMut,
    pending: Bytes,
    /// The beginning, as long as it is looked at for what is no text.
    examined: Option<Vec<u8>>,
    ended: bool,
    /// It counts the bytes of the file, packed as they are.
    progress: ProgressBar,
}

impl Input {
    /// Opens a file, or standard input where it is `-`, and looks at its first bytes.
    pub(crate) fn open(file: &Path, given: Given) -> Result<Input, Failure> {
        let (reader, length): (Box<dyn Read>, _) = if file == Path::new("-") {
            if STDIN_IS_READ.swap(true, Ordering::Relaxed) {
                let reason = "standard input can be read only once";
                return Err(Failure::read(file, reason));
            }
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
        let chunk = given.chunk.map_or(usize::MAX, |bytes| bytes as usize);
        let progress = ProgressBar::hidden();
        let mut input = Input {
            file: file.to_owned(),
            reader: Box::new(progress.wrap_read(reader)),
            length,
            is_packed: false,
            text_option: given.text_option,
            read: READ,
            chunk,
            buffer: BytesMut::new(),
            pending: Bytes::new(),
            examined: None,
            ended: false,
            progress,
        };
        if given.chunk.is_some() {
            // Not more memory than the file fills, nor than a pipe gives at a time.
            let most = length.map_or(READ as u64, |length| length.max(1));
            input.read = whole_chunks(chunk).min(most as usize);
        }
        if !given.is_text {
            if let Some(packing) = input.packing()? {
                input.unpack(packing)?;
            }
            input.examined = (!given.is_known).then(Vec::new);
            let peeked = input.pending.clone();
            input.examine(&peeked)?;
        }
        Ok(input)
    }

    /// How the input is packed, if it is; an `Err` if it is no markup.
    fn packing(&mut self) -> Result<Option<Packing>, Failure> {
        loop {
            match signature::of(&self.pending) {
                Said::Is(Signature::Packed(packing)) => return Ok(Some(packing)),
                Said::Is(Signature::Binary(what)) => return Err(self.no_markup(what)),
                Said::Nothing => return Ok(None),
                Said::Open if !self.peek_more()? => return Ok(None),
                Said::Open => {}
            }
        }
    }

    /// Reads what is in the input in its place.
    fn unpack(&mut self, packing: Packing) -> Result<(), Failure> {
        let beginning = io::Cursor::new(std::mem::take(&mut self.pending));
        let rest = std::mem::replace(&mut self.reader, Box::new(io::empty()));
        self.is_packed = true;
        self.reader = packed::unpacked(packing, beginning.chain(rest));
        self.read = whole_chunks(self.chunk).min(READ);
        self.ended = false;
        match self.packing()? {
            None => Ok(()),
            Some(inner) => Err(self.no_markup(&format!("{} in {}", inner.name(), packing.name()))),
        }
    }

    fn no_markup(&self, what: &str) -> Failure {
        let option = self.text_option;
        let reason = format!("this is {what}, no markup ({option} reads it all the same)");
        Failure::read(&self.file, reason)
    }

    /// Refuses what is no text, by the beginning of it.
    fn examine(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let Some(examined) = &mut self.examined else {
            return Ok(());
        };
        let more = signature::LOOK - examined.len();
        examined.extend_from_slice(&bytes[..bytes.len().min(more)]);
        let stray = signature::stray_nul(examined);
        if examined.len() == signature::LOOK {
            self.examined = None;
        }
        match stray {
            Some(at) => Err(self.no_markup(&format!("binary data (a NUL at offset {at})"))),
            None => Ok(()),
        }
    }

    /// The name of the file, as it was given.
    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    /// Whether the input is a regular file whose bytes are the document, not packed.
    pub(crate) fn is_plain_file(&self) -> bool {
        self.length.is_some() && !self.is_packed
    }

    /// Reads the whole input.
    pub(crate) fn read_all(&mut self, output: &mut Output) -> Result<Bytes, Failure> {
        let mut all = BytesMut::new();
        while let Some(chunk) = self.next(output)? {
            all.extend_from_slice(&chunk);
        }
        Ok(all.freeze())
    }

    /// Makes `bytes` the input: `next` returns them, then the end.
    pub(crate) fn replay(&mut self, bytes: Bytes) {
        self.pending = bytes;
        self.ended = true;
    }

    /// What tells the file from another and from itself once it has changed: its length and when it was written
    /// last. Nothing of what is no regular file, or is packed.
    pub(crate) fn state(&self) -> Option<Vec<u8>> {
        self.length.filter(|_| !self.is_packed)?;
        let metadata = std::fs::metadata(&self.file).ok()?;
        let since = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        let numbers = [metadata.len().into(), since.as_nanos()];
        Some(numbers.into_iter().flat_map(u128::to_le_bytes).collect())
    }

    /// Goes on behind so many bytes of the file.
    pub(crate) fn go_to(&mut self, offset: u64) -> Result<(), Failure> {
        let failure = |error: io::Error| Failure::read(&self.file, error);
        let mut file = File::open(&self.file).map_err(failure)?;
        if self.examined.is_some() {
            let mut beginning = Vec::new();
            let mut looked = Read::by_ref(&mut file).take(offset.min(signature::LOOK as u64));
            looked.read_to_end(&mut beginning).map_err(failure)?;
            self.examined = Some(Vec::new());
            self.examine(&beginning)?;
        }
        let failure = |error: io::Error| Failure::read(&self.file, error);
        file.seek(SeekFrom::Start(offset)).map_err(failure)?;
        self.progress.set_position(offset);
        self.reader = Box::new(self.progress.wrap_read(file));
        self.pending = Bytes::new();
        self.ended = false;
        Ok(())
    }

    /// Shows how far the reading is, if the input is long and it doesn't disturb the output.
    pub(crate) fn show_progress(&mut self) {
        let Some(length) = self.length else { return };
        if length < LARGE || io::stdout().is_terminal() || !io::stderr().is_terminal() {
            return;
        }
        self.progress.set_length(length);
        let template = "{bar:40} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.progress.set_style(style);
        }
        let target = ProgressDrawTarget::stderr();
        self.progress.set_draw_target(target);
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
        let bytes = self.buffer.split_to(read).freeze();
        self.examine(&bytes)?;
        Ok(bytes)
    }
}

/// Whole chunks to a read, so that the last one only is shorter.
fn whole_chunks(chunk: usize) -> usize {
    chunk.saturating_mul((READ / chunk).max(1))
}

impl Drop for Input {
    fn drop(&mut self) {
        self.progress.finish_and_clear();
    }
}
