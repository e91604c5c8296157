//! Text in pieces: the byte range of each piece, and the end of each run of text, in all dialects. The results are the
//! same for every cut, and if the parser is saved and restored at a cut. So are the parse errors, with their byte ranges
//! and their places among the events other than text.
//!
//! The pieces of a run are written with `+` between them. A piece in a CDATA section is written as `cdata`. Pieces that
//! are divided only because the input was cut are joined.
//!
//! `TAGSTREAM_REWRITE=1 cargo test --test documents pieces` replaces the expected results; review the difference before
//! you commit it.

use tagstream::{
    Balance, Dialect, Encoding, Event, Form, Html, LeafXml, MicroXml, Parser, Sky, TextPolicy, Xml,
    microxml::Revision,
};
use testing::cases::{self, Case};
use testing::event_text::{event, quoted};
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    let path = testing::source::root().join("tests/data/pieces.txt");
    if std::env::var_os("TAGSTREAM_REWRITE").is_some() {
        cases::rewrite(&path, |case| {
            vec![("events", found(case).unwrap_or_default())]
        });
    }
    let text = std::fs::read_to_string(path).expect("the cases");
    let cases = cases::cases("tests/data/pieces.txt", &text);
    cases::add(
        program,
        cases,
        |case| match case.section.split(',').next() {
            Some("HTML") => "html/pieces",
            Some("MicroXML") => "microxml/pieces",
            Some("LeafXML") => "leafxml/pieces",
            Some("Sky") => "sky/pieces",
            _ => "xml/pieces",
        },
        |case| case.expect("events", &found(case)?),
    );
}

fn found(case: &Case) -> Result<String, String> {
    match case.option("dialect") {
        Some("html") => in_form(&Html::default().encoding(Encoding::UTF_8), case),
        Some("microxml") => in_form(&MicroXml::default(), case),
        Some("microxml-final") => in_form(&MicroXml::default().revision(Revision::Final), case),
        Some("leafxml") => in_form(&LeafXml::default(), case),
        Some("sky") => in_form(&Sky::fragment(), case),
        Some("xml-strict") => in_form(&Xml::strict(), case),
        _ => in_form(&Xml::default(), case),
    }
}

fn in_form<D: Balance>(dialect: &D, case: &Case) -> Result<String, String> {
    let parser = || Parser::new(dialect.clone()).text(TextPolicy::Pieces);
    match case.has("balanced") {
        true => at_every_cut(dialect, &|| parser().balanced(), case),
        false => at_every_cut(dialect, &parser, case),
    }
}

/// Returns the events of a case, after comparing those of every cut.
fn at_every_cut<D: Dialect, F: Form>(
    dialect: &D,
    parser: &dyn Fn() -> Parser<D, F>,
    case: &Case,
) -> Result<String, String> {
    let input = Input::new(case)?;
    let whole = Events::of(parser(), &input, &[]);
    let reporting = || parser().report_errors(true);
    let errors = Events::errors_of(reporting(), &input, &[]);
    let same = |how: &str, events: String| match events == whole {
        true => Ok(()),
        false => Err(format!("whole: {whole}\n{how}: {events}")),
    };
    let every: Vec<usize> = (1..input.bytes.len()).collect();
    same("byte by byte", Events::of(parser(), &input, &every))?;
    for at in 0..=input.bytes.len() {
        let cut = Events::of(parser(), &input, &[at]);
        same(&format!("cut at {at}"), cut)?;
        let reported = Events::of(reporting(), &input, &[at]);
        same(&format!("with errors, cut at {at}"), reported)?;
        for cuts in [&[at][..], &every] {
            let found = Events::errors_of(reporting(), &input, cuts);
            if found != errors {
                return Err(format!("whole: {errors}\ncut at {cuts:?}: {found}"));
            }
        }
        let mut before = parser();
        let mut events = Events::new(&input);
        before.feed(&input.bytes[..at]);
        events.pull(&mut before);
        let restored = Parser::restore(dialect.clone(), &before.checkpoint());
        let mut after: Parser<D, F> = restored.map_err(|error| error.to_string())?;
        after.feed(&input.bytes[at..]);
        same(&format!("restored at {at}"), events.end(after))?;
    }
    Ok(whole)
}

/// The input of a case, in its encoding.
struct Input {
    bytes: Vec<u8>,
    declares_entities: bool,
}

impl Input {
    fn new(case: &Case) -> Result<Input, String> {
        let text = String::from_utf8(case.input()).map_err(|error| error.to_string())?;
        let units = text.encode_utf16().flat_map(u16::to_le_bytes);
        Ok(Input {
            declares_entities: text.contains("<!ENTITY"),
            bytes: match case.has("utf-16") {
                true => units.collect(),
                false => text.clone().into_bytes(),
            },
        })
    }

    /// Returns true if the input between two offsets is a reference to an entity that a document declares.
    fn is_reference(&self, start: u64, end: u64) -> bool {
        let source = &self.bytes[start as usize..end as usize];
        let ascii: Vec<u8> = source.iter().copied().filter(|byte| *byte != 0).collect();
        let known: [&[u8]; 5] = [b"&amp;", b"&lt;", b"&gt;", b"&quot;", b"&apos;"];
        self.declares_entities
            && ascii.starts_with(b"&")
            && ascii.get(1).is_some_and(u8::is_ascii_alphabetic)
            && ascii.iter().position(|byte| *byte == b';') == Some(ascii.len() - 1)
            && !known.contains(&&*ascii)
    }
}

/// A piece of text.
struct Piece {
    is_cdata: bool,
    text: String,
    start: u64,
    end: u64,
}

/// The events so far in text form.
struct Events<'i> {
    input: &'i Input,
    events: Vec<String>,
    /// The parse errors, and the events other than text.
    errors: Vec<String>,
    run: Vec<Piece>,
}

impl<'i> Events<'i> {
    fn new(input: &'i Input) -> Events<'i> {
        Events {
            input,
            events: Vec::new(),
            errors: Vec::new(),
            run: Vec::new(),
        }
    }

    /// Returns the events of an input that is cut at the given offsets.
    fn of<D: Dialect, F: Form>(parser: Parser<D, F>, input: &'i Input, cuts: &[usize]) -> String {
        let (events, parser) = Events::before_end(parser, input, cuts);
        events.end(parser)
    }

    /// Returns the parse errors, and the events other than text, of an input that is cut at the given offsets.
    fn errors_of<D: Dialect, F: Form>(
        parser: Parser<D, F>,
        input: &'i Input,
        cuts: &[usize],
    ) -> String {
        let (mut events, mut parser) = Events::before_end(parser, input, cuts);
        parser.finish();
        events.pull(&mut parser);
        events.errors.join(", ")
    }

    /// Feeds an input that is cut at the given offsets. Returns the events so far, and the parser.
    fn before_end<D: Dialect, F: Form>(
        mut parser: Parser<D, F>,
        input: &'i Input,
        cuts: &[usize],
    ) -> (Events<'i>, Parser<D, F>) {
        let mut events = Events::new(input);
        let mut from = 0;
        for &to in cuts {
            parser.feed(&input.bytes[from..to]);
            events.pull(&mut parser);
            from = to;
        }
        parser.feed(&input.bytes[from..]);
        events.pull(&mut parser);
        (events, parser)
    }

    fn pull<D: Dialect, F: Form>(&mut self, parser: &mut Parser<D, F>) {
        while let Ok(next) = parser.next_event() {
            let has_next = next.is_some();
            match next {
                Some(Event::Text(text)) => {
                    let span = text.span();
                    if text.is_first_piece() {
                        self.end_run();
                    }
                    self.push(Piece {
                        is_cdata: text.is_cdata(),
                        text: text.as_str().to_owned(),
                        start: span.start,
                        end: span.end,
                    });
                }
                Some(Event::ParseError(error)) => {
                    let (code, span) = (error.code().as_str(), error.span());
                    self.errors.push(format!("error {code} {span}"));
                }
                None => {}
                Some(other) => {
                    self.end_run();
                    let shown = event(&other).replace("{html}", "");
                    let shown = format!("{shown} {}", other.span());
                    self.errors.push(shown.clone());
                    self.events.push(shown);
                }
            }
            if !parser.is_in_text() {
                self.end_run();
            }
            if !has_next {
                return;
            }
        }
        assert!(!parser.is_in_text(), "a text after an error");
        self.end_run();
    }

    /// Adds a piece, or joins it to the one before it if only a cut has divided the two.
    fn push(&mut self, piece: Piece) {
        let input = self.input;
        let is_reference = |piece: &Piece| input.is_reference(piece.start, piece.end);
        match self.run.last_mut() {
            Some(last)
                if last.end == piece.start
                    && last.is_cdata == piece.is_cdata
                    && !is_reference(last)
                    && !is_reference(&piece) =>
            {
                last.text += &piece.text;
                last.end = piece.end;
            }
            _ => self.run.push(piece),
        }
    }

    fn end_run(&mut self) {
        let shown = self.run.drain(..).map(|piece| {
            let kind = if piece.is_cdata { "cdata" } else { "text" };
            let text = quoted(&piece.text);
            format!("{kind} {text} {}..{}", piece.start, piece.end)
        });
        let shown: Vec<String> = shown.collect();
        if !shown.is_empty() {
            self.events.push(shown.join(" + "));
        }
    }

    /// Ends the input. Returns all events and the error, if there is one.
    fn end<D: Dialect, F: Form>(mut self, mut parser: Parser<D, F>) -> String {
        self.pull(&mut parser);
        parser.finish();
        self.pull(&mut parser);
        assert!(!parser.is_in_text(), "a text after the end");
        if let Err(error) = parser.next_event() {
            let (code, span) = (error.as_str(), error.span());
            self.events.push(format!("fatal {code} {span}"));
        }
        self.events.join(", ")
    }
}
