//! Placeholder of the protocols room.
