//! What the stack of open elements of HTML says at once is what the standard finds out by walking down
//! it: compared for every open element after every token, of the tree-construction suite and of random
//! documents.

#[path = "../html_tree/cases.rs"]
mod cases;

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tagstream::{Encoding, Html, TreeBuilder};
use testing::model::html::walks::{Element, summary};
use testing::random::Random;

/// So many random documents for each seed.
const DOCUMENTS: usize = 3_000;

/// The tags of random documents; those that belong together stand there more than once.
const TAGS: &str = "html head body frameset template table caption colgroup col tbody tfoot thead tr \
    td th select option optgroup datalist selectedcontent button p li dd dt ul ol div address b a \
    nobr i form applet marquee object ruby rb rtc rt svg desc foreignObject title math mi mtext \
    annotation-xml h1 h2 span x-y noscript script style textarea input hr meta br font pre search \
    select optgroup option div select optgroup";

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = vec![
        Trial::test("random documents of a fixed seed", || {
            random(0x7461_6773_7472_6561)
        }),
        Trial::test("random documents of a fresh seed", || {
            random(Random::fresh_seed())
        }),
    ];
    let suites = std::env::var_os("TAGSTREAM_SUITES").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/suites"),
        PathBuf::from,
    );
    let suite = suites.join("html/tree-construction");
    let ignored = !suite.is_dir();
    let check_suite = move || {
        for case in cases::tree_cases(&suite) {
            check(case.context.as_deref(), case.scripting[0], &case.input)?;
        }
        Ok(())
    };
    trials.push(Trial::test("the suite", check_suite).with_ignored_flag(ignored));
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn random(seed: u64) -> Result<(), Failed> {
    println!("seed {seed}");
    let tags: Vec<&str> = TAGS.split_ascii_whitespace().collect();
    let mut numbers = Random(seed);
    let mut below = |most: usize| numbers.below(most);
    for _ in 0..DOCUMENTS {
        let context = Some(tags[below(tags.len())]).filter(|_| below(4) == 0);
        // Of a few tags, the rare meetings are frequent.
        let tags: Vec<&str> = (0..2 + below(12))
            .map(|_| tags[below(tags.len())])
            .collect();
        let mut document = String::new();
        for _ in 0..1 + below(30) {
            let tag = tags[below(tags.len())];
            document += &match below(12) {
                0 => "x".to_owned(),
                1 => "<annotation-xml encoding=text/html>".to_owned(),
                2..4 => format!("</{tag}>"),
                _ => format!("<{tag}>"),
            };
        }
        let checked = check(context, below(2) == 0, &document);
        checked.map_err(|problem| format!("seed {seed}: {problem}"))?;
    }
    Ok(())
}

/// Compares after every token.
fn check(context: Option<&str>, scripting: bool, document: &str) -> Result<(), String> {
    let html = match context {
        Some(context) => Html::fragment(context),
        None => Html::default(),
    };
    let mut builder = TreeBuilder::new(html.scripting(scripting).encoding(Encoding::UTF_8));
    builder.feed(document.to_owned());
    builder.finish();
    let mut ended = false;
    while !ended {
        let event = builder.next_event().map_err(|error| error.to_string())?;
        ended = event.is_none();
        let said = builder.open_elements();
        let read = |[element, _]: &'_ [String; 2]| -> Option<[String; 3]> {
            let mut words = element.split(' ').map(str::to_owned);
            Some([words.next()?, words.next()?, words.next()?])
        };
        let open: Vec<[String; 3]> = said.iter().filter_map(read).collect();
        let open: Vec<Element<'_>> = open
            .iter()
            .map(|[space, name, mode]| Element { space, name, mode })
            .collect();
        for (place, [element, said]) in said.iter().enumerate() {
            let wanted = summary(&open[..=place]);
            if *said != wanted || !open[place].has_its_mode() {
                return Err(format!(
                    "{document:?} in {context:?}, element {place}, {element}:\n{said}\nwanted:\n{wanted}"
                ));
            }
        }
    }
    Ok(())
}
