//! `SelectorError`: the reason why a selector was refused.

use super::debug::debug_as_display;
use alloc::string::String;
use core::fmt;

/// An error in a selector, with its byte offset.
///
/// ```
/// use tagstream::select::{Selector, SelectorErrorKind};
///
/// let error = Selector::new("a:valid").unwrap_err();
/// assert_eq!((error.kind(), error.offset()), (SelectorErrorKind::Unsupported, 1));
/// assert_eq!(error.to_string(), "unsupported pseudo-class `:valid` (offset 1)");
/// ```
///
/// In functions that return [`Error`](crate::Error), `?` converts it.
///
/// ```
/// use tagstream::{Document, Html};
///
/// fn links(page: &str) -> Result<usize, tagstream::Error> {
///     Ok(Document::parse(Html::default(), page)?.select("a[href]")?.count())
/// }
///
/// assert_eq!(links("<a href=/b>b</a>")?, 1);
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct SelectorError {
    kind: SelectorErrorKind,
    offset: usize,
    what: String,
}

/// The kind of a [`SelectorError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SelectorErrorKind {
    /// A syntax error.
    Syntax,
    /// The selector contains a pseudo-class or pseudo-element that is unknown, or that a tree alone does not
    /// determine, such as `:valid` or `::before`.
    Unsupported,
    /// A namespace prefix is not declared: see
    /// [`SelectorBuilder::namespace`](crate::select::SelectorBuilder::namespace).
    UnknownPrefix,
    /// The selector is nested too deeply, or has too many compounds.
    TooLarge,
    /// The selector is not supported on streams, because a start tag does not decide it: it depends on siblings or on
    /// later input.
    NotOnStreams,
}

impl SelectorError {
    pub(crate) fn new(
        kind: SelectorErrorKind,
        offset: usize,
        what: impl Into<String>,
    ) -> SelectorError {
        SelectorError {
            kind,
            offset,
            what: what.into(),
        }
    }

    /// Returns the kind of the error.
    pub fn kind(&self) -> SelectorErrorKind {
        self.kind
    }

    /// Returns the part of the selector that was refused, such as the prefix that is not declared, or an empty string.
    ///
    /// ```
    /// use tagstream::select::Selector;
    ///
    /// assert_eq!(Selector::new(":is(a, x|b)").unwrap_err().what(), "x");
    /// ```
    pub fn what(&self) -> &str {
        &self.what
    }

    /// Returns the byte offset in the selector at which the unsupported part begins. For a syntax error, this is the
    /// offset at which the parser found the error.
    pub fn offset(&self) -> usize {
        self.offset
    }
}

debug_as_display!(SelectorError);

impl fmt::Display for SelectorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, at) = (&self.what, self.offset);
        match self.kind {
            SelectorErrorKind::Syntax if what.is_empty() => {
                write!(f, "invalid selector: it ends too early")?;
            }
            SelectorErrorKind::Syntax if what.starts_with(['>', '+', '~']) => {
                let sign = &what[..1];
                write!(f, "a selector cannot begin with the combinator `{sign}`: ")?;
                write!(f, "write `:scope {what}` to begin at the node itself")?;
            }
            SelectorErrorKind::Syntax => {
                write!(f, "invalid selector at `{what}`")?;
                if what.starts_with(['/', '@']) {
                    write!(f, ": selectors are those of CSS, not of XPath")?;
                } else if let Some(value) = unquoted_value(what) {
                    write!(f, ": quote the value of the attribute, as in `\"{value}\"`")?;
                }
            }
            SelectorErrorKind::Unsupported => {
                let is_element = what.starts_with("::");
                let kind = if is_element { "element" } else { "class" };
                let (prefix, name) = what.split_at(what.find(':').unwrap_or_default());
                write!(f, "unsupported pseudo-{kind} `{name}`")?;
                if !prefix.is_empty() {
                    let name = name.trim_start_matches(':');
                    write!(
                        f,
                        ": if `{prefix}` is a namespace prefix, write `{prefix}|{name}`"
                    )?;
                }
            }
            SelectorErrorKind::UnknownPrefix => {
                write!(f, "the namespace prefix `{what}` is not declared")?;
            }
            SelectorErrorKind::TooLarge => {
                write!(f, "the selector is nested too deeply or has too many parts")?;
            }
            SelectorErrorKind::NotOnStreams => {
                write!(f, "`{what}` is not supported on streams: ")?;
                write!(f, "a start tag alone does not decide it")?;
            }
        }
        write!(f, " (offset {at})")
    }
}

/// Returns the first value of an attribute selector that begins like no identifier of CSS and has no quotes.
fn unquoted_value(selector: &str) -> Option<&str> {
    let mut values = selector.match_indices('=').map(|(at, _)| {
        let value = selector[at + 1..].trim_start();
        let end = value.find([']', ' ', '"', '\'']).unwrap_or(value.len());
        &value[..end]
    });
    let begins_number = |value: &&str| value.starts_with(|one: char| one.is_ascii_digit());
    values.find(begins_number)
}

impl core::error::Error for SelectorError {}
