//! The subcommand `sanitize`: removes everything from HTML that is not allowed.

use crate::failure::{self, Failure};
use crate::guess;
use crate::input::{Given, Input};
use crate::options::{SanitizeOptions, UnknownElements};
use crate::output::Output;
use crate::shown;
use std::fmt::Write;
use std::io::{self, IsTerminal};
use tagstream::sanitize::NameError;
use tagstream::{Encoding, Error, Sanitizer, TextDecoder};

/// Writes the sanitized contents of a file.
pub(crate) fn run(options: &SanitizeOptions) -> Result<(), Failure> {
    check_names(options)?;
    let sanitizer = sanitizer(options).map_err(|error| Failure::Unusable(error.to_string()))?;
    let given = Given {
        is_text: options.text,
        is_known: true,
        ..Given::default()
    };
    let mut output = Output::plain();
    let mut input = Input::open(&options.file, given)?;
    input.show_progress();
    let is_svg = options.svg || options.fragment.is_none() && guess::is_svg(&options.file);
    let mut bytes = Vec::new();
    while let Some(chunk) = input.next(&mut output)? {
        bytes.extend_from_slice(&chunk);
    }
    drop(input);
    let encoding = options.encoding()?;
    let failed = |error: Error| Failure::read(&options.file, error);
    let mut clean = match (encoding, is_svg) {
        // Images in XML declare their encoding.
        (None, true) => sanitizer.clean_svg(bytes).map_err(failed)?,
        (Some(encoding), true) => {
            let text = decoded(&bytes, encoding);
            sanitizer.clean_svg(text.as_str()).map_err(failed)?
        }
        (encoding, false) => {
            let encoding = byte_order_mark(&bytes).or(encoding);
            let markup = decoded(&bytes, encoding.unwrap_or(Encoding::UTF_8));
            match &options.fragment {
                Some(context) => sanitizer
                    .clean_in(context, &markup)
                    .map_err(|error| Failure::Unusable(error.to_string()))?,
                None => sanitizer.clean(&markup),
            }
        }
    };
    if !clean.is_empty() && !clean.ends_with('\n') {
        clean.push('\n');
    }
    if is_svg && clean.is_empty() {
        let file = options.file.display();
        failure::message(&format!("{file}: {NO_IMAGE}"));
    }
    // The flush returns the error, if one occurs.
    let _ = match io::stdout().is_terminal() {
        true => shown::write_lines(&clean, &mut output),
        false => output.write_str(&clean),
    };
    Ok(output.flush()?)
}

/// The message about an SVG image of which nothing is left.
const NO_IMAGE: &str =
    "nothing is left, because the root element is not an allowed `svg` in the namespace of SVG";

/// Returns the encoding that a byte order mark at the start of HTML indicates. It takes precedence over all others.
fn byte_order_mark(bytes: &[u8]) -> Option<Encoding> {
    match bytes {
        [0xEF, 0xBB, 0xBF, ..] => Some(Encoding::UTF_8),
        [0xFE, 0xFF, ..] => Some(Encoding::UTF_16BE),
        [0xFF, 0xFE, ..] => Some(Encoding::UTF_16LE),
        _ => None,
    }
}

/// Returns the text of the input.
fn decoded(bytes: &[u8], encoding: Encoding) -> String {
    let mut text = String::new();
    TextDecoder::new(encoding).decode(bytes, true, &mut text);
    text
}

/// Names of elements of HTML and SVG that every sanitizer removes.
const UNSAFE_ELEMENTS: [&str; 7] = [
    "base", "embed", "frame", "iframe", "object", "script", "use",
];

/// Refuses the names that the library accepts and that have no effect or another one than the user expects.
fn check_names(options: &SanitizeOptions) -> Result<(), Failure> {
    for name in &options.allow {
        refuse_unsafe("--allow", name)?;
    }
    let named = [
        ("--allow", &options.allow),
        ("--remove", &options.remove),
        ("--set", &options.set),
    ];
    for (option, names) in named {
        for name in names {
            let (_, attribute) = parts(assignment(name).0);
            // An attribute of HTML can have this character in its name.
            if attribute.is_some_and(|attribute| attribute.contains('*')) {
                let reason = "`*` is not a pattern of attribute names: name each attribute";
                return Err(refused(option, name, reason));
            }
        }
    }
    for name in &options.unwrap {
        if name.contains('@') {
            let reason = "only elements can be replaced with their contents";
            return Err(refused("--unwrap", name, reason));
        }
    }
    for class in &options.allow_class {
        if class == "*" {
            let reason = "`*` is not a pattern of classes: use --allow @class for all classes";
            return Err(refused("--allow-class", class, reason));
        }
    }
    for set in &options.set {
        let (name, _) = assignment(set);
        match parts(name) {
            (Some(element), Some(_)) => refuse_unsafe("--set", element)?,
            (None, Some(_)) => {
                let reason = "name an element, as in a@target=_blank: an attribute is set on the elements of one name";
                return Err(refused("--set", set, reason));
            }
            (_, None) => {
                let reason = format!("`{set}` is not ELEMENT@NAME=VALUE");
                return Err(Failure::Unusable(reason));
            }
        }
    }
    Ok(())
}

fn refused(option: &str, value: &str, reason: &str) -> Failure {
    Failure::Unusable(format!("{option} {value}: {reason}"))
}

/// Splits the name of an element (`img`), of its attribute (`img@src`) or of an attribute of all elements (`@id`, `*@id`).
/// The element is `None` for all elements.
fn parts(name: &str) -> (Option<&str>, Option<&str>) {
    match name.split_once('@') {
        Some(("" | "*", attribute)) => (None, Some(attribute)),
        Some((element, attribute)) => (Some(element), Some(attribute)),
        None => (Some(name), None),
    }
}

/// Splits a value of `--set` into the name and the value of the attribute.
fn assignment(set: &str) -> (&str, &str) {
    set.split_once('=').unwrap_or((set, ""))
}

/// Refuses a name for which an option has no effect: the sanitizer removes what can run a script, whatever is allowed.
fn refuse_unsafe(option: &str, name: &str) -> Result<(), Failure> {
    let (element, attribute) = parts(name);
    let element = element.unwrap_or_default();
    let local = element.strip_prefix("svg ").unwrap_or(element);
    let is_element = UNSAFE_ELEMENTS
        .iter()
        .any(|one| one.eq_ignore_ascii_case(local));
    let is_handler = attribute.is_some_and(|attribute| {
        let start = attribute.get(..2);
        start.is_some_and(|start| start.eq_ignore_ascii_case("on"))
    });
    let kind = match (is_element, is_handler) {
        (true, _) => "element",
        (false, true) => "attribute",
        (false, false) => return Ok(()),
    };
    let reason = format!("this {kind} is always removed, because it can run a script");
    Err(refused(option, name, &reason))
}

fn sanitizer(options: &SanitizeOptions) -> Result<Sanitizer, NameError> {
    let sanitizer = match options.user_content {
        true => Sanitizer::user_content(),
        false => Sanitizer::default(),
    };
    let mut sanitizer = sanitizer.comments(options.comments);
    for name in &options.allow {
        sanitizer = match parts(name) {
            (Some(element), Some(attribute)) => {
                sanitizer.allow_attributes_on(element, &[attribute])?
            }
            (None, Some(attribute)) => sanitizer.allow_attributes(&[attribute])?,
            (_, None) => sanitizer.allow_elements(&[name])?,
        };
    }
    for name in &options.remove {
        sanitizer = match parts(name) {
            (Some(element), Some(attribute)) => {
                sanitizer.remove_attributes_on(element, &[attribute])?
            }
            (None, Some(attribute)) => sanitizer.remove_attributes(&[attribute])?,
            (_, None) => sanitizer.remove_elements(&[name])?,
        };
    }
    for name in &options.unwrap {
        sanitizer = sanitizer.replace_with_children(&[name])?;
    }
    if !options.scheme.is_empty() {
        let schemes: Vec<&str> = options.scheme.iter().map(String::as_str).collect();
        sanitizer = sanitizer.url_schemes(&schemes)?;
    }
    for class in &options.allow_class {
        sanitizer = sanitizer.allow_classes(&[class])?;
    }
    for property in &options.allow_css {
        sanitizer = sanitizer.allow_css_properties(&[property])?;
    }
    for set in &options.set {
        let (name, value) = assignment(set);
        if let (Some(element), Some(attribute)) = parts(name) {
            sanitizer = sanitizer.set_attribute_on(element, attribute, value)?;
        }
    }
    if let Some(prefix) = &options.id_prefix {
        sanitizer = sanitizer.id_prefix(prefix)?;
    }
    sanitizer = match options.unknown {
        UnknownElements::Remove => sanitizer,
        UnknownElements::Unwrap => sanitizer.unwrap_others(),
        UnknownElements::Escape => sanitizer.escape_others(),
    };
    Ok(match &options.rel {
        Some(rel) => sanitizer.link_rel(rel),
        None => sanitizer,
    })
}

#[cfg(test)]
mod tests {
    use super::{UNSAFE_ELEMENTS, refuse_unsafe};
    use tagstream::Sanitizer;

    /// The library removes the elements of the list, whatever is allowed, and keeps others.
    #[test]
    fn the_list_is_that_of_the_library() {
        let kept = |name: &str| {
            let sanitizer = Sanitizer::allow_all().allow_elements(&[name]).unwrap();
            let markup = format!("<div><{name}></{name}></div><svg><{name}></{name}></svg>");
            let frame = sanitizer
                .clean_in("frameset", &format!("<{name}>"))
                .unwrap();
            (sanitizer.clean(&markup) + &frame).contains(&format!("<{name}"))
        };
        for name in UNSAFE_ELEMENTS {
            assert!(!kept(name), "{name}");
            assert!(refuse_unsafe("--allow", name).is_err(), "{name}");
        }
        for name in [
            "img", "svg", "style", "form", "video", "a", "template", "link",
        ] {
            assert!(kept(name) || name == "svg", "{name}");
            assert!(refuse_unsafe("--allow", name).is_ok(), "{name}");
        }
        for name in ["@href", "a@href", "@o", "@\u{e9}", "a"] {
            assert!(refuse_unsafe("--allow", name).is_ok(), "{name}");
        }
        for name in ["@onclick", "a@ONx", "svg use", "iframe@src"] {
            assert!(refuse_unsafe("--allow", name).is_err(), "{name}");
        }
    }
}
