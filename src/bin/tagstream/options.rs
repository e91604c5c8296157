//! The arguments of the command line, and the dialects that they ask for.
//!
//! Options of a dialect are flags named like the builder's methods, the same on every subcommand.
//! Nothing is read or written here.

use crate::failure::Failure;
use crate::guess;
use crate::input::{Given, Input};
use crate::resolve::Resolver;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
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
    /// Write what may stay of HTML that others wrote: nothing that runs, and by default what the Sanitizer of
    /// the HTML standard lets stay.
    Sanitize(SanitizeOptions),
    /// Write the completions of the arguments for a shell: `tagstream completions bash`.
    Completions {
        /// The shell.
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Write the manual page: `tagstream man | man -l -`.
    Man,
    /// Write how HTML is parsed, as a page of Markdown: what happens to each token in each mode, made of the tables
    /// that the parser works by.
    Schema,
}

/// What writes something for one document.
#[derive(Debug, Subcommand)]
pub(crate) enum Writing {
    /// Write the events of documents as their bytes arrive, in constant memory. Of several documents each
    /// line says which one it is of.
    Events(EventsOptions),
    /// Build the tree of a document and write it.
    Tree(TreeOptions),
    /// Pass documents on with changes, as their bytes arrive; all else stays as it is, byte for byte. Selectors
    /// are those of CSS; where a start tag does not decide one (`:has()`, `:last-child`), the whole document is
    /// read first.
    ///
    /// Exit status: 0 where every document was read and changed as asked, or nothing was to be changed; 1 where a
    /// change cannot be written, --strict refuses a document or a limit is exceeded; 2 where there is nothing to
    /// read, a file cannot be written or the arguments are wrong.
    // What others call so is `--as-text` here.
    #[command(mut_arg("text", |text| text.long("as-text")))]
    Rewrite(RewriteOptions),
    /// Write the elements of documents that a CSS selector selects, as soon as they have been read; of several
    /// documents each line begins with which one it is of.
    ///
    /// Exit status: 0 where something was found, 1 where nothing was or --strict refuses the input, 2 where there
    /// is nothing to read or the arguments are wrong.
    #[command(mut_arg("text", |text| text.long("as-text")))]
    Select(SelectOptions),
}

impl Writing {
    /// The documents.
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

    /// How they are read.
    pub(crate) fn input(&self) -> &InputOptions {
        match self {
            Writing::Events(events) => &events.input,
            Writing::Tree(tree) => &tree.input,
            Writing::Rewrite(rewrite) => &rewrite.input,
            Writing::Select(select) => &select.input,
        }
    }

    /// The name of the option that reads everything as text. `rewrite` and `select` use `--text` for something else.
    pub(crate) fn text_option(&self) -> &'static str {
        match self {
            Writing::Events(_) | Writing::Tree(_) => "--text",
            Writing::Rewrite(_) | Writing::Select(_) => "--as-text",
        }
    }

    /// The size of the chunks that they are read in, where that is asked for.
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
    /// Write the line and the column of every event in JSON, too.
    #[arg(long)]
    pub(crate) positions: bool,
    /// Save now and then where the work stands, in this file; after an interruption, the same command goes on from
    /// there. It is removed when all is done.
    #[arg(long, value_name = "FILE", requires = "output")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// How many bytes of input are read between two checkpoints.
    #[arg(long, value_name = "BYTES", default_value_t = 64 << 20, requires = "checkpoint",
        value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) checkpoint_every: u64,
    /// Write to this file, with --checkpoint. A symbolic link is refused, so that no other file is overwritten.
    #[arg(long, value_name = "FILE", requires = "checkpoint")]
    pub(crate) output: Option<PathBuf>,
    /// The files to read, or - for standard input.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) input: InputOptions,
}

impl EventsOptions {
    /// The name of `file`, where there are several.
    pub(crate) fn told_apart(&self, file: &Path) -> Option<String> {
        (self.files.len() > 1).then(|| file.to_string_lossy().into_owned())
    }
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
    /// Indent each element by N more than its parent (xml, html, json), where white space changes nothing:
    /// in XML where elements hold no text, in HTML between blocks [default of N: 2].
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "2",
        value_parser = clap::value_parser!(u8).range(0..=16))]
    pub(crate) indent: Option<u8>,
    /// The file to read, or - for standard input.
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) input: InputOptions,
}

#[derive(Args, Debug)]
pub(crate) struct RewriteOptions {
    /// Give an attribute a value: `a[target=_blank]@rel=noopener`.
    #[arg(long, value_name = "SELECTOR@NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// Take an attribute away: `*@onclick`.
    #[arg(long, value_name = "SELECTOR@NAME")]
    pub(crate) unset: Vec<String>,
    /// Give elements another name: `b=strong`.
    #[arg(long, value_name = "SELECTOR=NAME")]
    pub(crate) rename: Vec<String>,
    /// Remove elements with all that they hold.
    #[arg(long, value_name = "SELECTOR")]
    pub(crate) remove: Vec<String>,
    /// Remove the tags of elements, and leave what is between them.
    #[arg(long, value_name = "SELECTOR")]
    pub(crate) unwrap: Vec<String>,
    /// Put text in the place of all that elements hold: `h1=News`.
    #[arg(long = "text", value_name = "SELECTOR=TEXT")]
    pub(crate) content: Vec<String>,
    /// Feed the rewriter chunks of so many bytes; the output is the same.
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u32).range(1..=1 << 30))]
    pub(crate) chunk: Option<u32>,
    /// Write each document into its file in place of standard output. A file takes the place of the one before
    /// only when it is complete, and keeps its permissions; a file that does not change is not touched, and one
    /// with an error stays as it was. Standard input, packed files and symbolic links are refused.
    #[arg(long)]
    pub(crate) in_place: bool,
    /// The file to pass on, or - for standard input; several with --in-place.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) input: InputOptions,
}

#[derive(Args, Debug)]
pub(crate) struct SelectOptions {
    /// The selector: `main a[href]`, `feed > entry`.
    pub(crate) selector: String,
    /// Write the text in each element, in place of its markup.
    #[arg(long = "text", conflicts_with_all = ["attribute", "count"])]
    pub(crate) content: bool,
    /// Write the value of an attribute of each element, if it has one.
    #[arg(long, value_name = "NAME", conflicts_with = "count")]
    pub(crate) attribute: Option<String>,
    /// Write how many elements there are.
    #[arg(long)]
    pub(crate) count: bool,
    /// Write one JSON object a line: name, attributes, what is asked for, line and column.
    #[arg(long)]
    pub(crate) json: bool,
    /// Say what a prefix in the selector means: `atom=http://www.w3.org/2005/Atom`.
    #[arg(long, value_name = "PREFIX=NAMESPACE")]
    pub(crate) namespace: Vec<String>,
    /// Build the tree first, as is done where a start tag does not decide the selector: what HTML moves out of a
    /// table is found, and written, where it belongs.
    #[arg(long)]
    pub(crate) tree: bool,
    /// The files to read, or - for standard input.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) input: InputOptions,
}

impl SelectOptions {
    /// The name of `file`, where there are several.
    pub(crate) fn told_apart(&self, file: &Path) -> Option<String> {
        (self.files.len() > 1).then(|| file.to_string_lossy().into_owned())
    }
}

#[derive(Args, Debug)]
pub(crate) struct SanitizeOptions {
    /// Begin with what suits comments and posts: pictures, links that get rel=nofollow.
    #[arg(long)]
    pub(crate) user_content: bool,
    /// Let an element stay, or an attribute of one or of all: img, img@src, @id.
    #[arg(long, value_name = "NAME")]
    pub(crate) allow: Vec<String>,
    /// Remove an element with all that is in it, or an attribute: a, a@title, @lang.
    #[arg(long, value_name = "NAME")]
    pub(crate) remove: Vec<String>,
    /// Put what is in an element into its place.
    #[arg(long, value_name = "NAME")]
    pub(crate) unwrap: Vec<String>,
    /// Let comments stay.
    #[arg(long)]
    pub(crate) comments: bool,
    /// Let only relative URLs stay and those of this scheme: https. Several options are several schemes, in the place
    /// of those of --user-content.
    #[arg(long, value_name = "SCHEME")]
    pub(crate) scheme: Vec<String>,
    /// Give all links this rel, in the place of that of --user-content: nofollow.
    #[arg(long, value_name = "VALUE")]
    pub(crate) rel: Option<String>,
    /// Read the input as text, whatever its first bytes say: without this gzip, zstd, bzip2 and xz are
    /// unpacked, and what is no markup is refused.
    #[arg(long)]
    pub(crate) text: bool,
    /// The encoding of the input [default: utf-8].
    #[arg(long, value_name = "LABEL")]
    encoding: Option<String>,
    /// Read as what is in such an element: td, "svg path" [default: div].
    #[arg(long, value_name = "CONTEXT")]
    pub(crate) fragment: Option<String>,
    /// The file to read, or - for standard input.
    pub(crate) file: PathBuf,
}

impl SanitizeOptions {
    /// The encoding of the input.
    pub(crate) fn encoding(&self) -> Result<Encoding, Failure> {
        match &self.encoding {
            Some(label) => known(label, Encoding::for_label),
            None => Ok(Encoding::UTF_8),
        }
    }
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

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum TreeFormat {
    /// For reading: a node a line, indented.
    #[default]
    Outline,
    /// XML.
    Xml,
    /// Canonical XML, as the XML conformance suite writes it, without a newline at its end.
    Canonical,
    /// Canonical XML 1.0 of the W3C, without comments and without a newline at its end.
    C14n,
    /// The same with comments.
    C14nComments,
    /// HTML, by the rules of its standard for serialising.
    Html,
    /// The notation of the html5lib suite.
    Html5lib,
    /// One JSON object: each node has its kind, and what it holds as children.
    Json,
}

/// What all subcommands take: the dialect, and the options of that.
#[derive(Args, Debug)]
pub(crate) struct InputOptions {
    /// The dialect that the input is read as [default: guessed from the file's name, else from its
    /// first bytes, else xml].
    #[arg(long, value_enum, help_heading = INPUT)]
    pub(crate) dialect: Option<DialectName>,
    /// Read the input as text, whatever its first bytes say: without this gzip, zstd, bzip2 and xz are
    /// unpacked, and what is no markup is refused; a NUL is no reason for that where --dialect,
    /// --encoding or the file's name says what it is.
    #[arg(long, help_heading = INPUT)]
    text: bool,
    /// The encoding of the input, as its transport says it; a byte-order mark goes before it (html, xml).
    #[arg(long, value_name = "LABEL", help_heading = INPUT)]
    encoding: Option<String>,
    /// Refuse what the dialect's standard refuses: the first error ends the parse (xml, microxml; leafxml
    /// always does).
    #[arg(long, help_heading = INPUT)]
    pub(crate) strict: bool,
    /// Read as with scripting on: noscript holds text.
    #[arg(long, help_heading = "HTML")]
    scripting: bool,
    /// Read as what is in such an element: div, "svg path", "math mi".
    #[arg(long, value_name = "CONTEXT", help_heading = "HTML")]
    pub(crate) fragment: Option<String>,
    /// Read `<?` as the beginning of a comment, as HTML did before it had processing instructions.
    #[arg(long, help_heading = "HTML")]
    no_processing_instructions: bool,
    /// Do not process namespaces.
    #[arg(long, help_heading = "XML")]
    pub(crate) no_namespaces: bool,
    /// Read external entities and the external subset from files below ROOT, links followed and
    /// checked; nothing else is read for them [default of ROOT: the folder of the document].
    #[arg(long, value_name = "ROOT", num_args = 0..=1, require_equals = true, help_heading = "XML")]
    resolve: Option<Option<PathBuf>>,
    /// The revision by which errors are recovered from [default: first].
    #[arg(long, value_enum, help_heading = "MicroXML")]
    revision: Option<MicroXmlRevision>,
    /// What the input is a piece of [default: what its first byte says].
    #[arg(long, value_enum, help_heading = "Sky")]
    pub(crate) context: Option<SkyContext>,
    /// The tag names that are registered; others are error elements, which the tree and check show
    /// [default: all names].
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        help_heading = "Sky"
    )]
    registered: Option<Vec<String>>,
    /// Give comments as events.
    #[arg(long, help_heading = "LeafXML")]
    comments: bool,
    /// Give processing instructions as events.
    #[arg(
        long,
        conflicts_with = "no_processing_instructions",
        help_heading = "LeafXML"
    )]
    processing_instructions: bool,
    /// Give the DOCTYPE as an event.
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
    /// What is said of a file that is read so, in chunks of a size if one is given.
    pub(crate) fn given(
        &self,
        file: &Path,
        chunk: Option<u32>,
        text_option: &'static str,
    ) -> Given {
        Given {
            chunk,
            text_option,
            is_text: self.text,
            is_known: self.dialect.is_some()
                || self.encoding.is_some()
                || guess::by_name(file).is_some(),
        }
    }

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
