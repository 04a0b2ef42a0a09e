import BluetoothTesting
import DBus
import GatewayTesting
import XCTest

final class FakeBlueZValueTests: XCTestCase {
    private let address = "D0:11:22:33:44:55"

    func testReadValue_answersAndEmitsTheValueToAll() async throws {
        let scene = try await scene()
        try await scene.connect()
        let path = try await scene.path("2a29")

        let value = try await scene.caller.characteristic(path, "ReadValue", [.properties([:])])

        XCTAssertEqual(value, [.bytes(Array("Pulse Works".utf8))])
        let changes = await scene.caller.changes(of: path)
        XCTAssertEqual(changes, ["Value=\(Array("Pulse Works".utf8))"])
    }

    func testReadValue_ofWhatCannotBeRead_isNotPermitted() async throws {
        let scene = try await scene()
        try await scene.connect()
        let path = try await scene.path("2a37")

        let error = await fault {
            _ = try await scene.caller.characteristic(path, "ReadValue", [.properties([:])])
        }

        XCTAssertEqual(
            error,
            .remote(name: "org.bluez.Error.NotPermitted", message: "Read not permitted"))
    }

    func testReadValue_withoutALink_fails() async throws {
        let scene = try await scene()
        try await scene.connect()
        let path = try await scene.path("2a29")
        await scene.fake.dropLink(address)

        let error = await fault {
            _ = try await scene.caller.characteristic(path, "ReadValue", [.properties([:])])
        }

        XCTAssertEqual(error, .remote(name: "org.bluez.Error.Failed", message: "Not connected"))
    }

    func testReadValue_thatTakesItsTime_failsWhenTheLinkEnds() async throws {
        let clock = ManualClock()
        let scene = try await scene(clock: clock) { $0.behaviour.readSeconds = 5 }
        try await scene.connect()
        let path = try await scene.path("2a29")
        async let error = fault {
            _ = try await scene.caller.characteristic(path, "ReadValue", [.properties([:])])
        }
        await clock.waitForSleepers(1)

        await scene.fake.dropLink(address)

        let text = await error
        XCTAssertEqual(text, .remote(name: "org.bluez.Error.Failed", message: "Not connected"))
    }

    func testControlPoint_takesOneAndRefusesTheRest() async throws {
        let scene = try await scene()
        try await scene.connect()
        let path = try await scene.path("2a39")

        _ = try await scene.caller.characteristic(
            path, "WriteValue", [.bytes([1]), .properties([:])])
        let error = await fault {
            _ = try await scene.caller.characteristic(
                path, "WriteValue", [.bytes([2]), .properties([:])])
        }

        XCTAssertEqual(
            error,
            .remote(
                name: "org.bluez.Error.Failed",
                message: "Operation failed with ATT error: 0x80"))
        let writes = await scene.fake.writes
        XCTAssertEqual(writes.map(\.value), [[1], [2]])
    }

    /// As bluetoothd does: it emits a value once for each subscribed program.
    func testNotify_isReportedOnceForEachProgramThatHasStarted() async throws {
        let scene = try await scene()
        try await scene.connect()
        let path = try await scene.path("2a37")
        let second = try BlueZCaller()
        try await second.connect(to: scene.bus.address)
        let third = try BlueZCaller()
        try await third.connect(to: scene.bus.address)
        func emissionCount(of value: UInt8) async -> Int {
            await scene.caller.forgetSignals()
            await scene.fake.notify(address, [value])
            // A mark that no earlier round has left.
            await scene.fake.notify(address, [0, value])
            await scene.caller.wait { $0.changes(of: path).last == "Value=[0, \(value)]" }
            return await scene.caller.changes(of: path).count { $0 == "Value=[\(value)]" }
        }

        _ = try await scene.caller.characteristic(path, "StartNotify")
        var count = await emissionCount(of: 1)
        XCTAssertEqual(count, 1)
        _ = try await scene.caller.characteristic(path, "StartNotify")
        count = await emissionCount(of: 2)
        XCTAssertEqual(count, 1, "a program counts once")
        _ = try await second.characteristic(path, "StartNotify")
        _ = try await third.characteristic(path, "StartNotify")
        count = await emissionCount(of: 3)
        XCTAssertEqual(count, 3)
        _ = try await second.characteristic(path, "StopNotify")
        count = await emissionCount(of: 4)
        XCTAssertEqual(count, 2)
        await third.leave()
        await scene.fake.wait { $0.subscriberCount(of: path) == 1 }
        count = await emissionCount(of: 5)
        XCTAssertEqual(count, 1)
    }

    func testNotify_reachesEverySubscriber_andTheSameValueAgain() async throws {
        let scene = try await scene()
        try await scene.connect()
        let path = try await scene.path("2a37")
        let early = await scene.fake.notify(address, [0, 60])
        _ = try await scene.caller.characteristic(path, "StartNotify")
        _ = try await scene.caller.characteristic(path, "StartNotify")

        await scene.fake.notify(address, [0, 72])
        await scene.fake.notify(address, [0, 72])
        await scene.caller.wait { $0.changes(of: path).count == 3 }

        let changes = await scene.caller.changes(of: path)
        XCTAssertEqual(changes, ["Notifying=true", "Value=[0, 72]", "Value=[0, 72]"])
        XCTAssertFalse(early)
    }

    func testStopNotify_onceOnly() async throws {
        let scene = try await scene()
        try await scene.connect()
        let path = try await scene.path("2a37")
        _ = try await scene.caller.characteristic(path, "StartNotify")

        _ = try await scene.caller.characteristic(path, "StopNotify")
        let error = await fault {
            _ = try await scene.caller.characteristic(path, "StopNotify")
        }

        XCTAssertEqual(
            error, .remote(name: "org.bluez.Error.Failed", message: "No notify session started"))
        let isTold = await scene.fake.notify(address, [0, 72])
        XCTAssertFalse(isTold)
    }

    func testStartNotify_isRememberedForTheNextLink() async throws {
        let scene = try await scene()
        try await scene.connect()
        let path = try await scene.path("2a37")
        _ = try await scene.caller.characteristic(path, "StartNotify")
        await scene.fake.dropLink(address)
        await scene.fake.notify(address, [0, 1])
        try await scene.caller.device("Connect")

        let isTold = await scene.fake.notify(address, [0, 72])

        XCTAssertTrue(isTold)
    }

    func testStartNotify_endsWithTheConnectionThatAskedForIt() async throws {
        let scene = try await scene()
        try await scene.connect()
        let path = try await scene.path("2a37")
        let other = try BlueZCaller()
        try await other.connect(to: scene.bus.address)
        _ = try await other.characteristic(path, "StartNotify")

        await other.leave()
        await scene.fake.wait { !$0.isNotifying(of: "D0:11:22:33:44:55") }
    }

    func testSilentLink_bringsNothingAndAnswersNothing() async throws {
        let scene = try await scene()
        try await scene.connect()
        let heartRate = try await scene.path("2a37")
        let location = try await scene.path("2a38")
        _ = try await scene.caller.characteristic(heartRate, "StartNotify")

        await scene.fake.changeBehaviour(address) { $0.isSilent = true }
        let isTold = await scene.fake.notify(address, [0, 72])
        async let read = fault {
            _ = try await scene.caller.characteristic(location, "ReadValue", [.properties([:])])
        }
        await scene.fake.waitForCall("ReadValue")
        let isConnected = await scene.fake.isConnected(address)
        try await scene.caller.device("Disconnect")

        XCTAssertFalse(isTold)
        XCTAssertTrue(isConnected)
        let error = await read
        XCTAssertEqual(error, .remote(name: "org.bluez.Error.Failed", message: "Not connected"))
    }

    func testBurst_arrivesWhole() async throws {
        let scene = try await scene()
        try await scene.connect()
        let path = try await scene.path("2a37")
        _ = try await scene.caller.characteristic(path, "StartNotify")

        await scene.caller.forgetSignals()
        await scene.fake.burst(address, count: 2_000) { [0, UInt8($0 % 256)] }
        await scene.caller.wait { $0.signals.count == 2_000 }

        let values = await scene.caller.signals.map { $0.body[1].entries?["Value"]?.bytes }
        XCTAssertEqual(values, (0..<2_000).map { [0, UInt8($0 % 256)] })
    }

    func testSetBattery_isReportedByBattery1() async throws {
        let scene = try await scene()
        try await scene.connect()

        await scene.fake.setBattery(address, 42)
        await scene.caller.wait {
            $0.changes(of: BlueZCaller.strap).contains("Percentage=42")
        }
    }

    func testFail_answersTheNextCallsOnly() async throws {
        let scene = try await scene()
        try await scene.connect()
        let path = try await scene.path("2a37")
        await scene.fake.fail(next: "StartNotify", on: path, with: .inProgress)

        let error = await fault {
            _ = try await scene.caller.characteristic(path, "StartNotify")
        }
        _ = try await scene.caller.characteristic(path, "StartNotify")

        guard case .remote("org.bluez.Error.InProgress", _) = error else {
            return XCTFail(String(describing: error))
        }
    }

    func testProperties_refuseWhatBluetoothdRefuses() async throws {
        let scene = try await scene()
        let set: @Sendable (String, BusValue) async throws -> Void = { name, value in
            try await scene.caller.set(
                name, of: "org.bluez.Adapter1", BlueZCaller.adapter, to: value)
        }

        let readOnly = await fault { try await set("Address", .string("x")) }
        let wrongType = await fault { try await set("Powered", .string("yes")) }
        let unknown = await fault { try await set("Colour", .string("red")) }

        guard case .remote("org.freedesktop.DBus.Error.PropertyReadOnly", _) = readOnly,
            case .remote("org.bluez.Error.InvalidArguments", _) = wrongType,
            case .remote("org.freedesktop.DBus.Error.InvalidArgs", _) = unknown
        else { return XCTFail("\([readOnly, wrongType, unknown])") }
    }
}
