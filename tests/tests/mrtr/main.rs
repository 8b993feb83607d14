//! basic/patterns/mrtr: calls that are suspended, and taken up again.

mod asking;
mod by_hand;
mod once;
mod replay;
mod seal;
mod suspension;
mod tasks;
