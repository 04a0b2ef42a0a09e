import BluetoothTesting
import DBus
import GatewayCore
import GatewayTesting
import Platform
import Synchronization
import XCTest

@testable import Bluetooth
@testable import BluetoothSetup

/// Pairing through the agent, on a bus of the test's own with a fake bluetoothd.
final class BluetoothPairerTests: XCTestCase {
    private let address = FakeStrap().address

    private struct Outcome {
        var events: [BluetoothPairer.Event] = []
        var error: String?
    }

    private func makeBlueZ(
        _ pairing: FakeSecurity.Pairing
    ) async throws -> (PrivateBus, FakeBlueZ) {
        let bus: PrivateBus
        do { bus = try PrivateBus() } catch { throw XCTSkip("\(error)") }
        let bluez = try FakeBlueZ(address: bus.address)
        try await bluez.start()
        var strap = FakeStrap().device
        strap.behaviour.security = FakeSecurity(pairing)
        await bluez.appear(strap)
        return (bus, bluez)
    }

    /// Pairs the strap; every question gets this answer.
    private func pair(
        on bus: PrivateBus, with bluez: FakeBlueZ, hasTerminal: Bool = true, seconds: Double = 30,
        answering ask: @escaping BluetoothPairer.Ask = { _ in nil }
    ) async throws -> Outcome {
        let pairer = BluetoothPairer(
            address: try XCTUnwrap(BluetoothAddress(address)), seconds: seconds,
            hasTerminal: hasTerminal, busAddress: bus.address, clock: SystemClock())
        defer { withExtendedLifetime(bluez) {} }
        let outcome = Mutex(Outcome())
        let (paired, signal) = AsyncStream.makeStream(of: Void.self)
        let running = Task {
            do {
                try await pairer.run(asking: ask) { event in
                    outcome.withLock { $0.events.append(event) }
                    if case .paired = event { signal.finish() }
                }
            } catch {
                outcome.withLock { $0.error = error is LinkError ? "\(error)" : nil }
            }
            signal.finish()
        }
        for await _ in paired {}
        running.cancel()
        _ = await running.result
        return outcome.withLock { $0 }
    }

    func testJustWorks_withoutATerminal() async throws {
        let (bus, bluez) = try await makeBlueZ(.justWorks)
        let outcome = try await pair(on: bus, with: bluez, hasTerminal: false)

        XCTAssertNil(outcome.error)
        XCTAssertEqual(
            outcome.events,
            [
                .scanning, .pairing(name: "Strap 1"), .questionWithdrawn,
                .paired(name: "Strap 1", isNew: true),
            ])
        let (isPaired, isConnected) = await (
            bluez.isPaired(address), bluez.isConnected(address)
        )
        XCTAssertTrue(isPaired)
        XCTAssertFalse(isConnected)
    }

    func testPasskeyOfTheDevice_isAskedAgainWhenItIsNone() async throws {
        let (bus, bluez) = try await makeBlueZ(.showsPasskey(123_456))
        let lines = Mutex(["", "123456"])
        let outcome = try await pair(on: bus, with: bluez) { prompt in
            XCTAssertEqual(prompt, "passkey that the device shows (6 digits): ")
            return lines.withLock { $0.removeFirst() }
        }

        XCTAssertNil(outcome.error)
        let isPaired = await bluez.isPaired(address)
        XCTAssertTrue(isPaired)
    }

    func testPasskeyForTheDevice_isShown() async throws {
        let (bus, bluez) = try await makeBlueZ(.takesPasskey(42))
        let outcome = try await pair(on: bus, with: bluez)

        XCTAssertNil(outcome.error)
        XCTAssertTrue(
            outcome.events.contains(.instruction("enter the passkey 000042 on the device")))
    }

    func testComparison_thatIsDenied_isNotPaired() async throws {
        let (bus, bluez) = try await makeBlueZ(.comparesPasskey(7))
        let outcome = try await pair(on: bus, with: bluez) { _ in "n" }

        XCTAssertEqual(
            outcome.error,
            "\(address) was not paired: authentication failed; "
                + "put the device into its pairing mode and try again")
        let isPaired = await bluez.isPaired(address)
        XCTAssertFalse(isPaired)
    }

    func testWrongPasskey_isNotPaired() async throws {
        let (bus, bluez) = try await makeBlueZ(.showsPasskey(123_456))
        let outcome = try await pair(on: bus, with: bluez) { _ in "654321" }

        XCTAssertEqual(outcome.error?.contains("authentication failed"), true)
    }

    func testNoAnswer_cancelsThePairing() async throws {
        let (bus, bluez) = try await makeBlueZ(.pinCode("0000"))
        let outcome = try await pair(on: bus, with: bluez)

        XCTAssertEqual(outcome.error?.contains("was canceled"), true)
    }

    func testPasskey_withoutATerminal_failsWithTheRemedy() async throws {
        let (bus, bluez) = try await makeBlueZ(.showsPasskey(123_456))
        let outcome = try await pair(on: bus, with: bluez, hasTerminal: false)

        XCTAssertEqual(outcome.error?.contains("at a terminal if it has a passkey"), true)
    }

    /// The device is switched off while the user looks for the passkey.
    func testLinkThatIsLost_endsTheQuestion() async throws {
        let (bus, bluez) = try await makeBlueZ(.showsPasskey(123_456))
        let isCanceled = Mutex(false)
        let outcome = try await pair(on: bus, with: bluez) { [address] _ in
            await bluez.dropLink(address)
            while !Task.isCancelled { await Task.yield() }
            isCanceled.withLock { $0 = true }
            return nil
        }

        XCTAssertEqual(outcome.error?.contains("was canceled"), true)
        XCTAssertTrue(outcome.events.contains(.questionWithdrawn))
    }

    func testTimeIsOver_duringTheQuestion() async throws {
        let (bus, bluez) = try await makeBlueZ(.showsPasskey(123_456))
        let outcome = try await pair(on: bus, with: bluez, seconds: 0.5) { _ in
            try? await SystemClock().sleep(seconds: 60)
            return nil
        }

        XCTAssertEqual(outcome.error?.contains("was seen, but not paired within"), true)
        let isConnected = await bluez.isConnected(address)
        XCTAssertFalse(isConnected)
    }

    /// Any program on the bus may call the agent's object.
    func testAgent_answersNobodyButBluetoothd() async throws {
        let (bus, bluez) = try await makeBlueZ(.showsPasskey(123_456))
        let stranger = try BusStranger(address: bus.address)
        let errors = Mutex<[String]>([])
        let outcome = try await pair(on: bus, with: bluez) { [address] _ in
            for agent in await bluez.agents {
                let error = await stranger.call(
                    BusCall(
                        agent.sender, agent.path, "org.bluez.Agent1", "RequestPasskey",
                        [.objectPath(FakeBlueZ.devicePath(address))]))
                errors.withLock { $0.append(error) }
            }
            return "123456"
        }

        XCTAssertNil(outcome.error)
        XCTAssertEqual(
            errors.withLock { $0 }, ["org.freedesktop.DBus.Error.AccessDenied"])
    }
}
