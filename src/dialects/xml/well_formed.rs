//! The check whether a document is well-formed, for documents that were written with an internal subset from elsewhere.

use super::Xml;
use crate::engine::limits::Limits;
use crate::engine::parser::Parser;

/// Returns whether a document is well-formed. If `has_namespaces` is true, it also has to obey the rules of namespaces.
pub(crate) fn is_well_formed(document: &str, has_namespaces: bool) -> bool {
    // The program that has the document in memory may have set other limits. Only the expansion of entities is limited.
    let usual = Limits::default();
    let limits = Limits::none()
        .entity_ratio(usual.entity_ratio)
        .entity_allowance(usual.entity_allowance);
    let mut parser = Parser::new(Xml::strict().namespaces(has_namespaces)).limits(limits);
    parser.feed(document);
    parser.finish();
    loop {
        match parser.next_event() {
            Ok(Some(_)) => {}
            end => return end.is_ok(),
        }
    }
}
