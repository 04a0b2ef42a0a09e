import GatewayCore
import HealthModel
import Platform
import Simulation
import XCTest

@testable import Simulator

/// The faults of a strap, and the reports about them.
final class StrapLinkTests: XCTestCase {
    private let start = BootInstant(nanoseconds: 1_000_000_000_000)

    /// The reports of a strap, by second.
    private func reports(
        _ faults: [FaultSetting], seconds: Int = 40, recordsTraffic: Bool = false
    ) -> [[String]] {
        var settings = SimulatorSettings()
        settings.faults = faults
        let device = SimulatedDevice(.heartRateStrap, index: 0, group: nil, seed: 1)
        var link = StrapLink(
            device, settings, profiles: [RateProfile()], mark: nil, recordsTraffic: recordsTraffic)
        return (0...seconds).map { second in
            let now = start.adding(seconds: Double(second))
            let contents =
                second == 0 ? link.begin(at: now) : link.advance(toSecond: second, at: now)
            return contents.map { DeviceReport(device: "", $0).words }
        }
    }

    func testWithoutFaults_itOpensAndNotifiesEverySecond() {
        let reports = reports([])
        XCTAssertEqual(reports[0].first, "opened")
        // The first beat is measured in the second second.
        XCTAssertTrue(reports.dropFirst(3).allSatisfy { $0 == ["readings 2"] }, "\(reports)")
    }

    func testLinkLost_closesAndOpensAgain() {
        var fault = FaultSetting(.linkLost, times: [5])
        fault.seconds = 3
        let reports = reports([fault])
        XCTAssertEqual(reports[5...7].flatMap { $0 }, ["closed: link lost"])
        XCTAssertEqual(reports[8].first, "opened")
        XCTAssertEqual(reports[8].last, "readings 2")
    }

    func testSilence_isStaleAfterTheLimit_andEnds() {
        var fault = FaultSetting(.silence, times: [5])
        fault.seconds = 20
        let reports = reports([fault])
        XCTAssertEqual(reports[5...24].flatMap { $0 }, ["stale"])
        XCTAssertEqual(reports[14], ["stale"])
        XCTAssertEqual(reports[25], ["readings 2"])
    }

    func testContactLost_hasNoRate() {
        var fault = FaultSetting(.contactLost, times: [5])
        fault.seconds = 4
        let reports = reports([fault])
        XCTAssertEqual(reports[5...8].map { $0 }, Array(repeating: ["readings 1"], count: 4))
        XCTAssertEqual(reports[9], ["readings 2"])
    }

    func testDamagedAndDuplicatePackets_areCounted() {
        let reports = reports([
            FaultSetting(.damagedPackets, times: [5]), FaultSetting(.duplicatePackets, times: [7]),
        ])
        XCTAssertEqual(reports[5], ["dropped damaged 1"])
        XCTAssertEqual(reports[7], ["readings 2", "dropped copy 1"])
        XCTAssertEqual(reports[8], ["readings 2"])
    }

    func testFlood_isReadPacketByPacket() {
        var fault = FaultSetting(.packetFlood, times: [5])
        fault.count = 200
        XCTAssertEqual(reports([fault])[5], Array(repeating: "readings 2", count: 201))
    }

    func testEmptyBattery_isReportedAndClosesTheLink() {
        var fault = FaultSetting(.batteryEmpty, times: [5])
        fault.seconds = 10
        let reports = reports([fault])
        XCTAssertEqual(reports[5], ["readings 1", "closed: battery empty"])
        XCTAssertEqual(reports[6...14].flatMap { $0 }, [])
        XCTAssertEqual(reports[15].first, "opened")
    }

    func testTraffic_isReportedForACapture() {
        let reports = reports([FaultSetting(.duplicatePackets, times: [7])], recordsTraffic: true)
        XCTAssertEqual(reports[0].prefix(2), ["traffic", "opened"])
        // A duplicate does not reach the adapter, so it is not in a capture.
        XCTAssertEqual(reports[7], ["traffic", "readings 2", "dropped copy 1"])
    }
}
