//! The file format of checkpoints: a header, which identifies what was saved, and the serialized state as payload.
//!
//! ```text
//! magic  version  kind  dialect  options  length  checksum  payload
//!   8     1 + n    1     1 + n      8        8        8      length
//! ```
//!
//! The second line gives the sizes in bytes. A string is preceded by its length; numbers are little-endian. The
//! checksum covers everything before it and the payload.

use super::error::CheckpointError;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The first bytes of a checkpoint. No text starts like this. Conversion of line ends and loss of the eighth bit
/// damage the magic number, so both are detected.
const MAGIC: &[u8; 8] = b"\x8Btagck\r\n";

/// The type whose state was saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CheckpointKind {
    Parser = 1,
    Balanced,
    Tree,
    HostedTree,
    Rewriter,
    Selectors,
}

impl CheckpointKind {
    fn of(number: u8) -> Result<CheckpointKind, CheckpointError> {
        use CheckpointKind::{Balanced, HostedTree, Parser, Rewriter, Selectors, Tree};
        let all = [Parser, Balanced, Tree, HostedTree, Rewriter, Selectors];
        let found = all.into_iter().find(|kind| *kind as u8 == number);
        found.ok_or(CheckpointError::Damaged)
    }

    fn name(self) -> &'static str {
        match self {
            CheckpointKind::Parser => "a parser",
            CheckpointKind::Balanced => "balanced events",
            CheckpointKind::Tree => "a tree",
            CheckpointKind::HostedTree => "a tree with a host",
            CheckpointKind::Rewriter => "a rewriter",
            CheckpointKind::Selectors => "a selector set",
        }
    }
}

/// The header of a checkpoint, without version and checksum.
pub(crate) struct Header {
    pub(crate) kind: CheckpointKind,
    pub(crate) dialect: &'static str,
    /// Digest of the dialect's options.
    pub(crate) options: u64,
}

/// The minor version of the crate. A test compares it with the version of the package.
const VERSION: &str = "0.1";

/// Returns the string that identifies the format of the checkpoint: the version of the crate, and its features. Builds
/// with equal strings can read each other's checkpoints.
fn version() -> String {
    let word = usize::BITS;
    let of = |is_on: bool, feature: &'static str| if is_on { feature } else { "" };
    let select = of(cfg!(any(feature = "select", feature = "xpath")), ", select");
    let values = of(cfg!(feature = "serde"), ", serde");
    format!("{VERSION} ({word} bits{select}{values})")
}

/// Returns a hash of all bytes (FNV-1a).
pub(super) fn digest<'p>(parts: impl IntoIterator<Item = &'p [u8]>) -> u64 {
    let bytes = parts.into_iter().flatten();
    bytes.fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

impl Header {
    /// Returns a checkpoint with this header and the given payload.
    pub(crate) fn write(&self, payload: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(96 + payload.len());
        out.extend_from_slice(MAGIC);
        write_string(&mut out, &version());
        out.push(self.kind as u8);
        write_string(&mut out, self.dialect);
        out.extend_from_slice(&self.options.to_le_bytes());
        out.extend_from_slice(&(payload.len() as u64).to_le_bytes());
        out.extend_from_slice(&digest([&*out, payload]).to_le_bytes());
        out.extend_from_slice(payload);
        out
    }

    /// Returns the payload of a checkpoint, after comparing its header with this one.
    pub(crate) fn read<'b>(&self, bytes: &'b [u8]) -> Result<&'b [u8], CheckpointError> {
        let mut rest = Rest(bytes);
        let start = bytes.len().min(MAGIC.len());
        if start == 0 || bytes[..start] != MAGIC[..start] {
            return Err(CheckpointError::Foreign);
        }
        rest.take(MAGIC.len())?;
        let found = rest.string()?;
        if found != version().as_bytes() {
            return Err(CheckpointError::Version {
                found: String::from_utf8_lossy(found).into_owned(),
                ours: version(),
            });
        }
        let kind = rest.take(1)?[0];
        let dialect = rest.string()?;
        let options = rest.number()?;
        let length = rest.number()?;
        let sealed = &bytes[..bytes.len() - rest.0.len()];
        let checksum = rest.number()?;
        let payload = rest.0;
        if payload.len() as u64 != length || digest([sealed, payload]) != checksum {
            return Err(CheckpointError::Damaged);
        }
        let kind = CheckpointKind::of(kind)?;
        if kind != self.kind {
            return Err(CheckpointError::Kind(kind.name()));
        }
        if dialect != self.dialect.as_bytes() {
            return Err(CheckpointError::Dialect);
        }
        if options != self.options {
            return Err(CheckpointError::Options);
        }
        Ok(payload)
    }
}

fn write_string(out: &mut Vec<u8>, string: &str) {
    // All strings are constants of this crate, shorter than 256 bytes.
    out.push(string.len() as u8);
    out.extend_from_slice(string.as_bytes());
}

/// The unread rest of a checkpoint.
struct Rest<'b>(&'b [u8]);

impl<'b> Rest<'b> {
    fn take(&mut self, count: usize) -> Result<&'b [u8], CheckpointError> {
        let (taken, rest) = self
            .0
            .split_at_checked(count)
            .ok_or(CheckpointError::Damaged)?;
        self.0 = rest;
        Ok(taken)
    }

    fn string(&mut self) -> Result<&'b [u8], CheckpointError> {
        let length = self.take(1)?[0];
        self.take(usize::from(length))
    }

    fn number(&mut self) -> Result<u64, CheckpointError> {
        let mut number = [0; 8];
        number.copy_from_slice(self.take(8)?);
        Ok(u64::from_le_bytes(number))
    }
}

/// Corrects length and checksum of a checkpoint whose payload was changed, for tests. Returns the index at which the
/// payload begins, or `None` if the bytes are not a checkpoint.
#[cfg(feature = "inspect")]
#[doc(hidden)]
pub fn inspect_checksum(bytes: &mut [u8]) -> Option<usize> {
    let mut rest = Rest(bytes);
    rest.take(MAGIC.len()).ok()?;
    rest.string().ok()?;
    rest.take(1).ok()?;
    rest.string().ok()?;
    rest.take(8).ok()?;
    let length_at = bytes.len() - rest.0.len();
    rest.take(16).ok()?;
    let payload_at = bytes.len() - rest.0.len();
    let length = (bytes.len() - payload_at) as u64;
    bytes[length_at..length_at + 8].copy_from_slice(&length.to_le_bytes());
    let checksum = digest([&bytes[..length_at + 8], &bytes[payload_at..]]);
    bytes[length_at + 8..payload_at].copy_from_slice(&checksum.to_le_bytes());
    Some(payload_at)
}
