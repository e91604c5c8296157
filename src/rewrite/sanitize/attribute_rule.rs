//! The function with which a program changes or removes attribute values: [`Sanitizer::attribute_filter`].

use super::Sanitizer;
use alloc::borrow::Cow;
use alloc::sync::Arc;
use core::fmt;

/// Computes the new value of an attribute. The arguments are the name of the element, the name of the attribute, and
/// the value in the markup. `None` removes the attribute.
type Rule = dyn for<'v> Fn(&str, &str, &'v str) -> Option<Cow<'v, str>> + Send + Sync;

/// The function that a program passed to [`Sanitizer::attribute_filter`].
#[derive(Clone)]
pub(super) struct AttributeRule(Arc<Rule>);

impl AttributeRule {
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

impl Sanitizer {
    /// Calls a function for each attribute that the lists allow, to change its value or to remove it. The arguments are
    /// the name of the element (`a`, `svg a`), the name of the attribute (`href`, `xlink:href`) and the value. `None`
    /// removes the attribute. A second call replaces the function.
    ///
    /// The sanitizer checks the returned values as it checks those of the markup: the function cannot let a
    /// `javascript:` URL through, and it can turn a URL with a scheme that is not allowed into one that is.
    ///
    /// This example maps the images of an e-mail by their content IDs, and sends links through a redirect:
    ///
    /// ```
    /// use tagstream::Sanitizer;
    ///
    /// let sanitizer = Sanitizer::user_content().attribute_filter(|element, attribute, value| {
    ///     match (element, attribute) {
    ///         ("img", "src") => Some(format!("/parts/{}", value.strip_prefix("cid:")?).into()),
    ///         ("a", "href") => Some(format!("/go?to={}", value.replace('&', "%26")).into()),
    ///         _ => Some(value.into()),
    ///     }
    /// });
    /// assert_eq!(sanitizer.clean("<img src=cid:1><img src=http://a.example/>"), r#"<img src="/parts/1"><img>"#);
    /// let link = r#"<a href="/go?to=http://b.example" rel="nofollow noopener ugc">b</a>"#;
    /// assert_eq!(sanitizer.clean("<a href=http://b.example>b</a>"), link);
    /// ```
    ///
    /// [`clean`](Sanitizer::clean) calls the function once for each attribute of the markup. A function that changes
    /// the values that it has itself returned, like the one above for links, gives another result when the output is
    /// cleaned again.
    #[must_use]
    pub fn attribute_filter(
        self,
        function: impl for<'v> Fn(&str, &str, &'v str) -> Option<Cow<'v, str>> + Send + Sync + 'static,
    ) -> Sanitizer {
        Sanitizer {
            rule: Some(AttributeRule(Arc::new(function))),
            ..self
        }
    }
}
