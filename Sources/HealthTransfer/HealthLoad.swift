import AppleHealth
package import GatewayHost
package import HealthModel
package import HealthStore

/// Reads an export of Apple Health and stores its records, batch by batch.
package struct HealthLoad {
    /// The number of records in a transaction.
    private static let batchSize = 4_096

    private let path: String
    private let openStore: () throws -> HealthStore
    private let pieces: FilePieces
    private var reader: AppleHealthReader
    private var progress: TransferProgress
    /// The store; nil before the first record, so that a wrong file creates none.
    private var store: HealthStore?
    /// The numbers of records that were stored and that were in the store.
    package private(set) var outcome = SaveOutcome()

    /// Opens the file.
    ///
    /// - Parameters:
    ///   - now: The current time; no record ends more than a day later.
    ///   - openStore: Opens the store for writing.
    package init(
        _ path: String, person: String, now: Instant, progress: TransferProgress,
        openStore: @escaping () throws -> HealthStore
    ) throws(HostError) {
        self.path = path
        self.openStore = openStore
        self.progress = progress
        pieces = try FilePieces(path)
        let first = try pieces.next()
        do {
            reader = try AppleHealthReader(
                first, isLast: pieces.isAtEnd, person: person, now: now)
        } catch {
            throw HostError(.failure, "\(path): \(error)")
        }
    }

    /// What was left out, one line for each reason.
    package var omissions: [String] { reader.counts.omissions }

    /// The result as a sentence.
    package var summary: String {
        "imported \(outcome.stored) records, \(outcome.alreadyStored) were already in the store"
    }

    /// Stores all records of the file; returns the error that ended it early.
    package mutating func run() async -> HostError? {
        defer { progress.end() }
        do throws(HostError) {
            while true {
                let records = try batch()
                try await save(records)
                progress.show(pieces, count: outcome.stored + outcome.alreadyStored)
                guard records.isEmpty else { continue }
                if pieces.isAtEnd { return nil }
                let piece = try pieces.next()
                reader.append(piece, isLast: pieces.isAtEnd)
            }
        } catch {
            // The records before the error are complete.
            try? await save(reader.takePending())
            return error
        }
    }

    private mutating func batch() throws(HostError) -> [Record] {
        do {
            return try reader.records(limit: Self.batchSize)
        } catch {
            throw HostError(.failure, "\(path): \(error)")
        }
    }

    private mutating func save(_ records: [Record]) async throws(HostError) {
        guard !records.isEmpty else { return }
        do {
            let store = try self.store ?? openStore()
            self.store = store
            let saved = try await store.save(records)
            outcome.stored += saved.stored
            outcome.alreadyStored += saved.alreadyStored
        } catch {
            throw HostError(.failure, "\(error)")
        }
    }
}
