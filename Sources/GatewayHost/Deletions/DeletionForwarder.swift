import GatewayCore
import HealthModel
import HealthStore
import Platform
import SQLiteStore

/// Forwards the deletions of records from the store of a gateway to its other sinks.
///
/// Each deletion becomes a record of the journal, behind what was accepted before it. The place in the
/// history of the store is kept after the journal has it: after a crash some come again.
actor DeletionForwarder {
    /// What was deleted by a program that says nothing is found after this time, in seconds.
    private static let checkSeconds = 3_600.0
    private static let pageSize = 500
    private static let backoff = Backoff(first: 1, longest: 60)

    private let gateway: Gateway
    private let store: GatewayStore
    private var place: DeletionPlace
    private let clock: any GatewayClock
    private let log: Logger
    /// The queue on which files are read and written.
    private nonisolated let executor = QueueExecutor(label: "deletions")
    private nonisolated let requests: AsyncStream<Void>
    private nonisolated let signal: AsyncStream<Void>.Continuation
    private var lastFailure: String?

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Makes the forwarder of a gateway.
    ///
    /// - Parameter isKept: Whether the journal survives the run; otherwise each run forwards all deletions.
    init(
        _ gateway: Gateway, _ store: GatewayStore, in folder: DataDirectory,
        isKept: Bool, clock: any GatewayClock, log: Logger
    ) {
        self.gateway = gateway
        self.store = store
        self.clock = clock
        self.log = log.named("deletions")
        place = DeletionPlace(folder, isKept: isKept)
        (requests, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Looks for deletions soon.
    nonisolated func request() { signal.yield() }

    /// Forwards the deletions that there are, and later ones when they are requested, until the task
    /// is cancelled.
    nonisolated func run() async {
        request()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [clock] in
                while (try? await clock.sleep(seconds: Self.checkSeconds)) != nil {
                    self.request()
                }
            }
            for await _ in requests { await forwardIfAccepted() }
            group.cancelAll()
        }
    }

    private nonisolated func forwardIfAccepted() async {
        guard let file = try? await store.file(),
            await gateway.acceptsDeletions(besides: file.sinkName)
        else { return }
        await forward(from: file)
    }

    /// Forwards what was deleted since the last time.
    private func forward(from file: StoreFile) async {
        do {
            let count = try await forward(from: try SQLiteStore(readingFrom: file.path))
            lastFailure = nil
            if count > 0 { log.info("deletions forwarded to the sinks", ["records": "\(count)"]) }
        } catch SQLiteStoreError.noStore, SQLiteStoreError.noHistory {
            // Nothing was stored yet, or not by this version.
        } catch {
            guard lastFailure != "\(error)" else { return }
            lastFailure = "\(error)"
            log.warning("cannot forward deletions to the sinks", ["reason": "\(error)"])
        }
    }

    private func forward(from store: SQLiteStore) async throws -> Int {
        guard let anchor = try place.read() else { return try await forwardAll(from: store) }
        do {
            return try await forward(since: anchor, from: store)
        } catch HealthStoreError.foreignAnchor, HealthStoreError.expiredAnchor {
            return try await forwardAll(from: store)
        }
    }

    private func forward(since anchor: StoreAnchor, from store: SQLiteStore) async throws -> Int {
        var (anchor, count, hasMore) = (anchor, 0, true)
        while hasMore {
            let page = try await store.deletions(since: anchor, limit: Self.pageSize)
            guard await isAccepted(page.deletions) else { return count }
            count += page.deletions.count
            if page.anchor != anchor { try place.keep(page.anchor) }
            (anchor, hasMore) = (page.anchor, page.hasMore)
        }
        return count
    }

    /// Forwards all deletions that the store knows: the place in its history is not known.
    private func forwardAll(from store: SQLiteStore) async throws -> Int {
        let anchor = try await store.newestAnchor()
        var (count, last, hasMore) = (0, nil as RecordID?, true)
        while hasMore {
            let page = try await store.deletions(after: last, limit: Self.pageSize)
            guard await isAccepted(page) else { return count }
            (count, last) = (count + page.count, page.last?.id)
            hasMore = page.count == Self.pageSize
        }
        let replaced = try await store.deletions(since: nil, limit: Self.pageSize).deletions
        guard await isAccepted(replaced) else { return count }
        try place.keep(anchor)
        return count + replaced.count
    }

    /// Returns when the journal has the deletions; false when the gateway stops before.
    private func isAccepted(_ deletions: [DeletedRecord]) async -> Bool {
        guard !deletions.isEmpty else { return true }
        var backoff = Self.backoff
        var acceptance = await gateway.forward(deletions)
        while case .waiting = acceptance {
            guard (try? await clock.sleep(seconds: backoff.next())) != nil else { return false }
            acceptance = await gateway.commitNow()
        }
        return acceptance == .accepted
    }
}

/// The file with the place in the history of the store up to which deletions are forwarded.
private struct DeletionPlace {
    private let path: String
    private let isKept: Bool
    private var last: StoreAnchor?

    init(_ folder: DataDirectory, isKept: Bool) {
        path = folder.resolve(DataFiles.deletions)
        self.isKept = isKept
    }

    /// The place; nil when there is none that can be read: then everything is forwarded again.
    ///
    /// - Throws: ``HostError`` when it is no regular file, which could not be replaced either.
    func read() throws(HostError) -> StoreAnchor? {
        guard isKept else { return last }
        try TextFile.checkKind(of: path)
        let text = (try? TextFile.read(path)) ?? nil
        return text.flatMap { StoreAnchor(String($0.prefix { !$0.isNewline })) }
    }

    mutating func keep(_ anchor: StoreAnchor) throws(HostError) {
        last = anchor
        if isKept { try OutputFile.write(Array("\(anchor)\n".utf8), to: path) }
    }
}
