//! A slot of the table: two words that threads read and write without locks.
//!
//! `engine/tests/slot_model.rs` has it to itself, with words of its own: it tries every way in which threads
//! can meet at one.

/// A word that threads share. One word is never torn; of two, each may come from another writer.
pub(super) trait Word {
    fn load(&self) -> u64;
    fn store(&self, value: u64);
}

/// The words of one entry.
#[derive(Default, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct Slot<W> {
    /// Key xor data: where the words are not of one writer, no key fits.
    pub(super) check: W,
    /// 0: empty.
    pub(super) data: W,
}

impl<W: Word> Slot<W> {
    /// The data, if it is this key's.
    #[inline]
    pub(super) fn find(&self, key: u64) -> Option<u64> {
        let data = self.data.load();
        (data != 0 && self.check.load() ^ data == key).then_some(data)
    }

    /// Stores data, which is not 0, in place of whatever there was.
    #[inline]
    pub(super) fn put(&self, key: u64, data: u64) {
        self.data.store(data);
        self.check.store(key ^ data);
    }
}
