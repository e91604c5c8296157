//! News feeds: RSS and Atom.

use super::{scatter, words};
use serde::Deserialize;
use std::fmt::Write;

/// An RSS feed.
#[derive(Debug, Deserialize)]
pub struct Rss {
    #[serde(rename = "@version")]
    pub version: String,
    pub channel: Channel,
}

/// The channel: the title of the feed and its items.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Channel {
    pub title: String,
    pub link: String,
    pub description: String,
    pub last_build_date: Option<String>,
    #[serde(default)]
    pub item: Vec<Item>,
}

/// An item of the feed.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    pub title: Option<String>,
    pub link: Option<String>,
    pub description: Option<String>,
    pub creator: Option<String>,
    #[serde(default)]
    pub category: Vec<String>,
    pub guid: Option<Guid>,
    pub pub_date: Option<String>,
}

/// The identifier of an item.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Guid {
    #[serde(rename = "@isPermaLink")]
    pub is_perma_link: Option<bool>,
    #[serde(rename = "$text")]
    pub value: String,
}

pub(super) const RSS: (&str, &str) = (
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
     <rss version=\"2.0\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\n  <channel>\n    \
     <title>Letters of the river</title>\n    <link>https://example.org/letters</link>\n    \
     <description>What comes with the water</description>\n    \
     <lastBuildDate>Tue, 03 Jun 2025 09:39:21 GMT</lastBuildDate>\n",
    "  </channel>\n</rss>\n",
);

pub(super) fn item(out: &mut String, number: u64) {
    let random = scatter(number);
    *out += "    <item>\n      <title>";
    words(out, random, 5 + random % 4);
    let _ = write!(
        out,
        "</title>\n      <link>https://example.org/letters/{number}?from=feed&amp;page={}</link>\n      \
         <description>&lt;p&gt;",
        random % 90
    );
    words(out, random + 1, 20 + random % 30);
    *out += "&lt;/p&gt;</description>\n      <dc:creator>";
    words(out, random + 2, 2);
    *out += "</dc:creator>\n";
    for step in 0..random % 4 {
        *out += "      <category>";
        words(out, random + step, 1);
        *out += "</category>\n";
    }
    let _ = write!(
        out,
        "      <guid isPermaLink=\"false\">https://example.org/?p={random}</guid>\n      \
         <pubDate>Tue, {:02} Jun 2025 {:02}:39:21 GMT</pubDate>\n    </item>\n",
        1 + random % 28,
        random % 24
    );
}

/// An Atom feed.
#[derive(Debug, Deserialize)]
pub struct Atom {
    pub id: String,
    pub title: String,
    pub updated: String,
    #[serde(default)]
    pub link: Vec<Link>,
    #[serde(default)]
    pub entry: Vec<Entry>,
}

/// An entry of the feed.
#[derive(Debug, Deserialize)]
pub struct Entry {
    pub id: String,
    pub title: String,
    pub updated: String,
    pub published: Option<String>,
    #[serde(default)]
    pub link: Vec<Link>,
    #[serde(default)]
    pub author: Vec<Person>,
    pub summary: Option<String>,
    pub content: Option<Content>,
}

/// A link of the feed or of an entry.
#[derive(Debug, Deserialize)]
pub struct Link {
    #[serde(rename = "@href")]
    pub href: String,
    #[serde(rename = "@rel")]
    pub rel: Option<String>,
    #[serde(rename = "@type")]
    pub kind: Option<String>,
}

/// An author.
#[derive(Debug, Deserialize)]
pub struct Person {
    pub name: String,
    pub email: Option<String>,
}

/// The content of an entry.
#[derive(Debug, Deserialize)]
pub struct Content {
    #[serde(rename = "@type")]
    pub kind: String,
    #[serde(rename = "$text")]
    pub value: Option<String>,
}

pub(super) const ATOM: (&str, &str) = (
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n  \
     <id>urn:uuid:60a76c80-d399-11d9-b93C-0003939e0af6</id>\n  <title>Letters</title>\n  \
     <updated>2025-06-03T09:39:21Z</updated>\n  <link href=\"https://example.org/\"/>\n",
    "</feed>\n",
);

pub(super) fn entry(out: &mut String, number: u64) {
    let random = scatter(number);
    let _ = write!(
        out,
        "  <entry>\n    <id>tag:example.org,2025:{random}</id>\n    <title>"
    );
    words(out, random, 6);
    let _ = write!(
        out,
        "</title>\n    <updated>2025-06-{:02}T09:39:21Z</updated>\n    \
         <published>2025-05-{:02}T18:30:02Z</published>\n    \
         <link href=\"https://example.org/{number}?a=1&amp;b=2\" rel=\"alternate\" type=\"text/html\"/>\n    \
         <link href=\"https://example.org/{number}/feed\" rel=\"replies\" type=\"application/atom+xml\"/>\n    \
         <author>\n      <name>",
        1 + random % 28,
        1 + random % 30
    );
    words(out, random + 1, 2);
    *out += "</name>\n      <email>nobody@example.org</email>\n    </author>\n    <summary>";
    words(out, random + 2, 12);
    *out += "</summary>\n    <content type=\"html\">&lt;p class=\"first\"&gt;";
    words(out, random + 3, 30 + random % 20);
    *out += "&lt;/p&gt;</content>\n  </entry>\n";
}
