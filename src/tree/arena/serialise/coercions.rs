//! The report of a coercion: the changes that were made to a tree so that it could be written as XML.

use crate::tree::arena::node_id::NodeId;
use crate::write::{Reason, Refusal};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// Maximum number of changes that a report contains. The others are only counted.
const MAX_REPORTED_CHANGES: usize = 100;

/// The changes that [`Serializer::write_coerced`](super::Serializer::write_coerced) made: the first 100, and the number
/// of all.
///
/// ```
/// use tagstream::tree::Serializer;
/// use tagstream::{Document, Html};
///
/// let page = Document::parse(Html::default(), "<p a:b='1'><!--a--b-->")?;
/// let mut xml = String::new();
/// let changes = Serializer::xml().write_coerced(page.root(), &mut xml)?;
/// assert!(xml.contains("<p aU00003Ab=\"1\"><!--a- -b--></p>"), "{xml}");
/// assert_eq!(changes.count(), 2);
/// assert_eq!(changes.first()[0].to_string(), "this is not a valid name: `a:b`, written as `aU00003Ab`");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coercions {
    first: Vec<Coercion>,
    count: usize,
}

/// A change that was made to a node so that the node could be written as XML.
#[derive(Clone, PartialEq, Eq)]
pub struct Coercion {
    refusal: Refusal,
    node: NodeId,
    written: Option<String>,
}

crate::engine::error::debug_as_display!(Coercion);

impl Coercions {
    /// Returns the first changes in the order of the output, at most 100.
    pub fn first(&self) -> &[Coercion] {
        &self.first
    }

    /// Returns the number of all changes.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Adds a change. The strings are stored only if the report is not full.
    pub(super) fn add(&mut self, reason: Reason, what: &str, written: Option<&str>, place: usize) {
        self.count += 1;
        if self.first.len() < MAX_REPORTED_CHANGES {
            let short = |text| Refusal::new(reason, text).what().into();
            self.first.push(Coercion {
                refusal: Refusal::new(reason, what),
                node: NodeId::at(place),
                written: written.map(short),
            });
        }
    }
}

impl Coercion {
    /// Returns the node that was changed. If an attribute was changed, this is its element. If a document type that is
    /// not a node was changed, this is the document.
    pub fn node(&self) -> NodeId {
        self.node
    }

    /// Returns the reason as a short fixed identifier, for example `name` or `comment`: that of the
    /// [refusal](Refusal::as_str) without coercion.
    pub fn as_str(&self) -> &'static str {
        self.refusal.as_str()
    }

    /// Returns the reason as a sentence without a full stop.
    pub fn message(&self) -> &'static str {
        self.refusal.message()
    }

    /// Returns the string that XML cannot express, or its first 60 characters if it is longer.
    pub fn what(&self) -> &str {
        self.refusal.what()
    }

    /// Returns the string that is written instead, or its first 60 characters if it is longer. Returns `None` if the
    /// string is left out.
    pub fn written(&self) -> Option<&str> {
        self.written.as_deref()
    }
}

impl fmt::Display for Coercion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.refusal.fmt(f)?;
        match &self.written {
            Some(written) => write!(f, ", written as `{}`", written.escape_debug()),
            None => f.write_str(", left out"),
        }
    }
}
