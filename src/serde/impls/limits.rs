//! Serialization of limits and of the counters in [`Stats`].

use super::shape::{names, structs};
use super::{Stored, stored};
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

        impl Stored for Limits {
            type Form<'a> = LimitsForm;

            fn form(&self) -> LimitsForm {
                let usual = Limits::default();
                $($(let $field = self
                    .is_set(stringify!($field), self.$field != usual.$field)
                    .then_some(self.$field);)*)*
                LimitsForm { $($($field,)*)* }
            }

            fn of(form: LimitsForm) -> Result<Limits, &'static str> {
                let mut limits = Limits::default();
                $($(if let Some($field) = form.$field {
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

        impl Stored for Stats {
            type Form<'a> = StatsForm;

            fn form(&self) -> StatsForm {
                StatsForm { $($field: Some(self.$field),)* }
            }

            fn of(form: StatsForm) -> Result<Stats, &'static str> {
                let usual = Stats::default();
                Ok(Stats { $($field: form.$field.unwrap_or(usual.$field),)* })
            }
        }
    };
}

stats! { text states copied cleaned compared expanded places }
