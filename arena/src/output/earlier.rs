//! The games of a run that was broken off: read back from its file, and checked row by row.

use super::csv_file::GrowingCsv;
use super::games::GamesFormat;
use crate::game::{GameRecord, Termination};
use crate::referee::Referee;
use crate::schedule::Plan;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek as _, SeekFrom};
use std::path::PathBuf;
use std::time::Duration;

/// Why a games file cannot be gone on with.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum EarlierError {
    #[error("cannot read {}: {error}", path.display())]
    Read { path: PathBuf, error: io::Error },
    #[error("{}: line {line} is not of this run: {fault}", path.display())]
    Foreign { path: PathBuf, line: u64, fault: String },
}

/// Reads the games in a file, checks that they are the first of `games` as this run would have written them,
/// and gives the file, cut off after them.
pub(super) fn read_earlier(
    path: PathBuf,
    file: File,
    plan: &Plan,
    games: &[u64],
    format: GamesFormat,
    take: &mut dyn FnMut(&GameRecord),
) -> Result<GrowingCsv, EarlierError> {
    let mut reader = BufReader::new(&file);
    let mut reading = Reading { plan, format, columns: Vec::new() };
    let mut expected = games.iter();
    let mut end: u64 = 0;
    let mut text = Vec::new();
    for line in 1.. {
        text.clear();
        let read = reader.read_until(b'\n', &mut text);
        let read = read.map_err(|error| EarlierError::Read { path: path.clone(), error })?;
        // No field has a line break in it: a line without an end is the half of a row, whose game is lost.
        if !text.ends_with(b"\n") {
            break;
        }
        let taken = if line == 1 { reading.header(&text) } else { reading.game(&text, expected.next()) };
        match taken {
            Ok(Some(record)) => take(&record),
            Ok(None) => {}
            Err(fault) => return Err(EarlierError::Foreign { path, line, fault }),
        }
        end += read as u64;
    }
    let mut file = file;
    let cut = file.set_len(end).and_then(|()| file.seek(SeekFrom::Start(end)));
    cut.map_err(|error| EarlierError::Read { path: path.clone(), error })?;
    Ok(GrowingCsv::new(path, file, end > 0))
}

/// The columns that say which game of which run a row is, those first that a person may have set.
const IDENTITY: [&str; 13] = [
    "seed",
    "games",
    "game",
    "variant",
    "board",
    "dogs",
    "captures",
    "dogs_engine",
    "leopards_engine",
    "dogs_limit",
    "leopards_limit",
    "run",
    "pair",
];

/// What reading one line after the other needs to know.
struct Reading<'a> {
    plan: &'a Plan,
    format: GamesFormat,
    columns: Vec<String>,
}

/// A line that is as expected, with the game in it if it is not the header.
type Taken = Result<Option<GameRecord>, String>;

impl Reading<'_> {
    /// The first line must be the header this program writes.
    fn header(&mut self, text: &[u8]) -> Taken {
        let expected = if self.plan.order.is_empty() { Vec::new() } else { self.expected_header()? };
        if text != expected {
            return Err("its columns differ".to_owned());
        }
        self.columns = fields(text)?;
        Ok(None)
    }

    fn expected_header(&self) -> Result<Vec<u8>, String> {
        let record = GameRecord::unplayed(self.plan.order.game(0));
        let mut text = self.format.row(self.plan, &record, true).map_err(|error| error.to_string())?;
        let end = text.iter().position(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        text.truncate(end);
        Ok(text)
    }

    /// A row must be, byte for byte, what this run writes for the game it tells of.
    fn game(&self, text: &[u8], expected: Option<&u64>) -> Taken {
        let index = *expected.ok_or("there are more games in the file than in this run")?;
        let given = fields(text)?;
        if given.len() != self.columns.len() {
            return Err(format!("it has {} fields, expected {}", given.len(), self.columns.len()));
        }
        let row: BTreeMap<&str, &str> =
            self.columns.iter().map(String::as_str).zip(given.iter().map(String::as_str)).collect();
        let mut record = GameRecord::unplayed(self.plan.order.game(index));
        // What tells runs apart comes first: it is what a person should be told.
        self.compare(&given, &self.written(&record)?, IDENTITY)?;
        self.fill(&mut record, &row)?;
        let opening = self.plan.opening(&record.task);
        if !record.moves.starts_with(&opening.moves) || record.opening != opening.moves.len() {
            return Err("its opening is another than this run plays".to_owned());
        }
        let own = self.written(&record)?;
        self.compare(&given, &own, self.columns.iter().map(String::as_str))?;
        Ok(Some(record))
    }

    /// What is written for a game, as fields.
    fn written(&self, record: &GameRecord) -> Result<Vec<String>, String> {
        fields(&self.format.row(self.plan, record, false).map_err(|error| error.to_string())?)
    }

    fn compare<'c>(
        &self,
        given: &[String],
        own: &[String],
        columns: impl IntoIterator<Item = &'c str>,
    ) -> Result<(), String> {
        for name in columns {
            let Some(column) = self.columns.iter().position(|column| column == name) else { continue };
            if given[column] != own[column] {
                let what = match name {
                    "run" => "engines, openings, rules or limits differ: column run".to_owned(),
                    _ => format!("column {name}"),
                };
                return Err(format!("{what} is \"{}\", expected \"{}\"", given[column], own[column]));
            }
        }
        Ok(())
    }

    /// Sets what playing the game has told.
    fn fill(&self, record: &mut GameRecord, row: &BTreeMap<&str, &str>) -> Result<(), String> {
        let bad = |column: &str| format!("column {column} is \"{}\"", row[column]);
        let number = |column: &str| row[column].parse::<u64>().map_err(|_| bad(column));
        let winner = match row["winner"] {
            "draw" => None,
            side => Some(side.parse().map_err(|_| bad("winner"))?),
        };
        record.termination = Termination::from_word(row["reason"], winner).ok_or_else(|| bad("reason"))?;
        let rules = &self.plan.settings[record.task.setting].rules;
        record.start = self.plan.opening(&record.task).start;
        let mut referee =
            Referee::from_position(rules, record.start.unwrap_or_else(|| rules.start()), usize::MAX);
        for text in row["moves"].split_whitespace() {
            referee.play_text(text).map_err(|error| format!("column moves: {error}"))?;
        }
        record.moves = referee.moves().to_vec();
        record.captured = referee.position().captured();
        record.opening = number("opening")? as usize;
        record.nodes = [number("dogs_nodes")?, number("leopards_nodes")?];
        // Empty where the run has no times, which is compared later.
        let time = |column: &str| if row[column].is_empty() { Ok(0) } else { number(column) };
        record.time = [time("dogs_ms")?, time("leopards_ms")?].map(Duration::from_millis);
        row["detail"].clone_into(&mut record.detail);
        Ok(())
    }
}

/// The fields of one line.
pub(super) fn fields(line: &[u8]) -> Result<Vec<String>, String> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(line);
    let mut records = reader.records();
    let record = records.next().transpose().map_err(|_| "it is no row of a CSV file".to_owned())?;
    let record = record.ok_or("it is empty")?;
    Ok(record.iter().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::super::directory::{Claim, GAMES, OutputDirectory};
    use super::super::games::GamesFile;
    use super::*;
    use crate::config::{Adjudication, EngineConfig, Limit};
    use crate::schedule::{Openings, Order, Player, Setting};
    use engine::game::VariantSpec;
    use std::path::Path;

    fn plan() -> Plan {
        let player = |engine| Player { name: format!("p,{engine}"), engine, limit: Limit::Nodes(5) };
        Plan {
            engines: vec![EngineConfig::default(); 2],
            players: vec![player(0), player(1)],
            settings: vec![Setting::new(&VariantSpec::default(), None).unwrap()],
            order: Order::Pairings { pairings: vec![[0, 1]], games: 6 },
            seed: 1,
            openings: Openings::Random(2),
            adjudication: Adjudication::default(),
            max_plies: 2,
            stopping: String::new(),
        }
    }

    fn open(directory: &Path, plan: &Plan, with_times: bool) -> Result<(GamesFile, Vec<GameRecord>), String> {
        let games: Vec<u64> = (0..plan.order.len()).collect();
        let claimed = OutputDirectory::claim(directory, Claim::Resume).unwrap();
        let mut earlier = Vec::new();
        let format = GamesFormat::new(plan, with_times);
        let file = GamesFile::open(claimed, plan, &games, format, |game| earlier.push(game.clone()));
        file.map(|file| (file, earlier)).map_err(|error| error.to_string())
    }

    /// A file of as many games, each ended right after its opening.
    fn write(directory: &Path, plan: &Plan, games: u64) -> Vec<u8> {
        let (mut file, earlier) = open(directory, plan, true).unwrap();
        for index in earlier.len() as u64..games {
            let mut record = GameRecord::unplayed(plan.order.game(index));
            record.moves = plan.opening(&record.task).moves;
            record.opening = record.moves.len();
            record.time[0] = Duration::from_millis(index);
            file.append(plan, &record).unwrap();
        }
        std::fs::read(directory.join(GAMES)).unwrap()
    }

    #[test]
    fn a_file_cut_off_anywhere_is_gone_on_with() {
        let home = tempfile::tempdir().unwrap();
        let plan = plan();
        let whole = write(home.path(), &plan, 6);
        for length in 0..=whole.len() {
            std::fs::write(home.path().join(GAMES), &whole[..length]).unwrap();
            let rows = whole[..length].split(|&byte| byte == b'\n').count().saturating_sub(2);
            assert_eq!(open(home.path(), &plan, true).unwrap().1.len(), rows, "cut after {length} bytes");
            assert!(write(home.path(), &plan, 6) == whole, "cut after {length} bytes");
        }
    }

    type Change = fn(&mut Plan);

    #[test]
    fn what_is_of_another_run_is_refused_and_stays() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join(GAMES);
        let whole = write(home.path(), &plan(), 3);
        let changed = |change: Change| {
            let mut plan = plan();
            change(&mut plan);
            open(home.path(), &plan, true).map(drop).unwrap_err()
        };
        let cases: [(Change, &str); 6] = [
            (|plan| plan.seed = 2, "line 2 is not of this run: column seed is \"1\", expected \"2\""),
            (
                |plan| plan.order = Order::Pairings { pairings: vec![[0, 1]], games: 8 },
                "column games is \"6\", expected \"8\"",
            ),
            (|plan| plan.players[1].name = "x".into(), "column leopards_engine is \"p,1\", expected \"x\""),
            (|plan| plan.players[0].limit = Limit::Depth(1), "column dogs_limit is \"nodes=5\""),
            (|plan| plan.engines[0].args.push("x".into()), "engines, openings, rules or limits differ"),
            (|plan| plan.max_plies = 9, "engines, openings, rules or limits differ"),
        ];
        for (change, expected) in cases {
            let message = changed(change);
            assert!(message.contains(expected) && !message.contains('\n'), "{message} lacks {expected}");
        }
        let message = open(home.path(), &plan(), false).map(drop).unwrap_err();
        assert!(message.contains("column dogs_ms is \"0\", expected \"\""), "{message}");
        assert!(std::fs::read(&path).unwrap() == whole);
        let text = String::from_utf8(whole).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let foreign = [
            ("name,number\na,1\n".to_owned(), "line 1 is not of this run: its columns differ"),
            (format!("{}\n{}\n", lines[0], lines[2]), "line 2 is not of this run: column game"),
            (format!("{}\n{}\n{}\n", lines[0], lines[1], lines[1]), "line 3 is not of this run: column game"),
            (text.replace("max-plies,2", "max-plies,3"), "column plies is \"3\", expected \"2\""),
            (text.replace("max-plies", "flood"), "column reason is \"flood\""),
            (text.replace('@', "@@"), "column moves: "),
            (text.replace("\n2,", "\n2"), "it has 24 fields, expected 25"),
            (format!("{text}\n"), "it is empty"),
        ];
        for (text, expected) in foreign {
            std::fs::write(&path, &text).unwrap();
            let message = open(home.path(), &plan(), true).map(drop).unwrap_err();
            assert!(message.contains(expected) && !message.contains('\n'), "{message} lacks {expected}");
            assert!(std::fs::read_to_string(&path).unwrap() == text);
        }
    }
}
