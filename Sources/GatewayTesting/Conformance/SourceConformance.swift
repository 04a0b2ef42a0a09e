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

    /// Applies all checks: it runs the source until a reading comes, cancels it, and runs it again.
    ///
    /// - Parameters:
    ///   - devices: The local identifiers of the devices that it may report; nil for any.
    ///   - types: The types that it may report; nil for any type of the gateway.
    ///   - stimulate: Makes the device send something. It is called after each report of an opened
    ///     link, and once more after the end.
    ///   - source: The source.
    public static func findings(
        for source: any Source, devices: Set<String>? = nil, types: Set<QuantityType>? = nil,
        stimulate: @escaping @Sendable () async throws -> Void = {}
    ) async -> [ConformanceFinding] {
        let run = SourceRun(source: source, stimulate: stimulate)
        let first = await run.untilReading()
        let second = await run.untilReading()
        let cancelled = await run.cancelledBeforeStart()
        var findings = first.findings + second.findings + cancelled.findings
        // All this time the first run had ended.
        for log in [first.log, second.log, cancelled.log] where log.isReportedAfterEnd {
            findings.append(ConformanceFinding("reports something after `run` has ended"))
        }
        for log in [first.log, second.log] {
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
    }

    let source: any Source
    let stimulate: @Sendable () async throws -> Void

    /// Runs the source until it reports a reading, then cancels it.
    func untilReading() async -> Outcome {
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
        run.cancel()
        outcome.check(await run.end(within: SourceConformance.cancelSeconds))
        try? await stimulate()
        return outcome
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
        case .failure(let error):
            find("threw \(type(of: error)) when it was cancelled instead of CancellationError")
        }
    }
}
