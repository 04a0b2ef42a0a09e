import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import Platform

/// The built command with many straps on a bluetoothd of the benchmark's own, and clients that tap it.
final class StrapGateway {
    /// More than anything takes, also on a machine that does much else.
    private static let timeoutSeconds = 120.0
    private static let lookingSeconds = 0.05

    let clients: LineClients
    let bluez: FakeBlueZ
    private let bus: PrivateBus
    private let process: ChildProcess
    private let taps: [ChildProcess]
    private let folder: String
    private let clock = SystemClock()

    /// Starts a gateway that keeps what it reads, and returns when every strap is heard and every client
    /// gets lines.
    init(_ command: String, in folder: String, clients count: Int) async throws {
        self.folder = folder
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let configuration = """
            {
              dataDirectory: "\(folder)/data",
              sources: { straps: { use: "bluetooth", devices: "any" } },
              sinks: { store: { use: "sqlite" } },
            }
            """
        let path = "\(folder)/pulsegate.json5"
        try configuration.write(toFile: path, atomically: false, encoding: .utf8)
        bus = try PrivateBus()
        bluez = try FakeBlueZ(address: bus.address)
        try await bluez.start()
        for strap in 0..<StrapBeats.straps {
            let strap = FakeStrap(address: StrapBeats.address(strap), name: "Strap \(strap)")
            await bluez.appear(strap.device)
        }
        process = try ChildProcess(
            [
                "/usr/bin/env", "DBUS_SYSTEM_BUS_ADDRESS=\(bus.address)", command, "run",
                "--config", path,
            ], output: "/dev/null", error: "\(folder)/log")
        try await Self.wait(process, clock, folder) { [bluez] in
            for strap in 0..<StrapBeats.straps {
                let isHeard = await bluez.isNotifying(of: StrapBeats.address(strap))
                guard isHeard else { return false }
            }
            return true
        }
        (clients, taps) = try Self.startTaps(count, command, path, folder)
        try await waitForLines()
    }

    /// Starts clients that print to pipes.
    private static func startTaps(
        _ count: Int, _ command: String, _ configuration: String, _ folder: String
    ) throws -> (LineClients, [ChildProcess]) {
        var descriptors: [Int32] = []
        var taps: [ChildProcess] = []
        for number in 0..<count {
            let pipe = "\(folder)/tap\(number)"
            guard mkfifo(pipe, 0o600) == 0 else { throw BenchmarkError("cannot make \(pipe)") }
            // Opened to write as well it has no end before anybody writes.
            let descriptor = open(pipe, O_RDWR | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { throw BenchmarkError("cannot open \(pipe)") }
            descriptors.append(descriptor)
            taps.append(
                try ChildProcess(
                    [command, "tap", "--json", "--config", configuration], output: pipe,
                    error: "\(folder)/tap\(number).log"))
        }
        return (try LineClients(descriptors), taps)
    }

    /// Lets a strap notify until every client has got something; what was under way is thrown away.
    private func waitForLines() async throws {
        let beat = StrapBeats.Beat(strap: 0, heartRate: 59)
        try await Self.wait(process, clock, folder) { [self] in
            await bluez.notify(StrapBeats.address(0), StrapBeats.value(beat))
            return clients.lineCounts.allSatisfy { $0 > 0 }
        }
        try await clock.sleep(seconds: 1)
        _ = clients.take()
    }

    /// What the kernel tells of the gateway.
    var facts: ProcessFacts { process.facts }

    /// How many records the gateway has published since it began.
    var publishedCount: Int {
        get throws {
            try ControlSocket.account(at: "\(folder)/data/control.sock")?.ledger.published ?? 0
        }
    }

    /// Returns when the gateway has published so many records.
    func waitForPublication(of count: Int) async throws {
        try await Self.wait(process, clock, folder) { [self] in
            ((try? publishedCount) ?? 0) >= count
        }
    }

    /// Ends everything as an operator would.
    func end() throws {
        _ = try process.end(with: SIGTERM)
        for tap in taps { _ = try? tap.end(with: SIGTERM) }
        try FileManager.default.removeItem(atPath: folder)
    }

    private static func wait(
        _ process: ChildProcess, _ clock: SystemClock, _ folder: String,
        until isSo: () async -> Bool
    ) async throws {
        let end = clock.now().adding(seconds: timeoutSeconds)
        while clock.now() < end {
            guard process.isRunning else { break }
            if await isSo() { return }
            try await clock.sleep(seconds: lookingSeconds)
        }
        let log = (try? ProcessFacts.text(of: "\(folder)/log")) ?? ""
        throw BenchmarkError("the gateway did not come so far; it said: \(log)")
    }
}
