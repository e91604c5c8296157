//! What the fuzz targets do with bytes: the first byte is options, the rest the input. The checks are
//! those of `testing::invariants`; what is found becomes a named case in a test before it is mended.

use testing::invariants::entities::check_entities;
use testing::invariants::html::check_html;
use testing::invariants::streams::{check_leafxml, check_microxml, check_sky};
use testing::invariants::{Options, check_xml};

/// Xml on any bytes.
///
/// # Panics
///
/// Panics where something does not hold.
pub fn xml(data: &[u8]) {
    check(check_xml, data);
}

/// Xml on any bytes, its external entities behind it: see `testing::invariants::entities`.
///
/// # Panics
///
/// Panics where something does not hold.
pub fn xml_entities(data: &[u8]) {
    check(check_entities, data);
}

/// Html on any bytes.
///
/// # Panics
///
/// Panics where something does not hold.
pub fn html(data: &[u8]) {
    check(check_html, data);
}

/// MicroXml on any bytes.
///
/// # Panics
///
/// Panics where something does not hold.
pub fn microxml(data: &[u8]) {
    check(check_microxml, data);
}

/// Sky on any bytes.
///
/// # Panics
///
/// Panics where something does not hold.
pub fn sky(data: &[u8]) {
    check(check_sky, data);
}

/// LeafXml on any bytes.
///
/// # Panics
///
/// Panics where something does not hold.
pub fn leafxml(data: &[u8]) {
    check(check_leafxml, data);
}

fn check(check: fn(Options, &[u8]) -> Result<(), String>, data: &[u8]) {
    let Some((options, input)) = data.split_first() else {
        return;
    };
    if let Err(problem) = check(Options(*options), input) {
        panic!("{:?}: {problem}", String::from_utf8_lossy(input));
    }
}
