//! The output of sanitizers for random HTML that contains attacks, and for known attacks.

use testing::effort;
use testing::generate::attacks::{attacked, known};
use testing::generate::html::case;
use testing::generate::policies::{decorated, policy};
use testing::invariants::sanitized::{check_policy, check_safe, check_unchanged};
use testing::random::Random;
use testing::run::{Failed, Program};

pub(crate) fn add(program: &mut Program) {
    let seed = effort::seed(0x7361_6665);
    program.case(format!("html/sanitizer/seed {seed}"), move || {
        documents(seed)
    });

    let seed = effort::seed(0x706f_6c69_6379);
    program.case(format!("html/sanitizer/policies, seed {seed}"), move || {
        policies(seed)
    });

    let seed = effort::seed(0x7472_6565);
    program.case(
        format!("html/sanitizer/unchanged trees, seed {seed}"),
        move || unchanged(seed),
    );

    for (number, attack) in known().into_iter().enumerate() {
        program.case(format!("html/sanitizer/known attack {number}"), move || {
            check_safe(attack)
        });
    }
}

fn documents(seed: u64) -> Result<(), Failed> {
    let mut random = Random(seed);
    for number in 0..effort::documents(100, 2_000) {
        let case = attacked(case(&mut random), &mut random);
        check_safe(&case.tokens.concat())
            .map_err(|wrong| format!("seed {seed}, document {number}: {wrong}"))?;
    }
    Ok(())
}

fn policies(seed: u64) -> Result<(), Failed> {
    let mut random = Random(seed);
    for number in 0..effort::documents(300, 6_000) {
        let case = match random.one_in(3) {
            true => attacked(case(&mut random), &mut random),
            false => case(&mut random),
        };
        let case = decorated(case, &mut random);
        let (policy, markup) = (policy(&mut random), case.tokens.concat());
        check_policy(&policy, &markup, &mut random).map_err(|wrong| {
            format!("seed {seed}, document {number}: {policy:?} of {markup:?}: {wrong}")
        })?;
    }
    Ok(())
}

/// Trees whose markup the sanitizer does not parse again are parsed as they are.
fn unchanged(seed: u64) -> Result<(), Failed> {
    let mut random = Random(seed);
    let documents = effort::documents(20_000, 400_000);
    let mut checked = 0;
    for number in 0..documents {
        let is_checked = check_unchanged(&mut random)
            .map_err(|wrong| format!("seed {seed}, tree {number}: {wrong}"))?;
        checked += usize::from(is_checked);
    }
    let is_enough = checked * 10 > documents;
    let found = format!("only {checked} of {documents} trees were recognized");
    is_enough.then_some(()).ok_or_else(|| found.into())
}
