import BluetoothTesting
import DBus
import GatewayTesting
import XCTest

final class FakeBlueZLinkTests: XCTestCase {
    private let address = "D0:11:22:33:44:55"

    func testConnect_showsAttributesBeforeServicesAreResolved() async throws {
        let scene = try await scene()

        try await scene.connect()

        let signals = await scene.caller.signals
        let lastAdded = try XCTUnwrap(signals.lastIndex { $0.member == "InterfacesAdded" })
        let resolved = try XCTUnwrap(
            signals.lastIndex {
                $0.body.count > 1 && $0.body[1].entries?["ServicesResolved"] != nil
            })
        XCTAssertLessThan(lastAdded, resolved)
        let changes = await scene.caller.changes(of: BlueZCaller.strap)
        XCTAssertEqual(changes, ["Connected=true", "UUIDs=…", "ServicesResolved=true"])
        let objects = try await scene.caller.objects()
        XCTAssertEqual(
            objects[BlueZCaller.strap]?.filter { $0.hasPrefix("org.bluez") },
            ["org.bluez.Battery1", "org.bluez.Device1"])
        let battery = try await scene.caller.property(
            "Percentage", of: "org.bluez.Battery1", BlueZCaller.strap)
        XCTAssertEqual(battery, .byte(80))
        let batteryPath = await scene.fake.characteristicPath("2a19", of: address)
        XCTAssertNil(batteryPath, "bluetoothd 5.66 keeps the Battery Service to itself")
    }

    func testConnect_withTheBatteryServiceExported_showsIt() async throws {
        var options = FakeBlueZ.Options()
        options.exportsBatteryService = true
        let scene = try await scene(options: options)

        try await scene.connect()

        let path = try await scene.path("2a19")
        let value = try await scene.caller.characteristic(path, "ReadValue", [.properties([:])])
        XCTAssertEqual(value, [.bytes([80])])
    }

    func testConnect_whenConnected_isASuccess() async throws {
        let scene = try await scene()
        try await scene.connect()

        try await scene.caller.device("Connect")
    }

    func testConnect_whileOneIsUnderWay_isInProgress_andDisconnectCancelsIt() async throws {
        let scene = try await scene { $0.behaviour.answersConnect = false }
        try await scene.discover()
        async let first = fault { try await scene.caller.device("Connect") }
        await scene.fake.waitForCall("Connect")

        let second = await fault { try await scene.caller.device("Connect") }
        try await scene.caller.device("Disconnect")
        let cancelled = await first

        guard case .remote("org.bluez.Error.InProgress", _) = second else {
            return XCTFail(String(describing: second))
        }
        XCTAssertEqual(
            cancelled, .remote(name: "org.bluez.Error.Failed", message: "br-connection-canceled"))
    }

    func testConnect_failsTheGivenNumberOfTimes() async throws {
        let scene = try await scene {
            $0.behaviour.connectFailures = [
                "le-connection-timeout", "le-connection-abort-by-local",
            ]
        }
        try await scene.discover()

        let first = await fault { try await scene.caller.device("Connect") }
        let second = await fault { try await scene.caller.device("Connect") }
        try await scene.caller.device("Connect")

        XCTAssertEqual(
            [first, second],
            [
                .remote(name: "org.bluez.Error.Failed", message: "le-connection-timeout"),
                .remote(name: "org.bluez.Error.Failed", message: "le-connection-abort-by-local"),
            ])
        await scene.caller.wait {
            $0.changes(of: BlueZCaller.strap).contains("ServicesResolved=true")
        }
        let changes = await scene.caller.changes(of: BlueZCaller.strap)
        XCTAssertEqual(
            changes.prefix(3), ["Connected=true", "Connected=false", "Connected=true"],
            "an attempt aborted by this side shows as connected for a moment")
    }

    func testConnect_takesItsTimeOnTheClock() async throws {
        let clock = ManualClock()
        let scene = try await scene(clock: clock) {
            $0.behaviour.connectSeconds = 2
            $0.behaviour.resolveSeconds = 3
        }
        try await scene.discover()
        async let connected: Void = scene.caller.device("Connect")

        await clock.waitForSleepers(1)
        let early = await scene.fake.isConnected(address)
        clock.advance(seconds: 2)
        try await connected
        await clock.waitForSleepers(1)
        let unresolved = await scene.caller.changes(of: BlueZCaller.strap)
        clock.advance(seconds: 3)
        await scene.caller.wait {
            $0.changes(of: BlueZCaller.strap).contains("ServicesResolved=true")
        }

        XCTAssertFalse(early)
        XCTAssertEqual(unresolved, ["Connected=true"])
    }

    func testConnect_toADeviceThatHasGone_endsAfterTheSystemsLimit() async throws {
        let clock = ManualClock()
        let scene = try await scene(clock: clock)
        try await scene.discover()
        await scene.fake.disappear(address)
        async let error = fault { try await scene.caller.device("Connect") }
        await scene.fake.waitForCall("Connect")
        await clock.waitForSleepers(1)

        clock.advance(seconds: 20)

        let text = await error
        XCTAssertEqual(
            text,
            .remote(name: "org.bluez.Error.Failed", message: "le-connection-abort-by-local"))
    }

    func testConnects_atTheSameTime_areCounted() async throws {
        let clock = ManualClock()
        let scene = try await scene(clock: clock) { $0.behaviour.connectSeconds = 1 }
        var second = FakeStrap(address: "D0:00:00:00:00:02").device
        second.behaviour.connectSeconds = 1
        await scene.fake.appear(second)
        try await scene.discover()
        let otherPath = FakeBlueZ.devicePath("D0:00:00:00:00:02")
        async let first: Void = scene.caller.device("Connect")
        async let other = scene.caller.call(otherPath, "org.bluez.Device1", "Connect")

        await clock.waitForSleepers(2)
        clock.advance(seconds: 1)
        try await first
        _ = try await other

        let most = await scene.fake.maximumSimultaneousConnects()
        XCTAssertEqual(most, 2)
    }

    func testDropLink_endsTheLink_andAttributesStay() async throws {
        let scene = try await scene()
        try await scene.connect()
        await scene.caller.forgetSignals()

        await scene.fake.dropLink(address)
        await scene.caller.wait {
            $0.changes(of: BlueZCaller.strap).contains("Connected=false")
        }

        let changes = await scene.caller.changes(of: BlueZCaller.strap)
        XCTAssertEqual(changes, ["ServicesResolved=false", "Connected=false"])
        let path = await scene.fake.characteristicPath("2a37", of: address)
        XCTAssertNotNil(path)
    }

    func testDropLink_withoutACache_removesTheAttributes() async throws {
        var options = FakeBlueZ.Options()
        options.keepsAttributes = false
        let scene = try await scene(options: options)
        try await scene.connect()

        await scene.fake.dropLink(address)
        let objects = try await scene.caller.objects()

        XCTAssertEqual(
            Set(objects.keys), ["/org/bluez", BlueZCaller.adapter, BlueZCaller.strap])
    }

    func testConnect_withServicesThatAreNeverResolved_showsNone() async throws {
        let scene = try await scene { $0.behaviour.resolvesServices = false }
        try await scene.discover()

        try await scene.caller.device("Connect")
        let objects = try await scene.caller.objects()

        XCTAssertEqual(objects.count, 3)
    }

    func testConnect_withAHiddenService_resolvesWithoutIt() async throws {
        let scene = try await scene { $0.behaviour.hiddenServices = ["180d"] }

        try await scene.connect()

        let path = await scene.fake.characteristicPath("2a37", of: address)
        XCTAssertNil(path)
        let other = await scene.fake.characteristicPath("2a29", of: address)
        XCTAssertNotNil(other)
    }

    func testRevealServices_showsThemLate() async throws {
        let scene = try await scene { $0.behaviour.hiddenServices = ["180d"] }
        try await scene.connect()
        await scene.caller.forgetSignals()

        await scene.fake.revealServices(address)
        await scene.caller.wait { !$0.appeared.isEmpty }

        let path = await scene.fake.characteristicPath("2a37", of: address)
        XCTAssertNotNil(path)
    }

    func testLinkLimit_refusesOneMore() async throws {
        let scene = try await scene()
        await scene.fake.unplug()
        await scene.fake.plug(FakeAdapter(linkLimit: 0))
        try await scene.caller.adapter("StartDiscovery")

        let error = await fault { try await scene.caller.device("Connect") }

        XCTAssertEqual(
            error,
            .remote(
                name: "org.bluez.Error.Failed",
                message: "le-connection-concurrent-connection-limit"))
    }

    func testConnectFromOutside_isSeenByAll() async throws {
        let scene = try await scene()
        try await scene.discover()

        await scene.fake.connectFromOutside(address)
        await scene.caller.wait {
            $0.changes(of: BlueZCaller.strap).contains("ServicesResolved=true")
        }

        let calls = await scene.fake.calls(of: "Connect")
        XCTAssertEqual(calls, [])
    }

    func testPair_thenAgain_alreadyExists() async throws {
        let scene = try await scene()
        try await scene.discover()

        try await scene.caller.device("Pair")
        let error = await fault { try await scene.caller.device("Pair") }

        let isPaired = try await scene.caller.property(
            "Paired", of: "org.bluez.Device1", BlueZCaller.strap)
        XCTAssertEqual(isPaired, .boolean(true))
        guard case .remote("org.bluez.Error.AlreadyExists", _) = error else {
            return XCTFail(String(describing: error))
        }
    }
}
