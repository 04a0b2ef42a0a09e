import GatewayCore
import HealthModel

/// A value that a device reported.
struct Reading: Sendable {
    /// The start of its time; equal to the end for an instant.
    let start: Instant
    let end: Instant
    let value: Double
    /// The index of the device in the ranking.
    let device: Int
    /// The index of its sample.
    let index: Int
}

/// Selects the readings to use when several devices measure the same type.
///
/// The best available device is used. When it has no reading for longer than the limit, the next
/// one is used, from the last reading of the better one; the better one is used again as soon as it
/// is steady. So at each time one device is used. The result depends on the readings alone, not on
/// when they arrive: stored samples and the live lane give the same.
struct SourceArbiter: Sendable {
    /// The maximum number of waiting readings.
    static let maximumWaitingCount = 4_096

    let limitSeconds: Double
    private(set) var ranking = DeviceRanking()
    /// The readings not yet decided, sorted by end.
    private(set) var waiting: [Reading] = []
    private var runs: [ReadingRun] = []
    private var decidedUntil = Instant(nanosecondsSince1970: .min)

    init(limitSeconds: Double) {
        self.limitSeconds = limitSeconds
    }

    var isFull: Bool { waiting.count >= Self.maximumWaitingCount }

    /// Adds a reading; one that arrives too late, or comes from one device too many, is ignored.
    mutating func add(
        _ value: Double, of sample: QuantitySample, index: Int, roles: [String: People.Role]
    ) {
        guard sample.end > decidedUntil,
            let device = ranking.register(sample.device, at: sample.end, roles: roles)
        else { return }
        if runs.count < ranking.devices.count { runs.append(ReadingRun()) }
        let reading = Reading(
            start: sample.start, end: sample.end, value: value, device: device, index: index)
        var place = waiting.count
        while place > 0, isBefore(reading, waiting[place - 1]) { place -= 1 }
        waiting.insert(reading, at: place)
    }

    /// Readings of the same time have an order that does not depend on their arrival.
    private func isBefore(_ left: Reading, _ right: Reading) -> Bool {
        guard (left.end, left.start) == (right.end, right.start) else {
            return (left.end, left.start) < (right.end, right.start)
        }
        guard left.device != right.device else { return false }
        return ranking.devices[left.device].identifier < ranking.devices[right.device].identifier
    }

    /// Removes the readings up to a limit, and returns the used ones.
    ///
    /// - Parameter known: The time until which all readings are known. A device that was silent
    ///   until then for less than the limit counts as available.
    mutating func decide(until limit: Instant, known: Instant) -> [Reading] {
        let count = waiting.firstIndex { $0.end > limit } ?? waiting.count
        guard count > 0 else { return [] }
        var chosen: [Reading] = []
        chosen.reserveCapacity(count)
        var nexts = [Int](repeating: 0, count: runs.count)
        for position in 0..<count {
            let reading = waiting[position]
            runs[reading.device].extend(reading.end, limitSeconds: limitSeconds)
            if isBest(reading, at: position, &nexts, known: known) { chosen.append(reading) }
        }
        decidedUntil = max(decidedUntil, waiting[count - 1].end)
        waiting.removeFirst(count)
        return chosen
    }

    /// Removes the readings after the end of the workout.
    mutating func end(at end: Instant) { waiting.removeAll { $0.end > end } }

    /// Decides half of the waiting readings, when a device reports too many.
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
            if runs[device].isUnbroken(until: next, limitSeconds: limitSeconds),
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
