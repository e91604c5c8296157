//! The arguments of the command line, and the dialects that they ask for.
//!
//! Options of a dialect are flags named like the builder's methods, the same on every subcommand.
//! Nothing is read or written here.

use crate::failure::Failure;
use crate::guess;
use crate::input::Input;
use crate::resolve::Resolver;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::{Path, PathBuf};
use tagstream::microxml::Revision;
use tagstream::{Encoding, Html, LeafXml, MicroXml, Sky, Xml};

/// Reads markup as it arrives, HTML, XML, MicroXML, Sky or LeafXML, well-formed or broken: its events,
/// its tree, and what is wrong with it.
///
/// Exit status: 0 where the input was read to its end, however broken it is (check: where nothing is
/// wrong); 1 where --strict refuses it or a limit is exceeded (check: where something is wrong); 2
/// where there is nothing to read or the arguments are wrong.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    #[command(flatten)]
    Write(Writing),
    /// Show every error of documents: where it is, what it is called, and the line with the place
    /// marked.
    ///
    /// Exit status: 0 where there are no errors, 1 where there are, 2 where a file cannot be read or
    /// the arguments are wrong.
    Check(CheckOptions),
}

/// What writes something for one document.
#[derive(Debug, Subcommand)]
pub(crate) enum Writing {
    /// Write the events of a document as its bytes arrive, in constant memory.
    Events(EventsOptions),
    /// Build the tree of a document and write it.
    Tree(TreeOptions),
}

impl Writing {
    /// The document, and how it is read.
    pub(crate) fn input(&self) -> (&Path, &InputOptions) {
        match self {
            Writing::Events(events) => (&events.file, &events.input),
            Writing::Tree(tree) => (&tree.file, &tree.input),
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct EventsOptions {
    /// Feed the parser chunks of so many bytes; the events are the same.
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u32).range(1..=1 << 30))]
    pub(crate) chunk: Option<u32>,
    /// How the events are written.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: EventsFormat,
    /// Write what was repaired, too.
    #[arg(long)]
    pub(crate) errors: bool,
    /// Write the events of a tree: every start with its end, in order.
    #[arg(long)]
    pub(crate) balanced: bool,
    /// Write text in pieces, as it arrives, in place of whole runs.
    #[arg(long)]
    pub(crate) pieces: bool,
    /// The file to read, or - for standard input.
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) input: InputOptions,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum EventsFormat {
    /// For reading: positions, indentation, colours on a terminal.
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

#[derive(Args, Debug)]
pub(crate) struct TreeOptions {
    /// How the tree is written. On a terminal, control characters and those that change the order of
    /// reading are written as their numbers, in every form; elsewhere only in the outline.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: TreeFormat,
    /// The file to read, or - for standard input.
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) input: InputOptions,
}

#[derive(Args, Debug)]
pub(crate) struct CheckOptions {
    /// How the errors are written.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: CheckFormat,
    /// The files to check, or - for standard input.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) input: InputOptions,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum CheckFormat {
    /// For reading: as compilers do, with colours on a terminal.
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum TreeFormat {
    /// For reading: a node a line, indented.
    #[default]
    Outline,
    /// XML.
    Xml,
    /// Canonical XML, as the XML conformance suite writes it, without a newline at its end.
    Canonical,
    /// HTML, by the rules of its standard for serialising.
    Html,
    /// The notation of the html5lib suite.
    Html5lib,
}

/// What all subcommands take: the dialect, and the options of that.
#[derive(Args, Debug)]
pub(crate) struct InputOptions {
    /// The dialect that the input is read as [default: guessed from the file's name, else from its
    /// first bytes, else xml].
    #[arg(long, value_enum)]
    pub(crate) dialect: Option<DialectName>,
    /// Refuse what the dialect's standard refuses: the first error ends the parse.
    #[arg(long)]
    pub(crate) strict: bool,
    /// The encoding of the input, as its transport says it; a byte-order mark goes before it.
    #[arg(long, value_name = "LABEL")]
    encoding: Option<String>,
    /// Do not process namespaces (xml).
    #[arg(long)]
    no_namespaces: bool,
    /// Read external entities and the external subset from files below ROOT, links followed and
    /// checked; nothing else is read for them (xml) [default of ROOT: the folder of the document].
    #[arg(long, value_name = "ROOT", num_args = 0..=1, require_equals = true)]
    resolve: Option<Option<PathBuf>>,
    /// What the input is a piece of (sky) [default: what its first byte says].
    #[arg(long, value_enum)]
    context: Option<SkyContext>,
    /// The tag names that are registered; others are error elements, which the tree and check show
    /// (sky) [default: all names].
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    registered: Option<Vec<String>>,
    /// The revision by which errors are recovered from (microxml) [default: first].
    #[arg(long, value_enum)]
    revision: Option<MicroXmlRevision>,
    /// Give comments as events (leafxml).
    #[arg(long)]
    comments: bool,
    /// Give processing instructions as events (leafxml).
    #[arg(long, conflicts_with = "no_processing_instructions")]
    processing_instructions: bool,
    /// Give the DOCTYPE as an event (leafxml).
    #[arg(long)]
    doctype: bool,
    /// Read as with scripting on: noscript holds text (html).
    #[arg(long)]
    scripting: bool,
    /// Read `<?` as the beginning of a comment, as HTML did before it had processing instructions (html).
    #[arg(long)]
    no_processing_instructions: bool,
    /// Read as what is in such an element: div, "svg path", "math mi" (html).
    #[arg(long, value_name = "CONTEXT")]
    pub(crate) fragment: Option<String>,
}

/// The revisions of the document on error recovery for MicroXML.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum MicroXmlRevision {
    /// The first one.
    First,
    /// The author's last draft.
    Final,
}

/// The parsing contexts of Sky.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum SkyContext {
    /// A file that begins with `#!mojo mojo:sky`.
    Application,
    /// A file that begins with `SKY MODULE`.
    Module,
    /// Markup without a signature.
    Fragment,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DialectName {
    /// HTML, as the WHATWG standard reads it.
    Html,
    /// XML 1.0; what is not well-formed is read by XML-ER.
    Xml,
    /// MicroXML with error recovery.
    #[value(name = "microxml")]
    MicroXml,
    /// Sky.
    Sky,
    /// LeafXML; the first violation of a rule ends it, with --strict or without.
    #[value(name = "leafxml")]
    LeafXml,
}

impl InputOptions {
    /// XML with its options.
    pub(crate) fn xml(&self) -> Result<Xml, Failure> {
        let xml = if self.strict {
            Xml::strict()
        } else {
            Xml::default()
        };
        let xml = xml
            .namespaces(!self.no_namespaces)
            .external_entities(self.resolve.is_some());
        Ok(match &self.encoding {
            Some(label) => xml.encoding(known(label, Encoding::for_xml_label)?),
            None => xml,
        })
    }

    /// Who finds the external entities of a document, if they are to be read.
    pub(crate) fn resolver(&self, document: &Path) -> Result<Option<Resolver>, Failure> {
        let Some(root) = &self.resolve else {
            return Ok(None);
        };
        Resolver::new(document, root.as_deref()).map(Some)
    }

    /// MicroXML with its options.
    pub(crate) fn microxml(&self) -> MicroXml {
        let microxml = if self.strict {
            MicroXml::strict()
        } else {
            MicroXml::default()
        };
        microxml.revision(match self.revision {
            Some(MicroXmlRevision::Final) => Revision::Final,
            Some(MicroXmlRevision::First) | None => Revision::First,
        })
    }

    /// LeafXML with its options.
    pub(crate) fn leafxml(&self) -> LeafXml {
        LeafXml::default()
            .comments(self.comments)
            .processing_instructions(self.processing_instructions)
            .doctype(self.doctype)
    }

    /// Sky with its options.
    pub(crate) fn sky(&self, input: &mut Input) -> Result<Sky, Failure> {
        let sky = match self.context {
            Some(SkyContext::Application) => Sky::application(),
            Some(SkyContext::Module) => Sky::module(),
            Some(SkyContext::Fragment) => Sky::fragment(),
            None => match guess::first_byte(input)? {
                Some(b'#') => Sky::application(),
                Some(b'S') => Sky::module(),
                _ => Sky::fragment(),
            },
        };
        Ok(match &self.registered {
            Some(names) => sky.registered(names.iter().map(String::as_str)),
            None => sky,
        })
    }

    /// HTML with its options.
    pub(crate) fn html(&self) -> Result<Html, Failure> {
        if self.strict {
            let reason = "html has no strict mode: its standard reads every input";
            return Err(Failure::Unusable(reason.to_owned()));
        }
        self.recovering_html()
    }

    /// HTML with its options, whatever is to become of errors.
    pub(crate) fn recovering_html(&self) -> Result<Html, Failure> {
        let html = match &self.fragment {
            Some(context) => {
                Html::fragment(context).map_err(|error| Failure::Unusable(error.to_string()))?
            }
            None => Html::default(),
        };
        let html = html
            .scripting(self.scripting)
            .processing_instructions(!self.no_processing_instructions);
        Ok(match &self.encoding {
            Some(label) => html.encoding(known(label, Encoding::for_label)?),
            None => html,
        })
    }
}

/// The encoding of a label, in the dialect's own vocabulary.
fn known(label: &str, find: fn(&str) -> Option<Encoding>) -> Result<Encoding, Failure> {
    find(label).ok_or_else(|| Failure::Unusable(format!("no encoding has the label {label:?}")))
}
