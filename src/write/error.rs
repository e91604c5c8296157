//! Errors of writers and serializers.

use crate::engine::error::Error;
use alloc::string::String;
use core::fmt;

/// An error of a writer or serializer: the output failed, or the markup was refused because it would be ill-formed.
///
/// ```
/// use tagstream::{WriteError, Writer};
///
/// let mut out = Writer::xml(String::new());
/// let Err(WriteError::Refused(refusal)) = out.comment("a -- b") else { panic!() };
/// assert_eq!((refusal.as_str(), refusal.what()), ("comment", "a -- b"));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum WriteError {
    /// The output failed.
    #[cfg(feature = "std")]
    Io(std::io::Error),
    /// The output failed without a reason.
    Format,
    /// The markup would be ill-formed, or would be parsed as something else.
    Refused(Refusal),
}

/// Markup that was refused, because it would be ill-formed or would be parsed as something else.
///
/// ```
/// use tagstream::{WriteError, Writer};
///
/// let mut out = Writer::xml(String::new());
/// let Err(WriteError::Refused(refusal)) = out.start("1st") else { panic!() };
/// assert_eq!(refusal.to_string(), "this is no name: `1st`");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    reason: Reason,
    what: String,
    /// The place of the refused markup, as a number that the caller of the writer defines.
    pub(crate) place: Option<usize>,
}

/// Maximum number of characters of the refused string that are kept for the message.
const MAX_SHOWN_CHARACTERS: usize = 60;

impl Refusal {
    pub(crate) fn new(reason: Reason, what: &str) -> Refusal {
        let end = what
            .char_indices()
            .nth(MAX_SHOWN_CHARACTERS)
            .map_or(what.len(), |(at, _)| at);
        Refusal {
            reason,
            what: String::from(&what[..end]),
            place: None,
        }
    }

    /// Returns the reason as one word, for example `name` or `comment`.
    ///
    /// ```
    /// use tagstream::{WriteError, Writer};
    ///
    /// let mut out = Writer::xml(String::new());
    /// out.start("a")?;
    /// let Err(WriteError::Refused(refusal)) = out.text("\u{1}") else { panic!() };
    /// assert_eq!(refusal.as_str(), "character");
    /// # Ok::<(), WriteError>(())
    /// ```
    pub fn as_str(&self) -> &'static str {
        self.reason.words().0
    }

    /// Returns the reason as a sentence without a full stop.
    ///
    /// ```
    /// use tagstream::{WriteError, Writer};
    ///
    /// let Err(WriteError::Refused(refusal)) = Writer::xml(String::new()).end() else { panic!() };
    /// assert_eq!(refusal.message(), "no element is open");
    /// ```
    pub fn message(&self) -> &'static str {
        self.reason.words().1
    }

    /// Returns the refused string, or its beginning.
    ///
    /// ```
    /// use tagstream::{WriteError, Writer};
    ///
    /// let mut out = Writer::xml(String::new());
    /// let Err(WriteError::Refused(refusal)) = out.start("a b") else { panic!() };
    /// assert_eq!(refusal.what(), "a b");
    /// ```
    pub fn what(&self) -> &str {
        &self.what
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())?;
        match &*self.what {
            "" => Ok(()),
            what => write!(f, ": `{}`", what.escape_debug()),
        }
    }
}

impl core::error::Error for Refusal {}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            #[cfg(feature = "std")]
            WriteError::Io(error) => write!(f, "the output failed: {error}"),
            WriteError::Format => f.write_str("the output failed"),
            WriteError::Refused(refusal) => refusal.fmt(f),
        }
    }
}

impl core::error::Error for WriteError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            #[cfg(feature = "std")]
            WriteError::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<Refusal> for WriteError {
    fn from(refusal: Refusal) -> WriteError {
        WriteError::Refused(refusal)
    }
}

/// For functions that parse and write: the result is an [`ErrorKind::Other`](crate::ErrorKind::Other).
impl From<WriteError> for Error {
    fn from(error: WriteError) -> Error {
        Error::other(error)
    }
}

impl From<fmt::Error> for WriteError {
    fn from(_: fmt::Error) -> WriteError {
        WriteError::Format
    }
}

#[cfg(feature = "std")]
impl From<std::io::Error> for WriteError {
    fn from(error: std::io::Error) -> WriteError {
        WriteError::Io(error)
    }
}

/// Defines the reasons, each with a word and a sentence.
macro_rules! reasons {
    ($($reason:ident = $word:literal, $sentence:literal;)*) => {
        /// The reason why markup is refused.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Reason { $($reason),* }

        crate::checkpoint::checkpointable! {
            enum Reason { $($reason),* }
        }

        impl Reason {
            fn words(self) -> (&'static str, &'static str) {
                match self { $(Reason::$reason => ($word, $sentence)),* }
            }
        }
    };
}

reasons! {
    Name = "name", "this is no name";
    Character = "character", "a character that cannot be written";
    Comment = "comment", "a comment cannot hold this";
    Instruction = "processing-instruction", "a processing instruction cannot hold this";
    Identifier = "identifier", "an identifier cannot hold this";
    Cdata = "cdata", "a CDATA section cannot hold this";
    NoCdata = "no-cdata", "there is no CDATA section here";
    Declaration = "declaration", "this is no XML declaration";
    NotFirst = "not-first", "the XML declaration comes before all else";
    Doctype = "doctype", "a document has one DOCTYPE, before its root element";
    Root = "root", "a document has one root element";
    Relative = "relative-namespace", "this namespace is a relative address";
    NoRoot = "no-root", "the document has no root element";
    OutsideRoot = "outside-root", "text stands in the root element";
    Unclosed = "unclosed", "an element is open";
    NothingOpen = "nothing-open", "no element is open";
    NoTag = "no-tag", "attributes come directly after the start of their element";
    Duplicate = "duplicate", "a tag has an attribute of this name already";
    Prefix = "prefix", "this prefix is bound to no namespace";
    Reserved = "reserved", "this prefix or namespace cannot be declared so";
    Entity = "entity", "this entity would not be declared";
    Encoding = "encoding", "the encoding of the document has no such character";
    Elsewhere = "elsewhere", "this is not written here: an entity has it";
    Implied = "implied", "no tag was written for it, and none can be";
    Passed = "passed", "its place has gone by, or another event has it too";
    Cut = "cut", "the input breaks off in the markup before this";
    Edit = "edit", "there is nothing of the kind in this event";
    RawText = "raw-text", "this would end the element that the text is in";
    Foreign = "foreign", "this would be read as an element of another namespace";
    Child = "child", "this element holds text alone";
    Void = "void", "this element holds nothing";
}

crate::checkpoint::checkpointable! {
    struct Refusal { reason, what, place }
}
