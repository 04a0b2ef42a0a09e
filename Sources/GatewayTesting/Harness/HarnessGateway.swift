public import GatewayCore
public import HealthModel
import Platform
import Synchronization

/// A gateway in the process of a test: one source, the converter, the journal, and a SQLite store in
/// a temporary folder.
public final class HarnessGateway: Sendable {
    /// What did not happen in time.
    public struct Failure: Error, CustomStringConvertible {
        /// The problem, with the end of the log.
        public let description: String

        package init(description: String) { self.description = description }
    }

    /// How long an expected record may take, in seconds.
    public static let timeoutSeconds = 30.0
    /// The configured name of the source.
    public static let sourceName = "plugin"

    /// The folder of the data, which is removed at the end.
    public let folder: TemporaryFolder
    private let store: HarnessStore
    private let journal: Journal
    private let task: OwnedTask
    private let stopSignal: AsyncStream<Void>.Continuation
    private let log: HarnessLog
    private let clock = SystemClock()

    /// Starts a gateway with a source that is made of its context.
    ///
    /// - Parameter types: The types of the gateway, with those that the plugin declares.
    public init(
        types: QuantityTypes = .standard, _ makeSource: (ComponentContext) throws -> any Source
    ) throws {
        folder = try TemporaryFolder()
        store = try HarnessStore(folder: folder)
        let log = HarnessLog()
        self.log = log
        let logger = Logger(component: "gateway") { log.add($0) }
        let context = ComponentContext(
            name: Self.sourceName, clock: clock, log: logger, dataDirectory: folder.path,
            types: types)
        let sink = Gateway.NamedSink(name: "store", sink: store)
        journal = try Journal(
            file: MemoryJournalFile(), sinks: [sink.journalSink], clock: clock, log: logger)
        let pipeline = IngestPipeline(
            bus: Bus(journal: journal, live: LiveLane()), clock: clock, people: People(),
            types: types, version: "0", log: logger)
        let gateway = Gateway(
            sources: [.init(name: Self.sourceName, source: try makeSource(context))],
            sinks: [sink], types: types, pipeline: pipeline, journal: journal, clock: clock,
            log: logger)
        let (stop, stopSignal) = AsyncStream.makeStream(of: Void.self)
        self.stopSignal = stopSignal
        task = OwnedTask(on: nil) {
            _ = await gateway.run { for await _ in stop {} }
        }
    }

    deinit {
        stopSignal.finish()
    }

    /// Waits until the store has so many samples of a type, and returns all of them, the oldest first.
    ///
    /// - Throws: ``Failure`` with the log when they do not come.
    public func samples(of type: QuantityType, count: Int = 1) async throws -> [QuantitySample] {
        try await wait("\(count) samples of \(type)") { store in
            let samples = try await store.samples(of: type)
            return samples.count >= count ? samples : nil
        }
    }

    /// Waits until the device is connected.
    package func waitForConnection() async throws {
        _ = try await wait("a connection to the device") { store in
            try await store.events().first { $0.state.connection == .connected }
        }
    }

    /// Stops the gateway as SIGTERM does; what has arrived is in the store then.
    ///
    /// - Returns: The account of all records: how many were converted, implausible, duplicate, stored.
    @discardableResult
    public func stop() async throws -> Ledger {
        stopSignal.finish()
        await OwnedTask.wait(
            for: [task], until: clock.now().adding(seconds: Self.timeoutSeconds), on: clock)
        return await journal.ledger
    }

    /// The lines of the log so far.
    public var logLines: [String] { log.lines }

    private func wait<Result: Sendable>(
        _ what: String, for result: @escaping @Sendable (HarnessStore) async throws -> Result?
    ) async throws -> Result {
        let (store, changes) = (store, await store.changes())
        let wait = TimedOperation { () async throws -> Result? in
            for await _ in changes {
                if let result = try await result(store) { return result }
            }
            return nil
        }
        let end = await wait.end(within: Self.timeoutSeconds)
        wait.cancel()
        if let found = try end?.get() { return found }
        let text = log.lines.suffix(20).joined(separator: "\n")
        throw Failure(
            description: "\(what) did not come within \(Int(Self.timeoutSeconds)) s; log:\n\(text)")
    }
}

/// The log of a gateway in memory.
private final class HarnessLog: Sendable {
    private static let limit = 1_000
    private let state = Mutex<[String]>([])

    var lines: [String] { state.withLock { $0 } }

    func add(_ record: Logger.Record) {
        let fields = record.fields.map { " \($0.key)=\($0.value)" }.joined()
        state.withLock { lines in
            guard lines.count < Self.limit else { return }
            lines.append("\(record.component): \(record.message)\(fields)")
        }
    }
}
