//! The subcommand `sanitize`: removes everything from HTML that is not allowed.

use crate::failure::Failure;
use crate::input::{Given, Input};
use crate::options::SanitizeOptions;
use crate::output::Output;
use crate::shown;
use std::fmt::Write;
use std::io::{self, IsTerminal};
use tagstream::sanitize::NameError;
use tagstream::{Sanitizer, TextDecoder};

/// Writes the sanitized contents of a file.
pub(crate) fn run(options: &SanitizeOptions) -> Result<(), Failure> {
    let sanitizer = sanitizer(options).map_err(|error| Failure::Unusable(error.to_string()))?;
    let given = Given {
        is_text: options.text,
        is_known: true,
        text_option: "--text",
        ..Given::default()
    };
    let mut output = Output::plain();
    let mut input = Input::open(&options.file, given)?;
    input.show_progress();
    let mut decoder = TextDecoder::new(options.encoding()?);
    let mut markup = String::new();
    while let Some(chunk) = input.next(&mut output)? {
        decoder.decode(&chunk, false, &mut markup);
    }
    decoder.decode(b"", true, &mut markup);
    drop(input);
    let mut clean = match &options.fragment {
        Some(context) => sanitizer
            .clean_in(context, &markup)
            .map_err(|error| Failure::Unusable(error.to_string()))?,
        None => sanitizer.clean(&markup),
    };
    if !clean.is_empty() && !clean.ends_with('\n') {
        clean.push('\n');
    }
    // The flush returns the error, if one occurs.
    let _ = match io::stdout().is_terminal() {
        true => shown::write_lines(&clean, &mut output),
        false => output.write_str(&clean),
    };
    Ok(output.flush()?)
}

fn sanitizer(options: &SanitizeOptions) -> Result<Sanitizer, NameError> {
    let sanitizer = match options.user_content {
        true => Sanitizer::user_content(),
        false => Sanitizer::default(),
    };
    let mut sanitizer = sanitizer.comments(options.comments);
    for name in &options.allow {
        sanitizer = match name.split_once('@') {
            Some(("", attribute)) => sanitizer.allow_attributes(&[attribute])?,
            Some((element, attribute)) => sanitizer.allow_attributes_on(element, &[attribute])?,
            None => sanitizer.allow_elements(&[name])?,
        };
    }
    for name in &options.remove {
        sanitizer = match name.split_once('@') {
            Some(("", attribute)) => sanitizer.remove_attributes(&[attribute])?,
            Some((element, attribute)) => sanitizer.remove_attributes_on(element, &[attribute])?,
            None => sanitizer.remove_elements(&[name])?,
        };
    }
    for name in &options.unwrap {
        sanitizer = sanitizer.replace_with_children(&[name])?;
    }
    if !options.scheme.is_empty() {
        let schemes: Vec<&str> = options.scheme.iter().map(String::as_str).collect();
        sanitizer = sanitizer.url_schemes(&schemes)?;
    }
    Ok(match &options.rel {
        Some(rel) => sanitizer.link_rel(rel),
        None => sanitizer,
    })
}
