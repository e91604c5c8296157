//! The stack of open elements of HTML: for each element, tree construction keeps a summary of the elements below it,
//! such as the names that are in scope. The summaries are compared with those that are found by walking down the stack,
//! as the standard describes it.

use crate::generate::html::{TreeOptions, tree_input};
use crate::random::Random;
use crate::random_cases::{Drawn, Feed, RandomTest, Verdict};
use tagstream::{Html, Limits, TreeBuilder};

/// Tests random documents, with a comparison after every token.
pub const STACK: RandomTest<StackOptions> = RandomTest {
    name: "html/stack",
    quick: 300,
    full: 3_000,
    draw,
    check: check_stack,
    other: [0, 0],
    shrinks: true,
};

/// The options of a tree, and the limits.
type StackOptions = (TreeOptions, Limits);

/// Draws a document and the limit of depth. At a small one, formatting elements are often open and not listed.
fn draw(random: &mut Random) -> Drawn<StackOptions> {
    let (how, parts) = tree_input(random);
    let depth = match random.one_in(3) {
        true => usize::MAX,
        false => random.below(8),
    };
    ((how, Limits::none().depth(depth)), parts)
}

fn check_stack((how, limits): &StackOptions, feed: Feed, input: &[u8]) -> Result<Verdict, String> {
    stack(how.html(), *limits, feed, input)?;
    Ok(Verdict::Right)
}

/// Compares the summaries of all open elements with those that are computed by walking down the stack, after every token
/// of the input.
///
/// # Errors
///
/// Returns a description of the first difference.
pub fn stack(html: Html, limits: Limits, feed: Feed, input: &[u8]) -> Result<(), String> {
    let mut builder = TreeBuilder::new(html)
        .limits(limits)
        .inspect_sizes(feed.sizes);
    builder.supply(input);
    builder.supply_end();
    let mut ended = false;
    while !ended {
        let event = builder.next_event().map_err(|error| error.to_string())?;
        ended = event.is_none();
        if let Some(problem) = builder.formatting_problem() {
            return Err(format!("active formatting elements: {problem}"));
        }
        let said = builder.open_elements();
        let read = |[element, _]: &'_ [String; 2]| -> Option<[String; 3]> {
            let mut words = element.split(' ').map(str::to_owned);
            Some([words.next()?, words.next()?, words.next()?])
        };
        let open: Vec<[String; 3]> = said.iter().filter_map(read).collect();
        let open: Vec<Element<'_>> = open
            .iter()
            .map(|[space, name, mode]| Element { space, name, mode })
            .collect();
        for (place, [element, said]) in said.iter().enumerate() {
            let wanted = summary(&open[..=place]);
            if *said != wanted || !open[place].has_its_mode() {
                return Err(format!(
                    "element {place}, {element}:\n{said}\nwanted:\n{wanted}"
                ));
            }
        }
    }
    Ok(())
}

/// An open element: its namespace, its name, and the insertion mode that it determines.
struct Element<'a> {
    space: &'a str,
    name: &'a str,
    mode: &'a str,
}

const SPECIAL: &str = "address applet area article aside base basefont bgsound blockquote body br \
    button caption center col colgroup dd details dir div dl dt embed fieldset figcaption figure \
    footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe img input keygen \
    li link listing main marquee menu meta nav noembed noframes noscript object ol p param plaintext \
    pre script search section select source style summary table tbody td template textarea tfoot th \
    thead title tr track ul wbr xmp";
const SPECIAL_MATH: &str = "mi mo mn ms mtext annotation-xml";
const SPECIAL_SVG: &str = "foreignobject desc title";

/// Elements that end the default scope, that also end list item scope and button scope, and that end table scope.
const SCOPE: &str = "applet caption html table td th marquee object select template";
const LIST_SCOPE: &str = "ol ul";
const BUTTON_SCOPE: &str = "button";
const TABLE_SCOPE: &str = "html table template";

/// The names that are searched for in each scope, as the schema lists them. The last three scopes are the search for
/// list items, the search for any template, and the search for elements that disable a `selectedcontent`.
const ASKED: [&str; 7] = [
    "address applet article aside blockquote body button center dd details dialog dir div dl dt \
     fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup listing main marquee \
     menu nav nobr object ol optgroup option pre ruby search section select summary ul",
    "p",
    "li",
    "caption table tbody td tfoot th thead tr",
    "dd dt li",
    "template",
    "option selectedcontent",
];

/// Elements that may be open when the body or the input ends.
const MAY_STAY_OPEN: &str = "dd dt li optgroup option p rb rp rt rtc tbody td tfoot th thead tr body \
    html";

/// The insertion modes that "reset the insertion mode appropriately" finds for elements. The modes for `html`,
/// `template` and `noscript` depend on the parser's state, so they are not in the list.
const MODES: &[(&str, &str)] = &[
    ("head", "InHead"),
    ("body", "InBody"),
    ("frameset", "InFrameset"),
    ("table", "InTable"),
    ("caption", "InCaption"),
    ("colgroup", "InColumnGroup"),
    ("tbody tfoot thead", "InTableBody"),
    ("tr", "InRow"),
    ("td th", "InCell"),
];

fn among(name: &str, list: &str) -> bool {
    list.split_ascii_whitespace().any(|one| one == name)
}

impl Element<'_> {
    fn is_html(&self, list: &str) -> bool {
        self.space == "Html" && among(self.name, list)
    }

    fn is_foreign_special(&self) -> bool {
        self.space == "Math" && among(self.name, SPECIAL_MATH)
            || self.space == "Svg" && among(self.name, SPECIAL_SVG)
    }

    fn is_special(&self) -> bool {
        self.is_html(SPECIAL) || self.is_foreign_special()
    }

    fn ends_scope(&self) -> bool {
        self.is_html(SCOPE) || self.is_foreign_special()
    }

    /// Returns whether the element ends the search for a name in a scope.
    fn ends(&self, scope: usize) -> bool {
        match scope {
            0 => self.ends_scope(),
            1 => self.ends_scope() || self.is_html(BUTTON_SCOPE),
            2 => self.ends_scope() || self.is_html(LIST_SCOPE),
            3 => self.is_html(TABLE_SCOPE),
            4 => self.is_special() && !self.is_html("address div p"),
            5 => false,
            _ => self.is_html("template"),
        }
    }

    /// Returns whether the mode that the element determines is the one of its name.
    fn has_its_mode(&self) -> bool {
        let state = self.is_html("html template noscript");
        let found = MODES.iter().find(|(names, _)| self.is_html(names));
        let wanted = found.map_or("None".to_owned(), |(_, mode)| format!("Some({mode})"));
        state || self.mode == wanted
    }
}

/// Returns whether an element with this name is in a scope, searching from the last element down.
fn has(stack: &[Element<'_>], name: &str, scope: usize) -> bool {
    for element in stack.iter().rev() {
        if element.is_html(name) {
            return true;
        }
        if element.ends(scope) {
            return false;
        }
    }
    false
}

/// Returns the index of the nearest ancestor select of an option that would be inserted in the last element. If the
/// option would be inside another option of a select, returns the index of that option.
fn nearest_select(stack: &[Element<'_>]) -> Option<usize> {
    let mut in_optgroup = false;
    for (place, element) in stack.iter().enumerate().rev() {
        if element.is_html("datalist hr template") {
            return None;
        }
        if element.is_html("option") {
            return nearest_select(&stack[..place]).map(|_| place);
        }
        if element.is_html("optgroup") {
            if in_optgroup {
                return None;
            }
            in_optgroup = true;
        }
        if element.is_html("select") {
            return Some(place);
        }
    }
    None
}

/// Returns the summary of the last element.
fn summary(stack: &[Element<'_>]) -> String {
    let nearest = |is_it: &dyn Fn(&Element<'_>) -> bool| stack.iter().rposition(is_it);
    let mode = nearest(&|element| element.mode != "None");
    let mode = mode.map_or("", |place| stack[place].mode);
    let mut seen = String::new();
    for (scope, asked) in ASKED.iter().enumerate() {
        for name in asked.split_ascii_whitespace() {
            if has(stack, name, scope) {
                seen += &format!(" {scope}:{name}");
            }
        }
    }
    let others = [
        stack.iter().any(|element| !element.is_html(MAY_STAY_OPEN)),
        stack.iter().any(|element| element.space != "Html"),
    ];
    let places = [
        [
            nearest(&|element| element.is_special()),
            nearest(&|element| element.ends_scope()),
        ],
        [
            nearest(&|element| element.space == "Html"),
            nearest(&|element| element.is_html("table template")),
        ],
        [
            nearest(&|element| element.is_html("template")),
            nearest_select(stack),
        ],
    ];
    let mode = mode.trim_start_matches("Some(").trim_end_matches(')');
    format!("{mode}{seen} {others:?} {places:?}")
}
