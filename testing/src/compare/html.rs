//! HTML: its trees, its tokens, its encodings and its stack of open elements, by the model and by the
//! library.

use super::unmarked;
use crate::drawn::{Drawn, Feed, Kind, Verdict};
use crate::generate::html::{beginning, case, patched};
use crate::model::html::construction::Construction;
use crate::model::html::prescan::sniff;
use crate::model::html::tree::{self, Namespace, Order};
use crate::model::html::walks::{Element, summary};
use crate::pull::built;
use crate::random::Random;
use tagstream::tree::{Edge, NodeKind, namespaces};
use tagstream::{Encoding, Html, Limits, Node, Parser, TreeBuilder};

/// How a tree is built.
#[derive(Clone, Copy, Debug)]
pub struct TreeHow {
    /// The element of a fragment.
    pub context: Option<&'static str>,
    /// Whether scripting is on.
    pub scripting: bool,
    /// Whether `<?` opens a processing instruction.
    pub processing_instructions: bool,
    /// Whether templates may become shadow roots.
    pub shadow_roots: bool,
}

impl TreeHow {
    /// The options of the library.
    #[must_use]
    pub fn html(&self) -> Html {
        let html = self.context.map_or_else(Html::default, |context| {
            Html::fragment(context).expect("a context")
        });
        html.scripting(self.scripting)
            .processing_instructions(self.processing_instructions)
            .shadow_roots(self.shadow_roots)
            .encoding(Encoding::UTF_8)
    }
}

/// One document in parts, and how its tree is built.
pub fn draw_tree(random: &mut Random) -> Drawn<TreeHow> {
    let case = match random.one_in(8) {
        true => patched(random),
        false => case(random),
    };
    let how = TreeHow {
        context: case.context,
        scripting: case.scripting,
        processing_instructions: case.processing_instructions,
        shadow_roots: random.one_in(2),
    };
    (how, case.parts(random))
}

/// Trees.
pub const TREE: Kind<TreeHow> = Kind {
    name: "html/tree model",
    quick: 4_000,
    full: 50_000,
    draw: draw_tree,
    check: check_tree,
    other: [0, 1],
    shrinks: true,
};

/// A tree as text, and the document's mode.
pub(super) type Outline = String;

fn check_tree(how: &TreeHow, feed: Feed, input: &[u8]) -> Result<Verdict, String> {
    let input = unmarked(input);
    let (expected, may_differ) = tree_expected(how, input);
    for feed in [Feed::WHOLE, feed] {
        let found = tree_found(how, feed, input);
        if expected != found && may_differ {
            return Ok(Verdict::Other);
        }
        if expected != found {
            return Err(format!("by the standard:\n{expected}\nfound:\n{found}"));
        }
    }
    Ok(Verdict::Right)
}

/// What the standard's steps build, and whether it may differ: where a node was moved beside a
/// `selectedcontent`. The library tells ancestors and the first of a select from the open elements, as
/// its documentation says.
pub(super) fn tree_expected(how: &TreeHow, input: &[u8]) -> (Outline, bool) {
    let mut construction = Construction::new(input, how.context, how.scripting);
    construction.tokenizer.processing_instructions = how.processing_instructions;
    construction.shadow_roots = how.shadow_roots;
    let top = construction.run();
    let outline = construction.tree.outline(top, Order::Source);
    let may_differ = construction.has_selectedcontent && construction.has_moved;
    (format!("{outline}{:?}\n", construction.quirks), may_differ)
}

/// What tagstream builds.
fn tree_found(how: &TreeHow, feed: Feed, input: &[u8]) -> Outline {
    let builder = TreeBuilder::new(how.html()).limits(Limits::none());
    let document = built(builder.inspect_sizes(feed.sizes), feed.chunks(input));
    let document = document.expect("HTML has no fatal errors");
    // A fragment is what its root element holds.
    let top = match (how.context, document.root_element()) {
        (Some(_), Some(root)) => root,
        _ => document.root(),
    };
    format!("{}{:?}\n", outline(top), document.quirks_mode())
}

/// What is below a node.
pub(super) fn outline(top: Node<'_>) -> Outline {
    let mut out = String::new();
    let mut depth = 0_usize;
    for edge in top.edges().through_templates().through_shadow_roots() {
        match edge {
            Edge::Open(node) if node == top => {}
            Edge::Open(node) => {
                write_node(node, depth, &mut out);
                depth += 1;
            }
            Edge::Close(_) => depth = depth.saturating_sub(1),
        }
    }
    out
}

fn write_node(node: Node<'_>, depth: usize, out: &mut Outline) {
    let line = match node.kind() {
        NodeKind::Element => {
            let namespace = match node.namespace() {
                Some(namespaces::SVG) => Namespace::Svg,
                Some(namespaces::MATHML) => Namespace::MathMl,
                _ => Namespace::Html,
            };
            tree::element_line(namespace, node.local_name())
        }
        NodeKind::Text => format!("\"{}\"", node.text()),
        NodeKind::Comment => format!("<!-- {} -->", node.text()),
        NodeKind::ProcessingInstruction => format!("<?{} {}?>", node.name(), node.text()),
        NodeKind::Doctype => {
            let doctype = node.doctype().expect("a doctype");
            let public = doctype.public_id().unwrap_or_default();
            tree::doctype_line(node.name(), public, doctype.system_id().unwrap_or_default())
        }
        _ => match node.as_shadow_root() {
            Some(root) => root.to_string(),
            None => "content".to_owned(),
        },
    };
    tree::write_line(&line, depth, out);
    let attributes = node.attributes().map(|attribute| {
        let prefix = match attribute.namespace() {
            Some(namespaces::XLINK) => "xlink ",
            Some(namespaces::XML) => "xml ",
            Some(namespaces::XMLNS) => "xmlns ",
            _ => "",
        };
        let name = match prefix {
            "" => attribute.name(),
            _ => attribute.local_name(),
        };
        (format!("{prefix}{name}"), attribute.value().to_owned())
    });
    tree::write_attributes(attributes.collect(), depth + 1, Order::Source, out);
}

/// Certain and hinted encoding.
type EncodingHow = [Option<Encoding>; 2];

/// Encodings, found at the byte that decides them.
pub const ENCODING: Kind<EncodingHow> = Kind {
    name: "html/encoding model",
    quick: 2_000,
    full: 20_000,
    draw: draw_encoding,
    check: check_encoding,
    other: [100, 900],
    shrinks: true,
};

fn draw_encoding(random: &mut Random) -> Drawn<EncodingHow> {
    let some = ["", "ibm866", "utf-16be"].map(Encoding::for_label);
    let certain = some[[0, 0, 0, 0, 0, 0, 1, 2][random.below(8)]];
    let hint = some[[0, 0, 1, 2][random.below(4)]];
    ([certain, hint], beginning(random))
}

/// Beginnings up to this length are cut at every position.
const EVERY: usize = 200;

fn check_encoding(how: &EncodingHow, feed: Feed, input: &[u8]) -> Result<Verdict, String> {
    let [certain, hint] = *how;
    let html = certain.map_or(Html::default(), |one| Html::default().encoding(one));
    let html = html.fallback_encoding(hint.unwrap_or(Encoding::WINDOWS_1252));
    let (found, encoding, at) = sniff(input, certain, hint);
    let make = || Parser::new(html.clone()).inspect_sizes(feed.sizes);
    let mut parser = make();
    for (index, byte) in input.iter().enumerate() {
        pull(&mut parser)?;
        let found = parser.encoding();
        let wanted = (at.is_some_and(|at| at <= index)).then_some(encoding);
        if found != wanted {
            return Err(format!(
                "after {index} bytes: wanted {wanted:?}, found {found:?}"
            ));
        }
        parser.feed(&[*byte]);
    }
    let every = input.len() <= EVERY;
    let step = if every { 1 } else { input.len() / 16 };
    for cut in (0..=input.len()).step_by(step) {
        let mut parser = make();
        for piece in [&input[..cut], &input[cut..]] {
            parser.feed(piece);
            pull(&mut parser)?;
        }
        parser.finish();
        pull(&mut parser)?;
        let found = parser.encoding();
        if found != Some(encoding) {
            return Err(format!(
                "cut at {cut}: wanted {encoding:?}, found {found:?}"
            ));
        }
    }
    Ok(match found {
        Some(_) => Verdict::Right,
        None => Verdict::Other,
    })
}

fn pull(parser: &mut Parser<Html>) -> Result<(), String> {
    loop {
        match parser.next_event() {
            Ok(Some(_)) => {}
            Ok(None) => return Ok(()),
            Err(error) => return Err(error.to_string()),
        }
    }
}

/// What the stack of open elements says at once is what walks down it find out, after every token.
pub const STACK: Kind<TreeHow> = Kind {
    name: "html/stack model",
    quick: 300,
    full: 3_000,
    draw: draw_tree,
    check: check_stack,
    other: [0, 0],
    shrinks: true,
};

fn check_stack(how: &TreeHow, feed: Feed, input: &[u8]) -> Result<Verdict, String> {
    stack(how.context, how.scripting, feed, input)?;
    Ok(Verdict::Right)
}

/// Compares after every token.
///
/// # Errors
///
/// What differs.
pub fn stack(
    context: Option<&str>,
    scripting: bool,
    feed: Feed,
    input: &[u8],
) -> Result<(), String> {
    let html = context.map_or_else(Html::default, |context| {
        Html::fragment(context).expect("a context")
    });
    let html = html.scripting(scripting).encoding(Encoding::UTF_8);
    let mut builder = TreeBuilder::new(html).inspect_sizes(feed.sizes);
    builder.supply(input);
    builder.supply_end();
    let mut ended = false;
    while !ended {
        let event = builder.next_event().map_err(|error| error.to_string())?;
        ended = event.is_none();
        let said = builder.open_elements();
        let read = |[element, _]: &'_ [String; 2]| -> Option<[String; 3]> {
            let mut words = element.split(' ').map(str::to_owned);
            Some([words.next()?, words.next()?, words.next()?])
        };
        let open: Vec<[String; 3]> = said.iter().filter_map(read).collect();
        let open: Vec<Element<'_>> = open
            .iter()
            .map(|[space, name, mode]| Element { space, name, mode })
            .collect();
        for (place, [element, said]) in said.iter().enumerate() {
            let wanted = summary(&open[..=place]);
            if *said != wanted || !open[place].has_its_mode() {
                return Err(format!(
                    "element {place}, {element}:\n{said}\nwanted:\n{wanted}"
                ));
            }
        }
    }
    Ok(())
}
