import BluetoothTesting
import Foundation
import GatewayCore
import Glibc
import Platform

/// A gateway process with any number of simulated straps on a fake BlueZ, which advertise and
/// notify at given rates.
final class StrapField {
    /// The timeout of every wait, sufficient for a busy machine.
    private static let timeoutSeconds = 600.0
    private static let pollSeconds = 0.1
    /// The CPU time of a gateway that has finished its work, as a part of a core.
    private static let idleLoad = 0.1
    /// The time between two batches of advertisements or values.
    private static let batchSeconds = 0.01

    let bluez: FakeBlueZ
    let addresses: [String]
    private let bus: PrivateBus
    private let process: MeasuredProcess
    private let folder: String
    private let clock = SystemClock()
    /// The number of the last batch, so that every advertisement and value differs from the last.
    private var number = 0

    /// Starts a gateway that reads `count` straps; the connections take `connectSeconds`.
    ///
    /// With `isHeld` no `Connect` is answered, until the test releases it.
    init(
        _ command: String, in folder: String, straps count: Int, connectSeconds: Double,
        isHeld: Bool
    ) async throws {
        self.folder = folder
        addresses = (0..<count).map(Self.address)
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let list = addresses.map { "\"\($0)\"" }.joined(separator: ", ")
        let configuration = """
            {
              dataDirectory: "\(folder)/data",
              sources: { straps: { use: "bluetooth", devices: [\(list)] } },
              sinks: { store: { use: "sqlite" } },
            }
            """
        let path = "\(folder)/pulsegate.json5"
        try configuration.write(toFile: path, atomically: false, encoding: .utf8)
        bus = try PrivateBus()
        bluez = try FakeBlueZ(address: bus.address)
        try await bluez.start()
        if isHeld { await bluez.hold("Connect") }
        for address in addresses {
            var device = FakeStrap(address: address, name: "Strap").device
            device.behaviour.connectSeconds = connectSeconds
            await bluez.appear(device)
        }
        process = try MeasuredProcess(
            [
                "/usr/bin/env", "DBUS_SYSTEM_BUS_ADDRESS=\(bus.address)", command, "run",
                "--config", path,
            ], output: "/dev/null", error: "\(folder)/log")
        await bluez.waitForCall("Connect")
    }

    private static func address(_ number: Int) -> String {
        let digits = String(0x1_0000 + number, radix: 16, uppercase: true).suffix(4)
        return "D0:11:22:33:\(digits.prefix(2)):\(digits.suffix(2))"
    }

    /// The resource usage of the gateway.
    var facts: ProcessFacts { process.facts }

    /// The number of records that the gateway has published.
    var publishedCount: Int {
        get throws {
            try ControlSocket.status(at: "\(folder)/data/control.sock")?.ledger.published ?? 0
        }
    }

    /// The number of straps that the gateway has subscribed to.
    var subscribedCount: Int {
        get async {
            var count = 0
            for address in addresses where await bluez.isNotifying(of: address) { count += 1 }
            return count
        }
    }

    /// Lets all straps advertise and notify for some time; returns how often they did.
    ///
    /// - Parameters:
    ///   - advertisements: The advertisements of a strap without a link in a second.
    ///   - values: The values of a strap with a subscription in a second.
    func run(
        seconds: Double, advertisements: Double, values: Double
    ) async throws -> (advertisements: Int, values: Int) {
        var counts = (advertisements: 0, values: 0)
        var due = (advertisements: 0.0, values: 0.0)
        let start = clock.now()
        let batches = Int(seconds / Self.batchSeconds)
        for batch in 0..<batches {
            try await clock.sleep(until: start.adding(seconds: Double(batch) * Self.batchSeconds))
            due.advertisements += advertisements * Double(addresses.count) * Self.batchSeconds
            due.values += values * Double(addresses.count) * Self.batchSeconds
            while due.advertisements >= 1 {
                due.advertisements -= 1
                await advertise(counts.advertisements)
                counts.advertisements += 1
            }
            while due.values >= 1 {
                due.values -= 1
                if await notify(counts.values) { counts.values += 1 }
            }
        }
        return counts
    }

    private func advertise(_ count: Int) async {
        let round = count / addresses.count
        await bluez.advertise(addresses[count % addresses.count], rssi: round % 2 == 0 ? -50 : -70)
    }

    private func notify(_ count: Int) async -> Bool {
        number += 1
        let heartRate = UInt8(60 + number / addresses.count % 100)
        return await bluez.notify(addresses[number % addresses.count], [0x06, heartRate])
    }

    /// Waits until the gateway has nothing more to do.
    func waitUntilIdle() async throws {
        try await wait { [self] in
            let cpu = facts.cpuSeconds
            try? await clock.sleep(seconds: Self.pollSeconds)
            return facts.cpuSeconds - cpu < Self.idleLoad * Self.pollSeconds
        }
    }

    /// Waits for a condition.
    func wait(until condition: () async throws -> Bool) async throws {
        let end = clock.now().adding(seconds: Self.timeoutSeconds)
        while clock.now() < end, process.isRunning {
            if try await condition() { return }
            try await clock.sleep(seconds: Self.pollSeconds)
        }
        let log = (try? ProcessFacts.text(of: "\(folder)/log")) ?? ""
        throw BenchmarkError("the gateway did not reach the state in time; log: \(log)")
    }

    /// Stops the gateway.
    func end() throws {
        _ = try process.end(with: SIGKILL)
        try FileManager.default.removeItem(atPath: folder)
    }
}
