//! Writes a table while it is solved.

use super::format::{BLOCK, Header};
use super::score;
use super::solve::Observer;
use std::collections::BTreeMap;
use std::io::{self, Seek, SeekFrom, Write};
use std::sync::{Mutex, PoisonError};

/// Takes solved vectors from several threads and writes their blocks in order.
pub(super) struct Writer<W> {
    header: Header,
    level: i32,
    /// All dog sets, by number of dogs and then as numbers: the order of positions in a vector.
    order: Vec<u32>,
    output: Mutex<Output<W>>,
}

struct Output<W> {
    file: W,
    next_slot: usize,
    /// Vectors that came before their turn.
    waiting: BTreeMap<usize, Blocks>,
    lengths: Vec<u16>,
}

/// The compressed blocks of one vector, and how long each is without its checksum.
struct Blocks {
    bytes: Vec<u8>,
    lengths: Vec<u16>,
}

impl<W: Write + Seek + Send> Writer<W> {
    /// Begins the file: `level` is zstd's.
    pub(super) fn new(mut file: W, header: Header, level: i32) -> io::Result<Self> {
        // The true header comes last; an unfinished file has none.
        file.write_all(&vec![0; header.to_bytes().len()])?;
        let output = Output { file, next_slot: 0, waiting: BTreeMap::new(), lengths: Vec::new() };
        Ok(Self { order: dog_sets_by_count(header.index.free()), header, level, output: Mutex::new(output) })
    }

    /// Writes the lengths of the blocks and the header, and gives the file back.
    pub(super) fn finish(self) -> io::Result<(W, Header)> {
        let Output { mut file, lengths, .. } =
            self.output.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut header = self.header;
        let bytes: Vec<u8> = lengths.iter().flat_map(|length| length.to_le_bytes()).collect();
        header.block_count = lengths.len() as u64;
        header.lengths_at = file.stream_position()?;
        header.lengths_checksum = crc32fast::hash(&bytes);
        file.write_all(&bytes)?;
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&header.to_bytes())?;
        file.flush()?;
        Ok((file, header))
    }

    fn compress(&self, hand: usize, slot: usize, dogs: &[u8]) -> io::Result<Blocks> {
        let mut compressor = zstd::bulk::Compressor::new(self.level)?;
        compressor.include_contentsize(false)?;
        compressor.include_checksum(false)?;
        compressor.include_dictid(false)?;
        let mut blocks = Blocks { bytes: Vec::new(), lengths: Vec::new() };
        let mut scores = Vec::with_capacity(BLOCK);
        let mut buffer = vec![0; zstd::zstd_safe::compress_bound(BLOCK)];
        let vectors = self.order[self.header.range(hand)].chunks(BLOCK);
        for (number, sets) in (self.first_block(hand, slot)..).zip(vectors) {
            scores.clear();
            scores.extend(sets.iter().map(|&set| dogs[set as usize]));
            let content = if scores.iter().all(|&score| score == scores[0]) {
                &scores[..1]
            } else {
                let len = compressor.compress_to_buffer(&scores, &mut buffer)?;
                if len < scores.len() && len > 1 { &buffer[..len] } else { &scores[..] }
            };
            blocks.bytes.extend(block_checksum(number, content).to_le_bytes());
            blocks.bytes.extend(content);
            blocks.lengths.push(content.len() as u16);
        }
        Ok(blocks)
    }

    fn first_block(&self, hand: usize, slot: usize) -> u64 {
        let slots = self.header.index.slot_count();
        let before: usize = (0..hand).map(|hand| slots * self.header.blocks(hand)).sum();
        (before + slot * self.header.blocks(hand)) as u64
    }
}

/// The checksum of a block: of its number, so that no block passes for another, and its bytes.
pub(super) fn block_checksum(number: u64, content: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&number.to_le_bytes());
    hasher.update(content);
    hasher.finalize()
}

/// All dog sets of so many places, by number of dogs and then as numbers.
pub(super) fn dog_sets_by_count(places: usize) -> Vec<u32> {
    let mut sets: Vec<u32> = (0..1 << places).collect();
    sets.sort_by_key(|set| set.count_ones());
    sets
}

impl<W: Write + Seek + Send> Observer for Writer<W> {
    fn vectors(&self, hand: u8, slot: usize, dogs: &[u8], _: &[u8]) -> io::Result<()> {
        if self.header.blocks(hand.into()) == 0 {
            return Ok(());
        }
        debug_assert!(dogs.iter().all(|&score| score != score::TRAPPED));
        let blocks = self.compress(hand.into(), slot, dogs)?;
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        let output = &mut *output;
        output.waiting.insert(slot, blocks);
        while let Some(blocks) = output.waiting.remove(&output.next_slot) {
            output.file.write_all(&blocks.bytes)?;
            output.lengths.extend(blocks.lengths);
            output.next_slot += 1;
        }
        Ok(())
    }

    fn layer_done(&self, _: u8) -> io::Result<()> {
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        output.next_slot = 0;
        Ok(())
    }
}
