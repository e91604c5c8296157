//! Chunks that are read from a reader.

use std::io::Read;

/// Size of the chunks that are requested from a reader.
pub(crate) const CHUNK_BYTES: usize = 256 * 1024;

/// Reads at most [`CHUNK_BYTES`] into a buffer. Returns the number of bytes, which is 0 at the end.
pub(crate) fn read_chunk(read: &mut impl Read, buffer: &mut Vec<u8>) -> std::io::Result<usize> {
    buffer.resize(CHUNK_BYTES, 0);
    read_some(read, buffer)
}

/// Reads into a buffer. Returns the number of bytes, which is 0 at the end.
pub(crate) fn read_some(read: &mut impl Read, buffer: &mut [u8]) -> std::io::Result<usize> {
    loop {
        match read.read(buffer) {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}
