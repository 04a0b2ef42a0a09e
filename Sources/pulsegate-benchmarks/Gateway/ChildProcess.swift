import Glibc

/// A measured child process, killed in `deinit`.
final class ChildProcess {
    let facts: ProcessFacts
    private let process: pid_t
    private var hasEnded = false

    /// Starts a program, with files for its standard input, output and error.
    init(_ words: [String], input: String = "/dev/null", output: String, error: String) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let writing = O_WRONLY | O_CREAT | O_TRUNC
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDONLY | O_NOCTTY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, writing, 0o600)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, error, writing, 0o600)
        // Threads of this program block most signals; the child must receive all.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        arguments.append(nil)
        defer { for argument in arguments { free(argument) } }
        var started: pid_t = 0
        let code = posix_spawn(&started, words[0], &actions, &attributes, arguments, environ)
        guard code == 0 else {
            throw BenchmarkError("cannot start \(words[0]): \(String(cString: strerror(code)))")
        }
        process = started
        facts = try ProcessFacts(of: started)
    }

    deinit {
        if !hasEnded { _ = try? end(with: SIGKILL) }
    }

    /// Whether the process is running.
    ///
    /// The kernel does not reuse the process ID before `wait4`.
    var isRunning: Bool {
        var status: Int32 = 0
        var usage = rusage()
        if !hasEnded { hasEnded = wait4(process, &status, WNOHANG, &usage) == process }
        return !hasEnded
    }

    /// Ends the process with a signal and returns its CPU time in seconds.
    func end(with signal: Int32) throws -> Double {
        guard isRunning else { throw BenchmarkError("the program ended early") }
        kill(process, signal)
        var status: Int32 = 0
        var usage = rusage()
        while wait4(process, &status, 0, &usage) < 0 && errno == EINTR {}
        hasEnded = true
        guard signal == SIGKILL || status == 0 else {
            throw BenchmarkError("the program failed with wait status \(status)")
        }
        return usage.ru_utime.seconds + usage.ru_stime.seconds
    }
}

extension timeval {
    fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}
