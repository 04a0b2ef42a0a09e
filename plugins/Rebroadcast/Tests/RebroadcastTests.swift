import BluetoothTesting
import GatewayTesting
import HealthModel
import JSON
import Platform
import Readings
import XCTest

@testable import GatewayCore
@testable import Rebroadcast

/// Tests of the service with a bluetoothd on a private bus, and of its settings.
final class RebroadcastTests: XCTestCase {
    private let clock = ManualClock()
    private let live = LiveLane()

    private func settings(_ text: String) throws -> RebroadcastSettings {
        let node = ConfigurationNode(path: "services.watch", value: try JSONValue(json5: text))
        return try RebroadcastSettings(node.object(keys: ["use"] + RebroadcastSettings.keys))
    }

    private func publish(_ records: Record...) {
        live.offer(RecordBatch(records))
    }

    func testCentral_getsTheHeartRate_andThatContactIsLostAndBack() async throws {
        let bus: PrivateBus
        do { bus = try PrivateBus() } catch { throw XCTSkip("\(error)") }
        let bluez = try FakeBlueZ(address: bus.address)
        try await bluez.start()
        let context = ComponentContext(
            name: "watch", clock: clock, log: Logger(component: "test") { _ in },
            dataDirectory: "/nonexistent")
        let service = Rebroadcast(
            try settings(#"{ person: "ada", name: "Ada" }"#), busAddress: bus.address,
            context: context)
        let running = Task { [live] in try await service.run(ServiceAccess(live: live)) }
        await bluez.wait { $0.advertisedNames() == ["Ada"] }
        let services = await bluez.advertisedServices
        XCTAssertEqual(services, ["0000180d-0000-1000-8000-00805f9b34fb"])
        let location = await bluez.readOffered("2a38")
        XCTAssertEqual(location, [0])

        await bluez.subscribe(to: "2a37")
        await bluez.wait { $0.notified.count == 1 }
        let now = clock.now()
        let strap = StrapRecords(time: clock.epoch().instant(at: now))
        publish(try strap.heart(61), try strap.interval(1))
        await bluez.wait { $0.notified.count == 2 }
        publish(strap.event(contact: false))
        await bluez.wait { $0.notified.count == 3 }
        clock.advance(seconds: 1)
        await bluez.wait { $0.notified.count >= 4 }
        let back = StrapRecords(time: clock.epoch().instant(at: clock.now()))
        publish(try back.heart(62))
        await bluez.wait { $0.notified.last?.value == [0x06, 62] }
        let values = await bluez.notified.map(\.value)
        XCTAssertEqual(
            values, [[0x04, 0], [0x16, 61, 0, 4], [0x04, 0], [0x04, 0], [0x06, 62]])

        running.cancel()
        _ = await running.result
        await bluez.wait { $0.advertisedServices.isEmpty }
    }

    func testService_keepsTheContract() async throws {
        let bus: PrivateBus
        do { bus = try PrivateBus() } catch { throw XCTSkip("\(error)") }
        let bluez = try FakeBlueZ(address: bus.address)
        try await bluez.start()
        let settings = try settings(#"{ person: "ada" }"#)
        let findings = await ServiceConformance.findings {
            let context = ComponentContext(
                name: "watch", clock: SystemClock(), log: Logger(component: "test") { _ in },
                dataDirectory: "/nonexistent")
            return Rebroadcast(settings, busAddress: bus.address, context: context)
        }
        XCTAssertEqual(findings, [])
    }

    func testService_withoutABus_keepsTheContract() async throws {
        let settings = try settings(#"{ person: "ada" }"#)
        let context = ComponentContext(
            name: "watch", clock: SystemClock(), log: Logger(component: "test") { _ in },
            dataDirectory: "/nonexistent")
        let findings = await ServiceConformance.findingsWhenUnavailable {
            Rebroadcast(settings, busAddress: "unix:path=/nonexistent/bus", context: context)
        }
        XCTAssertEqual(findings, [])
    }

    func testSettings_haveAPersonAndLimits() throws {
        let all = try settings(
            #"{ person: "ada", name: "Ada", adapter: "hci1", silence: 10 }"#)
        XCTAssertEqual(
            all,
            RebroadcastSettings(person: "ada", name: "Ada", adapter: "hci1", silenceSeconds: 10))
        XCTAssertEqual(
            try settings(#"{ person: "ada" }"#),
            RebroadcastSettings(
                person: "ada", name: "Pulsegate", adapter: nil, silenceSeconds: 5))
        let wrong = [
            (#"{}"#, "services.watch: the key `person` is missing"),
            (#"{ person: "a b" }"#, "services.watch.person: is not the name of a person"),
            (#"{ person: "ada", name: "" }"#, "services.watch.name: must not be empty"),
            (
                #"{ person: "ada", name: "12345678901234567890123" }"#,
                "services.watch.name: must have 1 to 22 bytes"
            ),
            (#"{ person: "ada", name: "a\u001b[1m" }"#, "services.watch.name: must have 1"),
            (#"{ person: "ada", adapter: "usb" }"#, "services.watch.adapter: must be an adapter"),
            (#"{ person: "ada", silence: 1 }"#, "services.watch.silence: must be from 2 to 60"),
        ]
        for (text, message) in wrong {
            XCTAssertThrowsError(try settings(text), text) { error in
                XCTAssertTrue("\(error)".contains(message), "\(error)")
            }
        }
    }
}
