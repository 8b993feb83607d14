//! The bookings of a travel agency, in memory.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A travel agency.
#[derive(Default)]
pub struct Office {
    bookings: Mutex<Vec<Booking>>,
}

/// One trip of one traveller.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Booking {
    pub id: usize,
    pub destination: String,
    pub from: String,
    pub until: String,
    pub seat: String,
    pub status: Status,
}

/// How far a booking is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The seat is held.
    Reserved,
    /// The traveller was sent to pay.
    AwaitingPayment,
    /// The seat is free again.
    Released,
}

impl Office {
    /// Holds a seat.
    ///
    /// # Errors
    ///
    /// None here; a real agency asks the railway.
    pub async fn reserve(
        &self,
        destination: &str,
        from: &str,
        until: &str,
        seat: &str,
    ) -> mcp_runtime::Result<Booking> {
        tokio::task::yield_now().await;
        let mut bookings = self.lock();
        let booking = Booking {
            id: bookings.len() + 1,
            destination: destination.to_owned(),
            from: from.to_owned(),
            until: until.to_owned(),
            seat: seat.to_owned(),
            status: Status::Reserved,
        };
        bookings.push(booking.clone());
        Ok(booking)
    }

    /// Notes how far a booking is.
    pub fn set_status(&self, id: usize, status: Status) {
        if let Some(booking) = self.lock().iter_mut().find(|booking| booking.id == id) {
            booking.status = status;
        }
    }

    /// Every booking, the oldest first.
    pub fn bookings(&self) -> Vec<Booking> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Booking>> {
        self.bookings.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Display for Booking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, destination, from, until, seat, .. } = self;
        write!(f, "booking {id}, {destination} from {from} until {until}, {seat}")
    }
}
