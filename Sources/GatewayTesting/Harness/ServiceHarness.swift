public import GatewayCore
public import HealthModel
import Platform
import Synchronization

/// A running service in the process of a test, with a live lane of its own.
///
/// It runs until ``stop()``. Nothing else is there: no source, no journal, no store.
public final class ServiceHarness: Sendable {
    /// How long a service may take to subscribe, or to read what was published, in seconds.
    static let readSeconds = 5.0
    /// How long a cancelled service may take to end, in seconds; a gateway gives it one.
    static let stopSeconds = 2.0
    /// How often the subscriptions are looked at: they report nothing.
    private static let intervalSeconds = 0.005

    private let live = LiveLane()
    private let run: TimedOperation<Void>
    private let reports: Reports
    private let clock = SystemClock()

    /// Starts a service.
    public convenience init(_ service: any Service) {
        self.init(service, isCancelled: false)
    }

    init(_ service: any Service, isCancelled: Bool) {
        let reports = Reports()
        let access = ServiceAccess(
            live: live, report: { reports.add($0) }, announce: { reports.add(address: $0) })
        self.reports = reports
        run = TimedOperation(isCancelled: isCancelled) { try await service.run(access) }
    }

    /// What the service has reported: the last problem, and the first distinct texts.
    private final class Reports: Sendable {
        private static let limit = 100
        let state = Mutex(
            (last: String?.none, distinct: Set<String>(), addresses: Set<String>()))

        func add(_ problem: String?) {
            state.withLock { state in
                state.last = problem
                guard let problem, state.distinct.count < Self.limit else { return }
                state.distinct.insert(problem)
            }
        }

        func add(address: String?) {
            state.withLock { state in
                guard let address, state.addresses.count < Self.limit else { return }
                state.addresses.insert(address)
            }
        }
    }

    /// The problem that `pulsegate status` would show; nil for none.
    public var problem: String? { reports.state.withLock { $0.last } }

    /// The distinct problems that it has reported, the first hundred.
    var problems: Set<String> { reports.state.withLock { $0.distinct } }

    /// The distinct addresses that it has announced, the first hundred.
    var addresses: Set<String> { reports.state.withLock { $0.addresses } }

    /// How it has ended; nil while it runs.
    var result: Result<Void, any Error>? { run.result }

    /// The number of its subscriptions that it has not cancelled.
    var subscriptionCount: Int { live.subscriptionCount }

    /// Publishes records, and waits until the service has read them and waits for more.
    ///
    /// The service must have subscribed before, with ``LiveLane/subscribeBuffered(limit:)`` or
    /// ``LiveLane/subscribe()``; this waits for it.
    ///
    /// - Throws: ``HarnessGateway/Failure`` when it ends, or does not do so within 5 s.
    public func publish(_ records: [Record]) async throws {
        try await publish(records, times: 1)
    }

    /// Publishes the same records several times before it waits.
    func publish(_ records: [Record], times: Int) async throws {
        try await wait("subscribe to the live records") { $0.subscriptionCount > 0 }
        let batch = RecordBatch(records)
        for _ in 0..<times { live.offer(batch) }
        try await wait("read the records that were published") { $0.isDrained }
    }

    /// Makes a gap in the records, and waits until the service has read it.
    func skip(_ count: Int) async throws {
        try await waitForSubscription()
        live.drop(count)
        try await waitForSubscription()
    }

    /// Publishes records without waiting, if the service waits for some.
    func offer(_ records: [Record]) {
        if live.subscriptionCount > 0, live.isDrained { live.offer(RecordBatch(records)) }
    }

    /// Waits until the service has subscribed and waits for records.
    func waitForSubscription() async throws {
        try await wait("subscribe to the live records") {
            $0.subscriptionCount > 0 && $0.isDrained
        }
    }

    /// Cancels the service as a gateway does, and waits for its end.
    ///
    /// - Throws: ``HarnessGateway/Failure`` when it does not end within 2 s.
    public func stop() async throws {
        run.cancel()
        guard await run.end(within: Self.stopSeconds) == nil else { return }
        throw HarnessGateway.Failure(
            description: "does not end within \(Int(Self.stopSeconds)) s when its task is cancelled"
        )
    }

    /// Waits for a condition of the lane.
    private func wait(_ what: String, for isTrue: (LiveLane) -> Bool) async throws {
        let deadline = clock.now().adding(seconds: Self.readSeconds)
        while !isTrue(live) {
            try checkIsRunning()
            guard clock.now() < deadline else {
                throw HarnessGateway.Failure(
                    description: "does not \(what) within \(Int(Self.readSeconds)) s")
            }
            try await clock.sleep(seconds: Self.intervalSeconds)
        }
    }

    /// Throws when the service has ended.
    func checkIsRunning() throws {
        guard let result = run.result else { return }
        throw HarnessGateway.Failure(description: "ended by itself: \(Self.text(of: result))")
    }

    private static func text(of result: Result<Void, any Error>) -> String {
        switch result {
        case .success: "`run` returned without being cancelled"
        case .failure(let error): "`run` threw \(type(of: error))"
        }
    }
}
