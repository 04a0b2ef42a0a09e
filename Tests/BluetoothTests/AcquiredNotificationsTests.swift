import BluetoothTesting
import GatewayCore
import GatewayTesting
import HealthModel
import JSON
import Platform
import Readings
import XCTest

@testable import Bluetooth

/// Acquired notifications on a bluetoothd of the test's own.
final class AcquiredNotificationsTests: XCTestCase {
    private static let address = "D0:11:22:33:44:55"

    /// A bluetoothd with a strap, and a source that acquires its notifications.
    private struct Scene {
        let bluez: FakeBlueZ
        let bus: PrivateBus
        let inlet = RecordingInlet()
        let clock = ManualClock()
        let source: BluetoothSource

        init() async throws {
            do { bus = try PrivateBus() } catch { throw XCTSkip("\(error)") }
            bluez = try FakeBlueZ(address: bus.address)
            try await bluez.start()
            await bluez.appear(FakeStrap(address: address).device)
            let named = BluetoothSelection(
                devices: .named([try XCTUnwrap(BluetoothAddress(address))]))
            source = Self.source(named, bus, clock)
        }

        /// Another source with the same settings, except for its devices.
        func source(reading selection: BluetoothSelection) -> BluetoothSource {
            Self.source(selection, bus, clock)
        }

        private static func source(
            _ selection: BluetoothSelection, _ bus: PrivateBus, _ clock: ManualClock
        ) -> BluetoothSource {
            BluetoothSource(
                selection: selection, profiles: [PulseProfile()], acquired: .all,
                busAddress: bus.address,
                context: ComponentContext(
                    name: "straps", clock: clock, log: Logger(component: "test") { _ in },
                    dataDirectory: "/nonexistent"))
        }
    }

    private func until(
        _ reports: inout AsyncStream<DeviceReport>.AsyncIterator,
        _ isMet: (DeviceReport.Content) -> Bool
    ) async {
        while let report = await reports.next(isolation: nil), !isMet(report.content) {}
    }

    private func untilSubscribed(
        _ reports: inout AsyncStream<DeviceReport>.AsyncIterator
    ) async {
        await until(&reports) {
            if case .link(.subscribing, "waiting for the first value") = $0 { true } else { false }
        }
    }

    /// The values of the next reports.
    private func values(
        _ count: Int, _ reports: inout AsyncStream<DeviceReport>.AsyncIterator
    ) async -> [Double] {
        var values: [Double] = []
        while values.count < count, let report = await reports.next(isolation: nil) {
            guard case .readings(let readings) = report.content else { continue }
            for reading in readings.map(\.reading) {
                if case .instant(_, let value, _) = reading { values.append(value.value) }
            }
        }
        return values
    }

    func testValues_arriveInOrder_withNothingOverTheBus() async throws {
        let scene = try await Scene()
        let running = Task { try await scene.source.run(into: scene.inlet) }
        var reports = scene.inlet.reports.makeAsyncIterator()
        await untilSubscribed(&reports)
        let acquired = await scene.bluez.acquiredCount
        XCTAssertEqual(acquired, 1)
        let pulses = (0..<100).map { UInt8(60 + $0) }
        for pulse in pulses {
            let isSent = await scene.bluez.notify(Self.address, [pulse])
            XCTAssertTrue(isSent)
        }
        let received = await values(pulses.count, &reports)
        XCTAssertEqual(received, pulses.map(Double.init))
        let subscriptions = await scene.bluez.calls(of: "StartNotify").count
        XCTAssertEqual(subscriptions, 0)
        running.cancel()
        _ = try? await running.value
        await scene.bluez.flush()
        let left = await scene.bluez.acquiredCount
        XCTAssertEqual(left, 0)
    }

    /// What another program reads is no measurement.
    func testReadOfAnotherProgram_isNoValue() async throws {
        let scene = try await Scene()
        let running = Task { try await scene.source.run(into: scene.inlet) }
        var reports = scene.inlet.reports.makeAsyncIterator()
        await untilSubscribed(&reports)
        await scene.bluez.emitValue([99], of: "2a37", on: Self.address)
        await scene.bluez.notify(Self.address, [61])
        let received = await values(1, &reports)
        XCTAssertEqual(received, [61])
        running.cancel()
        _ = try? await running.value
    }

    func testLinkLost_isAcquiredAgain_andNoDescriptorIsLeft() async throws {
        let scene = try await Scene()
        let running = Task { try await scene.source.run(into: scene.inlet) }
        var reports = scene.inlet.reports.makeAsyncIterator()
        await untilSubscribed(&reports)
        var counts: [Int] = []
        for round in 1...5 {
            await scene.bluez.dropLink(Self.address)
            await until(&reports) { if case .closed = $0 { true } else { false } }
            while await scene.bluez.calls(of: "AcquireNotify").count <= round {
                scene.clock.advance(seconds: 0.5)
                await scene.bluez.advertise(Self.address, rssi: -60 - 10 * Int16(round % 2))
                await scene.bluez.flush()
            }
            await untilSubscribed(&reports)
            await scene.bluez.notify(Self.address, [UInt8(60 + round)])
            let received = await values(1, &reports)
            XCTAssertEqual(received, [Double(60 + round)])
            counts.append(try Self.descriptorCount())
        }
        // One more may be about to be closed.
        XCTAssertLessThanOrEqual(try XCTUnwrap(counts.last), try XCTUnwrap(counts.first) + 1)
        running.cancel()
        _ = try? await running.value
    }

    /// A busy gateway finds the values and the loss of the link at the same time.
    func testValuesThatWait_whenTheLinkEnds_areNotLost() async throws {
        let scene = try await Scene()
        let running = Task { try await scene.source.run(into: scene.inlet) }
        var reports = scene.inlet.reports.makeAsyncIterator()
        await untilSubscribed(&reports)
        let pulses = (0..<200).map { UInt8($0 + 1) }
        await scene.bluez.notifyAndDrop(Self.address, pulses)
        var received: [Double] = []
        while let report = await reports.next(isolation: nil) {
            if case .closed = report.content { break }
            guard case .readings(let readings) = report.content else { continue }
            for reading in readings.map(\.reading) {
                if case .instant(_, let value, _) = reading { received.append(value.value) }
            }
        }
        XCTAssertEqual(received, pulses.map(Double.init))
        running.cancel()
        _ = try? await running.value
    }

    func testSocketEndedByAnotherProgram_subscribesOverTheBus() async throws {
        let scene = try await Scene()
        let running = Task { try await scene.source.run(into: scene.inlet) }
        var reports = scene.inlet.reports.makeAsyncIterator()
        await untilSubscribed(&reports)
        await scene.bluez.releaseSockets()
        while await scene.bluez.calls(of: "StartNotify").isEmpty {
            scene.clock.advance(seconds: 0.1)
            await scene.bluez.flush()
        }
        await scene.bluez.notify(Self.address, [61])
        let received = await values(1, &reports)
        XCTAssertEqual(received, [61])
        running.cancel()
        _ = try? await running.value
    }

    func testDeviceThatIsNotReadAnyMore_isReleased() async throws {
        let scene = try await Scene()
        let running = Task { try await scene.source.run(into: scene.inlet) }
        var reports = scene.inlet.reports.makeAsyncIterator()
        await untilSubscribed(&reports)

        let none = BluetoothSelection(devices: .named([]))
        let isAdapted = await scene.source.adapt(to: scene.source(reading: none))
        XCTAssertTrue(isAdapted)
        await scene.bluez.wait { $0.acquiredCount == 0 }

        running.cancel()
        _ = try? await running.value
    }

    func testRefused_subscribesOverTheBus() async throws {
        let scene = try await Scene()
        await scene.bluez.changeBehaviour(Self.address) { $0.offersSockets = false }
        let running = Task { try await scene.source.run(into: scene.inlet) }
        var reports = scene.inlet.reports.makeAsyncIterator()
        await untilSubscribed(&reports)
        await scene.bluez.notify(Self.address, [61])
        let received = await values(1, &reports)
        XCTAssertEqual(received, [61])
        running.cancel()
        _ = try? await running.value
    }

    private static func descriptorCount() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    func testSetting() throws {
        func read(_ json: JSONValue) throws -> AcquiredNotifications {
            let profiles = [PulseProfile()]
            return try AcquiredNotifications(
                ConfigurationNode(path: "acquireNotify", value: json), profiles: profiles)
        }
        let name = PulseProfile().name
        XCTAssertEqual(try read(.string("all")), .all)
        XCTAssertEqual(try read(.array([])), .none)
        XCTAssertEqual(
            try read(.array([.string(Self.address), .string(name)])),
            .some(
                devices: [try XCTUnwrap(BluetoothAddress(Self.address))], profiles: [name]))
        XCTAssertThrowsError(try read(.string("some")))
        XCTAssertThrowsError(try read(.array([.string("weight")]))) { error in
            XCTAssertTrue(
                "\(error)".contains("must be an address or a profile of this source"), "\(error)")
        }
    }
}

extension FakeBlueZ {
    /// Sends values of one byte, and loses the link immediately after them.
    fileprivate func notifyAndDrop(_ address: String, _ values: [UInt8]) {
        for value in values { notify(address, [value]) }
        dropLink(address)
    }
}
