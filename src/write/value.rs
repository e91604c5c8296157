//! Quoted values of attributes and identifiers, and the rules for namespace declarations.

use super::check::sure;
use super::error::{Reason, Refusal};
use super::escape::{EscapeContext, push};
use crate::engine::namespaces::{XML, XMLNS};
use alloc::string::String;
use core::fmt::{self, Display, Write};

/// The value of an attribute, as the caller of the writer supplies it.
///
/// PERF: a string is written without `core::fmt`, which saves 1.4 of the 16 million instructions for writing ml.xml
/// (`valgrind --tool=callgrind`, `benches/peers`).
#[derive(Clone, Copy)]
pub(super) enum Value<'v> {
    /// A string.
    Text(&'v str),
    /// A value that is formatted while it is written.
    Any(&'v dyn Display),
}

impl Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Text(text) => f.write_str(text),
            Value::Any(value) => value.fmt(f),
        }
    }
}

/// Writes the identifiers of a document type, an entity or a notation. Each is put in the kind of quotes that it does
/// not contain.
pub(super) fn push_identifiers(out: &mut String, public: Option<&str>, system: Option<&str>) {
    let quoted = |out: &mut String, identifier: &str| {
        let quote = if identifier.contains('"') { '\'' } else { '"' };
        out.push(quote);
        out.push_str(identifier);
        out.push(quote);
    };
    if let Some(public) = public {
        out.push_str(" PUBLIC ");
        quoted(out, public);
    }
    if let Some(system) = system {
        out.push_str(if public.is_some() { " " } else { " SYSTEM " });
        quoted(out, system);
    }
}

/// Returns an error if Namespaces in XML forbids to bind `prefix` to `namespace`. Only XML 1.1 allows an empty
/// namespace name with a prefix, which removes the binding.
pub(super) fn check_namespace_declaration(
    prefix: &str,
    namespace: &str,
    is_xml11: bool,
) -> Result<(), Refusal> {
    let is_well = match prefix {
        "xmlns" => false,
        "xml" => namespace == XML,
        _ if namespace == XML || namespace == XMLNS => false,
        "" => true,
        _ => !namespace.is_empty() || is_xml11,
    };
    sure(is_well, Reason::Reserved, prefix)
}

/// A formatter that appends its text to a string, with the escapes of `context`. `core::fmt` cannot return a
/// [`Refusal`], so the field `refusal` has the error after a write has failed.
pub(super) struct Escaping<'a> {
    /// The context for which the text is escaped.
    pub(super) context: EscapeContext,
    /// The string to which the escaped text is appended.
    pub(super) out: &'a mut String,
    /// The reason why a write failed, or `None` if none did.
    pub(super) refusal: Option<Refusal>,
}

impl Write for Escaping<'_> {
    #[inline]
    fn write_str(&mut self, text: &str) -> fmt::Result {
        push(self.out, text, self.context).map_err(|refusal| {
            self.refusal = Some(refusal);
            fmt::Error
        })
    }
}
