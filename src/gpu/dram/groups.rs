//! Groups of channels: which agents use which channels of a DRAM, and how addresses are cut there. Usually all agents share
//! all channels; a heterogeneous memory controller splits the channels into groups, each for some agents and with an
//! address mapping of its own (Nachiappan et al., *`GemDroid`: A Framework to Evaluate Mobile Platforms*, SIGMETRICS 2014,
//! as Emerald describes it in section 5.1.2).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::mapping::Mapping;
use super::request::AgentId;

/// Channels that only some agents use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChannelGroup {
    /// Agents that use the channels; one group, and no more, has an empty list: it serves all agents that no other group
    /// names.
    pub agents: Vec<AgentId>,
    /// How many channels; a power of two.
    pub channels: u32,
    /// Order of the address fields, high to low, with as many bits for the channel as the group has.
    pub mapping: Mapping,
    /// Bytes that lie together in a row, as [`DramStructure::interleave`](super::DramStructure::interleave).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interleave: Option<u32>,
}

/// Groups by name; their channels are numbered in the order of the names. None: all agents share all channels.
pub type ChannelGroups = BTreeMap<String, ChannelGroup>;

/// Limits that groups must fit into.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    /// Channels of the DRAM.
    pub(super) channels: u32,
    /// Bytes of a burst and of a row.
    pub(super) burst: u64,
    pub(super) row: u64,
}

/// Fault of groups: the key below `group`, empty for all of them, and the values expected there.
pub(super) fn fault_of_groups(groups: &ChannelGroups, room: Room) -> Option<(String, String)> {
    let mut served: Vec<AgentId> = Vec::new();
    for (name, group) in groups {
        if !group.channels.is_power_of_two() {
            let expected = "a power of two".to_owned();
            return Some((format!("{name}.channels"), expected));
        }
        if let Some(expected) = fault_of_interleave(group.interleave, room) {
            return Some((format!("{name}.interleave"), expected));
        }
        for agent in &group.agents {
            if served.contains(agent) {
                let expected = format!("each agent in one group; {agent} is in two");
                return Some((format!("{name}.agents"), expected));
            }
            served.push(*agent);
        }
    }
    let n_open = groups.values().filter(|group| group.agents.is_empty());
    let n_channels = groups.values().map(|group| u64::from(group.channels));
    let expected = if n_open.count() != 1 {
        "exactly one group without agents, for all others".to_owned()
    } else if n_channels.sum::<u64>() != u64::from(room.channels) {
        let all = room.channels;
        format!("groups of {all} channels together, as structure.channels says")
    } else {
        return None;
    };
    Some((String::new(), expected))
}

/// Expected values of an interleave, if this one does not fit.
pub(super) fn fault_of_interleave(interleave: Option<u32>, room: Room) -> Option<String> {
    let Room { burst, row, .. } = room;
    let bytes = u64::from(interleave?);
    let fits = bytes.is_power_of_two() && (burst..=row).contains(&bytes);
    (!fits).then(|| format!("a power of two from {burst}, a burst, to {row} bytes, a row"))
}
