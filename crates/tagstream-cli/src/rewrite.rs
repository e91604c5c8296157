//! The subcommand `rewrite`: passes a document on as its bytes arrive, with some changes.
//!
//! If start tags alone decide a selector, the rewriter matches it while the document is rewritten. Otherwise the document
//! is read into memory and parsed twice: first into a tree, in which the selector is matched, then by the rewriter.

mod changes;

use crate::failure::Failure;
use crate::input::Input;
use crate::options::RewriteOptions;
use crate::output::Output;
use crate::replace::{NEEDS_REGULAR_FILE, Replacement, refuse_link};
use crate::selectors;
use crate::shown;
use crate::tree;
use changes::{Change, Place, check_names, check_names_in_any_dialect, requests};
use std::collections::HashSet;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use tagstream::select::{Selector, SelectorId};
use tagstream::{
    Balance, Buildable, Content, Document, Nested, RewriteError, RewriteEvent, Rewriter, StartTag,
    TreeBuilder,
};

struct Rule {
    matcher: Matcher,
    change: Change,
}

/// Decides which elements a rule changes.
enum Matcher {
    /// Start tags decide the selector, and the rewriter matches it.
    Stream(SelectorId),
    /// The tree decides the selector. The set contains the tags of the selected elements.
    Tree(Selector, HashSet<Tag>),
}

/// Identifies an element in the tree and its start in the events: the byte offset in the input at which its tag begins,
/// and its name. The name distinguishes an implied element, such as `body`, from the tag that implies it.
type Tag = (u64, String);

impl Matcher {
    /// Returns true if an event is the start tag of a selected element.
    fn matches(&self, event: &RewriteEvent<'_>) -> bool {
        match self {
            Matcher::Stream(selector) => event.is_selected(*selector),
            Matcher::Tree(_, tags) => event
                .as_start()
                .is_some_and(|tag| tags.contains(&tag_of(&tag))),
        }
    }
}

fn tag_of(tag: &StartTag<'_>) -> Tag {
    (tag.span().start, tag.name().to_owned())
}

/// Rewrites `input` to standard output, or with `--in-place` to its file.
pub(crate) fn run<D: Balance + Buildable>(
    dialect: D,
    options: &RewriteOptions,
    mut input: Input,
) -> Result<(), Failure> {
    let mut rewriter = Rewriter::new(dialect.clone()).balanced();
    let mut rules = rules(&dialect, &mut rewriter, options)?;
    if options.in_place {
        return in_place(dialect, rewriter, &mut rules, input);
    }
    let mut output = Output::plain();
    let is_seen = io::stdout().is_terminal();
    let done = rewrite(
        dialect,
        rewriter,
        &mut rules,
        &mut input,
        &mut output,
        is_seen,
    );
    let flushed = output.flush();
    done?;
    Ok(flushed?)
}

/// Rewrites the file of the input, unless an error occurs or nothing changes.
fn in_place<D: Balance + Buildable>(
    dialect: D,
    rewriter: Rewriter<D, Nested>,
    rules: &mut [Rule],
    mut input: Input,
) -> Result<(), Failure> {
    let path = input.file().to_owned();
    let failure = |error: io::Error| Failure::read(&path, error);
    refuse_link(&path).map_err(failure)?;
    if !input.is_plain_file() {
        return Err(Failure::read(&path, NEEDS_REGULAR_FILE));
    }
    let (replacement, file) = Replacement::create(&path, beside(&input)).map_err(failure)?;
    let mut output = Output::file(file, 0, &path);
    rewrite(dialect, rewriter, rules, &mut input, &mut output, false)?;
    output.flush()?;
    if replacement.is_same().map_err(failure)? {
        return Ok(());
    }
    if let Some(file) = output.as_file() {
        replacement.keep_permissions(file).map_err(failure)?;
    }
    output.sync()?;
    replacement.rename().map_err(failure)
}

/// Returns the path of the new content of the input's file. It is in the same folder, because a file cannot be renamed
/// across file systems.
fn beside(input: &Input) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(input.file().file_name().unwrap_or_default());
    name.push(format!(".{}.new", std::process::id()));
    input.file().with_file_name(name)
}

fn rewrite<D: Balance + Buildable>(
    dialect: D,
    rewriter: Rewriter<D, Nested>,
    rules: &mut [Rule],
    input: &mut Input,
    output: &mut Output,
    is_seen: bool,
) -> Result<(), Failure> {
    if rules
        .iter()
        .any(|rule| matches!(rule.matcher, Matcher::Tree(..)))
    {
        let bytes = input.read_all(output)?;
        input.replay(bytes.clone());
        let builder = TreeBuilder::new(dialect).positions(true);
        let document = tree::build(builder, None, input, output)?;
        for rule in rules.iter_mut() {
            if let Matcher::Tree(selector, tags) = &mut rule.matcher {
                *tags = selected(&document, selector)?;
            }
        }
        input.replay(bytes);
    }
    pump(rewriter, rules, input, output, is_seen)
}

/// Returns the tags of the elements that a selector selects in a tree.
fn selected(document: &Document, selector: &Selector) -> Result<HashSet<Tag>, Failure> {
    let nodes = document
        .select(selector)
        .map_err(|error| selectors::failure(&selector.to_string(), &error))?;
    let tags = nodes.filter_map(|node| Some((node.span()?.start, node.name().to_owned())));
    Ok(tags.collect())
}

fn pump<D: Balance>(
    mut rewriter: Rewriter<D, Nested>,
    rules: &[Rule],
    input: &mut Input,
    output: &mut Output,
    is_seen: bool,
) -> Result<(), Failure> {
    let is_stream = |rule: &Rule| matches!(rule.matcher, Matcher::Stream(_));
    let only_selected = rules.iter().all(is_stream);
    // A refused edit is reported after the rest of the document was written.
    let mut refused = None;
    loop {
        let chunk = input.next(output)?;
        let ended = chunk.is_none();
        match chunk {
            Some(chunk) => rewriter.feed(chunk),
            None => rewriter.finish(),
        }
        let read = loop {
            let next = match only_selected {
                true => rewriter.next_selected(),
                false => rewriter.next_event(),
            };
            let edited = match next {
                Ok(Some(mut event)) => change(rules, &mut event),
                Ok(None) => break Ok(()),
                Err(error) => Err(error),
            };
            match edited {
                Ok(()) => {}
                Err(error @ RewriteError::Refused(..)) => {
                    refused.get_or_insert_with(|| failure(input, &error));
                }
                Err(error) => break Err(failure(input, &error)),
            }
        };
        put(rewriter.output(), is_seen, output)?;
        read?;
        if ended {
            return refused.map_or(Ok(()), Err);
        }
    }
}

fn put(bytes: &[u8], is_seen: bool, output: &mut Output) -> Result<(), Failure> {
    match is_seen {
        // Invisible characters are escaped in everything that is written to a terminal.
        true => shown::write_lines(&String::from_utf8_lossy(bytes), output)
            .map_err(|_| Failure::Unusable("the document cannot be written".into()))?,
        false => output.buffer().extend_from_slice(bytes),
    }
    Ok(output.settle()?)
}

fn failure(input: &Input, error: &RewriteError) -> Failure {
    match error {
        RewriteError::Read(error) => Failure::parse(input.file(), error),
        refused => Failure::Refused(format!("{}:{refused}", input.file().display())),
    }
}

/// Makes the changes of an event, and returns the error of the first one that is refused. The others are made.
fn change(rules: &[Rule], event: &mut RewriteEvent<'_>) -> Result<(), RewriteError> {
    let mut done = Ok(());
    for rule in rules {
        if !rule.matcher.matches(event) {
            continue;
        }
        let edited = match &rule.change {
            Change::Set(name, value) => event.set_attribute(name, value),
            Change::Unset(name) => event.remove_attribute(name),
            Change::Rename(name) => event.rename(name),
            Change::Unwrap => event.unwrap_element(),
            Change::Text(text) => event.set_content(text),
            Change::Remove => event.remove(),
            Change::Insert(Place::Before, markup) => event.before(Content::Markup(markup)),
            Change::Insert(Place::After, markup) => event.after(Content::Markup(markup)),
            Change::Insert(Place::First, markup) => event.prepend(Content::Markup(markup)),
            Change::Insert(Place::Last, markup) => event.append(Content::Markup(markup)),
        };
        done = done.and(edited.map(|_| ()));
    }
    done
}

/// Checks the changes, the selectors and the namespaces of the command line, before a document is read.
pub(crate) fn check(options: &RewriteOptions) -> Result<(), Failure> {
    let requests = requests(options)?;
    for request in &requests {
        query(request.selector, options)?;
    }
    if requests.is_empty() {
        // The namespaces were not checked with a selector.
        selectors::declarations(&options.namespace)?;
    }
    check_names_in_any_dialect(&requests)
}

/// Compiles a selector or an XPath expression of the command line.
fn query(text: &str, options: &RewriteOptions) -> Result<Selector, Failure> {
    match options.xpath {
        true => selectors::build_stream_xpath(text, &options.namespace),
        false => selectors::build(text, &options.namespace),
    }
}

/// Returns the changes of the command line, and adds the selectors that start tags decide to the rewriter.
fn rules<D: Balance>(
    dialect: &D,
    rewriter: &mut Rewriter<D, Nested>,
    options: &RewriteOptions,
) -> Result<Vec<Rule>, Failure> {
    let requests = requests(options)?;
    check_names(dialect, &requests)?;
    let mut rules = Vec::new();
    for request in requests {
        let selector = query(request.selector, options)?;
        let matcher = match rewriter.select(&selector) {
            Ok(selector) => Matcher::Stream(selector),
            // Start tags alone do not decide this selector.
            Err(_) => Matcher::Tree(selector, HashSet::new()),
        };
        rules.push(Rule {
            matcher,
            change: request.change,
        });
    }
    Ok(rules)
}
