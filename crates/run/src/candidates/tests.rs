use super::*;
use uq_core::predictive::Side;

fn ids(names: &[&str]) -> Vec<Cow<'static, str>> {
    let names: Vec<String> = names.iter().map(|name| (*name).into()).collect();
    candidates(&names).unwrap().into_iter().map(|candidate| candidate.id).collect()
}

#[test]
fn anchors_always_take_part_and_the_order_is_that_of_simplicity() {
    let anchors = ["unconditional-gaussian", "unconditional-quantiles"];
    assert_eq!(ids(&[]), anchors);
    assert_eq!(ids(&["dtb", "tree", "dtb"]), [&anchors[..], &["tree", "dtb"]].concat());
    assert_eq!(
        ids(&["calibrated-tree", "tree"]),
        [&anchors[..], &["tree", "calibrated-tree"]].concat()
    );
    let all = ids(&[ALL]);
    let tried = methods().iter().filter(|entry| entry.tried.is_some());
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
    assert_eq!(
        (&parameters["gamma"], &parameters["method"]["parameters"]["rate"]),
        (&json!(0.005), &json!(0.05))
    );
    assert!(of("adaptive-tree").settings.ends_with(
        "; moved by its errors on the later half of the rows, at levels that follow \
                        the misses there"
    ));
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
    let told =
        |name: &str| candidates(&[name.into()]).err().map(|error| error.to_string()).unwrap();
    assert_eq!(
        told("calibrated-"),
        "`calibrated-` needs the name of a method behind it, such as `calibrated-linear-gaussian`"
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
    assert_eq!(
        ids(&names)[2..],
        ["calibrated-ngboost", "quick-ngboost", "calibrated-quick-ngboost"]
    );
}

#[test]
fn what_is_calibrated_may_be_so_in_groups() {
    let of = |name: &str| Candidate::named(name).unwrap().calibrated_by("colour", &[2, 3]).unwrap();
    for name in ["stack", "calibrated-tree"] {
        let found = of(name).unwrap();
        assert_eq!((&*found.id, &found.method.parameters()["groups"]), (name, &json!([2, 3])));
        let told = "by its errors at out-of-fold rows, apart in each value of \"colour\" with 20 \
                    rows or more";
        assert!(name == "stack" || found.settings.ends_with(told), "{}", found.settings);
        let (with, without) = (found.cost.unwrap(), Candidate::named(name).unwrap().cost.unwrap());
        assert_eq!(with(500.0, 4.0), without(500.0, 4.0));
    }
    for name in ["tree", UNCALIBRATED_STACK, "adaptive-tree", "unconditional-quantiles"] {
        assert!(of(name).is_none(), "{name}");
    }
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

/// What fits of 100 rows and 4 features took at least on one processor beside other work, in
/// seconds, of the methods that took longest: a model without the part that does not shrink with
/// the rows expected a thousandth of it.
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
    assert_eq!(of("calibrated-tree"), Stack::seconds(1000.0, of("tree")));
    let members = ["quantile-forest", "ngboost", "boosting-quantiles", "deep-ensemble"];
    let expected = Stack::seconds(1000.0, members.map(of).iter().sum());
    assert!((of("stack") / expected - 1.0).abs() < 1e-12);
}
