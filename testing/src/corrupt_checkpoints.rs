//! Restores checkpoints that were changed and given a correct checksum. A changed checkpoint is either refused or
//! restored, and nothing panics. The events of a restored parser are not checked, because a checkpoint is as trusted as
//! the other files of a program.

use tagstream::select::SelectorSet;
use tagstream::{
    AsWritten, Balance, Buildable, Event, Html, LeafXml, MicroXml, Nested, Parser, Rewriter, Sky,
    TreeBuilder, Xml, inspect_checksum,
};

/// Selectors of the sets, with and without state.
const SELECTORS: &[&str] = &["a[b]", "a b, b > c", "b:nth-child(2n)", "c:nth-of-type(2)"];

/// Restores a changed checkpoint of a document. The first byte selects the dialect and the type that is saved, the
/// second byte is the number of changes, and each change takes the next four bytes. The rest is the document.
pub fn read(data: &[u8]) {
    let [of, count, rest @ ..] = data else {
        return;
    };
    let length = (usize::from(count % 8) * 4).min(rest.len());
    let (changes, document) = rest.split_at(length);
    match of % 5 {
        0 => put(&Xml::default(), of / 5, changes, document),
        1 => put(&Html::default(), of / 5, changes, document),
        2 => put(&MicroXml::default(), of / 5, changes, document),
        3 => put(&Sky::fragment(), of / 5, changes, document),
        _ => put(&LeafXml::default(), of / 5, changes, document),
    }
}

fn put<D: Balance + Buildable>(dialect: &D, what: u8, changes: &[u8], document: &[u8]) {
    let forge = |checkpoint: Vec<u8>| forged(checkpoint, changes);
    match what % 5 {
        0 => {
            let mut parser = Parser::new(dialect.clone()).report_errors(true);
            parser.feed(document);
            let _ = parser.next_event();
            let _ = Parser::<D, AsWritten>::restore(dialect.clone(), &forge(parser.checkpoint()));
        }
        1 => {
            let mut parser = Parser::new(dialect.clone()).balanced().report_errors(true);
            parser.feed(document);
            let _ = parser.next_event();
            let _ = Parser::<D, Nested>::restore(dialect.clone(), &forge(parser.checkpoint()));
        }
        2 => {
            let mut builder = TreeBuilder::new(dialect.clone());
            let _ = builder.feed(document);
            let _ = TreeBuilder::restore(dialect.clone(), &forge(builder.checkpoint()));
        }
        3 => {
            let mut set = SelectorSet::new(dialect.clone());
            for selector in SELECTORS {
                set.add(*selector).expect("a selector for streams");
            }
            let mut parser = Parser::new(dialect.clone()).balanced();
            parser.feed(document);
            // The elements are never left, so that all of them are in the checkpoint.
            let mut tags = 0;
            while let Ok(Some(event)) = parser.next_event() {
                if let Event::Start(tag) = event {
                    set.enter(&tag);
                    tags += 1;
                }
                if tags == 8 {
                    break;
                }
            }
            let restored = SelectorSet::restore(dialect.clone(), &forge(set.checkpoint()));
            // Matching must not panic, whatever the state is.
            if let Ok(mut set) = restored {
                while let Ok(Some(event)) = parser.next_event() {
                    match event {
                        Event::Start(tag) => drop(set.enter(&tag)),
                        Event::End(_) => set.leave(),
                        _ => {}
                    }
                }
            }
        }
        _ => {
            let mut rewriter = Rewriter::new(dialect.clone()).balanced();
            for selector in SELECTORS {
                rewriter.select(*selector).expect("a selector for streams");
            }
            rewriter.feed(document);
            if let Ok(Some(mut event)) = rewriter.next_event() {
                let _ = event.before("x");
                let _ = event.append("y");
            }
            let checkpoint = forge(rewriter.checkpoint());
            let restored = Rewriter::<D, Nested>::restore(dialect.clone(), &checkpoint);
            // Passing the rest on must not panic, whatever the state is.
            if let Ok(mut rewriter) = restored {
                rewriter.finish();
                while let Ok(Some(_)) = rewriter.next_selected() {}
                let _ = rewriter.output().len();
            }
        }
    }
}

/// Changes, removes and inserts bytes of a checkpoint, and corrects its checksum.
fn forged(mut checkpoint: Vec<u8>, changes: &[u8]) -> Vec<u8> {
    let Some(payload) = inspect_checksum(&mut checkpoint) else {
        return checkpoint;
    };
    for change in changes.chunks_exact(4) {
        let room = checkpoint.len() - payload;
        if room == 0 {
            break;
        }
        let at = payload + (usize::from(change[1]) << 8 | usize::from(change[2])) % room;
        match change[0] % 4 {
            0 => checkpoint[at] = change[3],
            1 => checkpoint[at] ^= 1 << (change[3] % 8),
            2 => checkpoint.insert(at, change[3]),
            _ => drop(checkpoint.remove(at)),
        }
    }
    inspect_checksum(&mut checkpoint);
    checkpoint
}
