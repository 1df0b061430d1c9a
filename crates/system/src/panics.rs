//! Turn a panic into a value, without its usual message on standard error.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};

thread_local! {
    static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
    /// Where the last caught panic happened, as `src/mine.rs:12`.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Stops panics inside [`survive`] from being printed, because they become errors. Called once, by
/// the binary.
pub fn quiet_caught_panics() {
    let default = take_hook();
    set_hook(Box::new(move |info| {
        if IS_CAUGHT.get() {
            let place = info.location().map(|at| format!("{}:{}", at.file(), at.line()));
            PLACE.set(place);
        } else {
            default(info);
        }
    }));
}

/// Runs work and catches its panic, which is not printed where the work panics in this thread.
///
/// # Errors
/// The panic's message, with its place in the source after [`quiet_caught_panics`].
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
    let place = PLACE.take().map_or_else(String::new, |place| format!(" ({place})"));
    format!("panicked: {}{place}", text.unwrap_or("without a message"))
}
