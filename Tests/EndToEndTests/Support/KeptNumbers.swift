import HealthModel

/// What records say of the numbered devices that they come from, and what is wrong with them.
struct KeptNumbers {
    /// The numbers of the lines, in the order of time.
    private(set) var lines: [Int] = []
    /// The numbers of the packets, in the order of time.
    private(set) var packets: [Int] = []
    /// What could not come from what was sent.
    private(set) var findings: [String] = []

    /// A clock that is set while the test runs is not looked for more closely than this.
    private static let nanosecondsOfTolerance: Int64 = 100_000_000

    /// Readings of one line follow each other by a nanosecond: first the steps, then the distance.
    private static let fromStepsToDistance: Int64 = 1
    /// In a packet beats, strides and the distance are between the two.
    private static let fromRateToSpeed: Int64 = 4

    private struct Period: Hashable {
        let start: Instant
        let end: Instant

        func later(by nanoseconds: Int64) -> Period {
            Period(
                start: start.adding(nanoseconds: nanoseconds),
                end: end.adding(nanoseconds: nanoseconds))
        }
    }

    /// Compares records with what was sent.
    init(_ records: some Sequence<Record>, of devices: NumberedDevices) {
        var values: [QuantityType: [Period: Double]] = [:]
        for case .sample(let sample) in records {
            let period = Period(start: sample.start, end: sample.end)
            let old = values[sample.type, default: [:]].updateValue(
                sample.quantity.value, forKey: period)
            if old != nil { findings.append("two samples of \(sample.type.name) at one time") }
        }
        readLines(
            values[.distanceWalkingRunning] ?? [:], steps: values[.stepCount] ?? [:], devices)
        readPackets(values[.heartRate] ?? [:], speeds: values[.runningSpeed] ?? [:], devices)
    }

    private mutating func readLines(
        _ distances: [Period: Double], steps: [Period: Double], _ devices: NumberedDevices
    ) {
        let counted = steps.map { ($0.key.later(by: Self.fromStepsToDistance), $0.value) }
        let steps = Dictionary(uniqueKeysWithValues: counted)
        for period in Set(distances.keys).symmetricDifference(steps.keys) {
            let steps = steps[period].map { "\($0) steps" } ?? "no steps"
            let meters = distances[period].map { "\($0) m" } ?? "no distance"
            findings.append("half of a line is kept, at \(period.end): \(steps), \(meters)")
        }
        for (period, meters) in distances.sorted(by: { $0.key.end < $1.key.end }) {
            let number = NumberedDevices.line(meters: meters)
            check(
                "line \(number)", sent: devices.time(ofLine: number), got: period.end,
                follows: lines.last ?? -1 < number)
            // A line that was lost between two others would be two steps.
            if steps[period] != 1 { findings.append("line \(number) is not one step") }
            lines.append(number)
        }
    }

    private mutating func readPackets(
        _ rates: [Period: Double], speeds: [Period: Double], _ devices: NumberedDevices
    ) {
        let timed = rates.map { ($0.key.later(by: Self.fromRateToSpeed), $0.value) }
        let rates = Dictionary(uniqueKeysWithValues: timed)
        if Set(rates.keys) != Set(speeds.keys) { findings.append("a half of a packet is kept") }
        for (period, rate) in rates.sorted(by: { $0.key.end < $1.key.end }) {
            guard let speed = speeds[period] else { continue }
            let number = NumberedDevices.packet(heartRate: rate, speed: speed)
            check(
                "packet \(number)", sent: devices.time(ofPacket: number), got: period.end,
                follows: packets.last ?? -1 < number)
            packets.append(number)
        }
    }

    private mutating func check(_ what: String, sent: Instant?, got: Instant, follows: Bool) {
        if !follows { findings.append("\(what) is kept twice or out of order") }
        guard let sent else {
            findings.append("\(what) was never sent")
            return
        }
        if got.nanosecondsSince1970 < sent.nanosecondsSince1970 - Self.nanosecondsOfTolerance {
            findings.append("\(what) is dated \(got), but was sent at \(sent)")
        }
    }
}
