import HealthModel
import Platform

/// The delivery of batches to a sink, with retries according to its errors.
struct DeliveryAttempt {
    /// The interval between attempts of a blocked sink, in seconds.
    static let blockedRetrySeconds = 60.0
    /// The longest interval between attempts of a sink that has no space left, in seconds.
    static let storageFullRetrySeconds = 5.0
    /// The maximum delay of a retry, whatever the server requests, in seconds.
    static let maximumWait = 3_600.0
    /// The minimum delay of a retry, in seconds.
    static let minimumWait = 0.5
    /// The duration of a failure after which a small trial batch is used, in seconds.
    static let trialSeconds = 60.0
    /// The delays after a transient failure.
    static let backoff = Backoff(first: 0.5, longest: 60)

    let runner: SinkRunner
    /// The number of the sink's account in the journal.
    let account: Int?
    private var decoder: RecordDecoder
    private var generator: SeededGenerator
    private var backoff = Self.backoff
    private var failingSince: BootInstant?
    private var lastFailure: String?
    /// Whether the attempt began after the last commit of the journal, so that no other one is due at its end.
    private var isLastAttempt = false
    /// Whether a failure was logged, so that the next success is.
    private var owesRecovery = false
    private var rejections = LossEpisode()
    private var undecodable = UndecodableLines()
    /// The number of undeclared types that were logged.
    private var undeclaredCount = 0

    init(_ runner: SinkRunner, account: Int? = nil) {
        self.runner = runner
        self.account = account
        generator = SeededGenerator(seed: runner.seed)
        decoder = RecordDecoder(types: runner.types, allowingUndeclared: true)
    }

    /// Whether the sink has failed for so long that a small trial batch is used.
    ///
    /// Never for a line sink: it may have stored a part of its batch. A batch within that part
    /// would succeed without an attempt.
    var isTrial: Bool {
        guard !(runner.sink is any LineSink) else { return false }
        return failingSince.map { runner.clock.now().seconds(since: $0) > Self.trialSeconds }
            ?? false
    }

    /// Writes a batch until the sink accepts it.
    ///
    /// - Returns: The outcome of the records; nil if another batch should be assembled.
    mutating func write(_ batch: SinkBatch) async throws -> Ledger.Outcome? {
        var outcome = Ledger.Outcome()
        outcome.filtered = batch.filtered
        outcome.lost = batch.lost
        if batch.lost > 0 {
            runner.log.error(
                "cannot read records from the journal", ["records": "\(batch.lost)"])
        }
        guard !batch.lines.isEmpty else { return outcome }
        let lineSink = runner.sink as? any LineSink
        let records = lineSink == nil ? decode(batch.lines) : []
        let count = lineSink == nil ? records.count : batch.lines.count
        outcome.lost += Int64(batch.lines.count - count)
        guard count > 0 else { return outcome }
        while true {
            var isBlocked = false
            isLastAttempt = await runner.journal.isAtEnd
            do {
                guard try await verify() else { return nil }
                let result = try await attempt(batch.lines, records, lineSink)
                outcome.rejected = Int64(result.rejected)
                outcome.lost += Int64(result.lost)
                outcome.delivered = Int64(count - result.rejected - result.lost)
                noteAnswer(rejection: outcome.delivered > 0 ? nil : result.reason)
                return outcome
            } catch {
                try Task.checkCancellation()
                note(error)
                guard try await wait(after: error) else { throw error }
                isBlocked = Self.isBlocked(by: error)
            }
            let cursor = await runner.journal.cursor(of: runner.name)
            // A sink that is blocked by these records may accept a batch with newer ones.
            if isTrial || isBlocked || cursor != batch.start { return nil }
        }
    }

    /// Writes once; returns the number of records that the sink rejected permanently with the
    /// reason, and the number of lines that are not records.
    private mutating func attempt(
        _ lines: RecordLines, _ records: [Record], _ lineSink: (any LineSink)?
    ) async throws -> (rejected: Int, lost: Int, reason: String?) {
        runner.retrySignal.clear()
        runner.health.write(since: runner.clock.now())
        defer { runner.health.write(since: nil) }
        do {
            if let lineSink {
                try await lineSink.write(lines)
            } else {
                try await runner.sink.write(records)
            }
            return (0, 0, nil)
        } catch SinkError.rejected(let ids, let reason) {
            let all = lineSink == nil ? records : decode(lines)
            let rejected = all.count { ids.contains($0.id) }
            logRejection(rejected, reason)
            return (rejected, lineSink == nil ? 0 : lines.count - all.count, reason)
        }
    }

    /// Logs rejected records at a limited rate.
    private mutating func logRejection(_ rejected: Int, _ reason: String) {
        guard rejected > 0, rejections.note(Int64(rejected), at: runner.clock.now()) else { return }
        runner.log.error(
            "records rejected", ["records": "\(rejections.count)", "reason": reason])
    }

    private mutating func decode(_ lines: RecordLines) -> [Record] {
        if let records = lines.records { return records }
        var records: [Record] = []
        records.reserveCapacity(lines.count)
        for index in 0..<lines.count {
            do {
                records.append(try decoder.decode(lines[index]))
            } catch {
                guard let source = undecodable.note(lines[index], reason: "\(error)") else {
                    continue
                }
                runner.log.error(
                    "cannot decode a record; further ones are only counted as lost",
                    ["source": source, "reason": "\(error)"])
            }
        }
        logUndeclared()
        return records
    }

    /// Logs each undeclared type once.
    private mutating func logUndeclared() {
        for type in decoder.undeclaredTypes.dropFirst(undeclaredCount) {
            runner.log.warning(
                "records of an undeclared or changed type are delivered with their unit only; "
                    + "declare the type as before",
                ["type": type])
        }
        undeclaredCount = decoder.undeclaredTypes.count
    }

    /// Ends the retries; the sink has recovered unless it rejected all records.
    private mutating func noteAnswer(rejection: String?) {
        failingSince = nil
        lastFailure = nil
        backoff.reset()
        if let rejection {
            return runner.health.fail("all records rejected: \(rejection)", at: runner.clock.now())
        }
        if owesRecovery { runner.log.info("recovered", ["operation": "write"]) }
        owesRecovery = false
        runner.health.recover()
    }

    /// The log message of a failed write.
    static let retryMessage = "cannot write; retrying"

    /// Logs a repeated failure once.
    private mutating func note(_ error: any Error) {
        let failure = LogFormat.cut("\(error)")
        let isClosed = if case .closed = error as? SinkError { true } else { false }
        if failure != lastFailure, !isClosed {
            runner.log.warning(Self.retryMessage, ["reason": failure])
            owesRecovery = true
        }
        lastFailure = failure
        if failingSince == nil { failingSince = runner.clock.now() }
        runner.health.fail("cannot write: \(failure)", at: runner.clock.now())
    }

    /// Waits before the next attempt, which is due at the end of the journal: what failed may work by now.
    ///
    /// - Returns: False if there is none, because the sink is blocked and the gateway is stopping.
    private mutating func wait(after error: any Error) async throws -> Bool {
        if isLastAttempt, Self.isBlocked(by: error) { return false }
        let seconds = delay(after: error)
        let end = runner.clock.now().adding(nanoseconds: Int64(clampedNanosecondsOf: seconds))
        runner.health.wait(until: end)
        defer { runner.health.wait(until: nil) }
        // A server that asks for a pause gets it.
        let isAskedToWait = if case .retry(_, _?) = error as? SinkError { true } else { false }
        let ending = try await wait(
            seconds: seconds, orUntilTheEnd: !isAskedToWait && !isLastAttempt)
        if ending == .retrySignal { backoff.reset() }
        return true
    }

    /// Whether somebody must do something, so that time alone does not help.
    private static func isBlocked(by error: any Error) -> Bool {
        switch error as? SinkError {
        case .blocked, .closed: true
        case .retry, .storageFull, .rejected, nil: false
        }
    }

    /// Returns the delay before the next attempt, in seconds.
    private mutating func delay(after error: any Error) -> Double {
        switch error as? SinkError {
        case .blocked, .closed: return Self.blockedRetrySeconds
        case .storageFull:
            return min(backoff.next(using: &generator), Self.storageFullRetrySeconds)
        case .retry(_, let after?):
            let wanted = after.isNaN ? Self.minimumWait : after
            return min(max(wanted, Self.minimumWait), Self.maximumWait)
        case .retry, .rejected, nil: return backoff.next(using: &generator)
        }
    }

    private enum WaitEnding {
        case time
        /// A retry was requested.
        case retrySignal
        /// The journal is closed.
        case close
    }

    /// Waits for a time or a retry signal, and perhaps for the end of the journal.
    private func wait(seconds: Double, orUntilTheEnd: Bool) async throws -> WaitEnding {
        try await withThrowingTaskGroup(of: WaitEnding.self) { [runner] group in
            defer { group.cancelAll() }
            group.addTask {
                try await runner.clock.sleep(seconds: seconds)
                return .time
            }
            group.addTask {
                await runner.retrySignal.wait()
                try Task.checkCancellation()
                return .retrySignal
            }
            if orUntilTheEnd {
                group.addTask {
                    for await _ in await runner.journal.arrivals() {}
                    try Task.checkCancellation()
                    return .close
                }
            }
            return try await group.next() ?? .close
        }
    }
}
