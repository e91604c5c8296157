//! The data of a document that is not stored in nodes: the XML declaration, the document type of XML with its notations
//! and processing instructions, and properties such as the quirks mode.

use alloc::string::String;
use alloc::vec::Vec;

use super::node_id::NodeId;
use crate::engine::document_mode::{QuirksMode, XmlVersion};
use crate::engine::on_demand::Blank;

/// The name and the identifiers of a document type, which a doctype node or a whole document has.
///
/// ```
/// use tagstream::{Document, Xml};
///
/// let document = Document::parse(Xml::default(), "<!DOCTYPE a PUBLIC 'A' 'a.dtd'><a/>")?;
/// let doctype = document.doctype().unwrap();
/// assert_eq!((doctype.name(), doctype.public_id()), ("a", Some("A")));
/// assert_eq!(doctype.system_id(), Some("a.dtd"));
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Doctype<'a> {
    pub(super) name: &'a str,
    pub(super) public_id: Option<&'a str>,
    pub(super) system_id: Option<&'a str>,
}

impl<'a> Doctype<'a> {
    /// Returns the name. It is empty if the source states no name.
    pub const fn name(&self) -> &'a str {
        self.name
    }

    /// Returns the public identifier, if there is one.
    pub const fn public_id(&self) -> Option<&'a str> {
        self.public_id
    }

    /// Returns the system identifier, if there is one.
    pub const fn system_id(&self) -> Option<&'a str> {
        self.system_id
    }
}

/// The name and the identifiers of a notation that the document type declares.
///
/// ```
/// use tagstream::{Document, Xml};
///
/// let source = "<!DOCTYPE a [<!NOTATION gif PUBLIC 'GIF' 'gif.html'>]><a/>";
/// let document = Document::parse(Xml::default(), source)?;
/// let gif = document.notations().next().unwrap();
/// assert_eq!((gif.name(), gif.public_id()), ("gif", Some("GIF")));
/// assert_eq!(gif.system_id(), Some("gif.html"));
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Notation<'a> {
    pub(super) name: &'a str,
    pub(super) public_id: Option<&'a str>,
    pub(super) system_id: Option<&'a str>,
}

impl<'a> Notation<'a> {
    /// Returns the name of the notation.
    pub const fn name(&self) -> &'a str {
        self.name
    }

    /// Returns the public identifier, if there is one.
    pub const fn public_id(&self) -> Option<&'a str> {
        self.public_id
    }

    /// Returns the system identifier, if there is one.
    pub const fn system_id(&self) -> Option<&'a str> {
        self.system_id
    }
}

/// The name, the public identifier and the system identifier of a doctype or of a notation, as owned strings.
#[derive(Clone, Debug)]
pub(super) struct Identified {
    pub(super) name: String,
    pub(super) public_id: Option<String>,
    pub(super) system_id: Option<String>,
}

impl Identified {
    pub(super) fn new(name: &str, public_id: Option<&str>, system_id: Option<&str>) -> Self {
        Self {
            name: name.into(),
            public_id: public_id.map(Into::into),
            system_id: system_id.map(Into::into),
        }
    }

    pub(super) fn doctype(&self) -> Doctype<'_> {
        Doctype {
            name: &self.name,
            public_id: self.public_id.as_deref(),
            system_id: self.system_id.as_deref(),
        }
    }

    pub(super) fn notation(&self) -> Notation<'_> {
        Notation {
            name: &self.name,
            public_id: self.public_id.as_deref(),
            system_id: self.system_id.as_deref(),
        }
    }
}

/// The XML declaration of a parsed document: see [`Document::xml_declaration`](super::Document::xml_declaration).
/// [`Document::xml_version`](super::Document::xml_version) returns the version that the declaration states.
///
/// ```
/// use tagstream::{Document, Xml};
///
/// let source = "<?xml version='1.0' encoding='utf-8' standalone='yes'?><a/>";
/// let document = Document::parse(Xml::default(), source)?;
/// let declaration = document.xml_declaration().unwrap();
/// assert_eq!((declaration.encoding(), declaration.standalone()), (Some("utf-8"), Some(true)));
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct XmlDeclaration<'a> {
    pub(super) encoding: Option<&'a str>,
    pub(super) standalone: Option<bool>,
}

impl<'a> XmlDeclaration<'a> {
    /// Returns the name of the encoding as the declaration states it, or `None` if the declaration states no encoding.
    pub const fn encoding(&self) -> Option<&'a str> {
        self.encoding
    }

    /// Returns true for `standalone="yes"`, false for `standalone="no"`, and `None` if the declaration does not have
    /// `standalone`.
    pub const fn standalone(&self) -> Option<bool> {
        self.standalone
    }
}

/// An XML declaration without its version, as owned strings.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    pub(super) encoding: Option<String>,
    pub(super) standalone: Option<bool>,
}

impl Declared {
    pub(super) fn declaration(&self) -> XmlDeclaration<'_> {
        XmlDeclaration {
            encoding: self.encoding.as_deref(),
            standalone: self.standalone,
        }
    }
}

/// The data of a document that is not stored in nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Prologue {
    pub(super) declaration: Option<Declared>,
    pub(super) doctype: Option<Identified>,
    /// The last child that the document had when `doctype` was declared, or `None` if it had no children. The
    /// declaration is written after this child.
    pub(super) doctype_after: Option<NodeId>,
    pub(super) notations: Vec<Identified>,
    /// The text of the internal subset of XML, if the parser kept it.
    pub(super) internal_subset: Option<String>,
    /// The check of a document that was written with the internal subset: the document, the subset, and whether the
    /// document has to obey the rules of namespaces. `None` if there is no parser of XML.
    pub(super) is_well_formed: Option<fn(&str, &str, bool) -> bool>,
    /// Target and data of each processing instruction within the document type, in document order.
    pub(super) instructions: Vec<(String, String)>,
    pub(super) version: XmlVersion,
    pub(super) quirks_mode: QuirksMode,
    pub(super) scripting: bool,
    /// True if the document is a fragment of HTML. Its root element is not part of the input, and only contains the
    /// nodes of the fragment.
    pub(super) is_fragment: bool,
    pub(super) is_html: bool,
    /// True if the structure of the document can differ from that of the tree of the whole input. This is the case for
    /// a subtree of HTML that was built from events if the tree has some of their nodes at another position.
    pub(super) is_inexact: bool,
}

impl Blank for Prologue {
    const BLANK: &'static Self = &Prologue {
        declaration: None,
        doctype: None,
        doctype_after: None,
        notations: Vec::new(),
        internal_subset: None,
        is_well_formed: None,
        instructions: Vec::new(),
        version: XmlVersion::Xml10,
        quirks_mode: QuirksMode::NoQuirks,
        scripting: false,
        is_fragment: false,
        is_html: false,
        is_inexact: false,
    };
}

crate::checkpoint::checkpointable! {
    struct Identified { name, public_id, system_id }
    struct Declared { encoding, standalone }
    struct Prologue {
        declaration, doctype, doctype_after, notations, internal_subset, instructions, version, quirks_mode,
        scripting, is_fragment,
        is_html,
        is_inexact
        ; skip is_well_formed = None
    }
}
