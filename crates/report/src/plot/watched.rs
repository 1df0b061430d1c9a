//! Draw the coverage of predictions by period, and below it the evidence that they are no longer what
//! they were: narrow enough for a phone.

use super::axis::{Axis, Frame};
use super::header::{self, Entry, Sample};
use super::scene::Scene;
use super::style::{
    BLACK, BLUE, DASHED, DOTTED, GREY, MARGIN, Marker, SOLID, VERMILLION, series, tint,
};
use super::{FigureError, Render, check};
use crate::words::figures;
use uqbench_judge::figures::{Watched, WatchedPeriod};

/// Width of the figure.
const WIDE: f64 = 460.0;
/// Height of a panel.
const HEIGHT: f64 = 150.0;
/// Gap between the panels.
const GAP: f64 = 8.0;
/// Evidence is drawn between these ends.
const ENDS: [f64; 2] = [0.01, 1e6];
/// More periods than this have no points of their own, and tell no numbers.
const CROWD: usize = 120;

impl Render for Watched {
    fn title(&self) -> &str {
        &self.title
    }

    /// Draws the figure.
    ///
    /// # Errors
    /// [`FigureError`] for a figure without periods, and for a share or an evidence that is not
    /// finite.
    fn draw(&self, scene: &mut Scene) -> Result<(f64, f64), FigureError> {
        check::not_empty("the figure's periods", self.periods.len())?;
        let shares: Vec<f64> =
            self.periods.iter().flat_map(|period| [period.share, period.so_far]).collect();
        check::finite("the shares of covered rows", &shares)?;
        for (name, evidence) in &self.evidence {
            check::finite(&format!("the evidence \"{name}\""), evidence)?;
        }
        let [coverage, evidence] = [axis_of_coverage(self)?, axis_of_evidence(self)?];
        let left = MARGIN + coverage.width_beside(HEIGHT).max(evidence.width_beside(HEIGHT));
        let top = header::draw(scene, &self.title, &legend_of_coverage(self), &[], WIDE);
        let frame = frame(self, coverage, left, top);
        draw_coverage(self, scene, &frame);
        let legend = legend_of_evidence(self);
        let top = header::draw_legend(scene, &legend, frame.bottom + 4.0 + GAP, WIDE) + 4.0;
        let frame = self::frame(self, evidence, left, top);
        draw_evidence(self, scene, &frame);
        Ok((WIDE, frame.bottom + frame.x.height_below(frame.right - frame.left) + MARGIN))
    }
}

fn legend_of_coverage(figure: &Watched) -> Vec<Entry> {
    let mut all = vec![
        Entry::new(figures::OF_PERIOD, &[Sample::Point(Marker::Circle, BLUE, false)]),
        Entry::new(figures::SO_FAR, &[Sample::Line(BLACK, SOLID)]),
        Entry::new(figures::STATED_LEVEL, &[Sample::Line(GREY, DASHED)]),
    ];
    if figure.least < figure.level {
        all.push(Entry::new(figures::TOLERATED, &[Sample::Line(VERMILLION, DOTTED)]));
    }
    all
}

fn legend_of_evidence(figure: &Watched) -> Vec<Entry> {
    let entry = |(place, (name, _)): (usize, &(String, Vec<f64>))| {
        let look = series(place);
        Entry::new(name, &[Sample::Line(look.color, look.dash)])
    };
    let alarm = Entry::new(figures::ALARM, &[Sample::Line(VERMILLION, DOTTED)]);
    figure.evidence.iter().enumerate().map(entry).chain([alarm]).collect()
}

/// The places of the periods, with the names of the first, the middle and the last one.
fn places(figure: &Watched) -> Axis {
    let count = figure.periods.len();
    let mut axis = Axis::between(0.5, count as f64 + 0.5, false, 2, "");
    let mut named = vec![0, count / 2, count - 1];
    named.dedup();
    axis.ticks = named
        .iter()
        .map(|place| ((place + 1) as f64, figure.periods[*place].label.clone()))
        .collect();
    axis
}

/// A panel from `left` and `top` on.
fn frame(figure: &Watched, y: Axis, left: f64, top: f64) -> Frame {
    let x = places(figure);
    let right = WIDE - MARGIN - x.number_width() / 2.0;
    Frame { left, top, right, bottom: top + HEIGHT, x, y }
}

/// The axis of coverage.
fn axis_of_coverage(figure: &Watched) -> Result<Axis, FigureError> {
    let shares = figure.periods.iter().flat_map(|period| {
        let (low, high) = period.interval_so_far.unwrap_or((period.so_far, period.so_far));
        [period.share, period.so_far, low, high]
    });
    let shown = shares.chain([figure.level, figure.least]);
    Axis::covering(shown, false, 0.06, 5, figures::COVERAGE)
        .ok_or_else(|| FigureError::Range { what: "the panel of coverage".into() })
}

/// The axis of evidence.
fn axis_of_evidence(figure: &Watched) -> Result<Axis, FigureError> {
    let all = figure.evidence.iter().flat_map(|(_, evidence)| evidence).map(|of| shown(*of));
    let all = all.chain([figure.alarm * 2.0, 0.5]);
    Axis::covering(all, true, 0.05, 5, figures::EVIDENCE)
        .ok_or_else(|| FigureError::Range { what: "the panel of evidence".into() })
}

/// Where an evidence is drawn.
fn shown(evidence: f64) -> f64 {
    evidence.clamp(ENDS[0], ENDS[1])
}

fn draw_coverage(figure: &Watched, scene: &mut Scene, frame: &Frame) {
    frame.grid(scene);
    let band = |end: fn(&(f64, f64)) -> f64| -> Vec<(f64, f64)> {
        let point = |(place, period): (usize, &WatchedPeriod)| {
            let interval = period.interval_so_far.as_ref()?;
            Some(frame.at((place + 1) as f64, end(interval).clamp(frame.y.low, frame.y.high)))
        };
        figure.periods.iter().enumerate().filter_map(point).collect()
    };
    let mut outline = band(|(low, _)| *low);
    outline.extend(band(|(_, high)| *high).into_iter().rev());
    if outline.len() > 2 {
        scene.fill(outline, tint(GREY, 0.2));
    }
    for (share, color, dash) in [(figure.level, GREY, DASHED), (figure.least, VERMILLION, DOTTED)] {
        let ends = [frame.x.low, frame.x.high].map(|x| frame.at(x, share));
        scene.path(&ends, 1.25, color, dash);
    }
    let so_far: Vec<(f64, f64)> = (1..)
        .map(f64::from)
        .zip(&figure.periods)
        .map(|(place, period)| frame.at(place, period.so_far))
        .collect();
    scene.path(&so_far, 1.5, BLACK, SOLID);
    for (place, period) in (1..).map(f64::from).zip(&figure.periods) {
        let at = frame.at(place, period.share);
        if figure.periods.len() <= CROWD {
            if let Some((low, high)) = period.interval {
                let end = |share: f64| frame.at(place, share.clamp(frame.y.low, frame.y.high));
                scene.line(end(low), end(high), 1.0, tint(BLUE, 0.5));
            }
            scene.marker(at, Marker::Circle, 3.0, BLUE, false);
            scene.tip(at, figures::watched_period(period));
        }
    }
    frame.axes(scene, false);
}

fn draw_evidence(figure: &Watched, scene: &mut Scene, frame: &Frame) {
    frame.grid(scene);
    let ends = [frame.x.low, frame.x.high].map(|x| frame.at(x, figure.alarm));
    scene.path(&ends, 1.25, VERMILLION, DOTTED);
    for (place, (name, evidence)) in figure.evidence.iter().enumerate() {
        let look = series(place);
        let points: Vec<(f64, f64)> = (1..)
            .map(f64::from)
            .zip(evidence)
            .map(|(place, of)| frame.at(place, shown(*of)))
            .collect();
        scene.path(&points, 1.75, look.color, look.dash);
        let told = if points.len() <= CROWD { points.len() } else { 0 };
        let of_periods = evidence.iter().zip(&figure.periods);
        for (at, (of, period)) in points.iter().zip(of_periods).take(told) {
            scene.tip(*at, figures::evidence_of(name, &period.label, *of));
        }
    }
    frame.axes(scene, true);
}
