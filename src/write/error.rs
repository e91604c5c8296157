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
#[non_exhaustive]
pub enum WriteError {
    /// The output failed.
    #[cfg(feature = "std")]
    Io(std::io::Error),
    /// The output failed, and its error type ([`fmt::Error`]) contains no reason.
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
/// assert_eq!(refusal.to_string(), "this is not a valid name: `1st`");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Refusal {
    reason: Reason,
    what: String,
    /// A number that identifies the node of the refused markup. The caller of the writer defines the number and sets
    /// it; the writer never reads it.
    pub(crate) place: Option<usize>,
}

/// Maximum number of characters of the refused string that the error contains.
const MAX_SHOWN_CHARACTERS: usize = 60;

impl Refusal {
    /// Creates a refusal of the string `what`, of which only the beginning is stored if it is long.
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

    /// Returns the reason as a short fixed identifier, for example `name` or `comment`.
    pub fn as_str(&self) -> &'static str {
        self.reason.words().0
    }

    /// Returns the reason as a sentence without a full stop.
    pub fn message(&self) -> &'static str {
        self.reason.words().1
    }

    /// Returns the refused string, or its first 60 characters if it is longer.
    pub fn what(&self) -> &str {
        &self.what
    }
}

crate::engine::error::debug_as_display!(Refusal, WriteError);

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

/// Converts the error for functions that parse and write, whose error type is [`Error`]: the result is an
/// [`ErrorKind::Other`](crate::ErrorKind::Other).
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

/// Defines the enum `Reason`. Each row is a variant, its short identifier and its message.
macro_rules! reasons {
    ($($reason:ident = $word:literal, $sentence:literal;)*) => {
        /// The reason why markup is refused.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Reason { $($reason),* }

        crate::checkpoint::checkpointable! {
            enum Reason { $($reason),* }
        }

        impl Reason {
            /// Returns the short identifier of the reason, and its message.
            fn words(self) -> (&'static str, &'static str) {
                match self { $(Reason::$reason => ($word, $sentence)),* }
            }
        }
    };
}

reasons! {
    Name = "name", "this is not a valid name";
    Character = "character", "this character cannot be written";
    Comment = "comment", "a comment cannot contain this";
    Instruction = "processing-instruction", "a processing instruction cannot contain this";
    Identifier = "identifier", "an identifier cannot contain this";
    Cdata = "cdata", "a CDATA section cannot contain this";
    NoCdata = "no-cdata", "HTML has CDATA sections in SVG and MathML only";
    Declaration = "declaration", "an XML declaration with this version cannot be written here";
    NotFirst = "not-first", "the XML declaration must come before everything else";
    Subset = "internal-subset", "a parser would refuse the document with this internal subset";
    Doctype = "doctype", "a document can have one DOCTYPE, before its root element";
    Root = "root", "a document can have only one root element";
    Relative = "relative-namespace", "this namespace is a relative address";
    NoRoot = "no-root", "the document has no root element";
    OutsideRoot = "outside-root", "text must be inside the root element";
    Unclosed = "unclosed", "an element is still open";
    NothingOpen = "nothing-open", "no element is open";
    NoTag = "no-tag", "attributes must be added directly after the start of their element";
    Duplicate = "duplicate", "the tag already has an attribute with this name";
    Prefix = "prefix", "this prefix is bound to no namespace";
    Reserved = "reserved", "this namespace declaration is not allowed";
    Entity = "entity", "the document does not declare this entity";
    Encoding = "encoding", "the encoding of the document does not have this character";
    Elsewhere = "elsewhere", "this markup comes from an entity and is not in the document, so it cannot be edited";
    Implied = "implied", "the source has no tag for this element, and none can be inserted";
    Passed = "passed", "the position of this edit was written already, or belongs to several events";
    Cut = "cut", "the input ends inside the markup before this position";
    Edit = "edit", "this event does not have the part that is edited";
    RawText = "raw-text", "this text would end the element that contains it";
    Markup = "markup", "this markup is not well-formed here, or its last token is not complete";
    Moved = "moved", "the parser moves or repeats this element, so it cannot be edited at this position";
    Parent = "parent", "the element around this position cannot contain this content";
    Foreign = "foreign", "this would be read as an element of another namespace";
    Child = "child", "this element can contain only text";
    Contradiction = "contradiction", "the names of the tag contradict this namespace declaration";
    Void = "void", "this element cannot have content";
}

crate::checkpoint::checkpointable! {
    struct Refusal { reason, what, place }
}
