import Bluetooth
import GatewayCore
import GatewayTesting
import HealthModel
import HeartRate
import Platform
import Readings
import XCTest

/// Values all the way to samples: adapter and converter.
final class HeartRateSamplesTests: XCTestCase {
    private let epoch = ClockEpoch(number: 0, offsetNanoseconds: 1_795_000_000_000_000_000)
    private var session = AdapterSession(GATTAdapter(profiles: [HeartRateProfile()]))
    private var converter = Converter(
        device: "D0:11:22:33:44:55", source: SourceRevision(name: "straps"), person: nil)
    private var implausible = 0
    private var drops: [DropReason: Int] = [:]
    private var sends: [(bytes: [UInt8], channel: Channel)] = []

    private func at(_ seconds: Double) -> BootInstant {
        BootInstant(nanoseconds: Int64(seconds * 1e9))
    }

    private func open(at seconds: Double) {
        _ = session.handle(.opened, at: at(seconds))
        _ = converter.linkOpened(Device(), at: at(seconds), in: epoch)
    }

    private func receive(_ hex: String, at seconds: Double) -> [QuantitySample] {
        let channel = Channel(BluetoothUUID(0x2A37))
        let outcome = session.handle(.received(bytes(hex), on: channel), at: at(seconds))
        sends += outcome.sends
        drops.merge(outcome.drops, uniquingKeysWith: +)
        let conversion = converter.convert(outcome.readings, in: epoch)
        implausible += conversion.faults[.implausible]
        return conversion.records.compactMap { record in
            guard case .sample(let sample) = record else { return nil }
            return sample
        }
    }

    /// What packets with these totals come to, one a second from a time on; nil for no sample.
    private func energies(_ totals: [UInt16], from seconds: Double = 1) -> [Double?] {
        totals.enumerated().map { index, total in
            let low = String(total & 0xFF, radix: 16)
            let high = String(total >> 8, radix: 16)
            let samples = receive("08 48 \(low) \(high)", at: seconds + Double(index))
            return samples.first { $0.type == .activeEnergyBurned }?.quantity.value
        }
    }

    func testEnergy_isTheDifferenceOfTotalsAndReportsThatItIsAnEstimate() throws {
        open(at: 0)
        XCTAssertEqual(receive("08 48 0A 00", at: 1).map(\.type), [.heartRate])

        let samples = receive("0E 48 0C 00", at: 11)

        let sample = try XCTUnwrap(samples.first { $0.type == .activeEnergyBurned })
        XCTAssertEqual(sample.quantity, try Quantity(2, .kilojoule))
        // Readings of one packet follow each other by a nanosecond.
        XCTAssertEqual(sample.start.nanoseconds(since: epoch.instant(at: at(1))), 3)
        XCTAssertEqual(sample.end.nanoseconds(since: epoch.instant(at: at(11))), 3)
        XCTAssertEqual(
            sample.metadata, try Metadata(["PulsegateEstimatedByDevice": .boolean(true)]))
    }

    func testEnergy_whenFullAndReset_countsEveryKilojouleOnce() {
        open(at: 0)

        XCTAssertEqual(
            energies([65530, 65533, 65535, 65535, 0, 0, 3, 4]),
            [nil, 3, 2, nil, nil, nil, 3, 1])
        XCTAssertEqual(sends.map(\.bytes), [[0x01]])
        XCTAssertEqual(sends.map(\.channel), [Channel(BluetoothUUID(0x2A39))])
    }

    func testEnergy_whenTheFirstTotalAfterTheResetIsLate_countsWhatItShows() {
        open(at: 0)

        XCTAssertEqual(energies([65534, 65535]), [nil, 1])
        XCTAssertEqual(energies([2], from: 12), [2])
        XCTAssertEqual(energies([5], from: 13), [3])
    }

    func testEnergy_whenTheDeviceDoesNotReset_asksAgainEveryMinuteAndCountsNothing() {
        open(at: 0)

        let counted = energies(Array(repeating: 65535, count: 130))

        XCTAssertEqual(counted.compactMap(\.self), [])
        XCTAssertEqual(sends.count, 3)
        open(at: 131)
        XCTAssertEqual(energies([65535, 65535], from: 132), [nil, nil])
        XCTAssertEqual(sends.count, 4)
        XCTAssertEqual(implausible, 0)
    }

    func testEnergy_whenItFallsToATotalThatNobodySpentSince_inventsNothing() {
        open(at: 0)

        XCTAssertEqual(energies([500, 501, 450, 451, 452]), [nil, 1, nil, 1, 1])
        XCTAssertEqual(energies([60_000, 453, 454], from: 6), [nil, 1, 1])
        XCTAssertEqual(implausible, 1)
    }

    func testEnergy_whenTheStrapWasPutOnAnew_countsFromItsNewTotal() {
        open(at: 0)
        XCTAssertEqual(energies([500, 501]), [nil, 1])
        open(at: 600)

        XCTAssertEqual(energies([90, 92], from: 601), [nil, 2])
    }

    func testIntervals_nineInOnePacket_makeNineSamplesInARow() throws {
        open(at: 0)
        // The first packet is only an anchor.
        _ = receive("16 78 00 02", at: 1)
        let value = "16 78" + String(repeating: " 00 02", count: 9)

        let intervals = receive(value, at: 5.5).filter { $0.type == .rrInterval }

        XCTAssertEqual(
            intervals.map(\.quantity), Array(repeating: try Quantity(500, .millisecond), count: 9))
        for (earlier, later) in zip(intervals, intervals.dropFirst()) {
            XCTAssertEqual(earlier.end, later.start)
        }
    }

    func testIntervals_ofContactLostAndFoundAgain_areNotAcrossTheGap() {
        open(at: 0)
        _ = receive("16 3C 00 04", at: 1)
        XCTAssertEqual(receive("16 3C 00 04", at: 2).map(\.type), [.heartRate, .rrInterval])

        XCTAssertEqual(receive("14 3C 00 04", at: 3), [])

        XCTAssertEqual(receive("16 3C 00 04", at: 4).map(\.type), [.heartRate])
        XCTAssertEqual(receive("16 3C 00 04", at: 5).map(\.type), [.heartRate, .rrInterval])
    }

    func testRate_beyondWhatAHeartDoes_isCountedAndNotStored() {
        open(at: 0)

        XCTAssertEqual(receive("01 FF FF", at: 1), [])
        XCTAssertEqual(receive("01 2C 01", at: 2).map(\.quantity.value), [300])

        XCTAssertEqual(implausible, 1)
    }

    func testMalformedValues_areCountedAndTheNextOneIsUnderstood() {
        open(at: 0)
        for hex in ["", "00", "01 48", "08 48 10", "10 48", "10 48 00", "17 01 01"] {
            XCTAssertEqual(receive(hex, at: 1), [], hex)
        }
        XCTAssertEqual(drops, [.damaged: 7])

        XCTAssertEqual(receive("10 48 00 04 01", at: 2).map(\.type), [.heartRate])
        XCTAssertEqual(receive("06 48", at: 3).map(\.quantity.value), [72])
        XCTAssertEqual(drops, [.damaged: 8])
    }
}
