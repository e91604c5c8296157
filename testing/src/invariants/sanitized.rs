//! Sanitized markup: sanitizing it again does not change it, and nothing in it runs, whatever element it is inserted
//! in.

use crate::generate::policies::Policy;
use crate::random::Random;
use tagstream::tree::{Edge, namespaces};
use tagstream::{Document, Html, Node, Sanitizer, Xml};

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

/// Returns the sanitizers that are tested: the predefined ones, and some with policies.
///
/// # Panics
///
/// Panics if a name is not valid.
#[must_use]
pub fn sanitizers() -> [Sanitizer; 6] {
    let named = Sanitizer::allow_all().allow_css_properties(&["color", "background", "font"]);
    let named = named.and_then(|one| one.allow_classes(&["x", "y"]));
    let named = named.and_then(|one| one.id_prefix("user-"));
    let parts = Sanitizer::default().allow_elements(&["style", "noscript", "xmp", "textarea"]);
    [
        Sanitizer::default(),
        Sanitizer::user_content(),
        Sanitizer::allow_all(),
        Sanitizer::user_content().unwrap_others(),
        parts.expect("names").escape_others(),
        named.expect("names").escape_others(),
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
        check_sanitizer(sanitizer, markup)
            .map_err(|wrong| format!("sanitizer {number} of {markup:?}: {wrong}"))?;
    }
    Ok(())
}

/// Checks the markup that a sanitizer returns.
fn check_sanitizer(sanitizer: &Sanitizer, markup: &str) -> Result<(), String> {
    let clean = sanitizer.clean(markup);
    for context in ["html", "td", "select", "svg svg"] {
        let clean = |markup: &str| sanitizer.clean_in(context, markup);
        let once = clean(markup).map_err(|error| error.to_string())?;
        let twice = clean(&once).map_err(|error| error.to_string())?;
        if once != twice {
            return Err(format!("in {context} {once:?}, and of that {twice:?}"));
        }
    }
    let again = sanitizer.clean(&clean);
    if again != clean {
        return Err(format!("leaves {clean:?}, and of that {again:?}"));
    }
    for (context, scripting) in CONTEXTS.iter().flat_map(|one| [(one, false), (one, true)]) {
        let html = Html::fragment(context).map_err(|error| error.to_string())?;
        let tree = Document::parse(html.scripting(scripting), clean.as_str());
        let tree = tree.map_err(|error| error.to_string())?;
        for edge in tree.root().edges().through_templates() {
            if let Edge::Open(node) = edge
                && let Some(wrong) = runs(node)
            {
                return Err(format!(
                    "leaves {clean:?}: {wrong} in {context}, scripting {scripting}"
                ));
            }
        }
    }
    Ok(())
}

/// Checks the markup and the trees that a sanitizer with policies returns: nothing in them runs, the policies hold, a
/// second time changes nothing, and chunks make no difference.
///
/// # Errors
///
/// Returns a description of the first problem.
pub fn check_policy(policy: &Policy, markup: &str, random: &mut Random) -> Result<(), String> {
    let sanitizer = &policy.sanitizer;
    check_sanitizer(sanitizer, markup)?;
    let html = Html::fragment("div").map_err(|error| error.to_string())?;
    let failed = |error: tagstream::Error| error.to_string();
    let clean = Document::parse(html.clone(), sanitizer.clean(markup).as_str()).map_err(failed)?;
    holds(policy, &clean).map_err(|wrong| format!("string: {wrong}"))?;

    let mut parsed = sanitizer.parse(&html, markup).map_err(failed)?;
    holds(policy, &parsed).map_err(|wrong| format!("tree: {wrong}"))?;
    let once = parsed.to_html();
    let ends = (1..markup.len()).filter(|end| markup.is_char_boundary(*end) && random.one_in(4));
    let (mut chunks, mut start) = (Vec::new(), 0);
    for end in ends.collect::<Vec<_>>() {
        chunks.push(&markup[start..end]);
        start = end;
    }
    chunks.push(&markup[start..]);
    let (cut, _) = sanitizer.parse_chunks(&html, &chunks).map_err(failed)?;
    if cut.to_html() != once {
        return Err(format!("in chunks {:?}, whole {once:?}", cut.to_html()));
    }
    sanitizer.sanitize(&mut parsed);
    match parsed.to_html() {
        twice if twice == once => check_image(policy, markup),
        twice => Err(format!("the tree {once:?} becomes {twice:?}")),
    }
}

/// Checks an SVG image with this content: as XML and as a part of a page, nothing in it runs.
fn check_image(policy: &Policy, markup: &str) -> Result<(), String> {
    let failed = |error: tagstream::Error| error.to_string();
    let namespaces =
        "xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink'";
    let image = format!("<svg {namespaces}>{markup}</svg>");
    let clean = policy.sanitizer.clean_svg(image.as_str());
    let clean = clean.map_err(failed)?;
    let again = policy.sanitizer.clean_svg(clean.as_str()).map_err(failed)?;
    if again != clean {
        return Err(format!("the image {clean:?} becomes {again:?}"));
    }
    if clean.is_empty() {
        return Ok(());
    }
    let xml = Document::parse(Xml::strict(), clean.as_str()).map_err(failed)?;
    holds(policy, &xml).map_err(|wrong| format!("image {clean:?}: {wrong}"))?;
    let html = Html::fragment("div").map_err(|error| error.to_string())?;
    let html = Document::parse(html, clean.as_str()).map_err(failed)?;
    for node in [&xml, &html]
        .iter()
        .flat_map(|tree| tree.root().descendants())
    {
        if let Some(wrong) = runs(node) {
            return Err(format!("the image {clean:?}: {wrong}"));
        }
    }
    Ok(())
}

/// Checks that the policies hold in a sanitized tree.
fn holds(policy: &Policy, document: &Document) -> Result<(), String> {
    for edge in document.root().edges().through_templates() {
        let Edge::Open(node) = edge else {
            continue;
        };
        for attribute in node.attributes() {
            let (name, value) = (attribute.local_name(), attribute.value());
            let holds = match name {
                "class" => policy.classes.is_none_or(|classes| {
                    let mut words = value.split(' ');
                    words.all(|word| classes.contains(&word))
                }),
                "style" => policy.properties.is_none_or(|properties| {
                    let code = without_strings(value).to_ascii_lowercase();
                    let mut names = code.split("; ").map(|one| one.split(':').next());
                    let refused = ["url", "expression", "javascript:", "@import", "image-set"];
                    names.all(|name| name.is_some_and(|name| properties.contains(&name)))
                        && !refused.iter().any(|refused| code.contains(refused))
                }),
                "id" => policy
                    .id_prefix
                    .is_none_or(|prefix| value.is_empty() || value.starts_with(prefix)),
                _ => true,
            };
            if !holds {
                return Err(format!("{name}={value:?}"));
            }
        }
        if let Some([element, name, value]) = policy.set
            && node.has_name(element)
            && node.namespace() == Some(namespaces::HTML)
            && node.attribute(name) != Some(value)
        {
            return Err(format!("{name} is not set on {}", node.to_html()));
        }
    }
    Ok(())
}

/// Returns declarations of CSS without the contents of their strings.
fn without_strings(declarations: &str) -> String {
    let (mut code, mut is_in_string, mut is_escaped) = (String::new(), false, false);
    for character in declarations.chars() {
        match character {
            '"' if !is_escaped => is_in_string = !is_in_string,
            _ if !is_in_string => code.push(character),
            _ => {}
        }
        is_escaped = character == '\\' && !is_escaped;
    }
    code
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
        // The URL parser ignores tabs and newlines, but not spaces in a URL.
        let url = value.trim_start_matches(|one: char| one <= ' ');
        let url = url.replace(['\t', '\n', '\r'], "");
        let is_url = ["href", "src", "action", "formaction", "data", "background"].contains(&name);
        name.starts_with("on") && name.len() > 2
            || is_url && url.to_ascii_lowercase().starts_with("javascript:")
            || name == "attributename" && value.contains("href")
            || name == "srcdoc"
    });
    wrong.map(|one| format!("{}={:?}", one.name(), one.value()))
}

/// The names of elements in the trees of [`check_unchanged`]: half of them have rules of their own.
const NAMES: &[&str] = &[
    "a",
    "a",
    "b",
    "i",
    "u",
    "font",
    "code",
    "span",
    "sub",
    "label",
    "time",
    "x-y",
    "br",
    "img",
    "wbr",
    "hr",
    "p",
    "p",
    "p",
    "div",
    "div",
    "blockquote",
    "h1",
    "h2",
    "ul",
    "ol",
    "menu",
    "dl",
    "li",
    "li",
    "dd",
    "dt",
    "section",
    "details",
    "summary",
    "fieldset",
    "nobr",
    "pre",
    "listing",
    "table",
    "tbody",
    "tr",
    "td",
    "button",
    "form",
    "select",
    "option",
    "optgroup",
    "ruby",
    "rt",
    "rb",
    "template",
    "svg",
    "math",
    "object",
    "marquee",
    "image",
    "input",
    "title",
    "style",
    "script",
    "textarea",
    "noscript",
    "xmp",
    "iframe",
    "frameset",
    "body",
    "caption",
    "col",
    "address",
    "center",
    "dialog",
    "search",
    "output",
    "picture",
];

/// Draws a tree whose elements are anywhere in one another, and parses its markup. If the sanitizer does not parse the
/// markup of such a tree again, the result has to be the same tree. Returns true if this was checked.
///
/// # Errors
///
/// Returns a description of the difference.
pub fn check_unchanged(random: &mut Random) -> Result<bool, String> {
    let mut xml = String::from("<div xmlns='http://www.w3.org/1999/xhtml'>");
    let mut open = Vec::new();
    // Few names, so that an element is often in another with the same name.
    let names: Vec<_> = (0..4).map(|_| NAMES[random.below(NAMES.len())]).collect();
    let steps = if random.one_in(8) { 80 } else { 14 };
    for _ in 0..random.below(steps) {
        match random.below(5) {
            0 => xml.push_str(
                ["x", " ", "&#10;", "&lt;b&gt; &amp;amp;", "&#13;", "&#160;"][random.below(6)],
            ),
            1 => xml.extend(open.pop().map(|name| format!("</{name}>"))),
            _ => {
                let name = names[random.below(names.len())];
                let attribute =
                    ["", "", " id='a'", " title='&lt;&quot;&#10;'", " A='b'"][random.below(5)];
                xml.push_str(&format!("<{name}{attribute}>"));
                open.push(name);
            }
        }
    }
    let ends = open.iter().rev().map(|name| format!("</{name}>"));
    xml.extend(ends);
    xml.push_str("</div>");
    let failed = |error: tagstream::Error| format!("{xml:?}: {error}");
    let tree = Document::parse(Xml::strict(), xml.as_str()).map_err(failed)?;
    let top = tree.root_element().ok_or("no root")?;
    if !Sanitizer::inspect_unchanged(top) {
        return Ok(false);
    }
    let markup = top.to_inner_html();
    let context = Html::fragment("div").map_err(|error| error.to_string())?;
    let parsed = Document::parse(context, markup.as_str()).map_err(failed)?;
    let parsed_top = parsed.root_element().ok_or("no root")?;
    match outline(top) == outline(parsed_top) {
        true => Ok(true),
        false => Err(format!(
            "{markup:?} is parsed as {:?}",
            parsed_top.to_inner_html()
        )),
    }
}

/// Returns the descendants of a node: the start of each element with its attributes, its end, and each text.
fn outline(top: Node<'_>) -> Vec<String> {
    let mut steps = Vec::new();
    for edge in top.edges() {
        match edge {
            Edge::Open(node) if node.id() == top.id() => {}
            Edge::Open(node) if node.is_text() => steps.push(format!("text {:?}", node.text())),
            Edge::Open(node) => {
                let attributes: Vec<_> = node
                    .attributes()
                    .map(|one| (one.name(), one.value()))
                    .collect();
                let namespace = node.namespace();
                steps.push(format!(
                    "{} {namespace:?} {attributes:?}",
                    node.local_name()
                ));
            }
            Edge::Close(node) if !node.is_text() => steps.push("end".into()),
            Edge::Close(_) => {}
        }
    }
    steps
}
