//! The options of the dialects: their table, from which the page makes its controls, and the values that the page sends.

use crate::json::{self, Value};
use tagstream::microxml::Revision;
use tagstream::{Encoding, Html, LeafXml, MicroXml, Sky, Xml};

/// A dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DialectId {
    /// HTML.
    Html,
    /// XML.
    Xml,
    /// MicroXML.
    MicroXml,
    /// Sky.
    Sky,
    /// LeafXML.
    LeafXml,
}

/// The dialects with their names in options and for readers.
const DIALECTS: [(DialectId, &str, &str); 5] = [
    (DialectId::Html, "html", "HTML"),
    (DialectId::Xml, "xml", "XML"),
    (DialectId::MicroXml, "microxml", "MicroXML"),
    (DialectId::Sky, "sky", "Sky"),
    (DialectId::LeafXml, "leafxml", "LeafXML"),
];

/// The values that an option can have, with its default.
enum Kind {
    Bool(bool),
    /// One of the strings. The first is the default.
    Choice(&'static [&'static str]),
    /// Text, or nothing, which is the default.
    Text,
}

/// An option of some dialects.
struct Row {
    dialects: &'static [DialectId],
    id: &'static str,
    label: &'static str,
    kind: Kind,
    help: &'static str,
}

use DialectId as D;

const OPTIONS: &[Row] = &[
    Row {
        dialects: &[D::Html],
        id: "fragment",
        label: "Context element",
        kind: Kind::Text,
        help: "Parse the input as the contents of this element: div, \"svg path\", \"math mi\".",
    },
    Row {
        dialects: &[D::Html],
        id: "scripting",
        label: "Scripting",
        kind: Kind::Bool(false),
        help: "Parse as if scripting were enabled: noscript contains text.",
    },
    Row {
        dialects: &[D::Html],
        id: "shadow",
        label: "Shadow roots",
        kind: Kind::Bool(true),
        help: "Attach the shadow roots that templates declare.",
    },
    Row {
        dialects: &[D::Html],
        id: "processing_instructions",
        label: "Processing instructions",
        kind: Kind::Bool(true),
        help: "Parse <? as the beginning of a processing instruction. Otherwise it begins a comment.",
    },
    Row {
        dialects: &[D::Xml, D::MicroXml],
        id: "strict",
        label: "Strict",
        kind: Kind::Bool(false),
        help: "The first error ends the parse.",
    },
    Row {
        dialects: &[D::Xml],
        id: "namespaces",
        label: "Namespaces",
        kind: Kind::Bool(true),
        help: "Process namespaces.",
    },
    Row {
        dialects: &[D::Xml],
        id: "html_entities",
        label: "HTML entities",
        kind: Kind::Bool(false),
        help: "Declare the character references of HTML, such as &nbsp;.",
    },
    Row {
        dialects: &[D::Xml],
        id: "content",
        label: "Fragment",
        kind: Kind::Bool(false),
        help: "Parse the input as the content of an element, not as a document.",
    },
    Row {
        dialects: &[D::MicroXml],
        id: "revision",
        label: "Revision",
        kind: Kind::Choice(&["first", "final"]),
        help: "The revision of the error recovery.",
    },
    Row {
        dialects: &[D::Sky],
        id: "context",
        label: "Kind of input",
        kind: Kind::Choice(&["automatic", "application", "module", "fragment"]),
        help: "Automatic: the first byte determines it.",
    },
    Row {
        dialects: &[D::Sky],
        id: "registered",
        label: "Registered elements",
        kind: Kind::Text,
        help: "The registered tag names, separated by spaces; others are error elements. Empty: all names.",
    },
    Row {
        dialects: &[D::LeafXml],
        id: "comments",
        label: "Comments",
        kind: Kind::Bool(true),
        help: "Report comments as events.",
    },
    Row {
        dialects: &[D::LeafXml],
        id: "processing_instructions",
        label: "Processing instructions",
        kind: Kind::Bool(true),
        help: "Report processing instructions as events.",
    },
    Row {
        dialects: &[D::LeafXml],
        id: "doctype",
        label: "DOCTYPE",
        kind: Kind::Bool(true),
        help: "Report the DOCTYPE as an event.",
    },
    Row {
        dialects: &[D::Html, D::Xml, D::MicroXml, D::Sky, D::LeafXml],
        id: "balanced",
        label: "Balanced events",
        kind: Kind::Bool(false),
        help: "Every start has its end, in the order of the tree.",
    },
    Row {
        dialects: &[D::Html, D::Xml],
        id: "encoding",
        label: "Encoding",
        kind: Kind::Text,
        help: "The encoding according to the transport. A byte-order mark takes precedence.",
    },
];

/// Returns the table of dialects and options as JSON.
pub fn dialects() -> String {
    let mut out = String::new();
    json::list(DIALECTS, &mut out, |(dialect, id, name), out| {
        out.push('{');
        json::string_field("id", id, out);
        json::string_field("name", name, out);
        json::key_of("options", out);
        let rows = OPTIONS.iter().filter(|row| row.dialects.contains(&dialect));
        json::list(rows, out, describe);
        out.push('}');
    });
    out
}

fn describe(row: &Row, out: &mut String) {
    out.push('{');
    json::string_field("id", row.id, out);
    json::string_field("label", row.label, out);
    match row.kind {
        Kind::Bool(default) => {
            json::string_field("type", "bool", out);
            json::bool_field("default", default, out);
        }
        Kind::Choice(choices) => {
            json::string_field("type", "choice", out);
            json::key_of("choices", out);
            json::list(choices, out, |choice, out| json::string(choice, out));
            json::string_field("default", choices[0], out);
        }
        Kind::Text => {
            json::string_field("type", "text", out);
            json::key_of("default", out);
            out.push_str("null");
        }
    }
    json::string_field("help", row.help, out);
    out.push('}');
}

/// The options of a session. Options of other dialects are ignored, so that the page can send the same object for all
/// dialects.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) dialect: DialectId,
    /// True if the events are those of the tree.
    pub(crate) balanced: bool,
    /// True if the steps of tree construction are recorded.
    pub(crate) trace: bool,
    value: Value,
}

impl Options {
    /// Reads the options from a JSON object.
    pub(crate) fn parse(text: &str) -> Result<Options, String> {
        let value = json::parse(text)?;
        let Value::Object(_) = value else {
            return Err("the options are not an object".to_owned());
        };
        let name = match value.get("dialect") {
            None => "html",
            Some(name) => name.as_str().unwrap_or_default(),
        };
        let found = DIALECTS.iter().find(|(_, id, _)| *id == name);
        let Some((dialect, ..)) = found else {
            return Err(format!("no dialect has the name {name:?}"));
        };
        let mut options = Options {
            dialect: *dialect,
            balanced: false,
            trace: false,
            value,
        };
        options.balanced = options.bool("balanced")?;
        options.trace = match options.value.get("trace") {
            None | Some(Value::Null | Value::Bool(false)) => false,
            Some(Value::Bool(true)) => true,
            Some(_) => return Err(wrong("trace")),
        };
        Ok(options)
    }

    /// Returns the kind of an option of the dialect.
    fn row(&self, id: &str) -> Option<&'static Kind> {
        let row = OPTIONS
            .iter()
            .find(|row| row.id == id && row.dialects.contains(&self.dialect));
        row.map(|row| &row.kind)
    }

    fn bool(&self, id: &str) -> Result<bool, String> {
        let default = matches!(self.row(id), Some(Kind::Bool(true)));
        match self.value.get(id) {
            None | Some(Value::Null) => Ok(default),
            Some(Value::Bool(value)) => Ok(*value),
            Some(_) => Err(wrong(id)),
        }
    }

    /// Returns a text that is not empty.
    fn text(&self, id: &str) -> Result<Option<&str>, String> {
        match self.value.get(id) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.trim()).filter(|text| !text.is_empty())),
            Some(_) => Err(wrong(id)),
        }
    }

    /// Returns the chosen string, or the default.
    fn choice(&self, id: &str) -> Result<&'static str, String> {
        let Some(Kind::Choice(choices)) = self.row(id) else {
            return Err(wrong(id));
        };
        match self.text(id)? {
            None => Ok(choices[0]),
            Some(text) => {
                let found = choices.iter().find(|choice| **choice == text);
                found.copied().ok_or_else(|| wrong(id))
            }
        }
    }

    fn encoding(&self, find: fn(&str) -> Option<Encoding>) -> Result<Option<Encoding>, String> {
        let Some(label) = self.text("encoding")? else {
            return Ok(None);
        };
        match find(label) {
            Some(encoding) => Ok(Some(encoding)),
            None => Err(format!("no encoding has the label {label:?}")),
        }
    }

    /// Returns HTML with its options.
    pub(crate) fn html(&self) -> Result<Html, String> {
        let html = match self.text("fragment")? {
            Some(context) => Html::fragment(context).map_err(|error| error.to_string())?,
            None => Html::default(),
        };
        let html = html
            .scripting(self.bool("scripting")?)
            .shadow_roots(self.bool("shadow")?)
            .processing_instructions(self.bool("processing_instructions")?);
        Ok(match self.encoding(Encoding::for_label)? {
            Some(encoding) => html.encoding(encoding),
            None => html,
        })
    }

    /// Returns true if the input is parsed as the contents of an element of HTML.
    pub(crate) fn is_html_fragment(&self) -> bool {
        self.dialect == DialectId::Html && matches!(self.text("fragment"), Ok(Some(_)))
    }

    /// Returns XML with its options.
    pub(crate) fn xml(&self) -> Result<Xml, String> {
        let xml = match self.bool("strict")? {
            true => Xml::strict(),
            false => Xml::default(),
        };
        let mut xml = xml.namespaces(self.bool("namespaces")?);
        if self.bool("content")? {
            xml = xml.fragment();
        }
        if self.bool("html_entities")? {
            xml = xml.html_entities();
        }
        Ok(match self.encoding(Encoding::for_xml_label)? {
            Some(encoding) => xml.encoding(encoding),
            None => xml,
        })
    }

    /// Returns MicroXML with its options.
    pub(crate) fn microxml(&self) -> Result<MicroXml, String> {
        let microxml = match self.bool("strict")? {
            true => MicroXml::strict(),
            false => MicroXml::default(),
        };
        Ok(microxml.revision(match self.choice("revision")? {
            "final" => Revision::Final,
            _ => Revision::First,
        }))
    }

    /// Returns Sky with its options. `first` is the first byte of the input, or `None` if the input is empty.
    pub(crate) fn sky(&self, first: Option<u8>) -> Result<Sky, String> {
        let sky = match (self.choice("context")?, first) {
            ("application", _) | ("automatic", Some(b'#')) => Sky::application(),
            ("module", _) | ("automatic", Some(b'S')) => Sky::module(),
            _ => Sky::fragment(),
        };
        Ok(match self.text("registered")? {
            Some(names) => sky.registered(names.split([' ', ',']).filter(|name| !name.is_empty())),
            None => sky,
        })
    }

    /// Returns LeafXML with its options.
    pub(crate) fn leafxml(&self) -> Result<LeafXml, String> {
        Ok(LeafXml::default()
            .comments(self.bool("comments")?)
            .processing_instructions(self.bool("processing_instructions")?)
            .doctype(self.bool("doctype")?))
    }
}

fn wrong(id: &str) -> String {
    format!("the option {id:?} has a value of a wrong kind")
}
