//! Scripts that write into their document (`document.write`), for chunks of several sizes.

use tagstream::{Encoding, Html, TreeBuilder};
use testing::cases::{self, Case, words};
use testing::run::{Failed, Program};
use testing::scripted::{self, Writes};

pub(crate) fn add(program: &mut Program) {
    let text = include_str!("../data/written.txt");
    let cases = cases::cases("tests/data/written.txt", text);
    cases::add(program, cases, |_| "html/written", check);
}

fn check(case: &Case) -> Result<(), Failed> {
    let html = match case.option("fragment") {
        Some(context) => Html::fragment(context)?,
        None => Html::default(),
    };
    let html = html.scripting(true).encoding(Encoding::UTF_8);
    let mut writes: Writes = vec![Vec::new()];
    writes.extend(case.texts("writes").map(words));
    for size in [usize::MAX, 1, 2, 5] {
        let mut builder = TreeBuilder::new(html.clone()).hosted();
        for chunk in case.input().chunks(size) {
            builder.feed(chunk)?;
            scripted::run(&mut builder, &writes, &mut |_| {})?;
        }
        builder.supply_end();
        builder.build()?;
        scripted::run(&mut builder, &writes, &mut |_| {})?;
        case.expect("markup", &builder.finish()?.to_html())?;
    }
    Ok(())
}
