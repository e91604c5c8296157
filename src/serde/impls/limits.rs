//! Serialization of limits and of the counters in [`Stats`].

use super::shape::{names, structs};
use super::{Stored, stored};
use crate::engine::limits::{Limit, Limits, Stats, limit_table};

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

/// Implements serialization for [`Limit`] and [`Limits`], from the table of all limits in `limit_table`.
macro_rules! limits {
    ($(
        $limit:ident $code:literal $message:literal {
            $($(#[$doc:meta])* $field:ident: $default:expr,)*
        }
    )*) => {
        names! { Limit { $($limit = $code,)* } }
        fields! { Limits as LimitsForm: usize { $($($field)*)* } }
    };
}

limit_table!(limits);

fields! {
    Stats as StatsForm: u64 {
        text states copied cleaned compared expanded places
    }
}
