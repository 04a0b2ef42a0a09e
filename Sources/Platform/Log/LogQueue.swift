import Synchronization

/// A queue that writes log lines in order on its own thread.
///
/// Standard error may be a pipe whose reader is blocked. Then lines wait, and those over the limit
/// are dropped and counted: logging must not block the gateway.
package final class LogQueue: Sendable {
    /// The maximum number of waiting lines.
    package static let limit = 1_000

    /// A waiting line, and its entry for a journal that takes fields.
    private struct Line {
        let text: String
        var entry: String?
    }

    private struct State {
        var lines: [Line] = []
        var dropped = 0
        var isWriting = false
    }

    private let state = Mutex(State())
    private let thread = WorkerThreads(name: "log", count: 1)
    private let write: @Sendable (String) -> Void
    private let writeEntry: @Sendable (String) -> Bool
    private let dropped: @Sendable (Int) -> String

    /// Makes a queue that passes its lines to `write`, which may block.
    ///
    /// - Parameters:
    ///   - dropped: Makes the line about a number of dropped lines.
    ///   - writeEntry: Takes the entries of lines; a line whose entry it does not take is written.
    package init(
        dropped: @escaping @Sendable (Int) -> String = { "log: lines dropped count=\($0)\n" },
        writeEntry: @escaping @Sendable (String) -> Bool = { _ in false },
        write: @escaping @Sendable (String) -> Void
    ) {
        self.dropped = dropped
        self.writeEntry = writeEntry
        self.write = write
    }

    /// Adds a line, including its line break, and its entry if it has one.
    package func append(_ line: String, entry: String? = nil) {
        let mustStart = state.withLock { state in
            guard state.lines.count < Self.limit else {
                state.dropped += 1
                return false
            }
            state.lines.append(Line(text: line, entry: entry))
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if mustStart { thread.async { self.writeAll() } }
    }

    /// Waits until all lines are written, for up to a number of seconds.
    package func drain(seconds: Double, clock: any BootClock) async {
        let (end, signal) = AsyncStream.makeStream(of: Void.self)
        thread.async { signal.finish() }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in end {} }
            group.addTask { try? await clock.sleep(seconds: seconds) }
            await group.next()
            group.cancelAll()
        }
    }

    private func writeAll() {
        while let lines = takeLines() {
            for line in lines {
                if let entry = line.entry, writeEntry(entry) { continue }
                write(line.text)
            }
        }
    }

    /// The waiting lines, and one about dropped lines; nil when there are none.
    private func takeLines() -> [Line]? {
        state.withLock { state in
            var lines = state.lines
            state.lines = []
            if state.dropped > 0 { lines.append(Line(text: dropped(state.dropped))) }
            state.dropped = 0
            state.isWriting = !lines.isEmpty
            return lines.isEmpty ? nil : lines
        }
    }
}
