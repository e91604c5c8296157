//! Records the behavior of the library, so that two commits can be compared: for each document of the suites and for
//! random documents of each dialect, a hash of the events with their positions, of the balanced events, of the tree in
//! each of its forms, and of the output of the rewriter with and without edits.
//!
//! `golden` prints one line for each document and form. `golden KIND NUMBER` prints everything about one document in
//! full.
//! `testing/tools/golden COMMIT` runs the program at that commit and in the working tree and compares their lines.
//!
//! `TAGSTREAM_DOCUMENTS` sets the number of random documents of each kind.

use std::hash::{DefaultHasher, Hasher};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use tagstream::tree::C14n;
use tagstream::{
    Balance, Buildable, Document, Html, LeafXml, Limits, MicroXml, Parser, Sky, TreeBuilder, Xml,
};
use testing::generate;
use testing::pull::{self, Pull};
use testing::random::Random;
use testing::random_cases::Feed;
use testing::rewriting;
use testing::suites;
use testing::tree_formats::TreeFormats as _;

/// Chunk sizes, in bytes, with which every document is read.
const CHUNKS: [usize; 4] = [usize::MAX, 1, 7, 64];

/// The seed of the random documents. It is fixed, because the lines of two commits are compared.
const SEED: u64 = 20_261_123;

/// The destination of the results: one line of hashes for each document, or everything about a single one.
struct Output<'w> {
    to: BufWriter<Box<dyn Write + 'w>>,
    /// The kind and the number of the only document that is printed in full.
    only: Option<(String, usize)>,
}

/// One document of one kind.
struct Subject<'d> {
    kind: &'d str,
    number: usize,
    input: &'d [u8],
}

impl Output<'_> {
    /// Whether the program prints this document.
    fn wants(&self, subject: &Subject<'_>) -> bool {
        self.only
            .as_ref()
            .is_none_or(|(kind, number)| kind == subject.kind && *number == subject.number)
    }

    /// Prints the result of one form: its hash, or the text itself.
    fn put(&mut self, subject: &Subject<'_>, form: &str, text: &str) -> io::Result<()> {
        let Subject { kind, number, .. } = subject;
        if self.only.is_some() {
            return writeln!(self.to, "== {kind} {number} {form}\n{text}");
        }
        let mut hasher = DefaultHasher::new();
        hasher.write(text.as_bytes());
        writeln!(self.to, "{kind} {number} {form} {:016x}", hasher.finish())
    }
}

/// Reads a document in chunks of one size and writes down its events.
fn events(mut parser: impl Pull, input: &[u8], chunk: usize) -> String {
    let mut out = String::new();
    for piece in input.chunks(chunk) {
        parser.feed(piece.to_vec());
        pull::drain(&mut parser, &mut out);
    }
    pull::end(parser, &mut out);
    out
}

/// All forms in which a tree is written.
fn forms(tree: &Document) -> String {
    format!(
        "{}\n{}\n{:?}\n{:?}\n{:?}",
        tree.to_outline(),
        tree.to_html(),
        tree.to_xml(),
        tree.to_c14n(C14n::inclusive()),
        tree.to_c14n(C14n::inclusive().comments(true)),
    )
}

/// Reads a document in every way and prints the results.
fn check<D: Buildable + Balance>(
    output: &mut Output<'_>,
    name: &str,
    subject: &Subject<'_>,
    dialect: &D,
) -> io::Result<()> {
    let input = subject.input;
    for chunk in CHUNKS {
        let parser = Parser::new(dialect.clone()).report_errors(true);
        let form = format!("{name} events {chunk}");
        output.put(subject, &form, &events(parser, input, chunk))?;
        let parser = Parser::new(dialect.clone()).balanced().report_errors(true);
        let form = format!("{name} balanced {chunk}");
        output.put(subject, &form, &events(parser, input, chunk))?;
    }
    let tree = pull::built(
        TreeBuilder::new(dialect.clone()),
        input.chunks(input.len().max(1)),
    );
    let text = match &tree {
        Ok(tree) => forms(tree),
        Err(error) => format!("{error} {}", error.span()),
    };
    output.put(subject, &format!("{name} tree"), &text)?;
    let small = Limits::default().depth(6).name(5).attributes(2).token(40);
    let parser = Parser::new(dialect.clone()).limits(small);
    output.put(
        subject,
        &format!("{name} limits"),
        &events(parser, input, 7),
    )?;
    for is_balanced in [false, true] {
        let feed = Feed::whole();
        let seed = SEED ^ subject.number as u64;
        let text = match rewriting::tree::edit(dialect, is_balanced, feed, seed, input) {
            Ok(done) => format!("{:?}\n{:?}", String::from_utf8_lossy(&done.out), done.late),
            Err(error) => format!("{error:?}"),
        };
        output.put(
            subject,
            &format!("{name} rewritten balanced={is_balanced}"),
            &text,
        )?;
    }
    Ok(())
}

/// Reads a document in the dialects of XML and prints the results.
fn check_xml(output: &mut Output<'_>, subject: &Subject<'_>) -> io::Result<()> {
    if !output.wants(subject) {
        return Ok(());
    }
    check(output, "xml", subject, &Xml::default())?;
    check(output, "strict", subject, &Xml::strict())?;
    let plain = Xml::default().namespaces(false);
    check(output, "no namespaces", subject, &plain)
}

/// Reads a document as HTML with several options and prints the results.
fn check_html(output: &mut Output<'_>, subject: &Subject<'_>) -> io::Result<()> {
    if !output.wants(subject) {
        return Ok(());
    }
    check(output, "html", subject, &Html::default())?;
    let scripting = Html::default().scripting(true).shadow_roots(true);
    check(output, "scripting", subject, &scripting)?;
    for context in ["td", "svg path", "template"] {
        let fragment = Html::fragment(context).expect("a context that exists");
        check(output, context, subject, &fragment)?;
    }
    Ok(())
}

/// Reads a document in the small dialects and prints the results.
fn check_small(output: &mut Output<'_>, subject: &Subject<'_>) -> io::Result<()> {
    if !output.wants(subject) {
        return Ok(());
    }
    check(output, "microxml", subject, &MicroXml::default())?;
    check(output, "strict microxml", subject, &MicroXml::strict())?;
    check(output, "sky", subject, &Sky::fragment())?;
    check(output, "sky file", subject, &Sky::application())?;
    check(output, "leafxml", subject, &LeafXml::default())
}

/// Adds the files of a suite in order, including files in subfolders.
fn files_below(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("a folder of a suite");
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    for path in paths {
        match path.is_dir() {
            true => files_below(&path, found),
            false => found.push(path),
        }
    }
}

/// The documents of the suites: each file of the XML suite, and each section of the files of html5lib.
fn suites(output: &mut Output<'_>) -> io::Result<()> {
    let mut files = Vec::new();
    for name in [
        "xmlconf",
        "xml5",
        "html/tree-construction",
        "html/tokenizer",
    ] {
        let folder = suites::suite(name).expect("the suite");
        files_below(&folder, &mut files);
    }
    let mut number = 0;
    for file in files {
        let input = std::fs::read(&file)?;
        let is_xml = file.extension().is_some_and(|ending| ending == "xml");
        if input.len() > 200_000 {
            continue;
        }
        if is_xml {
            number += 1;
            let (kind, input) = ("suite-xml", &input[..]);
            check_xml(
                output,
                &Subject {
                    kind,
                    number,
                    input,
                },
            )?;
            continue;
        }
        // The sections of a file begin at its headings. Exact cases are not needed, because only two commits are
        // compared.
        let text = String::from_utf8_lossy(&input);
        for section in text
            .split("#data\n")
            .flat_map(|one| one.split("\n#errors").next())
        {
            number += 1;
            let kind = "suite-html";
            let input = section.as_bytes();
            check_html(
                output,
                &Subject {
                    kind,
                    number,
                    input,
                },
            )?;
        }
    }
    Ok(())
}

/// Random documents of every generator.
fn random(output: &mut Output<'_>, documents: usize) -> io::Result<()> {
    for number in 0..documents {
        let mut random = Random(SEED.wrapping_mul(number as u64 + 1));
        let input = generate::html::document(&mut random).concat();
        let kind = "html";
        check_html(
            output,
            &Subject {
                kind,
                number,
                input: &input,
            },
        )?;
        for (kind, parts) in [
            ("xml", generate::xml::document(&mut random)),
            ("entities", generate::xml::with_entities(&mut random)),
            ("encoded", generate::xml::encoded(&mut random)),
            (
                "well-formed",
                generate::well_formed::document(&mut random, true),
            ),
            ("prefixes", generate::prefixes::document(&mut random)),
        ] {
            let input = parts.concat();
            check_xml(
                output,
                &Subject {
                    kind,
                    number,
                    input: &input,
                },
            )?;
        }
        for (kind, parts) in [
            ("microxml", generate::microxml::document(&mut random)),
            ("sky", generate::sky::document(&mut random)),
            ("leafxml", generate::leafxml::document(&mut random)),
            ("plain", generate::plain::document(&mut random)),
        ] {
            let input = parts.concat();
            check_small(
                output,
                &Subject {
                    kind,
                    number,
                    input: &input,
                },
            )?;
        }
    }
    Ok(())
}

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let only = match &arguments[..] {
        [kind, number] => Some((kind.clone(), number.parse().expect("a number"))),
        _ => None,
    };
    let to: Box<dyn Write> = Box::new(io::stdout().lock());
    let mut output = Output {
        to: BufWriter::new(to),
        only,
    };
    suites(&mut output)?;
    random(&mut output, testing::effort::documents(500, 3000))?;
    output.to.flush()
}
