//! Compares the canonical forms of random documents and of their subtrees with those of libxml2, also after edits of the
//! tree. [`REASONS`] lists the differences that are allowed.
//!
//! The interpreter is `TAGSTREAM_PYTHON`, or `python3`. It calls the library libxml2 of the system directly.
//!
//! ```text
//! TAGSTREAM_DOCUMENTS=6000 cargo run --release -p testing --bin c14n
//! ```

mod document;

use document::{changed, document};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::process::ExitCode;
use tagstream::tree::C14n;
use tagstream::xpath::{XPath, XPathNode};
use tagstream::{Document, Node, Xml};
use testing::effort;
use testing::python::Python;
use testing::random::Random;

/// Number of documents, unless `TAGSTREAM_DOCUMENTS` sets it.
const DOCUMENTS: usize = 500;

/// Number of canonical forms for each document.
const FORMS: usize = 10;

/// Maximum number of differences that are printed.
const MAX_PRINTED: usize = 10;

const PREFIXES: [&str; 6] = ["", "", "p", "#default", "q #default", "p q r xml s"];

/// The results of both libraries. `None` is a refusal.
struct Results<'r> {
    text: &'r str,
    ours: Option<&'r str>,
    theirs: Option<&'r str>,
}

/// A condition on the results, and the reason for which a difference is allowed where the condition is true.
type Reason = (fn(&Results<'_>) -> bool, &'static str);

/// The differences that are allowed.
const REASONS: [Reason; 3] = [
    (
        |results| results.theirs.is_none() && results.text.contains("relative"),
        "libxml2 refuses a document that has a relative namespace anywhere, even outside the subtree",
    ),
    (
        |results| {
            let ours = results.ours.unwrap_or_default().trim_matches('\n');
            let is_alone = ours.starts_with("<?") && ours.ends_with("?>")
                || ours.starts_with("<!--") && ours.ends_with("-->");
            let theirs = results.theirs.and_then(|theirs| theirs.strip_suffix('\n'));
            is_alone && theirs == Some(ours)
        },
        "libxml2 treats a single comment or instruction anywhere as one before the root element, with a newline at the end",
    ),
    (
        |results| {
            let ours = results.ours.unwrap_or_default();
            results.theirs == Some(&*ours.replace("/?a=1&amp;b\"", "/?a=1&b\""))
        },
        "libxml2 does not escape the names of namespaces, so that its form is not well-formed",
    ),
];

/// A canonical form of one node.
struct Request {
    /// An XPath expression that selects the node.
    select: String,
    is_exclusive: bool,
    has_comments: bool,
    prefixes: &'static str,
}

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
        effort::seed(0x6331_346e),
    );
    let mut libxml2 = Python::start(include_str!("canonicalize.py"))?;
    let (mut compared, mut refused, mut edited, mut wrong) = (0, 0, 0, 0);
    let mut allowed = BTreeMap::new();
    for number in 0..documents {
        let mut random = Random(Random(seed.wrapping_add(number as u64)).number());
        let (mut text, mut tree) = parsed(&mut random);
        let is_edited = random.one_in(2) && changed(&mut random, &mut tree);
        if is_edited {
            // Some edited trees cannot be written, for example because a tag would have an attribute twice.
            match tree.to_xml() {
                Ok(xml) => text = xml,
                Err(_) => continue,
            }
            edited += 1;
        }
        let requests: Vec<Request> = (0..FORMS)
            .filter_map(|_| request(&mut random, &tree, is_edited))
            .collect();
        let theirs = forms(&mut libxml2, &text, &requests)?;
        for (request, theirs) in requests.iter().zip(theirs) {
            let ours = form(&tree, request)?;
            compared += 1;
            refused += usize::from(ours.is_none());
            if ours == theirs {
                continue;
            }
            let results = Results {
                text: &text,
                ours: ours.as_deref(),
                theirs: theirs.as_deref(),
            };
            if let Some((_, reason)) = REASONS.iter().find(|(applies, _)| applies(&results)) {
                *allowed.entry(reason).or_insert(0) += 1;
                continue;
            }
            wrong += 1;
            if wrong <= MAX_PRINTED {
                let request = json(request);
                eprintln!("{text}\n{request}\n  tagstream {ours:?}\n  libxml2   {theirs:?}\n");
            }
        }
    }
    for (reason, times) in allowed {
        println!("{times} differ: {reason}");
    }
    println!(
        "seed {seed}: {compared} canonical forms, {refused} refused, {edited} edited trees, {wrong} differences"
    );
    match wrong == 0 && refused * 4 < compared && edited > 0 {
        true => Ok(()),
        false => Err("libxml2 and tagstream differ".to_owned()),
    }
}

/// Returns a random document that is well-formed. Some random tags have an attribute twice.
fn parsed(random: &mut Random) -> (String, Document) {
    loop {
        let elements = [4, 12, 40][random.below(3)];
        let text = document(random, elements);
        if let Ok(tree) = Document::parse(Xml::strict(), &*text) {
            return (text, tree);
        }
    }
}

/// Returns a random form of a random node. Of an edited tree, the node is an element, because texts of an edited tree can be
/// adjacent, and are then one node when they are read.
fn request(random: &mut Random, tree: &Document, is_edited: bool) -> Option<Request> {
    let all = if is_edited { "//*" } else { "//node()" };
    let count = XPath::new(&format!("count({all})")).ok()?;
    let count: usize = count.evaluate(tree.root()).ok()?.to_string().parse().ok()?;
    Some(Request {
        select: match random.below(5) {
            0 => "/".to_owned(),
            1 => format!("(//*)[{}]", 1 + random.below(count)),
            _ => format!("({all})[{}]", 1 + random.below(count)),
        },
        is_exclusive: random.one_in(2),
        has_comments: random.one_in(2),
        prefixes: PREFIXES[random.below(PREFIXES.len())],
    })
    .filter(|request| selected(tree, request).is_some())
}

fn selected<'d>(tree: &'d Document, request: &Request) -> Option<Node<'d>> {
    match tree
        .xpath(&XPath::new(&request.select).ok()?)
        .ok()?
        .next()?
    {
        XPathNode::Node(node) => Some(node),
        _ => None,
    }
}

/// Returns the canonical form, or `None` if the tree has none.
fn form(tree: &Document, request: &Request) -> Result<Option<String>, String> {
    let form = match request.is_exclusive {
        true => C14n::exclusive().inclusive_prefixes(request.prefixes),
        false => C14n::inclusive(),
    };
    let node = selected(tree, request).ok_or("the request selects nothing")?;
    Ok(node.to_c14n(form.comments(request.has_comments)).ok())
}

fn json(request: &Request) -> Value {
    json!({
        "select": request.select,
        "exclusive": request.is_exclusive,
        "comments": request.has_comments,
        "prefixes": request.prefixes,
    })
}

/// Returns the canonical forms of nodes of a document by libxml2. `None` is a refusal.
fn forms(
    libxml2: &mut Python,
    text: &str,
    requests: &[Request],
) -> Result<Vec<Option<String>>, String> {
    let requests: Vec<Value> = requests.iter().map(json).collect();
    libxml2.ask(&json!({ "document": text, "requests": requests }))
}
