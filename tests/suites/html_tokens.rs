//! The events of the parser, compared with the tokens from which a tree is built. The documents are real pages, from
//! the documentation that is installed with the compiler, and the tree-construction suite.

use std::path::{Path, PathBuf};
use std::process::Command;
use tagstream::{Encoding, Error, Event, Html, Parser, TreeBuilder};
use testing::effort::Effort;
use testing::run::{Failed, Program};
use testing::suites::{TreeCase, tree_cases};

/// Adds a case for the suite.
pub(crate) fn add(folder: &Path, program: &mut Program) {
    let cases = tree_cases(folder);
    program.case("html/tokens of the suite", move || suite(&cases));
}

/// Adds a case for pages.
pub(crate) fn add_pages(program: &mut Program) {
    let count = Effort::choose(100, 1000);
    match documentation() {
        Some(folder) => program.case(format!("html/tokens of {count} pages"), move || {
            pages(&folder, count)
        }),
        None => program.leave_out("the pages of the compiler's documentation, which is missing"),
    }
    program.leave_out_in_quick("900 of 1000 pages");
}

/// Returns the folder of the compiler's documentation, if it is installed.
fn documentation() -> Option<PathBuf> {
    let output = Command::new("rustc").args(["--print", "sysroot"]).output();
    let sysroot = String::from_utf8(output.ok()?.stdout).ok()?;
    let folder = Path::new(sysroot.trim()).join("share/doc/rust/html");
    Some(folder).filter(|folder| folder.is_dir())
}

fn html(context: Option<&str>, scripting: bool) -> Html {
    context
        .map_or_else(Html::default, |context| {
            Html::fragment(context).expect("a context")
        })
        .scripting(scripting)
        .encoding(Encoding::UTF_8)
}

/// Compares the events of `count` pages, which are evenly distributed over all pages, so that they include pages of all
/// kinds.
fn pages(folder: &Path, count: usize) -> Result<(), Failed> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "html") {
                files.push(path);
            }
        }
    }
    files.sort();
    let step = files.len().div_ceil(count).max(1);
    for path in files.iter().step_by(step) {
        let text = std::fs::read(path)?;
        for scripting in [false, true] {
            if let Some(difference) = difference(&html(None, scripting), &text)? {
                return Err(format!("{}: {difference}", path.display()).into());
            }
        }
    }
    Ok(())
}

/// Compares the events of every document of the suite. They may differ only by the first of the rules in the
/// documentation of `tagstream::html`.
fn suite(cases: &[TreeCase]) -> Result<(), Failed> {
    let (mut ignored, mut differences) = (0, Vec::new());
    for case in cases {
        for &scripting in &case.scripting {
            let found = difference(
                &html(case.context.as_deref(), scripting),
                case.input.as_bytes(),
            )?;
            let Some(difference) = found else { continue };
            if is_text_element_ignored(&case.input) {
                ignored += 1;
            } else {
                differences.push(format!("{}\n{:?}\n{difference}", case.name, case.input));
            }
        }
    }
    match differences.is_empty() && ignored > 0 {
        true => Ok(()),
        false => Err(format!("{ignored}\n{}", differences.join("\n")).into()),
    }
}

/// Returns true if tree construction ignores a start tag that would switch the tokenizer, because the tag is in a
/// frameset.
fn is_text_element_ignored(input: &str) -> bool {
    let after = input.split_once("<frameset>").map(|(_, after)| after);
    after.is_some_and(|after| after.contains("<plaintext>"))
}

/// Returns the first tokens that differ, if any differ.
fn difference(html: &Html, text: &[u8]) -> Result<Option<String>, Error> {
    let mut parser = Parser::new(html.clone());
    parser.feed(text);
    parser.finish();
    let mut events = Tokens::default();
    while let Some(event) = parser.next_event()? {
        events.add(&event);
    }
    let mut builder = TreeBuilder::new(html.clone());
    builder.supply(text);
    builder.supply_end();
    let mut tokens = Tokens::default();
    while let Some(event) = builder.next_event()? {
        tokens.add(&event);
    }
    let (events, tokens) = (events.finish(), tokens.finish());
    if events == tokens {
        return Ok(None);
    }
    let mut pairs = events.iter().zip(&tokens);
    let at = pairs.position(|(one, two)| one != two);
    let at = at.unwrap_or(events.len().min(tokens.len()));
    let (event, token) = (events.get(at), tokens.get(at));
    Ok(Some(format!("events: {event:?}\ntree:   {token:?}")))
}

/// Tokens as strings. Adjacent texts are joined.
#[derive(Debug, Default)]
struct Tokens {
    all: Vec<String>,
    text: String,
}

impl Tokens {
    fn add(&mut self, event: &Event<'_>) {
        if let Event::Text(text) = event {
            self.text.push_str(text.as_str());
            return;
        }
        self.flush();
        let span = event.span();
        self.all.push(match event {
            Event::Start(tag) => {
                let attributes: Vec<_> = tag
                    .attributes()
                    .map(|attribute| (attribute.name().to_owned(), attribute.value().to_owned()))
                    .collect();
                let closing = tag.is_self_closing();
                format!("{span} <{} {attributes:?} {closing}>", tag.name())
            }
            Event::End(tag) => format!("{span} </{}>", tag.name()),
            Event::Comment(comment) => format!("{span} <!--{}-->", comment.as_str()),
            other => format!("{span} {other:?}"),
        });
    }

    fn flush(&mut self) {
        if !self.text.is_empty() {
            self.all.push(format!("{:?}", self.text));
            self.text.clear();
        }
    }

    fn finish(mut self) -> Vec<String> {
        self.flush();
        self.all
    }
}
