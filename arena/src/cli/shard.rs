//! Which part of a run is played: as it is given, or as a scheduler says.

use crate::schedule::Shard;

/// Reads `2/8`, `auto` or `auto/8`.
pub(super) fn parse(text: &str) -> Result<Shard, String> {
    read(text, &|name| std::env::var(name).ok())
}

/// `variable` gives the value of an environment variable.
fn read(text: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<Shard, String> {
    match text.split_once('/') {
        None if text == "auto" => slurm(variable),
        Some(("auto", count)) => of_count(count, variable),
        _ => text.parse(),
    }
}

fn number(name: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<Option<u64>, String> {
    let read =
        |value: String| value.parse().map_err(|_| format!("{name} is \"{value}\": expected a whole number"));
    variable(name).map(read).transpose()
}

/// Index and number of tasks as Slurm sets them in each task of an array.
fn slurm(variable: &dyn Fn(&str) -> Option<String>) -> Result<Shard, String> {
    let get = |name| number(name, variable);
    let (id, count) = (get("SLURM_ARRAY_TASK_ID")?, get("SLURM_ARRAY_TASK_COUNT")?);
    let (Some(id), Some(count)) = (id, count) else {
        return Err(
            "auto: expected SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT, as Slurm sets them in a \
            job array; elsewhere auto/n"
                .to_owned(),
        );
    };
    let (first, step) =
        (get("SLURM_ARRAY_TASK_MIN")?.unwrap_or(1), get("SLURM_ARRAY_TASK_STEP")?.unwrap_or(1));
    let number =
        id.checked_sub(first).and_then(|from_first| from_first.checked_div(step)).map(|index| index + 1);
    let shard = number.and_then(|number| Shard::new(number, count));
    shard.ok_or_else(|| format!("auto: SLURM_ARRAY_TASK_ID {id} is none of {count} tasks from {first}"))
}

fn of_count(count: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<Shard, String> {
    let kubernetes = number("JOB_COMPLETION_INDEX", variable)?.map(|index| index.saturating_add(1));
    let Some(number) = kubernetes.or(number("SLURM_ARRAY_TASK_ID", variable)?) else {
        return Err("auto/n: expected JOB_COMPLETION_INDEX or SLURM_ARRAY_TASK_ID, as Kubernetes and Slurm \
            set them"
            .to_owned());
    };
    format!("{number}/{count}").parse()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_environment(text: &str, variables: &[(&str, &str)]) -> Result<String, String> {
        let variable =
            |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, v)| (*v).to_owned());
        read(text, &variable).map(|shard| shard.to_string())
    }

    #[test]
    fn schedulers_are_understood() {
        let task = |id, first, step| {
            [
                ("SLURM_ARRAY_TASK_ID", id),
                ("SLURM_ARRAY_TASK_COUNT", "4"),
                ("SLURM_ARRAY_TASK_MIN", first),
                ("SLURM_ARRAY_TASK_STEP", step),
            ]
        };
        assert_eq!(in_environment("auto", &task("3", "1", "1")).unwrap(), "3/4");
        assert_eq!(in_environment("auto", &task("0", "0", "1")).unwrap(), "1/4");
        assert_eq!(in_environment("auto", &task("14", "10", "2")).unwrap(), "3/4");
        assert_eq!(in_environment("auto/8", &[("JOB_COMPLETION_INDEX", "0")]).unwrap(), "1/8");
        assert_eq!(in_environment("auto/8", &task("8", "1", "1")).unwrap(), "8/8");
        assert_eq!(in_environment("2/3", &task("8", "1", "1")).unwrap(), "2/3");
        for (text, variables) in [
            ("auto", &task("9", "1", "1")[..]),
            ("auto", &task("0", "1", "1")),
            ("auto", &task("2", "1", "0")),
            ("auto", &[]),
            ("auto/8", &[]),
            ("auto/8", &[("JOB_COMPLETION_INDEX", "8")]),
            ("auto/8", &[("JOB_COMPLETION_INDEX", "x")]),
            ("auto/x", &[("JOB_COMPLETION_INDEX", "0")]),
            ("automatic", &[]),
        ] {
            let message = in_environment(text, variables).unwrap_err();
            assert!(message.contains("expected") || message.contains("none of"), "{message}");
        }
    }
}
