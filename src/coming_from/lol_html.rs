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
//! | handlers for selectors | a loop over events, and `match`; with the feature `select`, `select::EventMatcher` says for each event whether a selector matches |
//! | `el.before`, `after`, `prepend`, `append`, `set_inner_content` | the same names on [`RewriteEvent`](crate::RewriteEvent); [`set_content`](crate::RewriteEvent::set_content) |
//! | `ContentType::Text`, `ContentType::Html` | [`Content::Text`](crate::Content::Text), [`Content::Markup`](crate::Content::Markup) |
//! | `OutputSink` | [`Rewriter::output`](crate::Rewriter::output), after any event |
//! | `el.get_attribute`, `attributes()` | [`attribute`](crate::StartTag::attribute), [`attributes`](crate::StartTag::attributes) |
//! | `el.source_location()` | [`span`](crate::StartTag::span), and those of names and values |
//! | `text!`, text in pieces | [`Text`](crate::Text), in pieces too: [`is_piece`](crate::Text::is_piece) is true for all but the last. [`Events`](crate::Events) and [`Parser`](crate::Parser), which change nothing, deliver it whole |
//! | `MemorySettings` | [`Limits`](crate::Limits) |
//! | strict mode, where the tokenizer may not know what follows | not needed: the events are those of the tree's construction, as after [`Parser::balanced`](crate::Parser::balanced) |
