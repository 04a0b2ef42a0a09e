import HealthModel
import Workouts
import XML

/// Writes a workout as TCX (Garmin, "Training Center Database v2", TrainingCenterDatabasev2.xsd).
///
/// The order of the elements is that of the schema. A pause ends a track and starts a new one; the
/// first and last point of a track have its exact times.
struct TCXWriter {
    private static let names: [(name: String, value: String)] = [
        ("xmlns", "http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"),
        ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
        (
            "xsi:schemaLocation",
            "http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2 "
                + "http://www.garmin.com/xmlschemas/TrainingCenterDatabasev2.xsd"
        ),
    ]
    private static let extensionNames = [
        (name: "xmlns", value: "http://www.garmin.com/xmlschemas/ActivityExtension/v2")
    ]
    /// The prefix of a note with the name of an activity that TCX does not have.
    static let activityNote = "Activity: "

    private let workout: Workout
    private let recorder: SourceRevision
    private let sums: WorkoutSums
    private let track: WorkoutTrack
    private let cadence: WorkoutActivity.FileCadence?

    init(_ recorded: RecordedWorkout, recorder: SourceRevision) {
        workout = recorded.workout
        self.recorder = recorder
        sums = WorkoutSums(recorded)
        track = WorkoutTrack(recorded)
        cadence = recorded.fileCadence
    }

    func bytes() -> [UInt8] {
        var xml = XMLWriter()
        xml.start("TrainingCenterDatabase", Self.names)
        xml.start("Activities")
        xml.start("Activity", [("Sport", sport)])
        xml.element("Id", Self.text(workout.start))
        for lap in sums.laps { append(lap, to: &xml) }
        if sport == "Other" || workout.activity.type == .handCycling {
            xml.element("Notes", Self.activityNote + workout.activity.name)
        }
        appendCreator(to: &xml)
        for _ in 0..<3 { xml.end() }
        return xml.bytes
    }

    private var sport: String {
        switch workout.activity.type {
        case .running: "Running"
        case .cycling, .handCycling: "Biking"
        default: "Other"
        }
    }

    private var isBiking: Bool { sport == "Biking" }

    private func append(_ lap: WorkoutSums.Part, to xml: inout XMLWriter) {
        let measures = lap.measures
        xml.start("Lap", [("StartTime", Self.text(lap.span.lowerBound))])
        xml.element("TotalTimeSeconds", lap.activeMilliseconds / 1_000)
        xml.element("DistanceMeters", (lap.centimeters ?? 0) / 100)
        xml.element("MaximumSpeed", measures.speed.flatMap { Self.thousandths($0.maximum) })
        xml.element("Calories", Self.integer(lap.kilocalories ?? 0, in: 0...65_535) ?? 0)
        let rates = 1.0...255
        xml.element(
            "AverageHeartRateBpm", value: Self.integer(measures.heartRate?.average, in: rates))
        xml.element(
            "MaximumHeartRateBpm", value: Self.integer(measures.heartRate?.maximum, in: rates))
        xml.element("Intensity", "Active")
        if isBiking { xml.element("Cadence", turns(measures.cadence?.average)) }
        xml.element("TriggerMethod", "Manual")
        let first = track.intervals.partitioned { $0.span.upperBound > lap.span.lowerBound }
        let inside = track.intervals[first...].prefix {
            $0.span.lowerBound < lap.span.upperBound
        }
        for interval in inside where !lap.span.isEmpty {
            append(interval, in: interval.span.clamped(to: lap.span), to: &xml)
        }
        appendExtension(of: lap, to: &xml)
        xml.end()
    }

    /// Writes the lap values of the activity extension, in the order of its schema.
    private func appendExtension(of lap: WorkoutSums.Part, to xml: inout XMLWriter) {
        let speed = lap.measures.speed.flatMap { Self.thousandths($0.average) }
        let average = isBiking ? nil : turns(lap.measures.cadence?.average)
        let highest = isBiking ? nil : turns(lap.measures.cadence?.maximum)
        let steps = Self.integer(lap.steps, in: 0...65_535)
        let power = lap.measures.power
        let watts = Self.integer(power?.average, in: 0...65_535)
        let highestWatts = Self.integer(power?.maximum, in: 0...65_535)
        let values = [speed, average, highest, steps, watts, highestWatts]
        guard values.contains(where: { $0 != nil }) else { return }
        xml.start("Extensions")
        xml.start("LX", Self.extensionNames)
        xml.element("AvgSpeed", speed)
        xml.element("AvgRunCadence", average)
        xml.element("MaxRunCadence", highest)
        xml.element("Steps", steps)
        xml.element("AvgWatts", watts)
        xml.element("MaxWatts", highestWatts)
        for _ in 0..<2 { xml.end() }
    }

    private func append(
        _ interval: WorkoutTrack.Interval, in span: Range<Instant>, to xml: inout XMLWriter
    ) {
        xml.start("Track")
        var last: Instant?
        let first = interval.points.partitioned { $0.second >= span.lowerBound.wholeSecond }
        for point in interval.points[first...].prefix(while: {
            $0.second <= span.upperBound.wholeSecond
        }
        ) {
            // The start of the second may be before the resume.
            let time = max(Instant(wholeSecond: point.second), interval.span.lowerBound)
            guard span.contains(time) || time == interval.span.upperBound,
                span.upperBound == interval.span.upperBound || time < span.upperBound
            else { continue }
            if last == nil, time > span.lowerBound { appendPoint(at: span.lowerBound, to: &xml) }
            append(point, at: time, to: &xml)
            last = time
        }
        if last == nil { appendPoint(at: span.lowerBound, to: &xml) }
        if last != span.upperBound { appendPoint(at: span.upperBound, to: &xml) }
        xml.end()
    }

    /// Writes a point without values, at the start or end of a track.
    private func appendPoint(at time: Instant, to xml: inout XMLWriter) {
        xml.start("Trackpoint")
        xml.element("Time", Self.text(time))
        xml.end()
    }

    private func append(_ point: WorkoutTrack.Point, at time: Instant, to xml: inout XMLWriter) {
        xml.start("Trackpoint")
        xml.element("Time", Self.text(time))
        xml.element("DistanceMeters", point.distance.map { ($0 * 100).rounded() / 100 })
        xml.element("HeartRateBpm", value: Self.integer(point.heartRate, in: 1...255))
        let cadence = turns(point.cadence)
        if isBiking { xml.element("Cadence", cadence) }
        let speed = point.speed.flatMap(Self.thousandths)
        let power = Self.integer(point.power, in: 0...65_535)
        if speed != nil || power != nil || (cadence != nil && !isBiking) {
            xml.start("Extensions")
            xml.start("TPX", Self.extensionNames)
            xml.element("Speed", speed)
            if !isBiking { xml.element("RunCadence", cadence) }
            xml.element("Watts", power)
            for _ in 0..<2 { xml.end() }
        }
        xml.end()
    }

    /// A time in microseconds: common readers reject more digits.
    private static func text(_ time: Instant) -> String {
        let fraction = time.nanosecondsSince1970 % 1_000
        return "\(time.adding(nanoseconds: -fraction))"
    }

    /// The cadence for TCX: up to 254, and for one foot of a runner.
    private func turns(_ perMinute: Double?) -> Double? {
        guard let perMinute, let cadence else { return nil }
        return Self.integer(perMinute / cadence.factor, in: 0...254)
    }

    private func appendCreator(to xml: inout XMLWriter) {
        let version =
            recorder.version?.drop { !("0"..."9").contains($0) }
            .prefix { ("0"..."9").contains($0) || $0 == "." }.split(separator: ".") ?? []
        xml.start("Creator", [("xsi:type", "Device_t")])
        xml.element("Name", recorder.name)
        xml.element("UnitId", 0)
        xml.element("ProductID", 0)
        xml.start("Version")
        xml.element("VersionMajor", Double(version.first.flatMap { UInt16($0) } ?? 0))
        xml.element("VersionMinor", Double(version.dropFirst().first.flatMap { UInt16($0) } ?? 0))
        for _ in 0..<2 { xml.end() }
    }

    /// A whole number in a range of the schema; nil outside of it.
    private static func integer(_ value: Double?, in range: ClosedRange<Double>) -> Double? {
        guard let rounded = value?.rounded(), range.contains(rounded) else { return nil }
        return rounded
    }

    private static func thousandths(_ value: Double) -> Double? {
        guard value.isFinite, value >= 0 else { return nil }
        return (value * 1_000).rounded() / 1_000
    }
}
