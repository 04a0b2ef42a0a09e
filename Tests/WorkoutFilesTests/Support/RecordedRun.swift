import HealthModel
import Workouts
import XCTest

/// Makes recorded workouts as a gateway with a strap and a foot pod has them.
struct RecordedRun {
    static let strap = Device(
        name: "Polar H10 A1", manufacturer: "Polar Electro Oy", model: "H10",
        firmwareVersion: "5.0.0", localIdentifier: "A0:9E:1A:00:00:01", serial: "12345678")
    static let pod = Device(name: "Pod & <Co>", localIdentifier: "/dev/ttyUSB0")
    static let box = Device(name: "attic", localIdentifier: "attic")
    static let recorder = SourceRevision(name: "Pulsegate", version: "1.4.2")

    /// When it began: not on a whole second.
    static let start = 0.4
    static let end = 2_520.4
    static let pauses = [600.25..<660.75, 1_500.0..<1_559.5]
    static let marks = [800.5, 1_700.0]
    /// The strap was gone.
    static let gap = 300.0..<330.0

    var activity = WorkoutActivity(.running)
    var location = WorkoutLocation.outdoor
    var events: [WorkoutEvent] = []
    var samples: [QuantitySample] = []
    var totals: [WorkoutTotal] = []
    private var made: UInt64 = 0

    /// A moment that is not special.
    static let origin = Instant(nanosecondsSince1970: 1_790_000_000_000_000_000)

    static func at(_ seconds: Double) -> Instant {
        origin.adding(nanoseconds: Int64((seconds * 1e9).rounded()))
    }

    static var intervals: [Range<Double>] {
        [
            start..<pauses[0].lowerBound, pauses[0].upperBound..<pauses[1].lowerBound,
            pauses[1].upperBound..<end,
        ]
    }

    /// 42 minutes with two pauses, three laps, a marker, a gap, and everything that is measured.
    static func full() throws -> RecordedWorkout {
        var run = RecordedRun()
        for pause in pauses {
            run.events.append(WorkoutEvent(.pause, at: at(pause.lowerBound)))
            run.events.append(WorkoutEvent(.resume, at: at(pause.upperBound)))
        }
        run.events.append(try WorkoutEvent(.lap, from: at(start), to: at(marks[0])))
        run.events.append(try WorkoutEvent(.lap, from: at(marks[0]), to: at(marks[1])))
        run.events.append(WorkoutEvent(.marker, at: at(1_000)))
        for interval in intervals { try run.measure(interval) }
        return try run.recorded(laps: [start] + marks, end: end)
    }

    mutating func add(
        _ type: QuantityType, _ value: Double, _ start: Double, _ end: Double? = nil,
        from device: Device?
    ) throws {
        made += 1
        samples.append(
            try QuantitySample(
                id: RecordID(high: made, low: 1 << 63), type: type, start: Self.at(start),
                end: Self.at(end ?? start), quantity: Quantity(value, type.canonicalUnit),
                person: "anna", device: device, source: SourceRevision(name: "strap")))
    }

    /// The samples of a strap and a foot pod between two pauses.
    private mutating func measure(_ span: Range<Double>) throws {
        for second in stride(from: span.lowerBound + 0.1, to: span.upperBound, by: 1.003) {
            let rate = (140 + 20 * Self.wave(second)).rounded()
            if !Self.gap.contains(second) { try add(.heartRate, rate, second, from: Self.strap) }
            try add(
                .runningCadence, (170 + 5 * Self.wave(second)).rounded(), second, from: Self.pod)
            try add(.runningSpeed, 2.75, second, from: Self.pod)
            try add(.runningPower, (250 + 40 * Self.wave(second)).rounded(), second, from: Self.pod)
            let next = min(second + 1.003, span.upperBound)
            try add(.distanceWalkingRunning, 2.75 * (next - second), second, next, from: Self.pod)
            try add(.stepCount, 3, second, next, from: Self.pod)
        }
        var beat = span.lowerBound + 0.05
        while true {
            let ticks = (60 * 1_024 / (140 + 20 * Self.wave(beat))).rounded()
            let next = beat + ticks / 1_024
            guard next < span.upperBound else { break }
            if !Self.gap.contains(beat), !Self.gap.contains(next) {
                try add(.rrInterval, ticks * 1_000 / 1_024, beat, next, from: Self.strap)
            }
            beat = next
        }
        try add(
            .activeEnergyBurned, (span.upperBound - span.lowerBound) * 0.17, span.lowerBound,
            span.upperBound, from: Self.box)
    }

    private static func wave(_ seconds: Double) -> Double {
        let phase = seconds.truncatingRemainder(dividingBy: 240) / 240
        return phase < 0.5 ? 4 * phase - 1 : 3 - 4 * phase
    }

    /// The workout of the samples, with measures that are plain sums.
    func recorded(
        laps starts: [Double] = [start], end: Double = end, person: String? = "anna"
    ) throws -> RecordedWorkout {
        let first = starts[0]
        let workout = try Workout(
            id: RecordID(high: 0x0196_0000_0000_8000, low: 1 << 63 | 77), activity: activity,
            location: location, start: Self.at(first), end: Self.at(end), events: events,
            totals: totals, person: person, device: Self.box,
            source: SourceRevision(name: "workout"))
        let spans = zip(starts, starts.dropFirst() + [end]).map { Self.at($0)..<Self.at($1) }
        return RecordedWorkout(
            workout: workout, samples: samples.sorted { $0.start < $1.start },
            measures: measures(Self.at(first)..<Self.at(end), workout),
            laps: spans.map { WorkoutLap(span: $0, measures: measures($0, workout)) },
            zones: nil)
    }

    private func measures(_ span: Range<Instant>, _ workout: Workout) -> WorkoutMeasures {
        var measures = WorkoutMeasures()
        measures.elapsedSeconds = Double(span.upperBound.nanoseconds(since: span.lowerBound)) / 1e9
        measures.heartRate = spread(.heartRate, span)
        measures.cadence = spread(.runningCadence, span)
        measures.speed = spread(.runningSpeed, span)
        measures.power = spread(.runningPower, span)
        measures.workKilojoules = measures.power.map {
            $0.average * measures.elapsedSeconds / 1_000
        }
        measures.distanceMeters = sum(.distanceWalkingRunning, span)
        measures.energyKilocalories = sum(.activeEnergyBurned, span)
        measures.stepCount = sum(.stepCount, span)
        return measures
    }

    private func sum(_ type: QuantityType, _ span: Range<Instant>) -> Double? {
        let parts = samples.filter { $0.type == type }.map { sample -> Double in
            let time = span.clamped(to: sample.start..<sample.end)
            let part = Double(time.upperBound.nanoseconds(since: time.lowerBound))
            return sample.quantity.value * part
                / Double(sample.end.nanoseconds(since: sample.start))
        }
        return parts.isEmpty ? nil : parts.reduce(0, +)
    }

    private func spread(_ type: QuantityType, _ span: Range<Instant>) -> WorkoutMeasures.Spread? {
        let values = samples.filter { $0.type == type && span.contains($0.start) }
            .map(\.quantity.value)
        guard let low = values.min(), let high = values.max() else { return nil }
        return WorkoutMeasures.Spread(
            average: values.reduce(0, +) / Double(values.count), minimum: low, maximum: high)
    }
}

extension Collection<QuantitySample> {
    /// The samples of a type.
    func of(_ type: QuantityType) -> [QuantitySample] { filter { $0.type == type } }

    /// The sum of the values of a type.
    func sum(_ type: QuantityType) -> Double { of(type).reduce(0) { $0 + $1.quantity.value } }
}
