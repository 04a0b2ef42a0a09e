public import GatewayCore
public import HealthModel
import Platform

/// Conformance checks for the contract of ``Service``.
///
/// They return findings, so that any test framework can use them. A trap ends the test run; the
/// name of the last check is then in the file of ``AdapterConformance``.
public enum ServiceConformance {
    /// How long records may take to be shown, in seconds.
    static let showSeconds = 5.0

    /// Applies all checks: a cancelled start, a stop without records, records of all kinds, records
    /// with values, times and people that no device sends, a second run, memory that grows with the
    /// number of records, the reports of problems, and the end of a service that is ``Closable``.
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
            try await check.memory(makeService)
            await check.closing(try makeService())
        } catch {
            check.find("the check failed: \(error)")
        }
        return check.findings
    }
}

/// The checks of ``ServiceConformance`` on one place, and what they have found.
struct ServiceCheck {
    /// The maximum length of a problem, in bytes of UTF-8.
    private static let problemLimit = 1_024
    /// How often `shown` is called.
    private static let intervalSeconds = 0.02

    private(set) var findings: [ConformanceFinding] = []
    private let records: [Record]
    private let shown: (@Sendable () async throws -> Bool)?
    private let clock = SystemClock()
    let input = InputRecord()

    init(records: [Record], shown: (@Sendable () async throws -> Bool)?) {
        self.records = records
        self.shown = shown
    }

    mutating func find(_ problem: String) {
        let finding = ConformanceFinding(problem)
        if !findings.contains(finding) { findings.append(finding) }
    }

    /// Runs a service with a harness, stops it, and checks what it leaves.
    mutating func run(
        _ service: any Service, _ name: String, isCancelled: Bool = false,
        _ body: (inout ServiceCheck, ServiceHarness) async throws -> Void
    ) async {
        input.write(name)
        let harness = ServiceHarness(service, isCancelled: isCancelled)
        do { try await body(&self, harness) } catch { find("\(name): \(error)") }
        do {
            try await harness.stop()
            if harness.subscriptionCount > 0 {
                find("\(name): leaves a subscription behind; cancel it with `defer`")
            }
        } catch {
            find("\(name): \(error)")
        }
        for problem in harness.problems.sorted() { check(problem) }
    }

    /// Starts a service whose task is cancelled.
    mutating func cancelledStart(_ service: any Service) async {
        await run(service, "a cancelled start", isCancelled: true) { _, _ in }
    }

    /// Runs a service without any record.
    mutating func quietRun(_ service: any Service) async {
        await run(service, "a run without records") { _, harness in
            try await harness.waitForSubscription()
        }
    }

    /// Publishes records of all kinds, and those that the service shows.
    mutating func liveRun(_ service: any Service, _ name: String) async {
        let records = records
        await run(service, name) { check, harness in
            var all = ConformanceRecords()
            for record in try all.allKinds() { try await harness.publish([record]) }
            try await harness.publish(try all.heartRates(1_000))
            guard !records.isEmpty else { return }
            try await harness.publish(records)
            if try await !check.isShown() {
                check.find(
                    "\(name): does not show its records within "
                        + "\(Int(ServiceConformance.showSeconds)) s")
            }
        }
    }

    private func isShown() async throws -> Bool {
        guard let shown else { return true }
        let deadline = clock.now().adding(seconds: ServiceConformance.showSeconds)
        while try await !shown() {
            guard clock.now() < deadline else { return false }
            try await clock.sleep(seconds: Self.intervalSeconds)
        }
        return true
    }

    /// Closes a running service, and closes it again.
    mutating func closing(_ service: any Service) async {
        guard let closable = service as? any Closable else { return }
        await run(service, "a closed run") { check, harness in
            try await harness.waitForSubscription()
            for _ in 0..<2 {
                let close = TimedOperation { await closable.close() }
                guard await close.end(within: SinkConformance.closeSeconds) == nil else { continue }
                check.find("`close` did not return within \(Int(SinkConformance.closeSeconds)) s")
            }
        }
    }

    private mutating func check(_ problem: String) {
        if problem.isEmpty || problem.utf8.count > Self.problemLimit {
            find("reports a problem that is empty or longer than \(Self.problemLimit) bytes")
        }
        if problem.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
            find("reports a problem with control characters")
        }
        if problem.contains("\(ConformanceRecords.heartRate)") {
            find("reports a problem with a health value")
        }
    }
}
