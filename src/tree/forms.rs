//! The form that a control belongs to. It must not know which form was open when the control came: that it is told.
//!
//! Nearly always it is the nearest form around the control. What HTML's parser says beside that is kept until a node is
//! moved, so that one of the two is taken out of its place without the other. Moves are counted, and not followed: what
//! a node has below it need not be looked through.

use super::document::{Content, Document, Link, NodeId};
use super::namespaces;
use super::node::{Node, NodeKind};
use alloc::boxed::Box;
use hashbrown::HashMap;

/// The form-associated elements of the standard that may say their form by an attribute, the listed ones.
const LISTED: [&str; 7] = [
    "button", "fieldset", "input", "object", "output", "select", "textarea",
];

/// Which forms controls have beside those around them; and which nodes were moved since there are any such.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Owners {
    /// The form of a control, and how many moves there were before.
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    forms: HashMap<NodeId, (NodeId, u64)>,
    /// Which move was a node's last.
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    moved: HashMap<NodeId, u64>,
    moves: u64,
}

impl Owners {
    /// Bytes of the entries.
    pub(super) fn bytes(&self) -> usize {
        self.forms.len() * size_of::<(NodeId, (NodeId, u64))>()
            + self.moved.len() * size_of::<(NodeId, u64)>()
    }

    /// Those of other nodes, by which node each of them is now.
    pub(super) fn compacted(&self, ids: &[Link]) -> Option<Box<Owners>> {
        let now = |id: NodeId| ids.get(id.index()).copied().flatten();
        let forms = self
            .forms
            .iter()
            .filter_map(|(control, (form, since))| Some((now(*control)?, (now(*form)?, *since))));
        let moved = self.moved.iter();
        let owners = Owners {
            forms: forms.collect(),
            moved: moved
                .filter_map(|(node, last)| Some((now(*node)?, *last)))
                .collect(),
            moves: self.moves,
        };
        (!owners.forms.is_empty()).then(|| Box::new(owners))
    }

    /// Whether all nodes are there.
    #[cfg(feature = "checkpoints")]
    pub(super) fn is_sound(&self, is_node: impl Fn(NodeId) -> bool) -> bool {
        let mut forms = self.forms.iter();
        forms.all(|(control, (form, _))| is_node(*control) && is_node(*form))
            && self.moved.keys().all(|node| is_node(*node))
    }

    fn is_moved(&self, node: NodeId, since: u64) -> bool {
        self.moved.get(&node).is_some_and(|last| *last > since)
    }
}

impl Document {
    /// The parser says that `form` is the owner of `control`.
    pub(super) fn set_owner(&mut self, control: NodeId, form: NodeId) {
        let is_element = |id| matches!(self.record(id).content, Content::Element { .. });
        if control != form && is_element(control) && is_element(form) {
            let owners = self.owners.get_or_insert_default();
            owners.forms.insert(control, (form, owners.moves));
        }
    }

    /// A node is taken out of its parent, with all below it.
    #[inline(always)]
    pub(super) fn note_move(&mut self, node: NodeId) {
        if let Some(owners) = &mut self.owners {
            owners.moves += 1;
            owners.moved.insert(node, owners.moves);
        }
    }

    /// The form that the parser said, if neither was moved without the other since. Both are in one tree, and no node
    /// that is above only one of them was moved: one that was and is no more, has lost to one that is, or to them.
    fn said_owner(&self, control: NodeId) -> Link {
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
    /// The form that a control of HTML belongs to, its form owner: a `button`, `fieldset`, `input`, `object`, `output`,
    /// `select` or `textarea`, or an `img`. In this order, that is
    ///
    /// 1. what its attribute `form` says, the id of a form in the same tree, or none; not for an `img`, nor in the contents
    ///    of a template;
    /// 2. the form that was open when the parser met the control, though the control stands elsewhere, until
    ///    one of them is moved or taken out without the other;
    /// 3. the nearest form around it.
    ///
    /// For an attribute it looks through the tree, else only upwards.
    ///
    /// ```
    /// use tagstream::{Document, Html};
    ///
    /// // A form in a table ends at once, as far as the tree goes.
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
        let is_listed = LISTED.contains(&self.local_name());
        let is_control = is_listed || self.local_name() == "img";
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
        let said = self.document.said_owner(self.id);
        let said = said.and_then(|form| self.document.node(form));
        said.or_else(|| self.ancestors().find(Node::is_form))
    }

    fn is_form(&self) -> bool {
        self.local_name() == "form" && self.namespace() == Some(namespaces::HTML)
    }

    /// Whether it is in the document: in its tree, or in that of a shadow root of what is.
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
