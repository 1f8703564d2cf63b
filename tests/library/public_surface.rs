//! Public surface of the library, held against a file: a name or a signature that changes is a change of that file, so that
//! nobody changes it unawares. `UPDATE_REFERENCES=1` writes the file anew, and still fails.
//!
//! Items are read from the sources: `unreachable_pub` is an error here, so whatever says `pub` can be named from outside.
//! Each stands in the module that defines it, with `pub use` where it is named again. Traits that types implement by hand,
//! items that macros make and what is hidden from the documentation, being for other rooms, are left out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Fields, ImplItem, Item, ItemMod, Meta, Token, TraitItem, UseTree, Visibility,
};

/// Signatures by module.
type Surface = BTreeMap<String, Vec<String>>;

/// File that holds the surface, in the package's folder.
const FILE: &str = "tests/library/public_surface.txt";

#[test]
fn public_surface_is_the_one_on_file() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut surface = Surface::new();
    read_file(&package.join("src/lib.rs"), "azulejo", &mut surface);
    let now = text(&surface);
    let on_file = std::fs::read_to_string(package.join(FILE)).unwrap_or_default();
    if now == on_file {
        return;
    }
    if std::env::var_os("UPDATE_REFERENCES").is_some_and(|value| value == "1") {
        std::fs::write(package.join(FILE), &now).expect("the package's folder can be written");
    }
    panic!(
        "{FILE} is not the public surface; UPDATE_REFERENCES=1 writes it anew:\n{}",
        differences(&on_file, &now).join("\n")
    );
}

#[test]
fn public_surface_sees_each_kind_of_item() {
    let source = r#"
        pub struct Tile<T> { pub x: u32, inner: T }
        impl<T> Tile<T> { pub const EDGE: u32 = 32; pub fn x(&self) -> u32 { self.x } fn hidden(&self) {} }
        impl<T> Clone for Tile<T> { fn clone(&self) -> Self { Self { x: 0, inner } } }
        #[derive(Debug, Clone)] pub struct Pair(pub u8, u8);
        pub enum Order { Scan, Custom { first: u32 } }
        pub trait Watch: Sized { const ON: bool; fn tick(&mut self, now: u64); }
        pub(crate) fn internal() {}
        pub fn both<'a>(a: &'a [u8], b: [u8; 2]) -> Option<&'a u8> { None }
        pub use self::inner::Name as Other;
        pub mod inner { pub type Name = u8; const HIDDEN: u8 = 0; }
        #[cfg(test)] mod tests { pub fn test_only() {} }
        #[doc(hidden)] pub struct Kernel { pub word: u32 }
        pub struct Shown { #[doc(hidden)] pub words: u32 }
        impl Kernel { pub fn word(&self) -> u32 { self.word } }
        #[doc(hidden)] pub use self::inner::{HIDDEN};
        #[cfg(feature = "model")] pub static TABLE: &[u8] = &[];
    "#;
    let file = syn::parse_file(source).expect("a source that parses");
    let mut surface = Surface::new();
    read_items(&file.items, Path::new("/nowhere"), "m", &mut surface);
    let expected = r#"m
    #[cfg(feature = "model")] pub static TABLE: &[u8]
    #[derive(Debug, Clone)] pub struct Pair(pub u8, _)
    pub const Tile<T>::EDGE: u32
    pub struct Shown { _ }
    pub enum Order { Scan, Custom { first: u32 } }
    pub fn both<'a>(a: &'a [u8], b: [u8; 2]) -> Option<&'a u8>
    pub mod inner
    pub struct Tile<T> { pub x: u32, _ }
    pub trait Watch: Sized { const ON: bool; fn tick(&mut self, now: u64); }
    pub use self::inner::Name as Other
    pub fn Tile<T>::x(&self) -> u32
m::inner
    pub type Name = u8
"#;
    let sorted = |text: &str| {
        let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(
        sorted(&text(&surface)),
        sorted(expected),
        "the planted items"
    );
}

/// Reads the items of a file and of the modules that it declares.
fn read_file(file: &Path, module: &str, surface: &mut Surface) {
    let source = std::fs::read_to_string(file).expect("a source that can be read");
    let parsed = syn::parse_file(&source).expect("a source that compiles");
    let folder = file.parent().expect("a file in a folder");
    let is_root = file.ends_with("mod.rs") || file.ends_with("lib.rs");
    let stem = file.file_stem().expect("a name");
    let children = if is_root {
        folder.to_owned()
    } else {
        folder.join(stem)
    };
    read_items(&parsed.items, &children, module, surface);
}

/// Adds public items; modules in files of their own lie in `folder`.
fn read_items(items: &[Item], folder: &Path, module: &str, surface: &mut Surface) {
    let hidden: Vec<_> = items.iter().filter_map(hidden_type).collect();
    for item in items {
        match item {
            Item::Mod(child) => read_module(child, folder, module, surface),
            Item::Use(handed_on)
                if is_public(&handed_on.vis)
                    && let Some(room) = room_of(&handed_on.tree) =>
            {
                let line = signature(item);
                surface.entry(module.to_owned()).or_default().extend(line);
                let root = folder.join(&room).join("lib.rs");
                read_file(&root, &format!("{module}::{room}"), surface);
            }
            Item::Impl(block) if block.trait_.is_none() => {
                let of = plain(&block.self_ty);
                let name = of.split('<').next().unwrap_or_default();
                if hidden.iter().any(|hidden| hidden == name) {
                    continue;
                }
                let signatures = block.items.iter().filter_map(|item| member(item, &of));
                surface
                    .entry(module.to_owned())
                    .or_default()
                    .extend(signatures);
            }
            item => {
                let signature = signature(item);
                surface
                    .entry(module.to_owned())
                    .or_default()
                    .extend(signature);
            }
        }
    }
}

/// Room that the front crate hands on: `azulejo_gpu as gpu`.
fn room_of(tree: &UseTree) -> Option<String> {
    let UseTree::Rename(renamed) = tree else {
        return None;
    };
    let room = renamed.rename.to_string();
    (renamed.ident == format!("azulejo_{room}")).then_some(room)
}

/// Name of a type that is hidden from the documentation.
fn hidden_type(item: &Item) -> Option<String> {
    let (attributes, name) = match item {
        Item::Struct(item) => (&item.attrs, &item.ident),
        Item::Enum(item) => (&item.attrs, &item.ident),
        _ => return None,
    };
    is_left_out(attributes).then(|| name.to_string())
}

fn read_module(child: &ItemMod, folder: &Path, module: &str, surface: &mut Surface) {
    if is_left_out(&child.attrs) {
        return;
    }
    let name = child.ident.to_string();
    if is_public(&child.vis) {
        let line = format!("{}pub mod {name}", conditions(&child.attrs));
        surface.entry(module.to_owned()).or_default().push(line);
    }
    let path = format!("{module}::{name}");
    match &child.content {
        Some((_, items)) => read_items(items, &folder.join(name), &path, surface),
        None => read_file(&file_of(folder, &name), &path, surface),
    }
}

fn file_of(folder: &Path, name: &str) -> PathBuf {
    let alone = folder.join(format!("{name}.rs"));
    if alone.exists() {
        alone
    } else {
        folder.join(name).join("mod.rs")
    }
}

/// Signature of a public item, without its body; nothing of others.
fn signature(item: &Item) -> Option<String> {
    let (attributes, visibility, text) = match item {
        Item::Fn(item) => (&item.attrs, &item.vis, plain(&item.sig)),
        Item::Struct(item) => {
            let head = format!("struct {}{}", item.ident, plain(&item.generics));
            (&item.attrs, &item.vis, head + &fields(&item.fields, true))
        }
        Item::Enum(item) => {
            let variants: Vec<_> = item
                .variants
                .iter()
                .map(|variant| format!("{}{}", variant.ident, fields(&variant.fields, false)))
                .collect();
            let head = format!("enum {}{}", item.ident, plain(&item.generics));
            (
                &item.attrs,
                &item.vis,
                format!("{head} {{ {} }}", variants.join(", ")),
            )
        }
        Item::Trait(item) => {
            let bounds = plain(&item.supertraits);
            let colon = if bounds.is_empty() { "" } else { ": " };
            let members: Vec<_> = item.items.iter().map(required).collect();
            let head = format!(
                "trait {}{}{colon}{bounds}",
                item.ident,
                plain(&item.generics)
            );
            (
                &item.attrs,
                &item.vis,
                format!("{head} {{ {} }}", members.join(" ")),
            )
        }
        Item::Const(item) => {
            let text = format!("const {}: {}", item.ident, plain(&item.ty));
            (&item.attrs, &item.vis, text)
        }
        Item::Static(item) => {
            let text = format!("static {}: {}", item.ident, plain(&item.ty));
            (&item.attrs, &item.vis, text)
        }
        Item::Type(item) => {
            let head = format!("type {}{}", item.ident, plain(&item.generics));
            (
                &item.attrs,
                &item.vis,
                format!("{head} = {}", plain(&item.ty)),
            )
        }
        Item::Use(item) => (&item.attrs, &item.vis, format!("use {}", plain(&item.tree))),
        _ => return None,
    };
    (is_public(visibility) && !is_left_out(attributes))
        .then(|| format!("{}pub {text}", conditions(attributes)))
}

/// Fields of a structure or variant; those that are not public as one `_`, where they can be.
fn fields(fields: &Fields, by_visibility: bool) -> String {
    let mut shown: Vec<String> = Vec::new();
    for field in fields {
        let name = field.ident.as_ref().map(|name| format!("{name}: "));
        let text = name.unwrap_or_default() + &plain(&field.ty);
        let is_shown = is_public(&field.vis) && !is_left_out(&field.attrs);
        match (by_visibility, is_shown) {
            (false, _) => shown.push(text),
            (true, true) => shown.push(format!("pub {text}")),
            (true, false) => {}
        }
    }
    if shown.len() < fields.len() {
        shown.push("_".to_owned());
    }
    match fields {
        Fields::Named(_) => format!(" {{ {} }}", shown.join(", ")),
        Fields::Unnamed(_) => format!("({})", shown.join(", ")),
        Fields::Unit => String::new(),
    }
}

/// Signature of a public function or constant of a type.
fn member(item: &ImplItem, of: &str) -> Option<String> {
    let (attributes, visibility, text) = match item {
        ImplItem::Fn(item) => {
            let signature = plain(&item.sig);
            let text = signature.replacen("fn ", &format!("fn {of}::"), 1);
            (&item.attrs, &item.vis, text)
        }
        ImplItem::Const(item) => {
            let text = format!("const {of}::{}: {}", item.ident, plain(&item.ty));
            (&item.attrs, &item.vis, text)
        }
        _ => return None,
    };
    (is_public(visibility) && !is_left_out(attributes))
        .then(|| format!("{}pub {text}", conditions(attributes)))
}

/// Item of a trait; a function with a body of its own ends with `{ .. }`.
fn required(item: &TraitItem) -> String {
    match item {
        TraitItem::Fn(item) if item.default.is_some() => format!("{} {{ .. }}", plain(&item.sig)),
        TraitItem::Fn(item) => format!("{};", plain(&item.sig)),
        TraitItem::Const(item) => format!("const {}: {};", item.ident, plain(&item.ty)),
        TraitItem::Type(item) => {
            let bounds = plain(&item.bounds);
            let colon = if bounds.is_empty() { "" } else { ": " };
            format!("type {}{colon}{bounds};", item.ident)
        }
        other => plain(other),
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Whether an item is for tests or hidden from the documentation.
fn is_left_out(attributes: &[Attribute]) -> bool {
    attributes
        .iter()
        .any(|attribute| ["cfg(test)", "doc(hidden)"].contains(&plain(&attribute.meta).as_str()))
}

/// Features that an item needs and traits that it derives, as attributes in front of it.
fn conditions(attributes: &[Attribute]) -> String {
    let mut shown = String::new();
    for attribute in attributes {
        if attribute.path().is_ident("cfg") || attribute.path().is_ident("non_exhaustive") {
            shown += &format!("#[{}] ", plain(&attribute.meta));
        } else if let Meta::List(list) = &attribute.meta
            && list.path.is_ident("derive")
        {
            let traits = list.parse_args_with(Punctuated::<syn::Path, Token![,]>::parse_terminated);
            let traits = traits.expect("a list of traits");
            let names: Vec<_> = traits.iter().map(plain).collect();
            shown += &format!("#[derive({})] ", names.join(", "));
        }
    }
    shown
}

/// Tokens as people write them, on one line.
fn plain(tokens: &impl ToTokens) -> String {
    let spaced = tokens.to_token_stream().to_string();
    let words = spaced.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut text = words;
    for (from, to) in [
        (" ,", ","),
        (" ;", ";"),
        (" :: ", "::"),
        (":: ", "::"),
        (" ::", "::"),
        (" : ", ": "),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        ("[ ", "["),
        (" ]", "]"),
        ("& ", "&"),
        (" < ", "<"),
        ("< ", "<"),
        (" >", ">"),
        ("' ", "'"),
        ("# ", "#"),
        (",)", ")"),
        (",>", ">"),
        ("->", " -> "),
        ("  ", " "),
        (" -> (", " -> ("),
        ("&mut(", "&mut ("),
        ("&'a(", "&'a ("),
    ] {
        text = text.replace(from, to);
    }
    text.replace(" <(", "<(")
        .replace("=(", "= (")
        .replace("  ", " ")
}

/// Modules in order, each with its items in order.
fn text(surface: &Surface) -> String {
    let mut text = String::new();
    for (module, items) in surface.iter().filter(|(_, items)| !items.is_empty()) {
        let mut items = items.clone();
        items.sort();
        text += module;
        text.push('\n');
        for item in items {
            text += &format!("    {item}\n");
        }
    }
    text
}

/// Lines that one of both has alone, by module: `-` on file, `+` now.
fn differences(on_file: &str, now: &str) -> Vec<String> {
    let [before, after] = [on_file, now].map(|text| {
        let mut module = "";
        let mut lines = std::collections::BTreeSet::new();
        for line in text.lines() {
            match line.strip_prefix("    ") {
                Some(item) => {
                    lines.insert((module, item));
                }
                None => module = line,
            }
        }
        lines
    });
    let gone = before
        .difference(&after)
        .map(|(module, item)| format!("- {module}: {item}"));
    let come = after
        .difference(&before)
        .map(|(module, item)| format!("+ {module}: {item}"));
    gone.chain(come).collect()
}
