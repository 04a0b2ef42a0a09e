import HealthModel
import Platform

/// Gives batches to a sink until it has taken them, and does what it says when it does not.
struct DeliveryAttempt {
    /// How often a sink that holds is asked again, in seconds.
    static let holdSeconds = 60.0
    /// No sink is left alone for longer than this, whatever its server says, in seconds.
    static let maximumWait = 3_600.0
    /// Nor asked again sooner.
    static let minimumWait = 0.5
    /// After failing for so long, in seconds, a sink is tried with a few records first.
    static let trialSeconds = 60.0
    /// The waits after a failure that may pass by itself.
    static let backoff = Backoff(first: 0.5, longest: 60)

    private let runner: SinkRunner
    private var decoder: RecordDecoder
    private var generator: SeededGenerator
    private var backoff = Self.backoff
    private var failingSince: BootInstant?
    private var lastFailure: String?
    private var refusals = LossEpisode()
    /// Of so many types it was said that nothing declares them.
    private var undeclaredCount = 0

    init(_ runner: SinkRunner) {
        self.runner = runner
        generator = SeededGenerator(seed: runner.seed)
        decoder = RecordDecoder(types: runner.types, allowingUndeclared: true)
    }

    /// Whether the sink has failed for so long that it is tried with a few records.
    ///
    /// Not one that takes lines: it may have stored a part of them and know so. A batch that ends before
    /// that part does would be done without a try, and look like a success.
    var isTrial: Bool {
        guard !(runner.sink is any LineSink) else { return false }
        return failingSince.map { runner.clock.now().seconds(since: $0) > Self.trialSeconds }
            ?? false
    }

    /// Writes a batch until the sink has taken it.
    ///
    /// - Returns: What became of the records; nil when another batch should be gathered in its place.
    mutating func write(_ batch: SinkBatch) async throws -> Ledger.Outcome? {
        var outcome = Ledger.Outcome()
        outcome.filtered = batch.filtered
        outcome.lost = batch.lost
        if batch.lost > 0 {
            runner.log.error(
                "records of the journal cannot be read any more", ["records": "\(batch.lost)"])
        }
        guard !batch.lines.isEmpty else { return outcome }
        let lineSink = runner.sink as? any LineSink
        let records = lineSink == nil ? decode(batch.lines) : []
        let count = lineSink == nil ? records.count : batch.lines.count
        outcome.lost += Int64(batch.lines.count - count)
        guard count > 0 else { return outcome }
        while true {
            var isHolding = false
            do {
                let taken = try await attempt(batch.lines, records, lineSink)
                outcome.rejected = Int64(taken.rejected)
                outcome.lost += Int64(taken.lost)
                outcome.delivered = Int64(count - taken.rejected - taken.lost)
                noteSuccess()
                return outcome
            } catch {
                try Task.checkCancellation()
                note(error)
                guard try await wait(after: error) else { throw error }
                if case SinkError.blocked = error { isHolding = true }
            }
            let cursor = await runner.journal.cursor(of: runner.name)
            // A sink that holds because of these records may take others that have come meanwhile.
            if isTrial || isHolding || cursor != batch.start { return nil }
        }
    }

    /// Writes once; how many records the sink rejected for good, and how many lines among those that it
    /// was given are no records.
    private mutating func attempt(
        _ lines: RecordLines, _ records: [Record], _ lineSink: (any LineSink)?
    ) async throws -> (rejected: Int, lost: Int) {
        runner.nudge.forget()
        runner.health.write(since: runner.clock.now())
        defer { runner.health.write(since: nil) }
        do {
            if let lineSink {
                try await lineSink.write(lines)
            } else {
                try await runner.sink.write(records)
            }
            return (0, 0)
        } catch SinkError.rejected(let ids, let reason) {
            let all = lineSink == nil ? records : decode(lines)
            let rejected = all.count { ids.contains($0.id) }
            say(rejected, reason)
            return (rejected, lineSink == nil ? 0 : lines.count - all.count)
        }
    }

    /// A server may refuse a type that comes every second.
    private mutating func say(_ rejected: Int, _ reason: String) {
        guard rejected > 0, refusals.note(Int64(rejected), at: runner.clock.now()) else { return }
        runner.log.error(
            "records rejected", ["records": "\(refusals.count)", "reason": reason])
    }

    private mutating func decode(_ lines: RecordLines) -> [Record] {
        var records: [Record] = []
        records.reserveCapacity(lines.count)
        for index in 0..<lines.count {
            do {
                records.append(try decoder.decode(lines[index]))
            } catch {
                runner.log.error("a line of the journal cannot be read", ["reason": "\(error)"])
            }
        }
        sayUndeclared()
        return records
    }

    /// Says once of each type that it is not declared any more.
    private mutating func sayUndeclared() {
        for type in decoder.undeclaredTypes.dropFirst(undeclaredCount) {
            runner.log.warning(
                "the configuration does not declare this type, or declares another of that name; records "
                    + "of it that were accepted before are handed on as they are, with nothing known of "
                    + "them but their unit; declare it as it was to have them as the others",
                ["type": type])
        }
        undeclaredCount = decoder.undeclaredTypes.count
    }

    private mutating func noteSuccess() {
        if failingSince != nil { runner.log.info("works again", ["operation": "write"]) }
        failingSince = nil
        lastFailure = nil
        backoff.reset()
        runner.health.recover()
    }

    /// The same failure many times over is said once.
    private mutating func note(_ error: any Error) {
        let failure = "\(error)"
        if failure != lastFailure {
            runner.log.warning(
                "cannot write: \(failure); trying again, what comes waits in the journal")
        }
        lastFailure = failure
        if failingSince == nil { failingSince = runner.clock.now() }
        runner.health.fail("cannot write: \(failure)", at: runner.clock.now())
    }

    /// Waits before the next try.
    ///
    /// - Returns: False when there is no use in one: the sink holds, and the gateway is stopping.
    private mutating func wait(after error: any Error) async throws -> Bool {
        var seconds = Self.holdSeconds
        var isHolding = false
        switch error as? SinkError {
        case .blocked: isHolding = true
        case .retry(_, let after?):
            let wanted = after.isNaN ? Self.minimumWait : after
            seconds = min(max(wanted, Self.minimumWait), Self.maximumWait)
        default: seconds = backoff.next(using: &generator)
        }
        let end = runner.clock.now().adding(nanoseconds: Int64(clampedNanosecondsOf: seconds))
        runner.health.wait(until: end)
        defer { runner.health.wait(until: nil) }
        let ending = try await wait(seconds: seconds, isHolding: isHolding)
        if ending == .nudge { backoff.reset() }
        return ending != .close
    }

    private enum WaitEnding {
        case time
        /// Somebody thinks that it works now.
        case nudge
        /// The journal is closed.
        case close
    }

    /// Waits for so long, or until it is worth a try before; who holds, until the journal is closed.
    private func wait(seconds: Double, isHolding: Bool) async throws -> WaitEnding {
        try await withThrowingTaskGroup(of: WaitEnding.self) { [runner] group in
            defer { group.cancelAll() }
            group.addTask {
                try await runner.clock.sleep(seconds: seconds)
                return .time
            }
            group.addTask {
                await runner.nudge.wait()
                try Task.checkCancellation()
                return .nudge
            }
            if isHolding {
                group.addTask {
                    for await _ in await runner.journal.arrivals() {}
                    return .close
                }
            }
            return try await group.next() ?? .close
        }
    }
}
