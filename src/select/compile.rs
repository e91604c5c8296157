//! Compilation of parsed selectors into a [`Program`].

use super::css::{Css, ParsedPseudoClass, Word};
use super::direction::Direction;
use super::program::{
    AttributeNamespace, AttributeTest, Case, Combinator, CountedSiblings, Group, HtmlPseudoClass,
    MAX_GROUP_STEPS, Name, NthIndex, OfSelector, Program, Relative, Step, Survey, SurveyResult,
    Test, ValueTest,
};
use crate::engine::error::{SelectorError, SelectorErrorKind};
use alloc::boxed::Box;
use alloc::vec::Vec;
use selectors::attr::{
    AttrSelectorOperator, AttrSelectorWithOptionalNamespace, NamespaceConstraint,
    ParsedAttrSelectorOperation, ParsedCaseSensitivity,
};
use selectors::parser::{
    Combinator as ParsedCombinator, Component, NthOfSelectorData, NthSelectorData, NthType,
    RelativeSelector, Selector,
};

/// Compiles a parsed list of selectors.
pub(super) fn compile(selectors: &[Selector<Css>]) -> Result<Program, SelectorError> {
    let mut program = Program::default();
    for selector in selectors {
        let group = match program.groups.last() {
            Some(group) if has_room(group, selector) => program.groups.pop(),
            _ => None,
        };
        let mut group = group.unwrap_or_default();
        group.accept |= append_selector(&mut group, &mut program.surveys, selector)?;
        program.groups.push(group);
    }
    Ok(program)
}

/// Returns true if the steps of a selector fit in a group, in addition to those that the group has.
pub(super) fn has_room(group: &Group, selector: &Selector<Css>) -> bool {
    group.steps.len() + count_steps(selector) <= MAX_GROUP_STEPS
}

/// Returns the number of steps that a selector needs in its group, including the steps of nested selectors such as
/// `:is(…)`.
fn count_steps(selector: &Selector<Css>) -> usize {
    let nested = |component: &Component<Css>| match component {
        Component::Combinator(_) => 1,
        Component::Is(list) | Component::Where(list) | Component::Negation(list) => {
            list.slice().iter().map(count_steps).sum()
        }
        Component::NthOf(data) if !data.nth_data().ty.is_from_end() => {
            data.selectors().iter().map(count_steps).sum()
        }
        _ => 0,
    };
    let components = selector.iter_raw_match_order();
    1 + components.map(nested).sum::<usize>()
}

/// Appends the steps of a selector to a group. Returns the set that contains only its last step, as a bit.
pub(super) fn append_selector(
    group: &mut Group,
    surveys: &mut Vec<Survey>,
    selector: &Selector<Css>,
) -> Result<u64, SelectorError> {
    let compounds = compile_compounds(group, surveys, selector)?;
    let mut last = 0;
    for (combinator, tests) in compounds {
        last = append_step(group, combinator, tests)?;
    }
    Ok(last)
}

/// Appends the steps of several selectors to a group. Returns the set of their last steps.
fn append_selectors(
    group: &mut Group,
    surveys: &mut Vec<Survey>,
    selectors: &[Selector<Css>],
) -> Result<u64, SelectorError> {
    let mut last = 0;
    // CSS ignores invalid selectors in `:is(…)` and `:where(…)`.
    let is_invalid = |one: &Component<Css>| matches!(one, Component::Invalid(_));
    let is_valid = |selector: &&Selector<Css>| !selector.iter_raw_match_order().any(is_invalid);
    for selector in selectors.iter().filter(is_valid) {
        last |= append_selector(group, surveys, selector)?;
    }
    Ok(last)
}

/// Appends a step with the given tests to a group, and stores the combinator before the step and the types of siblings
/// that its tests count. Returns the set that contains only the step. Returns an error if the group is full.
fn append_step(
    group: &mut Group,
    combinator: Option<Combinator>,
    tests: Vec<Test>,
) -> Result<u64, SelectorError> {
    let number = group.steps.len();
    if number == MAX_GROUP_STEPS {
        return Err(SelectorError::new(SelectorErrorKind::TooLarge, 0, ""));
    }
    let bit = 1_u64 << number;
    match combinator {
        None => group.first |= bit,
        Some(Combinator::Descendant) => group.descendant |= bit,
        Some(Combinator::Child) => group.child |= bit,
        Some(Combinator::Next) => group.next |= bit,
        Some(Combinator::Later) => group.later |= bit,
    }
    group.depends_on_siblings |= group.next | group.later != 0;
    if tests.iter().any(counts_type) {
        let names = tests.iter().filter_map(|test| match test {
            Test::Name(name) => Some(name.clone()),
            _ => None,
        });
        let before = group.types.len();
        group.types.extend(names);
        group.counts_all_types |= group.types.len() == before;
    }
    let tests = tests.into();
    group.steps.push(Step { tests });
    Ok(bit)
}

/// Returns true for tests that need the number of siblings of each type, such as `:nth-of-type`.
fn counts_type(test: &Test) -> bool {
    match test {
        Test::NthIndex(index) => matches!(index.of, CountedSiblings::Type),
        Test::Only { of_type } => *of_type,
        _ => false,
    }
}

/// The tests of a compound selector, and the combinator before it (`None` for the first one).
type Compound = (Option<Combinator>, Vec<Test>);

/// Returns the compound selectors of a selector from left to right. The steps of selectors nested in them are appended
/// to the group.
fn compile_compounds(
    group: &mut Group,
    surveys: &mut Vec<Survey>,
    selector: &Selector<Css>,
) -> Result<Vec<Compound>, SelectorError> {
    let mut compounds = Vec::new();
    let (mut combinator, mut tests) = (None, Vec::new());
    for component in selector.iter_raw_parse_order_from(0) {
        match component {
            Component::Combinator(read) => {
                compounds.push((combinator, core::mem::take(&mut tests)));
                combinator = Some(match read {
                    ParsedCombinator::Child => Combinator::Child,
                    ParsedCombinator::NextSibling => Combinator::Next,
                    ParsedCombinator::LaterSibling => Combinator::Later,
                    _ => Combinator::Descendant,
                });
            }
            _ => tests.extend(compile_test(group, surveys, component)?),
        }
    }
    compounds.push((combinator, tests));
    // Put cheap tests that are seldom true first. The code of a stable sort would be several times as large.
    for (_, tests) in &mut compounds {
        let (names, others): (Vec<_>, Vec<_>) = core::mem::take(tests)
            .into_iter()
            .partition(|test| matches!(test, Test::Name(_)));
        let (words, others): (Vec<_>, Vec<_>) = others
            .into_iter()
            .partition(|test| matches!(test, Test::Id(_) | Test::Class(_) | Test::Attribute(_)));
        tests.extend(names.into_iter().chain(words).chain(others));
    }
    Ok(compounds)
}

/// Compiles one simple selector, such as `.a`, to a test. Returns `None` if the selector matches every element.
fn compile_test(
    group: &mut Group,
    surveys: &mut Vec<Survey>,
    component: &Component<Css>,
) -> Result<Option<Test>, SelectorError> {
    Ok(Some(match component {
        Component::LocalName(name) => Test::Name(Name::new(&name.name.0, &name.lower_name.0)),
        Component::ID(id) => Test::Id(boxed(id)),
        Component::Class(class) => Test::Class(boxed(class)),
        Component::AttributeInNoNamespaceExists {
            local_name,
            local_name_lower,
        } => attribute_test(
            AttributeNamespace::None,
            Name::new(&local_name.0, &local_name_lower.0),
            None,
        ),
        Component::AttributeInNoNamespace {
            local_name,
            operator,
            value,
            case_sensitivity,
        } => attribute_test(
            AttributeNamespace::None,
            Name::new(&local_name.0, &local_name.0),
            Some((*operator, *case_sensitivity, value)),
        ),
        Component::AttributeOther(other) => compile_attribute(other),
        Component::ExplicitUniversalType | Component::ExplicitAnyNamespace => return Ok(None),
        Component::ExplicitNoNamespace => Test::Namespace(None),
        Component::DefaultNamespace(name) | Component::Namespace(_, name) => {
            Test::Namespace((!name.0.is_empty()).then(|| boxed(name)))
        }
        Component::Negation(list) => Test::NoneOf(append_selectors(group, surveys, list.slice())?),
        Component::Is(list) | Component::Where(list) => {
            Test::AnyOf(append_selectors(group, surveys, list.slice())?)
        }
        Component::Root => Test::Root,
        Component::Scope | Component::ImplicitScope => Test::Scope,
        Component::Empty => Test::Empty,
        Component::Nth(data) => compile_nth(group, *data),
        Component::NthOf(data) => compile_nth_of(group, surveys, data)?,
        Component::Has(relatives) => compile_has(surveys, relatives)?,
        Component::NonTSPseudoClass(ParsedPseudoClass::Html(HtmlPseudoClass::NoElement)) => {
            Test::Never
        }
        Component::NonTSPseudoClass(ParsedPseudoClass::Html(state)) => {
            Test::HtmlPseudoClass(*state)
        }
        Component::NonTSPseudoClass(ParsedPseudoClass::Language(ranges)) => {
            Test::Language(ranges.iter().map(boxed).collect())
        }
        Component::NonTSPseudoClass(ParsedPseudoClass::Direction(Word(name))) => {
            match () {
                () if name.eq_ignore_ascii_case("ltr") => Test::Direction(Direction::LeftToRight),
                () if name.eq_ignore_ascii_case("rtl") => Test::Direction(Direction::RightToLeft),
                // Other names are reserved.
                () => Test::Never,
            }
        }
        // Components of shadow trees, nesting and pseudo-elements. The parser does not accept them.
        _ => Test::Never,
    }))
}

/// Compiles an attribute selector with an explicit namespace. A selector without a namespace is compiled here only if
/// it has a value and its name contains uppercase letters.
fn compile_attribute(selector: &AttrSelectorWithOptionalNamespace<Css>) -> Test {
    let namespace = match &selector.namespace {
        Some(NamespaceConstraint::Any) => AttributeNamespace::Any,
        Some(NamespaceConstraint::Specific((_, name))) if name.0.is_empty() => {
            AttributeNamespace::None
        }
        Some(NamespaceConstraint::Specific((_, name))) => AttributeNamespace::Is(boxed(name)),
        None => AttributeNamespace::None,
    };
    let value = match &selector.operation {
        ParsedAttrSelectorOperation::Exists => None,
        ParsedAttrSelectorOperation::WithValue {
            operator,
            case_sensitivity,
            value,
        } => Some((*operator, *case_sensitivity, value)),
    };
    let name = Name::new(&selector.local_name.0, &selector.local_name_lower.0);
    attribute_test(namespace, name, value)
}

/// Compiles `:nth-child(An+B of S)` or `:nth-last-child(An+B of S)`.
fn compile_nth_of(
    group: &mut Group,
    surveys: &mut Vec<Survey>,
    data: &NthOfSelectorData<Css>,
) -> Result<Test, SelectorError> {
    let index = index(*data.nth_data());
    group.depends_on_siblings = true;
    let counted = match index.from_end {
        false => OfSelector::Steps(append_selectors(group, surveys, data.selectors())?),
        true => {
            let mut own = Group::default();
            own.accept = append_selectors(&mut own, surveys, data.selectors())?;
            surveys.push(Survey {
                group: own,
                result: SurveyResult::Matching,
            });
            OfSelector::Survey(surveys.len() - 1)
        }
    };
    group.counted.push(counted);
    let of = CountedSiblings::Matching(group.counted.len() - 1);
    Ok(Test::NthIndex(NthIndex { of, ..index }))
}

/// Compiles `:has(…)`: adds a survey, which is a search of the whole tree before the matching, and returns the test that
/// the survey has found an element.
fn compile_has(
    surveys: &mut Vec<Survey>,
    relatives: &[RelativeSelector<Css>],
) -> Result<Test, SelectorError> {
    let mut own = Group::default();
    let relatives = relatives
        .iter()
        .map(|relative| append_relative(&mut own, surveys, relative));
    let relatives = relatives.collect::<Result<Vec<_>, _>>()?;
    let number = surveys.len();
    surveys.push(Survey {
        group: own,
        result: SurveyResult::Having(relatives),
    });
    Ok(Test::InSurvey(number))
}

/// Compiles a relative selector, the argument of `:has`. Each compound selector becomes a step without a predecessor;
/// the returned [`Relative`] contains the combinators.
fn append_relative(
    group: &mut Group,
    surveys: &mut Vec<Survey>,
    relative: &RelativeSelector<Css>,
) -> Result<Relative, SelectorError> {
    let mut steps = Vec::new();
    for (combinator, tests) in compile_compounds(group, surveys, &relative.selector)? {
        // The first compound has no combinator. It represents the element that has the `:has`, so it becomes no step.
        if let Some(combinator) = combinator {
            steps.push((
                combinator,
                append_step(group, None, tests)?.trailing_zeros(),
            ));
        }
    }
    Ok(steps)
}

/// Compiles a positional pseudo-class without `of`, such as `:nth-child(2n)` or `:only-child`.
fn compile_nth(group: &mut Group, data: NthSelectorData) -> Test {
    let of_type = data.ty.is_of_type();
    group.depends_on_siblings = true;
    match data.ty {
        NthType::OnlyChild | NthType::OnlyOfType => Test::Only { of_type },
        _ => Test::NthIndex(index(data)),
    }
}

/// Returns the set of positions that An+B describes.
fn index(data: NthSelectorData) -> NthIndex {
    NthIndex {
        step: data.an_plus_b.0.into(),
        offset: data.an_plus_b.1.into(),
        of: match data.ty.is_of_type() {
            true => CountedSiblings::Type,
            false => CountedSiblings::Children,
        },
        from_end: data.ty.is_from_end(),
    }
}

/// Returns the test for an attribute. `value` is the operator, the case sensitivity and the string to compare with, or
/// `None` if the attribute only has to be present.
fn attribute_test(
    namespace: AttributeNamespace,
    name: Name,
    value: Option<(AttrSelectorOperator, ParsedCaseSensitivity, &Word)>,
) -> Test {
    let value = value.map(|(operator, case, value)| ValueTest {
        operator,
        case: match case {
            ParsedCaseSensitivity::ExplicitCaseSensitive | ParsedCaseSensitivity::CaseSensitive => {
                Case::Sensitive
            }
            ParsedCaseSensitivity::AsciiCaseInsensitive => Case::Ignored,
            ParsedCaseSensitivity::AsciiCaseInsensitiveIfInHtmlElementInHtmlDocument => {
                Case::IgnoredInHtml
            }
        },
        value: value.0.as_ref().into(),
    });
    Test::Attribute(Box::new(AttributeTest {
        namespace,
        name,
        value,
    }))
}

/// Returns a copy of a string of the parsed selector.
fn boxed(word: &Word) -> Box<str> {
    word.0.as_ref().into()
}
