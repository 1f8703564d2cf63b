//! Copies of an image's texels, rearranged for their readers: kept with the image, so that they are made once however many
//! frames are drawn.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::texel_rows::TexelRows;

/// Copies that an image keeps at most.
const MOST: usize = 4;

/// Rearranged copies of texels, each under a key that says how it was made. They say nothing that the texels do not: images
/// are equal whatever copies they keep, and a clone has none.
#[derive(Debug, Default)]
pub(crate) struct TexelCopies {
    keyed: Mutex<Vec<Copied>>,
    /// Rows by whether the image repeats along u and v.
    rows: [OnceLock<Arc<TexelRows>>; 4],
}

#[derive(Debug)]
struct Copied {
    key: Vec<u64>,
    /// Texels of the copy, from the second request on.
    words: Option<Arc<[u32]>>,
}

impl TexelCopies {
    /// The copy under this key. The first request gets none: what is drawn once is done before a copy would have paid. Nor
    /// does a new key once as many copies as can be kept are there.
    pub(super) fn get(&self, key: &[u64], make: impl FnOnce() -> Vec<u32>) -> Option<Arc<[u32]>> {
        let mut copies = self.keyed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(copy) = copies.iter_mut().find(|copy| copy.key == key) {
            let words = copy.words.get_or_insert_with(|| make().into());
            return Some(Arc::clone(words));
        }
        if copies.len() < MOST {
            let key = key.to_vec();
            copies.push(Copied { key, words: None });
        }
        None
    }

    /// The rows of an image that repeats along u and v or does not; the first request makes them. Colours are sampled from
    /// them alone, so that a picture does not depend on how often its textures have been drawn.
    pub(super) fn rows(
        &self,
        repeats: [bool; 2],
        make: impl FnOnce() -> TexelRows,
    ) -> Arc<TexelRows> {
        let [u, v] = repeats.map(usize::from);
        let rows = &self.rows[u + 2 * v];
        if let Some(made) = rows.get() {
            return Arc::clone(made);
        }
        // Made outside of the lock: it may be shared out to threads, which then may come here for others. A second thread
        // makes them in vain.
        let made = Arc::new(make());
        Arc::clone(rows.get_or_init(|| made))
    }
}

impl Clone for TexelCopies {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for TexelCopies {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for TexelCopies {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Encoding;

    #[test]
    fn texel_copies_are_made_once_by_the_second_request() {
        let copies = TexelCopies::default();
        assert_eq!(copies.get(&[1], || vec![7]), None, "the first has to wait");
        let made = copies.get(&[1], || vec![7]).expect("the second");
        assert_eq!(made[..], [7]);
        let again = copies
            .get(&[1], || vec![8])
            .expect("what was made is there");
        assert!(Arc::ptr_eq(&made, &again), "and the same");
    }

    #[test]
    fn texel_copies_are_bounded() {
        let copies = TexelCopies::default();
        for _ in 0..3 {
            for key in 0..MOST as u64 + 2 {
                copies.get(&[key], Vec::new);
            }
        }
        assert_eq!(
            copies.get(&[MOST as u64], Vec::new),
            None,
            "no more of them"
        );
        assert!(copies.get(&[0], Vec::new).is_some(), "the first ones stay");
    }

    #[test]
    fn texel_rows_are_made_by_the_first_request_and_kept() {
        let copies = TexelCopies::default();
        let texels = [0x4030_2010];
        let levels = crate::level_table(1, 1).0;
        let make = || TexelRows::new(Encoding::Linear, &levels, &texels, [true; 2]);
        let made = copies.rows([true; 2], make);
        let again = copies.rows([true; 2], || unreachable!("they are there"));
        assert!(Arc::ptr_eq(&made, &again), "the same");
        let other = copies.rows([true, false], make);
        assert!(!Arc::ptr_eq(&made, &other), "others for other edges");
    }
}
