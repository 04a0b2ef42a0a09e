import BluetoothTesting
import DBus
import GatewayTesting
import XCTest

final class FakeBlueZDiscoveryTests: XCTestCase {
    private let address = "D0:11:22:33:44:55"

    func testObjects_atStart_areTheAdapterAndTheManagers() async throws {
        let scene = try await scene()

        let objects = try await scene.caller.objects()

        XCTAssertEqual(Set(objects.keys), ["/org/bluez", "/org/bluez/hci0"])
        XCTAssertEqual(
            objects["/org/bluez/hci0"],
            [
                "org.bluez.Adapter1", "org.bluez.GattManager1",
                "org.bluez.LEAdvertisingManager1", "org.freedesktop.DBus.Introspectable",
                "org.freedesktop.DBus.Properties",
            ])
    }

    func testStartDiscovery_showsTheStrap() async throws {
        let scene = try await scene()

        try await scene.discover()

        let rssi = try await scene.caller.property(
            "RSSI", of: "org.bluez.Device1", BlueZCaller.strap)
        XCTAssertEqual(rssi, .int16(-60))
        let changes = await scene.caller.changes(of: BlueZCaller.adapter)
        XCTAssertEqual(changes, ["Discovering=true"])
    }

    func testStartDiscovery_again_isInProgressForTheSameCallerOnly() async throws {
        let scene = try await scene()
        let other = try BlueZCaller()
        try await other.connect(to: scene.bus.address)
        try await scene.caller.adapter("StartDiscovery")

        let error = await fault { try await scene.caller.adapter("StartDiscovery") }
        try await other.adapter("StartDiscovery")

        guard case .remote("org.bluez.Error.InProgress", _) = error else {
            return XCTFail(String(describing: error))
        }
    }

    func testStopDiscovery_makesSignalStrengthsInvalidAndRemovesLater() async throws {
        let clock = ManualClock()
        let scene = try await scene(clock: clock)
        try await scene.discover()

        try await scene.caller.adapter("StopDiscovery")
        await clock.waitForSleepers(1)
        clock.advance(seconds: 31)
        await scene.caller.wait { !$0.removed.isEmpty }

        let changes = await scene.caller.changes(of: BlueZCaller.strap)
        XCTAssertEqual(changes, ["-RSSI"])
        let removed = await scene.caller.removed
        XCTAssertEqual(removed, [BlueZCaller.strap])
        let error = await fault { try await scene.caller.device("Connect") }
        guard case .remote("org.freedesktop.DBus.Error.UnknownObject", _) = error else {
            return XCTFail(String(describing: error))
        }
    }

    func testStopDiscovery_withoutASession_fails() async throws {
        let scene = try await scene()

        let error = await fault { try await scene.caller.adapter("StopDiscovery") }

        XCTAssertEqual(
            error, .remote(name: "org.bluez.Error.Failed", message: "No discovery started"))
    }

    func testDiscovery_endsWithTheConnectionThatAskedForIt() async throws {
        let scene = try await scene()
        let other = try BlueZCaller()
        try await other.connect(to: scene.bus.address)
        try await other.adapter("StartDiscovery")

        await other.leave()
        await scene.fake.wait { !$0.isDiscovering() }
        await scene.caller.wait {
            $0.changes(of: BlueZCaller.adapter).contains("Discovering=false")
        }
    }

    func testFilters_ofAllCallersAreMerged() async throws {
        let scene = try await scene()
        let other = try BlueZCaller()
        try await other.connect(to: scene.bus.address)
        let stranger = FakeDevice(address: "AA:AA:AA:AA:AA:AA", advertisedUUIDs: ["1816"])
        await scene.fake.appear(stranger)
        let filter = BusValue.properties([
            "Transport": .string("le"),
            "UUIDs": .array([.string("0000180d-0000-1000-8000-00805f9b34fb")], of: "s"),
        ])
        try await scene.caller.adapter("SetDiscoveryFilter", [filter])
        try await scene.caller.adapter("StartDiscovery")

        let alone = await scene.fake.knows("AA:AA:AA:AA:AA:AA")
        try await other.adapter("StartDiscovery")
        let together = await scene.fake.knows("AA:AA:AA:AA:AA:AA")

        XCTAssertFalse(alone)
        XCTAssertTrue(together)
    }

    func testFilter_withAnUnknownKey_isRefused() async throws {
        let scene = try await scene()

        let error = await fault {
            try await scene.caller.adapter(
                "SetDiscoveryFilter", [.properties(["Colour": .string("red")])])
        }

        guard case .remote("org.bluez.Error.InvalidArguments", _) = error else {
            return XCTFail(String(describing: error))
        }
    }

    func testSignalStrength_isReportedFrom8dBOn() async throws {
        let scene = try await scene()
        try await scene.discover()

        await scene.fake.advertise(address, rssi: -65)
        await scene.fake.advertise(address, rssi: -70)
        await scene.caller.wait { !$0.changes(of: BlueZCaller.strap).isEmpty }

        let changes = await scene.caller.changes(of: BlueZCaller.strap)
        XCTAssertEqual(changes, ["RSSI=-70"])
    }

    func testPower_offEndsDiscoveryAndNothingCanBeStarted() async throws {
        let scene = try await scene()
        try await scene.discover()

        try await scene.caller.set(
            "Powered", of: "org.bluez.Adapter1", BlueZCaller.adapter, to: .boolean(false))
        let error = await fault { try await scene.caller.adapter("StartDiscovery") }

        let changes = await scene.caller.changes(of: BlueZCaller.adapter)
        XCTAssertEqual(changes, ["Discovering=true", "Discovering=false", "Powered=false"])
        guard case .remote("org.bluez.Error.NotReady", _) = error else {
            return XCTFail(String(describing: error))
        }
    }

    func testPower_refusedByRfkill_failsUntilItIsLifted() async throws {
        let scene = try await scene()
        await scene.fake.setPowered(false)
        await scene.fake.refusePower()
        let switchOn: @Sendable () async throws -> Void = {
            try await scene.caller.set(
                "Powered", of: "org.bluez.Adapter1", BlueZCaller.adapter, to: .boolean(true))
        }

        let error = await fault(of: switchOn)
        await scene.fake.refusePower(nil)
        try await switchOn()

        guard case .remote("org.bluez.Error.Blocked", _) = error else {
            return XCTFail(String(describing: error))
        }
    }

    func testUnplug_removesAllBelowTheAdapterFirst_andItComesBackElsewhere() async throws {
        let scene = try await scene()
        try await scene.connect()

        await scene.fake.unplug()
        await scene.caller.wait { $0.removed.contains(BlueZCaller.adapter) }
        await scene.fake.plug(FakeAdapter(name: "hci10"))
        await scene.caller.wait { $0.appeared.contains("/org/bluez/hci10") }

        let removed = await scene.caller.removed
        let deviceRemoval = try XCTUnwrap(removed.lastIndex(of: BlueZCaller.strap))
        for path in removed where path.hasPrefix("\(BlueZCaller.strap)/") {
            XCTAssertLessThan(try XCTUnwrap(removed.firstIndex(of: path)), deviceRemoval)
        }
        XCTAssertEqual(removed.last, BlueZCaller.adapter)
        let isKnown = await scene.fake.knows(address, adapter: "hci10")
        XCTAssertTrue(isKnown, "a device that was connected is stored with its adapter's address")
    }

    func testCrash_sendsNothing_andWhatWasStoredIsBackWithoutAttributes() async throws {
        let scene = try await scene()
        try await scene.connect()
        await scene.caller.forgetSignals()

        await scene.fake.crash()
        let down = await fault { _ = try await scene.caller.objects() }
        try await scene.fake.start()
        let objects = try await scene.caller.objects()

        guard case .remote("org.freedesktop.DBus.Error.ServiceUnknown", _) = down else {
            return XCTFail(String(describing: down))
        }
        XCTAssertEqual(
            Set(objects.keys), ["/org/bluez", BlueZCaller.adapter, BlueZCaller.strap])
        let signals = await scene.caller.signals
        XCTAssertEqual(signals.map(\.member), [])
    }

    func testBusLost_bluetoothdComesBackOnTheNewOne() async throws {
        let scene = try await scene()
        try await scene.connect()

        scene.bus.stop()
        await scene.fake.wait { !$0.isRunning }
        try scene.bus.start()
        try await scene.fake.start()
        try await scene.caller.connect(to: scene.bus.address)
        try await scene.caller.device("Connect")

        let isConnected = await scene.fake.isConnected(address)
        XCTAssertTrue(isConnected)
    }

    func testIntrospect_namesInterfacesMethodsAndChildren() async throws {
        let scene = try await scene()
        try await scene.connect()

        let answer = try await scene.caller.call(
            BlueZCaller.strap, "org.freedesktop.DBus.Introspectable", "Introspect")

        let text = try XCTUnwrap(answer.first?.string)
        for part in [
            "<interface name=\"org.bluez.Device1\">", "<method name=\"Connect\">",
            "<property name=\"Connected\" type=\"b\"", "<node name=\"service000a\"/>",
        ] {
            XCTAssert(text.contains(part), "\(part) is not in \(text)")
        }
    }

    func testHold_leavesCallsUnansweredUntilReleased() async throws {
        let scene = try await scene()
        await scene.fake.hold("GetManagedObjects")
        async let objects = scene.caller.objects()
        await scene.fake.waitForCall("GetManagedObjects")

        await scene.fake.release("GetManagedObjects")

        let count = try await objects.count
        XCTAssertEqual(count, 2)
    }

    func testDeniedDestination_isAccessDenied() async throws {
        var limits = PrivateBus.Limits()
        limits.deniedDestinations = ["org.bluez"]
        let scene = try await scene(limits: limits)

        let error = await fault { _ = try await scene.caller.objects() }

        guard case .remote("org.freedesktop.DBus.Error.AccessDenied", _) = error else {
            return XCTFail(String(describing: error))
        }
    }
}
