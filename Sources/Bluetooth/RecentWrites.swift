import Platform

/// The recent writes to a device, so that a profile without state may request the same write again.
struct RecentWrites: Sendable {
    /// The maximum number of writes; a profile has one or two.
    static let limit = 16

    private let pauseSeconds: Double
    /// Oldest first.
    private var writes: [(write: GATTWrite, time: BootInstant)] = []
    /// The postponed writes, each once.
    private var postponed: [(write: GATTWrite, due: BootInstant)] = []

    /// Makes an empty list; a write is removed from it after the pause.
    init(pauseSeconds: Double) {
        self.pauseSeconds = pauseSeconds
    }

    /// When the next postponed write is due.
    var wakeTime: BootInstant? { postponed.map(\.due).min() }

    /// Whether to write this now: it was not written within the pause.
    ///
    /// At the limit nothing is written until the oldest write has expired. A persistent write is
    /// postponed until it may be written.
    mutating func admit(_ write: GATTWrite, at now: BootInstant) -> Bool {
        writes.removeAll { now.seconds(since: $0.time) >= pauseSeconds }
        let earlier = writes.first { $0.write == write }
        guard earlier == nil, writes.count < Self.limit else {
            postpone(write, after: earlier?.time ?? now)
            return false
        }
        writes.append((write, now))
        postponed.removeAll { $0.write == write }
        return true
    }

    /// Handles a write that the device has rejected; returns whether it is postponed.
    mutating func failed(
        _ bytes: [UInt8], to characteristic: BluetoothUUID, at now: BootInstant
    ) -> Bool {
        let write = GATTWrite(bytes, to: characteristic, isPersistent: true)
        guard let earlier = writes.first(where: { $0.write == write }) else { return false }
        postpone(write, after: earlier.time)
        return true
    }

    /// Returns the postponed writes whose time has come.
    mutating func takeDue(at now: BootInstant) -> [GATTWrite] {
        let due = postponed.filter { $0.due <= now }.map(\.write)
        postponed.removeAll { $0.due <= now }
        return due.filter { admit($0, at: now) }
    }

    /// Removes all writes.
    mutating func forget() {
        writes = []
        postponed = []
    }

    private mutating func postpone(_ write: GATTWrite, after time: BootInstant) {
        guard write.isPersistent, postponed.count < Self.limit,
            !postponed.contains(where: { $0.write == write })
        else { return }
        postponed.append((write, time.adding(seconds: pauseSeconds)))
    }
}
