//! Notes beside figures: readings of a paper that decide its numbers, and mechanisms of it that are not modelled.

/// Names of figures, and a note on their numbers.
const NOTES: &[(&[&str], &str)] = &[
    (
        &["re.fig13b", "re.txt.energy"],
        "RE itself is its tables, buffers, queues, bitmap and registers; its control logic is not charged",
    ),
    (
        &["khepri.txt.hw"],
        "the paper charges one flood fill of 7 cycles a tile; here each one is charged, and small regions that join need another",
    ),
    (
        &["boustro.fig10", "boustro.fig15"],
        "over the stream of a machine whose vertex and tile caches always hit (section V-A)",
    ),
    (
        &["em1.fig11", "em1.fig13"],
        "HMC parts the bursts of a line over banks, as gem5 does in a channel that has its addresses to itself; a line in one bank \
         (section 5.1.2: \"cache-line stripped\") is dram.group.ip.interleave=128",
    ),
    (
        &["em2.fig17", "em2.fig18", "em2.fig19"],
        "Hi-Z keeps the farthest depth of each raster tile as of the order of the draws, without a warp's time between; vertex warps do not \
         overlap, and a triangle reads the three vertices that ran last; SIMT stacks, L1I and L1C take no time",
    ),
];

/// Returns the note on the figure of this name.
#[must_use]
pub fn figure_note(id: &str) -> Option<&'static str> {
    let found = NOTES.iter().find(|(figures, _)| figures.contains(&id));
    found.map(|(_, note)| *note)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::{BOUSTRO_FIGURES, EM1_FIGURES, EM2_FIGURES, FIGURES, KHEPRI_FIGURES};

    #[test]
    fn notes_are_of_figures_that_there_are() {
        let mut known: Vec<&str> = FIGURES.iter().map(|figure| figure.id).collect();
        known.extend(KHEPRI_FIGURES.iter().map(|figure| figure.id));
        known.extend(BOUSTRO_FIGURES.iter().map(|figure| figure.id));
        known.extend(EM1_FIGURES.iter().map(|figure| figure.id));
        known.extend(EM2_FIGURES.iter().map(|figure| figure.id));
        for figure in NOTES.iter().flat_map(|(figures, _)| *figures) {
            assert!(known.contains(figure), "{figure}");
        }
        assert_eq!(figure_note("re.fig2"), None, "nothing to say");
    }
}
