//! The native module of the Python package `tagstream`.
//!
//! Each file defines the Python classes of one part of the library. `source.rs` reads Python objects as chunks of bytes,
//! `settings.rs` turns keyword arguments into dialects and limits, and `errors.rs` turns errors into exceptions.
//!
//! All classes are frozen, and each has a lock of its own around its state, so the module does not need the GIL. A thread
//! that is attached to the interpreter never waits for such a lock: it detaches first, or fails if the lock is taken.

mod dictionary;
mod document;
mod edits;
mod errors;
mod events;
mod iterparse;
mod node;
mod query;
mod records;
mod rewriter;
mod sanitizer;
mod settings;
mod source;
mod untracked;

use pyo3::prelude::*;

/// The native part of the package `tagstream`.
#[pymodule(gil_used = false)]
mod _native {
    #[pymodule_export]
    use crate::document::{Document, parse_html, parse_xml};
    #[pymodule_export]
    use crate::errors::{EditError, LimitError, ParseError, SelectorError, XPathError};
    #[pymodule_export]
    use crate::events::parser::Parser;
    #[pymodule_export]
    use crate::events::{
        AddedAttributes, Comment, Doctype, EncodingChange, EndTag, ErrorEvent,
        ProcessingInstruction, SkippedEntity, StartTag, Text, XmlDeclaration,
    };
    #[pymodule_export]
    use crate::iterparse::{Iterparse, Subtrees, iterparse};
    #[pymodule_export]
    use crate::node::Node;
    #[pymodule_export]
    use crate::query::{Selector, XPath};
    #[pymodule_export]
    use crate::records::{Records, records};
    #[pymodule_export]
    use crate::rewriter::{RewriteEvent, Rewriter};
    #[pymodule_export]
    use crate::sanitizer::{Sanitizer, sanitize};
}
