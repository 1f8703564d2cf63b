//! Textures of the file to textures of the scene: an image in an encoding, with a sampler.
//!
//! Colour and data slots read one image differently, so each pair of image and encoding becomes an image of its own.
//! The table collects what materials ask for; the pictures are decoded afterwards, all together.

use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;

use gltf::json::texture::{MagFilter, MinFilter, Sampler as JsonSampler, WrappingMode};
use gltf::json::validation::Checked;

use super::error::{LoadError, element};
use super::file::File;
use super::image::{self, Reading, Wanted};
use super::uri::Resolve;
use crate::{Filter, ImageId, Sampler, Scene, Texture, TextureId, Wrap};

/// The textures that the materials of a file use.
#[derive(Debug, Default)]
pub(super) struct TextureTable {
    /// Distinct pairs of image and sampler; a position is a [`TextureId`].
    textures: Distinct<Texture>,
    /// The file's image of every [`ImageId`], and how it is read.
    sources: Distinct<Source>,
}

/// An image of the file as it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Source {
    image: usize,
    reading: Reading,
}

/// A list without repetitions.
#[derive(Debug)]
pub(super) struct Distinct<T> {
    /// The items in the order in which they came.
    items: Vec<T>,
    positions: HashMap<T, u32>,
}

impl<T> Default for Distinct<T> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            positions: HashMap::new(),
        }
    }
}

impl<T: Copy + Eq + Hash> Distinct<T> {
    /// Position of `item`, which joins if it is new.
    fn position(&mut self, item: T) -> u32 {
        *self.positions.entry(item).or_insert_with(|| {
            self.items.push(item);
            self.items.len() as u32 - 1
        })
    }
}

impl TextureTable {
    /// The scene's texture for texture `index` of the file; `None` where it has no image that we can read.
    pub(super) fn add(
        &mut self,
        file: &File,
        index: usize,
        reading: Reading,
        user: &str,
    ) -> Result<Option<TextureId>, LoadError> {
        let json = file.root.textures.get(index).ok_or_else(|| {
            let count = file.root.textures.len();
            LoadError::invalid(user, format!("refers to texture {index} of {count}"))
        })?;
        let name = element("texture", index, json.name.as_deref());
        let Some(image) = image_of(json) else {
            file.warn(format!(
                "{name} has no image in a format that is supported: drawn without it"
            ));
            return Ok(None);
        };
        if image >= file.root.images.len() {
            let problem = format!("refers to image {image} of {}", file.root.images.len());
            return Err(LoadError::invalid(name, problem));
        }
        let sampler = match json.sampler {
            Some(sampler) => read_sampler(file, sampler.value(), &name)?,
            None => Sampler::default(),
        };
        let image = ImageId(self.sources.position(Source { image, reading }));
        let texture = Texture { image, sampler };
        Ok(Some(TextureId(self.textures.position(texture))))
    }

    /// Decodes all images into `scene`; those that could not be read, each of them white, are the answer.
    pub(super) fn load(
        self,
        file: &File,
        resolve: &Resolve<'_>,
        scene: &mut Scene,
    ) -> BTreeSet<ImageId> {
        let (wanted, ids) = self.wanted();
        let loaded = image::load(&wanted, file, resolve);
        let mut images = vec![None; self.sources.items.len()];
        let mut failed = BTreeSet::new();
        for (ids, picture) in ids.iter().zip(loaded) {
            for (&id, texture) in ids.iter().zip(picture.textures) {
                images[id.index()] = Some(texture);
            }
            if let Some(problem) = picture.problem {
                file.warn(format!("{problem}; drawn without it"));
                failed.extend(ids);
            }
        }
        scene.images = images.into_iter().flatten().collect();
        scene.textures = self.textures.items;
        failed
    }

    /// Each picture once with all ways in which it is read, and the image of each.
    fn wanted(&self) -> (Vec<Wanted>, Vec<Vec<ImageId>>) {
        let mut pictures = Distinct::default();
        let mut wanted: Vec<Wanted> = Vec::new();
        let mut ids: Vec<Vec<ImageId>> = Vec::new();
        for (id, &Source { image, reading }) in (0..).zip(&self.sources.items) {
            let at = pictures.position(image) as usize;
            if at == wanted.len() {
                let readings = Vec::new();
                wanted.push(Wanted { image, readings });
                ids.push(Vec::new());
            }
            wanted[at].readings.push(reading);
            ids[at].push(ImageId(id));
        }
        (wanted, ids)
    }
}

/// Extensions that name an image in a format beyond the core's, the best first; the plain one is their fallback.
const IMAGE_EXTENSIONS: [&str; 3] = ["KHR_texture_basisu", "MSFT_texture_dds", "EXT_texture_webp"];

/// Index of the texture's image.
fn image_of(json: &gltf::json::Texture) -> Option<usize> {
    let extensions = json.extensions.as_ref();
    let source = |name: &&str| extensions?.others.get(*name)?.get("source")?.as_u64();
    let better = IMAGE_EXTENSIONS.iter().find_map(source);
    let plain = json.source.value();
    let plain = (plain != u32::MAX as usize).then_some(plain);
    better.map(|index| index as usize).or(plain)
}

fn read_sampler(file: &File, index: usize, user: &str) -> Result<Sampler, LoadError> {
    let json = file.root.samplers.get(index).ok_or_else(|| {
        let count = file.root.samplers.len();
        LoadError::invalid(user, format!("refers to sampler {index} of {count}"))
    })?;
    let name = element("sampler", index, json.name.as_deref());
    let (min, mip) = min_filters(json, &name)?;
    Ok(Sampler {
        mag: mag_filter(json, &name)?,
        min,
        mip,
        wrap_u: wrap(json.wrap_s, &name)?,
        wrap_v: wrap(json.wrap_t, &name)?,
    })
}

fn mag_filter(json: &JsonSampler, name: &str) -> Result<Filter, LoadError> {
    match json.mag_filter {
        None => Ok(Filter::Linear),
        Some(Checked::Valid(MagFilter::Nearest)) => Ok(Filter::Nearest),
        Some(Checked::Valid(MagFilter::Linear)) => Ok(Filter::Linear),
        Some(Checked::Invalid) => Err(LoadError::invalid(name, "its magFilter is no filter")),
    }
}

fn min_filters(json: &JsonSampler, name: &str) -> Result<(Filter, Option<Filter>), LoadError> {
    let filter = match json.min_filter {
        None => MinFilter::LinearMipmapLinear,
        Some(Checked::Valid(filter)) => filter,
        Some(Checked::Invalid) => {
            return Err(LoadError::invalid(name, "its minFilter is no filter"));
        }
    };
    Ok(match filter {
        MinFilter::Nearest => (Filter::Nearest, None),
        MinFilter::Linear => (Filter::Linear, None),
        MinFilter::NearestMipmapNearest => (Filter::Nearest, Some(Filter::Nearest)),
        MinFilter::LinearMipmapNearest => (Filter::Linear, Some(Filter::Nearest)),
        MinFilter::NearestMipmapLinear => (Filter::Nearest, Some(Filter::Linear)),
        MinFilter::LinearMipmapLinear => (Filter::Linear, Some(Filter::Linear)),
    })
}

fn wrap(mode: Checked<WrappingMode>, name: &str) -> Result<Wrap, LoadError> {
    match mode {
        Checked::Valid(WrappingMode::Repeat) => Ok(Wrap::Repeat),
        Checked::Valid(WrappingMode::MirroredRepeat) => Ok(Wrap::MirroredRepeat),
        Checked::Valid(WrappingMode::ClampToEdge) => Ok(Wrap::ClampToEdge),
        Checked::Invalid => Err(LoadError::invalid(
            name,
            "its wrapS or wrapT is no wrapping mode",
        )),
    }
}
