//! From html5ever and scraper: the links of a page.
//!
//! Before, with scraper:
//!
//! ```text
//! use scraper::{Html, Selector};
//!
//! fn links(page: &str) -> Vec<(String, String)> {
//!     let links = Selector::parse("a[href]").unwrap();
//!     let page = Html::parse_document(page);
//!     let links = page.select(&links);
//!     links.map(|a| (a.attr("href").unwrap().to_owned(), a.text().collect())).collect()
//! }
//! ```
//!
//! After, of the same tree:
//!
//! ```
//! use tagstream::{Document, Error, Html};
//!
//! fn links(page: &str) -> Result<Vec<(String, String)>, Error> {
//!     let page = Document::parse(Html::default(), page)?;
//!     let links = page.root().descendants().filter(|node| node.name() == "a");
//!     let links = links.filter_map(|a| Some((a.attribute("href")?.to_owned(), a.text_content())));
//!     Ok(links.collect())
//! }
//!
//! assert_eq!(links("<a href=/b>See <b>this")?, [("/b".to_owned(), "See this".to_owned())]);
//! # Ok::<(), Error>(())
//! ```
//!
//! With the feature `select` there are CSS selectors, on trees and on streams of events. The same function:
//!
//! ```
//! # #[cfg(feature = "select")]
//! # fn main() -> Result<(), tagstream::Error> {
//! use tagstream::{Document, Error, Html, Selector};
//!
//! fn links(page: &str) -> Result<Vec<(String, String)>, Error> {
//!     let links = Selector::new("a[href]")?;
//!     let page = Document::parse(Html::default(), page)?;
//!     let links = page.select(&links)?;
//!     Ok(links.map(|a| (a.attribute("href").unwrap().to_owned(), a.text_content())).collect())
//! }
//!
//! assert_eq!(links("<a href=/b>See <b>this")?, [("/b".to_owned(), "See this".to_owned())]);
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "select"))]
//! # fn main() {}
//! ```
//!
//! Without a tree, as the page comes in:
//!
//! ```
//! use tagstream::{Error, Event, Events, Html};
//!
//! fn links(page: &str) -> Result<Vec<(String, String)>, Error> {
//!     let mut events = Events::of(Html::default(), page).balanced();
//!     let mut links = Vec::new();
//!     while let Some(event) = events.next_event()? {
//!         match event {
//!             Event::Start(tag) if tag.name() == "a" => {
//!                 if let Some(href) = tag.attribute("href").map(String::from) {
//!                     links.push((href, events.read_text()?));
//!                 }
//!             }
//!             _ => {}
//!         }
//!     }
//!     Ok(links)
//! }
//!
//! assert_eq!(links("<a href=/b>See <b>this")?, [("/b".to_owned(), "See this".to_owned())]);
//! # Ok::<(), Error>(())
//! ```
//!
//! | html5ever, scraper | here |
//! |---|---|
//! | `parse_document(RcDom::default(), …).from_utf8().read_from(…)` | [`Document::read`](crate::Document::read), in any encoding |
//! | `Html::parse_document`, `Html::parse_fragment` | [`Document::parse`](crate::Document::parse), with [`Html::fragment`](crate::Html::fragment) for a fragment |
//! | `TokenSink`, a callback for each token | [`Events`](crate::Events), which are pulled |
//! | `TreeSink` for a tree of your own | [`TreeSink`](crate::TreeSink), with [`TreeBuilder::with_sink`](crate::TreeBuilder::with_sink) |
//! | `NodeData`, `node.children.borrow()` | [`Node`](crate::Node): [`kind`](crate::Node::kind), [`children`](crate::Node::children) |
//! | `Selector::parse`, `select`, `matches` | with the feature `select`: `Selector::new`, `Document::select`, `Node::select`, `Node::matches`; `Events::select` on a stream |
//! | `element.attr("href")`, `element.value().name()` | [`attribute`](crate::Node::attribute), [`name`](crate::Node::name) |
//! | `element.text()`, `inner_html()`, `html()` | [`text_content`](crate::Node::text_content), [`to_inner_html`](crate::Node::to_inner_html), [`to_html`](crate::Node::to_html) |
//! | `NodeMut::append`, `prepend`, `detach` of `ego_tree` | [`Document::append`](crate::Document::append), [`prepend`](crate::Document::prepend), [`remove`](crate::Document::remove) |
//! | `errors` of the tree | [`report_errors`](crate::TreeBuilder::report_errors), with the standard's names and places |
