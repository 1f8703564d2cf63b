//! Forms of figures in the papers, by name: bars by game unless said here.

/// Form in which a figure is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FigureForm {
    /// A bar for each column, grouped by game.
    Bars,
    /// A bar for each game, of columns that are parts of a whole.
    Stacked {
        /// These columns, from the bottom.
        parts: &'static [&'static str],
        /// The column that holds their sum, if one does.
        total: Option<&'static str>,
    },
    /// A line over the columns.
    Lines,
}

/// Returns the form of the figure of this name.
#[must_use]
pub fn figure_form(id: &str) -> FigureForm {
    let stacked = |parts, total| FigureForm::Stacked { parts, total };
    match id {
        "re.fig13a" => stacked(&["geometry", "raster"], Some("total")),
        "re.fig13b" => stacked(&["memory", "GPU"], Some("total")),
        "re.fig14a" => stacked(&["equal inputs", "equal colours only", "different"], None),
        "re.fig14b" => stacked(&["Parameter Buffer", "texels", "colours"], Some("total")),
        "libra.fig1" => stacked(&["geometry", "raster"], None),
        "libra.fig6a" => stacked(&["compute", "memory"], None),
        "boustro.fig1" => stacked(
            &["frame buffer", "geometry", "Parameter Buffer", "texels"],
            None,
        ),
        "boustro.fig6" => stacked(&["0", "1", "2 to 3", "4 to 7", "8 and more"], Some("all")),
        "boustro.fig7" => stacked(
            &["0 to 7", "8 to 15", "16 to 31", "32 to 63", "64 and more"],
            Some("all"),
        ),
        "boustro.fig8" => stacked(&["1", "2", "3 and more"], None),
        "boustro.fig11" => stacked(&["geometry", "Parameter Buffer", "texels"], None),
        "boustro.fig9" | "libra.fig8" | "libra.fig19a" | "libra.fig19b" | "em2.fig17"
        | "em2.fig18" => FigureForm::Lines,
        _ => FigureForm::Bars,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::{
        BOUSTRO_FIGURES, EM1_FIGURES, EM2_FIGURES, FIGURES, KHEPRI_FIGURES, LIBRA_FIGURES,
        LOOP_FIGURES, SAMPLING_FIGURES, SWEEP_FIGURES, loop_figure,
    };

    /// Every figure's name and columns.
    fn figures() -> Vec<(&'static str, &'static [&'static str])> {
        let mut figures: Vec<(_, _)> = FIGURES.iter().map(|f| (f.id, f.columns)).collect();
        for scheduled in [LIBRA_FIGURES, SWEEP_FIGURES, KHEPRI_FIGURES] {
            figures.extend(scheduled.iter().map(|f| (f.id, f.columns)));
        }
        figures.extend(BOUSTRO_FIGURES.iter().map(|f| (f.id, f.columns)));
        let loops = LOOP_FIGURES.into_iter().filter_map(loop_figure);
        figures.extend(loops.map(|f| (f.id, f.columns)));
        figures.extend(EM1_FIGURES.iter().map(|f| (f.id, f.columns)));
        figures.extend(EM2_FIGURES.iter().map(|f| (f.id, f.columns)));
        figures.extend(SAMPLING_FIGURES.iter().map(|f| (f.id, f.columns)));
        figures
    }

    #[test]
    fn forms_name_columns_that_there_are() {
        let mut n_formed = 0;
        for (id, columns) in figures() {
            let form = figure_form(id);
            n_formed += usize::from(form != FigureForm::Bars);
            if let FigureForm::Stacked { parts, total } = form {
                for name in parts.iter().chain(&total) {
                    assert!(columns.contains(name), "{id}: {name}");
                }
                assert!(parts.len() > 1, "{id}: a stack");
            }
        }
        assert_eq!(n_formed, 17, "every name of the list is a figure's");
    }
}
