//! Bounds of dispatches and of memory.

use azulejo_shader::Module;
use wgpu_types::TextureFormat;

use super::{SOURCE, device};
use crate::{ComputePipeline, Dispatch, Memory, Pass, TextureSpec};

#[test]
fn workgroups_have_an_end() {
    let module = Module::parse(SOURCE).expect("a valid module");
    let code = module.compile("nothing", &[]).expect("it lowers");
    let pipeline = ComputePipeline::new(code).expect("a compute program");
    for workgroups in [[65_536, 1, 1], [65_535; 3]] {
        let dispatch = Dispatch {
            pipeline: &pipeline,
            groups: Vec::new(),
            workgroups,
        };
        let done = device().run(&mut Memory::default(), &[Pass::Compute(vec![dispatch])]);
        let text = done.expect_err("too many").to_string();
        assert_eq!(
            text,
            format!(
                "pass 0: dispatch 0 (`nothing`): workgroups {workgroups:?}; expected at most 65535 along an axis, and \
                 16777216 in all"
            )
        );
    }
}

#[test]
fn memory_has_an_end() {
    let error = Memory::default().buffer(1 << 33).expect_err("no room");
    assert_eq!(
        error.to_string(),
        "8589934592 bytes more than 0; expected at most 4294967296 in all"
    );
    let wide = TextureSpec::of_2d(TextureFormat::R8Unorm, 16385, 1);
    let error = Memory::default().texture(wide).expect_err("too wide");
    assert_eq!(
        error.to_string(),
        "texture: 16385 x 1 x 1 texels; expected 1 to 16384 along each axis"
    );
}
