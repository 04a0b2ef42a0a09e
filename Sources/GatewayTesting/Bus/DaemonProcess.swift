import Glibc

/// A running `dbus-daemon`, which is killed with the last reference.
///
/// A shell stands between: it kills the daemon as soon as its standard input ends, and that ends with
/// this process too, even when it is killed itself.
final class DaemonProcess: Sendable {
    /// More than a start ever takes, also on a machine that does much else.
    private static let startMilliseconds: Int32 = 30_000
    private static let script = """
        PATH=/usr/local/bin:/usr/bin:/bin
        command -v dbus-daemon >/dev/null || { echo missing; exit 127; }
        dbus-daemon --config-file="$1" --nofork --print-address=1 </dev/null 2>/dev/null &
        exec >/dev/null
        read -r end
        kill -KILL $!
        wait
        """

    private let process: pid_t
    private let lifeline: Int32

    /// Starts a daemon, and returns when it listens.
    init(configuration: String) throws {
        let input = try Self.makePipe()
        let output = try Self.makePipe()
        defer { close(output.read) }
        process = try Self.spawn(configuration, input: input.read, output: output.write)
        lifeline = input.write
        close(input.read)
        close(output.write)
        let answer = Self.readLine(output.read)
        guard answer.hasPrefix("unix:") else {
            throw PrivateBus.Failure(
                description: answer.hasPrefix("missing")
                    ? "dbus-daemon is missing; apt-get install dbus"
                    : "dbus-daemon did not start; run it by hand with \(configuration)")
        }
    }

    deinit {
        close(lifeline)
        while waitpid(process, nil, 0) < 0 && errno == EINTR {}
    }

    private static func spawn(
        _ configuration: String, input: Int32, output: Int32
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

        let words: [String] = ["sh", "-c", script, "sh", configuration]
        let copies: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        var process: pid_t = 0
        let code = posix_spawn(
            &process, "/bin/sh", &actions, &attributes, copies + [nil], [nil])
        guard code == 0 else { throw failure("posix_spawn /bin/sh", code) }
        return process
    }

    /// Both ends are closed in every program that is started, but for the copies made above.
    private static func makePipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw failure("pipe", errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private static func readLine(_ descriptor: Int32) -> String {
        var line: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 1024)
        while !line.contains(UInt8(ascii: "\n")) {
            var watch = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&watch, 1, startMilliseconds) > 0 else { break }
            let count = read(descriptor, &bytes, bytes.count)
            guard count > 0 else { break }
            line += bytes.prefix(count)
        }
        return String(decoding: line, as: UTF8.self)
    }

    private static func failure(_ operation: String, _ code: Int32) -> PrivateBus.Failure {
        PrivateBus.Failure(description: "\(operation): \(String(cString: strerror(code)))")
    }
}
