//! Placeholder of the runner room.
