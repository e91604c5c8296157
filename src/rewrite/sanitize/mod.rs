//! Sanitizing of HTML from untrusted sources: a [`Sanitizer`] removes everything that it does not allow.
//!
//! ```
//! use tagstream::Html;
//!
//! let comment = "<b onclick=evil()>Hello</b> <script>evil()</script><a href='javascript:evil()'>you</a>";
//! assert_eq!(Html::sanitize(comment), "<b>Hello</b> <a>you</a>");
//! ```
//!
//! [`Sanitizer`] implements the Sanitizer of the HTML standard, which `setHTML` of browsers uses. The sanitizer parses
//! markup as a browser does, keeps disallowed nodes out of the tree, and serializes the tree again. The result
//! therefore does not depend on the spelling of the markup.
//!
//! - [`Sanitizer::default`] is the standard's built-in safe default configuration. It allows structured text, links,
//!   SVG and MathML, but no `img`, no `id`, `class` or `style`, and no comments. An element that is not allowed is
//!   removed with its contents.
//! - [`Sanitizer::user_content`] is for comments and posts. It allows images with `http` and `https` URLs, and links
//!   with these schemes and `mailto`. Links get `rel="nofollow noopener ugc"`. Elements that only change the
//!   presentation are replaced with their children.
//! - [`Sanitizer::allow_all`] keeps everything that cannot run a script. [`Sanitizer::allow_nothing`] is the starting
//!   point for a list of your own.
//!
//! Every configuration removes whatever can run a script: `script`, frames, `object`, `embed`, `base` and SVG's `use`;
//! attributes whose names begin with `on`; `javascript:` URLs where a browser would follow them, and animations that
//! create such URLs.
//!
//! Beside the lists there are policies: for elements that no list names
//! ([`unwrap_others`](Sanitizer::unwrap_others), [`escape_others`](Sanitizer::escape_others)), for classes and CSS
//! properties ([`allow_classes`](Sanitizer::allow_classes),
//! [`allow_css_properties`](Sanitizer::allow_css_properties)), for attributes that are set
//! ([`set_attribute_on`](Sanitizer::set_attribute_on)) and for identifiers ([`id_prefix`](Sanitizer::id_prefix)).
//!
//! There are five ways to sanitize:
//!
//! - [`Sanitizer::clean`] takes a string and returns a string, for pages that are assembled from strings.
//! - [`Document::set_html`](crate::Document::set_html) is `setHTML`: it parses markup into an element of a tree.
//! - [`Sanitizer::parse`] is `Document.parseHTML`: it returns the tree of a page or a fragment.
//! - [`Sanitizer::sanitize`] sanitizes a document that was parsed before.
//! - `Sanitizer::clean_svg` takes an SVG image and returns one (feature `xml`).
//!
//! # Conformance
//!
//! The configurations are those of the HTML standard's section *HTML sanitization*. That section, as of 21 August 2026,
//! sanitizes a tree that was parsed. The time at which nodes are removed follows the standard's proposed change
//! [*Sanitize while parsing*](https://github.com/whatwg/html/pull/12756) instead, as it was discussed up to 15
//! September 2026, its tests in web-platform-tests, and Chromium 156, which implements it. The first three of the
//! ways follow this proposal: a disallowed element is never inserted into the tree, while the parser continues as if it
//! had been. So `Hello<script>World</script>!` becomes a single text node, and if `div` is replaced with its children,
//! `<b><div>Text</b>` becomes `<b>Text</b><b></b>`. The other ways walk over an existing tree, and leave two text
//! nodes.
//!
//! Where Chromium 156 differs from these tests, this module follows the tests: the contents of a `template` that is
//! replaced with its children are removed with it, and when the parser moves a replaced element in front of a table,
//! its children move with it.
//!
//! # Decisions
//!
//! - Names of HTML elements and attributes in lists are lowercased. The standard compares them unchanged, so that `P`
//!   matches no element that a parser creates.
//! - A page keeps its `html`, `head` and `body` unless a list names them. In the standard, a configuration that does
//!   not list these elements results in an empty document.
//! - All attributes without a namespace whose names begin with `on` are treated as event handlers. The list in the
//!   standard grows, and a page can be older than the browser that displays it.
//! - A program may insert a string into another context than the one for which it was sanitized, for example into an
//!   SVG image, where the same names are other elements. So [`clean`](Sanitizer::clean) is stricter than the standard's
//!   `setHTML`, which does not return strings. Elements that are unsafe in one namespace are removed in all of them.
//!   `javascript:` URLs are removed from every attribute that could contain a URL. Comments, processing instructions,
//!   and text that is not escaped (in `style`, `noscript`, …) are removed if they contain `<` or `>`. Finally, `clean`
//!   parses and serializes until the string no longer changes, so that cleaning the result again returns the same
//!   string. Markup that still changes after several rounds is reduced to its text.
//! - Markup is parsed with scripting off, as in `setHTML` of browsers: the contents of a `noscript` are elements, and
//!   are sanitized like all others.

mod presets;

mod attribute_changes;
mod attribute_rule;
mod configure;
mod css;
mod filter;
mod ids;
mod lists;
mod named;
mod names;
mod policies;
mod policy_methods;
mod rules;
mod sanitizer;
#[cfg(feature = "xml")]
mod svg;
mod unchanged;
mod unknown;
mod url;
mod walk;

pub use names::{NameError, NameKind};
pub use sanitizer::Sanitizer;

use crate::dialects::html::{ContextError, Html};
use crate::engine::dialect::Dialect;
use crate::engine::error::Error;
use crate::engine::limits::Limits;
use crate::tree::{Document, Node, NodeId};
use crate::tree_builder::TreeBuilder;
use alloc::string::String;
use filter::Filter;
use rules::{Form, Rules};
use walk::Walk;

/// Number of rounds in which `clean_as` parses and serializes, waiting for a result that no longer changes.
const ROUNDS: usize = 8;

impl Sanitizer {
    /// Parses a page or a fragment, and omits everything that is not allowed while parsing, like `Document.parseHTML`
    /// of browsers. Scripting is off, and templates do not become shadow roots.
    ///
    /// The result of a fragment is in the root element of the document. A page keeps its `html`, and its `head` and
    /// `body` unless a list of the sanitizer names them. The attributes of these three elements are sanitized.
    ///
    /// ```
    /// use tagstream::{Html, Sanitizer};
    ///
    /// let page = "<body onload=evil()>Hello<script>World</script>!";
    /// let page = Sanitizer::user_content().parse(&Html::default(), page)?;
    /// assert_eq!(page.to_html(), "<html><head></head><body>Hello!</body></html>");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A limit that is exceeded.
    pub fn parse(&self, html: &Html, markup: &str) -> Result<Document, Error> {
        let (document, _) = self.parse_as(html, &[markup], html.limits(), Form::Tree)?;
        Ok(document)
    }

    /// Removes everything that is not allowed from a document.
    ///
    /// The root element of a fragment contains the result. A page keeps its `html`, and its `head` and `body` unless a
    /// list of the sanitizer names them. The attributes of these three elements are sanitized.
    ///
    /// ```
    /// use tagstream::{Document, Html, Sanitizer};
    ///
    /// let mut page = Document::parse(Html::default(), "<title>t</title><p>1<script>2</script>")?;
    /// Sanitizer::default().sanitize(&mut page);
    /// assert!(page.to_html().ends_with("<title>t</title></head><body><p>1</p></body></html>"));
    ///
    /// let mut comment = Document::parse(Html::fragment("div")?, "<p>1<script>2</script>")?;
    /// Sanitizer::user_content().sanitize(&mut comment);
    /// assert_eq!(comment.root_element().unwrap().to_inner_html(), "<p>1</p>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sanitize(&self, document: &mut Document) {
        let root = document.root().id();
        let rules = Rules::new(self, Form::Tree);
        Walk::new(rules, document).of_page().below(root);
    }

    /// Removes everything that is not allowed from the descendants of an element or another node. The node itself is
    /// not changed.
    ///
    /// ```
    /// use tagstream::{Document, Html, Sanitizer};
    ///
    /// let mut page = Document::parse(Html::default(), "<p id=a><b id=b>1</b><script>2</script>")?;
    /// let p = page.root().descendants().find(|node| node.has_name("p")).unwrap().id();
    /// Sanitizer::default().sanitize_below(&mut page, p);
    /// assert_eq!(page.node(p).unwrap().to_html(), r#"<p id="a"><b>1</b></p>"#);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn sanitize_below(&self, document: &mut Document, node: NodeId) {
        Walk::new(Rules::new(self, Form::Tree), document).below(node);
    }

    /// Sanitizes markup and returns markup, for pages that are assembled from strings. The result can be inserted into
    /// a `div` or another element that contains text. Cleaning the result again returns the same string. A `plaintext`
    /// element, which no end tag ends, is replaced with its text.
    ///
    /// ```
    /// use tagstream::Sanitizer;
    ///
    /// let clean = Sanitizer::default().clean("<p title='<x>'>1 < 2<p><iframe src=x></iframe>");
    /// assert_eq!(clean, r#"<p title="&lt;x&gt;">1 &lt; 2</p><p></p>"#);
    /// ```
    #[doc(alias = "sanitize_html")]
    pub fn clean(&self, markup: &str) -> String {
        self.clean_as(&Html::fragment_in("div".into(), Default::default()), markup)
    }

    /// Like [`clean`](Sanitizer::clean), for markup that is the contents of another element, such as `td`, `tr` or
    /// `svg`.
    ///
    /// ```
    /// use tagstream::Sanitizer;
    ///
    /// let sanitizer = Sanitizer::default();
    /// assert_eq!(sanitizer.clean_in("tr", "<td onclick=a()>1")?, "<td>1</td>");
    /// assert_eq!(sanitizer.clean("<td onclick=a()>1"), "1");
    /// # Ok::<(), tagstream::html::ContextError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A context that cannot be the name of an element.
    pub fn clean_in(&self, context: &str, markup: &str) -> Result<String, ContextError> {
        Ok(self.clean_as(&Html::fragment(context)?, markup))
    }

    /// Cleans markup. If it exceeds a limit, returns the result for empty markup, which need not be empty: in the context
    /// `html`, there are always a head and a body.
    fn clean_as(&self, html: &Html, markup: &str) -> String {
        let cleaned = self.clean_within_limits(html, markup);
        let cleaned = cleaned.or_else(|| self.clean_within_limits(html, ""));
        cleaned.unwrap_or_default()
    }

    /// Parses and serializes until parsing the string results in the same tree that the string was serialized from.
    /// Sanitizing and serializing such a tree gives the same string again. Returns `None` if a limit is exceeded.
    fn clean_within_limits(&self, html: &Html, markup: &str) -> Option<String> {
        let is_in_div = html.fragment.as_deref() == Some("div");
        if is_in_div && unchanged::is_text(markup) {
            return Some(String::from(markup));
        }
        let parse = |markup: &str, form: Form| {
            let (tree, _) = self.parse_as(html, &[markup], limits(), form)?;
            let written = top(&tree).to_inner_html_with_line_feeds(markup.len());
            Ok::<_, Error>((tree, written))
        };
        let (mut tree, mut clean) = parse(markup, Form::String).ok()?;
        let is_unchanged = |tree: &Document| is_in_div && unchanged::is_parsed_unchanged(top(tree));
        // PERF: the second parse takes half as long as the first one, and most comments are recognized.
        if clean == markup || is_unchanged(&tree) {
            return Some(clean);
        }
        for round in 1..=ROUNDS + 1 {
            let raw = parse_raw(html, &clean).ok()?;
            // Sanitizing removes nothing from a tree that is already sanitized, so this tree would be serialized to the
            // same string.
            if top(&raw).holds_same(top(&tree)) {
                return Some(clean);
            }
            let (mut again, mut next) = parse(&clean, Form::StringAgain).ok()?;
            if next == clean {
                return Some(clean);
            }
            // The markup keeps changing, so reduce it to its text, which contains no markup that could change.
            if round == ROUNDS {
                let plain = again.root().text_content().replace('\r', "\n");
                let top_id = top(&again).id();
                again.set_text(top_id, &plain).ok()?;
                next = top(&again).to_inner_html_with_line_feeds(clean.len());
            }
            (tree, clean) = (again, next);
        }
        None
    }

    /// Parses markup that is given in chunks, and omits what is not allowed. Returns the tree, and the number of
    /// replaced elements that [`Filter`] visited to find the places of their children, which tests compare with the
    /// length of the markup.
    fn parse_as(
        &self,
        html: &Html,
        chunks: &[&str],
        limits: Limits,
        form: Form,
    ) -> Result<(Document, u64), Error> {
        let is_page = html.fragment.is_none();
        let filter = Filter::new(Rules::new(self, form), is_page);
        let html = html.clone().scripting(false);
        let mut builder = TreeBuilder::with_sink(html, filter).limits(limits);
        for chunk in chunks {
            builder.feed(*chunk)?;
        }
        builder.end()?;
        let (mut document, rules, steps) = builder.into_sink().finish();
        let (page, root) = (document.root().id(), top(&document).id());
        let mut walk = Walk::new(rules, &mut document);
        match is_page {
            true => walk.of_page().below(page),
            false => walk.below(root),
        }
        Ok((document, steps))
    }

    /// Returns true if the markup of a node's children need not be parsed again in a `div`.
    #[cfg(feature = "inspect")]
    #[doc(hidden)]
    pub fn inspect_unchanged(node: Node<'_>) -> bool {
        unchanged::is_parsed_unchanged(node)
    }

    /// Like [`parse`](Sanitizer::parse), for markup in chunks. Also returns the number of steps that elements outside
    /// the tree took.
    #[cfg(feature = "inspect")]
    #[doc(hidden)]
    pub fn parse_chunks(&self, html: &Html, chunks: &[&str]) -> Result<(Document, u64), Error> {
        self.parse_as(html, chunks, html.limits(), Form::Tree)
    }
}

impl Html {
    /// Sanitizes markup with the HTML standard's default [`Sanitizer`], which keeps structured text and links, and
    /// removes images and everything that can run a script.
    ///
    /// ```
    /// use tagstream::Html;
    ///
    /// assert_eq!(Html::sanitize("<p onclick=evil()>Tom &amp; Jerry"), "<p>Tom &amp; Jerry</p>");
    /// ```
    pub fn sanitize(markup: &str) -> String {
        Sanitizer::default().clean(markup)
    }
}

impl Document {
    /// Replaces the contents of an element with sanitized markup, like `setHTML` of browsers. A `script` element is not
    /// changed.
    ///
    /// ```
    /// use tagstream::{Document, Html, Sanitizer};
    ///
    /// let mut page = Document::parse(Html::default(), "<ul></ul>")?;
    /// let list = page.root().descendants().find(|node| node.has_name("ul")).unwrap().id();
    /// page.set_html(list, "<li onclick=evil()>one<li>two", &Sanitizer::default())?;
    /// assert_eq!(page.node(list).unwrap().to_inner_html(), "<li>one</li><li>two</li>");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`set_inner_html`](Document::set_inner_html).
    pub fn set_html(
        &mut self,
        element: NodeId,
        markup: &str,
        sanitizer: &Sanitizer,
    ) -> Result<(), Error> {
        let html = self.fragment_within(element)?;
        let is_script = self
            .node(element)
            .is_some_and(|node| node.local_name() == "script");
        if is_script {
            return Ok(());
        }
        let parsed = sanitizer.parse(&html, markup)?;
        self.replace_children(element, top(&parsed))
    }
}

/// The limit of depth of a parse whose result is a string, which is that of browsers.
const DEPTH: usize = 513;

/// Limits of a parse whose result is a string. The memory is bounded by the length of the input string, which the
/// program has in memory already.
fn limits() -> Limits {
    let usual = Limits::default();
    Limits::none()
        .depth(DEPTH)
        .tree_ratio(usual.tree_ratio)
        .tree_allowance(usual.tree_allowance)
}

/// Parses markup without sanitizing it.
fn parse_raw(html: &Html, markup: &str) -> Result<Document, Error> {
    let mut builder = TreeBuilder::new(html.clone()).limits(limits());
    builder.feed(markup)?;
    builder.finish()
}

/// Returns the root element of a parsed fragment. Its children are the parsed nodes.
fn top(fragment: &Document) -> Node<'_> {
    fragment.root_element().unwrap_or(fragment.root())
}
