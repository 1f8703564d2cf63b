//! Route of a request to its channel: agent and address in, a location out.

use std::ops::Range;

use super::address::{AddressMap, Location};
use super::request::AgentId;
use super::spec::DramSpec;

/// The way of every agent's requests.
#[derive(Debug, Clone)]
pub(super) struct Routes {
    routes: Vec<Route>,
    /// By agent, an index into `routes`.
    of_agent: [u8; AgentId::N],
}

#[derive(Debug, Clone, Copy)]
struct Route {
    first_channel: u32,
    n_channels: u32,
    map: AddressMap,
}

impl Routes {
    /// Routes of a (validated) specification.
    pub(super) fn new(spec: &DramSpec) -> Self {
        if spec.groups.is_empty() {
            let map = AddressMap::new(spec);
            return Self {
                routes: vec![Route {
                    first_channel: 0,
                    n_channels: spec.structure.channels,
                    map,
                }],
                of_agent: [0; AgentId::N],
            };
        }
        let others = spec.groups.values().position(|g| g.agents.is_empty());
        let mut of_agent = [others.unwrap_or(0) as u8; AgentId::N];
        let mut routes = Vec::new();
        let mut first_channel = 0;
        for (number, group) in (0_u8..).zip(spec.groups.values()) {
            for agent in &group.agents {
                of_agent[agent.idx()] = number;
            }
            let map = AddressMap::of_group(spec, group);
            routes.push(Route {
                first_channel,
                n_channels: group.channels,
                map,
            });
            first_channel += group.channels;
        }
        Self { routes, of_agent }
    }

    /// Channels that the agent uses.
    pub(super) fn channels(&self, agent: AgentId) -> Range<u32> {
        let route = &self.routes[usize::from(self.of_agent[agent.idx()])];
        route.first_channel..route.first_channel + route.n_channels
    }

    /// Locates the byte at `address` for `agent`.
    pub(super) fn locate(&self, agent: AgentId, address: u64) -> Location {
        let route = &self.routes[usize::from(self.of_agent[agent.idx()])];
        let location = route.map.locate(address);
        Location {
            channel: route.first_channel + location.channel,
            ..location
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dram::Dram;
    use crate::parameters::{Base, Document, Overlay};

    const PHONE: &str = r#"
base = "lpddr3_b32_2ch_fine"
[group.cpu]
agents = ["cpu0", "cpu1"]
channels = 1
mapping = "rorababgcoch"
interleave = 128
[group.ip]
agents = []
channels = 1
mapping = "rocorababgch"
interleave = 128
"#;

    fn located(text: &str, agent: AgentId, address: u64) -> [u32; 4] {
        let spec = DramSpec::from_toml("file", text).expect("valid");
        let at = Dram::new(&spec).expect("valid").locate(agent, address);
        [at.channel, at.row, at.bank, at.column]
    }

    /// Bursts of 32 bytes, rows of 4096, 8 banks: 128 bytes are four columns, and then comes the other channel.
    #[test]
    fn interleave_keeps_bytes_together_below_the_channel() {
        let fine = "base = \"lpddr3_b32_2ch_fine\"
            structure.mapping = \"rorababgcoch\"\nstructure.interleave = 128";
        let of = |address| located(fine, AgentId::GPU, address);
        assert_eq!(of(96), [0, 0, 0, 3], "within a line");
        assert_eq!(of(128), [1, 0, 0, 0], "the next line");
        assert_eq!(of(256 + 64), [0, 0, 0, 6], "the line after it");
        assert_eq!(of(8192), [0, 0, 1, 0], "rows of both channels are full");
        assert_eq!(of(65536), [0, 1, 0, 0], "all banks too");
    }

    #[test]
    fn groups_have_channels_and_mappings_of_their_own() {
        let cpu = |address| located(PHONE, AgentId::cpu(1), address);
        assert_eq!(cpu(128), [0, 0, 0, 4], "along the row");
        assert_eq!(cpu(4096), [0, 0, 1, 0], "row full");
        for agent in [AgentId::GPU, AgentId::DISPLAY, AgentId::cpu(2)] {
            let other = |address| located(PHONE, agent, address);
            assert_eq!(other(96), [1, 0, 0, 3], "a line in a bank: {agent}");
            assert_eq!(other(128), [1, 0, 1, 0], "the next line: {agent}");
            assert_eq!(other(1024), [1, 0, 0, 4], "all banks have one: {agent}");
        }
    }

    #[test]
    fn groups_survive_writing() {
        let spec = DramSpec::from_toml("file", PHONE).expect("valid");
        let text = toml::to_string(&spec).expect("TOML");
        assert_eq!(DramSpec::from_toml("file", &text), Ok(spec), "{text}");
    }

    #[test]
    fn group_that_cannot_be_is_refused_with_key_and_reason() {
        for (change, key, why) in [
            ("group.ip.agents = [\"gpu\"]", "group", "exactly one group"),
            ("group.cpu.agents = []", "group", "exactly one group"),
            (
                "group.third = { agents = [\"cpu1\"], channels = 1, mapping = \"rochrababgco\" }",
                "group.third.agents",
                "cpu1 is in two",
            ),
            (
                "group.cpu.channels = 3",
                "group.cpu.channels",
                "a power of two",
            ),
            (
                "group.cpu.channels = 2",
                "group",
                "groups of 2 channels together",
            ),
            (
                "group.cpu.interleave = 16",
                "group.cpu.interleave",
                "from 32, a burst",
            ),
            (
                "structure.interleave = 8192",
                "structure.interleave",
                "to 4096 bytes",
            ),
            (
                "group.cpu.agents = [\"cpu99\"]",
                "group.cpu.agents",
                "cpu0 to cpu61",
            ),
        ] {
            let (key_set, value) = change.split_once(" = ").expect("a change");
            let mut document = Document::read(
                "file",
                PHONE,
                Base {
                    key: "include",
                    find: &|_| Err(String::new()),
                },
            )
            .expect("TOML");
            document
                .set(&Overlay {
                    key: key_set.to_owned(),
                    value: value.to_owned(),
                })
                .expect("a key");
            let error = DramSpec::from_document(&document)
                .expect_err(change)
                .to_string();
            assert!(
                error.contains(key) && error.contains(why),
                "{change}: {error}"
            );
        }
    }
}
