import AppleHealth
package import GatewayHost
package import HealthModel
package import JSON
import Platform
import Readings
package import SQLiteStore
package import Terminal

/// Reads a file of records and stores them, batch by batch.
package struct HealthLoad {
    /// The number of records in a transaction.
    private static let batchSize = 4_096

    /// What a load needs besides its file.
    package struct Context {
        /// The person of records without one.
        let person: String
        let types: QuantityTypes
        /// The current time; no record ends more than a day later.
        let now: Instant
        /// The calendar of dates without a time.
        let calendar: LocalCalendar
        /// The records that the caller compares and stores.
        let compared: ComparedWorkouts
        /// Opens the store for writing.
        let openStore: () throws -> SQLiteStore
        /// The places at which earlier imports were interrupted; nil without a data directory.
        let places: ImportPlaces?

        package init(
            person: String, types: QuantityTypes, now: Instant, calendar: LocalCalendar,
            places: ImportPlaces?, compared: ComparedWorkouts = ComparedWorkouts(),
            openStore: @escaping () throws -> SQLiteStore
        ) {
            self.person = person
            self.types = types
            self.now = now
            self.calendar = calendar
            self.places = places
            self.compared = compared
            self.openStore = openStore
        }
    }

    private let path: String
    private let file: ImportedFile
    private let context: Context
    private let pieces: FilePieces
    private var reader: any RecordFileReader
    private var progress: ProgressLine
    /// The number of bytes of the file that an earlier import has read.
    private var firstPosition = 0
    private var keeper: ImportPlaceKeeper?
    /// The store; nil before the first record, so that a wrong file creates none.
    private var store: SQLiteStore?
    /// Whether the person of a record is deleted, which ends the import.
    private var isOfDeletedPerson = false
    /// The numbers of records that were stored and that were in the store.
    package private(set) var outcome = SaveOutcome()
    /// The number of records that the caller stores.
    private var leftOutCount = 0
    /// The share of the file, in percent, that an earlier import has read; nil from the start.
    package private(set) var continuedAt: Int?

    /// Opens the file.
    ///
    /// - Parameter format: The format; nil for one that is not recognised, to report what it is.
    package init(
        _ path: String, format: ImportFormat?, _ context: Context, progress: ProgressLine
    ) async throws(HostError) {
        self.path = path
        self.context = context
        self.progress = progress
        let pieces = try FilePieces(path)
        file = try ImportedFile(at: path)
        let start = try pieces.next()
        // Another import of the file that runs now keeps the place.
        let isAlone = pieces.lockUnlessHeld()
        let places = isAlone ? context.places : nil
        let keeper = try places.map { (places) throws(HostError) in
            try ImportPlaceKeeper(places, path: path, person: context.person, pieces)
        }
        let place = try await Self.place(of: keeper, context)
        self.pieces = pieces
        self.keeper = keeper
        let head = place.map { Array(start.prefix($0.headCount)) } ?? start
        reader = try Self.reader(
            path, format, head, isLast: place == nil && pieces.isAtEnd, person: context.person,
            types: context.types, now: context.now, calendar: context.calendar)
        if let place { try skip(to: place) }
    }

    /// The place at which an earlier import was interrupted, if the store still has what it stored.
    private static func place(
        of keeper: ImportPlaceKeeper?, _ context: Context
    ) async throws(HostError) -> FilePlace? {
        guard let found = try keeper?.place() else { return nil }
        do {
            let store = try context.openStore()
            return try await store.hasReached(found.anchor) ? found.place : nil
        } catch {
            throw HostError(error)
        }
    }

    /// Makes the reader of a format, with the start of the file.
    ///
    /// - Parameter isOfWorkoutsOnly: Whether it may skip records that are neither workouts nor samples of one.
    static func reader(
        _ path: String, _ format: ImportFormat?, _ start: [UInt8], isLast: Bool, person: String,
        types: QuantityTypes, now: Instant, calendar: LocalCalendar, isOfWorkoutsOnly: Bool = false
    ) throws(HostError) -> any RecordFileReader {
        let check = RecordCheck(RecordTimeBounds(at: now))
        var reader: any RecordFileReader
        switch format {
        case .recordLines:
            reader = RecordLinesFile(
                person: person, check: check, types: types, isOfWorkoutsOnly: isOfWorkoutsOnly)
        case .samples:
            reader = SampleTableFile(
                person: person, check: check, types: types, calendar: calendar)
        case .appleHealth, .workout, nil:
            do throws(AppleHealthError) {
                return AppleHealthFile(
                    try AppleHealthReader(start, isLast: isLast, person: person, now: now))
            } catch {
                throw HostError.file(path, "\(error)", cause: .input)
            }
        }
        reader.append(start, isLast: isLast)
        return reader
    }

    /// Reads the start of the file, and continues where an earlier import was interrupted.
    private mutating func skip(to place: FilePlace) throws(HostError) {
        guard try batch().isEmpty else { throw HostError.file(path, "the file has changed") }
        reader.skip(to: place)
        try pieces.seek(to: place.offset)
        firstPosition = place.offset
        continuedAt = ProgressLine.percent(place.offset, of: pieces.size)
        let piece = try pieces.next()
        reader.append(piece, isLast: pieces.isAtEnd)
    }

    /// What was left out, one line for each reason.
    package var omissions: [String] {
        guard continuedAt != nil else { return reader.omissions }
        return reader.omissions.map { "of the rest of the file, \($0)" }
    }

    /// Whether the file has a valid record.
    package var hasRecords: Bool { outcome.importedCount > 0 }

    /// The result as a sentence.
    package var summary: String {
        let rest = continuedAt == nil ? "" : " of the rest of the file"
        let verb = outcome.alreadyStored == 1 ? "was" : "were"
        return "imported \(DeletionText.records(outcome.stored))\(rest), "
            + "\(outcome.alreadyStored) \(verb) already in the store\(olderVersions)"
            + (outcome.refusal.map { "; refused: \($0)" } ?? "")
    }

    /// Writes the result for programs.
    package func write(to json: inout JSONWriter) {
        json.field("stored", Int64(outcome.stored))
        json.field("alreadyStored", Int64(outcome.alreadyStored))
        json.field("olderVersions", Int64(outcome.olderVersions))
        guard let refusal = outcome.refusal else { return }
        json.field("refused", Int64(outcome.conflicts.count))
        json.field("refusal", refusal)
    }

    private var olderVersions: String {
        guard outcome.olderVersions > 0 else { return "" }
        let verb = outcome.olderVersions == 1 ? "was" : "were"
        return ", \(outcome.olderVersions) \(verb) there in the same or a later version"
    }

    /// Counts the records that were left out: the caller has stored `count` of them in workouts, and the others
    /// were stored before.
    package mutating func add(completing count: Int) {
        outcome.stored += count
        outcome.alreadyStored += max(0, leftOutCount - count)
    }

    /// Stores all records of the file; returns the error that ended it early.
    package mutating func run() async -> HostError? {
        defer {
            progress.end()
            pieces.unlock()
        }
        do throws(HostError) {
            while true {
                let records = try batch()
                try await save(records)
                progress.show(pieces, count: outcome.importedCount, after: firstPosition)
                guard records.isEmpty else { continue }
                if pieces.isAtEnd { break }
                let piece = try pieces.next()
                reader.append(piece, isLast: pieces.isAtEnd)
            }
            try await keeper?.end()
            guard !hasRecords, leftOutCount == 0, continuedAt == nil, reader.problemCount > 0 else {
                return nil
            }
            throw HostError.file(path, "no line is a valid record", cause: .input)
        } catch {
            // The records before the error are complete.
            if !isOfDeletedPerson { try? await save(reader.takePending()) }
            return error
        }
    }

    private mutating func batch() throws(HostError) -> [Record] {
        do {
            return try reader.records(limit: Self.batchSize)
        } catch {
            throw HostError.file(path, "\(error)", cause: .input)
        }
    }

    /// The records without those that the caller stores, which are counted.
    private mutating func wanted(_ records: [Record]) -> [Record] {
        guard !context.compared.isEmpty else { return records }
        let wanted = records.filter { !context.compared.contains($0) }
        leftOutCount += records.count - wanted.count
        return wanted
    }

    private mutating func save(_ all: [Record]) async throws(HostError) {
        let records = wanted(all)
        guard !records.isEmpty else { return }
        do {
            let store = try self.store ?? context.openStore()
            self.store = store
            let saved = try await store.save(records, of: file)
            outcome.add(saved)
            try await keeper?.keep(reader.place, in: store)
        } catch SQLiteStoreError.deletedPerson(let name, let path) {
            isOfDeletedPerson = true
            try await keeper?.end()
            throw HostError(SQLiteStoreError.deletedPerson(name: name, path: path))
        } catch {
            throw HostError(error)
        }
    }
}
