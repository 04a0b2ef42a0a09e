import GatewayCore
import GatewayTesting
import Glibc
import Platform
import Synchronization

/// Reads the lines that a command prints, on a thread of its own, and stops for a while when it is told.
final class LineReader: Sendable {
    private struct State {
        var tally = RecordTally()
        var isPaused = false
    }

    private let state = Mutex(State())
    /// A byte comes when it may go on.
    private let valve: (read: Descriptor, write: Descriptor)
    private let thread = Mutex<JoinableThread?>(nil)

    var sums: RecordTally.Sums { state.withLock { $0.tally.sums } }
    var repeated: Int { state.withLock { $0.tally.repeated } }

    /// Begins to read until the other side is closed.
    init(_ descriptor: Descriptor) throws {
        valve = try Descriptor.makePipe()
        let thread = try JoinableThread(name: "line reader") { [self] in
            var rest: [UInt8] = []
            while let bytes = descriptor.read() {
                while state.withLock({ $0.isPaused }) { _ = valve.read.read() }
                rest += bytes
                guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { continue }
                let lines = rest[...end]
                state.withLock { $0.tally.add(lines) }
                rest.removeSubrange(...end)
            }
        }
        self.thread.withLock { $0 = thread }
    }

    /// Takes no more lines.
    func pause() { state.withLock { $0.isPaused = true } }

    /// Goes on.
    func resume() {
        state.withLock { $0.isPaused = false }
        write(valve.write.number, [0], 1)
    }

    /// Waits until all is read; the other side must be closed.
    func waitForEnd() {
        let thread = self.thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        thread?.join()
    }
}
