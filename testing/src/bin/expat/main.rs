//! Compares the events of random XML documents with those of expat, which Python contains. Half of the documents are long,
//! and half of them process namespaces. A document that expat refuses has to be refused, and the events before must be the
//! same.
//!
//! With the argument `rewritten`, the documents are those into which the rewriter has inserted awkward content. With
//! `coerced`, they are the trees of broken XML and HTML, coerced to XML. With `kept`, the declarations and the CDATA sections
//! of each document must be the same after its tree, which keeps them, was written.
//!
//! `TAGSTREAM_DOCUMENTS=20000 TAGSTREAM_SEED=fresh cargo run -p testing --bin expat`

use std::io::{BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};
use tagstream::tree::{Serializer, XmlVersion};
use tagstream::{Document, Error, Event, Html, Parser, StartTag, TreeBuilder, Xml};
use testing::awkward;
use testing::draws;
use testing::effort;
use testing::generate::{self, Parts, fluent, well_formed};
use testing::random::Random;
use testing::rewriting::tree::Tested;
use testing::shrink;

/// Number of documents, unless `TAGSTREAM_DOCUMENTS` sets it.
const DOCUMENTS: usize = 2_000;

/// Maximum length of a document in bytes.
const LONGEST: usize = 60_000;

/// The last line of a document that is not well-formed.
const REFUSED: &str = "refused";

/// The form of events with declarations and CDATA sections.
const KEPT: char = 'k';

/// The separator of a namespace and a local name in expat's names.
const SEPARATOR: char = '\u{1}';

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let (documents, seed) = (
        effort::documents(DOCUMENTS, DOCUMENTS),
        effort::seed(0x6578_7061),
    );
    let mut expat = Expat::new().map_err(|error| format!("python3: {error}"))?;
    let written: fn(&mut Random) -> Option<Vec<u8>> = match std::env::args().nth(1).as_deref() {
        Some("rewritten") => awkward::rewritten_xml,
        Some("coerced") => coerced,
        Some("kept") => return kept(&mut expat, documents, seed),
        _ => return compared(&mut expat, documents, seed),
    };
    all_well_formed(&mut expat, documents, seed, written)
}

/// Compares the events of random documents.
fn compared(expat: &mut Expat, documents: usize, seed: u64) -> Result<(), String> {
    let (mut long, mut accepted, mut wrong) = (0, 0, 0);
    for number in 0..documents {
        let mut random = Random(Random(seed.wrapping_add(number as u64)).number());
        let parts = drawn(&mut random);
        let (has_namespaces, seed) = (random.one_in(2), random.number());
        let input = parts.concat();
        long += usize::from(input.len() >= 10_000);
        let mut difference = |input: &[u8]| expat.difference(input, has_namespaces, seed);
        match difference(&input) {
            Ok(is_accepted) => accepted += usize::from(is_accepted),
            Err(problem) => {
                wrong += 1;
                let differs = std::cell::RefCell::new(difference);
                let check = |input: &[u8]| (differs.borrow_mut())(input).err();
                let (small, problem) = shrink::smallest(parts, problem, check);
                let small = String::from_utf8_lossy(&small);
                eprintln!("document {number}, namespaces={has_namespaces}\n{small:?}\n{problem}");
            }
        }
    }
    println!(
        "seed {seed}: {documents} documents, {long} of 10 kB and more, {accepted} well-formed, {wrong} differences"
    );
    match wrong == 0 && accepted * 2 > documents {
        true => Ok(()),
        false => Err("expat and tagstream differ".to_owned()),
    }
}

/// Compares the declarations, the CDATA sections and the other events of random documents with those of the same documents
/// after their trees were written.
fn kept(expat: &mut Expat, documents: usize, seed: u64) -> Result<(), String> {
    let (mut accepted, mut sections, mut subsets) = (0, 0, 0);
    for number in 0..documents {
        let mut random = Random(Random(seed.wrapping_add(number as u64)).number());
        let input = drawn(&mut random).concat();
        let Some(written) = written_again(&input, &mut random)? else {
            continue;
        };
        let mut shown = |document: &[u8]| {
            let shown = expat.events(document, KEPT);
            shown.map_err(|error| format!("expat: {error}"))
        };
        let (before, after) = (shown(&input)?, shown(written.as_bytes())?);
        if before.ends_with(REFUSED) {
            continue;
        }
        accepted += 1;
        sections += usize::from(before.contains("\nsection "));
        subsets += usize::from(before.contains("entity ") || before.contains("attribute "));
        if before != after {
            let mut lines = before.lines().zip(after.lines());
            let first = lines.find(|(before, after)| before != after);
            let input = String::from_utf8_lossy(&input);
            return Err(format!(
                "seed {seed}, document {number}: {input:?}\nwritten: {written:?}\n{first:?}"
            ));
        }
    }
    println!(
        "seed {seed}: {documents} documents, {accepted} compared, {sections} with CDATA sections, {subsets} with declarations"
    );
    match sections * 50 > documents && subsets * 50 > documents {
        true => Ok(()),
        false => Err("few documents had something to keep".to_owned()),
    }
}

/// Returns a document as its tree is written, which is built from random chunks and keeps CDATA sections and the internal
/// subset. Returns `None` for a document that is not well-formed, is XML 1.1, or has CDATA sections in entities, which are
/// ordinary text in the tree.
fn written_again(input: &[u8], random: &mut Random) -> Result<Option<String>, String> {
    let xml = Xml::strict().internal_subset(true);
    let mut builder = TreeBuilder::new(xml)
        .keep_cdata(true)
        .positions(random.one_in(3))
        .report_errors(random.one_in(3))
        .inspect_sizes(draws::sizes(random));
    for chunk in draws::chunks(random, input) {
        if builder.feed(chunk).is_err() {
            return Ok(None);
        }
    }
    let Ok(document) = builder.finish() else {
        return Ok(None);
    };
    let subset = document.internal_subset().unwrap_or_default();
    if subset.contains("CDATA[") || document.xml_version() == XmlVersion::Xml11 {
        return Ok(None);
    }
    let written = document.to_xml();
    written
        .map(Some)
        .map_err(|error| format!("{:?}: {error}", String::from_utf8_lossy(input)))
}

/// Draws broken XML or HTML, and returns the tree coerced to XML. Returns `None` if the tree has no element, if it is
/// XML 1.1, which expat does not implement, or if it has a name that expat refuses.
fn coerced(random: &mut Random) -> Option<Vec<u8>> {
    let document = match random.one_in(3) {
        true => Document::parse(Html::default(), generate::html::document(random).concat()),
        false => Document::parse(Xml::default(), generate::xml::document(random).concat()),
    };
    let document = document.ok()?;
    let mut written = String::new();
    let serializer = Serializer::xml().namespaces(true);
    let changes = serializer.write_coerced(document.root(), &mut written);
    let is_1_1 = written.starts_with("<?xml version=\"1.1\"");
    (changes.is_ok() && !is_1_1 && has_old_names(&written)).then(|| written.into_bytes())
}

/// Returns true if the fourth edition of XML 1.0, which expat implements, allows the characters of a document's names that
/// the fifth edition allows. Coercion replaces all others.
fn has_old_names(document: &str) -> bool {
    let is_old = |name: &str| {
        name.chars()
            .all(|one| one.is_ascii() || one.is_alphabetic() && one <= '\u{ffff}')
    };
    let mut parser = Parser::new(Xml::strict());
    parser.feed(document);
    parser.finish();
    while let Ok(Some(event)) = parser.next_event() {
        let is_old = match event {
            Event::Start(tag) => {
                is_old(tag.name()) && tag.attributes().all(|one| is_old(one.name()))
            }
            Event::ProcessingInstruction(instruction) => is_old(instruction.target()),
            Event::Doctype(doctype) => is_old(doctype.name()),
            _ => true,
        };
        if !is_old {
            return false;
        }
    }
    true
}

/// Compares the events of documents that the library wrote. All must be well-formed.
fn all_well_formed(
    expat: &mut Expat,
    documents: usize,
    seed: u64,
    written: fn(&mut Random) -> Option<Vec<u8>>,
) -> Result<(), String> {
    let mut accepted = 0;
    for number in 0..documents {
        let mut random = Random(Random(seed.wrapping_add(number as u64)).number());
        let Some(output) = written(&mut random) else {
            continue;
        };
        accepted += 1;
        match expat.difference(&output, true, random.number()) {
            Ok(true) => {}
            told => {
                let output = String::from_utf8_lossy(&output);
                return Err(format!(
                    "seed {seed}, document {number}: {output:?}: {told:?}"
                ));
            }
        }
    }
    println!("seed {seed}: {documents} documents, {accepted} written, all well-formed");
    match accepted * 20 > documents {
        true => Ok(()),
        false => Err("most documents were refused".to_owned()),
    }
}

fn drawn(random: &mut Random) -> Parts {
    let longest = [200, LONGEST][random.below(2)];
    if random.one_in(2) {
        return fluent::document(random, Tested::Xml, longest);
    }
    // A document around many small ones, without their declarations.
    let mut parts = vec![b"<r>".to_vec()];
    let (length, mut so_far) = (random.below(longest), 0);
    if random.one_in(2) {
        return well_formed::document(random, false);
    }
    while so_far < length {
        let drawn = well_formed::document(random, false).concat();
        if !drawn.starts_with(b"<?xml") && !drawn.windows(2).any(|pair| pair == b"<!") {
            so_far += drawn.len();
            parts.push(drawn);
        }
        so_far += 1;
    }
    parts.push(b"</r>".to_vec());
    parts
}

/// A process of Python that reads documents with expat.
struct Expat {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Expat {
    fn new() -> std::io::Result<Expat> {
        let script = include_str!("events.py");
        let mut process = Command::new("python3")
            .args(["-c", script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let to = process.stdin.take().expect("it is piped");
        let from = process.stdout.take().expect("it is piped");
        Ok(Expat {
            process,
            to,
            from: BufReader::new(from),
        })
    }

    fn events(&mut self, document: &[u8], form: char) -> std::io::Result<String> {
        write!(self.to, "{:08x}{form}", document.len())?;
        self.to.write_all(document)?;
        self.to.flush()?;
        let mut length = [0; 8];
        self.from.read_exact(&mut length)?;
        let length = std::str::from_utf8(&length).ok();
        let length = length.and_then(|text| usize::from_str_radix(text, 16).ok());
        let mut answer = vec![0; length.unwrap_or_default()];
        self.from.read_exact(&mut answer)?;
        Ok(String::from_utf8_lossy(&answer).into_owned())
    }

    /// Returns whether the document is well-formed.
    ///
    /// # Errors
    ///
    /// Returns the first line in which the events differ.
    fn difference(
        &mut self,
        input: &[u8],
        has_namespaces: bool,
        seed: u64,
    ) -> Result<bool, String> {
        let theirs = self
            .events(input, if has_namespaces { 'n' } else { '-' })
            .map_err(|error| format!("expat: {error}"))?;
        let ours = events(input, has_namespaces, seed).join("\n");
        let is_accepted = theirs.ends_with("well-formed");
        if theirs == ours {
            return Ok(is_accepted);
        }
        let (mut theirs, mut ours): (Vec<&str>, Vec<&str>) =
            (theirs.lines().collect(), ours.lines().collect());
        if theirs.last() == Some(&REFUSED) && ours.last() == Some(&REFUSED) {
            // One of the two may have read more before the error.
            let length = theirs.len().min(ours.len()) - 1;
            for lines in [&mut theirs, &mut ours] {
                lines.truncate(length);
                lines.pop_if(|last| last.starts_with("text "));
            }
        }
        let mut lines = theirs.iter().zip(&ours).enumerate();
        match lines.find(|(_, (theirs, ours))| theirs != ours) {
            None if theirs.len().abs_diff(ours.len()) <= usize::from(!is_accepted) => Ok(false),
            None => Err("one of the two has more events".to_owned()),
            Some((at, (theirs, ours))) => {
                Err(format!("line {at}: expat {theirs:?}, tagstream {ours:?}"))
            }
        }
    }
}

impl Drop for Expat {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Returns the events of tagstream, read in random chunks and sizes.
fn events(input: &[u8], has_namespaces: bool, seed: u64) -> Vec<String> {
    let mut random = Random(seed);
    let xml = Xml::strict().namespaces(has_namespaces);
    let mut parser = Parser::new(xml).inspect_sizes(draws::sizes(&mut random));
    let mut lines = Lines {
        lines: Vec::new(),
        text: String::new(),
        has_namespaces,
    };
    let chunks = draws::chunks(&mut random, input);
    let read = || -> Result<(), Error> {
        for chunk in chunks.into_iter().map(Some).chain([None]) {
            match chunk {
                Some(chunk) => parser.feed(chunk),
                None => parser.finish(),
            }
            while let Some(event) = parser.next_event()? {
                lines.event(&event);
            }
        }
        Ok(())
    };
    let outcome = match read() {
        Ok(()) => "well-formed",
        Err(_) => REFUSED,
    };
    if outcome != REFUSED {
        lines.end_text();
    }
    lines.lines.push(outcome.to_owned());
    lines.lines
}

/// Events as lines, in the form of `events.py`.
struct Lines {
    lines: Vec<String>,
    text: String,
    has_namespaces: bool,
}

impl Lines {
    fn event(&mut self, event: &Event<'_>) {
        let line = match event {
            Event::Text(text) => return self.text.push_str(text.as_str()),
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => {
                format!(
                    "end {}",
                    self.name(tag.name(), tag.local_name(), tag.namespace())
                )
            }
            Event::Comment(comment) => format!("comment {}", shown(comment.as_str())),
            Event::ProcessingInstruction(found) => {
                format!("instruction {} {}", found.target(), shown(found.data()))
            }
            _ => return,
        };
        self.end_text();
        self.lines.push(line);
    }

    fn start(&self, tag: &StartTag<'_>) -> String {
        let name = self.name(tag.name(), tag.local_name(), tag.namespace());
        let is_declaration = |name: &str| name == "xmlns" || name.starts_with("xmlns:");
        let attributes = tag.attributes();
        let attributes =
            attributes.filter(|one| !(self.has_namespaces && is_declaration(one.name())));
        let pairs = attributes.map(|one| {
            let name = self.name(one.name(), one.local_name(), one.namespace());
            format!("{}={}", shown(&name), shown(one.value()))
        });
        let mut attributes: Vec<String> = pairs.collect();
        attributes.sort();
        let mut line = format!("start {name}");
        for attribute in attributes {
            line = line + " " + &attribute;
        }
        line
    }

    fn name(&self, name: &str, local: &str, namespace: Option<&str>) -> String {
        match namespace {
            _ if !self.has_namespaces => name.to_owned(),
            Some(namespace) if !namespace.is_empty() => format!("{namespace}{SEPARATOR}{local}"),
            _ => local.to_owned(),
        }
    }

    fn end_text(&mut self) {
        if !self.text.is_empty() {
            self.lines.push(format!("text {}", shown(&self.text)));
            self.text.clear();
        }
    }
}

/// Escapes the characters that would end a line.
fn shown(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        match character {
            '\\' | '\n' | '\r' | '\t' => out += &format!("\\u{{{:x}}}", u32::from(character)),
            _ => out.push(character),
        }
    }
    out
}
