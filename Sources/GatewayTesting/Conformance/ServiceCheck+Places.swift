import GatewayCore
import Platform

/// Runs of a service that waits, that answers, and whose place does not work.
extension ServiceCheck {
    /// How long the use of the processor is measured, in seconds.
    private static let idleSeconds = 0.2
    /// The part of one processor that a service may use while it waits: much more than a timer needs, and
    /// less than a loop gets on a busy machine.
    private static let idleShare = 0.2
    /// The number of times that the use must be seen: other threads work meanwhile.
    private static let attempts = 3
    /// The number of requests of a run.
    private static let requestCount = 10

    /// Checks that a service that has nothing to do uses no processor.
    mutating func idle(_ name: String) async throws {
        for _ in 0..<Self.attempts {
            let before = ProcessUsage.current().cpuSeconds
            try await clock.sleep(seconds: Self.idleSeconds)
            let used = ProcessUsage.current().cpuSeconds - before
            if used <= Self.idleSeconds * Self.idleShare { return }
        }
        find("\(name): uses the processor while it waits")
    }

    /// Sends requests, and one after the end.
    mutating func answers(_ service: any Service, _ name: String) async {
        guard let request else { return }
        await run(service, name) { check, harness in
            try await check.waitForAnswer(harness)
            for _ in 0..<Self.requestCount { try await request() }
            try harness.checkIsRunning()
        }
        if (try? await request()) != nil { find("\(name): answers a request after its end") }
    }

    /// Sends requests until one is answered.
    func waitForAnswer(_ harness: ServiceHarness) async throws {
        guard let request else { return }
        let deadline = clock.now().adding(seconds: ServiceConformance.showSeconds)
        while true {
            try harness.checkIsRunning()
            do { return try await request() } catch {
                guard clock.now() < deadline else {
                    throw HarnessGateway.Failure(
                        description: "does not answer within "
                            + "\(Int(ServiceConformance.showSeconds)) s: \(error)")
                }
            }
            try await clock.sleep(seconds: Self.intervalSeconds)
        }
    }

    /// Runs a service whose place does not work, until it throws or reports a problem.
    mutating func unavailable(_ service: any Service, _ name: String) async {
        await run(service, name) { check, harness in
            let deadline = check.clock.now().adding(seconds: ServiceConformance.showSeconds)
            while harness.result == nil, harness.problem == nil {
                guard check.clock.now() < deadline else {
                    return check.find(
                        "\(name): neither throws nor reports a problem within "
                            + "\(Int(ServiceConformance.showSeconds)) s")
                }
                harness.offer(check.records)
                try await check.clock.sleep(seconds: Self.intervalSeconds)
            }
            switch harness.result {
            case .success:
                check.find("\(name): returns; throw an error, or report a problem and continue")
            case .failure(let error): check.check("\(error)", "throws an error")
            case nil: try await check.idle("\(name) with a problem")
            }
        }
    }
}
