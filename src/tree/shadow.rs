//! The type [`ShadowRoot`]: the properties of a shadow root, which the template that declares it sets.

use core::fmt;

/// The properties of a shadow root, as the attributes of its template state them.
///
/// ```
/// use tagstream::tree::ShadowRoot;
/// use tagstream::{Document, Html};
///
/// let markup = "<div><template shadowrootmode=closed shadowrootclonable>a</template></div>";
/// let page = Document::parse(Html::default().shadow_roots(true), markup)?;
/// let div = page.root().descendants().find(|node| node.name() == "div").unwrap();
/// let root = div.shadow_root().unwrap();
/// let expected = ShadowRoot { is_closed: true, clonable: true, ..ShadowRoot::default() };
/// assert_eq!(root.as_shadow_root(), Some(&expected));
/// assert_eq!(root.text_content(), "a");
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ShadowRoot {
    /// True if the mode of the shadow root is "closed", false if it is "open".
    pub is_closed: bool,
    /// True if the template has `shadowrootdelegatesfocus`: an element in the shadow root gets the focus instead of the
    /// host.
    pub delegates_focus: bool,
    /// True if the template has `shadowrootserializable`: scripts may serialize the shadow root together with its host.
    pub serializable: bool,
    /// True if the template has `shadowrootslotassignment=manual`: a script assigns nodes to slots. Otherwise, they are
    /// assigned by the names of the slots.
    pub manual_slots: bool,
    /// True if the template has `shadowrootclonable`: a clone of the host gets a clone of the shadow root.
    pub clonable: bool,
    /// True if the template has `shadowrootcustomelementregistry`: the shadow root has no registry of custom elements
    /// until a script sets one.
    pub without_registry: bool,
}

impl ShadowRoot {
    /// Returns the names and values of the attributes that state these properties, in the order in which the HTML
    /// standard serializes them. The attribute `shadowrootmode`, which precedes them, is not included.
    pub(super) fn attributes(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        [
            (self.delegates_focus, "shadowrootdelegatesfocus", ""),
            (self.serializable, "shadowrootserializable", ""),
            (self.manual_slots, "shadowrootslotassignment", "manual"),
            (self.clonable, "shadowrootclonable", ""),
            (self.without_registry, "shadowrootcustomelementregistry", ""),
        ]
        .into_iter()
        .filter_map(|(is_set, name, value)| is_set.then_some((name, value)))
    }

    /// Returns the value of the attribute `shadowrootmode`: "open" or "closed".
    pub(super) fn mode(self) -> &'static str {
        match self.is_closed {
            true => "closed",
            false => "open",
        }
    }
}

/// Writes the properties in the form that outlines of a tree use, such as `#shadow-root (open serializable)`.
impl fmt::Display for ShadowRoot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#shadow-root ({}", self.mode())?;
        for (name, _) in self.attributes() {
            write!(f, " {}", name.trim_start_matches("shadowroot"))?;
        }
        f.write_str(")")
    }
}

crate::checkpoint::checkpointable! {
    struct ShadowRoot {
        is_closed, delegates_focus, serializable, manual_slots, clonable, without_registry,
    }
}
