import Synchronization

/// Writes the lines of the log one after the other, apart from those who log.
///
/// Standard error may be a pipe whose reader stands still. Then lines wait, and what is too much is
/// dropped and counted: the log must not hold up what it tells of.
package final class LogQueue: Sendable {
    /// So many lines wait at most.
    package static let limit = 1_000

    private struct State {
        var lines: [String] = []
        var dropped = 0
        var isWriting = false
    }

    private let state = Mutex(State())
    private let thread = WorkThreads(name: "log", count: 1)
    private let write: @Sendable (String) -> Void

    /// Makes a queue whose lines are handed to `write`, which may block.
    package init(write: @escaping @Sendable (String) -> Void) {
        self.write = write
    }

    /// Takes a line, which ends with its line break.
    package func append(_ line: String) {
        let mustStart = state.withLock { state in
            guard state.lines.count < Self.limit else {
                state.dropped += 1
                return false
            }
            state.lines.append(line)
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if mustStart { thread.async { self.writeAll() } }
    }

    /// Waits until everything is written, but no longer than so many seconds.
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
            for line in lines { write(line) }
        }
    }

    /// What waits now, with a word about what was dropped; nil when nothing does.
    private func takeLines() -> [String]? {
        state.withLock { state in
            var lines = state.lines
            state.lines = []
            if state.dropped > 0 { lines.append("log: \(state.dropped) lines were dropped\n") }
            state.dropped = 0
            state.isWriting = !lines.isEmpty
            return lines.isEmpty ? nil : lines
        }
    }
}
