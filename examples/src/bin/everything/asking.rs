//! Asking the client: for a form, for consent to a page, for its model and its roots.

#![expect(deprecated, reason = "sampling and roots are deprecated, and work")]

use mcp_runtime::prelude::*;
use mcp_runtime::{InputRequired, Sample};

// What the conformance suite calls, with the keys and texts that it prescribes.

#[derive(Elicit)]
struct Name {
    name: String,
}

#[derive(Elicit)]
struct Color {
    color: String,
}

#[derive(Elicit)]
struct Confirm {
    ok: bool,
}

/// Ask for a name.
#[tool]
async fn test_input_required_result_elicitation(ctx: &Context) -> Result<String> {
    Ok(match ctx.elicit::<Name>("What is your name?").key("user_name").await? {
        Answer::Accept(who) => format!("Hello, {}!", who.name),
        _ => "Hello, whoever you are!".to_owned(),
    })
}

/// Ask the client's model.
#[tool]
async fn test_input_required_result_sampling(ctx: &Context) -> Result<String> {
    let question = Sample::new("What is the capital of France?", 100);
    Ok(ctx.sample(question).key("capital_question").await?.text())
}

/// Ask for the client's roots.
#[tool]
async fn test_input_required_result_list_roots(ctx: &Context) -> Result<Vec<String>> {
    let roots = ctx.roots().key("client_roots").await?;
    Ok(roots.into_iter().map(|root| root.uri).collect())
}

/// Remember something while asking; the client carries it, sealed.
#[tool]
async fn test_input_required_result_request_state(ctx: &Context) -> Result<&'static str> {
    let asked_in = ctx.once("asked in", async || Ok::<_, std::convert::Infallible>(ctx.round())).await?;
    let answer = ctx.elicit::<Confirm>("Please confirm").key("confirm").await?;
    let confirmed = answer.accepted().is_some_and(|answer| answer.ok);
    Ok(match (asked_in, confirmed) {
        (1, true) => "state-ok",
        (1, false) => "state-ok, but not confirmed",
        _ => "the state was lost",
    })
}

/// Ask for three things at once.
#[tool]
async fn test_input_required_result_multiple_inputs(ctx: &Context) -> Result<String> {
    let (who, greeting, roots) = tokio::join!(
        ctx.elicit::<Name>("What is your name?").key("user_name"),
        ctx.sample(Sample::new("Generate a greeting", 50)).key("greeting"),
        ctx.roots().key("client_roots"),
    );
    let name = who?.accepted().map_or_else(|| "stranger".to_owned(), |who| who.name);
    Ok(format!("{name}: {} You work in {} folder(s).", greeting?.text(), roots?.len()))
}

/// Ask for one thing after the other.
#[tool]
async fn test_input_required_result_multi_round(ctx: &Context) -> Result<String> {
    let Answer::Accept(who) = ctx.elicit::<Name>("Step 1: What is your name?").key("step1").await? else {
        return Ok("You did not say your name.".to_owned());
    };
    let color = ctx.elicit::<Color>("Step 2: What is your favorite color?").key("step2").await?;
    Ok(match color {
        Answer::Accept(Color { color }) => format!("{} likes {color}.", who.name),
        _ => format!("{} has no favorite color.", who.name),
    })
}

/// Ask, with a state that the client cannot change.
#[tool]
async fn test_input_required_result_tampered_state(ctx: &Context) -> Result<&'static str> {
    Ok(match ctx.elicit::<Confirm>("Please confirm").key("confirm").await? {
        Answer::Accept(Confirm { ok: true }) => "confirmed",
        _ => "not confirmed",
    })
}

/// Ask for what this client can give.
#[tool]
async fn test_input_required_result_capabilities(ctx: &Context) -> Result<String> {
    let client = ctx.client();
    let person = async {
        if !client.can_elicit() {
            return Ok(None);
        }
        ctx.elicit::<Name>("What is your name?").key("user_name").await.map(Answer::accepted)
    };
    let model = async {
        if !client.can_sample() {
            return Ok(None);
        }
        ctx.sample(Sample::new("Generate a greeting", 50)).key("greeting").await.map(Some)
    };
    let (who, greeting) = tokio::try_join!(person, model)?;
    let greeting = greeting.map_or_else(|| "Hello".to_owned(), |said| said.text());
    Ok(who.map_or_else(|| greeting.clone(), |who| format!("{greeting}, {}", who.name)))
}

#[derive(Elicit)]
struct Subject {
    context: String,
}

/// A prompt that asks what it is about.
#[prompt]
async fn test_input_required_result_prompt(ctx: &Context) -> Result<String> {
    let answer = ctx.elicit::<Subject>("What context should the prompt use?").key("user_context").await?;
    let context = answer.accepted().map_or_else(|| "nothing in particular".to_owned(), |it| it.context);
    Ok(format!("Answer in the context of {context}."))
}

/// Ask for what a client may not have.
#[tool]
async fn test_missing_capability(ctx: &Context) -> Result<String> {
    Ok(ctx.sample(Sample::new("Say hello", 10)).await?.text())
}

/// Say how far the work is, and then ask.
#[tool]
async fn test_streaming_elicitation(ctx: &Context) -> Result<&'static str> {
    ctx.progress(1.0, 2.0, "half of it is done");
    Ok(match ctx.elicit::<Confirm>("Do the other half?").key("confirm").await? {
        Answer::Accept(Confirm { ok: true }) => "all of it is done",
        _ => "half of it is done",
    })
}

/// Log, for clients that ask for it.
#[tool]
fn test_logging_tool(ctx: &Context) -> &'static str {
    ctx.log(LogLevel::Info, "the tool was called");
    "logged"
}

// What else can be asked, and how.

#[derive(Elicit)]
#[elicit(rename_all = "camelCase")]
struct Order {
    /// Whom the parcel is for.
    #[elicit(title = "Name", length(1..=80))]
    name: String,
    /// Where questions go.
    #[elicit(format = "email")]
    email: Option<String>,
    #[elicit(title = "Deliver on", format = "date")]
    deliver_on: Option<String>,
    #[elicit(range(1..=9), default = 1)]
    pieces: u8,
    #[elicit(range(0.0..=30.0), default = 0.5)]
    weight: f64,
    #[elicit(default = Size::Medium)]
    size: Size,
    /// What goes into the parcel.
    #[elicit(items(1..=2))]
    extras: Vec<Extra>,
    #[elicit(description = "Without a box, the parcel is cheaper.")]
    boxed: bool,
}

#[derive(Elicit)]
#[elicit(rename_all = "lowercase")]
enum Size {
    Small,
    Medium,
    Large,
}

#[derive(Elicit, Debug)]
#[elicit(rename_all = "kebab-case")]
enum Extra {
    /// A card with a greeting
    GreetingCard,
    /// Paper with stars
    WrappingPaper,
    #[elicit(title = "A ribbon")]
    Ribbon,
}

/// Every kind of field that a form can have.
#[tool]
async fn ask_for_form(ctx: &Context) -> Result<String> {
    let Answer::Accept(order) = ctx.elicit::<Order>("What shall we send?").await? else {
        return Ok("nothing is sent".to_owned());
    };
    let size = match order.size {
        Size::Small => "small",
        Size::Medium => "medium",
        Size::Large => "large",
    };
    let Order { name, email, deliver_on, pieces, weight, extras, boxed, .. } = order;
    let on = deliver_on.map(|day| format!(" on {day}")).unwrap_or_default();
    let questions = email.map(|email| format!(", questions to {email}")).unwrap_or_default();
    let boxed = if boxed { "a box" } else { "no box" };
    Ok(format!("{pieces} {size} of {weight} kg to {name}{on} in {boxed} with {extras:?}{questions}"))
}

/// Send the person to a page, or say where it is to one whose client opens none.
#[tool]
async fn ask_for_page(ctx: &Context) -> Result<String> {
    let page = "https://example.com/connect";
    if !ctx.client().can_elicit_url() {
        return Ok(format!("please open {page} yourself"));
    }
    Ok(match ctx.elicit_url("Connect your account.", page).await? {
        Answer::Accept(()) => "the page was opened",
        Answer::Decline => "the page was refused",
        Answer::Cancel => "the page was put off",
    }
    .to_owned())
}

/// Ask with every round in view: the function returns what it needs, and looks for it when it runs again.
#[tool]
fn ask_by_hand(ctx: &Context) -> Result<String> {
    let answer = ctx.answer::<Name>("who")?;
    let tries: u32 = ctx.input_state().unwrap_or(0);
    Ok(match answer {
        Some(Answer::Accept(who)) => format!("hello, {}, after {tries} question(s)", who.name),
        Some(_) => "hello, whoever you are".to_owned(),
        None => {
            let ask = InputRequired::new().elicit::<Name>("who", "What is your name?");
            return Err(ask.state(tries + 1).into());
        }
    })
}
