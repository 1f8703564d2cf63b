//! Which file names which, from the sources of the whole house, and the knots in it: files that reach one another.
//!
//! A name that a module hands on (`use`, private or public) leads to the file that it comes from, so that `super::Mesh`
//! depends on `mesh.rs` and not on the `mod.rs` that lists it; handing on a name is no dependency of its own unless the
//! file says the name again. Tests are left out.

use std::collections::{BTreeMap, BTreeSet};

use super::{Root, Scopes, expand, is_word, module_of, paths, tokens};

/// A module's path from the crate's root.
type Module = Vec<String>;

/// Names in one file: those it declares, uses and re-exports.
#[derive(Debug, Default)]
struct Names {
    /// Modules that it declares for tests only.
    test_modules: BTreeSet<String>,
    /// Paths that it uses, from the crate's root.
    used: Vec<Module>,
    /// Names that others find in it though they come from elsewhere.
    handed_on: BTreeMap<String, Module>,
}

/// The files of the house by module, with what each says.
#[derive(Debug, Default)]
pub(crate) struct House {
    files: BTreeMap<Module, String>,
    names: BTreeMap<Module, Names>,
}

impl House {
    /// Reads `(name, source)` of every file; names are relative to the package.
    pub(crate) fn new(sources: &[(String, String)]) -> Self {
        let mut house = Self::default();
        for (name, _) in sources {
            house.files.insert(module_of(name), name.clone());
        }
        for (name, source) in sources {
            let module = module_of(name);
            let names = house.read(&module, source);
            house.names.insert(module, names);
        }
        house
    }

    fn read(&self, module: &Module, source: &str) -> Names {
        let tokens = tokens(source);
        let mut names = Names {
            test_modules: test_modules(&tokens),
            ..Names::default()
        };
        let mut local = self.children(module);
        for path in paths(source, module) {
            if path.root == Root::House && !path.in_tests {
                if let Some(last) = path.segments.last() {
                    names.handed_on.insert(last.clone(), path.segments.clone());
                    local.insert(last.clone(), path.segments.clone());
                }
                names.used.push(path.segments);
            }
        }
        for path in relative_paths(&tokens, module, &local, &mut names.used) {
            let name = path.last().cloned().unwrap_or_default();
            if times_said(&tokens, &name) > 1 {
                names.used.push(path.clone());
            }
            names.handed_on.insert(name, path);
        }
        names
    }

    /// The modules declared in `module`, by name.
    fn children(&self, module: &Module) -> BTreeMap<String, Module> {
        let below = |child: &&Module| child.len() == module.len() + 1 && child.starts_with(module);
        let children = self.files.keys().filter(below);
        children
            .filter_map(|child| Some((child.last()?.clone(), child.clone())))
            .collect()
    }

    /// The file in which `path` is written down; `None` where it leads out of the house.
    fn file_of(&self, path: &[String], steps_left: usize) -> Option<&Module> {
        let deepest = (0..=path.len())
            .rev()
            .find_map(|length| self.files.get_key_value(&path[..length]))?;
        let (module, rest) = (deepest.0, &path[deepest.0.len()..]);
        let target = rest
            .first()
            .and_then(|name| self.names.get(module)?.handed_on.get(name));
        match target {
            Some(target) if steps_left > 0 && target != path => {
                self.file_of(target, steps_left - 1)
            }
            _ => Some(module),
        }
    }

    fn is_for_tests(&self, module: &[String]) -> bool {
        (0..module.len()).any(|length| {
            let names = self.names.get(&module[..length]);
            names.is_some_and(|names| names.test_modules.contains(&module[length]))
        })
    }

    /// Modules that each file names, as positions in `modules`.
    fn edges(&self, modules: &[&Module]) -> Vec<Vec<usize>> {
        let number: BTreeMap<&Module, usize> = (modules.iter().copied()).zip(0..).collect();
        let named = |module: &&Module| {
            let used = self.names[*module].used.iter();
            let targets = used.filter_map(|path| self.file_of(path, 8));
            let targets: BTreeSet<&Module> = targets.filter(|target| target != module).collect();
            let known = targets.into_iter().filter_map(|target| number.get(target));
            known.copied().collect()
        };
        modules.iter().map(named).collect()
    }

    /// Sets of files that reach one another, each of two files at least, as names relative to the package.
    pub(crate) fn knots(&self) -> Vec<Vec<&str>> {
        let modules = self.names.keys();
        let modules: Vec<&Module> = modules.filter(|name| !self.is_for_tests(name)).collect();
        let edges = self.edges(&modules);
        let reached: Vec<Vec<bool>> = (0..modules.len())
            .map(|start| reached_from(start, &edges))
            .collect();
        let knot_of = |start: usize| -> Vec<usize> {
            let members = 0..modules.len();
            members
                .filter(|&other| reached[start][other] && reached[other][start])
                .collect()
        };
        let knots: BTreeSet<Vec<usize>> = (0..modules.len()).map(knot_of).collect();
        let names = |knot: Vec<usize>| knot.into_iter().map(|at| &*self.files[modules[at]]);
        let knots = knots.into_iter().filter(|knot| knot.len() > 1);
        knots.map(|knot| names(knot).collect()).collect()
    }
}

/// Which files can be reached from `start` by one edge or more.
fn reached_from(start: usize, edges: &[Vec<usize>]) -> Vec<bool> {
    let mut reached = vec![false; edges.len()];
    let mut waiting = vec![start];
    while let Some(at) = waiting.pop() {
        for &target in &edges[at] {
            if !std::mem::replace(&mut reached[target], true) {
                waiting.push(target);
            }
        }
    }
    reached
}

/// How often a file says a name, as a module's declaration or the head of a path left out where it is a module's too.
fn times_said(tokens: &[String], name: &str) -> usize {
    let is_module = tokens
        .windows(2)
        .any(|pair| pair[0] == "mod" && pair[1] == name);
    let says = |at: &usize| {
        let before = at.checked_sub(1).map_or("", |before| &*tokens[before]);
        let after = tokens.get(at + 1).map_or("", String::as_str);
        tokens[*at] == name && !(is_module && (before == "mod" || after == "::"))
    };
    (0..tokens.len()).filter(says).count()
}

/// Names of modules behind `#[cfg(test)]`.
fn test_modules(tokens: &[String]) -> BTreeSet<String> {
    let found = tokens.windows(5).filter(|window| {
        window[0] == "test" && window[1] == ")" && window[2] == "]" && window[3] == "mod"
    });
    found.map(|window| window[4].clone()).collect()
}

/// Finds paths that begin with a name in `local`; they join `used`. Those of a `pub use` are the answer instead.
fn relative_paths(
    tokens: &[String],
    module: &Module,
    local: &BTreeMap<String, Module>,
    used: &mut Vec<Module>,
) -> Vec<Module> {
    let mut scopes = Scopes::new(module);
    let mut handed_on = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        at += scopes.step(tokens, at);
        let Some(token) = tokens.get(at) else { break };
        let previous = at.checked_sub(1).map_or("", |before| &*tokens[before]);
        let is_path = tokens.get(at + 1).is_some_and(|next| next == "::");
        let base = local.get(token);
        match base.filter(|_| is_path && !["::", "."].contains(&previous)) {
            Some(base) if !scopes.in_tests() => {
                let mut found = Vec::new();
                let is_handed_on = previous == "use" && follows_visibility(tokens, at - 1);
                at = expand(tokens, at + 1, base.clone(), &mut found).max(at + 1);
                match is_handed_on {
                    true => handed_on.extend(found),
                    false => used.extend(found),
                }
            }
            _ => at += 1,
        }
    }
    handed_on
}

/// Whether `pub` or `pub(...)` stands before the token at `at`.
fn follows_visibility(tokens: &[String], at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).map_or("", |at| &*tokens[at]);
    before(1) == "pub" || (before(1) == ")" && before(4) == "pub" && is_word(before(2)))
}

#[cfg(test)]
mod planted {
    //! Knots planted in made-up houses, and neighbours without one.

    use super::House;

    fn knots(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        let owned = |&(name, code): &(&str, &str)| (name.to_owned(), code.to_owned());
        let sources: Vec<(String, String)> = files.iter().map(owned).collect();
        let house = House::new(&sources);
        let knots = house.knots().into_iter();
        knots
            .map(|knot| knot.into_iter().map(str::to_owned).collect())
            .collect()
    }

    const ROOT: (&str, &str) = ("src/room/lib.rs", "mod a; mod b; mod c; pub use a::A;");

    #[test]
    fn cycle_of_three_files_is_caught() {
        let files = [
            ROOT,
            ("src/room/a.rs", "use super::b::B; pub struct A(B);"),
            ("src/room/b.rs", "fn f() { crate::c::g() }"),
            ("src/room/c.rs", "use super::{b as other, a::{A}};"),
        ];
        let expected = ["src/room/a.rs", "src/room/b.rs", "src/room/c.rs"];
        assert_eq!(knots(&files), [expected], "all three");
    }

    #[test]
    fn cycle_through_a_name_that_the_parent_hands_on_is_caught() {
        let files = [
            ROOT,
            ("src/room/a.rs", "use super::b::B; pub struct A(B);"),
            ("src/room/b.rs", "use crate::A;"),
        ];
        assert_eq!(knots(&files), [["src/room/a.rs", "src/room/b.rs"]], "a, b");
    }

    #[test]
    fn cycle_through_a_module_used_in_passing_is_caught() {
        let files = [
            ROOT,
            (
                "src/room/a.rs",
                "use super::b; fn f() { b::g() } pub struct A;",
            ),
            ("src/room/b.rs", "use super::c; fn g() { c::h() }"),
            ("src/room/c.rs", "fn h() { super::a::f() }"),
        ];
        let expected = ["src/room/a.rs", "src/room/b.rs", "src/room/c.rs"];
        assert_eq!(knots(&files), [expected], "all three");
    }

    #[test]
    fn cycle_between_a_parent_that_uses_its_child_and_the_child_is_caught() {
        let files = [
            ("src/room/lib.rs", "mod a; fn f() { a::g() } struct Own;"),
            ("src/room/a.rs", "use super::Own;"),
        ];
        assert_eq!(
            knots(&files),
            [["src/room/lib.rs", "src/room/a.rs"]],
            "both"
        );
    }

    #[test]
    fn cycle_through_a_name_that_the_parent_hands_on_and_uses_is_caught() {
        let files = [
            ("src/room/lib.rs", "mod a; pub use a::A; pub struct Own(A);"),
            ("src/room/a.rs", "use super::Own; pub struct A;"),
        ];
        assert_eq!(
            knots(&files),
            [["src/room/lib.rs", "src/room/a.rs"]],
            "both"
        );
    }

    #[test]
    fn layers_behind_one_parent_are_no_cycle() {
        let files = [
            (
                "src/room/lib.rs",
                "mod a; mod b; mod c; pub use a::A; pub(crate) use self::b::B;",
            ),
            (
                "src/room/a.rs",
                "pub struct A; #[cfg(test)] mod tests { use super::super::B; }",
            ),
            ("src/room/b.rs", "use super::A; pub struct B(A);"),
            (
                "src/room/c.rs",
                "use super::{A, B}; pub(in crate::c) struct C;",
            ),
        ];
        assert!(knots(&files).is_empty(), "{:?}", knots(&files));
    }

    #[test]
    fn module_for_tests_is_left_out() {
        let files = [
            ("src/room/lib.rs", "mod a; #[cfg(test)] mod rig;"),
            ("src/room/a.rs", "mod tests { use super::super::rig; }"),
            ("src/room/rig.rs", "use super::a::A;"),
        ];
        assert!(knots(&files).is_empty(), "{:?}", knots(&files));
    }
}
