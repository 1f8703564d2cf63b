//! Fragment stage: sixteen quads of one draw through its program, late tests, and blending.

use azulejo_grid::{FOUR_OFFSETS, SampleCount};
use azulejo_math::SUBPIXELS;
use azulejo_shader::{LANES_OF_BATCH, Resources, Sampling, Slot};
use azulejo_trace::QuadIdx;

use crate::error::Result;
use crate::fixed::blended;
use crate::pipeline::{Source, Tests};
use crate::run::{DrawRun, Quad, Setup};
use crate::texel::Texel;
use crate::vertex::sample_count;

/// A component of all lanes.
type Row = [u32; LANES_OF_BATCH];

/// Place of a fragment in its triangle.
#[derive(Debug, Clone, Copy)]
struct Weights {
    /// Shares of corners 1 and 2, with perspective.
    corner: [f32; 2],
    inv_w: f32,
    z: f32,
}

impl Setup<'_> {
    /// Shares at a place on the target, as the renderer's own programs have them.
    fn weights(&self, [x, y]: [f32; 2]) -> Weights {
        let [x0, y0, b1_dx, b1_dy] = self.planes.corner_b1;
        let [b2_dx, b2_dy, w0, w1] = self.planes.b2_w01;
        let [w2, z0, z_dx, z_dy] = self.planes.w2_depth;
        let (dx, dy) = (x - x0, y - y0);
        let b1 = b1_dx * dx + b1_dy * dy;
        let b2 = b2_dx * dx + b2_dy * dy;
        let (p1, p2) = (b1 * w1, b2 * w2);
        let inv_w = (1.0 - b1 - b2) * w0 + (p1 + p2);
        Weights {
            corner: [p1 / inv_w, p2 / inv_w],
            inv_w,
            z: z0 + z_dx * dx + z_dy * dy,
        }
    }

    fn varying(&self, at: usize, weights: &Weights) -> f32 {
        let [a, b, c] = self.varyings.map(|corner| corner[at]);
        a + (b - a) * weights.corner[0] + (c - a) * weights.corner[1]
    }
}

/// Outputs of a batch.
struct Outputs {
    colors: Vec<[Row; 4]>,
    depth: Option<Row>,
    mask: Option<Row>,
    alive: u64,
}

impl DrawRun<'_, '_> {
    /// Runs and writes the quads that wait.
    pub(crate) fn flush(&mut self, resources: Option<&mut Resources<'_>>) -> Result<()> {
        let mut quads = std::mem::take(&mut self.quads);
        self.counts.quads += quads.len() as u64;
        if let (Some(resources), false) = (resources, quads.is_empty()) {
            if self.prepared.draw.pipeline.by_sample {
                for sample in 0..self.tile.samples {
                    self.batch(&mut quads, Some(sample), resources)?;
                }
            } else {
                self.batch(&mut quads, None, resources)?;
            }
        }
        quads.clear();
        self.quads = quads;
        self.setups.drain(..self.setups.len().saturating_sub(1));
        Ok(())
    }

    /// Runs quads for all samples at once, or for one.
    fn batch(
        &mut self,
        quads: &mut [Quad],
        sample: Option<usize>,
        resources: &mut Resources<'_>,
    ) -> Result<()> {
        let covered = |quad: &Quad| match sample {
            Some(sample) => quad.covered[sample],
            None => quad.pixels(),
        };
        let (mut lanes, mut alive) = (0_u64, 0_u64);
        for (number, quad) in quads.iter().enumerate() {
            let pixels = u64::from(covered(quad));
            alive |= pixels << (4 * number);
            lanes |= if pixels == 0 { 0 } else { 0xf << (4 * number) };
        }
        if alive == 0 {
            return Ok(());
        }
        self.counts.invocations += u64::from(alive.count_ones());
        self.inputs(quads, sample);
        if let Some(facts) = &self.facts {
            facts.begin_batch();
        }
        let Some(outputs) = self.execute((lanes, alive), resources)? else {
            return Ok(());
        };
        let name = |quad: &Quad| (covered(quad) != 0).then_some(quad.names[sample.unwrap_or(0)]);
        let names: Vec<Option<QuadIdx>> = quads.iter().map(|quad| name(quad).flatten()).collect();
        if let (Some(facts), Some((_, batch))) = (&mut self.facts, &self.program) {
            facts.executed(batch, lanes, &names);
        }
        for (number, quad) in quads.iter_mut().enumerate() {
            let of_sample = sample.map_or(0..self.tile.samples, |sample| sample..sample + 1);
            let written = self.write(quad, (number, of_sample), &outputs);
            if let (Some(facts), Some(name)) = (&mut self.facts, names[number]) {
                facts.shaded(name, written);
            }
        }
        Ok(())
    }

    /// Puts the quads' inputs into the program's registers.
    fn inputs(&mut self, quads: &[Quad], sample: Option<usize>) {
        let pipeline = self.prepared.draw.pipeline;
        let mut rows: Vec<Row> = vec![[0; LANES_OF_BATCH]; pipeline.inputs.len()];
        for (number, quad) in quads.iter().enumerate() {
            let setup = &self.setups[quad.setup as usize];
            for pixel in 0..4 {
                let places = self.places(quad, pixel, sample);
                let [center, inside, at] = places.map(|place| setup.weights(place));
                let place = places[2];
                for (row, (_, source)) in rows.iter_mut().zip(&pipeline.inputs) {
                    row[4 * number + pixel] = match *source {
                        Source::Varying(varying, linear, sampling) => {
                            let weights = match sampling {
                                Sampling::Center => &center,
                                Sampling::Centroid => &inside,
                                Sampling::Sample => &at,
                            };
                            let value = setup.varying(varying, weights);
                            let value = if linear { value * weights.inv_w } else { value };
                            value.to_bits()
                        }
                        Source::Flat(at) => setup.flats[at],
                        Source::Position(part) => {
                            [place[0], place[1], at.z, at.inv_w][part].to_bits()
                        }
                        Source::FrontFacing => setup.front.into(),
                        Source::SampleIndex => sample.unwrap_or(0) as u32,
                        Source::SampleMask => sample_mask(quad, pixel, sample),
                        Source::PrimitiveIndex => setup.primitive,
                    };
                }
            }
        }
        if let Some((runner, batch)) = &mut self.program {
            for (row, (component, _)) in rows.iter().zip(&pipeline.inputs) {
                runner.set(batch, *component, row);
            }
        }
    }

    /// Centre of a pixel, a place in it that is covered, and that of a sample: the same place unless it has several.
    fn places(&self, quad: &Quad, pixel: usize, sample: Option<usize>) -> [[f32; 2]; 3] {
        let center = quad.pixel(pixel).map(|at| at as f32 + 0.5);
        if sample_count(self.targets.samples) == SampleCount::One {
            return [center; 3];
        }
        let of = |sample: usize| {
            let [x, y] = FOUR_OFFSETS[sample].map(|part| part as f32 / SUBPIXELS as f32);
            [center[0] + x, center[1] + y]
        };
        let covers = |sample: &usize| quad.covered[*sample] >> pixel & 1 == 1;
        let mut covered = (0..self.tile.samples).filter(covers);
        let at = sample.map_or(center, of);
        let inside = match covered.next() {
            // Whole pixels are taken at their centre, helpers too.
            Some(first) if sample.is_none() && covered.count() + 1 < self.tile.samples => of(first),
            _ => at,
        };
        [center, inside, at]
    }

    fn execute(
        &mut self,
        (lanes, alive): (u64, u64),
        resources: &mut Resources<'_>,
    ) -> Result<Option<Outputs>> {
        let Some((runner, batch)) = &mut self.program else {
            return Ok(None);
        };
        runner.run_quads(self.backend, batch, (lanes, alive), resources)?;
        let zero = [0; LANES_OF_BATCH];
        let color = |location: usize| {
            let component = |k: usize| runner.output(batch, (Slot::Location(location as u32), k));
            [0, 1, 2, 3].map(|k| component(k).unwrap_or(zero))
        };
        Ok(Some(Outputs {
            colors: (0..self.targets.colors.len()).map(color).collect(),
            depth: runner.output(batch, (Slot::FragDepth, 0)),
            mask: runner.output(batch, (Slot::SampleMask, 0)),
            alive: batch.alive(),
        }))
    }

    /// Late tests of a quad, and its colours; the pixels that are written.
    fn write(
        &mut self,
        quad: &mut Quad,
        (number, samples): (usize, std::ops::Range<usize>),
        outputs: &Outputs,
    ) -> u8 {
        let pipeline = self.prepared.draw.pipeline;
        let lane = |pixel: usize| 4 * number + pixel;
        let alive = (outputs.alive >> lane(0)) as u8 & 0xf;
        let mut left = *quad;
        for (sample, covered) in left.covered.iter_mut().enumerate() {
            *covered = if samples.contains(&sample) {
                *covered & alive
            } else {
                0
            };
            for pixel in 0..4 {
                let keeps = outputs
                    .mask
                    .is_none_or(|mask| mask[lane(pixel)] >> sample & 1 == 1)
                    && self.is_covered_by_alpha(outputs, lane(pixel), sample);
                if !keeps {
                    *covered &= !(1 << pixel);
                }
            }
        }
        if let Some(depth) = &outputs.depth {
            let [near, far] = self.prepared.viewport.depth;
            for depths in &mut left.depths {
                for (pixel, z) in depths.iter_mut().enumerate() {
                    let written = f32::from_bits(depth[lane(pixel)]);
                    *z = written.max(near.min(far)).min(near.max(far));
                }
            }
        }
        if pipeline.tests == Tests::Late {
            self.test(&mut left);
        }
        for sample in 0..self.tile.samples {
            for pixel in 0..4 {
                if left.covered[sample] >> pixel & 1 == 1 {
                    let [x, y] = quad.pixel(pixel);
                    let at = self.tile.at(x, y, sample);
                    self.counts.samples_written += 1;
                    self.color(at, lane(pixel), outputs);
                }
            }
        }
        left.pixels()
    }

    /// Alpha as coverage: sample k of n where it is above k / n.
    fn is_covered_by_alpha(&self, outputs: &Outputs, lane: usize, sample: usize) -> bool {
        let multisample = &self.prepared.draw.pipeline.spec.multisample;
        let (true, Some(color)) = (
            multisample.alpha_to_coverage_enabled,
            outputs.colors.first(),
        ) else {
            return true;
        };
        f32::from_bits(color[3][lane]) > sample as f32 / self.tile.samples as f32
    }

    /// Writes a sample's colours.
    fn color(&mut self, at: usize, lane: usize, outputs: &Outputs) {
        let draw = self.prepared.draw;
        let targets = draw
            .pipeline
            .spec
            .targets
            .iter()
            .zip(&draw.pipeline.formats);
        for (location, (target, format)) in targets.enumerate() {
            let (Some(target), Some(format)) = (target, format) else {
                continue;
            };
            let source: Texel = outputs.colors[location].map(|row| row[lane]);
            let held = &mut self.tile.colors[location][at];
            let new = match &target.blend {
                Some(blend) => blended(blend, *format, source, (*held, draw.blend_constant)),
                None => source,
            };
            let new = format.rounded(new);
            for (channel, held) in held.iter_mut().enumerate() {
                if target.write_mask.bits() >> channel & 1 == 1 {
                    *held = new[channel];
                }
            }
        }
    }
}

/// Covered samples of a pixel, as the program sees them.
fn sample_mask(quad: &Quad, pixel: usize, of_sample: Option<usize>) -> u32 {
    let of = |sample: usize| u32::from(quad.covered[sample] >> pixel & 1) << sample;
    match of_sample {
        Some(sample) => of(sample),
        None => (0..4).map(of).sum(),
    }
}
