//! Attributes of elements of SVG and MathML, whose names and namespaces are adjusted as the standard says.

use super::{Stream, index};
use crate::dialects::html::construct::attribute_names::adjusted;
use crate::dialects::html::names::Space;
use crate::engine::event::StartTag;
use crate::engine::event::record::{PREFIXED, Payload, Record};
use crate::engine::namespaces::NO_NAMESPACE;

impl Stream {
    /// Adjusts the names and namespaces of the attributes of an element of SVG or MathML, if any has to be adjusted.
    pub(super) fn adjust_attributes(
        &mut self,
        record: &mut Record,
        tag: &StartTag<'_>,
        space: Space,
    ) {
        let is_other = |name: &str| {
            let (spelled, space) = adjusted(name, space);
            space.is_some() || spelled != name
        };
        if !tag.attributes().any(|attribute| is_other(attribute.name())) {
            return;
        }
        let first = self.batch.attributes_at + self.batch.attributes.len() as u32;
        for attribute in tag.attributes() {
            let mut adjusted_record = attribute.record();
            let (name, space) = adjusted(attribute.name(), space);
            if name != attribute.name() {
                adjusted_record.set_name(self.make_name(name));
            }
            if name.contains(':') && space.is_some() {
                adjusted_record.flags |= PREFIXED;
            }
            adjusted_record.namespace = space.map_or(NO_NAMESPACE, index);
            self.batch.attributes.push(adjusted_record);
        }
        let end = self.batch.attributes_at + self.batch.attributes.len() as u32;
        record.payload = Payload::attributes(first, end);
    }
}
