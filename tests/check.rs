//! What `tagstream check` says of the documents in `tests/check`, line by line. With
//! `TAGSTREAM_BLESS` set, what it says is written down as what is wanted.

use libtest_mimic::{Arguments, Failed, Trial};
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode, Output};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/check");
    let mut trials = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of documents") {
        let path = entry.expect("an entry of the folder").path();
        if path.extension().is_some_and(|extension| extension == "xml") {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            trials.push(Trial::test(name.into_owned(), move || check(&path)));
        }
    }
    assert!(trials.len() >= 40, "{} documents", trials.len());
    trials.push(Trial::test("exit statuses", statuses));
    trials.sort_by(|one, two| one.name().cmp(two.name()));
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn program(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tagstream"))
        .args(arguments)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/check"))
        .env_remove("CLICOLOR_FORCE")
        .output()
        .expect("the program runs")
}

fn check(path: &Path) -> Result<(), Failed> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let output = program(&["check", "--resolve", &name]);
    // Entities are named by where they stand on this machine.
    let here = path.parent().unwrap_or(path).canonicalize()?;
    let found = String::from_utf8(output.stdout)?;
    let found = found.replace(&format!("{}/", here.display()), "");
    let golden = path.with_extension("txt");
    if std::env::var_os("TAGSTREAM_BLESS").is_some() {
        fs::write(&golden, &found)?;
    }
    let wanted = fs::read_to_string(&golden)?;
    if found != wanted {
        return Err(format!("wanted:\n{wanted}\nfound:\n{found}").into());
    }
    let status = i32::from(!wanted.is_empty());
    if output.status.code() != Some(status) || !output.stderr.is_empty() {
        return Err(format!("{:?} {:?}", output.status, output.stderr).into());
    }
    // Strictly, it is the first of them.
    let strict = String::from_utf8(program(&["check", "--strict", "--resolve", &name]).stdout)?;
    let strict = strict.replace(&format!("{}/", here.display()), "");
    let first = wanted.split_inclusive("\n\n").take(1).collect::<String>();
    match strict.trim_end() == first.trim_end() {
        true => Ok(()),
        false => Err(format!("strict:\n{strict}").into()),
    }
}

fn statuses() -> Result<(), Failed> {
    for (arguments, status) in [
        (&["check", "clean.xml"][..], 0),
        (&["check", "clean.xml", "root.xml"], 1),
        (&["check", "root.xml", "no such file"], 2),
        (&["check", "--encoding", "klingon", "clean.xml"], 2),
        (&["check"], 2),
    ] {
        let output = program(arguments);
        if output.status.code() != Some(status) {
            return Err(format!("{arguments:?}: {:?}", output.status).into());
        }
    }
    Ok(())
}
