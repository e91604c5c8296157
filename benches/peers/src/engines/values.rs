//! Deserializes documents with serde, from a string and from a reader.

use super::{Done, Job};
use crate::reading::Reading;
use crate::values::{Atom, Project, Rss, Sitemap, Svg, Worksheet};
use std::fmt::Debug;

/// Takes a value. The exact reading compares its debug form; the quick reading drops the value.
fn take<R: Reading>(value: impl Debug, reading: &mut R) {
    match R::EXACT {
        true => reading.text(&format!("{value:?}")),
        false => drop(std::hint::black_box(value)),
    }
}

/// Deserializes to the type that belongs to the document.
macro_rules! engines {
    ($($(#[$doc:meta])* $name:ident = |$job:ident| $read:expr;)*) => {$(
        $(#[$doc])*
        pub fn $name<R: Reading>($job: &Job<'_>, reading: &mut R) -> Done {
            macro_rules! read {
                ($type:ty) => {{
                    let value: $type = $read?;
                    take(value, reading);
                }};
            }
            match &*$job.input.name {
                "RSS" => read!(Rss),
                "Atom" => read!(Atom),
                "sitemap" => read!(Sitemap),
                "SVG paths" => read!(Svg),
                "OOXML sheet" => read!(Worksheet),
                "Maven pom" => read!(Project),
                name => return Err(format!("no program reads {name}").into()),
            }
            Ok(())
        }
    )*};
}

engines! {
    /// tagstream, from a string.
    tagstream_str = |job| tagstream::de::from_str(job.input.text());
    /// tagstream, from a reader.
    tagstream_reader = |job| tagstream::de::from_reader(&job.input.bytes[..]);
    /// quick-xml, from a string.
    quick_xml_str = |job| quick_xml::de::from_str(job.input.text());
    /// quick-xml, from a reader.
    quick_xml_reader = |job| quick_xml::de::from_reader(&job.input.bytes[..]);
}
