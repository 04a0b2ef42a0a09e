import Bluetooth
import BluetoothTesting
import DBus
import GatewayCore
import GatewayTesting
import Platform
import XCTest

@testable import Peripheral

/// Tests of a peripheral with a bluetoothd on a private bus.
final class PeripheralTests: XCTestCase {
    private var bus: PrivateBus?
    private let clock = ManualClock()

    private func start() async throws -> (FakeBlueZ, Peripheral, events: Events) {
        let bus: PrivateBus
        do {
            bus = try PrivateBus()
        } catch let failure as PrivateBus.Failure where failure.description.contains("missing") {
            throw XCTSkip(failure.description)
        }
        self.bus = bus
        let bluez = try FakeBlueZ(address: bus.address)
        try await bluez.start()
        let context = ComponentContext(
            name: "watch", clock: clock, log: Logger(component: "test") { _ in },
            dataDirectory: "/nonexistent")
        let peripheral = try Peripheral(.strap(), busAddress: bus.address, context: context)
        return (bluez, peripheral, Events(peripheral))
    }

    func testCentral_readsAndGetsEveryValue() async throws {
        let (bluez, peripheral, events) = try await start()
        await events.wait(for: "offered hci0")
        let names = await bluez.advertisedNames()
        XCTAssertEqual(names, ["Ada"])
        let location = await bluez.readOffered("2a38", offset: 1)
        XCTAssertEqual(location, [2, 3])
        let refused = await bluez.readOffered("2a37")
        XCTAssertNil(refused)
        await bluez.subscribe(to: "2a37")
        await events.wait(for: "subscribed")
        for rate in UInt8(60)...69 { await peripheral.set([0x06, rate], of: .measurement) }
        await bluez.wait { $0.notified.count >= 10 }
        let values = await bluez.notified.map(\.value)
        XCTAssertEqual(values, (UInt8(60)...69).map { [0x06, $0] })
        await events.end()
        await bluez.wait { $0.advertisedServices.isEmpty }
    }

    func testBluetoothd_thatIsKilledAndStarted_offersAgain() async throws {
        let (bluez, peripheral, events) = try await start()
        await events.wait(for: "offered hci0")
        await bluez.subscribe(to: "2a37")
        await events.wait(for: "subscribed")
        await bluez.crash()
        await events.wait(for: "problem: bluetoothd is not running")
        try await bluez.start()
        await events.wait(for: "offered hci0", count: 2)
        // Nobody is subscribed to the new one.
        await peripheral.set([0x06, 60], of: .measurement)
        await bluez.subscribe(to: "2a37")
        await peripheral.set([0x06, 61], of: .measurement)
        await bluez.wait { !$0.notified.isEmpty }
        let values = await bluez.notified.map(\.value)
        XCTAssertEqual(values, [[0x06, 61]])
        await events.end()
    }

    func testAdapter_thatIsPoweredOffAndOn_offersAgain() async throws {
        let (bluez, _, events) = try await start()
        await events.wait(for: "offered hci0")
        await bluez.setPowered(false)
        await events.wait(for: "problem: Bluetooth adapter hci0 is powered off")
        await bluez.setPowered(true)
        await events.wait(for: "offered hci0", count: 2)
        let names = await bluez.advertisedNames()
        XCTAssertEqual(names, ["Ada"])
        await events.end()
    }

    func testRelease_isFollowedByAnotherAdvertisement() async throws {
        let (bluez, _, events) = try await start()
        await events.wait(for: "offered hci0")
        await bluez.releaseAdvertisements()
        await events.wait(for: "problem: bluetoothd has ended the advertisement")
        await clock.waitForSleepers(1)
        clock.advance(seconds: 1)
        await events.wait(for: "offered hci0", count: 2)
        await events.end()
    }

    func testOtherPrograms_areRefused() async throws {
        let (bluez, _, events) = try await start()
        await events.wait(for: "offered hci0")
        let registered = await bluez.calls(of: "RegisterApplication").first?.sender
        let caller = try XCTUnwrap(registered)
        let stranger = try BusStranger(address: XCTUnwrap(bus).address)
        for member in ["StartNotify", "ReadValue"] {
            let error = await stranger.call(
                BusCall(
                    caller, "\(OfferedObjects.root)/service0/char0", BlueZName.gattCharacteristic,
                    member))
            XCTAssertEqual(error, "org.freedesktop.DBus.Error.AccessDenied")
        }
        await events.end()
    }
}
