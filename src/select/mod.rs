//! CSS selectors: on a [`Document`], on a [`Node`], and on the events of a stream.
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
//! A [`Selector`] is compiled once and used often; where a string is given it is compiled on the spot.
//!
//! # What is known
//!
//! - Types, `*`, `#id`, `.class`, attributes with all operators and the flags `i` and `s`; all four combinators;
//!   lists. Namespaces: `svg|a`, `*|a`, `|a`. The prefixes `html`, `svg`, `math`, `xlink` and `xml` are known, others
//!   by [`SelectorBuilder::namespace`].
//! - `:root`, `:scope`, `:empty`, `:first-child`, `:last-child`, `:only-child`, `:first-of-type`, `:last-of-type`,
//!   `:only-of-type`, `:nth-child(2n+1 of S)`, `:nth-last-child(…)`, `:nth-of-type(…)`, `:nth-last-of-type(…)`.
//! - `:is(…)`, `:where(…)`, `:not(…)`, `:has(…)`.
//! - Of HTML, as far as the document says it and not a user: `:link` and `:any-link`, `:checked`, `:disabled`,
//!   `:enabled`, `:required`, `:optional`, `:read-only`, `:read-write`, `:placeholder-shown`.
//!
//! Everything else is refused by its name and place, in `:is(…)` too.
//!
//! # In which case
//!
//! In documents of HTML names of elements and attributes of HTML match in either case, and the values of some
//! attributes, which the standard lists (`[type=TEXT]`); in quirks mode ids and classes as well. In all other
//! dialects case matters.
//!
//! # What is searched
//!
//! The tree, without the contents of templates: those have a tree of their own, from
//! [`Node::template_contents`] on.

// - `selector.rs`: what users hold; `../error/selector.rs`: why one is refused.
// - `css.rs`, `places.rs`: reading, by `selectors`; `compile.rs`: what is read becomes `program.rs`.
// - `automaton.rs`: how a program is run, whatever it is run on; `count.rs`: what that cost, for tests.
// - `on_tree.rs`, `html.rs`, `inherited.rs`: on a document; `on_stream.rs`: on events; `by_event.rs`: on events of any loop.

mod automaton;
mod by_event;
mod compile;
mod count;
mod css;
mod html;
mod inherited;
mod on_stream;
mod on_tree;
mod places;
mod program;
mod selector;

pub use crate::error::{SelectorError, SelectorErrorKind};
pub use by_event::EventMatcher;
pub use on_stream::{Match, Matches};
pub use on_tree::Select;
pub use selector::{IntoSelector, Selector, SelectorBuilder};

use crate::tree::{Document, Node, NodeId};
use alloc::vec::Vec;

impl Document {
    /// The elements that a selector selects, in document order. The selector is a string or a [`Selector`].
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
    /// What is no selector, or asks for what a tree does not tell.
    pub fn select<'s>(
        &self,
        selector: impl IntoSelector<'s>,
    ) -> Result<Select<'_, 's>, SelectorError> {
        self.root().select(selector)
    }

    /// Their ids: for those who are about to change the document.
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
    /// As [`select`](Document::select).
    pub fn select_ids<'s>(
        &self,
        selector: impl IntoSelector<'s>,
    ) -> Result<Vec<NodeId>, SelectorError> {
        Ok(self.select(selector)?.map(|node| node.id()).collect())
    }
}

impl<'d> Node<'d> {
    /// The elements below this node that a selector selects, in document order. Those above take part in what
    /// matches; `:scope` is this node.
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
    /// As [`Document::select`].
    pub fn select<'s>(
        &self,
        selector: impl IntoSelector<'s>,
    ) -> Result<Select<'d, 's>, SelectorError> {
        Ok(Select::new(*self, selector.into_selector()?))
    }

    /// Whether it is an element that a selector selects. The time it takes is that of those above it, and where
    /// the selector asks for siblings of those before them.
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
    /// As [`Document::select`].
    pub fn matches<'s>(&self, selector: impl IntoSelector<'s>) -> Result<bool, SelectorError> {
        Ok(on_tree::matches(*self, &selector.into_selector()?.program))
    }

    /// The nearest element that a selector selects, of this node and those above it.
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
    /// As [`Document::select`].
    pub fn closest<'s>(
        &self,
        selector: impl IntoSelector<'s>,
    ) -> Result<Option<Node<'d>>, SelectorError> {
        Ok(on_tree::closest(*self, &selector.into_selector()?.program))
    }
}
