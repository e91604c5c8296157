//! Sky: compares the trees of the model and of the library.

use crate::draws;
use crate::generate::sky::document;
use crate::model::sky::read;
use crate::pull;
use crate::random::Random;
use crate::random_cases::{Drawn, Feed, RandomTest, Verdict};
use crate::rewriting::tree::Tested;
use tagstream::{Node, Sky, TreeBuilder};

/// The kind of document (fragment, application or module), and the registered names.
type How = (char, Option<&'static [&'static str]>);

/// Compares trees.
pub const TREE: RandomTest<How> = RandomTest {
    name: "sky/model",
    quick: 3_000,
    full: 20_000,
    draw,
    check,
    // Documents that do not begin like an application or a module, out of a thousand.
    other: [0, 400],
    shrinks: true,
};

fn draw(random: &mut Random) -> Drawn<How> {
    let registries = [None, Some(&["a", "t", "template", "script"][..])];
    let context = ['F', 'F', 'F', 'A', 'M'][random.below(5)];
    (
        (context, registries[random.below(2)]),
        draws::some_long(random, Tested::Sky, document),
    )
}

fn check(how: &How, feed: Feed, input: &[u8]) -> Result<Verdict, String> {
    let expected = read(&String::from_utf8_lossy(input), how.0, how.1);
    for feed in [Feed::whole(), feed] {
        let found = built(how, feed, input);
        if found != expected {
            return Err(format!("wanted: {expected:?}\nfound:  {found:?}"));
        }
    }
    Ok(match expected {
        Some(_) => Verdict::Right,
        None => Verdict::Other,
    })
}

fn built((context, registered): &How, feed: Feed, input: &[u8]) -> Option<String> {
    let sky = match context {
        'A' => Sky::application(),
        'M' => Sky::module(),
        _ => Sky::fragment(),
    };
    let sky = match registered {
        Some(names) => sky.registered(names.iter().copied()),
        None => sky,
    };
    let builder = TreeBuilder::new(sky).inspect_sizes(feed.sizes);
    let document = pull::built(builder, feed.chunks(input)).ok()?;
    let mut out = String::new();
    for child in document.root().children() {
        write_node(&mut out, child);
    }
    Some(out)
}

fn write_node(out: &mut String, node: Node<'_>) {
    if node.is_text() {
        *out += &format!("{:?}", node.text());
        return;
    }
    *out += &format!("<{}", node.name());
    for attribute in node.attributes() {
        *out += &format!(" {}={:?}", attribute.name(), attribute.value());
    }
    *out += ">";
    // Recursion is safe, because the documents are small.
    let content = node.template_contents().unwrap_or(node);
    content.children().for_each(|child| write_node(out, child));
    *out += &format!("</{}>", node.name());
}
