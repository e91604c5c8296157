//! The steps of HTML's tree construction, counted on inputs that make naive ones quadratic: they are
//! few for each token, and for twice the input twice as many.

use crate::sized;
use tagstream::tree::Edge;
use tagstream::{Encoding, Html, Limits, NodeKind, TreeBuilder};
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    testing::cases!(
        program,
        "html/steps",
        steps_are_few_and_linear,
        steps_are_few_byte_by_byte,
        trees_are_no_deeper_than_the_limit,
        copies_of_formatting_elements_are_bounded,
    );
}

/// So many times the unit of a shape is repeated, and then twice as often.
const UNITS: usize = 50_000;

/// Steps for a token.
const A_TOKEN: u64 = 16;

/// Steps more for each run of the adoption agency.
const A_RUN: u64 = 64;

/// An input: a unit over and over, `{}` in it being its number, then another as often, between a
/// beginning and an end.
struct Shape {
    name: &'static str,
    beginning: &'static str,
    unit: &'static str,
    then: &'static str,
    end: &'static str,
    /// How often the adoption agency runs, or is asked to, in a unit.
    runs: u64,
}

const fn shape(name: &'static str, beginning: &'static str, unit: &'static str) -> Shape {
    Shape {
        name,
        beginning,
        unit,
        then: "",
        end: "",
        runs: 0,
    }
}

const fn adopting(
    name: &'static str,
    beginning: &'static str,
    unit: &'static str,
    runs: u64,
) -> Shape {
    Shape {
        runs,
        ..shape(name, beginning, unit)
    }
}

const SHAPES: &[Shape] = &[
    shape("items", "<ul>", "<li>"),
    shape("lists in items", "", "<ul><li>"),
    shape("terms and divisions", "<dl>", "<dd><div>"),
    shape("paragraphs in divisions", "", "<div><p>"),
    shape("nested b", "", "<b>"),
    shape("nested b, all different", "", "<b i={}>"),
    shape("nested formatting and text", "", "<b i={}>x"),
    adopting("a, i, end of a", "", "<a><i></a>", 2),
    adopting("a in a", "", "<a><i>", 1),
    adopting("nobr in nobr", "", "<nobr><p>", 2),
    adopting("b that divisions leave", "", "<b><div></b>", 1),
    adopting("b around many divisions", "<b>", "<div></b>", 1),
    adopting(
        "end tags of b in divisions",
        "<b><b><b><i>",
        "<div></b></i>",
        2,
    ),
    Shape {
        then: "</b>",
        ..adopting("divisions, then end tags of b", "<b><b><b><b>", "<div>", 1)
    },
    Shape {
        then: "</b>",
        ..adopting(
            "all different b, divisions, then end tags",
            "",
            "<b {}><div>",
            1,
        )
    },
    Shape {
        then: "<p></i>",
        ..adopting(
            "lists, then end tags of i around paragraphs",
            "<i><i>",
            "<ul>",
            1,
        )
    },
    shape("paragraphs that reconstruct", "<b><i><u>", "<p>x"),
    shape("stray end tags", "", "</x>"),
    shape(
        "stray end tags in divisions",
        "<div><div><span>",
        "</p></x></b></li>",
    ),
    Shape {
        end: "</y></y></y>",
        ..shape("end tags of others", "", "<x></y>")
    },
    shape("nested divisions", "", "<div>"),
    shape("nested ordinary elements", "", "<x>"),
    shape("ordinary elements and stray end tags", "", "<x></y></z>"),
    shape("headings", "", "<h1><h2>"),
    shape("forms", "", "<form></form>"),
    shape("forms that end among divisions", "", "<form><div></form>"),
    shape("buttons", "", "<button><p>"),
    shape("tables in cells", "", "<table><tr><td>"),
    shape("tables in divisions", "", "<div><table></table>"),
    shape("text fostered", "<table>", "x<tr>"),
    shape("tags fostered", "<table>", "<x>"),
    shape("tags and text fostered", "<table>", "x<i></i>"),
    adopting("formatting fostered", "<table>", "<b>x<tr></b>", 1),
    shape("white space in tables", "<table>", " <tr> "),
    shape("cells", "<table>", "<td>"),
    shape("nested svg", "", "<svg>"),
    shape("nested svg that leads back", "", "<svg><desc>"),
    shape("foreign end tags", "<svg>", "<g></x>"),
    shape("foreign end tags, nested", "<svg>", "<g></g>"),
    shape("breakouts", "", "<svg><p>"),
    shape("MathML", "", "<math><mi><p>"),
    shape("nested templates", "", "<template>"),
    shape("templates in tables", "<table>", "<template><tr>"),
    shape("end tags of templates", "<template><div>", "</template>"),
    shape(
        "options cloned",
        "<select><button><selectedcontent></selectedcontent></button>",
        "<option selected>x</option>",
    ),
    shape("options in a select", "<select>", "<option>"),
    shape("selects", "", "<select>"),
    shape("attributes of html merged", "<html>", "<html a{}>"),
    shape("attributes of body merged", "<body>", "<body a{}>"),
    shape("ruby", "<ruby>", "<rb><rt>"),
    shape("frames", "<frameset>", "<frameset><frame>"),
    shape("comments after the body", "</body></html>", "<!---->"),
    shape("objects", "", "<object><b>"),
];

/// The input with so many units.
fn input(shape: &Shape, units: usize) -> String {
    let mut text = shape.beginning.to_owned();
    for number in 0..units {
        text += &shape.unit.replace("{}", &number.to_string());
    }
    text + &shape.then.repeat(units) + shape.end
}

/// Tokens and steps of an input fed in chunks of this size. Each piece of text is a token.
fn counted(shape: &Shape, units: usize, size: usize) -> (u64, u64) {
    let mut builder = TreeBuilder::new(Html::default().encoding(Encoding::UTF_8));
    let text = input(shape, units);
    let mut tokens = 0;
    let mut pull = |builder: &mut TreeBuilder<Html>| {
        while builder.next_event().expect("within the limits").is_some() {
            tokens += 1;
        }
    };
    for chunk in text.as_bytes().chunks(size) {
        builder.feed_slice(chunk);
        pull(&mut builder);
    }
    builder.finish();
    pull(&mut builder);
    (tokens, builder.steps())
}

/// The most steps for so many tokens.
fn allowed(shape: &Shape, units: usize, tokens: u64) -> u64 {
    A_TOKEN * (tokens + 1) + A_RUN * shape.runs * units as u64
}

fn steps_are_few_and_linear() {
    let mut problems = Vec::new();
    for shape in SHAPES {
        let (tokens, steps) = counted(shape, sized(UNITS), usize::MAX);
        let (_, of_two) = counted(shape, 2 * sized(UNITS), usize::MAX);
        let most = allowed(shape, sized(UNITS), tokens);
        let a_token = steps as f64 / tokens as f64;
        let ratio = of_two as f64 / steps as f64;
        println!(
            "{:<40} {tokens:>8} tokens {a_token:>8.2} steps each, × {ratio:.3}",
            shape.name
        );
        if steps == 0 || steps > most || of_two * 10 > steps * 21 {
            problems.push(format!(
                "{}: {steps} steps for {tokens} tokens, {most} allowed; × {ratio:.3}",
                shape.name
            ));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

fn steps_are_few_byte_by_byte() {
    for shape in SHAPES {
        let units = UNITS / 10;
        let (tokens, steps) = counted(shape, units, 1);
        let most = allowed(shape, units, tokens);
        assert!(
            steps <= most,
            "{}: {steps} steps, {most} allowed",
            shape.name
        );
    }
}

/// The depth of trees is bounded: that of elements by the limit, which only the adoption agency goes
/// beyond, by as many copies of formatting elements as there may be active.
fn trees_are_no_deeper_than_the_limit() {
    const LIMIT: usize = 100;
    let limits = Limits {
        depth: LIMIT,
        ..Limits::default()
    };
    for shape in SHAPES {
        let options = Html::default().encoding(Encoding::UTF_8);
        let mut builder = TreeBuilder::new(options).limits(limits);
        builder.feed(input(shape, 2_000));
        builder.finish();
        builder.build().expect("within the limits");
        let document = builder.into_sink();
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
        let most = match shape.runs {
            0 => LIMIT,
            _ => 2 * LIMIT + 4,
        };
        assert!(deepest <= most, "{}: {deepest}", shape.name);
        println!("{:<40} {deepest}", shape.name);
    }
}

/// Formatting elements that are made again for each paragraph are bounded, and without limits they are
/// not.
fn copies_of_formatting_elements_are_bounded() {
    let shape = shape("paragraphs in different b", "", "<b i={}><p>");
    let nodes = |units: usize, limits: Limits| {
        let options = Html::default().encoding(Encoding::UTF_8);
        let mut builder = TreeBuilder::new(options).limits(limits);
        builder.feed(input(&shape, units));
        builder.finish();
        builder.build().expect("within the limits");
        builder.into_sink().node_count()
    };
    // Of 32 bytes each: half of what a tree may take, and the two elements of a unit.
    let limits = Limits::default();
    for units in [10_000, 40_000] {
        let length = input(&shape, units).len();
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
