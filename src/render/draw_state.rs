//! The bytes that tell a frame's draws apart: those that a scene brings along, or those of a recording.

use rayon::prelude::*;

use super::draw_list::DrawList;
use super::draws::Draw;
use super::geometry::Placement;
use super::identity::StateBytes;
use super::shading::FragmentProgram;

/// Draws whose bytes are worth to be made by another thread.
const DRAWS_AT_ONCE: usize = 32;

impl<P: FragmentProgram> DrawList<'_, P> {
    /// The bytes of every draw. A pass behind enters with its present contents: it is to be drawn before.
    pub(super) fn states(&self) -> Vec<StateBytes> {
        let tables = self.tables();
        let behind = self.behind.as_ref();
        let state = |draw: &Draw<'_, P>| {
            let mut state = StateBytes::default();
            draw.put_state(self, &tables, &mut state);
            if (draw.identity.0).is_some_and(|scene| scene.looks_behind()) {
                let digest = behind.map_or(0, |pass| pass.target.digest());
                state.bindings.extend(digest.to_le_bytes());
            }
            state
        };
        self.draws.iter().map(state).collect()
    }

    /// Applies `make` to the bytes of some draws, by their position in the list; contents of passes drawn before are left
    /// out.
    pub(super) fn of_some_states_before_passes<T>(
        &self,
        is_asked_for: impl Fn(usize) -> bool,
        make: impl Fn(&Draw<'_, P>, &StateBytes) -> T,
    ) -> Vec<Option<T>> {
        let (tables, mut state) = (self.tables(), StateBytes::default());
        let draws = self.draws.iter().enumerate();
        let made = draws.map(|(number, draw)| {
            is_asked_for(number).then(|| {
                state.clear();
                draw.put_state(self, &tables, &mut state);
                make(draw, &state)
            })
        });
        made.collect()
    }
}

impl<P: FragmentProgram + Sync> DrawList<'_, P> {
    /// Applies `make` to the bytes of every draw, contents of passes drawn before left out, on all threads of the pool that
    /// this is called in.
    pub(super) fn of_states_before_passes<T: Send>(
        &self,
        make: impl Fn(&Draw<'_, P>, &StateBytes) -> T + Sync,
    ) -> Vec<T> {
        let tables = self.tables();
        let draws = self.draws.par_iter().with_min_len(DRAWS_AT_ONCE);
        let made = draws.map_init(StateBytes::default, |state, draw| {
            state.clear();
            draw.put_state(self, &tables, state);
            make(draw, state)
        });
        made.collect()
    }
}

impl<P: FragmentProgram> Draw<'_, P> {
    /// Appends the draw's bytes but for the picture behind it; `tables` are those of `list`.
    fn put_state(&self, list: &DrawList<'_, P>, tables: &[&[u32]], to: &mut StateBytes) {
        match &self.identity.0 {
            Some(scene) => scene.put_bytes(to),
            None => self.put_recorded(list, tables, to),
        }
    }

    fn put_recorded(&self, list: &DrawList<'_, P>, tables: &[&[u32]], to: &mut StateBytes) {
        let StateBytes {
            constants,
            bindings,
        } = to;
        let tape = (list.kernels.record)(&self.program, tables);
        constants.extend_from_slice(bytemuck::bytes_of(&self.clip_from_world));
        match &self.placement {
            Placement::Rigid(world_from_local) => {
                constants.extend_from_slice(bytemuck::bytes_of(world_from_local));
            }
            Placement::Skinned { joints, .. } => {
                constants.extend_from_slice(bytemuck::cast_slice(joints));
            }
        }
        constants.extend_from_slice(bytemuck::cast_slice(self.morph_weights));
        constants.extend_from_slice(bytemuck::cast_slice(&tape.uniforms));
        constants.extend([self.mode as u8, self.depth as u8, self.faces()]);
        bindings.extend(tape.structure.to_le_bytes());
        for table in &tape.tables {
            bindings.extend(table.to_le_bytes());
            bindings.extend(list.table_digest(*table).to_le_bytes());
        }
        // Which attributes of a vertex are interpolated.
        let layout = self.program.varyings();
        let geometry = [
            layout.position_world,
            layout.normal_world,
            layout.tangent_world,
            layout.color,
        ];
        let places = geometry.into_iter().chain(layout.tex_coords);
        bindings.extend(places.map(|place| place.unwrap_or(u8::MAX)));
    }
}
