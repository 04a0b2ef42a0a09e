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
    /// The stored samples of the import.
    private let own: Set<RecordID>
    /// The other stored samples.
    let others: [StoredValue]

    init(of series: ImportedSamples.Series, in samples: ImportedSamples, _ stored: [StoredValue]) {
        self.samples = samples
        self.series = series
        let ids = Set(samples.ids(of: series))
        let own = Set(
            stored.lazy.filter {
                ids.contains($0.id) || Self.isPart($0, of: series, in: samples)
            }.map(\.id))
        self.own = own
        others = own.isEmpty ? stored : stored.filter { !own.contains($0.id) }
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
            if own.contains(samples.id(of: value, whole: whole, in: series)) {
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
