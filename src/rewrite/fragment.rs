//! Validation of inserted markup and of names: both are parsed by the dialect of the document, with its options.
//!
//! Markup is parsed in an element that declares the prefixes which are in scope at the place of the insertion. In the
//! dialects of the XML family it must be well-formed, even if the parser of the document recovers from errors: the
//! recovery depends on what follows. In HTML and Sky, tags need not be balanced, but each token must be complete, so
//! that the input after the markup cannot change how it is read.
//!
//! The parser is behind a trait object ([`Fragments`]), so that the code of the edits is compiled once for all dialects.

use super::attributes::AttributeEdits;
use super::content::escape;
use super::edits::Edits;
use super::seam::is_in_name;
use crate::engine::dialect::{Balance, Form, Syntax};
use crate::engine::event::Event;
use crate::engine::hash_seed::Seeds;
use crate::engine::parser::Parser;
use crate::engine::text::html_facts;
use crate::write::{Reason, Refusal, sure, xml_ncname};
use alloc::borrow::Cow;
use alloc::string::String;
use core::ops::ControlFlow;
use hashbrown::HashSet;

/// The parser of the document, which knows its dialect and the prefixes in scope at the current event.
pub(super) trait Fragments {
    /// Returns the namespace that a prefix is bound to at the current event. If `is_after` is true, a prefix whose
    /// scope ends with the event is bound to nothing.
    fn resolve(&self, prefix: &str, is_after: bool) -> Option<&str>;

    /// Returns true if a declaration of the document gives the elements with this name default attributes with prefixes,
    /// or attributes that declare namespaces.
    fn has_prefixed_defaults(&self, element: &str) -> bool;

    /// Parses text with the dialect of the document, and calls `visit` for each event until it breaks. Returns false
    /// if it did, or if the text is ill-formed.
    fn parse(&self, parts: &[&str], visit: &mut dyn FnMut(&Event<'_>) -> ControlFlow<()>) -> bool;
}

impl<D: Balance, F: Form> Fragments for Parser<D, F> {
    fn resolve(&self, prefix: &str, is_after: bool) -> Option<&str> {
        self.resolve_at(prefix, is_after)
    }

    fn has_prefixed_defaults(&self, element: &str) -> bool {
        Parser::has_prefixed_defaults(self, element)
    }

    fn parse(&self, parts: &[&str], visit: &mut dyn FnMut(&Event<'_>) -> ControlFlow<()>) -> bool {
        let mut parser = Parser::new(self.dialect().for_content()).report_errors(true);
        for part in parts {
            parser.feed(*part);
        }
        parser.finish();
        loop {
            match parser.next_event() {
                Ok(Some(event)) if visit(&event).is_continue() => {}
                Ok(None) => return true,
                _ => return false,
            }
        }
    }
}

/// The scope of prefixes at the place of an insertion.
#[derive(Clone, Copy)]
pub(super) struct PrefixScope<'s> {
    pub(super) fragments: &'s dyn Fragments,
    /// True if the place is after the current event, and outside of an element that the event ends.
    pub(super) is_after: bool,
    /// Returns true for a prefix that the current tag declares, and whose scope does not contain the place.
    pub(super) is_declared_here: &'s dyn Fn(&str) -> bool,
    /// The edits of the attributes of the element that contains the place, if that is the current one.
    pub(super) edits: Option<&'s AttributeEdits>,
}

impl<'s> PrefixScope<'s> {
    /// Returns the scope inside of the element whose start tag is the current event, with these edits.
    pub(super) fn inside(fragments: &'s dyn Fragments, edits: &'s Edits) -> PrefixScope<'s> {
        PrefixScope {
            fragments,
            is_after: false,
            is_declared_here: &|_| false,
            edits: (!edits.is_unwrapped).then_some(&edits.attributes),
        }
    }

    /// Returns the name of the namespace of a prefix, as it is written.
    pub(super) fn resolve(&self, prefix: &str, syntax: Syntax) -> Option<Cow<'s, str>> {
        let declaration: String = ["xmlns:", prefix].concat();
        match self.edits.and_then(|edits| edits.get(&declaration)) {
            Some(Some(value)) => Some(Cow::Borrowed(value)),
            _ if (self.is_declared_here)(prefix) => None,
            _ => {
                let name = self.fragments.resolve(prefix, self.is_after)?;
                escape(name, syntax, true).ok()
            }
        }
    }

    /// Returns a start tag `r` that declares the prefixes of markup or of a name.
    fn root(&self, markup: &str, syntax: Syntax) -> String {
        let mut root = String::from("<r");
        let mut known = HashSet::<&str, Seeds>::default();
        for (at, _) in markup.match_indices(':') {
            let before = &markup[..at];
            let is_in_prefix = |one: char| one != ':' && (!one.is_ascii() || is_in_name(one as u8));
            let start = before.trim_end_matches(is_in_prefix).len();
            let prefix = &before[start..];
            let is_predefined = matches!(prefix, "xml" | "xmlns");
            if is_predefined || xml_ncname(prefix).is_err() || !known.insert(prefix) {
                continue;
            }
            if let Some(name) = self.resolve(prefix, syntax) {
                for part in [" xmlns:", prefix, "=\"", &name, "\""] {
                    root.push_str(part);
                }
            }
        }
        root.push('>');
        root
    }
}

/// Returns an error if markup cannot be inserted.
pub(super) fn check_markup(
    markup: &str,
    syntax: Syntax,
    scope: PrefixScope<'_>,
) -> Result<(), Refusal> {
    let name = markup.rsplit_once('&').map(|(_, name)| name);
    let is_reference = name.is_some_and(|name| name.bytes().all(is_in_name));
    let begun = ["<", "</", "<!", "<!-", "\r"];
    let is_begun = is_reference || begun.iter().any(|end| markup.ends_with(end));
    let is_well = !markup.contains('\0') && !is_begun;
    sure(is_well, Reason::Markup, markup)?;
    let is_well = match syntax {
        Syntax::Html { .. } => is_complete_html(markup, scope.fragments),
        _ => is_balanced(markup, syntax, scope),
    };
    sure(is_well, Reason::Markup, markup)
}

/// Returns true if each token of HTML is complete, and no element that can contain only text is open at the end.
fn is_complete_html(markup: &str, fragments: &dyn Fragments) -> bool {
    let before = "<p>";
    let length = (before.len() + markup.len()) as u64;
    let text_only = html_facts::unescaped(false).or(html_facts::ESCAPABLE_TEXT);
    let (mut ended_at, mut holds_text) = (0, false);
    let is_read = fragments.parse(&[before, markup], &mut |event| {
        match event {
            Event::ParseError(_) => return ControlFlow::Continue(()),
            Event::Doctype(_) => return ControlFlow::Break(()),
            Event::Start(tag) => holds_text = !tag.is_foreign() && text_only.contains(tag.name()),
            Event::End(_) => holds_text = false,
            _ => {}
        }
        ended_at = event.span().end;
        match event.is_complete() {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    });
    // HTML drops a tag that is not complete at the end of the input.
    is_read && ended_at == length && !holds_text
}

/// Returns true if markup of a dialect of the XML family is the content of an element.
fn is_balanced(markup: &str, syntax: Syntax, scope: PrefixScope<'_>) -> bool {
    let before = match syntax {
        Syntax::Xml | Syntax::LeafXml => scope.root(markup, syntax),
        _ => String::from("<r>"),
    };
    let length = (before.len() + markup.len()) as u64;
    let (mut depth, mut is_root_open) = (0_i64, true);
    let is_read = scope
        .fragments
        .parse(&[&before, markup, "</r>"], &mut |event| {
            match event {
                // Sky has no ill-formed documents.
                Event::ParseError(_) if syntax == Syntax::Sky => return ControlFlow::Continue(()),
                Event::ParseError(_) | Event::Doctype(_) => return ControlFlow::Break(()),
                // The parser of the markup does not know the declarations. It adds the element `r` around the markup.
                Event::Start(tag)
                    if depth > 0 && scope.fragments.has_prefixed_defaults(tag.name()) =>
                {
                    return ControlFlow::Break(());
                }
                Event::Start(_) => depth += 1,
                Event::End(_) => depth -= 1,
                _ => {}
            }
            // The root element ends with the markup.
            is_root_open &= depth > 0 || event.span().start >= length;
            match event.is_complete() {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        });
    is_read && depth == 0 && is_root_open
}

/// Returns true if a name that is valid is certainly read as it is written.
pub(super) fn is_plain_name(name: &str, syntax: Syntax) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    // Some dialects do not have an attribute `xmlns`, and others restrict its values.
    syntax.is_html() || name != "xmlns" && name.bytes().all(is_plain)
}

/// Returns an error if the name of an element, or of an attribute with this value, would be read as another one.
pub(super) fn check_name(
    name: &str,
    value: Option<&str>,
    syntax: Syntax,
    scope: PrefixScope<'_>,
) -> Result<(), Refusal> {
    if is_plain_name(name, syntax) {
        return Ok(());
    }
    let root = scope.root(name, syntax);
    let parts = match value {
        Some(value) => &[&root, "<x ", name, "=\"", value, "\"></x></r>"][..],
        None => &[&root, "<", name, "></", name, "></r>"],
    };
    let (mut starts, mut is_same) = (0, false);
    let is_read = scope.fragments.parse(parts, &mut |event| {
        if let Event::Start(tag) = event {
            starts += 1;
            is_same |= starts == 2
                && match value {
                    Some(_) => tag.attributes().any(|one| one.name() == name),
                    None => tag.name() == name,
                };
        }
        ControlFlow::Continue(())
    });
    sure(is_read && is_same, Reason::Name, name)
}
