//! Measures the CPU time of the thread. Other programs on the machine disturb this time less than the elapsed time.

/// Returns the CPU time of this thread, in seconds.
pub fn now() -> f64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the call only writes the time to the given variable.
    let status = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    assert_eq!(status, 0, "the thread has a clock");
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Minimum seconds of one measurement. Shorter tasks are repeated.
const SAMPLE: f64 = 2e-3;

/// Tasks of at least this many seconds are not run once before the measurement, because the state of the memory hardly
/// affects them.
const LONG: f64 = 0.5;

/// Minimum number of measurements of which a median is taken.
const ROUNDS: usize = 5;

/// Returns the seconds that a number of runs of a task take.
fn time(task: &mut impl FnMut(), repeats: usize) -> f64 {
    let start = now();
    for _ in 0..repeats {
        task();
    }
    now() - start
}

/// Returns the median seconds of each task. The tasks are run in turn, for `seconds` each. Short tasks run once before
/// each measurement.
pub fn medians(tasks: &mut [impl FnMut()], seconds: f64) -> Vec<f64> {
    let once: Vec<f64> = tasks.iter_mut().map(|task| time(task, 1)).collect();
    let repeats = |once: f64| (SAMPLE / once).ceil().clamp(1.0, 1e6) as usize;
    let begin = now();
    let budget = seconds * tasks.len() as f64;
    let mut times = vec![Vec::new(); tasks.len()];
    while times.first().is_some_and(|times| times.len() < ROUNDS) || now() - begin < budget {
        for ((task, &once), times) in tasks.iter_mut().zip(&once).zip(&mut times) {
            // The next large allocation may have to tidy up the memory that the previous task freed. This run takes
            // that cost.
            if once < LONG {
                task();
            }
            let repeats = repeats(once);
            times.push(time(task, repeats) / repeats as f64);
        }
    }
    let median = |mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    times.into_iter().map(median).collect()
}
