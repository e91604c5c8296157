//! Reads the cases of `tests/data/*.txt`, all of which are written in this format:
//!
//! ```text
//! // A comment.
//!
//! ## Tag state
//! options: dialect=xml
//!
//! # U+003C (<)
//! input:  <a>x<<b/></a>
//! events: start a, error invalid-tag-start, text "x<", start b self-closing, end b implied, end a
//!
//! for:    U+0009, U+000A
//! input:  <a>x<{}y</a>
//! events: start a, error invalid-tag-start, text "x<{}y", end a
//! ```
//!
//! A section is a state, a production or a sentence of a specification, or a topic. The lines directly below its
//! heading apply to each of its cases. A block of lines has one or more cases: each begins with a line `input:` (or
//! `calls:`, if there is no input), and the lines before the first of these, including the name, apply to all cases of
//! the block. Below `for:` there is one case for each item, which replaces `{}`: by the character if the item is a code
//! point, and by the item itself otherwise.
//!
//! Inputs and markup have the escapes `\n` `\r` `\t` `\f` `\0` `\s` (a space) `\"` `\\` `\u{…}`, and `\xHH` for a byte.
//! The expected result is written in one of three ways: `events:` (see [`crate::event_text`]; `error:` is the code of
//! the only error and its byte range), `tree:` (in the notation of html5lib's tests), or `markup:`. `none` means that
//! there are no events or no error. A tree, and a long list of events, begins on the next line, with one node per line
//! after `| `, or one event per line after two spaces.
//!
//! [`KEYS`] lists all kinds of lines. A case fails if the check does not read all of its lines and options.

use crate::event_text::split;
use crate::run::{Failed, Outcome, Program};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tagstream::Limits;

/// All kinds of lines, with the condition under which a line may appear several times in a case.
const KEYS: [(&str, Times); 20] = [
    // The input.
    ("options", Times::Once),
    ("for", Times::Once),
    ("input", Times::Once),
    ("entity", Times::Once),
    // Requests: an edit of a tree or a stream and its argument, a selector, an XPath expression, a sanitizer, calls of a
    // writer, and the markup that the scripts of a document write.
    ("edit", Times::Many),
    ("with", Times::Once),
    ("select", Times::Once),
    ("xpath", Times::Once),
    ("sanitizer", Times::Once),
    ("calls", Times::Once),
    ("writes", Times::Many),
    // The expected result.
    ("events", Times::Once),
    ("tree", Times::Once),
    ("markup", Times::Once),
    ("markup-of-tree", Times::Once),
    // The characters of the markup, which is in another encoding than UTF-8.
    ("text", Times::Once),
    ("error", Times::Many),
    // The value of an XPath expression.
    ("value", Times::Once),
    ("mode", Times::Once),
    ("unsupported-on-streams", Times::Once),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Times {
    Once,
    Many,
}

/// A line of a case, or one of its options.
#[derive(Clone, Debug)]
struct Entry {
    key: String,
    value: String,
    was_read: Arc<AtomicBool>,
}

impl Entry {
    fn new(key: &str, value: &str) -> Entry {
        Entry {
            key: key.to_owned(),
            value: value.to_owned(),
            was_read: Arc::default(),
        }
    }

    /// Returns the same entry, marked as unread.
    fn unread(&self) -> Entry {
        Entry::new(&self.key, &self.value)
    }

    /// Adds a further line of the value: a node of a tree, or an indented event. Returns false if the line is neither.
    fn add(&mut self, line: &str) -> bool {
        let (separator, line) = match &*self.key {
            "tree" if line.starts_with("| ") => ("\n", line),
            "events" if line.starts_with("  ") => (", ", line.trim_start()),
            _ => return false,
        };
        self.value += if self.value.is_empty() { "" } else { separator };
        self.value += line;
        true
    }

    fn read(&self) -> &str {
        self.was_read.store(true, Ordering::Relaxed);
        &self.value
    }
}

/// An input, options and the expected result.
#[derive(Clone, Debug)]
pub struct Case {
    /// The heading of the section.
    pub section: String,
    /// The name, which may be empty.
    pub name: String,
    file: String,
    line: usize,
    lines: Vec<Entry>,
    options: Vec<Entry>,
}

impl Case {
    /// Returns the name of the test: the prefix, which has the dialect and the program, then the section, the name, the
    /// options and the input.
    #[must_use]
    pub fn test_name(&self, prefix: &str) -> String {
        let separator = match self.section.is_empty() || self.name.is_empty() {
            true => "",
            false => ", ",
        };
        let mut name = format!("{prefix}/{}{separator}{}", self.section, self.name);
        let options = self.options.iter().map(|option| match &*option.value {
            "" => option.key.clone(),
            value => format!("{}={value}", option.key),
        });
        let options: Vec<String> = options.collect();
        if !options.is_empty() {
            write!(name, " [{}]", options.join(" ")).unwrap();
        }
        for key in ["edit", "select", "xpath", "sanitizer", "calls"] {
            for entry in self.lines.iter().filter(|entry| entry.key == key) {
                write!(name, ", {key} {}", entry.value).unwrap();
            }
        }
        let input = self.lines.iter().find(|entry| entry.key == "input");
        if let Some(input) = input {
            name += ": ";
            let visible = |character: char| match character.is_control() {
                true => character.escape_debug().to_string(),
                false => character.to_string(),
            };
            name.extend(input.value.chars().map(visible).collect::<Vec<_>>());
        }
        name
    }

    /// The input as it is written, with its escapes.
    #[must_use]
    pub fn written(&self) -> &str {
        self.text("input").unwrap_or_default()
    }

    /// The input.
    #[must_use]
    pub fn input(&self) -> Vec<u8> {
        self.bytes("input").unwrap_or_default()
    }

    /// The input as text.
    ///
    /// # Errors
    ///
    /// Returns an error if the input is not UTF-8.
    pub fn input_text(&self) -> Result<String, Failed> {
        Ok(String::from_utf8(self.input())?)
    }

    /// Returns the value of a line as it is written.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<&str> {
        self.texts(key).next()
    }

    /// Returns the values of all lines with a key.
    pub fn texts(&self, key: &str) -> impl Iterator<Item = &str> {
        let found = self.lines.iter().filter(move |entry| entry.key == key);
        found.map(Entry::read)
    }

    /// Returns the value of a line with its escapes resolved.
    #[must_use]
    pub fn bytes(&self, key: &str) -> Option<Vec<u8>> {
        self.text(key).map(unescaped)
    }

    /// Whether the case has options.
    #[must_use]
    pub fn has_options(&self) -> bool {
        !self.options.is_empty()
    }

    /// Whether an option is set.
    #[must_use]
    pub fn has(&self, option: &str) -> bool {
        self.option(option).is_some()
    }

    /// The value of an option.
    #[must_use]
    pub fn option(&self, name: &str) -> Option<&str> {
        let found = self.options.iter().find(|option| option.key == name);
        found.map(Entry::read)
    }

    /// Returns the items of an option that is a comma-separated list.
    pub fn list(&self, option: &str) -> impl Iterator<Item = &str> {
        let list = self.option(option).unwrap_or_default();
        list.split(',').filter(|item| !item.is_empty())
    }

    /// The value of an option that is a number.
    ///
    /// # Panics
    ///
    /// Panics if the value is not a number.
    #[must_use]
    pub fn number(&self, option: &str) -> Option<f64> {
        let value = self.option(option)?;
        let number = value.parse();
        Some(number.unwrap_or_else(|_| self.fail(&format!("{option}={value} is no number"))))
    }

    /// Sets the limits that options such as `name-limit=4` name.
    #[must_use]
    pub fn limits(&self, mut limits: Limits) -> Limits {
        let value = |option| self.number(option).map(|number| number as usize);
        for (option, set) in [
            ("name-limit", Limits::name as fn(Limits, usize) -> Limits),
            ("attributes-limit", Limits::attributes),
            ("token-limit", Limits::token),
            ("depth-limit", Limits::depth),
            ("memory-limit", Limits::memory),
        ] {
            if let Some(value) = value(option) {
                limits = set(limits, value);
            }
        }
        limits
    }

    /// Returns the expected result with this key, without marking it as read. `None` if there is no such line, or if it
    /// is `none`.
    #[must_use]
    pub fn expected(&self, key: &str) -> Option<&str> {
        let found = self.lines.iter().find(|entry| entry.key == key)?;
        Some(&*found.value).filter(|value| *value != "none")
    }

    /// Compares a result with the line of this key. If there is no such line, or if it is `none`, the result must be
    /// empty.
    ///
    /// # Errors
    ///
    /// Returns a description of both if they differ.
    pub fn expect(&self, key: &str, found: &str) -> Result<(), String> {
        let wanted: Vec<&str> = self.texts(key).collect();
        let wanted = match wanted.join("\n") {
            none if none == "none" => String::new(),
            markup if key.starts_with("markup") => match String::from_utf8(unescaped(&markup)) {
                Ok(markup) => markup,
                Err(error) => self.fail(&error.to_string()),
            },
            wanted => wanted,
        };
        if wanted == found {
            return Ok(());
        }
        let mut report = format!("wanted {key}: {wanted}\nfound {key}:  {found}");
        if key == "events" {
            let (wanted, found) = (split(&wanted), split(found));
            let both = wanted.iter().zip(&found);
            let same = both.take_while(|(wanted, found)| wanted == found).count();
            let shown = |events: &[&str]| events.get(same).copied().unwrap_or("the end").to_owned();
            let (wanted, found) = (shown(&wanted), shown(&found));
            write!(
                report,
                "\nevent {}: wanted {wanted}, found {found}",
                same + 1
            )
            .unwrap();
        }
        Err(report)
    }

    /// Runs a check of the case. The case also fails if the check leaves a line or an option unread.
    ///
    /// # Errors
    ///
    /// Returns the problem, and the file and line of the case.
    pub fn check<T: Outcome>(&self, check: impl FnOnce(&Case) -> T) -> Result<(), Failed> {
        let place = format!("{}:{}", self.file, self.line);
        let problem = check(self).told().err();
        let problem = problem.map(|failed| failed.message().unwrap_or("it failed").to_owned());
        let all = self.lines.iter().chain(&self.options);
        let unread = all.filter(|entry| !entry.was_read.load(Ordering::Relaxed));
        let unread: Vec<&str> = unread.map(|entry| &*entry.key).collect();
        match problem {
            Some(problem) => Err(format!("{place}: {problem}").into()),
            None if unread.is_empty() => Ok(()),
            None => Err(format!("{place}: nothing reads `{}`", unread.join("`, `")).into()),
        }
    }

    fn fail(&self, problem: &str) -> ! {
        panic!("{}:{}: {problem}", self.file, self.line)
    }
}

/// Adds the cases of a file as tests. `prefix` returns the prefix of a test's name.
pub fn add<'p, T: Outcome + 'static>(
    program: &mut Program,
    cases: Vec<Case>,
    prefix: impl Fn(&Case) -> &'p str,
    check: fn(&Case) -> T,
) {
    for case in cases {
        let name = case.test_name(prefix(&case));
        program.case(name, move || case.check(check));
    }
}

/// Parses the cases in the text of a file. The name of the file is used in messages.
///
/// # Panics
///
/// Panics if the text is not in the format.
#[must_use]
pub fn cases(file: &str, text: &str) -> Vec<Case> {
    parse(file, text).unwrap_or_else(|problem| panic!("{problem}"))
}

/// Parses the cases in the text of a file. The name of the file is used in messages.
///
/// # Errors
///
/// Returns a message about the line that is not in the format.
pub fn parse(file: &str, text: &str) -> Result<Vec<Case>, String> {
    let mut reader = Reader {
        file,
        ..Reader::default()
    };
    let lines: Vec<(usize, &str)> = (1..).zip(text.lines()).collect();
    for block in lines.split(|(_, line)| line.is_empty()) {
        reader.block(block)?;
    }
    Ok(reader.cases)
}

/// Replaces the expected results in a file with those that `results` returns for each case, as pairs of a key and a
/// value. The cases must not have `for:`, and their expected results must follow the input.
///
/// # Panics
///
/// Panics if the file cannot be read and written, or is not in the format.
pub fn rewrite(path: &Path, results: impl Fn(&Case) -> Vec<(&'static str, String)>) {
    let old = fs::read_to_string(path).expect("the cases");
    let cases = cases(&path.to_string_lossy(), &old);
    let mut text = String::new();
    let is_expected = |line: &&str| {
        let key = line.split(':').next().unwrap_or_default();
        EXPECTED.contains(&key) || line.starts_with("| ") || line.starts_with("  ")
    };
    let mut cases = cases.iter();
    for line in old.lines().filter(|line| !is_expected(line)) {
        text += &format!("{line}\n");
        if line.starts_with("input:") {
            for (key, value) in results(cases.next().expect("a case for each input")) {
                let label = format!("{key}:");
                text += &match key {
                    "tree" if value.is_empty() => "tree:\n".to_owned(),
                    "tree" => format!("tree:\n{value}\n"),
                    "events" if value.len() > 100 => {
                        format!("events:\n  {}\n", split(&value).join("\n  "))
                    }
                    _ => format!("{label:7} {value}\n"),
                };
            }
        }
    }
    fs::write(path, text).expect("the cases");
}

/// The keys of expected results that [`rewrite`] replaces.
const EXPECTED: [&str; 4] = ["error", "mode", "events", "tree"];

/// Returns the headings of the sections of a file, including empty sections.
pub fn sections(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| line.strip_prefix("## "))
}

/// The state of the reader of a file.
#[derive(Default)]
struct Reader<'t> {
    file: &'t str,
    section: &'t str,
    /// The lines that apply to all cases of the section.
    of_section: Vec<Entry>,
    cases: Vec<Case>,
}

/// The lines between two empty lines.
#[derive(Default)]
struct Block<'t> {
    /// Whether the block begins with the heading of a section.
    is_section: bool,
    name: &'t str,
    /// The lines before the first case.
    shared: Vec<Entry>,
    /// The cases, each with its own lines.
    cases: Vec<Case>,
}

impl Block<'_> {
    /// Returns the list of entries to which the next line belongs.
    fn entries(&mut self) -> &mut Vec<Entry> {
        match self.cases.last_mut() {
            Some(case) => &mut case.lines,
            None => &mut self.shared,
        }
    }
}

impl<'t> Reader<'t> {
    fn block(&mut self, lines: &[(usize, &'t str)]) -> Result<(), String> {
        let mut block = Block::default();
        for &(number, line) in lines {
            let read = self.line(&mut block, number, line);
            read.map_err(|problem| format!("{}:{number}: {problem}", self.file))?;
        }
        if block.is_section {
            self.of_section = block.shared;
            return Ok(());
        }
        if block.cases.is_empty() && !(block.name.is_empty() && block.shared.is_empty()) {
            let first = lines.first().map_or(0, |(number, _)| *number);
            let problem = "a block without a line `input:` or `calls:`";
            return Err(format!("{}:{first}: {problem}", self.file));
        }
        for case in block.cases {
            self.case(case, &block.shared);
        }
        Ok(())
    }

    fn line(&mut self, block: &mut Block<'t>, number: usize, line: &'t str) -> Result<(), String> {
        if line == "//" || line.starts_with("// ") {
            return Ok(());
        }
        if let Some(heading) = line.strip_prefix("## ") {
            (self.section, block.is_section) = (heading, true);
            return Ok(());
        }
        if let Some(name) = line.strip_prefix("# ") {
            if !block.entries().is_empty() || !block.cases.is_empty() || block.is_section {
                return Err("an empty line must precede a name".into());
            }
            block.name = name;
            return Ok(());
        }
        if let Some(last) = block.entries().last_mut()
            && last.add(line)
        {
            return Ok(());
        }
        let (key, value) = key_and_value(line)?;
        let times = KEYS.iter().find(|(known, _)| *known == key);
        let (_, times) = times.ok_or_else(|| format!("no line is called `{key}`"))?;
        if key == "options" {
            options(value)?;
        }
        if matches!(key, "input" | "calls") {
            if block.is_section {
                return Err("an empty line must separate a heading and the first case".into());
            }
            block.cases.push(Case {
                section: self.section.to_owned(),
                name: block.name.to_owned(),
                file: self.file.to_owned(),
                line: number,
                lines: Vec::new(),
                options: Vec::new(),
            });
        }
        let entries = block.entries();
        if *times == Times::Once && entries.iter().any(|entry| entry.key == key) {
            return Err(format!("a second line `{key}`"));
        }
        entries.push(Entry::new(key, value));
        Ok(())
    }

    /// Adds the lines of its block and section to a case, and adds the case, or one case for each item of `for:`.
    fn case(&mut self, mut case: Case, shared: &[Entry]) {
        let all = self.of_section.iter().chain(shared).chain(&case.lines);
        let (mut lines, mut items) = (Vec::new(), None);
        for entry in all {
            match &*entry.key {
                "options" => case
                    .options
                    .extend(options(&entry.value).unwrap_or_default()),
                "for" => items = Some(entry.value.clone()),
                _ => lines.push(entry.unread()),
            }
        }
        case.lines = lines;
        match items {
            None => self.cases.push(case),
            Some(items) => {
                let cases = items.split(", ").map(|item| with_item(&case, item));
                self.cases.extend(cases);
            }
        }
    }
}

/// Splits a line into its key and value.
fn key_and_value(line: &str) -> Result<(&str, &str), String> {
    let is_key = |key: &str| {
        let mut bytes = key.bytes();
        bytes.all(|byte| byte.is_ascii_lowercase() || byte == b'-')
    };
    match line.split_once(':') {
        Some((key, value)) if is_key(key) => Ok((key, value.trim_start_matches(' '))),
        _ => Err(format!(
            "expected `key: value`, a heading or a comment: {line}"
        )),
    }
}

/// Parses a list of options: words, and `name=value`, where a value with spaces is in quotes.
fn options(list: &str) -> Result<Vec<Entry>, String> {
    let mut options: Vec<Entry> = Vec::new();
    for option in words(list) {
        let (name, value) = option.split_once('=').unwrap_or((&option, ""));
        if name.is_empty() {
            return Err(format!("an option without a name: {list}"));
        }
        if options.iter().any(|option| option.key == name) {
            return Err(format!("the option `{name}` twice"));
        }
        options.push(Entry::new(name, value));
    }
    Ok(options)
}

/// Returns the case for an item of `for:`.
fn with_item(case: &Case, item: &str) -> Case {
    let digits = item.strip_prefix("U+").and_then(|rest| rest.get(..4));
    let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    let character = number.and_then(char::from_u32).map(String::from);
    let mut new = case.clone();
    new.name = match &*case.name {
        "" => item.to_owned(),
        name => name.replace("{}", item),
    };
    new.lines = Vec::new();
    for entry in &case.lines {
        let by = match &character {
            Some(character) if entry.key == "events" => character.escape_debug().to_string(),
            Some(character) => character.clone(),
            None => item.to_owned(),
        };
        new.lines
            .push(Entry::new(&entry.key, &entry.value.replace("{}", &by)));
    }
    new.options = case.options.iter().map(Entry::unread).collect();
    new
}

/// Splits a list at spaces outside quotes. The quotes are removed, and the escapes in quoted text are resolved.
///
/// # Panics
///
/// Panics if a quote is not closed.
#[must_use]
pub fn words(list: &str) -> Vec<String> {
    let (mut words, mut word) = (Vec::new(), None);
    let mut rest = list;
    while let Some(character) = rest.chars().next() {
        rest = &rest[character.len_utf8()..];
        match character {
            ' ' => words.extend(word.take()),
            '"' => {
                let end = quoted_end(rest);
                let text = String::from_utf8(unescaped(&rest[..end])).expect("text in quotes");
                word.get_or_insert_with(String::new).push_str(&text);
                rest = &rest[end + 1..];
            }
            _ => word.get_or_insert_with(String::new).push(character),
        }
    }
    words.extend(word);
    words
}

/// Returns the offset of the quote that ends a quoted text.
pub(crate) fn quoted_end(text: &str) -> usize {
    let mut escaped = false;
    for (at, character) in text.char_indices() {
        match character {
            '"' if !escaped => return at,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    panic!("a quote that is not closed: {text}")
}

/// Resolves the escapes in a text.
///
/// # Panics
///
/// Panics if an escape is unknown.
#[must_use]
pub fn unescaped(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut pieces = text.split('\\');
    out.extend(pieces.next().unwrap_or_default().bytes());
    while let Some(piece) = pieces.next() {
        // The piece between two backslashes is empty.
        let Some(kind) = piece.chars().next() else {
            out.push(b'\\');
            out.extend(pieces.next().unwrap_or_default().bytes());
            continue;
        };
        let number = |digits: &str| u32::from_str_radix(digits, 16).expect("hexadecimal digits");
        let (bytes, rest) = match kind {
            'n' => (vec![b'\n'], &piece[1..]),
            'r' => (vec![b'\r'], &piece[1..]),
            't' => (vec![b'\t'], &piece[1..]),
            'f' => (vec![b'\x0C'], &piece[1..]),
            's' => (vec![b' '], &piece[1..]),
            '0' => (vec![0], &piece[1..]),
            '"' => (vec![b'"'], &piece[1..]),
            'x' => (vec![number(&piece[1..3]) as u8], &piece[3..]),
            'u' => {
                let (digits, rest) = piece[2..].split_once('}').expect("an end of an escape");
                let character = char::from_u32(number(digits)).expect("a character");
                (character.to_string().into_bytes(), rest)
            }
            other => panic!("no escape: {other:?} in {text}"),
        };
        out.extend(bytes);
        out.extend(rest.bytes());
    }
    out
}
