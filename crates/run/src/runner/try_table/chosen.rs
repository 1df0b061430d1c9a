//! Read which settings a fit has chosen inside its training rows.

use crate::protocols::{FitTables, WholeFit};
use uq_methods::SideTable;
use uq_methods::side_tables::{Candidates, HeldOutLoss, Pool};

/// A setting that a fit has chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct ChosenSetting {
    /// Its name, after that of the method inside which has chosen it; the lone member of a stack,
    /// as of `calibrated-NAME`, is not named.
    pub name: String,
    /// Its value; of one that is no number its place in the list of values, from 0.
    pub value: f64,
}

/// What the fit of all rows has chosen.
pub fn settings_of(fit: &WholeFit) -> Vec<ChosenSetting> {
    let FitTables { own, parts } = fit.tables();
    settings(&own, &parts)
}

/// What a fit with these side tables has chosen, and what its parts have.
pub(super) fn settings(
    own: &[SideTable],
    parts: &[(&'static str, FitTables)],
) -> Vec<ChosenSetting> {
    let mut found: Vec<ChosenSetting> = own.iter().flat_map(in_table).collect();
    let of_parts: Vec<(&str, Vec<ChosenSetting>)> =
        parts.iter().map(|(id, tables)| (*id, settings(&tables.own, &tables.parts))).collect();
    let of_parts: Vec<(&str, &[ChosenSetting])> =
        of_parts.iter().map(|(id, settings)| (*id, settings.as_slice())).collect();
    match own.iter().find_map(Pool::from_table) {
        Some(pool) => found.extend(settings_of_pool(&pool, &of_parts)),
        None => found.extend(of_parts.iter().flat_map(|(id, settings)| named(id, settings))),
    }
    found
}

/// The settings of a part, after its name.
fn named(id: &str, settings: &[ChosenSetting]) -> impl Iterator<Item = ChosenSetting> {
    let named = move |setting: &ChosenSetting| ChosenSetting {
        name: format!("{id}: {}", setting.name),
        value: setting.value,
    };
    settings.iter().map(named)
}

/// What a pool has chosen: the weights of its members, and what each of them has; a lone member is
/// not named.
pub(super) fn settings_of_pool(
    pool: &Pool,
    members: &[(&str, &[ChosenSetting])],
) -> Vec<ChosenSetting> {
    if let [(_, alone)] = members {
        return alone.to_vec();
    }
    let weights = members.iter().zip(&pool.weight);
    let weights = weights
        .map(|((id, _), weight)| ChosenSetting { name: format!("weight of {id}"), value: *weight });
    weights.chain(members.iter().flat_map(|(id, settings)| named(id, settings))).collect()
}

/// What a search has chosen that left this side table.
fn in_table(table: &SideTable) -> Vec<ChosenSetting> {
    if let Some(rounds) = HeldOutLoss::from_table(table).and_then(|losses| losses.chosen()) {
        return vec![ChosenSetting { name: "rounds".into(), value: rounds }];
    }
    let is_search = [Candidates::SEARCH, Candidates::CHOICE].contains(&table.name.as_str());
    let chosen = Candidates::from_table(table)
        .filter(|_| is_search)
        .and_then(|search| search.chosen_settings());
    let (names, values) = chosen.unwrap_or_default();
    names.into_iter().zip(values).map(|(name, value)| ChosenSetting { name, value }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setting(name: &str, value: f64) -> ChosenSetting {
        ChosenSetting { name: name.into(), value }
    }

    fn boosted(rounds: usize) -> FitTables {
        let round: Vec<f64> = (0..=rounds).map(|round| round as f64).collect();
        let loss = round.iter().rev().copied().collect();
        FitTables { own: vec![HeldOutLoss { round, loss }.to_table()], parts: Vec::new() }
    }

    #[test]
    fn searches_rounds_and_weights_are_settings_and_a_lone_member_needs_no_name() {
        let columns =
            vec![("min_leaf".to_owned(), vec![3.0, 9.0]), ("crps".to_owned(), vec![2.0, 1.0])];
        let search = Candidates { columns, chosen: vec![false, true] }.to_table(Candidates::SEARCH);
        let trace = SideTable { name: "trace-0".into(), columns: vec![("loss".into(), vec![1.0])] };
        assert_eq!(settings(&[trace.clone(), search.clone()], &[]), [setting("min_leaf", 9.0)]);
        let pool = |weight: Vec<f64>| {
            let member: Vec<f64> = (0..weight.len()).map(|place| place as f64).collect();
            Pool { member, crps: vec![1.0; weight.len()], weight }.to_table()
        };
        assert_eq!(
            settings(&[pool(vec![1.0])], &[("ngboost", boosted(4))]),
            [setting("rounds", 4.0)]
        );
        // A stack of one, a conformal method, and a conformal method inside a stack of one.
        assert_eq!(settings(&[], &[("ngboost", boosted(4))]), [setting("ngboost: rounds", 4.0)]);
        let conformal = FitTables { own: Vec::new(), parts: vec![("ngboost", boosted(4))] };
        let inside = settings(&[pool(vec![1.0])], &[("cv-plus", conformal)]);
        assert_eq!(inside, [setting("ngboost: rounds", 4.0)]);
        let forest = FitTables { own: vec![search], parts: Vec::new() };
        assert_eq!(
            settings(&[pool(vec![0.75, 0.25])], &[("forest", forest), ("ngboost", boosted(7))]),
            [
                setting("weight of forest", 0.75),
                setting("weight of ngboost", 0.25),
                setting("forest: min_leaf", 9.0),
                setting("ngboost: rounds", 7.0),
            ]
        );
        assert!(settings(&[trace], &[]).is_empty());
    }
}
