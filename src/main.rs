//! The command line program: arguments → [`cli`] → exit code.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
