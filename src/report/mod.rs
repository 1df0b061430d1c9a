//! Placeholder of the report room.
