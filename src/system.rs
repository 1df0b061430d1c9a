//! Access to the machine: the disk, signals, standard error, memory, processors.
//!
//! This room imports no other. Start with [`disk`]: everything that the store and the cache write goes through
//! [`Disk`], so that tests can make any call fail. The data cache, the store and the command line are its main users,
//! and methods take [`CancelToken`] from here. [`supervise`] runs programs of others within limits.

pub mod address;
mod address_space;
mod cancel;
mod control_group;
mod descendants;
pub mod disk;
mod elapsed;
pub mod files;
pub mod machine;
pub mod named_file;
pub mod notice;
pub mod outputs;
mod panics;
mod patient;
pub mod processor_time;
mod scratch;
pub mod signals;
pub mod supervise;
mod tail;

pub use address_space::limit_address_space;
pub use cancel::CancelToken;
pub use disk::{Disk, RealDisk};
pub use elapsed::elapsed;
pub use panics::{quiet_caught_panics, survive};
pub use patient::Patient;
pub use scratch::Scratch;
pub use tail::Tail;
