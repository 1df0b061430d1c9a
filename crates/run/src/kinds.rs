//! List the kinds of one thing (protocols, figures, claims): a struct a kind, a line a kind.
//!
//! A list is an enumeration, so that a benchmark file names a kind and `serde` reads it. Its method
//! `kind` leads from the enumeration to the trait that every kind implements in a file of its own.
//! A room further down that needs another trait of the same kinds has one `match` with a line a
//! kind.

/// Declares an enumeration of structs, and `kind`, which returns the struct as the trait that all
/// of them implement.
///
/// A line is `Name(Struct)`, or `Name` for a struct of this name without fields, which a file
/// writes as a string.
macro_rules! kinds {
    ($(#[$attribute:meta])* pub enum $name:ident: $trait:ident {
        $($(#[$doc:meta])* $kind:ident $(($struct:ty))?,)+
    }) => {
        $(#[$attribute])*
        pub enum $name {
            $($(#[$doc])* $kind $(($struct))?,)+
        }

        impl $name {
            /// What all kinds have in common.
            pub fn kind(&self) -> &dyn $trait {
                match self {
                    $(Self::$kind $((kinds!(@bound kind $struct)))? => kinds!(@value kind $kind $($struct)?),)+
                }
            }
        }
    };
    (@bound $kind:ident $struct:ty) => { $kind };
    (@value $bound:ident $kind:ident $struct:ty) => { $bound };
    (@value $bound:ident $kind:ident) => { &$kind };
}
pub(crate) use kinds;
