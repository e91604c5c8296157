//! Helpers of several test programs.

use bytes::Bytes;

/// Divides a document into chunks of a size.
pub(crate) fn chunks(document: &[u8], size: usize) -> Vec<Bytes> {
    document
        .chunks(size.max(1))
        .map(Bytes::copy_from_slice)
        .collect()
}
