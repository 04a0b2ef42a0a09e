public import HealthModel

/// Brings the journal's records to one sink: reads after its cursor, filters, writes, moves the cursor.
public struct SinkRunner: Sendable {
    /// A sink is given about so many records at once, at most.
    public static let batchCount = 1_000
    /// How often a sink that holds is asked again, in seconds.
    static let holdSeconds = 60.0
    /// The waits after a failure that may pass by itself.
    static let backoff = Backoff(first: 0.5, longest: 60)

    private let name: String
    private let sink: any Sink
    private let types: Set<QuantityType>?
    private let journal: Journal
    private let clock: any GatewayClock
    private let log: Logger
    private let health: Health

    /// Makes a runner.
    ///
    /// - Parameters:
    ///   - name: The sink's name, under which the journal keeps its cursor.
    ///   - sink: The sink.
    ///   - types: The types it wants; nil for all of them, and for device events.
    public init(
        name: String, sink: any Sink, types: Set<QuantityType>?, journal: Journal,
        clock: any GatewayClock, log: Logger
    ) {
        self.init(
            name: name, sink: sink, types: types, journal: journal, clock: clock, log: log,
            health: Health())
    }

    /// Makes a runner that notes what fails.
    init(
        name: String, sink: any Sink, types: Set<QuantityType>?, journal: Journal,
        clock: any GatewayClock, log: Logger, health: Health
    ) {
        self.health = health
        self.name = name
        self.sink = sink
        self.types = types
        self.journal = journal
        self.clock = clock
        self.log = log.named(name)
    }

    /// Works until the journal is closed and the sink has dealt with everything in it.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before.
    public func run() async throws {
        var decoder = RecordDecoder()
        for await _ in await journal.arrivals() {
            while let slice = try await retrying("read the journal", { try await nextSlice() }) {
                try await deliver(slice, decoder: &decoder)
            }
        }
        try Task.checkCancellation()
    }

    private func nextSlice() async throws -> JournalSlice? {
        try await journal.read(for: name, limit: Self.batchCount)
    }

    private func deliver(_ slice: JournalSlice, decoder: inout RecordDecoder) async throws {
        var outcome = Ledger.Outcome()
        if types == nil, let sink = sink as? any LineSink {
            outcome.delivered = Int64(slice.lines.count)
            outcome.refused = Int64(try await write(slice.lines, to: sink))
        } else {
            let records = decode(slice.lines, with: &decoder)
            let wanted = records.filter(isWanted)
            outcome.filtered = Int64(records.count - wanted.count)
            outcome.delivered = Int64(wanted.count)
            outcome.refused = Int64(try await write(wanted))
        }
        outcome.delivered -= outcome.refused
        outcome.lost =
            slice.end - slice.start - outcome.filtered - outcome.delivered - outcome.refused
        try await retrying("move the cursor") { [outcome] in
            try await journal.advance(name, to: slice.end, adding: outcome)
        }
    }

    /// Devices' events concern every sink that takes samples of all types.
    private func isWanted(_ record: Record) -> Bool {
        guard let types else { return true }
        guard case .sample(let sample) = record else { return false }
        return types.contains(sample.type)
    }

    private func decode(_ lines: RecordLines, with decoder: inout RecordDecoder) -> [Record] {
        var records: [Record] = []
        records.reserveCapacity(lines.count)
        for index in 0..<lines.count {
            do {
                records.append(try decoder.decode(lines[index]))
            } catch {
                log.error("a line of the journal cannot be read", ["reason": "\(error)"])
            }
        }
        return records
    }

    /// Writes until the sink has taken the records; how many of them it refused for good.
    private func write(_ records: [Record]) async throws -> Int {
        guard !records.isEmpty else { return 0 }
        return try await writing(records.count) { try await sink.write(records) }
    }

    /// Writes until the sink has taken the lines; how many of them it refused for good.
    private func write(_ lines: RecordLines, to sink: any LineSink) async throws -> Int {
        guard !lines.isEmpty else { return 0 }
        return try await writing(lines.count) { try await sink.write(lines) }
    }

    private func writing(_ count: Int, _ write: () async throws -> Void) async throws -> Int {
        try await retrying("write") {
            do {
                try await write()
                return 0
            } catch SinkError.refused(let ids, let reason) {
                let refused = min(ids.count, count)
                log.error("records refused", ["records": "\(refused)", "reason": reason])
                return refused
            }
        }
    }

    /// Tries until it works or the task is cancelled; says so once, and again when it works.
    private func retrying<Result: Sendable>(
        _ what: String, _ operation: () async throws -> Result
    ) async throws -> Result {
        var backoff = Self.backoff
        var lastFailure: String?
        while true {
            do {
                let result = try await operation()
                if lastFailure != nil { log.info("works again", ["operation": what]) }
                health.recover()
                return result
            } catch let cancellation as CancellationError {
                throw cancellation
            } catch {
                try Task.checkCancellation()
                let failure = "\(error)"
                if failure != lastFailure {
                    log.warning("cannot \(what): \(failure); trying again, nothing is lost")
                }
                lastFailure = failure
                health.fail("cannot \(what): \(failure)")
                guard try await wait(after: error, &backoff) else { throw error }
            }
        }
    }

    /// Waits before the next try.
    ///
    /// - Returns: False when there is no use in one: the sink holds, and the gateway is stopping.
    private func wait(after error: any Error, _ backoff: inout Backoff) async throws -> Bool {
        switch error as? SinkError {
        case .hold: return try await hold()
        case .retry(_, let after?): try await clock.sleep(seconds: after)
        default: try await clock.sleep(seconds: backoff.next())
        }
        return true
    }

    /// Waits until it is time to ask a sink again that holds, or until the journal is closed.
    private func hold() async throws -> Bool {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                try await clock.sleep(seconds: Self.holdSeconds)
                return true
            }
            group.addTask {
                for await _ in await journal.arrivals() {}
                return false
            }
            return try await group.next() ?? false
        }
    }
}
