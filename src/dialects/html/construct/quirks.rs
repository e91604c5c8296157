//! The rendering mode that follows from a DOCTYPE, and the insertion of DOCTYPEs.

use super::stack_observer::StackObserver;
use super::state::TreeConstruction;
use crate::dialects::html::construct::doctypes::{
    HTML_401_PREFIXES, LIMITED_PREFIXES, QUIRKS, QUIRKS_PREFIXES, QUIRKS_SYSTEM,
};
use crate::dialects::html::construct::rules::{Content, Token};
use crate::dialects::html::errors;
use crate::engine::event::Doctype;
use crate::tree::{QuirksMode, TreeSink};

/// Returns the rendering mode of documents with the given DOCTYPE.
pub(crate) fn quirks_mode(doctype: &Doctype<'_>) -> QuirksMode {
    let public_id = doctype.public_id().unwrap_or_default().to_ascii_lowercase();
    let system_id = doctype.system_id().unwrap_or_default();
    let begins = |prefixes: &[&str]| prefixes.iter().any(|one| public_id.starts_with(one));
    if doctype.force_quirks()
        || doctype.name() != "html"
        || QUIRKS.contains(&&*public_id)
        || system_id.eq_ignore_ascii_case(QUIRKS_SYSTEM)
        || begins(&QUIRKS_PREFIXES)
        || system_id.is_empty() && begins(&HTML_401_PREFIXES)
    {
        QuirksMode::Quirks
    } else if begins(&LIMITED_PREFIXES) || begins(&HTML_401_PREFIXES) {
        QuirksMode::LimitedQuirks
    } else {
        QuirksMode::NoQuirks
    }
}

impl<S: TreeSink, W: StackObserver> TreeConstruction<S, W> {
    /// Inserts a DOCTYPE into the document and sets the rendering mode.
    pub(super) fn insert_doctype(&mut self, token: &Token<'_>) {
        let Content::Doctype(doctype) = token.content else {
            return;
        };
        let (name, public_id, system_id) =
            (doctype.name(), doctype.public_id(), doctype.system_id());
        let conforms = name == "html"
            && public_id.is_none()
            && system_id.is_none_or(|id| id == "about:legacy-compat");
        if !conforms {
            self.error(errors::NONCONFORMING_DOCTYPE);
        }
        self.observer.doctype();
        let node = self.sink.create_doctype(name, public_id, system_id);
        let document = self.sink.document();
        if node != document {
            self.sink.append(document, node);
        }
        self.set_quirks(quirks_mode(&doctype));
    }

    /// Handles the start of a document without a DOCTYPE: reports an error and sets quirks mode.
    pub(super) fn no_doctype(&mut self) {
        self.error(errors::MISSING_DOCTYPE);
        self.set_quirks(QuirksMode::Quirks);
    }

    /// Sets the document's mode here and in the sink.
    fn set_quirks(&mut self, mode: QuirksMode) {
        self.flags.quirks = mode == QuirksMode::Quirks;
        self.sink.set_quirks_mode(mode);
    }
}
