import Glibc
import Platform

/// A program that a test controls interactively: it sends lines and waits for output.
///
/// The program is killed with the last reference.
public actor InteractiveProgram {
    /// The timeout of a wait; generous for a loaded machine.
    private static let timeoutMilliseconds: Int32 = 60_000

    private let process: pid_t
    /// Its standard input, output and error.
    private let socket: Int32
    private let words: [String]
    /// The output since the last match.
    private var pending = ""
    private var hasEnded = false
    private let executor = QueueExecutor(label: "conversation")

    /// Its own queue, which a wait blocks.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Starts a program; the first word is searched in `PATH`.
    public init(_ words: [String], environment: [String: String]) throws {
        let ends = try ProgramStart.makeSocketPair()
        defer { close(ends.theirs) }
        self.words = words
        socket = ends.ours
        process = try ProgramStart.start(
            words, environment: environment, input: ends.theirs, output: ends.theirs,
            error: ends.theirs)
    }

    deinit {
        kill(process, SIGKILL)
        ProgramStart.waitForEnd(of: process)
        close(socket)
    }

    /// Sends a line to the standard input.
    public func send(_ line: String) throws {
        let bytes = Array("\(line)\n".utf8)
        guard Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw ProgramFailure("writing to \(words[0])", code: errno)
        }
    }

    /// Waits for a text in the output; returns the output up to it since the last match.
    @discardableResult
    public func wait(for text: String) throws -> String {
        while true {
            if let range = pending.firstRange(of: text) {
                let printed = String(pending[..<range.upperBound])
                pending = String(pending[range.upperBound...])
                return printed
            }
            guard try readMore() else {
                throw ProgramFailure(
                    "\(words[0]) exited without printing '\(text)'; output: \(pending)")
            }
        }
    }

    /// Waits for the end of the program; returns the output since the last match.
    @discardableResult
    public func waitForEnd() throws -> String {
        while try readMore() {}
        return pending
    }

    /// Reads more output; false at its end.
    private func readMore() throws -> Bool {
        guard !hasEnded else { return false }
        var watch = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        guard poll(&watch, 1, Self.timeoutMilliseconds) > 0 else {
            throw ProgramFailure("\(words[0]) printed nothing more; output: \(pending)")
        }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(socket, &bytes, bytes.count)
        hasEnded = count <= 0
        pending += String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
        return !hasEnded
    }
}
