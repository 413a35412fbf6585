//! The command line program; see [`zhushu::cli`].

fn main() -> std::process::ExitCode {
    zhushu::cli::main()
}
