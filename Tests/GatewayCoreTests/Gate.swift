import Synchronization

@testable import Platform

/// A place at which a thread waits until the test opens it.
final class Gate: Sendable {
    private let isClosed = Atomic(false)
    private let opening = Semaphore()
    private let arrival = Semaphore()

    func close() { isClosed.store(true, ordering: .sequentiallyConsistent) }

    /// Waits where it is closed.
    func pass() {
        guard isClosed.load(ordering: .sequentiallyConsistent) else { return }
        arrival.signal()
        opening.wait()
    }

    /// Waits until a thread waits here.
    func waitForArrival() { arrival.wait() }

    func open() {
        isClosed.store(false, ordering: .sequentiallyConsistent)
        opening.signal()
    }
}
