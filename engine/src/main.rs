//! The engine binary.

fn main() -> std::process::ExitCode {
    engine::cli::run(std::env::args_os())
}
