//! Matching of selectors against the events of a stream: iteration over the matches, and the properties of a start tag
//! that selectors test.

use super::automaton::{Automaton, Subject};
use super::html;
use super::program::HtmlPseudoClass;
use super::selector::{IntoSelector, Selector};
use crate::engine::dialect::{Balance, Tree};
use crate::engine::error::{Error, Position, SelectorError};
use crate::engine::event::{Event, StartTag};
use crate::engine::namespaces::{HTML_INDEX, NO_NAMESPACE};
use crate::stream::{Events, Source};
use crate::tree::namespaces::HTML;
use crate::tree::{Document, QuirksMode};
use alloc::borrow::Cow;
use alloc::string::String;

impl<D: Balance, S: Source, F: Tree> Events<D, S, F> {
    /// Returns the elements of the stream that match a selector, each as soon as its start tag was parsed. Call this
    /// method before the first event: elements that are already open are not taken into account.
    ///
    /// ```
    /// use tagstream::{Events, Xml};
    ///
    /// let feed = "<feed><entry><title>One</title></entry><entry><title>Two</title></entry></feed>";
    /// let mut events = Events::of(Xml::default(), feed);
    /// let mut titles = events.select("feed > entry > title")?;
    /// let mut found = Vec::new();
    /// while let Some(title) = titles.next_match()? {
    ///     found.push(title.read_text()?);
    /// }
    /// assert_eq!(found, ["One", "Two"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Memory is bounded by the depth of the open elements. The start tags of an element and of its ancestors must
    /// decide whether it matches, so these selectors are refused: `+`, `~`, `:last-child` and similar, `:only-child`,
    /// `of`, `:empty`, `:has`, pseudo-classes that depend on other elements, such as `:checked`, and `:nth-of-type`
    /// in a compound without a type selector. An `html` or `body` element that gets more attributes from a second tag
    /// is matched with the attributes of its first tag only.
    ///
    /// # Errors
    ///
    /// A syntax error, or a selector that is not supported on streams: see
    /// [`SelectorErrorKind`](crate::select::SelectorErrorKind).
    pub fn select<'s>(
        &mut self,
        selector: impl IntoSelector<'s>,
    ) -> Result<Matches<'_, 's, D, S, F>, SelectorError> {
        let selector = selector.into_selector()?;
        if let Some(error) = &selector.stream_error {
            return Err(error.clone());
        }
        let dialect = self.parser().dialect().clone();
        Ok(Matches {
            automaton: Automaton::new(&selector.program),
            mode: dialect.quirks_mode(None),
            dialect,
            events: self,
            selector,
            depth: 0,
            template_depth: 0,
        })
    }
}

/// An iteration over the elements of a stream that match a selector: see [`Events::select`].
#[derive(Debug)]
pub struct Matches<'e, 's, D: Balance, S, F> {
    /// The stream of events.
    events: &'e mut Events<D, S, F>,
    /// The selector, borrowed if the program passed a reference.
    selector: Cow<'s, Selector>,
    /// The state of matching: the steps that hold at each open element.
    automaton: Automaton,
    /// The dialect of the document, which determines the quirks mode and recognizes templates.
    dialect: D,
    /// The quirks mode of the document, or `None` if the document is not HTML.
    mode: Option<QuirksMode>,
    /// Number of open elements, not counting elements inside templates.
    depth: u64,
    /// Number of open elements inside the outermost open template, including the template itself; 0 outside templates.
    /// Elements inside a template do not match.
    template_depth: u64,
}

impl<'e, 's, D: Balance, S: Source, F: Tree> Matches<'e, 's, D, S, F> {
    /// Advances to the next element that matches, or returns `None` at the end of the document. If the program did
    /// not read the previous match with a method of [`Match`], elements inside it can match too.
    ///
    /// ```
    /// use tagstream::{Events, Html};
    ///
    /// let mut events = Events::of(Html::default(), "<ul><li>a<ul><li>b</ul><li>c").balanced();
    /// let mut items = events.select("li")?;
    /// let mut depths = Vec::new();
    /// while let Some(item) = items.next_match()? {
    ///     depths.push(item.tag().depth().unwrap());
    /// }
    /// assert_eq!(depths, [4, 6, 4]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`Events::next_event`].
    pub fn next_match(&mut self) -> Result<Option<Match<'_, 'e, 's, D, S, F>>, Error> {
        loop {
            let Some(event) = self.events.next_event()? else {
                return Ok(None);
            };
            match event {
                Event::Start(_) if self.template_depth > 0 => self.template_depth += 1,
                Event::Start(tag) => {
                    let subject = TagSubject {
                        tag,
                        mode: self.mode,
                        is_root: self.depth == 0,
                    };
                    self.depth += 1;
                    self.template_depth = u64::from(D::is_template(&tag));
                    if self.automaton.enter(&self.selector.program, &subject) {
                        break;
                    }
                }
                Event::End(_) if self.template_depth > 1 => self.template_depth -= 1,
                Event::End(_) => self.leave(),
                Event::Doctype(doctype) if self.depth == 0 => {
                    self.mode = self.dialect.quirks_mode(Some(&doctype));
                }
                _ => {}
            }
        }
        Ok(Some(Match { matches: self }))
    }

    /// Returns the number of steps that were tested, for tests of linear time.
    #[cfg(feature = "inspect")]
    #[doc(hidden)]
    pub fn inspect_work(&self) -> u64 {
        self.automaton.work()
    }

    /// Stores that the innermost open element ends, and with it all templates inside the element.
    fn leave(&mut self) {
        self.template_depth = 0;
        self.depth = self.depth.saturating_sub(1);
        self.automaton.leave();
    }
}

/// An element that matches the selector. The stream is positioned at its start tag.
#[derive(Debug)]
pub struct Match<'m, 'e, 's, D: Balance, S, F> {
    /// The iteration, whose stream has the start tag as its current event.
    matches: &'m mut Matches<'e, 's, D, S, F>,
}

impl<D: Balance, S: Source, F: Tree> Match<'_, '_, '_, D, S, F> {
    /// Returns the start tag.
    ///
    /// # Panics
    ///
    /// Never: the current event is the start tag until a method consumes the match.
    pub fn tag(&self) -> StartTag<'_> {
        match self.matches.events.current() {
            Some(Event::Start(tag)) => tag,
            _ => {
                unreachable!("the current event is the start tag until a method consumes the match")
            }
        }
    }

    /// Returns the line and column of the start tag.
    pub fn position(&self) -> Position {
        self.tag().position()
    }

    /// Reads the element to its end and returns its text: see [`Events::read_text`].
    ///
    /// ```
    /// use tagstream::{Events, Xml};
    ///
    /// let mut events = Events::of(Xml::default(), "<a><b>Tom &amp; <i>Jerry</i></b></a>");
    /// assert_eq!(events.select("b")?.next_match()?.unwrap().read_text()?, "Tom & Jerry");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`Events::next_event`].
    pub fn read_text(self) -> Result<String, Error> {
        self.matches.leave();
        self.matches.events.read_text()
    }

    /// Reads the element to its end and returns it as a tree: see [`Events::subtree`].
    ///
    /// ```
    /// use tagstream::{Events, Xml};
    ///
    /// let mut events = Events::of(Xml::default(), "<a><b id='1'><c/></b></a>");
    /// let tree = events.select("b")?.next_match()?.unwrap().subtree()?;
    /// assert_eq!(tree.to_xml()?, r#"<b id="1"><c/></b>"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`Events::next_event`].
    pub fn subtree(self) -> Result<Document, Error> {
        self.matches.leave();
        self.matches.events.subtree()
    }

    /// Skips the element. Elements inside it do not match.
    ///
    /// ```
    /// use tagstream::{Events, Xml};
    ///
    /// let mut events = Events::of(Xml::default(), "<a><b><b/></b><b/></a>");
    /// let mut elements = events.select("b")?;
    /// let mut count = 0;
    /// while let Some(element) = elements.next_match()? {
    ///     element.skip_element()?;
    ///     count += 1;
    /// }
    /// assert_eq!(count, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`Events::next_event`].
    pub fn skip_element(self) -> Result<(), Error> {
        self.matches.leave();
        self.matches.events.skip_element()
    }
}

/// A start tag, as an element that a selector is matched against.
pub(super) struct TagSubject<'a> {
    /// The start tag.
    pub(super) tag: StartTag<'a>,
    /// The quirks mode of the document, or `None` if the document is not HTML.
    pub(super) mode: Option<QuirksMode>,
    /// True if the element is the root element of the document.
    pub(super) is_root: bool,
}

impl Subject for TagSubject<'_> {
    #[inline(always)]
    fn local_name(&self) -> &str {
        self.tag.local_name()
    }

    /// Returns the namespace of the element. Tags of HTML as written have none, and count as HTML elements: their names
    /// are in lower case, even those of SVG.
    fn namespace(&self) -> Option<&str> {
        let namespace = self.tag.namespace();
        match self.mode {
            Some(_) => namespace.or(Some(HTML)),
            None => namespace,
        }
    }

    fn is_html(&self) -> bool {
        self.mode.is_some() && matches!(self.tag.namespace_index(), NO_NAMESPACE | HTML_INDEX)
    }

    fn is_quirky(&self) -> bool {
        self.mode == Some(QuirksMode::Quirks)
    }

    fn is_root(&self) -> bool {
        self.is_root
    }

    fn is_scope(&self) -> bool {
        self.is_root
    }

    fn attribute(&self, name: &str) -> Option<&str> {
        self.tag.attribute_in_no_namespace(name)
    }

    fn any_attribute(&self, mut is_it: impl FnMut(Option<&str>, &str, &str) -> bool) -> bool {
        let mut attributes = self.tag.attributes();
        attributes.any(|one| is_it(one.namespace(), one.local_name(), one.value()))
    }

    fn is(&self, pseudo_class: HtmlPseudoClass) -> bool {
        html::matches_tag(self, pseudo_class)
    }
}
