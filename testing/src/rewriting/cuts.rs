//! Random edits of documents in chunks. Neither the output nor the refused edits depend on the chunks.

use crate::draws;
use crate::random::Random;
use tagstream::{
    Balance, Content, EndTag, Event, Form, RewriteError, RewriteEvent, Rewriter, Sizes, Span,
    StartTag, Text,
};

/// The result of rewriting a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The output.
    pub out: Vec<u8>,
    /// The refused edits: the byte offset of the event, the edit and the reason.
    pub refused: Vec<String>,
    /// The error of the parse.
    pub error: Option<String>,
    /// Number of edits that were made.
    pub edits: usize,
    /// True if an edit of a text was made in one piece and refused in another, as in scripts whose state a piece changes.
    pub is_partial: bool,
}

impl Outcome {
    fn show(&self) -> String {
        let out = String::from_utf8_lossy(&self.out);
        format!("{out:?} {:?} {:?}", self.refused, self.error)
    }
}

/// The way in which the output is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Take {
    /// With `output`, after each chunk.
    Output,
    /// With `output_to`, after each chunk.
    Into,
    /// With `output`, after each event.
    EachEvent,
    /// In one of these ways, after some events and some chunks. Some of these rewriters are replaced by a copy, or by one
    /// that is restored from a checkpoint.
    AtRandom,
}

/// Texts, many of which form another token together with the end of the text before them.
const TEXTS: [&str; 28] = [
    "x", "", " ", "\n", "a & b", "<i>", "]", "]]>", "p;", "#38;", "é日", "\n-", "ipt>", "t>", "/",
    "-->", "->", ">", "--!>", "&am", "<scr", "le x", "script>", "!--", "--", "/style>", "[CDATA[",
    "\u{301}",
];

const MARKUP: [&str; 9] = [
    "<i>m</i>",
    "<!--n-->",
    "<br/>",
    "<u>q</u>r",
    "s",
    "<b></b>",
    "<script>o</script>",
    "<?p q?>",
    "&amp;",
];

/// The edits of one document: they depend on the seed and on the offset of the event.
struct Edits {
    seed: u64,
    /// The edit of the current run of text, and whether it was applied to the first piece.
    run: Option<Run>,
    is_raw: bool,
    /// True after a frameset, in which tree construction ignores parts of texts, and all edits of texts are refused.
    has_frameset: bool,
}

#[derive(Clone, Copy)]
struct Run {
    pick: usize,
    start: u64,
    is_first: bool,
    /// True if the edit of the first piece was refused. The other pieces are not edited then.
    is_refused: bool,
}

impl Edits {
    fn random(&self, kind: u64, start: u64) -> Random {
        Random(self.seed ^ (start + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (kind << 56))
    }

    fn content(random: &mut Random) -> Content<'static> {
        match random.one_in(3) {
            true => Content::Markup(MARKUP[random.below(MARKUP.len())]),
            false => Content::Text(TEXTS[random.below(TEXTS.len())]),
        }
    }

    /// Applies an edit to an event. Returns its name and its result.
    fn apply(
        &mut self,
        event: &mut RewriteEvent<'_>,
    ) -> Option<(String, Result<(), RewriteError>)> {
        let Span { start, end } = event.event().span();
        match event.event() {
            Event::Start(tag) => {
                self.run = None;
                self.edit_start(event, tag, start)
            }
            Event::End(tag) => {
                self.run = None;
                self.is_raw = false;
                match start == end {
                    true => None,
                    false => self.edit_end(event, tag, start),
                }
            }
            Event::Text(_) if self.has_frameset => None,
            Event::Text(text) => self.edit_text(event, text, start),
            other => {
                if !matches!(other, Event::ProcessingInstruction(_)) {
                    self.run = None;
                }
                self.edit_other(event, start)
            }
        }
    }

    /// Applies an edit to a start tag.
    fn edit_start(
        &mut self,
        event: &mut RewriteEvent<'_>,
        tag: StartTag<'_>,
        start: u64,
    ) -> Option<(String, Result<(), RewriteError>)> {
        let implied = u64::from(tag.is_implied()) * 7;
        let mut random = self.random(1 + implied + tag.name().len() as u64 * 16, start);
        self.has_frameset |= tag.name() == "frameset";
        // An element that is opened again in `plaintext` is in it.
        self.is_raw &= tag.is_implied();
        self.is_raw |= [
            "script",
            "style",
            "title",
            "textarea",
            "xmp",
            "iframe",
            "noscript",
            "noframes",
            "noembed",
            "plaintext",
        ]
        .contains(&tag.name());
        let pick = random.below(30);
        let content = Edits::content(&mut random);
        let first = tag.attributes().next().map(|one| one.name());
        let result = match pick {
            0 => event.set_attribute("data-x", "a \"b\"").map(drop),
            1 => event.set_attribute(first.unwrap_or("b"), "n").map(drop),
            2 => event.remove_attribute(first.unwrap_or("b")).map(drop),
            3 => event.rename("renamed").map(drop),
            4 => event.remove().map(drop),
            5 => event.unwrap_element().map(drop),
            6 => event.before(content).map(drop),
            7 => event.after(content).map(drop),
            8 => event.prepend(content).map(drop),
            9 => event.append(content).map(drop),
            10 => event.set_content(content).map(drop),
            11 => event
                .before(content)
                .and_then(|event| event.after(content))
                .and_then(|event| event.remove())
                .map(drop),
            12 => event
                .prepend(content)
                .and_then(|event| event.append("z"))
                .and_then(|event| event.after("y"))
                .map(drop),
            _ => return None,
        };
        Some((format!("{start} {} {pick} {content:?}", tag.name()), result))
    }

    /// Applies an edit to an end tag.
    fn edit_end(
        &mut self,
        event: &mut RewriteEvent<'_>,
        tag: EndTag<'_>,
        start: u64,
    ) -> Option<(String, Result<(), RewriteError>)> {
        let mut random = self.random(2, start);
        let pick = random.below(20);
        let content = Edits::content(&mut random);
        let result = match pick {
            0 => event.before(content).map(drop),
            1 => event.after(content).map(drop),
            _ => return None,
        };
        Some((
            format!("{start} /{} {pick} {content:?}", tag.name()),
            result,
        ))
    }

    /// Applies an edit to a piece of a text: the same one to all pieces of a run.
    fn edit_text(
        &mut self,
        event: &mut RewriteEvent<'_>,
        text: Text<'_>,
        start: u64,
    ) -> Option<(String, Result<(), RewriteError>)> {
        let mut run = *self.run.get_or_insert_with(|| Run {
            pick: Random(self.seed ^ start.wrapping_mul(77)).below(16),
            start,
            is_first: true,
            is_refused: false,
        });
        let mut random = self.random(3, run.start);
        let content = Edits::content(&mut random);
        let insert = TEXTS[random.below(TEXTS.len())];
        let (is_first, is_last) = (run.is_first, event.is_last());
        let has_text = !text.as_str().is_empty();
        run.is_first &= !has_text;
        self.run = (!is_last).then_some(run);
        if run.is_refused {
            return None;
        }
        let result = match run.pick {
            0 if has_text && is_first => event.set_text(insert).map(drop),
            0 | 1 if has_text => event.remove().map(drop),
            2 if has_text && is_first => event.before(content).map(drop),
            3 if is_last => event.after(content).map(drop),
            4 if has_text && !self.is_raw && !text.is_moved() => {
                // Characters that cannot be written would be refused in some pieces only.
                let is_odd = |one: char| {
                    matches!(one, '\u{FFFD}'..='\u{FFFF}' | '\u{C}' | '\u{B}')
                        || one.is_control() && !matches!(one, '\t' | '\n')
                };
                let text = text.as_str().to_ascii_uppercase().replace(is_odd, "");
                event.set_text(&text).map(drop)
            }
            5 if is_last && has_text => event.after("[/T]").map(drop),
            5 if is_last => event.before("[/T]").map(drop),
            _ => return None,
        };
        if let Some(run) = &mut self.run {
            run.is_refused = result.is_err();
        }
        let name = format!("{} text {} {content:?} {insert:?}", run.start, run.pick);
        Some((name, result))
    }

    /// Applies an edit to another event.
    fn edit_other(
        &mut self,
        event: &mut RewriteEvent<'_>,
        start: u64,
    ) -> Option<(String, Result<(), RewriteError>)> {
        let mut random = self.random(4, start);
        let pick = random.below(12);
        let content = Edits::content(&mut random);
        let result = match pick {
            0 => event.set_text("new").map(drop),
            1 => event.remove().map(drop),
            2 => event.before(content).map(drop),
            3 => event.after(content).map(drop),
            _ => return None,
        };
        Some((format!("{start} other {pick} {content:?}"), result))
    }
}

/// The selectors of the start tags that are edited. Each document has one of them.
const SELECTORS: [&str; 7] = ["b", "i, p", "*", "p > *", ":root", "[b]", "a b, td"];

/// The events that the rewriter returns, and those that are edited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    /// All events are returned and edited.
    All,
    /// All events are returned. Those that the document's selector selects are edited.
    EditsSelected,
    /// Only the selected events are returned, and they are edited.
    Selected,
}

fn next<D: Balance, F: Form>(
    rewriter: &mut Rewriter<D, F>,
    reading: Reading,
) -> Result<Option<RewriteEvent<'_>>, RewriteError> {
    match reading {
        Reading::Selected => rewriter.next_selected(),
        Reading::All | Reading::EditsSelected => rewriter.next_event(),
    }
}

/// The way in which a document is rewritten.
#[derive(Clone, Copy, Debug)]
struct Way {
    take: Take,
    reading: Reading,
    seed: u64,
    /// True if events are edited.
    is_edited: bool,
}

fn outcome_of<'i, D: Balance, F: Form>(
    mut rewriter: Rewriter<D, F>,
    restore: impl Fn(&Rewriter<D, F>) -> Rewriter<D, F>,
    chunks: impl IntoIterator<Item = &'i [u8]>,
    way: Way,
) -> Outcome {
    let Way {
        take,
        reading,
        seed,
        is_edited,
    } = way;
    let mut outcome = Outcome::default();
    let mut edits = Edits {
        seed,
        run: None,
        is_raw: false,
        has_frameset: false,
    };
    let mut random = Random(seed ^ 9);
    let is_replaced = take == Take::AtRandom && random.one_in(2);
    let (mut last_made, mut last_refused) = (None, None);
    let selector = SELECTORS[Random(seed ^ 5).below(SELECTORS.len())];
    let selected = rewriter.select(selector).expect("a selector");
    for chunk in chunks.into_iter().map(Some).chain([None]) {
        match chunk {
            Some(chunk) => rewriter.feed(chunk),
            None => rewriter.finish(),
        }
        loop {
            match next(&mut rewriter, reading) {
                Ok(Some(mut event)) => {
                    let is_selected = event.is_selected(selected);
                    assert!(is_selected || reading != Reading::Selected, "{event:?}");
                    let is_text = matches!(event.event(), Event::Text(_));
                    let is_edited = is_edited && (is_selected || reading == Reading::All);
                    if is_edited && let Some((name, result)) = edits.apply(&mut event) {
                        match result {
                            Ok(()) => {
                                outcome.edits += 1;
                                last_made = Some(name);
                            }
                            Err(RewriteError::Refused(refusal, _))
                                if last_made.as_ref() == Some(&name)
                                    && refusal.as_str() == "raw-text" =>
                            {
                                outcome.is_partial = true;
                            }
                            // Each piece of a run may be refused.
                            Err(_) if is_text && last_refused.as_ref() == Some(&name) => {}
                            Err(RewriteError::Refused(refusal, _)) if is_text => {
                                let reason = refusal.as_str();
                                outcome.refused.push(format!("{name}: {reason}"));
                                last_refused = Some(name);
                            }
                            Err(error) => {
                                outcome.refused.push(format!("{name}: {error}"));
                                last_refused = Some(name);
                            }
                        }
                    }
                }
                Ok(None) => break,
                Err(error @ RewriteError::Refused(..)) => {
                    outcome.refused.push(format!("late {error}"));
                }
                Err(error) => {
                    outcome.error = Some(error.to_string());
                    break;
                }
            }
            match take {
                Take::EachEvent => outcome.out.extend_from_slice(rewriter.output()),
                Take::AtRandom if random.one_in(8) => {
                    outcome.out.extend_from_slice(rewriter.output());
                }
                Take::AtRandom if random.one_in(8) => rewriter.output_to(&mut outcome.out),
                _ => {}
            }
            if is_replaced && random.one_in(40) {
                rewriter = rewriter.clone();
            }
        }
        match take {
            Take::Into => rewriter.output_to(&mut outcome.out),
            Take::AtRandom if chunk.is_some() && random.one_in(3) => {}
            Take::AtRandom if random.one_in(2) => rewriter.output_to(&mut outcome.out),
            _ => outcome.out.extend_from_slice(rewriter.output()),
        }
        if outcome.error.is_some() {
            outcome.out.extend_from_slice(rewriter.output());
            break;
        }
        if is_replaced && random.one_in(6) {
            rewriter = restore(&rewriter);
        }
    }
    outcome
}

/// A document that is rewritten in several ways.
#[derive(Clone, Copy, Debug)]
pub struct Rewriting<'i> {
    /// The document.
    pub input: &'i [u8],
    /// The sizes of the engine.
    pub sizes: Sizes,
    /// The seed of the edits, the chunks and the times at which output is taken.
    pub seed: u64,
    /// True if events are edited. Otherwise the output must be the input.
    pub is_edited: bool,
}

/// Returns the difference between the outcomes of a document in one chunk, with the usual sizes, and in several ways of
/// cutting it. `make` returns a rewriter with these sizes, and `restore` returns the rewriter that is restored from the
/// checkpoint of another one.
#[must_use]
pub fn difference<D: Balance, F: Form>(
    make: impl Fn(Sizes) -> Rewriter<D, F>,
    restore: impl Fn(&Rewriter<D, F>) -> Rewriter<D, F>,
    rewriting: Rewriting<'_>,
) -> Option<String> {
    let Rewriting {
        input,
        sizes,
        seed,
        is_edited,
    } = rewriting;
    let of = |sizes: Sizes, chunks: &[&[u8]], take, reading| {
        let way = Way {
            take,
            reading,
            seed,
            is_edited,
        };
        outcome_of(make(sizes), &restore, chunks.iter().copied(), way)
    };
    let usual = draws::reference(sizes);
    let whole = of(usual, &[input], Take::Output, Reading::All);
    if !is_edited {
        let is_same = match &whole.error {
            None => whole.out == input,
            Some(_) => input.starts_with(&whole.out),
        };
        if !is_same {
            return Some(format!("without edits {}", whole.show()));
        }
    }
    let mut random = Random(seed);
    let small = 2 + random.below(7);
    let bytes: Vec<&[u8]> = input.chunks(1).collect();
    for (chunks, take) in [
        (bytes.clone(), Take::Output),
        (bytes.clone(), Take::Into),
        (input.chunks(small).collect(), Take::EachEvent),
        (vec![input], Take::EachEvent),
        (draws::chunks(&mut random, input), Take::AtRandom),
        (draws::chunks(&mut random, input), Take::AtRandom),
    ] {
        let cut = of(sizes, &chunks, take, Reading::All);
        if cut.is_partial || whole.is_partial {
            continue;
        }
        if cut.out != whole.out || cut.refused != whole.refused || cut.error != whole.error {
            let (whole, cut) = (whole.show(), cut.show());
            let lengths: Vec<usize> = chunks.iter().map(|chunk| chunk.len()).take(40).collect();
            return Some(format!(
                "whole {whole}\nchunks of {lengths:?}, {take:?} {cut}"
            ));
        }
    }
    let all = of(usual, &[input], Take::Output, Reading::EditsSelected);
    for chunks in [
        vec![input],
        bytes,
        input.chunks(small).collect(),
        draws::chunks(&mut random, input),
    ] {
        let skipping = of(sizes, &chunks, Take::Output, Reading::Selected);
        let is_partial = skipping.is_partial || all.is_partial;
        if skipping != all && !is_partial {
            let (all, skipping) = (all.show(), skipping.show());
            let lengths: Vec<usize> = chunks.iter().map(|chunk| chunk.len()).take(40).collect();
            return Some(format!(
                "all events {all}\nonly selected tags, chunks of {lengths:?}, {skipping}"
            ));
        }
    }
    None
}
