public import GatewayCore
public import HealthModel

/// Conformance checks for the contract of ``Service``.
///
/// They return findings, so that any test framework can use them. A trap ends the test run; the
/// name of the last check is then in the file of ``AdapterConformance``.
public enum ServiceConformance {
    /// How long records may take to be shown, and a service to work, in seconds.
    static let showSeconds = 5.0
    /// How long a gateway waits for the end of a service whose task is cancelled, in seconds.
    static let stopSeconds = 1.0

    /// Applies all checks to a service that reads live records: a cancelled start, a stop without records,
    /// the use of the processor while it waits, records of all kinds, records with values, times and people
    /// that no device sends, a second run, a gap, memory that grows with the number of records, the reports
    /// of problems, how long it takes to end, and the end of a service that is ``Closable``.
    ///
    /// - Parameters:
    ///   - records: Records that the service shows, which are published together.
    ///   - shown: Whether it shows them, read with something else than the service; nil when that
    ///     cannot be read. It is called after the records were read, until it is true, for at most 5 s.
    ///   - makeService: Makes a service; all of them show at the same place, as after a restart.
    public static func findings(
        showing records: [Record] = [], shown: (@Sendable () async throws -> Bool)? = nil,
        makeService: @Sendable () throws -> any Service
    ) async -> [ConformanceFinding] {
        var check = ServiceCheck(records: records, shown: shown)
        do {
            await check.cancelledStart(try makeService())
            await check.quietRun(try makeService())
            let service = try makeService()
            await check.liveRun(service, "a run")
            await check.liveRun(service, "a second run of the same service")
            await check.oddRecords(try makeService())
            await check.gap(try makeService())
            try await check.memory(makeService)
            await check.closing(try makeService())
            check.stops()
        } catch {
            check.find("the check failed: \(error)")
        }
        return check.findings
    }

    /// Applies the checks to a service that answers clients and reads no live records, such as a server:
    /// a cancelled start, the use of the processor while it waits, requests, a second run, that nothing
    /// answers after its end, memory that grows with the number of requests, the reports of problems, how
    /// long it takes to end, and the end of a service that is ``Closable``.
    ///
    /// - Parameters:
    ///   - request: Sends a request and compares the answer; throws when there is none, or another one. At
    ///     the start it is called until it succeeds, for at most 5 s.
    ///   - makeService: Makes a service; all of them are reached in the same way, as after a restart.
    public static func findings(
        answering request: @escaping @Sendable () async throws -> Void,
        makeService: @Sendable () throws -> any Service
    ) async -> [ConformanceFinding] {
        var check = ServiceCheck(request: request)
        do {
            await check.cancelledStart(try makeService())
            await check.quietRun(try makeService())
            let service = try makeService()
            await check.answers(service, "a run")
            await check.answers(service, "a second run of the same service")
            try await check.memoryOfRequests(makeService)
            await check.closing(try makeService())
            check.stops()
        } catch {
            check.find("the check failed: \(error)")
        }
        return check.findings
    }

    /// Checks a service whose place does not work: the display is missing, the address is in use.
    ///
    /// It must throw, so that it is run again, or report a problem and continue, and the same in the next
    /// run. Meanwhile it must not use the processor, and it must end when its task is cancelled.
    ///
    /// - Parameters:
    ///   - records: Records that the service cannot show.
    ///   - makeService: Makes a service.
    public static func findingsWhenUnavailable(
        showing records: [Record] = [], makeService: @Sendable () throws -> any Service
    ) async -> [ConformanceFinding] {
        var check = ServiceCheck(records: records)
        do {
            let service = try makeService()
            await check.unavailable(service, "a run")
            await check.unavailable(service, "the run after it")
            check.stops()
        } catch {
            check.find("the check failed: \(error)")
        }
        return check.findings
    }
}
