//! The cost of a DOCTYPE with thousands of declarations or with entities that expand to long text. The work is compared
//! with the length of the input and of the expanded text.

use tagstream::{Limits, Parser, Stats, Status, Xml};
use testing::run::{Failed, Program};
use testing::shapes::{Shape, shapes};

pub(crate) fn add(program: &mut Program) {
    for shape in shapes("Entities") {
        let limit = shape.limit().unwrap_or("no limit");
        let name = format!("xml/entities: {}, {limit}", shape.name());
        program.case(name, move || check(&shape));
    }
}

fn check(shape: &Shape) -> Result<(), Failed> {
    let (document, entity) = (shape.of_units(0), shape.entity());
    for size in [64, 4096, usize::MAX] {
        for limits in [Limits::default(), Limits::none()] {
            let is_bounded = limits == Limits::default();
            if !is_bounded && shape.limit().is_some() {
                continue;
            }
            let (outcome, work) = run(document.as_bytes(), entity.as_deref(), size, limits);
            if work.total() > 2 * (work.text + work.expanded) + 64 * 1024 {
                return Err(format!("chunks of {size}: {work:?}").into());
            }
            if is_bounded && outcome != shape.limit() {
                return Err(format!("by {size} found {outcome:?}, not {:?}", shape.limit()).into());
            }
        }
    }
    Ok(())
}

/// Reads a document and its entities. Returns the limit that ended the parse, and the work.
fn run(
    document: &[u8],
    entity: Option<&[u8]>,
    size: usize,
    limits: Limits,
) -> (Option<&'static str>, Stats) {
    let dialect = Xml::default().external_entities(entity.is_some());
    let mut parser = Parser::new(dialect).limits(limits).report_errors(true);
    let mut chunks = document.chunks(size);
    loop {
        match parser.next_event() {
            Ok(Some(_)) => {}
            Err(error) => return (Some(error.as_str()), parser.stats()),
            Ok(None) => match parser.status() {
                Status::NeedsEntity(_) => {
                    parser.feed_entity(entity.unwrap_or_default());
                    parser.finish_entity(None);
                }
                Status::Finished => return (None, parser.stats()),
                _ => match chunks.next() {
                    Some(chunk) => parser.feed(chunk),
                    None => parser.finish(),
                },
            },
        }
    }
}
