//! CSS selectors for a [`Document`], for a [`Node`], and for the events of a stream.
//!
//! ```
//! use tagstream::{Document, Html};
//!
//! let page = Document::parse(Html::default(), "<main><p>See <a href=http:/a>this</a>, <a>that")?;
//! let links: Vec<_> = page.select("main a[href^=http]")?.collect();
//! assert_eq!(links[0].attribute("href"), Some("http:/a"));
//! assert_eq!(links.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Selector`] is compiled once and can be used many times. Functions that accept a string compile it at each
//! call.
//!
//! # Supported selectors
//!
//! - Type selectors, `*`, `#id`, `.class`, attribute selectors with all operators and the flags `i` and `s`; all four
//!   combinators; selector lists. Namespaces: `svg|a`, `*|a`, `|a`. The prefixes `html`, `svg`, `math`, `xlink` and
//!   `xml` are predefined; [`SelectorBuilder::namespace`] declares others.
//! - `:root`, `:scope`, `:empty`, `:first-child`, `:last-child`, `:only-child`, `:first-of-type`, `:last-of-type`,
//!   `:only-of-type`, `:nth-child(2n+1 of S)`, `:nth-last-child(…)`, `:nth-of-type(…)`, `:nth-last-of-type(…)`.
//! - `:is(…)`, `:where(…)`, `:not(…)`, `:has(…)`.
//! - Pseudo-classes of HTML, as far as the document alone determines them (without user input or scripts): `:link`
//!   and `:any-link`, `:checked`, `:disabled`, `:enabled`, `:required`, `:optional`, `:read-only`, `:read-write`,
//!   `:placeholder-shown`, `:open`, `:defined`.
//! - `:lang(de, "*-CH")`, with the language ranges of RFC 4647. The language of an element is that of the nearest attribute
//!   `lang` (in HTML, SVG and MathML) or `xml:lang`, otherwise that of a `meta` element with `http-equiv=content-language`.
//! - `:dir(ltr)`, `:dir(rtl)`: the direction that the HTML standard derives from the attribute `dir` and, if that is `auto`,
//!   from the text.
//! - States that need a user, a navigation or a running page match no element: `:hover`, `:active`, `:focus`,
//!   `:focus-visible`, `:focus-within`, `:visited`, `:target`, `:modal`, `:popover-open` and similar. `:link` matches all
//!   links.
//!
//! Every other pseudo-class and pseudo-element is an error that contains its name and its offset, within `:is(…)`
//! too.
//!
//! # Case sensitivity
//!
//! In HTML documents, the names of HTML elements and of their attributes match case-insensitively. So do the values
//! of some attributes, which the HTML standard lists (`[type=TEXT]`), and in quirks mode IDs and classes. In all
//! other dialects, matching is case-sensitive.
//!
//! # Searched nodes
//!
//! A search covers the tree, but not the contents of templates. Template contents are a separate tree: start a search
//! there from [`Node::template_contents`].

// - `selector.rs`: the public types `Selector` and `SelectorBuilder`; `../engine/error/selector.rs`: the error type.
// - `css.rs`, `places.rs`: parsing, with the crate `selectors`; `compile.rs`: translates the parsed selector into the
//   form of `program.rs`.
// - `automaton.rs`: matches a program against elements, from a tree or from a stream; `count.rs`: counts its steps
//   for tests; `language.rs`: language ranges; `direction.rs`, `bidi_runs.rs`: the direction of elements.
// - `on_tree.rs`, `html.rs`, `inherited.rs`: matching in a document; `on_stream.rs`: matching in `Events`;
//   `set.rs`: matching of many selectors against tags that the program passes one by one; `by_event.rs`: the same for
//   one selector and events.

mod automaton;
mod bidi_runs;
mod by_event;
mod compile;
mod count;
mod css;
mod direction;
mod html;
mod inherited;
mod language;
mod on_stream;
mod on_tree;
mod places;
mod program;
mod selector;
mod set;

pub use crate::engine::error::{SelectorError, SelectorErrorKind};
pub use by_event::EventMatcher;
pub use on_stream::{Match, Matches};
pub use on_tree::Select;
pub use selector::{IntoSelector, Selector, SelectorBuilder};
pub use set::{SelectorId, SelectorSet};

use crate::tree::{Document, Node, NodeId};
use alloc::vec::Vec;

impl Document {
    /// Returns the elements that match a selector, in document order. The selector is a string or a [`Selector`].
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let feed = Document::parse(Xml::default(), "<feed><entry/><entry id='2'/><x><entry/></x></feed>")?;
    /// assert_eq!(feed.select("feed > entry")?.count(), 2);
    /// let entry = feed.select("entry[id]")?.next();
    /// assert_eq!(entry.and_then(|entry| entry.attribute("id")), Some("2"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A syntax error, or a selector that is not supported: see [`SelectorErrorKind`].
    #[doc(alias("querySelectorAll", "querySelector", "query_selector", "find"))]
    pub fn select<'s>(
        &self,
        selector: impl IntoSelector<'s>,
    ) -> Result<Select<'_, 's>, SelectorError> {
        self.root().select(selector)
    }

    /// Returns the IDs of the elements that match a selector, in document order. Unlike [`select`](Document::select),
    /// the result does not borrow the document, so that the document can be changed.
    ///
    /// ```
    /// use tagstream::{Document, Html, TreeSink};
    ///
    /// let mut page = Document::parse(Html::default(), "<p>a<script>b</script>")?;
    /// for id in page.select_ids("script, [onclick]")? {
    ///     page.remove(id);
    /// }
    /// assert_eq!(page.root().text_content(), "a");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`select`](Document::select).
    pub fn select_ids<'s>(
        &self,
        selector: impl IntoSelector<'s>,
    ) -> Result<Vec<NodeId>, SelectorError> {
        Ok(self.select(selector)?.map(|node| node.id()).collect())
    }
}

impl<'d> Node<'d> {
    /// Returns the descendants of this node that match a selector, in document order. Elements outside this node can
    /// match the left parts of the selector (`body li`). `:scope` matches this node if it is an element, otherwise
    /// the root element.
    ///
    /// ```
    /// use tagstream::{Document, Html};
    ///
    /// let page = Document::parse(Html::default(), "<ul><li>a<ol><li>b</ol></ul>")?;
    /// let list = page.select("ul")?.next().unwrap();
    /// assert_eq!(list.select("body li")?.count(), 2);
    /// assert_eq!(list.select(":scope > li")?.count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`Document::select`].
    #[doc(alias("querySelectorAll", "querySelector", "query_selector", "find"))]
    pub fn select<'s>(
        &self,
        selector: impl IntoSelector<'s>,
    ) -> Result<Select<'d, 's>, SelectorError> {
        Ok(Select::new(*self, selector.into_selector()?))
    }

    /// Returns true if this node is an element that matches the selector. The time is proportional to the number of
    /// its ancestors; if the selector depends on siblings, also to the number of siblings before the node and before
    /// each ancestor.
    ///
    /// ```
    /// use tagstream::{Document, Html};
    ///
    /// let page = Document::parse(Html::default(), "<p class='a b'>")?;
    /// let paragraph = page.select("p")?.next().unwrap();
    /// assert!(paragraph.matches("body > .b")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`Document::select`].
    #[doc(alias = "is")]
    pub fn matches<'s>(&self, selector: impl IntoSelector<'s>) -> Result<bool, SelectorError> {
        Ok(on_tree::matches(*self, &selector.into_selector()?.program))
    }

    /// Returns the nearest element that matches a selector, among this node and its ancestors.
    ///
    /// ```
    /// use tagstream::{Document, Html};
    ///
    /// let page = Document::parse(Html::default(), "<article id=1><p><b>a")?;
    /// let bold = page.select("b")?.next().unwrap();
    /// let article = bold.closest("article")?;
    /// assert_eq!(article.and_then(|article| article.attribute("id")), Some("1"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`Document::select`].
    pub fn closest<'s>(
        &self,
        selector: impl IntoSelector<'s>,
    ) -> Result<Option<Node<'d>>, SelectorError> {
        Ok(on_tree::closest(*self, &selector.into_selector()?.program))
    }
}
