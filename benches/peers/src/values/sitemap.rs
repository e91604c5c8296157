//! A sitemap.

use super::{scatter, words};
use serde::Deserialize;
use std::fmt::Write;

/// A sitemap.
#[derive(Debug, Deserialize)]
pub struct Sitemap {
    pub url: Vec<Url>,
}

/// A page of the site.
#[derive(Debug, Deserialize)]
pub struct Url {
    pub loc: String,
    pub lastmod: Option<String>,
    pub changefreq: Option<Often>,
    pub priority: Option<f32>,
}

/// The frequency of changes.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Often {
    Always,
    Hourly,
    Daily,
    Weekly,
    Monthly,
    Yearly,
    Never,
}

pub(super) const AROUND: (&str, &str) = (
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
     <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
    "</urlset>\n",
);

pub(super) fn url(out: &mut String, number: u64) {
    let random = scatter(number);
    let often = ["daily", "weekly", "monthly", "yearly"][random as usize % 4];
    *out += "  <url>\n    <loc>https://www.example.org/";
    let from = out.len();
    words(out, random, 3);
    let path = out.split_off(from).replace(' ', "-");
    let _ = write!(
        out,
        "{path}?id={number}&amp;lang=en</loc>\n    <lastmod>2025-06-{:02}</lastmod>\n    \
         <changefreq>{often}</changefreq>\n    <priority>0.{}</priority>\n  </url>\n",
        1 + random % 28,
        random % 10
    );
}
