//! `cargo run --release -p testing --bin crash_resume -- PROGRAM FOLDER [TIMES]` kills `PROGRAM events --checkpoint` at
//! random bytes of its output, 200 times by default, runs it again each time, and compares the output with that of a run
//! that was not killed. `TAGSTREAM_SEED` sets the seed.

use std::path::Path;
use std::process::ExitCode;
use testing::crash_resume::{Work, document};
use testing::random::Random;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [program, folder, rest @ ..] = &*arguments else {
        eprintln!("crash_resume PROGRAM FOLDER [TIMES]");
        return ExitCode::from(2);
    };
    let times = rest.first().and_then(|times| times.parse().ok());
    let times: usize = times.unwrap_or(200);
    let seed = std::env::var("TAGSTREAM_SEED").ok();
    let seed = seed.and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let mut random = Random(seed);
    let folder = Path::new(folder);
    let input = folder.join("input.xml");
    let forms: [&[&str]; 4] = [
        &[
            "--dialect",
            "xml",
            "--format",
            "json",
            "--positions",
            "--errors",
        ],
        &["--dialect", "xml", "--balanced"],
        &["--dialect", "html", "--balanced", "--errors"],
        &["--dialect", "xml", "--pieces", "--format", "json"],
    ];
    let mut resumed = 0;
    for options in forms {
        let written = std::fs::write(&input, document(&mut random, 4 << 20));
        let work = Work {
            subcommand: "events",
            program: Path::new(program),
            folder,
            input: &input,
            options,
            every: 100_000,
        };
        let done = written.map_err(|error| error.to_string());
        match done.and_then(|()| work.kill(&mut random, times.div_ceil(forms.len()))) {
            Ok(some) => resumed += some,
            Err(wrong) => {
                eprintln!("{options:?}, seed {seed}: {wrong}");
                return ExitCode::FAILURE;
            }
        }
    }
    println!(
        "{times} kills, {resumed} of them of runs that started from a checkpoint; every output is that of a run that was not killed"
    );
    ExitCode::SUCCESS
}
