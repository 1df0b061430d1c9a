//! What the program needs of the machine and of the person before it: the disk, signals, standard error, memory.
//!
//! Everything that the store and the cache write goes through [`Disk`], so that tests can make it fail.

mod cancel;
pub mod disk;
pub mod files;
pub mod machine;
pub mod notice;
pub mod signals;

pub use cancel::CancelToken;
pub use disk::{Disk, RealDisk};
