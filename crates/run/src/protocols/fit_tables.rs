//! Collect what a fit says of itself, and of the fits that it consists of.

use uq_methods::{Fitted, SideTable};

/// The side tables of a fit, and those of its parts, each with its method's name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FitTables {
    /// Its own side tables.
    pub own: Vec<SideTable>,
    /// The side tables of the fits that it consists of.
    pub parts: Vec<(&'static str, Self)>,
}

impl FitTables {
    /// The side tables of this fit.
    pub fn of(fitted: &dyn Fitted) -> Self {
        let parts = fitted.parts().into_iter().map(|(id, part)| (id, Self::of(part))).collect();
        Self { own: fitted.side_tables(), parts }
    }
}
