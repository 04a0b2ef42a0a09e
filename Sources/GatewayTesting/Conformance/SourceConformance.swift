public import GatewayCore
public import HealthModel
import Platform

/// Conformance checks for the contract of ``Source``.
///
/// They return findings, so that any test framework can use them.
public enum SourceConformance {
    /// How long a cancelled source may take to end, in seconds.
    static let cancelSeconds = 5.0
    /// How long a reading may take to come, in seconds.
    static let readingSeconds = 30.0
    /// How long a reading may take to come over a link that is open already, in seconds.
    static let nextReadingSeconds = 5.0

    /// Applies all checks: it runs the source until a reading comes, cancels it, and runs it again;
    /// it closes a source that is ``Closable`` during a run and after it; and it lets a running source
    /// adapt to another one.
    ///
    /// - Parameters:
    ///   - devices: The local identifiers of the devices that it may report; nil for any.
    ///   - types: The types that it may report; nil for any type of the gateway.
    ///   - stimulate: Makes the device send something. It is called after each report of an opened
    ///     link, and once more after the end.
    ///   - source: The source.
    ///   - other: Another source of the same settings, to which the first one adapts; nil for none.
    public static func findings(
        for source: any Source, adaptingTo other: (any Source)? = nil,
        devices: Set<String>? = nil, types: Set<QuantityType>? = nil,
        stimulate: @escaping @Sendable () async throws -> Void = {}
    ) async -> [ConformanceFinding] {
        let run = SourceRun(source: source, stimulate: stimulate)
        let first = await run.untilReading()
        let second = await run.untilReading()
        let cancelled = await run.cancelledBeforeStart()
        var outcomes = [first, second]
        if let other { outcomes.append(await run.adapting(to: other)) }
        if source is any Closable { outcomes.append(await run.closing()) }
        var findings = (outcomes + [cancelled]).flatMap(\.findings)
        // All this time the first run had ended.
        for log in outcomes.map(\.log) + [cancelled.log] where log.isReportedAfterEnd {
            findings.append(ConformanceFinding("reports something after `run` has ended"))
        }
        for log in outcomes.map(\.log) {
            findings += ReportCheck(devices: devices, types: types).findings(in: log.reports)
        }
        return findings.reduce(into: []) { all, finding in
            if !all.contains(finding) { all.append(finding) }
        }
    }
}

/// Runs of a source until an event.
struct SourceRun: Sendable {
    /// What came of a run.
    struct Outcome {
        let log: ReportLog
        var findings: [ConformanceFinding] = []
        /// Whether the source was closed, so that it may end with any error.
        var isClosed = false
    }

    let source: any Source
    let stimulate: @Sendable () async throws -> Void

    /// Runs the source until it reports a reading, then cancels it.
    ///
    /// - Parameter during: What happens to the source after the reading.
    func untilReading(
        then during: (inout Outcome) async -> Void = { _ in }
    ) async -> Outcome {
        var outcome = Outcome(log: ReportLog())
        let log = outcome.log
        let run = TimedOperation { [source] in
            defer { log.end() }
            try await source.run(into: log)
        }
        let wait = TimedOperation { [stimulate] in
            for await event in log.events {
                if event == .opened { try await stimulate() }
                if event != .opened { return }
            }
        }
        let end = await wait.end(within: SourceConformance.readingSeconds)
        wait.cancel()
        if case .failure(let error)? = end { outcome.find("`stimulate` failed: \(error)") }
        if end == nil {
            outcome.find("no reading came within \(Int(SourceConformance.readingSeconds)) s")
        }
        if let result = run.result {
            outcome.find("ended by itself: \(Self.text(of: result))")
            return outcome
        }
        await during(&outcome)
        run.cancel()
        outcome.check(await run.end(within: SourceConformance.cancelSeconds))
        try? await stimulate()
        return outcome
    }

    /// Runs the source and closes it, during the run and after it.
    func closing() async -> Outcome {
        var outcome = await untilReading { outcome in
            outcome.isClosed = true
            await close(&outcome)
        }
        await close(&outcome)
        return outcome
    }

    private func close(_ outcome: inout Outcome) async {
        guard let source = source as? any Closable else { return }
        let close = TimedOperation { await source.close() }
        guard await close.end(within: SinkConformance.closeSeconds) == nil else { return }
        outcome.find("`close` did not return within \(Int(SinkConformance.closeSeconds)) s")
    }

    /// Runs the source, and lets it adapt to another one after the first reading.
    ///
    /// If it can, no link may close, and readings must still come.
    func adapting(to other: any Source) async -> Outcome {
        await untilReading { outcome in
            let log = outcome.log
            let adapt = TimedOperation { [source] in await source.adapt(to: other) }
            switch await adapt.end(within: SourceConformance.cancelSeconds) {
            case nil:
                outcome.find(
                    "`adapt` did not return within \(Int(SourceConformance.cancelSeconds)) s")
            case .success(true)?:
                let count = log.readingCount
                let next = TimedOperation { [stimulate] in
                    try await stimulate()
                    await log.waitForReadings(count + 1)
                }
                if await next.end(within: SourceConformance.nextReadingSeconds) == nil {
                    outcome.find("reports no reading after it has adapted to the same settings")
                }
                next.cancel()
                let hasClosed = log.reports.contains {
                    if case .closed = $0.content { true } else { false }
                }
                if hasClosed { outcome.find("closes a link that both sources have to adapt") }
            case .success(false)?, .failure?: break
            }
        }
    }

    /// Runs the source in a task that is cancelled already.
    func cancelledBeforeStart() async -> Outcome {
        var outcome = Outcome(log: ReportLog())
        let log = outcome.log
        let run = TimedOperation(isCancelled: true) { [source] in
            defer { log.end() }
            try await source.run(into: log)
        }
        outcome.check(await run.end(within: SourceConformance.cancelSeconds))
        return outcome
    }

    private static func text(of result: Result<Void, any Error>) -> String {
        switch result {
        case .success: "`run` returned; it must go on until it is cancelled, or throw"
        case .failure(let error): "\(error)"
        }
    }
}

extension SourceRun.Outcome {
    mutating func find(_ problem: String) {
        findings.append(ConformanceFinding(problem))
    }

    /// Checks how a cancelled run has ended.
    mutating func check(_ end: Result<Void, any Error>?) {
        switch end {
        case nil:
            find("did not end within \(Int(SourceConformance.cancelSeconds)) s of its cancellation")
        case .failure(is CancellationError), .success: break
        case .failure where isClosed: break
        case .failure(let error):
            find("threw \(type(of: error)) when it was cancelled instead of CancellationError")
        }
    }
}
