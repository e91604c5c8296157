//! `Selector`, a compiled selector list, and `SelectorBuilder`, which declares namespace prefixes.

use super::compile::compile;
use super::css;
use super::places::{What, places};
use super::program::Program;
use crate::engine::error::{SelectorError, SelectorErrorKind};
use crate::tree::namespaces::{HTML, MATHML, SVG, XLINK, XML};
use alloc::borrow::{Cow, ToOwned};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

/// A compiled list of CSS selectors: see [`select`](crate::select).
///
/// ```
/// use tagstream::select::Selector;
/// use tagstream::{Document, Html};
///
/// let links = Selector::new("a[href]")?;
/// for page in ["<a href=/a>a</a>", "<a>b</a><a href=/c>c</a>"] {
///     assert_eq!(Document::parse(Html::default(), page)?.select(&links)?.count(), 1);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Selector {
    text: String,
    pub(super) program: Program,
    /// The error to return on streams, if the selector can only be matched in a tree.
    pub(super) waits: Option<SelectorError>,
}

impl fmt::Debug for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Selector({:?})", self.text)
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Selector {
    type Err = SelectorError;

    fn from_str(text: &str) -> Result<Selector, SelectorError> {
        Selector::new(text)
    }
}

impl Selector {
    /// Compiles a selector list.
    ///
    /// ```
    /// use tagstream::select::Selector;
    ///
    /// assert!(Selector::new("h1, h2 > :not(.x)").is_ok());
    /// assert!(Selector::new("h1 >").is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// A syntax error, or a selector that is not supported: see [`SelectorErrorKind`].
    #[doc(alias("parse", "compile"))]
    pub fn new(text: &str) -> Result<Selector, SelectorError> {
        Selector::builder().build(text)
    }

    /// Returns a builder, which compiles selectors with namespace prefixes.
    ///
    /// ```
    /// use tagstream::select::Selector;
    /// use tagstream::{Document, Xml};
    ///
    /// let atom = Selector::builder().namespace("atom", "http://www.w3.org/2005/Atom");
    /// let titles = atom.build("atom|entry > atom|title")?;
    /// let feed = "<feed xmlns='http://www.w3.org/2005/Atom'><entry><title>One</title></entry></feed>";
    /// assert_eq!(Document::parse(Xml::default(), feed)?.select(&titles)?.count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn builder() -> SelectorBuilder {
        SelectorBuilder::default()
    }
}

/// A set of namespace prefixes that compiles selectors: see [`Selector::builder`].
#[derive(Clone, Debug)]
pub struct SelectorBuilder {
    namespaces: Vec<(String, String)>,
}

impl Default for SelectorBuilder {
    fn default() -> SelectorBuilder {
        let known = [
            ("html", HTML),
            ("svg", SVG),
            ("math", MATHML),
            ("xlink", XLINK),
            ("xml", XML),
        ];
        let owned = |(prefix, name): (&str, &str)| (prefix.to_owned(), name.to_owned());
        SelectorBuilder {
            namespaces: known.into_iter().map(owned).collect(),
        }
    }
}

impl SelectorBuilder {
    /// Declares the namespace of a prefix. The empty prefix declares the default namespace, which applies to type
    /// selectors without a prefix.
    ///
    /// ```
    /// use tagstream::select::Selector;
    ///
    /// assert!(Selector::builder().namespace("p", "uri").build("p|a").is_ok());
    /// assert!(Selector::new("p|a").is_err());
    /// ```
    #[must_use]
    pub fn namespace(mut self, prefix: &str, name: &str) -> SelectorBuilder {
        self.namespaces.push((prefix.to_owned(), name.to_owned()));
        self
    }

    /// Compiles a selector list.
    ///
    /// ```
    /// use tagstream::select::Selector;
    ///
    /// assert!(Selector::builder().build("a").is_ok());
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`Selector::new`].
    pub fn build(&self, text: &str) -> Result<Selector, SelectorError> {
        let waits = examine(text)?;
        let selectors = css::read(text, &self.namespaces)?;
        Ok(Selector {
            text: text.to_owned(),
            program: compile(&selectors)?,
            waits,
        })
    }
}

/// Returns an error if a part of the selector is not supported in trees. Otherwise returns the error for streams, if
/// a part cannot be decided at the start tag.
fn examine(text: &str) -> Result<Option<SelectorError>, SelectorError> {
    let mut waits = None;
    for place in places(text) {
        let error = |kind, what: String| SelectorError::new(kind, place.offset, what);
        let later = match place.what {
            What::TooDeep => return Err(error(SelectorErrorKind::TooLarge, String::new())),
            What::PseudoElement(name) => {
                return Err(error(SelectorErrorKind::Unsupported, format!("::{name}")));
            }
            What::PseudoClass {
                name, is_function, ..
            } if !css::is_pseudo_class(&name, is_function) => {
                return Err(error(SelectorErrorKind::Unsupported, format!(":{name}")));
            }
            What::PseudoClass { name, typed, .. } => {
                (!is_decided(&name, typed)).then(|| format!(":{name}"))
            }
            What::Sibling(combinator) => Some(combinator.to_string()),
            What::Of => Some("of".to_owned()),
        };
        if let Some(what) = later
            && waits.is_none()
        {
            waits = Some(error(SelectorErrorKind::NotOnStreams, what));
        }
    }
    Ok(waits)
}

/// Returns true if a pseudo-class can be decided from the start tags of the element and of the open elements. `typed`
/// is true if its compound contains a type selector. Without one, `:nth-of-type` is refused on streams: it would need
/// a counter for each type, without a bound on memory.
fn is_decided(name: &str, typed: bool) -> bool {
    match name {
        "first-of-type" | "nth-of-type" => typed,
        "root" | "scope" | "first-child" | "nth-child" => true,
        "is" | "where" | "not" => true,
        "link" | "any-link" | "required" | "optional" => true,
        _ => false,
    }
}

/// A type that can be used as a selector: a string, which is compiled at each call, or a [`Selector`].
///
/// ```
/// use tagstream::select::{IntoSelector, Selector};
///
/// assert!("a[href]".into_selector().is_ok());
/// assert!(Selector::new("a[href]")?.into_selector().is_ok());
/// # Ok::<(), tagstream::select::SelectorError>(())
/// ```
pub trait IntoSelector<'s>: Sealed {
    /// Returns the compiled selector.
    ///
    /// # Errors
    ///
    /// The same as for [`Selector::new`].
    fn into_selector(self) -> Result<Cow<'s, Selector>, SelectorError>;
}

/// Supertrait of [`IntoSelector`] that is not exported, so that other crates cannot implement it.
pub trait Sealed {}

impl Sealed for &str {}
impl Sealed for &String {}
impl Sealed for &Selector {}
impl Sealed for Selector {}

impl<'s> IntoSelector<'s> for &str {
    fn into_selector(self) -> Result<Cow<'s, Selector>, SelectorError> {
        Selector::new(self).map(Cow::Owned)
    }
}

impl<'s> IntoSelector<'s> for &String {
    fn into_selector(self) -> Result<Cow<'s, Selector>, SelectorError> {
        Selector::new(self).map(Cow::Owned)
    }
}

impl<'s> IntoSelector<'s> for &'s Selector {
    fn into_selector(self) -> Result<Cow<'s, Selector>, SelectorError> {
        Ok(Cow::Borrowed(self))
    }
}

impl<'s> IntoSelector<'s> for Selector {
    fn into_selector(self) -> Result<Cow<'s, Selector>, SelectorError> {
        Ok(Cow::Owned(self))
    }
}
