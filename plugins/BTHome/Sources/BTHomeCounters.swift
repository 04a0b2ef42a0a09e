/// The counters of the encrypted packets of one device: what goes back is a replay, or a device that
/// has started again (BTHome v2, "Encryption": the counter should increase with every advertisement;
/// the receiver verifies that).
///
/// The specification does not say how a start is recognized. Here ``restartPackets`` packets in a row
/// show it, whose counters increase and are all below ``restartLimit``; one packet alone never changes
/// what is accepted.
struct BTHomeCounters: Hashable, Sendable {
    /// What the counter of a packet says about it.
    enum Verdict: Hashable, Sendable {
        case new
        case repetition
        case replay
    }

    /// The counters of a device that has started again are below it.
    static let restartLimit: UInt32 = 100
    /// The number of packets in a row that show that a device has started again.
    static let restartPackets = 3

    private var last: UInt32?
    /// The last one of the counters that may be those of a start, and their number.
    private var start: Start?

    private struct Start: Hashable {
        let last: UInt32
        let count: Int
    }

    /// Judges the counter of an authentic packet.
    mutating func judge(_ counter: UInt32) -> Verdict {
        guard let last, counter <= last else {
            (self.last, start) = (counter, nil)
            return .new
        }
        if counter == last {
            start = nil
            return .repetition
        }
        guard counter < Self.restartLimit else { return .replay }
        guard start?.last != counter else { return .replay }
        let count = start.map { $0.last < counter ? $0.count + 1 : 1 } ?? 1
        start = Start(last: counter, count: count)
        guard count >= Self.restartPackets else { return .replay }
        (self.last, start) = (counter, nil)
        return .new
    }
}
