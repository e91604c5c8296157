//! The function with which a program changes or removes attribute values:
//! [`Sanitizer::attribute_filter`](crate::Sanitizer::attribute_filter).

use alloc::borrow::Cow;
use alloc::sync::Arc;
use core::fmt;

/// Computes the new value of an attribute. The arguments are the name of the element, the name of the attribute, and
/// the value in the markup. `None` removes the attribute.
type Rule = dyn for<'v> Fn(&str, &str, &'v str) -> Option<Cow<'v, str>> + Send + Sync;

/// The function that a program passed to [`Sanitizer::attribute_filter`](crate::Sanitizer::attribute_filter).
#[derive(Clone)]
pub(super) struct AttributeRule(Arc<Rule>);

impl AttributeRule {
    pub(super) fn new(
        function: impl for<'v> Fn(&str, &str, &'v str) -> Option<Cow<'v, str>> + Send + Sync + 'static,
    ) -> AttributeRule {
        AttributeRule(Arc::new(function))
    }

    pub(super) fn apply<'v>(
        &self,
        element: &str,
        attribute: &str,
        value: &'v str,
    ) -> Option<Cow<'v, str>> {
        (self.0)(element, attribute, value)
    }
}

impl fmt::Debug for AttributeRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AttributeRule(..)")
    }
}
