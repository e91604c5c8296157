//! Calls the methods of a parser in any order. No call panics, the number of events is finite, an error stays until the
//! parser is reset, and a parser that was reset reads like a new one.

use super::{Options, hash};
use crate::cuts::by;
use crate::pull::dump;
use crate::random::Random;
use crate::tree_formats::TreeFormats as _;
use tagstream::{
    Balance, Buildable, Error, Form, Html, LeafXml, Limits, MicroXml, Parser, Rewriter, Sizes, Sky,
    TextPolicy, TreeBuilder, Xml,
};

/// Number of calls.
const CALLS: usize = 60;

/// Checks a parser of each dialect. The calls are drawn with a seed that depends on the input.
///
/// # Errors
///
/// Returns a description of the property that does not hold.
pub fn check_orders(options: Options, input: &[u8]) -> Result<(), String> {
    let (sizes, seed) = (options.sizes, hash(input) ^ u64::from(options.bits));
    let of = |number| Random(seed.wrapping_add(number));
    dialect(&Html::default(), sizes, input, of(0))?;
    dialect(&Html::default().scripting(true), sizes, input, of(1))?;
    dialect(&Xml::default().external_entities(true), sizes, input, of(2))?;
    dialect(&Xml::strict(), sizes, input, of(3))?;
    dialect(&MicroXml::default(), sizes, input, of(4))?;
    dialect(&Sky::application(), sizes, input, of(5))?;
    dialect(&LeafXml::default(), sizes, input, of(6))
}

fn dialect<D: Balance + Buildable>(
    dialect: &D,
    sizes: Sizes,
    input: &[u8],
    mut random: Random,
) -> Result<(), String> {
    let limits = match random.below(5) {
        0 => least(0),
        1 => least(1),
        2 => Limits::none(),
        _ => Limits::default(),
    };
    let policy = match random.one_in(2) {
        true => TextPolicy::Pieces,
        false => TextPolicy::Whole,
    };
    let report = random.one_in(2);
    match random.below(4) {
        0 => {
            let parser = Parser::new(dialect.clone()).limits(limits).text(policy);
            let mut parser = parser.report_errors(report).inspect_sizes(sizes);
            calls(&mut parser, input, &mut random)?;
            parser.reset();
            let new = Parser::new(dialect.clone()).limits(limits).text(policy);
            let new = dump(new.report_errors(report).inspect_sizes(sizes), input);
            same(&new, &dump(parser.clone(), input))?;
            // Pieces of text depend on the chunks, so only whole text is compared for other chunks.
            match policy {
                TextPolicy::Pieces => Ok(()),
                _ => same(&new, &by(parser, input, 1 + random.below(9))),
            }
        }
        1 => {
            let parser = Parser::new(dialect.clone())
                .balanced()
                .limits(limits)
                .text(policy);
            let mut parser = parser.report_errors(report).inspect_sizes(sizes);
            calls(&mut parser, input, &mut random)?;
            parser.reset();
            let new = Parser::new(dialect.clone())
                .balanced()
                .limits(limits)
                .text(policy);
            let new = dump(new.report_errors(report).inspect_sizes(sizes), input);
            same(&new, &dump(parser, input))
        }
        2 => {
            let builder = || {
                let builder = TreeBuilder::new(dialect.clone()).limits(limits);
                builder.report_errors(report).inspect_sizes(sizes)
            };
            let mut used = builder();
            calls(&mut used, input, &mut random)?;
            used.reset();
            same(&tree(builder(), input), &tree(used, input))
        }
        _ => {
            let rewriter = Rewriter::new(dialect.clone()).limits(limits);
            match random.one_in(2) {
                true => rewritten(&rewriter.inspect_sizes(sizes), input, random),
                false => rewritten(&rewriter.balanced().inspect_sizes(sizes), input, random),
            }
        }
    }
}

fn rewritten<D: Balance, F: Form>(
    rewriter: &Rewriter<D, F>,
    input: &[u8],
    mut random: Random,
) -> Result<(), String> {
    let mut used = rewriter.clone();
    calls(&mut used, input, &mut random)?;
    used.reset();
    same(&passed(rewriter.clone(), input), &passed(used, input))
}

/// Sets all limits of a parser to the same number.
fn least(size: usize) -> Limits {
    let limits = Limits::none()
        .token(size)
        .name(size)
        .depth(size)
        .attributes(size);
    limits.declarations(size).entity_depth(size).memory(size)
}

fn same(new: &str, used: &str) -> Result<(), String> {
    match new == used {
        true => Ok(()),
        false => Err(format!("new:\n{new}\nbegun anew:\n{used}")),
    }
}

fn tree<D: Buildable>(mut builder: TreeBuilder<D>, input: &[u8]) -> String {
    let result = builder.feed(input).and_then(|()| builder.end());
    let error = result.err().map(|error| error.to_string());
    format!("{error:?}\n{}", builder.document().to_outline())
}

fn passed<D: Balance, F: Form>(mut rewriter: Rewriter<D, F>, input: &[u8]) -> String {
    rewriter.feed(input);
    rewriter.finish();
    let mut error = None;
    while error.is_none() {
        match rewriter.next_event() {
            Ok(Some(_)) => {}
            Ok(None) => break,
            Err(problem) => error = Some(problem.to_string()),
        }
    }
    format!("{error:?}\n{}", rewriter.take_output().escape_ascii())
}

/// The methods that can be called.
trait Calls {
    fn feed(&mut self, piece: &[u8]);
    fn finish(&mut self);
    /// Returns whether there was an event, or the error.
    fn next(&mut self) -> Result<bool, String>;
    /// A method that only some parsers have. `number` selects the method.
    fn other(&mut self, number: usize, piece: &[u8]);
    fn reset(&mut self);
    /// Replaces the value with a clone, if it can be cloned.
    fn go_on(&mut self);
}

macro_rules! calls {
    ([$($form:ident: $bound:ident)?] $type:ty, $feed:expr, $finish:expr, $go_on:expr) => {
        impl<D: Balance + Buildable $(, $form: $bound)?> Calls for $type {
            fn feed(&mut self, piece: &[u8]) {
                $feed(self, piece)
            }
            fn finish(&mut self) {
                $finish(self)
            }
            fn next(&mut self) -> Result<bool, String> {
                let told = |error: Error| error.to_string();
                Ok(self.next_event().map_err(told)?.is_some())
            }
            fn other(&mut self, number: usize, piece: &[u8]) {
                match number {
                    0 => self.skip_entity(),
                    1 => self.feed_entity(piece),
                    2 => self.finish_entity(None),
                    3 => self.finish_entity(Some("x")),
                    _ => {
                        let _ = (self.status(), self.encoding(), self.stats());
                    }
                }
            }
            fn reset(&mut self) {
                self.reset();
            }
            fn go_on(&mut self) {
                $go_on(self)
            }
        }
    };
}

calls!(
    [F: Form] Parser<D, F>,
    |parser: &mut Parser<D, F>, piece: &[u8]| parser.feed(piece),
    |parser: &mut Parser<D, F>| parser.finish(),
    |parser: &mut Parser<D, F>| *parser = parser.clone()
);
calls!(
    [] TreeBuilder<D>,
    |builder: &mut TreeBuilder<D>, piece: &[u8]| builder.supply(piece),
    |builder: &mut TreeBuilder<D>| builder.supply_end(),
    |_: &mut TreeBuilder<D>| ()
);

impl<D: Balance, F: Form> Calls for Rewriter<D, F> {
    fn feed(&mut self, piece: &[u8]) {
        self.feed(piece);
    }

    fn finish(&mut self) {
        self.finish();
    }

    fn next(&mut self) -> Result<bool, String> {
        match self.next_event() {
            Ok(event) => Ok(event.is_some()),
            Err(error) => Err(error.to_string()),
        }
    }

    fn other(&mut self, number: usize, piece: &[u8]) {
        let text = String::from_utf8_lossy(piece);
        if number == 0 {
            let _ = self.output().len();
            return;
        }
        if let Ok(Some(mut event)) = self.next_event() {
            let _ = match number {
                1 => event.remove(),
                2 => event.set_attribute("a", &text),
                3 => event.set_text(&text),
                4 => event.before(&*text),
                _ => event.append(&*text),
            };
        }
    }

    fn reset(&mut self) {
        self.reset();
    }

    fn go_on(&mut self) {
        *self = self.clone();
    }
}

/// Calls random methods.
fn calls<C: Calls>(parser: &mut C, input: &[u8], random: &mut Random) -> Result<(), String> {
    let mut at = 0;
    for _ in 0..CALLS {
        let length = random.below(12).min(input.len() - at);
        let piece = &input[at..at + length];
        match random.below(16) {
            0..6 => {
                parser.feed(piece);
                at += length;
            }
            6 if random.one_in(3) => parser.finish(),
            7..11 => {
                let _ = parser.next();
            }
            11 => drain(parser, input.len())?,
            12..15 => parser.other(random.below(6), piece),
            15 if random.one_in(6) => {
                parser.reset();
                at = 0;
            }
            _ => parser.go_on(),
        }
    }
    Ok(())
}

/// Pulls all available events. The number of events is bounded by the length of the input and the replacement text of
/// entities.
fn drain<C: Calls>(parser: &mut C, length: usize) -> Result<(), String> {
    for _ in 0..1_000 * (length + 10) {
        match parser.next() {
            Ok(true) => {}
            Ok(false) | Err(_) => return Ok(()),
        }
    }
    Err("events without end".to_owned())
}
