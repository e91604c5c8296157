//! The properties of a shadow root, which are set when it is attached.

use core::fmt;

/// How a shadow root is: what the attributes of its template say.
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
    /// Its mode is "closed", and not "open".
    pub is_closed: bool,
    /// `shadowrootdelegatesfocus`: the host gives focus to what is in it.
    pub delegates_focus: bool,
    /// `shadowrootserializable`: it may be written with its host.
    pub serializable: bool,
    /// `shadowrootslotassignment=manual`: slots are not assigned by their names.
    pub manual_slots: bool,
    /// `shadowrootclonable`: it is cloned with its host.
    pub clonable: bool,
    /// `shadowrootcustomelementregistry`: it has no registry of custom elements yet.
    pub without_registry: bool,
}

impl ShadowRoot {
    /// Returns the attributes of the template after `shadowrootmode`, in the order of the standard.
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

    /// "open" or "closed".
    pub(super) fn mode(self) -> &'static str {
        match self.is_closed {
            true => "closed",
            false => "open",
        }
    }
}

/// As outlines have it: `#shadow-root (open serializable)`.
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
