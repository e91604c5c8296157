//! The tables: engines that are measured in turn on the same documents and whose speeds are compared. The engines of a
//! table must report the same counts and hashes.

use peers::engines;
use peers::engines::{
    Engine, Job, html5ever, lexbor, quick_xml, roxmltree, scraper, tagstream, values, xml_rs,
};
use peers::inputs::Input;

/// The documents of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Documents {
    /// Files of XML.
    Xml,
    /// Files of HTML.
    Html,
    /// Short XML documents.
    SmallXml,
    /// Short HTML documents.
    SmallHtml,
    /// A very long document of records.
    Records,
    /// XML documents that are deserialized.
    Values,
}

/// A table.
pub struct Table {
    /// The title.
    pub title: &'static str,
    /// The documents.
    pub documents: Documents,
    /// Size of the chunks in bytes.
    pub chunk: usize,
    /// The engines.
    pub engines: Vec<Engine>,
    /// Pairs of engines whose speeds are compared. The first of each pair is tagstream's.
    pub ratios: Vec<(&'static str, &'static str)>,
}

impl Table {
    /// Returns the job of reading a document in the chunk size of this table.
    pub fn job<'a>(&self, input: &'a Input) -> Job<'a> {
        Job {
            input,
            chunk: self.chunk,
        }
    }

    /// Adds engines, and the ratios to print if there are such engines.
    fn and(mut self, engines: Vec<Engine>, ratios: &[(&'static str, &'static str)]) -> Table {
        if !engines.is_empty() {
            self.engines.extend(engines);
            self.ratios.extend(ratios);
        }
        self
    }
}

/// Returns all tables, in the order in which they are printed.
pub fn tables() -> Vec<Table> {
    let mut tables = vec![events()];
    tables.extend([4096, 64].map(chunks));
    tables.extend([owned(), tree(), records(), small_events(), small_tree()]);
    tables.extend([xml_write(), xml_values()]);
    tables.extend([html_events(), html_chunks(), html_tree()]);
    tables.extend([small_html_events(), small_html_tree()]);
    tables.extend([
        html_rewrite(),
        html_rewrite_of_twenty(),
        html_rewrite_balanced(),
    ]);
    tables.extend([
        html_select(),
        html_stream_select(),
        xml_stream_select(),
        html_sanitize(),
    ]);
    tables
}

/// A list of the engines that need the feature `native`. Empty without that feature.
macro_rules! native {
    ($($name:literal $read:ident;)*) => {{
        #[cfg(feature = "native")]
        let engines = engines! { $($name peers::engines::native::$read;)* };
        #[cfg(not(feature = "native"))]
        let engines = Vec::new();
        engines
    }};
}

/// Returns the engines if the lexbor library was built, and no engines otherwise.
fn lexbor(engines: Vec<Engine>) -> Vec<Engine> {
    match lexbor::is_there() {
        true => engines,
        false => Vec::new(),
    }
}

fn events() -> Table {
    let table = Table {
        title: "XML: events",
        documents: Documents::Xml,
        chunk: usize::MAX,
        engines: engines! {
            "strict" tagstream::strict;
            "strict, namespaces off" tagstream::strict_without_namespaces;
            "strict, namespaces read" tagstream::strict_with_names;
            "recovering" tagstream::recovering;
            "quick-xml slice" quick_xml::slice;
            "quick-xml NsReader" quick_xml::namespaces;
            "xml-rs" xml_rs::events;
        },
        ratios: vec![
            ("strict", "quick-xml slice"),
            ("strict, namespaces off", "quick-xml slice"),
            ("strict, namespaces read", "quick-xml NsReader"),
            ("recovering", "quick-xml slice"),
            ("strict", "recovering"),
            ("strict", "xml-rs"),
        ],
    };
    table.and(
        native! {
            "expat" expat_events;
            "expat, namespaces" expat_namespaces;
            "libxml2 SAX2" libxml2_events;
        },
        &[
            ("strict, namespaces off", "expat"),
            ("strict", "expat, namespaces"),
            ("strict", "libxml2 SAX2"),
        ],
    )
}

fn chunks(size: usize) -> Table {
    let table = Table {
        title: match size {
            64 => "XML: events in chunks of 64 bytes",
            _ => "XML: events in chunks of 4 KiB",
        },
        documents: Documents::Xml,
        chunk: size,
        engines: engines! {
            "strict" tagstream::strict;
            "strict, namespaces off" tagstream::strict_without_namespaces;
            "recovering" tagstream::recovering;
            "quick-xml buffered" quick_xml::buffered;
        },
        ratios: vec![
            ("strict", "quick-xml buffered"),
            ("strict, namespaces off", "quick-xml buffered"),
            ("recovering", "quick-xml buffered"),
        ],
    };
    table.and(
        native! { "expat" expat_events; },
        &[("strict, namespaces off", "expat")],
    )
}

fn owned() -> Table {
    Table {
        title: "XML: owned events",
        documents: Documents::Xml,
        chunk: usize::MAX,
        engines: engines! {
            "to_owned" tagstream::to_owned;
            "Iterator" tagstream::iterator;
            "quick-xml into_owned" quick_xml::into_owned;
        },
        ratios: vec![
            ("to_owned", "quick-xml into_owned"),
            ("Iterator", "quick-xml into_owned"),
        ],
    }
}

fn tree() -> Table {
    let table = Table {
        title: "XML: tree built, walked and dropped",
        documents: Documents::Xml,
        chunk: usize::MAX,
        engines: engines! {
            "tree" tagstream::tree;
            "roxmltree" roxmltree::tree;
        },
        ratios: vec![("tree", "roxmltree")],
    };
    table.and(
        native! {
            "pugixml" pugixml_tree;
            "libxml2 tree" libxml2_tree;
        },
        &[("tree", "pugixml"), ("tree", "libxml2 tree")],
    )
}

fn records() -> Table {
    Table {
        title: "XML: records of 300 MB, one after the other",
        documents: Documents::Records,
        chunk: usize::MAX,
        engines: engines! {
            "subtree" tagstream::records;
            "quick-xml by hand" quick_xml::records;
            "quick-xml, not kept" quick_xml::records_not_kept;
        },
        ratios: vec![
            ("subtree", "quick-xml by hand"),
            ("subtree", "quick-xml, not kept"),
        ],
    }
}

fn small_events() -> Table {
    Table {
        title: "XML: events of a small document",
        documents: Documents::SmallXml,
        chunk: usize::MAX,
        engines: engines! {
            "strict" tagstream::strict;
            "strict, namespaces off" tagstream::strict_without_namespaces;
            "recovering" tagstream::recovering;
            "quick-xml slice" quick_xml::slice;
        },
        ratios: vec![
            ("strict", "quick-xml slice"),
            ("strict, namespaces off", "quick-xml slice"),
            ("recovering", "quick-xml slice"),
        ],
    }
}

fn small_tree() -> Table {
    let table = Table {
        title: "XML: tree of a small document",
        documents: Documents::SmallXml,
        chunk: usize::MAX,
        engines: engines! {
            "tree" tagstream::tree;
            "roxmltree" roxmltree::tree;
        },
        ratios: vec![("tree", "roxmltree")],
    };
    table.and(native! { "pugixml" pugixml_tree; }, &[("tree", "pugixml")])
}

fn html_events() -> Table {
    let table = Table {
        title: "HTML: events",
        documents: Documents::Html,
        chunk: usize::MAX,
        engines: engines! {
            "events" tagstream::html_tokens;
            "html5ever tokenizer" html5ever::tokens;
        },
        ratios: vec![("events", "html5ever tokenizer")],
    };
    table.and(
        lexbor(engines! { "lexbor tokenizer" lexbor::tokens; }),
        &[("events", "lexbor tokenizer")],
    )
}

/// Not compared with html5ever, which reports other tokens if a chunk ends inside a reference.
fn html_chunks() -> Table {
    let table = Table {
        title: "HTML: events in chunks of 64 bytes",
        documents: Documents::Html,
        chunk: 64,
        engines: engines! { "events" tagstream::html_tokens; },
        ratios: Vec::new(),
    };
    table.and(
        lexbor(engines! { "lexbor tokenizer" lexbor::tokens; }),
        &[("events", "lexbor tokenizer")],
    )
}

fn html_tree() -> Table {
    let table = Table {
        title: "HTML: tree built, walked and dropped",
        documents: Documents::Html,
        chunk: usize::MAX,
        engines: engines! {
            "tree" tagstream::html_tree;
            "html5ever with rcdom" html5ever::tree;
        },
        ratios: vec![("tree", "html5ever with rcdom")],
    };
    table.and(
        lexbor(engines! { "lexbor tree" lexbor::tree; }),
        &[("tree", "lexbor tree")],
    )
}

fn small_html_events() -> Table {
    Table {
        title: "HTML: events of a small document",
        documents: Documents::SmallHtml,
        ..html_events()
    }
}

fn small_html_tree() -> Table {
    Table {
        title: "HTML: tree of a small document",
        documents: Documents::SmallHtml,
        ..html_tree()
    }
}

fn html_select() -> Table {
    Table {
        title: "HTML: a page parsed, what a selector selects",
        documents: Documents::Html,
        chunk: usize::MAX,
        engines: engines! {
            "select" tagstream::html_select;
            "scraper" scraper::select;
        },
        ratios: vec![("select", "scraper")],
    }
}

/// Sanitizing from a string to a string.
fn html_sanitize() -> Table {
    let table = Table {
        title: "HTML: a page sanitized",
        documents: Documents::Html,
        chunk: usize::MAX,
        engines: engines! { "sanitize" tagstream::sanitize; },
        ratios: Vec::new(),
    };
    #[cfg(feature = "sanitizers")]
    let table = table.and(
        engines! { "ammonia" peers::engines::ammonia::sanitize; },
        &[("sanitize", "ammonia")],
    );
    table
}

/// Writing events that were read before the measurement.
fn xml_write() -> Table {
    Table {
        title: "XML: written, from events that are there",
        documents: Documents::Xml,
        chunk: usize::MAX,
        engines: engines! {
            "Writer" tagstream::write;
            "quick-xml Writer" quick_xml::write;
        },
        ratios: vec![("Writer", "quick-xml Writer")],
    }
}

/// Deserializing to derived types, which are the same for both libraries.
fn xml_values() -> Table {
    Table {
        title: "XML: values, of types that serde derives",
        documents: Documents::Values,
        chunk: usize::MAX,
        engines: engines! {
            "from_str" values::tagstream_str;
            "from_reader" values::tagstream_reader;
            "quick-xml from_str" values::quick_xml_str;
            "quick-xml from_reader" values::quick_xml_reader;
        },
        ratios: vec![
            ("from_str", "quick-xml from_str"),
            ("from_reader", "quick-xml from_reader"),
        ],
    }
}

fn html_rewrite() -> Table {
    let table = Table {
        title: "HTML: rewritten, each link with an attribute more, in chunks of 4 KiB",
        documents: Documents::Html,
        chunk: 4096,
        engines: engines! { "rewriter" tagstream::rewrite; },
        ratios: Vec::new(),
    };
    #[cfg(feature = "rewriters")]
    let table = table.and(
        engines! { "lol_html" peers::engines::lol_html::rewrite; },
        &[("rewriter", "lol_html")],
    );
    table
}

fn html_rewrite_of_twenty() -> Table {
    let table = Table {
        title: "HTML: rewritten with twenty selectors, in chunks of 4 KiB",
        documents: Documents::Html,
        chunk: 4096,
        engines: engines! { "rewriter" tagstream::rewrite_of_twenty; },
        ratios: Vec::new(),
    };
    #[cfg(feature = "rewriters")]
    let table = table.and(
        engines! { "lol_html" peers::engines::lol_html::rewrite_of_twenty; },
        &[("rewriter", "lol_html")],
    );
    table
}

/// Not compared with lol_html, which knows no tree.
fn html_rewrite_balanced() -> Table {
    Table {
        title: "HTML: balanced events rewritten, each link with an attribute more, in chunks of 4 KiB",
        documents: Documents::Html,
        chunk: 4096,
        engines: engines! { "balanced" tagstream::rewrite_balanced; },
        ratios: Vec::new(),
    }
}

fn html_stream_select() -> Table {
    Table {
        title: "HTML: a balanced stream, what a selector selects",
        documents: Documents::Html,
        chunk: usize::MAX,
        engines: engines! {
            "select" tagstream::html_stream_select;
            "by hand" tagstream::html_stream_by_hand;
        },
        ratios: vec![("select", "by hand")],
    }
}

fn xml_stream_select() -> Table {
    Table {
        title: "XML: a stream, what a selector selects",
        documents: Documents::Xml,
        chunk: usize::MAX,
        engines: engines! {
            "select" tagstream::xml_stream_select;
            "by hand" tagstream::xml_stream_by_hand;
        },
        ratios: vec![("select", "by hand")],
    }
}
