import DBus
import XCTest

@testable import Bluetooth

final class BluetoothSelectionTests: XCTestCase {
    private let pulse: Set<BluetoothUUID> = [BluetoothUUID(0x180D)]

    private func accepts(
        _ selection: BluetoothSelection, _ number: UInt8, offering services: [UInt16]
    ) -> Bool {
        selection.accepts(
            .ending(number), offering: Set(services.map { BluetoothUUID($0) }), wanted: pulse)
    }

    private func adapter(_ number: Int, address: String? = nil) -> BlueZAdapter {
        BlueZAdapter(
            path: Daemon.adapter(number),
            properties: address.map { ["Address": .string($0)] } ?? [:])
    }

    func testNamed_takesThoseWhateverTheyAdvertise() {
        let selection = BluetoothSelection(devices: .named([.ending(1), .ending(2)]))

        XCTAssertTrue(accepts(selection, 1, offering: []))
        XCTAssertTrue(accepts(selection, 2, offering: [0x1816]))
        XCTAssertFalse(accepts(selection, 3, offering: [0x180D]))
    }

    func testAny_takesThoseThatOfferWhatIsWanted() {
        let selection = BluetoothSelection(devices: .any)

        XCTAssertTrue(accepts(selection, 3, offering: [0x180F, 0x180D]))
        XCTAssertFalse(accepts(selection, 3, offering: [0x180F]))
        XCTAssertFalse(accepts(selection, 3, offering: []))
        XCTAssertEqual(selection.named, [])
    }

    func testDenied_isTakenByNoSelection() {
        let named = BluetoothSelection(
            devices: .named([.ending(1), .ending(2)]), denied: [.ending(1)])
        let any = BluetoothSelection(devices: .any, denied: [.ending(1)])

        XCTAssertFalse(accepts(named, 1, offering: [0x180D]))
        XCTAssertEqual(named.named, [.ending(2)])
        XCTAssertFalse(accepts(any, 1, offering: [0x180D]))
    }

    func testAdapter_isTakenByNameOrAddress() {
        let address = "00:1A:7D:DA:71:13"
        func taken(_ wanted: String?, _ candidate: BlueZAdapter) -> Bool {
            BluetoothSelection(devices: .any, adapter: wanted).accepts(candidate)
        }

        XCTAssertTrue(taken(nil, adapter(0)))
        XCTAssertTrue(taken("hci1", adapter(1)))
        XCTAssertFalse(taken("hci1", adapter(10)))
        XCTAssertFalse(taken("hci10", adapter(1)))
        XCTAssertTrue(taken("00:1a:7d:da:71:13", adapter(1, address: address)))
        XCTAssertFalse(taken("00:1A:7D:DA:71:14", adapter(1, address: address)))
        XCTAssertFalse(taken(address, adapter(1)))
    }
}
