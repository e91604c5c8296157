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
//! is not allowed is taken out of the tree, and only then is that a string again. So nothing depends on what
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
//! Three ways lead in. [`Document::set_html`](crate::Document::set_html) is `setHTML`: markup for an element that is
//! there. [`Sanitizer::sanitize`] is for a document that was parsed. [`Sanitizer::clean`] gives a string for
//! a page that is put together of strings.
//!
//! # Decisions
//!
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

mod lists;
mod url;
mod walk;

use crate::build::TreeBuilder;
use crate::error::Error;
use crate::html::{ContextError, Html};
use crate::limits::Limits;
use crate::tree::{Document, Node, NodeId};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use hashbrown::{HashMap, HashSet};
use lists::Elements;
use walk::{Form, Walk};

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
///     .allow_elements(&["p", "b", "a"])
///     .allow_attributes_on("a", &["href"])
///     .replace_with_children(&["div"]);
/// let markup = "<div><p id=x>See <a href=/b>b</a></div><img src=c>";
/// assert_eq!(sanitizer.clean(markup), r#"<p>See <a href="/b">b</a></p>"#);
/// ```
#[derive(Clone, Debug)]
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
}

/// Names of attributes: of those in a namespace its prefix, a space, and the local name.
type Names = HashSet<Box<str>>;

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

/// The namespaces of elements, and how they are written in names.
const NAMESPACES: [&str; 3] = ["", "svg ", "math "];

/// So often is markup parsed and written until nothing changes.
const ROUNDS: usize = 8;

impl Default for Sanitizer {
    /// The built-in safe default configuration of the HTML standard.
    fn default() -> Sanitizer {
        let mut sanitizer = Sanitizer::allow_nothing();
        for (space, list) in [
            lists::DEFAULT_ELEMENTS,
            lists::DEFAULT_SVG,
            lists::DEFAULT_MATH,
        ]
        .into_iter()
        .enumerate()
        {
            sanitizer.allow_list(space, list);
        }
        sanitizer.attributes = names(lists::DEFAULT_ATTRIBUTES.split_ascii_whitespace());
        sanitizer
    }
}

impl Sanitizer {
    /// For comments and posts of users: text with its structure, links and pictures, by URLs of `http`, `https`
    /// and `mailto`.
    ///
    /// ```
    /// use tagstream::Sanitizer;
    ///
    /// let post = "<div class=x><p>A <font color=red>red</font> <a href=//b.example>link</a></div>";
    /// assert_eq!(
    ///     Sanitizer::user_content().clean(post),
    ///     r#"<p>A red <a href="//b.example" rel="nofollow noopener ugc">link</a></p>"#
    /// );
    /// ```
    pub fn user_content() -> Sanitizer {
        let mut sanitizer = Sanitizer::allow_nothing();
        sanitizer.allow_list(0, lists::USER_ELEMENTS);
        let replaced: Vec<&str> = lists::USER_REPLACED.split_ascii_whitespace().collect();
        sanitizer.attributes = names(lists::USER_ATTRIBUTES.split_ascii_whitespace());
        sanitizer
            .replace_with_children(&replaced)
            .url_schemes(&lists::USER_SCHEMES)
            .link_rel("nofollow noopener ugc")
    }

    /// All may stay but what runs: the standard's empty configuration, to which lists of what is removed are
    /// added. Prefer lists of what is allowed: styles, forms and frames can deceive without a script.
    ///
    /// ```
    /// use tagstream::Sanitizer;
    ///
    /// let sanitizer = Sanitizer::allow_all().remove_elements(&["style"]);
    /// assert_eq!(sanitizer.clean("<x-y id=a onclick=b()></x-y><style>c</style>"), r#"<x-y id="a"></x-y>"#);
    /// ```
    pub fn allow_all() -> Sanitizer {
        Sanitizer {
            only_elements: false,
            only_attributes: false,
            comments: true,
            data_attributes: true,
            only_instructions: false,
            ..Sanitizer::allow_nothing()
        }
    }

    /// Nothing may stay but text: to which lists of what is allowed are added.
    ///
    /// ```
    /// use tagstream::Sanitizer;
    ///
    /// assert_eq!(Sanitizer::allow_nothing().clean("1 &lt; <b>2</b> 3"), "1 &lt;  3");
    /// ```
    pub fn allow_nothing() -> Sanitizer {
        Sanitizer {
            elements: Default::default(),
            only_elements: true,
            attributes: Names::new(),
            only_attributes: true,
            comments: false,
            data_attributes: false,
            instructions: HashSet::new(),
            only_instructions: true,
            schemes: None,
            rel: None,
        }
    }

    /// Lets these elements stay, with the attributes that all may have.
    ///
    /// ```
    /// use tagstream::Sanitizer;
    ///
    /// let sanitizer = Sanitizer::default().allow_elements(&["img"]).allow_attributes_on("img", &["src"]);
    /// assert_eq!(sanitizer.clean("<img src=a onerror=b()>"), r#"<img src="a">"#);
    /// ```
    #[must_use]
    pub fn allow_elements(self, elements: &[&str]) -> Sanitizer {
        self.with(elements, Fate::Allowed)
    }

    /// Takes these elements away, with all that is in them.
    ///
    /// ```
    /// use tagstream::Sanitizer;
    ///
    /// assert_eq!(Sanitizer::default().remove_elements(&["b"]).clean("<i>1</i><b>2</b>"), "<i>1</i>");
    /// ```
    #[must_use]
    pub fn remove_elements(self, elements: &[&str]) -> Sanitizer {
        self.with(elements, Fate::Removed)
    }

    /// Puts what is in these elements into their place. The roots `html`, `svg svg` and `math math` have no children
    /// that could stand elsewhere: they are removed. What is in a `template` is no child of it by the standard, and
    /// goes with it.
    ///
    /// ```
    /// use tagstream::Sanitizer;
    ///
    /// assert_eq!(Sanitizer::default().replace_with_children(&["b"]).clean("<i>1</i><b>2</b>"), "<i>1</i>2");
    /// ```
    #[must_use]
    pub fn replace_with_children(self, elements: &[&str]) -> Sanitizer {
        let (roots, others): (Vec<&str>, Vec<&str>) = elements
            .iter()
            .partition(|element| lists::NOT_REPLACED.contains(element));
        self.with(&roots, Fate::Removed)
            .with(&others, Fate::Replaced)
    }

    /// Lets these attributes stay, on every element.
    ///
    /// ```
    /// use tagstream::Sanitizer;
    ///
    /// let sanitizer = Sanitizer::default().allow_attributes(&["id"]);
    /// assert_eq!(sanitizer.clean("<b id=a class=c>"), r#"<b id="a"></b>"#);
    /// ```
    #[must_use]
    pub fn allow_attributes(self, attributes: &[&str]) -> Sanitizer {
        let is_listed = self.only_attributes;
        self.list_attributes(attributes, is_listed)
    }

    /// Takes these attributes away, from every element.
    ///
    /// ```
    /// use tagstream::Sanitizer;
    ///
    /// let sanitizer = Sanitizer::default().remove_attributes(&["href", "title"]);
    /// assert_eq!(sanitizer.clean("<a href=/ title=t lang=en>"), r#"<a lang="en"></a>"#);
    /// ```
    #[must_use]
    pub fn remove_attributes(self, attributes: &[&str]) -> Sanitizer {
        let is_listed = !self.only_attributes;
        let mut sanitizer = self.list_attributes(attributes, is_listed);
        for element in sanitizer.elements.iter_mut().flat_map(HashMap::values_mut) {
            if let Some(allowed) = &mut element.allowed {
                allowed.retain(|name| !attributes.iter().any(|one| *key(one) == **name));
            }
        }
        sanitizer
    }

    /// Lets these attributes stay on this element, beside those that all may have. The element has to be allowed
    /// itself.
    ///
    /// ```
    /// use tagstream::Sanitizer;
    ///
    /// let sanitizer = Sanitizer::default().allow_attributes_on("svg path", &["id"]);
    /// assert_eq!(sanitizer.clean("<svg id=a><path id=b d=c>"), r#"<svg><path id="b" d="c"></path></svg>"#);
    /// ```
    #[must_use]
    pub fn allow_attributes_on(mut self, element: &str, attributes: &[&str]) -> Sanitizer {
        let element = self.element(element);
        for attribute in attributes {
            let name = key(attribute);
            element.removed.remove(&*name);
            element.allowed.get_or_insert_default().insert(name);
        }
        self
    }

    /// Takes these attributes away from this element, if others may have them.
    ///
    /// ```
    /// use tagstream::Sanitizer;
    ///
    /// let sanitizer = Sanitizer::default().remove_attributes_on("a", &["title", "type"]);
    /// assert_eq!(sanitizer.clean("<a title=t type=u><b title=t>"), r#"<a><b title="t"></b></a>"#);
    /// ```
    #[must_use]
    pub fn remove_attributes_on(mut self, element: &str, attributes: &[&str]) -> Sanitizer {
        let element = self.element(element);
        for attribute in attributes {
            let name = key(attribute);
            if let Some(allowed) = &mut element.allowed {
                allowed.remove(&*name);
            }
            element.removed.insert(name);
        }
        self
    }

    /// Sets whether comments stay.
    ///
    /// ```
    /// use tagstream::Sanitizer;
    ///
    /// assert_eq!(Sanitizer::default().comments(true).clean("1<!--2-->"), "1<!--2-->");
    /// ```
    #[must_use]
    pub fn comments(self, comments: bool) -> Sanitizer {
        Sanitizer { comments, ..self }
    }

    /// Sets whether attributes stay that begin with `data-`.
    ///
    /// ```
    /// use tagstream::Sanitizer;
    ///
    /// assert_eq!(Sanitizer::default().data_attributes(true).clean("<b data-x=1>"), r#"<b data-x="1"></b>"#);
    /// ```
    #[must_use]
    pub fn data_attributes(self, data_attributes: bool) -> Sanitizer {
        Sanitizer {
            data_attributes,
            ..self
        }
    }

    /// Sets whether processing instructions stay: all of them, or none. What was said of some is forgotten.
    ///
    /// ```
    /// use tagstream::Sanitizer;
    ///
    /// assert_eq!(Sanitizer::default().processing_instructions(true).clean("1<?x y?>"), "1<?x y?>");
    /// ```
    #[must_use]
    pub fn processing_instructions(self, processing_instructions: bool) -> Sanitizer {
        Sanitizer {
            instructions: HashSet::new(),
            only_instructions: !processing_instructions,
            ..self
        }
    }

    /// Lets processing instructions of these targets stay.
    ///
    /// ```
    /// use tagstream::Sanitizer;
    ///
    /// let sanitizer = Sanitizer::default().allow_processing_instructions(&["x"]);
    /// assert_eq!(sanitizer.clean("1<?x y?><?z y?>"), "1<?x y?>");
    /// ```
    #[must_use]
    pub fn allow_processing_instructions(self, targets: &[&str]) -> Sanitizer {
        let is_listed = self.only_instructions;
        self.list_instructions(targets, is_listed)
    }

    /// Takes processing instructions of these targets away.
    ///
    /// ```
    /// use tagstream::Sanitizer;
    ///
    /// let sanitizer = Sanitizer::allow_all().remove_processing_instructions(&["x"]);
    /// assert_eq!(sanitizer.clean("1<?x y?><?z y?>"), "1<?z y?>");
    /// ```
    #[must_use]
    pub fn remove_processing_instructions(self, targets: &[&str]) -> Sanitizer {
        let is_listed = !self.only_instructions;
        self.list_instructions(targets, is_listed)
    }

    /// Lets only URLs stay that are relative or have one of these schemes, in the attributes that are a URL. Not in
    /// the standard's Sanitizer.
    ///
    /// ```
    /// use tagstream::Sanitizer;
    ///
    /// let sanitizer = Sanitizer::default().url_schemes(&["https"]);
    /// let markup = "<a href=https://a.example>1</a><a href=data:,x>2</a><a href=/b>3</a>";
    /// let clean = r#"<a href="https://a.example">1</a><a>2</a><a href="/b">3</a>"#;
    /// assert_eq!(sanitizer.clean(markup), clean);
    /// ```
    #[must_use]
    pub fn url_schemes(self, schemes: &[&str]) -> Sanitizer {
        let schemes = schemes
            .iter()
            .map(|scheme| scheme.to_ascii_lowercase().into());
        Sanitizer {
            schemes: Some(schemes.collect()),
            ..self
        }
    }

    /// Gives all links this `rel`: `nofollow` tells search engines that a link is not the page's own word. Not in the
    /// standard's Sanitizer.
    ///
    /// ```
    /// use tagstream::Sanitizer;
    ///
    /// let sanitizer = Sanitizer::default().link_rel("nofollow");
    /// assert_eq!(sanitizer.clean("<a href=/>1</a>"), r#"<a href="/" rel="nofollow">1</a>"#);
    /// ```
    #[must_use]
    pub fn link_rel(self, rel: &str) -> Sanitizer {
        Sanitizer {
            rel: Some(rel.into()),
            ..self
        }
    }

    /// Takes out of a document what may not stay.
    ///
    /// ```
    /// use tagstream::{Document, Html, Sanitizer};
    ///
    /// let mut page = Document::parse(Html::default(), "<title>t</title><p>1<script>2</script>")?;
    /// Sanitizer::default().sanitize(&mut page);
    /// assert!(page.to_html().ends_with("<title>t</title></head><body><p>1</p></body></html>"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn sanitize(&self, document: &mut Document) {
        let root = document.root().id();
        self.sanitize_below(document, root);
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
        Walk::new(self, document, Form::Tree).below(node);
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
        let Ok(mut tree) = parse(html, markup) else {
            return String::new();
        };
        let mut clean = self.written(&mut tree);
        if clean == markup {
            return clean;
        }
        for round in 1..=ROUNDS + 1 {
            let Ok(mut again) = parse(html, &clean) else {
                break;
            };
            // To sanitize what was sanitized changes nothing, so it would be written as it was.
            if top(&again).holds_same(top(&tree)) {
                return clean;
            }
            let mut next = self.written(&mut again);
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
                next = self.written(&mut again);
            }
            (tree, clean) = (again, next);
        }
        String::new()
    }

    /// What may stay of a fragment, written.
    fn written(&self, fragment: &mut Document) -> String {
        let top_id = top(fragment).id();
        Walk::new(self, fragment, Form::String).below(top_id);
        top(fragment).to_inner_html_with_line_feeds()
    }

    fn with(mut self, elements: &[&str], fate: Fate) -> Sanitizer {
        for name in elements {
            self.element(name).fate = fate;
        }
        self
    }

    fn allow_list(&mut self, space: usize, list: Elements) {
        for (elements, attributes) in list {
            for name in elements.split_ascii_whitespace() {
                let element = self.elements[space].entry(name.into()).or_default();
                element.fate = Fate::Allowed;
                element.allowed = Some(names(attributes.iter().copied()));
            }
        }
    }

    fn list_attributes(mut self, attributes: &[&str], is_listed: bool) -> Sanitizer {
        for attribute in attributes {
            match is_listed {
                true => self.attributes.insert(key(attribute)),
                false => self.attributes.remove(&*key(attribute)),
            };
        }
        self
    }

    fn list_instructions(mut self, targets: &[&str], is_listed: bool) -> Sanitizer {
        for &target in targets {
            match is_listed {
                true => self.instructions.insert(target.into()),
                false => self.instructions.remove(target),
            };
        }
        self
    }

    /// What is said of the element of this name.
    fn element(&mut self, name: &str) -> &mut Element {
        let spaces = NAMESPACES.iter().enumerate().skip(1);
        let (space, local) = spaces
            .filter_map(|(space, prefix)| Some((space, name.strip_prefix(prefix)?)))
            .next()
            .unwrap_or((0, name));
        self.elements[space].entry(local.into()).or_default()
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
        let mut parsed = self.parse_within(element, markup, false)?;
        let is_script = self
            .node(element)
            .is_some_and(|node| node.local_name() == "script");
        if is_script {
            return Ok(());
        }
        let root = top(&parsed).id();
        Walk::new(sanitizer, &mut parsed, Form::Tree).below(root);
        match parsed.node(root) {
            Some(root) => self.replace_children(element, root),
            None => Ok(()),
        }
    }
}

/// Its memory is that of the string which the program has already; depth has the limit of browsers.
fn parse(html: &Html, markup: &str) -> Result<Document, Error> {
    let limits = Limits {
        depth: 513,
        tree_ratio: Limits::default().tree_ratio,
        tree_allowance: Limits::default().tree_allowance,
        ..Limits::none()
    };
    let mut builder = TreeBuilder::new(html.clone()).limits(limits);
    builder.feed(markup)?;
    builder.finish()
}

/// The node that what was parsed as a fragment is in.
fn top(fragment: &Document) -> Node<'_> {
    fragment.root_element().unwrap_or(fragment.root())
}

fn names<'a>(list: impl Iterator<Item = &'a str>) -> Names {
    list.map(key).collect()
}

/// The name of an attribute as [`Names`] have it.
fn key(attribute: &str) -> Box<str> {
    match attribute.split_once(':') {
        Some((prefix @ ("xlink" | "xml" | "xmlns"), local)) => [prefix, " ", local].concat().into(),
        _ => attribute.into(),
    }
}
