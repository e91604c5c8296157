//! Prints the entries of a feed, RSS or Atom, with selectors. Only one entry at a time is built as a tree, however long
//! the feed is. The example needs the feature `select`.
//!
//! `cargo run --features select --example feed_select [FILE]`

use std::error::Error;
use std::{env, fs::File};
use tagstream::select::Selector;
use tagstream::{Events, Node, Xml};

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args_os().nth(1);
    let path = path.unwrap_or_else(|| "examples/data/news.rss".into());
    // RSS elements have no namespace. Elements of other namespaces, such as `media:title`, do not match.
    let names = Selector::builder().namespace("a", "http://www.w3.org/2005/Atom");
    let title = names.build(":root > |title, :root > a|title")?;
    let date = names.build(":root > |pubDate, :root > a|published, :root > a|updated")?;
    let link = names.build(":root > |link, :root > a|link:is([rel=alternate], :not([rel]))")?;

    let mut events = Events::read(Xml::default().html_entities(), File::open(path)?);
    let mut entries = events.select(names.build("|item, a|entry")?)?;
    while let Some(entry) = entries.next_match()? {
        let entry = entry.subtree()?;
        let first = |selector| entry.select(selector).ok()?.next();
        let text = |node: Option<Node<'_>>| node.map_or(String::new(), |node| node.text_content());
        let link = first(&link);
        let link = match link.and_then(|link| link.attribute("href")) {
            Some(href) => href.to_owned(),
            None => text(link),
        };
        println!("{}\t{}\t{link}", text(first(&date)), text(first(&title)));
    }
    Ok(())
}
