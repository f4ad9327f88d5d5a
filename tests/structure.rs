//! The directions between the modules: who may use whom, read from the sources.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tests::root_path;

/// A module of the engine crate, and those it may use beside itself.
const ENGINE: [(&str, &[&str]); 10] = [
    ("game", &[]),
    ("workers", &[]),
    ("game_args", &["game"]),
    ("search", &["game"]),
    ("tables", &["game"]),
    ("exact", &["game", "search", "tables"]),
    ("accuracy", &["exact", "game", "search", "tables", "workers"]),
    ("fit", &["game", "search", "tables", "workers"]),
    ("protocol", &["exact", "game", "game_args", "search", "tables"]),
    ("cli", &["accuracy", "fit", "game", "game_args", "search", "tables", "protocol"]),
];

/// The modules of the arena, lowest floor first: each may use those before it.
const ARENA: [&str; 11] = [
    "process", "config", "client", "clock", "schedule", "game", "referee", "stats", "runner", "output", "cli",
];

/// What no module does that is to be free of clocks and of the world outside.
const OUTSIDE: [&str; 9] =
    ["fs", "io", "net", "process", "thread", "env", "time::Instant", "time::SystemTime", "os"];

/// Words that stand in texts of the protocol and nowhere else.
const PROTOCOL_WORDS: [&str; 20] = [
    "ugi",
    "ugiok",
    "isready",
    "readyok",
    "uginewgame",
    "setoption",
    "startpos",
    "bestmove",
    "seldepth",
    "hashfull",
    "multipv",
    "lowerbound",
    "upperbound",
    "p1time",
    "p2time",
    "p1inc",
    "p2inc",
    "p1turn",
    "gameover",
    "legalmoves",
];

/// A source file, taken apart.
struct Source {
    path: PathBuf,
    /// Where it stands in its crate, `["game", "board"]`; empty for `lib.rs` and `main.rs`.
    module: Vec<String>,
    /// All paths of two words or more, from the top of the crate where they begin with `crate`, `self` or
    /// `super`; comments and texts do not count.
    paths: BTreeSet<Vec<String>>,
    /// All texts, those of comments apart.
    texts: Vec<String>,
    /// Modules it declares.
    children: BTreeSet<String>,
}

impl Source {
    fn read(source_directory: &Path, path: PathBuf) -> Self {
        let text = std::fs::read_to_string(&path).expect("a source can be read");
        let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let inside = path.strip_prefix(source_directory).expect("found there").with_extension("");
        let mut module: Vec<String> =
            inside.iter().map(|part| part.to_str().expect("a name in UTF-8").to_owned()).collect();
        if module.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
            module.pop();
        }
        let mut source =
            Self { path, module, paths: BTreeSet::new(), texts: Vec::new(), children: BTreeSet::new() };
        let module = source.module.clone();
        source.walk(tokens, &module, &[]);
        source
    }

    /// Collects from tokens that stand in `module`; `prefix` is what a group in a `use` continues.
    fn walk(&mut self, tokens: TokenStream, module: &[String], prefix: &[String]) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let ident = |i: usize| match tokens.get(i) {
            Some(TokenTree::Ident(ident)) => Some(ident.to_string()),
            _ => None,
        };
        let is_punct =
            |i: usize, c: char| matches!(tokens.get(i), Some(TokenTree::Punct(p)) if p.as_char() == c);
        let mut i = 0;
        while i < tokens.len() {
            match &tokens[i] {
                // Comments for the documentation arrive as attributes.
                TokenTree::Punct(punct) if punct.as_char() == '#' => {
                    let bang = usize::from(is_punct(i + 1, '!'));
                    if let Some(TokenTree::Group(group)) = tokens.get(i + 1 + bang) {
                        if !group.stream().to_string().starts_with("doc") {
                            self.walk(group.stream(), module, &[]);
                        }
                        i += 1 + bang;
                    }
                }
                TokenTree::Ident(word) if word == "mod" => {
                    if let Some(name) = ident(i + 1) {
                        if let Some(TokenTree::Group(body)) = tokens.get(i + 2) {
                            self.walk(body.stream(), &[module, &[name]].concat(), &[]);
                            i += 2;
                        } else {
                            self.children.insert(name);
                        }
                    }
                }
                TokenTree::Ident(first) => {
                    let mut path = prefix.to_vec();
                    path.push(first.to_string());
                    while is_punct(i + 1, ':') && is_punct(i + 2, ':') {
                        if let Some(next) = ident(i + 3) {
                            path.push(next);
                            i += 3;
                        } else {
                            if let Some(TokenTree::Group(group)) = tokens.get(i + 3)
                                && group.delimiter() == Delimiter::Brace
                            {
                                self.walk(group.stream(), module, &path);
                                i += 3;
                            }
                            break;
                        }
                    }
                    self.add(path, module);
                }
                TokenTree::Group(group) => self.walk(group.stream(), module, &[]),
                TokenTree::Literal(literal) => self.texts.push(literal.to_string()),
                TokenTree::Punct(_) => {}
            }
            i += 1;
        }
    }

    fn add(&mut self, path: Vec<String>, module: &[String]) {
        let relative = ["crate", "self", "super"].contains(&path[0].as_str());
        if !relative && path.len() < 2 {
            return;
        }
        let mut whole: Vec<String> = Vec::new();
        if relative {
            whole.push("crate".to_owned());
            if path[0] != "crate" {
                whole.extend_from_slice(module);
            }
        }
        for word in path {
            match word.as_str() {
                "crate" | "self" => {}
                "super" => drop(whole.pop()),
                _ => whole.push(word),
            }
        }
        self.paths.insert(whole);
    }

    /// The module of the top floor it belongs to; `None` for `lib.rs` and `main.rs`.
    fn floor(&self) -> Option<&str> {
        self.module.first().map(String::as_str)
    }

    /// What it uses of a crate: the first words after the crate's name.
    fn uses<'a>(&'a self, crate_name: &'a str) -> impl Iterator<Item = &'a str> {
        let of_crate = move |path: &&Vec<String>| path[0] == crate_name;
        self.paths.iter().filter(of_crate).filter_map(|path| path.get(1)).map(String::as_str)
    }

    fn assert_nothing_outside(&self) {
        for path in self.paths.iter().filter(|path| path[0] == "std") {
            let path = path[1..].join("::");
            let outside =
                OUTSIDE.iter().find(|&&outside| path == outside || path.starts_with(&format!("{outside}::")));
            assert_eq!(outside, None, "{} uses std::{path}", self.path.display());
        }
    }
}

/// All sources of a package.
fn sources(package: &str) -> Vec<Source> {
    fn collect(directory: &Path, files: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(directory).expect("a directory of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                collect(&path, files);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    let directory = root_path().join(package).join("src");
    let mut files = Vec::new();
    collect(&directory, &mut files);
    files.sort();
    assert!(files.len() > 10, "hardly any sources in {}", directory.display());
    files.into_iter().map(|file| Source::read(&directory, file)).collect()
}

/// Every module has a place among those known.
fn assert_floors(sources: &[Source], known: &[&str]) {
    let found: BTreeSet<&str> = sources.iter().filter_map(Source::floor).collect();
    assert_eq!(found, known.iter().copied().collect(), "modules: give a new one its place in this test");
}

#[test]
fn modules_of_the_engine_use_only_those_below_them() {
    let sources = sources("engine");
    let floors: Vec<&str> = ENGINE.iter().map(|(floor, _)| *floor).collect();
    assert_floors(&sources, &floors);
    let mut seen = BTreeSet::new();
    for source in &sources {
        let Some(floor) = source.floor() else { continue };
        let (_, allowed) = ENGINE.iter().find(|(name, _)| *name == floor).expect("checked above");
        for used in source.uses("crate").filter(|used| floors.contains(used) && *used != floor) {
            assert!(allowed.contains(&used), "{} uses {used}", source.path.display());
            seen.insert((floor, used));
        }
    }
    // The reading of the sources is worth something only if it sees what is there.
    for pair in [("protocol", "search"), ("search", "game"), ("tables", "game"), ("cli", "protocol")] {
        assert!(seen.contains(&pair), "{pair:?} was not seen: {seen:?}");
    }
}

#[test]
fn the_game_knows_no_clocks_and_nothing_outside() {
    for source in sources("engine").iter().filter(|source| source.floor() == Some("game")) {
        source.assert_nothing_outside();
    }
}

#[test]
fn only_the_protocol_speaks_the_protocol() {
    let sources = sources("engine");
    let words = |source: &Source| -> BTreeSet<&str> {
        let texts = source.texts.iter();
        let words = texts.flat_map(|text| text.split(|c: char| !c.is_ascii_alphanumeric()));
        let known = words.filter_map(|word| PROTOCOL_WORDS.iter().find(|&&known| known == word));
        known.copied().collect()
    };
    let mut spoken = BTreeSet::new();
    for source in &sources {
        match source.floor() {
            Some("protocol") => spoken.extend(words(source)),
            Some("cli") => {} // its help has examples
            _ => assert_eq!(words(source), BTreeSet::new(), "in {}", source.path.display()),
        }
    }
    assert_eq!(spoken, PROTOCOL_WORDS.into(), "words of the protocol");
}

#[test]
fn modules_of_the_arena_use_only_those_below_them() {
    let sources = sources("arena");
    assert_floors(&sources, &ARENA);
    let height = |floor: &str| ARENA.iter().position(|known| *known == floor);
    for source in &sources {
        let Some(floor) = source.floor() else { continue };
        for used in source.uses("crate").filter(|used| height(used).is_some()) {
            assert!(height(used) <= height(floor), "{} uses {used}", source.path.display());
        }
    }
}

#[test]
fn the_arena_knows_only_the_game_of_the_engine() {
    let mut seen = BTreeSet::new();
    for source in sources("arena") {
        // A module of the arena's own may be called engine.
        if source.children.contains("engine") {
            continue;
        }
        let allowed: &[&str] =
            if source.path.ends_with("main.rs") { &["cli"] } else { &["game", "game_args"] };
        for used in source.uses("engine") {
            assert!(allowed.contains(&used), "{} uses engine::{used}", source.path.display());
            seen.insert(used.to_owned());
        }
    }
    assert_eq!(seen, ["cli", "game", "game_args"].map(str::to_owned).into());
}

#[test]
fn statistics_and_schedules_do_no_input_or_output() {
    for source in sources("arena") {
        if ["stats", "schedule"].map(Some).contains(&source.floor()) {
            source.assert_nothing_outside();
        }
    }
}

/// The tests run what the packages build: programs of a few lines over their libraries.
#[test]
fn the_programs_are_a_few_lines() {
    for package in ["engine", "arena"] {
        let text = std::fs::read_to_string(root_path().join(package).join("src/main.rs")).unwrap();
        let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.trim().starts_with("//"));
        assert!(lines.count() <= 12, "{package}/src/main.rs does more than to start its library");
    }
}
