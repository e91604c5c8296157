//! The event that a rewriter returns to the program, with the methods that edit the event.

use super::RewriteError;
use super::checks::{Inside, Side};
use super::edits::Content;
use super::fragment::Fragments;
use super::state::RewriterState;
use crate::engine::event::{Comment, EndTag, Event, StartTag, Text};
#[cfg(feature = "select")]
use crate::select::SelectorId;
use crate::write::Refusal;
use core::fmt::{self, Display};

/// An event of a [`Rewriter`](super::Rewriter), with methods to edit it.
///
/// The borrowed event is independent of the edits, so an edit can use data of the event. Each edit is validated when you
/// call its method: an edit that cannot be made returns [`RewriteError::Refused`], and has no effect. The edits are
/// applied when the event is dropped.
///
/// An event can have several edits, in any order. Of two new names, values, texts or contents the last one counts. If an
/// event is [removed](RewriteEvent::remove), only content before and after it remains of its other edits; if an element is
/// [unwrapped](RewriteEvent::unwrap_element), its new name and its attributes do not matter.
///
/// ```
/// use tagstream::{Html, Rewriter};
///
/// let mut rewriter = Rewriter::new(Html::default());
/// rewriter.feed("<a href=/b>c</a>");
/// rewriter.finish();
/// while let Some(mut event) = rewriter.next_event()? {
///     if let Some(tag) = event.as_start().filter(|tag| tag.name() == "a") {
///         event.set_attribute("title", tag.attribute("href").unwrap_or_default())?;
///     }
/// }
/// assert_eq!(rewriter.output(), br#"<a href=/b title="/b">c</a>"#);
/// # Ok::<(), tagstream::RewriteError>(())
/// ```
///
/// # Refused edits
///
/// [`Refusal::as_str`](crate::Refusal::as_str) identifies the reason of a refusal. In addition to the reasons that the
/// methods list, each method can return these:
///
/// | reason | condition |
/// |---|---|
/// | `edit` | the event does not have the part that is edited |
/// | `elsewhere` | the event comes from an entity |
/// | `implied` | the source has no tag there, and none can be inserted |
/// | `moved` | the parser moves or repeats the element, or would do so with the content |
/// | `cut` | the input ends, or another token begins, inside the markup before the place |
/// | `passed` | the output is written beyond the place, or bytes before it would be completed by what follows: more than 64 `<`, or the beginning of a character in an encoding with several bytes for a character |
/// | `encoding` | the encoding of the document does not have a character of a name or of other text without references, or it has no character and no reference: a C1 control character in HTML |
/// | `foreign` | the edit would change which tags are SVG or MathML |
pub struct RewriteEvent<'r> {
    pub(super) event: Event<'r>,
    pub(super) state: &'r mut RewriterState,
    /// The parser of the document, for the validation of markup and names.
    pub(super) document: &'r (dyn Fragments + Sync),
    /// The selectors that select the event, as bits.
    #[cfg(feature = "select")]
    pub(super) selected: &'r [u64],
    pub(super) is_last: bool,
}

/// The result of an edit: the event, for the next edit, or the reason why the edit is refused.
type Edited<'e, 'r> = Result<&'e mut RewriteEvent<'r>, RewriteError>;

impl<'r> RewriteEvent<'r> {
    fn edit(
        &mut self,
        edit: impl FnOnce(&mut RewriterState, &Event<'r>) -> Result<(), Refusal>,
    ) -> Edited<'_, 'r> {
        match edit(self.state, &self.event) {
            Ok(()) => Ok(self),
            Err(refusal) => Err(RewriteError::Refused(refusal, self.event.position())),
        }
    }

    fn insert_beside(&mut self, content: Content<'_>, side: Side) -> Edited<'_, 'r> {
        let document = self.document;
        self.edit(|state, event| state.insert_beside(event, content, side, document))
    }

    fn insert_inside(&mut self, content: Content<'_>, side: Inside) -> Edited<'_, 'r> {
        let document = self.document;
        self.edit(|state, event| state.insert_inside(event, content, side, document))
    }

    /// Returns the event.
    #[inline(always)]
    pub fn event(&self) -> Event<'r> {
        self.event
    }

    /// Returns the start tag, if the event is a start tag.
    #[inline(always)]
    pub fn as_start(&self) -> Option<StartTag<'r>> {
        match self.event {
            Event::Start(tag) => Some(tag),
            _ => None,
        }
    }

    /// Returns the end tag, if the event is the end of an element.
    pub fn as_end(&self) -> Option<EndTag<'r>> {
        match self.event {
            Event::End(tag) => Some(tag),
            _ => None,
        }
    }

    /// Returns the text, if the event is text: a run of text, or a piece of one.
    pub fn as_text(&self) -> Option<Text<'r>> {
        match self.event {
            Event::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the comment, if the event is a comment.
    pub fn as_comment(&self) -> Option<Comment<'r>> {
        match self.event {
            Event::Comment(comment) => Some(comment),
            _ => None,
        }
    }

    /// Returns true if the event is a start tag that a selector selects: see [`Rewriter::select`](super::Rewriter::select).
    #[cfg(feature = "select")]
    #[inline(always)]
    pub fn is_selected(&self, selector: SelectorId) -> bool {
        selector.is_in(self.selected)
    }

    /// Returns true if the event is text that ends a run: a whole run, or its last piece, which can be empty.
    ///
    /// ```
    /// use tagstream::{Rewriter, Xml};
    ///
    /// let mut rewriter = Rewriter::new(Xml::default());
    /// let mut pieces = Vec::new();
    /// for chunk in ["<a>one ", "two", "</a>"] {
    ///     rewriter.feed(chunk);
    ///     while let Some(event) = rewriter.next_event()? {
    ///         pieces.extend(event.as_text().map(|text| (text.to_string(), event.is_last())));
    ///     }
    /// }
    /// let pieces = pieces.iter().map(|(text, last)| (text.as_str(), *last));
    /// assert!(pieces.eq([("one ", false), ("two", false), ("", true)]));
    /// # Ok::<(), tagstream::RewriteError>(())
    /// ```
    pub fn is_last(&self) -> bool {
        self.is_last
    }

    /// Sets the value of an attribute of an element, and adds the attribute if it is missing. If a tag repeats the
    /// attribute, the first one is changed.
    ///
    /// ```
    /// use tagstream::{Html, Rewriter};
    ///
    /// let mut rewriter = Rewriter::new(Html::default());
    /// rewriter.feed("<img SRC=a alt=b><hr>");
    /// while let Some(mut event) = rewriter.next_event()? {
    ///     if event.as_start().is_some_and(|tag| tag.name() == "img") {
    ///         event.set_attribute("src", "c")?.set_attribute("width", 7)?;
    ///     }
    /// }
    /// assert_eq!(rewriter.output(), br#"<img SRC="c" alt=b width="7"><hr>"#);
    /// # Ok::<(), tagstream::RewriteError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns [`RewriteError::Refused`] if the edit cannot be made here; so do all other methods that edit. The reason
    /// can be `name` for a name that would not be read as it is written, which includes prefixes that strict XML does
    /// not find in scope, `character` for a character that the dialect does not allow, and `duplicate` if another attribute
    /// has the same local name and namespace. In LeafXML, `character` is also the reason for whitespace that a parser
    /// removes from a value.
    #[doc(alias = "set_attr")]
    pub fn set_attribute(&mut self, name: &str, value: impl Display) -> Edited<'_, 'r> {
        let document = self.document;
        self.edit(|state, event| state.set_attribute(event, name, &value, document))
    }

    /// Removes an attribute of an element. If a tag repeats the attribute, all of them are removed.
    ///
    /// ```
    /// use tagstream::{Html, Rewriter};
    ///
    /// let mut rewriter = Rewriter::new(Html::default());
    /// rewriter.feed("<a id=b onclick='c()'>");
    /// while let Some(mut event) = rewriter.next_event()? {
    ///     event.remove_attribute("onclick")?;
    /// }
    /// assert_eq!(rewriter.output(), b"<a id=b>");
    /// # Ok::<(), tagstream::RewriteError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Besides the [common reasons](RewriteEvent#refused-edits): `prefix` for a namespace declaration that the tag uses, or
    /// that the contents of the element may use. Recovering XML refuses the former only.
    pub fn remove_attribute(&mut self, name: &str) -> Edited<'_, 'r> {
        let document = self.document;
        self.edit(|state, event| state.remove_attribute(event, name, document))
    }

    /// Renames an element: its start tag and its end tag.
    ///
    /// ```
    /// use tagstream::{Html, Rewriter};
    ///
    /// let mut rewriter = Rewriter::new(Html::default());
    /// rewriter.feed("<b class=c>d</b>");
    /// rewriter.finish();
    /// while let Some(mut event) = rewriter.next_event()? {
    ///     if event.as_start().is_some_and(|tag| tag.name() == "b") {
    ///         event.rename("strong")?;
    ///     }
    /// }
    /// assert_eq!(rewriter.output(), b"<strong class=c>d</strong>");
    /// # Ok::<(), tagstream::RewriteError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Besides the [common reasons](RewriteEvent#refused-edits): `name`, `child` if the element or its new name is one
    /// that can contain only text, `void` for an element without contents, `prefix` if a DTD gives the element default
    /// attributes with prefixes, and in the balanced form `parent` for the name of an element that is not allowed
    /// everywhere, such as `td`. Other names can still be read as another tree: HTML
    /// closes a `p` before a `div`, for example.
    #[doc(alias = "set_tag_name")]
    pub fn rename(&mut self, name: &str) -> Edited<'_, 'r> {
        let document = self.document;
        self.edit(|state, event| state.rename(event, name, document))
    }

    /// Removes the event. An element is removed with its contents, whose events are then skipped.
    ///
    /// ```
    /// use tagstream::{Html, Rewriter};
    ///
    /// let mut rewriter = Rewriter::new(Html::default());
    /// rewriter.feed("<p>a<script>b()</script>c<!--d-->");
    /// rewriter.finish();
    /// while let Some(mut event) = rewriter.next_event()? {
    ///     let is_script = event.as_start().is_some_and(|tag| tag.name() == "script");
    ///     if is_script || event.as_comment().is_some() {
    ///         event.remove()?;
    ///     }
    /// }
    /// assert_eq!(rewriter.output(), b"<p>ac");
    /// # Ok::<(), tagstream::RewriteError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Besides the [common reasons](RewriteEvent#refused-edits): `no-root` for the root element of strict XML, strict
    /// MicroXML and LeafXML, `outside-root` for text that is outside of the root element, `parent` for text of a page with a
    /// frameset, where parts of texts are ignored, and `raw-text` for text with a word such as `<!--` that changes how the
    /// rest of a script is parsed. A DOCTYPE of XML with declarations is not removed (`edit`).
    pub fn remove(&mut self) -> Edited<'_, 'r> {
        self.edit(|state, event| state.remove(event))
    }

    /// Removes the tags of an element and keeps its contents. The contents of a `template` become ordinary contents of
    /// its parent.
    ///
    /// ```
    /// use tagstream::{Html, Rewriter};
    ///
    /// let mut rewriter = Rewriter::new(Html::default());
    /// rewriter.feed("<p>a<font color=red>b</font>c");
    /// rewriter.finish();
    /// while let Some(mut event) = rewriter.next_event()? {
    ///     if event.as_start().is_some_and(|tag| tag.name() == "font") {
    ///         event.unwrap_element()?;
    ///     }
    /// }
    /// assert_eq!(rewriter.output(), b"<p>abc");
    /// # Ok::<(), tagstream::RewriteError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Besides the [common reasons](RewriteEvent#refused-edits): `child` for an element that contains only text, `no-root` for
    /// the root element of strict XML, strict MicroXML and LeafXML, and `prefix` for an element of XML that declares prefixes.
    #[doc(alias = "remove_and_keep_content")]
    pub fn unwrap_element(&mut self) -> Edited<'_, 'r> {
        self.edit(|state, event| state.unwrap(event))
    }

    /// Inserts content before the event, after content that was already inserted there. Before the end of an element,
    /// this is inside the element.
    ///
    /// ```
    /// use tagstream::{Content, Html, Rewriter};
    ///
    /// let mut rewriter = Rewriter::new(Html::default());
    /// rewriter.feed("<p>a<img>");
    /// while let Some(mut event) = rewriter.next_event()? {
    ///     if event.as_start().is_some_and(|tag| tag.name() == "img") {
    ///         event.before(Content::Markup("<br>"))?;
    ///     }
    /// }
    /// assert_eq!(rewriter.output(), b"<p>a<br><img>");
    /// # Ok::<(), tagstream::RewriteError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Besides the [common reasons](RewriteEvent#refused-edits), for all methods that insert content: `markup` for markup
    /// that is not well-formed there or not complete (see [`Content::Markup`]), `character` for a character that the
    /// dialect does not allow, `raw-text` for text that would end the script around it, `child` for markup in an element
    /// of text, `void` for an element without contents, `parent` and `outside-root` for a place without text.
    #[doc(alias = "insert_before")]
    pub fn before<'c>(&mut self, content: impl Into<Content<'c>>) -> Edited<'_, 'r> {
        self.insert_beside(content.into(), Side::Before)
    }

    /// Inserts content after the event, before content that was already inserted there. For a start tag, this is after
    /// the end of the element.
    ///
    /// ```
    /// use tagstream::{Html, Rewriter};
    ///
    /// let mut rewriter = Rewriter::new(Html::default());
    /// rewriter.feed("<p><b>a</b>");
    /// rewriter.finish();
    /// while let Some(mut event) = rewriter.next_event()? {
    ///     if event.as_start().is_some_and(|tag| tag.name() == "b") {
    ///         event.after("c")?;
    ///     }
    /// }
    /// assert_eq!(rewriter.output(), b"<p><b>a</b>c");
    /// # Ok::<(), tagstream::RewriteError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`before`](RewriteEvent::before).
    #[doc(alias = "insert_after")]
    pub fn after<'c>(&mut self, content: impl Into<Content<'c>>) -> Edited<'_, 'r> {
        self.insert_beside(content.into(), Side::After)
    }

    /// Inserts content at the beginning of an element.
    ///
    /// ```
    /// use tagstream::{Rewriter, Xml};
    ///
    /// let mut rewriter = Rewriter::new(Xml::default());
    /// rewriter.feed("<a/>");
    /// while let Some(mut event) = rewriter.next_event()? {
    ///     if event.as_start().is_some() {
    ///         event.prepend("b")?;
    ///     }
    /// }
    /// assert_eq!(rewriter.output(), b"<a>b</a>");
    /// # Ok::<(), tagstream::RewriteError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`before`](RewriteEvent::before).
    pub fn prepend<'c>(&mut self, content: impl Into<Content<'c>>) -> Edited<'_, 'r> {
        self.insert_inside(content.into(), Inside::First)
    }

    /// Inserts content at the end of an element.
    ///
    /// ```
    /// use tagstream::{Rewriter, Xml};
    ///
    /// let mut rewriter = Rewriter::new(Xml::default());
    /// rewriter.feed("<a>b</a>");
    /// while let Some(mut event) = rewriter.next_event()? {
    ///     if event.as_start().is_some() {
    ///         event.append("c")?;
    ///     }
    /// }
    /// assert_eq!(rewriter.output(), b"<a>bc</a>");
    /// # Ok::<(), tagstream::RewriteError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`before`](RewriteEvent::before).
    #[doc(alias = "append_child")]
    pub fn append<'c>(&mut self, content: impl Into<Content<'c>>) -> Edited<'_, 'r> {
        self.insert_inside(content.into(), Inside::Last)
    }

    /// Replaces the contents of an element, whose events are then skipped.
    ///
    /// ```
    /// use tagstream::{Html, Rewriter};
    ///
    /// let mut rewriter = Rewriter::new(Html::default());
    /// rewriter.feed("<h1>a<b>c</b></h1>");
    /// rewriter.finish();
    /// while let Some(mut event) = rewriter.next_event()? {
    ///     if event.as_start().is_some_and(|tag| tag.name() == "h1") {
    ///         event.set_content("d & e")?;
    ///     }
    /// }
    /// assert_eq!(rewriter.output(), b"<h1>d &amp; e</h1>");
    /// # Ok::<(), tagstream::RewriteError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`before`](RewriteEvent::before).
    #[doc(alias = "set_inner_content")]
    pub fn set_content<'c>(&mut self, content: impl Into<Content<'c>>) -> Edited<'_, 'r> {
        self.insert_inside(content.into(), Inside::All)
    }

    /// Replaces the text of this text or comment. The reasons of a refusal are those of [`before`](RewriteEvent::before),
    /// and `comment` for a text that a comment cannot contain.
    ///
    /// ```
    /// use tagstream::{Rewriter, Xml};
    ///
    /// let mut rewriter = Rewriter::new(Xml::default());
    /// rewriter.feed("<a>b &amp; c</a>");
    /// while let Some(mut event) = rewriter.next_event()? {
    ///     if let Some(text) = event.as_text() {
    ///         event.set_text(&text.as_str().to_uppercase())?;
    ///     }
    /// }
    /// assert_eq!(rewriter.output(), b"<a>B &amp; C</a>");
    /// # Ok::<(), tagstream::RewriteError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Besides the [common reasons](RewriteEvent#refused-edits): `comment` for text that a comment cannot contain, `character`
    /// and `raw-text` as for [`before`](RewriteEvent::before) and [`remove`](RewriteEvent::remove), and `outside-root` and
    /// `parent` for a place without text.
    pub fn set_text(&mut self, text: &str) -> Edited<'_, 'r> {
        let document = self.document;
        self.edit(|state, event| state.set_text(event, text, document))
    }

    /// Ends the borrow of the rewriter without ending the event: [`Rewriter::current`](super::Rewriter::current) returns
    /// the event again. The edits wait, and are applied together with later ones. With this method, a program can store
    /// the rewriter between two edits of an event, which the interface to another language has to do.
    ///
    /// The event ends with the next call of another method of the rewriter that takes `&mut self`. Its edits are applied
    /// then.
    ///
    /// ```
    /// use tagstream::{Html, Rewriter};
    ///
    /// let mut rewriter = Rewriter::new(Html::default());
    /// rewriter.feed("<a id=b>c</a>");
    /// if let Some(event) = rewriter.next_event()? {
    ///     event.keep();
    /// }
    /// for (name, value) in [("href", "/d"), ("id", "e")] {
    ///     if let Some(mut event) = rewriter.current() {
    ///         event.set_attribute(name, value)?;
    ///         event.keep();
    ///     }
    /// }
    /// while rewriter.next_event()?.is_some() {}
    /// assert_eq!(rewriter.output(), br#"<a id="e" href="/d">c</a>"#);
    /// # Ok::<(), tagstream::RewriteError>(())
    /// ```
    pub fn keep(self) {
        self.state.edits.is_kept = true;
    }
}

/// Applies the edits, unless the event is kept.
impl Drop for RewriteEvent<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        if self.state.edits.is_some && !self.state.edits.is_kept {
            self.state.apply(&self.event);
        }
    }
}

impl fmt::Debug for RewriteEvent<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.event.fmt(f)
    }
}
