//! basic/patterns/mrtr under disorder: flows that are interleaved, retried, lost, late, doubled, presented in
//! foreign places, and answered by two instances whose keys are being rotated.
//!
//! A small model says what each round has to answer: what is asked for, what ran, how it ends.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::SystemTime;

use mcp_runtime::testing::Client;
use mcp_runtime::{Error, MemorySealStore, SealStore};
use mcp_tests::rounds::{Asked, Rounds, accept, asked, failed};
use mcp_tests::server;
use serde_json::{Value, json};
use tools::{Runs, Step};

mod tools {
    use std::future::poll_fn;
    use std::pin::Pin;
    use std::sync::Mutex;
    use std::task::Poll;

    use mcp_runtime::prelude::*;
    use serde::{Deserialize, Serialize};
    use serde_json::Value;

    /// A handler as data.
    #[derive(Clone, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub(crate) enum Step {
        Ask { text: String, named: bool },
        Once { key: String, flaky: bool, yields: usize },
        Join(Vec<Vec<Step>>),
    }

    /// The bodies of `once` that ran: of which flow, and under which key. A run is named by its index.
    #[derive(Default)]
    pub(crate) struct Runs(Mutex<Vec<(u64, String)>>);

    impl Runs {
        fn note(&self, flow: u64, key: &str) -> (usize, bool) {
            let mut runs = self.0.lock().expect("no panic");
            let run = (flow, key.to_owned());
            let is_first = !runs.contains(&run);
            runs.push(run);
            (runs.len() - 1, is_first)
        }

        pub(crate) fn count(&self) -> usize {
            self.0.lock().expect("no panic").len()
        }

        pub(crate) fn since(&self, start: usize) -> Vec<(usize, u64, String)> {
            let runs = self.0.lock().expect("no panic");
            let numbered = runs.iter().enumerate().skip(start);
            numbered.map(|(run, (flow, key))| (run, *flow, key.clone())).collect()
        }

        pub(crate) fn forget(&self) {
            self.0.lock().expect("no panic").clear();
        }
    }

    #[derive(Elicit)]
    struct Text {
        #[elicit(length(..=40))]
        text: String,
    }

    type Told<'a> = Pin<Box<dyn Future<Output = Result<Vec<(String, Value)>>> + Send + 'a>>;

    fn run<'a>(steps: &'a [Step], flow: u64, runs: &'a Runs, ctx: &'a Context) -> Told<'a> {
        Box::pin(async move {
            let mut told = Vec::new();
            for step in steps {
                match step {
                    Step::Ask { text, named } => {
                        let ask = ctx.elicit::<Text>(text);
                        let ask = if *named { ask.key(text) } else { ask };
                        let answer = ask.await?.accepted().map(|answer| answer.text);
                        told.push((text.clone(), answer.into()));
                    }
                    Step::Once { key, flaky, yields } => {
                        let body = || async {
                            for _ in 0..*yields {
                                tokio::task::yield_now().await;
                            }
                            let (run, is_first) = runs.note(flow, key);
                            if *flaky && is_first { Err("not the first time") } else { Ok(run) }
                        };
                        told.push((key.clone(), ctx.once(key, body).await.ok().into()));
                    }
                    Step::Join(branches) => {
                        let branches = branches.iter().map(|steps| run(steps, flow, runs, ctx)).collect();
                        for branch in all(branches).await {
                            told.extend(branch?);
                        }
                    }
                }
            }
            Ok(told)
        })
    }

    async fn all(mut branches: Vec<Told<'_>>) -> Vec<Result<Vec<(String, Value)>>> {
        let mut done: Vec<_> = branches.iter().map(|_| None).collect();
        poll_fn(|task| {
            for (branch, done) in branches.iter_mut().zip(&mut done) {
                if done.is_none()
                    && let Poll::Ready(told) = branch.as_mut().poll(task)
                {
                    *done = Some(told);
                }
            }
            if done.iter().all(Option::is_some) { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
        done.into_iter().flatten().collect()
    }

    async fn interpret(flow: u64, program: Value, runs: &Runs, ctx: &Context) -> Result<String> {
        let program: Vec<Step> = serde_json::from_value(program)?;
        let told: serde_json::Map<_, _> = run(&program, flow, runs, ctx).await?.into_iter().collect();
        Ok(Value::from(told).to_string())
    }

    #[tool]
    async fn alpha(
        flow: u64,
        program: Value,
        runs: State<std::sync::Arc<Runs>>,
        ctx: &Context,
    ) -> Result<String> {
        interpret(flow, program, &runs, ctx).await
    }

    #[tool]
    async fn beta(
        flow: u64,
        program: Value,
        runs: State<std::sync::Arc<Runs>>,
        ctx: &Context,
    ) -> Result<String> {
        interpret(flow, program, &runs, ctx).await
    }
}

/// `SplitMix64`: the same flows for the same seed, everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % bound as u64).expect("it is below a usize")
    }

    fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }

    fn program(&mut self, depth: usize, names: &mut usize) -> Vec<Step> {
        let length = 1 + self.below(2 + depth.min(1));
        (0..length)
            .map(|_| {
                *names += 1;
                match self.below(if depth == 0 { 5 } else { 7 }) {
                    0..=2 => Step::Ask { text: format!("ask {names}"), named: self.one_in(2) },
                    3 | 4 => Step::Once {
                        key: format!("once {names}"),
                        flaky: self.one_in(3),
                        yields: self.below(3),
                    },
                    _ => {
                        let branches = 2 + usize::from(self.one_in(4));
                        Step::Join((0..branches).map(|_| self.program(depth - 1, names)).collect())
                    }
                }
            })
            .collect()
    }
}

/// How far a program gets with these answers: what it waits for, which bodies it came to, whether it ends.
#[derive(Default)]
struct Reach {
    waits: BTreeSet<String>,
    bodies: Vec<(String, bool)>,
}

impl Reach {
    fn of(program: &[Step], answered: &BTreeSet<String>) -> Self {
        let mut reach = Self::default();
        reach.follow(program, answered);
        reach
    }

    fn follow(&mut self, steps: &[Step], answered: &BTreeSet<String>) -> bool {
        steps.iter().all(|step| match step {
            Step::Ask { text, .. } => {
                let is_answered = answered.contains(text);
                if !is_answered {
                    self.waits.insert(text.clone());
                }
                is_answered
            }
            Step::Once { key, flaky, .. } => {
                self.bodies.push((key.clone(), *flaky));
                true
            }
            Step::Join(branches) => {
                // Each branch goes as far as it can.
                let ended: Vec<bool> = branches.iter().map(|steps| self.follow(steps, answered)).collect();
                ended.iter().all(|ended| *ended)
            }
        })
    }
}

/// What one answer left with the client, and what its seal has to hold.
#[derive(Clone)]
struct Token {
    asked: Asked,
    /// The key that sealed it.
    sealed_by: char,
    answered: BTreeSet<String>,
    remembered: BTreeMap<String, usize>,
    /// It was brought back, which a store allows once.
    is_used: bool,
}

struct Flow {
    id: u64,
    tool: &'static str,
    program: Vec<Step>,
    tokens: Vec<Token>,
    attempted: BTreeSet<String>,
    is_ended: bool,
}

impl Flow {
    fn arguments(&self) -> Value {
        json!({ "flow": self.id, "program": self.program })
    }

    /// What the person of this flow answers to a question.
    fn answer_to(&self, text: &str) -> Value {
        accept(json!({ "text": format!("{} by {}", text, self.id) }))
    }
}

/// The steps of a rotation: what the instances are started with.
const ROTATION: [&str; 4] = ["A", "AB", "BA", "B"];
const KEYS: [(char, &str); 2] = [
    ('A', "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="),
    ('B', "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1eff"),
];

/// One store for all instances.
struct SharedStore(Arc<MemorySealStore>);

impl SealStore for SharedStore {
    fn redeem<'a>(
        &'a self,
        id: &'a str,
        expires: SystemTime,
    ) -> std::pin::Pin<Box<dyn Future<Output = Result<bool, Error>> + Send + 'a>> {
        self.0.redeem(id, expires)
    }
}

fn instances(runs: &Arc<Runs>, store: Option<&Arc<MemorySealStore>>) -> Vec<Client> {
    let start = |step: &&str| {
        let keys: Vec<&str> =
            step.chars().filter_map(|name| KEYS.iter().find(|key| key.0 == name)).map(|key| key.1).collect();
        let server = server(concat!(module_path!(), "::tools")).state(runs.clone()).seal_keys(keys.join(","));
        let server = match store {
            Some(store) => server.seal_store(SharedStore(store.clone())),
            None => server,
        };
        Client::new(server).expect("it starts")
    };
    ROTATION.iter().map(start).collect()
}

struct World<'a> {
    random: Random,
    runs: &'a Runs,
    instances: &'a [Client],
    has_store: bool,
    /// How far the rotation is; an instance may be a step behind.
    rotation: usize,
    flows: Vec<Flow>,
}

const REFUSED: (i64, &str) =
    (-32602, "Invalid params: `requestState` is not valid for this request; start again without it");

impl World<'_> {
    /// The instance that gets the next request.
    fn instance(&mut self) -> usize {
        self.rotation.saturating_sub(self.random.below(2))
    }

    /// Sends a first round, and keeps what comes unless it is lost.
    async fn begin(&mut self, flow: usize, is_lost: bool) {
        let instance = self.instance();
        let start = self.runs.count();
        let call = &self.flows[flow];
        let answer = Rounds::call(&self.instances[instance], call.tool, call.arguments()).begin().await;
        self.check(flow, instance, &answer, start, None, &BTreeSet::new(), is_lost);
    }

    /// Presents a token with answers to some of what it asks for.
    async fn present(
        &mut self,
        flow: usize,
        token: usize,
        responses: &Value,
        answers: &BTreeSet<String>,
        is_lost: bool,
    ) -> Option<Value> {
        let instance = self.instance();
        let start = self.runs.count();
        let this = &self.flows[flow];
        let presented = this.tokens[token].clone();
        let call = Rounds::call(&self.instances[instance], this.tool, this.arguments());
        let answer = call.answer(&presented.asked, responses.clone()).await;
        let opens = ROTATION[instance].contains(presented.sealed_by);
        if !opens || self.has_store && presented.is_used {
            assert_eq!(failed(&answer), REFUSED, "{} {}", ROTATION[instance], presented.sealed_by);
            assert_eq!(self.runs.count(), start, "a refused round ran something");
            return None;
        }
        self.flows[flow].tokens[token].is_used = true;
        self.check(flow, instance, &answer, start, Some(&presented), answers, is_lost);
        Some(answer)
    }

    /// Compares an answer with what the model says of it.
    #[allow(clippy::too_many_arguments)] // all of one round
    fn check(
        &mut self,
        flow: usize,
        instance: usize,
        answer: &Value,
        start: usize,
        presented: Option<&Token>,
        answers: &BTreeSet<String>,
        is_lost: bool,
    ) {
        let flow = &mut self.flows[flow];
        let mut answered = presented.map(|token| token.answered.clone()).unwrap_or_default();
        answered.extend(answers.iter().cloned());
        let mut remembered = presented.map(|token| token.remembered.clone()).unwrap_or_default();
        let reach = Reach::of(&flow.program, &answered);

        // A body runs exactly if the presented seal does not hold its result.
        let ran = self.runs.since(start);
        let mut expected: Vec<&str> = Vec::new();
        for (key, flaky) in &reach.bodies {
            if remembered.contains_key(key) {
                continue;
            }
            expected.push(key);
            let run = ran.iter().find(|(_, id, ran)| *id == flow.id && ran == key);
            let (run, ..) = run.unwrap_or_else(|| panic!("{key} did not run: {:?}", flow.program));
            if flow.attempted.insert(key.clone()) && *flaky {
                continue;
            }
            remembered.insert(key.clone(), *run);
        }
        let mut ran: Vec<&str> = ran.iter().map(|(_, _, key)| key.as_str()).collect();
        ran.sort_unstable();
        expected.sort_unstable();
        assert_eq!(ran, expected, "{:?}", flow.program);

        if reach.waits.is_empty() {
            let result = &answer["result"];
            assert_eq!(result["resultType"], "complete", "{answer} {:?}", flow.program);
            let text = result["content"][0]["text"].as_str().expect("text");
            let told: BTreeMap<String, Value> = serde_json::from_str(text).expect("an object");
            for (name, value) in &told {
                let own = if name.starts_with("ask") {
                    json!(format!("{name} by {}", flow.id))
                } else {
                    json!(remembered.get(name))
                };
                assert_eq!(*value, own, "{name} of {:?}", flow.program);
            }
            assert_eq!(told.len(), answered.len() + reach.bodies.len());
            flow.is_ended |= !is_lost;
        } else {
            let asked = asked(answer);
            let texts: BTreeSet<String> = questions(&asked).into_values().collect();
            assert_eq!(texts, reach.waits, "{:?}", flow.program);
            if !is_lost {
                let sealed_by = ROTATION[instance].chars().next().expect("a key");
                flow.tokens.push(Token { asked, sealed_by, answered, remembered, is_used: false });
            }
        }
    }

    /// Answers to what a token asks for: all of it, or some; now and then with what is wrong or needless.
    fn responses(&mut self, flow: usize, token: usize, all: bool) -> (Value, BTreeSet<String>) {
        let (mut responses, mut answers) = (json!({}), BTreeSet::new());
        for (key, text) in questions(&self.flows[flow].tokens[token].asked) {
            match if all { 0 } else { self.random.below(5) } {
                0..=2 => {
                    responses[key] = self.flows[flow].answer_to(&text);
                    answers.insert(text);
                }
                3 => responses[key] = accept(json!({ "text": 5 })),
                _ => {}
            }
        }
        if self.random.one_in(4) {
            responses["nobody asked"] = json!({ "action": "explode" });
        }
        // What was answered before cannot be changed any more.
        let asked_before = self.flows[flow].tokens[..token].iter().flat_map(|token| questions(&token.asked));
        let answered = &self.flows[flow].tokens[token].answered;
        let evil: Vec<String> =
            asked_before.filter(|(_, text)| answered.contains(text)).map(|(key, _)| key).collect();
        for key in evil {
            if responses.get(&key).is_none() && self.random.one_in(4) {
                responses[key] = accept(json!({ "text": "evil" }));
            }
        }
        (responses, answers)
    }

    /// Presents a state where it does not belong.
    async fn present_in_a_foreign_place(&mut self, flow: usize) {
        let instance = self.instance();
        let start = self.runs.count();
        let token = self.random.below(self.flows[flow].tokens.len());
        let other = self.random.below(self.flows.len());
        let (this, other) = (&self.flows[flow], &self.flows[other]);
        let (tool, arguments) = if other.id == this.id {
            (if this.tool == "alpha" { "beta" } else { "alpha" }, this.arguments())
        } else {
            (other.tool, other.arguments())
        };
        let mut responses = json!({});
        for (key, text) in questions(&this.tokens[token].asked) {
            responses[key] = this.answer_to(&text);
        }
        let call = Rounds::call(&self.instances[instance], tool, arguments);
        let answer = call.answer(&this.tokens[token].asked, responses).await;
        assert_eq!(failed(&answer), REFUSED);
        assert_eq!(self.runs.count(), start, "a foreign state ran something");
    }

    /// One thing that happens to one flow.
    async fn disturb(&mut self) {
        if self.rotation + 1 < ROTATION.len() && self.random.one_in(40) {
            self.rotation += 1;
        }
        let flow = self.random.below(self.flows.len());
        let Some(latest) = self.flows[flow].tokens.len().checked_sub(1) else {
            let is_lost = self.random.one_in(5);
            return self.begin(flow, is_lost).await;
        };
        match self.random.below(10) {
            // On with it.
            0..=3 => {
                let (responses, answers) = self.responses(flow, latest, false);
                self.present(flow, latest, &responses, &answers, false).await;
            }
            // The answer is lost on its way.
            4 => {
                let (responses, answers) = self.responses(flow, latest, false);
                self.present(flow, latest, &responses, &answers, true).await;
            }
            // An old round comes late.
            5 => {
                let token = self.random.below(latest + 1);
                let (responses, answers) = self.responses(flow, token, false);
                self.present(flow, token, &responses, &answers, true).await;
            }
            // A round comes twice.
            6 | 7 => {
                let (responses, answers) = self.responses(flow, latest, false);
                let first = self.present(flow, latest, &responses, &answers, false).await;
                let second = self.present(flow, latest, &responses, &answers, true).await;
                if self.has_store && first.is_some() {
                    assert_eq!(second, None);
                } else if let (Some(first), Some(second)) = (first, second) {
                    assert_eq!(first["result"]["inputRequests"], second["result"]["inputRequests"]);
                    assert_eq!(first["result"]["resultType"], second["result"]["resultType"]);
                }
            }
            8 => self.present_in_a_foreign_place(flow).await,
            // The client starts over.
            _ => {
                let is_lost = self.random.one_in(2);
                self.begin(flow, is_lost).await;
            }
        }
    }

    /// Brings a flow to its end, as a client would that lost nothing more.
    async fn finish(&mut self, flow: usize) {
        self.flows[flow].is_ended = false;
        for _ in 0..100 {
            let usable = self.flows[flow].tokens.iter().rposition(|token| !self.has_store || !token.is_used);
            match usable {
                None => self.begin(flow, false).await,
                Some(token) => {
                    let (responses, answers) = self.responses(flow, token, true);
                    if self.present(flow, token, &responses, &answers, false).await.is_none() {
                        // Sealed with a key that is gone: "start again without it".
                        self.flows[flow].tokens.clear();
                    }
                }
            }
            if self.flows[flow].is_ended {
                return;
            }
        }
        panic!("it never ends: {:?}", self.flows[flow].program);
    }
}

/// What is asked for: the questions by their keys, without what was wrong with an answer before.
fn questions(asked: &Asked) -> BTreeMap<String, String> {
    let questions = asked.requests.as_object().into_iter().flatten().map(|(key, request)| {
        let message = request["params"]["message"].as_str().expect("a message");
        (key.clone(), message.split("\n\n").next().unwrap_or_default().to_owned())
    });
    questions.collect()
}

const FLOWS: u64 = 10_000;
const FLOWS_AT_ONCE: u64 = 8;

/// Disturbs and finishes a share of all flows, several at once.
async fn drive(seed: u64, store: Option<Arc<MemorySealStore>>) {
    let runs = Arc::new(Runs::default());
    let instances = instances(&runs, store.as_ref());
    let mut next = 0;
    while next < FLOWS / 2 {
        let world_seed = seed.wrapping_add(next);
        // Shown when a check fails.
        println!("seed {world_seed}");
        let mut random = Random(world_seed);
        let flows = (next..next + FLOWS_AT_ONCE)
            .map(|id| Flow {
                id,
                tool: if id % 2 == 0 { "alpha" } else { "beta" },
                program: random.program(if id % 8 == 0 { 2 } else { 1 }, &mut 0),
                tokens: Vec::new(),
                attempted: BTreeSet::new(),
                is_ended: false,
            })
            .collect();
        next += FLOWS_AT_ONCE;
        runs.forget();
        let rotation = random.below(2);
        let mut world =
            World { random, runs: &runs, instances: &instances, has_store: store.is_some(), rotation, flows };
        for _ in 0..FLOWS_AT_ONCE * 2 {
            world.disturb().await;
        }
        for flow in 0..world.flows.len() {
            world.finish(flow).await;
        }
    }
}

#[tokio::test]
async fn flows_end_with_their_own_answers() {
    drive(0x5eed, None).await;
}

#[tokio::test]
async fn flows_end_with_their_own_answers_where_states_are_used_once() {
    drive(0xfeed, Some(Arc::new(MemorySealStore::new()))).await;
}
