//! Turn a panic into a value, without its usual message on standard error.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};

thread_local! {
    static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Stops panics inside [`survive`] from being printed, because they become errors. Called once, by
/// the binary.
pub fn quiet_caught_panics() {
    let default = take_hook();
    set_hook(Box::new(move |info| {
        if !IS_CAUGHT.get() {
            default(info);
        }
    }));
}

/// Runs work and catches its panic, which is not printed where the work panics in this thread.
///
/// # Errors
/// The panic's message.
pub fn survive<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let outer = IS_CAUGHT.replace(true);
    let end = catch_unwind(AssertUnwindSafe(work));
    IS_CAUGHT.set(outer);
    end.map_err(|payload| message(payload.as_ref()))
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload
        .downcast_ref::<&str>()
        .copied()
        .or(payload.downcast_ref::<String>().map(String::as_str));
    format!("panicked: {}", text.unwrap_or("without a message"))
}
