import ByteDecoding
import GatewayTesting
import Platform
import XCTest

@testable import HxM

final class HxMPacketTests: XCTestCase {
    private func parse(_ bytes: [UInt8]) -> HxMPacket? { try? HxMPacket(bytes[...]) }

    func testInit_h1() throws {
        let packet = try XCTUnwrap(parse(Packets.h1))
        XCTAssertEqual(packet.firmwareIdentifier, 26)
        XCTAssertEqual(packet.firmwareVersion, "1f")
        XCTAssertEqual(packet.hardwareIdentifier, 80)
        XCTAssertEqual(packet.hardwareVersion, "1d")
        XCTAssertEqual(packet.batteryPercent, 100)
        XCTAssertEqual(packet.heartRate, 75)
        XCTAssertEqual(packet.beatNumber, 85)
        XCTAssertEqual(packet.beatTimes.prefix(3), [41, 64_785, 64_001])
        XCTAssertEqual(
            packet.intervals.reversed(),
            [792, 784, 796, 812, 436, 340, 776, 820, 844, 824, 792, 816, 820, 804])
        XCTAssertEqual(packet.distance, 237)
        XCTAssertEqual(packet.speed, 150)
        XCTAssertEqual(packet.strides, 12)
    }

    func testInit_h2_oldFirmwareWithCadence() throws {
        let packet = try XCTUnwrap(parse(Packets.h2))
        XCTAssertEqual(packet.firmwareVersion, "1e")
        XCTAssertEqual(packet.hardwareVersion, "1b")
        XCTAssertEqual(packet.heartRate, 42)
        XCTAssertEqual(packet.beatNumber, 113)
        XCTAssertEqual(
            packet.intervals.reversed().prefix(9),
            [1680, 355, 2064, 1611, 736, 279, 1048, 1279, 1280])
        XCTAssertEqual(Double(packet.distance) / 16, 62.625)
        XCTAssertEqual(Double(packet.speed) / 256, 1.4883, accuracy: 0.0001)
        XCTAssertEqual(packet.strides, 48)
    }

    func testInit_h3h4_beatNumberAndTimeRollOver() throws {
        let before = try XCTUnwrap(parse(Packets.h3))
        let after = try XCTUnwrap(parse(Packets.h4))
        XCTAssertEqual([before.beatNumber, after.beatNumber], [254, 0])
        XCTAssertEqual(after.intervals.suffix(2), [748, 780])
        XCTAssertEqual(after.intervals.dropLast(2), before.intervals.dropFirst(2))
        XCTAssertEqual([before.strides, after.strides], [63, 63])
        XCTAssertEqual([before.distance, after.distance], [1722, 1722])
    }

    func testInit_h5h6_firstMovementAndACheckByteOfZero() throws {
        let before = try XCTUnwrap(parse(Packets.h5))
        let after = try XCTUnwrap(parse(Packets.h6))
        XCTAssertEqual([before.strides, after.strides], [46, 48])
        XCTAssertEqual([before.distance, after.distance], [1205, 1309])
        XCTAssertEqual([before.beatNumber, after.beatNumber], [145, 147])
        XCTAssertEqual(Packets.h6[58], 0)
    }

    func testInit_h7h8_everyCounterRollsOver() throws {
        let before = try XCTUnwrap(parse(Packets.h7))
        let after = try XCTUnwrap(parse(Packets.h8))
        XCTAssertEqual([before.beatNumber, after.beatNumber], [250, 0])
        XCTAssertEqual(after.intervals, Array(repeating: 800, count: 14))
        XCTAssertEqual([before.strides, after.strides], [126, 2])
        XCTAssertEqual([before.distance, after.distance], [4090, 6])
    }

    func testInit_whenCutOrLonger_isNil() {
        for length in 0..<HxMPacket.size {
            XCTAssertNil(parse(Array(Packets.h1.prefix(length))), "\(length)")
        }
        XCTAssertNil(parse(Packets.h1 + [0]))
    }

    func testInit_ofASliceInTheMiddle_isTheSame() {
        let padded = [0xFF] + Packets.h1 + [0xFF]
        XCTAssertEqual(try? HxMPacket(padded[1..<61]), parse(Packets.h1))
    }

    func testInit_takesEveryFieldToItsLimit() {
        let cases: [(offset: Int, allowed: [UInt8], forbidden: [UInt8])] = [
            (5, [0x21, 0x7E], [0x20, 0x7F, 0x00, 0xFF]),
            (6, [0x21, 0x7E], [0x20, 0x7F, 0x00, 0xFF]),
            (9, [0x21, 0x7E], [0x20, 0x7F, 0x00, 0xFF]),
            (10, [0x21, 0x7E], [0x20, 0x7F, 0x00, 0xFF]),
            (11, [0, 100], [101, 255]),
            (12, [0, 30, 240], [1, 29, 241, 255]),
            (13, [0, 255], []),
            (51, [0, 0xFF], []),
            (53, [0, 0x0F], [0x10, 0xFF]),
            (54, [0, 255], []),
            (55, [0, 255], []),
            (56, [0, 255], []),
            (57, [0, 255], []),
        ]
        for (offset, allowed, forbidden) in cases {
            for byte in allowed {
                XCTAssertNotNil(parse(Packets.changing([offset: byte])), "\(offset): \(byte)")
            }
            for byte in forbidden {
                XCTAssertNil(parse(Packets.changing([offset: byte])), "\(offset): \(byte)")
            }
        }
    }

    func testInit_countersHaveTheBitsThatEveryFirmwareCounts() {
        let packet = parse(Packets.changing([50: 0x34, 51: 0xF2, 54: 0x85]))
        XCTAssertEqual(packet?.distance, 0x0234)
        XCTAssertEqual(packet?.strides, 5)
    }

    func testInit_ignoresTheReservedBytes() {
        let changes = Dictionary(uniqueKeysWithValues: (44..<50).map { ($0, UInt8(0xFF)) })
        XCTAssertEqual(parse(Packets.changing(changes)), parse(Packets.h1))
        XCTAssertEqual(
            parse(Packets.changing([55: 1, 56: 2, 57: 3])), parse(Packets.h1))
    }

    func testInit_whenRandom_staysWithinTheGuide() {
        var run = FuzzRun("packets of a belt", inputs: 20_000)
        while var random = run.next() {
            let bytes = (0..<HxMPacket.size).map { _ in
                UInt8.random(in: .min ... .max, using: &random)
            }
            guard let packet = try? HxMPacket(bytes[...]) else { continue }
            run.expect(packet.batteryPercent <= 100, "a battery of \(packet.batteryPercent) %")
            run.expect(packet.strides <= 127, "\(packet.strides) strides")
            run.expect(packet.intervals.count == 14, "\(packet.intervals.count) intervals")
        }
        XCTAssertEqual(run.finish(), [])
    }
}
