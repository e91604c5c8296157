//! Loops over events: the current event, the next event, the content of an element, and owned tags.

use tagstream::{
    Balance, ElementReader, ElementText, Error, ErrorKind, Event, Events, Html, Leaf, LeafXml,
    MicroXml, Nested, OwnedTag, Parser, Skip, Sky, StartTag, Text, TextPolicy, Xml,
};
use testing::cases;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    cases!(
        program,
        "core/loop",
        peeking_changes_nothing,
        what_is_in_hand_survives_a_look_at_the_next,
        an_error_that_was_looked_at_stays,
        values_take_an_element_however_it_is_cut,
        elements_end_where_something_else_ends_them,
        nothing_is_in_an_element_that_is_none,
        tags_are_kept_and_their_memory_used_again,
        attributes_that_were_dropped,
        attributes_by_namespace,
        depths_are_those_of_a_count,
        skipped_events_are_those_of_a_count,
        a_count_above_that_of_open_elements_skips_all,
        leaves_are_their_events,
    );
}

const DOCUMENT: &str = "<feed xmlns='urn:f'><t>a&amp;<b>b</b><!--c--></t><?p q?><skip><t>x</t></skip><u v='w'/>\
    <t>c</feed>";

fn shown(event: Option<Event<'_>>) -> String {
    format!("{event:?}")
}

/// Returns all events of a document that is fed in chunks of `size` bytes. If `peek` is true, peeks at each event
/// before it is read.
fn looked_at(parser: &mut Parser<impl Balance, Nested>, size: usize, peek: bool) -> Vec<String> {
    let (mut seen, mut current) = (Vec::new(), "None".to_owned());
    let mut take = |parser: &mut Parser<_, Nested>| {
        loop {
            let next = peek.then(|| shown(parser.peek().unwrap()));
            let again = peek.then(|| shown(parser.peek().unwrap()));
            assert_eq!(next, again);
            assert_eq!(current, shown(parser.current()));
            let event = shown(parser.next_event().unwrap());
            assert!(next.is_none_or(|next| next == event), "{event}");
            assert_eq!(event, shown(parser.current()));
            current = event.clone();
            if event == "None" {
                return;
            }
            seen.push(event);
        }
    };
    for chunk in DOCUMENT.as_bytes().chunks(size) {
        parser.feed(chunk);
        take(parser);
    }
    parser.finish();
    take(parser);
    seen
}

fn peeking_changes_nothing() {
    fn check<D: Balance>(dialect: D) {
        let plain = looked_at(
            &mut Parser::new(dialect.clone()).balanced(),
            usize::MAX,
            false,
        );
        assert!(plain.len() > 10, "{plain:?}");
        for size in 1..DOCUMENT.len() {
            let peeked = looked_at(&mut Parser::new(dialect.clone()).balanced(), size, true);
            assert_eq!(peeked, plain, "{size}");
        }
    }
    check(Xml::default());
    check(MicroXml::default());
    check(Sky::fragment());
    check(Html::default());
}

/// Peeking does not change the current event, even if the next event is in another batch of the tokenizer.
fn what_is_in_hand_survives_a_look_at_the_next() {
    for before in 0..300 {
        let document = format!("<a>{}<t>text</t></a>", "<b/>".repeat(before));
        let mut events = Events::chunks(Xml::default(), document.as_bytes().chunks(64));
        loop {
            match events.next_event().unwrap() {
                Some(Event::Start(tag)) if tag.name() == "t" => break,
                Some(_) => {}
                None => panic!("no element"),
            }
        }
        assert_eq!(shown(events.peek().unwrap()), "Some(Text(\"text\"))");
        assert_eq!(shown(events.current()), "Some(Start(<t>))");
        match before % 3 {
            0 => assert_eq!(events.read_text().unwrap(), "text"),
            1 => events.skip_element().unwrap(),
            _ => assert_eq!(events.subtree().unwrap().to_xml().unwrap(), "<t>text</t>"),
        }
        assert_eq!(shown(events.next_event().unwrap()), "Some(End(</a>))");
    }
}

fn an_error_that_was_looked_at_stays() {
    let mut events = Events::chunks(Xml::strict(), ["<a>", "</b>"]);
    events.next_event().unwrap();
    let error = events.peek().unwrap_err();
    assert_eq!(shown(events.current()), "Some(Start(<a>))");
    assert_eq!(events.peek().unwrap_err(), error);
    assert_eq!(events.next_event().unwrap_err(), error);
}

fn values_take_an_element_however_it_is_cut() {
    for size in 1..DOCUMENT.len() {
        let mut parser = Parser::new(Xml::default()).balanced();
        let (mut texts, mut names) = (Vec::new(), Vec::new());
        let (mut text, mut skip) = (None::<ElementText>, None::<Skip>);
        for chunk in DOCUMENT.as_bytes().chunks(size).map(Some).chain([None]) {
            match chunk {
                Some(chunk) => parser.feed(chunk),
                None => parser.finish(),
            }
            while let Some(event) = parser.next_event().unwrap() {
                if let Some(open) = &mut skip {
                    if open.take(&event) {
                        skip = None;
                    }
                } else if let Some(open) = &mut text {
                    if open.take(&event) {
                        texts.extend(text.take().map(ElementText::into_text));
                    }
                } else if let Event::Start(tag) = event {
                    names.push(tag.name().to_owned());
                    match tag.name() {
                        "t" => text = parser.element_text(),
                        "skip" => skip = parser.skip_element(),
                        _ => {}
                    }
                }
            }
        }
        assert_eq!(texts, ["a&b", "c"], "{size}");
        assert_eq!(names, ["feed", "t", "skip", "u", "t"], "{size}");
    }
}

/// An element whose end tag is missing does not contain the content that follows it.
fn elements_end_where_something_else_ends_them() {
    fn texts(mut events: impl FnMut() -> Result<Option<String>, Error>) -> Vec<String> {
        std::iter::from_fn(|| events().unwrap()).collect()
    }
    let dump = "<dump><page><title>A</page><page><title>B</title></page></dump>";
    let mut events = Events::of(Xml::default(), dump);
    let pages = texts(|| {
        while let Some(event) = events.next_event()? {
            match event {
                Event::Start(tag) if tag.name() == "page" => return events.read_text().map(Some),
                _ => {}
            }
        }
        Ok(None)
    });
    assert_eq!(pages, ["A", "B"]);
    let list = "<ul><li>A<li><b>B</ul><p>C<br>D";
    let mut events = Events::of(Html::default(), list).balanced();
    let items = texts(|| {
        while let Some(event) = events.next_event()? {
            match event {
                Event::Start(tag) if matches!(tag.name(), "li" | "p" | "br") => {
                    return events.read_text().map(Some);
                }
                _ => {}
            }
        }
        Ok(None)
    });
    assert_eq!(items, ["A", "B", "CD"]);
}

fn nothing_is_in_an_element_that_is_none() {
    let mut parser = Parser::new(Xml::default()).balanced();
    parser.feed("<a>text</a>");
    assert!(parser.element_text().is_none() && parser.skip_element().is_none());
    parser.next_event().unwrap();
    assert!(parser.element_text().is_some() && parser.skip_element().is_some());
    parser.next_event().unwrap();
    assert!(parser.element_text().is_none() && parser.skip_element().is_none());
    let mut events = Events::of(Xml::default(), "<a>text</a>");
    let is_none = |error: Error| matches!(error.kind(), ErrorKind::NoElement);
    assert!(is_none(events.skip_element().unwrap_err()));
    assert_eq!(shown(events.next_event().unwrap()), "Some(Start(<a>))");
    events.next_event().unwrap();
    assert!(is_none(events.read_text().unwrap_err()));
    assert_eq!(shown(events.next_event().unwrap()), "Some(End(</a>))");
}

fn tags_are_kept_and_their_memory_used_again() {
    let mut parser = Parser::new(Xml::default());
    parser.feed("<p:a xmlns:p='urn:p' p:b='1' c='2'><d e='&amp;'/></p:a>");
    let mut tags: Vec<OwnedTag> = Vec::new();
    let mut last: Option<OwnedTag> = None;
    while let Some(event) = parser.next_event().unwrap() {
        let Event::Start(tag) = event else { continue };
        tags.push(tag.to_owned());
        match &mut last {
            Some(last) => tag.clone_into(last),
            None => last = Some(tag.into()),
        }
    }
    let [a, d] = &tags[..] else {
        panic!("{tags:?}");
    };
    assert_eq!(
        (a.name(), a.local_name(), a.prefix()),
        ("p:a", "a", Some("p"))
    );
    assert_eq!(
        (a.namespace(), a.attribute("c")),
        (Some("urn:p"), Some("2"))
    );
    assert_eq!(a.attribute_ns("urn:p", "b"), Some("1"));
    assert_eq!(
        (a.span().start, a.name_span().end, a.position().column()),
        (0, 4, 1)
    );
    assert_eq!(
        (a.raw(), a.is_self_closing()),
        ("<p:a xmlns:p='urn:p' p:b='1' c='2'>", false)
    );
    assert_eq!((d.attribute("e"), d.is_self_closing()), (Some("&"), true));
    assert_eq!(
        d.into_iter().map(|one| one.name()).collect::<Vec<_>>(),
        ["e"]
    );
    assert_eq!(last.as_ref(), Some(d));
    assert_eq!(a.as_tag(), a.clone().as_tag());
    assert_ne!(a, d);
}

fn attributes_that_were_dropped() {
    fn found<D: Balance>(dialect: D, input: &str) -> Vec<bool> {
        let mut parser = Parser::new(dialect).balanced().parser_of(input);
        let mut found = Vec::new();
        while let Some(event) = parser.next_event().unwrap() {
            if let Event::Start(tag) = event
                && !tag.is_implied()
            {
                let owned = tag.to_owned();
                assert_eq!(owned.has_duplicates(), tag.has_duplicates());
                found.push(tag.has_duplicates());
            }
        }
        found
    }
    trait Fed {
        fn parser_of(self, input: &str) -> Self;
    }
    impl<D: Balance> Fed for Parser<D, Nested> {
        fn parser_of(mut self, input: &str) -> Self {
            self.feed(input);
            self.finish();
            self
        }
    }
    let tags = "<a b='1' b='2'><a b='1' c='2'><a b='1' c='2' b='3' d='4'><a></a></a></a></a>";
    let right = [true, false, true, false];
    assert_eq!(found(Xml::default(), tags), right);
    assert_eq!(found(MicroXml::default(), tags), right);
    assert_eq!(found(Sky::fragment(), tags), right);
    assert_eq!(found(Html::default(), &tags.replace('a', "p")), right);
    assert_eq!(found(Html::default(), "<p x=1 X=2>"), [true]);
    assert_eq!(found(Sky::fragment(), "<a b\0='1' b\u{FFFD}='2'>"), [true]);
    let names = "<a xmlns:p='u' xmlns:q='u'><b p:c='1' q:c='2' d='3'/><b p:c='1' q:d='2'/></a>";
    assert_eq!(found(Xml::default(), names), [false, true, false]);
    assert_eq!(found(LeafXml::default(), "<a b='1' c='2'></a>"), [false]);
    // To find duplicates among many attributes, the parser uses another algorithm.
    let many: String = (0..40).map(|number| format!(" a{number}='x'")).collect();
    assert_eq!(found(Xml::default(), &format!("<a{many} a7=''/>")), [true]);
}

fn attributes_by_namespace() {
    let mut parser = Parser::new(Xml::default());
    parser.feed("<a xmlns:x='u' xmlns:y='v' x:b='1' y:b='2' b='3'/>");
    let Some(Event::Start(tag)) = parser.next_event().unwrap() else {
        panic!("no start tag");
    };
    let of = |namespace| tag.attribute_ns(namespace, "b");
    assert_eq!((of("u"), of("v"), of("w")), (Some("1"), Some("2"), None));
}

/// Depths are correct for every cut, with and without peeking, over many batches.
fn depths_are_those_of_a_count() {
    fn check<D: Balance>(dialect: D) {
        let document = format!(
            "<a>{}<t>x<u/></t></a>",
            "<b>c<d><!--e--></d></b>".repeat(100)
        );
        for size in [1, 7, 64, usize::MAX] {
            for peek in [false, true] {
                let mut parser = Parser::new(dialect.clone()).balanced();
                let (mut open, mut most) = (0, 0);
                for chunk in document.as_bytes().chunks(size).map(Some).chain([None]) {
                    match chunk {
                        Some(chunk) => parser.feed(chunk),
                        None => parser.finish(),
                    }
                    while let Some(event) = parser.next_event().unwrap() {
                        let end = usize::from(matches!(event, Event::End(_)));
                        if let Event::Start(tag) = event {
                            open += 1;
                            assert_eq!(tag.depth(), Some(open));
                            assert_eq!(tag.to_owned().as_tag().depth(), None);
                        }
                        assert_eq!(parser.depth(), open);
                        if peek {
                            parser.peek().unwrap();
                            assert_eq!(parser.depth(), open);
                        }
                        open -= end;
                        most = most.max(open);
                    }
                    assert_eq!(parser.depth(), open);
                }
                assert!(open == 0 && most > 2, "{open} {most}");
                parser.reset();
                assert_eq!(parser.depth(), 0);
            }
        }
    }
    check(Xml::default());
    check(MicroXml::default());
    check(Sky::fragment());
    check(LeafXml::default());
    check(Html::default());
}

/// `next_event_except` returns the events that `next_event` and a count of skipped elements leave.
fn skipped_events_are_those_of_a_count() {
    fn is_skipped(event: &Event<'_>, names: &[&str]) -> bool {
        match event {
            Event::Start(tag) => names.contains(&tag.name()),
            Event::Text(_) => names.contains(&"text"),
            _ => panic!("no tag and no text: {event:?}"),
        }
    }
    /// Returns the next event that is left, and the depth at it.
    fn next_left<D: Balance>(
        parser: &mut Parser<D, Nested>,
        skip: &mut Skip,
        names: &[&str],
    ) -> Option<(String, usize)> {
        loop {
            let event = parser.next_event().unwrap()?;
            let is_left = !matches!(event, Event::Start(_) | Event::End(_) | Event::Text(_));
            let is_start = matches!(event, Event::Start(_));
            if !skip.is_whole() {
                skip.take(&event);
            } else if !is_left && !matches!(event, Event::End(_)) && is_skipped(&event, names) {
                if is_start {
                    *skip = parser.skip_element().unwrap();
                }
                continue;
            } else {
                let event = shown(Some(event));
                return Some((event, parser.depth()));
            }
            if is_left {
                let event = shown(parser.current());
                return Some((event, parser.depth()));
            }
        }
    }
    fn check<D: Balance>(dialect: D) {
        let part = "x<b>c<d y='z'>&amp;<!--e--><b/></d>&u; <t>f</t></b>\n<t/><k>g<d></k>";
        let document = format!("<a>{}</a>", part.repeat(60));
        for names in [
            &["b"][..],
            &["d", "text"],
            &["t", "k"],
            &["a"],
            &["text"],
            &[],
        ] {
            for size in [1, 7, 64, 1000, usize::MAX] {
                let new = || Parser::new(dialect.clone()).balanced().report_errors(true);
                let (mut one, mut two) = (new(), new());
                let (mut skip, mut count) = (Skip::default(), Skip::default());
                for chunk in document.as_bytes().chunks(size).map(Some).chain([None]) {
                    for parser in [&mut one, &mut two] {
                        match chunk {
                            Some(chunk) => parser.feed(chunk),
                            None => parser.finish(),
                        }
                    }
                    loop {
                        let next =
                            one.next_event_except(&mut skip, |event| is_skipped(event, names));
                        let next = next.unwrap().map(|event| shown(Some(event)));
                        assert_eq!(
                            next.clone().unwrap_or("None".to_owned()),
                            shown(one.current())
                        );
                        let next = next.map(|event| (event, one.depth()));
                        assert_eq!(next, next_left(&mut two, &mut count, names));
                        assert_eq!(skip.open_elements(), count.open_elements());
                        if next.is_none() {
                            break;
                        }
                    }
                }
                assert!(skip.is_whole());
            }
        }
    }
    check(Xml::default());
    check(MicroXml::default());
    check(Sky::fragment());
    check(Html::default());
}

/// A counter that starts with more elements than are open skips the rest of the document, however large the number is.
fn a_count_above_that_of_open_elements_skips_all() {
    fn check<D: Balance>(dialect: D) {
        let document = "<a><b>c<!--d--><e/></b>f<b><g/>h</b></a>";
        for count in [3, 1000, u64::MAX / 2, u64::MAX - 1, u64::MAX] {
            for (size, takes) in [(1, true), (1, false), (1000, true), (1000, false)] {
                let mut parser = Parser::new(dialect.clone()).balanced();
                let mut skip = Skip::of_open(count);
                for chunk in document.as_bytes().chunks(size).map(Some).chain([None]) {
                    match chunk {
                        Some(chunk) => parser.feed(chunk),
                        None => parser.finish(),
                    }
                    loop {
                        let next = match takes {
                            true => parser.next_event(),
                            false => parser.next_event_except(&mut skip, |_| false),
                        };
                        let Some(event) = next.unwrap() else { break };
                        if takes {
                            assert!(!skip.take(&event));
                        } else {
                            assert!(matches!(event, Event::Comment(_)), "{count}: {event:?}");
                        }
                    }
                }
                let at_start = Skip::of_open(count).open_elements();
                assert_eq!(skip.open_elements(), at_start, "{count}");
            }
        }
    }
    check(Xml::default());
    check(MicroXml::default());
    check(Sky::fragment());
    check(LeafXml::default());
    check(Html::default());
}

/// Collects the events of leaves, and of the texts between elements. The elements with the name `b` are left as events.
#[derive(Default)]
struct Leaves {
    seen: Vec<String>,
    count: usize,
    /// The end of the last event, if that was a text.
    text_end: Option<u64>,
}

impl ElementReader for Leaves {
    fn read_leaf(&mut self, leaf: Leaf<'_>) -> bool {
        let (tag, text) = (leaf.tag(), leaf.text());
        assert_eq!((leaf.name(), leaf.as_str()), (tag.name(), text.as_str()));
        assert_eq!(leaf.name_bytes(), tag.name().as_bytes());
        assert_eq!(leaf.as_bytes(), text.as_str().as_bytes());
        assert!(!text.is_piece() && text.is_first_piece() && !text.as_str().is_empty());
        if tag.name() == "b" {
            return false;
        }
        self.count += 1;
        self.text_end = None;
        self.seen.push(shown(Some(Event::Start(tag))));
        self.seen.push(shown(Some(Event::Text(text))));
        self.seen
            .push(format!("end of {:?} at {}", leaf.name(), text.span().end));
        true
    }

    fn skip_element(&mut self, _: StartTag<'_>) -> bool {
        false
    }

    fn skip_text(&mut self, text: Text<'_>) -> bool {
        self.text_end = Some(text.span().end);
        self.seen.push(shown(Some(Event::Text(text))));
        true
    }
}

/// The elements that `next_event_after` passes and the events that it returns are those of `next_event`.
fn leaves_are_their_events() {
    /// Returns the events of a document in chunks of `size` bytes, and the number of leaves.
    fn read<D: Balance>(
        document: &str,
        mut parser: Parser<D, Nested>,
        size: usize,
        has_leaves: bool,
    ) -> (Vec<String>, usize) {
        let (mut leaves, mut skip) = (Leaves::default(), Skip::default());
        for chunk in document.as_bytes().chunks(size).map(Some).chain([None]) {
            match chunk {
                Some(chunk) => parser.feed(chunk),
                None => parser.finish(),
            }
            loop {
                let next = match has_leaves {
                    true => parser.next_event_after(&mut skip, &mut leaves),
                    false => parser.next_event(),
                };
                let Some(event) = next.unwrap() else { break };
                let text_end = leaves.text_end.take();
                leaves.seen.push(match (event, text_end) {
                    // The end of a leaf is known by the end of its text.
                    (Event::End(tag), Some(end)) if tag.name() != "b" => {
                        format!("end of {:?} at {end}", tag.name())
                    }
                    (event, _) => shown(Some(event)),
                });
                if let Event::Text(text) = event {
                    leaves.text_end = Some(text.span().end);
                }
            }
        }
        (leaves.seen, leaves.count)
    }
    fn check<D: Balance>(dialect: D, document: &str) {
        for policy in [TextPolicy::Whole, TextPolicy::Pieces] {
            for size in [1, 2, 7, 64, 1000, usize::MAX] {
                let parser = || {
                    let parser = Parser::new(dialect.clone()).balanced().report_errors(true);
                    parser.text(policy)
                };
                let (events, _) = read(document, parser(), size, false);
                let (passed, count) = read(document, parser(), size, true);
                assert_eq!(passed, events, "{policy:?} {size}");
                assert!(count > 0 || size < 100, "{policy:?} {size}");
            }
        }
    }
    let part = "<c d='e'>f</c><b>g</b> <h>&amp;i</h>j<k><l>m</l></k><n><!--o-->p</n><q>r<!--s-->t</q>\n<u/>\
        <v>é</v><é>w\r\n</é><x></x><y>z</b>";
    let document = format!("<a>{}</a>", part.repeat(60));
    check(Xml::default(), &document);
    check(MicroXml::default(), &document);
    check(Html::default(), &document);
    check(
        Html::default(),
        &"<table><b>x</b>y<i>z</i><td>t</table>".repeat(50),
    );
}
