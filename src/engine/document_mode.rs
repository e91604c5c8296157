//! Properties of a document that affect how its content is read and displayed: the version of XML and the quirks mode
//! of HTML.

/// The version of XML that a document is written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum XmlVersion {
    /// XML 1.0, and all documents that are not XML.
    #[default]
    Xml10,
    /// XML 1.1, which allows references to control characters.
    Xml11,
}

/// The quirks mode of an HTML document: the set of rules for layout and selectors that its document type selects. The
/// HTML standard defines these three modes only, so the enum is exhaustive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum QuirksMode {
    /// The rules of the standards.
    #[default]
    NoQuirks,
    /// The rules of the standards, with a few exceptions from quirks mode.
    LimitedQuirks,
    /// The rules of browsers of the 1990s.
    Quirks,
}

crate::checkpoint::checkpointable! {
    enum XmlVersion { Xml10, Xml11 }
    enum QuirksMode { NoQuirks, LimitedQuirks, Quirks }
}
