//! How one entry is called, made once.

use std::any::TypeId;
use std::collections::HashSet;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use schemars::{Schema, SchemaGenerator};

use super::{About, Faults, Label, ParamPlan, Run, Schedule, Signature, Work};
use crate::schema::normalize::{Contract, Generated, generate};

/// A synchronous function that holds its thread for longer runs on the blocking pool from then on.
const HELD_UP: Duration = Duration::from_millis(1);

/// No call has ended yet: the first may never end, and runs on the blocking pool.
const UNKNOWN: u8 = 0;
/// No call has held up its thread.
const FAST: u8 = 1;
/// One has.
const SLOW: u8 = 2;

/// What the author of an entry that is added at run time says about the time that its calls take.
#[derive(Clone, Copy, Default)]
pub(crate) struct Timing {
    /// The longest that one call may take.
    pub(crate) timeout: Option<Duration>,
    /// The silence after which a call shows that it goes on.
    pub(crate) heartbeat: Option<Duration>,
}

/// Everything that a call of one entry needs to know.
pub(crate) struct Plan {
    pub(crate) about: Label,
    pub(crate) work: Work,
    schedule: Schedule,
    /// The longest that one call may take, where that is its own.
    pub(crate) timeout: Option<Duration>,
    /// The silence after which a call shows that it goes on.
    pub(crate) heartbeat: Option<Duration>,
    pub(crate) params: Vec<ParamPlan>,
    /// The arguments as one value, as a handler takes them that was added at run time.
    pub(crate) whole: Option<ParamPlan>,
    pub(crate) output: Option<Generated>,
    /// Whether it has the means to ask the client in the middle of a call, and to change the server.
    pub(crate) takes_context: bool,
    /// What is known of how long its calls take.
    pace: AtomicU8,
}

impl Plan {
    /// Prepares an entry; what is wrong with it is noted.
    pub(super) fn new(
        about: &'static About,
        run: &'static Run,
        states: &HashSet<TypeId>,
        faults: &mut Faults,
    ) -> Self {
        let mut signature = Signature::default();
        (run.describe)(&mut signature);
        for (id, name) in &signature.requirements.states {
            if !states.contains(id) {
                faults.at(
                    &about.into(),
                    format!(
                        "takes `State<{name}>`, which is not registered: give one to `Server::state`, as in \
                         `mcp_runtime::server!().state(..).main()`"
                    ),
                );
            }
        }
        let params = run.params.iter().zip(&signature.parameters);
        let params = params.map(|(param, shape)| ParamPlan::new(about, param, shape, faults)).collect();
        let output = signature.output_schema.and_then(output_schema);
        Self {
            about: about.into(),
            work: Work::Linked(run.handler),
            schedule: run.schedule,
            timeout: run.timeout,
            heartbeat: run.heartbeat,
            params,
            whole: None,
            output,
            takes_context: signature.takes_context,
            pace: AtomicU8::new(UNKNOWN),
        }
    }

    /// The plan of an entry that is added at run time.
    pub(crate) fn added(about: Label, work: Work, timing: Timing, faults: &mut Faults) -> Self {
        let Timing { timeout, heartbeat } = timing;
        if let Some(heartbeat) = heartbeat {
            if heartbeat.is_zero() {
                faults
                    .at(&about, "has a heartbeat of no time: give `heartbeat` a longer one, or leave it out");
            }
            if let Some(timeout) = timeout.filter(|timeout| heartbeat >= *timeout) {
                faults.at(
                    &about,
                    format!(
                        "has a heartbeat of {heartbeat:?}, and no call lasts until the first one, for its timeout is \
                         {timeout:?}: give `heartbeat` a shorter time"
                    ),
                );
            }
        }
        Self {
            about,
            work,
            schedule: Schedule::Inline,
            timeout,
            heartbeat,
            params: Vec::new(),
            whole: None,
            output: None,
            takes_context: true,
            pace: AtomicU8::new(UNKNOWN),
        }
    }

    /// Whether the entry was added at run time, and can be removed.
    pub(super) fn is_added(&self) -> bool {
        matches!(self.work, Work::Added(_))
    }

    /// Whether a synchronous function runs on the blocking pool (DESIGN, decision 1).
    pub(crate) fn blocks(&self) -> bool {
        match self.schedule {
            Schedule::Inline => false,
            Schedule::Blocking => true,
            Schedule::Learned => self.pace.load(Ordering::Relaxed) != FAST,
        }
    }

    /// Notes how long a call took. The first one decides whether the next ones run where they would hold up other
    /// requests; after one that did, none does any more.
    pub(crate) fn took(&self, time: Duration) {
        if time > HELD_UP {
            self.pace.store(SLOW, Ordering::Relaxed);
        } else if self.pace.load(Ordering::Relaxed) == UNKNOWN {
            // Looked at first: most calls find it known, and write nothing that all of them share.
            let _ = self.pace.compare_exchange(UNKNOWN, FAST, Ordering::Relaxed, Ordering::Relaxed);
        }
    }
}

/// The schema of structured content; `None` for a result that has none.
pub(crate) fn output_schema(schema: fn(&mut SchemaGenerator) -> Option<Schema>) -> Option<Generated> {
    let mut has_schema = true;
    let generated = generate(
        |generator| {
            schema(generator).unwrap_or_else(|| {
                has_schema = false;
                Schema::default()
            })
        },
        Contract::Output,
    );
    has_schema.then_some(generated)
}
