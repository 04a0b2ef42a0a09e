package import GatewayCore
package import Platform
import Synchronization

/// A service with its configured name.
package struct NamedService: Sendable {
    /// The configured name.
    package let name: String
    /// The service.
    package let service: any Service
    /// The settings from which it was made.
    package let settings: ComponentSettings

    /// Names a service that was made of these settings.
    package init(
        name: String, service: any Service, settings: ComponentSettings = ComponentSettings()
    ) {
        self.name = name
        self.service = service
        self.settings = settings
    }
}

/// Runs the services of a gateway, and runs each again after a failure.
///
/// Each has a thread, so that one that blocks delays no other and not the gateway.
package actor ServiceRunner {
    /// The timeout of the services at a stop, in seconds.
    private static let stopSeconds = 1.0
    private static let maximumThreads = 64

    private struct Running {
        let task: OwnedTask
        let health: Health
        let report: Report
    }

    /// What a service reports itself.
    private final class Report: Sendable {
        let content = Mutex((problem: String?.none, address: String?.none))
    }

    private var services: [NamedService]
    private var running: [String: Running] = [:]
    private var pool: TaskPool?
    private var threadCount = 0
    /// The number of services that did not end in time; each may block a thread for ever.
    private var lostCount = 0
    private var isStopped = false
    private let live: LiveLane
    /// The requests of their clients, once the gateway runs.
    private var requests: any GatewayRequests = NoGatewayRequests()
    private let clock: any GatewayClock
    private let log: Logger

    /// Makes a runner of services that do not run yet.
    package init(
        _ services: [NamedService], live: LiveLane, clock: any GatewayClock, log: Logger
    ) {
        self.services = services
        self.live = live
        self.clock = clock
        self.log = log
    }

    /// Starts the services, with the requests that their clients may send.
    package func start(_ requests: any GatewayRequests = NoGatewayRequests()) {
        self.requests = requests
        for service in services { start(service) }
    }

    /// Replaces the services: unchanged ones continue, changed ones are restarted.
    package func change(to new: [NamedService]) async -> GatewayChange {
        let change = GatewayChange(
            from: services.map { ($0.name, $0.settings) }, to: new.map { ($0.name, $0.settings) })
        let leaving = services.filter {
            change.removed.contains($0.name) || change.changed.contains($0.name)
        }
        let kept = services.filter { change.kept.contains($0.name) }
        services = new.map { service in kept.first { $0.name == service.name } ?? service }
        await end(leaving)
        for service in new where !change.kept.contains(service.name) { start(service) }
        return change
    }

    /// Cancels the services, and starts none any more.
    package func cancel() {
        isStopped = true
        for service in running.values { service.task.cancel() }
    }

    /// Stops the services; one that does not end in time is left behind.
    package func stop() async {
        cancel()
        await end(services)
        // The requests hold the service, which holds this runner.
        requests = NoGatewayRequests()
    }

    /// The services with the reason why one does not work.
    package func status() -> [StatusReport.Part] {
        let now = clock.now()
        return services.map { service in
            let state = running[service.name]
            let report = state?.report.content.withLock { $0 }
            return StatusReport.Part(
                name: service.name, failure: state?.health.failure(at: now) ?? report?.problem,
                address: report?.address)
        }
    }

    private func start(_ named: NamedService) {
        guard !isStopped else { return }
        let health = Health()
        let report = Report()
        let supervisor = Supervisor(clock: clock, log: log.named(named.name), health: health)
        let access = ServiceAccess(
            live: live, requests: requests,
            report: { text in report.content.withLock { $0.problem = text } },
            announce: { address in report.content.withLock { $0.address = address } })
        let task = OwnedTask(on: threads(for: services.count + lostCount)) {
            await supervisor.keepRunning {
                report.content.withLock { $0 = (nil, nil) }
                try await named.service.run(access)
            }
        }
        running[named.name] = Running(task: task, health: health, report: report)
    }

    /// The pool with a thread for each service and one more.
    ///
    /// Services beyond the limit share the threads.
    private func threads(for count: Int) -> TaskPool {
        let wanted = min(count + 1, Self.maximumThreads)
        defer { threadCount = max(threadCount, wanted) }
        guard let pool else {
            let new = TaskPool(name: "services", count: wanted)
            pool = new
            return new
        }
        for _ in threadCount..<max(threadCount, wanted) { pool.addThread() }
        return pool
    }

    private func end(_ leaving: [NamedService]) async {
        let tasks = leaving.compactMap { running.removeValue(forKey: $0.name)?.task }
        for task in tasks { task.cancel() }
        await OwnedTask.wait(
            for: tasks, until: clock.now().adding(seconds: Self.stopSeconds), on: clock)
        lostCount += tasks.count { !$0.hasEnded }
        for case let closable as any Closable in leaving.map(\.service) { await closable.close() }
    }
}
