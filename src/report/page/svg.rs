//! SVG as text: shapes and words with classes that the page's style colours; and text that is safe between tags.

use std::fmt::Write;

/// Width of a letter of the charts' font of 12 pixels, about.
pub(super) const LETTER: f64 = 6.6;
/// Number of colours of columns; the classes `c0` and on.
const COLORS: usize = 8;

/// Class of a column's colour.
pub(super) fn color(column: usize) -> String {
    format!("c{}", column % COLORS)
}

/// Text with `&`, `<`, `>` and quotes as entities.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            // No XML may hold other control characters.
            c if c.is_control() && !matches!(c, '\n' | '\t') => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}

/// Part of an id: letters and digits of a text, others as dashes.
pub(super) fn id(text: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    text.chars().map(letter).collect()
}

/// Place in pixels, from the left and the top.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
}

/// Returns the point at a distance from the left and the top.
pub(super) const fn at(x: f64, y: f64) -> Point {
    Point { x, y }
}

/// Rectangle in pixels, from its upper left corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Area {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// End of a text that lies at its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// Drawing that is being written.
#[derive(Debug, Default)]
pub(super) struct Drawing {
    shapes: String,
}

/// Names and texts of a drawing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Label<'a> {
    /// Identifier, unlike that of any other drawing of the page.
    pub(super) id: &'a str,
    /// Class of its layout.
    pub(super) class: &'a str,
    /// Title in a few words.
    pub(super) title: &'a str,
    /// Description of all that it shows, in words.
    pub(super) description: &'a str,
}

impl Drawing {
    /// Draws a filled rectangle with `tip` under the pointer.
    pub(super) fn area(&mut self, area: Area, class: &str, tip: &str) {
        let Area {
            x,
            y,
            width,
            height,
        } = area;
        let (x, y, width, height) = (places(x), places(y), places(width), places(height));
        self.put(&format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" class=\"{class}\">{}</rect>",
            tooltip(tip)
        ));
    }

    /// Draws a rectangle of an own colour, sRGB, with `tip` under the pointer.
    pub(super) fn colored(&mut self, area: Area, [r, g, b]: [u8; 3], tip: &str) {
        let (x, y) = (places(area.x), places(area.y));
        let (width, height) = (places(area.width), places(area.height));
        self.put(&format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"#{r:02x}{g:02x}{b:02x}\">{}</rect>",
            tooltip(tip)
        ));
    }

    /// Draws a straight line.
    pub(super) fn line(&mut self, from: Point, to: Point, class: &str) {
        let (x1, y1) = (places(from.x), places(from.y));
        let (x2, y2) = (places(to.x), places(to.y));
        self.put(&format!(
            "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" class=\"{class}\"/>"
        ));
    }

    /// Draws a line through points.
    pub(super) fn path(&mut self, points: &[Point], class: &str) {
        let points = points
            .iter()
            .map(|p| format!("{},{}", places(p.x), places(p.y)));
        let points: Vec<_> = points.collect();
        self.put(&format!(
            "<polyline points=\"{}\" class=\"{class}\"/>",
            points.join(" ")
        ));
    }

    /// Draws a dot with `tip` under the pointer.
    pub(super) fn dot(&mut self, at: Point, class: &str, tip: &str) {
        let (x, y) = (places(at.x), places(at.y));
        self.put(&format!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"3.5\" class=\"{class}\">{}</circle>",
            tooltip(tip)
        ));
    }

    /// Writes words at a place of their base line.
    pub(super) fn text(&mut self, at: Point, anchor: Anchor, class: &str, words: &str) {
        let (x, y) = (places(at.x), places(at.y));
        self.put(&format!(
            "<text x=\"{x}\" y=\"{y}\" class=\"{}{class}\">{}</text>",
            anchor.class(),
            escaped(words)
        ));
    }

    /// Writes words that climb to the right and end at a place.
    pub(super) fn slanted(&mut self, end: Point, class: &str, words: &str) {
        let (x, y) = (places(end.x), places(end.y));
        self.put(&format!(
            "<text x=\"{x}\" y=\"{y}\" class=\"{}{class}\" transform=\"rotate(-40 {x} {y})\">{}</text>",
            Anchor::End.class(),
            escaped(words)
        ));
    }

    fn put(&mut self, shape: &str) {
        self.shapes.push_str(shape);
        self.shapes.push('\n');
    }

    /// Returns the whole drawing, with its alternative text.
    pub(super) fn finish(self, label: Label<'_>, width: f64, height: f64) -> String {
        let Label {
            id,
            class,
            title,
            description,
        } = label;
        let (title, description) = (escaped(title), escaped(description));
        let (width, height) = (places(width), places(height));
        let mut text = String::new();
        // A string refuses nothing that is written to it.
        let _ = writeln!(
            text,
            "<svg id=\"{id}\" class=\"{class}\" role=\"img\" aria-labelledby=\"{id}-t {id}-d\" viewBox=\"0 0 {width} {height}\">\n\
             <title id=\"{id}-t\">{title}</title>\n<desc id=\"{id}-d\">{description}</desc>\n{}</svg>",
            self.shapes
        );
        text
    }
}

impl Anchor {
    /// Class of the anchor, with a blank behind, for the class that follows.
    const fn class(self) -> &'static str {
        match self {
            Self::Start => "",
            Self::Middle => "mid ",
            Self::End => "end ",
        }
    }
}

fn tooltip(tip: &str) -> String {
    if tip.is_empty() {
        return String::new();
    }
    format!("<title>{}</title>", escaped(tip))
}

/// Text of a coordinate; a tenth of a pixel is as fine as the eye sees.
fn places(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// Draws names of colours in lines of at most `width` pixels, from `top` on; returns their lower end.
pub(super) fn legend(
    drawing: &mut Drawing,
    names: &[(String, String)],
    top: f64,
    width: f64,
) -> f64 {
    const SWATCH: f64 = 12.0;
    const GAP: f64 = 18.0;
    const LINE: f64 = 19.0;
    let mut at = Point { x: 0.0, y: top };
    for (class, name) in names {
        let length = SWATCH + 5.0 + name.chars().count() as f64 * LETTER;
        if at.x > 0.0 && at.x + length > width {
            at = Point {
                x: 0.0,
                y: at.y + LINE,
            };
        }
        let swatch = Area {
            x: at.x,
            y: at.y,
            width: SWATCH,
            height: SWATCH,
        };
        drawing.area(swatch, class, "");
        let words = Point {
            x: at.x + SWATCH + 5.0,
            y: at.y + 10.5,
        };
        drawing.text(words, Anchor::Start, "", name);
        at.x += length + GAP;
    }
    if names.is_empty() { top } else { at.y + LINE }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_between_tags_is_safe() {
        let text = escaped("a<b> & \"c\" 'd' \u{7}");
        assert_eq!(
            text, "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39; \u{fffd}",
            "no tag is left"
        );
        assert_eq!(id("re.fig13a x"), "re-fig13a-x", "letters and digits");
    }

    #[test]
    fn legend_breaks_where_a_line_is_full() {
        let names = ["one", "two", "three"].map(|name| ("c0".to_owned(), name.to_owned()));
        let wide = legend(&mut Drawing::default(), &names, 0.0, 900.0);
        let narrow = legend(&mut Drawing::default(), &names, 0.0, 60.0);
        assert_eq!((wide, narrow), (19.0, 57.0), "a line each");
    }
}
