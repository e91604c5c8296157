//! Compares the tokens of tagstream with those of other HTML tokenizers, for each page whole and in chunks. The pages
//! are over a thousand pages of the documentation that the Rust toolchain installs, the pages in tagstream's tests, and
//! random documents.

use libtest_mimic::{Arguments, Failed, Trial};
use peers::engines::{Done, Job, html5ever, html5gum, tagstream};
use peers::inputs::Input;
use peers::pages;
use peers::reading::Reading;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Chunk sizes in bytes in which each page is read, besides whole.
const CHUNKS: [usize; 2] = [61, 4096];

/// Pieces of random documents. They contain no foreign content, which the other tokenizers cannot recognize without a
/// tree.
const PIECES: &[&str] = &[
    "<a>",
    "</A>",
    "<b",
    "</b",
    "<br/>",
    "</>",
    "<3>",
    "</3>",
    "<",
    ">",
    "/",
    " a=1",
    " A='2'",
    " c",
    " b=\"&amp;\"",
    " d='&not",
    " e=&lang",
    " =f",
    "=",
    "\"",
    "'",
    "`",
    " ",
    "\n",
    "\r",
    "\r\n",
    "\u{c}",
    "x",
    "X",
    "script",
    "\u{e9}",
    "\u{1f600}",
    "\0",
    "\u{1}",
    "&",
    "&amp",
    "&notit;",
    "&not=",
    "&#65;",
    "&#x41",
    "&#0;",
    "&#x80;",
    "&#xD800;",
    "&#99999999999;",
    "&#",
    "&#x",
    "&g",
    "t;",
    ";",
    "1",
    "<!--",
    "-->",
    "--!>",
    "<!-->",
    "--",
    "-",
    "!",
    "<!x>",
    "<!DOCTYPE html>",
    "<!doctype",
    " a",
    " PUBLIC",
    " system",
    "\"i\"",
    "<![CDATA[",
    "]]>",
    "<?a b?>",
    "?",
    "<title>",
    "</title>",
    "<TEXTAREA>",
    "</textarea ",
    "<style>",
    "</style/>",
    "<script>",
    "</script>",
    "<script",
    "<xmp>",
    "</xmp>",
    "<plaintext>",
    "<noscript>",
    "</noscript>",
    "_",
    "#",
];

const DOCUMENTS: usize = 50_000;

/// Number of random documents in one test case.
const TOGETHER: usize = 1000;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/pages");
    let mut trials = trials("pages of the tests", Some(tests));
    trials.extend(self::trials(
        "documentation of Rust",
        pages::rust_documentation(),
    ));
    for first in (0..DOCUMENTS).step_by(TOGETHER) {
        let name = format!("random documents from number {first} on");
        trials.push(Trial::test(name, move || {
            (first..first + TOGETHER).try_for_each(|number| {
                let document = document(number as u64);
                let told = |problem: Failed| {
                    format!("{document:?}: {}", problem.message().unwrap_or_default())
                };
                compare(&document).map_err(|problem| told(problem).into())
            })
        }));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Returns a test for each page of a folder, or an ignored test if the folder is absent.
fn trials(what: &str, folder: Option<PathBuf>) -> Vec<Trial> {
    let Some(folder) = folder else {
        return vec![Trial::test(what.to_owned(), || Ok(())).with_ignored_flag(true)];
    };
    let pages = pages::at(&folder);
    assert!(!pages.is_empty(), "no page in {}", folder.display());
    let trial = |path: PathBuf| {
        let name = path.strip_prefix(&folder).unwrap_or(&path).display();
        Trial::test(format!("{what}: {name}"), move || check(&path))
    };
    pages.into_iter().map(trial).collect()
}

/// Returns the random document with a number, by the generator splitmix64.
fn document(number: u64) -> String {
    let mut state = number.wrapping_mul(0xd134_2543_de82_ef95);
    let mut below = |end: usize| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % end as u64) as usize
    };
    let most = [4, 12, 40][below(3)];
    let count = below(most) + 1;
    (0..count).map(|_| PIECES[below(PIECES.len())]).collect()
}

fn check(path: &Path) -> Result<(), Failed> {
    compare(&std::fs::read_to_string(path)?)
}

/// A function that reads a page into a log.
type Read = fn(&Job<'_>, &mut Log) -> Done;

/// The engines. The others are compared with the first.
const ENGINES: [(&str, Read); 3] = [
    ("html5ever", html5ever::tokens),
    ("html5gum", html5gum::tokens),
    ("tagstream", tagstream::html_tokens),
];

/// Checks that all engines read the same tokens from a text.
fn compare(text: &str) -> Result<(), Failed> {
    let input = &Input::new("page", text);
    let read = |read: Read, chunk: usize| {
        let mut log = Log::default();
        read(&Job { input, chunk }, &mut log).map_err(|problem| problem.to_string())?;
        Ok::<_, Failed>(log.finish())
    };
    let (first, engine) = ENGINES[0];
    let expected = read(engine, usize::MAX)?;
    let whole = ENGINES[1..]
        .iter()
        .map(|(name, read)| (name, *read, usize::MAX));
    let (name, ours) = &ENGINES[2];
    let cut = CHUNKS.map(|size| (name, *ours, size));
    for (name, engine, chunk) in whole.chain(cut) {
        let found = read(engine, chunk)?;
        if found != expected {
            let mut pairs = expected.iter().zip(&found);
            let at = pairs.position(|(one, two)| one != two);
            let at = at.unwrap_or(expected.len().min(found.len()));
            let (wanted, got) = (expected.get(at), found.get(at));
            let cut = format!("{name} in chunks of {chunk}");
            return Err(format!("token {at}\n{first}: {wanted:?}\n{cut}: {got:?}").into());
        }
    }
    Ok(())
}

/// A list of all tokens as text, with adjacent text joined and attributes sorted.
#[derive(Default)]
struct Log {
    tokens: Vec<String>,
    text: String,
    tag: Option<Tag>,
}

/// The start tag that is being read.
struct Tag {
    name: String,
    attributes: Vec<(String, String)>,
    is_self_closing: bool,
}

impl Log {
    /// Returns the list of tokens.
    fn finish(mut self) -> Vec<String> {
        self.flush();
        self.tokens
    }

    fn flush(&mut self) {
        if let Some(mut tag) = self.tag.take() {
            tag.attributes.sort();
            let Tag {
                name,
                attributes,
                is_self_closing,
            } = tag;
            let token = format!("start {name} {attributes:?} {is_self_closing}");
            self.tokens.push(token);
        }
        if !self.text.is_empty() {
            let text = std::mem::take(&mut self.text);
            self.tokens.push(format!("text {text:?}"));
        }
    }

    fn push(&mut self, token: String) {
        self.flush();
        self.tokens.push(token);
    }
}

impl Reading for Log {
    const EXACT: bool = true;

    fn start(&mut self, name: &str) {
        self.flush();
        self.tag = Some(Tag {
            name: name.to_owned(),
            attributes: Vec::new(),
            is_self_closing: false,
        });
    }

    fn attribute(&mut self, name: &str, value: &str) {
        let tag = self.tag.as_mut().expect("attributes are those of a tag");
        tag.attributes.push((name.to_owned(), value.to_owned()));
    }

    fn self_closing(&mut self) {
        let tag = self.tag.as_mut().expect("it is a tag that closes itself");
        tag.is_self_closing = true;
    }

    fn end(&mut self, name: &str) {
        self.push(format!("end {name}"));
    }

    fn text(&mut self, text: &str) {
        if self.tag.is_some() {
            self.flush();
        }
        self.text.push_str(text);
    }

    fn comment(&mut self, text: &str) {
        self.push(format!("comment {text:?}"));
    }

    fn doctype(&mut self, name: &str) {
        self.push(format!("doctype {name}"));
    }
}
