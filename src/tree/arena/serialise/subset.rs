//! The internal subset of the document type, if it is written as it is in the document.

use super::coerce::{CoercionMethod, Refused};
use super::put::Put;
use super::xml::{self, Style};
use crate::tree::arena::node::{Node, NodeKind};
use crate::write::{Reason, Refusal, WriteError};
use alloc::string::String;

/// Returns the text of the internal subset that the document keeps, for a node that is a whole document.
///
/// The text can have errors that the parser has recovered from, and it changes how the elements are read. The whole output
/// is therefore parsed once before it is written. If it is not well-formed with the text, the result is an error, or
/// `None` if the output is coerced.
pub(super) fn checked_subset<'n>(
    node: Node<'n>,
    style: &Style<'_>,
    coercion: Option<CoercionMethod>,
) -> Result<Option<&'n str>, WriteError> {
    let is_whole = node.kind() == NodeKind::Document && !style.is_inner;
    let kept = node.document().internal_subset();
    let Some(subset) = kept.filter(|_| is_whole) else {
        return Ok(None);
    };
    let style = Style {
        subset: Some(subset),
        ..*style
    };
    let mut text = String::new();
    match coercion {
        Some(coercion) => Put::all(&mut text, |out| {
            (coercion.write)(node, &style, out)?;
            Ok(())
        })?,
        None => drop(xml::write(node, &style, None::<Refused>, &mut text)?),
    }
    match is_well_formed(&text, style.has_namespaces) {
        true => Ok(Some(subset)),
        false if coercion.is_some() => Ok(None),
        false => Err(Refusal::new(Reason::Subset, subset).into()),
    }
}

#[cfg(feature = "xml")]
fn is_well_formed(text: &str, has_namespaces: bool) -> bool {
    use crate::{Limits, Parser, Xml};

    // The document was parsed within the limits of the program. The expansion of entities stays limited.
    let usual = Limits::default();
    let limits = Limits::none()
        .entity_ratio(usual.entity_ratio)
        .entity_allowance(usual.entity_allowance);
    let mut parser = Parser::new(Xml::strict().namespaces(has_namespaces)).limits(limits);
    parser.feed(text);
    parser.finish();
    loop {
        match parser.next_event() {
            Ok(Some(_)) => {}
            end => return end.is_ok(),
        }
    }
}

/// Without XML, no parser of this crate keeps the text of an internal subset.
#[cfg(not(feature = "xml"))]
fn is_well_formed(_: &str, _: bool) -> bool {
    false
}
