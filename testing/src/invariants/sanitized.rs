//! Sanitized markup: sanitizing it again does not change it, and nothing in it runs, whatever element it is inserted
//! in.

use tagstream::tree::Edge;
use tagstream::{Document, Html, Node, Sanitizer};

/// The context elements in which the markup is parsed.
const CONTEXTS: [&str; 10] = [
    "div",
    "svg svg",
    "svg foreignObject",
    "math math",
    "math mtext",
    "select",
    "table",
    "template",
    "noscript",
    "style",
];

/// Returns the sanitizers that are tested.
#[must_use]
pub fn sanitizers() -> [Sanitizer; 3] {
    [
        Sanitizer::default(),
        Sanitizer::user_content(),
        Sanitizer::allow_all(),
    ]
}

/// Checks the markup that the sanitizers return, and that markup which is cleaned in another context stays as it is if it
/// is cleaned again.
///
/// # Errors
///
/// Returns a description of the first problem.
pub fn check_safe(markup: &str) -> Result<(), String> {
    for (number, sanitizer) in sanitizers().iter().enumerate() {
        let clean = sanitizer.clean(markup);
        for context in ["html", "td", "select", "svg svg"] {
            let clean = |markup: &str| sanitizer.clean_in(context, markup);
            let once = clean(markup).map_err(|error| error.to_string())?;
            let twice = clean(&once).map_err(|error| error.to_string())?;
            if once != twice {
                return Err(format!(
                    "sanitizer {number} of {markup:?} in {context} leaves {once:?}, and of that {twice:?}"
                ));
            }
        }
        let told =
            |wrong: String| format!("sanitizer {number} of {markup:?} leaves {clean:?}: {wrong}");
        let again = sanitizer.clean(&clean);
        if again != clean {
            return Err(told(format!("and of that {again:?}")));
        }
        for (context, scripting) in CONTEXTS.iter().flat_map(|one| [(one, false), (one, true)]) {
            let html = Html::fragment(context).map_err(|error| error.to_string())?;
            let tree = Document::parse(html.scripting(scripting), clean.as_str());
            let tree = tree.map_err(|error| error.to_string())?;
            for edge in tree.root().edges().through_templates() {
                if let Edge::Open(node) = edge
                    && let Some(wrong) = runs(node)
                {
                    return Err(told(format!("{wrong} in {context}, scripting {scripting}")));
                }
            }
        }
    }
    Ok(())
}

/// Returns the part of a node that would run.
fn runs(node: Node<'_>) -> Option<String> {
    let name = node.local_name();
    if node.is_element()
        && [
            "script", "iframe", "frame", "object", "embed", "base", "use",
        ]
        .contains(&name)
    {
        return Some(format!("<{name}>"));
    }
    let mut attributes = node.attributes();
    let wrong = attributes.find(|one| {
        let (name, value) = (one.local_name().to_ascii_lowercase(), one.value());
        let name = name.rsplit(':').next().unwrap_or("");
        let url: String = value.chars().filter(|one| *one > ' ').collect();
        let is_url = ["href", "src", "action", "formaction", "data", "background"].contains(&name);
        name.starts_with("on") && name.len() > 2
            || is_url && url.to_ascii_lowercase().starts_with("javascript:")
            || name == "attributename" && value.contains("href")
            || name == "srcdoc"
    });
    wrong.map(|one| format!("{}={:?}", one.name(), one.value()))
}
