//! Random documents with forms and tables, and a comparison of the form of each control.

use tagstream::tree::Edge;
use tagstream::{Document, Node};
use testing::generate::html::Case;
use testing::random::Random;

/// Pieces of the random documents.
const TAGS: &str = "<form> <form> <form␣id=a> <form␣id=b> </form> </form> <table> <table> </table> <tr> \
     </tr> <td> <td> </td> <div> <div> </div> </div> <p> </p> <b> </b> <i> </i> <a> </a> <template> </template> \
     <svg> <desc> </svg> <select> </select> <option> <button> </button> <fieldset> </fieldset> <object> </object> \
     <output> </output> <textarea></textarea> <input> <input> <input> <input> <input␣form=a> \
     <button␣form=b> <output␣form=a> <input␣type=hidden> <caption> <tbody> <li> <ul> </ul> x \
     <nobr> <h1> </h1> <frameset>";

/// Draws a document of a few dozen tags. No form ends inside a template: if another element is open there, Chromium 156
/// does not close the form.
pub(crate) fn drawn(random: &mut Random) -> Case {
    let tags: Vec<&str> = TAGS.split_ascii_whitespace().collect();
    let count = random.below(36) + 4;
    let mut tokens: Vec<String> = (0..count)
        .map(|_| random.pick(&tags).replace('␣', " "))
        .collect();
    let template = tokens.iter().position(|tag| tag == "<template>");
    let template = template.unwrap_or(tokens.len());
    let mut at = 0..;
    tokens.retain(|tag| at.next() < Some(template) || tag != "</form>");
    Case {
        tokens,
        context: None,
        scripting: false,
        processing_instructions: true,
    }
}

/// Returns the form of each control, as its index among all forms.
pub(crate) fn told(document: &Document) -> String {
    let opened = |edge: Edge<Node<'_>>| match edge {
        Edge::Open(node) => Some(node.id()),
        Edge::Close(_) => None,
    };
    let all = document.root().edges().through_templates();
    let nodes = all.filter_map(opened).filter_map(|id| document.node(id));
    let is_html = |node: &Node<'_>| node.namespace() == Some("http://www.w3.org/1999/xhtml");
    let nodes: Vec<Node<'_>> = nodes.filter(is_html).collect();
    let forms: Vec<_> = nodes.iter().filter(|node| node.name() == "form").collect();
    let controls = "button fieldset input object output select textarea";
    let controls = nodes
        .iter()
        .filter(|node| controls.split(' ').any(|name| node.name() == name));
    let told = controls.map(|control| {
        let form = control.form();
        let place = form.and_then(|form| forms.iter().position(|one| **one == form));
        let place = place.map_or("-1".to_owned(), |place| place.to_string());
        format!("{} {place}\n", control.name())
    });
    told.collect()
}
