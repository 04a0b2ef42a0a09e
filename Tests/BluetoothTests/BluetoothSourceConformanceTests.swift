import BluetoothTesting
import GatewayCore
import GatewayTesting
import HealthModel
import JSON
import Platform
import Synchronization
import XCTest

@testable import Bluetooth

/// The source on a fake bluetoothd keeps the contract of every source.
final class BluetoothSourceConformanceTests: XCTestCase {
    private static let address = "D0:11:22:33:44:55"

    func testSource_keepsTheContract() async throws {
        let bus: PrivateBus
        do { bus = try PrivateBus() } catch { throw XCTSkip("\(error)") }
        let bluez = try FakeBlueZ(address: bus.address)
        try await bluez.start()
        await bluez.appear(FakeStrap(address: Self.address).device)
        let factory = BluetoothSource.factory(
            profiles: [GATTProfileFactory(use: "pulse") { _ in PulseProfile() }],
            busAddress: bus.address)
        let context = ComponentContext(
            name: "straps", clock: SystemClock(), log: Logger(component: "test") { _ in },
            dataDirectory: "/nonexistent")
        let settings = try ConfigurationNode(
            json5: "{ use: \"bluetooth\", devices: [\"\(Self.address)\"] }")
        let sources = try (0..<2).map { _ in try factory.make(settings, context) }
        let pulse = Mutex<UInt8>(70)
        let findings = await SourceConformance.findings(
            for: sources[0], adaptingTo: sources[1], devices: [Self.address],
            types: [.heartRate]
        ) {
            // After the end of a run nobody subscribes any more.
            await bluez.wait {
                $0.isNotifying(of: Self.address) || !$0.isConnected(Self.address)
            }
            // The same value again at once would be a copy for another program.
            let value = pulse.withLock { pulse in
                pulse += 1
                return pulse
            }
            await bluez.notify(Self.address, [value])
        }
        XCTAssertEqual(findings, [])
    }
}
