//! Compilation of parsed selectors into a [`Program`].

use super::css::{Css, Word};
use super::program::{
    AttributeNamespace, AttributeTest, Case, Combinator, Counted, Group, Index, MAX_GROUP_STEPS,
    Name, Of, Program, Relative, Step, Survey, Test, ValueTest, Wanted,
};
use crate::engine::error::{SelectorError, SelectorErrorKind};
use alloc::boxed::Box;
use alloc::vec::Vec;
use selectors::attr::{
    AttrSelectorOperator, AttrSelectorWithOptionalNamespace, NamespaceConstraint,
    ParsedAttrSelectorOperation, ParsedCaseSensitivity,
};
use selectors::parser::{
    Combinator as Read, Component, NthOfSelectorData, NthSelectorData, NthType, RelativeSelector,
    Selector,
};

/// Compiles a list of selectors.
pub(super) fn compile(selectors: &[Selector<Css>]) -> Result<Program, SelectorError> {
    let mut program = Program::default();
    for selector in selectors {
        let needed = steps_of(selector);
        let has_room = |group: &Group| group.steps.len() + needed <= MAX_GROUP_STEPS;
        let group = match program.groups.last() {
            Some(group) if has_room(group) => program.groups.pop(),
            _ => None,
        };
        let mut group = group.unwrap_or_default();
        group.accept |= selector_steps(&mut group, &mut program.surveys, selector)?;
        program.groups.push(group);
    }
    Ok(program)
}

/// Returns the number of steps that a selector needs in its group, including the steps of nested selectors.
fn steps_of(selector: &Selector<Css>) -> usize {
    let nested = |component: &Component<Css>| match component {
        Component::Combinator(_) => 1,
        Component::Is(list) | Component::Where(list) | Component::Negation(list) => {
            list.slice().iter().map(steps_of).sum()
        }
        Component::NthOf(data) if !data.nth_data().ty.is_from_end() => {
            data.selectors().iter().map(steps_of).sum()
        }
        _ => 0,
    };
    let components = selector.iter_raw_match_order();
    1 + components.map(nested).sum::<usize>()
}

/// Appends the steps of a selector to a group. Returns the bit of its last step.
fn selector_steps(
    group: &mut Group,
    surveys: &mut Vec<Survey>,
    selector: &Selector<Css>,
) -> Result<u64, SelectorError> {
    let compounds = compounds(group, surveys, selector)?;
    let mut last = 0;
    for (combinator, tests) in compounds {
        last = step(group, combinator, tests)?;
    }
    Ok(last)
}

/// Appends the steps of several selectors. Returns the set of their last steps.
fn list_steps(
    group: &mut Group,
    surveys: &mut Vec<Survey>,
    selectors: &[Selector<Css>],
) -> Result<u64, SelectorError> {
    let mut last = 0;
    for selector in selectors {
        last |= selector_steps(group, surveys, selector)?;
    }
    Ok(last)
}

/// Appends one step, and records the combinator before it and the counts of siblings that it needs. Returns its bit.
/// Fails if the group is full.
fn step(
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
    group.looks_beside |= group.next | group.later != 0;
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

fn counts_type(test: &Test) -> bool {
    match test {
        Test::Index(index) => matches!(index.of, Of::Type),
        Test::Only { of_type } => *of_type,
        _ => false,
    }
}

/// The tests of a compound, and the combinator before it.
type Compound = (Option<Combinator>, Vec<Test>);

/// Returns the compounds of a selector from left to right. Also appends the steps of selectors nested in them to the
/// group.
fn compounds(
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
                    Read::Child => Combinator::Child,
                    Read::NextSibling => Combinator::Next,
                    Read::LaterSibling => Combinator::Later,
                    _ => Combinator::Descendant,
                });
            }
            _ => tests.extend(test(group, surveys, component)?),
        }
    }
    compounds.push((combinator, tests));
    // Evaluate cheap tests that are seldom true first.
    for (_, tests) in &mut compounds {
        tests.sort_by_key(|test| match test {
            Test::Name(_) => 0,
            Test::Id(_) | Test::Class(_) | Test::Attribute(_) => 1,
            _ => 2,
        });
    }
    Ok(compounds)
}

/// Translates one simple selector into a test. Returns `None` if it matches every element.
fn test(
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
        } => attribute(
            AttributeNamespace::None,
            Name::new(&local_name.0, &local_name_lower.0),
            None,
        ),
        Component::AttributeInNoNamespace {
            local_name,
            operator,
            value,
            case_sensitivity,
        } => attribute(
            AttributeNamespace::None,
            Name::new(&local_name.0, &local_name.0),
            Some((*operator, *case_sensitivity, value)),
        ),
        Component::AttributeOther(other) => other_attribute(other),
        Component::ExplicitUniversalType | Component::ExplicitAnyNamespace => return Ok(None),
        Component::ExplicitNoNamespace => Test::Namespace(None),
        Component::DefaultNamespace(name) | Component::Namespace(_, name) => {
            Test::Namespace((!name.0.is_empty()).then(|| boxed(name)))
        }
        Component::Negation(list) => Test::No(list_steps(group, surveys, list.slice())?),
        Component::Is(list) | Component::Where(list) => {
            Test::Any(list_steps(group, surveys, list.slice())?)
        }
        Component::Root => Test::Root,
        Component::Scope | Component::ImplicitScope => Test::Scope,
        Component::Empty => Test::Empty,
        Component::Nth(data) => nth(group, *data),
        Component::NthOf(data) => nth_of(group, surveys, data)?,
        Component::Has(relatives) => having(surveys, relatives)?,
        Component::NonTSPseudoClass(state) => Test::State(*state),
        // Components of shadow trees, nesting and pseudo-elements. The parser does not accept them.
        _ => Test::Never,
    }))
}

/// Translates an attribute selector that has a namespace.
fn other_attribute(selector: &AttrSelectorWithOptionalNamespace<Css>) -> Test {
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
    attribute(namespace, name, value)
}

/// Translates `:nth-child(An+B of S)` or `:nth-last-child(An+B of S)`.
fn nth_of(
    group: &mut Group,
    surveys: &mut Vec<Survey>,
    data: &NthOfSelectorData<Css>,
) -> Result<Test, SelectorError> {
    let index = index(*data.nth_data());
    group.looks_beside = true;
    let counted = match index.from_end {
        false => Counted::Steps(list_steps(group, surveys, data.selectors())?),
        true => {
            let mut own = Group::default();
            own.accept = list_steps(&mut own, surveys, data.selectors())?;
            surveys.push(Survey {
                group: own,
                wanted: Wanted::Matching,
            });
            Counted::Survey(surveys.len() - 1)
        }
    };
    group.counted.push(counted);
    let of = Of::Matching(group.counted.len() - 1);
    Ok(Test::Index(Index { of, ..index }))
}

/// Translates `:has(…)`.
fn having(
    surveys: &mut Vec<Survey>,
    relatives: &[RelativeSelector<Css>],
) -> Result<Test, SelectorError> {
    let mut own = Group::default();
    let relatives = relatives
        .iter()
        .map(|relative| relative_steps(&mut own, surveys, relative));
    let relatives = relatives.collect::<Result<Vec<_>, _>>()?;
    let number = surveys.len();
    surveys.push(Survey {
        group: own,
        wanted: Wanted::Having(relatives),
    });
    Ok(Test::In(number))
}

/// Compiles a relative selector, the argument of `:has`. Each compound becomes an independent step without a
/// predecessor; [`Relative`] records the combinators.
fn relative_steps(
    group: &mut Group,
    surveys: &mut Vec<Survey>,
    relative: &RelativeSelector<Css>,
) -> Result<Relative, SelectorError> {
    let mut steps = Vec::new();
    for (combinator, tests) in compounds(group, surveys, &relative.selector)? {
        // The first compound is the implicit anchor of `:has`, the element itself.
        if let Some(combinator) = combinator {
            steps.push((combinator, step(group, None, tests)?.trailing_zeros()));
        }
    }
    Ok(steps)
}

fn nth(group: &mut Group, data: NthSelectorData) -> Test {
    let of_type = data.ty.is_of_type();
    group.looks_beside = true;
    match data.ty {
        NthType::OnlyChild | NthType::OnlyOfType => Test::Only { of_type },
        _ => Test::Index(index(data)),
    }
}

fn index(data: NthSelectorData) -> Index {
    Index {
        step: data.an_plus_b.0.into(),
        offset: data.an_plus_b.1.into(),
        of: match data.ty.is_of_type() {
            true => Of::Type,
            false => Of::Children,
        },
        from_end: data.ty.is_from_end(),
    }
}

fn attribute(
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

fn boxed(word: &Word) -> Box<str> {
    word.0.as_ref().into()
}
