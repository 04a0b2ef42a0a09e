import BluetoothTesting
import Foundation
import GatewayCore
import Glibc
import Platform

/// A gateway process with many simulated straps on a fake BlueZ, and tap clients.
final class StrapGateway {
    /// The timeout of every wait, sufficient for a busy machine.
    private static let timeoutSeconds = 120.0
    private static let pollIntervalSeconds = 0.05

    let clients: LineClients
    let bluez: FakeBlueZ
    private let bus: PrivateBus
    private let process: MeasuredProcess
    private let taps: [MeasuredProcess]
    private let folder: String
    private let clock = SystemClock()

    /// Starts a gateway, by default with a store, and returns when every strap is subscribed and every client
    /// receives lines.
    ///
    /// - Parameter further: Further sections of the configuration.
    init(
        _ command: String, in folder: String, straps: Int = StrapBeats.straps,
        clients count: Int, source: String = "",
        sinks: String = "store: { use: \"sqlite\" }", further: String = ""
    ) async throws {
        self.folder = folder
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let configuration = """
            {
              dataDirectory: "\(folder)/data",
              sources: { straps: { use: "bluetooth", devices: "any"\(source) } },
              sinks: { \(sinks) },
              \(further)
            }
            """
        let path = "\(folder)/pulsegate.json5"
        try configuration.write(toFile: path, atomically: false, encoding: .utf8)
        bus = try PrivateBus()
        bluez = try FakeBlueZ(address: bus.address)
        try await bluez.start()
        for strap in 0..<straps {
            let strap = FakeStrap(address: StrapBeats.address(strap), name: "Strap \(strap)")
            await bluez.appear(strap.device)
        }
        process = try MeasuredProcess(
            [
                "/usr/bin/env", "DBUS_SYSTEM_BUS_ADDRESS=\(bus.address)", command, "run",
                "--config", path,
            ], output: "/dev/null", error: "\(folder)/log")
        try await Self.wait(process, clock, folder) { [bluez] in
            for strap in 0..<straps {
                let isSubscribed = await bluez.isNotifying(of: StrapBeats.address(strap))
                guard isSubscribed else { return false }
            }
            return true
        }
        (clients, taps) = try Self.startTaps(count, command, path, folder)
        try await waitForLines()
    }

    /// Starts tap clients that print to pipes.
    private static func startTaps(
        _ count: Int, _ command: String, _ configuration: String, _ folder: String
    ) throws -> (LineClients, [MeasuredProcess]) {
        var descriptors: [Int32] = []
        var taps: [MeasuredProcess] = []
        for number in 0..<count {
            let pipe = "\(folder)/tap\(number)"
            guard mkfifo(pipe, 0o600) == 0 else { throw BenchmarkError("cannot make \(pipe)") }
            // Opened for writing too, so that there is no end of file before the first write.
            let descriptor = open(pipe, O_RDWR | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { throw BenchmarkError("cannot open \(pipe)") }
            descriptors.append(descriptor)
            taps.append(
                try MeasuredProcess(
                    [command, "tap", "--json", "--config", configuration], output: pipe,
                    error: "\(folder)/tap\(number).log"))
        }
        return (try LineClients(descriptors), taps)
    }

    /// Makes a strap notify until every client has received a line, and discards all lines.
    private func waitForLines() async throws {
        let beat = StrapBeats.Beat(strap: 0, heartRate: 59)
        try await Self.wait(process, clock, folder) { [self] in
            await bluez.notify(StrapBeats.address(0), StrapBeats.value(beat))
            return clients.lineCounts.allSatisfy { $0 > 0 }
        }
        try await clock.sleep(seconds: 1)
        _ = clients.drain()
    }

    /// The address of the bus with the straps.
    var busAddress: String { bus.address }

    /// The resource usage of the gateway.
    var facts: ProcessFacts { process.facts }

    /// The number of records that the gateway has published.
    var publishedCount: Int {
        get throws {
            try ControlSocket.status(at: "\(folder)/data/control.sock")?.ledger.published ?? 0
        }
    }

    /// Waits until the gateway has published `count` records.
    func waitForPublication(of count: Int) async throws {
        try await Self.wait(process, clock, folder) { [self] in
            ((try? publishedCount) ?? 0) >= count
        }
    }

    /// Stops the gateway and the clients with SIGTERM.
    func end() throws {
        _ = try process.end(with: SIGTERM)
        for tap in taps { _ = try? tap.end(with: SIGTERM) }
        try FileManager.default.removeItem(atPath: folder)
    }

    /// Waits until a condition is met.
    func wait(until condition: () async -> Bool) async throws {
        try await Self.wait(process, clock, folder, until: condition)
    }

    private static func wait(
        _ process: MeasuredProcess, _ clock: SystemClock, _ folder: String,
        until condition: () async -> Bool
    ) async throws {
        let end = clock.now().adding(seconds: timeoutSeconds)
        while clock.now() < end {
            guard process.isRunning else { break }
            if await condition() { return }
            try await clock.sleep(seconds: pollIntervalSeconds)
        }
        let log = (try? ProcessFacts.text(of: "\(folder)/log")) ?? ""
        throw BenchmarkError("the gateway did not reach the expected state in time; log: \(log)")
    }
}
