//! HTML's plans: the tree, the parse errors and the number of steps are the same whether tree construction uses the
//! plans, which are derived from the rows of its schema, or the rows themselves.

use crate::generate::html::{TreeOptions, tree_input};
use crate::random_cases::{Feed, RandomTest, Verdict};
use crate::tree_formats::TreeFormats as _;
use std::fmt::Write;
use tagstream::{Error, Event, Html, Limits, TreeBuilder};

/// Compares trees that are built with and without plans.
pub const PLANS: RandomTest<TreeOptions> = RandomTest {
    name: "html/plans",
    quick: 4_000,
    full: 50_000,
    draw: tree_input,
    check,
    other: [0, 0],
    shrinks: true,
};

fn check(how: &TreeOptions, feed: Feed, input: &[u8]) -> Result<Verdict, String> {
    for limits in [Limits::none(), Limits::none().depth(5), feed.limits] {
        let [by_plans, by_rows] = [true, false].map(|has_plans| {
            let builder = TreeBuilder::new(how.html())
                .limits(limits)
                .report_errors(true);
            let builder = match has_plans {
                true => builder,
                false => builder.without_plans(),
            };
            built(builder.inspect_sizes(feed.sizes), feed, input)
        });
        if by_plans != by_rows {
            return Err(format!("by the rows:\n{by_rows}\nby plans:\n{by_plans}"));
        }
    }
    Ok(Verdict::Right)
}

/// Returns the errors, the tree and the number of steps, and the limit that ended the parse.
fn built(mut builder: TreeBuilder<Html>, feed: Feed, input: &[u8]) -> String {
    let mut found = String::new();
    let mut pull = |builder: &mut TreeBuilder<Html>| -> Result<(), Error> {
        while let Some(event) = builder.next_event()? {
            if let Event::ParseError(error) = event {
                writeln!(found, "{} {}", error.code().as_str(), error.span()).expect("a string");
            }
        }
        Ok(())
    };
    let mut result = Ok(());
    for chunk in feed.chunks(input) {
        builder.supply(chunk);
        result = result.and(pull(&mut builder));
    }
    builder.supply_end();
    result = result.and(pull(&mut builder));
    let steps = builder.steps();
    let tree = builder.into_sink().to_outline();
    format!("{found}{tree}{steps} steps, {result:?}")
}
