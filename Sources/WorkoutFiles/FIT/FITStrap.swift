import HealthModel
import Workouts

/// The beats that a strap stored, and that a watch appends to its file later (FIT Profile, message
/// "hr").
///
/// An anchor has the date of a beat and its time in ticks of 1/1024 s; the later beats have the last
/// 12 bits of their ticks.
struct FITStrap {
    private struct Beat {
        let time: Instant
        let rate: Double
        /// The ticks since the previous beat; nil for an anchor.
        let ticks: Int64?
    }

    private static let ticksPerSecond = 1_024.0
    private static let lastBits: Int64 = 0xFFF
    /// How long the strap's rates replace those of the watch, before and after each beat (FIT SDK,
    /// "HR message plugin").
    private static let coverageSeconds = 5.0

    private var beats: [Beat] = []
    private var anchor: (time: Instant, ticks: Int64)?
    /// The ticks of the newest beat, and of the one before.
    private var newest: Int64 = 0
    private var previous: Int64 = 0
    private var skipped = 0

    mutating func add(_ message: FITMessage) throws(WorkoutFileError) {
        let rates = message.numbers(6)
        let place = message.number(9).flatMap { UInt32(exactly: $0) }.map { Int64($0) }
        if let place, let second = message.second {
            let fraction =
                message.number(0).map { $0 / 32_768 } ?? message.number(1).map { $0 / 256 } ?? 0
            anchor = (Instant(wholeSecond: second).later(bySeconds: fraction), place)
            newest = place
            try append(rates.first ?? nil, isAnchor: true)
        } else if let place {
            newest += Int64(Int32(truncatingIfNeeded: place - newest))
            try append(rates.first ?? nil, isAnchor: true)
        } else {
            for (rate, bits) in zip(rates, Self.parts(message.raw(10))) {
                newest += (bits - newest) & Self.lastBits
                try append(rate, isAnchor: false)
            }
        }
    }

    /// The numbers of 12 bits, the first one in the lowest bits.
    private static func parts(_ bytes: ArraySlice<UInt8>) -> [Int64] {
        var (bits, count): (Int64, Int64) = (0, 0)
        var parts: [Int64] = []
        for byte in bytes {
            bits |= Int64(byte) << count
            count += 8
            guard count >= 12 else { continue }
            parts.append(bits & lastBits)
            bits >>= 12
            count -= 12
        }
        return parts
    }

    private mutating func append(_ rate: Double?, isAnchor: Bool) throws(WorkoutFileError) {
        guard let rate, let anchor else {
            skipped += 1
            return
        }
        guard beats.count < ImportDraft.maximumBeatCount else { throw .tooMany("beats") }
        let seconds = Double(newest - anchor.ticks) / Self.ticksPerSecond
        beats.append(
            Beat(
                time: anchor.time.later(bySeconds: seconds), rate: rate,
                ticks: isAnchor ? nil : newest - previous))
        previous = newest
    }

    /// Moves the beats of the workout to a draft, where they replace those of the watch.
    mutating func move(to draft: inout ImportDraft) throws(WorkoutFileError) {
        draft.skipped.values += skipped
        guard !beats.isEmpty, let start = draft.start, let end = draft.end else { return }
        beats.sort { $0.time < $1.time }
        let inside = beats.filter { start <= $0.time && $0.time <= end }
        draft.skipped.values += beats.count - inside.count
        draft.removeHeart { time in
            let next = inside.partitioned { $0.time >= time }
            return [next - 1, next].contains { place in
                inside.indices.contains(place)
                    && abs(inside[place].time.seconds(since: time)) <= Self.coverageSeconds
            }
        }
        for beat in inside {
            var point = ImportDraft.Point(time: beat.time)
            point.heartRate = beat.rate
            try draft.append(point)
            guard let ticks = beat.ticks, ticks > 0 else { continue }
            let milliseconds = Double(ticks) * 1_000 / Self.ticksPerSecond
            draft.intervals.append(
                RRInterval(
                    start: beat.time.later(bySeconds: -milliseconds / 1_000), end: beat.time,
                    milliseconds: milliseconds))
        }
    }
}
