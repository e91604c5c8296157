//! The options of the dialect.

use crate::engine::options::{OptionError, Table, boolean, put, set};

/// LeafXML: XML with namespaces and without rarely used features, normalized to NFC. A value of this type holds the
/// options; see the [module documentation](crate::leafxml) for details.
///
/// ```
/// use tagstream::{Document, LeafXml};
///
/// let document = Document::parse(LeafXml::default(), "<a>e\u{301}</a>")?;
/// assert_eq!(document.root().text_content(), "\u{e9}");
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LeafXml {
    /// True if comments are events.
    pub(super) comments: bool,
    /// True if instructions are events.
    pub(super) instructions: bool,
    /// True if the DOCTYPE is an event.
    pub(super) doctype: bool,
}

impl LeafXml {
    /// Sets whether comments are events. The default is false.
    ///
    /// A comment comes before the text that it interrupts, so with this option text is always delivered whole, in
    /// trees and with [`TextPolicy::Pieces`](crate::TextPolicy::Pieces) too. The limit of a token bounds the text
    /// that is buffered.
    ///
    /// ```
    /// use tagstream::{Events, LeafXml};
    ///
    /// let input = "<a><!-- b --></a>";
    /// assert_eq!(Events::of(LeafXml::default(), input).count(), 2);
    /// assert_eq!(Events::of(LeafXml::default().comments(true), input).count(), 3);
    /// ```
    #[must_use]
    pub fn comments(self, comments: bool) -> LeafXml {
        LeafXml { comments, ..self }
    }

    /// Sets whether instructions are events. The default is false. With this option text is always delivered whole,
    /// as with [comments](LeafXml::comments).
    #[must_use]
    pub fn processing_instructions(self, instructions: bool) -> LeafXml {
        LeafXml {
            instructions,
            ..self
        }
    }

    /// Sets whether the DOCTYPE is an event. The default is false.
    #[must_use]
    pub fn doctype(self, doctype: bool) -> LeafXml {
        LeafXml { doctype, ..self }
    }

    pub(super) fn has_comments(&self) -> bool {
        self.comments
    }

    pub(super) fn has_instructions(&self) -> bool {
        self.instructions
    }

    /// Returns true if tokens that interrupt a content assembly are events.
    pub(super) fn has_events_within(&self) -> bool {
        self.comments || self.instructions
    }

    pub(super) fn has_doctype(&self) -> bool {
        self.doctype
    }
}

/// The options that have a name.
const OPTIONS: &Table<LeafXml> = &[
    ("comments", |leafxml, value| {
        put(&mut leafxml.comments, boolean(value))
    }),
    ("processing_instructions", |leafxml, value| {
        put(&mut leafxml.instructions, boolean(value))
    }),
    ("doctype", |leafxml, value| {
        put(&mut leafxml.doctype, boolean(value))
    }),
];

impl LeafXml {
    /// Sets an option by its name: `comments`, `processing_instructions` or `doctype`. The value is `true` or `false`.
    ///
    /// ```
    /// use tagstream::LeafXml;
    ///
    /// let mut leafxml = LeafXml::default();
    /// leafxml.set("comments", "true")?;
    /// assert_eq!(leafxml, LeafXml::default().comments(true));
    /// # Ok::<(), tagstream::OptionError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error for a name that is unknown, and for a value that is not allowed. Nothing changes then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        set(OPTIONS, self, name, value)
    }
}

crate::checkpoint::checkpointable! {
    dialect LeafXml = "leafxml", super::errors::ALL;
    struct LeafXml { comments, instructions, doctype }
}
