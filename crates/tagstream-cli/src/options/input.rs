//! The options for reading the input, and the dialects that they configure.
//!
//! Options of a dialect are flags named like the builder's methods, and are the same for every subcommand.

use crate::failure::Failure;
use crate::guess::{self, DialectName};
use crate::input::{Given, Input};
use crate::resolve::Resolver;
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use tagstream::microxml::Revision;
use tagstream::{Encoding, Html, LeafXml, MicroXml, Sky, Xml};

/// Options of all subcommands that read a dialect: the dialect and its options.
#[derive(Args, Debug)]
pub(crate) struct InputOptions {
    /// The dialect of the input [default: guessed from the file name, otherwise from the first bytes, otherwise xml].
    #[arg(long, value_enum, help_heading = INPUT)]
    pub(crate) dialect: Option<DialectName>,
    /// Read the input as text, whatever its first bytes are. Without this option, gzip, zstd, bzip2 and xz are
    /// unpacked, and input that is not markup is refused. Input with a NUL is not refused if --dialect, --encoding or
    /// the file name determines its type.
    #[arg(long = "as-text", alias = "text", help_heading = INPUT)]
    text: bool,
    /// The encoding of the input according to its transport; a byte-order mark takes precedence (html, xml).
    #[arg(long, value_name = "LABEL", help_heading = INPUT)]
    encoding: Option<String>,
    /// Refuse input that the dialect's standard refuses: the first error ends the parse (xml, microxml; leafxml always
    /// does).
    #[arg(long, help_heading = INPUT)]
    pub(crate) strict: bool,
    /// Parse as if scripting were enabled: noscript contains text.
    #[arg(long, help_heading = "HTML")]
    scripting: bool,
    /// Parse the input as the contents of this element: div, "svg path", "math mi" (html; in xml, any name means
    /// content without a root element).
    #[arg(long, value_name = "CONTEXT", help_heading = INPUT)]
    pub(crate) fragment: Option<String>,
    /// Parse `<?` as the beginning of a comment, as HTML did before it had processing instructions.
    #[arg(long, help_heading = "HTML")]
    no_processing_instructions: bool,
    /// Know the named character references of HTML, such as `&nbsp;`, in documents that do not declare them.
    #[arg(long, help_heading = "XML")]
    html_entities: bool,
    /// Do not process namespaces.
    #[arg(long, help_heading = "XML")]
    pub(crate) no_namespaces: bool,
    /// Read external entities and the external subset from files below ROOT. Links are resolved before the path is
    /// checked, and nothing else is read [default of ROOT: the folder of the document].
    #[arg(long, value_name = "ROOT", num_args = 0..=1, require_equals = true, help_heading = "XML")]
    resolve: Option<Option<PathBuf>>,
    /// The revision of the error recovery [default: first].
    #[arg(long, value_enum, help_heading = "MicroXML")]
    revision: Option<MicroXmlRevision>,
    /// The kind of the input [default: determined by its first byte].
    #[arg(long, value_enum, help_heading = "Sky")]
    pub(crate) context: Option<SkyContext>,
    /// The registered tag names; others are error elements, which the tree and check show [default: all names].
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        help_heading = "Sky"
    )]
    registered: Option<Vec<String>>,
    /// Report comments as events.
    #[arg(long, help_heading = "LeafXML")]
    comments: bool,
    /// Report processing instructions as events.
    #[arg(
        long,
        conflicts_with = "no_processing_instructions",
        help_heading = "LeafXML"
    )]
    processing_instructions: bool,
    /// Report the DOCTYPE as an event.
    #[arg(long, help_heading = "LeafXML")]
    doctype: bool,
}

/// The heading of the options that several dialects have.
const INPUT: &str = "Input";

/// The revisions of the document on error recovery for MicroXML.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum MicroXmlRevision {
    /// The first one.
    First,
    /// The author's last draft.
    Final,
}

/// The parsing contexts of Sky.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SkyContext {
    /// A file that begins with `#!mojo mojo:sky`.
    Application,
    /// A file that begins with `SKY MODULE`.
    Module,
    /// Markup without a signature.
    Fragment,
}

impl InputOptions {
    /// Returns the settings for opening a file, with a chunk size if an option sets it.
    pub(crate) fn given(&self, file: &Path, chunk: Option<u32>) -> Given {
        Given {
            chunk,
            is_text: self.text,
            is_known: self.dialect.is_some()
                || self.encoding.is_some()
                || guess::by_name(file).is_some(),
        }
    }

    /// Returns XML with its options.
    pub(crate) fn xml(&self) -> Result<Xml, Failure> {
        let xml = if self.strict {
            Xml::strict()
        } else {
            Xml::default()
        };
        let xml = xml
            .namespaces(!self.no_namespaces)
            .external_entities(self.resolve.is_some());
        let xml = match self.html_entities {
            true => xml.html_entities(),
            false => xml,
        };
        let xml = match self.fragment {
            Some(_) => xml.fragment(),
            None => xml,
        };
        Ok(match &self.encoding {
            Some(label) => xml.encoding(known(label, Encoding::for_xml_label)?),
            None => xml,
        })
    }

    /// Returns the resolver of a document's external entities, if they are enabled.
    pub(crate) fn resolver(&self, document: &Path) -> Result<Option<Resolver>, Failure> {
        let Some(root) = &self.resolve else {
            return Ok(None);
        };
        Resolver::new(document, root.as_deref()).map(Some)
    }

    /// Refuses `--fragment` for a dialect that has no fragments of this kind.
    fn refuse_fragment(&self, advice: &str) -> Result<(), Failure> {
        match self.fragment {
            Some(_) => Err(Failure::Unusable(format!(
                "--fragment is for html and xml{advice}"
            ))),
            None => Ok(()),
        }
    }

    /// Returns MicroXML with its options.
    pub(crate) fn microxml(&self) -> Result<MicroXml, Failure> {
        self.refuse_fragment("")?;
        let microxml = if self.strict {
            MicroXml::strict()
        } else {
            MicroXml::default()
        };
        Ok(microxml.revision(match self.revision {
            Some(MicroXmlRevision::Final) => Revision::Final,
            Some(MicroXmlRevision::First) | None => Revision::First,
        }))
    }

    /// Returns LeafXML with its options.
    pub(crate) fn leafxml(&self) -> Result<LeafXml, Failure> {
        self.refuse_fragment("")?;
        Ok(LeafXml::default()
            .comments(self.comments)
            .processing_instructions(self.processing_instructions)
            .doctype(self.doctype))
    }

    /// Returns Sky with its options.
    pub(crate) fn sky(&self, input: &mut Input) -> Result<Sky, Failure> {
        self.refuse_fragment(": use --context fragment for sky")?;
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

    /// Returns HTML with its options, or a failure with `--strict`.
    pub(crate) fn html(&self) -> Result<Html, Failure> {
        if self.strict {
            let reason = "html has no strict mode: its standard reads every input";
            return Err(Failure::Unusable(reason.to_owned()));
        }
        self.recovering_html()
    }

    /// Returns HTML with its options, and ignores `--strict`.
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

/// Returns the encoding with a label. `find` looks the label up as the dialect defines labels.
pub(super) fn known(label: &str, find: fn(&str) -> Option<Encoding>) -> Result<Encoding, Failure> {
    find(label).ok_or_else(|| Failure::Unusable(format!("no encoding has the label {label:?}")))
}
