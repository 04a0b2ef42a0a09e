import Glibc
import Platform

/// A program that a test talks to: lines go in, what it prints is waited for.
///
/// It is killed with the last reference.
public actor Conversation {
    /// More than any answer takes, also on a machine that does much else.
    private static let timeoutMilliseconds: Int32 = 60_000

    private let process: pid_t
    /// Its standard input, output and error.
    private let socket: Int32
    private let words: [String]
    /// What it has printed since the last text that was waited for.
    private var pending = ""
    private var hasEnded = false
    private let executor = QueueExecutor(label: "conversation")

    /// It blocks while it waits, on a queue of its own.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Starts a program; the first word is looked for in `PATH`.
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

    /// Sends it a line.
    public func say(_ line: String) throws {
        let bytes = Array("\(line)\n".utf8)
        guard send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw ProgramFailure("writing to \(words[0])", code: errno)
        }
    }

    /// Waits until it has printed this, and answers with all up to there since the last time.
    @discardableResult
    public func wait(for text: String) throws -> String {
        while true {
            if let range = pending.firstRange(of: text) {
                let printed = String(pending[..<range.upperBound])
                pending = String(pending[range.upperBound...])
                return printed
            }
            guard try readMore() else {
                throw ProgramFailure("\(words[0]) ended without '\(text)'; it said: \(pending)")
            }
        }
    }

    /// Waits for its end, and answers with what it printed since the last time.
    @discardableResult
    public func waitForEnd() throws -> String {
        while try readMore() {}
        return pending
    }

    /// False at the end.
    private func readMore() throws -> Bool {
        guard !hasEnded else { return false }
        var watch = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        guard poll(&watch, 1, Self.timeoutMilliseconds) > 0 else {
            throw ProgramFailure("\(words[0]) says nothing more; it said: \(pending)")
        }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(socket, &bytes, bytes.count)
        hasEnded = count <= 0
        pending += String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
        return !hasEnded
    }
}
