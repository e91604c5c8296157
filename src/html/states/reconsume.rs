//! Reconsuming: the unit taken last is what another state takes first. It is handed to that state, so
//! that nothing is taken twice.

use crate::event::record::Queue;
use crate::html::machine::{Cursor, HtmlMachine};
use crate::html::state::State;
use crate::input::cursor::Unit::{self, Byte, Eof};

impl HtmlMachine {
    /// The unit taken last is reconsumed in `state`; gives the state that follows.
    #[inline(always)]
    pub(in crate::html) fn again(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        unit: Unit,
        state: State,
    ) -> State {
        let (state, after) = self.reconsume(*input, out, unit, state);
        *input = after;
        state
    }

    #[inline(never)]
    fn reconsume<'w>(
        &mut self,
        mut cursor: Cursor<'w>,
        out: &mut Queue,
        unit: Unit,
        state: State,
    ) -> (State, Cursor<'w>) {
        self.state = state;
        let input = &mut cursor;
        let next = match state {
            State::Data => self.in_data(input, out, unit),
            State::Rcdata => self.in_rcdata(input, out, unit),
            State::Rawtext => self.in_rawtext(input, out, unit),
            State::ScriptData => self.in_script_data(input, out, unit),
            State::ScriptDataEscaped => self.in_script_data_escaped(input, out, unit),
            State::ScriptDataDoubleEscaped => self.in_script_data_double_escaped(input, out, unit),
            State::BeforeAttributeName => self.in_before_attribute_name(input, out, unit),
            State::AttributeValueDoubleQuoted => {
                self.in_attribute_value_double_quoted(input, out, unit)
            }
            State::AttributeValueSingleQuoted => {
                self.in_attribute_value_single_quoted(input, out, unit)
            }
            State::AttributeValueUnquoted => self.in_attribute_value_unquoted(input, out, unit),
            State::BogusComment => self.in_bogus_comment(input, out, unit),
            State::Comment => self.in_comment(input, out, unit),
            State::BeforeDoctypeName => self.in_before_doctype_name(input, out, unit),
            State::BogusDoctype => self.in_bogus_doctype(input, out, unit),
            State::CdataSection => self.in_cdata_section(input, out, unit),
            State::ProcessingInstructionData => {
                self.in_processing_instruction_data(input, out, unit)
            }
            // Any other state would take it anew.
            _ => {
                if unit != Eof {
                    input.back();
                }
                return (state, cursor);
            }
        };
        // The machine may suspend here, and does so between characters.
        if matches!(unit, Byte(0xC0..)) {
            cursor.wide();
        }
        (next, cursor)
    }
}
