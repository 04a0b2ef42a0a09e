import Platform

/// The requests of one GATT session, of which one at a time is in progress.
///
/// BlueZ rejects a second request for an attribute while one is in progress.
struct GATTRequests: Sendable {
    /// The maximum number of waiting requests; further ones are ignored.
    static let limit = 256
    /// How often a request is repeated while BlueZ is busy, and the pause between two attempts.
    static let busyLimit = 10
    static let busyPauseSeconds = 0.1

    /// The request in progress.
    private(set) var current: GATTSession.Operation?
    /// The end of the pause; no request begins until then.
    private(set) var wakeTime: BootInstant?
    private var waiting: [GATTSession.Operation] = []
    private var busyCount = 0

    /// Whether no request waits or is in progress.
    var isEmpty: Bool { current == nil && waiting.isEmpty }

    /// Whether a request waits or is in progress.
    func contains(_ operation: GATTSession.Operation) -> Bool {
        current == operation || waiting.contains(operation)
    }

    /// Adds a request that a device or a profile has caused, unless too many wait.
    mutating func addIfRoom(_ operation: GATTSession.Operation) {
        if waiting.count < Self.limit { waiting.append(operation) }
    }

    /// Adds a request after those that wait.
    mutating func add(_ operation: GATTSession.Operation) { waiting.append(operation) }

    /// Replaces the request in progress by one that begins next.
    mutating func replaceCurrent(by operation: GATTSession.Operation) {
        current = nil
        waiting.insert(operation, at: 0)
    }

    /// Lets no request begin for some time.
    mutating func pause(until time: BootInstant) { wakeTime = time }

    /// Ends the pause when it is over.
    mutating func wake(at now: BootInstant) {
        if let due = wakeTime, due <= now { wakeTime = nil }
    }

    /// Handles the answer to a request; returns whether it is the final one.
    ///
    /// A request is repeated after a pause when BlueZ was busy.
    mutating func finish(
        _ operation: GATTSession.Operation, isBusy: Bool, at now: BootInstant
    ) -> Bool {
        guard operation == current else { return false }
        guard !isBusy || busyCount == Self.busyLimit else {
            busyCount += 1
            replaceCurrent(by: operation)
            pause(until: now.adding(seconds: Self.busyPauseSeconds))
            return false
        }
        current = nil
        busyCount = 0
        return true
    }

    /// Begins the next request; nil while one is in progress or during a pause.
    mutating func next() -> GATTSession.Operation? {
        guard current == nil, wakeTime == nil, !waiting.isEmpty else { return nil }
        current = waiting.removeFirst()
        return current
    }
}
