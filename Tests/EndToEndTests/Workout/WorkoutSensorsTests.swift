import BluetoothTesting
import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import Platform
import XCTest

/// A run with a strap, a foot pod and a power meter at once.
final class WorkoutSensorsTests: XCTestCase {
    private static let pod = "D0:11:22:33:44:71"
    private static let meter = "D0:11:22:33:44:72"
    private static let interval = 0.25

    /// Starts a gateway that reads the three sensors.
    private func start(_ box: BluetoothBox) async throws -> RunningCommand {
        let addresses = [BluetoothBox.ada, Self.pod, Self.meter]
        let list = addresses.map { "\"\($0)\"" }.joined(separator: ", ")
        try box.configure("{ use: \"bluetooth\", devices: [\(list)] }")
        await box.wear(BluetoothBox.ada)
        await appear(Self.pod, "1814", "2a53", on: box.bluez)
        await appear(Self.meter, "1818", "2a63", on: box.bluez)
        let gateway = try box.home.start("run")
        for address in addresses { await box.waitUntilHeard(address) }
        return gateway
    }

    private func appear(
        _ address: String, _ service: String, _ measurement: String, on bluez: FakeBlueZ
    ) async {
        let characteristic = FakeCharacteristic(measurement, ["notify"])
        let device = FakeDevice(
            address: address, name: "Sensor \(service)",
            services: [FakeService(service, [characteristic])])
        await bluez.appear(device)
    }

    /// Lets the sensors measure until the task is cancelled: 150 count/min, 3 m/s and 170 steps a
    /// minute, 240 and 260 W in turns.
    private static func measure(_ bluez: FakeBlueZ) async throws {
        var number: UInt8 = 0
        while true {
            let tenths = UInt16(number) * 8
            let distance = [UInt8(tenths & 0xFF), UInt8(tenths >> 8)]
            await bluez.notify(BluetoothBox.ada, [0x06, 150])
            await bluez.notify(pod, [0x06, 0x00, 0x03, 170] + distance + [0, 0], of: "2a53")
            await bluez.notify(meter, [0, 0, number % 2 == 0 ? 240 : 4, number % 2], of: "2a63")
            number &+= 1
            try await SystemClock().sleep(seconds: interval)
        }
    }

    private func workout(_ home: Home, _ words: String...) async throws {
        let outcome = try await home.run(["workout"] + words)
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
    }

    /// The sum of a column of the exported table.
    private func sum(_ column: String, in path: String) throws -> Double {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let rows = text.components(separatedBy: "\r\n").map { $0.components(separatedBy: ",") }
        let place = try XCTUnwrap(rows.first?.firstIndex(of: column))
        return rows.dropFirst().filter { $0.count > place }
            .compactMap { Double($0[place]) }.reduce(0, +)
    }

    func testStrapFootPodAndPowerMeter_areInOneFile_forGarminsReader() async throws {
        let box = try await BluetoothBox()
        let gateway = try await start(box)
        let bluez = box.bluez
        let sensors = Task { [bluez] in try await WorkoutSensorsTests.measure(bluez) }
        for type in ["heartRate", "runningSpeed", "runningCadence", "cyclingPower"] {
            try await gateway.waitForLines(1, with: "\"\(type)\"", on: .output)
        }
        try await workout(box.home, "start", "--activity", "running")
        let before = await gateway.lines(of: .output, with: "\"cyclingPower\"").count
        try await gateway.waitForLines(before + 24, with: "\"cyclingPower\"", on: .output)
        let live = try await box.home.workoutStatus()["me"]
        XCTAssertTrue([240, 260].contains(live?["power"] as? Double), "\(live ?? [:])")
        XCTAssertEqual(live?["speed"] as? Double, 3)
        try await workout(box.home, "stop")
        sensors.cancel()
        _ = await sensors.result

        let (file, table) = (box.home.folder.path("run.fit"), box.home.folder.path("run.csv"))
        try await workout(box.home, "export", file)
        try await workout(box.home, "export", table)
        let distance = try sum("distance_m", in: table)
        XCTAssertGreaterThan(distance, 10)
        let readings = try await ForeignReader.read(file, "read_fit.py", box.home)
        let garmin = try XCTUnwrap(
            readings.first { $0["reader"] as? String == "garmin-fit-sdk" })
        XCTAssertEqual(garmin["errors"] as? [String], [])
        let session = try XCTUnwrap(garmin["session"] as? [String: Any])
        func value(_ name: String) -> Double { session[name] as? Double ?? -1 }
        XCTAssertEqual(value("avg_heart_rate"), 150)
        XCTAssertEqual(value("avg_speed"), 3, accuracy: 0.001)
        XCTAssertEqual(value("avg_cadence"), 85, accuracy: 1)
        XCTAssertEqual(value("avg_power"), 250, accuracy: 4)
        XCTAssertEqual(value("max_power"), 260)
        // 250 W all the time: the joules are the average by the time.
        let work = value("avg_power") * value("total_timer_time")
        XCTAssertEqual(value("total_work"), work, accuracy: work / 10)
        XCTAssertEqual(value("total_distance"), distance, accuracy: 0.9)
        try await box.end(gateway)
    }
}
