import Foundation
import GatewayCore
import GatewayTesting
import Platform
import XCTest

/// Much data through all sinks, while one thing after the other goes wrong.
///
/// `PULSEGATE_SOAK_SAMPLES` says how many samples; `PULSEGATE_SOAK_SEED` repeats a run.
final class SoakTests: XCTestCase {
    private static let defaultSamples = 20_000
    /// What the process may have more in the end than in the beginning.
    private static let bytesOfGrowth = 8_000_000
    /// What a busy gateway has anyway; on a loaded machine the first quarter may be over before.
    private static let bytesOfBusyGateway = 20_000_000
    private static let filesOfGrowth = 2

    func testFaultsOfAllKinds_loseAndDoubleNothing_andLeaveNothingBehind() async throws {
        let variables = ProcessInfo.processInfo.environment
        let samples = variables["PULSEGATE_SOAK_SAMPLES"].flatMap { Int($0) }
        let seed = variables["PULSEGATE_SOAK_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...9_999)
        let clock = SystemClock()
        let start = clock.now()
        let soak = try await Soak(samples: samples ?? Self.defaultSamples, seed: seed)
        print("soak: \(samples ?? Self.defaultSamples) samples, seed \(seed)")
        try await soak.run()
        let ending = try await soak.stop()
        XCTAssertEqual(ending, .exited(0), "seed \(seed)")
        let seconds = clock.now().seconds(since: start)

        let stored = try RecordTally.Sums(ofStoreAt: "\(soak.home.dataDirectory)/health.sqlite")
        XCTAssertEqual(stored.samples, soak.samples, "seed \(seed)")
        XCTAssertEqual(stored.value, Double(soak.samples), "seed \(seed)")
        XCTAssertEqual(soak.repository.sums, stored, "seed \(seed)")
        XCTAssertEqual(soak.lines.sums, stored, "seed \(seed)")
        let ledger = try soak.home.ledger()
        XCTAssertEqual(ledger.imbalances, [], "seed \(seed)")
        XCTAssertEqual(ledger.ingest.published, Int64(stored.samples + stored.events))
        for (name, sink) in ledger.sinks {
            XCTAssertEqual(sink.outcome.delivered, ledger.ingest.published, "\(name), seed \(seed)")
        }
        let growth = Growth(soak.sights)
        XCTAssertLessThan(
            growth.last.bytes,
            max(growth.first.bytes, Self.bytesOfBusyGateway) + Self.bytesOfGrowth, "seed \(seed)")
        XCTAssertLessThanOrEqual(
            growth.last.files, growth.first.files + Self.filesOfGrowth, "seed \(seed)")
        await report(soak, stored, growth, seconds)
    }

    private func report(
        _ soak: Soak, _ stored: RecordTally.Sums, _ growth: Growth, _ seconds: Double
    ) async {
        let faults = soak.faults.sorted { "\($0.key)" < "\($1.key)" }
            .map { "\($0.value) × \($0.key)" }.joined(separator: ", ")
        let ledger = await soak.gateway.lines(of: .error, with: "ledger").joined(separator: "\n  ")
        print(
            """
            soak: \(stored.samples) samples and \(stored.events) events in \(Int(seconds)) s
              private memory in each quarter: \(growth.quarters.map { $0.bytes / 1024 }) KiB, \
            descriptors: \(growth.quarters.map(\.files))
              sent again: \(soak.repository.repeated) to the repository, \(soak.lines.repeated) printed
              faults: \(faults)
              \(ledger)
            """)
    }
}

/// How the process was in each quarter of the time, after warming up.
private struct Growth {
    struct Quarter {
        /// The median.
        let bytes: Int
        /// The most.
        let files: Int

        init(_ sights: ArraySlice<Soak.Sight>) {
            let sorted = sights.map(\.privateBytes).sorted()
            bytes = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
            files = sights.map(\.openFiles).max() ?? 0
        }
    }

    let quarters: [Quarter]
    var first: Quarter { quarters[0] }
    var last: Quarter { quarters[3] }

    init(_ sights: [Soak.Sight]) {
        let warm = sights.dropFirst(max(sights.count / 10, 1))
        quarters = (0..<4).map { number in
            Quarter(warm.dropFirst(warm.count * number / 4).prefix(max(warm.count / 4, 1)))
        }
    }
}
