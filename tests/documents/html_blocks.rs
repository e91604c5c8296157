//! Cases of HTML in blocks of lines, as in `tests/data/html-construction.txt` and `tests/data/html-spans.txt`.
//!
//! ```text
//! #case NAME
//! #input TEXT                 with the escapes of `testing/src/rows.rs`
//! #in ELEMENT                 the context element of a fragment
//! #state STATE                the tokenizer starts in this state
//! #last-start-tag NAME        the last start tag before the input
//! #scripting                  scripting is on
//! #without-instructions       `<?` starts a bogus comment
//! #shadow-roots               templates may declare shadow roots
//! ```
//!
//! Only `#case` and `#input` are required. The expected lines follow. Lines that start with `# ` are comments.
//! `TAGSTREAM_REWRITE=1 cargo test --test documents html/` replaces the expected lines of all blocks by the lines that are
//! found; review the difference before you commit it.

use std::fmt::Write;
use std::fs;
use tagstream::html::InitialState;
use tagstream::{Encoding, Html};
use testing::rows::unescaped;
use testing::run::Program;

/// A case: its name, its input as written, its other header lines, and the expected lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct Block {
    pub(crate) name: String,
    input: String,
    options: Vec<String>,
    expected: String,
}

impl Block {
    /// Returns the input.
    pub(crate) fn input(&self) -> Vec<u8> {
        unescaped(&self.input)
    }

    /// Returns whether the block is about a fragment.
    pub(crate) fn is_fragment(&self) -> bool {
        self.options.iter().any(|line| line.starts_with("#in "))
    }

    /// Returns the options of the block.
    pub(crate) fn html(&self) -> Html {
        let value = |name: &str| {
            let line = self.options.iter().find_map(|line| line.strip_prefix(name));
            line.and_then(|line| line.strip_prefix(' '))
        };
        let has = |name: &str| self.options.iter().any(|line| line == name);
        let html = match value("#in") {
            Some(context) => Html::fragment(context).expect("a context element"),
            None => Html::default(),
        };
        let html = html
            .encoding(Encoding::UTF_8)
            .scripting(has("#scripting"))
            .processing_instructions(!has("#without-instructions"))
            .shadow_roots(has("#shadow-roots"));
        let html = match value("#state") {
            None => html,
            Some("RCDATA") => html.initial_state(InitialState::Rcdata),
            Some("RAWTEXT") => html.initial_state(InitialState::Rawtext),
            Some("script data") => html.initial_state(InitialState::ScriptData),
            Some("PLAINTEXT") => html.initial_state(InitialState::Plaintext),
            Some("CDATA section") => html.initial_state(InitialState::CdataSection),
            Some(other) => panic!("unknown state: {other}"),
        };
        match value("#last-start-tag") {
            Some(name) => html.last_start_tag(name),
            None => html,
        }
    }
}

/// Adds a case for each block of a file below `tests/data`. `find` returns the lines that a block results in, or an error
/// of another check of the block.
pub(crate) fn add(
    program: &mut Program,
    name: &str,
    file: &str,
    find: fn(&Block) -> Result<String, String>,
) {
    let path = testing::source::root().join("tests/data").join(file);
    let text = fs::read_to_string(&path).expect("a file of cases");
    let (introduction, blocks) = blocks(&text);
    if std::env::var_os("TAGSTREAM_REWRITE").is_some() {
        let text = introduction + &rewritten(&blocks, find);
        fs::write(path, text).expect("a file of cases");
    }
    for block in blocks {
        program.case(format!("{name} {}", block.name), move || {
            let (expected, found) = (&block.expected, find(&block)?);
            match *expected == found {
                true => Ok(()),
                false => Err(format!("expected:\n{expected}\nfound:\n{found}")),
            }
        });
    }
}

/// Returns the comment at the top of a file, and its blocks.
fn blocks(text: &str) -> (String, Vec<Block>) {
    let (mut introduction, mut blocks) = (String::new(), Vec::<Block>::new());
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("#case ") {
            let name = name.to_owned();
            blocks.push(Block {
                name,
                ..Block::default()
            });
            continue;
        }
        let Some(block) = blocks.last_mut() else {
            introduction += &format!("{line}\n");
            continue;
        };
        match line.strip_prefix("#input ") {
            Some(input) => block.input = input.to_owned(),
            None if line.is_empty() || line.starts_with("# ") => {}
            None if line.starts_with("#error ") || line.starts_with("#mode ") => {
                block.expected += &format!("{line}\n");
            }
            None if line.starts_with('#') => block.options.push(line.to_owned()),
            None => block.expected += &format!("{line}\n"),
        }
    }
    (introduction, blocks)
}

/// Returns the text of all blocks, with the lines that are found.
fn rewritten(blocks: &[Block], find: fn(&Block) -> Result<String, String>) -> String {
    let mut text = String::new();
    for (number, block) in blocks.iter().enumerate() {
        text += if number == 0 { "" } else { "\n" };
        writeln!(text, "#case {}\n#input {}", block.name, block.input).expect("a string");
        for line in &block.options {
            writeln!(text, "{line}").expect("a string");
        }
        text += &find(block).expect("a block");
    }
    text
}
