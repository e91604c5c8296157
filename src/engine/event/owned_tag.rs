//! Start tags that own their strings.

use super::attribute::{Attribute, Attributes};
#[cfg(feature = "serde")]
use super::borrowed::Event;
use super::owned_event::OwnedEvent;
use super::tag::StartTag;
use crate::engine::error::{Position, Span};
use core::fmt;
use core::hash::{Hash, Hasher};

/// A start tag that owns its strings, as [`StartTag::to_owned`] returns it. It has all methods of a [`StartTag`].
///
/// ```
/// use tagstream::{Event, OwnedTag, Parser, Xml};
///
/// let mut parser = Parser::new(Xml::default());
/// parser.feed("<a href='x'><b/></a>");
/// let mut open: Vec<OwnedTag> = Vec::new();
/// while let Some(event) = parser.next_event()? {
///     if let Event::Start(tag) = event {
///         open.push(tag.to_owned());
///     }
/// }
/// assert_eq!(open[0].attribute("href"), Some("x"));
/// assert_eq!(open[1].name(), "b");
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone)]
pub struct OwnedTag(OwnedEvent);

impl StartTag<'_> {
    /// Returns a copy of the tag that owns its strings. It can be stored, or returned from a loop.
    ///
    /// ```
    /// use tagstream::{Error, Event, Events, OwnedTag, Xml};
    ///
    /// fn first_item(feed: &str) -> Result<Option<OwnedTag>, Error> {
    ///     let mut events = Events::of(Xml::default(), feed);
    ///     while let Some(event) = events.next_event()? {
    ///         match event {
    ///             Event::Start(tag) if tag.name() == "item" => return Ok(Some(tag.to_owned())),
    ///             _ => {}
    ///         }
    ///     }
    ///     Ok(None)
    /// }
    ///
    /// let item = first_item("<feed><item id='1'/></feed>")?;
    /// assert_eq!(item.as_ref().and_then(|item| item.attribute("id")), Some("1"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn to_owned(&self) -> OwnedTag {
        OwnedTag::new(self)
    }

    /// Copies the tag into an existing [`OwnedTag`] and reuses its memory.
    ///
    /// ```
    /// use tagstream::{Event, Events, OwnedTag, Xml};
    ///
    /// let mut events = Events::of(Xml::default(), "<list><a/><b x='1'/></list>");
    /// let mut last: Option<OwnedTag> = None;
    /// while let Some(event) = events.next_event()? {
    ///     if let Event::Start(tag) = event {
    ///         match &mut last {
    ///             Some(last) => tag.clone_into(last),
    ///             None => last = Some(tag.to_owned()),
    ///         }
    ///     }
    /// }
    /// assert_eq!(format!("{last:?}"), r#"Some(<b x="1"/>)"#);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn clone_into(&self, owned: &mut OwnedTag) {
        owned.assign(self);
    }
}

impl OwnedTag {
    pub(super) fn new(tag: &StartTag<'_>) -> OwnedTag {
        OwnedTag(OwnedEvent::of(tag.part))
    }

    /// Replaces the tag by a copy of a borrowed tag and reuses its memory.
    pub(super) fn assign(&mut self, tag: &StartTag<'_>) {
        self.0.assign(tag.part);
    }

    /// Converts an owned event to a tag. Returns `None` if the event is not a start tag.
    #[cfg(feature = "serde")]
    pub(crate) fn of_event(event: OwnedEvent) -> Option<OwnedTag> {
        let is_tag = matches!(event.event(), Event::Start(_));
        is_tag.then_some(OwnedTag(event))
    }

    /// Returns the borrowed tag, for functions that take a [`StartTag`].
    ///
    /// ```
    /// use tagstream::{Event, Parser, StartTag, Xml};
    ///
    /// fn is_link(tag: &StartTag<'_>) -> bool {
    ///     tag.name() == "a"
    /// }
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<a>");
    /// if let Some(Event::Start(tag)) = parser.next_event()? {
    ///     let tag = tag.to_owned();
    ///     assert!(is_link(&tag.as_tag()));
    /// }
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn as_tag(&self) -> StartTag<'_> {
        StartTag {
            part: self.0.part(),
        }
    }
}

/// Implements methods that call those of the borrowed tag. The string after each method is a condition, which the
/// method's documentation example asserts.
macro_rules! methods {
    ($($name:ident $(($($argument:ident: $type:ty),+))? -> $answer:ty, $for_example:literal;)*) => {
        impl OwnedTag {
            $(
                #[doc = concat!("See [`StartTag::", stringify!($name), "`].")]
                ///
                /// ```
                /// use tagstream::{Event, Parser, Xml};
                ///
                /// let mut parser = Parser::new(Xml::default());
                /// parser.feed("<p:a xmlns:p='urn:p' p:b='1' c='2' c='3'/>");
                /// let Some(Event::Start(tag)) = parser.next_event()? else { panic!() };
                /// let tag = tag.to_owned();
                #[doc = concat!("assert!(", $for_example, ");")]
                /// # Ok::<(), tagstream::Error>(())
                /// ```
                pub fn $name(&self $($(, $argument: $type)+)?) -> $answer {
                    self.as_tag().$name($($($argument),+)?)
                }
            )*
        }
    };
}

methods! {
    name -> &str, "tag.name() == \"p:a\"";
    local_name -> &str, "tag.local_name() == \"a\"";
    prefix -> Option<&str>, "tag.prefix() == Some(\"p\")";
    namespace -> Option<&str>, "tag.namespace() == Some(\"urn:p\")";
    attribute(name: &str) -> Option<&str>, "tag.attribute(\"c\") == Some(\"2\")";
    attribute_ns(namespace: &str, local_name: &str) -> Option<&str>,
        "tag.attribute_ns(\"urn:p\", \"b\") == Some(\"1\")";
    attributes -> Attributes<'_>, "tag.attributes().count() == 3";
    has_duplicates -> bool, "tag.has_duplicates()";
    is_self_closing -> bool, "tag.is_self_closing()";
    is_complete -> bool, "tag.is_complete()";
    is_foreign -> bool, "!tag.is_foreign()";
    is_implied -> bool, "!tag.is_implied()";
    is_moved -> bool, "!tag.is_moved()";
    raw -> &str, "tag.raw().starts_with(\"<p:a \")";
    name_span -> Span, "tag.name_span().len() == 3";
    span -> Span, "tag.span().start == 0";
    position -> Position, "tag.position().line() == 1";
}

impl<'a> From<StartTag<'a>> for OwnedTag {
    fn from(tag: StartTag<'a>) -> OwnedTag {
        tag.to_owned()
    }
}

/// Converts the tag to a start event.
impl From<OwnedTag> for OwnedEvent {
    fn from(tag: OwnedTag) -> OwnedEvent {
        tag.0
    }
}

impl<'t> IntoIterator for &'t OwnedTag {
    type Item = Attribute<'t>;
    type IntoIter = Attributes<'t>;

    fn into_iter(self) -> Attributes<'t> {
        self.attributes()
    }
}

/// Two tags are equal if their contents are equal. Positions are not compared.
impl PartialEq for OwnedTag {
    fn eq(&self, other: &OwnedTag) -> bool {
        self.as_tag() == other.as_tag()
    }
}

impl Eq for OwnedTag {}

impl Hash for OwnedTag {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_tag().hash(state);
    }
}

impl fmt::Debug for OwnedTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_tag().fmt(f)
    }
}
