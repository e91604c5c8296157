//! The input: a file or standard input, read in chunks. Compressed input is unpacked, input that is not markup is
//! refused, and for large files a progress bar is shown on a terminal.

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

/// Number of bytes to request from the system at a time.
const READ: usize = 64 << 10;

/// The message about an input of which no checkpoint can be saved.
pub(crate) const NEEDS_REGULAR_FILE: &str =
    "--checkpoint needs a file that is not packed, because only such a file can be resumed";

/// Minimum size in bytes of a file for which a progress bar is shown.
pub(crate) const LARGE: u64 = 16 << 20;

/// True once standard input was opened: it can be read only once.
static STDIN_IS_READ: AtomicBool = AtomicBool::new(false);

/// The settings for reading an input.
#[derive(Clone, Copy, Default)]
pub(crate) struct Given {
    /// Size of the chunks in bytes, if an option sets it. A chunk can be shorter.
    pub(crate) chunk: Option<u32>,
    /// True if the input is text, whatever its first bytes are: it is neither unpacked nor refused.
    pub(crate) is_text: bool,
    /// True if the type of the input is known, so that a NUL is not a reason to refuse it.
    pub(crate) is_known: bool,
}

pub(crate) struct Input {
    file: PathBuf,
    reader: Box<dyn Read + Send>,
    /// Length in bytes if the input is a regular file, otherwise `None`. Reading a regular file never blocks.
    length: Option<u64>,
    is_packed: bool,
    /// Number of bytes to read at a time.
    read: usize,
    /// Maximum length of a chunk in bytes.
    chunk: usize,
    buffer: BytesMut,
    pending: Bytes,
    /// The first bytes of the input, as far as they were examined for binary data. `None` when the examination is
    /// complete or disabled.
    examined: Option<Vec<u8>>,
    ended: bool,
    /// The progress bar, which counts the bytes of the file, packed or not.
    progress: ProgressBar,
    /// True if the progress bar counts other inputs too.
    is_shared: bool,
}

impl Input {
    /// Opens a file, or standard input if the name is `-`, and examines its first bytes.
    pub(crate) fn open(file: &Path, given: Given) -> Result<Input, Failure> {
        Input::open_with(file, given, ProgressBar::hidden(), false)
    }

    /// As [`open`](Input::open), with a progress bar that counts the bytes of several inputs.
    #[cfg(feature = "records")]
    pub(crate) fn open_counted(
        file: &Path,
        given: Given,
        progress: &ProgressBar,
    ) -> Result<Input, Failure> {
        Input::open_with(file, given, progress.clone(), true)
    }

    fn open_with(
        file: &Path,
        given: Given,
        progress: ProgressBar,
        is_shared: bool,
    ) -> Result<Input, Failure> {
        let (reader, length): (Box<dyn Read + Send>, _) = if file == Path::new("-") {
            if STDIN_IS_READ.swap(true, Ordering::Relaxed) {
                let reason = "standard input can be read only once";
                return Err(Failure::read(file, reason));
            }
            (Box::new(io::stdin()), None)
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
        let mut input = Input {
            file: file.to_owned(),
            reader: Box::new(progress.wrap_read(reader)),
            length,
            is_packed: false,
            read: READ,
            chunk,
            buffer: BytesMut::new(),
            pending: Bytes::new(),
            examined: None,
            ended: false,
            progress,
            is_shared,
        };
        if given.chunk.is_some() {
            // Do not allocate more memory than the file needs, or than a pipe returns at a time.
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

    /// Returns the compression format of the input, if it is compressed. Returns an error if the input is of a known
    /// binary format.
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

    /// Replaces the input with its uncompressed contents.
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
        let reason = format!("this is {what}, not markup (--as-text reads it anyway)");
        Failure::read(&self.file, reason)
    }

    /// Refuses the input if its first bytes are not text.
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

    /// Returns the name of the file, as the user gave it.
    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    /// Returns true if the input is a regular file that is not compressed.
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

    /// Returns data that identifies the file and changes if the file changes: its length and modification time. Returns
    /// `None` if the input is not a regular file, or is compressed.
    pub(crate) fn state(&self) -> Option<Vec<u8>> {
        self.length.filter(|_| !self.is_packed)?;
        let numbers = state_of(&self.file)?;
        Some(numbers.into_iter().flat_map(u128::to_le_bytes).collect())
    }

    /// Continues reading at an offset of the file.
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
        match self.is_shared {
            true => self.progress.inc(offset),
            false => self.progress.set_position(offset),
        }
        self.reader = Box::new(self.progress.wrap_read(file));
        self.pending = Bytes::new();
        self.ended = false;
        Ok(())
    }

    /// Shows a progress bar if the input is large and the bar does not interfere with the output.
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

    /// Returns the part of the input that was read but not consumed.
    pub(crate) fn peeked(&self) -> &[u8] {
        &self.pending
    }

    /// Reads more of the input without consuming it. Returns false at the end of the input.
    pub(crate) fn peek_more(&mut self) -> Result<bool, Failure> {
        let more = self.read()?;
        if self.pending.is_empty() {
            self.pending = more;
        } else {
            self.pending = [&self.pending[..], &more].concat().into();
        }
        Ok(!self.ended)
    }

    /// Returns true if reading can block, because the input is not a regular file.
    #[cfg(feature = "records")]
    pub(crate) fn can_block(&self) -> bool {
        self.length.is_none()
    }

    /// Returns the next chunk, or `None` at the end. The caller has flushed the output if reading can block.
    #[cfg(feature = "records")]
    pub(crate) fn next_chunk(&mut self) -> Result<Option<Bytes>, Failure> {
        if self.pending.is_empty() && !self.ended {
            self.pending = self.read()?;
        }
        let chunk = std::mem::take(&mut self.pending);
        Ok((!chunk.is_empty()).then_some(chunk))
    }

    /// Returns the next chunk, or `None` at the end. Flushes the output before a read that can block.
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

    /// Reads the next bytes. Returns no bytes at the end.
    fn read(&mut self) -> Result<Bytes, Failure> {
        // This reuses the memory of chunks that were dropped.
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

/// Refuses a path that leads to something else than a regular file or a folder. Call this before the file is opened:
/// opening a FIFO waits until another process writes to it. Other errors are left to the function that opens the file.
pub(crate) fn refuse_irregular(file: &Path, reason: &str) -> Result<(), Failure> {
    match std::fs::metadata(file) {
        Ok(found) if !found.is_file() && !found.is_dir() => Err(Failure::read(file, reason)),
        _ => Ok(()),
    }
}

/// Returns the length of a file in bytes, and its modification time in nanoseconds.
pub(crate) fn state_of(file: &Path) -> Option<[u128; 2]> {
    let metadata = std::fs::metadata(file).ok()?;
    let since = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some([metadata.len().into(), since.as_nanos()])
}

/// Rounds the number of bytes to read down to a multiple of the chunk size, so that only the last chunk is shorter.
fn whole_chunks(chunk: usize) -> usize {
    chunk.saturating_mul((READ / chunk).max(1))
}

impl Drop for Input {
    fn drop(&mut self) {
        if !self.is_shared {
            self.progress.finish_and_clear();
        }
    }
}
