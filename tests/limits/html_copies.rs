//! Reported faults of HTML, each with the document that caused it: documents whose trees were thousands of times as
//! large as the input, because elements were copied.

use crate::memory::ALLOCATOR;
use tagstream::tree::TreeSink;
use tagstream::{Encoding, Event, Html, Limits, Parser, TreeBuilder};
use testing::effort::{self, Effort};
use testing::pull;
use testing::random::Random;
use testing::run::Program;
use testing::shapes::shapes;

pub(crate) fn add(program: &mut Program) {
    testing::cases!(
        alone program,
        "html/copies",
        copies_of_many_attributes_take_little,
        no_tree_is_larger_than_a_hundred_times_its_document,
        what_is_not_copied_is_an_error,
        what_is_copied_does_not_depend_on_cuts,
        shared_attributes_are_not_changed_by_others,
        events_are_the_tokens_of_the_tree,
        foreign_content_is_told_from_the_tags,
    );
}

const MB: usize = 1_000_000;

fn builder() -> TreeBuilder<Html> {
    TreeBuilder::new(Html::default().encoding(Encoding::UTF_8))
}

/// Returns the size of the tree of a document in bytes, and the peak of memory while the tree was built.
fn built(document: &str) -> (u64, usize) {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let mut builder = builder();
    builder.supply(document.as_bytes());
    builder.supply_end();
    builder.build().expect("within the limits");
    let most = ALLOCATOR.peak_usage().saturating_sub(before);
    (builder.sink().size().bytes, most)
}

/// Copies of an element share its attributes.
fn copies_of_many_attributes_take_little() {
    let _ = builder();
    for shape in shapes("Copies of many attributes") {
        let (name, document) = (shape.name(), shape.of_units(0));
        let (tree, most) = built(&document);
        println!("{name}: {} bytes, tree {tree}, held {most}", document.len());
        assert!(most < 40 * MB, "{name}: {most} bytes were held");
    }
}

/// After the first 16 MiB, no document takes more than 100 bytes of tree for each of its bytes.
fn no_tree_is_larger_than_a_hundred_times_its_document() {
    for shape in shapes("Copies") {
        let name = shape.name();
        for &length in Effort::choose(&[160_000][..], &[160_000, 800_000]) {
            let document = String::from_utf8(shape.of_bytes(length)).expect("a document of UTF-8");
            let (tree, most) = built(&document);
            let ratio = tree as f64 / document.len() as f64;
            println!(
                "{name}: {} bytes, {ratio:.1} bytes a byte, held {most}",
                document.len()
            );
            let limit = (16 << 20).max(100 * document.len() as u64);
            assert!(tree <= limit, "{name}: {tree} bytes of {}", document.len());
        }
    }
}

/// An element that is not copied because of the limit is a parse error. Without limits, all elements are copied.
fn what_is_not_copied_is_an_error() {
    let tags: String = (0..500).map(|number| format!("<b i={number}>")).collect();
    let document = "<p>".to_owned() + &tags + &"<p>x".repeat(1_000);
    let nodes = |limits: Limits| {
        let mut builder = builder().limits(limits).report_errors(true);
        builder.supply(document.as_bytes());
        builder.supply_end();
        let mut is_told = false;
        while let Some(event) = builder.next_event().expect("within the limits") {
            if let Event::ParseError(error) = event {
                is_told |= error.code() == tagstream::html::errors::TOO_MUCH_COPIED;
            }
        }
        (builder.into_sink().node_count(), is_told)
    };
    let (bounded, is_told) = nodes(Limits::default());
    assert!(bounded < 300_000 && is_told, "{bounded} nodes");
    let (all, is_told) = nodes(Limits::none());
    assert!(all > 500_000 && !is_told, "{all} nodes");
}

/// The number of copies does not depend on the cuts of the document.
fn what_is_copied_does_not_depend_on_cuts() {
    let tags: String = (0..500).map(|number| format!("<b i={number}>")).collect();
    let document = "<p>".to_owned() + &tags + &"<p>\0\0\0some text".repeat(700);
    let outline = |size: usize| {
        let document = pull::built(builder(), document.as_bytes().chunks(size));
        document.expect("within the limits").to_html()
    };
    let whole = outline(document.len());
    for size in [1, 3, 64] {
        assert!(outline(size) == whole, "chunks of {size}");
    }
}

/// A copy and its original can be changed independently. They share attributes only until one of them gets a new
/// attribute.
fn shared_attributes_are_not_changed_by_others() {
    use tagstream::tree::{Document, QualifiedName};
    let mut document = Document::new();
    let first = document.create_element(QualifiedName::new("a"));
    document.add_attribute(first, QualifiedName::new("b"), "1");
    document.add_attribute(first, QualifiedName::new("c"), "2");
    let second = document.clone_element(first);
    let third = document.clone_element(second);
    let size = document.size();
    assert_eq!(size.attributes, 2, "copies share them");
    document.add_attribute(second, QualifiedName::new("d"), "3");
    document.add_missing_attribute(first, QualifiedName::new("e"), "4");
    document.add_missing_attribute(third, QualifiedName::new("c"), "5");
    let of = |id| {
        let node = document.node(id).expect("a node");
        let pairs = node
            .attributes()
            .map(|it| format!("{}={}", it.name(), it.value()));
        pairs.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(of(first), "b=1 c=2 e=4");
    assert_eq!(of(second), "b=1 c=2 d=3");
    assert_eq!(of(third), "b=1 c=2");
}

/// Returns the tokens. Adjacent texts are joined.
fn tokens(mut next: impl FnMut(&mut dyn FnMut(&Event<'_>))) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut is_text = false;
    next(&mut |event| {
        let token = match event {
            Event::Text(text) => {
                match (is_text, tokens.last_mut()) {
                    (true, Some(last)) => last.push_str(text.as_str()),
                    _ => tokens.push(text.as_str().to_owned()),
                }
                is_text = true;
                return;
            }
            Event::Start(tag) => format!("<{}>", tag.name()),
            Event::End(tag) => format!("</{}>", tag.name()),
            Event::Comment(comment) => format!("<!--{}-->", comment.as_str()),
            Event::ProcessingInstruction(it) => format!("<?{} {}?>", it.target(), it.data()),
            Event::Doctype(it) => format!("<!DOCTYPE {:?}>", it.name()),
            other => format!("{other:?}"),
        };
        is_text = false;
        tokens.push(token);
    });
    tokens
}

/// Returns the tokens from which a tree is built, and the events of the same document.
fn both(html: Html, document: &str) -> [Vec<String>; 2] {
    let mut builder = TreeBuilder::new(html.clone());
    builder.supply(document.as_bytes());
    builder.supply_end();
    let of_tree = tokens(|take| {
        while let Some(event) = builder.next_event().expect("within the limits") {
            take(&event);
        }
    });
    let mut parser = Parser::new(html);
    parser.feed(document.as_bytes());
    parser.finish();
    let events = tokens(|take| {
        while let Some(event) = parser.next_event().expect("within the limits") {
            take(&event);
        }
    });
    [of_tree, events]
}

/// For fewer than two in a thousand random documents, the events differ from the tokens of the tree.
fn events_are_the_tokens_of_the_tree() {
    let mut random = Random(0x746f_6b65_6e73);
    let mut kinds = [
        ("svg", 0, 0),
        ("math", 0, 0),
        ("table", 0, 0),
        ("<b", 0, 0),
        ("template", 0, 0),
        ("", 0, 0),
    ];
    for _ in 0..effort::documents(12_500, 100_000) {
        let case = testing::generate::html::case(&mut random);
        let document = case.tokens.concat();
        // Tree construction ignores most start tags in these documents, so the tags do not switch the tokenizer.
        let ignores = document.to_ascii_lowercase().contains("<frameset");
        if ignores || matches!(case.context, Some("frameset" | "colgroup")) {
            continue;
        }
        let [of_tree, events] = both(case.html(), &document);
        let differs = of_tree != events;
        for (kind, all, different) in &mut kinds {
            if document.contains(*kind) {
                *all += 1;
                *different += usize::from(differs);
            }
        }
    }
    for (kind, all, different) in &kinds {
        println!("{kind:?}: {different} of {all}");
    }
    for (kind, all, different) in kinds {
        let most = all / 500;
        assert!(different <= most, "{kind:?}: {different} of {all} differ");
    }
}

/// Contains one document of each class for which the events once differed from the tokens of the tree.
fn foreign_content_is_told_from_the_tags() {
    for shape in shapes("foreign content is recognised by tags") {
        let document = shape.of_units(0);
        let [of_tree, events] = both(Html::default().encoding(Encoding::UTF_8), &document);
        assert_eq!(events, of_tree, "{document}");
    }
}
