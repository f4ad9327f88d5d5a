//! The arena binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments: Vec<_> = std::env::args_os().collect();
    // The built-in engine is this program, started as a child: `arena engine` is all of `engine`.
    if arguments.get(1).is_some_and(|command| command == arena::BUILT_IN_COMMAND) {
        arguments.remove(1);
        return engine::cli::run(arguments);
    }
    arena::cli::run(arguments)
}
