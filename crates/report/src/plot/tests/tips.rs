//! Test the words about places of figures: that each lies where something is drawn, and what they
//! say.

use super::super::Render;
use super::bars::bars;
use super::boxes::boxes;
use super::decomposition::variances;
use super::hyper_functions::{hyper_functions, learning};
use super::learning_panels::learning_panels;
use super::mixtures::mixtures;
use super::wiener::{realisations, tubes};
use super::{bands, quantile_reliability, ranks};
use uq_core::stats::{Pit, PitCounts};
use uqbench_judge::figures::{
    BandPanel, Bands, Calibration, CalibrationPanel, HistogramPanel, Histograms, LearningCurve,
};

/// The words of a figure's tips.
fn words(drawing: &dyn Render) -> Vec<String> {
    drawing.render().unwrap().tips.into_iter().map(|tip| tip.words).collect()
}

/// The same, of tips that all lie where the file draws something.
fn drawn_words(drawing: &dyn Render) -> Vec<String> {
    let rendered = drawing.render().unwrap();
    let places = places(&rendered.svg);
    for tip in &rendered.tips {
        // Half of the gap between two bars is two units.
        let is_here = |&(x, y): &(i32, i32)| (x - tip.at.0).abs() <= 2 && (y - tip.at.1).abs() <= 1;
        assert!(places.iter().any(is_here), "nothing is drawn at {:?}: {}", tip.at, tip.words);
    }
    rendered.tips.into_iter().map(|tip| tip.words).collect()
}

/// Corners of the lines and areas of a file, the middles between two corners of a simple one, and
/// centres of discs.
fn places(svg: &str) -> Vec<(i32, i32)> {
    let number = |text: &str| text.parse::<i32>().unwrap();
    let mut places = Vec::new();
    for rest in svg.split(" points=\"").skip(1) {
        let pairs = rest
            .split('"')
            .next()
            .unwrap()
            .split_whitespace()
            .map(|pair| pair.split_once(',').unwrap());
        let corners: Vec<(i32, i32)> = pairs.map(|(x, y)| (number(x), number(y))).collect();
        for (i, a) in corners.iter().enumerate().filter(|_| corners.len() < 6) {
            places.extend(corners[..i].iter().map(|b| ((a.0 + b.0) / 2, (a.1 + b.1) / 2)));
        }
        places.extend(corners);
    }
    for rest in svg.split("<circle cx=\"").skip(1) {
        let mut parts = rest.split('"');
        places.push((number(parts.next().unwrap()), number(parts.nth(1).unwrap())));
    }
    places
}

/// Some tip says exactly this.
fn says(words: &[String], expected: &str) {
    assert!(words.iter().any(|one| one == expected), "{expected}: {words:#?}");
}

#[test]
fn bars_tell_their_means_and_cut_ones_too() {
    let mut figure = bars();
    let one = ["JCM, ac60: 0.900 ± 0.100", "GP, ac60: −1.20 ± 0.100", "GP, sty50: 0.500 ± 0.100"];
    assert_eq!(drawn_words(&figure), [one, one].concat());
    let cut = figure.panels[1].bars[0][1].as_mut().unwrap();
    (cut.mean, cut.standard_error) = (-77.0, None);
    assert_eq!(drawn_words(&figure)[4], "GP, ac60: −77.0");
}

#[test]
fn boxes_tell_their_quartiles_and_whiskers_at_the_median() {
    let mut figure = boxes();
    let found = drawn_words(&figure);
    // Of nine values half a unit apart the quartiles are the third, fifth and seventh.
    assert_eq!(
        found[0],
        "no projection, 13: median 1.00, quartiles 0 to 2.00, whiskers −1.00 to 3.00"
    );
    assert_eq!(found[1], "projected, 2: median 0, quartiles −1.00 to 1.00, whiskers −2.00 to 2.00");
    assert_eq!(found.len(), 4 * 3);
    figure.panels[0].boxes[0].values = [1.0, 2.0, 3.0, f64::INFINITY].map(Some).into();
    assert_eq!(
        words(&figure)[0],
        "no projection, 13: median 2.50, quartiles 1.75 to ∞, whiskers 1.00 to ∞"
    );
}

#[test]
fn learning_curves_tell_mean_and_band_of_every_step() {
    let mut figure = learning();
    let found = words(&figure);
    // Both curves begin at one place.
    assert_eq!(found[0], "var y, 30: 3.00, band 2.70 to 3.30\nvar f, 30: 3.00, band 2.70 to 3.30");
    assert_eq!(found.len(), 3 * 51 - 1);
    says(&found, "var f less var y, 80: 2.50, band 2.20 to 2.80");
    figure.difference = None;
    figure.curves.truncate(1);
    let found = drawn_words(&figure);
    assert_eq!((found[50].as_str(), found.len()), ("var y, 80: 2.50, band 2.20 to 2.80", 51));
    figure.curves[0].half_width = None;
    assert_eq!(words(&figure)[0], "var y, 30: 3.00");
}

#[test]
fn panels_of_learning_curves_tell_every_step_until_there_are_too_many() {
    let mut figure = learning_panels();
    let found = words(&figure);
    assert_eq!((found[4].as_str(), found.len()), ("JCM, 4: 2.00, band 1.80 to 2.20", 5 * 2 * 11));
    for panel in &mut figure.panels {
        let long = |name: usize| LearningCurve {
            name: name.to_string(),
            x: (0..60).map(f64::from).collect(),
            mean: (0..60).map(|x| (100 * name + x) as f64).collect(),
            half_width: None,
            repetitions: 1,
        };
        panel.curves = (0..10).map(long).collect();
    }
    // Of five panels with ten curves of sixty steps, every second step.
    let found = words(&figure);
    assert_eq!((found[1].as_str(), found.len()), ("0, 2: 2.00", 1500));
}

#[test]
fn variances_tell_what_is_stated_and_what_is_true_together() {
    let mut figure = variances();
    let found = words(&figure);
    says(&found, "noise, 1: true 1.00, stated 0.500");
    says(&found, "error of the mean, −1: true 0.0500, stated 0");
    // Here the stated noise lies on the true error.
    says(
        &found,
        "noise, 0: true 0.300, stated 0.200\nerror of the mean, 0: true 0.200, stated 0.100",
    );
    // No noise is stated in the last panel.
    says(&found, "noise, 0: true 0.300");
    for panel in figure.rows.iter_mut().flat_map(|(_, panels)| panels.iter_mut().flatten()) {
        (panel.aleatoric, panel.epistemic) = (None, Some(panel.error.clone()));
    }
    let found = drawn_words(&figure);
    assert_eq!(
        (found[5].as_str(), found.len()),
        ("error of the mean, 1: true 0.100, stated 0.100", 3 * 6)
    );
}

#[test]
fn methods_of_one_rank_are_told_together() {
    let expected = "deep ensemble: mean rank 1.50\nquantile forest: mean rank 1.50";
    assert_eq!(drawn_words(&ranks::short()), [expected, "linear: mean rank 3.00"]);
}

#[test]
fn calibration_tells_densities_and_shares_with_their_bands() {
    let even: Vec<(f64, f64)> =
        (0..500).map(|k| (f64::from(k) + 0.5) / 500.0).map(|p| (p, p)).collect();
    let pit = Pit::new(&[PitCounts::new(&even).unwrap()], 400).unwrap();
    let panels = vec![CalibrationPanel { title: "even".into(), pit }];
    let found = drawn_words(&Calibration { title: "Calibration".into(), notes: vec![], panels });
    // Twenty bins, and every second of the levels 0, 1/100, …, 1.
    assert_eq!(found.len(), 20 + 51);
    assert!(found[2].starts_with("PIT from 0.1 to 0.15: density 1.00, band 0."), "{}", found[2]);
    // The half width of the band is √(ln(2/0.05) / 800) = 0.0679.
    assert_eq!(found[20], "share of PIT ≤ 0: 0, band 0 to 0.0679");
    assert_eq!(found[45], "share of PIT ≤ 0.5: 0.500, band 0.432 to 0.568");
}

#[test]
fn quantiles_tell_the_share_below_them_and_ties() {
    let found = drawn_words(&quantile_reliability::figure([20, 55, 70], [20, 55, 70]));
    assert_eq!(found.len(), 4 * 3);
    assert!(
        found[0].starts_with("share of y ≤ q(0.25), less 0.25: −0.0500, band −"),
        "{}",
        found[0]
    );
    let found = drawn_words(&quantile_reliability::figure([20, 40, 70], [20, 60, 70]));
    let expected = "share of y ≤ q(0.5), less 0.5: 0.100, of y < q(0.5): −0.100, band −";
    assert!(found[1].starts_with(expected), "{}", found[1]);
}

#[test]
fn histograms_tell_the_count_of_each_bin() {
    let panels =
        vec![HistogramPanel { title: "eight".into(), values: (0..8).map(f64::from).collect() }];
    let found = drawn_words(&Histograms { title: "Counts".into(), x_label: "v".into(), panels });
    assert_eq!(found, ["from 0 to 3.5: count 4", "from 3.5 to 7: count 4"]);
}

#[test]
fn predictions_tell_mean_and_deviation_unless_they_are_a_crowd() {
    let mut figure = bands();
    // A solid line through the dashed mean.
    figure.panels[0].truth = Some(figure.panels[0].mean.clone());
    let found = drawn_words(&figure);
    // 0.9 sin 1 = 0.757.
    assert_eq!(found[4], "prediction, 1: 0.757 ± 0.500, truth 0.757");
    // The first outcome lies on its prediction.
    assert_eq!(found[40], "prediction, 0: 0 ± 0.500\noutcome, 0: 0");
    says(&found, "outcome, 1: 0.841");
    figure.panels[1].observed = None;
    assert_eq!(words(&figure).len(), 2 * 40);
    let zeros = || vec![0.0; 161];
    let crowd = BandPanel {
        x: (0..161).map(f64::from).collect(),
        mean: zeros(),
        sd: zeros(),
        ..figure.panels[1].clone()
    };
    assert!(words(&Bands { panels: vec![crowd], ..figure }).is_empty());
}

#[test]
fn tubes_tell_each_width_by_its_name() {
    let mut figure = tubes();
    figure.panels.iter_mut().for_each(|panel| panel.truth = Some(panel.mean.clone()));
    let found = drawn_words(&figure);
    assert_eq!(
        found[20],
        "mean, 0: 0, wide ± 1.40, middle ± 1.00, narrow ± 0.500, true function 0"
    );
    assert_eq!(found.len(), 4 * 40);
}

#[test]
fn processes_tell_their_bands_and_their_hyper_functions() {
    let found = drawn_words(&hyper_functions());
    // 1.96 deviations of 0.2 and of 0.5.
    assert_eq!(found[0], "mean, 0: 0, 95 % of f ± 0.392, of y ± 0.980, true f 0");
    assert_eq!(found[50], "length scale, 0: 2.00, true 1.00");
    assert_eq!(found[100], "noise, 0: 0.200, true 0.100");
    assert_eq!((found[200].as_str(), found.len()), ("length scale, 0: 6.00", 250));
}

#[test]
fn mixtures_tell_components_moments_and_peaks() {
    let mut figure = mixtures();
    figure.rows.iter_mut().for_each(|row| row.moments.truth = Some(row.moments.mean.clone()));
    let found = drawn_words(&figure);
    assert_eq!(found.len(), 2 * (2 + 21 + 2));
    assert_eq!(found[1], "component of weight 0.750: mean of x −2.00, of y −1.00");
    let moments = "mean, −5: −2.00, sd 1.50 in total, 1.00 within components, truth −2.00, sd of \
                   its noise 0.500";
    assert_eq!(found[2], moments);
    assert_eq!(found[23], "density at −2: peak 0.500 at 0, truth 0, from −1.00 to 1.00");
    figure.beside = Some("Process".into());
    figure.rows[0].beside = Some(figure.rows[0].moments.clone());
    assert_eq!(drawn_words(&figure)[2], moments.replace("within components", "aleatoric"));
}

#[test]
fn random_functions_tell_their_mean_and_their_law() {
    let mut figure = realisations();
    let row = &mut figure.rows[0];
    row.truth = Some(row.mean.clone());
    row.normals.truncate(1);
    let found = drawn_words(&figure);
    assert_eq!(found[3], "mean, 3: 0, true function 0");
    assert_eq!(found[30], "draws from −2 to −1: density 0.100");
    // Of 301 points of the normal distribution every sixth; both densities of the draws agree, at
    // 50 points.
    assert_eq!(found.len(), 30 + 4 + 51 + 50);
    assert!(found[34].starts_with("inner, "), "{}", found[34]);
    says(&found, "density fitted to the draws, 0: 0.399\nby the characteristic function, 0: 0.399");
}
