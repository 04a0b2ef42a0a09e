import AppleHealth
package import GatewayHost
package import HealthModel

/// Reads the records of a file again, with the ids that its import gave them.
package struct ImportedRecords {
    private static let batchSize = 4_096

    private let path: String
    private let pieces: FilePieces
    private var reader: any RecordFileReader
    /// The error that ends the file early; the records before it are complete.
    package private(set) var failure: HostError?

    /// Opens the file.
    ///
    /// - Parameters:
    ///   - format: The format; nil for one that is not recognised, to report what it is.
    ///   - person: The person of records without one, as in the import.
    ///   - now: The current time; no record ends more than a day later.
    ///   - calendar: The calendar of dates without a time.
    ///   - isOfWorkoutsOnly: Whether records may be skipped that are neither workouts nor samples of one.
    package init(
        _ path: String, format: ImportFormat?, person: String, types: QuantityTypes, now: Instant,
        calendar: LocalCalendar, isOfWorkoutsOnly: Bool = false
    ) throws(HostError) {
        self.path = path
        pieces = try FilePieces(path)
        let start = try pieces.next()
        reader = try HealthLoad.reader(
            path, format, start, isLast: pieces.isAtEnd, person: person, types: types, now: now,
            calendar: calendar, isOfWorkoutsOnly: isOfWorkoutsOnly)
    }

    /// Returns the next records; empty at the end of the file, or at its first error.
    package mutating func next() throws(HostError) -> [Record] {
        while failure == nil {
            let records = batch()
            guard records.isEmpty, failure == nil, !pieces.isAtEnd else { return records }
            let piece = try pieces.next()
            reader.append(piece, isLast: pieces.isAtEnd)
        }
        return []
    }

    private mutating func batch() -> [Record] {
        do {
            return try reader.records(limit: Self.batchSize)
        } catch {
            failure = HostError.file(path, "\(error)")
            return reader.takePending()
        }
    }
}
