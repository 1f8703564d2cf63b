//! Clusters of points: vectors in, groups of them out, by k-means, with the number of groups by an information criterion.
//!
//! Lloyd's algorithm from seeds of k-means++ (Arthur and Vassilvitskii, SODA 2007), best of several starts by the sum of
//! squared distances; the number of groups is `SimPoint`'s (Sherwood et al., ASPLOS 2002): the smallest whose Bayesian
//! information criterion, as Pelleg and Moore (ICML 2000) state it for round clusters of one variance, reaches nine tenths
//! of the way from the worst to the best. Everything is added up in the order of points by one thread, and the random
//! numbers are those of a fixed seed: equal points, equal groups.

/// Starts, the best of which counts.
const STARTS: u64 = 6;

/// Rounds after which a start is taken as it is; two dozen are many.
const MAX_ROUNDS: usize = 100;

/// Share of the way from the worst score to the best one that a number of groups must reach (`SimPoint`, section 4).
const ENOUGH: f64 = 0.9;

/// Points nearer to each other than this are not told apart, so that rounding makes no groups: with [`super::activity`]'s
/// vectors, a thousandth of a frame's work.
const RESOLUTION: f64 = 1e-3;

/// Clusters of points, none of which is empty.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Groups {
    /// Group of each point.
    pub(super) group_of: Vec<usize>,
    /// Mean of each group.
    pub(super) centroids: Vec<Vec<f64>>,
}

impl Groups {
    /// Number of points in each group.
    pub(super) fn sizes(&self) -> Vec<u64> {
        let mut sizes = vec![0; self.centroids.len()];
        for &group in &self.group_of {
            sizes[group] += 1;
        }
        sizes
    }

    /// Member of each group that is nearest to its mean; the first of those that are equally near.
    pub(super) fn middles(&self, points: &[Vec<f64>]) -> Vec<usize> {
        let mut nearest = vec![(0, f64::INFINITY); self.centroids.len()];
        for (number, (point, &group)) in points.iter().zip(&self.group_of).enumerate() {
            let distance = squared_distance(point, &self.centroids[group]);
            if distance < nearest[group].1 {
                nearest[group] = (number, distance);
            }
        }
        nearest.into_iter().map(|(number, _)| number).collect()
    }

    /// Sum of squared distances of all points from the means of their groups.
    fn scatter(&self, points: &[Vec<f64>]) -> f64 {
        let pairs = points.iter().zip(&self.group_of);
        pairs
            .map(|(point, &group)| squared_distance(point, &self.centroids[group]))
            .sum()
    }
}

/// Clusters points, in at most `most` groups. No points, no groups.
pub(super) fn cluster(points: &[Vec<f64>], most: usize) -> Groups {
    let most = most.clamp(1, points.len().max(1));
    let tried: Vec<_> = (1..=most)
        .map(|n_groups| {
            let groups = k_means(points, n_groups);
            let score = information(points, &groups);
            (groups, score)
        })
        .collect();
    let scores = || tried.iter().map(|(_, score)| *score);
    let worst = scores().fold(f64::INFINITY, f64::min);
    let best = scores().fold(f64::NEG_INFINITY, f64::max);
    let enough = worst + ENOUGH * (best - worst);
    let chosen = tried.into_iter().find(|(_, score)| *score >= enough);
    chosen.map_or_else(|| k_means(points, 1), |(groups, _)| groups)
}

/// Lloyd's algorithm for at most `n_groups` groups: fewer where there are fewer different points.
fn k_means(points: &[Vec<f64>], n_groups: usize) -> Groups {
    let starts = (0..STARTS).map(|start| {
        let mut random = Random(start);
        let groups = settle(points, seeds(points, n_groups, &mut random));
        let scatter = groups.scatter(points);
        (groups, scatter)
    });
    let best = starts.reduce(|best, next| if next.1 < best.1 { next } else { best });
    best.map_or_else(
        || Groups {
            group_of: Vec::new(),
            centroids: Vec::new(),
        },
        |(groups, _)| groups,
    )
}

/// Initial centroids, each drawn by its squared distance from those before it.
fn seeds(points: &[Vec<f64>], n_groups: usize, random: &mut Random) -> Vec<Vec<f64>> {
    let Some(first) = points.get(random.below(points.len())) else {
        return Vec::new();
    };
    let mut seeds = vec![first.clone()];
    let mut distances: Vec<f64> = (points.iter())
        .map(|point| squared_distance(point, first))
        .collect();
    while seeds.len() < n_groups {
        let total: f64 = distances.iter().sum();
        if total <= 0.0 {
            break;
        }
        let mut rest = random.unit() * total;
        let is_hit = |distance: &f64| {
            rest -= distance;
            rest < 0.0
        };
        // Rounding may leave a rest behind the last point: then the farthest one.
        let farthest = || (0..points.len()).max_by(|a, b| distances[*a].total_cmp(&distances[*b]));
        let drawn = distances.iter().position(is_hit).or_else(farthest);
        let Some(seed) = drawn.map(|number| points[number].clone()) else {
            break;
        };
        for (distance, point) in distances.iter_mut().zip(points) {
            *distance = distance.min(squared_distance(point, &seed));
        }
        seeds.push(seed);
    }
    seeds
}

/// Assigns points to the nearest mean and moves means to the middle of their points, until nothing moves.
fn settle(points: &[Vec<f64>], mut centroids: Vec<Vec<f64>>) -> Groups {
    let mut group_of = Vec::new();
    for _ in 0..MAX_ROUNDS {
        let now: Vec<usize> = (points.iter())
            .map(|point| nearest(point, &centroids))
            .collect();
        if now == group_of {
            break;
        }
        group_of = now;
        centroids = means(points, &mut group_of, centroids.len());
    }
    Groups {
        group_of,
        centroids,
    }
}

/// Number of the nearest centroid, the first of those that are equally near.
fn nearest(point: &[f64], centroids: &[Vec<f64>]) -> usize {
    let distances = centroids.iter().map(|c| squared_distance(point, c));
    let nearest = distances
        .enumerate()
        .reduce(|best, next| if next.1 < best.1 { next } else { best });
    nearest.map_or(0, |(number, _)| number)
}

/// Means of the groups; a group that lost its last point is taken out, and those behind it move up.
fn means(points: &[Vec<f64>], group_of: &mut [usize], n_groups: usize) -> Vec<Vec<f64>> {
    let n_columns = points.first().map_or(0, Vec::len);
    let mut sums = vec![(vec![0.0; n_columns], 0_u64); n_groups];
    for (point, &group) in points.iter().zip(&*group_of) {
        let (sum, n) = &mut sums[group];
        for (sum, number) in sum.iter_mut().zip(point) {
            *sum += number;
        }
        *n += 1;
    }
    let mut left = 0;
    let renamed: Vec<usize> = (sums.iter())
        .map(|(_, n)| {
            let name = left;
            left += usize::from(*n > 0);
            name
        })
        .collect();
    for group in group_of {
        *group = renamed[*group];
    }
    let full = sums.into_iter().filter(|(_, n)| *n > 0);
    full.map(|(sum, n)| sum.into_iter().map(|sum| sum / n as f64).collect())
        .collect()
}

/// Bayesian information criterion of groups: log-likelihood of the points, less half a logarithm of their number for each
/// number that describes the groups. The more, the better.
fn information(points: &[Vec<f64>], groups: &Groups) -> f64 {
    let n = points.len() as f64;
    let n_groups = groups.centroids.len() as f64;
    let dimensions = n_varying(points).max(1) as f64;
    let scatter = groups.scatter(points);
    let free = dimensions * (n - n_groups);
    let least = RESOLUTION * RESOLUTION / dimensions;
    let variance = if free > 0.0 { scatter / free } else { 0.0 }.max(least);
    let membership = |size: &u64| *size as f64 * (*size as f64 / n).ln();
    let likelihood = groups.sizes().iter().map(membership).sum::<f64>()
        - 0.5 * n * dimensions * (std::f64::consts::TAU * variance).ln()
        - scatter / (2.0 * variance);
    let parameters = n_groups - 1.0 + n_groups * dimensions + 1.0;
    likelihood - 0.5 * parameters * n.ln()
}

/// Number of coordinates that differ between points.
fn n_varying(points: &[Vec<f64>]) -> usize {
    let Some((first, rest)) = points.split_first() else {
        return 0;
    };
    let varies = |column: &usize| rest.iter().any(|point| point[*column] != first[*column]);
    (0..first.len()).filter(varies).count()
}

fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

/// Pseudorandom numbers, each of which depends on those before it alone (`SplitMix64`).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Number from 0 to below 1.
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Number from 0 to below `limit`; 0 if that is 0.
    fn below(&mut self, limit: usize) -> usize {
        (self.unit() * limit as f64) as usize
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Groups as sorted lists of their points, which do not depend on the groups' numbers.
    fn partition(groups: &Groups) -> Vec<Vec<usize>> {
        let mut lists = vec![Vec::new(); groups.centroids.len()];
        for (number, &group) in groups.group_of.iter().enumerate() {
            lists[group].push(number);
        }
        lists.sort();
        lists
    }

    /// `n` points within a hundredth of each of the places, in turn.
    fn around(places: &[[f64; 2]], n: usize) -> Vec<Vec<f64>> {
        let mut random = Random(7);
        let mut near = |[x, y]: [f64; 2]| {
            let mut off = || 0.02 * (random.unit() - 0.5);
            vec![x + off(), y + off()]
        };
        (0..n).map(|i| near(places[i % places.len()])).collect()
    }

    #[test]
    fn clusters_of_equal_points_are_one() {
        let points = vec![vec![0.25, 0.5]; 9];
        let groups = cluster(&points, 9);
        assert_eq!(groups.sizes(), [9], "nothing tells them apart");
        assert_eq!(groups.middles(&points), [0], "the first of equals");
    }

    #[test]
    fn clusters_below_the_resolution_are_one() {
        let points: Vec<_> = (0..9).map(|i| vec![0.5 + 1e-5 * f64::from(i)]).collect();
        assert_eq!(
            cluster(&points, 9).sizes(),
            [9],
            "a thousandth is no difference"
        );
    }

    #[test]
    fn clusters_of_two_phases_are_two() {
        let points = around(&[[0.2, 0.9], [0.8, 0.1]], 40);
        let groups = cluster(&points, 10);
        let even: Vec<usize> = (0..40).step_by(2).collect();
        let odd: Vec<usize> = (1..40).step_by(2).collect();
        assert_eq!(partition(&groups), [even, odd], "each phase is one");
    }

    #[test]
    fn clusters_of_four_phases_are_four_in_any_order() {
        let places = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]];
        let points = around(&places, 40);
        let turned: Vec<_> = points.iter().rev().cloned().collect();
        let there = partition(&cluster(&points, 12));
        let mut back = partition(&cluster(&turned, 12));
        for list in &mut back {
            *list = list.iter().rev().map(|i| 39 - i).collect();
        }
        back.sort();
        assert_eq!(there.len(), 4, "a group for each place");
        assert_eq!(there, back, "the points of a group are the same");
    }

    #[test]
    fn clusters_are_no_more_than_asked_for_and_no_more_than_points() {
        let points: Vec<_> = (0..5).map(|i| vec![f64::from(i)]).collect();
        assert!(cluster(&points, 2).centroids.len() <= 2, "asked for");
        assert_eq!(k_means(&points, 5).sizes(), [1; 5], "one for each point");
        assert_eq!(k_means(&points, 50).sizes(), [1; 5], "and no empty one");
        assert_eq!(cluster(&points[..1], 3).sizes(), [1], "a single point");
        assert_eq!(cluster(&[], 3).sizes(), [0_u64; 0], "none");
    }

    #[test]
    fn clusters_of_zeros_are_one() {
        let zeros = vec![vec![0.0; 3]; 4];
        assert_eq!(cluster(&zeros, 4).sizes(), [4], "no NaN comes between");
        let nothing = vec![Vec::new(); 4];
        assert_eq!(cluster(&nothing, 4).sizes(), [4], "nor without columns");
    }

    #[test]
    fn information_is_that_of_round_clusters_of_one_variance() {
        let points = [[0.0], [0.2], [1.0], [1.2]].map(|point| point.to_vec());
        let groups = k_means(&points, 2);
        assert_eq!(groups.sizes(), [2, 2], "two pairs");
        // Squared distances 4 x 0.01; variance 0.04 / (4 - 2); each point's density is that of a normal distribution times
        // a half.
        let variance: f64 = 0.02;
        let density = |distance: f64| {
            let scale = (std::f64::consts::TAU * variance).sqrt();
            (0.5 / scale * (-distance * distance / (2.0 * variance)).exp()).ln()
        };
        let expected = 4.0 * density(0.1) - 0.5 * 4.0 * 4.0_f64.ln();
        let found = information(&points, &groups);
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    }

    proptest! {
        /// Compares with the definitions, computed the slow way.
        #[test]
        fn clusters_are_what_they_should_be(
            points in prop::collection::vec(prop::collection::vec(-2.0..2.0_f64, 3), 1..30),
            most in 1..8_usize,
        ) {
            let groups = cluster(&points, most);
            prop_assert!(groups.centroids.len() <= most);
            prop_assert_eq!(groups.sizes().iter().sum::<u64>(), points.len() as u64);
            prop_assert!(groups.sizes().iter().all(|size| *size > 0));
            let distance = |point: &Vec<f64>, group: usize| -> f64 {
                (0..3).map(|i| (point[i] - groups.centroids[group][i]).powi(2)).sum::<f64>().sqrt()
            };
            for (point, &own) in points.iter().zip(&groups.group_of) {
                for other in 0..groups.centroids.len() {
                    prop_assert!(distance(point, own) <= distance(point, other) + 1e-9, "nearest");
                }
            }
            for (group, middle) in groups.middles(&points).into_iter().enumerate() {
                prop_assert_eq!(groups.group_of[middle], group, "its own");
                let members = (0..points.len()).filter(|i| groups.group_of[*i] == group);
                for member in members.clone() {
                    prop_assert!(distance(&points[middle], group) <= distance(&points[member], group) + 1e-9);
                }
                let n = members.clone().count() as f64;
                for (i, centre) in groups.centroids[group].iter().enumerate() {
                    let mean = members.clone().map(|member| points[member][i]).sum::<f64>() / n;
                    prop_assert!((mean - centre).abs() < 1e-9, "mean");
                }
            }
            prop_assert_eq!(&groups, &cluster(&points, most), "the same again");
        }
    }
}
