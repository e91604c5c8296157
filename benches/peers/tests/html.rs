//! The same tokens as other tokenizers of HTML, page by page, however the page is cut: over a thousand
//! pages of the documentation that Rust's toolchain installs, and the pages in tagstream's tests.

use libtest_mimic::{Arguments, Failed, Trial};
use peers::html::engines::{COMPARED, tagstream_in_chunks};
use peers::html::pages;
use peers::html::reading::Log;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Chunks that a page is cut into, too.
const CHUNKS: [usize; 2] = [61, 4096];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/pages");
    let mut trials = trials("pages of the tests", Some(tests));
    trials.extend(self::trials(
        "documentation of Rust",
        pages::rust_documentation(),
    ));
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// A test for each page of a folder; one that is ignored where the folder is absent.
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

fn check(path: &Path) -> Result<(), Failed> {
    let text = std::fs::read_to_string(path)?;
    let read = |read: &dyn Fn(&str, &mut Log)| {
        let mut log = Log::default();
        read(&text, &mut log);
        log.finish()
    };
    let mut logs = COMPARED
        .iter()
        .map(|(name, engine)| (name.to_string(), read(engine)));
    let (first, expected) = logs.next().ok_or("no engine")?;
    let cut = CHUNKS.iter().map(|&size| {
        let log = read(&|text, log| tagstream_in_chunks(text, size, log));
        (format!("tagstream in chunks of {size}"), log)
    });
    for (name, found) in logs.chain(cut) {
        if found != expected {
            let mut pairs = expected.iter().zip(&found);
            let at = pairs.position(|(one, two)| one != two);
            let at = at.unwrap_or(expected.len().min(found.len()));
            let (wanted, got) = (expected.get(at), found.get(at));
            return Err(format!("token {at}\n{first}: {wanted:?}\n{name}: {got:?}").into());
        }
    }
    Ok(())
}
