//! Sanitizing of SVG images, which are XML.

use super::rules::{Form, Rules};
use super::walk::Walk;
use super::{ROUNDS, Sanitizer};
use crate::dialects::xml::Xml;
use crate::engine::error::Error;
use crate::engine::input::chunk::Chunk;
use crate::tree::{Document, Node, Serializer, namespaces};
use alloc::string::String;

impl Sanitizer {
    /// Sanitizes an SVG image, that is, a document with the media type `image/svg+xml`, and returns an image. The image is
    /// parsed as XML; declarations and the content outside the root element are left out. Cleaning the result again
    /// returns the same string. The rules are those of [`clean`](Sanitizer::clean), so that the result can also be a part
    /// of a page of HTML.
    ///
    /// The result is empty if the root element is not `svg` in the namespace of SVG, or is not allowed.
    ///
    /// ```
    /// use tagstream::Sanitizer;
    ///
    /// let image = "<svg xmlns='http://www.w3.org/2000/svg' onload='evil()'><script>evil()</script><circle r='1'/></svg>";
    /// let clean = r#"<svg xmlns="http://www.w3.org/2000/svg"><circle r="1"/></svg>"#;
    /// assert_eq!(Sanitizer::default().clean_svg(image)?, clean);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A limit that is exceeded, such as that of the size of entities.
    pub fn clean_svg(&self, image: impl Chunk) -> Result<String, Error> {
        let mut clean = self.clean_image(image, Form::String)?;
        for _ in 0..ROUNDS {
            let next = self.clean_image(clean.as_str(), Form::StringAgain)?;
            if next == clean {
                return Ok(clean);
            }
            clean = next;
        }
        Ok(String::new())
    }

    fn clean_image(&self, image: impl Chunk, form: Form) -> Result<String, Error> {
        let mut document = Document::parse(Xml::default(), image)?;
        let root = document.root().id();
        Walk::new(Rules::new(self, form), &mut document).below(root);
        let is_svg = |node: &Node<'_>| {
            node.namespace() == Some(namespaces::SVG) && node.local_name() == "svg"
        };
        match document.root_element().filter(is_svg) {
            Some(image) => Ok(Serializer::xml().coerce(true).to_string(image)?),
            None => Ok(String::new()),
        }
    }
}
