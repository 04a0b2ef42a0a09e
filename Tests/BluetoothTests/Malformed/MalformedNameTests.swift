import BluetoothTesting
import GatewayCore
import GatewayTesting
import Platform
import XCTest

@testable import Advertisements
@testable import Bluetooth
@testable import BluetoothSetup

/// Names that sd-bus rejects, in advertisements of anybody: the straps are read as without them.
final class MalformedNameTests: XCTestCase {
    private static let strap = "D0:11:22:33:44:55"
    private static let missing = "D0:11:22:33:44:77"
    private static let stranger = "D0:11:22:33:44:99"
    private static let strangerPath = "/org/bluez/hci0/dev_D0_11_22_33_44_99"
    private static let name = "Bad \u{FFFE}"

    /// A bluetoothd with a strap.
    private func start() async throws -> (bus: PrivateBus, bluez: FakeBlueZ) {
        let bus: PrivateBus
        do { bus = try PrivateBus() } catch { throw XCTSkip("\(error)") }
        let bluez = try FakeBlueZ(address: bus.address)
        try await bluez.start()
        await bluez.appear(FakeStrap(address: Self.strap).device)
        return (bus, bluez)
    }

    private func stranger(named name: String?) -> FakeDevice {
        FakeStrap(address: Self.stranger, name: name).device
    }

    /// Runs `pulsegate devices` until it has shown the stranger; it stays in bluetoothd's memory.
    private func scan(_ bus: PrivateBus) async throws -> ScannedDevice? {
        let (found, signal) = AsyncStream.makeStream(of: ScannedDevice.self)
        let scanner = BluetoothScanner(busAddress: bus.address, clock: ManualClock())
        let task = Task {
            try await scanner.run { events in
                for case .found(let device) in events { signal.yield(device) }
            }
        }
        let stranger = await found.first { $0.address.description == Self.stranger }
        task.cancel()
        _ = await task.result
        return stranger
    }

    func testStrangerBeforeTheStart_theStrapIsRead_andTheObjectIsLogged() async throws {
        let (bus, bluez) = try await start()
        await bluez.appear(stranger(named: Self.name))
        let scanned = try await scan(bus)
        XCTAssertEqual(scanned?.signalStrength, -60)
        XCTAssertNil(scanned?.name)

        let source = try ReadStrap([Self.strap], busAddress: bus.address)
        await source.wait(for: "subscribing: waiting for the first value")
        await bluez.notify(Self.strap, [70])
        await source.wait(for: "pulse 70")

        let line = await source.malformedValue()
        XCTAssertTrue(
            line.hasPrefix("\(Self.strangerPath) property=org.bluez.Device1."), line)
        XCTAssertFalse(line.contains(Self.name))
        await source.end()
    }

    func testStrangerThatAppearsLater_andOneThatRenamesItself() async throws {
        let (bus, bluez) = try await start()
        // One strap is missing, so discovery continues.
        let source = try ReadStrap([Self.strap, Self.missing], busAddress: bus.address)
        await source.wait(for: "subscribing: waiting for the first value")

        await bluez.appear(stranger(named: Self.name))
        let appeared = await source.malformedValue()
        await bluez.notify(Self.strap, [70])
        await source.wait(for: "pulse 70")

        var other = FakeStrap(address: "D0:11:22:33:44:98", name: "Good").device
        await bluez.appear(other)
        other.name = Self.name
        await bluez.appear(other)
        let renamed = await source.malformedValue()
        await bluez.notify(Self.strap, [71])
        await source.wait(for: "pulse 71")

        XCTAssertTrue(appeared.hasPrefix(Self.strangerPath), appeared)
        XCTAssertTrue(renamed.hasPrefix("/org/bluez/hci0/dev_D0_11_22_33_44_98"), renamed)
        await source.end()
    }

    /// The name is unknown; everything else of the message counts.
    func testNameOfTheWantedStrap_itIsReadWithoutAName() async throws {
        let (bus, bluez) = try await start()
        let source = try ReadStrap([Self.missing], busAddress: bus.address)
        await source.wait(for: "wanted: not seen yet")
        await bluez.wait { $0.isDiscovering() }

        await bluez.appear(FakeStrap(address: Self.missing, name: Self.name).device)
        await source.wait(for: "opened")
        await source.wait(for: "subscribing: waiting for the first value")
        await bluez.notify(Self.missing, [70])
        await source.wait(for: "pulse 70")
        await source.end()
    }

    func testInspectionOfAStrapWithSuchAName() async throws {
        let (bus, bluez) = try await start()
        await bluez.appear(stranger(named: Self.name))
        let (events, signal) = AsyncStream.makeStream(of: BluetoothInspector.Event.self)
        let inspector = BluetoothInspector(
            address: try XCTUnwrap(BluetoothAddress(Self.stranger)), busAddress: bus.address,
            clock: ManualClock())
        let task = Task {
            defer { signal.finish() }
            try await inspector.run { batch in for event in batch { signal.yield(event) } }
        }
        var words: [String] = []
        for await event in events {
            words.append(event.words)
            if event == .listening { break }
        }
        XCTAssertEqual(words.first { $0.hasPrefix("connecting") }, "connecting -")
        XCTAssertEqual(words.last, "listening")
        task.cancel()
        _ = await task.result
    }

    /// Other buses than dbus-daemon deliver what no sender may send.
    func testRandomBytesInEveryMessage_theSourceRecovers() async throws {
        var run = FuzzRun("messages of bluetoothd", inputs: 5)
        while let random = run.next() {
            let (bus, bluez) = try await start()
            let noise = MessageNoise(random)
            let relay = try BusRelay(to: bus.address) { noise.change(&$0) }
            let source = try ReadStrap(
                [Self.strap, Self.missing], busAddress: relay.address, clock: SystemClock())
            await bluez.waitForCall("GetManagedObjects")
            for number in 0..<50 {
                await bluez.appear(stranger(named: "Name \(number)"))
                await bluez.notify(Self.strap, [UInt8(number)])
            }
            await bluez.flush()
            noise.stop()
            await bluez.crash()
            try await bluez.start()
            await bluez.appear(FakeStrap(address: Self.strap).device)
            await bluez.wait { $0.isNotifying(of: Self.strap) }
            await bluez.notify(Self.strap, [200])
            await source.wait(for: "pulse 200")
            await source.end()
        }
        XCTAssertEqual(run.finish(), [])
    }
}
