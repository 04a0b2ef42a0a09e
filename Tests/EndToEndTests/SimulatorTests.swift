import Foundation
import GatewayTesting
import Glibc
import HealthModel
import XCTest

/// `run` with a simulator among the sources of an ordinary configuration.
final class SimulatorTests: XCTestCase {
    private static let settings = """
        devices: { heartRateStrap: 2, pedometer: 1, hxm: 1 }, seed: 1, heartRate: 100,
        faults: { damagedPackets: { at: ["1s"] }, packetFlood: { at: ["2s"], count: 5 } }
        """

    func testRun_storesMarkedRecords_andShowsTheDevicesAndFaults() async throws {
        let home = try Home()
        try home.configure(
            """
            { sources: { sim: { use: "simulator", \(Self.settings) } },
              sinks: { store: "sqlite", lines: "stdout" },
              devices: { "simulated-strap-2": { person: "ada", name: "Ada's strap" } },
              people: { me: {}, ada: {} } }
            """)
        let gateway = try home.start("run")
        for word in ["runningSpeed", "stepCount", "distanceWalkingRunning"] {
            try await gateway.waitForLines(3, with: word, on: .output)
        }
        try await gateway.waitForLines(20, with: "heartRate", on: .output)
        let status = try await home.run("status", "--json")
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd(within: 10)
        XCTAssertEqual(ending, .exited(0))
        var decoder = RecordDecoder()
        var devices: Set<String> = []
        for line in await gateway.text(of: .output).utf8.split(separator: UInt8(ascii: "\n")) {
            let record = try decoder.decode(Array(line))
            let identifier = record.device?.localIdentifier ?? ""
            XCTAssertTrue(identifier.hasPrefix("simulated-"), "\(record)")
            devices.insert(identifier)
            XCTAssertEqual(record.person == "ada", identifier == "simulated-strap-2")
        }
        XCTAssertEqual(devices.count, 4)
        XCTAssertTrue(status.output.contains(#""damaged":1"#), status.output)
        let query = try await home.run("query", "heartRate", "--format", "csv", "--person", "ada")
        XCTAssertEqual(query.ending, .exited(0), query.error)
        let rows = query.output.split(separator: "\r\n").dropFirst()
        XCTAssertGreaterThan(rows.count, 5)
        XCTAssertTrue(rows.allSatisfy { $0.contains("simulated-strap-2") }, query.output)
    }

    /// A capture of all kinds with lost links and damaged packets makes the same records again.
    func testCapture_isReplayedToTheSameRecords() async throws {
        let home = try Home()
        try home.configure(
            """
            { sources: { sim: { use: "simulator", devices: { heartRateStrap: 3, pedometer: 1, hxm: 1 },
                faults: { linkLost: { at: ["2s"], for: "1s" }, damagedPackets: { at: ["1s"] },
                          duplicatePackets: { at: ["3s"] }, contactLost: { at: ["4s"] } } } },
              sinks: { lines: "stdout" } }
            """)
        let path = home.folder.path("sim.capture")
        let run = try await home.run("capture", path, until: #""type":"heartRate""#, count: 20)
        XCTAssertEqual(run.ending, .exited(0), run.error)
        let replay = try await home.run("replay", path, "--speed", "max")
        XCTAssertEqual(replay.ending, .exited(0), replay.error)
        let lines = run.output.split(separator: "\n").sorted()
        XCTAssertGreaterThan(lines.count, 50)
        XCTAssertEqual(replay.output.split(separator: "\n").sorted(), lines)
    }

    func testCheck_ofTwoSimulatorsWithTheSameDevices_namesBoth() async throws {
        let home = try Home()
        try home.configure(
            """
            { sources: { a: "simulator", b: { use: "simulator", devices: { pedometer: 1 } } } }
            """)
        let check = try await home.run("check")
        XCTAssertEqual(check.ending, .exited(78))
        XCTAssertTrue(
            check.error.contains(
                "sources.b: reads simulated-pedometer, which sources.a also reads"),
            check.error)
    }
}
