//! Sanitizers with every configuration: the sanitized markup, and the sanitized tree if its serialization differs.

use std::sync::{Arc, Mutex};
use tagstream::sanitize::NameKind;
use tagstream::tree::{QualifiedName, TreeSink};
use tagstream::{Document, Html, Sanitizer, Xml};
use testing::cases::{self, Case, words};
use testing::run::{Failed, Program};

pub(crate) fn add(program: &mut Program) {
    let text = include_str!("../data/sanitizer.txt");
    let cases = cases::cases("tests/data/sanitizer.txt", text);
    cases::add(program, cases, |_| "html/sanitizer", check);
    testing::cases!(
        program,
        "html/sanitizer",
        data_attributes_are_in_no_namespace,
        the_root_of_a_fragment_contains_what_stays,
        texts_are_cleaned_as_trees,
        a_page_keeps_its_parts,
        a_page_loses_parts_that_lists_name,
        impossible_names_are_errors,
        other_names_are_possible,
        urls_that_are_set_have_an_allowed_scheme,
        children_of_a_template_beside_its_contents,
        values_are_filtered_before_they_are_judged,
        filters_see_what_the_lists_let_stay,
        filters_are_applied_once,
    );
}

fn the_root_of_a_fragment_contains_what_stays() {
    let mut fragment = Document::parse(
        Html::fragment("div").unwrap(),
        "<p id=a>1<script>2</script>",
    )
    .unwrap();
    Sanitizer::user_content().sanitize(&mut fragment);
    assert_eq!(fragment.root_element().unwrap().to_inner_html(), "<p>1</p>");
    let html = Html::fragment("div").unwrap();
    let removed = Sanitizer::allow_all().remove_elements(&["html"]).unwrap();
    let parsed = removed.parse(&html, "<p>1").unwrap();
    assert_eq!(parsed.root_element().unwrap().to_inner_html(), "<p>1</p>");
}

/// A text in a `div` is returned without a parse. The result must be that of the parse, for each character that the
/// parser or the serializer could change, at the beginning and elsewhere.
fn texts_are_cleaned_as_trees() {
    let html = Html::fragment("div").unwrap();
    let sanitizers = [Sanitizer::allow_all(), Sanitizer::allow_nothing()];
    let characters = (0..0x400).chain(0x2000..0x2080).chain(0xFB00..0x1_0010);
    for character in characters.filter_map(char::from_u32) {
        for text in [
            format!("{character}"),
            format!("{character}a"),
            format!("a\n{character} b"),
        ] {
            for sanitizer in &sanitizers {
                let tree = sanitizer.parse(&html, &text).unwrap();
                let expected = tree.root_element().unwrap().to_inner_html();
                assert_eq!(sanitizer.clean(&text), expected, "{text:?}");
            }
        }
    }
}

const PAGE: &str = "<html onclick=1 lang=en><title>t</title><body onload=1 dir=ltr>\
                    <main>1<script>2</script></main><body onblur=1 lang=de>3";

/// Returns the page, sanitized by `sanitize` and by `parse`.
fn pages(sanitizer: &Sanitizer) -> [String; 2] {
    let mut page = Document::parse(Html::default(), PAGE).unwrap();
    sanitizer.sanitize(&mut page);
    let parsed = sanitizer.parse(&Html::default(), PAGE).unwrap();
    [page.to_html(), parsed.to_html()]
}

fn a_page_keeps_its_parts() {
    let kept = "<html lang=\"en\"><head></head><body dir=\"ltr\" lang=\"de\">13</body></html>";
    assert_eq!(pages(&Sanitizer::user_content()), [kept, kept]);
    let empty = "<html><head></head><body>3</body></html>";
    assert_eq!(pages(&Sanitizer::allow_nothing()), [empty, empty]);
}

fn a_page_loses_parts_that_lists_name() {
    let all = Sanitizer::allow_all();
    let without = all.remove_elements(&["HEAD", "html"]).unwrap();
    let without = without.replace_with_children(&["body"]).unwrap();
    let kept = "<html lang=\"en\"><main>1</main>3</html>";
    assert_eq!(pages(&without), [kept, kept]);
}

fn impossible_names_are_errors() {
    let new = Sanitizer::default;
    let wrong = [
        new().allow_elements(&["p", "no<"]),
        new().remove_elements(&["svg "]),
        new().replace_with_children(&[""]),
        new().allow_attributes(&["a b"]),
        new().remove_attributes(&["a>"]),
        new().allow_attributes_on("foo bar baz", &["a"]),
        new().allow_attributes_on("a", &["b="]),
        new().remove_attributes_on("a/", &["b"]),
        new().remove_attributes_on("a", &["b/"]),
        new().allow_processing_instructions(&["a?"]),
        new().remove_processing_instructions(&["a b"]),
        new().url_schemes(&["1a"]),
        new().url_schemes(&["a:"]),
        new().allow_elements(&["*"]),
        new().remove_elements(&["svg *"]),
        new().replace_with_children(&["1a"]),
        new().allow_attributes_on("-", &["a"]),
        new().allow_classes_on("math *", &["a"]),
        new().set_attribute_on("*", "a", "b"),
        new().set_attribute_on("a", "onclick", "b"),
        new().set_attribute_on("a", "attributeName", "b"),
    ];
    let named = wrong.map(|one| one.unwrap_err().name().to_owned());
    let names = [
        "no<",
        "svg ",
        "",
        "a b",
        "a>",
        "foo bar baz",
        "b=",
        "a/",
        "b/",
        "a?",
        "a b",
        "1a",
        "a:",
        "*",
        "svg *",
        "1a",
        "-",
        "math *",
        "*",
        "onclick",
        "attributeName",
    ];
    assert_eq!(named, names);
    let error = new().allow_elements(&["no<"]).unwrap_err().to_string();
    let wanted = "\"no<\" cannot be the name of an element: expected a name such as `p`, `svg path` or `math mi`";
    assert_eq!(error, wanted);
}

/// Names with which an element can begin in XML or in a tree that a program makes.
fn other_names_are_possible() -> Result<(), Failed> {
    let names = ["\u{e9}", "_a", ":a", "svg \u{e9}", "a*", "x-1"];
    Sanitizer::default().allow_elements(&names)?;
    Ok(())
}

/// The order of the methods does not matter: no sanitizer sets a URL whose scheme it does not allow.
fn urls_that_are_set_have_an_allowed_scheme() -> Result<(), Failed> {
    let cases: [(&str, &str, &str, &[&str], bool); 15] = [
        ("a", "href", "javascript:1", &[], false),
        ("a", "title", "javascript:1", &[], true),
        ("svg a", "xlink:href", " java\nscript:1", &[], false),
        ("a", "HREF", "ftp:1", &[], true),
        ("a", "HREF", "ftp:1", &["https"], false),
        ("a", "href", "ftp:1", &["https", "FTP"], true),
        ("a", "href", "javascript:1", &["javascript"], false),
        ("a", "href", "/ftp:1", &["https"], true),
        ("a", "href", "", &["https"], true),
        ("a", "href", "\u{1} f\ttp:1", &["https"], false),
        ("a", "title", "ftp:1", &["https"], true),
        ("svg image", "xlink:href", "data:,1", &["https"], false),
        ("p", "cite", "data:,1", &["https"], false),
        ("img", "Src", "data:,1", &["https"], false),
        ("img", "Src", "HTTPS:1", &["https"], true),
    ];
    for (element, attribute, value, schemes, is_allowed) in cases {
        let new = Sanitizer::default;
        let limited = |sanitizer: Sanitizer| match schemes {
            [] => Ok(sanitizer),
            schemes => sanitizer.url_schemes(schemes),
        };
        let set = |sanitizer: Sanitizer| sanitizer.set_attribute_on(element, attribute, value);
        for result in [limited(new()).and_then(set), set(new()).and_then(limited)] {
            let error = result.err();
            let wanted = (!is_allowed).then_some((value, NameKind::SetUrl));
            let found = error.as_ref().map(|error| (error.name(), error.kind()));
            if found != wanted {
                return Err(format!("{element}@{attribute}={value}: {found:?}").into());
            }
        }
    }
    let error = Sanitizer::user_content().set_attribute_on("a", "href", "x:1");
    let wanted = "\"x:1\" cannot be the URL of an attribute that is set: its scheme is not allowed";
    assert_eq!(error.unwrap_err().to_string(), wanted);
    let mut by_name = Sanitizer::default().set_attribute_on("a", "href", "x:1")?;
    let error = by_name.set("url_schemes", "https").unwrap_err().to_string();
    assert!(
        error.contains("the schemes of the URLs that are set"),
        "{error}"
    );
    Ok(())
}

/// Tests children of a template outside its contents. The parser never creates them, but a program that edits a tree
/// can.
fn children_of_a_template_beside_its_contents() {
    for contents in ["", "<b>1</b>"] {
        let markup = format!("<template>{contents}</template>2");
        let mut document = Document::parse(Html::fragment("div").unwrap(), markup).unwrap();
        let root = document.root_element().unwrap();
        let template = root.first_child().unwrap().id();
        for name in ["script", "i"] {
            let child = document.create_element(QualifiedName::new(name));
            TreeSink::append(&mut document, template, child);
        }
        for name in ["i", "script"] {
            let html = "http://www.w3.org/1999/xhtml";
            let html = document.namespace(html);
            let child = document.create_element(QualifiedName::unprefixed(name, Some(html)));
            TreeSink::append(&mut document, template, child);
        }
        let sanitizer = Sanitizer::default().allow_elements(&["template"]).unwrap();
        sanitizer.sanitize(&mut document);
        let template = document.node(template).unwrap();
        let children = template.children().map(|child| child.local_name());
        assert_eq!(children.collect::<Vec<_>>(), ["i"]);
        let inside = template.template_contents().unwrap();
        assert_eq!(inside.to_inner_html(), contents);
        let after = template.next_sibling().unwrap();
        assert_eq!(after.text(), "2");
    }
}

fn values_are_filtered_before_they_are_judged() {
    let sanitizer = Sanitizer::user_content().attribute_filter(|_, _, value| {
        let value = value.replace("cid:", "https:").replace("x:", "javascript:");
        Some(value.into())
    });
    let markup =
        "<img src=cid:1><a href=x:2>3</a><a href=javascript:4 title=cid:5>6</a><p lang=7>8</p>";
    let clean = "<img src=\"https:1\"><a>3</a><a title=\"https:5\">6</a><p lang=\"7\">8</p>";
    assert_eq!(sanitizer.clean(markup), clean);
    let tree = sanitizer
        .parse(&Html::fragment("div").unwrap(), markup)
        .unwrap();
    assert_eq!(tree.root_element().unwrap().to_inner_html(), clean);
    let mut tree = Document::parse(Html::fragment("div").unwrap(), markup).unwrap();
    sanitizer.sanitize(&mut tree);
    assert_eq!(tree.root_element().unwrap().to_inner_html(), clean);
}

fn filters_see_what_the_lists_let_stay() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let to = Arc::clone(&seen);
    let sanitizer = Sanitizer::allow_all().attribute_filter(move |element, attribute, value| {
        to.lock()
            .unwrap()
            .push(format!("{element} {attribute} {value}"));
        (value != "0").then(|| value.into())
    });
    let markup = "<p onclick=1 id=0 class=2><svg><a xlink:href=javascript:3 href=4></a></svg>";
    let clean = "<p class=\"2\"><svg><a href=\"4\"></a></svg></p>";
    assert_eq!(sanitizer.clean(markup), clean);
    let wanted = [
        "p id 0",
        "p class 2",
        "svg a xlink:href javascript:3",
        "svg a href 4",
    ];
    assert_eq!(*seen.lock().unwrap(), wanted);
}

/// The sanitizer parses its own output again until the output is stable. The attribute filter is called only once all
/// the same.
fn filters_are_applied_once() {
    let sanitizer =
        Sanitizer::default().attribute_filter(|_, _, value| Some(format!("/{value}").into()));
    let clean = sanitizer.clean("<a href=1><table><td><a href=2>3");
    assert_eq!(clean.matches("href=\"/1\"").count(), 1, "{clean}");
    assert_eq!(clean.matches("href=\"/2\"").count(), 1, "{clean}");
}

/// An attribute in another namespace, which comes from XML or from edits of the tree, is not a `data-` attribute.
fn data_attributes_are_in_no_namespace() -> Result<(), Failed> {
    let xml = "<p xmlns='http://www.w3.org/1999/xhtml' xmlns:n='u' n:data-a='1' data-b='2'/>";
    let mut document = Document::parse(Xml::default(), xml)?;
    Sanitizer::allow_nothing()
        .allow_elements(&["p"])?
        .data_attributes(true)
        .sanitize(&mut document);
    let found = document.root_element().ok_or("a root")?.to_html();
    match found.as_str() {
        "<p data-b=\"2\"></p>" => Ok(()),
        _ => Err(found.into()),
    }
}

/// Returns the sanitizer that a case configures, and the name of the element that contains the markup.
pub(crate) fn configured(case: &Case) -> Result<(Sanitizer, String), Failed> {
    let mut sanitizer = Sanitizer::default();
    for step in words(case.text("sanitizer").ok_or("a sanitizer")?) {
        sanitizer = configure(sanitizer, &step)?;
    }
    let context = case.option("fragment").unwrap_or("div");
    Ok((sanitizer, context.to_owned()))
}

fn check(case: &Case) -> Result<(), Failed> {
    let (sanitizer, context) = configured(case)?;
    let input = case.input_text()?;
    let string = sanitizer.clean_in(&context, &input)?;
    let html = Html::fragment(&context)?;
    let parsed = sanitizer.parse(&html, &input)?;
    let tree = parsed.root_element().ok_or("a root")?.to_inner_html();
    let mut document = Document::parse(html, input)?;
    sanitizer.sanitize(&mut document);
    let walked = document.root_element().ok_or("a root")?.to_inner_html();
    if walked != tree {
        return Err(format!("sanitized after it was parsed: {walked}").into());
    }
    case.expect("markup", &string)?;
    match case.expected("markup-of-tree") {
        None if tree != string => Err(format!("of the tree: {tree}").into()),
        None => Ok(()),
        Some(_) => Ok(case.expect("markup-of-tree", &tree)?),
    }
}

/// Applies one step of a configuration: the initial sanitizer, or a method with its argument.
fn configure(sanitizer: Sanitizer, step: &str) -> Result<Sanitizer, Failed> {
    let (method, list) = step.split_once('=').unwrap_or((step, ""));
    let names: Vec<&str> = list.split(',').collect();
    let (attributes, element) = list.split_once(" on ").unwrap_or((list, ""));
    let attributes: Vec<&str> = attributes.split(',').collect();
    let is_on = list == "on";
    Ok(match method {
        "default" => Sanitizer::default(),
        "user-content" => Sanitizer::user_content(),
        "allow-all" => Sanitizer::allow_all(),
        "allow-nothing" => Sanitizer::allow_nothing(),
        "allow-elements" => sanitizer.allow_elements(&names)?,
        "remove-elements" => sanitizer.remove_elements(&names)?,
        "replace-with-children" => sanitizer.replace_with_children(&names)?,
        "allow-attributes" if element.is_empty() => sanitizer.allow_attributes(&attributes)?,
        "allow-attributes" => sanitizer.allow_attributes_on(element, &attributes)?,
        "remove-attributes" if element.is_empty() => sanitizer.remove_attributes(&attributes)?,
        "remove-attributes" => sanitizer.remove_attributes_on(element, &attributes)?,
        "comments" => sanitizer.comments(is_on),
        "data-attributes" => sanitizer.data_attributes(is_on),
        "processing-instructions" => sanitizer.processing_instructions(is_on),
        "allow-processing-instructions" => sanitizer.allow_processing_instructions(&names)?,
        "remove-processing-instructions" => sanitizer.remove_processing_instructions(&names)?,
        "url-schemes" => sanitizer.url_schemes(&names)?,
        "link-rel" => sanitizer.link_rel(list),
        "unwrap-others" => sanitizer.unwrap_others(),
        "escape-others" => sanitizer.escape_others(),
        "allow-classes" if element.is_empty() => sanitizer.allow_classes(&attributes)?,
        "allow-classes" => sanitizer.allow_classes_on(element, &attributes)?,
        "allow-css-properties" => sanitizer.allow_css_properties(&names)?,
        "set-attribute" => {
            let (name, value) = attributes[0].split_once(':').ok_or("a name and a value")?;
            sanitizer.set_attribute_on(element, name, value)?
        }
        "id-prefix" => sanitizer.id_prefix(list)?,
        _ => return Err(format!("no step of a configuration: {step}").into()),
    })
}
