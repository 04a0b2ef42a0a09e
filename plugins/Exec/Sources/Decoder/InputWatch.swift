import GatewayCore
import Platform
import Synchronization

/// Notices that a program leaves its input in the pipe, long before the pipe is full.
///
/// It wakes only while something was written that the program has not read.
final class InputWatch: Sendable {
    private let input: ChildPipe
    private let limitSeconds: Double
    private let clock: any GatewayClock
    private let written = Mutex(0)
    private let writes: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    /// Watches the input of a program that has so many seconds to read some of it.
    init(_ input: ChildPipe, limitSeconds: Double, clock: any GatewayClock) {
        self.input = input
        self.limitSeconds = limitSeconds
        self.clock = clock
        (writes, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Notes the number of bytes of a write.
    func note(written count: Int) {
        written.withLock { $0 += count }
        signal.yield()
    }

    /// Calls `change` with true when the program reads nothing within the limit, and with false when
    /// it reads again, until the task is cancelled.
    func run(_ change: (_ isStalled: Bool) async -> Void) async {
        var isStalled = false
        for await _ in writes {
            while input.unreadCount > 0 {
                let before = readCount
                guard (try? await clock.sleep(seconds: limitSeconds)) != nil else { return }
                let isStalledNow = input.unreadCount > 0 && readCount <= before
                guard isStalledNow != isStalled else { continue }
                isStalled = isStalledNow
                await change(isStalled)
            }
        }
    }

    /// The number of bytes that the program has read.
    private var readCount: Int { written.withLock { $0 } - input.unreadCount }
}
