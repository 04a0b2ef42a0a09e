import BluetoothTesting
import DBus
import GatewayCore
import GatewayTesting
import Platform
import XCTest

@testable import Bluetooth

/// What the client makes of the bus, on a bus of the test's own and a clock set by hand.
final class BlueZClientTests: XCTestCase {
    private let clock = ManualClock()

    private func privateBus(_ limits: PrivateBus.Limits = .init()) throws -> PrivateBus {
        do {
            return try PrivateBus(limits: limits)
        } catch let failure as PrivateBus.Failure where failure.description.contains("missing") {
            throw XCTSkip(failure.description)
        }
    }

    /// Starts a client; returns the events of its machine.
    private func start(
        on bus: PrivateBus
    ) throws -> (heard: AsyncStream<String>, running: Task<Void, any Error>) {
        let client = try BlueZClient(ListeningMachine(), address: bus.address, clock: clock)
        let (heard, advertise) = AsyncStream.makeStream(of: String.self)
        let running = Task {
            defer { advertise.finish() }
            try await client.run { words, _ in for word in words { advertise.yield(word) } }
        }
        return (heard, running)
    }

    /// The daemon reports that the name has no owner: the query is not repeated.
    func testNameHasNoOwner_bluetoothdIsNotRunning_untilItComes() async throws {
        let bus = try privateBus()
        let (heard, running) = try start(on: bus)
        var words = heard.makeAsyncIterator()
        let first = await words.next(isolation: nil)
        XCTAssertEqual(first, "unavailable: bluetoothd is not running")

        let bluez = try FakeBlueZ(address: bus.address)
        try await bluez.start()

        let second = await words.next(isolation: nil)
        XCTAssertEqual(second, "available")
        running.cancel()
        _ = await running.result
    }

    func testOwnerThatIsNotReported_isReportedWithTheReason_andAskedForAgain() async throws {
        var limits = PrivateBus.Limits()
        limits.deniedBusMethods = ["GetNameOwner"]
        let bus = try privateBus(limits)
        let bluez = try FakeBlueZ(address: bus.address)
        try await bluez.start()
        let (heard, running) = try start(on: bus)
        var words = heard.makeAsyncIterator()
        let refusal =
            "unavailable: cannot query whether bluetoothd is running: "
            + "org.freedesktop.DBus.Error.AccessDenied"

        let first = await words.next(isolation: nil)
        XCTAssertEqual(first, refusal)
        await clock.waitForSleepers(1)
        clock.advance(seconds: 1)
        let second = await words.next(isolation: nil)
        XCTAssertEqual(second, refusal)

        try await bus.change(to: PrivateBus.Limits())
        await clock.waitForSleepers(1)
        clock.advance(seconds: 60)
        let third = await words.next(isolation: nil)
        XCTAssertEqual(third, "available")
        running.cancel()
        _ = await running.result
    }

    func testOwnerThatComesWhileItIsNotReported_isUsedImmediately() async throws {
        var limits = PrivateBus.Limits()
        limits.deniedBusMethods = ["GetNameOwner"]
        let bus = try privateBus(limits)
        let (heard, running) = try start(on: bus)
        var words = heard.makeAsyncIterator()
        _ = await words.next(isolation: nil)

        let bluez = try FakeBlueZ(address: bus.address)
        try await bluez.start()

        let second = await words.next(isolation: nil)
        XCTAssertEqual(second, "available")
        running.cancel()
        _ = await running.result
    }

    func testObjectsThatAreNotReported_areAskedForAgain() async throws {
        let bus = try privateBus()
        let bluez = try FakeBlueZ(address: bus.address)
        try await bluez.start()
        await bluez.fail(next: "GetManagedObjects", with: .notReady)
        let (heard, running) = try start(on: bus)
        var words = heard.makeAsyncIterator()

        let first = await words.next(isolation: nil)
        XCTAssertEqual(first?.hasPrefix("unavailable: cannot query bluetoothd"), true)
        await clock.waitForSleepers(1)
        clock.advance(seconds: 1)
        let second = await words.next(isolation: nil)
        XCTAssertEqual(second, "available")
        running.cancel()
        _ = await running.result
    }

    /// Nothing is read of the calls that it leaves unanswered, and it is used as soon as it is back.
    func testBluetoothdThatIsStuck_isUnavailable_untilItResponds() async throws {
        let bus = try privateBus()
        let bluez = try FakeBlueZ(address: bus.address)
        try await bluez.start()
        let client = try BlueZClient(AskingMachine(), address: bus.address, clock: clock)
        let (heard, advertise) = AsyncStream.makeStream(of: String.self)
        let running = Task {
            try await client.run { words, _ in for word in words { advertise.yield(word) } }
        }
        var words = heard.makeAsyncIterator()
        _ = await words.next(isolation: nil)
        let hang = await bluez.hang()
        await client.apply(.ask)
        await clock.waitForSleepers(1)
        clock.advance(seconds: 2)
        let stuck = await words.next(isolation: nil)
        XCTAssertEqual(stuck, "unavailable: bluetoothd does not respond")
        hang.end()
        await clock.waitForSleepers(1)
        clock.advance(seconds: 2)
        let back = await words.next(isolation: nil)
        XCTAssertEqual(back, "available")
        running.cancel()
        _ = await running.result
    }

    func testRefusedMatchRule_endsTheClientWithTheReason_andTheNextOneWorks() async throws {
        var limits = PrivateBus.Limits()
        // Several are refused, and the first ends the connection while the others are under way.
        limits.matchRules = 1
        let bus = try privateBus(limits)
        let bluez = try FakeBlueZ(address: bus.address)
        try await bluez.start()
        let reason =
            "cannot subscribe to bluetoothd signals: "
            + "org.freedesktop.DBus.Error.LimitsExceeded"

        let (refused, failing) = try start(on: bus)
        var words: [String] = []
        for await word in refused { words.append(word) }

        XCTAssertEqual(words.last, "closed: \(reason)")
        let failure = await linkError(of: failing)
        XCTAssertEqual(failure?.problem, reason)
        XCTAssertEqual(failure?.remedy?.contains("man dbus-daemon"), true)

        try await bus.change(to: PrivateBus.Limits())
        let (heard, running) = try start(on: bus)
        let first = await heard.first { _ in true }
        XCTAssertEqual(first, "available")
        running.cancel()
        _ = await running.result
    }

    func testBusThatGoes_isReportedOnce_andNothingElseIs() async throws {
        let bus = try privateBus()
        let bluez = try FakeBlueZ(address: bus.address)
        try await bluez.start()
        await bluez.hold("GetManagedObjects")
        let (heard, running) = try start(on: bus)
        await bluez.waitForCall("GetManagedObjects")

        bus.stop()
        var words: [String] = []
        for await word in heard { words.append(word) }

        XCTAssertEqual(words, ["closed: D-Bus connection closed"])
        let failure = await linkError(of: running)
        XCTAssertEqual(failure?.problem, "D-Bus connection closed")
    }

    private func linkError(of task: Task<Void, any Error>) async -> LinkError? {
        do {
            try await task.value
            return nil
        } catch {
            return error as? LinkError
        }
    }
}

/// A machine that outputs its events and makes no calls.
private struct ListeningMachine: BlueZMachine {
    var wakeTime: BootInstant? { nil }

    mutating func handle(
        _ event: BlueZEvent<Never>, in tree: ManagedObjects, at now: BootInstant
    ) -> [BlueZAction<Never, String>] {
        switch event {
        case .available: [.output("available")]
        case .unavailable(let error): [.output("unavailable: \(error.problem)")]
        case .closed(let error): [.output("closed: \(error.problem)")]
        case .changed, .finished, .agent, .timer, .stop: []
        }
    }
}

/// Asks bluetoothd for something when it is told to.
private struct AskingMachine: BlueZMachine {
    enum Command: Sendable {
        case ask
    }

    var wakeTime: BootInstant? { nil }

    mutating func handle(
        _ event: BlueZEvent<Int>, in tree: ManagedObjects, at now: BootInstant
    ) -> [BlueZAction<Int, String>] {
        switch event {
        case .available: [.output("available")]
        case .unavailable(let error): [.output("unavailable: \(error.problem)")]
        case .finished(_, let result): [.output("finished: \(result)")]
        case .closed, .changed, .agent, .timer, .stop: []
        }
    }

    mutating func apply(
        _ command: Command, in tree: ManagedObjects, at now: BootInstant
    ) -> [BlueZAction<Int, String>] {
        let call = BlueZCall(
            path: BlueZName.root, interface: BlueZName.peer, member: "GetMachineId",
            timeoutSeconds: 60)
        return [.call(1, call)]
    }
}

extension String: BlueZOutput {
    var isDroppable: Bool { false }
}
