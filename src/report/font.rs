//! Capital letters, digits and a few signs in cells of 5x7 pixels: enough for a legend, without a font file.

/// Columns of a glyph, in pixels.
const WIDTH: u32 = 5;
/// Rows of a glyph, in pixels.
pub(super) const HEIGHT: u32 = 7;
/// Pixels from one glyph to the next.
const ADVANCE: u32 = WIDTH + 1;

/// Rows from top to bottom, the leftmost pixel in the highest of five bits.
#[rustfmt::skip]
const GLYPHS: &[(char, [u8; HEIGHT as usize])] = &[
    ('A', [0b01110, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001]),
    ('B', [0b11110, 0b10001, 0b10001, 0b11110, 0b10001, 0b10001, 0b11110]),
    ('C', [0b01110, 0b10001, 0b10000, 0b10000, 0b10000, 0b10001, 0b01110]),
    ('D', [0b11110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b11110]),
    ('E', [0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b11111]),
    ('F', [0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b10000]),
    ('G', [0b01110, 0b10001, 0b10000, 0b10111, 0b10001, 0b10001, 0b01110]),
    ('H', [0b10001, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001]),
    ('I', [0b01110, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110]),
    ('J', [0b00111, 0b00010, 0b00010, 0b00010, 0b00010, 0b10010, 0b01100]),
    ('K', [0b10001, 0b10010, 0b10100, 0b11000, 0b10100, 0b10010, 0b10001]),
    ('L', [0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b11111]),
    ('M', [0b10001, 0b11011, 0b10101, 0b10101, 0b10001, 0b10001, 0b10001]),
    ('N', [0b10001, 0b11001, 0b10101, 0b10011, 0b10001, 0b10001, 0b10001]),
    ('O', [0b01110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110]),
    ('P', [0b11110, 0b10001, 0b10001, 0b11110, 0b10000, 0b10000, 0b10000]),
    ('Q', [0b01110, 0b10001, 0b10001, 0b10001, 0b10101, 0b10010, 0b01101]),
    ('R', [0b11110, 0b10001, 0b10001, 0b11110, 0b10100, 0b10010, 0b10001]),
    ('S', [0b01111, 0b10000, 0b10000, 0b01110, 0b00001, 0b00001, 0b11110]),
    ('T', [0b11111, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100]),
    ('U', [0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110]),
    ('V', [0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01010, 0b00100]),
    ('W', [0b10001, 0b10001, 0b10001, 0b10101, 0b10101, 0b11011, 0b10001]),
    ('X', [0b10001, 0b10001, 0b01010, 0b00100, 0b01010, 0b10001, 0b10001]),
    ('Y', [0b10001, 0b10001, 0b01010, 0b00100, 0b00100, 0b00100, 0b00100]),
    ('Z', [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b10000, 0b11111]),
    ('0', [0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110]),
    ('1', [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110]),
    ('2', [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111]),
    ('3', [0b11110, 0b00001, 0b00001, 0b01110, 0b00001, 0b00001, 0b11110]),
    ('4', [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010]),
    ('5', [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110]),
    ('6', [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110]),
    ('7', [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000]),
    ('8', [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110]),
    ('9', [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100]),
    ('.', [0b00000, 0b00000, 0b00000, 0b00000, 0b00000, 0b01100, 0b01100]),
    (',', [0b00000, 0b00000, 0b00000, 0b00000, 0b01100, 0b00100, 0b01000]),
    ('/', [0b00001, 0b00001, 0b00010, 0b00100, 0b01000, 0b10000, 0b10000]),
    ('-', [0b00000, 0b00000, 0b00000, 0b11111, 0b00000, 0b00000, 0b00000]),
    ('\'', [0b00100, 0b00100, 0b00000, 0b00000, 0b00000, 0b00000, 0b00000]),
    (':', [0b00000, 0b01100, 0b01100, 0b00000, 0b01100, 0b01100, 0b00000]),
    ('%', [0b11000, 0b11001, 0b00010, 0b00100, 0b01000, 0b10011, 0b00011]),
];

/// Pixels that a text takes at `scale`.
pub(super) fn width(text: &str, scale: u32) -> u32 {
    let letters = u32::try_from(text.chars().count()).unwrap_or(u32::MAX / 64);
    (letters * ADVANCE).saturating_sub(1) * scale
}

/// Calls `plot` with each pixel of `text`, its top left corner at the origin, each glyph pixel `scale` x `scale` pixels.
/// Small letters are drawn as capitals, characters without a glyph as a blank.
pub(super) fn draw(text: &str, scale: u32, mut plot: impl FnMut(u32, u32)) {
    for (column, letter) in (0..).step_by(ADVANCE as usize).zip(text.chars()) {
        let capital = letter.to_ascii_uppercase();
        let Some((_, rows)) = GLYPHS.iter().find(|(known, _)| *known == capital) else {
            continue;
        };
        for (y, row) in (0..).zip(rows) {
            for x in (0..WIDTH).filter(|x| row >> (WIDTH - 1 - x) & 1 == 1) {
                for dot in 0..scale * scale {
                    plot((column + x) * scale + dot % scale, y * scale + dot / scale);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn font_draws_a_letter_as_it_looks() {
        let mut rows = [[' '; 5]; 7];
        draw("t", 1, |x, y| rows[y as usize][x as usize] = '#');
        let art: Vec<String> = rows.iter().map(|row| row.iter().collect()).collect();
        let stem = "  #  ";
        assert_eq!(
            art,
            ["#####", stem, stem, stem, stem, stem, stem],
            "small letters become capitals"
        );
    }

    #[test]
    fn font_stays_inside_its_width() {
        let mut right = 0;
        draw("88", 3, |x, _| right = right.max(x));
        assert_eq!(
            width("88", 3),
            right + 1,
            "two glyphs and a gap, three times as large"
        );
        assert_eq!(width("", 2), 0, "nothing");
    }
}
