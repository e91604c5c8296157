//! Decompression of zstd frames, one after another.

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::error::Error;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};

/// Maximum memory of the window of a frame, in bytes: the limit of the `zstd` tool.
const MAX_WINDOW_BYTES: u64 = 128 << 20;

/// Reads zstd frames, one after another, and skips skippable frames. The checksum of each frame is compared.
///
/// An error of the input is returned as it is. Input that ends in a frame is an error of the kind
/// [`UnexpectedEof`](ErrorKind::UnexpectedEof), and any other data that is no frame one of the kind
/// [`InvalidData`](ErrorKind::InvalidData).
pub struct ZstdReader<R> {
    source: BufReader<Source<R>>,
    decoder: FrameDecoder,
    in_frame: bool,
}

impl<R> std::fmt::Debug for ZstdReader<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ZstdReader")
            .field("in_frame", &self.in_frame)
            .finish_non_exhaustive()
    }
}

impl<R: Read> ZstdReader<R> {
    /// Creates a reader of the decompressed data. It reads `input` in chunks, so the input needs no buffer.
    pub fn new(input: R) -> ZstdReader<R> {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(MAX_WINDOW_BYTES);
        ZstdReader {
            source: BufReader::new(Source {
                input,
                failed: None,
                has_ended: false,
            }),
            decoder,
            in_frame: false,
        }
    }

    /// Begins the next frame, after skippable frames. Returns false if there is none.
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
                Err(error) => return Err(self.failure(error)),
            };
            if io::copy(&mut self.source.by_ref().take(skipped), &mut io::sink())? < skipped {
                return Err(ErrorKind::UnexpectedEof.into());
            }
        }
    }

    /// Ends a frame: compares its checksum, if it has one.
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

    /// Reads from the current frame, or begins the next one. The errors of the input are in the source.
    fn read_frames(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.in_frame {
                self.in_frame = self.begin()?;
                if !self.in_frame {
                    return Ok(0);
                }
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                if let Err(error) = self.decoder.decode_blocks(&mut self.source, one) {
                    return Err(self.failure(error));
                }
            }
            match self.decoder.read(buffer)? {
                0 => self.end()?,
                read => return Ok(read),
            }
        }
    }

    /// Converts an error of the library. Data in which the input ends is not wrong.
    fn failure(&self, error: FrameDecoderError) -> io::Error {
        let mut cause: Option<&(dyn Error + 'static)> = Some(&error);
        while let Some(inner) = cause {
            if let Some(inner) = inner.downcast_ref::<io::Error>()
                && inner.kind() == ErrorKind::UnexpectedEof
                && self.source.get_ref().has_ended
            {
                return inner.kind().into();
            }
            cause = inner.source();
        }
        io::Error::new(ErrorKind::InvalidData, error)
    }
}

impl<R: Read> Read for ZstdReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        let read = self.read_frames(buffer);
        // The library wraps an error of the input, so that it cannot be taken out of the error that it returns.
        match self.source.get_mut().failed.take() {
            Some(failed) => Err(failed),
            None => read,
        }
    }
}

/// The compressed input. It retains its error, and notes its end.
struct Source<R> {
    input: R,
    failed: Option<io::Error>,
    has_ended: bool,
}

impl<R: Read> Read for Source<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.input.read(buffer) {
            Ok(read) => {
                self.has_ended |= read == 0 && !buffer.is_empty();
                Ok(read)
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => Err(error),
            Err(error) => {
                let kind = error.kind();
                self.failed = Some(error);
                Err(kind.into())
            }
        }
    }
}
