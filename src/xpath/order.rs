//! Document order: which of two nodes of a tree comes first.
//!
//! Nodes have no numbers in document order, because a tree can change. Two nodes are therefore compared by their
//! ancestors, whose siblings are searched. As soon as these searches have visited as many nodes as the document has, all
//! nodes are numbered. The cost of comparisons is at most twice that of the cheaper way: an expression that visits a few
//! nodes of a large document does not number all of them, and an expression that compares many takes linear time.

use crate::tree::Node;
use alloc::vec;
use alloc::vec::Vec;
use core::cell::{Cell, OnceCell};
use core::cmp::Ordering;

/// The document order of the nodes of one tree.
#[derive(Default)]
pub(super) struct DocumentOrder {
    /// Number of nodes that were visited to compare nodes.
    visited: Cell<usize>,
    /// The number of each node in document order, by the index of its ID. Empty until the nodes are numbered.
    numbers: OnceCell<Vec<u32>>,
}

impl DocumentOrder {
    /// Compares two nodes of the tree.
    pub(super) fn compare(&self, left: Node<'_>, right: Node<'_>) -> Ordering {
        if left == right {
            return Ordering::Equal;
        }
        if self.visited.get() <= left.document().node_count() {
            return self.compare_ancestors(left, right);
        }
        let numbers = self.numbers.get_or_init(|| number_nodes(left));
        let number = |node: Node<'_>| numbers.get(node.id().index());
        number(left).cmp(&number(right))
    }

    /// Compares two different nodes by their ancestors.
    fn compare_ancestors(&self, left: Node<'_>, right: Node<'_>) -> Ordering {
        let mut visited = self.visited.get();
        let ordering = compare_ancestors(left, right, &mut visited);
        self.visited.set(visited);
        ordering
    }
}

fn compare_ancestors(left: Node<'_>, right: Node<'_>, visited: &mut usize) -> Ordering {
    let depths = [left, right].map(|node| node.ancestors().count());
    *visited += depths[0] + depths[1];
    let common = depths[0].min(depths[1]);
    let mut left = lift(left, depths[0] - common);
    let mut right = lift(right, depths[1] - common);
    // One of the nodes is an ancestor of the other.
    if left == right {
        return depths[0].cmp(&depths[1]);
    }
    while let (Some(above_left), Some(above_right)) = (left.parent(), right.parent())
        && above_left != above_right
    {
        (left, right) = (above_left, above_right);
    }
    // Siblings are searched from both at once, so that the cost depends on their distance.
    let (mut after_left, mut after_right) = (left.next_sibling(), right.next_sibling());
    loop {
        *visited += 1;
        if after_left == Some(right) || after_right.is_none() {
            return Ordering::Less;
        }
        if after_right == Some(left) || after_left.is_none() {
            return Ordering::Greater;
        }
        after_left = after_left.and_then(|node| node.next_sibling());
        after_right = after_right.and_then(|node| node.next_sibling());
    }
}

/// Returns the ancestor that is a number of levels above a node. If the number is 0, this is the node itself.
fn lift(node: Node<'_>, levels: usize) -> Node<'_> {
    let mut ancestors = core::iter::successors(Some(node), Node::parent);
    ancestors.nth(levels).unwrap_or(node)
}

/// Returns the number of each node in the tree of a node, by the index of its ID.
fn number_nodes(node: Node<'_>) -> Vec<u32> {
    let mut numbers = vec![0; node.document().node_count()];
    let top = node.ancestors().last().unwrap_or(node);
    for (number, node) in core::iter::once(top).chain(top.descendants()).enumerate() {
        numbers[node.id().index()] = number as u32;
    }
    numbers
}
