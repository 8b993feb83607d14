//! Books a trip: asks for the dates, then for a seat, and then sends the person to a page to pay.
//!
//! ```sh
//! cargo run -p mcp-examples --bin trip -- --http 127.0.0.1:8080
//! ```

use std::process::ExitCode;

use mcp_examples::office::{Booking, Office, Status};
use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Dates {
    /// The day on which you leave.
    #[elicit(format = "date")]
    from: String,
    /// The day on which you come back.
    #[elicit(format = "date")]
    until: String,
}

#[derive(Elicit)]
struct Place {
    seat: Seat,
}

#[derive(Elicit)]
#[elicit(rename_all = "lowercase")]
enum Seat {
    /// At the window
    Window,
    /// On the aisle
    Aisle,
}

/// Book a trip by train.
#[tool]
async fn book_trip(
    /// The city to go to.
    destination: &str,
    office: State<Office>,
    ctx: &Context,
) -> Result<String> {
    let Answer::Accept(Dates { from, until }) = ask_dates(destination, ctx).await? else {
        return Ok("Nothing was booked.".to_owned());
    };
    let Answer::Accept(place) = ctx.elicit::<Place>("Where would you like to sit?").key("seat").await? else {
        return Ok("Nothing was booked.".to_owned());
    };
    let seat = match place.seat {
        Seat::Window => "at the window",
        Seat::Aisle => "on the aisle",
    };
    // This function runs again with every answer, and still holds one seat.
    let booking: Booking = ctx.once("booking", || office.reserve(destination, &from, &until, seat)).await?;
    let page = format!("https://pay.example.com/bookings/{}", booking.id);
    match ctx.elicit_url(format!("Please pay for {booking}."), page).key("payment").await {
        Ok(Answer::Accept(())) => {
            office.set_status(booking.id, Status::AwaitingPayment);
            Ok(format!("Held until the payment arrives: {booking}."))
        }
        unpaid => {
            office.set_status(booking.id, Status::Released);
            unpaid?;
            Ok(format!("Not paid, so the seat is free again: {booking}."))
        }
    }
}

/// Asks until the dates are in order.
async fn ask_dates(destination: &str, ctx: &Context) -> Result<Answer<Dates>> {
    let mut message = format!("When do you travel to {destination}?");
    loop {
        match ctx.elicit::<Dates>(&message).key("dates").await? {
            Answer::Accept(Dates { from, until }) if until < from => {
                message = format!("{until} is before {from}. When do you travel to {destination}?");
            }
            answer => return Ok(answer),
        }
    }
}

/// What was booked so far.
#[resource("trip://bookings", mime = "application/json")]
fn bookings(office: State<Office>) -> Json<Vec<Booking>> {
    Json(office.bookings())
}

pub(crate) fn server() -> Server {
    mcp_runtime::server!().title("Trips").description("Books trips by train.").state(Office::default())
}

fn main() -> ExitCode {
    server().main()
}
