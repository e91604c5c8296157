//! Decompression of chunks as they arrive, in bounded memory.

use bytes::{Buf, Bytes};
use datafusion::common::{exec_datafusion_err, exec_err};
use datafusion::error::{DataFusionError, Result};
use futures::stream::BoxStream;
use futures::{StreamExt, stream};
use std::io::{self, ErrorKind, Read};
use std::sync::Arc;
use tagstream_arrow::{Compression, decompress};
use tokio::runtime::Handle;
use tokio::sync::mpsc;

/// Chunks of a file, in their order.
pub(crate) type Chunks = BoxStream<'static, Result<Bytes>>;

/// Length of the chunks of decompressed data.
const CHUNK_BYTES: usize = 256 << 10;

/// Number of bytes in which the signature of a compressed file is.
pub(crate) const SIGNATURE_BYTES: usize = 6;

/// The compression format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    Supported(Compression),
    /// A format that is recognized, but cannot be read.
    Unsupported(&'static str),
}

impl Packing {
    /// Recognizes the compression format of a file by its first bytes. Returns `None` for a file that is not compressed.
    pub(crate) fn of(first: &[u8]) -> Option<Packing> {
        match first {
            [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Some(Packing::Unsupported("xz")),
            [b'P', b'K', 3, 4, ..] => Some(Packing::Unsupported("ZIP")),
            first => Compression::of(first).map(Packing::Supported),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Packing::Supported(Compression::Gzip) => "gzip",
            Packing::Supported(Compression::Bzip2) => "bzip2",
            Packing::Supported(Compression::Zstd) => "zstd",
            Packing::Supported(_) => "compressed",
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
        let mut reader = match decompress(source) {
            Ok(reader) => reader,
            Err(error) => {
                let _ = sender.blocking_send(Err(failure(error, &file, name)));
                return;
            }
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
