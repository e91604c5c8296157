//! The limits of a parse, and counters of the work that it does.
//!
//! With the limits a program bounds the memory, and with the counters it can check that the time is linear.

use crate::engine::input::encoding::Encoding;
use core::fmt;

/// The table of limits, one row for each. This macro calls the given macro with all rows.
///
/// A row has the variant of [`Limit`], the error code and the message; in braces follow the fields of [`Limits`] that
/// the limit depends on, with their documentation and their default. A new limit is a new last row here, and a check in
/// the part of the engine that consumes the limited data. Serialized limits are numbered in this order.
macro_rules! limit_table {
    ($define:ident) => {
        $define! {
            Depth "depth-limit" "elements are nested too deeply" {
                /// Maximum number of open elements; 10 000 by default.
                depth: 10_000,
            }
            Name "name-limit" "a name is too long" {
                /// Maximum number of bytes in the name of an element, attribute, entity or DOCTYPE; 64 KiB by default.
                name: 64 << 10,
            }
            Attributes "attributes-limit" "a tag has too many attributes" {
                /// Maximum number of attributes in one tag; 10 000 by default.
                attributes: 10_000,
            }
            Token "token-limit" "a token is too long" {
                /// Maximum number of bytes in one token, such as a run of text, a tag or a comment; 64 MiB by default.
                token: 64 << 20,
            }
            Declarations "declarations-limit" "the DOCTYPE has too many declarations" {
                /// Maximum number of declarations in a DOCTYPE; 100 000 by default.
                declarations: 100_000,
            }
            EntityDepth "entity-depth-limit" "entities are nested too deeply" {
                /// Maximum depth of entities within entities; 32 by default.
                entity_depth: 32,
            }
            EntityExpansion "entity-expansion-limit" "entities expand to too much text" {
                /// Maximum number of bytes that entities expand to, for each byte of input read up to the reference;
                /// 100 by default. Each reference to an entity counts 128 bytes in addition, because it costs as much,
                /// and each attribute that is added by default counts 16.
                entity_ratio: 100,
                /// Number of bytes that entities may expand to before `entity_ratio` applies; 8 MiB by default.
                entity_allowance: 8 << 20,
            }
            Memory "memory-limit" "the parser uses too much memory" {
                /// Maximum number of bytes that a parser holds, apart from the chunks fed: open elements, namespaces,
                /// declarations, entities and the unfinished token; 256 MiB by default.
                ///
                /// Data is counted by its length, multiplied by the factor that its memory takes at most while it
                /// grows. The error therefore does not depend on how the input is split into chunks. Names of open
                /// elements count three times, and the bytes of an external entity six times while it is decoded. One
                /// token may take a quarter of this limit. If the input is not in UTF-8, its bytes are held too, and
                /// the token may take an eighth, or a twelfth in UTF-32 and ISO-2022-JP. Buffers of fixed size are not
                /// counted; they take some 2 MiB.
                memory: 256 << 20,
            }
            TreeNodes "tree-nodes-limit" "the tree has too many nodes" {
                /// Maximum number of nodes in a tree; 2³¹ by default. The limits on trees are checked by
                /// [`TreeBuilder`](crate::TreeBuilder), with the size that its sink reports
                /// ([`TreeSink::size`](crate::TreeSink::size)).
                tree_nodes: 1 << 31,
            }
            TreeAttributes "tree-attributes-limit" "the tree has too many attributes" {
                /// Maximum number of attributes in a tree; 2³¹ by default.
                tree_attributes: 1 << 31,
            }
            TreeBytes "tree-bytes-limit" "the tree is too large for the amount of input read" {
                /// Maximum number of bytes in a tree, for each byte of input that was read or that entities expanded to
                /// before the node; 100 by default.
                tree_ratio: 100,
                /// Number of bytes that a tree may have before `tree_ratio` applies; 16 MiB by default.
                tree_allowance: 16 << 20,
            }
        }
    };
}
#[cfg(feature = "serde")]
pub(crate) use limit_table;

/// Defines [`Limits`] and [`Limit`] from the table.
macro_rules! define {
    ($(
        $limit:ident $code:literal $message:literal {
            $($(#[$doc:meta])* $field:ident: $default:expr,)*
        }
    )*) => {
        /// Limits that protect a program from malicious input. The error that is raised names the limit ([`Limit`]).
        ///
        /// ```
        /// use tagstream::Limits;
        ///
        /// let limits = Limits::default().depth(100);
        /// assert_eq!((limits.depth, limits.attributes), (100, 10_000));
        /// ```
        ///
        /// A dialect may have other defaults: see [`Dialect::limits`](crate::Dialect::limits). They stay unless the limit
        /// itself is set, by its method or to a value that is not the default of `Limits`. The elements of HTML are at
        /// most 513 deep, as in browsers:
        ///
        /// ```
        /// use tagstream::{Document, Html, Limits, TreeBuilder};
        ///
        /// for (limits, depth) in [
        ///     (Limits::default(), 513),
        ///     (Limits::default().memory(1 << 20), 513),
        ///     (Limits::default().depth(10_000), 602),
        /// ] {
        ///     let mut builder = TreeBuilder::new(Html::default()).limits(limits);
        ///     builder.feed("<b>".repeat(600))?;
        ///     let document: Document = builder.finish()?;
        ///     let depths = document.root().descendants().map(|node| node.ancestors().count());
        ///     assert_eq!(depths.max(), Some(depth));
        /// }
        /// # Ok::<(), tagstream::Error>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub struct Limits {
            $($($(#[$doc])* pub $field: usize,)*)*
            /// The limits that were set by their methods, as bits: see [`bit`].
            set: u32,
        }

        /// The names of the fields of [`Limits`].
        const FIELDS: &[&str] = &[$($(stringify!($field),)*)*];

        impl Limits {
            /// Returns limits that are never exceeded.
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
                Limits { $($($field: usize::MAX,)*)* set: 0 }
            }

            $($(
                #[doc = concat!("The same with another [`", stringify!($field), "`](#structfield.", stringify!($field), ").")]
                ///
                /// ```
                /// use tagstream::Limits;
                ///
                #[doc = concat!("let limits = Limits::default().", stringify!($field), "(7);")]
                #[doc = concat!("assert_eq!(limits.", stringify!($field), ", 7);")]
                /// ```
                #[must_use]
                pub const fn $field(self, $field: usize) -> Limits {
                    let set = self.set | const { bit(stringify!($field)) };
                    Limits { $field, set, ..self }
                }
            )*)*

            /// Sets the limit with the name of a field. Another name changes nothing.
            pub(crate) fn set_number(&mut self, name: &str, value: usize) {
                match name {
                    $($(stringify!($field) => *self = self.$field(value),)*)*
                    _ => {}
                }
            }

            /// Returns these limits, with other defaults for those that were not set.
            pub(crate) fn over(self, defaults: &Limits) -> Limits {
                $($(
                    let $field = match self.is_set(stringify!($field), self.$field != $default) {
                        true => self.$field,
                        false => defaults.$field,
                    };
                )*)*
                Limits { $($($field,)*)* set: self.set }
            }

            /// Returns the value at which a limit is exceeded: that of the field of [`Limits`], or the maximum that
            /// the library can represent if the field is larger. Returns `None` if the limit depends on several fields.
            pub(crate) fn number(&self, limit: Limit) -> Option<usize> {
                let values: &[usize] = match limit {
                    $(Limit::$limit => &[$(self.$field),*],)*
                };
                match values {
                    [value] => Some((*value).min(limit.maximum())),
                    _ => None,
                }
            }
        }

        impl Default for Limits {
            fn default() -> Limits {
                Limits { $($($field: $default,)*)* set: 0 }
            }
        }

        /// The name of a limit, as an error reports it.
        ///
        /// ```
        /// use tagstream::Limit;
        ///
        /// assert_eq!(Limit::Depth.as_str(), "depth-limit");
        /// assert_eq!(Limit::Depth.message(), "elements are nested too deeply");
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Limit {
            $(
                #[doc = concat!("`", $code, "`: ", $message, ". See")]
                $(#[doc = concat!("[`Limits::", stringify!($field), "`]")])*
                #[doc = "."]
                $limit,
            )*
        }

        impl Limit {
            /// Returns the error code of the limit, such as `depth-limit`.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Limit::$limit => $code,)*
                }
            }

            /// Returns a message that says how the limit was exceeded, without a full stop.
            pub fn message(self) -> &'static str {
                match self {
                    $(Limit::$limit => $message,)*
                }
            }
        }

        crate::checkpoint::checkpointable! {
            struct Limits { $($($field,)*)*; skip set = 0 }
            enum Limit { $($limit,)* }
        }
    };
}

limit_table!(define);

/// Returns the bit of a field of [`Limits`].
const fn bit(field: &str) -> u32 {
    let mut number = 0;
    while number < FIELDS.len() {
        if is_same(FIELDS[number], field) {
            return 1 << number;
        }
        number += 1;
    }
    0
}

/// Compares two strings.
const fn is_same(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    let mut at = 0;
    while at < left.len() && at < right.len() && left[at] == right[at] {
        at += 1;
    }
    at == left.len() && at == right.len()
}

impl Limits {
    /// Returns the names of the limits, which [`set`](Limits::set) knows.
    ///
    /// ```
    /// use tagstream::Limits;
    ///
    /// assert_eq!(Limits::names().next(), Some("depth"));
    /// ```
    pub fn names() -> impl Iterator<Item = &'static str> {
        FIELDS.iter().copied()
    }

    /// Returns true for a limit that was set, or that is not the default.
    pub(crate) fn is_set(&self, field: &str, is_other: bool) -> bool {
        is_other || self.set & bit(field) != 0
    }
}

/// Maximum length of a token in bytes, whatever the limits are: offsets in the buffered text have 32 bits.
const LONGEST_TOKEN: usize = 1 << 31;

/// Maximum number of nodes, and of attributes, in a tree, whatever the limits are. A `Document` can store one more of
/// each.
pub(crate) const MOST_IN_TREE: usize = u32::MAX as usize - 1;

/// The fraction of the memory limit that one token may take. Its buffer grows by doubling, and its decoded text is
/// stored in addition.
const TOKEN_SHARE: usize = 4;

impl Limits {
    /// Returns the maximum length of a token in bytes, and the limit that a longer token exceeds. `beside` is the
    /// number of bytes that are stored besides each byte of the token.
    pub(crate) fn longest(&self, beside: usize) -> (usize, Limit) {
        // PERF: a division by a constant. This function is called for each window.
        let share = match beside {
            0 => self.memory / TOKEN_SHARE,
            _ => self.memory / (TOKEN_SHARE + 2 * beside),
        };
        let token = self.token.min(LONGEST_TOKEN);
        match token <= share {
            true => (token, Limit::Token),
            false => (share, Limit::Memory),
        }
    }
}

impl Limits {
    /// Returns the maximum length of a token in bytes if the input turns out not to be in UTF-8.
    #[inline(never)]
    pub(crate) fn longest_decoded(&self, beside: usize) -> usize {
        self.longest(beside.max(Encoding::WINDOWS_1252.bytes_for_text()))
            .0
    }
}

impl Limit {
    /// Returns the maximum of this limit, which applies even if the field of [`Limits`] is larger.
    fn maximum(self) -> usize {
        match self {
            Limit::Token => LONGEST_TOKEN,
            Limit::TreeNodes | Limit::TreeAttributes => MOST_IN_TREE,
            _ => usize::MAX,
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message(), self.as_str())
    }
}

/// The work that a parse has done, in bytes: a measure to check that it takes linear time.
///
/// Compare the [`total`](Stats::total) with [`text`](Stats::text). Copies that only buffer borrowed or small chunks
/// are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Stats {
    /// Bytes of text that the input has decoded to, in UTF-8 and with U+FFFD for each ill-formed sequence.
    pub text: u64,
    /// Bytes that states of the tokenizer consumed or examined again.
    pub states: u64,
    /// Bytes copied because a chunk ended inside a token.
    pub copied: u64,
    /// Bytes copied because a value differs from its source, as with references and line ends.
    pub cleaned: u64,
    /// Bytes compared and hashed, for end tags, duplicate attributes and prefixes.
    pub compared: u64,
    /// Bytes that entities and default attributes expanded to. The work on them is part of the other counters.
    pub expanded: u64,
    /// Bytes decoded again to compute positions that the program requested, for input that is not in UTF-8. They are
    /// not part of the [`total`](Stats::total), because parsing does not need them.
    pub places: u64,
}

impl Stats {
    pub(crate) const NONE: Stats = Stats {
        text: 0,
        states: 0,
        copied: 0,
        cleaned: 0,
        compared: 0,
        expanded: 0,
        places: 0,
    };

    /// Returns the sum of all work. `text` is not work, and `expanded` is contained in the other counters.
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

crate::checkpoint::checkpointable! {
    struct Stats { text, states, copied, cleaned, compared, expanded, places }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An error names the value at which the input was refused, which is not that of the field if the field is larger.
    #[test]
    fn limits_that_are_set_too_high_have_their_maximum() {
        let none = Limits::none();
        assert_eq!(none.longest(0), (1 << 31, Limit::Token));
        assert_eq!(none.number(Limit::Token), Some(1 << 31));
        assert_eq!(none.number(Limit::TreeNodes), Some(u32::MAX as usize - 1));
        assert_eq!(
            none.number(Limit::TreeAttributes),
            Some(u32::MAX as usize - 1)
        );
        assert_eq!(Limits::default().token(7).number(Limit::Token), Some(7));
        assert_eq!(Limits::default().depth(2).number(Limit::Depth), Some(2));
    }
}
