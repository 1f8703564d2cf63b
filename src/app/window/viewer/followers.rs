//! Followers of the picture at their own pace: the machine that executes frames, and the inspector that takes one apart.

use super::{Message, Viewer};
use crate::window::inspector::{Answer, Inspection};
use crate::window::model::ModelledFrame;
use crate::window::plan::FramePlan;
use crate::window::state::Overlay;
use crate::window::ui;
use azulejo_render::Picture;

impl Viewer {
    /// Lets the machine execute the frame on the window, if its numbers are shown.
    pub(super) fn model(&mut self, size: [u32; 2]) {
        let is_seen = self.state.overlay != Overlay::Off || self.state.tiles.on;
        let plan = self.frame.as_ref().map(|frame| &frame.plan);
        let sharp =
            plan.filter(|plan| [plan.shot.settings.width, plan.shot.settings.height] == size);
        let playback = self.state.playback;
        let time_passes = playback.playing && self.state.content().moves(playback.animation);
        if let (Some(modeller), Some(plan), true) = (&mut self.modeller, sharp, is_seen) {
            modeller.want(plan, time_passes);
        }
    }

    /// Picture on the window: the frame, or another look of it.
    pub(super) fn picture(&self) -> Option<&Picture> {
        let inspection = self.inspection.as_ref().filter(|_| self.state.inspector.on);
        let wanted = ui::look(&self.state.inspector);
        let look = inspection.and_then(|inspection| inspection.look.as_ref());
        match look {
            Some((look, picture, _)) if Some(*look) == wanted => Some(picture),
            _ => self.frame.as_ref().map(|frame| &frame.picture),
        }
    }

    /// Freezes the frame on the window and asks for what the panel shows of it.
    pub(super) fn inspect(&mut self, size: [u32; 2]) {
        let (Some(inspection), true) = (&mut self.inspection, self.state.inspector.on) else {
            return;
        };
        let plan = self.frame.as_ref().map(|frame| &frame.plan);
        let is_sharp = |plan: &&FramePlan| {
            [plan.shot.settings.width, plan.shot.settings.height] == size
                && self.asked.as_ref() == Some(plan)
        };
        if let Some(plan) = plan.filter(is_sharp) {
            let known = inspection.plan.as_ref();
            if !known.is_some_and(|known| known.is_same_frame(plan)) {
                self.images.clear();
            }
            inspection.freeze(plan);
            if let Some(tile) = self.state.inspector.tile {
                inspection.want_tile(tile);
            }
            inspection.want_look(ui::look(&self.state.inspector));
        }
    }

    /// Freezes the frame or lets it go; the inspector's thread starts when it is first needed.
    pub(super) fn toggle_inspector(&mut self) {
        if self.inspection.is_none() {
            let proxy = self.proxy.clone();
            let deliver = move |answer| {
                let _ = proxy.send_event(Message::Inspected(Box::new(answer)));
            };
            let machine = self.request.machine.clone();
            match Inspection::start(machine, self.request.simd, deliver) {
                Ok(inspection) => self.inspection = Some(inspection),
                Err(error) => return self.state.say(error),
            }
        }
        let size = self.state.picture_size(self.whole);
        self.state.toggle_inspector(size);
    }

    pub(super) fn take_modelled(&mut self, modelled: Result<Option<ModelledFrame>, String>) {
        if let Some(modeller) = &mut self.modeller {
            modeller.answered(matches!(modelled, Ok(None)));
        }
        match modelled {
            Ok(None) => {}
            Ok(Some(modelled)) => {
                self.history.push_modelled(&modelled.report);
                self.modelled = Some(modelled);
            }
            Err(error) => self.state.say(error),
        }
        self.tick();
    }

    /// Takes in an answer that may change picture and panels.
    pub(super) fn take_answer(&mut self, answer: Answer) {
        let inspection = self.inspection.as_mut();
        if let Some(why) = inspection.and_then(|inspection| inspection.take(answer)) {
            self.state.say(why);
        }
        self.is_uploaded = false;
        self.images.clear();
    }
}
