import Synchronization

/// A queue that writes log lines in order on its own thread.
///
/// Standard error may be a pipe whose reader is blocked. Then lines wait, and those over the limit
/// are dropped and counted: logging must not block the gateway.
package final class LogQueue: Sendable {
    /// The maximum number of waiting lines.
    package static let limit = 1_000

    private struct State {
        var lines: [String] = []
        var dropped = 0
        var isWriting = false
    }

    private let state = Mutex(State())
    private let thread = WorkerThreads(name: "log", count: 1)
    private let write: @Sendable (String) -> Void

    /// Makes a queue that passes its lines to `write`, which may block.
    package init(write: @escaping @Sendable (String) -> Void) {
        self.write = write
    }

    /// Adds a line, including its line break.
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
            for line in lines { write(line) }
        }
    }

    /// The waiting lines, and one about dropped lines; nil when there are none.
    private func takeLines() -> [String]? {
        state.withLock { state in
            var lines = state.lines
            state.lines = []
            if state.dropped > 0 { lines.append("log: lines dropped count=\(state.dropped)\n") }
            state.dropped = 0
            state.isWriting = !lines.isEmpty
            return lines.isEmpty ? nil : lines
        }
    }
}
