import BluetoothTesting
import GatewayCore
import XCTest

@testable import Bluetooth

/// More straps than the adapters can connect, through a private bus.
final class ConnectionLimitTests: XCTestCase {
    private let addresses = (1...4).map { "D0:11:22:33:44:0\($0)" }

    private func privateBus() throws -> PrivateBus {
        do { return try PrivateBus() } catch { throw XCTSkip("\(error)") }
    }

    /// A bluetoothd whose adapters have these limits, and all straps in range.
    private func makeBlueZ(_ bus: PrivateBus, limits: [Int]) async throws -> FakeBlueZ {
        let adapters = limits.enumerated().map { number, limit in
            FakeAdapter(
                name: "hci\(number)", address: "00:1A:7D:DA:71:1\(number)", linkLimit: limit)
        }
        let bluez = try FakeBlueZ(address: bus.address, adapters: adapters)
        try await bluez.start()
        for address in addresses {
            let strap = FakeStrap(address: address, bodySensorLocation: nil, battery: nil)
            await bluez.appear(strap.device)
        }
        return bluez
    }

    /// The adapters connect what they can; a strap that leaves is replaced.
    private func checkSharing(
        limits: [Int], linksPerAdapter: Int? = nil, expected: [Int]
    ) async throws {
        let bus = try privateBus()
        let bluez = try await makeBlueZ(bus, limits: limits)
        let source = try ReadStrap(
            addresses, busAddress: bus.address, clock: SystemClock(),
            linksPerAdapter: linksPerAdapter)

        await source.wait(for: "wanted: seen; the adapter has no free connection")
        await bluez.wait { [addresses] bluez in bluez.linkCounts(addresses) == expected }

        let linked = await bluez.linked(addresses, adapter: "hci1")
        let gone = try XCTUnwrap(linked.first)
        await bluez.disappear(gone)
        await bluez.dropLink(gone)
        await bluez.wait { [addresses] bluez in
            bluez.linkCounts(addresses) == expected && !bluez.isConnected(gone, adapter: "hci1")
        }
        await source.end()
    }

    func testTwoAdapters_shareTheStraps_asFarAsTheyAccept() async throws {
        try await checkSharing(limits: [2, 1], expected: [2, 1])
    }

    func testTwoAdapters_shareTheStraps_asConfigured() async throws {
        try await checkSharing(limits: [.max, .max], linksPerAdapter: 1, expected: [1, 1])
    }
}

extension FakeBlueZ {
    fileprivate func linked(_ addresses: [String], adapter: String) -> [String] {
        addresses.filter { isConnected($0, adapter: adapter) }
    }

    fileprivate func linkCounts(_ addresses: [String]) -> [Int] {
        ["hci0", "hci1"].map { linked(addresses, adapter: $0).count }
    }
}
