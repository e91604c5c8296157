//! The predefined configurations of a [`Sanitizer`]. This module is declared first, so that rustdoc lists its methods
//! first.

use super::lists::{self, Elements};
use super::names::{Names, key};
use super::sanitizer::{Fate, Sanitizer};
use hashbrown::HashSet;

impl Default for Sanitizer {
    /// The built-in safe default configuration of the HTML standard.
    fn default() -> Sanitizer {
        let mut sanitizer = Sanitizer::allow_nothing();
        for (space, list) in [
            lists::DEFAULT_ELEMENTS,
            lists::DEFAULT_SVG,
            lists::DEFAULT_MATH,
        ]
        .into_iter()
        .enumerate()
        {
            sanitizer.allow_list(space, list);
        }
        sanitizer.attributes = names(lists::DEFAULT_ATTRIBUTES.split_ascii_whitespace());
        sanitizer
    }
}

impl Sanitizer {
    /// A configuration for comments and posts of users: structured text, links and images. URLs have the scheme `http`,
    /// `https` or `mailto`.
    ///
    /// ```
    /// use tagstream::Sanitizer;
    ///
    /// let post = "<div class=x><p>A <font color=red>red</font> <a href=//b.example>link</a></div>";
    /// assert_eq!(
    ///     Sanitizer::user_content().clean(post),
    ///     r#"<p>A red <a href="//b.example" rel="nofollow noopener ugc">link</a></p>"#
    /// );
    /// ```
    pub fn user_content() -> Sanitizer {
        let mut sanitizer = Sanitizer::allow_nothing();
        sanitizer.allow_list(0, lists::USER_ELEMENTS);
        for name in lists::USER_REPLACED.split_ascii_whitespace() {
            sanitizer.elements[0].entry(name.into()).or_default().fate = Fate::Replaced;
        }
        sanitizer.attributes = names(lists::USER_ATTRIBUTES.split_ascii_whitespace());
        sanitizer.schemes = Some(lists::USER_SCHEMES.map(Into::into).into());
        sanitizer.link_rel("nofollow noopener ugc")
    }

    /// A configuration that keeps everything that cannot run a script: the standard's empty configuration, to which you
    /// add lists of names to remove. Prefer lists of allowed names: styles, forms and frames can deceive users without
    /// a script.
    ///
    /// ```
    /// use tagstream::Sanitizer;
    ///
    /// let sanitizer = Sanitizer::allow_all().remove_elements(&["style"])?;
    /// assert_eq!(sanitizer.clean("<x-y id=a onclick=b()></x-y><style>c</style>"), r#"<x-y id="a"></x-y>"#);
    /// # Ok::<(), tagstream::sanitize::NameError>(())
    /// ```
    pub fn allow_all() -> Sanitizer {
        Sanitizer {
            only_elements: false,
            only_attributes: false,
            comments: true,
            data_attributes: true,
            only_instructions: false,
            ..Sanitizer::allow_nothing()
        }
    }

    /// A configuration that keeps nothing but text, to which you add lists of allowed names.
    ///
    /// ```
    /// use tagstream::Sanitizer;
    ///
    /// assert_eq!(Sanitizer::allow_nothing().clean("1 &lt; <b>2</b> 3"), "1 &lt;  3");
    /// ```
    pub fn allow_nothing() -> Sanitizer {
        Sanitizer {
            elements: Default::default(),
            only_elements: true,
            attributes: Names::new(),
            only_attributes: true,
            comments: false,
            data_attributes: false,
            instructions: HashSet::new(),
            only_instructions: true,
            schemes: None,
            rel: None,
            rule: None,
            unknown: None,
            policies: None,
        }
    }

    fn allow_list(&mut self, space: usize, list: Elements) {
        for (elements, attributes) in list {
            for name in elements.split_ascii_whitespace() {
                let element = self.elements[space].entry(name.into()).or_default();
                element.fate = Fate::Allowed;
                element.allowed = Some(names(attributes.iter().copied()));
            }
        }
    }
}

fn names<'a>(list: impl Iterator<Item = &'a str>) -> Names {
    list.map(key).collect()
}
