//! Memory map: resources, Parameter Buffer and frame buffers get addresses as a driver would give them, one after the other
//! in pages, and keep them from frame to frame.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::ops::Range;

use super::request::Traffic;
use super::target::{TargetLayout, TargetWrites};
use azulejo_trace::{BufferInfo, FrameTrace, Program, TargetInfo, TextureInfo};

/// Allocations begin on a page of this size.
const PAGE: u64 = 4096;

/// End of the address space: 48 bits, as the MMUs of today's GPUs translate.
const SPACE_END: u64 = 1 << 48;

/// Addresses of resources of one kind. Resources that look the same are told apart by their order in the frame.
#[derive(Debug, Clone)]
struct Placed<T> {
    known: HashMap<T, Bases>,
    /// Number of frames placed so far.
    frame: u64,
}

/// Base addresses of the resources that look the same.
#[derive(Debug, Clone, Default)]
struct Bases {
    /// In the order in which they were placed.
    all: Vec<u64>,
    /// How many of them frame number `frame` has been given.
    given: usize,
    frame: u64,
}

impl<T> Default for Placed<T> {
    fn default() -> Self {
        Self {
            known: HashMap::new(),
            frame: 0,
        }
    }
}

impl<T: Clone + Eq + Hash> Placed<T> {
    /// Base addresses of a frame's resources: the nth of those that look the same has the nth address of their kind, and
    /// what has none yet is allocated in the frame's order.
    fn place(&mut self, resources: &[T], mut allocate: impl FnMut(&T) -> u64) -> Vec<u64> {
        self.frame += 1;
        let base_of = |resource: &T| {
            let bases = self.known.entry(resource.clone()).or_default();
            if bases.frame != self.frame {
                (bases.frame, bases.given) = (self.frame, 0);
            }
            if bases.given == bases.all.len() {
                bases.all.push(allocate(resource));
            }
            bases.given += 1;
            bases.all[bases.given - 1]
        };
        resources.iter().map(base_of).collect()
    }
}

/// Addresses of one machine's memory. Grows from frame to frame and never moves what is still there, unless the address
/// space is used up: then everything is forgotten and placed anew.
#[derive(Debug, Clone)]
pub struct MemoryMap {
    placed_buffers: Placed<BufferInfo>,
    placed_textures: Placed<TextureInfo>,
    next: u64,
    /// Bases by [`azulejo_trace::TextureIdx`] of the current frame.
    pub(crate) textures: Vec<u64>,
    /// Bases by buffer of the current frame.
    pub(crate) buffers: Vec<u64>,
    /// Commands and constants of the current frame's draws.
    pub(crate) commands: u64,
    /// Attributes of the first primitive.
    pub(crate) attributes: u64,
    attribute_bytes: u64,
    /// First block of the tile lists.
    pub(crate) lists: u64,
    list_bytes: u64,
    /// Frame buffers, by target and buffer.
    frame_buffers: Vec<u64>,
    frame_buffer_bytes: u64,
    /// Layouts of the current pass's targets.
    layouts: Vec<TargetLayout>,
    /// Places of these of them that are textures.
    in_textures: Vec<Option<u64>>,
    /// All resources that passes have written through the L2, by place: their ends, and kinds of traffic.
    written: Written,
    /// Depth buffer and vertices' outputs, where they lie in memory.
    pub(crate) depth: u64,
    depth_bytes: u64,
    pub(crate) outputs: u64,
    output_bytes: u64,
}

impl Default for MemoryMap {
    fn default() -> Self {
        Self {
            placed_buffers: Placed::default(),
            placed_textures: Placed::default(),
            // The first page stays free, as on every real machine.
            next: PAGE,
            textures: Vec::new(),
            buffers: Vec::new(),
            commands: 0,
            attributes: 0,
            attribute_bytes: 0,
            lists: 0,
            list_bytes: 0,
            frame_buffers: Vec::new(),
            frame_buffer_bytes: 0,
            layouts: Vec::new(),
            in_textures: Vec::new(),
            written: Written::new(),
            depth: 0,
            depth_bytes: 0,
            outputs: 0,
            output_bytes: 0,
        }
    }
}

impl MemoryMap {
    fn allocate(&mut self, bytes: u64) -> u64 {
        allocate(&mut self.next, bytes)
    }

    /// Gives addresses to what the frame needs; what an earlier frame had keeps its own.
    pub(crate) fn place(&mut self, frame: &FrameTrace, needs: &FrameNeeds) {
        if self.next >= SPACE_END / 2 {
            *self = Self::default();
        }
        if self.commands == 0 {
            self.commands = self.allocate(COMMAND_AREA);
        }
        self.place_frame_buffers(frame, needs);
        self.place_resources(frame);
        self.place_in_textures(frame);
        self.note_written_buffers(frame);
        if needs.attribute_bytes > self.attribute_bytes {
            self.attribute_bytes = needs.attribute_bytes.next_power_of_two();
            self.attributes = self.allocate(self.attribute_bytes);
        }
        if needs.list_bytes > self.list_bytes {
            self.list_bytes = needs.list_bytes.next_power_of_two();
            self.lists = self.allocate(self.list_bytes);
        }
    }

    /// Gives addresses to the resources of a compute pass.
    pub(crate) fn place_compute(&mut self, pass: &FrameTrace) {
        if self.next >= SPACE_END / 2 {
            *self = Self::default();
        }
        self.layouts.clear();
        self.in_textures.clear();
        self.place_resources(pass);
        self.note_written_buffers(pass);
    }

    /// Gives addresses to the depth buffer and to what vertex programs hand over, where a machine keeps them in memory.
    pub(crate) fn place_immediate(&mut self, depth_bytes: u64, output_bytes: u64) {
        if depth_bytes > self.depth_bytes {
            self.depth_bytes = depth_bytes;
            self.depth = self.allocate(depth_bytes);
        }
        if output_bytes > self.output_bytes {
            self.output_bytes = output_bytes.next_power_of_two();
            self.outputs = self.allocate(self.output_bytes);
        }
    }

    /// Areas that a machine writes through its caches, beside what `rest` is.
    pub(crate) fn written_areas(&self, rest: Traffic) -> WrittenAreas {
        WrittenAreas {
            depth: self.depth..self.depth + self.depth_bytes,
            outputs: self.outputs..self.outputs + self.output_bytes,
            written: self.written.clone(),
            rest,
        }
    }

    fn place_resources(&mut self, frame: &FrameTrace) {
        let mut next = self.next;
        let own = frame
            .buffers
            .iter()
            .filter(|buffer| buffer.texture.is_none());
        let own: Vec<BufferInfo> = own.cloned().collect();
        let placed = (self.placed_buffers).place(&own, |buffer| allocate(&mut next, buffer.bytes));
        self.textures = (self.placed_textures).place(&frame.textures, |texture| {
            allocate(&mut next, texture.bytes())
        });
        self.next = next;
        let mut placed = placed.into_iter();
        let place = |buffer: &BufferInfo| match buffer.texture {
            Some(texture) => self.textures[texture.0 as usize],
            None => placed.next().unwrap_or_default(),
        };
        self.buffers = frame.buffers.iter().map(place).collect();
    }

    /// Targets that are textures lie where these do.
    fn place_in_textures(&mut self, frame: &FrameTrace) {
        self.in_textures.clear();
        for target in &frame.targets {
            let place = target.texture.map(|place| {
                let texture = place.texture.0 as usize;
                let (base, info) = (self.textures[texture], &frame.textures[texture]);
                (self.written).insert(base, (base + info.bytes(), Traffic::Color));
                base + u64::from(place.first_block) * info.format.block_bytes()
            });
            self.in_textures.push(place);
        }
    }

    /// Places of the textures that a pass, which is the current one, draws or stores to.
    pub(crate) fn drawn_by(&self, pass: &FrameTrace) -> impl Iterator<Item = u64> {
        let targets = pass.targets.iter().filter_map(|target| target.texture);
        let stored = written_buffers(pass).filter_map(|buffer| pass.buffers[buffer].texture);
        let textures = targets.map(|place| place.texture).chain(stored);
        textures.map(|texture| self.textures[texture.0 as usize])
    }

    /// Whether any pass has written a texture or a buffer.
    pub(crate) fn has_written(&self) -> bool {
        !self.written.is_empty()
    }

    fn note_written_buffers(&mut self, frame: &FrameTrace) {
        for buffer in written_buffers(frame) {
            let base = self.buffers[buffer];
            let end = base + frame.buffers[buffer].bytes;
            self.written.insert(base, (end, Traffic::Buffer));
        }
    }

    fn place_frame_buffers(&mut self, frame: &FrameTrace, needs: &FrameNeeds) {
        let layout = |target: &TargetInfo| match target.texture {
            Some(place) => {
                let texture = &frame.textures[place.texture.0 as usize];
                TargetLayout::in_texture(texture.format, &frame.grid)
            }
            None => TargetLayout::new(needs.writes, &frame.grid, target.bytes_per_pixel),
        };
        self.layouts = frame.targets.iter().map(layout).collect();
        let of_buffers = (self.layouts.iter().zip(&frame.targets))
            .filter(|(_, target)| target.texture.is_none());
        let bytes = of_buffers.map(|(layout, _)| layout.bytes()).max();
        let Some(bytes) = bytes.or(frame.targets.is_empty().then_some(0)) else {
            // A pass before the last draws to textures alone; the frame buffers stay where they are.
            return;
        };
        let wanted = frame.targets.len() * needs.frame_buffers as usize;
        if self.frame_buffers.len() != wanted || self.frame_buffer_bytes != bytes {
            self.frame_buffer_bytes = bytes;
            self.frame_buffers = (0..wanted).map(|_| self.allocate(bytes)).collect();
        }
    }

    /// Layout of a target of the current frame; of one that it does not have, an empty one.
    pub(crate) fn layout(&self, target: usize) -> TargetLayout {
        self.layouts.get(target).copied().unwrap_or_default()
    }

    /// Base of a target of the current pass: in its texture, or in the frame buffer that frame number `frame` draws to.
    pub(crate) fn target(&self, target: usize, n_targets: usize, frame: u64) -> u64 {
        if let Some(Some(place)) = self.in_textures.get(target) {
            return *place;
        }
        if self.frame_buffers.is_empty() {
            return 0;
        }
        let n_buffers = (self.frame_buffers.len() / n_targets.max(1)).max(1) as u64;
        let buffer = (frame % n_buffers) as usize;
        self.frame_buffers[buffer * n_targets + target]
    }
}

/// Bytes of a draw command: state and pointers. The draw's constants follow it.
pub(crate) const COMMAND_BYTES: u64 = 64;

/// Ring in which the driver puts commands.
pub(crate) const COMMAND_AREA: u64 = 1 << 22;

/// Resources that programs and passes write, by place: their ends, and kinds of traffic.
type Written = BTreeMap<u64, (u64, Traffic)>;

/// Areas that a machine writes through its caches: a depth buffer and outputs of vertex programs where it has no tiles,
/// textures that passes draw to, buffers that programs write, and one kind of data anywhere else.
#[derive(Debug, Clone)]
pub(crate) struct WrittenAreas {
    depth: Range<u64>,
    outputs: Range<u64>,
    written: Written,
    rest: Traffic,
}

impl WrittenAreas {
    /// The kind of a line by its address.
    pub(crate) fn traffic_of(&self, line: u64) -> Traffic {
        if self.depth.contains(&line) {
            Traffic::Depth
        } else if self.outputs.contains(&line) {
            Traffic::VertexOutput
        } else {
            self.of_resource(line).unwrap_or(self.rest)
        }
    }

    fn of_resource(&self, line: u64) -> Option<Traffic> {
        let (_, (end, kind)) = self.written.range(..=line).next_back()?;
        (line < *end).then_some(*kind)
    }
}

/// Buffers that the programs of a pass write.
fn written_buffers(pass: &FrameTrace) -> impl Iterator<Item = usize> {
    let of_draws = pass.draws.iter().flat_map(|draw| {
        [
            (draw.vertex_program, &draw.vertex_buffers),
            (draw.fragment_program, &draw.fragment_buffers),
        ]
    });
    let dispatches = pass.dispatches.iter();
    let of_dispatches = dispatches.map(|dispatch| (dispatch.program, &dispatch.buffers));
    let all = of_draws.chain(of_dispatches);
    all.flat_map(|(program, buffers)| {
        written_by(&pass.programs[program.0 as usize], buffers).map(|buffer| buffer as usize)
    })
}

/// Buffers that a program writes, of those of its accesses.
pub(crate) fn written_by(program: &Program, buffers: &[u32]) -> impl Iterator<Item = u32> {
    let accesses = (program.instructions.iter()).filter(|one| one.class.accesses_buffer());
    let written = accesses
        .zip(buffers)
        .filter(|(one, _)| one.class.writes_buffer());
    written.map(|(_, buffer)| *buffer)
}

/// Memory that a frame needs beside its resources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FrameNeeds {
    pub(crate) frame_buffers: u32,
    pub(crate) writes: TargetWrites,
    pub(crate) attribute_bytes: u64,
    pub(crate) list_bytes: u64,
}

impl FrameNeeds {
    /// Needs of a frame on a machine with tiles, whose lists take so many bytes.
    pub(crate) fn with_tiles(
        frame: &FrameTrace,
        frame_buffers: u32,
        line: u64,
        list_bytes: u64,
    ) -> Self {
        let draws = frame.draws.iter();
        let attributes = draws.map(|draw| u64::from(draw.n_primitives) * draw.primitive_bytes());
        Self {
            frame_buffers,
            writes: TargetWrites {
                line,
                by_tile: true,
            },
            attribute_bytes: attributes.sum(),
            list_bytes,
        }
    }

    /// Needs of a frame on a machine that keeps no lists.
    pub(crate) const fn without_tiles(frame_buffers: u32, line: u64) -> Self {
        Self {
            frame_buffers,
            writes: TargetWrites {
                line,
                by_tile: false,
            },
            attribute_bytes: 0,
            list_bytes: 0,
        }
    }
}

/// The next free page, after which come `bytes` bytes, at least one.
fn allocate(next: &mut u64, bytes: u64) -> u64 {
    let base = *next;
    *next = (base + bytes.max(1)).next_multiple_of(PAGE);
    base
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_grid::TileGrid;
    use azulejo_trace::InstructionClass;
    use azulejo_trace::synthetic::{CoveredScreen, chain};

    const NEEDS: FrameNeeds = FrameNeeds {
        frame_buffers: 2,
        writes: TargetWrites {
            line: 64,
            by_tile: true,
        },
        attribute_bytes: 4096,
        list_bytes: 4096,
    };

    fn buffer(name: &str, bytes: u64) -> BufferInfo {
        BufferInfo {
            name: name.to_owned(),
            bytes,
            texture: None,
        }
    }

    fn frame(buffers: &[BufferInfo]) -> FrameTrace {
        let grid = TileGrid {
            width: 32,
            height: 32,
            tile_size: 32,
        };
        let mut frame = CoveredScreen::new(grid, chain(InstructionClass::Alu, 1)).frame(0);
        frame.buffers = buffers.to_vec();
        frame
    }

    /// The rule by search: the first known place of an equal resource that this frame has not been given.
    #[derive(Default)]
    struct Searched {
        known: Vec<(BufferInfo, u64)>,
        next: u64,
    }

    impl Searched {
        fn place(&mut self, buffers: &[BufferInfo]) -> Vec<u64> {
            let mut given = Vec::new();
            for buffer in buffers {
                let mut equal = self.known.iter().filter(|(info, _)| info == buffer);
                let base = equal.find(|(_, base)| !given.contains(base));
                given.push(if let Some((_, base)) = base {
                    *base
                } else {
                    let base = self.next;
                    self.next += buffer.bytes.max(1).next_multiple_of(PAGE);
                    self.known.push((buffer.clone(), base));
                    base
                });
            }
            given
        }
    }

    #[test]
    fn memory_map_gives_equal_resources_the_places_that_a_search_gives() {
        let mut placed = Placed::default();
        let (mut next, mut searched) = (0, Searched::default());
        let mut state = 7_u32;
        for _ in 0..200 {
            let buffers: Vec<_> = (0..12)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    let (name, pages) =
                        (["a", "b", "c"][(state >> 30) as usize % 3], state >> 27 & 1);
                    buffer(name, u64::from(pages) * 5000)
                })
                .collect();
            let bases = placed.place(&buffers, |info| allocate(&mut next, info.bytes));
            assert_eq!(bases, searched.place(&buffers), "of {buffers:?}");
        }
        assert_eq!(next, searched.next, "nothing else was allocated");
    }

    #[test]
    fn memory_map_places_many_equal_resources_in_linear_time() {
        // By search over all known ones for each, and all given ones for each of those, this took hours.
        let equal = vec![buffer("vertices", 64); 100_000];
        let mut map = MemoryMap::default();
        for _ in 0..3 {
            map.place(&frame(&equal), &NEEDS);
            let mut bases = map.buffers.clone();
            bases.dedup();
            assert_eq!(bases.len(), equal.len(), "each has its own place");
        }
    }

    #[test]
    fn memory_map_begins_anew_where_the_address_space_is_used_up() {
        let mut map = MemoryMap::default();
        for nth in 0..64 {
            // Another buffer in each frame: nothing is found again.
            map.place(&frame(&[buffer("large", (1 << 44) + nth)]), &NEEDS);
            assert!(map.next <= SPACE_END, "frame {nth} ends at {:#x}", map.next);
        }
        assert!(
            map.next < SPACE_END / 2 + (1 << 45),
            "forgotten at least once"
        );
    }
}
