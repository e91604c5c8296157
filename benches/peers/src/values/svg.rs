//! A drawing of paths.

use super::scatter;
use serde::Deserialize;
use std::fmt::Write;

/// A drawing.
#[derive(Debug, Deserialize)]
pub struct Svg {
    #[serde(rename = "@viewBox")]
    pub view_box: String,
    #[serde(rename = "@width")]
    pub width: String,
    #[serde(rename = "@height")]
    pub height: String,
    #[serde(default)]
    pub g: Vec<Group>,
}

/// A group of paths.
#[derive(Debug, Deserialize)]
pub struct Group {
    #[serde(rename = "@id")]
    pub id: Option<String>,
    #[serde(rename = "@transform")]
    pub transform: Option<String>,
    #[serde(default)]
    pub path: Vec<Path>,
}

/// A path.
#[derive(Debug, Deserialize)]
pub struct Path {
    #[serde(rename = "@d")]
    pub data: String,
    #[serde(rename = "@fill")]
    pub fill: Option<String>,
    #[serde(rename = "@stroke")]
    pub stroke: Option<String>,
    #[serde(rename = "@stroke-width")]
    pub stroke_width: Option<f32>,
}

pub(super) const AROUND: (&str, &str) = (
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" \
     width=\"900\" height=\"900\" viewBox=\"0 0 900 900\">\n",
    "</svg>\n",
);

pub(super) fn group(out: &mut String, number: u64) {
    let random = scatter(number);
    let _ = writeln!(
        out,
        "  <g id=\"layer{number}\" transform=\"translate({},{})\">",
        random % 300,
        random % 500
    );
    for step in 0..2 + random % 5 {
        let mut at = scatter(random + step);
        let _ = write!(
            out,
            "    <path fill=\"#{:06x}\" stroke=\"#000\" stroke-width=\"1.5\" d=\"M{}.{} {}",
            at % 0x0100_0000,
            at % 900,
            at % 10,
            at % 700
        );
        for _ in 0..4 + at % 8 {
            at = scatter(at);
            let (x, y) = (at % 97, at / 97 % 89);
            let _ = write!(out, "c{x}.{} -{y} {} {x} -{}.5 {y}", at % 10, y + 3, x + 1);
        }
        *out += "z\"/>\n";
    }
    *out += "  </g>\n";
}
