//! Decompression of chunks as they arrive, in bounded memory.

use crate::input::Chunks;
use bytes::{Buf, Bytes};
use bzip2::read::MultiBzDecoder;
use datafusion::common::{exec_datafusion_err, exec_err};
use datafusion::error::{DataFusionError, Result};
use flate2::read::MultiGzDecoder;
use futures::{StreamExt, stream};
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::sync::Arc;
use tokio::runtime::Handle;
use tokio::sync::mpsc;

/// Maximum memory of a decoder's window, in bytes: the limit of the `zstd` tool.
const MAX_WINDOW_BYTES: u64 = 128 << 20;

/// Length of the chunks of decompressed data.
const CHUNK_BYTES: usize = 256 << 10;

/// Number of bytes in which the signature of a compressed file is.
pub(crate) const SIGNATURE_BYTES: usize = 10;

/// The compression format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    Gzip,
    Zstd,
    Bzip2,
    /// A format that is recognized, but cannot be read.
    Unsupported(&'static str),
}

impl Packing {
    /// Recognizes the compression format of a file by its first bytes. Returns `None` for a file that is not compressed.
    pub(crate) fn of(first: &[u8]) -> Option<Packing> {
        let is_bzip2 = |first: &[u8]| {
            first.starts_with(b"BZh")
                && [&b"1AY&SY"[..], b"\x17\x72\x45\x38\x50\x90"]
                    .iter()
                    .any(|magic| first.get(4..).is_some_and(|rest| rest.starts_with(magic)))
        };
        match first {
            [0x1F, 0x8B, 0x08, ..] => Some(Packing::Gzip),
            // A zstd frame, and a frame that is skipped.
            [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => {
                Some(Packing::Zstd)
            }
            [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Some(Packing::Unsupported("xz")),
            [b'P', b'K', 3, 4, ..] => Some(Packing::Unsupported("ZIP")),
            first if is_bzip2(first) => Some(Packing::Bzip2),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Packing::Gzip => "gzip",
            Packing::Zstd => "zstd",
            Packing::Bzip2 => "bzip2",
            Packing::Unsupported(name) => name,
        }
    }
}

/// Returns the decompressed chunks. If `packed` is several compressed streams, one after another, all of them are read.
///
/// The decoders read from `std::io::Read`, so they run on a thread for blocking tasks, at most two chunks ahead of the
/// consumer. The thread ends when the stream is dropped.
pub(crate) fn unpacked(packing: Packing, packed: Chunks, file: Arc<str>) -> Result<Chunks> {
    let name = packing.name();
    if matches!(packing, Packing::Unsupported(_)) {
        return exec_err!("{file}: files that are compressed with {name} cannot be read");
    }
    let handle = Handle::try_current().map_err(|error| exec_datafusion_err!("{file}: {error}"))?;
    let (sender, receiver) = mpsc::channel::<Result<Bytes>>(2);
    let task = tokio::task::spawn_blocking(move || {
        let source = Blocking {
            chunks: packed,
            current: Bytes::new(),
            handle,
        };
        let mut reader: Box<dyn Read> = match packing {
            Packing::Gzip => Box::new(MultiGzDecoder::new(source)),
            Packing::Zstd => Box::new(Zstd::new(source)),
            Packing::Bzip2 => Box::new(MultiBzDecoder::new(source)),
            Packing::Unsupported(_) => return,
        };
        loop {
            let chunk = read_chunk(&mut reader).map_err(|error| failure(error, &file, name));
            let is_last = !matches!(&chunk, Ok(chunk) if !chunk.is_empty());
            let is_empty = matches!(&chunk, Ok(chunk) if chunk.is_empty());
            if (!is_empty && sender.blocking_send(chunk).is_err()) || is_last {
                return;
            }
        }
    });
    let chunks = stream::unfold((receiver, Some(task)), |(mut receiver, task)| async move {
        match (receiver.recv().await, task) {
            (Some(chunk), task) => Some((chunk, (receiver, task))),
            // A task that was ended by a panic or by the runtime has not sent all of the data.
            (None, Some(task)) => match task.await {
                Ok(()) => None,
                Err(error) => {
                    let error = DataFusionError::ExecutionJoin(Box::new(error));
                    Some((Err(error), (receiver, None)))
                }
            },
            (None, None) => None,
        }
    });
    Ok(chunks.boxed())
}

/// Reads until a chunk is full or the data ends. An empty chunk is the end.
fn read_chunk(reader: &mut impl Read) -> io::Result<Bytes> {
    let mut buffer = Vec::with_capacity(CHUNK_BYTES);
    reader
        .take(CHUNK_BYTES as u64)
        .read_to_end(&mut buffer)
        .map(|_| Bytes::from(buffer))
}

/// Adds the file and the compression format to an error. Errors of the object store already have the file.
fn failure(error: io::Error, file: &str, name: &str) -> DataFusionError {
    let kind = error.kind();
    match error.downcast::<DataFusionError>() {
        Ok(error) => error,
        Err(_) if kind == ErrorKind::UnexpectedEof => {
            exec_datafusion_err!("{file}: its {name} data ends too early")
        }
        Err(error) => exec_datafusion_err!("{file}: its {name} data cannot be unpacked: {error}"),
    }
}

/// A reader of chunks that waits for each of them.
struct Blocking {
    chunks: Chunks,
    current: Bytes,
    handle: Handle,
}

impl Read for Blocking {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.current.is_empty() {
            match self.handle.block_on(self.chunks.next()) {
                Some(chunk) => self.current = chunk.map_err(io::Error::other)?,
                None => return Ok(0),
            }
        }
        let length = buffer.len().min(self.current.len());
        self.current.copy_to_slice(&mut buffer[..length]);
        Ok(length)
    }
}

/// A reader of several zstd frames, one after another. The library reads only one.
struct Zstd<R> {
    source: BufReader<R>,
    decoder: FrameDecoder,
    in_frame: bool,
}

impl<R: Read> Zstd<R> {
    fn new(source: R) -> Zstd<R> {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(MAX_WINDOW_BYTES);
        Zstd {
            source: BufReader::new(source),
            decoder,
            in_frame: false,
        }
    }

    /// Begins the next frame, and discards skippable frames before it. Returns false if there is none.
    fn begin(&mut self) -> io::Result<bool> {
        loop {
            if self.source.fill_buf()?.is_empty() {
                return Ok(false);
            }
            let skipped = match self.decoder.reset(&mut self.source) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => u64::from(length),
                Err(error) => return Err(io::Error::new(ErrorKind::InvalidData, error)),
            };
            let mut rest = self.source.by_ref().take(skipped);
            if io::copy(&mut rest, &mut io::sink())? < skipped {
                return Err(ErrorKind::UnexpectedEof.into());
            }
        }
    }

    /// Compares the checksum of the frame that was read, if it has one.
    fn end(&mut self) -> io::Result<()> {
        self.in_frame = false;
        let stated = self.decoder.get_checksum_from_data();
        match stated.is_none() || stated == self.decoder.get_calculated_checksum() {
            true => Ok(()),
            false => Err(io::Error::new(
                ErrorKind::InvalidData,
                "the checksum is that of other data",
            )),
        }
    }
}

impl<R: Read> Read for Zstd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            if !self.in_frame {
                self.in_frame = self.begin()?;
                if !self.in_frame {
                    return Ok(0);
                }
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                self.decoder
                    .decode_blocks(&mut self.source, BlockDecodingStrategy::UptoBlocks(1))
                    .map_err(|error| io::Error::new(ErrorKind::InvalidData, error))?;
            }
            match self.decoder.read(buffer)? {
                0 => self.end()?,
                read => return Ok(read),
            }
        }
    }
}
