//! Exact values of the starts that are played, from tables, as the built-in engine tells them.

use super::Conditions;
use crate::client::{Client, Failure, StartError};
use crate::config::EngineConfig;
use crate::process::Guard;
use crate::referee::Referee;
use crate::schedule::Setting;
use engine::game::Value;
use std::path::Path;
use std::sync::Arc;

/// Why the built-in engine did not tell.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum ExactError {
    #[error("cannot start the built-in engine for exact values: {0}")]
    Start(#[from] StartError),
    #[error("the built-in engine, asked for exact values: {0}")]
    Failed(#[from] Failure),
    #[error("tables in {directory}: {fault}")]
    Tables { directory: String, fault: String },
}

/// The exact value of the start of each setting; `None` where no table in the directory has it.
///
/// # Errors
/// The built-in engine fails, or cannot use the tables.
pub fn exact_values(
    settings: &[Setting],
    tables: &Path,
    conditions: &Conditions,
    guard: &Arc<Guard>,
) -> Result<Vec<Option<Value>>, ExactError> {
    let launch = conditions.launch(&EngineConfig::default());
    let mut client = Client::start(&launch, guard, conditions.patience.stall)?;
    let directory = tables.display().to_string();
    client.set_option("TablePath", &directory);
    if let Some(fault) = client.ready()?.into_iter().next() {
        return Err(ExactError::Tables { directory, fault });
    }
    let mut values = Vec::with_capacity(settings.len());
    let mut previous = None;
    for setting in settings {
        for (name, value) in setting.options(previous) {
            client.set_option(name, value);
        }
        previous = Some(setting);
        values.push(client.exact_value(Referee::new(&setting.rules, usize::MAX).position_command())?);
    }
    client.quit();
    Ok(values)
}
