//! Quoted values of attributes and identifiers, and the rules for namespace declarations.

use super::check::sure;
use super::error::{Reason, Refusal};
use super::escape::{EscapeContext, push};
use crate::engine::namespaces::{XML, XMLNS};
use alloc::string::String;
use core::fmt::{self, Display, Write};

/// A value on its way.
///
/// PERF: text that is there is written without `core::fmt`: of a write of ml.xml that is 1.4 of 16 million
/// instructions (`valgrind --tool=callgrind`, `benches/peers`).
#[derive(Clone, Copy)]
pub(super) enum Value<'v> {
    Text(&'v str),
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

/// Writes the identifiers of a document type, an entity or a notation, each between quotes that it does not
/// hold.
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

/// Refuses declarations that Namespaces in XML has none of.
pub(super) fn may_declare(prefix: &str, namespace: &str, is_xml11: bool) -> Result<(), Refusal> {
    let is_well = match prefix {
        "xmlns" => false,
        "xml" => namespace == XML,
        _ if namespace == XML || namespace == XMLNS => false,
        "" => true,
        _ => !namespace.is_empty() || is_xml11,
    };
    sure(is_well, Reason::Reserved, prefix)
}

/// Writes a value with the escapes that it needs between quotes.
pub(super) struct Escaping<'a> {
    pub(super) context: EscapeContext,
    pub(super) out: &'a mut String,
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
