//! The work of the rewriter, counted for every edit on every shape. It is proportional to the length of the input and
//! the output, and a document of twice the length takes twice the work. The memory of the rewriter does not depend on
//! the length of the input.

use crate::memory::{at_most, peak};
use tagstream::{
    Balance, Content, Encoding, Event, Form, Html, LeafXml, Limits, MicroXml, RewriteError,
    RewriteEvent, Rewriter, Sizes, Sky, Xml, inspect_work,
};
use testing::effort::{Effort, sized};
use testing::run::{Failed, Program};
use testing::shapes::{Shape, shapes};

/// Length of the shorter document in bytes. In the quick effort, an eighth of it.
///
/// Every edit is applied to two documents of every shape, in both forms and in each way of feeding, so the documents are
/// short. Shapes with counts are scaled to this length: the documents with the counts as written have up to a megabyte,
/// and took 95 percent of the time. A quadratic algorithm is noticed in a document of this length, because it has about
/// a thousand tags, and the square of that is much more than [`SLACK`]. The documents with the counts as written are
/// read once in each form, with all edits in turn.
const LENGTH: usize = 4 << 10;

/// Sizes with a window of which both documents fill several, in quick too. A document of a single window is not copied,
/// so its work is no measure for that of a longer one.
const WINDOWED: Sizes = Sizes {
    window: 512,
    ..Sizes::USUAL
};

/// Chunk sizes with the sizes of windows: small chunks, the whole document at once, and that in small windows. In the
/// quick effort, each edit has one of them.
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
    testing::cases!(
        program,
        "html/rewrite",
        output_ends_before_an_error,
        open_elements_count
    );
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

/// Adds cases for all shapes of these sections, and for the memory of both forms. The allocator counts the memory of the
/// whole process, so these two cases run alone, and the memory of the others is not measured.
fn all<D: Balance>(
    program: &mut Program,
    name: &str,
    dialect: &D,
    sections: &[&str],
    limits: Limits,
) {
    for is_balanced in [false, true] {
        let dialect = dialect.clone();
        program.case_alone(
            format!("{name}/rewrite, memory: an endless stream, balanced {is_balanced}"),
            move || {
                let rewriter = Rewriter::new(dialect).limits(limits);
                match is_balanced {
                    false => endless(rewriter),
                    true => endless(rewriter.balanced()),
                }
            },
        );
    }
    {
        let dialect = dialect.clone();
        program.case_alone(
            format!("{name}/rewrite, memory: an attribute that is set again and again"),
            move || set_again(Rewriter::new(dialect).limits(limits)),
        );
    }
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

/// Asserts that no memory is retained for values of attributes that later edits of the same tag replace, and that the last
/// values are written.
fn set_again<D: Balance, F: Form>(mut rewriter: Rewriter<D, F>) -> Result<(), Failed> {
    rewriter.feed("<a b='' c=''>");
    let held = peak(|| {
        while let Some(mut event) = rewriter.next_event()? {
            if event.as_start().is_none_or(|tag| tag.name() != "a") {
                continue;
            }
            for number in 0..sized(80_000) {
                for name in ["b", "c", "d"] {
                    event.set_attribute(name, format_args!("{number} {name}"))?;
                }
                event.remove_attribute("c")?;
            }
        }
        Ok(())
    })?;
    at_most(held, 128 << 10)?;
    let last = sized(80_000) - 1;
    let expected = format!(r#"<a b="{last} b" d="{last} d">"#);
    match rewriter.output().ends_with(expected.as_bytes()) {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(rewriter.output())
            .into_owned()
            .into()),
    }
}

/// Asserts that no memory is retained for edits that were applied, nor for output that the program has taken.
fn endless<D: Balance, F: Form>(mut rewriter: Rewriter<D, F>) -> Result<(), Failed> {
    let unit = "<b c='d'>e<br/>f<i>g</i></b><!--h-->i";
    let chunk = bytes::Bytes::from(unit.repeat((4 << 10) / unit.len()));
    let mut edit = in_turn();
    let held = peak(|| {
        rewriter.feed("<a>");
        for _ in 0..sized(512) {
            rewriter.feed(chunk.clone());
            let mut out = 0;
            if !pull(&mut rewriter, &mut edit, &mut out) || out == 0 {
                return Err("the document is not read".into());
            }
        }
        Ok(())
    })?;
    at_most(held, 128 << 10)
}

/// Asserts that each edit takes linear work, and so do all edits in turn.
fn linear<D: Balance>(dialect: &D, shape: &Shape, limits: Limits) -> Result<(), Failed> {
    let mut problems = String::new();
    let inputs = [1, 2].map(|times| shape.scaled_to(times * sized(LENGTH)));
    // Returns the work, and the number of bytes of input and output.
    let of = |input: &[u8], (chunk, sizes): (usize, Sizes), is_balanced, edit: AnyEdit<'_>| {
        let rewriter = Rewriter::new(dialect.clone()).limits(limits);
        let rewriter = rewriter.inspect_sizes(sizes);
        let (work, out) = match is_balanced {
            false => rewritten(rewriter, input, chunk, edit),
            true => rewritten(rewriter.balanced(), input, chunk, edit),
        };
        (work, (input.len() + out) as u64)
    };
    for (number, (name, edit)) in EDITS.iter().enumerate() {
        let one = number % FEEDINGS.len();
        for &feeding in Effort::choose(&FEEDINGS[one..=one], &FEEDINGS[..]) {
            for is_balanced in [false, true] {
                let one = of(&inputs[0], feeding, is_balanced, &mut |event| edit(event));
                let two = match inputs[0].len() < inputs[1].len() {
                    true => of(&inputs[1], feeding, is_balanced, &mut |event| edit(event)),
                    false => one,
                };
                if !is_linear(one, two) {
                    problems += &format!(
                        "{name}, balanced {is_balanced}, fed as {feeding:?}: {one:?}, {two:?}\n"
                    );
                }
            }
        }
    }
    let long = shape.of_bytes(2 * sized(LENGTH));
    if long.len() > inputs[1].len() {
        for is_balanced in [false, true] {
            let [one, two] = [&inputs[1], &long]
                .map(|input| of(input, FEEDINGS[1], is_balanced, &mut in_turn()));
            if !is_linear(one, two) {
                problems +=
                    &format!("all edits in turn, balanced {is_balanced}: {one:?}, {two:?}\n");
            }
        }
    }
    match problems.is_empty() {
        true => Ok(()),
        false => Err(problems.into()),
    }
}

/// An edit that may change with every event.
type AnyEdit<'e> = &'e mut dyn FnMut(&mut RewriteEvent<'_>);

/// Applies all edits in turn, one to each event.
fn in_turn() -> impl FnMut(&mut RewriteEvent<'_>) {
    let mut edits = EDITS.iter().cycle();
    move |event| {
        if let Some((_, edit)) = edits.next() {
            edit(event);
        }
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
    edit: AnyEdit<'_>,
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
fn pull<D: Balance, F: Form>(
    rewriter: &mut Rewriter<D, F>,
    edit: AnyEdit<'_>,
    out: &mut usize,
) -> bool {
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

/// Open elements, and edits that wait for their ends, count: the error is at the same tag for all chunks and sizes, and
/// the output ends before that tag, or after it if its edits exceed the limit.
fn open_elements_count() {
    let page = format!("<p>a{}", "<b>".repeat(2_000));
    // Reads and edits the next event. Returns false if there is none.
    let step = |rewriter: &mut Rewriter<Html>, appends: bool| -> Result<bool, RewriteError> {
        if !appends {
            return rewriter.next_selected().map(|event| event.is_some());
        }
        let Some(mut event) = rewriter.next_event()? else {
            return Ok(false);
        };
        if event.as_start().is_some_and(|tag| tag.name() == "b") {
            event.append("some text")?;
        }
        Ok(true)
    };
    let output = |appends: bool, memory: usize, size: usize, sizes: Sizes| {
        let limits = Limits::default().memory(memory);
        let mut rewriter = Rewriter::new(Html::default())
            .limits(limits)
            .inspect_sizes(sizes);
        rewriter.select("i").expect("a selector");
        let mut out = Vec::new();
        for chunk in page.as_bytes().chunks(size) {
            rewriter.feed(chunk);
            let error = loop {
                match step(&mut rewriter, appends) {
                    Ok(true) => {}
                    Ok(false) => break None,
                    Err(error) => break Some(error),
                }
            };
            if error.is_some() {
                assert_eq!(step(&mut rewriter, appends).err(), error);
                rewriter.output_to(&mut out);
                return (out.len(), error.map(|error| error.to_string()));
            }
        }
        (0, None)
    };
    for appends in [false, true] {
        let mut ends = Vec::new();
        for memory in [20_000, 50_000, 80_000] {
            let whole = output(appends, memory, page.len(), Sizes::USUAL);
            let (end, error) = &whole;
            let is_at = |start: usize| {
                let message = format!("1:{}: the parser uses too much memory", start + 1);
                let error = error.as_ref();
                page[start..].starts_with("<b>")
                    && error.is_some_and(|error| error.starts_with(&message))
            };
            assert!(
                is_at(*end) || appends && is_at(*end - 3),
                "{end}: {error:?}"
            );
            ends.push(*end);
            for size in [1, 7, 100] {
                let cut = output(appends, memory, size, Sizes::all(size + 3));
                assert_eq!(cut, whole, "memory {memory}, chunks of {size}");
            }
        }
        assert!(ends.is_sorted_by(|one, other| one < other), "{ends:?}");
    }
    let unlimited = output(true, usize::MAX, page.len(), Sizes::USUAL);
    assert_eq!(unlimited, (0, None));
}

/// If a limit ends the parse, the output ends before the token that exceeds it, wherever the input is cut.
fn output_ends_before_an_error() {
    let output = |page: &str, memory: usize, size: usize| {
        let limits = Limits::default().memory(memory);
        let mut rewriter = Rewriter::new(Html::default()).balanced().limits(limits);
        let (mut out, mut error) = (Vec::new(), None);
        for chunk in page.as_bytes().chunks(size).map(Some).chain([None]) {
            match chunk {
                Some(chunk) => rewriter.feed(chunk),
                None => rewriter.finish(),
            }
            error = loop {
                match rewriter.next_event() {
                    Ok(Some(_)) => {}
                    Ok(None) => break None,
                    Err(error) => break Some(error.to_string()),
                }
            };
            rewriter.output_to(&mut out);
            if error.is_some() {
                break;
            }
        }
        (String::from_utf8(out).expect("UTF-8"), error)
    };
    for page in ["<m><i><b>", "PTA", "<p>QRS<!--t--><table>u<td>v"] {
        for memory in (0..6000).step_by(7) {
            let whole = output(page, memory, page.len());
            for size in [1, 2, 3, 4, 7] {
                let cut = output(page, memory, size);
                assert_eq!(cut, whole, "{page}, memory {memory}, chunks of {size}");
            }
        }
    }
}
