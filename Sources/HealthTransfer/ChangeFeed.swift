package import GatewayHost
import HealthModel
package import HealthStore
import JSON
import StoreRequests

/// Writes what was stored and removed in a store as JSON, one object a line.
///
/// After each page comes its anchor: as a line, or in a file. So whoever has read a page completely
/// continues after it, and one who has not gets it again.
package struct ChangeFeed: Sendable {
    /// Writes a page; false when nobody reads any more.
    package typealias Write = @Sendable ([UInt8]) throws(HostError) -> Bool

    private let store: any HealthStore
    private let anchorFile: AnchorFile?
    private var anchor: StoreAnchor?
    private var lines = ChangeLines()

    /// Makes a feed.
    ///
    /// - Parameters:
    ///   - anchor: Where to begin; nil for all records.
    ///   - anchorFile: The file that keeps the anchor; nil to write it as lines.
    package init(
        of store: any HealthStore, since anchor: StoreAnchor?,
        keepingAnchorIn anchorFile: AnchorFile?
    ) {
        self.store = store
        self.anchor = anchor
        self.anchorFile = anchorFile
    }

    /// How the writing has ended.
    package enum Ending: Sendable {
        /// Everything is written.
        case complete
        /// Nobody reads any more.
        case closed
        /// The task was cancelled between two pages.
        case interrupted
    }

    /// Writes the changes that there are.
    package mutating func writeChanges(_ write: Write) async throws(HostError) -> Ending {
        while true {
            let changes = try await Self.result { () async throws(HealthStoreError) in
                try await store.changes(since: anchor)
            }
            guard try self.write(changes, write) else { return .closed }
            guard changes.hasMore else { return .complete }
            guard !Task.isCancelled else { return .interrupted }
        }
    }

    /// Writes the changes that there are and all later ones, until the task is cancelled or nobody
    /// reads any more.
    package mutating func follow(_ write: Write) async throws(HostError) {
        let commits = try await Self.result { () async throws(HealthStoreError) in
            try await store.commits()
        }
        guard try await writeChanges(write) == .complete else { return }
        for await _ in commits {
            guard try await writeChanges(write) == .complete else { return }
        }
        guard !Task.isCancelled else { return }
        throw HostError(
            .failure, "the file of the store was moved or replaced; run the command again")
    }

    private mutating func write(
        _ changes: StoreChanges, _ write: Write
    ) throws(HostError) -> Bool {
        guard changes.anchor != anchor else { return true }
        var bytes: [UInt8] = []
        for record in changes.added { lines.append(record, to: &bytes) }
        for id in changes.removed { lines.append(deletionOf: id, to: &bytes) }
        anchor = changes.anchor
        // Also without records: what a change has stored may be removed by now.
        if anchorFile == nil {
            lines.append(changes.anchor, to: &bytes)
        }
        if !bytes.isEmpty { guard try write(bytes) else { return false } }
        try anchorFile?.keep(changes.anchor)
        return true
    }

    private static func result<Result>(
        _ body: () async throws(HealthStoreError) -> Result
    ) async throws(HostError) -> Result {
        do {
            return try await body()
        } catch {
            throw HostError(error)
        }
    }
}
