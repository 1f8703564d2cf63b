//! Observers of the L2: every access that it looks up, in order, with its requester. Observers see and change nothing;
//! without one, the cache asks an empty list.

use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};

use super::request::{LineRequest, NOBODY, Traffic};
use crate::access::AccessKind;
use crate::cache::{StreamAccess, TilePlace};
use azulejo_grid::{TileGrid, TileId};

/// An access that the L2 looks up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct L2Access {
    /// Which line, how, and for which tile on which Raster Unit.
    pub access: StreamAccess,
    /// Kind of data that the line holds.
    pub traffic: Traffic,
}

/// Sees the accesses of the L2: each once, when its bank looks it up, whether it hits or misses, and in the order of cycles
/// and banks. Passes with other tiles than those of the frame's last are left out.
pub trait L2Observer: Debug + Send {
    /// A frame begins, before its accesses.
    fn begin_frame(&mut self, number: u64, grid: TileGrid);

    /// The L2 looks a line up.
    fn access(&mut self, access: &L2Access);
}

/// An observer that is shared with an owner outside the machine.
impl<T: L2Observer> L2Observer for Arc<Mutex<T>> {
    fn begin_frame(&mut self, number: u64, grid: TileGrid) {
        let mut inner = self.lock().unwrap_or_else(PoisonError::into_inner);
        inner.begin_frame(number, grid);
    }

    fn access(&mut self, access: &L2Access) {
        let mut inner = self.lock().unwrap_or_else(PoisonError::into_inner);
        inner.access(access);
    }
}

/// The observers of one L2, and the Raster Units of first-level caches.
#[derive(Debug)]
pub(crate) struct L2Observers {
    observers: Vec<Box<dyn L2Observer>>,
    /// Caches of the cores of a Raster Unit, which come first and in order.
    cores_per_unit: u32,
    raster_units: u32,
    /// Accesses under way are of a pass with other tiles than the frame's.
    is_elsewhere: bool,
}

impl L2Observers {
    /// No observer, for a machine of `raster_units` units.
    pub(crate) const fn new(raster_units: u32, cores_per_unit: u32) -> Self {
        Self {
            observers: Vec::new(),
            cores_per_unit,
            raster_units,
            is_elsewhere: false,
        }
    }

    pub(crate) fn push(&mut self, observer: Box<dyn L2Observer>) {
        self.observers.push(observer);
    }

    pub(crate) fn begin_frame(&mut self, number: u64, grid: TileGrid) {
        for observer in &mut self.observers {
            observer.begin_frame(number, grid);
        }
    }

    /// A pass begins; observers see nothing of one with other tiles than the frame's.
    pub(crate) fn begin_pass(&mut self, is_elsewhere: bool) {
        self.is_elsewhere = is_elsewhere;
    }

    pub(super) fn access(&mut self, request: &LineRequest) {
        if self.observers.is_empty() || self.is_elsewhere {
            return;
        }
        let access = L2Access {
            access: StreamAccess {
                address: request.line,
                kind: match request.is_write {
                    true => AccessKind::Write,
                    false => AccessKind::Read,
                },
                place: self.place(request),
            },
            traffic: request.requester.traffic,
        };
        for observer in &mut self.observers {
            observer.access(&access);
        }
    }

    /// The tile that the request is for, with the Raster Unit of the core that makes it.
    fn place(&self, request: &LineRequest) -> Option<TilePlace> {
        let tile = request.requester.tile;
        let raster_unit = request.source.core() / self.cores_per_unit.max(1);
        (tile != NOBODY && raster_unit < self.raster_units).then_some(TilePlace {
            tile: TileId(tile),
            raster_unit,
        })
    }
}
