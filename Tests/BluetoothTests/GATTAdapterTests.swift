import ByteDecoding
import GatewayCore
import HealthModel
import Platform
import Readings
import XCTest

@testable import Bluetooth

final class GATTAdapterTests: XCTestCase {
    private let first = BluetoothUUID(0x2A37)
    private let second = BluetoothUUID(0x2A38)
    private let receipt = BootInstant(nanoseconds: 1_000)

    func testOpened_readsTheMakeTheProfilesAndTheBatteryOnce() {
        var adapter = GATTAdapter(profiles: [
            ProfileStub(subscriptions: [first], reads: [second]),
            ProfileStub(subscriptions: [second], reads: [second, .batteryLevel]),
        ])

        let actions = adapter.handle(AdapterEvent(.opened, at: receipt))

        let shorts: [UInt16] = [0x2A29, 0x2A24, 0x2A27, 0x2A26, 0x2A28, 0x2A25, 0x2A38, 0x2A19]
        XCTAssertEqual(actions, shorts.map { .read(Channel(BluetoothUUID($0))) })
        XCTAssertEqual(adapter.subscriptions, [first, second, .batteryLevel])
    }

    func testTimerAndClosed_wantNothing() {
        var adapter = GATTAdapter(profiles: [ProfileStub(subscriptions: [first])])

        XCTAssertEqual(adapter.handle(AdapterEvent(.timer, at: receipt)), [])
        XCTAssertEqual(adapter.handle(AdapterEvent(.closed, at: receipt)), [])
    }

    func testReceived_goesToTheFirstProfileThatNamesTheCharacteristic() {
        let profiles = [
            ProfileStub(subscriptions: [first], mark: 0.1),
            ProfileStub(subscriptions: [first], reads: [second], mark: 0.2),
        ]

        XCTAssertEqual(receive([1], on: first, profiles), [.reading(.state(.battery(0.1)))])
        XCTAssertEqual(receive([1], on: second, profiles), [.reading(.state(.battery(0.2)))])
    }

    /// The first profile that reports a type on a link keeps it; states are everybody's.
    func testTypes_areReportedByOneProfile() throws {
        let rate = Reading.instant(.heartRate, try Quantity(60, .countPerMinute))
        var adapter = GATTAdapter(profiles: [
            RateProfile(name: "one", characteristic: first, readings: [rate]),
            RateProfile(
                name: "two", characteristic: second,
                readings: [.state(.contact(true)), rate]),
        ])
        func receive(_ characteristic: BluetoothUUID) -> [AdapterAction] {
            adapter.handle(
                AdapterEvent(.received([1], on: Channel(characteristic)), at: receipt))
        }
        XCTAssertEqual(receive(second), [.reading(.state(.contact(true))), .reading(rate)])
        XCTAssertEqual(receive(first), [])
        _ = adapter.handle(AdapterEvent(.opened, at: receipt))
        XCTAssertEqual(receive(first), [.reading(rate)])
        XCTAssertEqual(receive(second), [.reading(.state(.contact(true)))])
    }

    func testReceived_whenAPartIsUnusable_givesReadingsAndDrops() {
        let profile = ProfileStub(subscriptions: [first], mark: 0.5, drops: [.damaged, .invalid])

        XCTAssertEqual(
            receive([1], on: first, [profile]),
            [.reading(.state(.battery(0.5))), .dropped(.damaged), .dropped(.invalid)])
    }

    func testReceived_whenTheProfileThrows_isDroppedForItsReason() {
        let reasons: [(ByteDecodingError, DropReason)] = [
            (.truncated, .damaged), (.invalid, .invalid), (.unknown, .unknown),
        ]
        for (error, reason) in reasons {
            let profile = ProfileStub(subscriptions: [first], error: error)
            XCTAssertEqual(receive([1], on: first, [profile]), [.dropped(reason)])
        }
    }

    func testReceived_onAnUnnamedCharacteristic_isUnknown() {
        let stub = ProfileStub(subscriptions: [first])
        var adapter = GATTAdapter(profiles: [stub])
        let stream = AdapterEvent(.received([1], on: .stream), at: receipt)

        XCTAssertEqual(receive([1], on: second, [stub]), [.dropped(.unknown)])
        XCTAssertEqual(adapter.handle(stream), [.dropped(.unknown)])
    }

    func testReceived_handsTheMakeKnownSoFarToTheProfile() {
        var adapter = GATTAdapter(profiles: [MakeProfile()])
        func known() -> [String] { makes(adapter.receive([], on: first, at: receipt)) }

        XCTAssertEqual(known(), ["-"])
        _ = adapter.receive(Array("Acme".utf8), on: .manufacturerName, at: receipt)
        _ = adapter.receive(Array("Heart 2".utf8), on: .modelNumber, at: receipt)
        XCTAssertEqual(known(), ["Acme Heart 2"])
        _ = adapter.receive([0xFF], on: .modelNumber, at: receipt)
        XCTAssertEqual(known(), ["Acme Heart 2"])
        _ = adapter.handle(AdapterEvent(.opened, at: receipt))
        XCTAssertEqual(known(), ["-"])
    }

    func testReceived_whenTheProfileWrites_sendsItAfterTheReadings() {
        let profile = ProfileStub(
            subscriptions: [first], mark: 0.5, drops: [.invalid],
            writes: [GATTWrite([1], to: second), GATTWrite([2], to: second)])

        XCTAssertEqual(
            receive([1], on: first, [profile]),
            [
                .reading(.state(.battery(0.5))), .dropped(.invalid),
                .send([1], on: Channel(second)), .send([2], on: Channel(second)),
            ])
    }

    func testReceived_whenTheProfileWritesTheSameAgain_sendsItOnceAMinute() {
        let profile = ProfileStub(subscriptions: [first], writes: [GATTWrite([1], to: second)])
        var adapter = GATTAdapter(profiles: [profile])
        let seconds = [0.0, 1, 59.9, 60, 61, 119.9, 120]

        let sent = seconds.filter { second in
            let time = receipt.adding(nanoseconds: Int64(second * 1e9))
            return adapter.receive([1], on: first, at: time).contains(where: isSend)
        }

        XCTAssertEqual(sent, [0, 60, 120])
    }

    func testReceived_afterANewOpening_sendsTheSameAgain() {
        let profile = ProfileStub(subscriptions: [first], writes: [GATTWrite([1], to: second)])
        var adapter = GATTAdapter(profiles: [profile])
        XCTAssertTrue(adapter.receive([1], on: first, at: receipt).contains(where: isSend))

        _ = adapter.handle(AdapterEvent(.opened, at: receipt))

        XCTAssertTrue(adapter.receive([1], on: first, at: receipt).contains(where: isSend))
    }

    func testReceived_whenTheProfileWritesWithoutEnd_isBounded() {
        let writes = (0..<100).map { GATTWrite([UInt8($0)], to: second) }
        let profile = ProfileStub(subscriptions: [first], writes: writes)
        var adapter = GATTAdapter(profiles: [profile])

        let counts = [0, 1, 60].map { seconds in
            let time = receipt.adding(nanoseconds: Int64(seconds) * 1_000_000_000)
            return adapter.receive([1], on: first, at: time).filter(isSend).count
        }

        XCTAssertEqual(counts, [16, 0, 16])
    }

    func testBattery_atEveryValue() {
        for percent in UInt8.min...UInt8.max {
            let expected: AdapterAction =
                percent <= 100
                ? .reading(.state(.battery(Double(percent) / 100))) : .dropped(.invalid)
            XCTAssertEqual(receive([percent], on: .batteryLevel), [expected], "\(percent)")
        }
        XCTAssertEqual(receive([0x64, 0x00], on: .batteryLevel), [.dropped(.invalid)])
        XCTAssertEqual(receive([], on: .batteryLevel), [.dropped(.damaged)])
    }

    private func receive(
        _ value: [UInt8], on characteristic: BluetoothUUID, _ profiles: [any GATTProfile] = []
    ) -> [AdapterAction] {
        var adapter = GATTAdapter(profiles: profiles)
        return adapter.receive(value, on: characteristic, at: receipt)
    }

    private func isSend(_ action: AdapterAction) -> Bool {
        if case .send = action { true } else { false }
    }

    /// The makes that a ``MakeProfile`` received.
    private func makes(_ actions: [AdapterAction]) -> [String] {
        actions.compactMap { action in
            guard case .reading(.identity(let device)) = action else { return nil }
            return device.name
        }
    }
}

extension GATTAdapter {
    fileprivate mutating func receive(
        _ value: [UInt8], on characteristic: BluetoothUUID, at time: BootInstant
    ) -> [AdapterAction] {
        handle(AdapterEvent(.received(value, on: Channel(characteristic)), at: time))
    }
}

/// A profile that reports the make it received, as a name.
private struct MakeProfile: GATTProfile {
    let name = "make"
    let service = BluetoothUUID(0x180D)
    let subscriptions = [BluetoothUUID(0x2A37)]

    func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device
    ) throws(ByteDecodingError) -> GATTDecoding {
        let make = [device.manufacturer, device.model].compactMap(\.self).joined(separator: " ")
        return GATTDecoding([.identity(Device(name: make.isEmpty ? "-" : make))])
    }
}

/// A profile that answers every value alike.
private struct ProfileStub: GATTProfile {
    let name = "stub"
    let service = BluetoothUUID(0x180D)
    var subscriptions: [BluetoothUUID]
    var reads: [BluetoothUUID] = []
    var mark = 0.0
    var drops: [DropReason] = []
    var writes: [GATTWrite] = []
    var error: ByteDecodingError?

    func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device
    ) throws(ByteDecodingError) -> GATTDecoding {
        if let error { throw error }
        return GATTDecoding([.state(.battery(mark))], drops: drops, writes: writes)
    }
}

/// A profile that reports the same readings for each value.
private struct RateProfile: GATTProfile {
    let name: String
    let service = BluetoothUUID(0x180D)
    let characteristic: BluetoothUUID
    let readings: [Reading]
    var subscriptions: [BluetoothUUID] { [characteristic] }

    func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device
    ) throws(ByteDecodingError) -> GATTDecoding { GATTDecoding(readings) }
}
