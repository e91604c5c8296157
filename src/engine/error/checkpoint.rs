//! Serialization of errors in checkpoints. An error code is saved as its name; loading looks the name up in the codes
//! of the dialect.

use super::code::ErrorCode;
use super::kind::ErrorKind;
use crate::checkpoint::{Checkpointable, Damaged, Reader, Writer, checkpointable};
use crate::engine::input::encoding::Encoding;
use crate::engine::limits::Limit;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::sync::Arc;

impl Checkpointable for ErrorCode {
    fn save(&self, to: &mut Writer) {
        to.slice(self.as_str().as_bytes());
    }

    fn load(from: &mut Reader<'_>) -> Result<ErrorCode, Damaged> {
        let name = from.text()?;
        let codes: &&[ErrorCode] = from.context()?;
        let code = codes.iter().find(|code| code.as_str() == name);
        code.copied().ok_or(Damaged)
    }
}

/// The form in which a checkpoint contains an [`ErrorKind`].
enum SavedKind {
    Syntax(ErrorCode),
    Limit(Limit),
    FeedAfterFinish,
    TextAfterBytes,
    UnavailableEncoding(Encoding),
    Waiting,
    NotPaused,
    NoElement,
    /// Any other error, for example of the source of the input. Only its message is saved; the loaded error is an
    /// [`ErrorKind::Source`].
    Other(String),
}

checkpointable! {
    enum SavedKind {
        Syntax(code), Limit(limit), FeedAfterFinish, TextAfterBytes, UnavailableEncoding(encoding),
        Waiting, NotPaused, NoElement, Other(message),
    }
}

impl Checkpointable for ErrorKind {
    fn save(&self, to: &mut Writer) {
        let kind = match self {
            ErrorKind::Syntax(code) => SavedKind::Syntax(*code),
            ErrorKind::Limit(limit) => SavedKind::Limit(*limit),
            ErrorKind::FeedAfterFinish => SavedKind::FeedAfterFinish,
            ErrorKind::TextAfterBytes => SavedKind::TextAfterBytes,
            ErrorKind::UnavailableEncoding(encoding) => SavedKind::UnavailableEncoding(*encoding),
            ErrorKind::Waiting => SavedKind::Waiting,
            ErrorKind::NotPaused => SavedKind::NotPaused,
            ErrorKind::NoElement => SavedKind::NoElement,
            ErrorKind::Source(source) => SavedKind::Other(source.to_string()),
            other => SavedKind::Other(other.to_string()),
        };
        kind.save(to);
    }

    fn load(from: &mut Reader<'_>) -> Result<ErrorKind, Damaged> {
        Ok(match SavedKind::load(from)? {
            SavedKind::Syntax(code) => ErrorKind::Syntax(code),
            SavedKind::Limit(limit) => ErrorKind::Limit(limit),
            SavedKind::FeedAfterFinish => ErrorKind::FeedAfterFinish,
            SavedKind::TextAfterBytes => ErrorKind::TextAfterBytes,
            SavedKind::UnavailableEncoding(encoding) => ErrorKind::UnavailableEncoding(encoding),
            SavedKind::Waiting => ErrorKind::Waiting,
            SavedKind::NotPaused => ErrorKind::NotPaused,
            SavedKind::NoElement => ErrorKind::NoElement,
            SavedKind::Other(message) => {
                let source: Box<dyn core::error::Error + Send + Sync> = message.into();
                ErrorKind::Source(Arc::from(source))
            }
        })
    }
}
