//! The check whether a document is well-formed, for documents that were written with an internal subset from elsewhere.

use super::Xml;
use crate::engine::event::Event;
use crate::engine::limits::Limits;
use crate::engine::parser::Parser;

/// Returns whether a document is well-formed and has this internal subset. If `has_namespaces` is true, it also has to
/// obey the rules of namespaces.
pub(crate) fn is_well_formed(document: &str, subset: &str, has_namespaces: bool) -> bool {
    // The program that has the document in memory may have set other limits. Only the expansion of entities is limited.
    let usual = Limits::default();
    let limits = Limits::none()
        .entity_ratio(usual.entity_ratio)
        .entity_allowance(usual.entity_allowance);
    let xml = Xml::strict()
        .namespaces(has_namespaces)
        .internal_subset(true);
    let mut parser = Parser::new(xml).limits(limits);
    parser.feed(document);
    parser.finish();
    loop {
        match parser.next_event() {
            // An empty subset is not written.
            Ok(Some(Event::Doctype(doctype)))
                if doctype.internal_subset().unwrap_or_default() != subset =>
            {
                return false;
            }
            Ok(Some(_)) => {}
            end => return end.is_ok(),
        }
    }
}
