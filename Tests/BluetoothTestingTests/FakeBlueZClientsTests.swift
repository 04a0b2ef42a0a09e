import BluetoothTesting
import Foundation
import GatewayCore
import GatewayTesting
import Platform
import XCTest

/// Real clients of bluetoothd work with the fake unchanged.
final class FakeBlueZClientsTests: XCTestCase {
    private let address = "D0:11:22:33:44:55"

    func testBluetoothctl_scansConnectsReadsAndIsNotified() async throws {
        let scene = try await scene()
        let shell = try await program(
            ["bluetoothctl"], scene.bus, missing: "bluetoothctl is missing; apt-get install bluez")
        try await shell.wait(for: "Agent registered")

        try await shell.send("list")
        try await shell.wait(for: "Controller 00:1A:7D:DA:71:13 box [default]")
        try await shell.send("scan on")
        try await shell.wait(for: "Discovery started")
        try await shell.wait(for: "Device D0:11:22:33:44:55 Strap 1")
        try await shell.send("devices")
        try await shell.wait(for: "Device D0:11:22:33:44:55 Strap 1")
        try await shell.send("connect \(address)")
        try await shell.wait(for: "Connection successful")
        try await shell.wait(for: "ServicesResolved: yes")
        try await shell.send("info \(address)")
        let info = try await shell.wait(for: "Battery Percentage: 0x50 (80)")
        XCTAssert(info.contains("Connected: yes"), info)
        XCTAssert(info.contains("UUID: Heart Rate"), info)

        try await shell.send("menu gatt")
        try await shell.send("list-attributes")
        try await shell.wait(for: "Heart Rate Measurement")
        try await shell.send("select-attribute 00002a29-0000-1000-8000-00805f9b34fb")
        try await shell.send("read")
        try await shell.wait(for: "Pulse Works")
        try await shell.send("select-attribute 00002a37-0000-1000-8000-00805f9b34fb")
        try await shell.send("notify on")
        try await shell.wait(for: "Notify started")
        await scene.fake.notify(address, [0x10, 72, 0, 4])
        try await shell.wait(for: "10 48 00 04")

        await scene.fake.dropLink(address)
        try await shell.wait(for: "Connected: no")
    }

    func testBluetoothctl_showsWhyItCannotConnect() async throws {
        let scene = try await scene { $0.behaviour.connectFailures = ["le-connection-timeout"] }
        let shell = try await program(
            ["bluetoothctl"], scene.bus, missing: "bluetoothctl is missing; apt-get install bluez")
        try await shell.wait(for: "Agent registered")
        try await shell.send("scan on")
        try await shell.wait(for: "Device D0:11:22:33:44:55 Strap 1")

        try await shell.send("connect \(address)")

        try await shell.wait(for: "Failed to connect: org.bluez.Error.Failed le-connection-timeout")
    }

    func testBleak_scansConnectsReadsAndIsNotified() async throws {
        let scene = try await scene()
        let check = try await program(
            ["python3", "-c", "import bleak; print('there')"], scene.bus,
            missing: "python3 is missing; apt-get install python3")
        guard try await check.waitForEnd().contains("there") else {
            throw XCTSkip("bleak is missing; pip install bleak")
        }
        let client = try await program(["python3", "-c", Self.script], scene.bus, missing: "")

        // It listens only some time after it has started discovery, and receives changes only.
        let (fake, address) = (scene.fake, address)
        let air = Task {
            let clock = SystemClock()
            for number in 0... {
                await fake.advertise(address, rssi: number % 2 == 0 ? -70 : -60)
                try await clock.sleep(seconds: 0.05)
            }
        }
        try await client.wait(for: "found Strap 1")
        air.cancel()
        try await client.wait(for: "read Pulse Works")
        try await client.wait(for: "listening")
        await scene.fake.notify(address, [0x10, 72, 0, 4])
        try await client.wait(for: "notified 10480004")
        await scene.fake.dropLink(address)
        try await client.wait(for: "disconnected")
        try await client.wait(for: "connected again")
        let rest = try await client.waitForEnd()

        XCTAssert(rest.contains("done"), rest)
        let isConnected = await scene.fake.isConnected(address)
        XCTAssertFalse(isConnected, "bleak disconnects what it has connected")
    }

    private func program(
        _ words: [String], _ bus: PrivateBus, missing: String
    ) async throws -> InteractiveProgram {
        let own = ProcessInfo.processInfo.environment
        let kept = ["PATH", "HOME"].compactMap { name in own[name].map { (name, $0) } }
        var environment = Dictionary(uniqueKeysWithValues: kept)
        environment["DBUS_SYSTEM_BUS_ADDRESS"] = bus.address
        do {
            return try InteractiveProgram(words, environment: environment)
        } catch let failure as ProgramFailure
            where failure.description.contains("No such file or directory")
        {
            throw XCTSkip(missing)
        }
    }

    private static let script = """
        import asyncio
        from bleak import BleakClient, BleakScanner

        FULL = "0000{}-0000-1000-8000-00805f9b34fb".format

        def say(text):
            print(text, flush=True)

        async def main():
            strap = await BleakScanner.find_device_by_address("D0:11:22:33:44:55", timeout=30)
            say("found " + strap.name)
            gone = asyncio.Event()
            client = BleakClient(strap, disconnected_callback=lambda _: gone.set(), timeout=30)
            await client.connect()
            say("read " + (await client.read_gatt_char(FULL("2a29"))).decode())
            await client.start_notify(FULL("2a37"), lambda _, value: say("notified " + value.hex()))
            say("listening")
            await gone.wait()
            say("disconnected")
            await client.connect()
            say("connected again")
            await client.disconnect()
            say("done")

        asyncio.run(main())
        """
}
