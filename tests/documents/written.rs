//! Scripts that write into their document, the same for every size of chunk: rows of a document, of what its scripts
//! write, and of the tree as HTML. A script of the text `w(N)` writes the Nth of what stands behind `||`, in pieces
//! between which `|` stands.

use tagstream::{Encoding, Html, TreeBuilder};
use testing::rows::{Row, rows};
use testing::run::{Failed, Program};
use testing::scripted::{self, Writes};

pub(crate) fn add(program: &mut Program) {
    for row in rows(include_str!("../data/written.txt")) {
        program.case(row.name("html/written"), move || check(&row));
    }
}

fn check(row: &Row) -> Result<(), Failed> {
    let html = match &*row.context {
        "fragment" => Html::fragment("div")?,
        _ => Html::default(),
    };
    let html = html.scripting(true).encoding(Encoding::UTF_8);
    let written = String::from_utf8(row.entity.clone().unwrap_or_default())?;
    let pieces = |one: &str| one.split('|').map(str::to_owned).collect();
    let mut writes: Writes = vec![Vec::new()];
    writes.extend(written.split(" || ").map(pieces));
    for size in [usize::MAX, 1, 2, 5] {
        let mut builder = TreeBuilder::new(html.clone()).hosted();
        for chunk in row.input.chunks(size) {
            builder.feed(chunk)?;
            scripted::run(&mut builder, &writes, &mut |_| {})?;
        }
        builder.supply_end();
        builder.build()?;
        scripted::run(&mut builder, &writes, &mut |_| {})?;
        row.compare(&builder.finish()?.to_html().replace('\n', "\\n"))?;
    }
    Ok(())
}
