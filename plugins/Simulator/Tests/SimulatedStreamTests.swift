import XCTest

@testable import Simulator

/// The faults of devices on serial ports.
final class SimulatedStreamTests: XCTestCase {
    private func steps(
        _ kind: SimulatedKind, _ faults: [FaultSetting], seconds: Int = 20
    ) -> [SimulatedStream.Step] {
        var settings = SimulatorSettings()
        settings.faults = faults
        var stream = SimulatedStream(
            SimulatedDevice(kind, index: 0, group: nil, seed: 1), settings)
        return (0...seconds).map { $0 == 0 ? .send(stream.greeting) : stream.advance(toSecond: $0) }
    }

    private func bytes(_ step: SimulatedStream.Step) -> [UInt8] {
        if case .send(let bytes) = step { bytes } else { [] }
    }

    private func text(_ step: SimulatedStream.Step) -> String {
        String(decoding: bytes(step), as: UTF8.self)
    }

    func testPedometer_printsABannerAndLines() {
        let steps = steps(.pedometer, [])
        XCTAssertEqual(text(steps[0]), "Pulsegate simulated pedometer\r\n")
        XCTAssertTrue(steps.dropFirst().allSatisfy { text($0).hasPrefix("Steps: ") })
    }

    func testLinkLostSilenceAndBattery_unplugOrMute() {
        var silence = FaultSetting(.silence, times: [10])
        silence.seconds = 2
        var link = FaultSetting(.linkLost, times: [5])
        link.seconds = 2
        var battery = FaultSetting(.batteryEmpty, times: [15])
        battery.seconds = 3
        for kind in [SimulatedKind.pedometer, .hxm] {
            let steps = steps(kind, [silence, link, battery])
            XCTAssertEqual(steps[5...6].map { $0 }, [.unplugged, .unplugged])
            XCTAssertEqual(steps[10...11].map { $0 }, [.send([]), .send([])])
            XCTAssertEqual(steps[16...17].map { $0 }, [.unplugged, .unplugged])
            XCTAssertFalse(bytes(steps[18]).isEmpty)
            // The HxM sends its battery level before it is off.
            XCTAssertEqual(bytes(steps[15]).dropFirst(11).first, kind == .hxm ? 0 : nil)
        }
    }

    func testFaultsOfPackets() {
        var flood = FaultSetting(.packetFlood, times: [9])
        flood.count = 30
        let faults = [
            FaultSetting(.damagedPackets, times: [5]), FaultSetting(.duplicatePackets, times: [7]),
            flood,
        ]
        let lines = steps(.pedometer, faults).map(text)
        XCTAssertEqual(lines[5], "Ste\u{7F}#~\r\n")
        XCTAssertEqual(lines[7].components(separatedBy: "Steps").count, 3)
        XCTAssertEqual(lines[9].components(separatedBy: "debug").count, 31)
        let packets = steps(.hxm, faults).map(bytes)
        XCTAssertEqual(packets.map(\.count), [0] + (1...20).map { [7: 120, 9: 1_860][$0] ?? 60 })
        let clean = steps(.hxm, []).map(bytes)
        XCTAssertEqual(zip(packets[5], clean[5]).filter { $0 != $1 }.count, 1)
    }
}
