//! Prints the tables as Markdown.

use crate::tables::{Documents, Table};
use peers::inputs::Input;

/// Width of the first column and of the other columns, in characters.
const FIRST: usize = 48;
const OTHER: usize = 15;

/// Prints the names and sizes of the documents.
pub fn documents<'a>(inputs: impl Iterator<Item = &'a Input>) {
    row("document", ["bytes".to_owned()]);
    rule(1);
    for input in inputs {
        row(&input.name, [input.size().to_string()]);
    }
}

/// Prints a table: the speeds, and then the ratios. `seconds` has a list for each engine, with the time for each
/// document.
pub fn table(table: &Table, inputs: &[Input], seconds: &[Vec<f64>]) {
    let is_small = matches!(table.documents, Documents::SmallXml | Documents::SmallHtml);
    let unit = if is_small { "ns a document" } else { "MB/s" };
    println!("\n## {}\n", table.title);
    let names = inputs.iter().map(|input| input.name.clone());
    row(unit, names.chain(["geom. mean".to_owned()]));
    rule(inputs.len() + 1);
    for (at, engine) in table.engines.iter().enumerate() {
        let speeds = inputs
            .iter()
            .zip(seconds)
            .map(|(input, seconds)| match is_small {
                true => seconds[at] * 1e9,
                false => input.size() as f64 / seconds[at] / 1e6,
            });
        numbers(engine.name, 0, speeds.collect());
    }
    let column = |name| table.engines.iter().position(|engine| engine.name == name);
    for (ours, rival) in &table.ratios {
        if let (Some(ours_at), Some(rival_at)) = (column(*ours), column(*rival)) {
            let ratio = |seconds: &Vec<f64>| seconds[rival_at] / seconds[ours_at];
            let name = format!("**{ours} ÷ {rival}**");
            numbers(&name, 2, seconds.iter().map(ratio).collect());
        }
    }
}

/// Prints a row of numbers and their geometric mean.
fn numbers(name: &str, digits: usize, numbers: Vec<f64>) {
    let logarithms: f64 = numbers.iter().map(|number| number.ln()).sum();
    let mean = (logarithms / numbers.len() as f64).exp();
    let cells = numbers.into_iter().chain([mean]);
    row(name, cells.map(|number| format!("{number:.digits$}")));
}

fn row(first: &str, others: impl IntoIterator<Item = String>) {
    print!("| {first:<FIRST$} |");
    for other in others {
        print!(" {other:>OTHER$} |");
    }
    println!();
}

fn rule(others: usize) {
    print!("|-{:-<FIRST$}-|", "");
    for _ in 0..others {
        print!("-{:->OTHER$}:|", "");
    }
    println!();
}
