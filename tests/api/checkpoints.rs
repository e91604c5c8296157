//! Checkpoints that are refused: those of another version, kind or dialect, or of a parser with other options; damaged
//! ones, with any byte changed; and truncated ones. The invariants in `testing::invariants` check on random documents
//! that a valid checkpoint continues exactly where the parser stopped.

use std::fs;
use tagstream::select::{Selector, SelectorSet};
use tagstream::{
    CheckpointError, Dialect, Document, Event, Html, LeafXml, MicroXml, Nested, Parser, Rewriter,
    Sky, TreeBuilder, Xml, inspect_checksum,
};
use testing::cases;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    cases!(
        program,
        "core/checkpoints",
        what_is_not_of_this_parser_is_refused,
        every_byte_counts,
        every_prefix_is_refused,
        another_version_says_so,
        forged_payloads_are_refused_or_read,
        a_tree_takes_its_length,
        shared_text_is_saved_once,
        forged_selector_sets_are_refused_or_read,
    );
}

fn restore<D: Dialect>(dialect: D, checkpoint: &[u8]) -> Result<Parser<D>, CheckpointError> {
    Parser::restore(dialect, checkpoint)
}

/// Returns a checkpoint of a parser in the middle of a tag, with events that were not read.
fn checkpoint() -> Vec<u8> {
    let mut parser = Parser::new(Xml::default()).report_errors(true);
    parser.feed("<a xmlns:p='u'>Tom &amp; <b c=d>Jerry</b><p:e f='1' g");
    assert!(parser.next_event().is_ok());
    parser.checkpoint()
}

fn what_is_not_of_this_parser_is_refused() {
    let xml = checkpoint();
    let restored = |dialect: Xml| restore(dialect, &xml).err();
    assert_eq!(restored(Xml::default()), None);
    for other in [
        Xml::strict(),
        Xml::default().namespaces(false),
        Xml::default().fragment(),
        Xml::default().html_entities(),
        Xml::default().external_entities(true),
    ] {
        assert_eq!(restored(other), Some(CheckpointError::Options));
    }
    let entity = |text: &str| Xml::default().entity("e", text).expect("an entity");
    let named = Parser::new(entity("1")).checkpoint();
    assert!(restore(entity("1"), &named).is_ok());
    let other = restore(entity("2"), &named).unwrap_err();
    assert_eq!(other, CheckpointError::Options);
    let kind = CheckpointError::Kind("a parser");
    let balanced = Parser::<Xml, Nested>::restore(Xml::default(), &xml);
    assert_eq!(balanced.unwrap_err(), kind);
    assert_eq!(
        TreeBuilder::restore(Xml::default(), &xml).unwrap_err(),
        kind
    );
    let rewriter = Rewriter::<Xml>::restore(Xml::default(), &xml);
    assert_eq!(rewriter.unwrap_err(), kind);
    let written = Rewriter::new(Xml::default()).checkpoint();
    assert!(Rewriter::<Xml>::restore(Xml::default(), &written).is_ok());
    assert!(Rewriter::<Xml, Nested>::restore(Xml::default(), &written).is_err());
    let others = [
        restore(Html::default(), &xml).err(),
        restore(MicroXml::default(), &xml).err(),
        restore(Sky::fragment(), &xml).err(),
        restore(LeafXml::default(), &xml).err(),
    ];
    assert_eq!(others, [const { Some(CheckpointError::Dialect) }; 4]);
    let sky = Parser::new(Sky::fragment().registered(["a", "b"])).checkpoint();
    assert!(restore(Sky::fragment().registered(["b", "a"]), &sky).is_ok());
    let fewer = restore(Sky::fragment().registered(["a"]), &sky);
    assert_eq!(fewer.unwrap_err(), CheckpointError::Options);
    let hosted = TreeBuilder::new(Html::default()).hosted().checkpoint();
    assert!(TreeBuilder::restore_hosted(Html::default(), &hosted).is_ok());
    let alone = TreeBuilder::restore(Html::default(), &hosted).unwrap_err();
    assert_eq!(alone, CheckpointError::Kind("a tree with a host"));
}

fn every_byte_counts() {
    let whole = checkpoint();
    for at in 0..whole.len() {
        for bit in 0..8 {
            let mut changed = whole.clone();
            changed[at] ^= 1 << bit;
            assert!(restore(Xml::default(), &changed).is_err(), "{at}");
        }
    }
    let longer = [&*whole, b"\0"].concat();
    let error = restore(Xml::default(), &longer).unwrap_err();
    assert_eq!(error, CheckpointError::Damaged);
}

fn every_prefix_is_refused() {
    let whole = checkpoint();
    for end in 0..whole.len() {
        let error = restore(Xml::default(), &whole[..end]).unwrap_err();
        let expected = match end {
            0 => CheckpointError::Foreign,
            _ => CheckpointError::Damaged,
        };
        assert_eq!(error, expected, "{end}");
    }
    for foreign in ["<a/>", "{}", "\u{8B}"] {
        let error = restore(Xml::default(), foreign.as_bytes()).unwrap_err();
        assert_eq!(error, CheckpointError::Foreign);
    }
}

fn another_version_says_so() {
    let manifest = testing::source::root().join("Cargo.toml");
    let manifest = fs::read_to_string(manifest).expect("the manifest");
    assert!(
        manifest.contains("\nversion = \"0.1."),
        "`VERSION` in src/checkpoint/format.rs is to be the same"
    );
    let mut later = checkpoint();
    let at = later
        .windows(3)
        .position(|part| part == b"0.1")
        .expect("its version");
    later[at] = b'7';
    let error = restore(Xml::default(), &later).unwrap_err().to_string();
    assert!(
        error.starts_with("the checkpoint was written by tagstream 7.1 ("),
        "{error}"
    );
    assert!(error.contains("which this build (0.1 ("), "{error}");
}

/// Changes each byte of the payload in two ways and corrects the checksum. Restoring such a checkpoint returns a parser
/// or an error; it does not panic.
fn forged_payloads_are_refused_or_read() {
    let whole = checkpoint();
    let payload = inspect_checksum(&mut whole.clone()).expect("a payload");
    for at in payload..whole.len() {
        for change in [1, 0x80] {
            let mut forged = whole.clone();
            forged[at] ^= change;
            inspect_checksum(&mut forged);
            // The result is not used: the fuzz target `checkpoint` also tests only that a changed checkpoint is refused
            // or restored without a panic.
            let _ = restore(Xml::default(), &forged);
        }
    }
}

/// Changes each byte of the payload of a selector set in several ways. A set that is restored can be used.
fn forged_selector_sets_are_refused_or_read() {
    let mut set = SelectorSet::new(Xml::default());
    let prefixed = Selector::builder().namespace("p", "uri").build("p|b[c]");
    set.add(prefixed.expect("a selector")).expect("a selector");
    for selector in ["a b, b > c", "b:nth-child(2n)", "b:nth-of-type(2)"] {
        set.add(selector).expect("a selector");
    }
    let enter = |set: &mut SelectorSet<Xml>| {
        let mut parser = Parser::new(Xml::default());
        parser.feed("<b><b/><b c=''><b/>");
        while let Ok(Some(event)) = parser.next_event() {
            match event {
                Event::Start(tag) => drop(set.enter(&tag)),
                Event::End(_) => set.leave(),
                _ => {}
            }
        }
    };
    enter(&mut set);
    let whole = set.checkpoint();
    let restored = SelectorSet::restore(Xml::default(), &whole).expect("its own");
    assert_eq!(restored.checkpoint(), whole);
    let payload = inspect_checksum(&mut whole.clone()).expect("a payload");
    let mut used = 0;
    for at in payload..whole.len() {
        for change in [1, 2, 0x10, 0x80, 0xFF] {
            let mut forged = whole.clone();
            forged[at] ^= change;
            inspect_checksum(&mut forged);
            if let Ok(mut set) = SelectorSet::restore(Xml::default(), &forged) {
                enter(&mut set);
                used += 1;
            }
        }
    }
    assert!(used > 0);
    let other = Parser::<Xml>::restore(Xml::default(), &whole).unwrap_err();
    assert_eq!(other, CheckpointError::Kind("a selector set"));
}

fn a_tree_takes_its_length() {
    let page = "<p class=a>text <b>bold</b></p>".repeat(1000);
    let mut builder = TreeBuilder::new(Html::default());
    builder.feed(&page).expect("a page");
    let length = builder.checkpoint().len();
    assert!(length < 5 * page.len(), "{length} for {}", page.len());
    let restored = TreeBuilder::restore(Html::default(), &builder.checkpoint());
    let expected = Document::parse(Html::default(), page).expect("a page");
    let document = restored.expect("its own").finish().expect("a page");
    assert_eq!(document.to_html(), expected.to_html());
}

/// The text of an external subset, to which all declarations in the subset refer, is saved only once.
fn shared_text_is_saved_once() {
    let mut parser = Parser::new(Xml::default().external_entities(true));
    parser.feed("<!DOCTYPE a SYSTEM 'a.dtd'><a>");
    while parser.next_event().expect("well-formed").is_some() {}
    let declared = (0..1000).map(|number| format!("<!ENTITY e{number} '{number}'>"));
    let subset: String = declared.collect();
    parser.feed_entity(subset.as_str());
    parser.finish_entity(Some("a.dtd"));
    while parser.next_event().expect("well-formed").is_some() {}
    let checkpoint = parser.checkpoint();
    assert!(checkpoint.len() < 5 * subset.len(), "{}", checkpoint.len());
    let dialect = Xml::default().external_entities(true);
    let mut parser = restore(dialect, &checkpoint).expect("its own");
    parser.feed("&e999;</a>");
    let text = parser.next_event().expect("well-formed");
    assert!(format!("{text:?}").contains("999"), "{text:?}");
}
