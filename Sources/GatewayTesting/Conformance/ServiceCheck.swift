import GatewayCore
import HealthModel
import Platform

/// The checks of ``ServiceConformance`` on one place, and what they have found.
struct ServiceCheck {
    /// The maximum length of a text for the status, in bytes of UTF-8.
    private static let textLimit = 1_024
    /// How often `shown` and `request` are called, in seconds.
    static let intervalSeconds = 0.02

    private(set) var findings: [ConformanceFinding] = []
    let records: [Record]
    let shown: (@Sendable () async throws -> Bool)?
    let request: (@Sendable () async throws -> Void)?
    let clock = SystemClock()
    let input = InputRecord()
    /// The shortest time that a cancelled run took to end, in seconds; nil before the first one.
    private var shortestStop: Double?

    init(
        records: [Record] = [], shown: (@Sendable () async throws -> Bool)? = nil,
        request: (@Sendable () async throws -> Void)? = nil
    ) {
        self.records = records
        self.shown = shown
        self.request = request
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
        let hasEnded = harness.result != nil
        let start = clock.now()
        do {
            try await harness.stop()
            if !isCancelled, !hasEnded { noteStop(clock.now().seconds(since: start)) }
            if harness.subscriptionCount > 0 {
                find("\(name): leaves a subscription behind; cancel it with `defer`")
            }
        } catch {
            find("\(name): \(error)")
        }
        for problem in harness.problems.sorted() { check(problem, "reports a problem") }
        for address in harness.addresses.sorted() { check(address, "announces an address") }
    }

    private mutating func noteStop(_ seconds: Double) {
        shortestStop = min(shortestStop ?? seconds, seconds)
    }

    /// Checks that at least one run has ended before a gateway would have left it behind: a busy
    /// machine delays some of them.
    mutating func stops() {
        guard let shortestStop, shortestStop > ServiceConformance.stopSeconds else { return }
        find(
            "takes more than \(Int(ServiceConformance.stopSeconds)) s to end when its task is "
                + "cancelled; a gateway does not wait for it any longer")
    }

    /// Starts a service whose task is cancelled.
    mutating func cancelledStart(_ service: any Service) async {
        await run(service, "a cancelled start", isCancelled: true) { _, _ in }
    }

    /// Runs a service without any record or request.
    mutating func quietRun(_ service: any Service) async {
        let name = request == nil ? "a run without records" : "a run without requests"
        await run(service, name) { check, harness in
            try await check.waitUntilItWorks(harness)
            try await check.idle(name)
            try harness.checkIsRunning()
        }
    }

    /// Waits until a service has subscribed, or answers.
    func waitUntilItWorks(_ harness: ServiceHarness) async throws {
        guard request != nil else { return try await harness.waitForSubscription() }
        try await waitForAnswer(harness)
    }

    /// Closes a running service, and closes it again.
    mutating func closing(_ service: any Service) async {
        guard let closable = service as? any Closable else { return }
        await run(service, "a closed run") { check, harness in
            try await check.waitUntilItWorks(harness)
            for _ in 0..<2 {
                let close = TimedOperation { await closable.close() }
                guard await close.end(within: SinkConformance.closeSeconds) == nil else { continue }
                check.find("`close` did not return within \(Int(SinkConformance.closeSeconds)) s")
            }
        }
    }

    /// Checks a text that the status and the log show.
    mutating func check(_ text: String, _ what: String) {
        if text.isEmpty || text.utf8.count > Self.textLimit {
            find("\(what) that is empty or longer than \(Self.textLimit) bytes")
        }
        if text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
            find("\(what) with control characters")
        }
        if text.contains("\(ConformanceRecords.heartRate)") {
            find("\(what) with a health value")
        }
    }
}
