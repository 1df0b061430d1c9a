//! Access to the machine: the disk, signals, standard error, memory, processors.
//!
//! This room imports no other. Start with [`disk`]: everything that the store and the cache write goes through
//! [`Disk`], so that tests can make any call fail. The data cache, the store and the command line are its main users,
//! and methods take [`CancelToken`] from here.

mod cancel;
pub mod disk;
pub mod files;
pub mod machine;
pub mod notice;
pub mod signals;

pub use cancel::CancelToken;
pub use disk::{Disk, RealDisk};
