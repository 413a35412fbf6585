//! The command line program; see [`zhushu::cli`].

fn main() -> std::process::ExitCode {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        // Before there is a second thread.
        take_limits_as_errors();
        give_memory_back();
    }
    zhushu::cli::main()
}

/// A file that becomes larger than the system allows (`ulimit -f`) is an error of writing, which
/// has a place and leaves nothing behind; the signal would end the program.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code)]
fn take_limits_as_errors() {
    // SAFETY: no thread is running yet, and the signal gets no function of ours.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}

/// Makes the allocator of glibc give the memory of long lists back to the system as soon as they
/// are freed. At its defaults it stops to do so once a long list was freed, and keeps the gaps that
/// lists leave: a third of the memory of a long text. The library leaves the allocator alone, which
/// is that of another program.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code)]
fn give_memory_back() {
    /// Lists of so many bytes get memory of their own.
    const LONG_LIST: libc::c_int = 1 << 20;
    /// So many free bytes are kept for what is shorter.
    const KEPT: libc::c_int = 32 << 20;
    // SAFETY: mallopt sets a parameter of the allocator. It takes numbers, may be called at any
    // time, and refuses what it cannot do, which then stays as it was.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LONG_LIST);
        libc::mallopt(libc::M_TRIM_THRESHOLD, KEPT);
    }
    // Short lists leave gaps, which go back only when all are looked through: a build that goes on
    // for minutes and a server are half as large. Without a thread they are not.
    let every = std::time::Duration::from_secs(4);
    let trim = move || {
        loop {
            std::thread::sleep(every);
            // SAFETY: malloc_trim may be called at any time, by any thread.
            unsafe {
                libc::malloc_trim(0);
            }
        }
    };
    let _ = std::thread::Builder::new().name("memory".into()).spawn(trim);
}
