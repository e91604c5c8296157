//! Markup made safe: [`Sanitizer`] is what may stay of HTML that others wrote.
//!
//! ```
//! use tagstream::Html;
//!
//! let comment = "<b onclick=evil()>Hello</b> <script>evil()</script><a href='javascript:evil()'>you</a>";
//! assert_eq!(Html::sanitize(comment), "<b>Hello</b> <a>you</a>");
//! ```
//!
//! It is the Sanitizer of the HTML standard, `setHTML` in browsers: markup is parsed as a browser parses it, what
//! is not allowed never gets into the tree, and only then is that a string again. So nothing depends on what
//! the markup looks like.
//!
//! - [`Sanitizer::default`] is the standard's built-in safe default configuration: text with its structure, links,
//!   SVG and MathML; no `img`, no `id`, `class` or `style`, no comments. What is not allowed goes with
//!   all that is in it.
//! - [`Sanitizer::user_content`] is for comments and posts: pictures by `http` and `https`, links by these and
//!   `mailto`, which get `rel="nofollow noopener ugc"`; what only changes how things look gives place to what is
//!   in it.
//! - [`Sanitizer::allow_all`] leaves all that runs no script; [`Sanitizer::allow_nothing`] is to begin a list with.
//!
//! No configuration lets through what runs: `script`, frames, `object`, `embed`, `base`, SVG's `use`; attributes that
//! begin with `on`; URLs of `javascript:` where a browser would follow them, and animations that make some.
//!
//! There are four ways to sanitize:
//!
//! - [`Sanitizer::clean`] makes a string of a string, for a page that is put together of strings.
//! - [`Document::set_html`](crate::Document::set_html) is `setHTML`: markup for an element of a tree.
//! - [`Sanitizer::parse`] is `Document.parseHTML`: a tree of a page or a fragment.
//! - [`Sanitizer::sanitize`] is for a document that was parsed before.
//!
//! # The standard that is followed
//!
//! The configurations are those of the HTML standard's section *HTML sanitization*. That section, as of 21 August 2026,
//! sanitizes a tree that was parsed. When nodes are removed follows the standard's proposed change
//! [*Sanitize while parsing*](https://github.com/whatwg/html/pull/12756) instead, as it was discussed up to
//! 15 September 2026, by its tests in web-platform-tests and by Chromium 156, which implements it. The first three ways
//! work so: an element that may not stay never gets into the tree, while the parser goes on as if it had. So
//! `Hello<script>World</script>!` has one text, and of `<b><div>Text</b>`, if `div` is replaced with its children,
//! `<b>Text</b><b></b>` stays. The fourth way walks over a tree, and leaves two texts.
//!
//! Where Chromium 156 differs from these tests, this module follows the tests: the contents of a `template` that is
//! replaced with its children are removed with it, and a replaced element that a table moves in front of itself takes
//! its children there.
//!
//! # Decisions
//!
//! - Names of HTML elements and attributes in lists are lowercased. The standard compares them as they are, so that `P`
//!   names nothing that a parser makes.
//! - A page keeps its `html`, `head` and `body` unless a list names them. By the standard a configuration has to list
//!   them, and leaves an empty document otherwise.
//! - All attributes without a namespace that begin with `on` are handlers: the list of the standard grows, and a
//!   page is older than the browser that shows it.
//! - A string may be read in another place than that which it was made for, as a part of an SVG image, say, where
//!   the same letters mean other elements. So [`clean`](Sanitizer::clean) is stricter than the standard's `setHTML`,
//!   which gives no strings: what is unsafe in one namespace goes in all, as do URLs of `javascript:` in
//!   any attribute that could hold a URL; text that is not escaped (`style`, `noscript`, …), comments and
//!   instructions go if `<` or `>` is in them. And it parses and writes until nothing changes, so that the string is
//!   the same when it is cleaned again; markup that goes on changing becomes its text.
//! - Markup is parsed with scripting off, as browsers do it in `setHTML`: a `noscript` holds elements, and what is in it
//!   is looked at like all else.

mod presets;

mod attribute_rule;
mod configure;
mod filter;
mod lists;
mod names;
mod rules;
mod url;
mod walk;

pub use names::{NameError, NameKind};

use crate::build::TreeBuilder;
use crate::dialect::Dialect;
use crate::error::Error;
use crate::html::{ContextError, Html};
use crate::limits::Limits;
use crate::tree::{Document, Node, NodeId};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use attribute_rule::AttributeRule;
use filter::Filter;
use hashbrown::{HashMap, HashSet};
use names::Names;
use rules::{Form, Rules};
use walk::Walk;

/// What may stay of HTML that others wrote: lists of elements and attributes, and some rules. The
/// [module](crate::sanitize) has the rest.
///
/// Elements are named as [contexts of fragments](crate::Html::fragment) are: `p`, `svg path`, `math mi`; attributes by
/// their names, those of XLink and XML with their prefix: `href`, `xlink:href`, `xml:lang`.
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
/// A name that nothing in a document can have is an error, [`NameError`]. Names of HTML elements and attributes are
/// lowercased: `P` means `p`.
#[derive(Clone, Debug)]
#[doc(alias("ammonia", "DOMPurify"))]
pub struct Sanitizer {
    /// The elements listed, by namespace and local name.
    elements: [HashMap<Box<str>, Element>; 3],
    /// Whether only those stay that are allowed; else all but those that are removed.
    only_elements: bool,
    attributes: Names,
    /// Whether only those stay that are listed; else all but those.
    only_attributes: bool,
    comments: bool,
    data_attributes: bool,
    /// The targets of processing instructions.
    instructions: HashSet<Box<str>>,
    /// Whether only those stay that are listed; else all but those.
    only_instructions: bool,
    /// The schemes that URLs may have; without it all but `javascript`.
    schemes: Option<Vec<Box<str>>>,
    rel: Option<Box<str>>,
    rule: Option<AttributeRule>,
}

/// What is said of an element.
#[derive(Clone, Debug, Default)]
struct Element {
    fate: Fate,
    /// The attributes that it may have beside those that all may have, or the only ones.
    allowed: Option<Names>,
    removed: Names,
}

/// What becomes of an element that is listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Fate {
    #[default]
    Unsaid,
    Allowed,
    Removed,
    Replaced,
}

/// So often is markup parsed and written until nothing changes.
const ROUNDS: usize = 8;

impl Sanitizer {
    /// Parses a page or a fragment, and leaves out what may not stay while it parses: `Document.parseHTML` of browsers.
    /// Scripting is off, and templates do not become shadow roots.
    ///
    /// The root element of a fragment contains what stays. A page keeps its `html`, and its `head` and `body` unless
    /// a list of the sanitizer names them; their attributes are sanitized.
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
    /// Limits that are reached.
    pub fn parse(&self, html: &Html, markup: &str) -> Result<Document, Error> {
        let (document, _) = self.parse_as(html, &[markup], html.limits(), Form::Tree)?;
        Ok(document)
    }

    /// Takes out of a document what may not stay.
    ///
    /// The root element of a fragment contains what stays. A page keeps its `html`, and its `head` and `body` unless
    /// a list of the sanitizer names them; their attributes are sanitized.
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

    /// Takes out of an element, or of another node, what may not stay of that which is in it. The element itself
    /// is as it was.
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

    /// What may stay of markup, as markup: for a page that is put together of strings. It is written as what a
    /// `div` or another element of text holds; cleaned again it is the same.
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

    /// The same for markup that is what another element holds: `td`, `tr`, `svg`.
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
    /// What cannot be the name of an element.
    pub fn clean_in(&self, context: &str, markup: &str) -> Result<String, ContextError> {
        Ok(self.clean_as(&Html::fragment(context)?, markup))
    }

    /// Parses and writes until a string is there that is read as the tree that it was written of: sanitized and written
    /// again, that tree is the same string.
    fn clean_as(&self, html: &Html, markup: &str) -> String {
        let parse = |markup: &str, form: Form| {
            let (tree, _) = self.parse_as(html, &[markup], limits(), form)?;
            let written = top(&tree).to_inner_html_with_line_feeds();
            Ok::<_, Error>((tree, written))
        };
        let Ok((mut tree, mut clean)) = parse(markup, Form::String) else {
            return String::new();
        };
        if clean == markup {
            return clean;
        }
        for round in 1..=ROUNDS + 1 {
            let Ok(raw) = parse_raw(html, &clean) else {
                break;
            };
            // Nothing is removed from a tree that was sanitized, so this tree would be written as it was.
            if top(&raw).holds_same(top(&tree)) {
                return clean;
            }
            let Ok((mut again, mut next)) = parse(&clean, Form::StringAgain) else {
                break;
            };
            if next == clean {
                return clean;
            }
            // It goes on changing: as text it has no markup that could.
            if round == ROUNDS {
                let plain = again.root().text_content().replace('\r', "\n");
                let top_id = top(&again).id();
                if again.set_text(top_id, &plain).is_err() {
                    break;
                }
                next = top(&again).to_inner_html_with_line_feeds();
            }
            (tree, clean) = (again, next);
        }
        String::new()
    }

    /// Parses markup, which comes in chunks, and leaves out what may not stay. Gives the tree, and the steps that
    /// [`Filter`] took.
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

    /// [`parse`](Sanitizer::parse) of chunks, with the steps that elements which are not in the tree cost.
    #[cfg(feature = "inspect")]
    #[doc(hidden)]
    pub fn parse_chunks(&self, html: &Html, chunks: &[&str]) -> Result<(Document, u64), Error> {
        self.parse_as(html, chunks, html.limits(), Form::Tree)
    }
}

impl Html {
    /// What may stay of markup by the HTML standard's own [`Sanitizer`]: text with its structure, links, no
    /// picture, nothing that runs.
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
    /// Puts what is in an element out, and in what may stay of markup: `setHTML` of browsers. Nothing
    /// happens to a `script`.
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
    /// As [`set_inner_html`](Document::set_inner_html).
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

/// The limits of a parse that is to give a string. Its memory is bounded by the length of the string that the program
/// has already, and its depth is that of browsers.
fn limits() -> Limits {
    Limits {
        depth: 513,
        tree_ratio: Limits::default().tree_ratio,
        tree_allowance: Limits::default().tree_allowance,
        ..Limits::none()
    }
}

/// The tree of markup, as it is.
fn parse_raw(html: &Html, markup: &str) -> Result<Document, Error> {
    let mut builder = TreeBuilder::new(html.clone()).limits(limits());
    builder.feed(markup)?;
    builder.finish()
}

/// The node that what was parsed as a fragment is in.
fn top(fragment: &Document) -> Node<'_> {
    fragment.root_element().unwrap_or(fragment.root())
}
