public import GatewayCore
import HealthModel
import Platform

/// Conformance checks for the contract of ``Sink``.
///
/// They return findings, so that any test framework can use them.
public enum SinkConformance {
    /// How long a write may take, in seconds.
    static let writeSeconds = 30.0
    /// How long a cancelled write may take to end, in seconds.
    static let cancelSeconds = 5.0
    /// How long a ``Closable`` may take to close, in seconds; a gateway gives it half a second.
    static let closeSeconds = 2.0

    /// Applies all checks to a destination that works: an empty batch, all kinds of records, a large
    /// batch, the same batch twice, two sinks at a time, deletions where the sink accepts them,
    /// cancellation, lines that are not records, and the end of a sink that is ``Closable``.
    ///
    /// - Parameters:
    ///   - recognisesDuplicates: Whether the destination can tell that it has a record already. False
    ///     for standard output, for example.
    ///   - stored: The number of records in the destination, read with something else than the sink;
    ///     nil when it cannot be read.
    ///   - makeSink: Makes a sink; all of them have the same destination, as after a restart.
    public static func findings(
        recognisesDuplicates: Bool = true, stored: (@Sendable () async throws -> Int)?,
        makeSink: @Sendable () throws -> any Sink
    ) async -> [ConformanceFinding] {
        var check = SinkCheck(stored: stored)
        do {
            try await check.batches(makeSink)
            if recognisesDuplicates { try await check.duplicates(makeSink) }
            try await check.pair(makeSink(), makeSink())
            if try makeSink().acceptsDeletions { try await check.deletions(makeSink) }
            try await check.cancellation(makeSink)
            if let sink = try makeSink() as? any LineSink { try await check.lines(sink) }
            try await check.closing(makeSink())
        } catch {
            check.find("the check failed: \(error)")
        }
        return check.findings
    }

    /// Checks a sink whose destination does not work: is down, full, or refuses the credentials.
    ///
    /// A write must throw `retry`, `blocked` or `closed`; then the records stay in the journal.
    public static func findingsWhenUnavailable(
        makeSink: @Sendable () throws -> any Sink
    ) async -> [ConformanceFinding] {
        var check = SinkCheck(stored: nil)
        do {
            let batch = try check.records.heartRates(3)
            switch await check.write(batch, to: try makeSink()) {
            case .stored: check.find("a write to a destination that does not work returned")
            case .rejected: check.find("records that a later write could store were rejected")
            case .failed, .ended: break
            }
        } catch {
            check.find("the check failed: \(error)")
        }
        return check.findings
    }

    /// Checks a sink whose destination accepts data and never answers: a cancelled write must end,
    /// and a sink that is ``Closable`` must close during a write.
    public static func findingsWhenSilent(
        makeSink: @Sendable () throws -> any Sink
    ) async -> [ConformanceFinding] {
        var check = SinkCheck(stored: nil)
        do {
            try await check.cancellation(makeSink, isSilent: true)
            try await check.closingDuringWrite(makeSink())
        } catch {
            check.find("the check failed: \(error)")
        }
        return check.findings
    }
}
