//! The methods of [`Sanitizer`] that set policies: for unknown elements, classes, CSS properties, identifiers, and
//! attributes that are set.

use super::names::{self, NameError, Names};
use super::policies::{ElementPolicies, Policies, is_refused_url};
use super::sanitizer::Sanitizer;
use super::unknown::Unknown;
use alloc::sync::Arc;

impl Sanitizer {
    /// Replaces the elements that no list names with their children, as with
    /// [`replace_with_children`](Sanitizer::replace_with_children). By default they are removed with their contents, or
    /// kept by [`allow_all`](Sanitizer::allow_all).
    ///
    /// Removed with their contents are still: elements that can run a script; `style`, `title`, `noembed`, `noframes` and
    /// `template`, whose contents a browser does not show; and the elements of SVG and MathML between whose outside and
    /// inside the namespace can change, such as `svg svg` and `svg foreignObject`.
    ///
    /// ```
    /// use tagstream::Sanitizer;
    ///
    /// let sanitizer = Sanitizer::user_content().unwrap_others();
    /// assert_eq!(sanitizer.clean("<x-y>1 <b>2</b></x-y><script>3</script>"), "1 <b>2</b>");
    /// ```
    #[must_use]
    #[doc(alias("KEEP_CONTENT", "unwrap"))]
    pub fn unwrap_others(self) -> Sanitizer {
        Sanitizer {
            unknown: Some(Unknown::UNWRAPPED),
            ..self
        }
    }

    /// Shows the elements that no list names as text: their tags become text, and their contents are sanitized like all
    /// others. The tags are those of the tree: attributes are in quotation marks, and tags that the parser adds are shown
    /// too. A `template`, and an element of SVG and MathML between whose outside and inside the namespace can change,
    /// becomes text with everything in it. Elements in a table but not in a cell are replaced with their children
    /// instead, because a table cannot contain text.
    ///
    /// In trees, the text of a tag can be a text node of its own beside other text nodes.
    ///
    /// ```
    /// use tagstream::Sanitizer;
    ///
    /// let sanitizer = Sanitizer::user_content().escape_others();
    /// let clean = "&lt;x-y a=\"1\"&gt;1 <b>2</b>&lt;/x-y&gt;&lt;script&gt;3&lt;/script&gt;";
    /// assert_eq!(sanitizer.clean("<x-y a=1>1 <b>2</b></x-y><script>3</script>"), clean);
    /// ```
    #[must_use]
    #[doc(alias = "escape")]
    pub fn escape_others(self) -> Sanitizer {
        Sanitizer {
            unknown: Some(Unknown::ESCAPED),
            ..self
        }
    }

    /// Allows these classes on every element: allows the attribute `class`, and removes all other classes from it.
    ///
    /// ```
    /// use tagstream::Sanitizer;
    ///
    /// let sanitizer = Sanitizer::default().allow_classes(&["note"])?;
    /// assert_eq!(sanitizer.clean("<p class='x note'>1<p class=x>2"), r#"<p class="note">1</p><p>2</p>"#);
    /// # Ok::<(), tagstream::sanitize::NameError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`NameError`] for a name that is empty or contains white space.
    #[doc(alias = "allowed_classes")]
    pub fn allow_classes(self, classes: &[&str]) -> Result<Sanitizer, NameError> {
        let classes = class_names(classes)?;
        let sanitizer = self.allow_attributes(&["class"])?;
        Ok(sanitizer.with_policy(|policies| {
            policies.classes.get_or_insert_default().extend(classes);
        }))
    }

    /// Allows these classes on this element, in addition to those of [`allow_classes`](Sanitizer::allow_classes).
    ///
    /// ```
    /// use tagstream::Sanitizer;
    ///
    /// let sanitizer = Sanitizer::default().allow_classes_on("code", &["language-rust"])?;
    /// let clean = r#"<code class="language-rust">1</code><p>2</p>"#;
    /// assert_eq!(sanitizer.clean("<code class='language-rust x'>1</code><p class=language-rust>2"), clean);
    /// # Ok::<(), tagstream::sanitize::NameError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`NameError`] for a name that nothing in a document can have.
    pub fn allow_classes_on(
        mut self,
        element: &str,
        classes: &[&str],
    ) -> Result<Sanitizer, NameError> {
        let classes = class_names(classes)?;
        let has_list = self.element(element)?.allowed.is_some();
        if self.only_attributes || has_list {
            self = self.allow_attributes_on(element, &["class"])?;
        }
        self.with_element_policy(element, |policies| {
            policies.classes.get_or_insert_default().extend(classes);
        })
    }

    /// Allows these CSS properties in `style` attributes: allows the attribute `style` on every element, parses it as CSS
    /// says, removes all other declarations, and writes the rest anew.
    ///
    /// A declaration is also removed if its value contains an escape outside a string, a URL, a block in braces, a
    /// function other than those that compute a color, a length, a shape or a transformation, or text such as
    /// `javascript:`. An attribute without declarations is removed. Custom properties are named with their case:
    /// `--Accent`.
    ///
    /// Properties such as `position` can let content cover the rest of the page.
    ///
    /// ```
    /// use tagstream::Sanitizer;
    ///
    /// let sanitizer = Sanitizer::default().allow_css_properties(&["color", "background"])?;
    /// let markup = "<p style='COLOR:red;position:fixed; background:url(//a.example)'>1";
    /// assert_eq!(sanitizer.clean(markup), r#"<p style="color: red">1</p>"#);
    /// # Ok::<(), tagstream::sanitize::NameError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`NameError`] for a name with other characters than ASCII letters, digits, `-` and `_`.
    #[doc(alias("filter_style_properties", "style"))]
    pub fn allow_css_properties(self, properties: &[&str]) -> Result<Sanitizer, NameError> {
        let properties = properties.iter().map(|given| names::property(given));
        let properties = properties.collect::<Result<Names, _>>()?;
        let sanitizer = self.allow_attributes(&["style"])?;
        Ok(sanitizer.with_policy(|policies| {
            policies
                .properties
                .get_or_insert_default()
                .extend(properties);
        }))
    }

    /// Sets an attribute of all elements with this name, whether they have the attribute or not, and whether the lists
    /// allow the attribute or not. The rules for classes, CSS properties and identifiers apply to the value. In an attribute
    /// that contains a URL, the value must be a relative URL or have a scheme that the sanitizer allows.
    ///
    /// ```
    /// use tagstream::Sanitizer;
    ///
    /// let sanitizer = Sanitizer::default().set_attribute_on("a", "target", "_blank")?;
    /// assert_eq!(sanitizer.clean("<a target=x href=/>1</a>"), r#"<a href="/" target="_blank">1</a>"#);
    /// assert!(sanitizer.set_attribute_on("a", "onclick", "f()").is_err());
    /// # Ok::<(), tagstream::sanitize::NameError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`NameError`] for a name that nothing in a document can have, for event handlers, which begin with `on`, for an
    /// attribute that would animate a URL, and for a URL with the scheme `javascript` or with another one that
    /// [`url_schemes`](Sanitizer::url_schemes) does not allow. `url_schemes` returns this error if it is called later.
    #[doc(alias = "set_tag_attribute_value")]
    pub fn set_attribute_on(
        self,
        element: &str,
        attribute: &str,
        value: &str,
    ) -> Result<Sanitizer, NameError> {
        names::attribute(attribute).map(drop)?;
        let (space, _) = names::element(element)?;
        let lower = attribute.to_ascii_lowercase();
        let local = lower.rsplit(':').next().unwrap_or(&lower);
        if lower.starts_with("on") || local == "attributename" {
            return Err(NameError::new(&names::SET_ATTRIBUTE, attribute));
        }
        if is_refused_url(local, value, self.schemes.as_deref()) {
            return Err(NameError::new(&names::SET_URL, value));
        }
        // The parser lowercases the names of HTML's attributes.
        let name = match space {
            0 => lower.into(),
            _ => attribute.into(),
        };
        self.with_element_policy(element, |policies| {
            policies.set.retain(|(known, _)| *known != name);
            policies.set.push((name, value.into()));
        })
    }

    /// Sets a prefix for identifiers, so that they cannot be those of the page around the markup: it is inserted in the
    /// attribute `id`, in the `name` of links, forms, images and maps, and in all attributes that refer to these, such as
    /// `for`, `headers`, `aria-labelledby`, `usemap` and `href="#a"`. Identifiers that begin with the prefix stay as they
    /// are. This does not allow the attributes.
    ///
    /// ```
    /// use tagstream::Sanitizer;
    ///
    /// let sanitizer = Sanitizer::default().allow_attributes(&["id"])?.id_prefix("user-")?;
    /// let clean = "<p id=\"user-a\">1</p><a href=\"#user-a\">2</a>";
    /// assert_eq!(sanitizer.clean("<p id=a>1</p><a href=#a>2</a>"), clean);
    /// assert_eq!(sanitizer.clean(clean), clean);
    /// # Ok::<(), tagstream::sanitize::NameError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`NameError`] for a prefix that is not an ASCII letter, followed by ASCII letters, digits, `-` and `_`.
    #[doc(alias = "SANITIZE_NAMED_PROPS")]
    pub fn id_prefix(self, prefix: &str) -> Result<Sanitizer, NameError> {
        let prefix = names::id_prefix(prefix)?;
        Ok(self.with_policy(|policies| policies.id_prefix = Some(prefix)))
    }

    /// Changes the policies for values of attributes.
    fn with_policy(self, change: impl FnOnce(&mut Policies)) -> Sanitizer {
        let known = self.policies.as_ref();
        let mut policies = known.map_or_else(Policies::default, |known| known.to_policies());
        change(&mut policies);
        Sanitizer {
            policies: Some(Arc::new(policies)),
            ..self
        }
    }

    /// Changes the policies for an element.
    fn with_element_policy(
        self,
        element: &str,
        change: impl FnOnce(&mut ElementPolicies),
    ) -> Result<Sanitizer, NameError> {
        let (space, local) = names::element(element)?;
        let name = [names::prefix(Some(space)), &local].concat();
        Ok(self.with_policy(|policies| change(policies.elements.entry(name.into()).or_default())))
    }
}

/// Validates the names of classes.
fn class_names(classes: &[&str]) -> Result<Names, NameError> {
    classes.iter().map(|given| names::class(given)).collect()
}
