//! The command-line arguments, and the dialects that they configure.
//!
//! Options of a dialect are flags named like the builder's methods, and are the same for every subcommand. This module
//! does not read or write files.

mod changes;
#[cfg(feature = "records")]
mod records;

pub(crate) use changes::{RewriteOptions, SelectOptions};
#[cfg(feature = "records")]
pub(crate) use records::{RecordsFormat, RecordsOptions};

use crate::failure::Failure;
use crate::guess;
pub(crate) use crate::guess::DialectName;
use crate::input::{Given, Input, NEEDS_REGULAR_FILE};
use crate::replace;
use crate::resolve::Resolver;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use std::path::{Path, PathBuf};
use tagstream::microxml::Revision;
use tagstream::{Encoding, Html, LeafXml, MicroXml, Sky, Xml};

/// Reads markup as it arrives: HTML, XML, MicroXML, Sky or LeafXML, well-formed or not. Writes its events, its tree, its
/// records, or its errors.
///
/// Exit status: 0 if the input was read to its end, even if it has errors (check: if there are no errors); 1 if
/// --strict refuses the input or a limit is exceeded (check: if there are errors); 2 if the input cannot be read or the
/// arguments are wrong.
#[derive(Debug, Parser)]
#[command(name = "tagstream", version, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    #[command(flatten)]
    Write(Box<Writing>),
    /// Show every error of documents: its position, its name, and the line with the position marked.
    ///
    /// Exit status: 0 if there are no errors, 1 if there are errors, 2 if a file cannot be read or the arguments are
    /// wrong.
    Check(CheckOptions),
    /// Remove everything from HTML that is not allowed. Nothing that can run a script remains. By default, the
    /// Sanitizer of the HTML standard decides what is allowed.
    Sanitize(SanitizeOptions),
    /// Write the records of XML as rows: JSON Lines, CSV, Arrow or Parquet. Child elements and attributes of a record are
    /// its columns; the mapping and the options are those of Spark's XML data source. All files have the same columns.
    ///
    /// Exit status: 0 if the input was read to its end, even if rows are malformed; 1 if the mode FAILFAST refuses a row,
    /// a limit is exceeded, or no row is found to infer the schema from; 2 if a file cannot be read or written or the
    /// arguments are wrong.
    #[cfg(feature = "records")]
    Records(RecordsOptions),
    /// Show how documents are parsed, in a page of the browser: source, events and tree side by side, and every step of
    /// the parser. The page is served on the loopback interface until the program is ended. Nothing leaves the machine.
    ///
    /// Exit status: 2 if the page cannot be served, the file cannot be read or the arguments are wrong.
    #[cfg(feature = "explore")]
    Explore(crate::explore::ExploreOptions),
    /// Write the shell completions of the arguments: `tagstream completions bash`.
    Completions {
        /// The shell.
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Write the manual page of the program and of each subcommand: `tagstream man | man -l -`.
    Man {
        /// Write each page to a file of this folder instead: tagstream.1, tagstream-events.1 and so on.
        #[arg(long, value_name = "FOLDER")]
        folder: Option<PathBuf>,
    },
    /// Write how HTML is parsed, as a page of Markdown: the action for each token in each insertion mode, generated
    /// from the tables that the parser uses.
    Schema,
}

/// The subcommands that write the result of reading a document in any dialect.
#[derive(Debug, Subcommand)]
pub(crate) enum Writing {
    /// Write the events of documents as their bytes arrive, in constant memory. If there are several documents, each
    /// line contains the name of its document. HTML without --encoding waits for the first 1,024 bytes, which may
    /// declare the encoding.
    Events(EventsOptions),
    /// Build the tree of a document and write it.
    Tree(TreeOptions),
    /// Pass documents on with changes, as their bytes arrive; everything else stays the same, byte for byte. Selectors
    /// are those of CSS. If start tags alone do not decide a selector (`:has()`, `:last-child`), the whole document is
    /// read first. HTML without --encoding waits for the first 1,024 bytes, which may declare the encoding.
    ///
    /// Exit status: 0 if every document was read and changed as requested, or needed no change; 1 if a change cannot be
    /// written, --strict refuses a document or a limit is exceeded; 2 if a document cannot be read, a file cannot be
    /// written or the arguments are wrong.
    // `--text`, the earlier name of `--as-text`, is another option here.
    #[command(mut_arg("text", |text| text.alias(None::<&'static str>)))]
    Rewrite(RewriteOptions),
    /// Write the elements of documents that a CSS selector selects, as soon as they have been read. If there are
    /// several documents, each line begins with the name of its document. HTML without --encoding waits for the first
    /// 1,024 bytes, which may declare the encoding.
    ///
    /// Exit status: 0 if an element was found; 1 if none was found, an element has a name or a character that XML
    /// cannot express (the other elements are written), or --strict refuses the input; 2 if the input cannot be read or
    /// the arguments are wrong.
    #[command(mut_arg("text", |text| text.alias(None::<&'static str>)))]
    Select(SelectOptions),
}

impl Writing {
    /// Returns the files to read.
    pub(crate) fn files(&self) -> &[PathBuf] {
        match self {
            Writing::Events(events) => &events.files,
            Writing::Tree(tree) => std::slice::from_ref(&tree.file),
            Writing::Rewrite(rewrite) => &rewrite.files,
            Writing::Select(select) => &select.files,
        }
    }

    /// Refuses combinations of arguments that clap cannot express.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        let Writing::Rewrite(rewrite) = self else {
            return Ok(());
        };
        let reason = match rewrite.in_place {
            true if rewrite.files.iter().any(|file| file == Path::new("-")) => {
                "--in-place writes to files, and - is standard input"
            }
            false if rewrite.files.len() > 1 => {
                "standard output takes one document: rewrite several files with --in-place"
            }
            _ => return Ok(()),
        };
        Err(Failure::Unusable(reason.to_owned()))
    }

    /// Returns the options for reading the input.
    pub(crate) fn input(&self) -> &InputOptions {
        match self {
            Writing::Events(events) => &events.input,
            Writing::Tree(tree) => &tree.input,
            Writing::Rewrite(rewrite) => &rewrite.input,
            Writing::Select(select) => &select.input,
        }
    }

    /// Returns the message about a file that is not a regular file, if the options need one.
    pub(crate) fn needs_regular_file(&self) -> Option<&'static str> {
        match self {
            Writing::Rewrite(rewrite) if rewrite.in_place => Some(replace::NEEDS_REGULAR_FILE),
            Writing::Events(events) if events.checkpoint.is_some() => Some(NEEDS_REGULAR_FILE),
            _ => None,
        }
    }

    /// Returns the size of the chunks that the parser is fed, in bytes, if an option sets it.
    pub(crate) fn chunk(&self) -> Option<u32> {
        match self {
            Writing::Events(events) => events.chunk,
            Writing::Tree(_) => None,
            Writing::Rewrite(rewrite) => rewrite.chunk,
            Writing::Select(_) => None,
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct EventsOptions {
    /// Feed the parser chunks of this many bytes; the events are the same.
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u32).range(1..=1 << 30))]
    pub(crate) chunk: Option<u32>,
    /// The format of the events.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: EventsFormat,
    /// Also write parse errors that were recovered from.
    #[arg(long)]
    pub(crate) errors: bool,
    /// Write balanced events: every start has its end, in order.
    #[arg(long)]
    pub(crate) balanced: bool,
    /// Write text in pieces, as it arrives, instead of whole runs.
    #[arg(long)]
    pub(crate) pieces: bool,
    /// Also write the line and the column of every event in JSON.
    #[arg(long)]
    pub(crate) positions: bool,
    /// Save the progress in this file from time to time; after an interruption, the same command continues from there.
    /// The file is removed when all input is processed.
    #[arg(long, value_name = "FILE", requires = "output")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// The number of bytes of input between two checkpoints.
    #[arg(long, value_name = "BYTES", default_value_t = 64 << 20, requires = "checkpoint",
        value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) checkpoint_every: u64,
    /// Write to this file; required by --checkpoint. A symbolic link is refused, so that no other file is overwritten.
    #[arg(long, value_name = "FILE", requires = "checkpoint")]
    pub(crate) output: Option<PathBuf>,
    /// The files to read, or - for standard input.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) input: InputOptions,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum EventsFormat {
    /// For reading: positions, indentation, colours on a terminal.
    #[default]
    Text,
    /// One JSON object per line.
    Json,
}

#[derive(Args, Debug)]
pub(crate) struct TreeOptions {
    /// The format of the tree. On a terminal, control characters and characters that change the text direction are
    /// escaped in every format; otherwise only in the outline.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: TreeFormat,
    /// Indent each element by N more than its parent (xml, html, json), where whitespace has no effect: in XML where
    /// elements contain no text, in HTML between blocks [default of N: 2].
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "2",
        value_parser = clap::value_parser!(u8).range(0..=16))]
    pub(crate) indent: Option<u8>,
    /// The file to read, or - for standard input.
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) input: InputOptions,
}

#[derive(Args, Debug)]
pub(crate) struct SanitizeOptions {
    /// Start with a configuration for comments and posts: it allows images, and links get rel=nofollow.
    #[arg(long)]
    pub(crate) user_content: bool,
    /// Allow an element, or an attribute of one element or of all: img, img@src, @id.
    #[arg(long, value_name = "NAME")]
    pub(crate) allow: Vec<String>,
    /// Remove an element with its contents, or an attribute: a, a@title, @lang.
    #[arg(long, value_name = "NAME")]
    pub(crate) remove: Vec<String>,
    /// Replace an element with its contents.
    #[arg(long, value_name = "NAME")]
    pub(crate) unwrap: Vec<String>,
    /// Keep comments.
    #[arg(long)]
    pub(crate) comments: bool,
    /// Allow only relative URLs and URLs with this scheme: https. The option can be repeated, and replaces the schemes
    /// of --user-content.
    #[arg(long, value_name = "SCHEME")]
    pub(crate) scheme: Vec<String>,
    /// Set the rel attribute of all links to this value, for example nofollow. Replaces that of --user-content.
    #[arg(long, value_name = "VALUE")]
    pub(crate) rel: Option<String>,
    /// Read the input as text, whatever its first bytes are. Without this option, gzip, zstd, bzip2 and xz are
    /// unpacked, and input that is not markup is refused.
    #[arg(long = "as-text", alias = "text")]
    pub(crate) text: bool,
    /// The encoding of the input [default: utf-8].
    #[arg(long, value_name = "LABEL")]
    encoding: Option<String>,
    /// Parse the input as the contents of this element: td, "svg path" [default: div].
    #[arg(long, value_name = "CONTEXT")]
    pub(crate) fragment: Option<String>,
    /// The file to read, or - for standard input.
    pub(crate) file: PathBuf,
}

impl SanitizeOptions {
    /// Returns the encoding of the input.
    pub(crate) fn encoding(&self) -> Result<Encoding, Failure> {
        match &self.encoding {
            Some(label) => known(label, Encoding::for_label),
            None => Ok(Encoding::UTF_8),
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct CheckOptions {
    /// The format of the errors.
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
    /// For reading: like the messages of compilers, with colours on a terminal.
    #[default]
    Text,
    /// One JSON object per line.
    Json,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum TreeFormat {
    /// For reading: one node per line, indented.
    #[default]
    Outline,
    /// XML.
    Xml,
    /// Canonical XML, as in the XML conformance suite, without a newline at the end.
    Canonical,
    /// Canonical XML 1.0 of the W3C, without comments and without a newline at the end.
    C14n,
    /// Canonical XML 1.0 of the W3C, with comments and without a newline at the end.
    C14nComments,
    /// HTML, serialized as in its standard.
    Html,
    /// The format of the html5lib test suite.
    Html5lib,
    /// One JSON object: each node has its kind, and its contents as children.
    Json,
}

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

/// Returns the name of `file` for the output if it is one of several `files`.
pub(crate) fn name_among(files: &[PathBuf], file: &Path) -> Option<String> {
    (files.len() > 1).then(|| file.to_string_lossy().into_owned())
}

/// Returns the encoding with a label. `find` looks the label up as the dialect defines labels.
fn known(label: &str, find: fn(&str) -> Option<Encoding>) -> Result<Encoding, Failure> {
    find(label).ok_or_else(|| Failure::Unusable(format!("no encoding has the label {label:?}")))
}
