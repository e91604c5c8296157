//! The command-line arguments: the subcommands and their options. The files below have those of some subcommands, and
//! `input.rs` has the options of the dialects.
//!
//! This module does not read or write files.

mod changes;
mod input;
#[cfg(feature = "records")]
mod records;

pub(crate) use changes::{RewriteOptions, SelectOptions, TextForm, TextOptions};
pub(crate) use input::{InputOptions, SkyContext};
#[cfg(feature = "records")]
pub(crate) use records::{RecordsFormat, RecordsOptions};

use crate::failure::Failure;
pub(crate) use crate::guess::DialectName;
use crate::input::NEEDS_REGULAR_FILE;
use crate::replace;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use input::known;
use std::path::{Path, PathBuf};
use tagstream::Encoding;

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

impl Arguments {
    /// Parses the arguments of the program. An XPath expression of `select` can begin with a minus.
    pub(crate) fn parsed() -> Result<Arguments, clap::Error> {
        Arguments::try_parse().or_else(|error| Arguments::with_minus().ok_or(error))
    }

    /// Parses arguments with an XPath expression that begins with a minus, which would be an unknown option otherwise.
    /// Returns `None` for other arguments.
    fn with_minus() -> Option<Arguments> {
        let command = Arguments::command().mut_subcommand("select", |select| {
            // `mut_arg` would move the argument after the other positional one.
            select.mut_args(|argument| match argument.get_id() == "selector" {
                true => argument.allow_hyphen_values(true),
                false => argument,
            })
        });
        let matches = command.try_get_matches().ok()?;
        let arguments = Arguments::from_arg_matches(&matches).ok()?;
        let Command::Write(writing) = &arguments.command else {
            return None;
        };
        let Writing::Select(select) = &**writing else {
            return None;
        };
        // An option with two hyphens and a letter was mistyped.
        let minus = select.selector.strip_prefix('-').filter(|_| select.xpath)?;
        let is_option = minus.strip_prefix('-').is_some_and(|name| {
            name.starts_with(|first: char| first.is_ascii_alphabetic()) && !name.contains('(')
        });
        (!is_option).then_some(arguments)
    }
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
    /// Write the elements of documents that a CSS selector selects, as soon as they have been read, or the value of an XPath
    /// expression. If there are
    /// several documents, each line begins with the name of its document. HTML without --encoding waits for the first
    /// 1,024 bytes, which may declare the encoding.
    ///
    /// Exit status: 0 if an element or another value was found; 1 if none was found, an element has a name or a character that XML
    /// cannot express (the other elements are written), or --strict refuses the input; 2 if the input cannot be read or
    /// the arguments are wrong.
    #[command(mut_arg("text", |text| text.alias(None::<&'static str>)))]
    Select(SelectOptions),
    /// Write the text of documents as a browser shows it without style sheets, while their bytes arrive: blocks, line
    /// breaks and rows of tables are lines, the cells of a row are separated by tabs, and scripts, styles and hidden
    /// elements are left out.
    Text(TextOptions),
}

impl Writing {
    /// Returns the files to read.
    pub(crate) fn files(&self) -> &[PathBuf] {
        match self {
            Writing::Events(events) => &events.files,
            Writing::Tree(tree) => std::slice::from_ref(&tree.file),
            Writing::Rewrite(rewrite) => &rewrite.files,
            Writing::Select(select) => &select.files,
            Writing::Text(text) => &text.files,
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
            Writing::Text(text) => &text.input,
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
            Writing::Select(_) | Writing::Text(_) => None,
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
    /// Refuse a tree that XML cannot express, with exit status 1. Without this option, the format xml changes names,
    /// characters and comments so that the output is well-formed, and reports the changes on standard error.
    #[arg(long)]
    pub(crate) strict_output: bool,
    /// Write CDATA sections as sections, not as escaped text (format xml; xml, microxml, leafxml).
    #[arg(long)]
    pub(crate) keep_cdata: bool,
    /// Write the whole internal subset of the document type as it is, not only its notations and processing
    /// instructions (format xml; xml).
    #[arg(long)]
    pub(crate) keep_subset: bool,
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
    /// Allow an element, or an attribute of one element or of all: img, img@src, @id or *@id.
    #[arg(long, value_name = "NAME")]
    pub(crate) allow: Vec<String>,
    /// Remove an element with its contents, or an attribute: a, a@title, @lang or *@lang.
    #[arg(long, value_name = "NAME")]
    pub(crate) remove: Vec<String>,
    /// Replace an element with its contents.
    #[arg(long, value_name = "NAME")]
    pub(crate) unwrap: Vec<String>,
    /// Treat elements that no rule names in this way. By default they are removed.
    #[arg(long, value_enum, default_value_t, hide_default_value = true)]
    pub(crate) unknown: UnknownElements,
    /// Allow this class on every element, and remove all other classes. The option can be repeated.
    #[arg(long, value_name = "NAME")]
    pub(crate) allow_class: Vec<String>,
    /// Allow this CSS property in style attributes, and remove all others: color. The option can be repeated.
    #[arg(long, value_name = "PROPERTY")]
    pub(crate) allow_css: Vec<String>,
    /// Set an attribute of all elements with this name: a@target=_blank. A URL needs a scheme that is allowed. The
    /// option can be repeated.
    #[arg(long, value_name = "ELEMENT@NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// Put this prefix before all identifiers, and before the references to them.
    #[arg(long, value_name = "PREFIX")]
    pub(crate) id_prefix: Option<String>,
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
    /// Read an SVG image, which is XML. Without this option, files whose name ends with .svg are SVG images.
    #[arg(long, conflicts_with = "fragment")]
    pub(crate) svg: bool,
    /// The file to read, or - for standard input.
    pub(crate) file: PathBuf,
}

impl SanitizeOptions {
    /// Returns the encoding of the input, or `None` if no option sets it.
    pub(crate) fn encoding(&self) -> Result<Option<Encoding>, Failure> {
        let label = self.encoding.as_ref();
        label
            .map(|label| known(label, Encoding::for_label))
            .transpose()
    }
}

/// The treatment of elements that no rule names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum UnknownElements {
    /// Remove them with their contents.
    #[default]
    Remove,
    /// Replace them with their contents.
    Unwrap,
    /// Show their tags as text.
    Escape,
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
    /// Exclusive XML Canonicalization 1.0 of the W3C, without comments and without a newline at the end.
    ExcC14n,
    /// Exclusive XML Canonicalization 1.0 of the W3C, with comments and without a newline at the end.
    ExcC14nComments,
    /// HTML, serialized as in its standard.
    Html,
    /// The format of the html5lib test suite.
    Html5lib,
    /// One JSON object: each node has its kind, and its contents as children.
    Json,
}

/// Returns the name of `file` for the output if it is one of several `files`.
pub(crate) fn name_among(files: &[PathBuf], file: &Path) -> Option<String> {
    (files.len() > 1).then(|| file.to_string_lossy().into_owned())
}
