//! `Selector`: what users hold of one. It must not know how it is matched.

use super::compile::compile;
use super::css;
use super::places::{What, places};
use super::program::Program;
use crate::error::{SelectorError, SelectorErrorKind};
use crate::tree::namespaces::{HTML, MATHML, SVG, XLINK, XML};
use alloc::borrow::{Cow, ToOwned};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

/// A list of CSS selectors, compiled: see [`select`](crate::select).
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
    /// Why it is none for streams.
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
    /// Compiles a list of selectors.
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
    /// What is no selector, or asks for what a tree does not tell.
    pub fn new(text: &str) -> Result<Selector, SelectorError> {
        Selector::builder().build(text)
    }

    /// For selectors with namespaces.
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

/// What prefixes mean in selectors: see [`Selector::builder`].
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
    /// Says which namespace a prefix means. The empty prefix is of names without one.
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

    /// Compiles a list of selectors.
    ///
    /// ```
    /// use tagstream::select::Selector;
    ///
    /// assert!(Selector::builder().build("a").is_ok());
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Selector::new`].
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

/// Refuses what a tree does not tell; gives what a start tag does not.
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

/// Whether a start tag, and those of the elements that are open, decide a pseudo-class. To count types of
/// which none is named would take a number for each that there is.
fn is_decided(name: &str, typed: bool) -> bool {
    match name {
        "first-of-type" | "nth-of-type" => typed,
        "root" | "scope" | "first-child" | "nth-child" => true,
        "is" | "where" | "not" => true,
        "link" | "any-link" | "required" | "optional" => true,
        _ => false,
    }
}

/// What is a selector: a string, which is compiled on the spot, or a [`Selector`].
///
/// ```
/// use tagstream::select::{IntoSelector, Selector};
///
/// assert!("a[href]".into_selector().is_ok());
/// assert!(Selector::new("a[href]")?.into_selector().is_ok());
/// # Ok::<(), tagstream::select::SelectorError>(())
/// ```
pub trait IntoSelector<'s>: Sealed {
    /// The selector.
    ///
    /// # Errors
    ///
    /// As [`Selector::new`].
    fn into_selector(self) -> Result<Cow<'s, Selector>, SelectorError>;
}

/// Nobody else implements what extends it.
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
