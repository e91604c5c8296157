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
//! After: the same loop as everywhere, and changes where it stands. Chunks may go in and out as they come.
//!
//! ```
//! use tagstream::{Html, RewriteError, Rewriter};
//!
//! fn secure(page: &str) -> Result<Vec<u8>, RewriteError> {
//!     let mut rewriter = Rewriter::new(Html::default());
//!     rewriter.feed(page);
//!     rewriter.finish();
//!     while let Some(mut event) = rewriter.next_event()? {
//!         let link = event.as_start().filter(|tag| tag.name() == "a");
//!         if let Some(href) = link.and_then(|tag| tag.attribute("href")) {
//!             event.set_attribute("href", href.replace("http:", "https:"));
//!         }
//!     }
//!     Ok(rewriter.take_output())
//! }
//!
//! assert_eq!(secure("<p><A HREF=http://a.b/>c")?, b"<p><A HREF=\"https://a.b/\">c");
//! # Ok::<(), RewriteError>(())
//! ```
//!
//! | lol_html | here |
//! |---|---|
//! | `HtmlRewriter::write`, `end` | [`Rewriter::feed`](crate::Rewriter::feed), [`finish`](crate::Rewriter::finish) |
//! | handlers for selectors | a loop over events, and `match`; selectors with the feature `select` |
//! | `OutputSink` | [`Rewriter::output`](crate::Rewriter::output), after any event |
//! | `el.get_attribute`, `attributes()` | [`attribute`](crate::StartTag::attribute), [`attributes`](crate::StartTag::attributes) |
//! | `el.source_location()` | [`span`](crate::StartTag::span), and those of names and values |
//! | `text!`, text in pieces | [`Text`](crate::Text), whole; in pieces with [`TextPolicy::Pieces`](crate::TextPolicy::Pieces) |
//! | `MemorySettings` | [`Limits`](crate::Limits) |
//! | strict mode, where the tokenizer may not know what follows | not needed: the events are those of the tree's construction, as [`Balanced`](crate::Balanced) has them |
