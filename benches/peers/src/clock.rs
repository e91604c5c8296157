//! How long something takes: the time of this thread alone, so that other programs on the machine
//! disturb it less than they do a clock on the wall.

/// Seconds that this thread has run.
pub fn now() -> f64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the call writes the time where it is told to and nothing else.
    let status = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    assert_eq!(status, 0, "the thread has a clock");
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// The least seconds that are measured at a time; what takes less is done again and again.
const SAMPLE: f64 = 2e-3;

/// What takes so many seconds does not notice what another has left.
const LONG: f64 = 0.5;

/// Fewer rounds make no median.
const ROUNDS: usize = 5;

/// The seconds that a task takes, so many times.
fn time(task: &mut impl FnMut(), repeats: usize) -> f64 {
    let start = now();
    for _ in 0..repeats {
        task();
    }
    now() - start
}

/// The median seconds of each task, done in turn with the others for some seconds each. What is short
/// goes once before it counts.
pub fn medians(tasks: &mut [impl FnMut()], seconds: f64) -> Vec<f64> {
    let once: Vec<f64> = tasks.iter_mut().map(|task| time(task, 1)).collect();
    let repeats = |once: f64| (SAMPLE / once).ceil().clamp(1.0, 1e6) as usize;
    let begin = now();
    let budget = seconds * tasks.len() as f64;
    let mut times = vec![Vec::new(); tasks.len()];
    while times.first().is_some_and(|times| times.len() < ROUNDS) || now() - begin < budget {
        for ((task, &once), times) in tasks.iter_mut().zip(&once).zip(&mut times) {
            // What the task before has freed is put in order by the next allocation of much memory.
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
