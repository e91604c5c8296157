//! By which rules a document is read and shown: the version of XML, and the mode of rendering of HTML. It must not
//! know of nodes.

/// The version of XML that a document is written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum XmlVersion {
    /// XML 1.0, and all that is not XML.
    #[default]
    Xml10,
    /// XML 1.1, in which references to control characters are allowed.
    Xml11,
}

/// Which rules of rendering the document type of an HTML document asks for. There are these three
/// and no more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum QuirksMode {
    /// The standard's.
    #[default]
    NoQuirks,
    /// The standard's but for a few.
    LimitedQuirks,
    /// Those of the browsers of the nineties.
    Quirks,
}

#[cfg(feature = "checkpoints")]
crate::saved::saved!(
    enum XmlVersion {
        Xml10,
        Xml11,
    }
);

#[cfg(feature = "checkpoints")]
crate::saved::saved!(
    enum QuirksMode {
        NoQuirks,
        LimitedQuirks,
        Quirks,
    }
);
