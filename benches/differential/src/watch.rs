//! Ends the program and prints the current document if it takes too long.

use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};
use testing::generate::html::Case;

/// Maximum time for one document, which is a few dozen tokens or a page.
const EVER: Duration = Duration::from_secs(4);

static IN_HAND: Mutex<Option<(Instant, Case)>> = Mutex::new(None);

/// Starts a thread that checks the time.
pub fn start() {
    thread::spawn(|| {
        loop {
            thread::sleep(EVER / 4);
            let Ok(in_hand) = IN_HAND.lock() else {
                return;
            };
            if let Some((since, case)) = &*in_hand
                && since.elapsed() > EVER
            {
                println!("takes for ever: {case}");
                std::process::exit(1);
            }
        }
    });
}

/// Sets the current document and starts its time.
pub fn begins(case: &Case) {
    if let Ok(mut in_hand) = IN_HAND.lock() {
        *in_hand = Some((Instant::now(), case.clone()));
    }
}
