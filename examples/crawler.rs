//! A crawler: follows the links of pages, resolves them against `<base>`, and decodes each page with the encoding that
//! the `Content-Type` header names.
//!
//! The pages that the program crawls are constants in this file.
//!
//! `cargo run --example crawler`

use std::collections::{BTreeSet, VecDeque};
use std::error::Error;
use tagstream::{Event, Events, Html};
use url::Url;

/// Address, `Content-Type` and body of each response.
const WEB: &[(&str, &str, &[u8])] = &[
    (
        "https://example.org/",
        "text/html; charset=windows-1251",
        b"<title>\xCF\xEE\xF0\xF2</title><a href=quay/>Quay</a> <a href='/tides?y=1&amp;m=2#top'>Tides",
    ),
    (
        "https://example.org/quay/",
        "text/html",
        b"<meta charset=utf-8><title>Quay</title><base href=/docs/><base href=/no/><a href=plan>Plan</a>",
    ),
    (
        "https://example.org/docs/plan",
        "text/html; charset=utf-8",
        b"<title>Plan</title><a href='..'>up</a><a href='mailto:a@example.org'>mail</a><a href='http://['>no</a>",
    ),
];

fn main() -> Result<(), Box<dyn Error>> {
    let first = Url::parse("https://example.org/")?;
    let mut seen = BTreeSet::from([first.clone()]);
    let mut wanted = VecDeque::from([first]);
    while let Some(address) = wanted.pop_front() {
        let Some((_, content_type, body)) = WEB.iter().find(|(at, ..)| *at == address.as_str())
        else {
            println!("{address}: nothing there");
            continue;
        };
        let page = read(&address, content_type, body)?;
        println!("{address}: {} ({} links)", page.title, page.links.len());
        for link in page.links {
            if link.host() == address.host() && seen.insert(link.clone()) {
                wanted.push_back(link);
            }
        }
    }
    Ok(())
}

#[derive(Default)]
struct Page {
    title: String,
    links: Vec<Url>,
}

fn read(address: &Url, content_type: &str, body: &[u8]) -> Result<Page, tagstream::Error> {
    let html = Html::default().content_type(content_type);
    let mut events = Events::read(html, body).balanced();
    let mut page = Page::default();
    let (mut base, mut has_base) = (address.clone(), false);
    while let Some(event) = events.next_event()? {
        let Event::Start(tag) = event else { continue };
        match (tag.name(), tag.attribute("href")) {
            ("title", _) if page.title.is_empty() => page.title = events.read_text()?,
            // Only the first `<base>` is used, for all links of the page.
            ("base", Some(href)) if !has_base => {
                has_base = true;
                base = address.join(href).unwrap_or(base);
            }
            ("a" | "area", Some(href)) => {
                // Links that cannot be parsed as an address are ignored.
                if let Ok(mut link) = base.join(href) {
                    link.set_fragment(None);
                    page.links.push(link);
                }
            }
            _ => {}
        }
    }
    Ok(page)
}
