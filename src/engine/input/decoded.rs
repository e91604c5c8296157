//! `Decoded`: the result of decoding a piece.

/// Reason why [`Decoder::decode`](super::decode::Decoder::decode) returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decoded {
    /// All bytes are decoded, or the requested amount of text was written.
    Text,
    /// An ill-formed sequence was consumed. Nothing was written for it: the caller appends U+FFFD.
    IllFormed,
}
