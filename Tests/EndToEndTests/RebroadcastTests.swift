import BluetoothTesting
import Foundation
import GatewayTesting
import XCTest

/// The heart rate of a person, from a strap through the built command to another receiver.
final class RebroadcastTests: XCTestCase {
    private static func configuration(_ service: String) -> String {
        #"people: { ada: {}, bob: {} }, devices: { "\#(BluetoothBox.ada)": { person: "ada" } }, "#
            + "services: { watch: \(service) }"
    }

    private func box(
        _ service: String = #"{ use: "rebroadcast", person: "ada", name: "Ada" }"#
    ) async throws -> BluetoothBox {
        let box = try await BluetoothBox()
        try box.configure(
            #"{ use: "bluetooth", devices: "any", profiles: ["heartRate"] }"#,
            more: Self.configuration(service))
        return box
    }

    func testReceiver_getsWhatTheGatewayReads() async throws {
        let box = try await box()
        await box.wear(BluetoothBox.ada)
        await box.wear(BluetoothBox.bob)
        let gateway = try box.home.start("run")
        await box.bluez.wait { $0.advertisedNames() == ["Ada"] }
        for address in [BluetoothBox.ada, BluetoothBox.bob] {
            await box.waitUntilHeard(address)
        }
        await box.bluez.subscribe(to: "2a37")
        await box.bluez.wait { $0.notified.count == 1 }

        await box.bluez.notify(BluetoothBox.bob, [0x06, 90])
        await box.bluez.notify(BluetoothBox.ada, [0x06, 71])
        await box.bluez.wait { $0.notified.count == 2 }
        await box.bluez.notify(BluetoothBox.ada, [0x04, 71])
        await box.bluez.wait { $0.notified.count == 3 }
        await box.bluez.notify(BluetoothBox.ada, [0x06, 72])
        await box.bluez.wait { $0.notified.last?.value == [0x06, 72] }
        await box.bluez.dropLink(BluetoothBox.ada)
        await box.bluez.wait { $0.notified.last?.value == [0x04, 0] }

        let values = await box.bluez.notified.map(\.value)
        XCTAssertEqual(values.prefix(3), [[0x04, 0], [0x06, 71], [0x04, 0]])
        XCTAssertFalse(values.contains { $0[1] == 90 }, "the heart rate of Bob")
        try await box.end(gateway)
        await box.bluez.wait { $0.advertisedServices.isEmpty }
        let log = await gateway.text(of: .error)
        XCTAssertTrue(log.contains("watch: heart rate offered adapter=hci0"), log)
        XCTAssertFalse(log.contains("71") && log.contains("count/min"), log)
    }

    func testStatus_showsWhyItIsNotOffered_andAReloadEndsIt() async throws {
        let box = try await box()
        let gateway = try box.home.start("run")
        await box.bluez.wait { $0.advertisedNames() == ["Ada"] }
        await box.bluez.setPowered(false)
        try await gateway.waitForLines(with: "affected=\"straps, watch\"", on: .error)
        let off = try await box.home.run("status")
        XCTAssertTrue(off.output.contains("SERVICE"), off.output)
        XCTAssertTrue(
            off.output.contains("Bluetooth adapter hci0 is powered off"), off.output)
        await box.bluez.setPowered(true)
        await box.bluez.wait { $0.advertisedNames() == ["Ada"] }

        try box.configure(#"{ use: "bluetooth", devices: "any", profiles: ["heartRate"] }"#)
        await gateway.send(SIGHUP)
        try await gateway.waitForLines(with: "services=\"watch removed\"", on: .error)
        await box.bluez.wait { $0.advertisedServices.isEmpty }
        try await box.end(gateway)
    }

    func testCheck_namesTheService_andAPersonThatNobodyIs() async throws {
        let right = try await box()
        let check = try await right.home.run("check")
        XCTAssertEqual(check.ending, .exited(0), check.error)
        XCTAssertTrue(check.output.contains("services: watch"), check.output)
        for (service, message) in [
            (
                #"{ use: "rebroadcast", person: "adam" }"#,
                "services.watch.person: unknown person `adam`"
            ),
            (#"{ use: "rebroadcast" }"#, "services.watch: the key `person` is missing"),
            (#"{ use: "rebroadcats", person: "ada" }"#, "unknown plugin `rebroadcats`"),
            (
                #"{ use: "rebroadcast", person: "ada", all: true }"#,
                "services.watch.all: unknown key"
            ),
        ] {
            let wrong = try await box(service)
            let check = try await wrong.home.run("check")
            XCTAssertEqual(check.ending, .exited(78), check.output)
            XCTAssertTrue(check.error.contains(message), check.error)
        }
    }
}
