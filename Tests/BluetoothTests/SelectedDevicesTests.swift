import GatewayCore
import XCTest

@testable import Bluetooth

/// Tests that a device in quarantine is not selected.
final class SelectedDevicesTests: XCTestCase {
    func testSelection_leavesOutDevicesInQuarantine_untilTheyAreReleased() throws {
        let strap = try XCTUnwrap(BluetoothAddress("D0:11:22:33:44:55"))
        let other = try XCTUnwrap(BluetoothAddress("D0:11:22:33:44:66"))
        let quarantine = Quarantine()
        quarantine.add([strap.description, "/dev/ttyUSB0"])
        let selected = SelectedDevices(
            BluetoothSelection(devices: .named([strap, other])), quarantine: quarantine)
        XCTAssertEqual(selected.selection.named, [other])
        XCTAssertEqual(selected.quarantined, [strap])
        quarantine.release(strap.description)
        XCTAssertEqual(selected.selection.named, [strap, other])
    }

    func testSelectionOfAnyDevice_deniesThoseInQuarantine() throws {
        let strap = try XCTUnwrap(BluetoothAddress("D0:11:22:33:44:55"))
        let quarantine = Quarantine()
        quarantine.add([strap.description])
        let selected = SelectedDevices(
            BluetoothSelection(devices: .any), quarantine: quarantine)
        let offered: Set<BluetoothUUID> = [.batteryLevel]
        XCTAssertFalse(selected.selection.accepts(strap, offering: offered, wanted: offered))
    }

    func testRelease_endsTheWait() async {
        let quarantine = Quarantine()
        quarantine.add(["port"])
        async let wait: Void = quarantine.waitForRelease(of: "port")
        quarantine.release("port")
        await wait
        XCTAssertFalse(quarantine.contains("port"))
    }
}
