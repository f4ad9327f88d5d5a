//! What the tests of both binaries share.
