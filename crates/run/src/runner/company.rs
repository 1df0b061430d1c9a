//! Record which other work runs during a trial, so that its times are not mistaken for those of an
//! idle machine.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::record::Beside;
use uqbench_system::machine::load;

/// The running trials of one run, each with the largest number of other trials beside it so far.
#[derive(Debug, Default)]
pub(super) struct Company(Mutex<Vec<Arc<AtomicUsize>>>);

impl Company {
    fn members(&self) -> MutexGuard<'_, Vec<Arc<AtomicUsize>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does one trial's work, and returns what ran beside it.
    pub fn accompany<T>(&self, work: impl FnOnce() -> T) -> (T, Beside) {
        let own = Arc::new(AtomicUsize::new(0));
        let before = load();
        {
            let mut members = self.members();
            members.push(own.clone());
            let others = members.len() - 1;
            members.iter().for_each(|member| _ = member.fetch_max(others, Ordering::Relaxed));
        }
        let done = work();
        self.members().retain(|member| !Arc::ptr_eq(member, &own));
        let load = before.into_iter().chain(load()).reduce(f64::max);
        (done, Beside { trials: own.load(Ordering::Relaxed), load })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;

    #[test]
    fn the_largest_number_of_others_is_counted() {
        let (company, both) = (Company::default(), Barrier::new(2));
        std::thread::scope(|scope| {
            let trial = || company.accompany(|| both.wait()).1.trials;
            let threads = [scope.spawn(trial), scope.spawn(trial)];
            assert_eq!(threads.map(|thread| thread.join().unwrap()), [1, 1]);
        });
        assert_eq!(company.accompany(|| ()).1.trials, 0, "the others have ended");
        let (inner, outer) = company.accompany(|| company.accompany(|| ()).1);
        assert_eq!([inner.trials, outer.trials], [1, 1], "one that began later and ended earlier");
    }
}
