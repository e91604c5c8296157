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
/// is therefore parsed once before it is written. If a parser refuses the output, or finds another internal subset in it, the
/// result is an error, or `None` if the output is coerced.
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
        None => _ = xml::write(node, &style, None::<Refused>, &mut text)?,
    }
    let check = node.document().prologue.is_well_formed;
    match check.is_some_and(|check| check(&text, subset, style.has_namespaces)) {
        true => Ok(Some(subset)),
        false if coercion.is_some() => Ok(None),
        false => Err(Refusal::new(Reason::Subset, subset).into()),
    }
}
