//! The parts of an input: the bytes that were fed, the detection of their encoding, the state of decoding, the current
//! chunk, the window in it, and the ill-formed sequences.

use super::Refused;
use super::buffer_offset::BufferOffset;
use super::decode::Decoder;
use super::line_ends::LineEnds;
use super::pending::PendingChunks;
use super::sniff::Sniffed;
use crate::engine::scan::{Checked, Set};
use alloc::string::String;
use alloc::vec::Vec;
use bytes::Bytes;
use core::mem::take;

/// Maximum capacity, in bytes, of each buffer that [`Input::reset`](super::Input::reset) keeps for the next document.
const MAX_KEPT_BYTES: usize = 64 << 10;

/// The bytes that were fed.
#[derive(Clone, Debug)]
pub(super) struct Chunks {
    /// Chunks not yet parsed, in order.
    pub(super) pending: PendingChunks,
    /// Borrowed bytes that were copied because they are short. They follow `pending`.
    pub(super) staged: Vec<u8>,
    /// Number of bytes that were fed and not yet decoded or validated.
    pub(super) unread: usize,
    pub(super) is_finished: bool,
    /// True if the first non-empty chunk was a string; `None` before it. If it was not, `text_from` is the number of
    /// bytes fed before the first string.
    pub(super) is_text: Option<bool>,
    pub(super) text_from: Option<u64>,
    /// Number of bytes fed so far, in total.
    pub(super) total: u64,
    /// Set when the rest of the input must not be parsed: pending bytes are dropped and further chunks are ignored.
    pub(super) refusal: Option<Refused>,
}

/// The detection of the encoding.
#[derive(Clone, Debug)]
pub(super) struct Detection {
    /// The encoding, once it is known. Until then `prefix` is a contiguous copy of the bytes searched for it, of
    /// which the first `prefix_bytes` bytes come from the first `prefix_pieces` pending chunks and the others from
    /// `staged`.
    pub(super) sniffed: Option<Sniffed>,
    pub(super) prefix: Vec<u8>,
    pub(super) prefix_pieces: usize,
    pub(super) prefix_bytes: usize,
    /// True if the encoding is still undecided and the first bytes outside ASCII decide it.
    pub(super) is_open: bool,
}

/// The state between the decoding of one chunk and the next.
#[derive(Clone, Debug)]
pub(super) struct Decoding {
    /// The decoder of the encoding; `None` for UTF-8. `is_flushed` is true after its last call.
    pub(super) decoder: Option<Decoder>,
    pub(super) is_flushed: bool,
    /// True if NEL and LS are replaced by LF, as XML 1.1 requires.
    pub(super) replaces_line_ends: bool,
    pub(super) line_ends: LineEnds,
    /// First bytes of a character that is split between two chunks; `partial_length` is their number.
    pub(super) partial: [u8; 4],
    pub(super) partial_length: usize,
}

/// The current chunk: text of the input's own buffer, or a chunk that is read in place.
#[derive(Clone, Debug)]
pub(super) struct CurrentChunk {
    /// True if the current chunk is `buffer`, false if it is `shared`.
    pub(super) is_own: bool,
    pub(super) buffer: String,
    pub(super) shared: Checked,
    /// Offset, in the buffered text, of the start of the current chunk: the length of the retained bytes.
    pub(super) start: BufferOffset,
}

/// The window is `from..to` in the current chunk, and `at` is the next byte to consume.
#[derive(Clone, Debug)]
pub(super) struct WindowRange {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) at: usize,
    /// Maximum length of the next window.
    pub(super) stride: usize,
}

/// The ill-formed sequences that were found and are not yet tokenized.
#[derive(Clone, Debug)]
pub(super) struct IllFormed {
    /// Length in bytes of an ill-formed sequence that follows the window, or 0. Its bytes are already removed from
    /// the chunk.
    pub(super) next_length: usize,
    /// True if an ill-formed sequence was found recently, so that more are likely to follow.
    pub(super) was_recent: bool,
    /// The bytes that end the current run of text, if the tokenizer consumes one (see `ill_formed.rs`).
    pub(super) run_terminators: Option<&'static Set>,
    /// Ill-formed sequences in the window to report: end of the U+FFFD in the chunk, and length in the input.
    pub(super) sequences: Vec<(usize, usize)>,
}

/// A well-formed character that was split between two chunks.
#[derive(Clone, Copy, Debug)]
pub(super) struct SplitCharacter {
    pub(super) bytes: [u8; 4],
    /// Number of its bytes, and of those that are still pending.
    pub(super) length: usize,
    pub(super) taken: usize,
}

impl Chunks {
    pub(super) const fn new() -> Chunks {
        Chunks {
            pending: PendingChunks::new(),
            staged: Vec::new(),
            unread: 0,
            is_finished: false,
            is_text: None,
            text_from: None,
            total: 0,
            refusal: None,
        }
    }

    /// Removes all chunks. The buffers are reused.
    pub(super) fn reset(&mut self) {
        let mut pending = core::mem::replace(&mut self.pending, PendingChunks::new());
        let mut staged = take(&mut self.staged);
        pending.clear();
        staged.clear();
        staged.shrink_to(MAX_KEPT_BYTES);
        *self = Chunks {
            pending,
            staged,
            ..Chunks::new()
        };
    }
}

impl Detection {
    pub(super) const fn new() -> Detection {
        Detection {
            sniffed: None,
            prefix: Vec::new(),
            prefix_pieces: 0,
            prefix_bytes: 0,
            is_open: false,
        }
    }
}

impl Decoding {
    pub(super) const fn new() -> Decoding {
        Decoding {
            decoder: None,
            is_flushed: false,
            replaces_line_ends: false,
            line_ends: LineEnds::new(),
            partial: [0; 4],
            partial_length: 0,
        }
    }
}

impl WindowRange {
    /// An empty window at the start of the first chunk, with the maximum length of the next window.
    pub(super) const fn new(stride: usize) -> WindowRange {
        WindowRange {
            from: 0,
            to: 0,
            at: 0,
            stride,
        }
    }
}

impl IllFormed {
    pub(super) const fn new() -> IllFormed {
        IllFormed {
            next_length: 0,
            was_recent: false,
            run_terminators: None,
            sequences: Vec::new(),
        }
    }
}

impl CurrentChunk {
    pub(super) const fn new() -> CurrentChunk {
        CurrentChunk {
            is_own: true,
            buffer: String::new(),
            shared: Checked::new(Bytes::new()),
            start: BufferOffset::ZERO,
        }
    }

    /// Makes the chunk an empty one of the input's own buffer, which is reused.
    pub(super) fn reset(&mut self) {
        let mut buffer = take(&mut self.buffer);
        buffer.clear();
        buffer.shrink_to(MAX_KEPT_BYTES);
        *self = CurrentChunk {
            buffer,
            ..CurrentChunk::new()
        };
    }

    /// Returns the validated text of the chunk.
    #[inline(always)]
    pub(super) fn as_str(&self) -> &str {
        match self.is_own {
            true => &self.buffer,
            false => self.shared.as_str(),
        }
    }
}

crate::checkpoint::checkpointable! {
    struct Chunks { pending, staged, unread, is_finished, is_text, text_from, total, refusal }
    struct Detection { sniffed, prefix, prefix_pieces, prefix_bytes, is_open }
    struct Decoding {
        decoder, is_flushed, replaces_line_ends, line_ends, partial, partial_length,
    }
    struct CurrentChunk { is_own, buffer, shared, start }
    struct WindowRange { from, to, at, stride }
    struct IllFormed {
        next_length, was_recent
        ; skip run_terminators = None, sequences = Default::default()
    }
}
