//! Checks that the events of an input do not depend on how it is fed: cut anywhere, pulled early or late, with clones.

use crate::effort::Effort;
use crate::pull::{Pull, drain, dump, end, write_event};
use bytes::Bytes;
use tagstream::{Balance, Dialect, Event, LeafXml, OwnedEvent, Parser, Sizes, Span, TextPolicy};
use unicode_normalization::UnicodeNormalization as _;

/// Inputs of at least this length, in bytes, are cut at fewer offsets.
const LONG: usize = 1 << 16;

/// Number of cuts that are made at once in a long input, far from each other.
const TOGETHER: usize = 8;

/// Numbers of ways in which an input is fed.
struct Measure {
    /// Inputs up to this length are cut at every pair of positions.
    pairs: usize,
    /// Inputs up to this length are cut at every position, longer ones at `positions` positions.
    every: usize,
    positions: usize,
    /// Number of positions, spread over the input, at which the parser is cloned.
    clones: usize,
}

impl Measure {
    fn get() -> Measure {
        Effort::choose(
            Measure {
                pairs: 16,
                every: 128,
                positions: 64,
                clones: 8,
            },
            Measure {
                pairs: 64,
                every: 4096,
                positions: 500,
                clones: 64,
            },
        )
    }

    /// Number of positions at which the parser is cloned for this input. It is smaller for very long inputs.
    fn clones_of(&self, input: &[u8]) -> usize {
        self.clones.min(if input.len() < LONG { 64 } else { 8 })
    }
}

/// The cases that the quick effort leaves out.
pub const LEFT_OUT: &str = "pairs of cuts in inputs longer than 16 bytes, most cuts in inputs longer \
     than 128, most clones";

/// Asserts that the events of a parser do not depend on how the input is fed. `make` returns a new parser.
pub fn check_cuts<P: Pull>(make: impl Fn() -> P, input: &[u8]) {
    let whole = dump(make(), input);
    same(&whole, &by(make(), input, 1), "byte by byte");
    same(&whole, &owned(make(), input), "owned events, byte by byte");
    same(&whole, &gathered(make(), input), "pulled only at the end");
    for at in [0, input.len() / 3, input.len()] {
        if let Some(again) = again(make(), input, at) {
            same(&whole, &again, "after a document that was left");
        }
    }
    let positions: Vec<usize> = positions(input.len()).collect();
    let together = if input.len() < LONG { 1 } else { TOGETHER };
    let runs = positions.len().div_ceil(together);
    for first in 0..runs {
        let cuts: Vec<usize> = positions
            .iter()
            .skip(first)
            .step_by(runs)
            .copied()
            .collect();
        let found = cut(make(), input, &cuts, first % 2 == 1);
        same_at(&whole, &found, &cuts);
    }
    if input.len() <= Measure::get().pairs {
        for first in 0..=input.len() {
            for second in first..=input.len() {
                let cuts = [first, second];
                same_at(&whole, &cut(make(), input, &cuts, false), &cuts);
            }
        }
    }
    clones_while_feeding(make(), input, &whole);
    clones_while_pulling(make(), input, &whole);
}

/// The usual sizes, except that the fast path for plain content is used in windows of any size. The fast path copies no
/// names.
const PLAIN: Sizes = Sizes {
    plain: 1,
    brief: 1,
    ..Sizes::USUAL
};

/// As `PLAIN`, but batches are so short that short inputs have many. The owned events of all but the first share copies
/// of their batches.
const SHORT_BATCHES: Sizes = Sizes { batch: 4, ..PLAIN };

/// Asserts that owned events are the borrowed events for every cut, after the parser was dropped.
fn check_owned<P: Pull>(whole: &str, make: impl Fn() -> P, input: &[u8]) {
    let fewer = if input.len() < LONG { 1 } else { 25 };
    for at in positions(input.len()).step_by(fewer) {
        same_at(whole, &kept(make(), input, &[at]), &[at]);
    }
    let every: Vec<usize> = (1..input.len()).collect();
    same(whole, &kept(make(), input, &every), "kept, byte by byte");
}

/// Asserts that the events of a parser are the same with the fast path for plain content as in the usual sizes, in
/// which short inputs do not use the fast path.
fn check_states<P: Pull>(plain: impl Fn() -> P, usual: impl Fn() -> P, input: &[u8]) {
    let whole = dump(plain(), input);
    same(&whole, &dump(usual(), input), "in the usual sizes");
    for size in [1, 7, 64] {
        let how = format!("in the usual sizes, by {size}");
        same(&whole, &by(usual(), input, size), &how);
    }
}

/// Asserts that events with errors, and text in pieces, do not depend on the feeding.
pub fn check_parser<D: Dialect>(dialect: &D, input: &[u8]) {
    let parser = || Parser::new(dialect.clone());
    let plain = || parser().report_errors(true).inspect_sizes(PLAIN);
    check_cuts(plain, input);
    check_states(plain, || parser().report_errors(true), input);
    let short = || parser().report_errors(true).inspect_sizes(SHORT_BATCHES);
    check_owned(&dump(plain(), input), short, input);
    let pieces = || parser().text(TextPolicy::Pieces);
    check_pieces(parser, pieces, input, joins_in_nfc::<D>());
}

/// As `check_parser`, for balanced events.
pub fn check_balanced<D: Balance>(dialect: &D, input: &[u8]) {
    let balanced = || Parser::new(dialect.clone()).balanced();
    let plain = || balanced().report_errors(true).inspect_sizes(PLAIN);
    check_cuts(plain, input);
    check_states(plain, || balanced().report_errors(true), input);
    let short = || balanced().report_errors(true).inspect_sizes(SHORT_BATCHES);
    check_owned(&dump(plain(), input), short, input);
    let pieces = || balanced().text(TextPolicy::Pieces);
    check_pieces(balanced, pieces, input, joins_in_nfc::<D>());
}

/// Returns the positions at which an input of this length is cut.
pub fn positions(length: usize) -> impl Iterator<Item = usize> {
    let measure = Measure::get();
    let step = if length <= measure.every {
        1
    } else {
        length.div_ceil(measure.positions)
    };
    // The step is odd, so that positions of every alignment are used.
    (0..=length).step_by(step | 1)
}

fn same(expected: &str, found: &str, how: &str) {
    if expected == found {
        return;
    }
    let differs = expected
        .lines()
        .zip(found.lines())
        .position(|(one, two)| one != two);
    let at = differs.unwrap_or(expected.lines().count().min(found.lines().count()));
    let line = |text: &str| text.lines().nth(at).unwrap_or("nothing").to_owned();
    panic!(
        "{how}: line {at} differs\n  whole: {}\n  found: {}\nall of whole:\n{}\nall of found:\n{}",
        line(expected),
        line(found),
        shortened(expected),
        shortened(found)
    );
}

fn shortened(text: &str) -> String {
    text.chars().take(3000).collect()
}

fn same_at(expected: &str, found: &str, cuts: &[usize]) {
    if expected != found {
        same(expected, found, &format!("cut at {cuts:?}"));
    }
}

/// Feeds chunks of `size` bytes, copied, and pulls the events after each chunk.
pub fn by(mut parser: impl Pull, input: &[u8], size: usize) -> String {
    let mut out = String::new();
    for chunk in input.chunks(size) {
        parser.feed(chunk);
        drain(&mut parser, &mut out);
    }
    end(parser, &mut out);
    out
}

/// Feeds byte by byte and reads from the iterator of owned events.
fn owned(mut parser: impl Pull, input: &[u8]) -> String {
    let mut out = String::new();
    for chunk in input.chunks(1) {
        parser.feed(chunk);
        drain_owned(&mut parser, &mut out);
    }
    parser.finish();
    drain_owned(&mut parser, &mut out);
    end(parser, &mut out);
    out
}

/// Feeds the input at once, after a part of it was read and the parser was reset.
fn again(mut parser: impl Pull, input: &[u8], at: usize) -> Option<String> {
    let mut left = String::new();
    for piece in [&input[..at / 2], &input[at / 2..at]] {
        parser.feed(piece);
        drain(&mut parser, &mut left);
    }
    if at == input.len() {
        parser.finish();
        drain(&mut parser, &mut left);
    }
    parser.reset().then(|| dump(parser, input))
}

fn drain_owned(parser: &mut impl Pull, out: &mut String) {
    let mut copy: Option<OwnedEvent> = None;
    while let Some(Ok(event)) = parser.pull_owned() {
        // A copy in the memory of the previous event must equal the event.
        match &mut copy {
            Some(copy) => event.event().clone_into(copy),
            None => copy = Some(event.clone()),
        }
        let copy = copy.as_ref().unwrap_or(&event);
        write_event(out, &copy.event());
    }
}

/// Feeds the pieces of an input and keeps the owned events. They are read after the parser was dropped.
fn kept(mut parser: impl Pull, input: &[u8], cuts: &[usize]) -> String {
    let mut events = Vec::new();
    for piece in pieces(input, cuts) {
        parser.feed(Bytes::copy_from_slice(piece));
        events.extend(std::iter::from_fn(|| parser.pull_owned()?.ok()));
    }
    parser.finish();
    events.extend(std::iter::from_fn(|| parser.pull_owned()?.ok()));
    let (mut out, mut outcome) = (String::new(), String::new());
    end(parser, &mut outcome);
    for event in &events {
        write_event(&mut out, &event.event());
        if let Event::Start(tag) = event.event() {
            assert_eq!(tag.depth(), None, "{event:?}");
        }
        let copy = event.event().to_owned();
        assert_eq!(copy, *event);
        assert_eq!(format!("{copy:?}"), format!("{event:?}"));
    }
    out + &outcome
}

/// Feeds byte by byte and pulls no event before the end.
fn gathered(mut parser: impl Pull, input: &[u8]) -> String {
    for chunk in input.chunks(1) {
        parser.feed(chunk);
    }
    let mut out = String::new();
    end(parser, &mut out);
    out
}

fn pieces<'a>(input: &'a [u8], cuts: &'a [usize]) -> impl Iterator<Item = &'a [u8]> {
    let starts = std::iter::once(0).chain(cuts.iter().copied());
    let ends = cuts.iter().copied().chain([input.len()]);
    starts.zip(ends).map(|(from, to)| &input[from..to])
}

fn cut(mut parser: impl Pull, input: &[u8], cuts: &[usize], copied: bool) -> String {
    let mut out = String::new();
    for piece in pieces(input, cuts) {
        match copied {
            true => parser.feed(piece),
            false => parser.feed(Bytes::copy_from_slice(piece)),
        }
        drain(&mut parser, &mut out);
    }
    end(parser, &mut out);
    out
}

/// Feeds byte by byte. A clone that is taken after a byte, before or after the events are pulled, must return the
/// remaining events, and so must the original parser.
fn clones_while_feeding<P: Pull>(mut parser: P, input: &[u8], whole: &str) {
    let step = (input.len() / Measure::get().clones_of(input)).max(1);
    let mut out = String::new();
    for (at, byte) in input.iter().enumerate() {
        parser.feed(&[*byte]);
        if at % step == 0 {
            go_on(parser.clone(), &out, &input[at + 1..], whole, at);
        }
        drain(&mut parser, &mut out);
        if at % step == 0 {
            go_on(parser.clone(), &out, &input[at + 1..], whole, at);
        }
    }
    end(parser, &mut out);
    same(whole, &out, "after clones were taken");
}

fn go_on(mut clone: impl Pull, so_far: &str, rest: &[u8], whole: &str, at: usize) {
    let mut out = so_far.to_owned();
    clone.feed(Bytes::copy_from_slice(rest));
    drain(&mut clone, &mut out);
    end(clone, &mut out);
    if whole != out {
        same(whole, &out, &format!("a clone taken after byte {at}"));
    }
}

/// Feeds the whole input. A clone that is taken between two events must return the remaining events.
fn clones_while_pulling<P: Pull>(mut parser: P, input: &[u8], whole: &str) {
    parser.feed(Bytes::copy_from_slice(input));
    let mut out = String::new();
    let most = Measure::get().clones_of(input);
    for taken in 0.. {
        if taken <= most {
            let (clone, mut all) = (parser.clone(), out.clone());
            end(clone, &mut all);
            same(whole, &all, "a clone taken between events");
        }
        match parser.pull() {
            Ok(Some(event)) => write_event(&mut out, &event),
            _ => break,
        }
    }
}

/// Asserts that the joined pieces of text equal the whole text, at every cut, and that the spans of the pieces lie in
/// the span of the whole text, in order. Errors are not reported, because they may lie between pieces. `in_nfc` says
/// that the text has to be converted to NFC after it was joined.
pub fn check_pieces<P: Pull>(
    whole: impl Fn() -> P,
    pieces: impl Fn() -> P,
    input: &[u8],
    in_nfc: bool,
) {
    let expected = joined(whole(), input, &[], in_nfc);
    let fewer = if input.len() < LONG { 1 } else { 25 };
    for at in positions(input.len()).step_by(fewer) {
        let found = joined(pieces(), input, &[at], in_nfc);
        same_text(&expected, &found, &format!("in pieces, cut at {at}"));
    }
    let every: Vec<usize> = (1..input.len()).collect();
    let found = joined(pieces(), input, &every, in_nfc);
    same_text(&expected, &found, "in pieces, byte by byte");
}

/// Returns whether the joined pieces of a text of the dialect have to be converted to NFC: a character in a CDATA
/// section may combine with one before the section, which is in another piece.
fn joins_in_nfc<D: Dialect>() -> bool {
    std::any::type_name::<D>() == std::any::type_name::<LeafXml>()
}

/// Events in text form, in which the runs of text have no positions, and the spans of the pieces of each run.
#[derive(Default)]
struct Joined {
    events: String,
    runs: Vec<Vec<Span>>,
    /// The characters of the unfinished run, if there is one. Its pieces are the last of `runs`.
    run: Option<String>,
    in_nfc: bool,
}

fn same_text(whole: &Joined, pieces: &Joined, how: &str) {
    if whole.events != pieces.events {
        same(&whole.events, &pieces.events, how);
    }
    for (run, pieces) in whole.runs.iter().zip(&pieces.runs) {
        let (start, end) = (run[0].start, run[run.len() - 1].end);
        let mut at = start;
        for (index, piece) in pieces.iter().enumerate() {
            // The text of an entity may be several pieces, all of which have the span of the reference.
            let repeats = index > 0 && pieces[index - 1] == *piece;
            let follows = at <= piece.start && piece.start < piece.end && piece.end <= end;
            assert!(
                repeats || follows,
                "{how}: {run:?} has the pieces {pieces:?}"
            );
            at = piece.end;
        }
    }
}

fn joined(mut parser: impl Pull, input: &[u8], cuts: &[usize], in_nfc: bool) -> Joined {
    let mut out = Joined {
        in_nfc,
        ..Joined::default()
    };
    for piece in pieces(input, cuts) {
        parser.feed(piece);
        out.join(&mut parser);
    }
    parser.finish();
    out.join(&mut parser);
    out.end_run();
    end(parser, &mut out.events);
    out
}

impl Joined {
    fn join(&mut self, parser: &mut impl Pull) {
        loop {
            match parser.pull() {
                Ok(Some(Event::Text(text))) => {
                    assert!(!text.as_str().is_empty(), "an empty piece of text");
                    if text.is_first_piece() {
                        self.end_run();
                    }
                    if self.run.is_none() {
                        self.runs.push(Vec::new());
                    }
                    let characters = self.run.get_or_insert_default();
                    characters.push_str(text.as_str());
                    self.runs.last_mut().expect("a run").push(text.span());
                }
                Ok(Some(event)) => {
                    self.end_run();
                    write_event(&mut self.events, &event);
                }
                Ok(None) => {
                    if !parser.is_in_text() {
                        self.end_run();
                    }
                    return;
                }
                Err(_) => return,
            }
            if !parser.is_in_text() {
                self.end_run();
            }
        }
    }

    fn end_run(&mut self) {
        if let Some(run) = self.run.take() {
            let run = match self.in_nfc {
                true => run.nfc().collect(),
                false => run,
            };
            self.events.push_str(&format!("text {run:?}\n"));
        }
    }
}
