import GatewayTesting
import Glibc

/// A running `dbus-daemon`, killed with the last reference.
///
/// A shell supervises it and kills the daemon when its standard input closes, which also happens
/// when this process is killed.
final class DaemonProcess: Sendable {
    /// The start timeout; generous for a loaded machine.
    private static let startMilliseconds: Int32 = 60_000
    private static let path = "/usr/local/bin:/usr/bin:/bin"
    private static let script = """
        command -v dbus-daemon >/dev/null || { echo missing; exit 127; }
        dbus-daemon --config-file="$1" --nofork --print-address=1 </dev/null 2>/dev/null &
        exec >/dev/null
        read -r end
        kill -KILL $!
        wait
        """

    private let process: pid_t
    private let lifeline: Int32

    /// Starts a daemon and waits until it listens.
    init(configuration: String) throws {
        let input = try ProgramStart.makePipe()
        let output = try ProgramStart.makePipe()
        lifeline = input.write
        defer { close(output.read) }
        process = try ProgramStart.start(
            ["/bin/sh", "-c", Self.script, "sh", configuration], environment: ["PATH": Self.path],
            input: input.read, output: output.write)
        close(input.read)
        close(output.write)
        let answer = Self.readLine(output.read)
        guard answer.hasPrefix("unix:") else {
            throw PrivateBus.Failure(
                description: answer.hasPrefix("missing")
                    ? "dbus-daemon not found; install it: sudo apt-get install dbus"
                    : "dbus-daemon did not start; run `dbus-daemon --config-file=\(configuration)`"
            )
        }
    }

    deinit {
        close(lifeline)
        ProgramStart.waitForEnd(of: process)
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
}
