import Glibc

/// Starts a program with the descriptors it is given and nothing else of this process.
struct Spawn {
    /// The words, the program's path first.
    let words: [String]
    let environment: [String: String]
    let output: Descriptor
    let error: Descriptor
    /// Is closed by the end of the program and by nothing before.
    let lifeline: Descriptor
    /// Signals that wait until the program wants them.
    let blockedSignals: [Int32]

    /// The number of the lifeline in the program.
    private static let lifelineNumber: Int32 = 3

    /// Starts the program and answers with its process id.
    ///
    /// No other signal is blocked or ignored in it, though threads of Dispatch block most of theirs.
    func start() throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output.number, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, error.number, STDERR_FILENO)
        posix_spawn_file_actions_adddup2(&actions, lifeline.number, Self.lifelineNumber)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in blockedSignals { sigaddset(&signals, signal) }
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        return try Self.withCStrings(words) { arguments in
            try Self.withCStrings(environment.map { "\($0)=\($1)" }) { variables in
                var process: pid_t = 0
                let code = posix_spawn(
                    &process, words[0], &actions, &attributes, arguments, variables)
                guard code == 0 else { throw SystemFailure("posix_spawn \(words[0])", code: code) }
                return process
            }
        }
    }

    private static func withCStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) throws -> Result
    ) rethrows -> Result {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return try body(copies + [nil])
    }
}
