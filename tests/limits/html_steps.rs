//! The number of steps of HTML's tree construction, on inputs for which a simple implementation takes quadratic time.
//! The number of steps per token is small, and input of twice the length takes twice the steps.

use tagstream::tree::Edge;
use tagstream::{Encoding, Html, Limits, NodeKind, TreeBuilder};
use testing::effort::{Effort, sized};
use testing::pull::built;
use testing::run::Program;
use testing::shapes::{Shape, shapes};

pub(crate) fn add(program: &mut Program) {
    // Each shape is a separate case, so that the cases run on all cores.
    for shape in shapes(SHAPES) {
        let name = format!("html/steps are few and linear: {}", shape.name());
        let same = shape.clone();
        program.case(name, move || steps_are_few_and_linear(&same));
        let name = format!("html/steps are few byte by byte: {}", shape.name());
        program.case(name, move || steps_are_few_byte_by_byte(&shape));
    }
    testing::cases!(
        program,
        "html/steps",
        trees_are_no_deeper_than_the_limit,
        copies_of_formatting_elements_are_bounded,
    );
}

/// The number of repetitions of the unit of a shape; a second run has twice as many.
pub(crate) const UNITS: usize = 50_000;

/// The section of the file of shapes.
pub(crate) const SHAPES: &str = "HTML's tree";

/// Maximum number of steps per token.
const A_TOKEN: u64 = 16;

/// Maximum number of additional steps per run of the adoption agency algorithm.
const A_RUN: u64 = 64;

/// Returns the numbers of tokens and steps for an input that is fed in chunks of this size. Each piece of text counts
/// as a token.
pub(crate) fn counted(shape: &Shape, units: usize, size: usize) -> (u64, u64) {
    let mut builder = TreeBuilder::new(Html::default().encoding(Encoding::UTF_8));
    let text = shape.of_units(units);
    let mut tokens = 0;
    let mut pull = |builder: &mut TreeBuilder<Html>| {
        while builder.next_event().expect("within the limits").is_some() {
            tokens += 1;
        }
    };
    for chunk in text.as_bytes().chunks(size) {
        builder.supply(chunk);
        pull(&mut builder);
    }
    builder.supply_end();
    pull(&mut builder);
    (tokens, builder.steps())
}

/// Returns the number of runs of the adoption agency algorithm in a unit.
fn runs(shape: &Shape) -> u64 {
    shape.number("adoptions").map_or(0, |runs| runs as u64)
}

/// Returns the maximum number of steps for a number of tokens.
pub(crate) fn allowed(shape: &Shape, units: usize, tokens: u64) -> u64 {
    A_TOKEN * (tokens + 1) + A_RUN * runs(shape) * units as u64
}

fn steps_are_few_and_linear(shape: &Shape) -> Result<(), String> {
    let (tokens, steps) = counted(shape, sized(UNITS), usize::MAX);
    let (_, of_two) = counted(shape, 2 * sized(UNITS), usize::MAX);
    let most = allowed(shape, sized(UNITS), tokens);
    let ratio = of_two as f64 / steps as f64;
    match steps == 0 || steps > most || of_two * 10 > steps * 21 {
        false => Ok(()),
        true => Err(format!(
            "{steps} steps for {tokens} tokens, {most} allowed; × {ratio:.3}"
        )),
    }
}

fn steps_are_few_byte_by_byte(shape: &Shape) -> Result<(), String> {
    let units = Effort::choose(UNITS / 20, UNITS / 10);
    let (tokens, steps) = counted(shape, units, 1);
    let most = allowed(shape, units, tokens);
    match steps <= most {
        true => Ok(()),
        false => Err(format!("{steps} steps, {most} allowed")),
    }
}

/// The depth of trees is bounded. The depth of elements exceeds the limit only through the adoption agency algorithm,
/// by at most the number of active formatting elements.
fn trees_are_no_deeper_than_the_limit() {
    const LIMIT: usize = 100;
    let limits = Limits::default().depth(LIMIT);
    for shape in &shapes(SHAPES) {
        let options = Html::default().encoding(Encoding::UTF_8);
        let builder = TreeBuilder::new(options).limits(limits);
        let document = built(builder, [shape.of_units(2_000).as_bytes()]);
        let document = document.expect("within the limits");
        let (mut depth, mut deepest) = (0, 0);
        for edge in document.root().edges().through_templates() {
            match edge {
                Edge::Open(node) => {
                    depth += usize::from(node.kind() == NodeKind::Element);
                    deepest = deepest.max(depth);
                }
                Edge::Close(node) => depth -= usize::from(node.kind() == NodeKind::Element),
            }
        }
        let most = match runs(shape) {
            0 => LIMIT,
            _ => 2 * LIMIT + 4,
        };
        assert!(deepest <= most, "{}: {deepest}", shape.name());
        println!("{:<40} {deepest}", shape.name());
    }
}

/// The number of formatting elements that are reconstructed for each paragraph is bounded. Without limits it grows with
/// the square of the input.
fn copies_of_formatting_elements_are_bounded() {
    let shape = &shapes("HTML's tree without limits")[0];
    let nodes = |units: usize, limits: Limits| {
        let options = Html::default().encoding(Encoding::UTF_8);
        let builder = TreeBuilder::new(options).limits(limits);
        let document = built(builder, [shape.of_units(units).as_bytes()]);
        document.expect("within the limits").node_count()
    };
    // A node takes 32 bytes. The copies may take half of the memory that a tree may take; the two elements of each unit
    // are added.
    let limits = Limits::default();
    for units in [10_000, 40_000] {
        let length = shape.of_units(units).len();
        let most = (limits.tree_allowance / 2).max(length * limits.tree_ratio / 2) / 32;
        let count = nodes(units, limits);
        assert!(count > most / 2, "{units} units, {count} nodes");
        assert!(
            count < most + 1_000 + 2 * units,
            "{units} units, {count} nodes"
        );
    }
    let units = 1_000;
    assert!(nodes(units, Limits::none()) > units * units / 2);
}
