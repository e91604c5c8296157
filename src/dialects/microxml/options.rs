//! The options of the dialect.

use crate::engine::options::{OptionError, Table, boolean, put, set};

/// MicroXML with its error recovery, in both revisions: for data that needs less than XML. A value of this type holds
/// the options; see the [module documentation](crate::microxml) for details.
///
/// `MicroXml::default()` recovers from all errors. [`MicroXml::strict`] rejects documents that are not well-formed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MicroXml {
    /// True if the first error ends the parse.
    pub(super) strict: bool,
    /// The revision of the error-recovery specification to follow.
    pub(super) revision: Revision,
}

/// The revisions of the error-recovery specification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Revision {
    /// The first revision.
    #[default]
    First,
    /// The author's last draft, of December 2012. It adds attributes without values, decimal references, and the
    /// CDATA sections, processing instructions and DOCTYPEs of XML.
    Final,
}

impl MicroXml {
    /// Returns options for a parser that ends with an [`Error`](crate::Error) at the first violation of
    /// well-formedness.
    ///
    /// ```
    /// use tagstream::{Document, MicroXml};
    ///
    /// assert!(Document::parse(MicroXml::default(), "<a><b></a>").is_ok());
    /// assert!(Document::parse(MicroXml::strict(), "<a><b></a>").is_err());
    /// ```
    pub fn strict() -> MicroXml {
        MicroXml {
            strict: true,
            ..MicroXml::default()
        }
    }

    /// Sets the revision that error recovery follows. The default is [`Revision::First`].
    ///
    /// ```
    /// use tagstream::microxml::Revision;
    /// use tagstream::{Document, MicroXml};
    ///
    /// let last = MicroXml::default().revision(Revision::Final);
    /// assert_eq!(Document::parse(last, "<a>&#65;</a>")?.root().text_content(), "A");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[must_use]
    pub fn revision(self, revision: Revision) -> MicroXml {
        MicroXml { revision, ..self }
    }

    pub(super) fn is_final(&self) -> bool {
        self.revision == Revision::Final
    }

    pub(super) fn is_strict(&self) -> bool {
        self.strict
    }
}

/// The options that have a name.
const OPTIONS: &Table<MicroXml> = &[
    ("strict", |microxml, value| {
        put(&mut microxml.strict, boolean(value))
    }),
    ("revision", |microxml, value| {
        let revision = match value {
            "first" => Ok(Revision::First),
            "final" => Ok(Revision::Final),
            _ => Err("`first` or `final`"),
        };
        put(&mut microxml.revision, revision)
    }),
];

impl MicroXml {
    /// Sets an option by its name: `strict`, which is `true` or `false`, or `revision`, which is `first` or `final`.
    ///
    /// ```
    /// use tagstream::MicroXml;
    ///
    /// let mut microxml = MicroXml::default();
    /// microxml.set("strict", "true")?;
    /// assert_eq!(microxml, MicroXml::strict());
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
    dialect MicroXml = "microxml", super::errors::ALL;
    struct MicroXml { strict, revision }
    enum Revision { First, Final }
}
