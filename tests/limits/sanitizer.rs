//! The number of steps that a sanitizer takes for elements that it removes during the parse. The number of steps per
//! token is small, and input of twice the length takes twice the steps.

use tagstream::{Html, Sanitizer};
use testing::effort::sized;
use testing::run::Program;
use testing::shapes::{Shape, shapes};

pub(crate) fn add(program: &mut Program) {
    // Each shape is a separate case, so that the cases run on all cores.
    for shape in shapes("HTML's tree") {
        let name = format!("html/sanitizer, steps: {}", shape.name());
        program.case(name, move || replaced_elements_cost_few_steps(&shape));
    }
}

/// Maximum number of steps per byte of markup. Chains of replaced elements are short, or are followed only once.
const A_BYTE: u64 = 4;

/// Returns sanitizers that replace all elements of the shapes, or every other one.
fn sanitizers() -> [Sanitizer; 2] {
    let inline = ["b", "i", "u", "a", "nobr", "x", "span"];
    let block = [
        "div", "p", "li", "ul", "dd", "dl", "form", "button", "h1", "h2", "table", "tr",
    ];
    let of = |names: &[&str]| Sanitizer::allow_all().replace_with_children(names);
    let all = [&inline[..], &block[..]].concat();
    [of(&all), of(&block)].map(|one| one.expect("names"))
}

fn replaced_elements_cost_few_steps(shape: &Shape) -> Result<(), String> {
    let html = Html::fragment("div").expect("a name");
    for (number, sanitizer) in sanitizers().iter().enumerate() {
        let counted = |units: usize| {
            let markup = shape.of_units(units);
            let (_, steps) = sanitizer
                .parse_chunks(&html, &[markup.as_str()])
                .expect("within the limits");
            (markup.len() as u64, steps)
        };
        let (bytes, steps) = counted(sized(20_000));
        let (_, of_two) = counted(2 * sized(20_000));
        if steps > A_BYTE * bytes || of_two * 10 > steps * 21 + 10 * bytes {
            return Err(format!(
                "sanitizer {number}: {steps} steps for {bytes} bytes, then {of_two}"
            ));
        }
    }
    Ok(())
}
