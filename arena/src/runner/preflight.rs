//! Before the first game: whether every engine starts, knows its options, and can play what is to be played.

use super::Conditions;
use crate::client::{Client, Failure, StartError};
use crate::config::{EngineConfig, LEVEL_OPTION};
use crate::process::Guard;
use crate::schedule::{Plan, Setting};
use std::sync::Arc;

/// Why a run should not begin.
#[derive(Debug, thiserror::Error)]
#[error("engine \"{engine}\": {fault}")]
pub struct PreflightError {
    /// Name of the engine.
    pub engine: String,
    /// What is wrong with it.
    pub fault: PreflightFault,
}

/// What is wrong with an engine.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum PreflightFault {
    #[error("cannot start \"{program}\": {error}")]
    Start { program: String, error: StartError },
    #[error("it has no option \"{option}\": it offers {offered}")]
    NoSuchOption { option: String, offered: String },
    #[error("it does not get ready: {0}")]
    NotReady(#[from] Failure),
    #[error("it refuses its options: {0}")]
    RefusedOptions(String),
    #[error("it refuses {variant} with {dogs} dogs: {error}")]
    RefusedGame { variant: String, dogs: u8, error: String },
}

/// Starts every engine once and has it set up all games; gives what a person should know.
///
/// # Errors
/// The first engine that cannot take part, and why.
pub fn preflight(
    plan: &Plan,
    conditions: &Conditions,
    guard: &Arc<Guard>,
) -> Result<Vec<String>, PreflightError> {
    let mut notes = Vec::new();
    for (engine, config) in plan.engines.iter().enumerate() {
        let name = config.base_name();
        let levels = plan.players.iter().filter(|player| player.engine == engine);
        let levels = levels.filter_map(|player| player.limit.level());
        let levels = levels.map(|level| (LEVEL_OPTION.to_owned(), level.to_string()));
        let options: Vec<_> = config.options.iter().cloned().chain(levels).collect();
        let missing = check_engine(config, &options, &plan.settings, conditions, guard)
            .map_err(|fault| PreflightError { engine: name.clone(), fault })?;
        if !missing.is_empty() {
            let missing = missing.join(", ");
            notes.push(format!("engine \"{name}\" has no option {missing}: it must know the game by itself"));
        }
    }
    Ok(notes)
}

/// The options of the game that the engine does not offer.
fn check_engine(
    config: &EngineConfig,
    options: &[(String, String)],
    settings: &[Setting],
    conditions: &Conditions,
    guard: &Arc<Guard>,
) -> Result<Vec<&'static str>, PreflightFault> {
    let launch = conditions.launch(config);
    let mut client = Client::start(&launch, guard, conditions.patience.stall)
        .map_err(|error| PreflightFault::Start { program: launch.program.display().to_string(), error })?;
    for (name, value) in options {
        if client.option(name).is_none() {
            let names: Vec<_> = client.identity().options.iter().map(|option| option.name.as_str()).collect();
            let offered = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            return Err(PreflightFault::NoSuchOption { option: name.clone(), offered });
        }
        client.set_option(name, value);
    }
    if let Some(error) = client.ready()?.into_iter().next() {
        return Err(PreflightFault::RefusedOptions(error));
    }
    let mut previous = None;
    for setting in settings {
        for (name, value) in setting.options(previous) {
            client.set_option(name, value);
        }
        if let Some(error) = client.ready()?.into_iter().next() {
            let (variant, dogs) = (setting.variant.clone(), setting.rules.dogs());
            return Err(PreflightFault::RefusedGame { variant, dogs, error });
        }
        previous = Some(setting);
    }
    let mut missing: Vec<_> =
        settings.iter().flat_map(|setting| setting.options(None)).map(|(name, _)| *name).collect();
    missing.sort_unstable();
    missing.dedup();
    missing.retain(|name| client.option(name).is_none());
    client.quit();
    Ok(missing)
}
