//! Parsing of HTML into an element of an existing tree.

use super::contents_of;
use crate::dialects::html::{Html, Surroundings};
use crate::engine::dialect::Dialect;
use crate::engine::error::Error;
use crate::engine::text::html_facts;
use crate::tree::{Document, Node, NodeId, Place, QuirksMode, namespaces};
use crate::tree_builder::TreeBuilder;

impl Document {
    /// Replaces the children of an element by HTML, which is parsed in the context of this element, as `innerHTML` in
    /// browsers does. For a template element, replaces the template contents.
    ///
    /// ```
    /// use tagstream::{Document, Html};
    ///
    /// let mut page = Document::parse(Html::default(), "<table><tr><th>old</table>")?;
    /// let row = page.root().descendants().find(|node| node.has_name("tr")).unwrap().id();
    /// page.set_inner_html(row, "<td>1<td>2")?;
    /// assert_eq!(page.node(row).unwrap().to_html(), "<tr><td>1</td><td>2</td></tr>");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error of a limit that is exceeded, or one of [`EditError::NoNode`](crate::EditError::NoNode),
    /// [`EditError::NoElement`](crate::EditError::NoElement) and [`EditError::Full`](crate::EditError::Full), as an
    /// [`Error`]. The document is then unchanged, unless it became full.
    #[doc(alias("innerHTML", "inner_html"))]
    pub fn set_inner_html(&mut self, element: NodeId, markup: &str) -> Result<(), Error> {
        let parsed = self.parse_within(element, markup, self.is_scripting())?;
        self.replace_children(element, contents_of(&parsed))
    }

    /// Inserts HTML at a place. The HTML is parsed in the context of the element that it is inserted into, as
    /// `insertAdjacentHTML` in browsers does. In a document, a fragment or an `html` element, the context is a `body`
    /// element.
    ///
    /// ```
    /// use tagstream::{Document, Html, Place};
    ///
    /// let mut page = Document::parse(Html::default(), "<table><tr><td>1</table>")?;
    /// let cell = page.root().descendants().find(|node| node.has_name("td")).unwrap();
    /// let row = cell.parent().unwrap().id();
    /// page.insert_adjacent_html(Place::After(cell.id()), "<td>2")?;
    /// page.insert_adjacent_html(Place::LastIn(row), "<td>3")?;
    /// assert_eq!(page.node(row).unwrap().to_html(), "<tr><td>1</td><td>2</td><td>3</td></tr>");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// The contents of a template element are not its children: insert into
    /// [`template_contents`](Node::template_contents) instead.
    ///
    /// # Errors
    ///
    /// Returns an error of a limit that is exceeded, or one of [`EditError::NoNode`](crate::EditError::NoNode),
    /// [`EditError::NoPlace`](crate::EditError::NoPlace), [`EditError::NoParent`](crate::EditError::NoParent) and
    /// [`EditError::Full`](crate::EditError::Full), as an [`Error`]. The document is then unchanged, unless it became
    /// full.
    #[doc(alias = "insertAdjacentHTML")]
    #[doc(alias = "append_html")]
    pub fn insert_adjacent_html(&mut self, place: Place, markup: &str) -> Result<(), Error> {
        let (parent, next) = self.resolve(place)?;
        let scripting = self.is_scripting();
        let parsed = match self.element(parent) {
            Ok(element) if !is_html_root(&element) => {
                self.parse_within(parent, markup, scripting)?
            }
            _ => parse_html(self.body_context().scripting(scripting), markup)?,
        };
        Ok(self.import_children(contents_of(&parsed), parent, next)?)
    }

    /// Returns the dialect for a fragment whose context is a `body` element of this document.
    fn body_context(&self) -> Html {
        let surroundings = Surroundings {
            is_quirks: self.quirks_mode() == QuirksMode::Quirks,
            ..Surroundings::default()
        };
        Html::fragment_in("body".into(), surroundings)
    }

    /// Parses markup in the context of an element. The result is a tree with one root element, whose children are the
    /// parsed nodes.
    fn parse_within(
        &self,
        element: NodeId,
        markup: &str,
        scripting: bool,
    ) -> Result<Document, Error> {
        let html = self.fragment_within(element)?;
        parse_html(html.scripting(scripting), markup)
    }

    /// Returns the dialect for a fragment whose context element is this element, with the element's document mode and
    /// surroundings.
    pub(crate) fn fragment_within(&self, element: NodeId) -> Result<Html, Error> {
        let context = self.element(element)?;
        let space = match context.namespace() {
            Some(namespaces::SVG) => "svg ",
            Some(namespaces::MATHML) => "math ",
            _ => "",
        };
        let is_form = |node: &Node<'_>| {
            node.namespace() == Some(namespaces::HTML) && node.local_name() == "form"
        };
        let encoding = context.attribute("encoding").unwrap_or("");
        let surroundings = Surroundings {
            is_quirks: self.quirks_mode() == QuirksMode::Quirks,
            is_in_form: is_form(&context) || context.ancestors().any(|node| is_form(&node)),
            holds_html: html_facts::is_html_encoding(encoding),
        };
        let context = [space, context.local_name()].concat();
        Ok(Html::fragment_in(context.into(), surroundings))
    }
}

/// Parses a string of HTML, which is complete, into a tree.
fn parse_html(html: Html, markup: &str) -> Result<Document, Error> {
    let limits = html.limits();
    let mut builder = TreeBuilder::new(html).limits(limits);
    builder.feed(markup)?;
    builder.finish()
}

/// Returns true if an element is an `html` element of HTML.
fn is_html_root(element: &Node<'_>) -> bool {
    element.namespace() == Some(namespaces::HTML) && element.local_name() == "html"
}
