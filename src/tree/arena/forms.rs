//! Form owners: the form that a control of HTML belongs to.
//!
//! The form owner is nearly always the nearest ancestor form. In a few cases the HTML parser associates a control with
//! a form that is not its ancestor. Such an association is stored, and is valid until a move separates the control from
//! the form. Moves must be cheap, so a move does not search the moved subtree for controls. Instead, moves are
//! numbered, each moved node stores the number of its last move, and [`Node::form`] checks the ancestors of the control
//! and of the form.

use super::document::{Content, Document};
use super::node::{Node, NodeKind};
use super::node_id::{Link, NodeId};
use crate::engine::text::html_facts;
use crate::tree::namespaces;

impl Document {
    /// Stores that the parser associated `control` with `form`, so that `form` is the form owner of `control`. The call
    /// does nothing if the two are the same node or if one of them is not an element.
    pub(super) fn set_owner(&mut self, control: NodeId, form: NodeId) {
        let is_element = |id| matches!(self.record(id).content, Content::Element { .. });
        if control != form && is_element(control) && is_element(form) {
            let owners = self.owners.get_or_insert_default();
            owners.forms.insert(control, (form, owners.moves));
        }
    }

    /// Records that a node is moved or removed together with its descendants. Does nothing if no control is associated
    /// with a form.
    #[inline(always)]
    pub(super) fn note_move(&mut self, node: NodeId) {
        if let Some(owners) = &mut self.owners {
            owners.moves += 1;
            owners.moved.insert(node, owners.moves);
        }
    }

    /// Returns the form that the parser associated with a control. Returns `None` if there is no such form, or if a
    /// later move separated the control from the form.
    ///
    /// The control and the form are separated if they are in different trees, or if a node on the path from one of them
    /// up to their nearest common ancestor has been moved since the association. Other moves need no check: each of the
    /// two keeps its ancestors unless a node on these paths is moved.
    fn associated_form(&self, control: NodeId) -> Link {
        let owners = self.owners.as_ref()?;
        let (form, since) = *owners.forms.get(&control)?;
        let parent = |id: NodeId| match owners.is_moved(id, since) {
            true => None,
            false => self.record(id).parent,
        };
        let level = |id| self.node(id).map_or(0, |node| node.ancestors().count());
        let (mut one, mut other) = (control, form);
        let (mut deep, mut other_deep) = (level(one), level(other));
        while one != other {
            let (is_one, is_other) = (deep >= other_deep, other_deep >= deep);
            if is_one {
                (one, deep) = (parent(one)?, deep - 1);
            }
            if is_other {
                (other, other_deep) = (parent(other)?, other_deep - 1);
            }
        }
        Some(form)
    }
}

impl<'a> Node<'a> {
    /// Returns the form that a control of HTML belongs to, its form owner. Controls are `button`, `fieldset`, `input`,
    /// `object`, `output`, `select`, `textarea` and `img`; the result for any other node is `None`. The form owner is
    /// the first of these that applies:
    ///
    /// 1. the form whose ID the attribute `form` contains. If the same tree has no such form, the control has no form
    ///    owner. This rule does not apply to an `img`, nor to nodes outside the document, such as the contents of a
    ///    template;
    /// 2. the form that was open when the parser inserted the control, even if the control is not in that form. This
    ///    association ends when one of the two is moved or removed without the other;
    /// 3. the nearest ancestor that is a form.
    ///
    /// The first rule searches the tree, which takes time linear in its size. The others examine ancestors only.
    ///
    /// ```
    /// use tagstream::{Document, Html};
    ///
    /// // The parser closes a form in a table immediately, so that the form is empty in the tree.
    /// let page = "<table><form id=a><tr><td><input name=one></table><input name=two><input name=three form=a>";
    /// let page = Document::parse(Html::default(), page)?;
    /// let inputs = page.root().descendants().filter(|node| node.name() == "input");
    /// let forms = inputs.map(|input| input.form().and_then(|form| form.attribute("id")));
    /// assert!(forms.eq([Some("a"), Some("a"), Some("a")]));
    ///
    /// let page = "<form id=a></form><input name=two>";
    /// let page = Document::parse(Html::default(), page)?;
    /// assert_eq!(page.root().descendants().last().unwrap().form(), None);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn form(&self) -> Option<Node<'a>> {
        let is_listed = html_facts::LISTED.contains(self.local_name());
        let is_control = html_facts::FORM_ASSOCIATED.contains(self.local_name());
        if !is_control || self.namespace() != Some(namespaces::HTML) {
            return None;
        }
        if is_listed
            && let Some(id) = self.attribute("form")
            && self.is_connected()
        {
            let root = self.ancestors().last()?;
            let has_id = |node: &Node<'a>| !id.is_empty() && node.attribute("id") == Some(id);
            return root.descendants().find(has_id).filter(Node::is_form);
        }
        let said = self.document.associated_form(self.id);
        let said = said.and_then(|form| self.document.node(form));
        said.or_else(|| self.ancestors().find(Node::is_form))
    }

    fn is_form(&self) -> bool {
        self.local_name() == "form" && self.namespace() == Some(namespaces::HTML)
    }

    /// Returns true if the node is in the tree of the document, or in a shadow root whose host element is connected in
    /// the same sense.
    fn is_connected(&self) -> bool {
        let mut node = *self;
        loop {
            let root = node.ancestors().last().unwrap_or(node);
            let host = self.document.parent_or_host(root.id);
            match host.filter(|_| root.as_shadow_root().is_some()) {
                Some(host) => node = Node { id: host, ..node },
                None => return root.kind() == NodeKind::Document,
            }
        }
    }
}
