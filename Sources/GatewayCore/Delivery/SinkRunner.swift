public import HealthModel
public import Platform

/// The delivery loop of one sink: reads after its cursor, filters, writes, and advances the cursor.
public struct SinkRunner: Sendable {
    let name: String
    let sink: any Sink
    let options: SinkOptions
    /// What decides which records the sink gets; nil for all of its types.
    let permission: RecordPermission?
    let journal: Journal
    let clock: any GatewayClock
    let log: Logger
    /// The known types.
    let types: QuantityTypes
    let health: Health
    /// The signal for an immediate retry.
    let retrySignal: RetrySignal
    let seed: UInt64

    /// Makes a runner.
    ///
    /// - Parameters:
    ///   - sink: The sink, with the name of its cursor in the journal.
    ///   - types: The known types.
    ///   - seed: The seed of the random retry delays.
    public init(
        _ sink: Gateway.NamedSink, journal: Journal, clock: any GatewayClock, log: Logger,
        types: QuantityTypes = .standard, seed: UInt64 = .random(in: 0...UInt64.max)
    ) {
        self.init(
            sink, journal: journal, clock: clock, log: log, types: types, health: Health(),
            seed: seed)
    }

    /// Makes a runner that reports to `health`.
    init(
        _ sink: Gateway.NamedSink, journal: Journal, clock: any GatewayClock, log: Logger,
        types: QuantityTypes = .standard, health: Health, retrySignal: RetrySignal = RetrySignal(),
        seed: UInt64 = .random(in: 0...UInt64.max)
    ) {
        self.types = types
        self.health = health
        self.retrySignal = retrySignal
        self.seed = seed
        name = sink.name
        self.sink = sink.sink
        options = sink.options
        permission = sink.permission
        self.journal = journal
        self.clock = clock
        self.log = log.named(sink.name)
    }

    /// The log message of a failed write, which is tried again as long as the gateway runs.
    package static let retryMessage = DeliveryAttempt.retryMessage

    /// Runs until the journal is closed and the sink has handled all records.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before.
    public func run() async throws {
        var assembler = BatchAssembler(self)
        let account = await journal.accountNumber(of: name)
        var delivery = DeliveryAttempt(self, account: account)
        let isVerifying = sink is any VerifyingSink
        await verifyAtStart(delivery)
        for await _ in await journal.arrivals() {
            await verifyReleased(delivery)
            while let batch = try await assembler.next(isTrial: delivery.isTrial) {
                guard let outcome = try await delivery.write(batch) else { continue }
                await journal.advance(
                    name, from: batch.start, to: batch.end, adding: outcome,
                    isVerifying: isVerifying, account: account)
                // After a reload, only the new runner may deliver the rest.
                try Task.checkCancellation()
            }
        }
        try Task.checkCancellation()
        await verifyAtEnd(account: account)
    }
}

extension SinkRunner {
    /// Retries an operation on the journal until it succeeds, logging the failure and the recovery.
    func retrying<Result: Sendable>(
        _ what: String, _ operation: () async throws -> Result
    ) async throws -> Result {
        var backoff = DeliveryAttempt.backoff
        var lastFailure: String?
        while true {
            do {
                let result = try await operation()
                if lastFailure != nil {
                    log.info("recovered", ["operation": what])
                    health.recover()
                }
                return result
            } catch {
                try Task.checkCancellation()
                let failure = "\(error)"
                if failure != lastFailure {
                    log.warning("cannot \(what); retrying", ["reason": failure])
                }
                lastFailure = failure
                health.fail("cannot \(what): \(failure)", at: clock.now())
                try await clock.sleep(seconds: backoff.next())
            }
        }
    }
}
