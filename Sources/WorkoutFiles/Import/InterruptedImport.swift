import HealthModel
import Workouts

/// The samples of a series that an earlier import of the same file has stored.
///
/// An import delivers its samples in parts, and may be interrupted between two of them. What it has
/// stored is no record of another device, so the same import does not compare itself with it: what
/// it adds in the end does not depend on where it was interrupted.
struct InterruptedImport {
    private let samples: ImportedSamples
    private let series: ImportedSamples.Series
    /// The stored samples of the import, sorted.
    private let own: [RecordID]
    /// The other stored samples; none when there are no stored samples of the import.
    let others: [StoredValue]

    init(
        of series: ImportedSamples.Series, in samples: ImportedSamples,
        _ stored: some Sequence<StoredValue>
    ) {
        self.samples = samples
        self.series = series
        let ids = samples.ids(of: series).sorted()
        func isOwn(_ value: StoredValue) -> Bool {
            ids.containsSorted(value.id) || Self.isPart(value, of: series, in: samples)
        }
        var own: [RecordID] = []
        for value in stored where isOwn(value) { own.appendSparingly(value.id) }
        own.sort()
        self.own = own
        others = own.isEmpty ? [] : stored.filter { !own.containsSorted($0.id) }
    }

    /// Whether there is something of an earlier import.
    var isEmpty: Bool { own.isEmpty }

    /// What the earlier import has not stored of an addition; nil when it has stored something else,
    /// because the store was another one then.
    func rest(of addition: ImportedSamples.Series) -> ImportedSamples.Series? {
        var rest = addition
        (rest.values, rest.wholes) = ([], [])
        var found = 0
        for (index, value) in addition.values.enumerated() {
            let whole = addition.wholes.isEmpty ? value : addition.wholes[index]
            if own.containsSorted(samples.id(of: value, whole: whole, in: series)) {
                found += 1
            } else {
                rest.values.append(value)
                if !addition.wholes.isEmpty { rest.wholes.append(whole) }
            }
        }
        return found == own.count ? rest : nil
    }

    /// Whether a stored sample is a part of a value of a series.
    private static func isPart(
        _ stored: StoredValue, of series: ImportedSamples.Series, in samples: ImportedSamples
    ) -> Bool {
        guard series.type.isCumulative, let value = stored.value, stored.start < stored.end else {
            return false
        }
        let next = series.values.partitioned { $0.span.upperBound > stored.start }
        guard next < series.values.count else { return false }
        let part = ImportDraft.Amount(span: stored.start..<stored.end, value: value)
        return samples.id(of: part, whole: series.values[next], in: series) == stored.id
    }
}
