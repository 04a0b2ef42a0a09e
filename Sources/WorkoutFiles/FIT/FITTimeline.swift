import HealthModel
import Workouts

/// The events, records and beats of a FIT file, in time order.
struct FITTimeline {
    private static let timer = 0
    private static let userMarker = 32
    private static let beatsPerMessage = 5

    private let workout: Workout
    private let track: WorkoutTrack
    /// The factor between the cadence samples and the FIT cadence.
    private let cadenceFactor: Double
    private let fields: Set<Field>

    /// A field that at least one record has.
    private enum Field { case heartRate, cadence, distance, speed, power, energy }

    init(_ recorded: RecordedWorkout) {
        workout = recorded.workout
        track = WorkoutTrack(recorded)
        cadenceFactor = recorded.fileCadence?.factor ?? 1
        var fields: Set<Field> = []
        for point in track.intervals.lazy.flatMap(\.points) {
            if point.heartRate != nil { fields.insert(.heartRate) }
            if point.cadence != nil { fields.insert(.cadence) }
            if point.distance != nil { fields.insert(.distance) }
            if point.speed != nil { fields.insert(.speed) }
            if point.power != nil { fields.insert(.power) }
            if point.energy != nil { fields.insert(.energy) }
        }
        self.fields = fields
    }

    func append(to writer: inout FITWriter) {
        var markers = workout.events.filter { $0.kind == .marker }[...]
        append(event: Self.timer, type: 0, at: workout.start, to: &writer)
        if workout.start < track.intervals.first?.span.lowerBound ?? workout.end {
            append(event: Self.timer, type: 1, at: workout.start, to: &writer)
        }
        for (place, interval) in track.intervals.enumerated() {
            if interval.span.lowerBound > workout.start {
                // Markers in the pause come before its end.
                append(&markers, before: interval.span.lowerBound, to: &writer)
                append(event: Self.timer, type: 0, at: interval.span.lowerBound, to: &writer)
            }
            for point in interval.points {
                append(&markers, before: Instant(wholeSecond: point.second), to: &writer)
                append(point, to: &writer)
            }
            let isEnd =
                place == track.intervals.count - 1 && interval.span.upperBound == workout.end
            if !isEnd {
                append(&markers, before: interval.span.upperBound, to: &writer)
                append(event: Self.timer, type: 1, at: interval.span.upperBound, to: &writer)
            }
        }
        append(&markers, before: nil, to: &writer)
        append(event: Self.timer, type: 4, at: workout.end, to: &writer)
    }

    private func append(
        _ markers: inout ArraySlice<WorkoutEvent>, before end: Instant?, to writer: inout FITWriter
    ) {
        while let marker = markers.first, end.map({ marker.start < $0 }) ?? true {
            append(event: Self.userMarker, type: 3, at: marker.start, to: &writer)
            markers.removeFirst()
        }
    }

    private func append(event: Int, type: Int, at moment: Instant, to writer: inout FITWriter) {
        writer.append(
            .event,
            [
                .uint32(253, FITTime.number(moment)), .enumeration(0, event),
                .enumeration(1, type),
            ])
    }

    private func append(_ point: WorkoutTrack.Point, to writer: inout FITWriter) {
        var record: [FITField] = [.uint32(253, FITTime.number(second: point.second))]
        if fields.contains(.heartRate) { record.append(.uint8(3, point.heartRate)) }
        if fields.contains(.cadence) {
            // FIT splits the cadence: 171 steps are 85 and a half revolutions.
            let turns = point.cadence.map { $0 / cadenceFactor }
            let whole = turns?.rounded(.down)
            let isShown = whole.map { $0 >= 0 && $0 < 255 } ?? false
            record.append(.uint8(4, whole))
            let part = isShown ? turns.map { $0 - $0.rounded(.down) } : nil
            record.append(.uint8(53, part, scale: 128))
        }
        if fields.contains(.distance) { record.append(.uint32(5, point.distance, scale: 100)) }
        if fields.contains(.speed) { record.append(.uint16(6, point.speed, scale: 1_000)) }
        if fields.contains(.power) { record.append(.uint16(7, point.power)) }
        if fields.contains(.energy) { record.append(.uint16(33, point.energy)) }
        writer.append(.record, record)
        append(beats: point.beats[...], to: &writer)
    }

    private func append(beats: ArraySlice<Double>, to writer: inout FITWriter) {
        var rest = beats
        while !rest.isEmpty {
            let count = Self.beatsPerMessage
            writer.append(.heartRateVariability, [.uint16s(0, rest.prefix(count), count: count)])
            rest = rest.dropFirst(count)
        }
    }
}
