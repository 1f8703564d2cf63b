//! Tree of a code's regions, its marks, and paths along it.

use azulejo_trace::{PathRecorder, Region, ShaderStage};

use super::super::code::{Code, Instruction, NONE, Register};
use super::super::lower::link;
use super::super::operation::Op;
use super::super::run::{LANES_OF_BATCH, Note};

/// Region with the numbers of its marks.
#[derive(Debug, Clone)]
pub(super) enum Node {
    Block(u32),
    If(u32, [Vec<Self>; 2]),
    /// Each trip has the mark.
    Loop(u32, Vec<Self>),
    /// Each case has one.
    Switch(Vec<(u32, Vec<Self>)>),
}

/// A code with marks, and its program's shape.
pub(super) struct Tree {
    pub(super) code: Code,
    pub(super) nodes: Vec<Node>,
    pub(super) regions: Vec<Region>,
    pub(super) positions: Vec<Option<u32>>,
}

impl Tree {
    pub(super) fn of(code: &Code) -> Self {
        let mut marker = Marker {
            from: &code.instructions,
            at: 0,
            marks: 0,
            marked: Vec::new(),
            positions: vec![None; code.located_inputs().count()],
            closed: 0,
            outputs: code.outputs.len(),
        };
        let mut parts = Parts::default();
        marker.sequence(&mut parts);
        marker.outputs();
        marker.block(&mut parts);
        let mut marked = Code {
            instructions: marker.marked,
            ..code.clone()
        };
        link(&mut marked);
        Self {
            code: marked,
            nodes: parts.nodes,
            regions: parts.regions,
            positions: marker.positions,
        }
    }
}

/// Regions one after the other, in both forms.
#[derive(Default)]
struct Parts {
    nodes: Vec<Node>,
    regions: Vec<Region>,
}

/// Copies a code with marks.
struct Marker<'c> {
    from: &'c [Instruction],
    at: usize,
    marks: u32,
    marked: Vec<Instruction>,
    /// Position of each instruction of the program.
    positions: Vec<Option<u32>>,
    /// How many of them are in blocks.
    closed: usize,
    /// Outputs that the program has no instructions for yet.
    outputs: usize,
}

impl Marker<'_> {
    /// A mark; `condition` is that of an `if`.
    fn mark(&mut self, condition: Register) -> u32 {
        let number = self.marks;
        self.marks += 1;
        self.marked.push(Instruction {
            op: Op::Mark(number),
            results: [NONE; 4],
            operands: [condition, NONE, NONE, NONE],
            masked: false,
            line: 0,
            target: 0,
            frame: 0,
        });
        number
    }

    /// A block of the instructions that are in none yet, if there are any, with a mark here.
    fn block(&mut self, parts: &mut Parts) {
        if self.positions.len() > self.closed {
            let mark = self.mark(NONE);
            self.close(parts, mark);
        }
    }

    /// A block of the instructions that are in none yet, at least one.
    fn close(&mut self, parts: &mut Parts, mark: u32) {
        let end = self.positions.len();
        parts.nodes.push(Node::Block(mark));
        let instructions = self.closed as u32..end as u32;
        parts.regions.push(Region::Block(instructions));
        self.closed = end;
    }

    /// Copies the next instruction, which the program has if it has a unit.
    fn copy(&mut self) -> Op {
        let instruction = self.from[self.at];
        self.at += 1;
        if instruction.op.unit().is_some() {
            self.positions.push(Some(self.marked.len() as u32));
        }
        self.marked.push(instruction);
        instruction.op
    }

    /// Instructions of the outputs, the program's last.
    fn outputs(&mut self) {
        let outputs = std::mem::take(&mut self.outputs);
        self.positions.extend(std::iter::repeat_n(None, outputs));
    }

    fn next(&self) -> Option<Op> {
        self.from.get(self.at).map(|instruction| instruction.op)
    }

    /// Copies a marker that costs nothing.
    fn pass(&mut self) {
        self.marked.extend(self.from.get(self.at));
        self.at += 1;
    }

    /// Regions up to the marker that ends them.
    fn sequence(&mut self, parts: &mut Parts) {
        while let Some(op) = self.next() {
            match op {
                Op::Else | Op::EndIf | Op::Continuing | Op::EndLoop => return,
                Op::Case(_) | Op::EndSwitch => return,
                // Lanes that left for the end of a function's body come back there, between blocks.
                Op::Scope | Op::EndScope => self.pass(),
                Op::Loop { .. } => self.repeated(parts),
                _ => self.straight(parts),
            }
        }
    }

    /// A block, up to a region or behind a jump, and the region that its last instruction begins.
    fn straight(&mut self, parts: &mut Parts) {
        let mark = self.mark(NONE);
        while let Some(op) = self.next() {
            let ends = matches!(op, Op::Else | Op::EndIf | Op::Continuing | Op::EndLoop);
            let ends = ends || matches!(op, Op::Case(_) | Op::EndSwitch | Op::EndScope);
            if ends || matches!(op, Op::Scope | Op::Loop { .. }) {
                break;
            }
            if matches!(op, Op::If | Op::Switch) {
                self.branch(parts, mark);
                return;
            }
            self.copy();
            let leaves = matches!(op, Op::Break | Op::Continue | Op::Return);
            if leaves || matches!(op, Op::BreakIf | Op::Kill) {
                self.close(parts, mark);
                return;
            }
        }
        if self.next().is_none() {
            self.outputs();
        }
        self.close(parts, mark);
    }

    /// An `if` or a switch, the last instruction of the block with this mark.
    fn branch(&mut self, parts: &mut Parts, mark: u32) {
        let condition = self.from[self.at].operands[0];
        let is_if = self.next() == Some(Op::If);
        let choice = if is_if { self.mark(condition) } else { 0 };
        self.copy();
        self.close(parts, mark);
        if is_if {
            let [mut arm, mut other] = [Parts::default(), Parts::default()];
            self.sequence(&mut arm);
            if self.next() == Some(Op::Else) {
                self.pass();
                self.sequence(&mut other);
            }
            let arms = [arm.nodes, other.nodes];
            parts.nodes.push(Node::If(choice, arms));
            parts.regions.push(Region::If([arm.regions, other.regions]));
        } else {
            let (mut cases, mut regions) = (Vec::new(), Vec::new());
            while let Some(Op::Case(_)) = self.next() {
                self.pass();
                let mut case = Parts::default();
                let mark = self.mark(NONE);
                self.sequence(&mut case);
                cases.push((mark, case.nodes));
                regions.push(case.regions);
            }
            parts.nodes.push(Node::Switch(cases));
            parts.regions.push(Region::Switch(regions));
        }
        self.pass();
    }

    fn repeated(&mut self, parts: &mut Parts) {
        self.block(parts);
        self.pass();
        let trip = self.mark(NONE);
        let mut body = Parts::default();
        self.sequence(&mut body);
        self.pass();
        self.sequence(&mut body);
        // The branch back.
        let mark = self.mark(NONE);
        self.copy();
        self.close(&mut body, mark);
        parts.nodes.push(Node::Loop(trip, body.nodes));
        parts.regions.push(Region::Loop(body.regions));
    }
}

/// Paths of quads, or of vertices, from the notes of a batch.
pub(super) fn paths(
    nodes: &[Node],
    notes: &[Note],
    (lanes, stage): (u64, ShaderStage),
) -> Vec<PathRecorder> {
    let width = match stage {
        ShaderStage::Fragment | ShaderStage::Compute => 4,
        ShaderStage::Vertex => 1,
    };
    let mut walk = Walk {
        notes: notes.iter(),
        width,
        paths: vec![PathRecorder::default(); LANES_OF_BATCH / width],
    };
    walk.sequence(nodes, lanes);
    walk.paths
}

struct Walk<'n> {
    notes: std::slice::Iter<'n, Note>,
    /// Lanes of a path.
    width: usize,
    paths: Vec<PathRecorder>,
}

impl Walk<'_> {
    /// The note of a mark, if it is the next one: lanes came by.
    fn take(&mut self, mark: u32) -> Option<Note> {
        let next = self.notes.as_slice().first().copied();
        let note = next.filter(|note| note.mark == mark)?;
        self.notes.next();
        Some(note)
    }

    /// Calls `step` with each path that has lanes among `entered`, and a function that gives its part of a mask.
    fn each(&mut self, entered: u64, mut step: impl FnMut(&mut PathRecorder, &dyn Fn(u64) -> u8)) {
        let all = (1_u64 << self.width) - 1;
        for (nth, path) in self.paths.iter_mut().enumerate() {
            let part = |lanes: u64| (lanes >> (nth * self.width) & all) as u8;
            if part(entered) != 0 {
                step(path, &part);
            }
        }
    }

    fn sequence(&mut self, nodes: &[Node], entered: u64) {
        for node in nodes {
            match node {
                Node::Block(mark) => {
                    let lanes = self.take(*mark).map_or(0, |note| note.lanes);
                    self.each(entered, |path, part| path.block(part(lanes)));
                }
                Node::If(mark, arms) => {
                    let note = self.take(*mark).unwrap_or_default();
                    let taken = [note.chosen, note.lanes & !note.chosen];
                    // An arm without instructions is one that nobody takes.
                    let taken = [0, 1].map(|arm| if arms[arm].is_empty() { 0 } else { taken[arm] });
                    self.each(entered, |path, part| {
                        path.branch(part(taken[0]), part(taken[1]));
                    });
                    for (arm, taken) in arms.iter().zip(taken).filter(|(_, taken)| *taken != 0) {
                        self.sequence(arm, taken);
                    }
                }
                Node::Loop(mark, body) => {
                    self.each(entered, |path, _| path.begin_loop());
                    while let Some(trip) = self.take(*mark) {
                        self.each(trip.lanes, |path, _| path.trip());
                        self.sequence(body, trip.lanes);
                    }
                    self.each(entered, |path, _| path.end_loop());
                }
                Node::Switch(cases) => {
                    for (mark, case) in cases {
                        let lanes = self.take(*mark).map_or(0, |note| note.lanes);
                        self.each(entered, |path, part| path.case(part(lanes)));
                        if lanes != 0 {
                            self.sequence(case, lanes);
                        }
                    }
                }
            }
        }
    }
}
