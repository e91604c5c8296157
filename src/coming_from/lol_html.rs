//! From lol_html: links that are made to begin with `https`.
//!
//! Before:
//!
//! ```text
//! use lol_html::{RewriteStrSettings, element, rewrite_str};
//!
//! fn secure(page: &str) -> String {
//!     let secure = element!("a[href]", |a| {
//!         let href = a.get_attribute("href").unwrap().replace("http:", "https:");
//!         a.set_attribute("href", &href)?;
//!         Ok(())
//!     });
//!     let settings = RewriteStrSettings {
//!         element_content_handlers: vec![secure],
//!         ..RewriteStrSettings::default()
//!     };
//!     rewrite_str(page, settings).unwrap()
//! }
//! ```
//!
//! After: there is no rewriter, but each attribute says where it stands, so that all else is copied as it is.
//!
//! ```
//! use tagstream::{Error, Event, Events, Html};
//!
//! fn secure(page: &str) -> Result<String, Error> {
//!     let mut events = Events::of(Html::default(), page);
//!     let (mut out, mut copied) = (String::new(), 0);
//!     while let Some(event) = events.next_event()? {
//!         let Event::Start(tag) = event else { continue };
//!         if tag.name() != "a" {
//!             continue;
//!         }
//!         for href in tag.attributes().filter(|one| one.name() == "href") {
//!             let span = href.value_span();
//!             out.push_str(&page[copied..span.start as usize]);
//!             out.push_str(&href.raw_value().replace("http:", "https:"));
//!             copied = span.end as usize;
//!         }
//!     }
//!     out.push_str(&page[copied..]);
//!     Ok(out)
//! }
//!
//! assert_eq!(secure("<p><A HREF=http://a.b/>c")?, "<p><A HREF=https://a.b/>c");
//! # Ok::<(), Error>(())
//! ```
//!
//! | lol_html | here |
//! |---|---|
//! | `HtmlRewriter::write`, `end` | [`Parser::feed`](crate::Parser::feed), [`finish`](crate::Parser::finish) |
//! | handlers for selectors | a loop over events, and `match` |
//! | `el.get_attribute`, `attributes()` | [`attribute`](crate::StartTag::attribute), [`attributes`](crate::StartTag::attributes) |
//! | `el.source_location()` | [`span`](crate::StartTag::span), and those of names and values |
//! | `text!`, text in pieces | [`Text`](crate::Text), whole; in pieces with [`TextPolicy::Pieces`](crate::TextPolicy::Pieces) |
//! | `MemorySettings` | [`Limits`](crate::Limits) |
//! | strict mode, where the tokenizer may not know what follows | [`Balanced`](crate::Balanced), whose events are those of the tree's construction |
