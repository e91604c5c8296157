//! The limits of a parse, and the counter of the work that it does.
//!
//! They make the promise of linear time and bounded memory one that can be set and checked.

use core::fmt;

/// Limits that protect a program from its input; each names itself in the error that it raises.
///
/// ```
/// use tagstream::Limits;
///
/// let limits = Limits::default().depth(100);
/// assert_eq!((limits.depth, limits.attributes), (100, 10_000));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Limits {
    /// Open elements at one time; 10 000 by default.
    pub depth: usize,
    /// Bytes of an element's, attribute's or entity's name, and of a DOCTYPE's; 64 KiB by default.
    pub name: usize,
    /// Attributes of one tag; 10 000 by default.
    pub attributes: usize,
    /// Bytes of one token: a run of text, a tag, a comment; 64 MiB by default.
    pub token: usize,
    /// Declarations in a DOCTYPE; 100 000 by default.
    pub declarations: usize,
    /// Entities inside entities; 32 by default.
    pub entity_depth: usize,
    /// Bytes that entities may expand to, for each byte of input read up to the reference; 100 by
    /// default. Each entity that is entered counts as 128 bytes more, for it costs as much, and each
    /// attribute added by default as 16.
    pub entity_ratio: usize,
    /// Bytes that entities may expand to before the ratio counts; 8 MiB by default.
    pub entity_allowance: usize,
    /// Bytes that a parser may hold, all of them but the chunks fed: open elements, namespaces,
    /// declarations, entities, and the token being read; 256 MiB by default.
    ///
    /// What the document makes it hold is counted by length, as what it takes at most while memory
    /// grows, so that the error does not depend on how the input was cut: the names of open elements
    /// three times, the bytes of an external entity six times while it is decoded; one token may take a
    /// quarter, and less where the input is not in UTF-8, as its bytes are held too: an eighth, in UTF-32
    /// and ISO-2022-JP a twelfth. Buffers of fixed size, some 2 MiB, come on top.
    pub memory: usize,
    /// Nodes of a tree; 2³¹ by default. These and the next are tested by
    /// [`TreeBuilder`](crate::TreeBuilder), against what its sink says that it holds
    /// ([`TreeSink::size`](crate::TreeSink::size)).
    pub tree_nodes: usize,
    /// Attributes of a tree; 2³¹ by default.
    pub tree_attributes: usize,
    /// Bytes of a tree for each byte of input that was read, or that entities came to, before a node;
    /// 100 by default.
    pub tree_ratio: usize,
    /// Bytes of a tree before the ratio counts; 16 MiB by default.
    pub tree_allowance: usize,
}

impl Limits {
    /// No limits at all.
    ///
    /// ```
    /// use tagstream::{Document, Html, Limits, TreeBuilder};
    ///
    /// let mut builder = TreeBuilder::new(Html::default()).limits(Limits::none());
    /// builder.feed("<b>".repeat(1000))?;
    /// let document: Document = builder.finish()?;
    /// assert_eq!(Limits::none().depth, usize::MAX);
    /// assert!(document.node_count() > 1000);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub const fn none() -> Limits {
        Limits {
            depth: usize::MAX,
            name: usize::MAX,
            attributes: usize::MAX,
            token: usize::MAX,
            declarations: usize::MAX,
            entity_depth: usize::MAX,
            entity_ratio: usize::MAX,
            entity_allowance: usize::MAX,
            memory: usize::MAX,
            tree_nodes: usize::MAX,
            tree_attributes: usize::MAX,
            tree_ratio: usize::MAX,
            tree_allowance: usize::MAX,
        }
    }
}

/// A setter for each limit.
macro_rules! setters {
    ($($limit:ident)*) => {
        impl Limits {
            $(
                #[doc = concat!("The same with another [`", stringify!($limit), "`](#structfield.", stringify!($limit), ").")]
                ///
                /// ```
                /// use tagstream::Limits;
                ///
                #[doc = concat!("let limits = Limits::default().", stringify!($limit), "(7);")]
                #[doc = concat!("assert_eq!(limits.", stringify!($limit), ", 7);")]
                /// ```
                #[must_use]
                pub const fn $limit(self, $limit: usize) -> Limits {
                    Limits { $limit, ..self }
                }
            )*
        }
    };
}

setters! {
    depth name attributes token declarations entity_depth entity_ratio entity_allowance memory
    tree_nodes tree_attributes tree_ratio tree_allowance
}

/// No token is longer, whatever the limits say: marks are numbers of 32 bits.
const LONGEST_TOKEN: usize = 1 << 31;

/// So much of the memory may be one token's: what it is held in grows by doubling, and what is cleaned of
/// it is held beside it.
const TOKEN_SHARE: usize = 4;

impl Limits {
    /// The longest token that is allowed, and the limit that a longer one exceeds; so many bytes are kept
    /// beside each byte of it.
    pub(crate) fn longest(&self, beside: usize) -> (usize, Limit) {
        let share = self.memory / (TOKEN_SHARE + 2 * beside);
        let token = self.token.min(LONGEST_TOKEN);
        match token <= share {
            true => (token, Limit::Token),
            false => (share, Limit::Memory),
        }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            depth: 10_000,
            name: 64 << 10,
            attributes: 10_000,
            token: 64 << 20,
            declarations: 100_000,
            entity_depth: 32,
            entity_ratio: 100,
            entity_allowance: 8 << 20,
            memory: 256 << 20,
            tree_nodes: 1 << 31,
            tree_attributes: 1 << 31,
            tree_ratio: 100,
            tree_allowance: 16 << 20,
        }
    }
}

/// The name of a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Limit {
    /// [`Limits::depth`].
    Depth,
    /// [`Limits::name`].
    Name,
    /// [`Limits::attributes`].
    Attributes,
    /// [`Limits::token`].
    Token,
    /// [`Limits::declarations`].
    Declarations,
    /// [`Limits::entity_depth`].
    EntityDepth,
    /// [`Limits::entity_ratio`].
    EntityExpansion,
    /// [`Limits::memory`].
    Memory,
    /// [`Limits::tree_nodes`].
    TreeNodes,
    /// [`Limits::tree_attributes`].
    TreeAttributes,
    /// [`Limits::tree_ratio`].
    TreeBytes,
}

impl Limits {
    /// The number that a limit is, where it is one alone.
    pub(crate) fn number(&self, limit: Limit) -> Option<usize> {
        Some(match limit {
            Limit::Depth => self.depth,
            Limit::Name => self.name,
            Limit::Attributes => self.attributes,
            Limit::Token => self.token,
            Limit::Declarations => self.declarations,
            Limit::EntityDepth => self.entity_depth,
            Limit::Memory => self.memory,
            Limit::TreeNodes => self.tree_nodes,
            Limit::TreeAttributes => self.tree_attributes,
            Limit::EntityExpansion | Limit::TreeBytes => return None,
        })
    }
}

impl Limit {
    /// The name: `depth-limit`.
    ///
    /// ```
    /// use tagstream::Limit;
    ///
    /// assert_eq!(Limit::Depth.as_str(), "depth-limit");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Limit::Depth => "depth-limit",
            Limit::Name => "name-limit",
            Limit::Attributes => "attributes-limit",
            Limit::Token => "token-limit",
            Limit::Declarations => "declarations-limit",
            Limit::EntityDepth => "entity-depth-limit",
            Limit::EntityExpansion => "entity-expansion-limit",
            Limit::Memory => "memory-limit",
            Limit::TreeNodes => "tree-nodes-limit",
            Limit::TreeAttributes => "tree-attributes-limit",
            Limit::TreeBytes => "tree-bytes-limit",
        }
    }

    /// A sentence without its full stop that says what exceeded it.
    ///
    /// ```
    /// use tagstream::Limit;
    ///
    /// assert_eq!(Limit::Depth.message(), "elements are nested too deeply");
    /// ```
    pub fn message(self) -> &'static str {
        match self {
            Limit::Depth => "elements are nested too deeply",
            Limit::Name => "a name is too long",
            Limit::Attributes => "a tag has too many attributes",
            Limit::Token => "a token is too long",
            Limit::Declarations => "the DOCTYPE has too many declarations",
            Limit::EntityDepth => "entities are nested too deeply",
            Limit::EntityExpansion => "entities expand to too much text",
            Limit::Memory => "the parser holds too much",
            Limit::TreeNodes => "the tree has too many nodes",
            Limit::TreeAttributes => "the tree has too many attributes",
            Limit::TreeBytes => "the tree is too large for what was read",
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message(), self.as_str())
    }
}

/// The work that a parse has done, in bytes: the measure behind the promise of linear time.
///
/// It is to be compared with [`text`](Stats::text). What is copied to take delivery, of a lent chunk
/// and of small chunks, is not in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Stats {
    /// Bytes of text that the input has come to: in UTF-8, and with U+FFFD for what is ill-formed.
    pub text: u64,
    /// Bytes that states took, or looked at again.
    pub states: u64,
    /// Bytes copied because a chunk ended inside a token.
    pub copied: u64,
    /// Bytes copied because what was written is not what is meant: references, line ends.
    pub cleaned: u64,
    /// Bytes compared and hashed: end tags, duplicates, prefixes.
    pub compared: u64,
    /// Bytes that entities and defaults of attributes came to: the work on them is part of the rest.
    pub expanded: u64,
    /// Bytes of an input that is not in UTF-8 that were decoded again because somebody asked where an
    /// event stands; no part of the [`total`](Stats::total), as no parse needs them.
    pub places: u64,
}

impl Stats {
    /// All work together; the text is none, and what was expanded is counted where it was worked on.
    ///
    /// ```
    /// use tagstream::{Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<a>text</a>".repeat(1000));
    /// while parser.next_event()?.is_some() {}
    /// let stats = parser.stats();
    /// assert!(stats.total() < 3 * stats.text);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn total(self) -> u64 {
        self.states + self.copied + self.cleaned + self.compared
    }
}

#[cfg(feature = "checkpoints")]
crate::saved::saved!(Limits {
    depth,
    name,
    attributes,
    token,
    declarations,
    entity_depth,
    entity_ratio,
    entity_allowance,
    memory,
    tree_nodes,
    tree_attributes,
    tree_ratio,
    tree_allowance,
});
#[cfg(feature = "checkpoints")]
crate::saved::saved!(
    enum Limit {
        Depth,
        Name,
        Attributes,
        Token,
        Declarations,
        EntityDepth,
        EntityExpansion,
        Memory,
        TreeNodes,
        TreeAttributes,
        TreeBytes,
    }
);
#[cfg(feature = "checkpoints")]
crate::saved::saved!(Stats {
    text,
    states,
    copied,
    cleaned,
    compared,
    expanded,
    places,
});
