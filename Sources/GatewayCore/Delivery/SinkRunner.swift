public import HealthModel
public import Platform

/// Brings the journal's records to one sink: reads after its cursor, filters, writes, moves the cursor.
public struct SinkRunner: Sendable {
    let name: String
    let sink: any Sink
    let options: SinkOptions
    let journal: Journal
    let clock: any GatewayClock
    let log: Logger
    /// What the records of the journal can be of.
    let types: QuantityTypes
    let health: Health
    /// Has a sink that waits tried again at once.
    let nudge: RetrySignal
    let seed: UInt64

    /// Makes a runner.
    ///
    /// - Parameters:
    ///   - sink: The sink, with the name under which the journal keeps its cursor.
    ///   - types: The types that are declared.
    ///   - seed: What the lengths of its waits come from, which are random within limits.
    public init(
        _ sink: Gateway.NamedSink, journal: Journal, clock: any GatewayClock, log: Logger,
        types: QuantityTypes = .standard, seed: UInt64 = .random(in: 0...UInt64.max)
    ) {
        self.init(
            sink, journal: journal, clock: clock, log: log, types: types, health: Health(),
            seed: seed)
    }

    /// Makes a runner that notes what fails.
    init(
        _ sink: Gateway.NamedSink, journal: Journal, clock: any GatewayClock, log: Logger,
        types: QuantityTypes = .standard, health: Health, nudge: RetrySignal = RetrySignal(),
        seed: UInt64 = .random(in: 0...UInt64.max)
    ) {
        self.types = types
        self.health = health
        self.nudge = nudge
        self.seed = seed
        name = sink.name
        self.sink = sink.sink
        options = sink.options
        self.journal = journal
        self.clock = clock
        self.log = log.named(sink.name)
    }

    /// Works until the journal is closed and the sink has dealt with everything in it.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before.
    public func run() async throws {
        var gathering = BatchAssembler(self)
        var writing = DeliveryAttempt(self)
        let account = await journal.accountNumber(of: name)
        for await _ in await journal.arrivals() {
            while let batch = try await gathering.next(isTrial: writing.isTrial) {
                guard let outcome = try await writing.write(batch) else { continue }
                await journal.advance(
                    name, from: batch.start, to: batch.end, adding: outcome, account: account)
                // Who takes its place after a reload must not share the rest with it.
                try Task.checkCancellation()
            }
        }
        try Task.checkCancellation()
    }
}

extension SinkRunner {
    /// Tries until it works or the task is cancelled; says so once, and again when it works.
    ///
    /// Not for the sink, but for the journal that a runner works with.
    func retrying<Result: Sendable>(
        _ what: String, _ operation: () async throws -> Result
    ) async throws -> Result {
        var backoff = DeliveryAttempt.backoff
        var lastFailure: String?
        while true {
            do {
                let result = try await operation()
                if lastFailure != nil {
                    log.info("works again", ["operation": what])
                    health.recover()
                }
                return result
            } catch {
                try Task.checkCancellation()
                let failure = "\(error)"
                if failure != lastFailure {
                    log.warning("cannot \(what): \(failure); trying again until it works")
                }
                lastFailure = failure
                health.fail("cannot \(what): \(failure)", at: clock.now())
                try await clock.sleep(seconds: backoff.next())
            }
        }
    }
}
