import Bluetooth
import GatewayCore
import HealthModel
import XCTest

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

    func testReceived_whenAPartIsUnusable_givesReadingsAndDrops() {
        let profile = ProfileStub(subscriptions: [first], mark: 0.5, drops: [.damaged, .invalid])

        XCTAssertEqual(
            receive([1], on: first, [profile]),
            [.reading(.state(.battery(0.5))), .dropped(.damaged), .dropped(.invalid)])
    }

    func testReceived_whenTheProfileThrows_isDroppedForItsReason() {
        let reasons: [(GATTDecodingError, DropReason)] = [
            (.truncated, .damaged), (.invalid, .invalid), (.unknownCharacteristic, .unknown),
        ]
        for (error, reason) in reasons {
            let profile = ProfileStub(subscriptions: [first], error: error)
            XCTAssertEqual(receive([1], on: first, [profile]), [.dropped(reason)])
        }
    }

    func testReceived_onWhatNobodyNames_isUnknown() {
        let stub = ProfileStub(subscriptions: [first])
        var adapter = GATTAdapter(profiles: [stub])
        let stream = AdapterEvent(.received([1], on: .stream), at: receipt)

        XCTAssertEqual(receive([1], on: second, [stub]), [.dropped(.unknown)])
        XCTAssertEqual(adapter.handle(stream), [.dropped(.unknown)])
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
        return adapter.handle(
            AdapterEvent(.received(value, on: Channel(characteristic)), at: receipt))
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
    var error: GATTDecodingError?

    func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID
    ) throws(GATTDecodingError) -> GATTDecoding {
        if let error { throw error }
        return GATTDecoding([.state(.battery(mark))], drops: drops)
    }
}
