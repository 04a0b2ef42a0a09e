import Bluetooth
import BluetoothTesting
import ByteDecoding
import GatewayTesting
import HealthModel
import Platform
import Readings
import XCTest

@testable import FitnessMachine

final class FitnessMachineContractTests: XCTestCase {
    private typealias Profile = FitnessMachineProfile

    /// Records with all fields, and ordinary ones.
    private static let values: [BluetoothUUID: [[UInt8]]] = [
        Profile.treadmill: [
            bytes("02 01 E2 04 B0 04 9B"),
            bytes("8C 01 E2 04 64 00 00 0A 00 05 00 78 00 58 02 0A 9B"),
            bytes(
                "FE 1F E2 04 B0 04 70 11 01 0A 00 05 00 64 00 00 00 F0 00 FA 00 78 00 58 02 0A 9B "
                    + "50 2C 01 00 00 14 00 FA 00"),
        ],
        Profile.indoorBike: [
            bytes("04 02 C4 09 B4 00 9B"), bytes("51 00 10 27 00 C8 00"),
            bytes(
                "FE 1F C4 09 60 09 B4 00 AA 00 10 27 00 05 00 C8 00 BE 00 78 00 58 02 0A 9B 50 2C "
                    + "01 00 00"),
        ],
        Profile.rower: [
            bytes("0C 00 3C 0A 00 9C 00 00 7D 00"),
            bytes(
                "FE 1F 3C 0A 00 38 9C 00 00 7D 00 80 00 C8 00 BE 00 05 00 78 00 58 02 0A 9B 50 2C "
                    + "01 00 00"),
        ],
        Profile.crossTrainer: [
            bytes("04 0C 00 20 03 64 00 00 2A 00 58 02 0A 78"),
            bytes(
                "FE 7F 00 20 03 10 03 64 00 00 50 00 4E 00 64 00 05 00 00 00 0A 00 05 00 05 00 C8 "
                    + "00 BE 00 2A 00 58 02 0A 78 50 2C 01 00 00"),
        ],
    ]
    /// The bits of fields that are a byte shorter in another edition of the service.
    private static let shortened = [
        Profile.treadmill: 5...6, Profile.indoorBike: 5...5, Profile.rower: 7...7,
        Profile.crossTrainer: 7...7,
    ]

    func testDecode_whenCutShort_throws() {
        for (characteristic, values) in Self.values {
            for value in values {
                for length in 0..<value.count where length != shortLength(value, characteristic) {
                    let part = Array(value.prefix(length))
                    XCTAssertThrowsError(
                        try Profile().decode(part, of: characteristic, from: Device()), "\(part)"
                    ) { XCTAssertEqual($0 as? ByteDecodingError, .truncated) }
                }
            }
        }
    }

    func testProfile_keepsTheContract() {
        XCTAssertEqual(
            GATTProfileConformance.findings(for: Profile(), values: Self.values), [])
    }

    func testFactory_keepsTheContract() {
        XCTAssertEqual(GATTProfileConformance.findings(for: Profile.factory), [])
    }

    /// Through a private D-Bus with a fake BlueZ and a whole gateway: a split record, a restart.
    func testValues_becomeSamplesInTheStore() async throws {
        let harness: BluetoothHarness
        do {
            harness = try await BluetoothHarness(Profile())
        } catch let failure as PrivateBus.Failure { throw XCTSkip("\(failure)") }
        for distance in ["64", "6C", "05"] {
            await harness.notify(bytes("51 00 \(distance) 00 00 C8 00"), of: Profile.indoorBike)
            await harness.notify(bytes("04 00 C4 09 B4 00"), of: Profile.indoorBike)
        }
        let cadences = try await harness.samples(of: .cyclingCadence, count: 3)
        XCTAssertEqual(cadences.map(\.quantity.value), [90, 90, 90])
        let powers = try await harness.samples(of: .cyclingPower, count: 3)
        XCTAssertEqual(powers.map(\.quantity.value), [200, 200, 200])
        let distances = try await harness.samples(of: .distanceCycling, count: 2)
        XCTAssertEqual(distances.map(\.quantity.value), [8, 5])
        try await harness.gateway.stop()
    }

    /// A trainer is a power meter, too: what both services report is used once.
    func testTypes_thatAnotherProfileOfTheLinkReports_areNotReportedTwice() throws {
        var adapter = GATTAdapter(profiles: [Profile(), PowerMeter()])
        func types(_ value: String, _ characteristic: BluetoothUUID) -> [String] {
            let event = AdapterEvent(
                .received(bytes(value), on: Channel(characteristic)),
                at: BootInstant(nanoseconds: 1))
            return adapter.handle(event).compactMap {
                guard case .reading(.instant(let type, _, _)) = $0 else { return nil }
                return type.name
            }
        }
        XCTAssertEqual(types("FA", PowerMeter.measurement), ["cyclingPower", "cyclingCadence"])
        XCTAssertEqual(
            types("44 02 AA 05 2E 00 18 00 46", Profile.indoorBike), ["cyclingSpeed", "heartRate"])
        XCTAssertEqual(types("FA", PowerMeter.measurement), ["cyclingPower", "cyclingCadence"])
    }

    /// The length of a record of the same fields in another edition; nil if it is the same.
    private func shortLength(_ value: [UInt8], _ characteristic: BluetoothUUID) -> Int? {
        let flags = BitFlags(UInt16(value[0]) | UInt16(value[1]) << 8)
        let count = Self.shortened[characteristic]?.filter { flags[$0] }.count ?? 0
        return count == 0 ? nil : value.count - count
    }
}

/// A power meter that sends its power and cadence as one number.
private struct PowerMeter: GATTProfile {
    static let measurement = BluetoothUUID(0x2A63)

    let name = "powerMeter"
    let service = BluetoothUUID(0x1818)
    let subscriptions = [Self.measurement]

    func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device
    ) throws(ByteDecodingError) -> GATTDecoding {
        var reader = ByteReader(value)
        let number = Double(try reader.uint8())
        return GATTDecoding([
            try .instant(.cyclingPower, number, .watt),
            try .instant(.cyclingCadence, number, .countPerMinute),
        ])
    }
}
