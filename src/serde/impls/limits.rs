//! Serialized limits and counters.

use super::shape::{names, structs};
use super::{Stored, stored};
use crate::engine::limits::{Limit, Limits, Stats};

names! {
    Limit {
        Depth = "depth-limit",
        Name = "name-limit",
        Attributes = "attributes-limit",
        Token = "token-limit",
        Declarations = "declarations-limit",
        EntityDepth = "entity-depth-limit",
        EntityExpansion = "entity-expansion-limit",
        Memory = "memory-limit",
        TreeNodes = "tree-nodes-limit",
        TreeAttributes = "tree-attributes-limit",
        TreeBytes = "tree-bytes-limit",
    }
}

/// Implements serialization for structs whose fields are public numbers. A missing field gets its default value.
macro_rules! fields {
    ($($type:ident as $form:ident: $number:ty { $($field:ident)* })*) => {$(
        structs! {
            $form {
                --
                $($field: Option<$number>,)*
            }
        }

        stored! { $type as $form }

        impl Stored for $type {
            type Form<'a> = $form;

            fn form(&self) -> $form {
                $form { $($field: Some(self.$field),)* }
            }

            fn of(form: $form) -> Result<$type, &'static str> {
                let usual = $type::default();
                Ok($type { $($field: form.$field.unwrap_or(usual.$field),)* })
            }
        }
    )*};
}

fields! {
    Limits as LimitsForm: usize {
        depth name attributes token declarations entity_depth entity_ratio entity_allowance memory
        tree_nodes tree_attributes tree_ratio tree_allowance
    }

    Stats as StatsForm: u64 {
        text states copied cleaned compared expanded places
    }
}
