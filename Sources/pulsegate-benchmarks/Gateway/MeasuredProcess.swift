import Glibc
import Platform

/// A measured child process, killed in `deinit`.
final class MeasuredProcess {
    let facts: ProcessFacts
    private let process: pid_t
    private var hasEnded = false

    /// Starts a program, with files for its standard input, output and error.
    init(_ words: [String], input: String = "/dev/null", output: String, error: String) throws {
        let files = [
            open(input, O_RDONLY | O_NOCTTY | O_CLOEXEC),
            open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600),
            open(error, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600),
        ]
        defer { for file in files where file >= 0 { close(file) } }
        guard files.allSatisfy({ $0 >= 0 }) else {
            throw BenchmarkError("cannot open \(input), \(output) or \(error)")
        }
        process = try ChildProcess.spawn(words, streams: (files[0], files[1], files[2]))
        facts = try ProcessFacts(of: process)
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

    /// Ends the process with a signal, whatever its exit status is.
    func stop(with signal: Int32) throws {
        guard isRunning else { throw BenchmarkError("the program ended early") }
        kill(process, signal)
        _ = try waitForEnd(isKilled: true)
    }

    /// Ends the process with a signal and returns its CPU time in seconds.
    func end(with signal: Int32) throws -> Double {
        guard isRunning else { throw BenchmarkError("the program ended early") }
        kill(process, signal)
        return try waitForEnd(isKilled: signal == SIGKILL)
    }

    /// Waits until the process ends by itself, and returns its CPU time in seconds.
    func waitForEnd(isKilled: Bool = false) throws -> Double {
        var status: Int32 = 0
        var usage = rusage()
        while wait4(process, &status, 0, &usage) < 0 && errno == EINTR {}
        hasEnded = true
        guard isKilled || status == 0 else {
            throw BenchmarkError("the program failed with wait status \(status)")
        }
        return usage.ru_utime.seconds + usage.ru_stime.seconds
    }
}

extension timeval {
    fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}
