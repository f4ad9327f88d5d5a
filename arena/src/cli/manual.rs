//! What a shell and `man` are told of this program.

use clap::CommandFactory as _;
use std::io::Write as _;
use std::process::ExitCode;

#[derive(Debug, clap::Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: clap_complete::Shell,
}

impl CompletionsArgs {
    pub(super) fn run(&self) -> anyhow::Result<ExitCode> {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut super::Cli::command(), "arena", &mut text);
        std::io::stdout().write_all(&text)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Prints the manual: the page of the program, and those of its commands after it.
pub(super) fn print_manual() -> anyhow::Result<ExitCode> {
    let mut command = super::Cli::command();
    command.build();
    let mut text = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut text)?;
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set() && sub.get_name() != "help") {
        let title = format!("arena-{}", sub.get_name());
        clap_mangen::Man::new(sub.clone()).title(title).render(&mut text)?;
    }
    std::io::stdout().write_all(&text)?;
    Ok(ExitCode::SUCCESS)
}
