//! The fit, the conditional mixture and the entropy bounds against naive formulas, closed forms and integrals.
