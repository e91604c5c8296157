//! Unpacking of compressed input as its bytes arrive, in bounded memory.

use bzip2::read::MultiBzDecoder;
use flate2::read::MultiGzDecoder;
use lzma_rust2::XzReader;
use std::io::{self, ErrorKind, Read};

/// Maximum memory of the decoder of xz, in KiB: twice the memory that `xz -9` needs.
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
        Packing::Zstd => zstd(packed),
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

/// Returns a reader of zstd frames: that of the rows, so that there is one for all subcommands.
#[cfg(feature = "records")]
fn zstd(packed: impl Read + Send + 'static) -> Box<dyn Read + Send> {
    Box::new(tagstream_arrow::ZstdReader::new(packed))
}

#[cfg(not(feature = "records"))]
fn zstd(_: impl Read + Send + 'static) -> Box<dyn Read + Send> {
    struct Missing;

    impl Read for Missing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            let reason = "this program was built without the feature `records`, which reads zstd";
            Err(io::Error::new(ErrorKind::Unsupported, reason))
        }
    }

    Box::new(Missing)
}
