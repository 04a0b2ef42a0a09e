import GatewayCore
import HealthModel

/// A value that a device told.
struct Reading: Sendable {
    /// The time it is of; empty for an instant.
    let start: Instant
    let end: Instant
    let value: Double
    /// The place of the device in the ranking.
    let device: Int
    /// Which of the given samples it is.
    let index: Int
}

/// Chooses, among the readings of several devices that measure the same, those that count.
///
/// The best device counts while it is there. When none of its readings comes for longer than the limit,
/// those of the next one count, from the last reading of the better one on; and the better one counts
/// again as soon as it is steady. So at any time only one counts. What comes out depends on the
/// readings alone, not on when they are told: those of a store give the same as those of a live lane.
struct SourceArbiter: Sendable {
    /// The most readings that wait.
    static let maximumWaitingCount = 4_096

    let limitSeconds: Double
    private(set) var ranking = DeviceRanking()
    /// Those not yet chosen from, by their end.
    private(set) var waiting: [Reading] = []
    private var runs: [ReadingRun] = []
    private var decidedUntil = Instant(nanosecondsSince1970: .min)

    init(limitSeconds: Double) {
        self.limitSeconds = limitSeconds
    }

    var isFull: Bool { waiting.count >= Self.maximumWaitingCount }

    /// Takes a reading; one that comes too late, or of one device too many, is left aside.
    mutating func take(
        _ value: Double, of sample: QuantitySample, index: Int, roles: [String: People.Role]
    ) {
        guard sample.end > decidedUntil,
            let device = ranking.hear(sample.device, at: sample.end, roles: roles)
        else { return }
        if runs.count < ranking.devices.count { runs.append(ReadingRun()) }
        let reading = Reading(
            start: sample.start, end: sample.end, value: value, device: device, index: index)
        var place = waiting.count
        while place > 0, isBefore(reading, waiting[place - 1]) { place -= 1 }
        waiting.insert(reading, at: place)
    }

    /// Those of one time are in an order that does not depend on which was told first.
    private func isBefore(_ left: Reading, _ right: Reading) -> Bool {
        guard (left.end, left.start) == (right.end, right.start) else {
            return (left.end, left.start) < (right.end, right.start)
        }
        guard left.device != right.device else { return false }
        return ranking.devices[left.device].identifier < ranking.devices[right.device].identifier
    }

    /// Takes out the readings up to a limit, and answers with those that count.
    ///
    /// - Parameter known: Until when all readings are known. A device that was silent until then for less
    ///   than the limit is taken to be there.
    mutating func decide(until limit: Instant, known: Instant) -> [Reading] {
        let count = waiting.firstIndex { $0.end > limit } ?? waiting.count
        guard count > 0 else { return [] }
        var chosen: [Reading] = []
        chosen.reserveCapacity(count)
        var nexts = [Int](repeating: 0, count: runs.count)
        for position in 0..<count {
            let reading = waiting[position]
            runs[reading.device].take(reading.end, limitSeconds: limitSeconds)
            if isBest(reading, at: position, &nexts, known: known) { chosen.append(reading) }
        }
        decidedUntil = max(decidedUntil, waiting[count - 1].end)
        waiting.removeFirst(count)
        return chosen
    }

    /// Forgets what is later than the end of the workout, now that there is one.
    mutating func end(at end: Instant) { waiting.removeAll { $0.end > end } }

    /// Makes room, where a device tells far more than it should.
    mutating func decideHalf() -> [Reading] {
        guard let last = waiting.last else { return [] }
        return decide(until: waiting[waiting.count / 2].end, known: last.end)
    }

    private func isBest(
        _ reading: Reading, at position: Int, _ nexts: inout [Int], known: Instant
    ) -> Bool {
        for device in runs.indices where device != reading.device {
            while nexts[device] < waiting.count,
                nexts[device] <= position || waiting[nexts[device]].device != device
            { nexts[device] += 1 }
            let next = nexts[device] < waiting.count ? waiting[nexts[device]].end : known
            if runs[device].goesOn(until: next, limitSeconds: limitSeconds),
                isBetter(device, than: reading.device)
            {
                return false
            }
        }
        return true
    }

    private func isBetter(_ left: Int, than right: Int) -> Bool {
        guard runs[left].isSteady == runs[right].isSteady else { return runs[left].isSteady }
        return ranking.isBetter(left, than: right)
    }
}
