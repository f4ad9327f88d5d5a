//! The search takes no memory as it goes: what it needs it has before the first node.
//!
//! A test binary of its own, since it counts every allocation of the process.
#![allow(unsafe_code)] // what allocates is an unsafe trait; it hands all calls on as they come

use engine::game::{Game, VariantSpec};
use engine::search::{Limits, SearchOptions, Searcher};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

struct Counting;

// SAFETY: every call goes to the system's allocator with the arguments it came with.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as the caller promises of this function.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// How often a search from nothing allocates, and how many reports it makes.
fn search(variant: &str, position: &str, nodes: u64) -> (u64, u64) {
    let spec = VariantSpec { variant: Some(variant.to_owned()), ..VariantSpec::default() };
    let rules = spec.rules().expect("a preset");
    let (rules, position) = rules.parse_position(position).expect("a position");
    let game = Game::from_position(Arc::new(rules), position);
    let mut searcher = Searcher::new(4).expect("4 MB");
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let (never, mut reports) = (AtomicBool::new(false), 0);
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    let report = &mut |_: &_| reports += 1;
    let result = searcher.search(&game, &limits, &SearchOptions::default(), None, &never, report);
    let allocations = ALLOCATIONS.load(Ordering::Relaxed) - before;
    assert!(result.last.nodes >= nodes * 9 / 10, "{variant} came to an end too early");
    (allocations, reports)
}

#[test]
fn nodes_allocate_nothing() {
    for (variant, position) in [
        ("demala", "L/2LL2/4/6/4 d 15 0 0"),
        ("demala", "1/d2LLd/1dd1/d1Ld1d/dd1d d 3 1 0"),
        ("demala", "1/2d1d1/LdL1/d1dddd/dLdd d 0 3 5"),
        ("rafaya", "L/d2LL2d/8/d6d/4 d 11 0 0"),
        ("meurimueng", "1/6/6/6/4 l 15+5 0 0"),
    ] {
        let (short, long) = (search(variant, position, 20_000), search(variant, position, 200_000));
        // Each iteration makes a report with its line and sorts the moves of the root; 180,000 nodes make none.
        let more = (long.0 - short.0, long.1 - short.1);
        assert!(more.0 <= 8 * more.1.max(1), "{variant} {position}: {more:?} allocations, reports");
    }
}
