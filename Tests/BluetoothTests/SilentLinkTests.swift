import BluetoothTesting
import ByteDecoding
import GatewayCore
import GatewayTesting
import HealthModel
import Platform
import Readings
import XCTest

@testable import Bluetooth

/// A link without data, on a fake bluetoothd and a manual clock.
final class SilentLinkTests: XCTestCase {
    private static let address = "D0:11:22:33:44:55"

    func testSilence_isStaleAfterTenSeconds_andTheLinkIsMadeAgain() async throws {
        let bus: PrivateBus
        do { bus = try PrivateBus() } catch { throw XCTSkip("\(error)") }
        let bluez = try FakeBlueZ(address: bus.address)
        try await bluez.start()
        await bluez.appear(FakeStrap(address: Self.address).device)
        let clock = ManualClock()
        let inlet = RecordingInlet()
        let source = try Self.source(bus, clock)
        let running = Task { try await source.run(into: inlet) }
        var reports = inlet.reports.makeAsyncIterator()
        await untilSubscribed(&reports)

        await bluez.changeBehaviour(Self.address) { $0.isSilent = true }
        let asked = await bluez.calls(of: "ReadValue").count
        clock.advance(seconds: 9.9)
        clock.advance(seconds: 0.2)
        await until(&reports) { if case .stale = $0 { true } else { false } }
        // It is not answered, because the strap is still silent.
        await bluez.waitForCall("ReadValue", count: asked + 1)
        await bluez.changeBehaviour(Self.address) { $0.isSilent = false }
        clock.advance(seconds: 5)
        await until(&reports) { content in
            if case .closed(_, "no data, and no reply to a read") = content { true } else { false }
        }
        // The pause is counted from the end of the link, which may still be on its way.
        while await bluez.calls(of: "Connect").count < 2 {
            clock.advance(seconds: 0.1)
            await bluez.flush()
        }
        await untilSubscribed(&reports)
        await bluez.notify(Self.address, [0x06, 70])
        await until(&reports) { if case .readings = $0 { true } else { false } }
        running.cancel()
        _ = try? await running.value
    }

    /// Who is silent and answers is asked once a minute, and costs nothing between.
    func testTwoSilentStraps_wakeTheGatewayOnceAMinute() async throws {
        let bus: PrivateBus
        do { bus = try PrivateBus() } catch { throw XCTSkip("\(error)") }
        let bluez = try FakeBlueZ(address: bus.address)
        try await bluez.start()
        let addresses = [Self.address, "D0:11:22:33:44:66"]
        for address in addresses { await bluez.appear(FakeStrap(address: address).device) }
        let clock = SleepCountingClock()
        let inlet = RecordingInlet()
        let source = try Self.source(bus, clock, addresses)
        let running = Task { try await source.run(into: inlet) }
        var reports = inlet.reports.makeAsyncIterator()
        for _ in addresses { await untilSubscribed(&reports) }

        clock.advance(seconds: 10)
        for _ in addresses {
            await until(&reports) { if case .stale = $0 { true } else { false } }
        }
        // Both have been asked and have answered, and so have their new subscriptions.
        await bluez.waitForCall("StartNotify", count: 2 * addresses.count)
        let asked = await bluez.calls(of: "ReadValue").count
        // One sleep for both, perhaps that of an earlier deadline; none is left over.
        XCTAssertLessThanOrEqual(clock.sleeperCount, 1)
        // The minute is counted from the answer, which may still be on its way.
        while await bluez.calls(of: "ReadValue").count < asked + addresses.count {
            clock.advance(seconds: 60)
        }
        running.cancel()
        _ = try? await running.value
    }

    private static func source(
        _ bus: PrivateBus, _ clock: any GatewayClock, _ addresses: [String] = [address]
    ) throws -> BluetoothSource {
        let addresses = try addresses.map { try XCTUnwrap(BluetoothAddress($0)) }
        return BluetoothSource(
            selection: BluetoothSelection(devices: .named(Set(addresses))),
            profiles: [NoticedProfile()], busAddress: bus.address,
            context: ComponentContext(
                name: "straps", clock: clock, log: Logger(component: "test") { _ in },
                dataDirectory: "/nonexistent"))
    }

    private func untilSubscribed(_ reports: inout AsyncStream<DeviceReport>.AsyncIterator) async {
        await until(&reports) { $0.isSubscription }
    }

    private func until(
        _ reports: inout AsyncStream<DeviceReport>.AsyncIterator,
        _ isWanted: (DeviceReport.Content) -> Bool
    ) async {
        while let report = await reports.next(isolation: nil) {
            if isWanted(report.content) { return }
        }
    }
}

/// A profile of 0x2A37 that expects a value every 10 s.
private struct NoticedProfile: GATTProfile {
    let name = "noticed"
    let service = BluetoothUUID(0x180D)
    let subscriptions = [BluetoothUUID(0x2A37)]
    let silenceLimitSeconds: Double? = 10

    func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device
    ) throws(ByteDecodingError) -> GATTDecoding {
        GATTDecoding([.state(.contact(true))])
    }
}
