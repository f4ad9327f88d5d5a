//! The slot of the hash table under every order in which threads can read and write its two words.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p engine --test slot_model`: loom, which tries the orders, is
//! no part of the usual tests.
#![allow(unexpected_cfgs)]
#![cfg(loom)]

#[path = "../src/search/tt/slot.rs"]
mod slot;

use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering};
use loom::thread;
use slot::{Slot, Word};

impl Word for AtomicU64 {
    fn load(&self) -> u64 {
        AtomicU64::load(self, Ordering::Relaxed)
    }

    fn store(&self, value: u64) {
        AtomicU64::store(self, value, Ordering::Relaxed);
    }
}

/// Key and data.
type Entry = (u64, u64);

/// Two threads store an entry each while a third looks for the key of the first.
fn try_all_orders(entries: [Entry; 2]) {
    loom::model(move || {
        let slot: Arc<Slot<AtomicU64>> = Arc::default();
        let writers = entries.map(|(key, data)| {
            let slot = Arc::clone(&slot);
            thread::spawn(move || slot.put(key, data))
        });
        let key = entries[0].0;
        if let Some(data) = slot.find(key) {
            assert!(entries.contains(&(key, data)), "{data:#x} under {key:#b}");
        }
        for writer in writers {
            writer.join().expect("a writer that ends");
        }
    });
}

#[test]
fn no_key_finds_the_data_of_another() {
    try_all_orders([(0b0101, 0x70), (0b1010, 0xB0)]);
}

#[test]
fn two_entries_of_a_key_are_never_mixed() {
    try_all_orders([(0b0101, 0x70), (0b0101, 0x90)]);
}
