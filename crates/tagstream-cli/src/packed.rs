//! Unpacking of compressed input as its bytes arrive, in bounded memory.

use bzip2::read::MultiBzDecoder;
use flate2::read::MultiGzDecoder;
use lzma_rust2::XzReader;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::error::Error;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};

/// Maximum memory of a decoder's window, in KiB: the limit of the `zstd` tool, and twice the memory that `xz -9` needs.
const WINDOW: u32 = 128 << 10;

/// The compression format of an input.
#[derive(Clone, Copy)]
pub(crate) enum Packing {
    Gzip,
    Zstd,
    Bzip2,
    Xz,
}

impl Packing {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Packing::Gzip => "gzip",
            Packing::Zstd => "zstd",
            Packing::Bzip2 => "bzip2",
            Packing::Xz => "xz",
        }
    }
}

/// Returns a reader of the uncompressed data. If `packed` is several compressed streams, one after another, all of them
/// are read.
pub(crate) fn unpacked(
    packing: Packing,
    packed: impl Read + Send + 'static,
) -> Box<dyn Read + Send> {
    let reader: Box<dyn Read + Send> = match packing {
        Packing::Gzip => Box::new(MultiGzDecoder::new(packed)),
        Packing::Zstd => Box::new(Zstd::new(packed)),
        Packing::Bzip2 => Box::new(MultiBzDecoder::new(packed)),
        Packing::Xz => Box::new(XzReader::new_mem_limit(packed, true, WINDOW)),
    };
    Box::new(Unpacked { reader, packing })
}

/// A reader that adds the name of the compression format to errors.
struct Unpacked {
    reader: Box<dyn Read + Send>,
    packing: Packing,
}

impl Read for Unpacked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let name = self.packing.name();
        self.reader.read(buffer).map_err(|error| {
            match (error.raw_os_error(), error.kind()) {
                // Errors of the operating system are not about the compressed data.
                (Some(_), _) | (_, ErrorKind::Interrupted) => error,
                (_, ErrorKind::UnexpectedEof) => io::Error::new(
                    ErrorKind::UnexpectedEof,
                    format!("its {name} data ends too early"),
                ),
                (_, kind) => {
                    let reason = format!("its {name} data cannot be unpacked: {error}");
                    io::Error::new(kind, reason)
                }
            }
        })
    }
}

/// A reader of several zstd frames, one after another. The library reads only one.
struct Zstd<R> {
    source: BufReader<R>,
    decoder: FrameDecoder,
    in_frame: bool,
}

impl<R: Read> Zstd<R> {
    fn new(source: R) -> Self {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(u64::from(WINDOW) << 10);
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
                Err(error) => return Err(whole(error)),
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
                let one = BlockDecodingStrategy::UptoBlocks(1);
                self.decoder
                    .decode_blocks(&mut self.source, one)
                    .map_err(whole)?;
            }
            match self.decoder.read(buffer)? {
                0 => self.end()?,
                read => return Ok(read),
            }
        }
    }
}

/// Converts an error of the library. If an error of the source caused it, returns that error.
fn whole(error: FrameDecoderError) -> io::Error {
    let mut cause: Option<&(dyn Error + 'static)> = Some(&error);
    while let Some(inner) = cause {
        if let Some(inner) = inner.downcast_ref::<io::Error>() {
            match inner.raw_os_error() {
                Some(code) => return io::Error::from_raw_os_error(code),
                None if inner.kind() == ErrorKind::UnexpectedEof => return inner.kind().into(),
                None => {}
            }
        }
        cause = inner.source();
    }
    io::Error::new(ErrorKind::InvalidData, error)
}
