//! Plan of the measurements: machines of every headline, as shipped and with one assumption changed, by the traces that they
//! share. A machine that an assumption does not change is run once.

use super::headline::{Headline, Tally};
use super::table::ASSUMPTIONS;
use crate::scheduling::Contestant;
use crate::suites::PaperSuite;
use azulejo_gpu::machine::{Dispatch, MachineSpec, Overlay, ScreenSpec};
use azulejo_gpu::parameters::ParameterError;

/// Headline on machines with at most one assumption changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Point {
    pub(super) headline: Headline,
    /// Position in the table, and of the other value in its list; none as shipped.
    pub(super) change: Option<(usize, usize)>,
    /// Positions of its machines in the group.
    pub(super) machines: Vec<usize>,
}

impl Point {
    /// Changed key with its value, or `shipped`.
    pub(super) fn label(&self) -> String {
        self.change.map_or("shipped".to_owned(), |(own, other)| {
            let own = &ASSUMPTIONS[own];
            format!("{}={}", own.key, own.others[other])
        })
    }
}

/// Points that share the traces of their workloads.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) screen: ScreenSpec,
    /// Games of the headlines' papers, which are the same.
    pub(super) suite: &'static PaperSuite,
    pub(super) machines: Vec<Contestant>,
    pub(super) points: Vec<Point>,
}

impl Group {
    /// Whether traces for a screen serve it.
    fn shares(&self, screen: &ScreenSpec, suite: &PaperSuite) -> bool {
        let own = &self.screen;
        let is_same = own.grid == screen.grid && own.binning == screen.binning;
        is_same && self.suite.games == suite.games
    }

    /// Position of a machine, which joins if it is new.
    fn place_of(&mut self, machine: Contestant) -> usize {
        let mut known = self.machines.iter();
        let found = known.position(|known| is_alike(known, &machine));
        found.unwrap_or_else(|| {
            self.machines.push(machine);
            self.machines.len() - 1
        })
    }

    /// Name of all that is measured, unlike that of any other group.
    pub(super) fn key(&self) -> String {
        let grid = self.screen.grid;
        let points = self.points.iter();
        let points = points.map(|point| format!("{} {}", point.headline.name(), point.label()));
        let points: Vec<_> = points.collect();
        let [width, height] = [grid.width, grid.height];
        format!(
            "{width}x{height} {:?}: {}",
            self.screen.binning,
            points.join(", ")
        )
    }

    /// Value of a point in a game, by the sums of all machines.
    pub(super) fn value(point: &Point, sums: &[Tally]) -> Option<f64> {
        let own = point.machines.iter().map(|place| sums.get(*place).copied());
        point.headline.value(&own.collect::<Option<Vec<_>>>()?)
    }
}

/// Whether two machines run alike.
fn is_alike(one: &Contestant, other: &Contestant) -> bool {
    let names = |own: &Contestant| {
        own.techniques
            .iter()
            .map(|own| own.name)
            .collect::<Vec<_>>()
    };
    names(one) == names(other) && one.spec == other.spec
}

/// The machine of a headline with changes, of which the last may be an assumption's; a star in its key is each type of
/// cores.
pub(super) fn machine_of(
    headline: Headline,
    changes: &[Overlay],
    assumption: Option<(&str, &str)>,
) -> Result<MachineSpec, ParameterError> {
    let own = MachineSpec::built_in(headline.machine(), changes)?;
    let Some((key, value)) = assumption else {
        return Ok(own);
    };
    let overlay = |key: String| Overlay {
        key,
        value: value.to_owned(),
    };
    let mut changes = changes.to_vec();
    match key.split_once('*') {
        None => changes.push(overlay(key.to_owned())),
        Some((before, behind)) => {
            let types = own.raster.core_types.iter();
            let keys = types.map(|kind| format!("{before}{}{behind}", kind.name));
            changes.extend(keys.map(overlay));
        }
    }
    MachineSpec::built_in(headline.machine(), &changes)
}

/// Parts that a machine leaves aside are as shipped: parameters of techniques that it has not, and how several Raster Units get
/// their tiles where there is one.
fn without_unused(mut own: Contestant, shipped: &MachineSpec) -> Contestant {
    if own.techniques.is_empty() {
        own.spec.technique = shipped.technique.clone();
    } else if !own
        .techniques
        .iter()
        .any(|technique| technique.name == "boustro")
    {
        // A technique that hands out tiles leaves the machine's own dispatch aside, and RE's machine has one unit.
        own.spec.raster.dispatch = shipped.raster.dispatch;
    }
    if own.spec.raster.units.len() == 1 {
        own.spec.tiling.fetch_contexts = 0;
        own.spec.raster.dispatch = Dispatch::Alternating;
    }
    own
}

/// Plans the points of headlines on the papers' machines with changes; `is_halved` takes screens of half the size each way.
pub(super) fn plan(
    headlines: &[Headline],
    changes: &[Overlay],
    is_halved: bool,
) -> Result<Vec<Group>, ParameterError> {
    let mut groups: Vec<Group> = Vec::new();
    for &headline in headlines {
        let shipped = machine_of(headline, changes, None)?;
        let touching = (0..).zip(ASSUMPTIONS);
        let touching = touching.filter(|(_, own)| own.touches.contains(&headline));
        let values =
            touching.flat_map(|(own, table)| (0..table.others.len()).map(move |n| (own, n)));
        for change in std::iter::once(None).chain(values.map(Some)) {
            let assumption = change.map(|(own, other): (usize, usize)| {
                let own = &ASSUMPTIONS[own];
                (own.key, own.others[other])
            });
            let mut machine = machine_of(headline, changes, assumption)?;
            if is_halved {
                let grid = &mut machine.screen.grid;
                (grid.width, grid.height) = (grid.width.div_ceil(2), grid.height.div_ceil(2));
            }
            let (screen, suite) = (machine.screen, headline.suite());
            let found = groups.iter().position(|own| own.shares(&screen, suite));
            let place = found.unwrap_or_else(|| {
                groups.push(Group {
                    screen,
                    suite,
                    machines: Vec::new(),
                    points: Vec::new(),
                });
                groups.len() - 1
            });
            let group = &mut groups[place];
            let lineup = headline.lineup(&machine)?.into_iter();
            let machines = lineup.map(|own| group.place_of(without_unused(own, &shipped)));
            let machines = machines.collect();
            group.points.push(Point {
                headline,
                change,
                machines,
            });
        }
    }
    Ok(groups)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_are_what_machines_have_and_others_are_not() {
        for own in ASSUMPTIONS {
            for headline in own.touches {
                let name = format!("{} of {}", own.key, headline.name());
                let shipped = machine_of(*headline, &[], None).expect("shipped");
                let read = machine_of(*headline, &[], Some((own.key, own.reading)));
                let read = read.expect("a value");
                let is_technique = own.key.starts_with("technique.");
                assert!(is_technique || read == shipped, "{name}: our reading");
                for other in own.others {
                    let changed = machine_of(*headline, &[], Some((own.key, other)));
                    let changed = changed.expect("a value");
                    assert!(changed != shipped, "{name}: {other} is another machine");
                    assert!(headline.lineup(&changed).is_ok(), "{name}: {other}");
                }
            }
        }
    }

    #[test]
    fn headlines_are_of_their_papers_games() {
        for headline in Headline::ALL {
            let suite = headline.suite();
            let study = crate::Study::find(suite.study).expect("a study");
            assert_eq!(study.usual.machine, headline.machine(), "{}", suite.study);
        }
    }

    #[test]
    fn plan_shares_traces_and_machines() {
        let groups = plan(&Headline::ALL, &[], false).expect("shipped");
        // Exact lists at the screens of RE, of LIBRA and KHEPRI, of boustro, and of the models; lists by boxes but for these.
        assert_eq!(groups.len(), 7, "a trace each");
        let points: Vec<_> = groups.iter().flat_map(|group| &group.points).collect();
        for headline in Headline::ALL {
            let own = || {
                points
                    .iter()
                    .filter(move |point| point.headline == headline)
            };
            assert_eq!(own().filter(|point| point.change.is_none()).count(), 1);
            let touching = ASSUMPTIONS
                .iter()
                .filter(|own| own.touches.contains(&headline));
            let n_others: usize = touching.map(|own| own.others.len()).sum();
            assert_eq!(own().count(), 1 + n_others, "{}", headline.name());
        }
        let of = |headline, key: &str| -> Vec<usize> {
            let is_it = |point: &&&Point| {
                let changed = point.change.map(|(own, _)| ASSUMPTIONS[own].key);
                point.headline == headline && changed.unwrap_or_default() == key
            };
            points
                .iter()
                .find(is_it)
                .map_or(Vec::new(), |own| own.machines.clone())
        };
        let (ptr, libra) = (of(Headline::Ptr, ""), of(Headline::Libra, ""));
        assert_eq!(ptr[1], libra[0], "tiles in turn are run once");
        let edge = of(Headline::Libra, "technique.libra.first_edge");
        assert_eq!(
            (edge[0], edge[1] == libra[1]),
            (libra[0], false),
            "LIBRA's alone"
        );
        let strict = of(Headline::Ptr, "raster.dispatch");
        assert_eq!(
            (strict[0], strict[1] == ptr[1]),
            (ptr[0], false),
            "several units'"
        );
        let strict = of(Headline::Libra, "raster.dispatch");
        assert_eq!(strict[1], libra[1], "LIBRA deals by itself");
    }
}
