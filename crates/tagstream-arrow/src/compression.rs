//! Compressed input: gzip, bzip2 and zstd, known by the first bytes.
//!
//! Compressed files often consist of several *members*, one after another, such as the multistream dumps of Wikipedia.
//! Each member can be decompressed without the others. [`decompress_on`] does so on several threads. The compressed input
//! is cut where the bytes look like the start of a member; such bytes may also be in the middle of one. A cut is right if
//! the members before it end exactly there. Otherwise the segments on both sides are decompressed as one.

mod zstd;

use bytes::Bytes;
use std::io::{self, Cursor, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
pub use zstd::ZstdReader;

/// Length of a segment of compressed input, in bytes, before it is extended to the next start of a member.
const SEGMENT_BYTES: usize = 1 << 20;
/// Maximum length of a segment after decompression, and of compressed segments that are joined. Longer ones are
/// decompressed as a stream.
const MAX_SEGMENT_BYTES: usize = 64 << 20;
/// Maximum number of segments that are joined to one.
const MAX_JOINS: usize = 4;

/// A format of compressed data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Compression {
    /// gzip, with one or more members.
    Gzip,
    /// bzip2, with one or more streams.
    Bzip2,
    /// zstd, with one or more frames.
    Zstd,
}

impl Compression {
    /// Returns the format of data that begins with these bytes. Four bytes are enough.
    ///
    /// ```
    /// use tagstream_arrow::Compression;
    ///
    /// assert_eq!(Compression::of(b"\x1F\x8B\x08\x00"), Some(Compression::Gzip));
    /// assert_eq!(Compression::of(b"<?xml"), None);
    /// ```
    pub fn of(start: &[u8]) -> Option<Compression> {
        match start {
            [0x1F, 0x8B, 0x08, ..] => Some(Compression::Gzip),
            [b'B', b'Z', b'h', b'1'..=b'9', ..] => Some(Compression::Bzip2),
            // A skippable frame may be the first one.
            [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => {
                Some(Compression::Zstd)
            }
            _ => None,
        }
    }

    /// Returns the offset of the next bytes that look like the start of a member.
    fn find(self, bytes: &[u8]) -> Option<usize> {
        let mut from = 0;
        let magic: &[u8] = match self {
            Compression::Gzip => b"\x1F\x8B\x08",
            Compression::Bzip2 => b"BZh",
            Compression::Zstd => b"\x28\xB5\x2F\xFD",
        };
        loop {
            let at = from + memchr::memmem::find(&bytes[from..], magic)?;
            let rest = &bytes[at..];
            let is_start = match self {
                // Reserved flags are zero.
                Compression::Gzip => rest.get(3).is_some_and(|flags| flags & 0xE0 == 0),
                // The digits of pi begin a block, and those of its square root an empty stream.
                Compression::Bzip2 => rest.get(4..10).is_some_and(|block| {
                    block == b"\x31\x41\x59\x26\x53\x59" || block == b"\x17\x72\x45\x38\x50\x90"
                }),
                Compression::Zstd => true,
            };
            if is_start {
                return Some(at);
            }
            from = at + 1;
        }
    }

    /// Returns a reader of all members of a compressed stream.
    fn reader(self, read: impl Read + Send + 'static) -> Box<dyn Read + Send> {
        match self {
            Compression::Gzip => Box::new(flate2::read::MultiGzDecoder::new(read)),
            Compression::Bzip2 => Box::new(bzip2::read::MultiBzDecoder::new(read)),
            Compression::Zstd => Box::new(ZstdReader::new(read)),
        }
    }
}

/// Returns a reader of decompressed data. Data that is not compressed is read as it is.
///
/// ```
/// use std::io::Read;
///
/// let mut text = String::new();
/// tagstream_arrow::decompress(&b"<log/>"[..])?.read_to_string(&mut text)?;
/// assert_eq!(text, "<log/>");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// Returns an error if the first bytes cannot be read.
pub fn decompress(read: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
    let (compression, read) = detect(read)?;
    Ok(match compression {
        Some(compression) => compression.reader(read),
        None => Box::new(read),
    })
}

/// As [`decompress`], with a number of threads for the members, besides one thread that reads the input. Memory is bounded
/// by a few segments for each thread, of at most 64 MiB each.
///
/// # Errors
///
/// Returns an error if the first bytes cannot be read.
pub fn decompress_on(
    read: impl Read + Send + 'static,
    threads: usize,
) -> io::Result<Box<dyn Read + Send>> {
    let (compression, read) = detect(read)?;
    Ok(match compression {
        Some(compression) if threads > 1 => {
            Box::new(Members::new(compression, read, threads, SEGMENT_BYTES))
        }
        Some(compression) => compression.reader(read),
        None => Box::new(read),
    })
}

/// As [`decompress_on`], with segments of another length, for tests.
#[doc(hidden)]
pub fn decompress_segments(
    read: impl Read + Send + 'static,
    threads: usize,
    bytes: usize,
) -> io::Result<Box<dyn Read + Send>> {
    let (compression, read) = detect(read)?;
    Ok(match compression {
        Some(compression) => Box::new(Members::new(compression, read, threads, bytes)),
        None => Box::new(read),
    })
}

/// Input whose first bytes were read before.
type Detected<R> = io::Chain<Cursor<Vec<u8>>, R>;

/// Reads the first bytes, and returns the format and all of the input.
fn detect<R: Read>(mut read: R) -> io::Result<(Option<Compression>, Detected<R>)> {
    let mut start = Vec::new();
    (&mut read).take(4).read_to_end(&mut start)?;
    Ok((Compression::of(&start), Cursor::new(start).chain(read)))
}

/// A segment of compressed input for a thread, and the sender of its data.
type Job = (Bytes, SyncSender<Option<Vec<u8>>>);

/// A segment on its way to the consumer.
struct Segment {
    bytes: Bytes,
    data: Receiver<Option<Vec<u8>>>,
}

/// Decompresses members on several threads.
struct Members {
    compression: Compression,
    segments: Arc<Mutex<Receiver<io::Result<Segment>>>>,
    current: Cursor<Vec<u8>>,
    /// Decompresses the rest of the input, if it could not be cut.
    rest: Option<Box<dyn Read + Send>>,
}

impl Members {
    fn new(
        compression: Compression,
        read: impl Read + Send + 'static,
        threads: usize,
        bytes: usize,
    ) -> Members {
        let threads = threads.max(1);
        let (jobs, queue) = sync_channel::<Job>(threads);
        let queue = Arc::new(Mutex::new(queue));
        for _ in 0..threads {
            let queue = Arc::clone(&queue);
            thread::spawn(move || {
                loop {
                    let job = match queue.lock() {
                        Ok(queue) => queue.recv(),
                        Err(_) => return,
                    };
                    let Ok((bytes, data)) = job else {
                        return;
                    };
                    // The consumer may have gone.
                    let _ = data.send(whole(compression, &bytes));
                }
            });
        }
        let (ordered, segments) = sync_channel(threads + 1);
        thread::spawn(move || cut(compression, read, bytes.max(1), &jobs, &ordered));
        Members {
            compression,
            segments: Arc::new(Mutex::new(segments)),
            current: Cursor::default(),
            rest: None,
        }
    }

    fn next_segment(&self) -> io::Result<Option<Segment>> {
        match self.segments.lock() {
            Ok(segments) => segments.recv().ok().transpose(),
            Err(_) => Ok(None),
        }
    }

    /// Gets the data of the next segment. Returns false at the end.
    fn advance(&mut self) -> io::Result<bool> {
        let Some(segment) = self.next_segment()? else {
            return Ok(false);
        };
        if let Ok(Some(data)) = segment.data.recv() {
            self.current = Cursor::new(data);
            return Ok(true);
        }
        // The segment does not end with a member, or is too large: join it with the next ones.
        let mut joined = segment.bytes.to_vec();
        for _ in 0..MAX_JOINS {
            if joined.len() >= MAX_SEGMENT_BYTES {
                break;
            }
            let Some(next) = self.next_segment()? else {
                break;
            };
            joined.extend_from_slice(&next.bytes);
            // After a wrong cut, the next one is right in nearly all cases.
            if let Some(data) = whole(self.compression, &Bytes::copy_from_slice(&joined)) {
                self.current = Cursor::new(data);
                return Ok(true);
            }
        }
        let rest = Rest {
            current: Cursor::new(joined),
            segments: Arc::clone(&self.segments),
        };
        self.rest = Some(self.compression.reader(rest));
        Ok(true)
    }
}

impl Read for Members {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            if let Some(rest) = &mut self.rest {
                return rest.read(buffer);
            }
            match self.current.read(buffer)? {
                0 if !self.advance()? => return Ok(0),
                0 => {}
                read => return Ok(read),
            }
        }
    }
}

/// The compressed bytes of the segments that are left.
struct Rest {
    current: Cursor<Vec<u8>>,
    segments: Arc<Mutex<Receiver<io::Result<Segment>>>>,
}

impl Read for Rest {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.current.read(buffer)? {
                0 if !buffer.is_empty() => {
                    let next = match self.segments.lock() {
                        Ok(segments) => segments.recv(),
                        Err(_) => return Ok(0),
                    };
                    match next {
                        Ok(segment) => self.current = Cursor::new(segment?.bytes.to_vec()),
                        Err(_) => return Ok(0),
                    }
                }
                read => return Ok(read),
            }
        }
    }
}

/// Decompresses a segment. Returns `None` if it does not consist of whole members, or is too large.
fn whole(compression: Compression, bytes: &Bytes) -> Option<Vec<u8>> {
    let mut data = Vec::new();
    let mut limited = compression
        .reader(Cursor::new(bytes.clone()))
        .take(MAX_SEGMENT_BYTES as u64 + 1);
    let is_whole = limited.read_to_end(&mut data).is_ok() && data.len() <= MAX_SEGMENT_BYTES;
    is_whole.then_some(data)
}

/// Cuts the compressed input into segments.
fn cut(
    compression: Compression,
    mut read: impl Read,
    segment_bytes: usize,
    jobs: &SyncSender<Job>,
    ordered: &SyncSender<io::Result<Segment>>,
) {
    let mut pending = Vec::new();
    let mut searched = 1;
    loop {
        let before = pending.len();
        pending.resize(before + crate::chunks::CHUNK_BYTES, 0);
        let read = crate::chunks::read_some(&mut read, &mut pending[before..]);
        pending.truncate(before + *read.as_ref().unwrap_or(&0));
        let is_end = !matches!(read, Ok(length) if length > 0);
        loop {
            let from = segment_bytes.max(searched);
            let found = pending.get(from..).and_then(|rest| compression.find(rest));
            let at = match found {
                Some(at) => from + at,
                // Without a start of a member, the segment is cut anywhere, and joined again.
                None if pending.len() > MAX_SEGMENT_BYTES || (is_end && !pending.is_empty()) => {
                    pending.len()
                }
                None => {
                    // The start of a member may go on in the next chunk.
                    searched = pending.len().saturating_sub(16).max(1);
                    break;
                }
            };
            let rest = pending.split_off(at);
            let bytes = Bytes::from(std::mem::replace(&mut pending, rest));
            searched = 1;
            let (sender, data) = sync_channel(1);
            if ordered
                .send(Ok(Segment {
                    bytes: bytes.clone(),
                    data,
                }))
                .is_err()
                || jobs.send((bytes, sender)).is_err()
            {
                return;
            }
        }
        if let Err(error) = read {
            // The consumer may have gone.
            let _ = ordered.send(Err(error));
            return;
        }
        if is_end {
            return;
        }
    }
}
