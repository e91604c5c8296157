//! [`Sanitizer`] and the entries of its lists.

use super::attribute_rule::AttributeRule;
use super::names::Names;
use super::policies::AttributePolicy;
use super::unknown::Unknown;
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use hashbrown::{HashMap, HashSet};

/// A configuration for sanitizing HTML from untrusted sources: lists of elements and attributes, and some rules. See
/// the [module documentation](crate::sanitize).
///
/// Elements are named like the [contexts of fragments](crate::Html::fragment): `p`, `svg path`, `math mi`. Attributes
/// are named by their names; those of XLink and XML have their prefix: `href`, `xlink:href`, `xml:lang`.
///
/// ```
/// use tagstream::Sanitizer;
///
/// let sanitizer = Sanitizer::allow_nothing()
///     .allow_elements(&["p", "b", "a"])?
///     .allow_attributes_on("a", &["href"])?
///     .replace_with_children(&["div"])?;
/// let markup = "<div><p id=x>See <a href=/b>b</a></div><img src=c>";
/// assert_eq!(sanitizer.clean(markup), r#"<p>See <a href="/b">b</a></p>"#);
/// # Ok::<(), tagstream::sanitize::NameError>(())
/// ```
///
/// A name that no element or attribute of a document can have is an error,
/// [`NameError`](crate::sanitize::NameError). Names of HTML elements and attributes are lowercased: `P` is the same as
/// `p`.
#[derive(Clone, Debug)]
#[doc(alias("ammonia", "DOMPurify"))]
pub struct Sanitizer {
    /// The listed elements by local name: one map each for HTML, SVG and MathML, in this order.
    pub(super) elements: [HashMap<Box<str>, Element>; 3],
    /// True if elements that are not listed are removed. If false, they are kept.
    pub(super) only_elements: bool,
    pub(super) attributes: Names,
    /// True if only the attributes in `attributes` are allowed. If false, all others are allowed.
    pub(super) only_attributes: bool,
    pub(super) comments: bool,
    pub(super) data_attributes: bool,
    /// Targets of processing instructions: the allowed targets if `only_instructions` is true, the removed targets
    /// otherwise.
    pub(super) instructions: HashSet<Box<str>>,
    /// True if only the targets in `instructions` are allowed. If false, all others are allowed.
    pub(super) only_instructions: bool,
    /// The schemes that URLs may have. If `None`, all schemes except `javascript` are allowed.
    pub(super) schemes: Option<Vec<Box<str>>>,
    pub(super) rel: Option<Box<str>>,
    pub(super) rule: Option<AttributeRule>,
    /// The treatment of elements that no list names. `None` if `only_elements` decides.
    pub(super) unknown: Option<Unknown>,
    /// Policies for the values of attributes.
    pub(super) policies: Option<Arc<dyn AttributePolicy>>,
}

/// The entry of an element in the lists of a [`Sanitizer`].
#[derive(Clone, Debug, Default)]
pub(super) struct Element {
    pub(super) fate: Fate,
    /// The attributes that this element may have. If only listed attributes are allowed, they are allowed in addition
    /// to those that every element may have; otherwise the element may have no others. `None` if the element has no
    /// such list.
    pub(super) allowed: Option<Names>,
    pub(super) removed: Names,
}

/// The treatment of an element by the lists of a [`Sanitizer`]. `Unsaid` means that no list names the element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Fate {
    #[default]
    Unsaid,
    Allowed,
    Removed,
    Replaced,
    /// The element is shown as text. The walk over the tree inserts the text and replaces the element with its children.
    Escaped,
}
