import BluetoothTesting
import Foundation
import GatewayCore
import GatewayTesting
import XCTest

/// What is missing at the start is said in one line with the mend, and waited for.
final class BluetoothStartTests: XCTestCase {
    /// Starts a gateway where something is missing, mends that, and waits for the first heart rate.
    private func start(
        _ box: BluetoothBox, says line: String, mending: (BluetoothBox) async throws -> Void
    ) async throws {
        try box.configure(#"{ use: "bluetooth", devices: ["\#(BluetoothBox.ada)"] }"#)
        let gateway = try box.home.start("run")
        try await gateway.waitForLines(with: line, on: .error)
        try await mending(box)
        await box.wear(BluetoothBox.ada)
        await box.waitUntilHeard(BluetoothBox.ada)
        await box.bluez.notify(BluetoothBox.ada, SteadyHeart.beat)
        try await gateway.waitForLines(with: "heartRate", on: .output)
        try await box.end(gateway)
        let warnings = await gateway.lines(of: .error, with: "warning: ")
        XCTAssertEqual(warnings.count, 1, "\(warnings)")
    }

    func testNoBus() async throws {
        let box = try await BluetoothBox(startsDaemon: false)
        box.bus.stop()
        try await start(box, says: "start the system bus: sudo systemctl start dbus") { box in
            try box.bus.start()
            try await box.bluez.start()
        }
    }

    func testNoBluetoothd() async throws {
        let box = try await BluetoothBox(startsDaemon: false)
        try await start(
            box, says: "bluetoothd is not running; start it: sudo systemctl start bluetooth"
        ) { box in
            try await box.bluez.start()
        }
    }

    func testNoAdapter() async throws {
        let box = try await BluetoothBox(adapters: [])
        try await start(box, says: "no Bluetooth adapter found; plug it in") { box in
            await box.bluez.plug()
        }
    }

    func testAdapterOff() async throws {
        let box = try await BluetoothBox(adapters: [FakeAdapter(isPowered: false)])
        try await start(
            box, says: "Bluetooth adapter hci0 is powered off; turn it on: bluetoothctl power on"
        ) { box in
            await box.bluez.setPowered(true)
        }
    }

    func testOwnerOfTheName_thatTheBusDoesNotTell() async throws {
        var limits = PrivateBus.Limits()
        limits.deniedBusMethods = ["GetNameOwner"]
        try await start(
            try await BluetoothBox(limits: limits),
            says: "cannot query whether bluetoothd is running: "
                + "org.freedesktop.DBus.Error.AccessDenied; check the policies"
        ) { box in
            try await box.bus.change(to: PrivateBus.Limits())
        }
    }

    func testMatchRules_thatTheBusRefuses() async throws {
        var limits = PrivateBus.Limits()
        limits.matchRules = 2
        try await start(
            try await BluetoothBox(limits: limits),
            says: "cannot subscribe to bluetoothd signals: "
                + "org.freedesktop.DBus.Error.LimitsExceeded; check the policies"
        ) { box in
            try await box.bus.change(to: PrivateBus.Limits())
        }
    }

    func testStatus_reportsWhatIsInTheWay_evenWhenNoDeviceIsNamed() async throws {
        let box = try await BluetoothBox(startsDaemon: false)
        try box.configure(#"{ use: "bluetooth", devices: "any" }"#)
        let gateway = try box.home.start("run")
        try await gateway.waitForLines(with: "bluetoothd is not running", on: .error)
        let failing = try await box.home.run("status", "--json")
        XCTAssertTrue(failing.output.contains(#""healthy":false"#), failing.output)
        XCTAssertTrue(failing.output.contains("bluetoothd is not running"), failing.output)
        try await box.bluez.start()
        try await gateway.waitForLines(with: "Bluetooth recovered", on: .error)
        let working = try await box.home.run("status", "--json")
        XCTAssertFalse(working.output.contains("bluetoothd is not running"), working.output)
        try await box.end(gateway)
    }

    func testAccessDenied() async throws {
        var limits = PrivateBus.Limits()
        limits.deniedDestinations = [FakeBlueZ.name]
        let box = try await BluetoothBox(limits: limits)
        try box.configure(#"{ use: "bluetooth", devices: ["\#(BluetoothBox.ada)"] }"#)
        let gateway = try box.home.start("run")
        try await gateway.waitForLines(
            with:
                "access to bluetoothd denied; add the user to group bluetooth: sudo usermod",
            on: .error)
        try await box.end(gateway)
    }
}
