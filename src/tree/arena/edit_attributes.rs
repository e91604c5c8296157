//! The methods of `Document` that set and remove attributes.

use super::document::{AttributeId, AttributeRecord, Content, Document};
use super::edit::{can_be_split, check_attribute_name};
use super::names::{NameId, Names};
use super::node_attribute::Attribute;
use super::node_id::NodeId;
use crate::engine::error::EditError;
use crate::tree::qualified_name::QualifiedName;
use alloc::vec::Vec;

impl Document {
    /// Sets the value of the attribute with this qualified name. If the element has several, the first one is changed.
    /// If it has none, an attribute without a namespace is added after all others. The comparison is case-sensitive:
    /// attributes of HTML elements have lowercase names.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let mut document = Document::parse(Xml::default(), r#"<a b="1" c="2"/>"#)?;
    /// let a = document.root_element().unwrap().id();
    /// document.set_attribute(a, "b", "3 < 4")?;
    /// document.set_attribute(a, "d", "")?;
    /// assert_eq!(document.to_xml()?, r#"<a b="3 &lt; 4" c="2" d=""/>"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`EditError::NoNode`] if the document has no node with this ID, [`EditError::NoElement`] if the node is not an
    /// element, [`EditError::Name`] if the name is not valid, and [`EditError::Full`] if the document has the maximum
    /// number of attributes.
    #[doc(alias("set_attr", "setAttribute"))]
    pub fn set_attribute(
        &mut self,
        element: NodeId,
        name: &str,
        value: &str,
    ) -> Result<(), EditError> {
        self.known_element(element)?;
        check_attribute_name(name)?;
        let found = self.find_attribute(element, |names, is| names.qualified(is) == name);
        let name = QualifiedName::unprefixed(name, None);
        self.set(element, found, &name, value)
    }

    /// Sets the value of the attribute with this namespace and local name. If the element has several, the first one is
    /// changed, and keeps its prefix. If it has none, an attribute with this qualified name is added after all others.
    /// A prefix in `name` ends at the first colon. An empty namespace means no namespace.
    ///
    /// ```
    /// use tagstream::tree::namespaces;
    /// use tagstream::{Document, Xml};
    ///
    /// let mut document = Document::parse(Xml::default(), "<a xml:lang='en'/>")?;
    /// let a = document.root_element().unwrap().id();
    /// document.set_attribute_ns(a, namespaces::XML, "xml:lang", "de")?;
    /// assert_eq!(document.to_xml()?, r#"<a xml:lang="de"/>"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`EditError::NoNode`] if the document has no node with this ID, [`EditError::NoElement`] if the node is not an
    /// element, [`EditError::Name`] if the name is not valid, and [`EditError::Full`] if the document has the maximum
    /// number of attributes.
    pub fn set_attribute_ns(
        &mut self,
        element: NodeId,
        namespace: &str,
        name: &str,
        value: &str,
    ) -> Result<(), EditError> {
        self.known_element(element)?;
        check_attribute_name(name)?;
        let namespace = match namespace {
            "" => None,
            name => Some(Names::intern_namespace(&mut self.names, name)),
        };
        let name = match can_be_split(name) {
            true => QualifiedName::prefixed(name, namespace),
            false => QualifiedName::unprefixed(name, namespace),
        };
        let found = self.find_attribute(element, |names, is| {
            names.namespace_id(is) == namespace && names.local(is) == name.local()
        });
        self.set(element, found, &name, value)
    }

    /// Removes all attributes with this qualified name. Returns true if any attribute was removed.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let mut document = Document::parse(Xml::default(), r#"<a b="1" c="2"/>"#)?;
    /// let a = document.root_element().unwrap().id();
    /// assert!(document.remove_attribute(a, "b"));
    /// assert!(!document.remove_attribute(a, "b"));
    /// assert_eq!(document.to_xml()?, r#"<a c="2"/>"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias("remove_attr", "removeAttribute"))]
    pub fn remove_attribute(&mut self, element: NodeId, name: &str) -> bool {
        self.retain_attributes(element, |names, is| names.qualified(is) != name)
    }

    /// Removes all attributes with this namespace and local name. Returns true if any attribute was removed. An empty
    /// namespace means no namespace.
    ///
    /// ```
    /// use tagstream::tree::namespaces;
    /// use tagstream::{Document, Xml};
    ///
    /// let mut document = Document::parse(Xml::default(), "<a xml:lang='en'/>")?;
    /// let a = document.root_element().unwrap().id();
    /// assert!(document.remove_attribute_ns(a, namespaces::XML, "lang"));
    /// assert_eq!(document.to_xml()?, "<a/>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove_attribute_ns(
        &mut self,
        element: NodeId,
        namespace: &str,
        local_name: &str,
    ) -> bool {
        self.retain_attributes(element, |names, is| {
            names.namespace(is).unwrap_or("") != namespace || names.local(is) != local_name
        })
    }

    /// Sets the value of one attribute. `found` is its index among the attributes of the element. If `found` is `None`,
    /// an attribute with this name is added.
    fn set(
        &mut self,
        element: NodeId,
        found: Option<usize>,
        name: &QualifiedName<'_>,
        value: &str,
    ) -> Result<(), EditError> {
        self.unshare(element);
        let Some(found) = found else {
            if self.free_attribute.is_none() && self.attributes.len() >= self.most {
                return Err(EditError::Full);
            }
            let name = Names::intern(&mut self.names, name);
            let value = self.strings.store_releasable(value);
            self.push_attribute(element, name, value);
            return Ok(());
        };
        let found = self.ring(element).nth(found);
        if let Some(id) = found {
            self.strings.release(self.attributes[id.index()].value);
            self.attributes[id.index()].value = self.strings.store_releasable(value);
        }
        Ok(())
    }

    /// Returns the index of the first attribute for which `is_it` returns true. The index counts the attributes of the
    /// element, beginning at 0.
    fn find_attribute(
        &self,
        element: NodeId,
        is_it: impl Fn(&Names, NameId) -> bool,
    ) -> Option<usize> {
        let mut ring = self.ring(element);
        ring.position(|id| is_it(&self.names, self.attributes[id.index()].name))
    }

    /// Removes the attributes of an element for whose name `stays` returns false. Returns true if any attribute was
    /// removed.
    fn retain_attributes(
        &mut self,
        element: NodeId,
        stays: impl Fn(&Names, NameId) -> bool,
    ) -> bool {
        self.retain(element, |document, id| {
            stays(&document.names, document.attributes[id.index()].name)
        })
    }

    /// Removes the attributes for which `stays` returns false. Returns true if any attribute was removed. A node that
    /// is not an element has no attributes.
    pub(crate) fn retain_each(
        &mut self,
        element: NodeId,
        stays: impl Fn(Attribute<'_>) -> bool,
    ) -> bool {
        self.retain(element, |document, id| {
            let AttributeRecord { name, value, .. } = document.attributes[id.index()];
            stays(Attribute {
                document,
                name,
                value,
            })
        })
    }

    /// Replaces the values of an element's attributes. For each attribute, `value_of` returns the new value, or `None`
    /// to keep the present value.
    pub(crate) fn set_values<'v>(
        &mut self,
        element: NodeId,
        value_of: impl Fn(Attribute<'_>) -> Option<&'v str>,
    ) {
        if self.known_element(element).is_err() {
            return;
        }
        self.unshare(element);
        let ids: Vec<AttributeId> = self.ring(element).collect();
        for id in ids {
            let AttributeRecord { name, value, .. } = self.attributes[id.index()];
            let attribute = Attribute {
                document: self,
                name,
                value,
            };
            if let Some(new) = value_of(attribute) {
                self.strings.release(value);
                self.attributes[id.index()].value = self.strings.store_releasable(new);
            }
        }
    }

    /// Removes the attributes for which `stays` returns false. Returns true if any attribute was removed.
    fn retain(&mut self, element: NodeId, stays: impl Fn(&Document, AttributeId) -> bool) -> bool {
        let goes = |document: &Document, id| !stays(document, id);
        if self.known_element(element).is_err() || !self.ring(element).any(|id| goes(self, id)) {
            return false;
        }
        self.unshare(element);
        let Content::Element {
            last_attribute,
            is_indexed,
            ..
        } = self.record(element).content
        else {
            return false;
        };
        let Some(last) = last_attribute else {
            return false;
        };
        // Walk through the attributes, which form a ring, from the first one. Those that stay are linked into a new
        // ring, and the records of the others are added to the list of free records.
        let mut next = Some(self.attributes[last.index()].next);
        let mut kept: Option<(AttributeId, AttributeId)> = None;
        while let Some(id) = next {
            let record = self.attributes[id.index()];
            next = (id != last).then_some(record.next);
            if stays(self, id) {
                let first = kept.map_or(id, |(first, _)| first);
                if let Some((_, before)) = kept {
                    self.attributes[before.index()].next = id;
                }
                self.attributes[id.index()].next = first;
                kept = Some((first, id));
                continue;
            }
            if is_indexed {
                self.tables.remove_attribute(element, record.name);
            }
            self.strings.release(record.value);
            self.attributes[id.index()].value = Default::default();
            self.attributes[id.index()].next = self.free_attribute.replace(id).unwrap_or(id);
        }
        if let Content::Element { last_attribute, .. } = &mut self.record_mut(element).content {
            *last_attribute = kept.map(|(_, last)| last);
        }
        true
    }

    /// Copies the attributes of an element for this element alone, if the element may share them with clones.
    fn unshare(&mut self, element: NodeId) {
        if let Content::Element {
            is_shared: true, ..
        } = self.record(element).content
        {
            self.unshare_attributes(element);
        }
    }

    /// Returns the IDs of an element's attributes in the order of the source. A node that is not an element has no
    /// attributes.
    fn ring(&self, element: NodeId) -> impl Iterator<Item = AttributeId> + '_ {
        let last = match self.record(element).content {
            Content::Element { last_attribute, .. } => last_attribute,
            _ => None,
        };
        let mut next = last.map(|last| self.attributes[last.index()].next);
        core::iter::from_fn(move || {
            let id = next?;
            next = (last != Some(id)).then_some(self.attributes[id.index()].next);
            Some(id)
        })
    }
}
