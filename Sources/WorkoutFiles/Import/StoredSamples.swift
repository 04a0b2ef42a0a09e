import HealthModel
import HealthStatistics
import Workouts

/// A stored sample of a workout, as far as an import compares it.
struct StoredValue {
    let id: RecordID
    let start: Instant
    let end: Instant
    /// In the canonical unit of the imported type; nil when it has no such value.
    let value: Double?
}

/// The stored readings of a workout.
struct StoredReadings {
    /// How far apart readings may be that are the same: files have whole seconds, and repeat a
    /// reading until the next one.
    private static let toleranceSeconds = 5.0
    /// By how much less the times of files differ from those of the workout: they are whole seconds.
    private static let roundingSeconds = 1.0

    private let spans: [ClosedRange<Instant>]
    private let span: Range<Instant>

    /// - Parameter span: The time of the stored workout, outside of which there is no stored reading.
    init(_ samples: some Sequence<StoredValue>, during span: Range<Instant>) {
        spans = samples.map { $0.start...$0.end }.sorted { $0.upperBound < $1.upperBound }
        self.span = span
    }

    /// The readings at times without stored ones, and all outside of the stored workout: it may be a part
    /// of the file.
    func lacking(_ series: ImportedSamples.Series) -> ImportedSamples.Series {
        guard !spans.isEmpty else { return series }
        var lacking = series
        lacking.values = series.values.exactly { value in
            if isOutside(value.span) { return true }
            let earliest = value.span.lowerBound.later(bySeconds: -Self.toleranceSeconds)
            let next = spans.partitioned { $0.upperBound >= earliest }
            guard next < spans.count else { return true }
            let latest = value.span.upperBound.later(bySeconds: Self.toleranceSeconds)
            return spans[next].lowerBound > latest
        }
        return lacking
    }

    private func isOutside(_ reading: Range<Instant>) -> Bool {
        reading.lowerBound.seconds(since: span.upperBound) >= Self.roundingSeconds
            || span.lowerBound.seconds(since: reading.upperBound) >= Self.roundingSeconds
    }
}

/// The stored amounts of a workout, whose time is counted once however many devices counted it.
struct StoredCounts {
    /// How much faster than in the file an amount may rise to reach the total of the file.
    private static let maximumFactor = 2.0
    /// A smaller difference, as a share of the sum, is one of the arithmetic.
    private static let exactShare = 1e-9

    private var spans: [Range<Instant>] = []
    private var total = 0.0

    /// - Parameter span: The time of the workout; amounts outside of it are not counted.
    init(_ samples: some Sequence<StoredValue>, during span: Range<Instant>) {
        var reached = span.lowerBound
        for sample in samples.sorted(by: { ($0.start, $0.end) < ($1.start, $1.end) }) {
            let end = min(sample.end, span.upperBound)
            let start = max(sample.start, reached)
            guard start < end, let value = sample.value else { continue }
            total += value * ((start..<end).seconds / (sample.start..<sample.end).seconds)
            spans.appendSparingly(start..<end)
            reached = end
        }
    }

    /// The amounts at times without stored ones, so that the sum becomes that of the file.
    func lacking(
        _ series: ImportedSamples.Series
    ) -> (series: ImportedSamples.Series, difference: WorkoutAddition.Difference?) {
        var lacking = series
        lacking.values = []
        let imported = series.values.sum
        let tolerance = ImportTotals(total: imported).tolerance
        let missing = imported - total
        guard missing > tolerance else { return (lacking, nil) }
        guard !spans.isEmpty else { return (series, nil) }
        lacking.wholes.reserveCapacity(series.values.count)
        lacking.values.reserveCapacity(series.values.count)
        for whole in series.values {
            for span in free(whole.span) {
                lacking.wholes.appendSparingly(whole)
                lacking.values.appendSparingly(
                    .init(span: span, value: whole.amount(in: span)))
            }
        }
        let sum = lacking.values.sum
        let isWhole = abs(missing - sum) <= imported * Self.exactShare
        let factor = isWhole || sum <= 0 ? 1 : min(missing / sum, Self.maximumFactor)
        for place in lacking.values.indices {
            let part = lacking.values[place]
            lacking.values[place] = .init(span: part.span, value: part.value * factor)
        }
        let rest = missing - sum * factor
        guard rest > tolerance else { return (lacking, nil) }
        return (
            lacking,
            WorkoutAddition.Difference(
                type: series.type, stored: imported - rest, imported: imported)
        )
    }

    /// The parts of a span without stored amounts.
    private func free(_ span: Range<Instant>) -> [Range<Instant>] {
        let first = spans.partitioned { $0.upperBound > span.lowerBound }
        return span.without(Array(spans[first...].prefix { $0.lowerBound < span.upperBound }))
    }
}

extension ImportDraft.Amount {
    fileprivate func amount(in part: Range<Instant>) -> Double {
        value * (part.seconds / span.seconds)
    }
}
