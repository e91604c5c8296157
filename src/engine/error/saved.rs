//! Serialization of errors in checkpoints. An error code is saved as its name; loading looks the name up in the codes
//! of the dialect.

use super::{Error, ErrorCode, ErrorKind};
use crate::checkpoint::{Loaded, Saved, Saving, saved};
use crate::engine::input::encoding::Encoding;
use crate::engine::limits::Limit;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use core::cell::Cell;
use serde_core::de::Error as _;
use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

saved!(Error {
    kind,
    span,
    position,
    entity,
    about
});

std::thread_local! {
    /// The error codes of the dialect whose checkpoint is loaded on this thread. They are in a thread-local variable,
    /// because [`Saved::load`] has no parameter for them.
    static CODES: Cell<&'static [ErrorCode]> = const { Cell::new(&[]) };
}

/// Calls `load` and returns its result. Error codes that `load` deserializes are looked up in `codes`.
pub(crate) fn of_codes<T>(codes: &'static [ErrorCode], load: impl FnOnce() -> T) -> T {
    let before = CODES.replace(codes);
    let loaded = load();
    CODES.set(before);
    loaded
}

impl Saved for ErrorCode {
    fn save<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.as_str().serialize(to)
    }

    fn load<'de, D: Deserializer<'de>>(from: D) -> Result<ErrorCode, D::Error> {
        let name: &str = Deserialize::deserialize(from)?;
        let found = CODES.get().iter().find(|code| code.as_str() == name);
        found
            .copied()
            .ok_or_else(|| D::Error::custom("no such error"))
    }
}

/// An `ErrorKind` in a checkpoint. The type parameters are those of `ErrorCode`, `Limit` and `Encoding`, in their
/// serialized form.
#[derive(Serialize, Deserialize)]
enum Kind<C, L, E> {
    Syntax(C),
    Limit(L),
    FeedAfterFinish,
    TextAfterBytes,
    UnavailableEncoding(E),
    Waiting,
    NotPaused,
    NoElement,
    /// Any other error, for example of the source of the input. Only its message is saved; the loaded error is an
    /// `ErrorKind::Source`.
    Other(String),
}

impl Saved for ErrorKind {
    fn save<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let kind = match self {
            ErrorKind::Syntax(code) => Kind::Syntax(Saving(code)),
            ErrorKind::Limit(limit) => Kind::Limit(Saving(limit)),
            ErrorKind::FeedAfterFinish => Kind::FeedAfterFinish,
            ErrorKind::TextAfterBytes => Kind::TextAfterBytes,
            ErrorKind::UnavailableEncoding(encoding) => Kind::UnavailableEncoding(Saving(encoding)),
            ErrorKind::Waiting => Kind::Waiting,
            ErrorKind::NotPaused => Kind::NotPaused,
            ErrorKind::NoElement => Kind::NoElement,
            ErrorKind::Source(source) => Kind::Other(source.to_string()),
            other => Kind::Other(other.to_string()),
        };
        kind.serialize(to)
    }

    fn load<'de, D: Deserializer<'de>>(from: D) -> Result<ErrorKind, D::Error> {
        type Known = Kind<Loaded<ErrorCode>, Loaded<Limit>, Loaded<Encoding>>;
        Ok(match Known::deserialize(from)? {
            Kind::Syntax(code) => ErrorKind::Syntax(code.0),
            Kind::Limit(limit) => ErrorKind::Limit(limit.0),
            Kind::FeedAfterFinish => ErrorKind::FeedAfterFinish,
            Kind::TextAfterBytes => ErrorKind::TextAfterBytes,
            Kind::UnavailableEncoding(encoding) => ErrorKind::UnavailableEncoding(encoding.0),
            Kind::Waiting => ErrorKind::Waiting,
            Kind::NotPaused => ErrorKind::NotPaused,
            Kind::NoElement => ErrorKind::NoElement,
            Kind::Other(words) => {
                let source: Box<dyn core::error::Error + Send + Sync> = words.into();
                ErrorKind::Source(Arc::from(source))
            }
        })
    }
}
