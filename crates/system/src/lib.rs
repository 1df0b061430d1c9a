//! Access to the machine: the disk, signals, standard error, memory, processors.
//!
//! Start with [`disk`]: everything that the store and the cache write goes through [`Disk`], so
//! that tests can make any call fail. [`supervise`] runs programs of others within limits.

pub mod address;
mod address_space;
pub mod carried;
mod control_group;
mod descendants;
pub mod disk;
mod elapsed;
pub mod files;
pub mod hash;
pub mod machine;
pub mod named_file;
pub mod notice;
pub mod outputs;
mod panics;
mod patient;
pub mod processor_time;
pub mod program;
mod scratch;
pub mod signals;
pub mod supervise;
mod tail;
pub mod whole_folder;

pub use address_space::limit_address_space;
pub use disk::{Disk, RealDisk};
pub use elapsed::elapsed;
pub use panics::{quiet_caught_panics, survive};
pub use patient::Patient;
pub use scratch::Scratch;
pub use tail::Tail;
