//! The report: Markdown with pictures beside it, and the same as one file of HTML.

use super::csv_file::WriteError;
use super::plots::{self, Picture, PlotError};
use super::study::{Family, Study, StudyCell};
use super::text_table::percent;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Why a report could not be made.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum ReportError {
    #[error("cannot make directory {}: {error}", path.display())]
    Directory { path: PathBuf, error: std::io::Error },
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("cannot draw {name}: {fault}")]
    Draw { name: String, fault: String },
}

/// A picture of a report.
struct Figure {
    /// Name of its file, without the ending.
    name: String,
    caption: &'static str,
    picture: Picture,
}

/// How a picture is drawn.
type Draw = fn(&Family, bool) -> Result<Picture, PlotError>;

const FIGURES: [(&str, &str, Draw); 5] = [
    (
        "score",
        "The dogs' score (a win 1, a draw ½) by the number of dogs, a line for each strength; bands are Wilson's \
         95 % intervals. The background is the exact value of the start, where it is known.",
        plots::scores,
    ),
    (
        "heat",
        "The same as a map: blue where the dogs score more than half, orange where less.",
        plots::heat_map,
    ),
    ("length", "How long the games were, in plies.", plots::lengths),
    ("captured", "How many dogs were captured in a game.", plots::captured),
    ("reasons", "Why the games ended, by the number of dogs.", plots::reasons),
];

/// Writes `report.md`, the pictures it shows, and `report.html`, which holds everything itself; with PNG, each
/// picture as a bitmap too. Gives the names of the files.
///
/// # Errors
/// A picture cannot be drawn, or a file cannot be written.
pub fn write_report(study: &Study, directory: &Path, with_png: bool) -> Result<Vec<String>, ReportError> {
    std::fs::create_dir_all(directory)
        .map_err(|error| ReportError::Directory { path: directory.to_owned(), error })?;
    let mut files = Vec::new();
    let mut write = |name: String, text: &[u8]| {
        let path = directory.join(&name);
        std::fs::write(&path, text).map_err(|error| WriteError { path, error })?;
        files.push(name);
        Ok::<(), ReportError>(())
    };
    let runs: Vec<String> = study.runs.iter().map(|run| run.display().to_string()).collect();
    let games: u64 = study.families.iter().map(Family::games).sum();
    let source = format!("{games} games of {}.", runs.join(", "));
    let mut markdown = format!("# Balance of the sides\n\n{source}\n");
    let mut html = HEAD.replace("{source}", &escaped(&source));
    for family in &study.families {
        let _ = write!(markdown, "\n## {}\n\n{}", family.name, table(family).markdown());
        let _ = write!(html, "<h2>{}</h2>\n{}", escaped(&family.name), table(family).html());
        for figure in figures(family, with_png)? {
            let file = format!("{}.svg", figure.name);
            let _ = write!(markdown, "\n![{}]({file})\n\n{}\n", alternative(figure.caption), figure.caption);
            let caption = escaped(figure.caption);
            let _ =
                writeln!(html, "<figure>{}<figcaption>{caption}</figcaption></figure>", figure.picture.svg);
            write(file, figure.picture.svg.as_bytes())?;
            if let Some(png) = &figure.picture.png {
                write(format!("{}.png", figure.name), png)?;
            }
        }
    }
    html.push_str("</body>\n</html>\n");
    write("report.md".to_owned(), markdown.as_bytes())?;
    write("report.html".to_owned(), html.as_bytes())?;
    Ok(files)
}

fn figures(family: &Family, with_png: bool) -> Result<Vec<Figure>, ReportError> {
    let slug: String = family
        .name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
        .collect();
    let figure = |(name, caption, draw): (&str, &'static str, Draw)| {
        let name = format!("{slug}-{name}");
        match draw(family, with_png) {
            Ok(picture) => Ok(Figure { name, caption, picture }),
            Err(error) => Err(ReportError::Draw { name, fault: error.to_string() }),
        }
    };
    FIGURES.into_iter().map(figure).collect()
}

/// The first sentence of a caption, for those who do not see the picture.
fn alternative(caption: &str) -> &str {
    caption.split([';', ':']).next().unwrap_or(caption)
}

/// A table of texts, the heading first.
struct Table(Vec<Vec<String>>);

/// Scores with their intervals: a row for each number of dogs, a column for each strength.
fn table(family: &Family) -> Table {
    let heading = |text: &str| text.to_owned();
    let is_known = !family.exact.is_empty();
    let mut head = vec![heading("dogs")];
    head.extend(family.strengths.iter().cloned());
    head.extend(is_known.then(|| heading("exact value")));
    let mut rows = vec![head];
    for dogs in family.dogs() {
        let mut row = vec![dogs.to_string()];
        let cell = |strength: usize| family.cells.get(&(dogs, strength)).map_or(String::new(), cell_text);
        row.extend((0..family.strengths.len()).map(cell));
        if is_known {
            let exact = family.exact.get(&dogs);
            row.push(exact.map_or(String::new(), |exact| {
                let plies = if exact.plies.is_empty() { "" } else { " in " };
                format!("{}{plies}{}", exact.value, exact.plies)
            }));
        }
        rows.push(row);
    }
    Table(rows)
}

fn cell_text(cell: &StudyCell) -> String {
    let interval = cell.dogs.interval();
    let score = cell.dogs.score().map_or(String::new(), percent);
    format!("{score} % [{}, {}], {} games", percent(interval.low), percent(interval.high), cell.dogs.games())
}

impl Table {
    fn markdown(&self) -> String {
        let mut text = String::new();
        for (number, row) in self.0.iter().enumerate() {
            let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
            let _ = writeln!(text, "| {} |", cells.join(" | "));
            if number == 0 {
                let _ = writeln!(text, "|{}", "---|".repeat(row.len()));
            }
        }
        text
    }

    fn html(&self) -> String {
        let mut text = "<table>\n".to_owned();
        for (number, row) in self.0.iter().enumerate() {
            let tag = if number == 0 { "th" } else { "td" };
            let cells: Vec<String> =
                row.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell))).collect();
            let _ = writeln!(text, "<tr>{}</tr>", cells.concat());
        }
        text + "</table>\n"
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

const HEAD: &str = "<!DOCTYPE html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<title>Balance of the sides</title>
<style>
body { font: 16px/1.5 sans-serif; max-width: 62em; margin: 2em auto; padding: 0 1em; color: #222; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { border: 1px solid #bbb; padding: .25em .7em; text-align: right; }
figure { margin: 2em 0; }
figure svg { max-width: 100%; height: auto; }
figcaption { color: #444; }
</style>
</head>
<body>
<h1>Balance of the sides</h1>
<p>{source}</p>
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_breaks_a_table() {
        let table = Table(vec![vec!["a|b".to_owned()], vec!["<x> & \"y\"".to_owned()]]);
        assert_eq!(table.markdown(), "| a\\|b |\n|---|\n| <x> & \"y\" |\n");
        assert!(table.html().contains("<td>&lt;x&gt; &amp; &quot;y&quot;</td>"));
    }
}
