//! Every order of the steps in which threads can lend, use and take back a thing: `RUSTFLAGS="--cfg
//! loom" cargo test --package sinew-lending-model --release`. Without that flag there is nothing
//! here.
#![cfg(loom)]

use loom::sync::Arc;
use loom::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use loom::thread;
use sinew_lending_model::LoanSlot;

/// A thing that knows whether it still exists: what a borrowed piece of work is to the host's
/// threads.
#[derive(Clone, Copy)]
struct Thing(&'static Flags);

struct Flags {
    exists: AtomicBool,
    used: AtomicU32,
}

fn thing() -> Thing {
    Thing(Box::leak(Box::new(Flags { exists: AtomicBool::new(true), used: AtomicU32::new(0) })))
}

impl Thing {
    fn use_it(self) {
        assert!(self.0.exists.load(Ordering::Relaxed), "used after it was taken back");
        self.0.used.fetch_add(1, Ordering::Relaxed);
        assert!(self.0.exists.load(Ordering::Relaxed), "taken back while it was in use");
    }
    fn end(self) {
        self.0.exists.store(false, Ordering::Relaxed);
    }
}

#[test]
fn no_thread_uses_a_revoked_value() {
    loom::model(|| {
        let slot = Arc::new(LoanSlot::new());
        let one = thing();
        slot.lend(1, one);
        let users: Vec<_> = (0..2)
            .map(|_| {
                let slot = slot.clone();
                thread::spawn(move || slot.with(1, Thing::use_it).is_some())
            })
            .collect();
        slot.revoke();
        one.end();
        let used = users.into_iter().map(|user| user.join().unwrap() as u32).sum::<u32>();
        assert_eq!(used, one.0.used.load(Ordering::Relaxed));
        assert!(slot.with(1, |_| ()).is_none());
    });
}

#[test]
fn a_late_user_gets_nothing_of_the_next_thing() {
    loom::model(|| {
        let slot = Arc::new(LoanSlot::new());
        let (one, two) = (thing(), thing());
        slot.lend(1, one);
        let late = {
            let slot = slot.clone();
            thread::spawn(move || slot.with(1, Thing::use_it))
        };
        slot.revoke();
        one.end();
        slot.lend(2, two);
        late.join().unwrap();
        assert_eq!(two.0.used.load(Ordering::Relaxed), 0);
        slot.revoke();
        two.end();
    });
}
