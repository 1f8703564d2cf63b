//! The walk of the rasteriser over the quads of a primitive. In: quads with their places on the walk; out: the quads, last
//! first. A primitive has one quad at a place, so they are put on a map of all places and read from it, and none are
//! compared.

use super::tiles::POSITIONS;

/// A map of the places of a tile.
#[derive(Debug)]
pub(super) struct WalkMap {
    /// Places with an item, as bits.
    taken: [u64; POSITIONS / 64],
    /// Words of `taken` that are not 0, as bits.
    words: u64,
    /// Which item is at a place that is taken.
    items: Vec<u16>,
}

impl Default for WalkMap {
    fn default() -> Self {
        Self {
            taken: [0; POSITIONS / 64],
            words: 0,
            items: vec![0; POSITIONS],
        }
    }
}

impl WalkMap {
    /// Moves all items behind those of `to`, by falling `place`, which is below [`POSITIONS`].
    pub(super) fn move_last_first<T: Copy>(
        &mut self,
        from: &mut Vec<T>,
        to: &mut Vec<T>,
        place: impl Fn(&T) -> u32,
    ) {
        if self.fill(from.iter().map(&place)) {
            while let Some(nth) = self.take_last() {
                to.push(from[nth]);
            }
        } else {
            // Two at one place: no renderer draws that, but a trace may say so.
            while self.take_last().is_some() {}
            from.sort_unstable_by_key(|item| u32::MAX - place(item));
            to.extend_from_slice(from);
        }
        from.clear();
    }

    /// Puts items on the map; stops with false where two have one place.
    fn fill(&mut self, places: impl Iterator<Item = u32>) -> bool {
        for (nth, place) in places.enumerate() {
            let place = place as usize % POSITIONS;
            let (word, bit) = (place / 64, 1 << (place % 64));
            if self.taken[word] & bit != 0 {
                return false;
            }
            self.taken[word] |= bit;
            self.words |= 1 << word;
            self.items[place] = nth as u16;
        }
        true
    }

    /// Takes the item at the highest place from the map.
    fn take_last(&mut self) -> Option<usize> {
        let word = self.words.checked_ilog2()? as usize;
        let bit = self.taken[word].ilog2() as usize;
        self.taken[word] ^= 1 << bit;
        if self.taken[word] == 0 {
            self.words ^= 1 << word;
        }
        Some(usize::from(self.items[word * 64 + bit]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Order that the map gives places, twice, since it must be empty after the first time.
    fn walked(places: &[u32]) -> Vec<u32> {
        let mut map = WalkMap::default();
        let mut walked = Vec::new();
        for _ in 0..2 {
            walked.clear();
            map.move_last_first(&mut places.to_vec(), &mut walked, |place| *place);
        }
        walked
    }

    fn sorted(places: &[u32]) -> Vec<u32> {
        let mut sorted = places.to_vec();
        sorted.sort_unstable_by(|a, b| b.cmp(a));
        sorted
    }

    #[test]
    fn walk_goes_by_place_from_the_last_to_the_first() {
        // A step without common divisor with the number of places visits each once.
        for n in [0, 1, 2, 63, 64, 65, 1000, POSITIONS as u32] {
            let places: Vec<u32> = (0..n).map(|nth| nth * 2741 % POSITIONS as u32).collect();
            assert_eq!(walked(&places), sorted(&places), "{n} places");
        }
    }

    #[test]
    fn walk_keeps_all_items_where_places_repeat() {
        let places: Vec<u32> = (0..5000).map(|nth| nth * 7 % 300).collect();
        assert_eq!(walked(&places), sorted(&places), "none is lost");
    }
}
