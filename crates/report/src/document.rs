//! Hold one rendered file, before it is written.

use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::plot::{FigureError, Render, Rendered, Tip};
use uqbench_system::notice::is_command;

/// A rendered file. Two are equal where their names and bytes are. One that was kept has no figure
/// from which a PNG can be made.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// Its name below the output folder.
    pub name: String,
    /// Its content.
    #[serde(serialize_with = "as_text", deserialize_with = "of_text")]
    pub bytes: Vec<u8>,
    /// Words about places of a figure, which pages show.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tips: Vec<Tip>,
    /// What a page could not show, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    not_shown: Vec<String>,
    /// The figure that it shows, from which a PNG can be made.
    #[serde(skip)]
    figure: Option<Rendered>,
}

/// Text in which no character commands a terminal or changes the direction of writing, whatever
/// others have written: JSON names it, other formats lose it. Bytes that are no text stay.
fn without_commands(name: &str, bytes: Vec<u8>) -> Vec<u8> {
    match std::str::from_utf8(&bytes) {
        Ok(text) if text.contains(is_command) => {
            let write = |c: char| match is_command(c) {
                true if name.ends_with(".json") => format!("\\u{:04x}", u32::from(c)),
                true => String::new(),
                false => c.to_string(),
            };
            text.replace("\r\n", "\n").chars().map(write).collect::<String>().into_bytes()
        }
        _ => bytes,
    }
}

impl PartialEq for Document {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.bytes) == (&other.name, &other.bytes)
    }
}

impl Document {
    /// A file of this name.
    pub fn new(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        let name = name.into();
        let bytes = without_commands(&name, bytes.into());
        Self { name, bytes, tips: Vec::new(), not_shown: Vec::new(), figure: None }
    }

    /// A figure as `file`.svg.
    ///
    /// # Errors
    /// [`FigureError`] where it cannot be drawn.
    pub fn figure(file: &str, drawing: &dyn Render) -> Result<Self, FigureError> {
        let rendered = drawing.render()?;
        let bytes = rendered.svg.clone().into_bytes();
        let tips = rendered.tips.clone();
        Ok(Self {
            name: format!("{file}.svg"),
            bytes,
            tips,
            not_shown: Vec::new(),
            figure: Some(rendered),
        })
    }

    /// The same file of a page that could not show this.
    #[must_use]
    pub fn lacking(self, not_shown: &[String]) -> Self {
        Self { not_shown: not_shown.to_vec(), ..self }
    }

    /// What its page could not show, and why.
    pub fn not_shown(&self) -> &[String] {
        &self.not_shown
    }

    /// A figure's SVG for a page: with its words at their places, which any browser shows at the
    /// pointer.
    pub fn svg_of_page(&self) -> String {
        let svg = String::from_utf8_lossy(&self.bytes);
        let spot = |Tip { at: (x, y), words }: &Tip| {
            let (reach, words) = (Tip::REACH, in_xml(words));
            format!(
                "<circle class=\"spot\" cx=\"{x}\" cy=\"{y}\" r=\"{reach}\" \
                 fill=\"transparent\"><title>{words}</title></circle>\n"
            )
        };
        let spots: String = self.tips.iter().map(spot).collect();
        match svg.rfind("</svg>") {
            Some(end) => [&svg[..end], &spots, &svg[end..]].concat(),
            None => svg.into_owned(),
        }
    }

    /// A figure's PNG under the name `file`.png; `None` for other documents.
    ///
    /// # Errors
    /// [`FigureError`] where it cannot be drawn.
    pub fn png(&self) -> Result<Option<Self>, FigureError> {
        let Some(figure) = &self.figure else { return Ok(None) };
        let stem = self.name.strip_suffix(".svg").unwrap_or(&self.name);
        Ok(Some(Self::new(format!("{stem}.png"), figure.png()?)))
    }

    /// A figure's PDF under the name `pdf/file`.pdf; `None` for other documents.
    ///
    /// # Errors
    /// [`FigureError`] where it cannot be written.
    pub fn pdf(&self) -> Result<Option<Self>, FigureError> {
        let Some(figure) = &self.figure else { return Ok(None) };
        let stem = self.name.strip_suffix(".svg").unwrap_or(&self.name);
        Ok(Some(Self::new(format!("pdf/{stem}.pdf"), figure.pdf()?)))
    }
}

/// Text as the content of an element.
fn in_xml(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn as_text<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    std::str::from_utf8(bytes).map_err(S::Error::custom)?.serialize(serializer)
}

fn of_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    Ok(String::deserialize(deserializer)?.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::FORMATS;
    use uqbench_judge::figures::{Agreement, AgreementKind, AgreementPanel, AgreementPoint};

    #[test]
    fn no_format_has_characters_that_command_a_terminal_or_turn_the_text() {
        let hostile =
            "{\"a\": \"x\u{1b}[2J\u{9b}31m\u{202e}y\u{2066}\u{7f}\"}\n\t größer 日本 é\u{301}";
        for ending in FORMATS.iter().map(|format| format.ending) {
            let document = Document::new(format!("a.{ending}"), hostile);
            let text = String::from_utf8(document.bytes).unwrap();
            assert!(!text.contains(is_command), "{ending}: {text:?}");
            assert!(text.contains("\n\t größer 日本 é\u{301}"), "{ending}: {text:?}");
        }
        let json = Document::new("a.json", hostile.lines().next().unwrap().replace('\u{1b}', ""));
        let value: serde_json::Value = serde_json::from_slice(&json.bytes).unwrap();
        assert_eq!(
            value["a"], "x[2J\u{9b}31m\u{202e}y\u{2066}\u{7f}",
            "what a program reads is what was written"
        );
        assert_eq!(Document::new("a.png", vec![0x1b, 0xff, 0x80]).bytes, [0x1b, 0xff, 0x80]);
    }

    #[test]
    fn words_of_a_figure_are_on_pages_alone_and_are_text() {
        let point = AgreementPoint {
            lane: 0,
            distance: 0.5,
            kind: AgreementKind::Agree,
            words: "a < b & c".into(),
        };
        let drawing = Agreement {
            title: "t".into(),
            lanes: vec!["JCM".into()],
            panels: vec![AgreementPanel { label: "RMSE".into(), points: vec![point] }],
            ..Agreement::default()
        };
        let document = Document::figure("f", &drawing).unwrap();
        let shown = document.svg_of_page();
        assert!(shown.contains("<title>a &lt; b &amp; c</title></circle>\n</svg>"), "{shown}");
        assert!(!String::from_utf8_lossy(&document.bytes).contains("<title>"));
        // A page that was kept has them, too.
        let kept: Document =
            serde_json::from_str(&serde_json::to_string(&document).unwrap()).unwrap();
        assert_eq!(kept.svg_of_page(), shown);
    }
}
