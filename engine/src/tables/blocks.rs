//! The blocks of a table, read and unpacked when they are asked for.

use super::format::{BLOCK, CHECKSUM, Header, PREFIX};
use super::table::TableError;
use super::writer::block_checksum;
use std::cell::RefCell;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use zstd::bulk::Decompressor;

/// Blocks between two entries of the list of places.
const STRIDE: usize = 64;

/// Where the bytes of a table are.
#[derive(Debug)]
enum Source {
    File(File),
    Memory(Vec<u8>),
}

impl Source {
    fn read(&self, at: u64, buffer: &mut [u8]) -> std::io::Result<()> {
        match self {
            #[cfg(unix)]
            Self::File(file) => std::os::unix::fs::FileExt::read_exact_at(file, buffer, at),
            #[cfg(windows)]
            Self::File(file) => {
                let mut done = 0;
                while done < buffer.len() {
                    use std::os::windows::fs::FileExt as _;
                    match file.seek_read(&mut buffer[done..], at + done as u64)? {
                        0 => return Err(std::io::ErrorKind::UnexpectedEof.into()),
                        n => done += n,
                    }
                }
                Ok(())
            }
            Self::Memory(bytes) => {
                let start = usize::try_from(at).ok();
                let part = start.and_then(|start| bytes.get(start..start.checked_add(buffer.len())?));
                buffer.copy_from_slice(part.ok_or(std::io::ErrorKind::UnexpectedEof)?);
                Ok(())
            }
        }
    }

    fn len(&self) -> std::io::Result<u64> {
        match self {
            Self::File(file) => Ok(file.metadata()?.len()),
            Self::Memory(bytes) => Ok(bytes.len() as u64),
        }
    }
}

/// Unpacks a zstd frame, with a context a thread keeps.
fn unpack(content: &[u8], scores: &mut [u8]) -> std::io::Result<usize> {
    thread_local! {
        static UNPACKER: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
    }
    UNPACKER.with_borrow_mut(|unpacker| {
        if unpacker.is_none() {
            *unpacker = Some(Decompressor::new()?);
        }
        match unpacker {
            Some(unpacker) => unpacker.decompress_to_buffer(content, scores),
            None => Err(std::io::ErrorKind::Other.into()),
        }
    })
}

/// The unpacked scores of a block and its number.
type Entry = Option<(u64, Box<[u8]>)>;

/// The blocks of one table, some of them kept unpacked.
#[derive(Debug)]
pub(super) struct BlockReader {
    path: PathBuf,
    source: Source,
    lengths: Vec<u16>,
    /// Where every 64th block begins.
    places: Vec<u64>,
    /// Unpacked blocks, each in the entry its number belongs to.
    cache: Vec<Mutex<Entry>>,
}

impl BlockReader {
    /// Opens a file; `cache` is how many bytes of unpacked blocks to keep.
    pub(super) fn open(path: &Path, cache: usize) -> Result<(Self, Header), TableError> {
        let file = File::open(path).map_err(|error| TableError::new(path, error))?;
        Self::new(path, Source::File(file), cache)
    }

    /// The same with the bytes of a file in memory.
    pub(super) fn from_bytes(bytes: Vec<u8>, cache: usize) -> Result<(Self, Header), TableError> {
        Self::new(Path::new("in memory"), Source::Memory(bytes), cache)
    }

    /// The bytes of a table in memory.
    #[cfg(test)]
    pub(super) fn into_bytes(self) -> Option<Vec<u8>> {
        match self.source {
            Source::Memory(bytes) => Some(bytes),
            Source::File(_) => None,
        }
    }

    fn new(path: &Path, source: Source, cache: usize) -> Result<(Self, Header), TableError> {
        let fault = |fault: String| TableError { path: path.to_owned(), fault };
        let io = |error: std::io::Error| TableError::new(path, error);
        let len = source.len().map_err(io)?;
        let mut prefix = vec![0; PREFIX.min(usize::try_from(len).unwrap_or(PREFIX))];
        source.read(0, &mut prefix).map_err(io)?;
        let header_len = Header::len_from_prefix(&prefix).map_err(fault)?;
        if len < header_len as u64 {
            return Err(fault("cut short within the header".to_owned()));
        }
        let mut bytes = vec![0; header_len];
        source.read(0, &mut bytes).map_err(io)?;
        let header = Header::from_bytes(&bytes).map_err(fault)?;
        let blocks: usize =
            (0..=header.index.free()).map(|hand| header.blocks(hand) * header.index.slot_count()).sum();
        if header.block_count != blocks as u64 {
            return Err(fault(format!("{} blocks, expected {blocks}", header.block_count)));
        }
        let expected = header.lengths_at.saturating_add(2 * blocks as u64);
        if len != expected {
            return Err(fault(format!("{len} bytes long, expected {expected}")));
        }
        let mut bytes = vec![0; 2 * blocks];
        source.read(header.lengths_at, &mut bytes).map_err(io)?;
        if crc32fast::hash(&bytes) != header.lengths_checksum {
            return Err(fault("the list of blocks is damaged (checksum)".to_owned()));
        }
        let lengths: Vec<u16> = bytes.as_chunks::<2>().0.iter().map(|b| u16::from_le_bytes(*b)).collect();
        let mut at = header_len as u64;
        let places = lengths
            .chunks(STRIDE)
            .map(|lengths| {
                let place = at;
                at += lengths.iter().map(|&length| (usize::from(length) + CHECKSUM) as u64).sum::<u64>();
                place
            })
            .collect();
        if at != header.lengths_at {
            return Err(fault("the blocks do not fill the file".to_owned()));
        }
        let entries = (cache / BLOCK).clamp(1, blocks.max(1));
        let cache = (0..entries).map(|_| Mutex::new(None)).collect();
        Ok((Self { path: path.to_owned(), source, lengths, places, cache }, header))
    }

    /// The file, or `in memory`.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// One score of a block that has `len` of them.
    pub(super) fn score(&self, block: u64, len: usize, at: usize) -> Result<u8, TableError> {
        // Fibonacci hashing: neighbours spread over the whole cache.
        let hash = block.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let entry = ((u128::from(hash) * self.cache.len() as u128) >> 64) as usize;
        let mut entry = self.cache[entry].lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((number, scores)) = &*entry
            && *number == block
        {
            return Ok(scores[at]);
        }
        // The memory of the block that gives way is used again, once it is of the right length.
        let old = entry.take().map(|(_, scores)| scores).filter(|scores| scores.len() == len);
        let mut scores = old.unwrap_or_else(|| vec![0; len].into_boxed_slice());
        self.unpack(block, &mut scores)?;
        let score = scores[at];
        *entry = Some((block, scores));
        Ok(score)
    }

    /// Reads the scores of a block, as many as there is room for.
    pub(super) fn unpack(&self, block: u64, scores: &mut [u8]) -> Result<(), TableError> {
        let fault = |what: &str| TableError {
            path: self.path.clone(),
            fault: format!("block {block} is damaged ({what})"),
        };
        let number = block as usize;
        let packed_len = |number: usize| usize::from(self.lengths[number]);
        let first = number / STRIDE * STRIDE;
        let skipped: usize = (first..number).map(|number| packed_len(number) + CHECKSUM).sum();
        let mut bytes = [0; BLOCK + CHECKSUM];
        let bytes = bytes.get_mut(..packed_len(number) + CHECKSUM).ok_or_else(|| fault("length"))?;
        self.source
            .read(self.places[number / STRIDE] + skipped as u64, bytes)
            .map_err(|error| TableError::new(&self.path, error))?;
        let Some((checksum, content)) = bytes.split_first_chunk::<CHECKSUM>() else {
            return Err(fault("length"));
        };
        if u32::from_le_bytes(*checksum) != block_checksum(block, content) {
            return Err(fault("checksum"));
        }
        match *content {
            [score] => scores.fill(score),
            _ if content.len() == scores.len() => scores.copy_from_slice(content),
            _ => match unpack(content, scores) {
                Ok(unpacked) if unpacked == scores.len() => {}
                Ok(_) => return Err(fault("length")),
                Err(_) => return Err(fault("compression")),
            },
        }
        Ok(())
    }
}
