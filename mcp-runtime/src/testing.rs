//! A client in the same process, for the tests of a server's author.
