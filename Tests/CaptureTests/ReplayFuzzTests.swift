import Foundation
import GatewayCore
import GatewayTesting
import HealthModel
import HeartRate
import HxM
import Lines
import Platform
import XCTest

@testable import Capture

/// Damaged captures through adapters, converter and journal.
final class ReplayFuzzTests: XCTestCase {
    private static let plugins = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("../../plugins").standardized

    private let log = Logger(component: "test") { _ in }

    private func fixture(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: Self.plugins.appendingPathComponent("\(path)/capture")))
    }

    /// Replays a file; returns the number of published records.
    private func replay(_ path: String) async throws -> Int64 {
        let reader = try CaptureReader(path)
        let header = try await reader.header()
        let clock = ReplayClock(header)
        let journal = try Journal(
            file: MemoryJournalFile(), sinks: ["none"], clock: SystemClock(), log: log)
        let pipeline = IngestPipeline(
            bus: Bus(journal: journal, live: LiveLane()), clock: clock, people: People(),
            version: header.version, earliest: header.earliest, log: log)
        let adapters = AdapterMaker(
            profiles: [HeartRateProfile.factory],
            protocols: [LinesProtocol.factory, HxMProtocol.factory], formats: [],
            context: ComponentContext(
                name: "replay", clock: SystemClock(), log: log, dataDirectory: "/"))
        let replay = Replay(
            adapters: adapters, speed: .maximum, clock: clock, systemClock: SystemClock(),
            pipeline: pipeline, waitForSpace: {})
        let result: Result<Void, any Error>
        do { result = .success(try await replay.run(reader)) } catch { result = .failure(error) }
        await journal.close()
        await journal.finish()
        try result.get()
        return await journal.ledger.ingest.published
    }

    func testFixtures_areReplayed() async throws {
        let folder = try TemporaryFolder()
        for path in [
            "HeartRate/Fixtures/strap", "HxM/Fixtures/hxm-packets", "Lines/Fixtures/steps",
        ] {
            let file = try folder.write(try fixture(path), to: "capture")
            let published = try await replay(file)
            XCTAssertGreaterThan(published, 10, path)
        }
    }

    func testDamagedCaptures_areReplayedOrRefused() async throws {
        let folder = try TemporaryFolder()
        let files = try [
            fixture("HeartRate/Fixtures/strap"), fixture("HxM/Fixtures/hxm-packets"),
            fixture("Lines/Fixtures/steps"),
        ]
        let words = [
            "3199999999999999999", "0", "\"1795000000000000000\"", "ff", "\n", "1000",
            "{\"clock\":\"-3000000000000000000\"}\n", "{\"forgotten\":1,\"at\":1}\n",
            "{\"closed\":1,\"at\":9,\"reason\":\"\"}\n", "\"profiles\":[\"heartRate\"]",
        ].map { Array($0.utf8) }
        var run = FuzzRun("Replay", inputs: 300)
        while var generator = run.next() {
            var bytes = generator.pick(files)
            for _ in 0...generator.pick([0, 2, 20]) { generator.mutate(&bytes, words: words) }
            let file = try folder.write(bytes, to: "capture")
            do { _ = try await replay(file) } catch {
                run.expect(error is CaptureError, "\(error)")
            }
        }
        XCTAssertEqual(run.finish(), [])
    }
}
