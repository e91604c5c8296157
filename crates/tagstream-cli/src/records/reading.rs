//! The options with which records are read, and the opening of their files.

use crate::failure::Failure;
use crate::guess;
use crate::input::{Given, Input, LARGE};
use crate::options::RecordsOptions;
use crate::selectors;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fs;
use std::io::{self, IsTerminal};
use std::path::Path;
use tagstream_arrow::Options;

/// The options of reading, and those of them that the program needs itself.
pub(super) struct Reading {
    pub(super) options: Options,
    pub(super) timezone: String,
    pub(super) value_tag: String,
    pub(super) is_fail_fast: bool,
    pub(super) given: Given,
}

impl Reading {
    pub(super) fn new(options: &RecordsOptions) -> Result<Reading, Failure> {
        let mut reading = Reading {
            options: match (&options.row, &options.select, &options.xpath) {
                (Some(tag), ..) => {
                    let mut reading = Options::default();
                    set(&mut reading, "row_tag", tag)?;
                    reading
                }
                (None, Some(selector), _) => {
                    // The selector is compiled here too, for the messages of the program.
                    selectors::build(selector, &options.namespace)?;
                    selected(selector, &options.namespace)?
                }
                (None, None, Some(expression)) => {
                    let selector = selectors::build_stream_xpath(expression, &options.namespace)?;
                    selected(&selector.to_string(), &options.namespace)?
                }
                (None, None, None) => Options::default(),
            },
            timezone: "UTC".to_owned(),
            value_tag: "_VALUE".to_owned(),
            is_fail_fast: false,
            given: Given {
                is_text: options.text,
                ..Given::default()
            },
        };
        for option in &options.option {
            let Some((name, value)) = option.split_once('=') else {
                let reason = format!("--option {option}: expected NAME=VALUE");
                return Err(Failure::Unusable(reason));
            };
            set(&mut reading.options, name, value)?;
            let name = name.strip_prefix("xml.").unwrap_or(name);
            match &*name.replace('_', "").to_ascii_lowercase() {
                "timezone" if !matches!(value, "Z" | "GMT") => reading.timezone = value.to_owned(),
                "timezone" => reading.timezone = "UTC".to_owned(),
                "valuetag" => reading.value_tag = value.to_owned(),
                "mode" => reading.is_fail_fast = value.eq_ignore_ascii_case("FAILFAST"),
                "encoding" | "charset" => reading.given.is_known = true,
                _ => {}
            }
        }
        Ok(reading)
    }
}

/// Returns the options for rows that a selector selects.
fn selected(selector: &str, namespaces: &[String]) -> Result<Options, Failure> {
    let declared = selectors::declarations(namespaces)?.into_iter();
    let options = Options::selector(selector);
    Ok(declared.fold(options, |options, (prefix, name)| {
        options.namespace(prefix, name)
    }))
}

fn set(options: &mut Options, name: &str, value: &str) -> Result<(), Failure> {
    options.set(name, value).map_err(|error| {
        let names: Vec<_> = match error {
            tagstream_arrow::OptionError::Unknown { .. } => Options::names().collect(),
            _ => Vec::new(),
        };
        Failure::Unusable(match names.is_empty() {
            true => error.to_string(),
            false => format!("{error}: the options are {}", names.join(", ")),
        })
    })
}

/// Opens a file, whose bytes `progress` counts.
pub(super) fn open(file: &Path, given: Given, progress: &ProgressBar) -> Result<Input, Failure> {
    let given = Given {
        is_known: given.is_known || guess::by_name(file).is_some(),
        ..given
    };
    Input::open_counted(file, given, progress)
}

/// Creates the progress bar of all files. It is shown if they are large and the bar does not interfere with the output.
pub(super) fn progress_bar(options: &RecordsOptions) -> ProgressBar {
    let progress = ProgressBar::hidden();
    let lengths = options.files.iter().map(|file| {
        let metadata = fs::metadata(file).ok()?;
        metadata.is_file().then_some(metadata.len())
    });
    let Some(length) = lengths.sum::<Option<u64>>() else {
        return progress;
    };
    let is_beside_output = options.output.is_none() && io::stdout().is_terminal();
    if length < LARGE || is_beside_output || !io::stderr().is_terminal() {
        return progress;
    }
    progress.set_length(length);
    let template = "{bar:40} {bytes} of {total_bytes}, {bytes_per_sec}, {msg}{eta} left";
    if let Ok(style) = ProgressStyle::with_template(template) {
        progress.set_style(style);
    }
    progress.set_draw_target(ProgressDrawTarget::stderr());
    progress
}
