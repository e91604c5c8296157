//! Serialization of limits and of the counters in [`Stats`].

use super::shape::{names, structs};
use super::stored;
use crate::engine::limits::{Limit, Limits, Stats, limit_table};

/// Defines the serialized form of a struct whose fields are public numbers. A missing field gets its default value.
macro_rules! form {
    ($type:ident as $form:ident: $number:ty { $($field:ident)* }) => {
        structs! {
            $form {
                --
                $($field: Option<$number>,)*
            }
        }

        stored! { $type as $form }
    };
}

/// Implements serialization for [`Limit`] and [`Limits`], from the table of all limits in `limit_table`. Limits that were
/// not set are not written, so that the dialect that reads them has its own defaults.
macro_rules! limits {
    ($(
        $limit:ident $code:literal $message:literal {
            $($(#[$doc:meta])* $field:ident: $default:expr,)*
        }
    )*) => {
        names! { Limit { $($limit = $code,)* } }
        form! { Limits as LimitsForm: usize { $($($field)*)* } }

        impl LimitsForm {
            fn of(limits: &Limits) -> LimitsForm {
                let usual = Limits::default();
                $($(let $field = limits
                    .is_set(stringify!($field), limits.$field != usual.$field)
                    .then_some(limits.$field);)*)*
                LimitsForm { $($($field,)*)* }
            }

            fn value(self) -> Result<Limits, &'static str> {
                let mut limits = Limits::default();
                $($(if let Some($field) = self.$field {
                    limits = limits.$field($field);
                })*)*
                Ok(limits)
            }
        }
    };
}

limit_table!(limits);

/// Implements serialization for [`Stats`].
macro_rules! stats {
    ($($field:ident)*) => {
        form! { Stats as StatsForm: u64 { $($field)* } }

        impl StatsForm {
            fn of(stats: &Stats) -> StatsForm {
                StatsForm { $($field: Some(stats.$field),)* }
            }

            fn value(self) -> Result<Stats, &'static str> {
                let usual = Stats::default();
                Ok(Stats { $($field: self.$field.unwrap_or(usual.$field),)* })
            }
        }
    };
}

stats! { text states copied cleaned compared expanded places }
