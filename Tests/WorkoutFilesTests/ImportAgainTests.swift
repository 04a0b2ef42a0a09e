import GatewayTesting
import HealthModel
import HealthStatistics
import Platform
import WorkoutFiles
import Workouts
import XCTest

/// A workout is one, with the same sums, however often, in which order and in which format it comes.
final class ImportAgainTests: XCTestCase {
    /// A store as far as imports use it.
    private struct Store {
        var workouts: [Workout] = []
        var samples: [QuantitySample] = []
        private var devices: [Device?] = []

        mutating func add(_ recorded: RecordedWorkout) {
            workouts.append(recorded.workout)
            add(recorded.samples)
        }

        mutating func add(_ imported: ImportedWorkout) throws {
            let known = workouts.filter { KnownWorkout.isSame($0, imported.workout) }
            let addition = try imported.adding(
                to: known.map { KnownWorkout(workout: $0, allSamples: samples) })
            guard !addition.isEmpty else { return }
            workouts.removeAll { $0.identifier == addition.workout.identifier }
            workouts.append(addition.workout)
            add(addition.samples)
        }

        private mutating func add(_ added: [QuantitySample]) {
            let known = Set(samples.map(\.id))
            samples += added.filter { !known.contains($0.id) }
            samples.sort { $0.start < $1.start }
            for sample in added where !devices.contains(sample.device) {
                devices.append(sample.device)
            }
        }

        /// The sum of the day, as `statistics` merges devices: the newest first.
        func sum(_ type: QuantityType) throws -> Double {
            let devices = devices
            var options = StatisticsOptions()
            options.rank = { -(devices.firstIndex(of: $0.device) ?? 0) }
            var day = StatisticsCollection(
                type, spans: [RecordedRun.at(-86_400)..<RecordedRun.at(86_400)],
                options: options)
            for sample in samples { try day.add(sample) }
            return try day.finish()[0].sum?.value(in: type.canonicalUnit) ?? 0
        }

        func recorded() throws -> RecordedWorkout {
            RecordedWorkout(
                workout: try XCTUnwrap(workouts.first), allSamples: samples,
                subject: WorkoutSubject())
        }
    }

    private static let formats: [WorkoutFileFormat] = [.fit, .tcx]

    private static func pass(
        _ recorded: RecordedWorkout, _ format: WorkoutFileFormat
    ) throws -> ImportedWorkout {
        try WorkoutFile.read(
            WorkoutFile.export(recorded, as: format, by: RecordedRun.recorder), person: "anna",
            source: SourceRevision(name: "import"))
    }

    /// A workout of a random activity, length, pace and pauses; its first part, too.
    private struct Example {
        let activity: WorkoutActivity
        let length: Double
        private let rates: [Double]
        private let pause: Range<Double>?
        private let energyStep: Double

        init(_ random: inout SeededGenerator) {
            let kinds: [WorkoutActivityType] = [.running, .cycling, .walking, .hiking]
            activity = WorkoutActivity(kinds.randomElement(using: &random) ?? .running)
            length = Double.random(in: 120...2_400, using: &random).rounded() + 0.25
            rates = (0..<41).map { _ in .random(in: 0.02...0.3, using: &random) }
            let start = (length * .random(in: 0.2...0.6, using: &random)).rounded()
            pause = Bool.random(using: &random) ? start..<start + 20 : nil
            energyStep = [1, 7, 60].randomElement(using: &random) ?? 1
        }

        var types: [QuantityType] {
            activity.type == .cycling
                ? [.activeEnergyBurned, .distanceCycling]
                : [.activeEnergyBurned, .distanceWalkingRunning, .stepCount]
        }

        /// The workout until a moment; all of it by default.
        func recorded(until end: Double? = nil) throws -> RecordedWorkout {
            let end = end ?? length
            var run = RecordedRun()
            run.activity = activity
            if let pause, pause.upperBound < end {
                run.events = [
                    WorkoutEvent(.pause, at: RecordedRun.at(pause.lowerBound)),
                    WorkoutEvent(.resume, at: RecordedRun.at(pause.upperBound)),
                ]
            }
            let spans = pause.map { [0..<$0.lowerBound, $0.upperBound..<length] } ?? [0..<length]
            for span in spans where span.lowerBound < end {
                try add(min(span.upperBound, end), from: span.lowerBound, to: &run)
            }
            return try run.recorded(laps: end > 90 ? [0, 60] : [0], end: end)
        }

        private func add(_ end: Double, from start: Double, to run: inout RecordedRun) throws {
            for second in stride(from: start, to: end, by: 1) {
                let next = min(second + 1, end)
                let rate = rates[Int(second / 60)] * (next - second)
                try run.add(.heartRate, 120, next, from: RecordedRun.strap)
                try run.add(types[1], 15 * rate, second, next, from: RecordedRun.pod)
                guard types.count > 2 else { continue }
                try run.add(.stepCount, 3 * (next - second), second, next, from: RecordedRun.pod)
            }
            for from in stride(from: start, to: end, by: energyStep) {
                let next = min(from + energyStep, end)
                let value = rates[Int(from / 60)] * (next - from)
                try run.add(.activeEnergyBurned, value, from, next, from: RecordedRun.box)
            }
        }
    }

    private func assertOne(_ store: Store, _ example: Example, _ story: String) throws {
        XCTAssertEqual(store.workouts.count, 1, story)
        let whole = try example.recorded().samples
        for type in example.types {
            let expected = whole.sum(type)
            // Files round, and a difference of a unit is one of rounding.
            XCTAssertEqual(
                try store.sum(type), expected, accuracy: max(1, expected * 0.001) + 1,
                "\(story): \(type)")
        }
    }

    func testWorkout_whenImportedInAnyOrder_isOne() throws {
        let seed = UInt64.random(in: 0...UInt64(UInt32.max))
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for round in 0..<12 {
            let example = Example(&random)
            var store = Store()
            var story =
                "seed \(seed), round \(round), \(example.activity.name) \(example.length) s:"
            if Bool.random(using: &random) {
                store.add(try example.recorded())
                story += " recorded"
            }
            let full = Int.random(in: 0..<6, using: &random)
            for step in 0..<6 {
                let format = Self.formats.randomElement(using: &random) ?? .fit
                let end = example.length * .random(in: 0.1...1, using: &random)
                let kind = step == full ? 0 : Int.random(in: 0..<3, using: &random)
                story += " \(["full", "part", "again"][kind]) \(format) \(end.rounded())"
                switch kind {
                case 1: try store.add(Self.pass(example.recorded(until: end.rounded()), format))
                case 2 where !store.workouts.isEmpty:
                    try store.add(Self.pass(store.recorded(), format))
                default: try store.add(Self.pass(example.recorded(), format))
                }
            }
            try assertOne(store, example, story)
        }
    }

    func testPart_thenWhole_hasTheWhole_andAgainNothing() throws {
        var random = SeededGenerator(seed: 7)
        for (part, whole) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let example = Example(&random)
            var store = Store()
            try store.add(
                Self.pass(example.recorded(until: example.length / 2), Self.formats[part]))
            XCTAssertLessThan(
                try XCTUnwrap(store.workouts.first).end, RecordedRun.at(example.length - 1))
            let imported = try Self.pass(example.recorded(), Self.formats[whole])
            try store.add(imported)
            try assertOne(store, example, "\(Self.formats[part]), then \(Self.formats[whole])")
            let workout = try XCTUnwrap(store.workouts.first)
            XCTAssertGreaterThanOrEqual(workout.end, imported.workout.end)
            let before = store.samples
            try store.add(imported)
            try store.add(Self.pass(store.recorded(), .fit))
            XCTAssertEqual(store.samples, before)
            XCTAssertEqual(store.workouts, [workout])
        }
    }

    /// A part may come first: what follows has every reading, and the count of the whole.
    func testPart_thenWhole_hasTheSumAndTheReadingsOfTheWhole() throws {
        func run(_ seconds: Int, _ energy: Int) throws -> ImportedWorkout {
            let start = RecordedRun.at(0)
            let points = (0...seconds).map { second in
                "<Trackpoint><Time>\(start.adding(nanoseconds: Int64(second) * 1_000_000_000))</Time>"
                    + "<DistanceMeters>\(second * 3)</DistanceMeters>"
                    + "<HeartRateBpm><Value>\(100 + second % 60)</Value></HeartRateBpm></Trackpoint>"
            }
            let text = """
                <?xml version="1.0"?><TrainingCenterDatabase \
                xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2">\
                <Activities><Activity Sport="Running"><Id>\(start)</Id><Lap StartTime="\(start)">\
                <TotalTimeSeconds>\(seconds)</TotalTimeSeconds><DistanceMeters>\(seconds * 3)\
                </DistanceMeters><Calories>\(energy)</Calories><Track>\(points.joined())</Track>\
                </Lap></Activity></Activities></TrainingCenterDatabase>
                """
            return try WorkoutFile.read(
                Array(text.utf8), person: "anna", source: SourceRevision(name: "import"))
        }
        let (part, whole) = (try run(400, 66), try run(600, 100))
        for files in [[part, whole], [whole, part], [part, whole, part, whole]] {
            var store = Store()
            for file in files { try store.add(file) }
            XCTAssertEqual(try store.sum(.activeEnergyBurned), 100, accuracy: 1e-6)
            XCTAssertEqual(try store.sum(.distanceWalkingRunning), 1_800, accuracy: 1e-6)
            XCTAssertEqual(store.samples.count { $0.type == .heartRate }, 601)
            XCTAssertEqual(store.workouts.map(\.end), [RecordedRun.at(600)])
        }
    }

    func testCounts_thatContradict_areReported_andKept() throws {
        var (one, other) = (RecordedRun(), RecordedRun())
        for second in stride(from: 0.0, to: 600, by: 1) {
            try one.add(.distanceWalkingRunning, 3, second, second + 1, from: RecordedRun.pod)
            try other.add(.distanceWalkingRunning, 3.5, second, second + 1, from: RecordedRun.pod)
        }
        let first = try one.recorded(laps: [0], end: 600)
        let known = KnownWorkout(workout: first.workout, allSamples: first.samples)
        let addition = try Self.pass(other.recorded(laps: [0], end: 600), .fit).adding(to: [known])
        XCTAssertTrue(addition.isEmpty)
        XCTAssertEqual(addition.differences.map(\.type), [.distanceWalkingRunning])
        let difference = try XCTUnwrap(addition.differences.first)
        XCTAssertEqual(difference.stored, 1_800, accuracy: 1)
        XCTAssertEqual(difference.imported, 2_100, accuracy: 1)
    }

    /// Another program may count versions in nanoseconds.
    func testVersion_isHigher_alsoThanALargeOne() throws {
        var run = RecordedRun()
        try run.add(.heartRate, 120, 30, from: RecordedRun.strap)
        let part = try run.recorded(laps: [0], end: 60).workout
        let imported = try Self.pass(run.recorded(laps: [0], end: 120), .tcx)
        for version in [0, 1.5, 9_007_199_254_740_992, 1e300] {
            var metadata = Metadata()
            try metadata.setSync(identifier: "run", version: version)
            let known = try Workout(
                id: part.id, activity: part.activity, start: part.start, end: part.end,
                person: part.person, metadata: metadata)
            let addition = try imported.adding(to: [KnownWorkout(workout: known, allSamples: [])])
            XCTAssertGreaterThan(addition.workout.version, version)
            XCTAssertEqual(addition.workout.identifier, "run")
        }
    }

    func testAnotherPerson_activityOrTime_isAnotherWorkout() throws {
        func workout(
            _ activity: WorkoutActivityType, _ start: Double, _ end: Double, _ person: String
        ) throws -> Workout {
            try Workout(
                id: RecordID(high: 0, low: 1 << 63), activity: WorkoutActivity(activity),
                start: RecordedRun.at(start), end: RecordedRun.at(end), person: person)
        }
        let run = try workout(.running, 0, 3_600, "anna")
        XCTAssertTrue(KnownWorkout.isSame(run, try workout(.running, 0.6, 1_200, "anna")))
        XCTAssertTrue(KnownWorkout.isSame(run, try workout(.other, -0.4, 3_601, "anna")))
        XCTAssertFalse(KnownWorkout.isSame(run, try workout(.running, 0, 3_600, "ben")))
        XCTAssertFalse(KnownWorkout.isSame(run, try workout(.cycling, 0, 3_600, "anna")))
        XCTAssertFalse(KnownWorkout.isSame(run, try workout(.running, 1_800, 5_400, "anna")))
        XCTAssertFalse(KnownWorkout.isSame(run, try workout(.running, 3_601, 3_601, "anna")))
    }
}
