//! Ends the program with the document in hand where that takes for ever. It knows nothing of what is
//! done with it.

use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};
use testing::generate::html::Case;

/// For ever, for a document of a few dozen tokens or a page.
const EVER: Duration = Duration::from_secs(4);

static IN_HAND: Mutex<Option<(Instant, Case)>> = Mutex::new(None);

/// Starts to watch.
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

/// Says what comes next.
pub fn begins(case: &Case) {
    if let Ok(mut in_hand) = IN_HAND.lock() {
        *in_hand = Some((Instant::now(), case.clone()));
    }
}
