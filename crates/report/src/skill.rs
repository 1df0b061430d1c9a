//! Format skill as text.

use uq_core::stats::skill::Skill;

/// `37 %` of the reference's score saved, or `+0.42 nat` gained.
pub fn written(skill: Skill) -> String {
    let text = match skill {
        Skill::Share(share) if share.abs() >= 1e8 => format!("{:.1e} %", 100.0 * share),
        Skill::Share(share) => format!("{:.0} %", 100.0 * share),
        Skill::Nats(nats) if nats.is_infinite() => {
            format!("{}∞ nat", if nats > 0.0 { "+" } else { "-" })
        }
        Skill::Nats(nats) if nats.abs() >= 1e10 => format!("{nats:+.1e} nat"),
        Skill::Nats(nats) => format!("{nats:+.2} nat"),
    };
    // A number that rounds to zero is written without a sign.
    let text = match text.as_str() {
        "-0 %" => "0 %",
        "+0.00 nat" | "-0.00 nat" => "0.00 nat",
        signed => signed,
    };
    text.replacen('-', "−", 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skill_is_a_percentage_or_a_gain_in_nat() {
        let cases = [
            (Skill::Share(0.374), "37 %"),
            (Skill::Share(-1.2), "−120 %"),
            (Skill::Share(-0.001), "0 %"),
            (Skill::Nats(0.421), "+0.42 nat"),
            (Skill::Nats(-0.05), "−0.05 nat"),
            (Skill::Nats(-0.001), "0.00 nat"),
            (Skill::Nats(f64::NEG_INFINITY), "−∞ nat"),
            (Skill::Nats(f64::INFINITY), "+∞ nat"),
        ];
        for (skill, text) in cases {
            assert_eq!(written(skill), text);
        }
    }
}
