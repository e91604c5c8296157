//! The methods that change the lists and rules of a [`Sanitizer`].

use super::attribute_rule::AttributeRule;
use super::lists;
use super::names::{self, NameError, Names};
use super::sanitizer::{Element, Fate, Sanitizer};
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;
use hashbrown::{HashMap, HashSet};

impl Sanitizer {
    /// Allows these elements, with the attributes that every element may have.
    ///
    /// # Errors
    ///
    /// [`NameError`] for a name that nothing in a document can have.
    pub fn allow_elements(self, elements: &[&str]) -> Result<Sanitizer, NameError> {
        self.with(elements, Fate::Allowed)
    }

    /// Removes these elements and everything in them.
    ///
    /// # Errors
    ///
    /// [`NameError`] for a name that nothing in a document can have.
    pub fn remove_elements(self, elements: &[&str]) -> Result<Sanitizer, NameError> {
        self.with(elements, Fate::Removed)
    }

    /// Replaces these elements with their children. The root elements `html`, `svg svg` and `math math` are removed
    /// instead: their children cannot be elsewhere. The contents of a `template` are not its children by the standard,
    /// so they are removed with the `template`.
    ///
    /// ```
    /// use tagstream::Sanitizer;
    ///
    /// assert_eq!(Sanitizer::default().replace_with_children(&["b"])?.clean("<i>1</i><b>2</b>"), "<i>1</i>2");
    /// # Ok::<(), tagstream::sanitize::NameError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`NameError`] for a name that nothing in a document can have.
    pub fn replace_with_children(mut self, elements: &[&str]) -> Result<Sanitizer, NameError> {
        for given in elements {
            let (space, local) = names::element(given)?;
            self.entry(space, &local).fate = match lists::NOT_REPLACED.contains(&(space, &local)) {
                true => Fate::Removed,
                false => Fate::Replaced,
            };
        }
        Ok(self)
    }

    /// Allows these attributes on every element.
    ///
    /// # Errors
    ///
    /// [`NameError`] for a name that nothing in a document can have.
    pub fn allow_attributes(self, attributes: &[&str]) -> Result<Sanitizer, NameError> {
        let is_listed = self.only_attributes;
        self.list_attributes(attributes, is_listed)
    }

    /// Removes these attributes from every element.
    ///
    /// ```
    /// use tagstream::Sanitizer;
    ///
    /// let sanitizer = Sanitizer::default().remove_attributes(&["href", "title"])?;
    /// assert_eq!(sanitizer.clean("<a href=/ title=t lang=en>"), r#"<a lang="en"></a>"#);
    /// # Ok::<(), tagstream::sanitize::NameError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`NameError`] for a name that nothing in a document can have.
    pub fn remove_attributes(self, attributes: &[&str]) -> Result<Sanitizer, NameError> {
        let is_listed = !self.only_attributes;
        let mut sanitizer = self.list_attributes(attributes, is_listed)?;
        let removed = keys(attributes)?;
        for element in sanitizer.elements.iter_mut().flat_map(HashMap::values_mut) {
            if let Some(allowed) = &mut element.allowed {
                allowed.retain(|name| !removed.contains(name));
            }
        }
        Ok(sanitizer)
    }

    /// Allows these attributes on this element, in addition to those that every element may have. This method does not
    /// allow the element itself.
    ///
    /// ```
    /// use tagstream::Sanitizer;
    ///
    /// let sanitizer = Sanitizer::default().allow_attributes_on("svg path", &["id"])?;
    /// assert_eq!(sanitizer.clean("<svg id=a><path id=b d=c>"), r#"<svg><path id="b" d="c"></path></svg>"#);
    /// # Ok::<(), tagstream::sanitize::NameError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`NameError`] for a name that nothing in a document can have.
    pub fn allow_attributes_on(
        mut self,
        element: &str,
        attributes: &[&str],
    ) -> Result<Sanitizer, NameError> {
        let element = self.element(element)?;
        for name in keys(attributes)? {
            element.removed.remove(&*name);
            element.allowed.get_or_insert_default().insert(name);
        }
        Ok(self)
    }

    /// Removes these attributes from this element. Other elements may still have them.
    ///
    /// ```
    /// use tagstream::Sanitizer;
    ///
    /// let sanitizer = Sanitizer::default().remove_attributes_on("a", &["title", "type"])?;
    /// assert_eq!(sanitizer.clean("<a title=t type=u><b title=t>"), r#"<a><b title="t"></b></a>"#);
    /// # Ok::<(), tagstream::sanitize::NameError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`NameError`] for a name that nothing in a document can have.
    pub fn remove_attributes_on(
        mut self,
        element: &str,
        attributes: &[&str],
    ) -> Result<Sanitizer, NameError> {
        let element = self.element(element)?;
        for name in keys(attributes)? {
            if let Some(allowed) = &mut element.allowed {
                allowed.remove(&*name);
            }
            element.removed.insert(name);
        }
        Ok(self)
    }

    /// Sets whether comments are kept.
    #[must_use]
    pub fn comments(self, comments: bool) -> Sanitizer {
        Sanitizer { comments, ..self }
    }

    /// Sets whether attributes whose names begin with `data-` are kept.
    #[must_use]
    pub fn data_attributes(self, data_attributes: bool) -> Sanitizer {
        Sanitizer {
            data_attributes,
            ..self
        }
    }

    /// Sets whether processing instructions are kept: all of them, or none. This discards the targets that were listed
    /// before.
    #[must_use]
    pub fn processing_instructions(self, processing_instructions: bool) -> Sanitizer {
        Sanitizer {
            instructions: HashSet::new(),
            only_instructions: !processing_instructions,
            ..self
        }
    }

    /// Allows processing instructions with these targets.
    ///
    /// ```
    /// use tagstream::Sanitizer;
    ///
    /// let sanitizer = Sanitizer::default().allow_processing_instructions(&["x"])?;
    /// assert_eq!(sanitizer.clean("1<?x y?><?z y?>"), "1<?x y?>");
    /// # Ok::<(), tagstream::sanitize::NameError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`NameError`] for a name that nothing in a document can have.
    pub fn allow_processing_instructions(self, targets: &[&str]) -> Result<Sanitizer, NameError> {
        let is_listed = self.only_instructions;
        self.list_instructions(targets, is_listed)
    }

    /// Removes processing instructions with these targets.
    ///
    /// # Errors
    ///
    /// [`NameError`] for a name that nothing in a document can have.
    pub fn remove_processing_instructions(self, targets: &[&str]) -> Result<Sanitizer, NameError> {
        let is_listed = !self.only_instructions;
        self.list_instructions(targets, is_listed)
    }

    /// Allows only relative URLs and URLs with one of these schemes, in the attributes that contain a URL. The
    /// standard's Sanitizer has no such option.
    ///
    /// ```
    /// use tagstream::Sanitizer;
    ///
    /// let sanitizer = Sanitizer::default().url_schemes(&["https"])?;
    /// let markup = "<a href=https://a.example>1</a><a href=data:,x>2</a><a href=/b>3</a>";
    /// let clean = r#"<a href="https://a.example">1</a><a>2</a><a href="/b">3</a>"#;
    /// assert_eq!(sanitizer.clean(markup), clean);
    /// # Ok::<(), tagstream::sanitize::NameError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`NameError`] for a name that nothing in a document can have, and for a URL that
    /// [`set_attribute_on`](Sanitizer::set_attribute_on) has set with another scheme.
    pub fn url_schemes(self, schemes: &[&str]) -> Result<Sanitizer, NameError> {
        let schemes = schemes.iter().map(|given| names::scheme(given));
        let schemes: Vec<Box<str>> = schemes.collect::<Result<_, _>>()?;
        let policies = self.policies.as_ref();
        if let Some(url) = policies.and_then(|policies| policies.refused_url(&schemes)) {
            return Err(NameError::new(&names::SET_URL, url));
        }
        Ok(Sanitizer {
            schemes: Some(schemes),
            ..self
        })
    }

    /// Sets the `rel` attribute of all links (`a` elements with `href`). For example, `nofollow` tells search engines
    /// that the author of the page does not endorse a link. The standard's Sanitizer has no such option.
    #[must_use]
    pub fn link_rel(self, rel: &str) -> Sanitizer {
        Sanitizer {
            rel: Some(rel.into()),
            ..self
        }
    }

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
            rule: Some(AttributeRule::new(function)),
            ..self
        }
    }

    fn with(mut self, elements: &[&str], fate: Fate) -> Result<Sanitizer, NameError> {
        for name in elements {
            self.element(name)?.fate = fate;
        }
        Ok(self)
    }

    fn list_attributes(
        mut self,
        attributes: &[&str],
        is_listed: bool,
    ) -> Result<Sanitizer, NameError> {
        for name in keys(attributes)? {
            match is_listed {
                true => self.attributes.insert(name),
                false => self.attributes.remove(&*name),
            };
        }
        Ok(self)
    }

    fn list_instructions(
        mut self,
        targets: &[&str],
        is_listed: bool,
    ) -> Result<Sanitizer, NameError> {
        for given in targets {
            let target = names::target(given)?;
            match is_listed {
                true => self.instructions.insert(target),
                false => self.instructions.remove(&*target),
            };
        }
        Ok(self)
    }

    /// Returns the entry of the element with this name, and adds one if the element is not listed.
    pub(super) fn element(&mut self, given: &str) -> Result<&mut Element, NameError> {
        let (space, local) = names::element(given)?;
        Ok(self.entry(space, &local))
    }

    fn entry(&mut self, space: usize, local: &str) -> &mut Element {
        self.elements[space].entry(local.into()).or_default()
    }
}

/// Converts attribute names to the form that [`Names`] stores.
fn keys(attributes: &[&str]) -> Result<Names, NameError> {
    let mut keys = Names::new();
    for given in attributes {
        keys.extend(names::attribute(given)?);
    }
    Ok(keys)
}
