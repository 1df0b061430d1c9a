//! Choose the methods that are tried on a table of one's own.

mod variants;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};

use super::Method;
use super::conformal::AdaptiveConformal;
use super::entry::Tried;
use super::external::{External, ExternalParameters, Host};
use super::registry::{self, METHODS, RegistryError};
use super::stack::Stack;
use crate::data::scaling::Scaling;
use crate::predictive::Bounds;
use variants::{VARIANTS, Variant};

pub use variants::{LOG_NORMAL, UNCALIBRATED_STACK};

/// Before a method's name: the method, calibrated by its errors at out-of-fold rows. It is a stack of this method alone.
pub const CALIBRATED: &str = "calibrated-";

/// Before a method's name: adaptive conformal inference over the method.
pub const ADAPTIVE: &str = "adaptive-";

/// What stands for every method of the registry that is tried, and for all of [`PANEL`], some of which are calibrated.
/// What depends on the table, and what can be put around every method, has to be named.
pub const ALL: &str = "all";

/// What is tried where no method is named, and up to how many rows. Where the time does not suffice for all, the first
/// ones are tried.
pub const PANEL: [(&str, usize); 10] = [
    ("unconditional-gaussian", usize::MAX),
    ("unconditional-quantiles", usize::MAX),
    ("linear-gaussian", usize::MAX),
    ("calibrated-linear-gaussian", usize::MAX),
    ("calibrated-boosting-quantiles", usize::MAX),
    ("stack", usize::MAX),
    ("calibrated-quantile-forest-validated", usize::MAX),
    ("calibrated-ngboost", usize::MAX),
    ("calibrated-deep-ensemble", usize::MAX),
    ("calibrated-exact-gp", 1000),
];

/// What is tried besides where rows are in time, each after this method of the panel: two cheap ones, which tell whether levels that
/// follow the misses help on this table.
pub const IN_TIME: [(&str, &str); 2] = [
    ("calibrated-linear-gaussian", "adaptive-linear-gaussian"),
    ("calibrated-boosting-quantiles", "adaptive-boosting-quantiles"),
];

/// What is tried besides where every target is above zero: plain, and calibrated.
pub const POSITIVE: [&str; 2] = [LOG_NORMAL, "calibrated-log-normal-ngboost"];

/// Approximate seconds of one fit with these numbers of rows and features.
pub type Cost = Box<dyn Fn(f64, f64) -> f64 + Send + Sync>;

/// A method that is to be tried.
pub struct Candidate {
    /// Its name in the registry, with [`CALIBRATED`] or [`ADAPTIVE`] before it or not, or the name of an external method.
    pub id: Cow<'static, str>,
    /// Its parameters in words.
    pub settings: Cow<'static, str>,
    /// The method.
    pub method: Box<dyn Method>,
    /// Its cost; `None` where unknown.
    pub cost: Option<Cost>,
    /// Where an external method runs.
    pub host: Option<Arc<Host>>,
    /// What is done to features and target before a fit.
    pub scaling: Scaling,
}

impl Candidate {
    /// An external method.
    pub fn external(parameters: ExternalParameters, host: Host) -> Self {
        Self {
            id: parameters.name.clone().into(),
            settings: "an external method".into(),
            method: Box::new(External::new(parameters)),
            cost: None,
            host: Some(Arc::new(host)),
            scaling: Scaling::TrainRows,
        }
    }

    /// Whether its program runs outside of this one.
    pub fn is_external(&self) -> bool {
        self.host.is_some()
    }

    /// Whether the method ignores the features.
    pub fn is_unconditional(id: &str) -> bool {
        id.starts_with("unconditional-")
    }

    /// The method of a comparison that has ended, built from its parameters. `id` is its name there, and `method` that in the
    /// registry.
    ///
    /// # Errors
    /// [`RegistryError`] where the registry does not have it, or not with these parameters.
    pub fn saved(id: &str, settings: &str, method: &str, parameters: &Value) -> Result<Self, RegistryError> {
        let method = registry::build(method, parameters)?;
        let (cost, scaling) = Self::named(id).map_or((None, Scaling::TrainRows), |known| (known.cost, known.scaling));
        let (id, settings) = (id.to_owned().into(), settings.to_owned().into());
        Ok(Self { id, settings, method, cost, host: None, scaling })
    }

    /// The method of this name, as it is tried.
    ///
    /// # Errors
    /// [`RegistryError::Unknown`] for a name that the registry does not have; [`RegistryError::Unnamed`] where none
    /// follows what is put around a method; [`RegistryError::Parameters`] where the method cannot be built without
    /// parameters.
    fn named(name: &str) -> Result<Self, RegistryError> {
        let (around, of) = Around::of(name);
        if of.is_empty() {
            return Err(RegistryError::Unnamed { prefix: name.to_owned() });
        }
        let Alone { id, parameters, settings, cost, scaling } = Alone::named(of)?;
        let part = json!({ "id": id, "parameters": parameters });
        let (method, words, fits) = match around {
            None => (registry::build(id, &parameters)?, "", 1.0),
            Some(Around::Calibrated) => (
                registry::build(Stack::ENTRY.id, &json!({ "methods": [part] }))?,
                "; calibrated by its errors at out-of-fold rows",
                Stack::FITS,
            ),
            Some(Around::Adaptive) => (
                registry::build(AdaptiveConformal::ENTRY.id, &json!({ "method": part }))?,
                "; moved by its errors on the later half of the rows, at levels that follow the misses there",
                AdaptiveConformal::FITS,
            ),
        };
        let settings = if words.is_empty() { settings.into() } else { format!("{settings}{words}").into() };
        let cost = cost.map(|cost| Box::new(move |n, d| fits * cost(n, d)) as Cost);
        Ok(Self { id: name.to_owned().into(), settings, method, cost, host: None, scaling })
    }

    /// The name of what follows the misses in time in place of this method, which does not; `None` where it does.
    pub fn adaptive(name: &str) -> Option<String> {
        let (around, of) = Around::of(name);
        (around != Some(Around::Adaptive)).then(|| format!("{ADAPTIVE}{of}"))
    }

    /// The name of the same method without calibration; `None` where it is not calibrated.
    pub fn uncalibrated(name: &str) -> Option<&str> {
        if name == Stack::ENTRY.id { Some(UNCALIBRATED_STACK) } else { name.strip_prefix(CALIBRATED) }
    }

    /// The fewest training rows by which intervals are calibrated: of fewer errors none lies that far out.
    pub fn rows_to_calibrate(bounds: Bounds) -> usize {
        let (lower, _) = bounds.levels();
        Stack::fewest_rows(lower)
    }

    /// The fewest training rows of which the later half does.
    pub fn rows_to_adapt(bounds: Bounds) -> usize {
        2 * Self::rows_to_calibrate(bounds)
    }
}

/// What is put around a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Around {
    Calibrated,
    Adaptive,
}

impl Around {
    /// What a name puts around a method, and the method's own name. A name of the registry is its own.
    fn of(name: &str) -> (Option<Self>, &str) {
        let after = |prefix, around| Some((Some(around), name.strip_prefix(prefix)?));
        let is_own = METHODS.iter().any(|entry| entry.id == name);
        let found = after(CALIBRATED, Self::Calibrated).or_else(|| after(ADAPTIVE, Self::Adaptive));
        found.filter(|_| !is_own).unwrap_or((None, name))
    }
}

/// A method that is not calibrated, as it is tried.
struct Alone {
    /// Its name in the registry.
    id: &'static str,
    parameters: Value,
    settings: &'static str,
    cost: Option<Cost>,
    scaling: Scaling,
}

impl Alone {
    /// The method of this name in the registry, or the variant of one.
    fn named(name: &str) -> Result<Self, RegistryError> {
        let variant = Variant::named(name);
        let entry = registry::entry(variant.map_or(name, |variant| variant.of))?;
        let tried = entry.tried.as_ref();
        let parameters = tried.map_or(Value::Null, |tried| (tried.parameters)());
        let cost = tried.map(|&Tried { cost, .. }| cost);
        Ok(match variant {
            None => Self {
                id: entry.id,
                parameters,
                settings: tried.map_or("default parameters", |tried| tried.settings),
                cost: cost.map(|cost| Box::new(cost) as Cost),
                scaling: Scaling::TrainRows,
            },
            Some(variant) => Self {
                id: entry.id,
                parameters: variant.parameters(&parameters),
                settings: variant.settings,
                cost: cost.map(|cost| Box::new(move |n, d| variant.share * cost(n, d)) as Cost),
                scaling: variant.scaling,
            },
        })
    }
}

/// The methods of these names ([`ALL`] stands for many) in the order of simplicity. Methods that ignore the features
/// are always among them, because only they show what the features contribute.
///
/// # Errors
/// [`RegistryError`] for a name that cannot be built; [`RegistryError::Several`] for all of them where there are several.
pub fn candidates(names: &[String]) -> Result<Vec<Candidate>, RegistryError> {
    let distinct: BTreeSet<&str> = names.iter().map(String::as_str).filter(|name| *name != ALL).collect();
    let mut wrong: Vec<RegistryError> = distinct.iter().filter_map(|name| Candidate::named(name).err()).collect();
    if wrong.len() > 1 {
        return Err(RegistryError::Several(wrong));
    }
    wrong.pop().map_or(Ok(()), Err)?;
    let all = names.iter().any(|name| name == ALL);
    let mut chosen = Vec::new();
    for entry in METHODS.iter().filter(|entry| entry.tried.is_some()) {
        let is_of_panel = |of: &str| all && PANEL.iter().any(|(name, _)| *name == of);
        let is_named = |of: &str| is_of_panel(of) || names.iter().any(|name| name == of);
        if all || is_named(entry.id) || Candidate::is_unconditional(entry.id) {
            chosen.push(Candidate::named(entry.id)?);
        }
        let variants = VARIANTS.iter().filter(|variant| variant.of == entry.id).map(|variant| variant.name);
        let around = |of: &str| [CALIBRATED, ADAPTIVE].map(|prefix| format!("{prefix}{of}"));
        let further = variants.flat_map(|name| [name.to_owned()].into_iter().chain(around(name)));
        for name in around(entry.id).into_iter().chain(further).filter(|name| is_named(name)) {
            chosen.push(Candidate::named(&name)?);
        }
    }
    for name in names.iter().filter(|name| *name != ALL) {
        if chosen.iter().all(|candidate| candidate.id != *name) {
            chosen.push(Candidate::named(name)?);
        }
    }
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predictive::Side;

    fn ids(names: &[&str]) -> Vec<Cow<'static, str>> {
        let names: Vec<String> = names.iter().map(|name| (*name).into()).collect();
        candidates(&names).unwrap().into_iter().map(|candidate| candidate.id).collect()
    }

    #[test]
    fn anchors_always_take_part_and_the_order_is_that_of_simplicity() {
        let anchors = ["unconditional-gaussian", "unconditional-quantiles"];
        assert_eq!(ids(&[]), anchors);
        assert_eq!(ids(&["dtb", "tree", "dtb"]), [&anchors[..], &["tree", "dtb"]].concat());
        assert_eq!(ids(&["calibrated-tree", "tree"]), [&anchors[..], &["tree", "calibrated-tree"]].concat());
        let (all, tried) = (ids(&[ALL]), METHODS.iter().filter(|entry| entry.tried.is_some()));
        assert!(tried.clone().all(|entry| all.contains(&entry.id.into())));
        assert!(PANEL.iter().all(|(name, _)| all.contains(&(*name).into())));
        let around = all.iter().filter(|name| name.starts_with(CALIBRATED)).count();
        assert_eq!((all.len(), around), (tried.count() + around, 6), "{all:?}");
        assert_eq!(ids(&[ALL, "calibrated-jcm"]).len(), all.len() + 1);
        let panel: Vec<&str> = PANEL.iter().map(|(name, _)| *name).collect();
        assert_eq!(ids(&panel).len(), panel.len());
        let tree = ["tree", "calibrated-tree", "adaptive-tree", "adaptive-conformal"];
        assert_eq!(ids(&["adaptive-tree", "adaptive-conformal", "calibrated-tree", "tree"])[2..], tree);
    }

    #[test]
    fn what_follows_misses_is_put_around_a_method_but_a_name_of_the_registry_is_its_own() {
        for (after, name) in IN_TIME {
            assert!(PANEL.iter().any(|(of, _)| *of == after), "{after}");
            assert_eq!(Candidate::adaptive(after).as_deref(), Some(name));
            assert_eq!(Candidate::adaptive(name), None);
        }
        assert_eq!(Candidate::adaptive("tree").unwrap(), "adaptive-tree");
        let of = |name: &str| Candidate::named(name).unwrap();
        let parameters = of("adaptive-quick-ngboost").method.parameters();
        assert_eq!((&parameters["gamma"], &parameters["method"]["parameters"]["rate"]), (&json!(0.005), &json!(0.05)));
        assert!(
            of("adaptive-tree").settings.ends_with(
                "; moved by its errors on the later half of the rows, at levels that follow the misses there"
            )
        );
        assert_eq!(of("adaptive-conformal").method.parameters()["method"]["id"], "boosting-quantiles");
        let cost = |name: &str| (of(name).cost.unwrap())(1000.0, 10.0);
        assert_eq!(cost("adaptive-tree"), AdaptiveConformal::FITS * cost("tree"));
        assert_eq!(Candidate::rows_to_adapt(Bounds { level: 0.9, side: Side::Both }), 38);
    }

    #[test]
    fn a_wrong_name_suggests_the_right_one() {
        for (name, right) in [
            ("linear-gausian", "linear-gaussian"),
            ("calibrated-linear-gausian", "linear-gaussian"),
            ("adaptive-tre", "tree"),
            ("stak", "stack"),
        ] {
            let unknown = candidates(&[name.into()]).err().map(|error| error.to_string()).unwrap();
            assert!(unknown.contains(&format!("did you mean `{right}`?")), "{unknown}");
        }
    }

    #[test]
    fn all_wrong_names_are_told_at_once() {
        let names = ["stak", "tree", "forst", "stak"].map(String::from);
        let told = candidates(&names).err().map(|error| error.to_string()).unwrap();
        let [head, forst, stak] = told.lines().collect::<Vec<_>>().try_into().unwrap();
        assert_eq!(head, "2 names are wrong:");
        assert!(forst.starts_with("  there is no method `forst`, did you mean "), "{told}");
        assert!(stak.starts_with("  there is no method `stak`, did you mean `stack`?"), "{told}");
    }

    #[test]
    fn a_name_that_is_missing_is_told() {
        let told = |name: &str| candidates(&[name.into()]).err().map(|error| error.to_string()).unwrap();
        assert_eq!(
            told("calibrated-"),
            "`calibrated-` needs the name of a method behind it, such as `calibrated-linear-gaussian`; `uqbench list \
             methods` shows them all"
        );
        assert!(told("adaptive-").starts_with("`adaptive-` needs the name"), "{}", told("adaptive-"));
        assert_eq!(told(""), "the name of a method is empty: is there a comma too many?");
    }

    #[test]
    fn a_variant_has_other_parameters_and_its_share_of_the_cost() {
        for variant in &VARIANTS {
            let [own, of] = [variant.name, variant.of].map(|name| Candidate::named(name).unwrap());
            assert_ne!(own.method.parameters(), of.method.parameters(), "{}", variant.name);
            assert_eq!((own.method.id(), &*own.id), (variant.of, variant.name));
            let cost = |candidate: &Candidate| (candidate.cost.as_ref().unwrap())(1000.0, 10.0);
            assert_eq!(cost(&own), variant.share * cost(&of));
        }
        let positive: Vec<&str> = POSITIVE.to_vec();
        assert_eq!(ids(&positive)[2..], POSITIVE);
        let quick = Candidate::named("quick-ngboost").unwrap().method.parameters();
        assert_eq!((&quick["rate"], &quick["rounds"]["most"]), (&json!(0.05), &json!(400)));
        assert_eq!(quick["rounds"]["held_out"], 0.2, "what is not stated is the method's own");
        let names = ["calibrated-quick-ngboost", "calibrated-ngboost", "quick-ngboost"];
        assert_eq!(ids(&names)[2..], ["calibrated-ngboost", "quick-ngboost", "calibrated-quick-ngboost"]);
    }

    #[test]
    fn each_calibrated_method_has_one_without_calibration() {
        assert_eq!(Candidate::uncalibrated("calibrated-quick-ngboost"), Some("quick-ngboost"));
        assert_eq!(Candidate::uncalibrated("ngboost"), None);
        let pool = Candidate::named(Candidate::uncalibrated("stack").unwrap()).unwrap();
        assert_eq!(pool.method.parameters()["calibrated"], false);
        assert_eq!(pool.method.parameters()["methods"].as_array().map(Vec::len), Some(4));
        // 0.05 (n + 1) ≥ 1, and 0.1 (n + 1) ≥ 1 of one bound.
        for (side, rows) in [(Side::Both, 19), (Side::Upper, 9), (Side::Lower, 9)] {
            assert_eq!(Candidate::rows_to_calibrate(Bounds { level: 0.9, side }), rows, "{side}");
        }
    }

    /// What fits of 100 rows and 4 features took at least on one processor beside other work, in seconds, of the
    /// methods that took longest: a model without the part that does not shrink with the rows expected a thousandth of
    /// it.
    #[test]
    fn small_tables_cost_what_does_not_shrink_with_them() {
        let cost = |name: &str| (Candidate::named(name).unwrap().cost.unwrap())(100.0, 4.0);
        for (name, floor, most) in [
            ("deep-gp", 30.0, 60.0),
            ("bnn-hmc", 20.0, 60.0),
            ("stochastic-sparse-gp", 1.5, 6.0),
            ("nonstationary-gp", 1.5, 5.0),
            ("linfa-forest", 0.1, 0.5),
            ("wiener-kernel-regression", 0.05, 0.2),
            ("linear-gaussian", 5e-5, 1e-3),
        ] {
            let seconds = cost(name);
            assert!((floor..=most).contains(&seconds), "{name}: {seconds} s");
        }
        let all: f64 = ids(&[ALL]).iter().map(|name| cost(name)).sum();
        assert!((60.0..=150.0).contains(&all), "{all} s");
    }

    #[test]
    fn a_calibrated_method_costs_its_fits() {
        let of = |name: &str| (Candidate::named(name).unwrap().cost.unwrap())(1000.0, 10.0);
        assert_eq!(of("calibrated-tree"), Stack::FITS * of("tree"));
        let members = ["quantile-forest", "ngboost", "boosting-quantiles", "deep-ensemble"];
        assert!((of("stack") / members.map(|id| Stack::FITS * of(id)).iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
}
