//! Work on one point: its frames through its machine.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::frames::Frames;
use super::store::Failed;
use crate::cli::failure::{Failure, Outcome};
use crate::model::Model;
use azulejo_soc::{Totals, growth};
use azulejo_sweep::{Point, PointResult};

/// Runs a point and keeps its result, or the reason why it has none, which is returned.
///
/// # Errors
/// If nothing can be kept.
pub(super) fn run(
    frames: &Frames<'_>,
    point: &Point<'_>,
    command: &str,
) -> Outcome<Option<Failed>> {
    let store = frames.store;
    let print = frames.sweep.print(point);
    let begun = store.begin(print)?;
    // A panic is a mistake of ours, which must not end the points beside it.
    let outcome = catch_unwind(AssertUnwindSafe(|| measure(frames, point)));
    let outcome =
        outcome.unwrap_or_else(|_| Err(Failure::new("the program failed; please report it")));
    let failed = match outcome {
        Ok(result) => {
            store.keep(print, &result)?;
            None
        }
        Err(failure) => {
            let failed = Failed {
                error: failure.message,
                command: command.to_owned(),
            };
            store.fail(print, &failed)?;
            Some(failed)
        }
    };
    drop(begun);
    Ok(failed)
}

fn measure(frames: &Frames<'_>, point: &Point<'_>) -> Outcome<PointResult> {
    let spec = frames.sweep.spec(point)?;
    let techniques = frames.sweep.techniques(point);
    let mut model = Model::new(&spec, &techniques.0).map_err(Failure::new)?;
    let mut result = PointResult::default();
    let mut before = Totals::default();
    frames.each(point, &spec, |frame| {
        let report = model.run_frame(frame);
        let report =
            report.map_err(|error| Failure::new(format!("frame {}: {error}", frame.frame)))?;
        let after = model.totals();
        result.add(&report, &growth(&before, &after));
        before = after;
        Ok(())
    })?;
    Ok(result)
}
