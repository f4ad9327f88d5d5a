//! `arena check`: whether a program is an engine as the protocol has it.

use super::execute::{guard, own_program};
use crate::clock::Patience;
use crate::config::{EngineConfig, Program};
use crate::runner::{Conditions, Verdict, check_engine};
use crate::schedule::Setting;
use engine::game_args::GameArgs;
use std::io::Write as _;
use std::process::ExitCode;
use std::time::Duration;

#[derive(Debug, clap::Args)]
pub(super) struct CheckArgs {
    /// The engine: a program, or name=…,cmd=…,args=…,option.NAME=VALUE [default: the built-in engine]
    #[arg(value_name = "ENGINE", default_value = "", hide_default_value = true)]
    engine: String,
    /// Number of dogs
    #[arg(long, value_name = "N", help_heading = "Game")]
    dogs: Option<u8>,
    /// How long an engine may take to answer
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = super::run_args::seconds)]
    timeout: Duration,
    #[command(flatten)]
    game: GameArgs,
}

impl CheckArgs {
    pub(super) fn run(&self) -> anyhow::Result<ExitCode> {
        let config = match self.engine.parse::<EngineConfig>() {
            Ok(config) => config,
            Err(_) if !self.engine.contains('=') => {
                EngineConfig { program: Program::Command((&self.engine).into()), ..EngineConfig::default() }
            }
            Err(error) => return Err(error.into()),
        };
        let board_file = super::absolute(self.game.rules.board_file.as_deref())?;
        let setting = Setting::new(&self.game.spec(self.dogs)?, board_file.as_deref())?;
        let patience = Patience { margin: Duration::ZERO, stall: self.timeout };
        let conditions = Conditions {
            workers: 1,
            patience,
            own_program: own_program()?,
            tables: None,
            processors: Vec::new(),
        };
        let findings = check_engine(&config, &setting, &conditions, &guard()?);
        let mut out = std::io::stdout().lock();
        let mut failed = 0;
        for finding in &findings {
            match &finding.verdict {
                Verdict::Passed => writeln!(out, "  ok       {}", finding.point)?,
                Verdict::Missing(what) => writeln!(out, "  missing  {}: {what}", finding.point)?,
                Verdict::Failed(fault) => {
                    failed += 1;
                    writeln!(out, "  FAILED   {}: {fault}", finding.point)?;
                }
            }
        }
        let name = config.base_name();
        if failed > 0 {
            writeln!(out, "{name}: {failed} of {} points failed.", findings.len())?;
            return Ok(ExitCode::FAILURE);
        }
        writeln!(out, "{name} speaks the protocol: {} points.", findings.len())?;
        Ok(ExitCode::SUCCESS)
    }
}
