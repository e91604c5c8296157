//! The bytes around a state: what wrote them, of what, and whether they are those that were written.
//!
//! ```text
//! magic  version  kind  dialect  options  length  checksum  payload
//!   8     1 + n    1     1 + n      8        8        8      length
//! ```
//!
//! Strings have their length before them, numbers their lowest byte first. The checksum is one of all that
//! stands before it and of the payload.

use super::CheckpointError;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// No text begins so, and what has line ends or the eighth bit changed does not either.
const MAGIC: &[u8; 8] = b"\x8Btagck\r\n";

/// What a state is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Parser = 1,
    Balanced,
    Tree,
    HostedTree,
    Rewriter,
}

impl Kind {
    fn of(number: u8) -> Result<Kind, CheckpointError> {
        use Kind::{Balanced, HostedTree, Parser, Rewriter, Tree};
        let all = [Parser, Balanced, Tree, HostedTree, Rewriter];
        let found = all.into_iter().find(|kind| *kind as u8 == number);
        found.ok_or(CheckpointError::Damaged)
    }

    fn name(self) -> &'static str {
        match self {
            Kind::Parser => "a parser",
            Kind::Balanced => "balanced events",
            Kind::Tree => "a tree",
            Kind::HostedTree => "a tree with a host",
            Kind::Rewriter => "a rewriter",
        }
    }
}

/// What is known of a state beside its bytes.
pub(crate) struct Header {
    pub(crate) kind: Kind,
    pub(crate) dialect: &'static str,
    /// The digest of the dialect's options.
    pub(crate) options: u64,
}

/// The minor version of the crate; a test holds it against the package's.
const VERSION: &str = "0.1";

/// What a checkpoint is read by: versions that save alike have one name.
fn version() -> String {
    let word = usize::BITS;
    let of = |is_on: bool, feature: &'static str| if is_on { feature } else { "" };
    let select = of(cfg!(feature = "select"), ", select");
    let values = of(cfg!(feature = "serde"), ", serde");
    format!("{VERSION} ({word} bits{select}{values})")
}

/// A number that changes with each byte (FNV-1a).
pub(crate) fn digest<'p>(parts: impl IntoIterator<Item = &'p [u8]>) -> u64 {
    let bytes = parts.into_iter().flatten();
    bytes.fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

impl Header {
    /// The checkpoint of a state.
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

    /// The state of a checkpoint, which must be of such a one.
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
        let kind = Kind::of(kind)?;
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
    // They are our own, and short.
    out.push(string.len() as u8);
    out.extend_from_slice(string.as_bytes());
}

/// What is not read yet.
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

/// Makes the checksum right of a checkpoint whose payload was changed, for tests; gives where the payload begins, or
/// nothing if there is none.
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
