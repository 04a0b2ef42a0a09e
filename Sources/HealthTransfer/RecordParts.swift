package import HealthModel

/// Records in parts, each made when it is delivered, so that memory does not depend on their number.
package struct RecordParts: Sequence, Sendable {
    /// The number of records in a part: those of a transaction of the journal.
    static let partSize = 2_048

    private let makeRecords: @Sendable () -> AnyIterator<Record>
    private var hasEmptyPart = false

    /// A few records in one part.
    package init(_ records: [Record]) {
        makeRecords = { AnyIterator(records.makeIterator()) }
    }

    /// One part without a record, with which a gateway delivers what it has accepted before.
    package static let empty = {
        var parts = RecordParts([])
        parts.hasEmptyPart = true
        return parts
    }()

    /// Samples, and the workout that they belong to as the last record.
    package init(_ samples: some Sequence<QuantitySample> & Sendable, of workout: Workout) {
        makeRecords = {
            var samples = samples.makeIterator()
            var last: Record? = .workout(workout)
            return AnyIterator {
                if let sample = samples.next() { return .sample(sample) }
                defer { last = nil }
                return last
            }
        }
    }

    package func makeIterator() -> AnyIterator<[Record]> {
        let records = makeRecords()
        var hasEmptyPart = hasEmptyPart
        return AnyIterator {
            let part = Array(records.prefix(Self.partSize))
            defer { hasEmptyPart = false }
            return part.isEmpty && !hasEmptyPart ? nil : part
        }
    }
}
