//! Plans: the effect of the schema's rows for a token, derived at compile time for the common case.
//!
//! Most tokens take the same way through the schema each time. For `<span>` in the body, for example, the rows of
//! `InCell` lead to those of `InBody`, where the formatting elements are reconstructed and an element is inserted.
//! Finding that row and matching its actions one by one costs more instructions than the actions themselves. A plan
//! is the result of that search for one mode and one kind of token: a set of [`Steps`], and the conditions under which
//! they are what the rows do. If the conditions do not hold, or if there is no plan, the rows are applied as usual.
//!
//! The function [`derive`] reads the rows and names no tag and no mode, so a changed row changes its plans. It knows
//! two things that the rows alone do not say:
//!
//! - A start tag or text: a guard or an `If` that asks for an element in scope is assumed to fail. The elements become
//!   [`Plan::absent`], and the plan is followed only while none of them is in scope.
//! - An end tag: the plan is followed only if the current node is the HTML element with the tag's name. Its groups and
//!   its own scopes are then known at compile time. They decide guards, implied end tags do nothing, and all actions
//!   that close an element come to one pop.
//!
//! Any guard or action that is not understood leads to no plan. A wrong plan builds a wrong tree: tests compare trees,
//! errors and the count of rules with those of a construction without plans (`html/plans` in `tests/random`, and every
//! case of `tests/data/html-schema.txt`).

use super::elements::{self, Class};
use super::notation::{Action, Guard};
use super::numbers::{Name, known};
use super::rules::{COLUMNS, ENDS, Group, STARTS, Scoped, TokenKind};
use super::schema::TABLES;
use super::stack_observer::StackObserver;
use super::state::TreeConstruction;
use crate::engine::event::StartTag;
use crate::tree::TreeSink;

/// A set of steps of a plan, one bit each. The constants below are the steps.
type Steps = u16;

const RECONSTRUCT: Steps = 1;
const CLEAR_FRAMESET_OK: Steps = 1 << 1;
const INSERT: Steps = 1 << 2;
const INSERT_VOID: Steps = 1 << 3;
const INSERT_TEXT: Steps = 1 << 4;
/// Step: adds the inserted element to the list of active formatting elements.
const PUSH_FORMATTING: Steps = 1 << 5;
const PUSH_MARKER: Steps = 1 << 6;
const POP: Steps = 1 << 7;
const CLEAR_TO_MARKER: Steps = 1 << 8;
/// Step: runs the adoption agency algorithm for an end tag with the name of the current node, if this needs no loop.
const ADOPT: Steps = 1 << 9;
/// Not a step but a condition of the plan: the list of active formatting elements has no element with the tag's name
/// after its last marker.
const NO_PRIOR: Steps = 1 << 10;

/// The main steps: each plan has exactly one of them.
const MAIN: Steps = INSERT | INSERT_VOID | INSERT_TEXT | POP | ADOPT;

/// The steps that the rows run for a token in the common case, and the conditions of this case.
#[derive(Clone, Copy, Debug)]
struct Plan {
    /// The plan applies only if none of these elements is in scope.
    absent: Scoped,
    /// The plan applies only if the current node is in this group, unless the group is `NONE`.
    current: Group,
    /// The steps; 0 if there is no plan.
    steps: Steps,
    /// The number that the rows add to the count of rules.
    rules: u8,
}

const NO_PLAN: Plan = Plan {
    absent: Scoped::NONE,
    current: Group::NONE,
    steps: 0,
    rules: 0,
};

/// Maximum number of different plans; the compiler reports an index out of bounds if there are more.
const MAX_PLANS: usize = 64;

/// All plans. Many tokens share one plan, so that the index needs only one byte for each mode and column and stays in
/// the CPU cache.
struct Plans {
    /// Index in `plans` for each mode and each column of a rule table (see [`COLUMNS`]).
    index: [[u8; COLUMNS]; TABLES.len()],
    /// The different plans; the first is [`NO_PLAN`].
    plans: [Plan; MAX_PLANS],
}

static PLANS: Plans = {
    let mut all = Plans {
        index: [[0; COLUMNS]; TABLES.len()],
        plans: [NO_PLAN; MAX_PLANS],
    };
    let (mut count, mut mode) = (1, 0);
    while mode < TABLES.len() {
        let mut column = 0;
        while column < COLUMNS {
            let plan = derive(mode, column, NO_PLAN);
            let mut index = 0;
            while index < count && !is_same(&all.plans[index], &plan) {
                index += 1;
            }
            if index == count {
                all.plans[index] = plan;
                count += 1;
            }
            all.index[mode][column] = index as u8;
            column += 1;
        }
        mode += 1;
    }
    all
};

const fn is_same(one: &Plan, other: &Plan) -> bool {
    one.absent.is(other.absent)
        && one.current.is(other.current)
        && one.steps == other.steps
        && one.rules == other.rules
}

/// Returns the class of HTML elements with the name of the column's end tag. Returns `None` if the column is not that
/// of an end tag.
const fn class_closed_by(column: usize) -> Option<&'static Class> {
    match column >= ENDS {
        true => Some(&elements::HTML[column - ENDS]),
        false => None,
    }
}

/// Derives the plan for the tokens of a column from the rows of a mode. `plan` is empty, or contains the conditions and
/// the number of rows applied so far if a row of another mode continues in this mode.
const fn derive(mode: usize, column: usize, mut plan: Plan) -> Plan {
    let rows = TABLES[mode].all();
    let mut next = TABLES[mode].first(column);
    let mut is_first = true;
    while next < rows.len() {
        let row = &rows[next];
        next += 1;
        if !row.tokens.has(column) {
            continue;
        }
        // `apply` counts the first row even if its guards fail, and a later row only if it is applied. The plan has to
        // count the same.
        if is_first {
            plan.rules += 1;
        }
        match decide(row.guards, column, &mut plan) {
            Some(true) => {
                if !is_first {
                    plan.rules += 1;
                }
                return add_actions(row.actions, column, plan);
            }
            Some(false) => is_first = false,
            None => return NO_PLAN,
        }
    }
    NO_PLAN
}

/// Decides at compile time whether all guards are true. Returns `None` if that depends on the open elements. Elements
/// that are assumed not to be in scope are added to `plan.absent`.
const fn decide(guards: &[Guard], column: usize, plan: &mut Plan) -> Option<bool> {
    let mut is_unknown = false;
    let mut next = 0;
    while next < guards.len() {
        match decide_one(&guards[next], column, plan) {
            Some(true) => {}
            Some(false) => return Some(false),
            None => is_unknown = true,
        }
        next += 1;
    }
    match is_unknown {
        true => None,
        false => Some(true),
    }
}

/// Decides at compile time whether one guard is true: see [`decide`].
const fn decide_one(guard: &Guard, column: usize, plan: &mut Plan) -> Option<bool> {
    let Some(class) = class_closed_by(column) else {
        let Guard::InScope(which) = guard else {
            return None;
        };
        plan.absent = plan.absent.or(*which);
        return Some(false);
    };
    // The current node has this class and is therefore in scope itself. Nothing is known about other open elements.
    match guard {
        Guard::InScope(which) if class.is_itself_in_scope(*which) => Some(true),
        Guard::NotInScope(which) if class.is_itself_in_scope(*which) => Some(false),
        Guard::SameInScope if class.is_itself_in_scope(class.in_default_scope()) => Some(true),
        Guard::SameInTableScope if class.is_itself_in_scope(class.in_table_scope()) => Some(true),
        Guard::Current(group) => Some(class.groups.meets(*group)),
        Guard::CurrentNot(group) => Some(!class.groups.meets(*group)),
        _ => None,
    }
}

/// Adds the steps of a row's actions to a plan.
const fn add_actions(actions: &[Action], column: usize, mut plan: Plan) -> Plan {
    let class = class_closed_by(column);
    let mut next = 0;
    while next < actions.len() {
        let action = &actions[next];
        next += 1;
        // Guards are decided for the stack before the token is processed. Guards after an action that changes the stack
        // are therefore not understood.
        let is_unchanged = plan.steps & !CLEAR_FRAMESET_OK == 0;
        match action {
            Action::As(mode) if plan.steps == 0 && plan.current.is(Group::NONE) => {
                return derive(*mode as usize, column, plan);
            }
            Action::If((guards, actions)) if is_unchanged => {
                match decide(guards, column, &mut plan) {
                    Some(false) => continue,
                    Some(true) => plan = add_actions(actions, column, plan),
                    None => return NO_PLAN,
                }
            }
            action => {
                plan = match class {
                    Some(class) => add_end_action(action, class, actions.len() == 1, plan),
                    None => add_action(action, column, plan),
                }
            }
        }
        if !is_plan(&plan) {
            return NO_PLAN;
        }
    }
    match plan.steps & MAIN != 0 {
        true => plan,
        false => NO_PLAN,
    }
}

/// Returns whether this is a plan and not [`NO_PLAN`]. Each plan counts at least one rule.
const fn is_plan(plan: &Plan) -> bool {
    plan.rules > 0
}

/// Adds the step for an action to the plan of a start tag or of text. Returns [`NO_PLAN`] if no step has the effect of
/// the action.
const fn add_action(action: &Action, column: usize, mut plan: Plan) -> Plan {
    let is_tag = column >= STARTS;
    let has_main = plan.steps & MAIN != 0;
    let is_unchanged = plan.steps & !CLEAR_FRAMESET_OK == 0;
    // True if the plan already adds the inserted element to the list of active formatting elements.
    let is_listed = plan.steps & (PUSH_FORMATTING | PUSH_MARKER) != 0;
    let is_inserted = plan.steps & INSERT != 0 && !is_listed;
    match action {
        Action::FramesetNotOk => plan.steps |= CLEAR_FRAMESET_OK,
        Action::PopTo(group) if is_unchanged && plan.current.is(Group::NONE) => {
            plan.current = *group;
        }
        Action::AdoptPrior if is_unchanged => plan.steps |= NO_PRIOR,
        Action::Reconstruct if !has_main => plan.steps |= RECONSTRUCT,
        Action::Insert if is_tag && !has_main => plan.steps |= INSERT,
        Action::Void if is_tag && !has_main => plan.steps |= INSERT_VOID,
        Action::InsertText if !is_tag && !has_main => plan.steps |= INSERT_TEXT,
        Action::PushFormatting if is_inserted => plan.steps |= PUSH_FORMATTING,
        Action::PushMarker if is_inserted => plan.steps |= PUSH_MARKER,
        _ => return NO_PLAN,
    }
    plan
}

/// Adds the step for an action to the plan of the current node's end tag. `class` is the class of the current node, and
/// `is_only` is true if the rule has no other action.
/// Returns [`NO_PLAN`] if no step has the effect of the action.
const fn add_end_action(action: &Action, class: &Class, is_only: bool, mut plan: Plan) -> Plan {
    let is_popped = plan.steps & MAIN != 0;
    match action {
        // These actions change nothing here: the end of the current node is not implied, the current node has the
        // token's name, and it is in the group.
        Action::ImplyEnds(group) if !is_popped && !class.groups.meets(*group) => {}
        Action::ExpectSame if !is_popped => {}
        Action::PopTo(group) if !is_popped && class.groups.meets(*group) => {}
        Action::Close(group) | Action::PopThrough(group)
            if !is_popped && class.groups.meets(*group) =>
        {
            plan.steps |= POP;
        }
        Action::CloseSame | Action::CloseAny | Action::Pop if !is_popped => plan.steps |= POP,
        Action::ClearToMarker if plan.steps & POP != 0 => plan.steps |= CLEAR_TO_MARKER,
        Action::Adopt if plan.steps == 0 && is_only => plan.steps |= ADOPT,
        _ => return NO_PLAN,
    }
    plan
}

impl<S: TreeSink, W: StackObserver> TreeConstruction<S, W> {
    /// Returns the plan for tokens of a column under the current rules. Returns [`NO_PLAN`] if the current node or the
    /// elements in scope do not meet the conditions of the plan.
    #[inline(always)]
    fn plan(&self, column: usize) -> &'static Plan {
        let current = self.stack.current();
        let index = PLANS.index[self.rules() as usize][column];
        let plan = &PLANS.plans[index as usize % MAX_PLANS];
        let is_in_group = plan.current.is(Group::NONE) || current.groups.meets(plan.current);
        let is_absent = !current.summary.in_scope.meets(plan.absent);
        match is_in_group && is_absent && self.has_plans() {
            true => plan,
            false => &NO_PLAN,
        }
    }

    /// Returns whether the schema consists of the rows from which the plans were derived. Tests can use other rows: see
    /// `inspect.rs`.
    #[inline(always)]
    fn has_plans(&self) -> bool {
        cfg!(not(feature = "inspect")) || core::ptr::eq(self.schema, &TABLES)
    }

    /// Processes a start tag by its plan. Returns false, and does nothing, if there is no plan that applies.
    #[inline(always)]
    pub(super) fn start_by_plan(&mut self, name: Name<'_>, tag: &StartTag<'_>) -> bool {
        let Plan { steps, rules, .. } = *self.plan(STARTS + known(name.number));
        let has_prior = || self.formatting.last_of(name.number).is_some();
        if steps == 0 || steps & NO_PRIOR != 0 && has_prior() {
            return false;
        }
        self.counts.rules += u64::from(rules);
        if steps & RECONSTRUCT != 0 {
            self.reconstruct();
        }
        if steps & CLEAR_FRAMESET_OK != 0 {
            self.flags.frameset_ok = false;
        }
        if steps & INSERT_VOID != 0 {
            self.insert_void(name, Some(tag));
            return true;
        }
        self.insert_html(name, Some(tag));
        if steps & PUSH_FORMATTING != 0 {
            self.push_formatting(name.number, tag);
        } else if steps & PUSH_MARKER != 0 {
            self.formatting
                .push_marker(self.stack.current().handle, W::ELEMENT_BYTES);
        }
        true
    }

    /// Processes an end tag by its plan. Returns false, and does nothing, if there is no plan that applies.
    #[inline(always)]
    pub(super) fn end_by_plan(&mut self, name: Name<'_>) -> bool {
        if !self.stack.current().is_html(name.number) {
            return false;
        }
        let Plan { steps, rules, .. } = *self.plan(ENDS + known(name.number));
        if steps & POP != 0 {
            self.pop();
            if steps & CLEAR_TO_MARKER != 0 {
                self.formatting.clear_to_marker();
            }
        } else if steps & ADOPT == 0 || !self.adopt_current(name.number) {
            return false;
        }
        self.counts.rules += u64::from(rules);
        true
    }

    /// Processes a run of characters by its plan. Returns false, and does nothing, if there is no plan that applies.
    #[inline(always)]
    pub(super) fn text_by_plan(&mut self, text: &str) -> bool {
        let Plan { steps, rules, .. } = *self.plan(TokenKind::Character as usize);
        if steps & INSERT_TEXT == 0 {
            return false;
        }
        self.counts.rules += u64::from(rules);
        if steps & RECONSTRUCT != 0 {
            self.reconstruct();
        }
        if steps & CLEAR_FRAMESET_OK != 0 {
            self.flags.frameset_ok = false;
        }
        self.insert_text(text);
        true
    }
}
