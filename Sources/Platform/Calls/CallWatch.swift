/// The pure part of the watchdog: compares the marks of calls from one look to the next.
package struct CallWatch: Sendable {
    /// The time in nanoseconds after which a call counts as stalled.
    static let stallNanoseconds: Int64 = 1_000_000_000
    /// The share of a processor, and for how many looks, above which a device's calls are reported.
    static let busyShare = 0.5
    static let busyLooks = 5

    /// What has changed since the last look.
    package enum Event: Hashable, Sendable {
        /// A call has not returned for too long.
        case stalled(source: String, device: String, since: BootInstant)
        /// A stalled call has returned, or its device is gone.
        case returned(source: String, device: String, seconds: Double)
        /// The calls of a device take a large share of a processor.
        case busy(source: String, device: String, share: Double)
    }

    private struct State {
        var snapshot: CallMarks.Snapshot
        var isStalled = false
        var busyCount = 0
    }

    private var states: [Int32: State] = [:]
    private var lastLook: BootInstant?

    /// Whether a call has begun or ended since the last look, or is in progress.
    private(set) var isActive = false

    /// Compares the marks with those of the last look.
    mutating func look(at snapshots: [CallMarks.Snapshot], now: BootInstant) -> [Event] {
        let elapsed = lastLook.map { now.nanoseconds - $0.nanoseconds } ?? 0
        lastLook = now
        isActive = false
        var events: [Event] = []
        var next: [Int32: State] = [:]
        for snapshot in snapshots {
            let old = states.removeValue(forKey: snapshot.slot)
            next[snapshot.slot] = compare(
                snapshot, with: old, now: now, elapsed: elapsed, &events)
        }
        for (_, gone) in states.sorted(by: { $0.key < $1.key }) where gone.isStalled {
            events.append(Self.returned(gone.snapshot, now: now))
        }
        states = next
        return events
    }

    private mutating func compare(
        _ snapshot: CallMarks.Snapshot, with old: State?, now: BootInstant, elapsed: Int64,
        _ events: inout [Event]
    ) -> State {
        let isSame = old.map { $0.snapshot.isOfSameOwner(as: snapshot) } ?? false
        if snapshot.start != nil || old?.snapshot.count != snapshot.count { isActive = true }
        var state = State(snapshot: snapshot)
        if let old, old.isStalled {
            state.isStalled = isSame && old.snapshot.start == snapshot.start
            if !state.isStalled { events.append(Self.returned(old.snapshot, now: now)) }
        }
        if let start = snapshot.start, !state.isStalled,
            now.nanoseconds - start.nanoseconds >= Self.stallNanoseconds
        {
            state.isStalled = true
            events.append(
                .stalled(source: snapshot.source, device: snapshot.device, since: start))
        }
        if isSame, let old, elapsed > 0 {
            let busy = snapshot.busyNanoseconds - old.snapshot.busyNanoseconds
            let share = Double(busy) / Double(elapsed)
            state.busyCount = share >= Self.busyShare ? old.busyCount + 1 : 0
            if state.busyCount == Self.busyLooks {
                events.append(
                    .busy(source: snapshot.source, device: snapshot.device, share: share))
            }
        }
        return state
    }

    private static func returned(_ snapshot: CallMarks.Snapshot, now: BootInstant) -> Event {
        .returned(
            source: snapshot.source, device: snapshot.device,
            seconds: snapshot.start.map { now.seconds(since: $0) } ?? 0)
    }
}

extension CallMarks.Snapshot {
    fileprivate func isOfSameOwner(as other: Self) -> Bool {
        source == other.source && device == other.device && count <= other.count
    }
}
