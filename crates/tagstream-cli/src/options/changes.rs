//! The options of the subcommands `rewrite` and `select`, which have selectors, and of `text`.

use super::input::InputOptions;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct RewriteOptions {
    /// Set an attribute: `a[target=_blank]@rel=noopener`.
    #[arg(long, value_name = "SELECTOR@NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// Remove an attribute: `*@onclick`.
    #[arg(long, value_name = "SELECTOR@NAME")]
    pub(crate) unset: Vec<String>,
    /// Rename elements: `b=strong`.
    #[arg(long, value_name = "SELECTOR=NAME")]
    pub(crate) rename: Vec<String>,
    /// Remove elements with their contents.
    #[arg(long, value_name = "SELECTOR")]
    pub(crate) remove: Vec<String>,
    /// Remove the tags of elements and keep their contents.
    #[arg(long, value_name = "SELECTOR")]
    pub(crate) unwrap: Vec<String>,
    /// Replace the contents of elements with text: `h1=News`.
    #[arg(long = "text", value_name = "SELECTOR=TEXT")]
    pub(crate) content: Vec<String>,
    /// Insert markup before elements: `h1=<hr>`.
    #[arg(long, value_name = "SELECTOR=MARKUP")]
    pub(crate) before: Vec<String>,
    /// Insert markup after elements.
    #[arg(long, value_name = "SELECTOR=MARKUP")]
    pub(crate) after: Vec<String>,
    /// Insert markup at the beginning of elements.
    #[arg(long, value_name = "SELECTOR=MARKUP")]
    pub(crate) prepend: Vec<String>,
    /// Insert markup at the end of elements: `head=<link rel=icon href=i.png>`.
    #[arg(long, value_name = "SELECTOR=MARKUP")]
    pub(crate) append: Vec<String>,
    /// Each SELECTOR is an XPath 1.0 expression that start tags decide: `--remove '//a[@rel = "ad"]'`. An expression that
    /// needs a tree is refused.
    #[arg(long)]
    pub(crate) xpath: bool,
    /// Declare a namespace prefix for the selectors or expressions: `atom=http://www.w3.org/2005/Atom`.
    #[arg(long, value_name = "PREFIX=NAMESPACE")]
    pub(crate) namespace: Vec<String>,
    /// Feed the rewriter chunks of this many bytes; the output is the same.
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u32).range(1..=1 << 30))]
    pub(crate) chunk: Option<u32>,
    /// Write each document to its file instead of standard output. The new file replaces the old one only when it is
    /// complete, and keeps its permissions. A file that does not change, or that has an error, is not modified.
    /// Standard input, packed files and symbolic links are refused.
    #[arg(long)]
    pub(crate) in_place: bool,
    /// The file to rewrite, or - for standard input; several files with --in-place.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) input: InputOptions,
}

/// The form in which the text of an element is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TextForm {
    /// As a browser shows it: blocks, line breaks and rows of tables are lines, and scripts and hidden elements are left
    /// out.
    Lines,
    /// In one line: each run of white space becomes a space, and none is at the start and the end.
    Trim,
    /// All text as it stands.
    Raw,
}

#[derive(Args, Debug)]
pub(crate) struct SelectOptions {
    /// The selector: `main a[href]`, `feed > entry`; with --xpath an expression: `//a/@href`, `count(//entry)`.
    pub(crate) selector: String,
    /// SELECTOR is an XPath 1.0 expression, and the document is its context. Elements are written as those that a selector
    /// selects. The values of attributes and of other nodes, numbers, strings and booleans are written one a line.
    #[arg(long)]
    pub(crate) xpath: bool,
    /// Write the text in each element instead of its markup [default of FORM: raw].
    #[arg(long = "text", value_enum, value_name = "FORM", num_args = 0..=1, require_equals = true,
        default_missing_value = "raw", conflicts_with_all = ["attribute", "count"])]
    pub(crate) content: Option<TextForm>,
    /// Write the value of an attribute of each element that has the attribute.
    #[arg(long, value_name = "NAME", conflicts_with = "count")]
    pub(crate) attribute: Option<String>,
    /// Write the number of elements.
    #[arg(long)]
    pub(crate) count: bool,
    /// Write the bytes of each element as they are in the input, in its encoding, from the start tag to the end tag.
    #[arg(long, conflicts_with_all = ["content", "attribute", "count", "json"])]
    pub(crate) source: bool,
    /// Write one JSON object per line: the name, the attributes as an object, the requested data, the line and the
    /// column.
    #[arg(long)]
    pub(crate) json: bool,
    /// Declare a namespace prefix for the selector or the expression: `atom=http://www.w3.org/2005/Atom`.
    #[arg(long, value_name = "PREFIX=NAMESPACE")]
    pub(crate) namespace: Vec<String>,
    /// Build the tree first, as for selectors that start tags alone do not decide. Content that HTML moves out of a
    /// table is then found and written at its position in the tree.
    #[arg(long)]
    pub(crate) tree: bool,
    /// The files to read, or - for standard input.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) input: InputOptions,
}

#[derive(Args, Debug)]
pub(crate) struct TextOptions {
    /// The files to read, or - for standard input.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) input: InputOptions,
}
