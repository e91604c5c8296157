//! scraper: parses a page from a string and selects with one selector.

use super::{Done, Job};
use crate::reading::Reading;
use scraper::{Html, Selector};

pub fn select<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    let selector = Selector::parse(super::SELECTOR).map_err(|error| error.to_string())?;
    let page = Html::parse_document(std::str::from_utf8(&job.input.bytes)?);
    for element in page.select(&selector) {
        reading.start(element.value().name());
        reading.attribute("href", element.value().attr("href").unwrap_or_default());
    }
    Ok(())
}
