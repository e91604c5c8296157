//! The conformance suites: the expected results, and the same results for every cut. `testing/suites.md` lists the
//! sources of the suites.

mod checkouts;
mod element_source;
mod html_encoding;
mod html_serializer;
mod html_stack;
mod html_tokenizer;
mod html_tokens;
mod html_tree;
mod leafxml_xmlconf;
mod xml5;
mod xmlconf;

use std::process::ExitCode;
use testing::cuts;
use testing::effort::Effort;
use testing::run::Program;

fn main() -> ExitCode {
    let mut program = Program::default();
    program.leave_out_in_quick(cuts::LEFT_OUT);
    program.leave_out_in_quick("the conversion of checkouts of the suites");
    program.suite("html/encoding", html_encoding::add);
    program.suite("html/serializer", html_serializer::add);
    program.suite("html/tokenizer", html_tokenizer::add);
    program.suite("html/tree-construction", |folder, program| {
        if Effort::is_full() {
            checkouts::add_html(folder, program);
        }
        element_source::add_html(folder, program);
        html_stack::add(folder, program);
        html_tokens::add(folder, program);
        html_tree::add(folder, program);
    });
    html_tokens::add_pages(&mut program);
    program.suite("xml5", |folder, program| {
        element_source::add_xml5(folder, program);
        xml5::add(folder, program);
    });
    program.suite("xmlconf", |folder, program| {
        if Effort::is_full() {
            checkouts::add_xml(folder, program);
        }
        element_source::add_xmlconf(folder, program);
        leafxml_xmlconf::add(folder, program);
        xmlconf::add(folder, program);
    });
    program.run()
}
