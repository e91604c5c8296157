//! Work of the rewriter, counted for every edit on every shape: it is proportional to the input and the output, and
//! twice the input is twice the work.

use tagstream::{
    Balance, Content, Encoding, Event, Form, Html, LeafXml, Limits, MicroXml, RewriteError,
    RewriteEvent, Rewriter, Sizes, Sky, Xml, inspect_work,
};
use testing::effort::sized;
use testing::run::{Failed, Program};
use testing::shapes::{Shape, shapes};

/// Length in bytes of the shorter document; in quick, an eighth.
const LENGTH: usize = 4 << 10;

/// Sizes with a window of which both documents fill several, in quick too. A document of a single window is not copied,
/// so its work is no measure for that of a longer one.
const WINDOWED: Sizes = Sizes {
    window: 512,
    ..Sizes::USUAL
};

/// Chunk sizes with the sizes of windows: small chunks, the whole document at once, and that in small windows. In quick
/// each edit has one of them.
const FEEDINGS: [(usize, Sizes); 3] = [
    (64, Sizes::USUAL),
    (usize::MAX, WINDOWED),
    (usize::MAX, Sizes::all(64)),
];

/// Bytes and steps of work for each byte of input and output. A start tag with an attribute to set is copied in pieces,
/// and what could run into inserted content is read again.
const A_BYTE: u64 = 16;

/// Work on a document that does not depend on its length.
const SLACK: u64 = 16 << 10;

/// An edit, which is applied to every event.
type Edit = fn(&mut RewriteEvent<'_>);

/// One for each method of an event, or more where it does different things to different events. Edits of elements are
/// refused for other events, so each tests what it is called for.
const EDITS: &[(&str, Edit)] = &[
    ("no edit", |_| {}),
    ("set an attribute", |event| {
        if event.as_start().is_some() {
            let _ = event.set_attribute("x", "y");
        }
    }),
    ("set all attributes", |event| {
        if let Some(tag) = event.as_start() {
            for attribute in tag.attributes() {
                let _ = event.set_attribute(attribute.name(), "y");
            }
        }
    }),
    ("remove an attribute", |event| {
        let _ = event.remove_attribute("b");
    }),
    ("remove all attributes", |event| {
        if let Some(tag) = event.as_start() {
            for attribute in tag.attributes() {
                let _ = event.remove_attribute(attribute.name());
            }
        }
    }),
    ("rename", |event| {
        if event.as_start().is_some() {
            let _ = event.rename("x");
        }
    }),
    ("remove elements", |event| {
        if event.as_start().is_some_and(|tag| tag.name() == "b") {
            let _ = event.remove();
        }
    }),
    ("remove texts and comments", |event| {
        if event.as_text().is_some() || event.as_comment().is_some() {
            let _ = event.remove();
        }
    }),
    ("unwrap", |event| {
        if event.as_start().is_some() {
            let _ = event.unwrap_element();
        }
    }),
    ("before elements", |event| {
        if event.as_start().is_some() {
            let _ = event.before("x");
            let _ = event.before(Content::Markup("<!--x-->"));
        }
    }),
    ("before ends", |event| {
        if event.as_end().is_some() {
            let _ = event.before("x");
        }
    }),
    ("before all else", |event| {
        if !matches!(event.event(), Event::Start(_) | Event::End(_)) {
            let _ = event.before("x");
        }
    }),
    ("after elements", |event| {
        if event.as_start().is_some() {
            let _ = event.after("x");
            let _ = event.after(Content::Markup("<!--x-->"));
        }
    }),
    ("after ends", |event| {
        if event.as_end().is_some() {
            let _ = event.after("x");
        }
    }),
    ("after all else", |event| {
        if !matches!(event.event(), Event::Start(_) | Event::End(_)) {
            let _ = event.after("x");
        }
    }),
    ("append", |event| {
        if event.as_start().is_some() {
            let _ = event.append("x");
            let _ = event.append(Content::Markup("<!--x-->"));
        }
    }),
    ("prepend", |event| {
        if event.as_start().is_some() {
            let _ = event.prepend("x");
            let _ = event.prepend(Content::Markup("<!--x-->"));
        }
    }),
    ("set content", |event| {
        if event.as_start().is_some_and(|tag| tag.name() == "b") {
            let _ = event.set_content("x");
        }
    }),
    ("set texts", |event| {
        if event.as_text().is_some() || event.as_comment().is_some() {
            let _ = event.set_text("x");
        }
    }),
];

pub(crate) fn add(program: &mut Program) {
    let html = Html::default().encoding(Encoding::UTF_8);
    let of_html = ["HTML", "HTML's tree", "Rewriter"];
    // Copies of formatting elements stay limited: there may be as many for each paragraph as are open.
    let deep = Limits::default().depth(usize::MAX);
    all(program, "html", &html, &of_html, deep);
    let none = Limits::none();
    all(program, "xml", &Xml::default(), &["XML", "Rewriter"], none);
    let of_microxml = ["Markup", "Look-aheads", "MicroXML", "MicroXML, with a tree"];
    all(
        program,
        "microxml",
        &MicroXml::default(),
        &of_microxml,
        none,
    );
    let of_sky = ["Markup", "Look-aheads", "Sky", "Sky, with a tree"];
    all(program, "sky", &Sky::fragment(), &of_sky, none);
    let of_leafxml = ["Markup", "Look-aheads", "LeafXML"];
    all(program, "leafxml", &LeafXml::default(), &of_leafxml, none);
}

/// Cases for all shapes of these sections.
fn all<D: Balance>(
    program: &mut Program,
    name: &str,
    dialect: &D,
    sections: &[&str],
    limits: Limits,
) {
    for section in sections {
        for shape in shapes(section) {
            let dialect = dialect.clone();
            program.case(
                format!("{name}/rewrite, work: {}", shape.name()),
                move || linear(&dialect, &shape, limits),
            );
        }
    }
}

fn linear<D: Balance>(dialect: &D, shape: &Shape, limits: Limits) -> Result<(), Failed> {
    let mut problems = String::new();
    let inputs = [1, 2].map(|times| shape.of_bytes(times * sized(LENGTH)));
    for (number, (name, edit)) in EDITS.iter().enumerate() {
        // Each edit has one of the ways of feeding: all of them for all edits would take many minutes.
        let (chunk, sizes) = FEEDINGS[number % FEEDINGS.len()];
        let of = |input: &[u8], is_balanced: bool| {
            let rewriter = Rewriter::new(dialect.clone()).limits(limits);
            let rewriter = rewriter.inspect_sizes(sizes);
            let (work, out) = match is_balanced {
                false => rewritten(rewriter, input, chunk, *edit),
                true => rewritten(rewriter.balanced(), input, chunk, *edit),
            };
            (work, (input.len() + out) as u64)
        };
        for is_balanced in [false, true] {
            let one = of(&inputs[0], is_balanced);
            let two = match inputs[0].len() < inputs[1].len() {
                true => of(&inputs[1], is_balanced),
                false => one,
            };
            if !is_linear(one, two) {
                problems += &format!(
                    "{name}, balanced {is_balanced}, in chunks of {chunk}, {sizes:?}: {one:?}, {two:?}\n"
                );
            }
        }
    }
    match problems.is_empty() {
        true => Ok(()),
        false => Err(problems.into()),
    }
}

/// Whether work is little for each byte of input and output, and for twice the input, with its output, no more than
/// a tenth more for each byte. Each argument is the work and the number of bytes.
pub(crate) fn is_linear((work, bytes): (u64, u64), (twice, of_twice): (u64, u64)) -> bool {
    let is_few = twice <= A_BYTE * of_twice + SLACK;
    is_few && twice * bytes * 10 <= (work * 11 + SLACK * 10) * of_twice
}

/// Work, and bytes of output.
fn rewritten<D: Balance, F: Form>(
    mut rewriter: Rewriter<D, F>,
    input: &[u8],
    size: usize,
    edit: Edit,
) -> (u64, usize) {
    let (before, mut out) = (inspect_work(), 0);
    for chunk in input.chunks(size) {
        rewriter.feed(chunk);
        if size < input.len() && !pull(&mut rewriter, edit, &mut out) {
            break;
        }
    }
    rewriter.finish();
    pull(&mut rewriter, edit, &mut out);
    (rewriter.stats().total() + inspect_work() - before, out)
}

/// Edits all events that are there; gives whether the document can be read on.
fn pull<D: Balance, F: Form>(rewriter: &mut Rewriter<D, F>, edit: Edit, out: &mut usize) -> bool {
    let is_read = loop {
        match rewriter.next_event() {
            Ok(Some(mut event)) => edit(&mut event),
            Ok(None) => break true,
            Err(RewriteError::Read(_)) => break false,
            // The edit was not made, and the document goes on.
            Err(_) => {}
        }
    };
    *out += rewriter.output().len();
    is_read
}
