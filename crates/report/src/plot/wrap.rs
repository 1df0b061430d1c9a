//! Break text into lines.

use super::scene::Font;

/// Characters after which a word that is too long is broken.
const BREAKS: [char; 8] = ['-', '_', '/', '.', ':', ',', '=', '('];

impl Font {
    /// `text` broken at spaces into lines no wider than `width`. A longer word is broken after a
    /// hyphen, an underscore or the like, or, where it has none, anywhere.
    pub fn wrap(&self, text: &str, width: f64) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for word in text.split([' ', '\n', '\t']).filter(|word| !word.is_empty()) {
            match lines.last_mut() {
                Some(line) if self.width(&format!("{line} {word}")) <= width => {
                    line.push(' ');
                    line.push_str(word);
                }
                _ => lines.extend(self.pieces(word, width)),
            }
        }
        lines
    }

    /// A word in pieces no wider than `width`, but for a single character.
    fn pieces(&self, word: &str, width: f64) -> Vec<String> {
        let mut pieces: Vec<String> = Vec::new();
        for part in word.split_inclusive(BREAKS) {
            let part = if self.width(part) <= width {
                vec![part.to_owned()]
            } else {
                self.characters(part, width)
            };
            for part in part {
                match pieces.last_mut() {
                    Some(piece) if self.width(&format!("{piece}{part}")) <= width => {
                        piece.push_str(&part)
                    }
                    _ => pieces.push(part),
                }
            }
        }
        pieces
    }

    /// A part without a place to break it, in pieces no wider than `width`, but for a single
    /// character.
    fn characters(&self, part: &str, width: f64) -> Vec<String> {
        let mut pieces = vec![String::new()];
        for c in part.chars() {
            match pieces.last_mut() {
                Some(piece) if piece.is_empty() || self.width(&format!("{piece}{c}")) <= width => {
                    piece.push(c)
                }
                _ => pieces.push(c.to_string()),
            }
        }
        pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_words_are_broken_at_their_marks_or_anywhere_and_lose_nothing() {
        let font = Font::bold(12.0);
        for name in [
            "calibrated_quantile_forest_validated_v2",
            "calibrated-log-normal-ngboost-validated",
            "averyveryverylongnamewithoutanymark",
            "a漢字漢字漢字漢字漢字漢字",
        ] {
            for width in [40.0, 90.0, 200.0] {
                let lines = font.wrap(name, width);
                assert_eq!(lines.concat(), name);
                assert!(lines.iter().all(|line| font.width(line) <= width), "{lines:?} in {width}");
            }
        }
        assert_eq!(
            font.wrap("calibrated_quantile_forest", font.width("calibrated_quantile_")),
            ["calibrated_quantile_", "forest"]
        );
        assert_eq!(font.wrap("two words", 1000.0), ["two words"]);
        assert_eq!(
            font.wrap("two-part words", font.width("two-part")),
            ["two-part", "words"],
            "what fits stays whole"
        );
    }
}
