import GatewayCore
import GatewayTesting
import HealthModel
import Platform
import Readings
import XCTest

@testable import Exec

/// Tests of programs that misbehave beside a healthy device.
final class ExecFloodTests: XCTestCase {
    private static let count = 1_000

    /// Reports numbered readings as fast as they are accepted, and then waits.
    private struct HealthySource: Source {
        let clock: any GatewayClock

        func run(into inlet: any ReadingInlet) async throws {
            await inlet.report(
                DeviceReport(device: "h", .opened(Device(name: "H"), at: clock.now())))
            for number in 0..<ExecFloodTests.count {
                let value = try Quantity(Double(40 + number % 100), Unit(parsing: "count/min"))
                let reading = TimedReading(.instant(.heartRate, value), at: clock.now())
                await inlet.report(DeviceReport(device: "h", .readings([reading])))
                try await clock.sleep(seconds: 0.000_5)
            }
            try await clock.sleep(seconds: 1_000)
        }
    }

    private static let programs = [
        "flood": #"yes '{"reading":"instant","type":"heartRate","value":72}'"#,
        "repeats": #"yes '{"reading":"state","contact":true,"seq":1}'"#,
        "garbage": "exec cat /dev/urandom",
        "zeros": "exec cat /dev/zero",
        "stall": "exec sleep 1000",
        "death": #"echo '{"reading":"instant","type":"heartRate","value":72}'; exit 1"#,
        "shouts": "yes error >&2",
        "devices":
            #"i=0; while :; do i=$((i+1)); echo "{\"reading\":\"state\",\"contact\":true,\"device\":\"$i\"}"; done"#,
    ]

    func testHealthyDevice_besideEachOfThem_losesNothing() async throws {
        for (name, script) in Self.programs {
            let fixture = try ProgramFixture()
            let clock = fixture.clock
            let sink = InMemorySink()
            let ledger = try await fixture.run(
                ["own": try fixture.source(script: script), "h": HealthySource(clock: clock)],
                into: sink
            ) {
                // Only the new records are looked at, for a flood brings many.
                var (seen, healthy) = (0, 0)
                for await count in sink.counts {
                    healthy += sink.records[seen..<count].count(where: \.isHealthy)
                    seen = count
                    if healthy == Self.count { return }
                }
            }
            XCTAssertEqual(sink.records.count(where: \.isHealthy), Self.count, name)
            XCTAssertEqual(ledger.imbalances, [], name)
            XCTAssertEqual(ledger.ingest.unaccepted, 0, name)
            XCTAssertLessThan(fixture.log.all.count, 300, name)
        }
    }
}

extension Record {
    fileprivate var isHealthy: Bool {
        guard case .sample(let sample) = self else { return false }
        return sample.source?.name == "h"
    }
}
