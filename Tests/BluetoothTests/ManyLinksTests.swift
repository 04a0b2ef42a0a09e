import BluetoothTesting
import DBus
import GatewayCore
import GatewayTesting
import Platform
import XCTest

@testable import Bluetooth

/// More links than the system bus allows calls without an answer.
final class ManyLinksTests: XCTestCase {
    private static let count = 200

    /// A bus with the limit of a real system bus.
    private func privateBus() throws -> PrivateBus {
        var limits = PrivateBus.Limits()
        limits.unansweredCalls = 128
        do { return try PrivateBus(limits: limits) } catch { throw XCTSkip("\(error)") }
    }

    func testStop_disconnectsEveryDevice() async throws {
        let bus = try privateBus()
        let bluez = try FakeBlueZ(address: bus.address)
        try await bluez.start()
        let addresses = (0..<Self.count).map { number in
            let digits = String(number, radix: 16, uppercase: true)
            return "D0:11:22:33:44:" + (digits.utf8.count < 2 ? "0" : "") + digits
        }
        for address in addresses {
            let strap = FakeStrap(address: address, bodySensorLocation: nil, battery: nil)
            await bluez.appear(strap.device)
        }
        let source = try ReadStrap(addresses, busAddress: bus.address)
        for _ in addresses {
            await source.wait(for: "subscribing: waiting for the first value")
        }
        // As bluetoothd, which waits for the profiles before it ends a link.
        for address in addresses {
            await bluez.changeBehaviour(address) { $0.disconnectSeconds = 0.5 }
        }

        await source.end()

        let calls = Set(await bluez.calls(of: "Disconnect").map(\.path))
        XCTAssertEqual(calls.count, Self.count)
        await bluez.wait { bluez in addresses.allSatisfy { !bluez.isConnected($0) } }
    }

    func testCallsOfAMachine_allSucceed_andFewAreUnansweredAtATime() async throws {
        let bus = try privateBus()
        let bluez = try FakeBlueZ(address: bus.address)
        try await bluez.start()
        await bluez.hold("GetDiscoveryFilters")
        let client = try BlueZClient(
            CallingMachine(count: 300), address: bus.address, clock: ManualClock())
        let (words, signal) = AsyncStream.makeStream(of: String.self)
        let running = Task {
            try await client.run { outputs, _ in for word in outputs { signal.yield(word) } }
        }

        await bluez.waitForCall("GetDiscoveryFilters", count: CallQueue<Int>.limit)
        await bluez.flush()
        let held = await bluez.calls(of: "GetDiscoveryFilters").count
        XCTAssertEqual(held, CallQueue<Int>.limit)
        await bluez.release("GetDiscoveryFilters")
        var answers: [String] = []
        for await word in words {
            answers.append(word)
            if answers.count == 300 { break }
        }
        XCTAssertEqual(answers, (0..<300).map { "\($0) answered" })

        running.cancel()
        _ = await running.result
        let last = await bluez.calls(of: "StopDiscovery").count
        XCTAssertEqual(last, 300)
    }

    /// The calls wait longer for a bluetoothd that hangs than they may.
    func testCallsThatWaitForTooLong_timeOutWithoutBeingSent() async throws {
        let bus = try privateBus()
        let bluez = try FakeBlueZ(address: bus.address)
        try await bluez.start()
        await bluez.hold("GetDiscoveryFilters")
        let clock = ManualClock()
        let client = try BlueZClient(
            CallingMachine(count: 70), address: bus.address, clock: clock)
        let (words, signal) = AsyncStream.makeStream(of: String.self)
        let running = Task {
            try await client.run { outputs, _ in for word in outputs { signal.yield(word) } }
        }
        await bluez.waitForCall("GetDiscoveryFilters", count: CallQueue<Int>.limit)
        await clock.waitForSleepers(1)

        clock.advance(seconds: 100)

        var failed: [String] = []
        for await word in words {
            failed.append(word)
            if failed.count == 6 { break }
        }
        XCTAssertEqual(failed, (64..<70).map { "\($0) timed out waiting for a reply" })
        await bluez.release("GetDiscoveryFilters")
        running.cancel()
        _ = await running.result
        let count = await bluez.calls(of: "GetDiscoveryFilters").count
        XCTAssertEqual(count, CallQueue<Int>.limit)
    }
}

/// A machine that makes many calls at once, at its start and at its end.
private struct CallingMachine: BlueZMachine {
    let count: Int
    var wakeTime: BootInstant? { nil }

    mutating func handle(
        _ event: BlueZEvent<Int>, in tree: ManagedObjects, at now: BootInstant
    ) -> [BlueZAction<Int, String>] {
        switch event {
        case .available: calls("GetDiscoveryFilters")
        case .finished(let number, .success): [.output("\(number) answered")]
        case .finished(let number, .failure(let error)): [.output("\(number) \(error)")]
        case .stop: calls("StopDiscovery")
        case .unavailable, .closed, .changed, .agent, .timer: []
        }
    }

    private func calls(_ member: String) -> [BlueZAction<Int, String>] {
        (0..<count).map {
            .call(
                $0,
                BlueZCall(
                    path: "/org/bluez/hci0", interface: BlueZName.adapter, member: member,
                    timeoutSeconds: 100))
        }
    }
}
