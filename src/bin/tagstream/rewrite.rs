//! The subcommand `rewrite`: passes a document on as its bytes arrive, with some changes.

use crate::failure::Failure;
use crate::input::Input;
use crate::options::RewriteOptions;
use crate::output::Output;
use crate::shown;
use std::io::{self, IsTerminal};
use tagstream::select::EventMatcher;
use tagstream::{Balance, RewriteError, RewriteEvent, Rewriter};

/// What is done with the elements that a selector selects.
enum Change {
    Set(String, String),
    Unset(String),
    Rename(String),
    Remove,
    Unwrap,
    Text(String),
}

struct Rule<D: Balance> {
    matcher: EventMatcher<D>,
    change: Change,
}

/// Passes `input` on.
pub(crate) fn run<D: Balance>(
    dialect: D,
    options: &RewriteOptions,
    mut input: Input,
) -> Result<(), Failure> {
    let mut rules = rules(&dialect, options)?;
    let mut rewriter = Rewriter::new(dialect);
    let mut output = Output::plain();
    let done = pump(&mut rewriter, &mut rules, &mut input, &mut output);
    let flushed = output.flush();
    done?;
    Ok(flushed?)
}

fn pump<D: Balance>(
    rewriter: &mut Rewriter<D>,
    rules: &mut [Rule<D>],
    input: &mut Input,
    output: &mut Output,
) -> Result<(), Failure> {
    let is_seen = io::stdout().is_terminal();
    // What cannot be changed is told when all else is passed on.
    let mut refused = None;
    loop {
        let chunk = input.next(output)?;
        let ended = chunk.is_none();
        match chunk {
            Some(chunk) => rewriter.feed(chunk),
            None => rewriter.finish(),
        }
        let read = loop {
            match rewriter.next_event() {
                Ok(Some(mut event)) => change(rules, &mut event),
                Ok(None) => break Ok(()),
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
        // As in all that is written to a terminal.
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

fn change<D: Balance>(rules: &mut [Rule<D>], event: &mut RewriteEvent<'_>) {
    let mut is_removed = false;
    for rule in rules.iter_mut() {
        if !rule.matcher.matches(&event.event()) {
            continue;
        }
        match &rule.change {
            Change::Set(name, value) => event.set_attribute(name, value),
            Change::Unset(name) => event.remove_attribute(name),
            Change::Rename(name) => event.rename(name),
            Change::Unwrap => event.unwrap_element(),
            Change::Text(text) => event.set_content(text),
            Change::Remove => {
                is_removed = true;
                event.remove()
            }
        };
    }
    if is_removed {
        rules.iter_mut().for_each(|rule| rule.matcher.leave());
    }
}

fn rules<D: Balance>(dialect: &D, options: &RewriteOptions) -> Result<Vec<Rule<D>>, Failure> {
    let mut rules = Vec::new();
    let mut add = |selector: &str, change| {
        let matcher = EventMatcher::new(dialect.clone(), selector);
        let matcher =
            matcher.map_err(|error| Failure::Unusable(format!("`{selector}`: {error}")))?;
        rules.push(Rule { matcher, change });
        Ok::<(), Failure>(())
    };
    for set in &options.set {
        let (selector, attribute) = parted(set, '@', "SELECTOR@NAME=VALUE")?;
        match attribute.split_once('=') {
            Some((name, value)) => add(selector, Change::Set(name.into(), value.into()))?,
            None => add(selector, Change::Set(attribute.into(), String::new()))?,
        }
    }
    for unset in &options.unset {
        let (selector, name) = parted(unset, '@', "SELECTOR@NAME")?;
        add(selector, Change::Unset(name.into()))?;
    }
    for rename in &options.rename {
        let (selector, name) = parted(rename, '=', "SELECTOR=NAME")?;
        add(selector, Change::Rename(name.into()))?;
    }
    for text in &options.content {
        let (selector, text) = parted(text, '=', "SELECTOR=TEXT")?;
        add(selector, Change::Text(text.into()))?;
    }
    for selector in &options.unwrap {
        add(selector, Change::Unwrap)?;
    }
    for selector in &options.remove {
        add(selector, Change::Remove)?;
    }
    Ok(rules)
}

/// A selector and what follows the first of these characters that stands in none of its brackets.
fn parted<'a>(given: &'a str, mark: char, form: &str) -> Result<(&'a str, &'a str), Failure> {
    let (mut depth, mut quote) = (0_usize, None);
    for (at, character) in given.char_indices() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(character),
            (None, '[' | '(') => depth += 1,
            (None, ']' | ')') => depth = depth.saturating_sub(1),
            (None, _) if depth == 0 && character == mark => {
                return Ok((&given[..at], &given[at + mark.len_utf8()..]));
            }
            _ => {}
        }
    }
    Err(Failure::Unusable(format!("`{given}` is not {form}")))
}
