import CMemory
import GatewayCore
import HealthModel
import Platform

/// Runs of a service with records and requests of all kinds.
extension ServiceCheck {
    /// The number of bursts of the two loads that are compared, and of batches in a burst.
    private static let burstCounts = (short: 10, long: 100)
    private static let burst = 20
    /// The number of requests of the two loads.
    private static let requestCounts = (short: 100, long: 400)
    /// The maximum growth of the memory from the short to the long load, in bytes.
    private static let growthLimit = 262_144
    /// The number of times that growth must be seen: other threads use memory meanwhile.
    private static let attempts = 3
    /// The number of records that are missing in a gap.
    private static let missedCount = 1_000

    /// Publishes records of all kinds, and those that the service shows.
    mutating func liveRun(_ service: any Service, _ name: String) async {
        await run(service, name) { check, harness in
            var all = ConformanceRecords()
            for record in try all.allKinds() { try await harness.publish([record]) }
            try await harness.publish(try all.heartRates(1_000))
            try await check.show(name, harness)
        }
    }

    /// Publishes the records that the service shows, and waits until it does.
    private mutating func show(_ name: String, _ harness: ServiceHarness) async throws {
        guard !records.isEmpty else { return }
        try await harness.publish(records)
        if try await !isShown() {
            find(
                "\(name): does not show its records within \(Int(ServiceConformance.showSeconds)) s"
            )
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

    /// Publishes records that the gateway accepts and no device sends.
    mutating func oddRecords(_ service: any Service) async {
        await run(service, "records with odd values") { check, harness in
            for record in try OddRecords().all {
                check.input.write("\(record)")
                try await harness.publish([record])
            }
            try await harness.publish([])
        }
    }

    /// Makes a gap, as for a reader that was too slow, and publishes the records that the service shows.
    mutating func gap(_ service: any Service) async {
        let name = "records after a gap"
        await run(service, name) { check, harness in
            var all = ConformanceRecords()
            try await harness.publish(try all.heartRates(1))
            try await harness.skip(Self.missedCount)
            try await check.show(name, harness)
        }
    }

    /// Publishes the same heart rates again and again; the memory must not grow with their number.
    mutating func memory(_ makeService: () throws -> any Service) async throws {
        var all = ConformanceRecords()
        let batch = try all.heartRates(10)
        try await memory(Self.burstCounts, ofRecords: true, makeService) { harness in
            try await harness.publish(batch, times: Self.burst)
        }
    }

    /// Sends requests; the memory must not grow with their number.
    mutating func memoryOfRequests(_ makeService: () throws -> any Service) async throws {
        guard let request else { return }
        try await memory(Self.requestCounts, ofRecords: false, makeService) { _ in
            try await request()
        }
    }

    private mutating func memory(
        _ counts: (short: Int, long: Int), ofRecords: Bool, _ makeService: () throws -> any Service,
        _ load: (ServiceHarness) async throws -> Void
    ) async throws {
        for _ in 0..<Self.attempts {
            var growth = 0
            await run(try makeService(), "a long run") { check, harness in
                try await check.waitUntilItWorks(harness)
                func usedBytes(after count: Int) async throws -> Int {
                    for _ in 0..<count { try await load(harness) }
                    return Int(cmemory_used_bytes())
                }
                let before = try await usedBytes(after: counts.short)
                growth = try await usedBytes(after: counts.long) - before
            }
            if growth <= Self.growthLimit { return }
        }
        let number = ofRecords ? "records" : "requests"
        find("the memory that the service keeps grows with the number of \(number)")
    }
}
