import Foundation
import GatewayCore
import HealthModel
import JSON
import Simulation
import XCTest

@testable import Simulator

final class SimulatorSettingsTests: XCTestCase {
    private func settings(_ text: String) throws -> SimulatorSettings {
        let value = try ConfigurationNode(json5: text).value
        return try SimulatorSettings(ConfigurationNode(path: "sources.sim", value: value))
    }

    func testDefaults_areOneStrapAndOnePedometer() throws {
        let devices = try settings("{ use: \"simulator\" }").devices(seed: 1)
        XCTAssertEqual(devices.map(\.identifier), ["simulated-strap", "simulated-pedometer"])
        XCTAssertEqual(devices.map(\.phaseSeconds), [0, 0])
    }

    func testDevices_haveTheirOwnIdentifiersNamesAndSeeds() throws {
        let devices = try settings(
            "{ devices: { heartRateStrap: 1000, pedometer: 50, hxm: 50 }, group: \"gym2\" }"
        ).devices(seed: 7)
        XCTAssertEqual(devices.count, 1_100)
        XCTAssertEqual(Set(devices.map(\.identifier)).count, 1_100)
        XCTAssertTrue(devices.allSatisfy { $0.identifier.hasPrefix("simulated-gym2-") })
        XCTAssertEqual(devices[1].identifier, "simulated-gym2-strap-2")
        XCTAssertEqual(devices[1].device.name, "Simulated Strap 2")
        XCTAssertEqual(Set(devices.prefix(1_000).map(\.seed)).count, 1_000)
        XCTAssertTrue(devices.allSatisfy { (0..<1).contains($0.phaseSeconds) })
    }

    func testFaults_haveTheirTimesAndDurations() throws {
        let faults = try settings(
            """
            { faults: { linkLost: { at: ["10m", "90s"], for: "7s" }, silence: { every: "1h" },
                        packetFlood: { at: ["0s"], count: 20 }, duplicatePackets: { every: "2s" } } }
            """
        ).faults
        XCTAssertEqual(
            faults.map(\.kind), [.linkLost, .silence, .duplicatePackets, .packetFlood])
        XCTAssertEqual(faults[0].times, [90, 600])
        XCTAssertEqual(faults.map(\.seconds), [7, 30, 0, 0])
        XCTAssertEqual(faults.map(\.meanSeconds), [nil, 3_600, 2, nil])
        XCTAssertEqual(faults[3].count, 20)
    }

    func testHeartRate_isANumberOrACurve() throws {
        let flat = try XCTUnwrap(settings("{ heartRate: 90 }").curve)
        XCTAssertEqual(flat.rate(at: 1e6), 90)
        let curve = try settings(
            """
            { heartRate: { points: [{ at: "0s", rate: 60 }, { at: "1m", rate: 120 }], end: "repeat" } }
            """
        ).curve
        XCTAssertEqual(curve?.rate(at: 90), 90)
    }

    func testBadSettings_nameTheirKeyPath() throws {
        let points = "points: [{ at: \"1m\", rate: 60 }, { at: \"1m\", rate: 70 }]"
        let cases = [
            ("{ device: 1 }", "device: unknown key"),
            ("{ devices: { strap: 1 } }", "devices.strap: unknown key"),
            ("{ devices: { heartRateStrap: 1001 } }", "devices.heartRateStrap: must be a whole"),
            ("{ devices: { pedometer: -1 } }", "devices.pedometer: must be"),
            ("{ devices: { hxm: 0 } }", "devices: must have at least one device"),
            ("{ devices: {} }", "devices: must have at least one device"),
            ("{ group: \"a b\" }", "group: must consist of"),
            ("{ group: 1 }", "group: expected a string"),
            ("{ seed: -1 }", "seed: must be a whole number"),
            ("{ seed: 1.5 }", "seed: must be a whole number"),
            ("{ heartRate: 20 }", "heartRate: must be from 30 to 220"),
            ("{ heartRate: {} }", "heartRate: the key `points` is missing"),
            ("{ heartRate: { points: [] } }", "heartRate.points: must have 1 to 1000"),
            ("{ heartRate: { \(points) } }", "heartRate.points[1].at: must be later"),
            (
                "{ heartRate: { points: [{ at: 5, rate: 60 }] } }",
                "heartRate.points[0].at: expected"
            ),
            ("{ heartRate: { points: [{ at: \"5s\" }] } }", "heartRate.points[0]: the key `rate`"),
            (
                "{ heartRate: { points: [{ at: \"5s\", rate: 500 }] } }",
                "heartRate.points[0].rate: must be"
            ),
            (
                "{ heartRate: { points: [{ at: \"0s\", rate: 60 }], end: \"repeat\" } }",
                "heartRate.points: must reach 1s"
            ),
            (
                "{ heartRate: { points: [{ at: \"0s\", rate: 60 }], end: \"loop\" } }",
                "heartRate.end: unknown value"
            ),
            ("{ faults: { linklost: {} } }", "faults.linklost: unknown key"),
            ("{ faults: { linkLost: {} } }", "faults.linkLost: must set `at`"),
            ("{ faults: { linkLost: { at: [] } } }", "faults.linkLost.at: must have 1 to 1000"),
            ("{ faults: { linkLost: { at: [\"x\"] } } }", "faults.linkLost.at[0]: expected a dur"),
            ("{ faults: { silence: { every: \"0s\" } } }", "faults.silence.every: must be from"),
            (
                "{ faults: { silence: { every: \"9s\", for: \"2d\" } } }",
                "faults.silence.for: must be from"
            ),
            (
                "{ faults: { damagedPackets: { every: \"9s\", for: \"2s\" } } }",
                "faults.damagedPackets.for: unknown key"
            ),
            (
                "{ faults: { packetFlood: { every: \"9s\", count: 0 } } }",
                "faults.packetFlood.count: must be"
            ),
            (
                "{ devices: { pedometer: 1 }, faults: { contactLost: { every: \"9s\" } } }",
                "faults.contactLost: no device of this source detects contact"
            ),
        ]
        for (text, message) in cases {
            XCTAssertThrowsError(try settings(text), text) { error in
                XCTAssertTrue("\(error)".hasPrefix("sources.sim.\(message)"), "\(text): \(error)")
            }
        }
    }

    func testSample_isTheOneOfTheDescription() throws {
        let path = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("../sample.json5")
        let text = try String(contentsOf: path.standardized, encoding: .utf8)
        XCTAssertEqual(text, SimulatorSource.about.sample)
        let configuration = try GatewayConfiguration(ConfigurationNode(json5: text))
        let node = try XCTUnwrap(configuration.sources?.first?.settings)
        XCTAssertEqual(try SimulatorSettings(node).devices(seed: 0).count, 4)
    }

    func testClaim_isOfAllDevices() throws {
        let node = try ConfigurationNode(json5: "{ devices: { heartRateStrap: 2 } }")
        let claim = try SimulatorFixture.factory.claim(node)
        XCTAssertEqual(claim.named, ["simulated-strap", "simulated-strap-2"])
    }
}
