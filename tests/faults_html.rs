//! Faults of HTML that were found from outside, each as the case that showed it.
