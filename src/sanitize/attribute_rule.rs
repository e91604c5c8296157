//! The rule of a program for attribute values.

use super::Sanitizer;
use alloc::borrow::Cow;
use alloc::sync::Arc;
use core::fmt;

/// Gives the value that an attribute gets. The arguments are the names of the element and of the attribute, and the
/// value in the markup.
type Rule = dyn for<'v> Fn(&str, &str, &'v str) -> Option<Cow<'v, str>> + Send + Sync;

/// A function that a program gave to a sanitizer.
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
    /// Calls a function for each attribute that the lists let stay, to change its value or to remove it. The arguments
    /// are the name of the element (`a`, `svg a`), the name of the attribute (`href`, `xlink:href`) and the value.
    /// `None` removes the attribute. A second call replaces the function.
    ///
    /// The sanitizer judges the returned values as it judges those of the markup: the function cannot let a URL of
    /// `javascript:` through, and it can turn a URL of a scheme that is not allowed into one that is.
    ///
    /// The images of a mail, by their content IDs, and links by way of a proxy:
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
    /// The function is called once for each attribute of the markup. So if it changes values that it has returned,
    /// as this one does with links, what was cleaned changes when it is cleaned again.
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
