import BluetoothTesting
import Foundation
import GatewayTesting
import XCTest

/// What the log says when bluetoothd ends: one warning for everything that needs it.
final class BluetoothdEndTests: XCTestCase {
    private static let watch = "C0:11:22:33:44:55"

    private func broadcast(_ count: UInt8, _ box: BluetoothBox) async {
        var device = FakeDevice(address: Self.watch, name: "Watch", services: [])
        device.manufacturerData = [0x006B: [0x23 | count % 8 << 2, 0, 70 + count, 70 + count]]
        await box.bluez.appear(device)
    }

    /// A gateway that reads two straps and a watch, and offers the heart rate of a person.
    private func start() async throws -> (BluetoothBox, RunningCommand) {
        let box = try await BluetoothBox()
        try box.home.configure(
            """
            { people: { ada: {} }, devices: { "\(BluetoothBox.ada)": { person: "ada" } },
              sources: {
                straps: { use: "bluetooth",
                          devices: ["\(BluetoothBox.ada)", "\(BluetoothBox.bob)"] },
                gym: { use: "advertisements", devices: ["\(Self.watch)"] },
              },
              services: { watch: { use: "rebroadcast", person: "ada", name: "Ada" } },
              sinks: { store: "sqlite", lines: "stdout" } }
            """)
        for strap in [BluetoothBox.ada, BluetoothBox.bob] { await box.wear(strap) }
        let gateway = try box.home.start("run")
        for strap in [BluetoothBox.ada, BluetoothBox.bob] { await box.waitUntilHeard(strap) }
        await box.bluez.wait { $0.advertisedNames() == ["Ada"] }
        for strap in [BluetoothBox.ada, BluetoothBox.bob] {
            await box.bluez.notify(strap, [0x06, 70])
        }
        await broadcast(0, box)
        await broadcast(1, box)
        for device in [BluetoothBox.ada, BluetoothBox.bob, Self.watch] {
            try await gateway.waitForLines(with: "connected device=\(device)", on: .error)
        }
        return (box, gateway)
    }

    /// What a gateway logs when bluetoothd ends, and when it is back.
    private func log(
        ofEnd end: (BluetoothBox) async throws -> Void
    ) async throws -> [Substring] {
        let (box, gateway) = try await start()
        let before = await gateway.text(of: .error).count
        try await end(box)
        for device in [BluetoothBox.ada, BluetoothBox.bob, Self.watch] {
            try await gateway.waitForLines(with: "disconnected device=\(device)", on: .error)
        }
        try await gateway.waitForLines(with: "Bluetooth unavailable", on: .error)
        let status = try await box.home.run("status")
        // Two sources and a service; the devices may have been lost with the adapter.
        let count = status.output.components(separatedBy: "bluetoothd is not running;").count - 1
        XCTAssertEqual(count, 3, status.output)
        try await box.bluez.start()
        try await gateway.waitForLines(with: "Bluetooth recovered", on: .error)
        try await box.end(gateway)
        let log = await gateway.text(of: .error).dropFirst(before)
        return log.split(separator: "\n").filter { $0.contains("luetooth: ") }
    }

    private static let lines: [Substring] = [
        "warning: bluetooth: Bluetooth unavailable reason=\"bluetoothd is not running; start it: "
            + "sudo systemctl start bluetooth\" affected=\"gym, straps, watch\"",
        "bluetooth: Bluetooth recovered affected=\"gym, straps, watch\"",
    ]

    func testKilledBluetoothd_isOneWarning() async throws {
        let log = try await log { await $0.bluez.crash() }
        XCTAssertEqual(log, Self.lines)
    }

    /// bluetoothd switches its adapters off and removes them before it ends.
    func testStoppedBluetoothd_isOneWarning() async throws {
        let log = try await log { box in
            await box.bluez.setPowered(false)
            await box.bluez.unplug("hci0")
            await box.bluez.flush()
            await box.bluez.crash()
            await box.bluez.plug()
        }
        XCTAssertEqual(log, Self.lines)
    }
}
