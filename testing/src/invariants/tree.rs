//! Checks that the events of a balanced parser are those of a tree, and that the document built from the same input is
//! that tree. This module does not check which tree is built from ill-formed input.

use super::recording::{Feeding, Kind, Seen, Shown, failed};
use tagstream::tree::Edge;
use tagstream::{
    Balance, Buildable, Document, Error, Node, NodeKind, Sizes, TreeBuilder, TreeSink as _,
};
use unicode_normalization::UnicodeNormalization as _;

/// Checks that every start has its end, in order, that there is one root element, and that there is no text outside it.
pub(super) fn balanced(seen: &Seen) -> Result<(), String> {
    nested(seen)?;
    let (mut depth, mut roots) = (0, 0);
    for event in &seen.events {
        let holds = match &event.kind {
            Kind::Start(_) => {
                roots += usize::from(depth == 0);
                depth += 1;
                roots <= 1
            }
            Kind::End(_) => {
                depth -= 1;
                true
            }
            Kind::Text(text) => depth > 0 && !text.is_empty(),
            Kind::Error(_) | Kind::EncodingChange | Kind::Other => true,
        };
        if !holds {
            return Err(format!("not balanced at {}\n{seen}", event.line));
        }
    }
    Ok(())
}

/// Checks that every start has its end, in order.
pub(super) fn nested(seen: &Seen) -> Result<(), String> {
    let mut open = Vec::new();
    for event in &seen.events {
        match &event.kind {
            Kind::Start(name) => open.push(name),
            Kind::End(name) if open.pop() != Some(name) => {
                return Err(format!("not nested at {}\n{seen}", event.line));
            }
            _ => {}
        }
    }
    match open.is_empty() || seen.failure.is_some() {
        true => Ok(()),
        false => Err(format!("{open:?} never ended\n{seen}")),
    }
}

/// Checks that two documents are equal.
pub(super) fn alike(one: &Built, other: &Built) -> Result<(), String> {
    if one.lines == other.lines && one.failure == other.failure && one.kept == other.kept {
        return Ok(());
    }
    let shown = |built: &Built| [&*built.lines, &built.kept].concat().join("\n");
    let (one, other) = (shown(one), shown(other));
    Err(format!("trees differ\n{one}\nand\n{other}"))
}

/// Builds the document of an input. `answer` supplies an external entity if one is requested, and returns whether one
/// was requested. Also builds the document event by event, which gives the same nodes with the same IDs, and the same
/// size: the builder adds most events of a batch at once if the program does not read them.
pub(super) fn built<D: Balance + Buildable>(
    dialect: D,
    sizes: Sizes,
    input: &[u8],
    feeding: &Feeding<'_>,
    answer: impl Fn(&mut TreeBuilder<D>) -> bool,
) -> Result<Built, String> {
    let new = || TreeBuilder::new(dialect.clone()).inspect_sizes(sizes);
    let (mut document, mut built) = built_by(new(), input, feeding, &answer, TreeBuilder::build);
    let (other, by_events) = built_by(new(), input, feeding, &answer, |builder| {
        while builder.next_event()?.is_some() {}
        Ok(())
    });
    alike(&built, &by_events).map_err(|error| format!("{error}, event by event"))?;
    let ids = |document: &Document| -> Vec<_> {
        let edges = document.root().edges();
        edges
            .map(|(Edge::Open(node) | Edge::Close(node))| node.id())
            .collect()
    };
    if ids(&document) != ids(&other) || document.size() != other.size() {
        return Err(format!(
            "other nodes, event by event\n{document:#?}\nand\n{other:#?}"
        ));
    }
    document.shrink_to_fit();
    if lines(&document) != built.lines {
        return Err(format!("another tree after `shrink_to_fit`\n{document:#?}"));
    }
    let keeping = || new().keep_cdata(true);
    let (keeping_document, kept) = built_by(keeping(), input, feeding, &answer, TreeBuilder::build);
    let texts = (joined(&document), joined(&keeping_document));
    if built.failure.is_none() && texts.0 != texts.1 {
        return Err(format!(
            "trees with sections and without differ{}\nand{}",
            texts.1, texts.0
        ));
    }
    // Positions and reports of errors require whole runs of text.
    let whole = keeping().positions(true).report_errors(true);
    let (_, by_runs) = built_by(whole, input, feeding, &answer, TreeBuilder::build);
    if kept.failure.is_none() && by_runs.failure.is_none() && kept.lines != by_runs.lines {
        let (kept, by_runs) = (kept.lines.join("\n"), by_runs.lines.join("\n"));
        return Err(format!(
            "other sections with positions\n{kept}\nand\n{by_runs}"
        ));
    }
    built.kept = kept.lines;
    Ok(built)
}

/// Returns a document as a string in which each CDATA section is joined with the texts beside it, in NFC: the texts of
/// LeafXML are normalized after they were joined.
fn joined(document: &Document) -> String {
    let (mut out, mut was_text, mut was_section) = (String::new(), false, false);
    for edge in document.root().edges() {
        let (Edge::Open(node) | Edge::Close(node)) = edge;
        if !node.is_text() {
            out += &format!("\n{:?} {}", node.kind(), node.name());
            (was_text, was_section) = (false, false);
        } else if matches!(edge, Edge::Open(_)) {
            if !(was_text && (was_section || node.is_cdata())) {
                out += "\ntext ";
            }
            out += node.text();
            (was_text, was_section) = (true, node.is_cdata());
        }
    }
    out.nfc().collect()
}

/// Builds the document of an input with `build`, which adds the events that are there.
fn built_by<D: Balance + Buildable>(
    mut builder: TreeBuilder<D>,
    input: &[u8],
    feeding: &Feeding<'_>,
    answer: impl Fn(&mut TreeBuilder<D>) -> bool,
    build: impl Fn(&mut TreeBuilder<D>) -> Result<(), Error>,
) -> (Document, Built) {
    let mut failure = None;
    let mut build_all = |builder: &mut TreeBuilder<D>| {
        loop {
            let problem = build(builder).err();
            if problem.is_some() || !answer(builder) {
                failure = failure.take().or(problem);
                return;
            }
        }
    };
    for chunk in feeding.chunks(input) {
        builder.supply(chunk.to_vec());
        build_all(&mut builder);
    }
    builder.supply_end();
    build_all(&mut builder);
    let document = builder.into_sink();
    let built = Built {
        lines: lines(&document),
        kept: Vec::new(),
        failure: failure.as_ref().map(failed),
    };
    (document, built)
}

/// A document as lines of text, and the error if the parse failed.
pub(super) struct Built {
    lines: Vec<String>,
    /// The lines of the document that keeps CDATA sections.
    kept: Vec<String>,
    failure: Option<String>,
}

/// Checks that the document contains exactly what the balanced events report. If `joins_text` is true, adjacent texts
/// are one node, otherwise each is a node.
pub(super) fn same(
    what: &str,
    balanced: &Seen,
    built: &Built,
    joins_text: bool,
) -> Result<(), String> {
    let mut expected: Vec<String> = Vec::new();
    let mut text = String::new();
    for event in &balanced.events {
        match (&event.kind, &event.content) {
            (Kind::Text(piece), _) => {
                text.push_str(piece);
                if !joins_text {
                    put_text(&mut expected, &mut text);
                }
            }
            (_, Some(line)) => {
                put_text(&mut expected, &mut text);
                expected.push(line.clone());
            }
            _ => {}
        }
    }
    put_text(&mut expected, &mut text);
    // Elements that are open when a parse fails have no end event.
    let opened = |line: &&Shown| matches!(line.kind, Kind::Start(_));
    let closed = |line: &&Shown| matches!(line.kind, Kind::End(_));
    let starts = balanced.events.iter().filter(opened).count();
    let ends = balanced.events.iter().filter(closed).count();
    let shown = &built.lines[..built.lines.len().saturating_sub(starts - ends)];
    if expected != shown || built.failure != balanced.failure {
        return Err(format!(
            "{what}: expected\n{}\nbut saw\n{}\nof\n{balanced}",
            expected.join("\n"),
            built.lines.join("\n")
        ));
    }
    Ok(())
}

fn put_text(lines: &mut Vec<String>, text: &mut String) {
    if !text.is_empty() {
        lines.push(format!("text {text:?}"));
        text.clear();
    }
}

fn lines(document: &Document) -> Vec<String> {
    let mut lines = Vec::new();
    for edge in document.root().edges() {
        match edge {
            Edge::Open(node) => match node.kind() {
                NodeKind::Element => lines.push(element(node)),
                NodeKind::Text if node.is_cdata() => {
                    lines.push(format!("section {:?}", node.text()));
                }
                NodeKind::Text => lines.push(format!("text {:?}", node.text())),
                NodeKind::Comment => lines.push(format!("comment {:?}", node.text())),
                NodeKind::ProcessingInstruction => {
                    lines.push(format!("instruction {:?} {:?}", node.name(), node.text()));
                }
                _ => {}
            },
            Edge::Close(node) if node.is_element() => lines.push(format!("end {:?}", node.name())),
            Edge::Close(_) => {}
        }
    }
    lines
}

fn element(node: Node<'_>) -> String {
    let names = (node.prefix(), node.local_name(), node.namespace());
    let mut line = format!("start {:?} {names:?}", node.name());
    for one in node.attributes() {
        let names = (one.prefix(), one.local_name(), one.namespace());
        line += &format!(" [{:?} {names:?} = {:?}]", one.name(), one.value());
    }
    line
}
