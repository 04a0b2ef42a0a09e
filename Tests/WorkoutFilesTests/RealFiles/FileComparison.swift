import Foundation
import HealthModel
import Workouts

@testable import WorkoutFiles

/// Compares what the import finds in a file to what readers of others find.
///
/// Heart rates must be equal, their mean to a millionth; times to a second; distance and energy to
/// a unit (1 m, 1 kcal) or 0.1 %.
struct FileComparison {
    /// A difference.
    struct Row: CustomStringConvertible {
        let file: String
        let quantity: String
        let theirs: String
        let ours: String
        /// Why the values differ; nil when that is not known.
        let reason: String?

        var description: String {
            [file, quantity, theirs, ours, reason ?? "NOT EXPLAINED"].joined(separator: " | ")
        }
    }

    let file: String
    let bytes: [UInt8]
    /// The reading of the messages or elements as they are.
    let plain: OtherReading?
    let tcxreader: OtherReading?

    init(_ file: String, _ bytes: [UInt8], _ readings: [OtherReading]) {
        self.file = file
        self.bytes = bytes
        plain = readings.first { $0.reader != "tcxreader" }
        tcxreader = readings.first { $0.reader == "tcxreader" }
    }

    func rows() -> [Row] {
        let imported: ImportedWorkout
        do {
            imported = try WorkoutFile.read(bytes)
        } catch {
            let theirs = plain?.error ?? "\(plain?.rates?.count ?? 0) heart rates"
            return [row("file", theirs, "\(error)", reason(of: error))]
        }
        guard let plain, plain.error == nil || plain.types != nil else {
            return [row("file", self.plain?.error ?? "nothing", "a workout", nil)]
        }
        if let error = plain.error, plain.times?.isEmpty ?? true {
            return [row("file", error, "a workout", Reason.othersFail)]
        }
        var rows: [Row] = []
        if let error = plain.error { rows.append(row("file", error, "a workout", Reason.strict)) }
        let theirs = FileSums(plain, imported)
        rows += heartRates(imported, plain)
        rows += amount(
            "distance", theirs.distance, sum(imported, imported.workout.activity.importedDistance),
            hasType: imported.workout.activity.importedDistance != nil)
        rows += amount("energy", theirs.energy, sum(imported, .activeEnergyBurned))
        rows += times(imported, theirs)
        rows += compareToTCXReader(imported, theirs)
        return rows
    }

    private func row(
        _ quantity: String, _ theirs: String, _ ours: String, _ reason: String?
    ) -> Row {
        Row(file: file, quantity: quantity, theirs: theirs, ours: ours, reason: reason)
    }

    private func sum(_ imported: ImportedWorkout, _ type: QuantityType?) -> Double {
        imported.samples.lazy.filter { $0.type == type }.reduce(0) { $0 + $1.quantity.value }
    }

    /// Why a file was refused.
    private func reason(of error: WorkoutFileError) -> String? {
        guard let plain else { return nil }
        let isActivity = plain.types.map { $0.contains(4) } ?? (plain.activities != 0)
        switch error {
        case .foreign where bytes.isEmpty: return Reason.damaged
        case .foreign where plain.root.map { $0 != "TrainingCenterDatabase" } ?? false:
            return Reason.otherFormat
        case .foreign, .checksum, .corrupt:
            return plain.error == nil ? nil : Reason.damaged
        case .noWorkout where !isActivity: return Reason.noActivity
        case .noWorkout where plain.times?.allSatisfy({ $0 == nil }) ?? true:
            return Reason.noTimes
        case .tooLong where isLong(plain): return Reason.tooLong
        case .noDate where plain.relative ?? 0 > 0 && plain.correlated == 0: return Reason.noDate
        default: return nil
        }
    }

    private func isLong(_ plain: OtherReading) -> Bool {
        let times = (plain.times ?? []).compactMap { $0 }
        return (times.max() ?? 0) - (times.min() ?? 0) > ImportDraft.maximumSeconds
    }

    // MARK: Heart rate

    private func heartRates(_ imported: ImportedWorkout, _ plain: OtherReading) -> [Row] {
        let ours = Spread(imported.samples.filter { $0.type == .heartRate }.map(\.quantity.value))
        var values = plain.rates ?? []
        let theirs = Spread(values.map(\.value))
        guard !theirs.isEqual(to: ours) else { return [] }
        let workout = imported.workout
        let span = workout.start.seconds - 1...workout.end.seconds + 1
        let steps: [(String, ([OtherReading.Value]) -> [OtherReading.Value])] = [
            (Reason.implausible, { $0.filter { 20...300 ~= $0.value } }),
            (Reason.withoutTime, { $0.filter { $0.time != nil } }),
            (Reason.oneMoment, Self.lastOfEachMoment),
            (Reason.outside, { $0.filter { $0.time.map(span.contains) ?? false } }),
        ]
        var reasons: [String] = []
        for (reason, step) in steps {
            let rest = step(values)
            if rest.count != values.count { reasons.append(reason) }
            values = rest
        }
        var reason = Spread(values.map(\.value)).isEqual(to: ours) ? reasons : []
        if reason.isEmpty, plain.stored ?? 0 > 0 { reason = [Reason.strap] }
        return [
            row(
                "heart rate", "\(theirs)", "\(ours)",
                reason.isEmpty ? nil : reason.joined(separator: ", "))
        ]
    }

    static func lastOfEachMoment(_ values: [OtherReading.Value]) -> [OtherReading.Value] {
        var last: [Double: Int] = [:]
        for (place, value) in values.enumerated() { last[value.time ?? -1] = place }
        return last.values.sorted().map { values[$0] }
    }

    // MARK: Amounts

    private func amount(
        _ name: String, _ theirs: FileSums.Amount, _ ours: Double, hasType: Bool = true
    ) -> [Row] {
        let expected = theirs.total ?? theirs.track
        guard !Self.isEqual(expected, ours) else { return [] }
        let reason: String? =
            if !hasType {
                Reason.noType
            } else if name == "energy", expected > 50_000, ours == 0 {
                Reason.implausible
            } else if theirs.total != nil, Self.isEqual(theirs.track, ours), ours > expected {
                Reason.trackHasMore
            } else {
                nil
            }
        return [row(name, Self.text(expected), Self.text(ours), reason)]
    }

    static func isEqual(_ one: Double, _ other: Double) -> Bool {
        abs(one - other) <= max(1.001, max(one, other) * 0.001)
    }

    private static func text(_ value: Double) -> String { "\((value * 1_000).rounded() / 1_000)" }

    // MARK: Times

    private func times(_ imported: ImportedWorkout, _ theirs: FileSums) -> [Row] {
        [
            ("start", theirs.start, imported.workout.start),
            ("end", theirs.end, imported.workout.end),
        ].flatMap { name, moments, ours in
            guard let expected = moments.whole ?? moments.track,
                abs(expected - ours.seconds) > 1.001
            else { return [Row]() }
            let isTrack = moments.track.map { abs($0 - ours.seconds) <= 1.001 } ?? false
            let text = "\(Instant(wholeSecond: Int64(expected)))"
            return [row(name, text, "\(ours)", isTrack ? Reason.recordsOutside : nil)]
        }
    }

    // MARK: TCX

    /// What tcxreader calculates; its totals are those of the file's first activity.
    private func compareToTCXReader(_ imported: ImportedWorkout, _ plain: FileSums) -> [Row] {
        guard let tcxreader else { return [] }
        if let error = tcxreader.error {
            return [row("tcxreader", error, "a workout", Reason.strict)]
        }
        var rows: [Row] = []
        let lists = (tcxreader.rates ?? [], self.plain?.rates ?? [])
        let spreads = (Spread(lists.0.map(\.value)), Spread(lists.1.map(\.value)))
        if !spreads.0.isEqual(to: spreads.1) {
            let isOfMore = self.plain?.activities ?? 1 > 1
            rows.append(
                row(
                    "tcxreader heart rate", "\(spreads.0)", "\(spreads.1)",
                    isOfMore ? Reason.severalActivities : nil))
        }
        for (name, theirs, ours) in [
            ("distance", tcxreader.distance, plain.distance),
            ("energy", tcxreader.energy, plain.energy),
        ] {
            let (theirs, ours) = (theirs ?? 0, ours.total ?? ours.track)
            guard !Self.isEqual(theirs, ours) else { continue }
            let isOfMore = self.plain?.activities ?? 1 > 1
            rows.append(
                row(
                    "tcxreader \(name)", Self.text(theirs), Self.text(ours),
                    isOfMore ? Reason.severalActivities : nil))
        }
        return rows
    }
}

/// Why the import and other readers differ.
private enum Reason {
    static let damaged = "the file is damaged: both refuse it"
    static let strict = "the other reader is stricter"
    static let othersFail = "the other readers fail on the file"
    static let otherFormat = "another format"
    static let noActivity = "no activity: settings, course or other data"
    static let tooLong = "longer than a week: refused"
    static let noTimes = "an activity without any time"
    static let noDate = "the clock of the device was not set"
    static let implausible = "implausible values are skipped"
    static let withoutTime = "values without a time are skipped"
    static let oneMoment = "of one moment the last value counts"
    static let outside = "values far outside the workout are skipped"
    static let strap = "the beats that the strap stored replace those of the watch"
    static let noType = "no sample type for the distance of this activity"
    static let trackHasMore = "the points have more than the total, and are kept"
    static let recordsOutside =
        "the points are the start or end, which sessions and laps do not have exactly"
    static let severalActivities = "tcxreader adds further activities"
}

/// Number, minimum, maximum and mean of values.
private struct Spread: CustomStringConvertible {
    let count: Int
    let minimum: Double
    let maximum: Double
    let mean: Double

    init(_ values: [Double]) {
        count = values.count
        minimum = values.min() ?? 0
        maximum = values.max() ?? 0
        mean = values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
    }

    func isEqual(to other: Spread) -> Bool {
        count == other.count && minimum == other.minimum && maximum == other.maximum
            && abs(mean - other.mean) < 1e-6
    }

    var description: String {
        "\(count): \(minimum) to \(maximum), mean \((mean * 1_000).rounded() / 1_000)"
    }
}

extension Instant {
    fileprivate var seconds: Double { Double(nanosecondsSince1970) / 1e9 }
}
