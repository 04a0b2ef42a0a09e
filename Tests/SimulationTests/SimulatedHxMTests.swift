import ByteDecoding
import Simulation
import XCTest

final class SimulatedHxMTests: XCTestCase {
    func testPackets_areTheSameForTheSameSeed() {
        XCTAssertEqual(packets(seed: 5, count: 300), packets(seed: 5, count: 300))
        XCTAssertNotEqual(packets(seed: 5, count: 300), packets(seed: 6, count: 300))
    }

    func testPackets_haveTheFrameOfTheGuide() {
        for packet in packets(seed: 1, count: 300) {
            XCTAssertEqual(packet.count, 60)
            XCTAssertEqual(Array(packet.prefix(3)), [0x02, 0x26, 55])
            XCTAssertEqual(UInt32(packet[58]), CRC.crc8Maxim.checksum(packet[3..<58]))
            XCTAssertEqual(packet[59], 0x03)
        }
    }

    /// The sum of the intervals is the time of the newest beat, also where its 16 bits roll over.
    func testBeats_areNumberedAndTimed() {
        let packets = packets(seed: 2, count: 600)
        for (last, packet) in zip(packets, packets.dropFirst()) {
            let beats = Int(packet[13] &- last[13])
            XCTAssertTrue((0...3).contains(beats), "\(beats)")
            XCTAssertEqual(time(of: beats, in: packet), time(of: 0, in: last))
        }
        for (index, packet) in packets.enumerated().dropFirst(2) {
            let behind = UInt16(truncatingIfNeeded: (index + 1) * 1_000) &- time(of: 0, in: packet)
            XCTAssertLessThan(behind, 1_700)
        }
    }

    func testHeartRate_followsTheCurve() throws {
        let curve = try XCTUnwrap(
            HeartRateCurve([.init(atSeconds: 0, rate: 60), .init(atSeconds: 100, rate: 160)]))
        var strap = SimulatedHxM(seed: 1, curve: curve)
        for second in 1...120 {
            let expected = curve.rate(at: Double(second)).rounded()
            XCTAssertEqual(Double(strap.nextPacket()[12]), expected, "second \(second)")
        }
    }

    func testWithoutContact_theHeartRateIsZero() {
        var strap = SimulatedHxM(seed: 1)
        strap.hasContact = false
        XCTAssertEqual(strap.nextPacket()[12], 0)
        strap.hasContact = true
        XCTAssertGreaterThan(strap.nextPacket()[12], 0)
    }

    func testBattery_fallsAndCanBeReplaced() {
        var strap = SimulatedHxM(seed: 1)
        for _ in 0..<2_400 { _ = strap.nextPacket() }
        XCTAssertEqual(strap.nextPacket()[11], 98)
        XCTAssertEqual(strap.emptyBatteryPacket()[11], 0)
        strap.replaceBattery()
        XCTAssertEqual(strap.nextPacket()[11], 100)
    }

    private func packets(seed: UInt64, count: Int) -> [[UInt8]] {
        var strap = SimulatedHxM(seed: seed)
        return (0..<count).map { _ in strap.nextPacket() }
    }

    /// The time of a beat, counted back from the newest.
    private func time(of beat: Int, in packet: [UInt8]) -> UInt16 {
        UInt16(packet[14 + 2 * beat]) | UInt16(packet[15 + 2 * beat]) << 8
    }
}
