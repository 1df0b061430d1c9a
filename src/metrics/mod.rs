//! Placeholder of the metrics room.
