//! Generated documents for benchmarks that are not given files. They are the same in every run.

use std::fmt::Write;

/// A document, and the counts that a parser must find in it.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    /// The name of the kind of document.
    pub(crate) name: &'static str,
    /// The document itself.
    pub(crate) text: String,
    /// Number of elements.
    pub(crate) elements: u64,
    /// Number of attributes.
    pub(crate) attributes: u64,
}

/// One document of each kind, of about `bytes` bytes.
pub(crate) fn documents(bytes: usize) -> Vec<Document> {
    let kinds: [(&str, Entry); 4] = [
        ("attributes", attributes),
        ("text", text),
        ("markup", markup),
        ("non-ascii", non_ascii),
    ];
    let written = kinds.into_iter().map(|(name, entry)| {
        let mut writer = Writer::default();
        writer.out += "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
        writer.open("root", &[]);
        let mut number = 0;
        while writer.out.len() < bytes {
            entry(&mut writer, number);
            number += 1;
        }
        writer.close("root");
        Document {
            name,
            text: writer.out,
            elements: writer.elements,
            attributes: writer.attributes,
        }
    });
    written.collect()
}

/// Writes one entry of a document.
type Entry = fn(&mut Writer, u64);

/// Writes elements and counts them.
#[derive(Default)]
struct Writer {
    out: String,
    elements: u64,
    attributes: u64,
}

impl Writer {
    fn tag(&mut self, name: &str, attributes: &[(&str, &str)], end: &str) {
        let _ = write!(self.out, "<{name}");
        for (name, value) in attributes {
            let _ = write!(self.out, " {name}=\"{value}\"");
        }
        self.out += end;
        self.elements += 1;
        self.attributes += attributes.len() as u64;
    }

    fn open(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.tag(name, attributes, ">");
    }

    fn empty(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.tag(name, attributes, "/>");
    }

    fn close(&mut self, name: &str) {
        let _ = write!(self.out, "</{name}>");
    }

    fn leaf(&mut self, name: &str, text: &str) {
        self.open(name, &[]);
        self.out += text;
        self.close(name);
    }
}

/// Returns a pseudo-random number for a number.
fn scatter(number: u64) -> u64 {
    let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32
}

/// Records with all their data in attributes, as in interface descriptions and exported tables.
fn attributes(writer: &mut Writer, number: u64) {
    let random = scatter(number);
    let id = format!("VK_ITEM_{random:08X}");
    let value = (random % 100_000).to_string();
    writer.out += "\n  ";
    writer.open(
        "group",
        &[("name", &id), ("kind", "bitmask"), ("since", "1.2")],
    );
    for step in 0..random % 4 {
        let place = step.to_string();
        writer.out += "\n    ";
        writer.empty(
            "entry",
            &[
                ("value", &value),
                ("name", &id),
                ("position", &place),
                (
                    "comment",
                    "taken from the first &amp; second table, which see",
                ),
                ("deprecated", "false"),
            ],
        );
    }
    writer.out += "\n  ";
    writer.close("group");
}

const WORDS: [&str; 16] = [
    "the", "river", "carries", "a", "letter", "towards", "morning", "and", "nobody", "reads", "it",
    "until", "winter", "comes", "without", "warning",
];

/// Paragraphs: long runs of text with few references and elements.
fn text(writer: &mut Writer, number: u64) {
    writer.out += "\n";
    writer.open("p", &[]);
    let length = 40 + scatter(number) % 160;
    for word in 0..length {
        let random = scatter(number * 211 + word);
        writer.out += WORDS[(random % 16) as usize];
        match random >> 4 & 127 {
            0 => writer.leaf("em", " indeed"),
            1 => writer.out += " &amp;",
            2..10 => writer.out += ",\n",
            _ => {}
        }
        writer.out += " ";
    }
    writer.close("p");
}

/// Small elements, close together and nested deeply, with a few comments.
fn markup(writer: &mut Writer, number: u64) {
    let random = scatter(number);
    let value = (random % 1000).to_string();
    writer.open("row", &[]);
    writer.leaf("id", &value);
    writer.open("point", &[]);
    writer.leaf("x", &value);
    writer.leaf("y", "7");
    writer.close("point");
    match random % 8 {
        0 => writer.out += "<!-- seen -->",
        1 => writer.out += "<![CDATA[a < b]]>",
        2 => writer.leaf("note", "&#x2014;&lt;"),
        _ => writer.empty("none", &[]),
    }
    writer.close("row");
}

const PHRASES: [&str; 8] = [
    "മലയാളം അക്ഷരങ്ങൾ",
    "東京都の天気は晴れ",
    "Добрый день, мир",
    "ελληνικό κείμενο",
    "naïve café à Orléans",
    "한국어 문장입니다",
    "नमस्ते दुनिया",
    "😀 🎉 𝄞",
];

/// Names in many scripts.
fn non_ascii(writer: &mut Writer, number: u64) {
    let random = scatter(number);
    let phrase = PHRASES[(random % 8) as usize];
    let other = PHRASES[(random / 8 % 8) as usize];
    writer.out += "\n";
    writer.open("annotation", &[("cp", other), ("type", "tts")]);
    writer.out += phrase;
    writer.out += " | ";
    writer.out += other;
    writer.close("annotation");
    if random.is_multiple_of(16) {
        writer.leaf("prénom", phrase);
    }
}
