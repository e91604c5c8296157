//! Types that programs deserialize with serde, and generated documents for them. The documents are the same in every
//! run.
//!
//! - `feeds.rs`: RSS and Atom.
//! - `sitemap.rs`: a sitemap.
//! - `svg.rs`: paths.
//! - `sheet.rs`: a sheet of Office Open XML.
//! - `pom.rs`: a project file of Maven.

mod feeds;
mod pom;
mod sheet;
mod sitemap;
mod svg;

use crate::inputs::Input;
pub use feeds::{Atom, Rss};
pub use pom::Project;
pub use sheet::Worksheet;
pub use sitemap::Sitemap;
pub use svg::Svg;

/// Size of each document, in bytes.
const BYTES: usize = 4 << 20;

/// Returns the documents, one for each type.
pub fn documents() -> Vec<Input> {
    vec![
        made("RSS", feeds::RSS, feeds::item),
        made("Atom", feeds::ATOM, feeds::entry),
        made("sitemap", sitemap::AROUND, sitemap::url),
        made("SVG paths", svg::AROUND, svg::group),
        made("OOXML sheet", sheet::AROUND, sheet::row),
        made("Maven pom", pom::AROUND, pom::dependency),
    ]
}

/// Returns a document of a start, numbered parts and an end.
fn made(name: &str, (start, end): (&str, &str), part: fn(&mut String, u64)) -> Input {
    let mut text = start.to_owned();
    let mut number = 0;
    while text.len() < BYTES {
        part(&mut text, number);
        number += 1;
    }
    Input::new(name, &(text + end))
}

/// Returns a pseudo-random number for a number.
fn scatter(number: u64) -> u64 {
    let mixed = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32
}

/// Writes a number of random words.
fn words(out: &mut String, seed: u64, count: u64) {
    const WORDS: [&str; 16] = [
        "river", "when", "the", "letters", "of", "a", "winter", "rises", "nobody", "reads", "until", "stops",
        "and", "warning", "comes", "number",
    ];
    for step in 0..count {
        if step > 0 {
            out.push(' ');
        }
        *out += WORDS[scatter(seed.wrapping_mul(31).wrapping_add(step)) as usize % WORDS.len()];
    }
}
