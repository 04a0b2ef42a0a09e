import Glibc

/// A failure of a program that a test uses.
public struct ProgramFailure: Error, CustomStringConvertible {
    /// A description of the failure.
    public let description: String

    init(_ description: String) { self.description = description }

    init(_ operation: String, code: Int32) {
        description = "\(operation): \(String(cString: strerror(code)))"
    }
}

/// Starting programs that inherit only the given descriptors.
enum ProgramStart {
    /// Starts a program, which is searched in `PATH`.
    ///
    /// - Parameters:
    ///   - words: The program and its arguments.
    ///   - environment: The complete environment.
    ///   - input: Its standard input.
    ///   - output: Its standard output.
    ///   - error: Its standard error; nil inherits that of this process.
    static func start(
        _ words: [String], environment: [String: String] = [:], input: Int32, output: Int32,
        error: Int32? = nil
    ) throws(ProgramFailure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        if let error { posix_spawn_file_actions_adddup2(&actions, error, STDERR_FILENO) }

        // Threads of Dispatch and of a BusLoop block most signals; a program must receive them.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

        var process: pid_t = 0
        let code = withCStrings(words) { arguments in
            withCStrings(environment.map { "\($0)=\($1)" }) { variables in
                posix_spawnp(&process, words[0], &actions, &attributes, arguments, variables)
            }
        }
        guard code == 0 else { throw ProgramFailure("starting \(words[0])", code: code) }
        return process
    }

    /// Makes a pipe with close-on-exec ends.
    static func makePipe() throws(ProgramFailure) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw ProgramFailure("pipe", code: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Makes a socket pair with close-on-exec ends; unlike with a pipe, `MSG_NOSIGNAL` avoids
    /// SIGPIPE.
    static func makeSocketPair() throws(ProgramFailure) -> (ours: Int32, theirs: Int32) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
            throw ProgramFailure("socketpair", code: errno)
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Waits for the end of a program; returns its status.
    @discardableResult
    static func waitForEnd(of process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        return status
    }

    private static func withCStrings(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Int32
    ) -> Int32 {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}
