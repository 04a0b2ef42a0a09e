import Bluetooth
import ByteDecoding
import Simulation
import XCTest

final class SimulatedStrapTests: XCTestCase {
    private let measurement = BluetoothUUID(0x2A37)

    func testNotifications_areTheSameForTheSameSeed() {
        XCTAssertEqual(notifications(seed: 5, count: 500), notifications(seed: 5, count: 500))
        XCTAssertNotEqual(notifications(seed: 5, count: 500), notifications(seed: 6, count: 500))
    }

    func testMeasurements_comeOnceASecondAndDecode() throws {
        for seed in UInt64(1)...5 {
            let packets = try packets(seed: seed, count: 3_600)
            XCTAssertEqual(packets.map(\.atSeconds), (1...packets.count).map(Double.init))
            for packet in packets {
                XCTAssertEqual(packet.flags & 0xE7, 0x06, "seed \(seed)")
                XCTAssertEqual(packet.leftover, 0, "seed \(seed)")
                XCTAssertEqual(packet.flags & 0x10 != 0, !packet.ticks.isEmpty, "seed \(seed)")
            }
        }
    }

    func testTicks_addUpToTheTimeOfTheLastBeat() throws {
        let packets = try packets(seed: 2, count: 3_600)
        var ticks = 0
        for packet in packets {
            ticks += packet.ticks.reduce(0) { $0 + Int($1) }
            let behind = packet.atSeconds - Double(ticks) / 1024
            XCTAssertTrue((-0.001..<1.6).contains(behind), "\(behind)")
        }
    }

    func testHeartRate_isThatOfTheBeats() throws {
        let packets = try packets(seed: 4, count: 3_600).dropFirst(10)
        let shown = packets.reduce(0.0) { $0 + Double($1.heartRate) } / Double(packets.count)
        let beats = packets.reduce(0) { $0 + $1.ticks.count }
        XCTAssertEqual(shown, Double(beats) / 60, accuracy: 2)
        XCTAssertTrue(packets.allSatisfy { (45...160).contains($0.heartRate) })
    }

    func testEnergy_isInEveryTenthPacketAndOnlyGrows() throws {
        let packets = try packets(seed: 3, count: 3_600)
        let energies = packets.compactMap(\.energy)
        XCTAssertEqual(energies.count, 360)
        XCTAssertEqual(energies, energies.sorted())
        XCTAssertTrue((200...3_500).contains(energies.last ?? 0), "\(energies.last ?? 0)")
        for (index, packet) in packets.enumerated() {
            XCTAssertEqual(packet.energy != nil, (index + 1).isMultiple(of: 10))
        }
    }

    func testBattery_fallsSlowlyAndReportsIt() {
        let levels = notifications(seed: 1, count: 7_206)
            .filter { $0.characteristic == .batteryLevel }
        XCTAssertEqual(levels.map(\.value), [[99], [98], [97], [96], [95], [94]])
        XCTAssertEqual(levels.first?.atSeconds, 1_200)
        XCTAssertEqual(SimulatedStrap.batteryPercent(afterSeconds: -1), 100)
        XCTAssertEqual(SimulatedStrap.batteryPercent(afterSeconds: 1e9), 1)
    }

    func testReads_areAnsweredWhereTheStrapHasAValue() {
        let strap = SimulatedStrap(seed: 1)
        XCTAssertEqual(strap.value(of: BluetoothUUID(0x2A38)), [1])
        XCTAssertEqual(strap.value(of: .batteryLevel), [100])
        XCTAssertEqual(strap.value(of: .manufacturerName), Array("Pulsegate".utf8))
        XCTAssertEqual(strap.value(of: .modelNumber), Array("Simulated Strap".utf8))
        XCTAssertNil(strap.value(of: .serialNumber))
        XCTAssertNil(strap.value(of: measurement))
    }

    func testHeartRate_isThatOfTheCurve() throws {
        let curve = try XCTUnwrap(
            HeartRateCurve([.init(atSeconds: 0, rate: 60), .init(atSeconds: 100, rate: 180)]))
        var strap = SimulatedStrap(seed: 1, curve: curve)
        for second in 1...150 {
            let expected = curve.rate(at: Double(second)).rounded()
            XCTAssertEqual(Double(strap.nextNotification().value[1]), expected, "second \(second)")
        }
    }

    func testWithoutContact_itMeasuresNothing() {
        var strap = SimulatedStrap(seed: 1)
        for _ in 1...5 { _ = strap.nextNotification() }
        strap.hasContact = false
        XCTAssertEqual(strap.nextNotification().value, [0x04, 0])
        strap.hasContact = true
        XCTAssertEqual(strap.nextNotification().value[0] & 0x06, 0x06)
        XCTAssertEqual(strap.nextSeconds, 8)
    }

    func testBattery_canBeReplaced() {
        var strap = SimulatedStrap(seed: 1)
        while strap.nextSeconds <= 1_199 { _ = strap.nextNotification() }
        _ = strap.nextNotification()
        XCTAssertEqual(strap.value(of: .batteryLevel), [99])
        strap.replaceBattery()
        XCTAssertEqual(strap.value(of: .batteryLevel), [100])
        XCTAssertEqual(strap.nextNotification().characteristic, measurement)
    }

    private func notifications(seed: UInt64, count: Int) -> [SimulatedStrap.Notification] {
        var strap = SimulatedStrap(seed: seed)
        return (0..<count).map { _ in strap.nextNotification() }
    }

    private func packets(seed: UInt64, count: Int) throws -> [Packet] {
        try notifications(seed: seed, count: count + count / 1_200)
            .filter { $0.characteristic == measurement }
            .map(Packet.init)
    }
}

/// A heart rate measurement parsed by its flags.
private struct Packet {
    let atSeconds: Double
    let flags: UInt8
    let heartRate: UInt8
    let energy: UInt16?
    let ticks: [UInt16]
    let leftover: Int

    init(_ notification: SimulatedStrap.Notification) throws {
        var cursor = ByteReader(notification.value)
        atSeconds = notification.atSeconds
        flags = try cursor.uint8()
        heartRate = try cursor.uint8()
        energy = flags & 0x08 == 0 ? nil : try cursor.uint16()
        var ticks: [UInt16] = []
        while flags & 0x10 != 0, cursor.remainingCount >= 2 { ticks.append(try cursor.uint16()) }
        self.ticks = ticks
        leftover = cursor.remainingCount
    }
}
